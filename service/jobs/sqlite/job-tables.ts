/**
 * What can be done to the tables of jobs, each as one call inside the transaction of its batch (`batch.ts`): here what moves a job, beside
 * it what is asked (`job-reads.ts`) and what goes with time (`job-retention.ts`). Runs beside the database, so it knows no clock: times
 * come with the calls.
 */
import type { Database } from "better-sqlite3";
import { acceptedAnswer, ownResult, unbegunResult } from "../bodies.ts";
import {
  afterInterruption,
  isHeldBy,
  isTerminal,
  type Job,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  type KeptJob,
  MOST_EVENTS,
  mayMove,
  moved,
  released,
  type Submission,
  type SubmittedJob,
} from "../job.ts";
import { PROGRAM_MARKED_MS } from "../retention.ts";
import type { Enqueued, EnqueueOptions } from "../store.ts";
import type { Claimed, ClaimedRow, ClaimedSubmission } from "./claimed.ts";
import { jobReads } from "./job-reads.ts";
import { jobRetention } from "./job-retention.ts";
import { ADD_MOVE, eventsOfStatus, JOBS, jobAt, jobsOf, moveLine, preparing } from "./job-rows.ts";
import type { KeyTables } from "./key-tables.ts";
import type { MemoryRoom } from "./memory-room.ts";
import type { Tally } from "./tally.ts";
import type { TextFiles } from "./text-files.ts";

