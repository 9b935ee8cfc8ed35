/**
 * `npm run test:fast`: suites that need no process, database or browser, draw no programs and need no large values, for a first
 * answer within a minute.
 */
import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

const ROOMS = ["compiler", "gateway", "grammar", "policy", "vm"];
const SLOW = [
  "**/node_modules/**",
  "test/**/*propert*.test.ts",
  "test/**/*hostile*.test.ts",
  "test/**/*linear*.test.ts",
  // Generated programs, and every way to damage one.
  "test/compiler/bytecode/{encode,refusals,variants,verify}.test.ts",
  // Sizes that take seconds.
  "test/compiler/growth.test.ts",
  "test/gateway/reserved-places.test.ts",
  "test/vm/operation-costs.test.ts",
  "test/vm/functions/json.test.ts",
  "test/vm/machine/{long-natives,regressions}.test.ts",
  "test/vm/memory/frame-share.test.ts",
];

export default defineConfig({
  test: { ...everything.test, include: ROOMS.map((room) => `test/${room}/**/*.test.ts`), exclude: SLOW },
});
