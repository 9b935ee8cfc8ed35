/**
 * Wall time that a change of the system clock cannot move: read once, then carried on by the monotonic clock. Retention, order in the
 * queue and ids hang on it, so that no clock jump expires results or reorders jobs.
 */
import type { Clock } from "../../vm/run.ts";

/** Whole milliseconds since 1970. */
export function steadyTime(clock: Pick<Clock, "now" | "wall">): () => number {
  const begun = clock.wall() - clock.now();
  return () => Math.floor(begun + clock.now());
}
