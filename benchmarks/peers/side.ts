/** One side of a comparison, Weft or a peer. It does not depend on timing or reporting. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../compiler/json.ts";
import type { Inputs, Workload } from "../workloads.ts";

export type Side = {
  /** Whatever comes before the first run: nothing, or compiling the program. Starting an engine is not part of it. */
  readonly compile: () => void;
  /** Does `runs` runs one after the other, over all inputs in turn, and gives back the result of the last. */
  readonly batch: (runs: number) => Json | Promise<Json>;
};

/** Results are kept until this many more were made, so that no computation can be optimized away. */
export const KEPT = 64;

/** The workload written in another language. */
export function programOf(root: string, { name }: Workload, language: "js" | "lua"): string {
  return readFileSync(join(root, "benchmarks", "workloads", `${name}.${language}`), "utf8");
}

/** What `run` of a peer's program is called with, for every input. */
export function argumentsOf(given: Inputs): readonly Json[] {
  return Array.from({ length: given.count }, (_, index) => given.argument(index));
}

/** A side whose runs are plain calls. */
export function callingSide(compile: () => void, run: (index: number) => Json): Side {
  const kept: Json[] = new Array<Json>(KEPT).fill(null);
  return {
    compile,
    batch: (runs) => {
      for (let k = 0; k < runs; k++) kept[k % KEPT] = run(k);
      return kept[(runs - 1) % KEPT] as Json;
    },
  };
}
