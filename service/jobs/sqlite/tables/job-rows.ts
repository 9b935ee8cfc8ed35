/**
 * Rows of jobs in SQLite: how they are read, and how a row keeps the moves of its job. Moves are lines `seq status attempt ms`, from which
 * the events of the moves are made on request: every job moves, but hardly any client asks for the events.
 */

import type { Database, Statement } from "better-sqlite3";
import { type AboutRow, aboutOf } from "../../../wire/about.ts";
import { eventsOfMove, isTerminal, type JobStatus, type KeptJob, type StoredJobEvent } from "../../job.ts";
import { keepsIn } from "../../retention/kept-times.ts";

/** A statement by its text, prepared when it is first asked for. */
export type Sql = (text: string) => Statement;

export function preparing(db: Database): Sql {
  const prepared = new Map<string, Statement>();
  return (text) => {
    const known = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, known);
    return known;
  };
}

export type Row = {
  /** The number of the job. */
  readonly key: number;
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
  /** JSON of KeptTimes. */
  readonly keeps: string | null;
  readonly retry_of: string | null;
  readonly deployment: string | null;
  readonly version: number | null;
  readonly error: string | null;
  readonly place: number | null;
  readonly durable: number;
  readonly resumes: number;
  readonly ends_ms: number | null;
  readonly parked_ms: number;
  readonly parked_at: number | null;
  readonly flow: number;
  readonly held: number;
} & AboutRow;

/** Every job with its submission; a condition follows. */
export const JOBS = `SELECT jobs.number AS key, id, status, trace_id, label, attempt, retry, owner, queued_ms, started_ms, finished_ms, expires_ms, keep_ms, keeps,
  retry_of, deployment, version, name, tags, schedule, due_ms, parent, error, durable, resumes, ends_ms, parked_ms, parked_at, flow, held,
  CASE WHEN last_job > first_job THEN jobs.number - first_job END AS place FROM jobs JOIN submissions ON submissions.number = jobs.submission`;

const JOB = `${JOBS} WHERE id = ?`;

/** Adds a move: its line without the number, which the row knows. */
export const ADD_MOVE = "moves = moves || (last_event + 1) || ' ' || ?";

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
    deployment: row.deployment,
    version: row.version,
    about: aboutOf(row),
    index: row.place,
    error: row.error,
    durable: row.durable === 1,
    resumes: row.resumes,
    endsMs: row.ends_ms,
    parkedMs: row.parked_ms,
    parkedAtMs: row.parked_at,
    flow: row.flow === 1,
    held: row.held === 1,
    owner: row.owner,
    keepMs: row.keep_ms,
    keeps: keepsIn(row.keeps),
  };
}

export function jobsOf(rows: readonly unknown[]): readonly KeptJob[] {
  return (rows as readonly Row[]).map(jobOf);
}

export function jobAt(sql: Sql, id: string): KeptJob | null {
  const row = sql(JOB).get(id) as Row | undefined;
  return row === undefined ? null : jobOf(row);
}

/** The job with its number. `condition`: of one parameter. */
export function numberedJob(sql: Sql, condition: "id" | "jobs.number", value: string | number) {
  const row = sql(`${JOBS} WHERE ${condition} = ?`).get(value) as Row | undefined;
  return row === undefined ? null : { job: jobOf(row), key: row.key };
}

export function moveLine({ status, attempt }: Pick<KeptJob, "status" | "attempt">, ms: number): string {
  return `${status} ${attempt} ${ms}\n`;
}

/** Number of the event with which the last attempt began; 0: no attempt did. */
export function lastStart(moves: string): number {
  return Number(moves.match(/^\d+(?= running )/gm)?.at(-1) ?? 0);
}

/** How many events a move has. */
export function eventsOfStatus(status: JobStatus): number {
  return isTerminal(status) ? 2 : 1;
}

/** The events of moves, in order. */
export function eventsOfMoves(id: string, moves: string): readonly StoredJobEvent[] {
  const lines = moves.split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const [seq, status, attempt, ms] = line.split(" ");
    const job = { id, status: status as JobStatus, attempt: Number(attempt) };
    return eventsOfMove(job, Number(ms)).map((event, at) => ({ seq: Number(seq) + at, ...event }));
  });
}
