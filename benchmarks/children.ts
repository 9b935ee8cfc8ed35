/**
 * Work in processes of their own: this bundle again, told what to measure. A process measures one side of one workload or of one row in
 * Python, or one probe, and prints its figures as JSON.
 */
import { spawnSync } from "node:child_process";
import type { Figure } from "./figure.ts";
import { type Measured, measure, type Pace } from "./measure.ts";
import { PROBES, type ProbeName } from "./probes/all.ts";
import type { Probe } from "./probes/probe.ts";
import { pythonRowNamed } from "./python/rows.ts";
import { PYTHON_SIDES, type PythonMeasured, type PythonSideName } from "./python/sides.ts";
import { SIDES, type SideFacts, type SideName } from "./sides.ts";
import { workloadNamed } from "./workloads.ts";

export const CHILD = "--measure";
const CHILD_TIMEOUT_MS = 900_000;

type SideTask = { readonly kind: "side"; readonly workload: string; readonly side: SideName; readonly pace: Pace };
type ProbeTask = { readonly kind: "probe"; readonly probe: ProbeName; readonly pace: Pace; readonly quick: boolean };
type PythonTask = { readonly kind: "python"; readonly row: string; readonly side: PythonSideName; readonly pace: Pace };
type Task = SideTask | ProbeTask | PythonTask;

/** The figures; `absent`: what would be measured is not installed, or not built; a text: what went wrong. */
export type Answer<F> = { readonly figures: F } | "absent" | string;

/** In the child. */
export async function measureTask(text: string, root: string): Promise<void> {
  const task = JSON.parse(text) as Task;
  const figures = await (task.kind === "side"
    ? measureSide(task, root)
    : task.kind === "python"
      ? measurePython(task, root)
      : measureProbe(task, root));
  process.stdout.write(JSON.stringify(figures));
}

async function measureSide({ workload: name, side, pace }: SideTask, root: string): Promise<Measured | null> {
  const workload = workloadNamed(name);
  if (workload === undefined) throw new Error(`no workload ${name}`);
  const facts: SideFacts = SIDES[side];
  const opened = await facts.open(workload, root);
  return opened === null ? null : measure(opened, workload.prepare().count, pace);
}

function measurePython({ row: name, side, pace }: PythonTask, root: string): Promise<PythonMeasured | null> {
  const row = pythonRowNamed(name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return PYTHON_SIDES[side].measure(row, root, pace);
}

function measureProbe({ probe, pace, quick }: ProbeTask, root: string): Promise<readonly Figure[] | null> {
  return PROBES[probe].measure({ pace, quick, root });
}

export function sideFigures(workload: string, side: SideName, pace: Pace): Answer<Measured> {
  return start<Measured>({ kind: "side", workload, side, pace }, SIDES[side].flags);
}

export function pythonFigures(row: string, side: PythonSideName, pace: Pace): Answer<PythonMeasured> {
  return start<PythonMeasured>({ kind: "python", row, side, pace }, []);
}

export function probeFigures(probe: ProbeName, pace: Pace, quick: boolean): Answer<readonly Figure[]> {
  const { flags = [] }: Probe = PROBES[probe];
  return start<readonly Figure[]>({ kind: "probe", probe, pace, quick }, flags);
}

function start<F>(task: Task, flags: readonly string[]): Answer<F> {
  const bundle = process.argv[1] ?? "";
  const child = spawnSync(process.execPath, [...flags, bundle, CHILD, JSON.stringify(task)], {
    encoding: "utf8",
    timeout: CHILD_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (child.status !== 0) return `the process ended with ${child.status ?? child.signal}: ${child.stderr.trim()}`;
  const figures = JSON.parse(child.stdout) as F | null;
  return figures === null ? "absent" : { figures };
}
