/**
 * Test runner settings. Two worker processes fit the two cores of the smallest supported machine; workers keep their
 * module graph between files (`isolate: false`), because importing the parser anew for every file costs more than the
 * tests. Tests therefore must not change module state or `process.env` without putting it back.
 */
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
    maxWorkers: 2,
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
