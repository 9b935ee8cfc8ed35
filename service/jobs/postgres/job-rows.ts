/** Rows of jobs in PostgreSQL: how they are read and written. Every writer holds the row's lock, within the transaction it is given. */
import { ownResult } from "../bodies.ts";
import {
  afterInterruption,
  eventsOfMove,
  isHeldBy,
  type JobEvent,
  type JobWork,
  type KeptJob,
  MOST_EVENTS,
  moved,
} from "../job.ts";
import type { Row, Statements } from "./database.ts";

export const CHANNEL = "weft_jobs";
export const TASK = "weft_run_job";

export const COLUMNS =
  "id, status, trace_id, label, attempt, retry, owner, queued_ms, started_ms, finished_ms, expires_ms, keep_ms, retry_of";

export function jobOf(row: Row): KeptJob {
  return {
    id: row["id"],
    status: row["status"],
    traceId: row["trace_id"],
    label: row["label"],
    attempt: row["attempt"],
    retry: row["retry"],
    queuedMs: row["queued_ms"],
    startedMs: row["started_ms"],
    finishedMs: row["finished_ms"],
    expiresMs: row["expires_ms"],
    retryOf: row["retry_of"],
    owner: row["owner"],
    keepMs: row["keep_ms"],
  };
}

/** The job with its row locked until the transaction ends. */
export async function lockedJob(on: Statements, id: string): Promise<KeptJob | null> {
  const [row] = await on.query(`SELECT ${COLUMNS} FROM weft.jobs WHERE id = $1 FOR UPDATE`, [id]);
  return row === undefined ? null : jobOf(row);
}

/** The job with its row locked, when it is still run by this owner in this attempt. */
export async function heldJob(on: Statements, asking: KeptJob): Promise<KeptJob | null> {
  const job = await lockedJob(on, asking.id);
  return job !== null && isHeldBy(job, asking) ? job : null;
}

export async function workOf(on: Statements, id: string): Promise<JobWork | null> {
  const [row] = await on.query(
    `SELECT j.request, j.traceparent, checksum, p.ir AS program FROM weft.jobs j JOIN weft.programs p USING (checksum)
     WHERE j.id = $1 AND j.request IS NOT NULL`,
    [id],
  );
  if (row === undefined) return null;
  return {
    request: row["request"],
    traceparent: row["traceparent"],
    checksum: row["checksum"],
    program: row["program"],
  };
}

/** The one place where a status changes. Replicas hear of it when the transaction is committed. */
export async function writeMove(on: Statements, job: KeptJob, result: string | null, now: number): Promise<KeptJob> {
  await on.query(
    `UPDATE weft.jobs SET status = $2, attempt = $3, owner = $4, started_ms = $5, finished_ms = $6, expires_ms = $7, result = $8
     WHERE id = $1`,
    [job.id, job.status, job.attempt, job.owner, job.startedMs, job.finishedMs, job.expiresMs, result],
  );
  if (job.status !== "expired") await insertEvents(on, job.id, eventsOfMove(job, now));
  await announce(on, job);
  return job;
}

/** Moves a locked job whose process is gone, or gives it up. */
export async function interruptLocked(on: Statements, job: KeptJob, now: number): Promise<KeptJob> {
  const to = afterInterruption(job);
  const next = await writeMove(on, moved(job, to, now), ownResult(to, job.traceId), now);
  if (to === "queued") await addTask(on, job.id);
  return next;
}

export async function announce(on: Statements, { id, status }: Pick<KeptJob, "id" | "status">): Promise<void> {
  await on.query("SELECT pg_notify($1, $2)", [CHANNEL, `${id} ${status}`]);
}

/** Has some replica run the job. A task of the same job that was begun already is left to itself: it will find nothing to claim. */
export async function addTask(on: Statements, id: string): Promise<void> {
  await on.query(
    "SELECT 1 FROM graphile_worker.add_job($1, payload := json_build_object('job_id', $2::text), job_key := $2, max_attempts := 1)",
    [TASK, id],
  );
}

export async function insertEvents(on: Statements, id: string, events: readonly JobEvent[]): Promise<void> {
  const [row] = await on.query(
    `WITH known AS (SELECT coalesce(max(seq), 0) AS last FROM weft.job_events WHERE job_id = $1),
     added AS (
       INSERT INTO weft.job_events (job_id, seq, kind, data)
       SELECT $1, known.last + e.place, e.kind, e.data
       FROM known, unnest($2::text[], $3::text[]) WITH ORDINALITY AS e (kind, data, place)
       RETURNING seq
     )
     SELECT max(seq) AS last FROM added`,
    [id, events.map(({ kind }) => kind), events.map(({ data }) => data)],
  );
  const surplus = Number(row?.["last"] ?? 0) - MOST_EVENTS;
  if (surplus > 0) await on.query("DELETE FROM weft.job_events WHERE job_id = $1 AND seq <= $2", [id, surplus]);
}
