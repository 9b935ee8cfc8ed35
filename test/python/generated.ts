/** `node test/python/report.mjs generated …` and `… sharing …`. */
import { parseArgs } from "node:util";
import { type Comparison, compareGenerated, type Difference, shrunk } from "./generate/compare.ts";
import { programOf } from "./generate/program.ts";
import { sharingProgramOf } from "./generate/sharing.ts";
import { findPython } from "./support/oracle.ts";
import { Cutter } from "./support/oracle-process.ts";

const REASONS_SHOWN = 20;
const SHOWN = 10;
const MAKERS = { generated: programOf, sharing: sharingProgramOf };

export async function reportGenerated(kind: keyof typeof MAKERS, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      show: { type: "string", default: String(SHOWN) },
      whole: { type: "boolean" },
      print: { type: "boolean" },
    },
  });
  const from = Number(values.seed);
  if (values.print === true) {
    process.stdout.write(MAKERS[kind](from));
    return 0;
  }
  const python = findPython();
  if (python === null) throw new Error("CPython 3.11 is needed: no python3 or python3.11 of that version was found");
  const progress = (done: Comparison) =>
    process.stderr.write(`\r${done.programs} programs, ${done.wrong.length} wrong `);
  const result = await compareGenerated(MAKERS[kind], { from, count: Number(values.count), python, progress });
  process.stderr.write("\n");
  const cutter = new Cutter(python);
  for (const [word, found] of [
    ["wrong", result.wrong],
    ["failed", result.failed],
  ] as const) {
    for (const one of distinct(found).slice(0, Number(values.show))) {
      const least = values.whole === true ? one : await shrunk(one, python, cutter);
      process.stdout.write(
        `${word}, seed ${one.seed}: ${least.why}\n${least.source.replace(/^/gm, "    ").trimEnd()}\n\n`,
      );
    }
  }
  await cutter.close();
  process.stdout.write(summary(result));
  return result.wrong.length > 0 ? 1 : 0;
}

/** One difference of each kind, as far as their words tell. */
function distinct(found: readonly Difference[]): Difference[] {
  const kinds = new Map(found.map((one) => [one.why.replace(/[\d'"].*/s, ""), one]));
  return [...new Set([...kinds.values(), ...found])];
}

function summary(result: Comparison): string {
  const { programs, accepted, right, notExact, refused, failed, wrong } = result;
  const reasons = [...refused].sort(([, left], [, more]) => more - left).slice(0, REASONS_SHOWN);
  const share = programs === 0 ? 0 : Math.round((1000 * accepted) / programs) / 10;
  return [
    ...reasons.map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`),
    `${programs} programs, ${accepted} accepted (${share} %): ${right} right, ${notExact} not exact, ${failed.length} failed, ${wrong.length} wrong`,
    "",
  ].join("\n");
}
