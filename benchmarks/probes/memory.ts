/** Whether the heap stays where it is over very many runs on one host, one after the other and as a batch. Needs `--expose-gc`. */

import { runBatch } from "../../vm/batch.ts";
import type { Figure } from "../figure.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { workloadNamed } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";

const BEFORE = 10_000;
const GROUP = "Heap after very many runs of W10, less the heap after 10 000";

export async function measureMemory({ root, quick }: ProbeScope): Promise<readonly Figure[]> {
  const runs = quick ? 100_000 : 1_000_000;
  const workload = workloadNamed("W10");
  if (workload === undefined) throw new Error("no workload W10");
  const host = openHost();
  const ir = compiledOn(host, "W10", sourceOf(root, workload));
  const given = workload.prepare();
  const inTurn = async (count: number): Promise<void> => {
    for (let k = 0; k < count; k++) await host.run({ ir, frame: given.frame(k), limits: LIMITS });
  };
  const asBatch = async (count: number): Promise<void> => {
    function* frames() {
      for (let k = 0; k < count; k++) yield given.frame(k);
    }
    for await (const result of runBatch(ir, frames(), { host, limits: LIMITS }))
      if (!result.ok) throw new Error(result.error);
  };
  const figures: Figure[] = [];
  for (const [name, work] of [
    ["host.run", inTurn],
    ["runBatch", asBatch],
  ] as const) {
    await work(BEFORE);
    const before = heapKib();
    await work(runs);
    const name_ = `${name}, ${runs.toLocaleString("en-US")} runs`;
    figures.push({ group: GROUP, name: name_, value: heapKib() - before, unit: "KiB", target: { at_most: 2048 } });
  }
  return figures;
}

export function heapKib(): number {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error("this process needs --expose-gc");
  gc();
  gc();
  return process.memoryUsage().heapUsed / 1024;
}
