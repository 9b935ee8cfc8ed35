/**
 * Signals to jobs and keys (docs/durable.md). Parking looks for what is there already, and what arrives looks whether a job waits, each in
 * one transaction that holds the row of the job; for signals under a key, which belong to no row, both hold the lock of the key.
 */
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import { keptResult, readExactly } from "../../../vm/inputs/exact-text.ts";
import { packed, unpacked } from "../../jobs/durable/journal-rows.ts";
import { type KeptSignals, signalBytes } from "../../jobs/durable/signal-room.ts";
import { type Arrival, specOf, type WaitRow } from "../../jobs/durable/wait-rows.ts";
import { MAX_SIGNALS, type NewSignal, type SignalSent, signalResult } from "../../jobs/durable/waits.ts";
import { isTerminal, type KeptJob, PARKED } from "../../jobs/job.ts";
import type { Found, JobKey, JobPort, StoredSignal, Wake } from "../job-port.ts";
import type { Port } from "../port.ts";
import { row, rows, run, type Step } from "../step.ts";
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
/** Under a key. It is everybody's: what was sent before the job was queued is for the first that comes to read it. */
const oldest = ({ isLater }: JobPort): string => `SELECT number, id, name, at_ms, data FROM weft.signals s
  WHERE target = $2 AND name = ANY ($3) AND expires_ms > $4 AND (${isLater} OR ${isUnread("$5")}) AND ${isUnread("$1")}
  ORDER BY number LIMIT 1`;
const READ = "INSERT INTO weft.signal_reads (job, signal) VALUES ($1, $2) ON CONFLICT DO NOTHING";
/** Of signals to jobs, the oldest of each. */
const OLDEST = `SELECT job, number, id, name, at_ms, data FROM weft.signals WHERE number IN (
    SELECT min(number) FROM weft.signals s
    WHERE target = ANY ($1) AND name = ANY ($2) AND expires_ms > $3 AND ${isUnread("s.job")} GROUP BY target
  )`;
const READ_ALL = `INSERT INTO weft.signal_reads (job, signal) SELECT job, number FROM weft.signals WHERE number = ANY ($1)
  ON CONFLICT DO NOTHING`;
const WAITING = "SELECT DISTINCT key, job FROM weft.waits WHERE key = ANY ($1) AND ended_ms IS NULL";
const SENT = "SELECT number, id, target, name FROM weft.signals WHERE id = ANY ($1) AND target = ANY ($2)";
const READS =
  "SELECT signal, count(*) AS count FROM weft.signal_reads WHERE signal = ANY ($1) AND job <> $2 GROUP BY signal";
const KEPT =
  "SELECT target, count(*) AS count FROM weft.signals WHERE target = ANY ($1) AND expires_ms > $2 GROUP BY target";

export const signalChanges = {
  *sendSignal(port: Port, signal: NewSignal): Step<SignalSent> {
    return yield* sendTo(port, signal);
  },

  sendSignals: sendAll,
};

export function* sendTo(port: Port, signal: NewSignal): Step<SignalSent> {
  const [sent] = yield* sendAll(port, [signal]);
  return sent as SignalSent;
}

/** On its way. `to`: the target as it is stored; `job`: of a signal to a job; `reaches`: parked jobs that may wait for it. */
type Sending = {
  readonly signal: NewSignal;
  readonly to: string;
  readonly job: Found | null;
  readonly reaches: readonly Found[];
};

/** Signals to different jobs and keys, in as many statements as one takes. What came of each, in their order. */
function* sendAll(port: Port, signals: readonly NewSignal[]): Step<readonly SignalSent[]> {
  const keys = signals.flatMap(({ target }) => ("key" in target ? [target.key] : [])).sort();
  for (const key of keys) yield* port.lockKey(key);
  const waiting = keys.length === 0 ? [] : yield* rows<{ readonly key: string; readonly job: JobKey }>(WAITING, keys);
  const ids = signals.flatMap(({ target }) => ("job" in target ? [target.job] : []));
  const locked = yield* port.lockedJobs(
    ids,
    waiting.map(({ job }) => job),
  );
  const now = port.now();
  const byId = new Map(locked.map((found) => [found.job.id, found]));
  const byKey = new Map(locked.map((found) => [found.key, found]));
  const sending = signals.flatMap((signal): readonly Sending[] => {
    const { target } = signal;
    if ("key" in target) {
      const reached = waiting.flatMap(({ key, job }) => (key === target.key ? (byKey.get(job) ?? []) : []));
      return [{ signal, to: targetOf(target.key, ""), job: null, reaches: reached.filter(isParked) }];
    }
    const job = byId.get(target.job);
    return job === undefined ? [] : [{ signal, to: targetOf(null, job.key), job, reaches: [job].filter(isParked) }];
  });
  const answers = yield* answersBefore(port, sending, now);
  const kept = sending.filter(({ signal }) => !answers.has(signal));
  if (kept.length > 0) yield* port.addSignals(kept.map(keptSignal), now);
  const woken = yield* deliver(port, [...new Set(kept.flatMap(({ reaches }) => reaches))], now);
  for (const { signal, reaches } of kept)
    answers.set(signal, { state: "kept", woken: reaches.flatMap(({ key }) => woken.get(key) ?? []), isNew: true });
  return signals.map((signal) => answers.get(signal) ?? { state: "no_job" });
}

function keptSignal({ signal: { id, name, target, data, expiresMs }, to, job }: Sending): StoredSignal {
  const key = "key" in target ? target.key : null;
  return {
    id,
    target: to,
    job: job?.key ?? null,
    name,
    key,
    expiresMs,
    data: packed(data),
    bytes: signalBytes({ data }),
  };
}

