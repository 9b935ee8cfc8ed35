/** Times every side of every row in Python, each in a process of its own, and holds what they gave against the row. */
import { pythonFigures } from "../children.ts";
import { isMet, type Target } from "../figure.ts";
import type { Options } from "../options.ts";
import { type Summary, summary } from "../statistics.ts";
import { inOrder } from "../verify.ts";
import type { Aim, PythonRow } from "./rows.ts";
import { PYTHON_SIDE_NAMES, PYTHON_SIDES, type PythonMeasured, type PythonSideName } from "./sides.ts";

/** Processor milliseconds of one run, by side. */
export type PythonTimes = {
  readonly row: string;
  readonly sides: Readonly<Partial<Record<PythonSideName, Summary>>>;
  readonly aims: readonly AimMet[];
};
export type AimMet = {
  readonly of: Aim["of"];
  readonly target: Target;
  readonly value: number;
  readonly isMet: boolean;
};

export function timePython(
  { python, processes, pace }: Options,
  progress: (text: string) => void,
): { readonly figures: readonly PythonTimes[]; readonly faults: readonly string[] } {
  const samples = new Map<string, number[]>();
  const faults: string[] = [];
  for (let round = 0; round < processes; round++) {
    for (const row of python) {
      const sides = PYTHON_SIDE_NAMES.filter((side) => PYTHON_SIDES[side].isOf(row));
      for (const side of round % 2 === 0 ? sides : sides.reverse()) {
        progress(`round ${round + 1} of ${processes}: ${row.name} ${PYTHON_SIDES[side].title}`);
        const answer = pythonFigures(row.name, side, pace);
        if (answer === "absent") continue;
        const fault = typeof answer === "string" ? answer : faultOf(row, answer.figures);
        if (fault !== null || typeof answer === "string") faults.push(`${row.name} ${side}: ${fault}`);
        else
          samples.set(`${row.name} ${side}`, [
            ...(samples.get(`${row.name} ${side}`) ?? []),
            ...answer.figures.samples,
          ]);
      }
    }
  }
  progress("");
  return { figures: python.map((row) => timesOf(row, samples)), faults };
}

function faultOf({ result }: PythonRow, measured: PythonMeasured): string | null {
  return inOrder(measured.result) === inOrder(result) ? null : `the last run gave ${JSON.stringify(measured.result)}`;
}

function timesOf(row: PythonRow, samples: ReadonlyMap<string, readonly number[]>): PythonTimes {
  const sides: Partial<Record<PythonSideName, Summary>> = {};
  for (const side of PYTHON_SIDE_NAMES) {
    const known = samples.get(`${row.name} ${side}`);
    if (known !== undefined) sides[side] = summary(known);
  }
  return { row: row.name, sides, aims: row.aims.flatMap((aim) => aimMet(aim, row, sides)) };
}

/** How many of a unit are a millisecond. */
export const PER_MS = { ns: 1e6, µs: 1e3, ms: 1 } as const;

/** Empty where a side that it needs was not measured. */
function aimMet({ of, target }: Aim, { unit }: PythonRow, sides: PythonTimes["sides"]): AimMet[] {
  const { weft, monty, opcode } = sides;
  if (weft === undefined) return [];
  const value =
    of === "time"
      ? weft.median * PER_MS[unit]
      : of === "monty"
        ? (monty?.median ?? Number.NaN) / weft.median
        : weft.median / (opcode?.median ?? Number.NaN);
  return Number.isNaN(value) ? [] : [{ of, target, value, isMet: isMet(value, target) }];
}
