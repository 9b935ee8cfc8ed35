/**
 * Writes what the editors' folders hold of the language anew: the TextMate grammar, from the parsers' rules. `--check` writes nothing and
 * fails when a file is out of date, as test/editors/vscode.test.ts does.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root, withSources } from "./sources.mjs";

const checking = process.argv.includes("--check");
const GRAMMAR = "editors/vscode/syntaxes/weft.tmLanguage.json";

await withSources('export { textMateOf } from "./grammar/generate/textmate.ts";', async ({ textMateOf }) => {
  const path = join(root, GRAMMAR);
  const text = `${JSON.stringify(textMateOf(), null, 2)}\n`;
  if (text === (await readFile(path, "utf8").catch(() => ""))) return;
  process.stdout.write(`${GRAMMAR} ${checking ? "is out of date" : "written"}\n`);
  if (checking) process.exitCode = 1;
  else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
});