/** Of signals that are not to be kept: they were sent before, come too late, or are too many. */
function* answersBefore(port: Port, sending: readonly Sending[], now: number): Step<Map<NewSignal, SignalSent>> {
  const answers = new Map<NewSignal, SignalSent>();
  if (sending.length === 0) return answers;
  const targets = sending.map(({ to }) => to);
  const ids = sending.map(({ signal }) => signal.id);
  const before = new Map<string, number>();
  for (const { id, target, name, number } of yield* rows<SentRow>(SENT, ids, targets))
    before.set(JSON.stringify([id, target, name]), number);
  const reads = new Map<number, number>();
  if (before.size > 0)
    for (const { signal, count } of yield* rows<ReadsRow>(READS, [...before.values()], port.anyJob))
      reads.set(signal, count);
  const kept = new Map<string, number>();
  for (const { target, count } of yield* rows<KeptRow>(KEPT, targets, now)) kept.set(target, count);
  for (const { signal, to, job } of sending) {
    const over = job !== null && isTerminal(job.job.status);
    const number = before.get(JSON.stringify([signal.id, to, signal.name]));
    if (number !== undefined)
      answers.set(signal, { state: "kept", woken: [], isNew: false, over, reads: reads.get(number) ?? 0 });
    else if (job !== null && over) answers.set(signal, { state: "ended", job: job.job });
    else if ((kept.get(to) ?? 0) >= MAX_SIGNALS) answers.set(signal, { state: "full" });
  }
  return answers;
}

type SentRow = { readonly id: string; readonly target: string; readonly name: string; readonly number: number };
type ReadsRow = { readonly signal: number; readonly count: number };
type KeptRow = { readonly target: string; readonly count: number };

/** The oldest signal that fits and that the job, which is locked, has not read; it counts as read then. */
export function* takeSignal(port: JobPort, job: JobKey, spec: WaitSpec, now: number): Step<Arrival | null> {
  return spec.kind === "signal" ? ((yield* takeSignals(port, [job], spec, now)).get(job) ?? null) : null;
}

/** As `takeSignal`, of several jobs that wait for the same. */
function* takeSignals(
  port: JobPort,
  jobs: readonly JobKey[],
  { key, names }: SignalSpec,
  now: number,
): Step<ReadonlyMap<JobKey, Arrival>> {
  const taken = new Map<JobKey, Arrival>();
  if (key === null) {
    const targets = jobs.map((job) => targetOf(null, job));
    const found = yield* rows<Row & { readonly job: JobKey }>(OLDEST, targets, names, now);
    for (const one of found) taken.set(one.job, arrivalOf(one));
    const numbers = found.map(({ number }) => number);
    if (numbers.length > 0) yield* run(READ_ALL, numbers);
    return taken;
  }
  // One after the other: which is the oldest depends on what the others have read.
  for (const job of jobs) {
    const found = yield* row<Row>(oldest(port), job, targetOf(key, job), names, now, port.anyJob);
    if (found === undefined) continue;
    for (const reader of [job, port.anyJob]) yield* run(READ, reader, found.number);
    taken.set(job, arrivalOf(found));
  }
  return taken;
}

function arrivalOf({ id, name, at_ms: atMs, data }: Row): Arrival {
  return { why: "signal", ...keptResult(signalResult({ id, name, atMs, data: readExactly(unpacked(data)) })) };
}

const isParked = ({ job }: Found): boolean => PARKED.includes(job.status);

/** Gives parked jobs, which are locked, the signals that are there; those that got one, by their keys. */
function* deliver(port: JobPort, waiting: readonly Found[], now: number): Step<ReadonlyMap<JobKey, KeptJob>> {
  if (waiting.length === 0) return new Map();
  const wakes = new Map<JobKey, Wake>();
  const parked = new Map(waiting.map((found) => [found.key, found]));
  let left = (yield* openWaits([...parked.keys()])).filter(({ kind }) => kind === "signal");
  while (left.length > 0) {
    // Of each job the first; what is not for that one may be for the next.
    const first = new Map<JobKey, WaitRow>();
    for (const wait of left) if (!first.has(wait.job)) first.set(wait.job, wait);
    for (const [one, ...others] of alike([...first.values()])) {
      const jobs = [one, ...others].map(({ job }) => job);
      const arrivals = yield* takeSignals(port, jobs, specOf(one) as SignalSpec, now);
      for (const [job, arrival] of arrivals) {
        const found = parked.get(job);
        const wait = first.get(job);
        if (found !== undefined && wait !== undefined) wakes.set(job, wakeOf(found, wait.id, arrival));
      }
    }
    left = left.filter((wait) => first.get(wait.job) !== wait && !wakes.has(wait.job));
  }
  const woken = yield* port.wake([...wakes.values()], now);
  return new Map(
    [...wakes.keys()].flatMap((key, at) => {
      const job = woken[at];
      return job === undefined ? [] : [[key, job]];
    }),
  );
}

type SignalSpec = Extract<WaitSpec, { kind: "signal" }>;

/** Waits for the same names under the same key together. */
function alike(waits: readonly WaitRow[]): readonly (readonly [WaitRow, ...WaitRow[]])[] {
  const groups = new Map<string, [WaitRow, ...WaitRow[]]>();
  for (const wait of waits) {
    const same = JSON.stringify([wait.key, wait.names]);
    const group = groups.get(same);
    if (group === undefined) groups.set(same, [wait]);
    else group.push(wait);
  }
  return [...groups.values()];
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
