/**
 * File sizes: a warning above 300 lines, a failure above 400, save for the files named in `scripts/file-sizes.json` with a reason.
 * Tests are only counted: many of them are tables of cases.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FLOORS, filesBelow, root } from "./tools.mjs";

const WARN = 300;
const FAIL = 400;

const linesOf = (path) => readFileSync(join(root, path), "utf8").split("\n").length - 1;

export function checkSizes() {
  const exceptions = JSON.parse(readFileSync(join(root, "scripts", "file-sizes.json"), "utf8"));
  const product = [
    ...FLOORS.flatMap((folder) => filesBelow(folder, [".ts", ".tsx"])),
    ...filesBelow("scripts", [".mjs"]),
  ];
  if (product.length === 0) throw new Error("no source files found");
  const failures = [];
  const warnings = [];
  for (const path of product) {
    const lines = linesOf(path);
    if (Object.hasOwn(exceptions, path)) {
      if (lines <= FAIL) warnings.push(`${path} has ${lines} lines and needs no exception any more`);
    } else if (lines > FAIL) failures.push(`${path} has ${lines} lines (at most ${FAIL})`);
    else if (lines > WARN) warnings.push(`${path} has ${lines} lines (aim: 200)`);
  }
  for (const [path, reason] of Object.entries(exceptions)) {
    if (typeof reason !== "string" || reason.length < 10)
      failures.push(`scripts/file-sizes.json: ${path} needs a reason`);
  }
  const longTests = filesBelow("test", [".ts"]).filter((path) => linesOf(path) > WARN).length;
  const note = `${product.length} files, ${warnings.length} warnings, ${longTests} tests above ${WARN} lines`;
  const details = [...failures, ...warnings.map((line) => `warning: ${line}`)].join("\n");
  return { ok: failures.length === 0, note, details };
}
