/**
 * Moves of an existing job: release, settle and its progress, each one call inside the transaction of its batch
 * (`service/jobs/sqlite/calls.ts`), and what the rules about other moves need (`service/state/rules/job-moves.ts`). It runs in the database
 * thread and has no clock: times come with the calls.
 */
import type { ResumeReason } from "../../../../vm/durable/records.ts";
import { errorOf } from "../../../wire/about.ts";
import { type RunSoFar, toldSoFar, unbegunResult } from "../../answers/bodies.ts";
import { CLEANUP_GRACE_MS } from "../../durable/cleanup-rows.ts";
import {
  type Claim,
  claimName,
  isHeldBy,
  isTerminal,
  type Job,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  type KeptJob,
  MAX_EVENTS,
  released,
} from "../../job.ts";
import type { QueueRoom } from "../queue-room.ts";
import type { ClaimedSubmission } from "./claimed-rows.ts";
import type { Tally } from "./counts.ts";
import { ADD_MOVE, eventsOfStatus, JOBS, jobAt, jobsOf, lastStart, moveLine, type Sql } from "./job-rows.ts";
import { requestName } from "./submission-rows.ts";
import type { TextFiles } from "./text-files.ts";

const RUNNING = `${JOBS} WHERE status IN ('running', 'cancelling')`;
const SETTLE = `UPDATE jobs SET status = ?, owner = NULL, finished_ms = ?, expires_ms = ?, error = ?, last_event = last_event + 2, ${ADD_MOVE}
  WHERE number = ? AND id = ? AND status = ? AND attempt = ? AND owner = ?`;
const WRITE = `UPDATE jobs SET status = ?, attempt = ?, owner = ?, started_ms = ?, finished_ms = ?, expires_ms = ?, error = ?,
  last_event = last_event + ?, ${ADD_MOVE} WHERE id = ?`;
const REQUEST =
  "SELECT request, label, checksum FROM submissions WHERE number = (SELECT submission FROM jobs WHERE id = ?)";
const SET_REQUEST = "UPDATE submissions SET request = ? WHERE number = (SELECT submission FROM jobs WHERE id = ?)";
const LAST_PROGRESS = `SELECT data FROM job_events WHERE job_id = ? AND seq > ? AND kind = 'progress' ORDER BY seq DESC LIMIT 1`;
/** A journal that is shorter later has lost records. */
const NOTE_JOURNAL = `UPDATE jobs SET last_seq = max(last_seq, coalesce((SELECT max(seq) FROM job_journal WHERE job = jobs.number), 0))
  WHERE id = ?`;
const CONTINUES = "UPDATE jobs SET why = ? WHERE id = ?";
/** It is woken by nothing any more. */
const LEAVES_PARK = `UPDATE jobs SET ends_ms = NULL, parked_ms = parked_ms + coalesce(? - parked_at, 0), parked_at = NULL
  WHERE id = ?`;
const END_WAITS =
  "UPDATE waits SET ended_ms = ? WHERE job = (SELECT number FROM jobs WHERE id = ?) AND ended_ms IS NULL";
/** One that was put in line again may be about to clean up. */
const LIFETIMES_OVER = `${JOBS} WHERE ends_ms <= ? AND (status <> 'queued' OR why IS NULL OR ends_ms <= ?) ORDER BY ends_ms LIMIT ?`;
const KEEP_RESULT = "INSERT INTO results (job, text, file) SELECT number, ?, ? FROM jobs WHERE id = ?";
/** Adding events to a job that its owner runs: the number of the last one. */
const COUNT_EVENTS = `UPDATE jobs SET last_event = last_event + ? WHERE id = ? AND owner = ? AND attempt = ?
  AND status IN ('running', 'cancelling') RETURNING last_event`;

/** A job of the process that asks, as it was claimed, and when it asks. */
export type Held = Claim & { readonly now: number };

/** `known`: names of claims. */
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

