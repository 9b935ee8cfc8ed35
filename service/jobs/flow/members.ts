/**
 * What can be said about when jobs begin (docs/how-to/flow-control.md): members of a request, a deployment, an endpoint, a schedule and of
 * `@job`. Each is written the same everywhere.
 */
import * as z from "zod";

const MAX_RULES = 4;
const MAX_KEY_PATHS = 4;
const YEAR_S = 31_536_000;
const PATH = /^[A-Za-z_][A-Za-z0-9_]{0,63}(\.([A-Za-z_][A-Za-z0-9_]{0,63}|[0-9]{1,6})){0,15}$/;

const path = z.string().regex(PATH, "must be the path of an input such as customer or order.region");
/** Where in the inputs a key stands: one place, or several that make it together. */
const key = z.union([path, z.array(path).min(1).max(MAX_KEY_PATHS)]);
export type KeyPath = z.output<typeof key>;
const limit = z.int().min(1, "must be at least 1; to run nothing, disable the program").max(1_000_000);

const concurrencyRule = z.strictObject({
  limit,
  key: key.nullish(),
  /** `all`: counted over all programs with a rule for the same key. */
  scope: z.enum(["program", "all"]).nullish(),
  on_full: z.enum(["queue", "drop", "replace_waiting"]).nullish(),
  /** A job that waits for something keeps its place. */
  hold: z.boolean().nullish(),
});
export type ConcurrencyRule = z.output<typeof concurrencyRule>;

const rateRule = z.strictObject({
  limit,
  per_s: z.number().min(0.001).max(YEAR_S),
  key: key.nullish(),
});
export type RateRule = z.output<typeof rateRule>;

const uniqueRule = z.strictObject({
  key,
  /** The key is taken for so long at least, also when the job ends before. */
  for_s: z.number().min(0.001).max(YEAR_S).nullish(),
  on_conflict: z.enum(["return", "reject", "replace"]).nullish(),
});

/** Jobs of one list, at most. */
const MAX_BATCH = 1000;
const DAY_S = 86_400;
const wait = z.number().min(0.001).max(DAY_S);

/** Of jobs that are queued shortly after each other the last one runs. */
const debounceRule = z
  .strictObject({ key, wait_s: wait, max_s: wait })
  .refine(({ wait_s, max_s }) => max_s >= wait_s, { path: ["max_s"], message: "must be at least wait_s" });

/** They are one job, whose input is a list. */
const batchRule = z.strictObject({ max: z.int().min(2).max(MAX_BATCH), wait_s: wait, key: key.nullish() });

const several = <Rule extends z.ZodType>(rule: Rule) => z.union([rule, z.array(rule).min(1).max(MAX_RULES)]);

export const flowMembers = {
  concurrency: several(concurrencyRule).nullish(),
  rate: several(rateRule).nullish(),
  /** Higher first: a number, or the path of an input that holds one. */
  priority: z.union([z.int().min(-100).max(100), path]).nullish(),
  /** In turn, one job of each value of the key. */
  fair: key.nullish(),
  /** One job that is queued or runs for each value of the key. */
  unique: uniqueRule.nullish(),
  debounce: debounceRule.nullish(),
  batch: batchRule.nullish(),
  delay_s: z.number().min(0).max(YEAR_S).nullish(),
  timeout_s: z.number().min(0.001).max(YEAR_S).nullish(),
  start_by_s: z.number().min(0.001).max(YEAR_S).nullish(),
};

export const Flow = z.strictObject(flowMembers);
export type FlowMembers = Partial<z.output<typeof Flow>>;

export const FLOW_MEMBERS = Object.keys(flowMembers) as readonly (keyof FlowMembers)[];

/** The members about flow among others. */
export function flowIn(given: FlowMembers): FlowMembers {
  return Object.fromEntries(
    FLOW_MEMBERS.flatMap((name) => (given[name] == null ? [] : [[name, given[name]]])),
  ) as FlowMembers;
}
