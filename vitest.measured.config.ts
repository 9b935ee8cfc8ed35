/**
 * `npm run test:measured`: what is asserted in milliseconds and in bytes of memory. It holds on the machines that we know and says little on
 * others, so `npm test` leaves it out, and CI reports it apart. One file at a time, in a process of its own, so that nothing runs next to it.
 */
import { configDefaults, defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

export default defineConfig({
  test: {
    ...everything.test,
    include: ["test/measured/**/*.test.ts"],
    exclude: [...configDefaults.exclude],
    maxWorkers: 1,
    isolate: true,
    testTimeout: 60_000,
  },
});
