/** What is asked about schedules. */
import type { Fire, Schedule } from "../../schedules/schedule.ts";
import type { ScheduleListing } from "../../schedules/store.ts";
import type { Port } from "../port.ts";
import { row, rows, type Step, value } from "../step.ts";

type Flag = boolean | number;
export type ScheduleRow = Omit<Schedule, "spec" | "enabled" | "paused" | "isPromised"> & {
  readonly spec: string;
  readonly enabled: Flag;
  readonly paused: Flag;
  readonly isPromised: Flag;
};

const SCHEDULES = `SELECT id, program, version, spec, enabled, paused, paused_because AS "pausedBecause", computed AS "isPromised",
  next_due_ms AS "nextDueMs", next_at_ms AS "nextAtMs", base_ms AS "baseMs", waiting_ms AS "waitingMs", revision FROM weft.schedules`;
export const FOUND = `${SCHEDULES} WHERE id = $1`;

export function scheduleOf({ spec, enabled, paused, isPromised, ...rest }: ScheduleRow): Schedule {
  const flags = { enabled: Boolean(enabled), paused: Boolean(paused), isPromised: Boolean(isPromised) };
  return { ...rest, ...flags, spec: JSON.parse(spec) };
}

export const scheduleReads = {
  *listSchedules(_: Port, { limit, after, program }: ScheduleListing): Step<readonly Schedule[]> {
    const found = yield* rows<ScheduleRow>(
      `${SCHEDULES} WHERE id > $1 AND ($2::text IS NULL OR program = $2) ORDER BY id LIMIT $3`,
      ...[after ?? "", program, limit],
    );
    return found.map(scheduleOf);
  },

  *findSchedule(_: Port, id: string): Step<Schedule | null> {
    const found = yield* row<ScheduleRow>(FOUND, id);
    return found === undefined ? null : scheduleOf(found);
  },

  *dueSchedules(_: Port, { now, limit }: { readonly now: number; readonly limit: number }): Step<readonly Schedule[]> {
    const due = `${SCHEDULES} WHERE NOT computed OR next_at_ms <= $1 OR waiting_ms IS NOT NULL
      ORDER BY coalesce(next_at_ms, 0), id LIMIT $2`;
    return (yield* rows<ScheduleRow>(due, now, limit)).map(scheduleOf);
  },

  *earliestSchedule(_: Port, _input: null): Step<number | null> {
    return (yield* value<number | null>("SELECT min(next_at_ms) FROM weft.schedules")) ?? null;
  },

  *scheduleFires(_: Port, { id, limit }: { readonly id: string; readonly limit: number }): Step<readonly Fire[]> {
    const fires = `SELECT due_ms AS "dueMs", outcome, job_id AS "jobId", at_ms AS "atMs", error FROM weft.fires
      WHERE schedule = $1 ORDER BY due_ms DESC LIMIT $2`;
    return yield* rows<Fire>(fires, id, limit);
  },

  *pausedSchedules(_: Port, _input: null): Step<readonly string[]> {
    const paused = yield* rows<{ readonly text: string }>(
      "SELECT id || ': ' || paused_because AS text FROM weft.schedules WHERE paused_because IS NOT NULL ORDER BY id LIMIT 20",
    );
    return paused.map(({ text }) => text);
  },
};
