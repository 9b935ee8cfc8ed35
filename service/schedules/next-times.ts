/**
 * The next times of a schedule, as lists and answers show them and as it is promised. A line may take a millisecond for each of its times,
 * so several of them are a task, which lets other work in between.
 */
import { type CronTimes, cronTimes } from "../../adapters/engine/cron-times.ts";
import { BoundedMap } from "../../compiler/bounded-map.ts";
import type { Task } from "../../vm/tasks/task.ts";
import type { Schedule, ScheduleSpec } from "./schedule.ts";
import { jitterMs } from "./zones-and-jitter.ts";

/** A due time, and when it fires: later by the jitter. */
export type NextTime = { readonly dueMs: number; readonly atMs: number };

/** A line in a zone. `distance`: the shortest one between its times, undefined until it is asked for. */
type Line = { readonly times: CronTimes; distance?: number | null };

/** Reading a line takes longer than asking for a time. */
const lines = new BoundedMap<Line>({ max: 2000 });

function lineOf({ cron, tz }: Pick<ScheduleSpec, "cron" | "tz">): Line | null {
  const key = `${tz} ${cron}`;
  const found = lines.use(key);
  if (found !== undefined) return found;
  const times = cronTimes(cron, tz);
  if (times === null) return null;
  const line = { times };
  lines.set(key, line);
  return line;
}

/** null: the text is not a cron line, or the zone is unknown. */
export function timesOf(spec: Pick<ScheduleSpec, "cron" | "tz">): CronTimes | null {
  return lineOf(spec)?.times ?? null;
}

/** The first time after `ms` within `from` and `until`; null: it has no further time. */
export function nextTime(spec: ScheduleSpec, ms: number): NextTime | null {
  const { id, from, until, jitterS } = spec;
  const after = from === null ? ms : Math.max(ms, from - 1);
  const dueMs = timesOf(spec)?.next(after) ?? null;
  if (dueMs === null || (until !== null && dueMs >= until)) return null;
  return { dueMs, atMs: dueMs + jitterMs(id, dueMs, jitterS) };
}

/**
 * The scheduler promises the next time of a schedule a moment after a deployment. Until then it is the first one after `baseMs`, so that
 * answers before and after have the same.
 */
export type Unpromised = Pick<Schedule, "spec" | "baseMs">;

export function nextAtOf(schedule: Schedule): number | null {
  return schedule.isPromised || schedule.nextAtMs !== null ? schedule.nextAtMs : unpromisedAt(schedule);
}

/** When the first of some schedules fires. `promisedMs`: the first time of those that have one. */
export function* firstNextAt(promisedMs: number | null, unpromised: readonly Unpromised[]): Task<number | null> {
  let first = promisedMs;
  for (const schedule of unpromised) {
    const at = unpromisedAt(schedule);
    if (at !== null && (first === null || at < first)) first = at;
    yield;
  }
  return first;
}

function unpromisedAt({ spec, baseMs }: Unpromised): number | null {
  return nextTime(spec, baseMs)?.atMs ?? null;
}

export function* nextTimes(spec: ScheduleSpec, ms: number, count: number): Task<readonly NextTime[]> {
  const times: NextTime[] = [];
  for (let after = ms; times.length < count; ) {
    const next = nextTime(spec, after);
    if (next === null) break;
    times.push(next);
    after = next.dueMs;
    yield;
  }
  return times;
}

/** Times that are looked at for the shortest distance, and how far: lines that are due on few days take long for each time. */
const LOOKED_AT = 50;
const LOOKED_AHEAD_MS = 2 * 366 * 86_400_000;

/** The shortest distance between the next times, in milliseconds; null: fewer than two are left. It is remembered with the line. */
export function* shortestDistance(spec: Pick<ScheduleSpec, "cron" | "tz">, ms: number): Task<number | null> {
  const line = lineOf(spec);
  if (line === null) return null;
  if (line.distance !== undefined) return line.distance;
  let shortest: number | null = null;
  const first = line.times.next(ms);
  for (let at = 0, last = first; at < LOOKED_AT && last !== null; at++) {
    yield;
    const next = line.times.next(last);
    if (next === null) break;
    shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next - last);
    if (next - (first ?? 0) > LOOKED_AHEAD_MS) break;
    last = next;
  }
  line.distance = shortest;
  return shortest;
}

/** Up to `count` due times up to and including `ms`, latest first, and none that is older than `oldest`. */
export function recentTimes(
  spec: Pick<ScheduleSpec, "cron" | "tz">,
  { count, ms, oldest }: { readonly count: number; readonly ms: number; readonly oldest: number },
): readonly number[] {
  const times: number[] = [];
  for (let until = ms; times.length < count; ) {
    const [last] = timesOf(spec)?.previous(1, until) ?? [];
    if (last === undefined || last < oldest) break;
    times.push(last);
    until = last - 1;
  }
  return times;
}
