/**
 * Putting the jobs of a submission in line, with their program, their tasks and their first events, without ever exceeding the bound of
 * the line. Replicas queue side by side as long as the line is far from full, and one after the other near the bound: only there the jobs
 * matter that others are about to commit.
 */

import type { Placed, Port } from "../../state/port.ts";
import { holdRecords, takeRecords } from "../../state/postgres/journal.ts";
import { performed } from "../../state/postgres/perform.ts";
import { markRetried } from "../../state/rules/flow/dead-letters.ts";
import { type QueuedJobs, queueJobs } from "../../state/rules/flow/enqueue.ts";
import { row, run, type Step } from "../../state/step.ts";
import type { Enqueued, EnqueueOptions } from "../../state/store.ts";
import { aboutColumns } from "../../wire/about.ts";
import { later } from "../../wire/errors.ts";
import { acceptedAnswer } from "../answers/bodies.ts";
import { packed } from "../durable/journal-rows.ts";
import { signalBytes } from "../durable/signal-room.ts";
import { NEVER } from "../durable/waits.ts";
import type { FlowQueued } from "../flow/flow-watch.ts";
import { isControlled } from "../flow/job-flow.ts";
import { type Submission, statusEvent } from "../job.ts";
import { keepsText } from "../retention/kept-times.ts";
import { PROGRAM_MARKED_MS } from "../retention/retention.ts";
import type { Database, Statements } from "./database.ts";
import { CHANNEL, TASK, taskTime } from "./job-rows.ts";
import { finishKey } from "./key-rows.ts";
import { LOCKS } from "./schema.ts";

/**
 * In parallel, a job takes a place only if one would remain for every connection of the server as well: more cannot be
 * committed unseen, because a transaction that counts alone first waits for all others. Bulk requests are always queued alone.
 */
const SIDE_BY_SIDE = {
  lock: `SELECT pg_advisory_xact_lock_shared(${LOCKS.line})`,
  unseen: "current_setting('max_connections')::bigint",
};
export const ALONE = { lock: `SELECT pg_advisory_xact_lock(${LOCKS.line})`, unseen: "0" };

export type EnqueueDeps = {
  readonly database: Database;
  readonly port: Port;
  /** Rules ended other jobs for these, or have more to do. */
  readonly flowed: (queued: FlowQueued) => void;
};

export async function enqueue(deps: EnqueueDeps, submission: Submission, options: EnqueueOptions): Promise<Enqueued> {
  const one = submission.jobs.length === 1;
  try {
    const sideBySide = one ? await enqueued(deps, submission, options, SIDE_BY_SIDE) : null;
    return sideBySide ?? (await enqueued(deps, submission, options, ALONE)) ?? FULL;
  } catch (thrown) {
    if (thrown instanceof KeyLost) return { state: "key_lost" };
    if (thrown instanceof NoJournal) return { state: "no_journal" };
    throw thrown;
  }
}

const FULL: Enqueued = { state: "full" };

/** This replica was silent for so long that another took over the request under the key: then that one queues the jobs. */
class KeyLost extends Error {}

/** The job whose records were to be taken over is gone. */
class NoJournal extends Error {}

/** Null: there may be a place, but only somebody alone can tell. */
async function enqueued(
  { database, port, flowed }: EnqueueDeps,
  asked: Submission,
  { most, key }: EnqueueOptions,
  { lock, unseen }: typeof ALONE,
): Promise<Enqueued | null> {
  let queuing: QueuedJobs | null = null;
  // The lock comes first, in a statement of its own: the next one sees what was committed before it was given.
  const answer = await database.transaction(async (on): Promise<Enqueued | null> => {
    const enqueueJobs = (wanted: Submission) => insertJobs(wanted, most, unseen);
    queuing = await performed(on, queueJobs({ ...port, enqueue: enqueueJobs }, asked, most));
    if (queuing.answer.state === "full") return queuing.queued + asked.jobs.length > most ? FULL : null;
    if (queuing.answer.state !== "queued") return queuing.answer;
    const { submission } = queuing;
    const takes = submission.durable?.takes;
    const [job] = submission.jobs;
    if (takes !== undefined && job !== undefined) {
      if (!(await holdRecords(on, takes))) throw new NoJournal();
      await takeRecords(on, takes, job.id);
    }
    await addFirstSignals(on, submission);
    const { answer } = queuing;
    if (key !== null && !(await finishKey(on, key, acceptedAnswer(asked, answer)))) throw new KeyLost();
    return answer;
  }, lock);
  if (queuing !== null && answer?.state === "queued") flowed(queuing);
  return answer;
}

