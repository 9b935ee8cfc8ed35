/**
 * Property files: `name.property.json` describes frames and what must hold for every run. Frames are drawn from a seed, so a failure
 * can be repeated; of all frames that failed the shortest is shown.
 */
import * as z from "zod/mini";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { seededRandom } from "../../vm/testing/mocks.ts";
import type { Mismatch } from "../../vm/testing/outcome.ts";
import { equal } from "../../vm/values/compare.ts";
import { failureOf, judge } from "./judge.ts";
import type { Observed } from "./run-case.ts";
import { drawValue, misfit, type Schema, schemaShape } from "./schema.ts";
import { checked, Range, readJson, setup, type TestForm, type TestSetup } from "./test-case.ts";

const MAX_RUNS = 100_000;
const Invariants = z.strictObject({
  errors: z.optional(z.array(z.string())),
  result: z.optional(schemaShape),
  usage: z.optional(z.record(z.string(), Range)),
  deterministic: z.optional(z.boolean()),
});
const Property = z.strictObject({
  ...setup,
  frame: z.record(z.string(), schemaShape),
  runs: z.optional(z.number().check(z.int(), z.gte(1), z.lte(MAX_RUNS))),
  seed: z.optional(z.number().check(z.int())),
  invariants: Invariants,
});
const FORM: TestForm = {
  members: [...Object.keys(Property.def.shape), ...Object.keys(Invariants.def.shape)],
  places: "a property lists what must hold in invariants; all other members stand next to it",
};

export type PropertyCase = TestSetup & {
  readonly frame: { readonly [name: string]: Schema };
  readonly runs?: number | undefined;
  readonly seed?: number | undefined;
  readonly invariants: z.output<typeof Property>["invariants"];
};

export type PropertyVerdict = {
  readonly runs: number;
  readonly seed: number;
  /** The shortest frame that failed. */
  readonly frame: JsonObject | null;
  readonly mismatches: readonly Mismatch[];
  readonly observed: readonly Observed[];
};

const DEFAULT_RUNS = 100;

export function readPropertyFile(cwd: string, file: string): readonly PropertyCase[] {
  const value = readJson(cwd, file);
  const list = Array.isArray(value) ? value : [value];
  return list.map((one: Json, at) => checked(file, Property, one, FORM, Array.isArray(value) ? `/${at}` : ""));
}

/** `seed`: of the command line, before that of the file. */
export async function checkProperty(
  property: PropertyCase,
  seed: number | null,
  run: (frame: JsonObject) => Promise<Observed>,
): Promise<PropertyVerdict> {
  const { runs = DEFAULT_RUNS, invariants } = property;
  const start = seed ?? property.seed ?? 0;
  const random = seededRandom(start);
  const observed: Observed[] = [];
  let worst: { readonly frame: JsonObject; readonly mismatches: readonly Mismatch[]; readonly size: number } | null =
    null;
  for (let count = 0; count < runs; count += 1) {
    const frame = drawFrame(property, random);
    const seen = await run(frame);
    // A hundred thousand runs are not kept for nothing: what is wanted of them is the trace.
    if (seen.trace !== null || observed.length === 0) observed.push(seen);
    const mismatches = broken(invariants, seen);
    if (mismatches.length === 0 && invariants.deterministic === true)
      mismatches.push(...differing(seen, await run(frame)));
    const size = JSON.stringify(frame).length;
    if (mismatches.length > 0 && (worst === null || size < worst.size)) worst = { frame, mismatches, size };
  }
  return { runs, seed: start, frame: worst?.frame ?? null, mismatches: worst?.mismatches ?? [], observed };
}

function drawFrame({ frame }: PropertyCase, random: () => number): JsonObject {
  const drawn: { [name: string]: Json } = {};
  for (const [name, schema] of Object.entries(frame)) setMember(drawn, name, drawValue(schema, random));
  return drawn;
}

function broken(invariants: PropertyCase["invariants"], observed: Observed): Mismatch[] {
  const { errors = [], result, usage } = invariants;
  const code = observed.error?.code ?? observed.refused;
  if (!observed.ok && code !== null && !errors.includes(code)) {
    const expected = errors.length === 0 ? "no failure" : `no failure but ${errors.join(", ")}`;
    return [{ what: "failure", expected, actual: failureOf(observed) }];
  }
  const place = observed.ok && result !== undefined ? misfit(result, observed.result) : null;
  return [
    ...(place === null ? [] : [{ what: "result", expected: `a value that fits at ${place}`, actual: observed.result }]),
    // What is left to judge are the counters and the calls without a mock.
    ...judge(usage === undefined ? { ok: observed.ok } : { ok: observed.ok, usage }, observed),
  ];
}

function differing(first: Observed, second: Observed): Mismatch[] {
  const facts = ({ ok, result, error, usage }: Observed): Json => ({
    ok,
    result,
    error: error?.code ?? null,
    steps: usage?.steps ?? null,
    calls: usage?.adapter_calls ?? null,
  });
  const [expected, actual] = [facts(first), facts(second)];
  return equal(expected, actual) ? [] : [{ what: "deterministic", expected, actual }];
}
