/** The next times of a schedule, as lists and answers show them and as it is promised. */
import { type CronTimes, cronTimes, jitterMs } from "./cron-times.ts";
import type { ScheduleSpec } from "./schedule.ts";

/** A due time, and when it fires: later by the jitter. */
export type NextTime = { readonly dueMs: number; readonly atMs: number };

const known = new Map<string, CronTimes>();
const MAX_KEPT = 2000;

/** The times of a spec that was checked; they are kept, because reading a line takes longer than asking for a time. */
export function timesOf({ cron, tz }: Pick<ScheduleSpec, "cron" | "tz">): CronTimes | null {
  const key = `${tz} ${cron}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const times = cronTimes(cron, tz);
  if (times === null) return null;
  if (known.size >= MAX_KEPT) known.clear();
  known.set(key, times);
  return times;
}

/** The first time after `ms` within `from` and `until`; null: it has no further time. */
export function nextTime(spec: ScheduleSpec, ms: number): NextTime | null {
  const { id, from, until, jitterS } = spec;
  const after = from === null ? ms : Math.max(ms, from - 1);
  const dueMs = timesOf(spec)?.next(after) ?? null;
  if (dueMs === null || (until !== null && dueMs >= until)) return null;
  return { dueMs, atMs: dueMs + jitterMs(id, dueMs, jitterS) };
}

export function nextTimes(spec: ScheduleSpec, ms: number, count: number): readonly NextTime[] {
  const times: NextTime[] = [];
  for (let after = ms; times.length < count; ) {
    const next = nextTime(spec, after);
    if (next === null) break;
    times.push(next);
    after = next.dueMs;
  }
  return times;
}

/** Times that are looked at for the shortest distance. */
const LOOKED_AT = 50;

/** The shortest distance between the next times, in milliseconds; null: fewer than two are left. */
export function shortestDistance(times: CronTimes, ms: number): number | null {
  let shortest: number | null = null;
  let last = times.next(ms);
  for (let at = 0; at < LOOKED_AT && last !== null; at++) {
    const next = times.next(last);
    if (next === null) break;
    shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next - last);
    last = next;
  }
  return shortest;
}
