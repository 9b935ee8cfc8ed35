/**
 * What wakes parked jobs in PostgreSQL: signals, times and decisions. Parking looks for what is there already, and what arrives looks
 * whether a job waits, each in one transaction that holds the row of the job. For signals under a key, which belong to no row, both hold the
 * lock of the key.
 */

import type { Json } from "../../../../compiler/json.ts";
import type { RecordBody, WaitSpec, WokenBy } from "../../../../vm/durable/records.ts";
import { waitToClean } from "../../durable/cleanup-rows.ts";
import { packed, unpacked } from "../../durable/journal-rows.ts";
import { type KeptSignals, signalBytes } from "../../durable/signal-room.ts";
import {
  type Arrival,
  dueArrival,
  jobWaitOf,
  outcomeWait,
  specOf,
  type WaitRow,
  wokenEvent,
} from "../../durable/wait-rows.ts";
import {
  type Decision,
  type JobWait,
  MAX_SIGNALS,
  type Moment,
  type NewSignal,
  type SignalSent,
  signalResult,
  timeLeft,
  type WaitedKey,
  type Woken,
} from "../../durable/waits.ts";
import { isTerminal, type Job, type KeptJob, moved, PARKED, statusEvent } from "../../job.ts";
import { decisionFor, endQuestions } from "../approvals/approval-rows.ts";
import type { Statements } from "../database.ts";
import { CHANNEL, COLUMNS, type JobRow, jobOf, LAST_SEQ, lockedJob, TASK, taskTime } from "../job-rows.ts";
import { KEY_LOCKS } from "../schema.ts";
import { addRecords } from "./journal.ts";

/** Taken before the rows of jobs: the holder sees what others did under the key. */
export async function lockKey(on: Statements, key: string): Promise<void> {
  await on.query(`SELECT pg_advisory_xact_lock(${KEY_LOCKS}, hashtext($1))`, [key]);
}

/** Stands for every job in what was read: a job is forgotten before a signal under a key may be. */
export const ANY_JOB = "*";

const TAKE = `WITH signal AS (
    SELECT number, id, name, at_ms, data FROM weft.signals s
    WHERE target = $2 AND name = ANY ($3) AND expires_ms > $4
    -- What was sent before the job was queued is for the first that comes to read it.
    AND (number > (SELECT first_signal FROM weft.jobs WHERE id = $1)
      OR NOT EXISTS (SELECT 1 FROM weft.signal_reads r WHERE r.job = '${ANY_JOB}' AND r.signal = s.number))
    AND NOT EXISTS (SELECT 1 FROM weft.signal_reads r WHERE r.job = $1 AND r.signal = s.number) ORDER BY number LIMIT 1
  ), read AS (
    INSERT INTO weft.signal_reads (job, signal)
    SELECT reader, number FROM signal, unnest(ARRAY[$1, '${ANY_JOB}']) AS reader WHERE reader = $1 OR $2 LIKE 'k:%'
    ON CONFLICT DO NOTHING
  )
  SELECT id, name, at_ms, data FROM signal`;

/** The oldest signal that fits and that the job, whose row is locked, has not read; it counts as read then. */
async function takeSignal(on: Statements, job: string, spec: WaitSpec, now: number): Promise<Arrival | null> {
  if (spec.kind !== "signal") return null;
  const [row] = await on.query(TAKE, [job, targetOf(spec.key, job), spec.names, now]);
  if (row === undefined) return null;
  const { id, name, at_ms, data } = row;
  return { why: "signal", result: signalResult({ id, name, atMs: at_ms, data: JSON.parse(unpacked(data)) as Json }) };
}

function targetOf(key: string | null, job: string): string {
  return key === null ? `j:${job}` : `k:${key}`;
}

/** What a wait of a locked job has there already; null: it has to wait. */
export async function alreadyThere(
  on: Statements,
  job: string,
  spec: WaitSpec,
  moment: Moment,
): Promise<Arrival | null> {
  if (spec.kind === "approval") return decisionFor(on, spec.approval, spec.until, moment.now);
  return (await takeSignal(on, job, spec, moment.now)) ?? dueArrival(spec, moment);
}

type Wake = {
  readonly job: JobRow;
  readonly wait: string;
  readonly why: WokenBy;
  /** The record that says so. */
  readonly record: RecordBody;
};

