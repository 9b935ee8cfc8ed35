/** Sources in TypeScript, for the scripts that write files from the project's tables. */
import { mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Hands the exports of `contents`, a module as if it stood in the project's folder, to `use`. It is translated into a folder from where
 * its packages are found, and which is gone afterwards.
 */
export async function withSources(contents, use) {
  const folder = await mkdtemp(join(root, "node_modules", ".sources-"));
  try {
    const outfile = join(folder, "sources.mjs");
    await build({
      stdin: { contents, resolveDir: root, loader: "ts" },
      absWorkingDir: root,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      logLevel: "silent",
      outfile,
    });
    await use(await import(pathToFileURL(outfile).href));
  } finally {
    await rm(folder, { recursive: true });
  }
}
