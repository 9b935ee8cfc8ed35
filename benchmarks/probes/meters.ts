/** What metering costs: each workload with all six limits, with each alone, and with none. Steps are counted in any case. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Limits } from "../../vm/run.ts";
import type { Figure } from "../figure.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { WORKLOADS } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const MEASURED = ["W1", "W2", "W3", "W4"];
/** The workload on which each meter is looked at alone. */
const ALONE = "W3";
const GROUP = "What the limits add to a run, over none at all";

export async function measureMeters({ pace, root }: ProbeScope): Promise<readonly Figure[]> {
  const host = openHost();
  const figures: Figure[] = [];
  for (const workload of WORKLOADS.filter(({ name }) => MEASURED.includes(name))) {
    const ir = compiledOn(host, workload.name, sourceOf(root, workload));
    const frame = workload.prepare().frame(0);
    const run = (program: Ir, limits: Limits) => () => host.run({ ir: program, frame, limits });
    const alone = workload.name === ALONE ? (Object.keys(LIMITS) as (keyof typeof LIMITS)[]) : [];
    const settings: (readonly [string, Limits, number | null])[] = [
      [`${workload.name}: all six limits`, LIMITS, 35],
      ...alone.map(
        (key) =>
          [`${workload.name}: ${key} alone`, { [key]: LIMITS[key] }, key === "max_frame_bytes" ? 12 : null] as const,
      ),
    ];
    const [none, ...limited] = await timeInTurn([run(ir, {}), ...settings.map(([, limits]) => run(ir, limits))], pace);
    for (const [at, [name, , most]] of settings.entries()) {
      const value = ((limited[at]?.median ?? Number.NaN) / (none?.median ?? Number.NaN) - 1) * 100;
      figures.push({ group: GROUP, name, value, unit: "%", ...(most === null ? {} : { target: { at_most: most } }) });
    }
  }
  return figures;
}
