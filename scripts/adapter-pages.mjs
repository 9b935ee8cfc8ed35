/**
 * Writes the tables in the pages of docs/adapters anew, from the definitions of the adapters (`adapters/describe/page.ts`); the prose
 * around them stays, and an adapter without a page gets one. `--check` writes nothing and fails when a page is out of date, as test/docs/adapters.test.ts does.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root, withSources } from "./sources.mjs";

const checking = process.argv.includes("--check");

const SOURCES = `
  export { adapterPage, filledPage } from "./adapters/describe/page.ts";
  export { BUILTIN_LOADERS } from "./adapters/registry.ts";
`;

await withSources(SOURCES, async ({ BUILTIN_LOADERS, adapterPage, filledPage }) => {
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
});
