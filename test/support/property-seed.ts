/**
 * Property tests draw the same cases in every run, so that a red build means a change and no bad luck. `WEFT_SEED=random` (or
 * a number) looks elsewhere; fast-check prints the seed of a failure.
 */
import fc from "fast-check";

const asked = process.env["WEFT_SEED"];

if (asked !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? 20_300_101) });

/** Seeds for tests that sample a grammar, which take a tenth of their samples with each; `WEFT_GRAMMAR_SEEDS` asks for more rounds. */
export function grammarSeeds(): readonly number[] {
  const first = fc.readConfigureGlobal().seed ?? Date.now();
  return Array.from({ length: 10 * Number(process.env["WEFT_GRAMMAR_SEEDS"] ?? 1) }, (_, index) => first + index);
}
