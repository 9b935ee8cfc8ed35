/**
 * Weft, started from the host as a program would: real clock, random ids, all six limits set, none of which a workload comes near. One
 * run after the other, or all of them as a batch.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { createTraceIds } from "../../service/telemetry/trace-ids.ts";
import { runBatch } from "../../vm/batch.ts";
import { createHost, type Host, type RunAnswer } from "../../vm/host.ts";
import type { PreparedProgram } from "../../vm/prepared.ts";
import type { Limits } from "../../vm/run.ts";
import type { Inputs, Workload } from "../workloads.ts";
import { KEPT, type Side } from "./side.ts";

export const LIMITS = {
  max_steps: 100_000_000,
  max_depth: 500,
  max_adapter_calls: 1000,
  max_time_ms: 600_000,
  max_frame_bytes: 100_000_000,
  max_loop_iters: 10_000_000,
} satisfies Limits;

/** A host as the command line has it, without providers. */
export function openHost(): Host {
  return createHost({
    clock: systemClock,
    facts: { uuid: () => randomUUID(), env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: createTraceIds(),
  });
}

export const sourceOf = (root: string, workload: Workload): string => readFileSync(join(root, workload.file), "utf8");

/** The IR of a program that must compile. */
export function compiledOn(host: Host, name: string, source: string): Ir {
  const { ir, diagnostics } = host.compile(source, { strict: false });
  if (ir === null) throw new Error(`${name} does not compile: ${JSON.stringify(diagnostics)}`);
  return ir;
}

export function runOnce(host: Host, ir: Ir, given: Inputs, index: number): Promise<RunAnswer> {
  return host.run({ ir, frame: given.frame(index), limits: LIMITS });
}

/** The program of a workload on a host of its own, and the answers of its last runs. */
function programOf(workload: Workload, root: string) {
  const given = workload.prepare();
  const source = sourceOf(root, workload);
  const host = openHost();
  const kept: Json[] = new Array<Json>(KEPT).fill(null);
  let ir: Ir | null = null;
  const compiled = (): Ir => {
    if (ir === null) throw new Error("not compiled yet");
    return ir;
  };
  return {
    host,
    given,
    compiled,
    compile: (): void => {
      ir = compiledOn(host, workload.name, source);
    },
    request: (index: number) => ({ ir: compiled(), frame: given.frame(index), limits: LIMITS }),
    keep: (index: number, answer: { readonly ok: boolean; readonly out?: Json }): void => {
      if (!answer.ok) throw new Error(`${workload.name} failed: ${JSON.stringify(answer)}`);
      kept[index % KEPT] = answer.out ?? null;
    },
    kept: (index: number): Json => kept[index % KEPT] as Json,
  };
}

export function weftSide(workload: Workload, root: string): Side {
  const { host, compile, request, keep, kept } = programOf(workload, root);
  return {
    compile,
    batch: async (runs) => {
      for (let k = 0; k < runs; k++) keep(k, await host.run(request(k)));
      return kept(runs - 1);
    },
  };
}

/** The same without a promise for each run. */
export function weftSyncSide(workload: Workload, root: string): Side {
  const { host, compile, request, keep, kept } = programOf(workload, root);
  return {
    compile,
    batch: (runs) => {
      for (let k = 0; k < runs; k++) keep(k, host.runSync(request(k)));
      return kept(runs - 1);
    },
  };
}

/** The same with limits and program settled once. */
export function weftPreparedSide(workload: Workload, root: string): Side {
  const { host, given, compile, compiled, keep, kept } = programOf(workload, root);
  let program: PreparedProgram | null = null;
  return {
    compile,
    batch: (runs) => {
      program ??= host.prepare(compiled(), { limits: LIMITS });
      for (let k = 0; k < runs; k++) keep(k, program.runSync(given.frame(k)));
      return kept(runs - 1);
    },
  };
}

export function weftBatchSide(workload: Workload, root: string): Side {
  const { host, given, compile, compiled, keep, kept } = programOf(workload, root);
  function* frames(runs: number) {
    for (let k = 0; k < runs; k++) yield given.frame(k);
  }
  return {
    compile,
    batch: async (runs) => {
      for await (const result of runBatch(compiled(), frames(runs), { host, limits: LIMITS }))
        keep(result.index, result);
      return kept(runs - 1);
    },
  };
}
