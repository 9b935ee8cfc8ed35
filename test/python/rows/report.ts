/** `node test/python/report.mjs rows …`. */
import { parseArgs } from "node:util";
import { ROWS, rowEvaluator } from "../library/support/known.ts";
import { findPython } from "../support/oracle.ts";
import { compareRows, OPERATORS, type RowDifference } from "./compare.ts";

export async function reportRows(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      row: { type: "string", multiple: true },
      count: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      show: { type: "string", default: "5" },
    },
  });
  const python = findPython();
  if (python === null) throw new Error("CPython 3.11 is needed: no python3 or python3.11 of that version was found");
  const all = [OPERATORS, ...ROWS] as const;
  const isWanted = (name: string) => values.row === undefined || values.row.some((word) => name.includes(word));
  const rows = all.filter((row) => isWanted(row === OPERATORS ? OPERATORS : row.name));
  const begins = (row: string) => process.stderr.write(`\r${row.padEnd(40)}`);
  const options = { seed: Number(values.seed), count: Number(values.count), python, begins };
  const results = await compareRows(rows, rowEvaluator(), options);
  let differing = 0;
  for (const { row, compared, values: valued, notExact, differences } of results) {
    differing += differences.length;
    const counts = `${compared} compared, ${valued} with a value, ${notExact} not exact, ${differences.length} differ`;
    process.stdout.write(`${row.padEnd(28)} ${counts}\n`);
    for (const { severity, text, expected, actual } of gravest(differences).slice(0, Number(values.show)))
      process.stdout.write(
        `    ${severity}: ${text}\n      CPython ${expected.slice(0, 300)}\n      Weft    ${actual.slice(0, 300)}\n`,
      );
  }
  return differing > 0 ? 1 : 0;
}

function gravest(differences: readonly RowDifference[]): RowDifference[] {
  const order = ["value", "class", "text"];
  return [...differences].sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity));
}
