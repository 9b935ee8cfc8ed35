/**
 * Rows of jobs in PostgreSQL: how they are read and written. A write names the state it starts from, so it needs no lock; one that
 * belongs together with others holds the lock of the row, within the transaction it is given.
 */

import type { ResumeReason } from "../../../vm/durable/records.ts";
import { any, row, run, type Step, type Value, value } from "../../state/step.ts";
import type { HourCount, JobNote } from "../../state/store.ts";
import { type AboutRow, aboutOf, errorOf, RAN_MS, STATUS_AT_END } from "../../wire/about.ts";
import { unbegunResult } from "../answers/bodies.ts";
import { IS_DEAD } from "../answers/dead-letters.ts";
import { filterSql, type JobListing } from "../filter.ts";
import {
  type ClaimedJob,
  eventsOfMove,
  isTerminal,
  type Job,
  type JobEvent,
  type JobWork,
  type KeptJob,
  MAX_EVENTS,
  moved,
  released,
} from "../job.ts";
import { firstId } from "../job-id.ts";
import { keepsIn } from "../retention/kept-times.ts";
import type { Row, Statements } from "./database.ts";

export const CHANNEL = "weft_jobs";
/** In place of a status: somebody wants a job to end that is being cancelled. */
export const INSISTING = "insisting";
export const TASK = "weft_run_job";

/**
 * Tasks are taken in the order of the times they are to run at, and none before its time: that is when their jobs were queued, so far back
 * that a clock of the database that is set back keeps no job waiting.
 */
export const taskTime = (queuedMs: string): string => `to_timestamp(${queuedMs} / 1000.0) - interval '50 years'`;

/** Where in the line a job is: a priority moves it. */
export const LINE_RANK = "coalesce(rank, queued_ms)";

export const COLUMNS =
  "id, status, trace_id, label, attempt, retry, owner, queued_ms, started_ms, finished_ms, expires_ms, keep_ms, keeps, retry_of, deployment, version, name, tags, schedule, due_ms, parent, error, place, durable, resumes, ends_ms, why, parked_ms, parked_at, flow, held";

/** A job as its row has it. `why`: what queued a durable job again; null: nothing did. */
export type JobRow = KeptJob & Pick<ClaimedJob, "why">;

/** For statements whose CTE `row` has the id and the new status of job $1. The events $2 and $3 follow those that job $1 has, and the oldest go; when the row is there that the statement changes or holds. */
export const ADD_EVENTS = `
  known AS (SELECT coalesce(max(seq), 0) AS last FROM weft.job_events WHERE job_id = $1),
  added AS (
    INSERT INTO weft.job_events (job_id, seq, kind, data)
    SELECT $1, known.last + e.place, e.kind, e.data
    FROM row, known, unnest($2::text[], $3::text[]) WITH ORDINALITY AS e (kind, data, place)
  ),
  surplus AS (
    DELETE FROM weft.job_events e USING row, known
    WHERE e.job_id = $1 AND e.seq <= known.last + cardinality($2::text[]) - ${MAX_EVENTS}
  )
  SELECT pg_notify($4, $1 || ' ' || row.status) FROM row`;

/** For updates of `weft.jobs AS j`: how long the journal is by now. One that is shorter later has lost records. */
export const LAST_SEQ = `last_seq = CASE WHEN j.durable
  THEN greatest(j.last_seq, (SELECT max(k.seq) FROM weft.job_journal k WHERE k.job = j.id)) ELSE 0 END`;

const MOVE = `
  WITH row AS (
    UPDATE weft.jobs j SET status = $5, attempt = $6, owner = $7, started_ms = $8, finished_ms = $9, expires_ms = $10, result = $11,
      error = $15, resumes = $16, why = coalesce($18, why), parked_ms = parked_ms + coalesce($19::bigint - parked_at, 0),
      parked_at = NULL, ends_ms = CASE WHEN $9::bigint IS NULL THEN ends_ms END, ${LAST_SEQ}
    WHERE id = $1 AND status = $12 AND attempt = $13 AND owner IS NOT DISTINCT FROM $14 AND resumes = $17
      AND ($20::text IS NULL OR EXISTS (SELECT 1 FROM weft.replicas r WHERE r.id = $20)) RETURNING status
  ), ${ADD_EVENTS}`;

export function jobOf(row: Row): JobRow {
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
    deployment: row["deployment"],
    version: row["version"],
    about: aboutOf(row as AboutRow),
    index: row["place"],
    error: row["error"],
    durable: row["durable"],
    resumes: row["resumes"],
    endsMs: row["ends_ms"],
    owner: row["owner"],
    keepMs: row["keep_ms"],
    keeps: keepsIn(row["keeps"]),
    why: row["why"],
    parkedMs: row["parked_ms"],
    parkedAtMs: row["parked_at"],
    flow: row["flow"],
    held: row["held"],
  };
}

