/**
 * Test runner settings. Three worker processes keep the two cores of the smallest supported machine busy, because many tests wait for
 * processes that they started; workers keep their module graph between files (`isolate: false`), because importing the parser anew for every
 * file costs more than the tests. Tests therefore must not change module state or `process.env` without putting it back.
 */
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Times and memory: `npm run test:measured`.
    exclude: [...configDefaults.exclude, "test/measured/**"],
    globalSetup: ["test/support/build-helpers.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/forced-tier.ts"],
    pool: "forks",
    maxWorkers: Math.min(6, 1 + Math.max(2, availableParallelism())),
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    // A second, as it is otherwise, may pass on a busy machine before a process had its turn.
    expect: { poll: { timeout: 10_000 } },
    coverage: {
      provider: "v8",
      enabled: false,
      include: ["grammar/**", "compiler/**", "vm/**", "adapters/**", "cli/**"],
    },
  },
});
