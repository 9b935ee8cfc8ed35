/** How far a job has come, for callers that wait for it. */

export type Until = {
  /** `parked`: also when a durable job waits for a time, a signal or a person. Default: `over`. */
  readonly until?: "over" | "parked";
};

const OVER: ReadonlySet<string> = new Set([
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "interrupted",
  "rejected",
  "expired",
]);
const PARKED: ReadonlySet<string> = new Set(["waiting", "sleeping"]);

export function hasReached(status: string, until: NonNullable<Until["until"]>): boolean {
  return OVER.has(status) || (until === "parked" && PARKED.has(status));
}