/** The job with its row locked until the transaction ends. */
export function* lockedJob(id: string): Step<JobRow | null> {
  const found = yield* row<Row>(`SELECT ${COLUMNS} FROM weft.jobs WHERE id = $1 FOR UPDATE`, id);
  return found === undefined ? null : jobOf(found);
}

/** What a job was queued with, and the job; null when either is gone. */
export async function jobWithWork(on: Statements, id: string): Promise<(JobRow & JobWork) | null> {
  const [row] = await on.query(
    `SELECT ${COLUMNS}, request, frame, traceparent, tracestate, checksum, ir AS program FROM weft.jobs JOIN weft.programs USING (checksum)
     WHERE id = $1 AND request IS NOT NULL`,
    [id],
  );
  if (row === undefined) return null;
  const { request, frame, traceparent, tracestate, checksum, program } = row;
  return { ...jobOf(row), request, frame, traceparent, tracestate, checksum, program };
}

/**
 * The one place where a status changes: in one statement with the events of the move; replicas hear of it when it is committed. Null: the
 * row is no longer as it was read, and nothing was changed. `by`: the replica that moves it, which must not have been declared dead.
 */
function* writeMove(
  read: KeptJob,
  next: KeptJob,
  result: string | null,
  now: number,
  why: ResumeReason | null = null,
  by: string | null = null,
): Step<KeptJob | null> {
  const { id, status, attempt, owner, startedMs, finishedMs, expiresMs } = next;
  const events = status === "expired" ? [] : eventsOfMove(next, now);
  const error = result === null ? next.error : errorOf(result);
  const isWritten = yield* any(
    MOVE,
    ...[id, ...columnsOf(events), CHANNEL],
    ...[status, attempt, owner, startedMs, finishedMs, expiresMs, result],
    ...[read.status, read.attempt, read.owner, error, next.resumes, read.resumes, why, now, by],
  );
  return isWritten ? { ...next, error } : null;
}

/** As `writeMove`, of a job whose row is locked. */
export function* moveLocked(
  job: KeptJob,
  next: KeptJob,
  result: string | null,
  now: number,
  why: ResumeReason | null = null,
): Step<KeptJob> {
  const written = yield* writeMove(job, next, result, now, why);
  if (written === null) throw new Error("a locked row was changed");
  // It is woken by nothing any more.
  if (isTerminal(next.status) && job.durable)
    yield* run("UPDATE weft.waits SET ended_ms = $2 WHERE job = $1 AND ended_ms IS NULL", job.id, now);
  return written;
}

/** A claimed job that counts as running: woken ones continue their attempt. */
export function claimed(job: JobRow, owner: string, now: number): KeptJob {
  const next = moved(job, "running", now, owner);
  if (job.why === null) return next;
  const attempt = job.why === "wake" ? job.attempt : next.attempt;
  return { ...next, attempt, resumes: job.resumes + 1 };
}

/** A locked job that was claimed and is not begun goes back into the line. */
export function* releaseLocked(job: JobRow, now: number): Step<void> {
  const next = released(job, job.why, now);
  const result = unbegunResult(next.status, job.traceId, yield* requestOf(job.id));
  const { status } = yield* moveLocked(job, next, result, now);
  if (status === "queued") yield* addTask(job.id);
}

/** What is kept of the request that queued the job. */
export function* requestOf(id: string): Step<string> {
  return (yield* value<string>("SELECT request FROM weft.jobs WHERE id = $1", id)) ?? "{}";
}

/** Has some replica run the job. A task of the same job that was begun already is left to itself: it will find nothing to claim. */
export function* addTask(id: string): Step<void> {
  yield* run(
    `SELECT graphile_worker.add_job($1, payload := json_build_object('job_id', id), job_key := id, max_attempts := 1,
       run_at := ${taskTime(LINE_RANK)}) FROM weft.jobs WHERE id = $2 AND NOT held`,
    TASK,
    id,
  );
}

/** SQLSTATE unique_violation. */
const TAKEN = "23505";

/**
 * Writes without the lock of the row: two at the same moment number their events the same, since neither sees those of the other. The later
 * one fails then, and is made again.
 */
export async function numbered<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === TAKEN)) throw thrown;
    }
  }
}

function columnsOf(events: readonly JobEvent[]): readonly Value[] {
  return [events.map(({ kind }) => kind), events.map(({ data }) => data)];
}

/** How much deleted rows take is known by the statistics alone. */
const STORE_BYTES = `SELECT coalesce(sum(size), 0) AS "all", floor(coalesce(sum(size * dead / nullif(rows, 0)), 0)) AS free FROM (
    SELECT pg_total_relation_size(relid) AS size, n_dead_tup::float8 AS dead, n_live_tup + n_dead_tup AS rows
    FROM pg_stat_user_tables WHERE schemaname = 'weft'
  ) tables`;

