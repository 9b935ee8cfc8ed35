/**
 * What can be done to the tables of jobs, each as one call inside the transaction of its batch (`batch.ts`). Runs beside the database,
 * so it knows no clock: times come with the calls.
 */
import type { Database, Statement } from "better-sqlite3";
import { acceptedAnswer, ownResult } from "../bodies.ts";
import {
  afterInterruption,
  type ClaimedJob,
  eventsOfMove,
  isTerminal,
  type Job,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  MOST_EVENTS,
  mayMove,
  type NewJob,
  type StoredJobEvent,
} from "../job.ts";
import type { Enqueued, EnqueueOptions, FoundJob, JobListing } from "../store.ts";
import type { KeyTables } from "./key-tables.ts";
import type { TextFiles } from "./text-files.ts";

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

/** Who changes a job that must be its own, in this attempt, and when. */
export type Holder = { readonly id: string; readonly attempt: number; readonly owner: string; readonly now: number };

export type JobTables = ReturnType<typeof jobTables>;

export function jobTables(db: Database, keys: KeyTables, files: TextFiles) {
  const prepared = new Map<string, Statement>();
  const sql = (text: string): Statement => {
    const known = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, known);
    return known;
  };
  const rowOf = (id: string): Row | undefined =>
    sql(`SELECT ${COLUMNS} FROM jobs WHERE id = ?`).get(id) as Row | undefined;
  const countQueued = (): number => sql("SELECT count(*) FROM jobs WHERE status = 'queued'").pluck().get() as number;

  const addEvents = (id: string, events: readonly JobEvent[]): void => {
    const last = sql("SELECT coalesce(max(seq), 0) FROM job_events WHERE job_id = ?").pluck().get(id) as number;
    const insert = sql("INSERT INTO job_events (job_id, seq, kind, data) VALUES (?, ?, ?, ?)");
    events.forEach(({ kind, data }, at) => {
      insert.run(id, last + at + 1, kind, data);
    });
    if (last + events.length > MOST_EVENTS)
      sql("DELETE FROM job_events WHERE job_id = ? AND seq <= ?").run(id, last + events.length - MOST_EVENTS);
  };

  /** The one place where a status changes. */
  const move = (row: Row, to: JobStatus, changes: Partial<Row>, result: string | null, now: number): Job => {
    if (!mayMove(row.status, to)) throw new Error(`no move from ${row.status} to ${to}`);
    const ended =
      isTerminal(to) && to !== "expired" ? { finished_ms: now, expires_ms: now + row.keep_ms, owner: null } : {};
    const next: Row = { ...row, ...ended, ...changes, status: to };
    const placed = result === null ? { text: null, file: null } : files.place(row.id, result);
    sql(
      "UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?, result = ?, result_file = ? WHERE id = ?",
    ).run(
      next.status,
      next.attempt,
      next.owner,
      next.started_ms,
      next.finished_ms,
      next.expires_ms,
      placed.text,
      placed.file,
      row.id,
    );
    const job = jobOf(next);
    if (to !== "expired") addEvents(row.id, eventsOfMove(job, now));
    return job;
  };

  const interrupt = (row: Row, now: number): Job => {
    const to = afterInterruption(jobOf(row));
    return move(row, to, to === "queued" ? { owner: null } : {}, ownResult(to, row.trace_id), now);
  };

  const held = ({ id, attempt, owner }: Holder): Row | null => {
    const row = rowOf(id);
    const fits = row !== undefined && row.owner === owner && row.attempt === attempt && mayMove(row.status, "failed");
    return fits ? row : null;
  };

  const work = (row: Row): ClaimedJob => {
    const rest = sql(
      "SELECT j.request, j.traceparent, p.ir AS program FROM jobs j JOIN programs p USING (checksum) WHERE j.id = ?",
    );
    return { ...jobOf(row), ...(rest.get(row.id) as Omit<ClaimedJob, keyof Job>) };
  };

  return {
    enqueue({ job, most, key }: { readonly job: NewJob } & EnqueueOptions): Enqueued {
      const position = countQueued();
      if (position >= most) return { state: "full" };
      sql(
        "INSERT INTO programs (checksum, ir, used_ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used_ms = excluded.used_ms",
      ).run(job.checksum, job.program, job.queuedMs);
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
      addEvents(job.id, eventsOfMove({ id: job.id, status: "queued", attempt: 0 }, job.queuedMs));
      if (key !== null) keys.finish({ ...key, answer: acceptedAnswer(job, position), traceId: job.traceId });
      return { state: "queued", position };
    },

    claim({ owner, now }: { readonly owner: string; readonly now: number }): ClaimedJob | null {
      const row = sql(`SELECT ${COLUMNS} FROM jobs WHERE status = 'queued' ORDER BY queued_ms, id LIMIT 1`).get() as
        | Row
        | undefined;
      if (row === undefined) return null;
      const { attempt } = move(
        row,
        "running",
        { owner, attempt: row.attempt + 1, started_ms: row.started_ms ?? now },
        null,
        now,
      );
      return work({ ...row, status: "running", attempt, started_ms: row.started_ms ?? now });
    },

    settle({
      outcome,
      result,
      ...holder
    }: Holder & { readonly outcome: JobOutcome; readonly result: string }): Job | null {
      const row = held(holder);
      return row === null ? null : move(row, outcome, {}, result, holder.now);
    },

    interrupt(holder: Holder): Job | null {
      const row = held(holder);
      return row === null ? null : interrupt(row, holder.now);
    },

    cancel({
      id,
      now,
    }: {
      readonly id: string;
      readonly now: number;
    }): { readonly job: Job; readonly moved: boolean } | null {
      const row = rowOf(id);
      if (row === undefined) return null;
      const to = row.status === "queued" ? "cancelled" : "cancelling";
      if (!mayMove(row.status, to)) return { job: jobOf(row), moved: false };
      return { job: move(row, to, {}, ownResult(to, row.trace_id), now), moved: true };
    },

    find({ id }: { readonly id: string }): FoundJob | null {
      const row = rowOf(id);
      if (row === undefined) return null;
      const ahead = sql("SELECT count(*) FROM jobs WHERE status = 'queued' AND (queued_ms, id) < (?, ?)").pluck();
      const position = row.status === "queued" ? (ahead.get(row.queued_ms, id) as number) : null;
      const stored = sql("SELECT result AS text, result_file AS file FROM jobs WHERE id = ?").get(id);
      return { ...jobOf(row), position, result: files.read(stored as Parameters<TextFiles["read"]>[0]) };
    },

    list({ statuses, limit, before }: JobListing): readonly Job[] {
      const words = statuses.map(() => "?").join(", ");
      const older = before === null ? "" : "AND (queued_ms, id) < (?, ?)";
      const rows = sql(
        `SELECT ${COLUMNS} FROM jobs WHERE status IN (${words}) ${older} ORDER BY queued_ms DESC, id DESC LIMIT ?`,
      );
      const place = before === null ? [] : [before.queuedMs, before.id];
      return (rows.all(...statuses, ...place, limit) as Row[]).map(jobOf);
    },

    work({ id }: { readonly id: string }): ClaimedJob | null {
      const row = rowOf(id);
      return row === undefined || row.status === "expired" ? null : work(row);
    },

    addEvents({ events, ...holder }: Holder & { readonly events: readonly JobEvent[] }): void {
      if (held(holder) !== null) addEvents(holder.id, events);
    },

    events({ id, seq }: { readonly id: string; readonly seq: number }): readonly StoredJobEvent[] {
      const rows = sql("SELECT seq, kind, data FROM job_events WHERE job_id = ? AND seq > ? ORDER BY seq");
      return rows.all(id, seq) as StoredJobEvent[];
    },

    /** Every owner but the one asking is dead: it holds the lock of the folder. */
    recover({ owner, now }: { readonly owner: string; readonly now: number }): readonly Job[] {
      const rows = sql(`SELECT ${COLUMNS} FROM jobs WHERE status IN ('running', 'cancelling') AND owner <> ?`).all(
        owner,
      ) as Row[];
      return rows.map((row) => interrupt(row, now));
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
      const ended = "status IN ('succeeded', 'failed', 'timed_out', 'cancelled', 'interrupted', 'rejected')";
      const kept = sql(`SELECT count(*) FROM jobs WHERE ${ended}`).pluck().get() as number;
      const surplus = Math.min(most, Math.max(0, kept - mostResults));
      const due = sql(`SELECT ${COLUMNS} FROM jobs WHERE ${ended} AND expires_ms <= ? ORDER BY expires_ms LIMIT ?`).all(
        now,
        most,
      ) as Row[];
      const oldest = sql(`SELECT ${COLUMNS} FROM jobs WHERE ${ended} ORDER BY finished_ms, id LIMIT ?`).all(
        surplus,
      ) as Row[];
      const rows = new Map([...due, ...oldest].map((row) => [row.id, row]));
      return [...rows.values()].map((row) => {
        const file = sql("SELECT result_file FROM jobs WHERE id = ?").pluck().get(row.id) as string | null;
        const job = move(row, "expired", { expires_ms: now }, null, now);
        sql("UPDATE jobs SET request = NULL WHERE id = ?").run(row.id);
        sql("DELETE FROM job_events WHERE job_id = ?").run(row.id);
        files.remove(file);
        return job;
      });
    },

    forget({ now, most, tombstoneMs, programMs }: Forgetting): void {
      sql(
        "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE status = 'expired' AND expires_ms <= ? ORDER BY expires_ms LIMIT ?)",
      ).run(now - tombstoneMs, most);
      sql(
        `DELETE FROM programs WHERE used_ms <= ?
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.checksum = programs.checksum AND jobs.status <> 'expired')`,
      ).run(now - programMs);
    },

    figures({ now }: { readonly now: number }) {
      const counts = sql("SELECT status, count(*) AS jobs FROM jobs GROUP BY status").all() as {
        status: JobStatus;
        jobs: number;
      }[];
      const oldest = sql("SELECT min(queued_ms) FROM jobs WHERE status = 'queued'").pluck().get() as number | null;
      return {
        queue_depth: counts.find(({ status }) => status === "queued")?.jobs ?? 0,
        jobs_by_state: Object.fromEntries(counts.map(({ status, jobs }) => [status, jobs])),
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

function jobOf(row: Row): Job {
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
  };
}
