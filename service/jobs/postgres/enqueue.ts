/**
 * Putting a job in line, with its program, its task and its first event, without ever exceeding the bound of the line. Replicas queue side
 * by side as long as the line is far from full, and one after the other near the bound: only there the jobs matter
 * that others are about to commit.
 */
import { acceptedAnswer } from "../bodies.ts";
import { type NewJob, statusEvent } from "../job.ts";
import { PROGRAM_MARKED_MS } from "../retention.ts";
import type { Enqueued, EnqueueOptions } from "../store.ts";
import type { Database, Statements } from "./database.ts";
import { CHANNEL, TASK } from "./job-rows.ts";
import { finishKey } from "./key-rows.ts";
import { LOCKS } from "./schema.ts";

/**
 * Side by side, a job takes a place only if there would be one for every connection of the server as well: more than that cannot be
 * committed unseen, because whoever counts alone first waits for all that are under way.
 */
const SIDE_BY_SIDE = {
  lock: `SELECT pg_advisory_xact_lock_shared(${LOCKS.line})`,
  unseen: "current_setting('max_connections')::bigint",
};
const ALONE = { lock: `SELECT pg_advisory_xact_lock(${LOCKS.line})`, unseen: "0" };

export async function enqueue(database: Database, job: NewJob, options: EnqueueOptions): Promise<Enqueued> {
  return (
    (await enqueued(database, job, options, SIDE_BY_SIDE)) ?? (await enqueued(database, job, options, ALONE)) ?? FULL
  );
}

const FULL: Enqueued = { state: "full" };

/** Null: there may be a place, but only somebody alone can tell. */
function enqueued(
  database: Database,
  job: NewJob,
  { most, key }: EnqueueOptions,
  { lock, unseen }: typeof ALONE,
): Promise<Enqueued | null> {
  // The lock comes first, in a statement of its own: the next one sees what was committed before it was given.
  return database.transaction(async (on) => {
    const { queued, placed } = await insertJob(on, job, most, unseen);
    if (!placed) return queued >= most ? FULL : null;
    if (key !== null) await finishKey(on, key, acceptedAnswer(job, queued));
    return { state: "queued", position: queued };
  }, lock);
}

/** One statement for everything. `queued`: jobs in line before it; `placed`: it was put there. */
async function insertJob(on: Statements, job: NewJob, most: number, unseen: string) {
  const event = statusEvent({ id: job.id, status: "queued", attempt: 0 }, job.queuedMs);
  const [row] = await on.query(
    `WITH line AS (SELECT count(*) AS queued FROM weft.jobs WHERE status = 'queued'),
     place AS (SELECT queued FROM line WHERE queued < $1::bigint - ${unseen}),
     -- Not marked at each use: writers of one row wait for each other, and jobs of one program would be queued one after the other.
     program AS (
       INSERT INTO weft.programs (checksum, ir, used_ms)
       SELECT $2::text, $3::text, $4::bigint FROM place
       WHERE NOT EXISTS (SELECT 1 FROM weft.programs WHERE checksum = $2 AND used_ms >= $4 - $5::bigint)
       ON CONFLICT (checksum) DO UPDATE SET used_ms = excluded.used_ms
     ),
     job AS (
       INSERT INTO weft.jobs (id, status, trace_id, label, retry, queued_ms, keep_ms, retry_of, traceparent, checksum, request)
       SELECT $6::text, 'queued', $7::text, $8::text, $9::boolean, $4, $10::bigint, $11::text, $12::text, $2, $13::text FROM place
     ),
     event AS (INSERT INTO weft.job_events (job_id, seq, kind, data) SELECT $6, 1, $14::text, $15::text FROM place)
     SELECT line.queued, place.queued IS NOT NULL AS placed,
       CASE WHEN place.queued IS NOT NULL THEN pg_notify($16, $6 || ' queued') END,
       CASE WHEN place.queued IS NOT NULL THEN
         (graphile_worker.add_job($17, payload := json_build_object('job_id', $6), job_key := $6, max_attempts := 1)).id
       END
     FROM line LEFT JOIN place ON true`,
    [
      ...[most, job.checksum, job.program, job.queuedMs, PROGRAM_MARKED_MS],
      ...[job.id, job.traceId, job.label, job.retry, job.keepMs, job.retryOf, job.traceparent, job.request],
      ...[event.kind, event.data, CHANNEL, TASK],
    ],
  );
  return { queued: Number(row?.["queued"]), placed: row?.["placed"] === true };
}
