/** Parking a run in PostgreSQL, and ending jobs whose lifetime is over, each job in one transaction. */
import type { ParkedWait, WaitSpec, WokenWait } from "../../../../vm/durable/records.ts";
import { lifetimeResult } from "../../answers/bodies.ts";
import { earlier } from "../../approvals/approval-rows.ts";
import { CLEANUP_GRACE_MS, LIFETIME_OVER } from "../../durable/cleanup-rows.ts";
import type { JournalRows } from "../../durable/journal-rows.ts";
import { type ParkAnswer, parkedStatus, waitColumns, waitingEvent, wakesOf } from "../../durable/wait-rows.ts";
import type { Moment } from "../../durable/waits.ts";
import { type Claim, type Job, type KeptJob, mayMove, moved, PARKED, statusEvent } from "../../job.ts";
import { approvalRow } from "../approvals/approval-rows.ts";
import type { Database, Statements } from "../database.ts";
import { ADD_EVENTS, CHANNEL, COLUMNS, jobOf, LAST_SEQ, lockedJob, moveLocked } from "../job-rows.ts";
import { addRecords, appendRows, lastRecords } from "./journal.ts";
import { alreadyThere, lockKey, openWaits, wakeToClean } from "./waking.ts";

const PARK = `WITH row AS (
    UPDATE weft.jobs j SET status = $5, owner = NULL, parked_at = $6, ${LAST_SEQ} WHERE id = $1 RETURNING status
  ), ${ADD_EVENTS}`;
/** One that is there is waited for again. */
const WAIT = `INSERT INTO weft.waits (job, id, kind, names, key, until_ms, place, began_ms)
  SELECT $1, w.id, w.kind, w.names, w.key, w.until_ms, w.place, $2::bigint
  FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
    AS w (id, kind, names, key, until_ms, place)
  ON CONFLICT (job, id) DO UPDATE SET until_ms = excluded.until_ms, ended_ms = NULL`;
const END = "UPDATE weft.waits SET ended_ms = $3 WHERE job = $1 AND id = $2 AND ended_ms IS NULL";

const COUNT_PARKED =
  "SELECT count(*) AS parked FROM (SELECT 1 FROM weft.jobs WHERE status = ANY ($1) LIMIT $2::bigint) found";

/** `maxParked`: jobs that wait; a few more when several are parked at the same moment. */
export type ParkRules = { readonly maxParked: number; readonly moment: () => Moment };

/** What a run waits for. `isWhole`: nothing else is left of it. */
export type Parking = { readonly waits: readonly ParkedWait[]; readonly isWhole: boolean };

export function park(
  database: Database,
  writer: Claim,
  rows: JournalRows,
  { waits, isWhole }: Parking,
  { maxParked, moment }: ParkRules,
): Promise<ParkAnswer> {
  return database.transaction(async (on): Promise<ParkAnswer> => {
    await lockKeys(on, waits);
    const job = await lockedJob(on, writer.id);
    const [kept] = await appendRows(on, [{ writer, rows }]);
    if (job === null || kept !== true) return { state: "stale" };
    if (job.status === "cancelling") return { state: "ending" };
    // It is parked again because the answer was lost: what the waits brought then is what they bring.
    const before = await lastWoken(on, job.id, waits);
    if (before.length > 0) return { state: "woken", woken: before };
    const now = moment();
    const at = now.now;
    const woken: WokenWait[] = [];
    for (const { wait, spec } of waits) {
      const arrival = await alreadyThere(on, job.id, spec, now);
      if (arrival === null) continue;
      const [seq = 0] = await addRecords(on, [{ job: job.id, body: { kind: "woken", wait, ...arrival } }], at);
      await on.query(END, [job.id, wait, at]);
      woken.push({ wait, seq, result: arrival.result });
    }
    if (woken.length > 0) return { state: "woken", woken };
    const isAsked = waits.every(({ spec }) => spec.kind === "outcome");
    // A person who is asked is never one too many: the run has no other way to go.
    if (isWhole && !isAsked && (await countParked(on, maxParked)) >= maxParked) return { state: "full", maxParked };
    const known = new Set((await openWaits(on, [job.id])).map(({ id }) => id));
    const untils: (number | null)[] = [];
    for (const { spec } of waits) untils.push(await endOf(on, spec));
    const columns = waits.map(({ wait, spec, place }, index) => [
      wait,
      ...waitColumns(spec, untils[index] ?? null),
      place,
    ]);
    await on.query(WAIT, [job.id, at, ...[0, 1, 2, 3, 4, 5].map((column) => columns.map((one) => one[column]))]);
    if (!isWhole) return { state: "waits" };
    const next = { ...job, status: parkedStatus(waits), owner: null };
    const waiting = waits.flatMap(({ wait, spec }, index) =>
      known.has(wait) ? [] : [waitingEvent(wait, spec, untils[index] ?? null)],
    );
    const events = [statusEvent(next, at), ...waiting];
    await on.query(PARK, [
      ...[job.id, events.map(({ kind }) => kind), events.map(({ data }) => data), CHANNEL],
      ...[next.status, at],
    ]);
    return { state: "parked", job: next, wakes: wakesOf(waits, untils) };
  });
}

/** In one order, so that no two who lock several wait for each other. */
async function lockKeys(on: Statements, waits: readonly ParkedWait[]): Promise<void> {
  const keys = waits.flatMap(({ spec }) => (spec.kind === "signal" && spec.key !== null ? [spec.key] : []));
  for (const key of [...new Set(keys)].sort()) await lockKey(on, key);
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

/** What ended some of these waits, when nothing else came after that. */
async function lastWoken(on: Statements, job: string, waits: readonly ParkedWait[]): Promise<readonly WokenWait[]> {
  const woken: WokenWait[] = [];
  for await (const record of lastRecords(on, job)) {
    if (record.kind !== "woken") break;
    const { wait, seq, result } = record;
    if (waits.some((one) => one.wait === wait)) woken.push({ wait, seq, result });
  }
  return woken;
}

/** Durable jobs in the line or parked whose lifetime is over. Those that run are ended by their worker. */
export async function endLifetimes(on: Statements, now: number, most: number): Promise<readonly Job[]> {
  const rows = await on.query(
    `SELECT ${COLUMNS}, request FROM weft.jobs WHERE ends_ms <= $1 AND status = ANY ($2)
       AND (status <> 'queued' OR why IS NULL OR ends_ms <= $4) ORDER BY ends_ms LIMIT $3
     FOR UPDATE SKIP LOCKED`,
    [now, ["queued", ...PARKED], most, now - CLEANUP_GRACE_MS],
  );
  const ended: KeptJob[] = [];
  for (const row of rows) {
    const job = jobOf(row);
    if (!mayMove(job.status, "timed_out")) continue;
    if (PARKED.includes(job.status) && (await wakeToClean(on, job, LIFETIME_OVER, now)) !== null) continue;
    const result = lifetimeResult(job.traceId, row["request"]);
    ended.push(await moveLocked(on, job, moved(job, "timed_out", now), result, now));
  }
  return ended;
}
