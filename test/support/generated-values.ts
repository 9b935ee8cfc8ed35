/** Frames and limits for generated runs: hostile keys and texts, limits that end every run soon. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Limits } from "../../vm/run.ts";

export const VARIABLES = ["a", "b", "o", "xs", "s", "n"] as const;
const KEYS = ["k", "__proto__", "1", "a.b", "😀", "constructor"] as const;

export const key = fc.constantFrom(...KEYS);

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(0, 1, 2.5, -3, 1e21, "", "x", "7", "\ud83d", "\ude00", 'é😀\n"', true, false, null, [], {}),
  fc.constantFrom<Json>([1, 2, 3], ["b", "a"], [{ k: 1 }, { k: 2 }], [[1], [2]]),
  fc
    .uniqueArray(fc.tuple(key, fc.constantFrom<Json>(1, "v", null, [0], { x: [1] })), {
      maxLength: 4,
      selector: ([word]) => word,
    })
    .map((entries) => Object.fromEntries(entries)),
);

export const frames: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...VARIABLES, "it", "extra key", "__proto__"), values), {
    maxLength: 8,
    selector: ([word]) => word,
  })
  .map((entries) => Object.fromEntries(entries));

const limit = (low: number, high: number) => fc.integer({ min: low, max: high });
const sometimes = <K extends keyof Limits>(limitKey: K, arbitrary: fc.Arbitrary<number>) =>
  fc.option(arbitrary, { freq: 2, nil: undefined }).map((value) => (value === undefined ? {} : { [limitKey]: value }));

export const limitSets: fc.Arbitrary<Limits> = fc
  .tuple(
    limit(150, 300).map((max_steps) => ({ max_steps })),
    limit(12, 40).map((max_depth) => ({ max_depth })),
    sometimes("max_frame_bytes", limit(200, 3000)),
    sometimes("max_adapter_calls", limit(0, 30)),
    sometimes("max_loop_iters", limit(1, 20)),
    sometimes("max_time_ms", limit(20, 400)),
  )
  .map((parts): Limits => Object.assign({}, ...parts));