const WAKE = `WITH woken AS (SELECT * FROM unnest($1::text[], $2::text[]) AS w (job, wait)),
  ended AS (UPDATE weft.waits t SET ended_ms = $3::bigint FROM woken w WHERE t.job = w.job AND t.id = w.wait),
  row AS (
    UPDATE weft.jobs j SET status = 'queued', owner = NULL, why = 'wake',
      parked_ms = parked_ms + coalesce($3::bigint - parked_at, 0), parked_at = NULL, ${LAST_SEQ}
    FROM woken w WHERE j.id = w.job RETURNING j.id, j.queued_ms
  ),
  told AS (
    INSERT INTO weft.job_events (job_id, seq, kind, data)
    SELECT e.job, e.place + coalesce((SELECT max(seq) FROM weft.job_events k WHERE k.job_id = e.job), 0), e.kind, e.data
    FROM unnest($4::text[], $5::integer[], $6::text[], $7::text[]) AS e (job, place, kind, data)
  )
  SELECT (SELECT count(pg_notify($8, id || ' queued')) FROM row),
    (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object(
        'identifier', $9::text, 'payload', json_build_object('job_id', id), 'job_key', id, 'max_attempts', 1, 'priority', -1,
        'run_at', ${taskTime("queued_ms")})) FROM row
    )))`;

/** Puts parked jobs, whose rows are locked, back in line: before those that have not begun. */
async function wake(on: Statements, wakes: readonly Wake[], now: number): Promise<readonly KeptJob[]> {
  if (wakes.length === 0) return [];
  const ids = wakes.map(({ job }) => job.id);
  await addRecords(
    on,
    wakes.map(({ job, record }) => ({ job: job.id, body: record })),
    now,
  );
  const jobs = wakes.map(({ job }) => moved(job, "queued", now));
  const events = wakes.flatMap(({ wait, why }, at) =>
    [statusEvent(jobs[at] as KeptJob, now), wokenEvent(wait, why)].map((event, place) => ({
      ...{ job: ids[at], place: place + 1 },
      ...event,
    })),
  );
  await on.query(WAKE, [
    ids,
    wakes.map(({ wait }) => wait),
    now,
    events.map(({ job }) => job),
    events.map(({ place }) => place),
    events.map(({ kind }) => kind),
    events.map(({ data }) => data),
    CHANNEL,
    TASK,
  ]);
  return jobs;
}

/** The oldest first. */
export async function openWaits(on: Statements, jobs: readonly string[]): Promise<readonly WaitRow[]> {
  const rows = await on.query(
    "SELECT * FROM weft.waits WHERE job = ANY ($1) AND ended_ms IS NULL ORDER BY began_ms, length(id), id",
    [jobs],
  );
  return rows as unknown as readonly WaitRow[];
}

/** Locks what is parked of these jobs, in the order of their ids. */
async function parkedJobs(on: Statements, ids: readonly string[], states = PARKED): Promise<readonly JobRow[]> {
  const rows = await on.query(
    `SELECT ${COLUMNS} FROM weft.jobs WHERE id = ANY ($1) AND status = ANY ($2) ORDER BY id FOR UPDATE`,
    [ids, states],
  );
  return rows.map(jobOf);
}

export async function sendSignal(on: Statements, signal: NewSignal, now: number): Promise<SignalSent> {
  const { id, name, target, data, expiresMs } = signal;
  const key = "key" in target ? target.key : null;
  let job: JobRow | null = null;
  if ("job" in target) {
    job = await lockedJob(on, target.job);
    if (job === null) return { state: "no_job" };
  } else await lockKey(on, target.key);
  const to = targetOf(key, job?.id ?? "");
  const before = await readsOf(on, { id, to, name });
  const over = job !== null && isTerminal(job.status);
  if (before !== null) return { state: "kept", woken: [], isNew: false, over, reads: before };
  if (job !== null && over) return { state: "ended", job };
  const [kept] = await on.query(
    "SELECT count(*) AS signals FROM (SELECT 1 FROM weft.signals WHERE target = $1 AND expires_ms > $2 LIMIT $3) kept",
    [to, now, MAX_SIGNALS],
  );
  if (kept?.["signals"] >= MAX_SIGNALS) return { state: "full" };
  await on.query(
    "INSERT INTO weft.signals (id, target, job, name, key, at_ms, expires_ms, data, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    [id, to, job?.id ?? null, name, key, now, expiresMs, packed(JSON.stringify(data)), signalBytes({ data })],
  );
  const waiting = job === null ? await waitingFor(on, key as string) : [job.id];
  return { state: "kept", woken: await deliver(on, waiting, now), isNew: true };
}

