/** What `node test/python/report.mjs` prints. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Case, caseFiles, readCases } from "./support/case-files.ts";
import { floorsText, readFloors } from "./support/floors.ts";
import { type Judged, judge, VERDICTS, type Verdict } from "./support/judge.ts";
import { hostWith, isPythonThere } from "./support/weft.ts";

const USAGE = `node test/python/report.mjs [--file NAME]… [--id WORD] [--only VERDICT] [--show] [--kinds] [--table] [--raise]

  --file NAME     only this file of test/python/cases (repeatable)
  --id WORD       only cases whose id contains WORD
  --only VERDICT  list only these: ${VERDICTS.slice(1).join(", ")}
  --show          also print the program and what CPython made of it
  --kinds         count by kind, too
  --table         print only the counts
  --raise         write the counts of right programs to test/python/cases/floors.json where they have grown

node test/python/report.mjs generated|sharing [--count N] [--seed N] [--show N] [--whole] [--print]

  compares generated programs with CPython and shows the smallest forms of N differences; --whole shows them as generated, --print
  prints the program of a seed

node test/python/report.mjs rows [--row NAME]… [--count N] [--seed N] [--show N]

  compares calls of library rows (those whose name contains NAME, or \`operators\`) with CPython
`;
const REASONS_SHOWN = 15;

type Row = { readonly file: string; readonly one: Case; readonly judged: Judged };

export async function reportCases(folder: string, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      file: { type: "string", multiple: true },
      id: { type: "string" },
      only: { type: "string" },
      show: { type: "boolean" },
      kinds: { type: "boolean" },
      table: { type: "boolean" },
      raise: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (!(await isPythonThere()))
    process.stdout.write("Files with `# surface: python` are not read as Python in this checkout.\n");
  const host = hostWith();
  const rows: Row[] = [];
  for (const file of values.file ?? caseFiles(folder)) {
    for (const one of readCases(folder, file)) {
      if (values.id !== undefined && !one.id.includes(values.id)) continue;
      rows.push({ file, one, judged: await judge(one, host) });
    }
  }
  const listed = rows.filter(
    ({ judged }) => judged.verdict !== "right" && judged.verdict === (values.only ?? judged.verdict),
  );
  if (values.table !== true) for (const row of listed) process.stdout.write(lineOf(row, values.show === true));
  if (values.kinds === true) process.stdout.write(`${tableOf("kind", rows, ({ one }) => one.kind)}\n`);
  process.stdout.write(`${reasonsOf(rows)}${tableOf("file", rows, ({ file }) => file)}`);
  if (values.raise === true) raise(folder, rows);
  return rows.some(({ judged }) => judged.verdict === "wrong") ? 1 : 0;
}

function lineOf({ file, one, judged }: Row, isShown: boolean): string {
  const line = `${judged.verdict.padEnd(9)} ${file}/${one.id} (${one.kind}): ${judged.why}\n`;
  if (!isShown) return line;
  const runs = one.runs.map(({ frame, recorded }) => `    ${frame} -> ${JSON.stringify(recorded)}\n`);
  return `${line}${one.source.replace(/^/gm, "    ").trimEnd()}\n${runs.join("")}\n`;
}

function tableOf(head: string, rows: readonly Row[], keyOf: (row: Row) => string): string {
  const counts = new Map<string, Map<Verdict, number>>();
  const add = (key: string, verdict: Verdict): void => {
    const row = counts.get(key) ?? new Map<Verdict, number>();
    counts.set(key, row.set(verdict, (row.get(verdict) ?? 0) + 1));
  };
  for (const row of rows) add(keyOf(row), row.judged.verdict);
  if (counts.size > 1) for (const row of rows) add("all", row.judged.verdict);
  const cells = (words: readonly (string | number)[]): string =>
    words.map((word, index) => (index === 0 ? String(word).padEnd(24) : String(word).padStart(10))).join("");
  const lines = [cells([head, "cases", ...VERDICTS])];
  for (const [key, row] of counts) {
    const sum = [...row.values()].reduce((left, right) => left + right, 0);
    lines.push(cells([key, sum, ...VERDICTS.map((verdict) => row.get(verdict) ?? 0)]));
  }
  return `${lines.join("\n")}\n`;
}

/** The commonest reasons why programs are refused or fail. */
function reasonsOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { judged } of rows) {
    if (judged.verdict !== "refused" && judged.verdict !== "failed") continue;
    const reason = judged.why.replace(/^\d+: /, "").replace(/ \(and .*| wanted .*/, "");
    counts.set(reason.slice(0, 100), (counts.get(reason.slice(0, 100)) ?? 0) + 1);
  }
  const common = [...counts].sort(([, left], [, right]) => right - left).slice(0, REASONS_SHOWN);
  const lines = common
    .filter(([, count]) => count > 1)
    .map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`);
  return lines.length === 0 ? "" : `\nrefused or failed most often:\n${lines.join("\n")}\n\n`;
}

function raise(folder: string, rows: readonly Row[]): void {
  const floors = { ...readFloors(folder) };
  for (const { file } of rows) {
    const right = rows.filter((row) => row.file === file && row.judged.verdict === "right").length;
    floors[file] = Math.max(floors[file] ?? 0, right);
  }
  writeFileSync(join(folder, "floors.json"), floorsText(floors));
}
