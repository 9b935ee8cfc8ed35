/** What becomes of the schedules of a deployment when another version is current (docs/programs.md), inside the transaction that makes it so. */
import type { CurrentChange } from "../../../programs/deployment.ts";
import type { Schedule, ScheduleSpec } from "../../../schedules/schedule.ts";
import type { Port } from "../../port.ts";
import { row, run, type Step } from "../../step.ts";

type Kept = Pick<Schedule, "spec" | "nextDueMs" | "nextAtMs" | "baseMs"> & { readonly computed: boolean };
/** Next time and base of a schedule under a new spec. `computed` false: the next time is to be computed from the base on. */
type Carried = Pick<Kept, "nextDueMs" | "nextAtMs" | "baseMs" | "computed">;
type Row = Omit<Carried, "computed"> & {
  readonly spec: string;
  readonly computed: boolean | number;
  readonly revision: number;
};

const FOUND = `SELECT spec, next_due_ms AS "nextDueMs", next_at_ms AS "nextAtMs", base_ms AS "baseMs", computed, revision
  FROM weft.schedules WHERE id = $1 FOR UPDATE`;
const PUT = `INSERT INTO weft.schedules
  (id, program, version, spec, enabled, paused, next_due_ms, next_at_ms, base_ms, revision, computed)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (id) DO UPDATE SET version = excluded.version, spec = excluded.spec, enabled = excluded.enabled,
    next_due_ms = excluded.next_due_ms, next_at_ms = excluded.next_at_ms, base_ms = excluded.base_ms,
    revision = excluded.revision, computed = excluded.computed`;

/**
 * Whether there may be as many. `schedules`: JSON of those that the deployment is to have. Fewer of them than before are always allowed, so
 * that some can be removed after the bound was lowered.
 */
export function* isRoomForSchedules(name: string, schedules: string, max: number): Step<boolean> {
  const counts = yield* row<{ readonly all: number; readonly own: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE program = $1) AS own FROM weft.schedules`,
    name,
  );
  const { all, own } = counts ?? { all: 0, own: 0 };
  const wanted = (JSON.parse(schedules) as readonly ScheduleSpec[]).length;
  return wanted <= own || all - own + wanted <= max;
}

export function* carrySchedules(port: Port, { name, version, enabled, schedules, now }: CurrentChange): Step<void> {
  const specs = version === null ? [] : (JSON.parse(schedules) as readonly ScheduleSpec[]);
  const ids = specs.map(({ id }) => id);
  yield* run("DELETE FROM weft.schedules WHERE program = $1 AND NOT (id = ANY ($2))", name, ids);
  for (const spec of specs) {
    const found = yield* row<Row>(FOUND, spec.id);
    const kept =
      found === undefined ? null : { ...found, spec: JSON.parse(found.spec), computed: Boolean(found.computed) };
    const { nextDueMs, nextAtMs, baseMs, computed } = carriedOver(kept, spec, now);
    const state = [nextDueMs, nextAtMs, baseMs, (found?.revision ?? 0) + 1, computed];
    yield* run(PUT, spec.id, name, version, JSON.stringify(spec), enabled, spec.paused, ...state);
  }
  if (specs.length > 0) yield* port.alarm();
}

/** A time that has come already is kept, and so is the next time of a line that stays as it was. */
function carriedOver(kept: Kept | null, spec: ScheduleSpec, now: number): Carried {
  const isKept = kept !== null && (isSameLine(kept.spec, spec) || (kept.nextDueMs !== null && kept.nextDueMs <= now));
  return isKept ? kept : { nextDueMs: null, nextAtMs: null, baseMs: now, computed: false };
}

function isSameLine(a: ScheduleSpec, b: ScheduleSpec): boolean {
  return a.cron === b.cron && a.tz === b.tz && a.jitterS === b.jitterS && a.from === b.from && a.until === b.until;
}
