/**
 * The helper programs that run next to the main one, in child processes and worker threads. They are built as files of their own: shipped in
 * `dist/` (`scripts/build.mjs`), and for the sources of a checkout in `node_modules/.cache/weft/` (`test/support/build-helpers.ts`).
 */
import { fileURLToPath } from "node:url";

/** Name of the built file (without `.mjs`) → its entry in the sources. */
export const HELPERS = {
  "sqlite-helper": "adapters/entries/sqlite-helper.ts",
  "parent-watch": "adapters/entries/parent-watch.ts",
  "wasm-worker": "adapters/entries/wasm-thread.ts",
  "document-parser": "adapters/entries/parser-thread.ts",
  "plugin-host": "adapters/plugins/child/main.ts",
  "job-store": "service/jobs/sqlite/thread.ts",
  "run-worker": "service/workers/thread.ts",
  "program-compiler": "service/programs/compile/thread.ts",
  "program-review": "service/programs/deploy/review-thread.ts",
  "proposal-tests": "service/programs/proposals/test-thread.ts",
  "graph-layout": "service/console/layout/thread.ts",
  "batch-worker": "cli/batch/thread.ts",
} as const;

export type HelperName = keyof typeof HELPERS;

/** Where the built helpers are, seen from the module at `url`: this one, a module of the library, or a bundle that holds it. */
function helperFolder(url: string): URL {
  if (url.endsWith("/engine/helpers.ts")) return new URL("../../node_modules/.cache/weft/", url);
  if (url.endsWith("/engine/helpers.js")) return new URL("../../../", url);
  return new URL(url.includes("/chunks/") ? "../" : "./", url);
}

/** Path of a built helper. */
export function helperPath(name: HelperName, url: string = import.meta.url): string {
  return fileURLToPath(new URL(`${name}.mjs`, helperFolder(url)));
}
