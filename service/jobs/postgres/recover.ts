/** Jobs of dead replicas are moved, and queued jobs without a task that could still run them get one. One replica at a time. */
import type { JobPort } from "../../state/job-port.ts";
import { foundOf } from "../../state/postgres/job-port.ts";
import { performed } from "../../state/postgres/perform.ts";
import { interrupted } from "../../state/rules/job-moves.ts";
import type { Job } from "../job.ts";
import { RECOVERED_A_ROUND } from "../retention/retention.ts";
import type { Statements } from "./database.ts";
import { addTask, COLUMNS, TASK } from "./job-rows.ts";
import type { Replica } from "./replica.ts";
import { LOCKS } from "./schema.ts";

const MAX_A_ROUND = 500;

export async function recoverJobs(
  on: Statements,
  port: JobPort,
  replica: Replica,
  now: number,
  maxCrashes: number,
): Promise<readonly Job[]> {
  const [lock] = await on.query("SELECT pg_try_advisory_xact_lock($1) AS mine", [LOCKS.recovery]);
  if (lock?.["mine"] !== true) return [];
  for (const { id, beat, workers } of await replica.silent(on)) {
    const gone = await on.query("DELETE FROM weft.replicas WHERE id = $1 AND beat = $2 RETURNING id", [id, beat]);
    if (gone.length > 0) await on.query("SELECT graphile_worker.force_unlock_workers($1)", [workers]);
  }
  const rows = await on.query(
    `SELECT ${COLUMNS} FROM weft.jobs j WHERE status IN ('running', 'cancelling')
     AND NOT EXISTS (SELECT 1 FROM weft.replicas r WHERE r.id = j.owner) LIMIT $1 FOR UPDATE OF j SKIP LOCKED`,
    [RECOVERED_A_ROUND],
  );
  const moved: Job[] = [];
  for (const row of rows) moved.push(await performed(on, interrupted(port, foundOf(row), null, now, maxCrashes)));
  await mendTasks(on);
  return moved;
}

/**
 * A task is used up when its worker died, or lost the database, before the job was claimed. One that a worker has begun looks the same;
 * whichever of the two claims the job runs it.
 */
async function mendTasks(on: Statements): Promise<void> {
  const orphans = await on.query(
    `SELECT id FROM weft.jobs j WHERE status = 'queued' AND NOT held AND NOT EXISTS (
       SELECT 1 FROM graphile_worker.jobs t WHERE t.key = j.id AND t.attempts < t.max_attempts
     ) LIMIT $1`,
    [MAX_A_ROUND],
  );
  for (const { id } of orphans) await performed(on, addTask(id));
  await on.query(
    `SELECT graphile_worker.complete_jobs(ARRAY(
       SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND locked_at IS NULL AND attempts >= max_attempts LIMIT $2
     ))`,
    [TASK, MAX_A_ROUND],
  );
}
