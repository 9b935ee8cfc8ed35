/**
 * The two sides of a comparison behind one shape: Weft, started from the host as a program would, and the native peer. All six
 * limits are set, none of which a workload comes near. Knows nothing of timing or reporting.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtinCatalog } from "../compiler/catalog/builtin.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { Json } from "../compiler/json.ts";
import { createHost, type Host, type RunAnswer } from "../vm/host.ts";
import type { Limits } from "../vm/run.ts";
import type { Inputs, Workload } from "./workloads.ts";

export const SIDE_NAMES = ["native", "weft"] as const;
export type SideName = (typeof SIDE_NAMES)[number];

export type Side = {
  /** Whatever comes before the first run: nothing, or compiling the source. */
  readonly compile: () => void;
  /** Does `runs` runs one after the other, over all inputs in turn, and gives back the result of the last. */
  readonly batch: (runs: number) => Json | Promise<Json>;
};

export const LIMITS: Required<Limits> = {
  max_steps: 100_000_000,
  max_depth: 500,
  max_adapter_calls: 1000,
  max_time_ms: 600_000,
  max_frame_bytes: 100_000_000,
  max_loop_iters: 10_000_000,
};

/** Results are kept until so many more were made, so that none can be left out. */
const KEPT = 64;

/** A host as the command line has it: real clock, random ids, no providers. */
export function openHost(): Host {
  return createHost({
    clock: {
      now: () => performance.now(),
      wall: () => Date.now(),
      wait: (ms, then) => {
        const timer = setTimeout(then, ms);
        return () => clearTimeout(timer);
      },
    },
    facts: { uuid: () => randomUUID(), env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: () => randomUUID(),
  });
}

export const sourceOf = (root: string, workload: Workload): string => readFileSync(join(root, workload.file), "utf8");

export function compiledOn(host: Host, workload: Workload, source: string): Ir {
  const { ir, diagnostics } = host.compile(source, { strict: false });
  if (ir === null) throw new Error(`${workload.name} does not compile: ${JSON.stringify(diagnostics)}`);
  return ir;
}

export function runOnce(host: Host, ir: Ir, given: Inputs, index: number): Promise<RunAnswer> {
  return host.run({ ir, frame: given.frame(index), limits: LIMITS });
}

export function sideOf(name: SideName, workload: Workload, root: string): Side {
  return name === "native" ? nativeSide(workload) : weftSide(workload, root);
}

function nativeSide(workload: Workload): Side {
  const given = workload.prepare();
  const kept: Json[] = new Array<Json>(KEPT).fill(null);
  return {
    compile: () => {},
    batch: (runs) => {
      for (let k = 0; k < runs; k++) kept[k % KEPT] = given.native(k);
      return kept[(runs - 1) % KEPT] as Json;
    },
  };
}

function weftSide(workload: Workload, root: string): Side {
  const given = workload.prepare();
  const source = sourceOf(root, workload);
  const host = openHost();
  const kept: Json[] = new Array<Json>(KEPT).fill(null);
  let ir: Ir | null = null;
  return {
    compile: () => {
      ir = compiledOn(host, workload, source);
    },
    batch: async (runs) => {
      if (ir === null) throw new Error("not compiled yet");
      for (let k = 0; k < runs; k++) {
        const answer = await runOnce(host, ir, given, k);
        if (!answer.ok) throw new Error(`${workload.name} failed: ${answer.error.message}`);
        kept[k % KEPT] = answer.out;
      }
      return kept[(runs - 1) % KEPT] as Json;
    },
  };
}