/** How many jobs have read a signal that was sent before; null: it was not. Its job, or its key, is locked. */
async function readsOf(on: Statements, { id, to, name }: Record<"id" | "to" | "name", string>): Promise<number | null> {
  const [row] = await on.query(
    `SELECT (SELECT count(*) FROM weft.signal_reads r WHERE r.signal = s.number AND r.job <> $4) AS reads
     FROM weft.signals s WHERE id = $1 AND target = $2 AND name = $3`,
    [id, to, name, ANY_JOB],
  );
  return row === undefined ? null : Number(row["reads"]);
}

/** All signals under keys together. */
export async function keptSignals(on: Statements, now: number): Promise<KeptSignals> {
  const [row] = await on.query(
    "SELECT count(*) AS signals, coalesce(sum(bytes), 0) AS bytes FROM weft.signals WHERE job IS NULL AND expires_ms > $1",
    [now],
  );
  return { signals: Number(row?.["signals"] ?? 0), bytes: Number(row?.["bytes"] ?? 0) };
}

async function waitingFor(on: Statements, key: string): Promise<readonly string[]> {
  const rows = await on.query("SELECT DISTINCT job FROM weft.waits WHERE key = $1 AND ended_ms IS NULL", [key]);
  return rows.map(({ job }) => job);
}

/** Gives parked jobs the signals that are there; those that got one. */
async function deliver(on: Statements, ids: readonly string[], now: number): Promise<readonly Job[]> {
  const parked = new Map((await parkedJobs(on, ids)).map((job) => [job.id, job]));
  const wakes = new Map<string, Wake>();
  for (const row of await openWaits(on, [...parked.keys()])) {
    const job = parked.get(String(row.job));
    if (job === undefined || wakes.has(job.id)) continue;
    const arrival = await takeSignal(on, job.id, specOf(row), now);
    if (arrival !== null) wakes.set(job.id, wakeOf(job, row.id, arrival));
  }
  return wake(on, [...wakes.values()], now);
}

function wakeOf(job: JobRow, wait: string, arrival: Arrival): Wake {
  return { job, wait, why: arrival.why, record: { kind: "woken", wait, ...arrival } };
}

/** Of jobs that are parked: one that runs, or is about to, looks itself. */
const OPEN = `FROM weft.waits WHERE ended_ms IS NULL AND until_ms IS NOT NULL
  AND (SELECT status FROM weft.jobs WHERE id = waits.job) IN ('waiting', 'sleeping')`;
const OPEN_SPANS = `${OPEN} AND kind <> 'date'`;
const OPEN_DATES = `${OPEN} AND kind = 'date'`;

/** Jobs whose time has come, at most `most`; those that another replica is waking are left to it. */
export async function wakeDue(on: Statements, moment: Moment, most: number): Promise<readonly Woken[]> {
  const due = await on.query(
    `SELECT ${COLUMNS} FROM weft.jobs WHERE id IN (
       (SELECT job ${OPEN_SPANS} AND until_ms <= $1) UNION ALL (SELECT job ${OPEN_DATES} AND until_ms <= $2)
     ) AND status = ANY ($3) LIMIT $4 FOR UPDATE SKIP LOCKED`,
    [moment.now, moment.wall, PARKED, most],
  );
  const jobs = new Map(due.map(jobOf).map((job) => [job.id, job]));
  const wakes: (Wake & { readonly spec: WaitSpec; readonly lagMs: number })[] = [];
  for (const row of await openWaits(on, [...jobs.keys()])) {
    const job = jobs.get(String(row.job));
    const spec = specOf(row);
    const arrival = dueArrival(spec, moment);
    if (job === undefined || arrival === null) continue;
    jobs.delete(job.id);
    wakes.push({ ...wakeOf(job, row.id, arrival), spec, lagMs: -timeLeft(spec, row.until_ms ?? 0, moment) });
  }
  const questions = wakes.flatMap(({ spec }) => (spec.kind === "approval" ? [spec.approval] : []));
  if (questions.length > 0) await endQuestions(on, questions, moment.now);
  const woken = await wake(on, wakes, moment.now);
  return woken.map((job, at) => ({ job, why: wakes[at]?.why ?? "time", lagMs: wakes[at]?.lagMs ?? 0 }));
}

