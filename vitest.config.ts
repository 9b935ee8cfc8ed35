/**
 * Test runner settings. A worker process for each core: two on the smallest supported machine, and four at most, because tests that start
 * services and browsers of their own need room around them. Workers keep their module graph between files (`isolate: false`), because importing
 * the parser anew for every file costs more than the tests. Tests therefore must not change module state or `process.env` without
 * putting it back.
 */
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** As the build of the console's page does (`scripts/build.mjs`). */
const programsAsTexts = {
  name: "programs-as-texts",
  transform: (code: string, id: string) =>
    id.endsWith(".wf") ? { code: `export default ${JSON.stringify(code)};`, map: null } : null,
};

export default defineConfig({
  plugins: [programsAsTexts],
  test: {
    include: ["test/**/*.test.ts"],
    // Times and memory: `npm run test:measured`.
    exclude: [...configDefaults.exclude, "test/measured/**"],
    globalSetup: ["test/support/build-helpers.ts"],
    setupFiles: ["test/support/property-seed.ts", "test/support/forced-tier.ts"],
    pool: "forks",
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
    isolate: false,
    testTimeout: 40_000,
    hookTimeout: 40_000,
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
