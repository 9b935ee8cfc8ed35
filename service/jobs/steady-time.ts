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
 * `now`, shifted to continue where the times of a store end. If the system clock was set back since they were written, new jobs
 * would be listed, run and expired before existing ones. Times more than a day ahead are treated as clock errors and ignored.
 */
export function goingOn(now: () => number, latest: number | null): () => number {
  const lag = (latest ?? 0) - now();
  return lag > 0 && lag <= DAY_MS ? () => now() + lag : now;
}
