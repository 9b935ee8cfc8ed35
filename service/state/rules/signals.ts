/**
 * Signals to jobs and keys (docs/durable.md). Parking looks for what is there already, and what arrives looks whether a job waits, each in
 * one transaction that holds the row of the job; for signals under a key, which belong to no row, both hold the lock of the key.
 */
import type { WaitSpec } from "../../../vm/durable/records.ts";
import { keptResult, readExactly } from "../../../vm/inputs/exact-text.ts";
import { packed, unpacked } from "../../jobs/durable/journal-rows.ts";
import { type KeptSignals, signalBytes } from "../../jobs/durable/signal-room.ts";
import { type Arrival, specOf } from "../../jobs/durable/wait-rows.ts";
import { MAX_SIGNALS, type NewSignal, type SignalSent, signalResult } from "../../jobs/durable/waits.ts";
import { isTerminal, type KeptJob, PARKED } from "../../jobs/job.ts";
import type { Found, JobKey, JobPort, Wake } from "../job-port.ts";
import type { Port } from "../port.ts";
import { row, rows, run, type Step, value } from "../step.ts";
import { openWaits, wakeOf } from "./wakes.ts";

type Row = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly at_ms: number;
  readonly data: Uint8Array;
};

const isUnread = (job: string): string =>
  `NOT EXISTS (SELECT 1 FROM weft.signal_reads r WHERE r.job = ${job} AND r.signal = s.number)`;
/** A key is everybody's: what was sent before the job was queued is for the first that comes to read it. */
const oldest = ({ isLater }: JobPort): string => `SELECT number, id, name, at_ms, data FROM weft.signals s
  WHERE target = $2 AND name = ANY ($3) AND expires_ms > $4 AND (${isLater} OR ${isUnread("$5")}) AND ${isUnread("$1")}
  ORDER BY number LIMIT 1`;
const READ = "INSERT INTO weft.signal_reads (job, signal) VALUES ($1, $2) ON CONFLICT DO NOTHING";
/** The signal, where it was sent before, and how many are kept for its target. */
const BEFORE = `SELECT (SELECT number FROM weft.signals WHERE id = $1 AND target = $2 AND name = $3) AS sent,
  (SELECT count(*) FROM (SELECT 1 FROM weft.signals WHERE target = $2 AND expires_ms > $4 LIMIT $5) kept) AS kept`;
const KEEP = `INSERT INTO weft.signals (id, target, job, name, key, at_ms, expires_ms, data, bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export const signalChanges = {
  *sendSignal(port: Port, signal: NewSignal): Step<SignalSent> {
    return yield* sendTo(port, signal, port.now());
  },
};

export function* sendTo(port: JobPort, signal: NewSignal, now: number): Step<SignalSent> {
  const { id, name, target, data, expiresMs } = signal;
  const key = "key" in target ? target.key : null;
  const found = "job" in target ? yield* port.lockedJob(target.job) : null;
  if ("job" in target && found === null) return { state: "no_job" };
  if (key !== null) yield* port.lockKey(key);
  const to = targetOf(key, found?.key ?? "");
  const before = yield* row<{ readonly sent: number | null; readonly kept: number }>(
    BEFORE,
    id,
    to,
    name,
    now,
    MAX_SIGNALS,
  );
  const over = found !== null && isTerminal(found.job.status);
  if (before?.sent != null) {
    const count = "SELECT count(*) FROM weft.signal_reads WHERE signal = $1 AND job <> $2";
    const reads = (yield* value<number>(count, before.sent, port.anyJob)) ?? 0;
    return { state: "kept", woken: [], isNew: false, over, reads };
  }
  if (found !== null && over) return { state: "ended", job: found.job };
  if ((before?.kept ?? 0) >= MAX_SIGNALS) return { state: "full" };
  const bytes = signalBytes({ data });
  yield* run(KEEP, id, to, found?.key ?? null, name, key, now, expiresMs, packed(data), bytes);
  const waiting = found === null ? yield* port.parkedJobs(yield* waitingFor(key ?? "")) : [found].filter(isParked);
  return { state: "kept", woken: yield* deliver(port, waiting, now), isNew: true };
}

/** The oldest signal that fits and that the job, which is locked, has not read; it counts as read then. */
export function* takeSignal(port: JobPort, job: JobKey, spec: WaitSpec, now: number): Step<Arrival | null> {
  if (spec.kind !== "signal") return null;
  const found = yield* row<Row>(oldest(port), job, targetOf(spec.key, job), spec.names, now, port.anyJob);
  if (found === undefined) return null;
  yield* run(READ, job, found.number);
  if (spec.key !== null) yield* run(READ, port.anyJob, found.number);
  const { id, name, at_ms: atMs } = found;
  const result = signalResult({ id, name, atMs, data: readExactly(unpacked(found.data)) });
  return { why: "signal", ...keptResult(result) };
}

const isParked = ({ job }: Found): boolean => PARKED.includes(job.status);

/** Gives parked jobs, which are locked, the signals that are there; those that got one. */
function* deliver(port: JobPort, waiting: readonly Found[], now: number): Step<readonly KeptJob[]> {
  if (waiting.length === 0) return [];
  const parked = new Map(waiting.map((found) => [found.key, found]));
  const wakes = new Map<JobKey, Wake>();
  for (const wait of yield* openWaits([...parked.keys()])) {
    const found = parked.get(wait.job);
    if (found === undefined || wakes.has(wait.job)) continue;
    const arrival = yield* takeSignal(port, wait.job, specOf(wait), now);
    if (arrival !== null) wakes.set(wait.job, wakeOf(found, wait.id, arrival));
  }
  return yield* port.wake([...wakes.values()], now);
}

function* waitingFor(key: string): Step<readonly JobKey[]> {
  const waiting = "SELECT DISTINCT job FROM weft.waits WHERE key = $1 AND ended_ms IS NULL";
  return (yield* rows<{ readonly job: JobKey }>(waiting, key)).map(({ job }) => job);
}

function targetOf(key: string | null, job: JobKey): string {
  return key === null ? `j:${job}` : `k:${key}`;
}

export const signalReads = {
  /** All signals under keys together. */
  *keptSignals(port: Port, _input: null): Step<KeptSignals> {
    const kept = yield* row<KeptSignals>(
      `SELECT count(*) AS signals, coalesce(sum(bytes), 0)::bigint AS bytes FROM weft.signals WHERE key IS NOT NULL AND expires_ms > $1`,
      port.now(),
    );
    return kept ?? { signals: 0, bytes: 0 };
  },

  /** How many signals came to the job that it has not read, by name. */
  *unreadSignals(port: Port, id: string): Step<Readonly<Record<string, number>>> {
    const job = yield* port.keyOf(id);
    if (job === null) return {};
    const unread = `SELECT name, count(*) AS signals FROM weft.signals s WHERE target = $1 AND ${isUnread("$2")} GROUP BY name`;
    const found = yield* rows<{ readonly name: string; readonly signals: number }>(unread, targetOf(null, job), job);
    return Object.fromEntries(found.map(({ name, signals }) => [name, signals]));
  },
};
