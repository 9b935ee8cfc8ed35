/**
 * Wakes one of the replicas when a schedule is due: a task of the task queue with `run_at`. The tasks that run jobs have workers of their
 * own, so that long jobs keep no schedule waiting.
 */
import type { Database } from "../../jobs/postgres/database.ts";
import { type RunnerDeps, runTasks } from "../../jobs/postgres/task-runner.ts";
import { ALARM_LEAD_MS, type ScheduleAlarm } from "../../schedules/store.ts";
import { run, type Step } from "../step.ts";
import { ALARM_LOCK } from "./schedules-schema.ts";

const TASK = "weft_fire_schedules";
/** Shorter than the lead, so that a task is found before its time has come. */
const POLL_MS = 1000;
/** Jobs that a schedule waits for are looked at as often. */
const WAITING_MS = 1000;

/**
 * The distance is what counts, $1 being the time of the process: the clock of the database may be another. Set anew by each process that
 * has looked, one after the other, so that the last one knows what the others promised.
 */
const SET = `WITH earliest AS (
    SELECT min(CASE WHEN computed THEN least(next_at_ms - $1::bigint - ${ALARM_LEAD_MS}, CASE WHEN waiting_ms IS NOT NULL AND enabled AND NOT paused THEN ${WAITING_MS} END) ELSE 0 END) AS ms
    FROM weft.schedules
  )
  SELECT graphile_worker.add_job($2::text, run_at := now() + greatest(ms, 0) * interval '1 millisecond', job_key := $2::text)
  FROM earliest WHERE ms IS NOT NULL`;

export function postgresAlarm(deps: RunnerDeps & { readonly database: Database }): ScheduleAlarm {
  return {
    set: (now) =>
      deps.database.transaction(
        async (on) => void (await on.query(SET, [now, TASK])),
        `SELECT pg_advisory_xact_lock(${ALARM_LOCK})`,
      ),
    listen: (woken) => runTasks(deps, { taskList: { [TASK]: woken }, concurrency: 1, pollMs: POLL_MS }),
  };
}

/** For schedules that changed: within the transaction that changes them. A task of its own, which no other process moves to a later time. */
export function alarmNow(): Step<void> {
  return run("SELECT graphile_worker.add_job($1::text, job_key := $1::text || ' now')", TASK);
}