/** Milliseconds until the next job is to be woken, by either clock; null: none waits for a time. */
export async function nextWake(on: Statements, { now, wall }: Moment): Promise<number | null> {
  const [row] = await on.query(
    `SELECT least((SELECT until_ms ${OPEN_SPANS} ORDER BY until_ms LIMIT 1) - $1::bigint,
       (SELECT until_ms ${OPEN_DATES} ORDER BY until_ms LIMIT 1) - $2::bigint) AS left_ms`,
    [now, wall],
  );
  return row?.["left_ms"] ?? null;
}

/** What a person says of a call of unknown outcome. Null: the job does not wait for it. */
export async function decide(on: Statements, id: string, decision: Decision, now: number): Promise<Job | null> {
  const [job] = await parkedJobs(on, [id], [...PARKED, "queued"]);
  if (job === undefined) return null;
  const wait = outcomeWait(decision.of);
  if (!(await openWaits(on, [id])).some((row) => row.id === wait)) return null;
  if (job.status === "queued") {
    // Something else that it waited for has put it in line already.
    await addRecords(on, [{ job: id, body: { kind: "decision", ...decision } }], now);
    await on.query("UPDATE weft.waits SET ended_ms = $3 WHERE job = $1 AND id = $2", [id, wait, now]);
    return job;
  }
  const [woken] = await wake(on, [{ job, wait, why: "decision", record: { kind: "decision", ...decision } }], now);
  return woken ?? null;
}

/** Gives the decision of a question to its job, whose row is locked. Null: the job does not wait for it. */
export async function wakeDecided(
  on: Statements,
  job: JobRow,
  approval: string,
  decision: Arrival,
  now: number,
): Promise<KeptJob | null> {
  if (!PARKED.includes(job.status)) return null;
  const wait = (await openWaits(on, [job.id])).find(({ kind, key }) => kind === "approval" && key === approval);
  const [woken] = wait === undefined ? [] : await wake(on, [wakeOf(job, wait.id, decision)], now);
  return woken ?? null;
}

/** A record of the job was found that cannot be read: its run is to find it too. */
export async function wakeUnreadable(on: Statements, id: string, now: number): Promise<void> {
  const [job] = await parkedJobs(on, [id]);
  const [wait] = job === undefined ? [] : await openWaits(on, [id]);
  if (job === undefined || wait === undefined) return;
  await wake(on, [wakeOf(job, wait.id, { why: "expired", result: null })], now);
}

/** Ends a wait of a parked job, whose row is locked, so that its run is cancelled there and cleans up. Null: it has nothing to clean up. */
export async function wakeToClean(on: Statements, job: JobRow, by: string, now: number): Promise<KeptJob | null> {
  const wait = waitToClean(await openWaits(on, [job.id]));
  if (wait === undefined) return null;
  const [woken] = await wake(on, [wakeOf(job, wait.id, { why: "cancelled", result: by })], now);
  return woken ?? null;
}

/** Open and ended ones, the first first. */
export async function waitsOf(on: Statements, id: string): Promise<readonly JobWait[]> {
  const rows = await on.query("SELECT * FROM weft.waits WHERE job = $1 ORDER BY began_ms, id", [id]);
  return (rows as unknown as readonly WaitRow[]).map(jobWaitOf);
}

/** Keys under which jobs wait for a signal of this name, in order. */
export async function waitedKeys(
  on: Statements,
  name: string,
  after: string,
  most: number,
): Promise<readonly WaitedKey[]> {
  const rows = await on.query(
    `SELECT key, max(began_ms) AS since FROM weft.waits WHERE key > $1 AND ended_ms IS NULL AND kind = 'signal' AND names LIKE $2
     GROUP BY key ORDER BY key LIMIT $3`,
    [after, `%"${name}"%`, most],
  );
  return rows.map(({ key, since }) => ({ key, sinceMs: since }));
}

/** How many signals came to the job that it has not read, by name. */
export async function unreadSignals(on: Statements, id: string): Promise<Readonly<Record<string, number>>> {
  const rows = await on.query(
    `SELECT name, count(*) AS signals FROM weft.signals s WHERE target = $1
     AND NOT EXISTS (SELECT 1 FROM weft.signal_reads r WHERE r.job = $2 AND r.signal = s.number) GROUP BY name`,
    [targetOf(null, id), id],
  );
  return Object.fromEntries(rows.map(({ name, signals }) => [name, signals]));
}
