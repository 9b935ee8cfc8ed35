/**
 * Wall time that a change of the system clock cannot move: read once, then carried on by the monotonic clock. Retention, order in the
 * queue and ids hang on it, so that no clock jump expires results or reorders jobs.
 */
import type { Clock } from "../../vm/run.ts";

const DAY_MS = 24 * 3_600_000;

/** Whole milliseconds since 1970. */
export function steadyTime(clock: Pick<Clock, "now" | "wall">): () => number {
  const begun = clock.wall() - clock.now();
  return () => Math.floor(begun + clock.now());
}

/**
 * `now`, set forward to go on where the times of a store end: the system clock was set back since they were written, and what comes next
 * would be listed, run and expired before what is there. Times more than a day ahead are of a false clock, and stay alone.
 */
export function goingOn(now: () => number, latest: number | null): () => number {
  const behind = (latest ?? 0) - now();
  return behind > 0 && behind <= DAY_MS ? () => now() + behind : now;
}
