/** Schedules of a deployment when another version is current, inside the transaction that makes it so. */
import type { Statements } from "../../jobs/postgres/database.ts";
import type { CurrentChange } from "../../programs/deployment.ts";
import { areTooMany, carriedOver } from "../carry-over.ts";
import type { ScheduleSpec } from "../schedule.ts";
import { alarmNow } from "./alarm.ts";

const PUT = `INSERT INTO weft.schedules
  (id, program, version, spec, enabled, paused, next_due_ms, next_at_ms, base_ms, revision, computed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, spec = excluded.spec, enabled = excluded.enabled,
    next_due_ms = excluded.next_due_ms, next_at_ms = excluded.next_at_ms, base_ms = excluded.base_ms,
    revision = excluded.revision, computed = excluded.computed`;

/** `schedules`: JSON of those that the deployment is to have. */
export async function isRoomForSchedules(
  on: Statements,
  name: string,
  schedules: string,
  max: number,
): Promise<boolean> {
  const [row] = await on.query(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE program = $1) AS own FROM weft.schedules`,
    [name],
  );
  const wanted = (JSON.parse(schedules) as readonly ScheduleSpec[]).length;
  return !areTooMany({ all: Number(row?.["all"]), own: Number(row?.["own"]), wanted, max });
}

export async function carrySchedules(
  on: Statements,
  { name, version, enabled, schedules, now }: CurrentChange,
): Promise<void> {
  const specs = version === null ? [] : (JSON.parse(schedules) as readonly ScheduleSpec[]);
  await on.query("DELETE FROM weft.schedules WHERE program = $1 AND NOT (id = ANY ($2))", [
    name,
    specs.map(({ id }) => id),
  ]);
  for (const spec of specs) {
    const [row] = await on.query("SELECT * FROM weft.schedules WHERE id = $1 FOR UPDATE", [spec.id]);
    const kept =
      row === undefined
        ? null
        : {
            spec: JSON.parse(row["spec"]) as ScheduleSpec,
            nextDueMs: row["next_due_ms"],
            nextAtMs: row["next_at_ms"],
            baseMs: row["base_ms"],
            computed: row["computed"],
          };
    const { nextDueMs, nextAtMs, baseMs, computed } = carriedOver(kept, spec, now);
    const switches = [enabled, spec.paused];
    const state = [nextDueMs, nextAtMs, baseMs, (row?.["revision"] ?? 0) + 1, computed];
    await on.query(PUT, [spec.id, name, version, JSON.stringify(spec), ...switches, ...state]);
  }
  if (specs.length > 0) await alarmNow(on);
}
