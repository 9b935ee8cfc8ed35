/**
 * `npm run bench`: checks that both sides agree, times every side of every workload in processes of their own, in turn, and reports.
 * `scripts/bench.mjs` bundles this file, as the shipped build is bundled, and runs it in the project's folder; a child is this
 * bundle again, told what to measure. Exit code 1 only for a wrong result.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type Comparison, compare } from "./comparison.ts";
import { type DispatchRow, measureDispatch } from "./dispatch.ts";
import { type MachineFacts, machineFacts } from "./machine.ts";
import { type Measured, measure, type Pace } from "./measure.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { barsText, comparisonsText, dispatchText, headerText, shortRunsText, startUpText } from "./report.ts";
import { SIDE_NAMES, type SideName, sideOf } from "./sides.ts";
import { measureStartUp, type StartUp } from "./start-up.ts";
import { faultsOf } from "./verify.ts";
import { type Workload, workloadNamed } from "./workloads.ts";

const CHILD = "--measure-one";
const DISPATCH_CHILD = "--measure-dispatch";
const CHILD_TIMEOUT_MS = 300_000;

type Task = { readonly workload: string; readonly side: SideName; readonly pace: Pace };

/** The child: measures one side and prints the figures as JSON. */
async function measureOne(task: Task, root: string): Promise<void> {
  const workload = workloadNamed(task.workload);
  if (workload === undefined) throw new Error(`no workload ${task.workload}`);
  const figures = await measure(sideOf(task.side, workload, root), workload.prepare().count, task.pace);
  process.stdout.write(JSON.stringify(figures));
}

/** Starts a child; its figures, or what went wrong. */
function startChild<Figures>(kind: string, task: Task | Pace): Figures | string {
  const bundle = process.argv[1] ?? "";
  const child = spawnSync(process.execPath, [bundle, kind, JSON.stringify(task)], {
    encoding: "utf8",
    timeout: CHILD_TIMEOUT_MS,
  });
  if (child.status === 0) return JSON.parse(child.stdout) as Figures;
  return `the process ended with ${child.status ?? child.signal}: ${child.stderr.trim()}`;
}

type Timed = { readonly comparisons: readonly Comparison[]; readonly faults: readonly string[] };

/** All processes of all sides: one of each, then again; which side goes first alternates. */
function timeAll({ workloads, processes, pace }: Options): Timed {
  const measured = new Map(workloads.map(({ name }) => [name, { native: [] as Measured[], weft: [] as Measured[] }]));
  const faults: string[] = [];
  for (let round = 0; round < processes; round++) {
    for (const workload of workloads) {
      for (const side of round % 2 === 0 ? SIDE_NAMES : [...SIDE_NAMES].reverse()) {
        progress(`round ${round + 1} of ${processes}: ${workload.name} ${side}`);
        const figures = startChild<Measured>(CHILD, { workload: workload.name, side, pace });
        if (typeof figures === "string") faults.push(`${workload.name} ${side}: ${figures}`);
        else {
          faults.push(...wrongResults(workload, side, figures));
          measured.get(workload.name)?.[side].push(figures);
        }
      }
    }
  }
  progress("");
  if (faults.length > 0) return { comparisons: [], faults };
  return {
    comparisons: workloads.map((workload) =>
      compare(workload, measured.get(workload.name) ?? { native: [], weft: [] }),
    ),
    faults,
  };
}

/** What was timed must have given what was checked before. */
function wrongResults(workload: Workload, side: SideName, figures: Measured): string[] {
  const { count, native } = workload.prepare();
  const pairs = [
    ["first", figures.first_result, workload.result],
    ["last", figures.last_result, native(count - 1)],
  ] as const;
  return pairs
    .filter(([, got, wanted]) => JSON.stringify(got) !== JSON.stringify(wanted))
    .map(([which, got]) => `${workload.name} ${side}: the ${which} timed run gave ${JSON.stringify(got)}`);
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

type Report = {
  machine: MachineFacts;
  options: Options;
  comparisons: readonly Comparison[];
  dispatch: readonly DispatchRow[];
  startUp: StartUp | null;
};

function writeJson(file: string, { machine, options, comparisons, dispatch, startUp }: Report): void {
  const { processes, pace, quick } = options;
  const figures = {
    machine,
    method: { processes, ...pace, quick },
    workloads: comparisons,
    dispatch,
    start_up: startUp?.rows ?? null,
  };
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

async function main(args: readonly string[], root: string): Promise<number> {
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
  const timed = timeAll(options);
  if (timed.faults.length > 0) return failed(timed.faults);
  progress("cost of adapter calls");
  const dispatch = startChild<readonly DispatchRow[]>(DISPATCH_CHILD, options.pace);
  progress("");
  if (typeof dispatch === "string") return failed([dispatch]);
  const startUp = options.dispatchOnly ? null : measureStartUp(root, options.launches);
  if (timed.comparisons.length > 0) {
    process.stdout.write(comparisonsText(timed.comparisons));
    process.stdout.write(shortRunsText(timed.comparisons));
    process.stdout.write(barsText(timed.comparisons));
  }
  process.stdout.write(dispatchText(dispatch));
  if (!options.dispatchOnly) process.stdout.write(startUpText(startUp));
  if (options.json !== null)
    writeJson(options.json, { machine, options, comparisons: timed.comparisons, dispatch, startUp });
  return startUp === null || startUp.faults.length === 0 ? 0 : failed(startUp.faults);
}

function failed(faults: readonly string[]): number {
  process.stderr.write(`WRONG RESULTS\n${faults.slice(0, 20).join("\n")}\n`);
  return 1;
}

const root = process.cwd();
if (process.argv[2] === CHILD) await measureOne(JSON.parse(process.argv[3] ?? "") as Task, root);
else if (process.argv[2] === DISPATCH_CHILD)
  process.stdout.write(JSON.stringify(await measureDispatch(JSON.parse(process.argv[3] ?? "") as Pace)));
else process.exitCode = await main(process.argv.slice(2), root);
