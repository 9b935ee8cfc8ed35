/** What keeps one job from being begun at once, as stores keep it. Keys are not among it: only what they were hashed to. */

/** One rule of a job: jobs with the same id share its places. */
export type GateAsked = {
  readonly id: string;
  /** Places that jobs have while they run, or tokens that come back with time. */
  readonly kind: "places" | "tokens";
  readonly limit: number;
  /** Of tokens: in so long, `limit` of them come back. */
  readonly perMs: number;
  readonly onFull: "queue" | "drop" | "replace_waiting";
  /** A parked job keeps its place. */
  readonly hold: boolean;
};

/** What becomes of a job whose key another job has. */
type OnConflict = "return" | "reject" | "replace";

export type JobFlow = {
  /** Jobs with a lower one begin first: milliseconds since 1970 at which the job would have been queued without a priority. */
  readonly rank: number;
  /** In the order in which the job passes them: the same for all jobs, so that no two wait for each other. */
  readonly gates: readonly GateAsked[];
  /** Not before, in milliseconds since 1970. */
  readonly afterMs: number | null;
  /** Over, if it was not begun by then. */
  readonly byMs: number | null;
  /** Its turn among the jobs of its group: one of each key after the other. */
  readonly fair: { readonly group: string; readonly key: string } | null;
  /** No other job has its key, which `gate` stands for: one of those above, with a single place. It stays taken for `forMs` at least. */
  readonly unique: { readonly gate: string; readonly forMs: number; readonly onConflict: OnConflict } | null;
  readonly burst: Burst | null;
};

/** Jobs that are queued shortly after each other, and run as one. */
export type Burst = {
  /** Those with the same one are of one burst. */
  readonly gate: string;
  /** `last`: the last of them runs; `list`: one job has the inputs of all. */
  readonly kind: "last" | "list";
  /** It begins at the latest so long after the first was queued. */
  readonly maxMs: number;
  /** Of a list: it begins when it has this number of them. */
  readonly most: number;
};

/** What holds a job back; null: nothing does. `until`: milliseconds since 1970. */
export type HeldBy = { readonly kind: "time" | "unique" | "concurrency" | "rate"; readonly until: number | null };

/** Whether the job is more than a rank in the line. */
export function isControlled({ gates, afterMs, byMs, fair }: JobFlow): boolean {
  return gates.length > 0 || afterMs !== null || byMs !== null || fair !== null;
}
