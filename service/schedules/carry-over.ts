/** What becomes of the schedules of a deployment when another version is current (docs/programs.md): the rule that both stores follow. */
import type { Schedule, ScheduleSpec } from "./schedule.ts";

type Kept = Pick<Schedule, "spec" | "nextDueMs" | "nextAtMs" | "baseMs"> & { readonly computed: boolean };
/** Next time and base of a schedule under a new spec. `computed` false: the next time is to be computed from the base on. */
export type Carried = Pick<Kept, "nextDueMs" | "nextAtMs" | "baseMs" | "computed">;

/** A time that has come already is kept, and so is the next time of a line that stays as it was. */
export function carriedOver(kept: Kept | null, spec: ScheduleSpec, now: number): Carried {
  const fresh = { nextDueMs: null, nextAtMs: null, baseMs: now, computed: false };
  if (kept === null) return fresh;
  const { nextDueMs, nextAtMs, baseMs, computed } = kept;
  if (isSameLine(kept.spec, spec)) return { nextDueMs, nextAtMs, baseMs, computed };
  return nextDueMs !== null && nextDueMs <= now ? { nextDueMs, nextAtMs, baseMs, computed } : fresh;
}

/**
 * Whether the schedules of a deployment are more than there may be. Fewer of them than before are always allowed, so that some can be
 * removed after the bound was lowered.
 */
export function areTooMany({ wanted, own, all, max }: Record<"wanted" | "own" | "all" | "max", number>): boolean {
  return wanted > own && all - own + wanted > max;
}

function isSameLine(a: ScheduleSpec, b: ScheduleSpec): boolean {
  return a.cron === b.cron && a.tz === b.tz && a.jitterS === b.jitterS && a.from === b.from && a.until === b.until;
}
