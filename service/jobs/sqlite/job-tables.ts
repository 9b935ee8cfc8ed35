/**
 * What can be done to the tables of jobs, each as one call inside the transaction of its batch (`batch.ts`). Runs beside the database,
 * so it knows no clock: times come with the calls.
 */
import type { Database, Statement } from "better-sqlite3";
import { acceptedAnswer, ownResult } from "../bodies.ts";
import {
  afterInterruption,
  isHeldBy,
  isTerminal,
  type Job,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  type JobWork,
  type KeptJob,
  MOST_EVENTS,
  mayMove,
  moved,
  released,
  type StoredJobEvent,
  type Submission,
  TERMINAL_STATUSES,
} from "../job.ts";
import { PROGRAM_MARKED_MS } from "../retention.ts";
import type { Enqueued, EnqueueOptions, FoundJob, JobListing } from "../store.ts";
import { ADD_MOVE, eventsOfMoves, eventsOfStatus, JOBS, jobOf, moveLine, type Row } from "./job-rows.ts";
import type { KeyTables } from "./key-tables.ts";
import type { MemoryRoom } from "./memory-room.ts";
import type { Tally } from "./tally.ts";
import type { PlacedText, TextFiles } from "./text-files.ts";

const JOB = `${JOBS} WHERE id = ?`;
const RUNNING = `${JOBS} WHERE status IN ('running', 'cancelling')`;
const ENDED = "expires_ms IS NOT NULL AND status <> 'expired'";
const USE_PROGRAM = `INSERT INTO programs (checksum, ir, used_ms) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms WHERE used_ms < excluded.used_ms - ${PROGRAM_MARKED_MS}`;
const SUBMIT = `INSERT INTO submissions (label, retry, queued_ms, keep_ms, retry_of, traceparent, checksum, request)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const QUEUE = `INSERT INTO jobs (id, submission, status, trace_id, last_event, moves, frame)
  VALUES (?, ?, 'queued', ?, 1, ?, ?)`;
const FIRST_QUEUED = `SELECT id, submission, trace_id, attempt, started_ms, frame, number FROM jobs INDEXED BY jobs_line
  WHERE status = 'queued' ORDER BY number LIMIT ?`;
const CLAIM = `UPDATE jobs INDEXED BY jobs_line SET status = 'running', attempt = attempt + 1, owner = ?,
  started_ms = coalesce(started_ms, ?), last_event = last_event + 1,
  moves = moves || (last_event + 1) || ' running ' || (attempt + 1) || ' ' || ? || char(10)
  WHERE status = 'queued' AND number <= ?`;
const SETTLE = `UPDATE jobs SET status = ?, owner = NULL, finished_ms = ?, expires_ms = ?, last_event = last_event + 2, ${ADD_MOVE}
  WHERE id = ? AND status = ? AND attempt = ? AND owner = ? RETURNING number`;
const WRITE = `UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?,
  last_event = last_event + ?, ${ADD_MOVE} WHERE id = ?`;
const EXPIRE = "UPDATE jobs SET status = ?, expires_ms = ?, moves = '', frame = NULL WHERE id = ?";
/** Drops the request of a submission whose jobs have all expired. The last one is looked at first: it mostly has not. */
const RELEASE = `UPDATE submissions SET request = NULL WHERE number = (SELECT submission FROM jobs WHERE id = ?) AND request IS NOT NULL
  AND CASE (SELECT status FROM jobs WHERE submission = submissions.number ORDER BY number DESC LIMIT 1) WHEN 'expired'
    THEN NOT EXISTS (SELECT 1 FROM jobs WHERE submission = submissions.number AND status <> 'expired') ELSE 0 END`;
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

/**
 * How a job of this process ended: a list, as a claimed job is one. With names, the way between the threads takes as long as the writing.
 */
export type JobEnd = readonly [
  id: string,
  attempt: number,
  owner: string | null,
  outcome: JobOutcome,
  finishedMs: number,
  expiresMs: number,
  result: string,
];

/** A job that was claimed. */
export type ClaimedRow = readonly [
  id: string,
  submission: number,
  traceId: string,
  /** Before this claim. */
  attempt: number,
  startedMs: number | null,
  frame: string | null,
  number: number,
];
export type ClaimedSubmission = Pick<Row, "label" | "retry" | "queued_ms" | "keep_ms" | "retry_of"> &
  Pick<JobWork, "request" | "traceparent" | "checksum">;
/** What several jobs have in common is told once. */
export type Claimed = {
  readonly rows: readonly ClaimedRow[];
  /** By number. */
  readonly submissions: ReadonlyMap<number, ClaimedSubmission>;
  /** By checksum. */
  readonly programs: ReadonlyMap<string, string>;
};

/** `room`: of a database in memory. */
export function jobTables(db: Database, keys: KeyTables, files: TextFiles, tally: Tally, room: MemoryRoom | null) {
  const prepared = new Map<string, Statement>();
  const sql = (text: string): Statement => {
    const known = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, known);
    return known;
  };
  const jobAt = (id: string): KeptJob | null => {
    const row = sql(JOB).get(id) as Row | undefined;
    return row === undefined ? null : jobOf(row);
  };
  const jobsOf = (rows: readonly unknown[]): readonly KeptJob[] => (rows as readonly Row[]).map(jobOf);

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

  const expire = (job: KeptJob, now: number): KeptJob => {
    const next = moved(job, "expired", now);
    tally.moved(job.status, next.status);
    sql(EXPIRE).run(next.status, next.expiresMs, job.id);
    sql("DELETE FROM job_events WHERE job_id = ?").run(job.id);
    const dropped = sql("DELETE FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?) RETURNING file");
    files.drop((dropped.pluck().get(job.id) ?? null) as string | null);
    room?.left(job.id);
    return next;
  };
  /** Jobs that expired for want of room and were not told of. */
  const crowdedOut: string[] = [];
  const makeRoom = (from: MemoryRoom, id: string, now: number): void => {
    from.entered(id);
    for (let oldest = from.surplus(); oldest !== null; oldest = from.surplus()) {
      expire(jobAt(oldest) as KeptJob, now);
      sql(RELEASE).run(oldest);
      crowdedOut.push(oldest);
    }
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
    if (room !== null && isTerminal(status)) makeRoom(room, id, now);
    return job;
  };
  const interrupt = (job: KeptJob, now: number): KeptJob => {
    const to = afterInterruption(job);
    return write(moved(job, to, now), job.status, ownResult(to, job.traceId), now);
  };
  const held = (asking: Held): KeptJob | null => {
    const job = jobAt(asking.id);
    return job !== null && isHeldBy(job, asking) ? job : null;
  };
  const release = (job: KeptJob, now: number): KeptJob => {
    const next = released(job, now);
    return write(next, job.status, ownResult(next.status, job.traceId), now);
  };
  return {
    enqueue({ submission, most, key }: { readonly submission: Submission } & EnqueueOptions): Enqueued {
      const { jobs, label, retry, queuedMs, keepMs, retryOf, traceparent, checksum, program, request } = submission;
      const position = tally.of("queued");
      if (position + jobs.length > most) return { state: "full" };
      sql(USE_PROGRAM).run(checksum, program, queuedMs);
      const shared = [label, retry ? 1 : 0, queuedMs, keepMs, retryOf, traceparent, checksum, request];
      const { lastInsertRowid } = sql(SUBMIT).run(...shared);
      const moves = `1 ${moveLine({ status: "queued", attempt: 0 }, queuedMs)}`;
      const queue = sql(QUEUE);
      for (const { id, traceId, frame } of jobs) queue.run(id, lastInsertRowid, traceId, moves, frame);
      tally.moved(null, "queued", jobs.length);
      if (key !== null) keys.finish({ ...key, answer: acceptedAnswer(submission, position) });
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
      const settle = sql(SETTLE).pluck();
      const keep = sql("INSERT INTO results (job, text, file) VALUES (?, ?, ?)");
      return ends.map(([id, attempt, owner, outcome, finishedMs, expiresMs, result]) => {
        const move = moveLine({ status: outcome, attempt }, finishedMs);
        // Of one that somebody wants cancelled meanwhile, too.
        for (const from of ["running", "cancelling"] as const) {
          const number = settle.get(outcome, finishedMs, expiresMs, move, id, from, attempt, owner);
          if (number === undefined) continue;
          tally.moved(from, outcome);
          const { text, file } = files.place(id, result);
          keep.run(number, text, file);
          if (room !== null) makeRoom(room, id, finishedMs);
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
      const job = jobAt(id);
      if (job === null) return null;
      const to = job.status === "queued" ? "cancelled" : "cancelling";
      if (!mayMove(job.status, to)) return { job, moved: false };
      return { job: write(moved(job, to, now), job.status, ownResult(to, job.traceId), now), moved: true };
    },

    cancelling({ ids }: { readonly ids: readonly string[] }): readonly string[] {
      return ids.filter((id) => jobAt(id)?.status === "cancelling");
    },

    find({ id }: { readonly id: string }): FoundJob | null {
      const job = jobAt(id);
      if (job === null) return null;
      const ahead = sql(
        "SELECT count(*) FROM jobs WHERE status = 'queued' AND number < (SELECT number FROM jobs WHERE id = ?)",
      );
      const position = job.status === "queued" ? (ahead.pluck().get(id) as number) : null;
      const stored = sql("SELECT text, file FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?)").get(id);
      const result = stored === undefined ? null : files.read(stored as PlacedText);
      return { position, result, ...job };
    },

    /** Later ids are newer. */
    list({ statuses, limit, before }: JobListing): readonly Job[] {
      const words = statuses.map(() => "?").join(", ");
      const older = before === null ? "" : "AND id < ?";
      const place = before === null ? [] : [before.id];
      const rows = sql(`${JOBS} WHERE status IN (${words}) ${older} ORDER BY id DESC LIMIT ?`);
      return jobsOf(rows.all(...statuses, ...place, limit));
    },

    work({ id }: { readonly id: string }): JobWork | null {
      const work = sql(
        `SELECT s.request, j.frame, s.traceparent, checksum, p.ir AS program FROM jobs j
         JOIN submissions s ON s.number = j.submission JOIN programs p USING (checksum) WHERE j.id = ? AND j.status <> 'expired'`,
      );
      return (work.get(id) as JobWork | undefined) ?? null;
    },

    addEvents({ id, owner, attempt, events }: Held & { readonly events: readonly JobEvent[] }): void {
      const last = sql(COUNT_EVENTS).pluck().get(events.length, id, owner, attempt) as number | undefined;
      if (last !== undefined) insertEvents(id, events, last);
    },

    events({ id, seq }: { readonly id: string; readonly seq: number }): readonly StoredJobEvent[] {
      const row = sql("SELECT moves, last_event AS last FROM jobs WHERE id = ?").get(id) as
        | { readonly moves: string; readonly last: number }
        | undefined;
      if (row === undefined) return [];
      const rest = sql("SELECT seq, kind, data FROM job_events WHERE job_id = ? AND seq > ?").all(id, seq);
      const first = Math.max(seq, row.last - MOST_EVENTS);
      const moves = eventsOfMoves(id, row.moves).filter((event) => event.seq > first);
      return [...moves, ...(rest as StoredJobEvent[])].sort((a, b) => a.seq - b.seq);
    },

    /** Every owner but the one asking is dead: it holds the lock of the folder. Looks through all jobs. */
    recover({ owner, now }: { readonly owner: string; readonly now: number }): readonly Job[] {
      return jobsOf(sql(`${RUNNING} AND owner <> ?`).all(owner)).map((job) => interrupt(job, now));
    },

    expire({
      now,
      most,
      mostResults,
    }: {
      readonly now: number;
      readonly most: number;
      readonly mostResults: number;
    }): readonly Job[] {
      const kept = TERMINAL_STATUSES.reduce((sum, status) => sum + tally.of(status), 0);
      const surplus = Math.min(most, Math.max(0, kept - mostResults));
      const due = sql(`${JOBS} WHERE ${ENDED} AND expires_ms <= ? ORDER BY expires_ms LIMIT ?`);
      const oldest = sql(`${JOBS} WHERE ${ENDED} ORDER BY finished_ms, jobs.number LIMIT ?`);
      const jobs = new Map(jobsOf([...due.all(now, most), ...oldest.all(surplus)]).map((job) => [job.id, job]));
      // A change that was taken back has expired none.
      const before = crowdedOut
        .splice(0)
        .map(jobAt)
        .filter((job) => job?.status === "expired") as KeptJob[];
      const expired = [...before, ...[...jobs.values()].map((job) => expire(job, now))];
      for (const { id } of expired) sql(RELEASE).run(id);
      return expired;
    },

    forget({ now, most, tombstoneMs, programMs }: Forgetting): void {
      const gone = sql(
        `DELETE FROM jobs WHERE number IN (
           SELECT number FROM jobs WHERE status = 'expired' AND expires_ms <= ? ORDER BY expires_ms LIMIT ?
         ) RETURNING submission`,
      );
      const submissions = gone.pluck().all(now - tombstoneMs, most) as number[];
      tally.moved("expired", null, submissions.length);
      const remove = sql(
        "DELETE FROM submissions WHERE number = ? AND NOT EXISTS (SELECT 1 FROM jobs WHERE submission = submissions.number)",
      );
      for (const number of new Set(submissions)) remove.run(number);
      sql(
        `DELETE FROM programs WHERE used_ms <= ?
         AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.checksum = programs.checksum AND s.request IS NOT NULL)`,
      ).run(now - programMs);
    },

    figures({ now }: { readonly now: number }) {
      const first = sql(
        `${JOBS} WHERE jobs.number = (SELECT min(number) FROM jobs INDEXED BY jobs_line WHERE status = 'queued')`,
      );
      const oldest = (first.get() as Row | undefined)?.queued_ms ?? null;
      return {
        queue_depth: tally.of("queued"),
        jobs_by_state: tally.all(),
        oldest_queued_age_ms: oldest === null ? null : Math.max(0, now - oldest),
      };
    },

    isFileUsed: (file: string): boolean =>
      sql("SELECT 1 FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?) AND file = ?").get(
        file.replace(/\.json$/, ""),
        file,
      ) !== undefined,
  };
}

export type Forgetting = {
  readonly now: number;
  readonly most: number;
  /** How long ids of expired jobs are known. */
  readonly tombstoneMs: number;
  /** How long programs without jobs are kept. */
  readonly programMs: number;
};
