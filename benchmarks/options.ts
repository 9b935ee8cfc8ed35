/** The arguments of `npm run bench`, and the pace they mean. */
import { parseArgs } from "node:util";
import type { Pace } from "./measure.ts";
import { PROBE_NAMES, type ProbeName } from "./probes/all.ts";
import { WORKLOADS, type Workload, workloadNamed } from "./workloads.ts";

export type Options = {
  readonly workloads: readonly Workload[];
  readonly probes: readonly ProbeName[];
  readonly startUp: boolean;
  readonly service: boolean;
  /** Processes of each side of each workload. */
  readonly processes: number;
  readonly pace: Pace;
  readonly probePace: Pace;
  readonly launches: number;
  readonly quick: boolean;
  readonly json: string | null;
  readonly writeBaseline: boolean;
};

export const USAGE = `Usage: npm run bench -- [--quick] [--json FILE] [--workload NAME]… [--probe NAME]… [--processes N] [--write-baseline]

  --quick           one process and few short repetitions a side: under a minute, rougher figures
  --json FILE       write every figure to FILE as well
  --workload NAME   only this workload (${WORKLOADS.map(({ name }) => name).join(", ")}); may be given again
  --probe NAME      only this probe (${PROBE_NAMES.join(", ")}, start_up, service); may be given again
  --processes N     processes of each side of each workload (3; with --quick 1)
  --write-baseline  make the ratios of this run those that later runs are compared with

Exit code: 0, or 1 when a result is wrong, 2 for wrong arguments. Figures never change it.
`;

const FULL: Pace = { repetitions: 5, warm_ms: 300, repetition_ms: 60, settled_batches: 12 };
const QUICK: Pace = { repetitions: 3, warm_ms: 100, repetition_ms: 20, settled_batches: 0 };
const PROBE_FULL: Pace = { repetitions: 7, warm_ms: 200, repetition_ms: 60, settled_batches: 0 };
const PROBE_QUICK: Pace = { repetitions: 3, warm_ms: 40, repetition_ms: 15, settled_batches: 0 };

/** Probes that need other processes as well. */
const LARGER_PROBES = ["start_up", "service"];

/** The options, or what is wrong with the arguments; null when only the usage is wanted. */
export function readOptions(args: readonly string[]): Options | string | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        json: { type: "string" },
        workload: { type: "string", multiple: true },
        probe: { type: "string", multiple: true },
        processes: { type: "string" },
        "write-baseline": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return null;
    const { workload, probe, quick } = values;
    const unknown = (workload ?? []).filter((name) => workloadNamed(name) === undefined);
    if (unknown.length > 0) return `no workload ${unknown.join(", ")}`;
    const strange = (probe ?? []).filter((name) => ![...PROBE_NAMES, ...LARGER_PROBES].includes(name));
    if (strange.length > 0) return `no probe ${strange.join(", ")}`;
    const processes = Number(values.processes ?? (quick ? 1 : 3));
    if (!Number.isInteger(processes) || processes < 1) return `--processes needs a number from 1`;
    const all = workload === undefined && probe === undefined;
    const wanted = (name: string): boolean => all || (probe ?? []).includes(name);
    return {
      workloads: all ? WORKLOADS : WORKLOADS.filter(({ name }) => (workload ?? []).includes(name)),
      probes: PROBE_NAMES.filter(wanted),
      startUp: wanted("start_up"),
      service: wanted("service"),
      processes,
      pace: quick ? QUICK : FULL,
      probePace: quick ? PROBE_QUICK : PROBE_FULL,
      launches: quick ? 2 : 11,
      quick,
      json: values.json ?? null,
      writeBaseline: values["write-baseline"],
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
