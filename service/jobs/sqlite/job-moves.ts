/**
 * What moves a job that is there: how it is put back, ends, is interrupted or cancelled, and what it says on the way. Each is one call inside
 * the transaction of its batch (`calls.ts`). Runs beside the database, so it knows no clock: times come with the calls.
 */
import { ownResult, type RunSoFar, toldSoFar, unbegunResult } from "../bodies.ts";
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
} from "../job.ts";
import { ADD_MOVE, eventsOfStatus, JOBS, jobAt, jobsOf, lastStart, moveLine, type Sql } from "./job-rows.ts";
import type { Tally } from "./tally.ts";
import type { TextFiles } from "./text-files.ts";

const RUNNING = `${JOBS} WHERE status IN ('running', 'cancelling')`;
const SETTLE = `UPDATE jobs SET status = ?, owner = NULL, finished_ms = ?, expires_ms = ?, last_event = last_event + 2, ${ADD_MOVE}
  WHERE number = ? AND id = ? AND status = ? AND attempt = ? AND owner = ?`;
const WRITE = `UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?,
  last_event = last_event + ?, ${ADD_MOVE} WHERE id = ?`;
const REQUEST = "SELECT request FROM submissions WHERE number = (SELECT submission FROM jobs WHERE id = ?)";
const LAST_PROGRESS = `SELECT data FROM job_events WHERE job_id = ? AND seq > ? AND kind = 'progress' ORDER BY seq DESC LIMIT 1`;
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

type OwnersJobs = { readonly owner: string; readonly now: number; readonly known: ReadonlySet<string> };

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

/** `ended`: told of each job that is over. */
export function jobMoves(sql: Sql, files: TextFiles, tally: Tally, ended: (id: string, now: number) => void) {
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
  const requestOf = (id: string): string => sql(REQUEST).pluck().get(id) as string;
  /** As its events told it. */
  const soFar = ({ id }: KeptJob): RunSoFar => {
    const begun = lastStart(sql("SELECT moves FROM jobs WHERE id = ?").pluck().get(id) as string);
    return toldSoFar(requestOf(id), (sql(LAST_PROGRESS).pluck().get(id, begun) as string | undefined) ?? null);
  };
  const interrupt = (job: KeptJob, known: RunSoFar | null, now: number): KeptJob => {
    const to = afterInterruption(job);
    const result = to === "queued" ? null : ownResult(to, job.traceId, known ?? soFar(job));
    return write(moved(job, to, now), job.status, result, now);
  };
  const held = (asking: Held): KeptJob | null => {
    const job = jobAt(sql, asking.id);
    return job !== null && isHeldBy(job, asking) ? job : null;
  };
  const unbegun = ({ id, status, traceId }: KeptJob): string | null => unbegunResult(status, traceId, requestOf(id));
  const release = (job: KeptJob, now: number): KeptJob => {
    const next = released(job, now);
    return write(next, job.status, unbegun(next), now);
  };
  return {
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

    interrupt({ known, ...asking }: Held & { readonly known: RunSoFar | null }): Job | null {
      const job = held(asking);
      return job === null ? null : interrupt(job, known, asking.now);
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
      return jobsOf(sql(`${RUNNING} AND owner <> ?`).all(owner)).map((job) => interrupt(job, null, now));
    },
  };
}
