/**
 * What can be done to the tables of jobs, each as one call inside the transaction of its batch (`batch.ts`). Runs beside the database,
 * so it knows no clock: times come with the calls.
 */
import type { Database, Statement } from "better-sqlite3";
import { acceptedAnswer, ownResult } from "../bodies.ts";
import {
  afterInterruption,
  eventsOfMove,
  isHeldBy,
  type Job,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  type JobWork,
  type KeptJob,
  MOST_EVENTS,
  mayMove,
  moved,
  type NewJob,
  released,
  type StoredJobEvent,
  TERMINAL_STATUSES,
} from "../job.ts";
import { PROGRAM_MARKED_MS } from "../retention.ts";
import type { Enqueued, EnqueueOptions, FoundJob, JobListing } from "../store.ts";
import type { KeyTables } from "./key-tables.ts";
import type { Tally } from "./tally.ts";
import type { PlacedText, TextFiles } from "./text-files.ts";

type Row = {
  readonly id: string;
  readonly status: JobStatus;
  readonly trace_id: string;
  readonly label: string;
  readonly attempt: number;
  readonly retry: number;
  readonly owner: string | null;
  readonly queued_ms: number;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
  readonly expires_ms: number | null;
  readonly keep_ms: number;
  readonly retry_of: string | null;
};
const COLUMNS =
  "id, status, trace_id, label, attempt, retry, owner, queued_ms, started_ms, finished_ms, expires_ms, keep_ms, retry_of";
const JOB = `SELECT ${COLUMNS} FROM jobs WHERE id = ?`;
const FIRST_QUEUED = `SELECT ${COLUMNS}, request, traceparent, checksum FROM jobs WHERE status = 'queued'
  ORDER BY queued_ms, id LIMIT ?`;
const USE_PROGRAM = `INSERT INTO programs (checksum, ir, used_ms) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms WHERE used_ms < excluded.used_ms - ${PROGRAM_MARKED_MS}`;

/** A job of the process that asks, as it was claimed, and when it asks. */
export type Held = {
  readonly id: string;
  readonly attempt: number;
  readonly owner: string | null;
  readonly now: number;
};

export type OwnersJobs = { readonly owner: string; readonly now: number; readonly known: ReadonlySet<string> };

/** A job that was claimed. Its program is told once for all jobs of a claim that have it. */
export type ClaimedRow = KeptJob & Omit<JobWork, "program">;
export type Claimed = {
  readonly jobs: readonly ClaimedRow[];
  /** By checksum. */
  readonly programs: ReadonlyMap<string, string>;
};

