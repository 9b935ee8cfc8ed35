/**
 * Writes the tables in the pages of docs/adapters anew, from the definitions of the adapters (`adapters/describe/page.ts`); the prose
 * around them stays, and an adapter without a page gets one. `--check` writes nothing and fails when a page is out of date, as test/docs/adapters.test.ts does.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const checking = process.argv.includes("--check");

const ENTRY = `
  export { adapterPage, filledPage } from "./adapters/describe/page.ts";
  export { BUILTIN_LOADERS } from "./adapters/registry.ts";
`;

/** The definitions are TypeScript, so they are translated into a folder from where their packages are found. */
async function loaded(folder) {
  const outfile = join(folder, "pages.mjs");
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

const folder = await mkdtemp(join(root, "node_modules", ".adapter-pages-"));
try {
  const { BUILTIN_LOADERS, adapterPage, filledPage } = await loaded(folder);
  for (const [name, load] of Object.entries(BUILTIN_LOADERS)) {
    const path = `docs/adapters/${name}.md`;
    const definition = await load();
    const page = await readFile(join(root, path), "utf8").catch(() => "");
    const filled = page === "" ? { ok: true, text: adapterPage(definition) } : filledPage(page, definition);
    if (!filled.ok) throw new Error(`${path}: ${filled.problem}`);
    if (filled.text === page) continue;
    process.stdout.write(`${path} ${checking ? "is out of date" : "written"}\n`);
    if (checking) process.exitCode = 1;
    else await writeFile(join(root, path), filled.text);
  }
} finally {
  await rm(folder, { recursive: true });
}
