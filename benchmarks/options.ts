/** The arguments of `npm run bench`, and the pace they mean. */
import { parseArgs } from "node:util";
import type { Pace } from "./measure.ts";
import { WORKLOADS, type Workload, workloadNamed } from "./workloads.ts";

export type Options = {
  readonly workloads: readonly Workload[];
  readonly processes: number;
  readonly pace: Pace;
  readonly launches: number;
  readonly quick: boolean;
  /** Only what one adapter call costs. */
  readonly dispatchOnly: boolean;
  readonly json: string | null;
};

export const USAGE = `Usage: npm run bench -- [--quick] [--json FILE] [--workload NAME]… [--dispatch]

  --quick          one process and three short repetitions a side: under 20 seconds, rougher figures
  --json FILE      write every figure to FILE as well
  --workload NAME  only this workload (${WORKLOADS.map(({ name }) => name).join(", ")}); may be given again
  --dispatch       only the cost of adapter calls

Exit code: 0, or 1 when a result is wrong, 2 for wrong arguments. Figures never change it.
`;

const FULL: Pace = { repetitions: 7, warm_ms: 500, repetition_ms: 100 };
const QUICK: Pace = { repetitions: 3, warm_ms: 150, repetition_ms: 25 };

/** The options, or what is wrong with the arguments; null when only the usage is wanted. */
export function readOptions(args: readonly string[]): Options | string | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        json: { type: "string" },
        workload: { type: "string", multiple: true },
        dispatch: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return null;
    const unknown = (values.workload ?? []).filter((name) => workloadNamed(name) === undefined);
    if (unknown.length > 0) return `no workload ${unknown.join(", ")}`;
    return {
      workloads: WORKLOADS.filter(({ name }) => isWanted(name, values)),
      processes: values.quick ? 1 : 3,
      pace: values.quick ? QUICK : FULL,
      launches: values.quick ? 3 : 11,
      quick: values.quick,
      dispatchOnly: values.dispatch,
      json: values.json ?? null,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

type Wanted = { readonly workload?: readonly string[] | undefined; readonly dispatch: boolean };

function isWanted(name: string, { workload, dispatch }: Wanted): boolean {
  return workload === undefined ? !dispatch : workload.includes(name);
}