export function jobTables(db: Database, keys: KeyTables, files: TextFiles, tally: Tally) {
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

  const lastEvent = (id: string): number =>
    sql("SELECT coalesce(max(seq), 0) FROM job_events WHERE job_id = ?").pluck().get(id) as number;
  const addEvents = (id: string, events: readonly JobEvent[], last = lastEvent(id)): void => {
    const insert = sql("INSERT INTO job_events (job_id, seq, kind, data) VALUES (?, ?, ?, ?)");
    events.forEach(({ kind, data }, at) => {
      insert.run(id, last + at + 1, kind, data);
    });
    if (last + events.length > MOST_EVENTS)
      sql("DELETE FROM job_events WHERE job_id = ? AND seq <= ?").run(id, last + events.length - MOST_EVENTS);
  };

  /** The one place where a status changes. */
  const write = (job: KeptJob, from: JobStatus, result: string | null, now: number): KeptJob => {
    tally.moved(from, job.status);
    const { text, file } = result === null ? { text: null, file: null } : files.place(job.id, result);
    sql(
      `UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?, result = ?,
       result_file = ? WHERE id = ?`,
    ).run(job.status, job.attempt, job.owner, job.startedMs, job.finishedMs, job.expiresMs, text, file, job.id);
    if (job.status !== "expired") addEvents(job.id, eventsOfMove(job, now));
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
  const workOf = (id: string): JobWork =>
    sql(
      "SELECT j.request, j.traceparent, checksum, p.ir AS program FROM jobs j JOIN programs p USING (checksum) WHERE j.id = ?",
    ).get(id) as JobWork;

  return {
    enqueue({ job, most, key }: { readonly job: NewJob } & EnqueueOptions): Enqueued {
      const position = tally.of("queued");
      if (position >= most) return { state: "full" };
      sql(USE_PROGRAM).run(job.checksum, job.program, job.queuedMs);
      sql(
        `INSERT INTO jobs (id, status, trace_id, label, retry, queued_ms, keep_ms, retry_of, traceparent, checksum, request)
         VALUES (?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        job.id,
        job.traceId,
        job.label,
        job.retry ? 1 : 0,
        job.queuedMs,
        job.keepMs,
        job.retryOf,
        job.traceparent,
        job.checksum,
        job.request,
      );
      tally.moved(null, "queued");
      addEvents(job.id, eventsOfMove({ id: job.id, status: "queued", attempt: 0 }, job.queuedMs), 0);
      if (key !== null) keys.finish({ ...key, answer: acceptedAnswer(job, position) });
      return { state: "queued", position };
    },

    /** The first in line, at most so many. */
    claim({ owner, now, most }: { readonly owner: string; readonly now: number; readonly most: number }): Claimed {
      const rows = sql(FIRST_QUEUED).all(most) as readonly (Row & Omit<JobWork, "program">)[];
      const program = sql("SELECT ir FROM programs WHERE checksum = ?").pluck();
      const programs = new Map<string, string>();
      const jobs = rows.map((row): ClaimedRow => {
        const { request, traceparent, checksum } = row;
        if (!programs.has(checksum)) programs.set(checksum, program.get(checksum) as string);
        const job = write(moved(jobOf(row), "running", now, owner), row.status, null, now);
        return { request, traceparent, checksum, ...job };
      });
      return { jobs, programs };
    },

    /** Puts a job back that was claimed and not begun. */
    release(asking: Held): Job | null {
      const job = held(asking);
      return job === null ? null : release(job, asking.now);
    },

    /** Puts back what runs under this owner without its knowing: the answer of a claim was lost. */
    releaseUnknown({ owner, now, known }: OwnersJobs): readonly Job[] {
      const rows = sql(`SELECT ${COLUMNS} FROM jobs WHERE status IN ('running', 'cancelling') AND owner = ?`);
      const unknown = jobsOf(rows.all(owner)).filter(({ id }) => !known.has(id));
      return unknown.map((job) => release(job, now));
    },

    settle(asking: Held & { readonly outcome: JobOutcome; readonly result: string }): Job | null {
      const job = held(asking);
      const { outcome, result, now } = asking;
      return job === null ? null : write(moved(job, outcome, now), job.status, result, now);
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
      const ahead = sql("SELECT count(*) FROM jobs WHERE status = 'queued' AND (queued_ms, id) < (?, ?)").pluck();
      const position = job.status === "queued" ? (ahead.get(job.queuedMs, id) as number) : null;
      const stored = sql("SELECT result AS text, result_file AS file FROM jobs WHERE id = ?").get(id) as PlacedText;
      return { position, result: files.read(stored), ...job };
    },

    list({ statuses, limit, before }: JobListing): readonly Job[] {
      const words = statuses.map(() => "?").join(", ");
      const older = before === null ? "" : "AND (queued_ms, id) < (?, ?)";
      const place = before === null ? [] : [before.queuedMs, before.id];
      return jobsOf(
        sql(
          `SELECT ${COLUMNS} FROM jobs WHERE status IN (${words}) ${older} ORDER BY queued_ms DESC, id DESC LIMIT ?`,
        ).all(...statuses, ...place, limit),
      );
    },

    work({ id }: { readonly id: string }): JobWork | null {
      const job = jobAt(id);
      return job === null || job.status === "expired" ? null : workOf(id);
    },

    addEvents(asking: Held & { readonly events: readonly JobEvent[] }): void {
      if (held(asking) !== null) addEvents(asking.id, asking.events);
    },

    events({ id, seq }: { readonly id: string; readonly seq: number }): readonly StoredJobEvent[] {
      const rows = sql("SELECT seq, kind, data FROM job_events WHERE job_id = ? AND seq > ? ORDER BY seq");
      return rows.all(id, seq) as StoredJobEvent[];
    },

    /** Every owner but the one asking is dead: it holds the lock of the folder. */
    recover({ owner, now }: { readonly owner: string; readonly now: number }): readonly Job[] {
      const rows = sql(`SELECT ${COLUMNS} FROM jobs WHERE status IN ('running', 'cancelling') AND owner <> ?`).all(
        owner,
      );
      return jobsOf(rows).map((job) => interrupt(job, now));
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
      const ended = `status IN (${TERMINAL_STATUSES.map((status) => `'${status}'`).join(", ")})`;
      const kept = TERMINAL_STATUSES.reduce((sum, status) => sum + tally.of(status), 0);
      const surplus = Math.min(most, Math.max(0, kept - mostResults));
      const due = sql(`SELECT ${COLUMNS} FROM jobs WHERE ${ended} AND expires_ms <= ? ORDER BY expires_ms LIMIT ?`);
      const oldest = sql(`SELECT ${COLUMNS} FROM jobs WHERE ${ended} ORDER BY finished_ms, id LIMIT ?`);
      const jobs = new Map(jobsOf([...due.all(now, most), ...oldest.all(surplus)]).map((job) => [job.id, job]));
      return [...jobs.values()].map((job) => {
        const file = sql("SELECT result_file FROM jobs WHERE id = ?").pluck().get(job.id) as string | null;
        sql("UPDATE jobs SET request = NULL WHERE id = ?").run(job.id);
        sql("DELETE FROM job_events WHERE job_id = ?").run(job.id);
        files.drop(file);
        return write(moved(job, "expired", now), job.status, null, now);
      });
    },

    forget({ now, most, tombstoneMs, programMs }: Forgetting): void {
      const { changes } = sql(
        "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE status = 'expired' AND expires_ms <= ? ORDER BY expires_ms LIMIT ?)",
      ).run(now - tombstoneMs, most);
      tally.moved("expired", null, changes);
      sql(
        `DELETE FROM programs WHERE used_ms <= ?
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.checksum = programs.checksum AND jobs.status <> 'expired')`,
      ).run(now - programMs);
    },

    figures({ now }: { readonly now: number }) {
      const oldest = sql("SELECT min(queued_ms) FROM jobs WHERE status = 'queued'").pluck().get() as number | null;
      return {
        queue_depth: tally.of("queued"),
        jobs_by_state: tally.all(),
        oldest_queued_age_ms: oldest === null ? null : Math.max(0, now - oldest),
      };
    },

    isFileUsed: (file: string): boolean =>
      sql("SELECT 1 FROM jobs WHERE id = ? AND result_file = ?").get(file.replace(/\.json$/, ""), file) !== undefined,
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

function jobOf(row: Row): KeptJob {
  return {
    id: row.id,
    status: row.status,
    traceId: row.trace_id,
    label: row.label,
    attempt: row.attempt,
    retry: row.retry === 1,
    queuedMs: row.queued_ms,
    startedMs: row.started_ms,
    finishedMs: row.finished_ms,
    expiresMs: row.expires_ms,
    retryOf: row.retry_of,
    owner: row.owner,
    keepMs: row.keep_ms,
  };
}