const RUNNING = `${JOBS} WHERE status IN ('running', 'cancelling')`;
const USE_PROGRAM = `INSERT INTO programs (checksum, ir, used_ms) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms WHERE used_ms < excluded.used_ms - ${PROGRAM_MARKED_MS}`;
const SUBMIT = `INSERT INTO submissions
  (label, retry, queued_ms, keep_ms, retry_of, traceparent, tracestate, checksum, request, first_job, last_job)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const NEXT_NUMBER = "SELECT coalesce(max(number), 0) + 1 FROM jobs";
const QUEUE = `INSERT INTO jobs (number, id, submission, status, trace_id, last_event, moves, frame)
  VALUES (?, ?, ?, 'queued', ?, 1, ?, ?)`;
const FIRST_QUEUED = `SELECT id, submission, trace_id, attempt, started_ms, frame, number FROM jobs INDEXED BY jobs_line
  WHERE status = 'queued' ORDER BY number LIMIT ?`;
const CLAIM = `UPDATE jobs INDEXED BY jobs_line SET status = 'running', attempt = attempt + 1, owner = ?,
  started_ms = coalesce(started_ms, ?), last_event = last_event + 1,
  moves = moves || (last_event + 1) || ' running ' || (attempt + 1) || ' ' || ? || char(10)
  WHERE status = 'queued' AND number <= ?`;
const SETTLE = `UPDATE jobs SET status = ?, owner = NULL, finished_ms = ?, expires_ms = ?, last_event = last_event + 2, ${ADD_MOVE}
  WHERE number = ? AND id = ? AND status = ? AND attempt = ? AND owner = ?`;
const WRITE = `UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?,
  last_event = last_event + ?, ${ADD_MOVE} WHERE id = ?`;
const REQUEST = "SELECT request FROM submissions WHERE number = (SELECT submission FROM jobs WHERE id = ?)";
const KEEP_RESULT = "INSERT INTO results (job, text, file) SELECT number, ?, ? FROM jobs WHERE id = ?";
/** Adding events to a job that its owner runs: the number of the last one. */
const COUNT_EVENTS = `UPDATE jobs SET last_event = last_event + ? WHERE id = ? AND owner = ? AND attempt = ?
  AND status IN ('running', 'cancelling') RETURNING last_event`;

/** A job of the process that asks, as it was claimed, and when it asks. */
export type Held = {
  readonly id: string;
  readonly attempt: number;
  readonly owner: string | null;
  readonly now: number;
};

export type OwnersJobs = { readonly owner: string; readonly now: number; readonly known: ReadonlySet<string> };

/** The jobs of a submission, three texts for each: its id, its trace and its frame. Lists for each take longer on the way between the threads. */
export type SubmittedRows = readonly (string | null)[];
export type SubmissionRows = { readonly submission: Omit<Submission, "jobs">; readonly rows: SubmittedRows };

export function submittedRows({ jobs, ...submission }: Submission): SubmissionRows {
  const rows: (string | null)[] = [];
  for (const { id, traceId, frame } of jobs) rows.push(id, traceId, frame);
  return { submission, rows };
}

/** As they were before they became rows. */
function submittedJobs(rows: SubmittedRows): readonly SubmittedJob[] {
  const jobs: SubmittedJob[] = [];
  for (let at = 0; at < rows.length; at += 3)
    jobs.push({ id: rows[at] as string, traceId: rows[at + 1] as string, frame: rows[at + 2] as string | null });
  return jobs;
}

/**
 * How a job of this process ended: a list, as a claimed job is one. With names, the way between the threads takes as long as the writing.
 */
export type JobEnd = readonly [
  number: number,
  id: string,
  attempt: number,
  owner: string | null,
  outcome: JobOutcome,
  finishedMs: number,
  expiresMs: number,
  result: string,
];

/** `room`: of a database in memory. */
export function jobTables(db: Database, keys: KeyTables, files: TextFiles, tally: Tally, room: MemoryRoom | null) {
  const sql = preparing(db);
  const { ended, ...retention } = jobRetention(sql, files, tally, room);

  const insertEvents = (id: string, events: readonly JobEvent[], last: number): void => {
    const insert = sql("INSERT INTO job_events (job_id, seq, kind, data) VALUES (?, ?, ?, ?)");
    events.forEach(({ kind, data }, at) => {
      insert.run(id, last - events.length + at + 1, kind, data);
    });
    sql("DELETE FROM job_events WHERE job_id = ? AND seq <= ?").run(id, last - MOST_EVENTS);
  };
  const keepResult = (id: string, result: string): void => {
    const { text, file } = files.place(id, result);
    sql(KEEP_RESULT).run(text, file, id);
  };

  /** Moves that are made one by one. */
  const write = (job: KeptJob, from: JobStatus, result: string | null, now: number): KeptJob => {
    const { id, status, attempt, owner, startedMs, finishedMs, expiresMs } = job;
    tally.moved(from, status);
    sql(WRITE).run(
      ...[status, attempt, owner, startedMs, finishedMs, expiresMs],
      ...[eventsOfStatus(status), moveLine(job, now), id],
    );
    if (result !== null) keepResult(id, result);
    if (isTerminal(status)) ended(id, now);
    return job;
  };
  const interrupt = (job: KeptJob, now: number): KeptJob => {
    const to = afterInterruption(job);
    return write(moved(job, to, now), job.status, ownResult(to, job.traceId), now);
  };
  const held = (asking: Held): KeptJob | null => {
    const job = jobAt(sql, asking.id);
    return job !== null && isHeldBy(job, asking) ? job : null;
  };
  const unbegun = ({ id, status, traceId }: KeptJob): string | null =>
    unbegunResult(status, traceId, sql(REQUEST).pluck().get(id) as string);
  const release = (job: KeptJob, now: number): KeptJob => {
    const next = released(job, now);
    return write(next, job.status, unbegun(next), now);
  };
  return {
    ...jobReads(sql, files, tally),
    ...retention,

    enqueue({ submission, rows, most, key }: SubmissionRows & EnqueueOptions): Enqueued {
      const { label, retry, queuedMs, keepMs, retryOf, checksum, program, request } = submission;
      const { traceparent, tracestate } = submission;
      const position = tally.of("queued");
      const count = rows.length / 3;
      if (position + count > most) return { state: "full" };
      sql(USE_PROGRAM).run(checksum, program, queuedMs);
      const first = sql(NEXT_NUMBER).pluck().get() as number;
      const shared = [label, retry ? 1 : 0, queuedMs, keepMs, retryOf, traceparent, tracestate, checksum, request];
      const { lastInsertRowid } = sql(SUBMIT).run(...shared, first, first + count - 1);
      const moves = `1 ${moveLine({ status: "queued", attempt: 0 }, queuedMs)}`;
      const queue = sql(QUEUE);
      for (let at = 0; at < count; at++)
        queue.run(first + at, rows[3 * at], lastInsertRowid, rows[3 * at + 1], moves, rows[3 * at + 2]);
      tally.moved(null, "queued", count);
      if (key !== null) {
        const answer = acceptedAnswer({ ...submission, jobs: submittedJobs(rows) }, position);
        keys.finish({ ...key, answer });
      }
      return { state: "queued", position };
    },

    /** The first in line, at most so many. */
    claim({ owner, now, most }: { readonly owner: string; readonly now: number; readonly most: number }): Claimed {
      const rows = sql(FIRST_QUEUED).raw().all(most) as ClaimedRow[];
      const last = rows.at(-1)?.[6] ?? 0;
      sql(CLAIM).run(owner, now, now, last);
      tally.moved("queued", "running", rows.length);
      const submissions = new Map<number, ClaimedSubmission>();
      const programs = new Map<string, string>();
      for (const [, number] of rows) {
        if (submissions.has(number)) continue;
        const submission = sql("SELECT * FROM submissions WHERE number = ?").get(number) as ClaimedSubmission;
        submissions.set(number, submission);
        const { checksum } = submission;
        if (!programs.has(checksum))
          programs.set(checksum, sql("SELECT ir FROM programs WHERE checksum = ?").pluck().get(checksum) as string);
      }
      return { rows, submissions, programs };
    },

    /** Puts a job back that was claimed and not begun. */
    release(asking: Held): Job | null {
      const job = held(asking);
      return job === null ? null : release(job, asking.now);
    },

    /** Puts back what runs under this owner without its knowing: the answer of a claim was lost. */
    releaseUnknown({ owner, now, known }: OwnersJobs): readonly Job[] {
      const unknown = jobsOf(sql(`${RUNNING} AND owner = ?`).all(owner)).filter(({ id }) => !known.has(id));
      return unknown.map((job) => release(job, now));
    },

    /** Each: whether it was made, which a job of another owner or attempt is not. */
    settle(ends: readonly JobEnd[]): readonly boolean[] {
      const settle = sql(SETTLE);
      const keep = sql("INSERT INTO results (job, text, file) VALUES (?, ?, ?)");
      return ends.map(([number, id, attempt, owner, outcome, finishedMs, expiresMs, result]) => {
        const move = moveLine({ status: outcome, attempt }, finishedMs);
        // Of one that somebody wants cancelled meanwhile, too.
        for (const from of ["running", "cancelling"] as const) {
          const { changes } = settle.run(outcome, finishedMs, expiresMs, move, number, id, from, attempt, owner);
          if (changes === 0) continue;
          tally.moved(from, outcome);
          const { text, file } = files.place(id, result);
          keep.run(number, text, file);
          ended(id, finishedMs);
          return true;
        }
        return false;
      });
    },

    interrupt(asking: Held): Job | null {
      const job = held(asking);
      return job === null ? null : interrupt(job, asking.now);
    },

    cancel({
      id,
      now,
    }: {
      readonly id: string;
      readonly now: number;
    }): { readonly job: Job; readonly moved: boolean } | null {
      const job = jobAt(sql, id);
      if (job === null) return null;
      const to = job.status === "queued" ? "cancelled" : "cancelling";
      if (!mayMove(job.status, to)) return { job, moved: false };
      const next = moved(job, to, now);
      return { job: write(next, job.status, unbegun(next), now), moved: true };
    },

    addEvents({ id, owner, attempt, events }: Held & { readonly events: readonly JobEvent[] }): void {
      const last = sql(COUNT_EVENTS).pluck().get(events.length, id, owner, attempt) as number | undefined;
      if (last !== undefined) insertEvents(id, events, last);
    },

    /** Every owner but the one asking is dead: it holds the lock of the folder. Looks through all jobs. */
    recover({ owner, now }: { readonly owner: string; readonly now: number }): readonly Job[] {
      return jobsOf(sql(`${RUNNING} AND owner <> ?`).all(owner)).map((job) => interrupt(job, now));
    },
  };
}
