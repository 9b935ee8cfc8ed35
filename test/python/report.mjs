/**
 * Counts which programs of `test/python/cases` are right in this checkout, from its sources: `node test/python/report.mjs --help`. The parts
 * of Weft that it needs are bundled first, which takes a second.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { BUNDLE } from "../../scripts/bundle.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "..", "..", "dist");

await mkdir(dist, { recursive: true });
const folder = await mkdtemp(join(dist, "python-report-"));
try {
  const outfile = join(folder, "report.mjs");
  await build({ ...BUNDLE, entryPoints: [join(here, "main.ts")], outfile, logLevel: "warning" });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(join(here, "cases"), process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true, force: true });
}
