/**
 * Writes `examples/data/languages.json`, the frame of `examples/languages.wf`: the language table of the iso-639-3 package (MIT
 * licence), one record per line. Run it again after raising the package's version.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { iso6393 } from "iso-639-3";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(root, "examples", "data", "languages.json");
const records = iso6393.map(({ iso6393: code, iso6391, name, scope, type }) =>
  JSON.stringify(iso6391 === undefined ? { code, name, scope, type } : { code, iso6391, name, scope, type }),
);
const text = `{"languages":[\n${records.join(",\n")}\n]}\n`;
writeFileSync(path, text);
process.stdout.write(`${records.length} languages, ${Buffer.byteLength(text)} bytes\n`);