/** `room`: the bytes of an in-memory database. `ended`: called for each job that has ended. */
export function jobMoves(
  sql: Sql,
  files: TextFiles,
  tally: Tally,
  room: QueueRoom | null,
  ended: (id: string, now: number) => void,
) {
  const insertEvents = (id: string, events: readonly JobEvent[], last: number): void => {
    const insert = sql("INSERT INTO job_events (job_id, seq, kind, data) VALUES (?, ?, ?, ?)");
    events.forEach(({ kind, data }, at) => {
      insert.run(id, last - events.length + at + 1, kind, data);
    });
    sql("DELETE FROM job_events WHERE job_id = ? AND seq <= ?").run(id, last - MAX_EVENTS);
  };
  const keepResult = (id: string, result: string): void => {
    const { text, file } = files.place(id, result);
    sql(KEEP_RESULT).run(text, file, id);
  };

  /** Moves that are made one by one. */
  const write = (job: KeptJob, from: JobStatus, result: string | null, now: number): KeptJob => {
    const { id, status, attempt, owner, startedMs, finishedMs, expiresMs } = job;
    tally.moved(from, status);
    if (from === "queued") room?.left(id);
    sql(WRITE).run(
      ...[status, attempt, owner, startedMs, finishedMs, expiresMs, result === null ? job.error : errorOf(result)],
      ...[eventsOfStatus(status), moveLine(job, now), id],
    );
    if (job.durable) sql(NOTE_JOURNAL).run(id);
    if (result !== null) keepResult(id, result);
    if (status === "queued") room?.entered(id);
    if (isTerminal(status)) {
      if (job.durable) {
        sql(LEAVES_PARK).run(now, id);
        sql(END_WAITS).run(now, id);
      }
      ended(id, now);
    }
    return job;
  };
  const requestOf = (id: string): string => {
    const row = sql(REQUEST).get(id) as Pick<ClaimedSubmission, "request" | "label" | "checksum">;
    return files.open(row.request, requestName(row));
  };
  const setRequest = (id: string, request: string): void => {
    const name = requestName(sql(REQUEST).get(id) as Pick<ClaimedSubmission, "label" | "checksum">);
    sql(SET_REQUEST).run(files.seal(request, name), id);
  };
  /** As its events told it. */
  const soFar = ({ id }: KeptJob): RunSoFar => {
    const begun = lastStart(sql("SELECT moves FROM jobs WHERE id = ?").pluck().get(id) as string);
    return toldSoFar(requestOf(id), (sql(LAST_PROGRESS).pluck().get(id, begun) as string | undefined) ?? null);
  };
  const held = (asking: Held): KeptJob | null => {
    const job = jobAt(sql, asking.id);
    return job !== null && isHeldBy(job, asking) ? job : null;
  };
  const unbegun = ({ id, status, traceId }: KeptJob): string | null => unbegunResult(status, traceId, requestOf(id));
  const release = (job: KeptJob, now: number): KeptJob => {
    const why = sql("SELECT why FROM jobs WHERE id = ?").pluck().get(job.id) as ResumeReason | null;
    const next = released(job, why, now);
    if (why !== null) sql("UPDATE jobs SET resumes = ? WHERE id = ?").run(next.resumes, job.id);
    return write(next, job.status, unbegun(next), now);
  };
  return {
    /** For rules, inside the same transaction. */
    rules: {
      requestOf,
      setRequest,
      soFar,
      /** With further events after those of the move. */
      moveAndTell(job: KeptJob, from: JobStatus, events: readonly JobEvent[], now: number): KeptJob {
        const next = write(job, from, null, now);
        const last = sql("UPDATE jobs SET last_event = last_event + ? WHERE id = ? RETURNING last_event").pluck();
        insertEvents(job.id, events, last.get(events.length, job.id) as number);
        return next;
      },
      move(job: KeptJob, from: JobStatus, result: string | null, now: number, why: ResumeReason | null): KeptJob {
        const next = write(job, from, result, now);
        if (why !== null) sql(CONTINUES).run(why, job.id);
        return next;
      },
      /** Some of every owner but the one asking, who holds the lock of the folder. Looks through all jobs. */
      abandoned: (owner: string, most: number): readonly KeptJob[] =>
        jobsOf(sql(`${RUNNING} AND owner <> ? LIMIT ?`).all(owner, most)),
      lifetimesOver(now: number, most: number): readonly KeptJob[] {
        const over = jobsOf(sql(LIFETIMES_OVER).all(now, now - CLEANUP_GRACE_MS, most));
        return over.filter(({ id, status }) => {
          if (isTerminal(status)) sql("UPDATE jobs SET ends_ms = NULL WHERE id = ?").run(id);
          return !isTerminal(status);
        });
      },
    },

    calls: {
      /** Puts a job back that was claimed and not begun. */
      release(asking: Held): Job | null {
        const job = held(asking);
        return job === null ? null : release(job, asking.now);
      },

      /** Puts back what runs under this owner without its knowing: the answer of a claim was lost. */
      releaseUnknown({ owner, now, known }: OwnersJobs): readonly Job[] {
        const unknown = jobsOf(sql(`${RUNNING} AND owner = ?`).all(owner)).filter((job) => !known.has(claimName(job)));
        return unknown.map((job) => release(job, now));
      },

      /** Each: whether it was made, which a job of another owner or attempt is not. */
      settle(ends: readonly JobEnd[]): readonly boolean[] {
        const settle = sql(SETTLE);
        const keep = sql("INSERT INTO results (job, text, file) VALUES (?, ?, ?)");
        return ends.map(([number, id, attempt, owner, outcome, finishedMs, expiresMs, result]) => {
          const move = moveLine({ status: outcome, attempt }, finishedMs);
          const error = errorOf(result);
          // Of one that somebody wants cancelled meanwhile, too.
          for (const from of ["running", "cancelling"] as const) {
            const { changes } = settle.run(
              outcome,
              finishedMs,
              expiresMs,
              error,
              move,
              number,
              id,
              from,
              attempt,
              owner,
            );
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

      addEvents({ id, owner, attempt, events }: Held & { readonly events: readonly JobEvent[] }): void {
        const last = sql(COUNT_EVENTS).pluck().get(events.length, id, owner, attempt) as number | undefined;
        if (last !== undefined) insertEvents(id, events, last);
      },
    },
  };
}

export type JobMoves = ReturnType<typeof jobMoves>;