/** Of the queue, for metrics. */
export async function figures(on: Statements, now: number) {
  const rows = await on.query(
    `SELECT status, count(*) AS jobs, min(queued_ms) FILTER (WHERE status = 'queued' AND NOT held) AS oldest,
       count(*) FILTER (WHERE status = 'queued' AND held) AS held, count(*) FILTER (WHERE ${IS_DEAD}) AS dead
     FROM weft.jobs GROUP BY status`,
  );
  const [bytes] = await on.query(STORE_BYTES);
  const queued = rows.find(({ status }) => status === "queued");
  return {
    store_bytes: { all: Number(bytes?.["all"]), free: Number(bytes?.["free"]) },
    queue_depth: queued?.["jobs"] ?? 0,
    jobs_by_state: Object.fromEntries(rows.map(({ status, jobs }) => [status, jobs])),
    oldest_queued_age_ms: queued?.["oldest"] == null ? null : Math.max(0, now - queued["oldest"]),
    held: queued?.["held"] ?? 0,
    dead_letters: rows.reduce((sum, { dead }) => sum + Number(dead), 0),
  };
}

export async function listOf(
  on: Statements,
  { limit, order = "newest", after, ...filter }: JobListing,
): Promise<readonly Job[]> {
  const { condition, values } = filterSql(filter, SPELLED, (at) => `$${at}`);
  const [comes, direction] = order === "newest" ? ["<", "DESC"] : [">", "ASC"];
  const next = values.length;
  const further = after === null ? "" : `AND (queued_ms, id) ${comes} ($${next + 2}, $${next + 3})`;
  const rows = await on.query(
    `SELECT ${COLUMNS} FROM weft.jobs WHERE ${condition} ${further}
     ORDER BY queued_ms ${direction}, id ${direction} LIMIT $${next + 1}`,
    [...values, limit, ...(after === null ? [] : [after.queuedMs, after.id])],
  );
  return rows.map(jobOf);
}

export async function notesOf(on: Statements, ids: readonly string[]): Promise<readonly JobNote[]> {
  const rows = await on.query(
    `SELECT DISTINCT ON (jobs.id) jobs.id, CASE WHEN error IS NOT NULL THEN ${MESSAGE} END AS message, kind, names
     FROM weft.jobs LEFT JOIN weft.waits ON waits.job = jobs.id AND ended_ms IS NULL
     WHERE jobs.id = ANY ($1) ORDER BY jobs.id, began_ms`,
    [ids],
  );
  return rows as unknown as readonly JobNote[];
}

/** Of the jobs that were queued from `fromMs` on and before `toMs`. */
export async function statsOf(on: Statements, fromMs: number, toMs: number): Promise<readonly HourCount[]> {
  const rows = await on.query(
    `SELECT deployment AS program, ${STATUS_AT_END} AS status, count(*)::integer AS count, sum(greatest(0, ${RAN_MS}))::bigint AS "runningMs"
     FROM weft.jobs WHERE id >= $1 AND id < $2 GROUP BY 1, 2 ORDER BY 1, 2`,
    [firstId(fromMs), firstId(toMs)],
  );
  return rows as unknown as readonly HourCount[];
}

/** Canonical JSON of a program that a job or a deployment has; null: none has it. */
export async function programText(on: Statements, checksum: string): Promise<string | null> {
  const [row] = await on.query(
    `SELECT ir FROM weft.programs WHERE checksum = $1
     UNION ALL SELECT ir FROM weft.deployment_versions WHERE checksum = $1 LIMIT 1`,
    [checksum],
  );
  return row?.["ir"] ?? null;
}

/** The first line of the message of a result, as `messageLine` reads it. */
const MESSAGE = `substring(left(result, 8192) from '^\\{"ok":false,"trace_id":"[^"]*","error":"[a-z_]{1,64}","message":"((?:[^"\\\\]|\\\\[^n])*)')`;

const SPELLED = {
  hasTag: (key: string, value: string) => `tags::jsonb ->> ${key} = ${value}`,
  hasWait: (condition: string) =>
    `EXISTS (SELECT 1 FROM weft.waits WHERE waits.job = jobs.id AND ended_ms IS NULL AND ${condition})`,
  hasInput: (member: string, value: string) =>
    `id IN (SELECT job FROM weft.job_search WHERE member = ${member} AND value = ${value})`,
  hasMessage: (text: string) => `strpos(${MESSAGE}, ${text}::text) > 0`,
  isOneOf: (column: string, values: readonly string[], add: (value: unknown) => string) =>
    `${column} = ANY (${add(values)})`,
};
