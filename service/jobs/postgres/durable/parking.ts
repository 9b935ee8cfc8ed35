/** Parking a run in PostgreSQL, and ending jobs whose lifetime is over, each job in one transaction. */
import type { Parked, ParkedWait, RecordOf, WaitSpec } from "../../../../vm/durable/records.ts";
import { lifetimeResult } from "../../answers/bodies.ts";
import { earlier } from "../../approvals/approval-rows.ts";
import { type JournalRows, recordOf } from "../../durable/journal-rows.ts";
import { waitColumns, waitingEvent } from "../../durable/wait-rows.ts";
import type { Moment } from "../../durable/waits.ts";
import { type Claim, type Job, type JobStatus, type KeptJob, mayMove, moved, PARKED, statusEvent } from "../../job.ts";
import { approvalRow } from "../approvals/approval-rows.ts";
import type { Database, Statements } from "../database.ts";
import { ADD_EVENTS, CHANNEL, COLUMNS, jobOf, LAST_SEQ, lockedJob, moveLocked } from "../job-rows.ts";
import { addRecords, appendRows, lastRow } from "./journal.ts";
import { alreadyThere, lockKey } from "./waking.ts";

const PARK = `WITH row AS (
    UPDATE weft.jobs j SET status = $5, owner = NULL, parked_at = $6, ${LAST_SEQ} WHERE id = $1 RETURNING status
  ),
  wait AS (
    INSERT INTO weft.waits (job, id, kind, names, key, until_ms, place, began_ms) VALUES ($1, $7, $8, $9, $10, $11, $12, $6)
    ON CONFLICT (job, id) DO UPDATE SET ended_ms = NULL
  ), ${ADD_EVENTS}`;

const COUNT_PARKED =
  "SELECT count(*) AS parked FROM (SELECT 1 FROM weft.jobs WHERE status = ANY ($1) LIMIT $2::bigint) found";

/** `maxParked`: jobs that wait; a few more when several are parked at the same moment. */
export type ParkRules = { readonly maxParked: number; readonly moment: () => Moment };

/** `job`: after it was parked; `wakesMs`: its time then; null: it waits for none. */
export type ParkAnswer = Parked & { readonly job?: Job; readonly wakesMs?: number | null };

export function park(
  database: Database,
  writer: Claim,
  rows: JournalRows,
  { wait, spec, place }: ParkedWait,
  { maxParked, moment }: ParkRules,
): Promise<ParkAnswer> {
  return database.transaction(async (on): Promise<ParkAnswer> => {
    if (spec.kind === "signal" && spec.key !== null) await lockKey(on, spec.key);
    const job = await lockedJob(on, writer.id);
    const [kept] = await appendRows(on, [{ writer, rows }]);
    if (job === null || kept !== true) return { state: "stale" };
    if (job.status === "cancelling") return { state: "ending" };
    // It is parked again because the answer was lost: what the wait brought then is what it brings.
    const woken = await lastWoken(on, job.id, wait);
    if (woken !== null) return { state: "woken", seq: woken.seq, result: woken.result };
    const now = moment();
    const at = now.now;
    const arrival = await alreadyThere(on, job.id, spec, now);
    if (arrival !== null) {
      const body = { kind: "woken", wait, ...arrival } as const;
      const [seq = 0] = await addRecords(on, [{ job: job.id, body }], at);
      return { state: "woken", seq, result: arrival.result };
    }
    // A person who is asked is never one too many: the run has no other way to go.
    if (spec.kind !== "outcome" && (await countParked(on, maxParked)) >= maxParked) return { state: "full", maxParked };
    const until = await endOf(on, spec);
    const next = { ...job, status: parkedStatus(spec), owner: null };
    const events = [statusEvent(next, at), waitingEvent(wait, spec, until)];
    await on.query(PARK, [
      ...[job.id, events.map(({ kind }) => kind), events.map(({ data }) => data), CHANNEL],
      ...[next.status, at],
      ...[wait, ...waitColumns(spec, until), place],
    ]);
    return { state: "parked", job: next, wakesMs: until };
  });
}

/** Counts up to `most`. */
async function countParked(on: Statements, most: number): Promise<number> {
  const [row] = await on.query(COUNT_PARKED, [PARKED, most]);
  return row?.["parked"];
}

/** When the wait is over at the latest: the question that it is for may end before. */
async function endOf(on: Statements, spec: WaitSpec): Promise<number | null> {
  if (spec.kind !== "approval") return spec.until;
  return earlier(spec.until, (await approvalRow(on, spec.approval))?.expires_ms ?? null);
}

function parkedStatus({ kind }: WaitSpec): JobStatus {
  return kind === "timer" ? "sleeping" : "waiting";
}

/** What ended a wait, when nothing came after that. */
async function lastWoken(on: Statements, job: string, wait: string): Promise<RecordOf<"woken"> | null> {
  const last = await lastRow(on, job);
  const [row] = last?.rows ?? [];
  if (last === null || row === undefined) return null;
  const record = recordOf(row, last.values);
  return record.kind === "woken" && record.wait === wait ? record : null;
}

/** Durable jobs in the line or parked whose lifetime is over. Those that run are ended by their worker. */
export async function endLifetimes(on: Statements, now: number, most: number): Promise<readonly Job[]> {
  const rows = await on.query(
    `SELECT ${COLUMNS}, request FROM weft.jobs WHERE ends_ms <= $1 AND status = ANY ($2) ORDER BY ends_ms LIMIT $3
     FOR UPDATE SKIP LOCKED`,
    [now, ["queued", ...PARKED], most],
  );
  const ended: KeptJob[] = [];
  for (const row of rows) {
    const job = jobOf(row);
    if (!mayMove(job.status, "timed_out")) continue;
    const result = lifetimeResult(job.traceId, row["request"]);
    ended.push(await moveLocked(on, job, moved(job, "timed_out", now), result, now));
  }
  return ended;
}
