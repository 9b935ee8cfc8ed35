/**
 * Checks that all sides agree, times every side of every workload in processes of their own, in turn, then the probes, and reports. Exit
 * code 1 only for a wrong result.
 */
import { writeFileSync } from "node:fs";
import { probeFigures, sideFigures } from "./children.ts";
import { type Comparison, compare } from "./comparison.ts";
import type { Figure } from "./figure.ts";
import { type MachineFacts, machineFacts } from "./machine.ts";
import type { Measured } from "./measure.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { HOW_TO_INSTALL } from "./peers/peer-package.ts";
import { PROBES } from "./probes/all.ts";
import { pythonText } from "./python/report.ts";
import { type PythonTimes, timePython } from "./python/times.ts";
import { comparisonsText, figuresText, headerText, shortRunsText, targetsText } from "./report.ts";
import { SIDES, type SideName, sidesOf } from "./sides.ts";
import { TARGETS } from "./targets.ts";
import { faultsOf, inOrder } from "./verify.ts";
import type { Workload } from "./workloads.ts";

type Timed<F> = { readonly figures: readonly F[]; readonly faults: readonly string[] };

/** All processes of all sides: one of each, then again; every second round in the other order. */
function timeWorkloads({ workloads, processes, pace }: Options): Timed<Comparison> {
  const measured = new Map<string, Partial<Record<SideName, Measured[]>>>(workloads.map(({ name }) => [name, {}]));
  const faults: string[] = [];
  const absent = new Set<SideName>();
  for (let round = 0; round < processes; round++) {
    for (const workload of workloads) {
      const sides = sidesOf(workload).filter((side) => !absent.has(side));
      for (const side of round % 2 === 0 ? sides : sides.reverse()) {
        progress(`round ${round + 1} of ${processes}: ${workload.name} ${SIDES[side].title}`);
        const answer = sideFigures(workload.name, side, pace);
        if (answer === "absent") absent.add(side);
        else if (typeof answer === "string") faults.push(`${workload.name} ${side}: ${answer}`);
        else {
          faults.push(...wrongResults(workload, side, answer.figures));
          const known = measured.get(workload.name) ?? {};
          known[side] = [...(known[side] ?? []), answer.figures];
        }
      }
    }
  }
  progress("");
  return { figures: workloads.map((workload) => compare(workload, measured.get(workload.name) ?? {})), faults };
}

/** What was timed must have given what was checked before. Members of an object may come in another order. */
function wrongResults(workload: Workload, side: SideName, figures: Measured): string[] {
  const { native } = workload.prepare();
  const pairs = [
    ["first", figures.first_result, workload.result],
    ["last", figures.last_result, native(figures.last_input)],
  ] as const;
  return pairs
    .filter(([, got, wanted]) => inOrder(got) !== inOrder(wanted))
    .map(([which, got]) => `${workload.name} ${side}: the ${which} timed run gave ${JSON.stringify(got)}`);
}

const NEEDS = `npm run build, ${HOW_TO_INSTALL}`;

function runProbes({ probes, probePace, quick }: Options): Timed<Figure> {
  const figures: Figure[] = [];
  const faults: string[] = [];
  for (const name of probes) {
    progress(PROBES[name].title);
    const answer = probeFigures(name, probePace, quick);
    if (answer === "absent") process.stdout.write(`${name}: not measured, what it needs is not there (${NEEDS})\n`);
    else if (typeof answer === "string") faults.push(`${name}: ${answer}`);
    else figures.push(...answer.figures);
  }
  progress("");
  return { figures, faults };
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

type Report = {
  readonly machine: MachineFacts;
  readonly options: Options;
  readonly python: readonly PythonTimes[];
  readonly comparisons: readonly Comparison[];
  readonly figures: readonly Figure[];
};

/** Nanoseconds a step of every side first; everything else follows. */
function writeJson(file: string, { machine, options, python, comparisons, figures }: Report): void {
  const { processes, pace, quick } = options;
  const nsPerStep = comparisons.map(({ workload, sides }) => [
    workload,
    Object.fromEntries(
      Object.entries(sides).map(([side, { ns_per_step }]) => [side, Math.round(ns_per_step * 1000) / 1000]),
    ),
  ]);
  const document = {
    python,
    workloads: Object.fromEntries(nsPerStep),
    figures,
    targets: TARGETS,
    comparisons,
    machine,
    method: { processes, ...pace, quick },
  };
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
}

export async function bench(args: readonly string[], root: string): Promise<number> {
  const options = readOptions(args);
  if (options === null || typeof options === "string") {
    const text = options === null ? USAGE : `${options}\n\n${USAGE}`;
    (options === null ? process.stdout : process.stderr).write(text);
    return options === null ? 0 : 2;
  }
  const machine = machineFacts(root);
  process.stdout.write(`${headerText(machine, options)}\n`);
  const faults: string[] = [];
  for (const workload of options.workloads) faults.push(...(await faultsOf(workload, root)));
  if (faults.length > 0) return failed(faults);
  const { figures: python, faults: strange } = timePython(options, progress);
  if (strange.length > 0) return failed(strange);
  const { figures: comparisons, faults: wrong } = timeWorkloads(options);
  if (wrong.length > 0) return failed(wrong);
  const { figures, faults: broken } = runProbes(options);
  process.stdout.write(pythonText(python));
  process.stdout.write(comparisonsText(comparisons) + shortRunsText(comparisons) + figuresText(figures));
  process.stdout.write(targetsText(comparisons, figures));
  if (options.json !== null) writeJson(options.json, { machine, options, python, comparisons, figures });
  return broken.length === 0 ? 0 : failed(broken);
}

function failed(faults: readonly string[]): number {
  process.stderr.write(`WRONG RESULTS\n${faults.slice(0, 20).join("\n")}\n`);
  return 1;
}