/** One statement for everything. */
export function* insertJobs(submission: Submission, most: number, unseen: string): Step<Placed> {
  const { jobs, label, retry, queuedMs, keepMs, retryOf, checksum, program, request } = submission;
  const { traceparent, tracestate, deployment, version, durable = null, flow } = submission;
  const eventOf = (id: string): string => statusEvent({ id, status: "queued", attempt: 0 }, queuedMs).data;
  const inserted = yield* row<{ readonly queued: number; readonly placed: boolean; readonly older: boolean }>(
    `WITH line AS (SELECT count(*) AS queued FROM weft.jobs WHERE status = 'queued'),
     -- A replica of an earlier version would run a durable job that waits in line without its journal. None starts any more, but one may still run.
     older AS (SELECT $26::bigint IS NOT NULL AND EXISTS (SELECT 1 FROM weft.replicas WHERE NOT journals) AS runs),
     place AS (SELECT queued FROM line, older WHERE NOT runs AND queued + cardinality($6::text[]) <= $1::bigint - ${unseen}),
     -- Not marked at each use: writers of one row wait for each other, and jobs of one program would be queued one after the other.
     program AS (
       INSERT INTO weft.programs (checksum, ir, used_ms)
       SELECT $2::text, $3::text, $4::bigint FROM place
       WHERE NOT EXISTS (SELECT 1 FROM weft.programs WHERE checksum = $2 AND used_ms >= $4 - $5::bigint)
       ON CONFLICT (checksum) DO UPDATE SET used_ms = excluded.used_ms
     ),
     one AS (
       SELECT o.* FROM place,
         unnest($6::text[], $7::text[], $8::text[], $9::text[], $27::bigint[], $28::boolean[])
           WITH ORDINALITY AS o (id, trace_id, frame, event, rank, held, at)
     ),
     job AS (
       INSERT INTO weft.jobs
         (id, status, trace_id, frame, label, retry, queued_ms, keep_ms, retry_of, traceparent, checksum, request, tracestate, deployment, version,
          name, tags, schedule, due_ms, parent, place, durable, ends_ms, rank, flow, held, first_signal, keeps)
       SELECT id, 'queued', trace_id, frame, $10::text, $11::boolean, $4, $12::bigint, $13::text, $14::text, $2, $15::text, $18::text,
         $19::text, $20::integer, $21::text, $22::text, $23::text, $24::bigint, $25::text,
         CASE WHEN cardinality($6::text[]) > 1 THEN at - 1 END, $26::bigint IS NOT NULL, $26::bigint, rank, held, held,
         CASE WHEN $26::bigint IS NULL THEN 0 ELSE (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM weft.signals_number_seq) END,
         $29::text
       FROM one
     ),
     event AS (INSERT INTO weft.job_events (job_id, seq, kind, data) SELECT id, 1, 'status', event FROM one)
     SELECT line.queued, place.queued IS NOT NULL AS placed, older.runs AS older,
       -- No client can wait for one of them yet: a general notification is enough.
       CASE WHEN place.queued IS NOT NULL THEN pg_notify($16, ($6::text[])[1] || ' queued') END,
       -- The jobs of one request differ by microseconds.
       (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
         SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object(
           'identifier', $17::text, 'payload', json_build_object('job_id', id), 'job_key', id, 'max_attempts', 1,
           'run_at', ${taskTime("coalesce(rank, $4::bigint)")} - (cardinality($6::text[]) - at) * interval '1 microsecond'))
         FROM one WHERE NOT held
       )))
     FROM line CROSS JOIN older LEFT JOIN place ON true`,
    ...[
      ...[most, checksum, program, queuedMs, PROGRAM_MARKED_MS],
      ...[jobs.map(({ id }) => id), jobs.map(({ traceId }) => traceId), jobs.map(({ frame }) => frame)],
      ...[jobs.map(({ id }) => eventOf(id)), label, retry, keepMs, retryOf, traceparent, request, CHANNEL, TASK],
      ...[tracestate, deployment, version, ...aboutColumns(submission.about)],
      durable === null ? null : queuedMs + durable.lifetimeMs,
      jobs.map((_, at) => flow?.[at]?.rank ?? null),
      jobs.map((_, at) => flow?.[at] != null && isControlled(flow[at])),
      keepsText(submission.keeps),
    ],
  );
  if (inserted?.older === true)
    throw later("store_unavailable", "a replica of an earlier version is running, which knows no durable jobs", 5);
  const placed = inserted?.placed === true;
  if (placed) yield* addSearched(submission);
  return { queued: inserted?.queued ?? 0, state: placed ? "queued" : "full" };
}

async function addFirstSignals(on: Statements, { jobs, queuedMs, durable }: Submission): Promise<void> {
  const signals = durable?.signals ?? [];
  if (signals.length === 0) return;
  await on.query(
    `INSERT INTO weft.signals (id, target, job, name, at_ms, expires_ms, data, bytes)
     SELECT s.id, 'j:' || j.id, j.id, s.name, $1, $2, s.data, s.bytes
     FROM unnest($3::text[]) AS j (id), unnest($4::text[], $5::text[], $6::bytea[], $7::bigint[]) AS s (id, name, data, bytes)
     ON CONFLICT (id, target, name) DO NOTHING`,
    [
      ...[queuedMs, NEVER, jobs.map(({ id }) => id), signals.map(({ id }) => id), signals.map(({ name }) => name)],
      ...[signals.map(({ data }) => packed(data)), signals.map(signalBytes)],
    ],
  );
}

function* addSearched({ jobs, search = [], retryOf, deployment }: Submission): Step<void> {
  const [first] = jobs;
  if (retryOf !== null && first !== undefined) yield* markRetried(retryOf);
  if (retryOf !== null && deployment !== null && first !== undefined)
    yield* run(
      "INSERT INTO weft.job_search (job, member, value) SELECT $1, member, value FROM weft.job_search WHERE job = $2",
      first.id,
      retryOf,
    );
  if (search.length === 0) return;
  yield* run(
    "INSERT INTO weft.job_search (job, member, value) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])",
    search.map(({ at }) => jobs[at]?.id ?? ""),
    search.map(({ member }) => member),
    search.map(({ value }) => value),
  );
}
