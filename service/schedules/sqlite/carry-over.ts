/** Schedules of a deployment when another version is current, inside the transaction that makes it so. Runs in the thread of the database. */
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import type { CurrentChange } from "../../programs/deployment.ts";
import { areTooMany, carriedOver } from "../carry-over.ts";
import type { ScheduleSpec } from "../schedule.ts";

type Row = {
  readonly spec: string;
  readonly next_due_ms: number | null;
  readonly next_at_ms: number | null;
  readonly base_ms: number;
  readonly computed: number;
  readonly revision: number;
};

const PUT = `INSERT INTO schedules (id, program, version, spec, enabled, paused, next_due_ms, next_at_ms, base_ms, revision, computed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, spec = excluded.spec, enabled = excluded.enabled,
    next_due_ms = excluded.next_due_ms, next_at_ms = excluded.next_at_ms, base_ms = excluded.base_ms,
    revision = excluded.revision, computed = excluded.computed`;

/** `schedules`: JSON of those that the deployment is to have. */
export function isRoomForSchedules(sql: Sql, name: string, schedules: string, max: number): boolean {
  const counts = sql(`SELECT count(*) AS "all", coalesce(sum(program = ?), 0) AS own FROM schedules`).get(name) as {
    readonly all: number;
    readonly own: number;
  };
  return !areTooMany({ ...counts, wanted: (JSON.parse(schedules) as readonly ScheduleSpec[]).length, max });
}

export function carrySchedules(sql: Sql, { name, version, enabled, schedules, now }: CurrentChange): void {
  const specs = version === null ? [] : (JSON.parse(schedules) as readonly ScheduleSpec[]);
  const gone = sql("DELETE FROM schedules WHERE program = ? AND id NOT IN (SELECT value FROM json_each(?))");
  gone.run(name, JSON.stringify(specs.map(({ id }) => id)));
  for (const spec of specs) {
    const row = sql(
      "SELECT spec, next_due_ms, next_at_ms, base_ms, computed, revision FROM schedules WHERE id = ?",
    ).get(spec.id) as Row | undefined;
    const kept =
      row === undefined
        ? null
        : {
            spec: JSON.parse(row.spec) as ScheduleSpec,
            nextDueMs: row.next_due_ms,
            nextAtMs: row.next_at_ms,
            baseMs: row.base_ms,
            computed: row.computed === 1,
          };
    const { nextDueMs, nextAtMs, baseMs, computed } = carriedOver(kept, spec, now);
    const text = JSON.stringify(spec);
    const switches = [enabled ? 1 : 0, spec.paused ? 1 : 0];
    const state = [nextDueMs, nextAtMs, baseMs, (row?.revision ?? 0) + 1, computed ? 1 : 0];
    sql(PUT).run(spec.id, name, version, text, ...switches, ...state);
  }
}
