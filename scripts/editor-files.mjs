/**
 * Writes what the editors' folders hold of the language anew: the TextMate grammar, from the op table. `--check` writes nothing and
 * fails when a file is out of date, as test/editors/vscode.test.ts does.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const checking = process.argv.includes("--check");
const GRAMMAR = "editors/vscode/syntaxes/weft.tmLanguage.json";

/** The table is TypeScript, so it is translated into a folder from where its packages are found. */
async function loaded(folder) {
  const outfile = join(folder, "textmate.mjs");
  await build({
    entryPoints: [join(root, "grammar", "generate", "textmate.ts")],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent",
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}

const folder = await mkdtemp(join(root, "node_modules", ".editor-files-"));
try {
  const { textMateOf } = await loaded(folder);
  const path = join(root, GRAMMAR);
  const text = `${JSON.stringify(textMateOf(), null, 2)}\n`;
  if (text !== (await readFile(path, "utf8").catch(() => ""))) {
    process.stdout.write(`${GRAMMAR} ${checking ? "is out of date" : "written"}\n`);
    if (checking) process.exitCode = 1;
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
