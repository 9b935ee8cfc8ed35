/** The arguments of `npm run bench`, and the pace they mean. */
import { parseArgs } from "node:util";
import type { Pace } from "./measure.ts";
import { PROBE_NAMES, type ProbeName } from "./probes/all.ts";
import { PYTHON_ROWS, type PythonRow, pythonRowNamed } from "./python/rows.ts";
import { WORKLOADS, type Workload, workloadNamed } from "./workloads.ts";

export type Options = {
  readonly python: readonly PythonRow[];
  readonly workloads: readonly Workload[];
  readonly probes: readonly ProbeName[];
  /** Processes of each side of each workload. */
  readonly processes: number;
  readonly pace: Pace;
  readonly probePace: Pace;
  readonly quick: boolean;
  readonly json: string | null;
};

export const USAGE = `Usage: npm run bench -- [--quick] [--json FILE] [--python NAME]… [--workload NAME]… [--probe NAME]… [--processes N]

  --quick          one process and few short repetitions a side: about a minute, rougher figures
  --json FILE      write every figure to FILE as well
  --python NAME    only this row in Python (${PYTHON_ROWS.map(({ name }) => name).join(", ")}); may be given again
  --workload NAME  only this workload (${WORKLOADS.map(({ name }) => name).join(", ")}); may be given again
  --probe NAME     only this probe (${PROBE_NAMES.join(", ")}); may be given again
  --processes N    processes of each side of each workload (default: 3; with --quick: 1)

Exit code: 0; 1 when a result is wrong; 2 when an argument is wrong. A slow run never fails.
`;

const FULL: Pace = { repetitions: 5, warm_ms: 300, repetition_ms: 60, settled_batches: 12 };
const QUICK: Pace = { repetitions: 3, warm_ms: 100, repetition_ms: 20, settled_batches: 0 };
const PROBE_FULL: Pace = { repetitions: 7, warm_ms: 200, repetition_ms: 60, settled_batches: 0 };
const PROBE_QUICK: Pace = { repetitions: 3, warm_ms: 40, repetition_ms: 15, settled_batches: 0 };

/** The options, or what is wrong with the arguments; null when only the usage is wanted. */
export function readOptions(args: readonly string[]): Options | string | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        json: { type: "string" },
        python: { type: "string", multiple: true },
        workload: { type: "string", multiple: true },
        probe: { type: "string", multiple: true },
        processes: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return null;
    const { python, workload, probe, quick } = values;
    const missing = (python ?? []).filter((name) => pythonRowNamed(name) === undefined);
    if (missing.length > 0) return `no row in Python ${missing.join(", ")}`;
    const unknown = (workload ?? []).filter((name) => workloadNamed(name) === undefined);
    if (unknown.length > 0) return `no workload ${unknown.join(", ")}`;
    const strange = (probe ?? []).filter((name) => !PROBE_NAMES.some((one) => one === name));
    if (strange.length > 0) return `no probe ${strange.join(", ")}`;
    const processes = Number(values.processes ?? (quick ? 1 : 3));
    if (!Number.isInteger(processes) || processes < 1) return `--processes needs a number from 1`;
    const all = python === undefined && workload === undefined && probe === undefined;
    return {
      python: all ? PYTHON_ROWS : PYTHON_ROWS.filter(({ name }) => (python ?? []).includes(name)),
      workloads: all ? WORKLOADS : WORKLOADS.filter(({ name }) => (workload ?? []).includes(name)),
      probes: all ? PROBE_NAMES : PROBE_NAMES.filter((name) => (probe ?? []).includes(name)),
      processes,
      pace: quick ? QUICK : FULL,
      probePace: quick ? PROBE_QUICK : PROBE_FULL,
      quick,
      json: values.json ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
