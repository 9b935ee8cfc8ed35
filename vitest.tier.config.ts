/**
 * `npm run test:tier`: the suites about runs, once more with what `WEFT_TIER` chooses (`test/support/forced-tier.ts`). Left out: what has no
 * program run on a host, what takes large values, and the sweep over all pairs of crashes, whose calls are made in no loop.
 */
import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

const LEFT_OUT = [
  "**/node_modules/**",
  "test/vm/{functions,inputs,values}/**",
  "test/vm/{operation-costs,summary}.test.ts",
  "test/vm/machine/long-natives.test.ts",
  "test/vm/memory/{frame-share,large-results}.test.ts",
  "test/vm/python/{room,turns}.test.ts",
  "test/vm/durable/{model,output-commit}.test.ts",
  // Runs of a machine without a host, and without loops.
  "test/property/operand-kinds.test.ts",
  // These choose the tier themselves.
  "test/vm/tier/**",
  "test/vm/python/generated-code.test.ts",
];

export default defineConfig({
  test: {
    ...everything.test,
    include: [
      "test/vm/**/*.test.ts",
      "test/python/cases.test.ts",
      "test/property/*.test.ts",
      "test/reference/*.test.ts",
    ],
    exclude: LEFT_OUT,
  },
});
