/** File sizes: a warning above 300 lines, a failure above 400, save for the files named in `scripts/file-sizes.json` with a reason. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FLOORS, filesBelow, root } from "./tools.mjs";

const WARN = 300;
const FAIL = 400;

export function checkSizes() {
  const exceptions = JSON.parse(readFileSync(join(root, "scripts", "file-sizes.json"), "utf8"));
  const product = [...FLOORS.flatMap((folder) => filesBelow(folder, [".ts"])), ...filesBelow("scripts", [".mjs"])];
  const tests = filesBelow("test", [".ts"]);
  if (product.length === 0) throw new Error("no source files found");
  const failures = [];
  const warnings = [];
  for (const path of [...product, ...tests]) {
    const lines = readFileSync(join(root, path), "utf8").split("\n").length - 1;
    if (Object.hasOwn(exceptions, path)) {
      if (lines <= FAIL) warnings.push(`${path} has ${lines} lines and needs no exception any more`);
    } else if (lines > FAIL && product.includes(path)) failures.push(`${path} has ${lines} lines (at most ${FAIL})`);
    else if (lines > WARN) warnings.push(`${path} has ${lines} lines (aim: 200)`);
  }
  for (const [path, reason] of Object.entries(exceptions)) {
    if (typeof reason !== "string" || reason.length < 10)
      failures.push(`scripts/file-sizes.json: ${path} needs a reason`);
  }
  const note = warnings.length === 0 ? undefined : `${warnings.length} warnings`;
  const details = [...failures, ...warnings.map((line) => `warning: ${line}`)].join("\n");
  return note === undefined ? { ok: failures.length === 0, details } : { ok: failures.length === 0, note, details };
}
