/**
 * Jobs that wait. Parking looks for what is there already, and what arrives looks whether somebody waits, each in one transaction: so no wake
 * is lost (docs/durable.md). Each is one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`).
 */
import type { Json } from "../../../../compiler/json.ts";
import type {
  JournalRecord,
  ParkedWait,
  RecordBody,
  RecordOf,
  WaitSpec,
  WokenBy,
  WokenWait,
} from "../../../../vm/durable/records.ts";
import { decisionOf, earlier } from "../../approvals/approval-rows.ts";
import { waitToClean } from "../../durable/cleanup-rows.ts";
import {
  isUnreadable,
  type JournalRow,
  type JournalRows,
  journalRows,
  packed,
  recordOf,
  unpacked,
} from "../../durable/journal-rows.ts";
import { type KeptSignals, signalBytes } from "../../durable/signal-room.ts";
import {
  type Arrival,
  dueArrival,
  jobWaitOf,
  outcomeWait,
  type ParkAnswer,
  parkedStatus,
  specOf,
  type WaitRow,
  waitColumns,
  waitingEvent,
  wakesOf,
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
import { isTerminal, type Job, type JobEvent, type KeptJob, moved, PARKED } from "../../job.ts";
import { approvalRow, type KeptApproval } from "../approvals/approval-tables.ts";
import type { Tally } from "./counts.ts";
import { jobAt, type Sql } from "./job-rows.ts";
import type { Writing } from "./journal-tables.ts";

const UNREADABLE = Symbol("unreadable");

function readable<T>(read: () => T): T | typeof UNREADABLE {
  try {
    return read();
  } catch (thrown) {
    // What is damaged is found by its checksum, and stops the store.
    if (!isUnreadable(thrown)) throw thrown;
    return UNREADABLE;
  }
}

type Journal = {
  held(writing: Writing): { readonly status: string } | undefined;
  add(job: number, rows: Pick<JournalRows, "rows" | "values">): void;
};

/** Writes a move of a job, and its events (`job-moves.ts`). */
type Move = (job: KeptJob, from: KeptJob["status"], events: readonly JobEvent[], now: number) => KeptJob;

export type ParkRequest = Writing &
  Pick<JournalRows, "rows" | "values"> & {
    readonly waits: readonly ParkedWait[];
    readonly isWhole: boolean;
    readonly maxParked: number;
  } & Moment;

type SignalRow = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly at_ms: number;
  readonly data: Uint8Array;
};

/** One that is there is waited for again. */
const WAIT = `INSERT INTO waits (id, job, kind, names, key, until_ms, place, began_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (job, id) DO UPDATE SET until_ms = excluded.until_ms, ended_ms = NULL`;
const PARK = "UPDATE jobs SET parked_at = ? WHERE number = ?";
const WAKE = `UPDATE jobs SET why = 'wake', parked_ms = parked_ms + (? - coalesce(parked_at, ?)), parked_at = NULL
  WHERE number = ?`;
const OPEN = "ended_ms IS NULL AND until_ms IS NOT NULL";
/** A job that runs, or is about to, looks itself. */
const OF_PARKED = `${OPEN} AND (SELECT status FROM jobs WHERE number = waits.job) IN ('waiting', 'sleeping')`;
const DUE_DATES = `SELECT * FROM waits WHERE ${OF_PARKED} AND kind = 'date' AND until_ms <= ? ORDER BY until_ms LIMIT ?`;
const DUE_SPANS = `SELECT * FROM waits WHERE ${OF_PARKED} AND kind <> 'date' AND until_ms <= ? ORDER BY until_ms LIMIT ?`;
const NEXT_DATE = `SELECT until_ms FROM waits WHERE ${OF_PARKED} AND kind = 'date' ORDER BY until_ms LIMIT 1`;
const NEXT_SPAN = `SELECT until_ms FROM waits WHERE ${OF_PARKED} AND kind <> 'date' ORDER BY until_ms LIMIT 1`;
/** The oldest first. */
const OPEN_WAITS = "SELECT * FROM waits WHERE job = ? AND ended_ms IS NULL ORDER BY began_ms, length(id), id";
/** Stands for every job in what was read: a job is forgotten before a signal under a key may be. */
const ANY_JOB = 0;
const NOT_READ = "NOT EXISTS (SELECT 1 FROM signal_reads r WHERE r.job = ? AND r.signal = signals.number)";

export function parkTables(sql: Sql, journal: Journal, move: Move, tally: Pick<Tally, "of">) {
  type Rows = IterableIterator<JournalRow>;
  const lastRows = (job: number): Rows =>
    sql("SELECT seq, value, data FROM job_journal WHERE job = ? ORDER BY seq DESC").raw().iterate(job) as Rows;
  /** Without its result, where that is large. */
  const lastRecord = (job: number): JournalRecord | null => {
    for (const row of lastRows(job)) return JSON.parse(unpacked(row[2])) as JournalRecord;
    return null;
  };
  /** What ended some of these waits, when nothing else came after that. */
  const lastWoken = (job: number, waits: readonly ParkedWait[]): readonly WokenWait[] => {
    const last: [JournalRow, RecordOf<"woken">][] = [];
    for (const row of lastRows(job)) {
      const record = JSON.parse(unpacked(row[2])) as JournalRecord;
      if (record.kind !== "woken") break;
      if (waits.some(({ wait }) => wait === record.wait)) last.push([row, record]);
    }
    return last.map(([row, { wait, seq }]) => {
      const value = sql("SELECT data FROM job_values WHERE hash = ?").pluck().get(row[1]) as Uint8Array | undefined;
      const record = recordOf(row, new Map(value === undefined ? [] : [[row[1] as string, value]]));
      return { wait, seq, result: (record as RecordOf<"woken">).result };
    });
  };
  /**
   * Where the last record cannot be read nothing is added: the job is woken all the same, and its run finds that the journal cannot be read
   * and is interrupted for it.
   */
  const append = (job: number, body: RecordBody, now: number): number => {
    const last = readable(() => lastRecord(job));
    if (last === UNREADABLE) return 0;
    const lastSeq = sql("SELECT last_seq FROM jobs WHERE number = ?").pluck().get(job) as number;
    // After records that are lost: in their place it would hide that they are.
    const seq = Math.max(last?.seq ?? 0, lastSeq) + 1;
    const record = { ...body, seq, at: now, active_ms: last?.active_ms ?? 0, branch: "" } as JournalRecord;
    journal.add(job, journalRows([record]));
    return seq;
  };
  const numberOf = (id: string): number => sql("SELECT number FROM jobs WHERE id = ?").pluck().get(id) as number;
  const idOf = (number: number): string => sql("SELECT id FROM jobs WHERE number = ?").pluck().get(number) as string;
  const queuedAt = (job: number): number =>
    sql("SELECT queued_ms FROM submissions WHERE number = (SELECT submission FROM jobs WHERE number = ?)")
      .pluck()
      .get(job) as number;

  /** The oldest signal that fits and that the job has not read; it counts as read then. */
  const takeSignal = (job: number, spec: Extract<WaitSpec, { kind: "signal" }>, now: number): SignalRow | null => {
    const { names, key } = spec;
    const target = key === null ? `j:${job}` : `k:${key}`;
    const places = names.map(() => "?").join(", ");
    // A key is everybody's: what was sent before the job was queued is for the first that comes to read it.
    const after = key === null ? 0 : queuedAt(job);
    const found = sql(
      `SELECT number, id, name, at_ms, data FROM signals WHERE target = ? AND name IN (${places}) AND expires_ms > ?
       AND (at_ms >= ? OR ${NOT_READ}) AND ${NOT_READ} ORDER BY number LIMIT 1`,
    ).get(target, ...names, now, after, ANY_JOB, job) as SignalRow | undefined;
    if (found === undefined) return null;
    const read = sql("INSERT OR IGNORE INTO signal_reads (job, signal) VALUES (?, ?)");
    read.run(job, found.number);
    if (key !== null) read.run(ANY_JOB, found.number);
    return found;
  };
  const resultOf = (signal: SignalRow): Json =>
    signalResult({ ...signal, data: JSON.parse(unpacked(signal.data)) as Json, atMs: signal.at_ms });
  /** What is there already; null: the run has to wait. */
  const already = (job: number, spec: WaitSpec, moment: Moment): Arrival | null => {
    const { now } = moment;
    if (spec.kind === "approval") return decisionOf(approvalRow(sql, spec.approval), spec.approval, spec.until, now);
    const signal = spec.kind === "signal" ? takeSignal(job, spec, now) : null;
    return signal === null ? dueArrival(spec, moment) : { why: "signal", result: resultOf(signal) };
  };

  const endWait = (job: number, wait: string, now: number): void =>
    void sql("UPDATE waits SET ended_ms = ? WHERE job = ? AND id = ?").run(now, job, wait);
  const wake = (job: KeptJob, number: number, wait: string, why: WokenBy, now: number): KeptJob => {
    endWait(number, wait, now);
    const next = move(moved(job, "queued", now), job.status, [wokenEvent(wait, why)], now);
    sql(WAKE).run(now, now, number);
    return next;
  };
  const openWaits = (job: number): readonly WaitRow[] => sql(OPEN_WAITS).all(job) as readonly WaitRow[];
  /** Gives a parked job the signals that are there. Null: it continues waiting. */
  const deliver = (job: KeptJob, number: number, now: number): KeptJob | null => {
    for (const row of openWaits(number)) {
      if (row.kind !== "signal") continue;
      const signal = takeSignal(number, specOf(row) as Extract<WaitSpec, { kind: "signal" }>, now);
      if (signal === null) continue;
      append(number, { kind: "woken", wait: row.id, why: "signal", result: resultOf(signal) }, now);
      return wake(job, number, row.id, "signal", now);
    }
    return null;
  };

  const calls = {
    park({ rows, values, waits, isWhole, now, wall, maxParked, ...writing }: ParkRequest): ParkAnswer {
      const row = journal.held(writing);
      if (row === undefined) return { state: "stale" };
      const { number } = writing;
      journal.add(number, { rows, values });
      if (row.status === "cancelling") return { state: "ending" };
      // It is parked again because the answer was lost: what the waits brought then is what they bring.
      const before = lastWoken(number, waits);
      if (before.length > 0) return { state: "woken", woken: before };
      const woken = waits.flatMap(({ wait, spec }): WokenWait[] => {
        const there = already(number, spec, { now, wall });
        if (there === null) return [];
        endWait(number, wait, now);
        return [{ wait, seq: append(number, { kind: "woken", wait, ...there }, now), result: there.result }];
      });
      if (woken.length > 0) return { state: "woken", woken };
      const isAsked = waits.every(({ spec }) => spec.kind === "outcome");
      // A person who is asked is never one too many: the run has no other way to go.
      if (isWhole && !isAsked && tally.of("waiting") + tally.of("sleeping") >= maxParked)
        return { state: "full", maxParked };
      const known = new Set(openWaits(number).map(({ id }) => id));
      const untils = waits.map(({ spec }) => (spec.kind === "approval" ? endOfAsking(spec) : spec.until));
      waits.forEach(({ wait, spec, place }, at) => {
        sql(WAIT).run(wait, number, ...waitColumns(spec, untils[at] ?? null), place, now);
      });
      if (!isWhole) return { state: "waits" };
      const events = waits.flatMap(({ wait, spec }, at) =>
        known.has(wait) ? [] : [waitingEvent(wait, spec, untils[at] ?? null)],
      );
      const job = jobAt(sql, writing.id) as KeptJob;
      const next = move({ ...job, status: parkedStatus(waits), owner: null }, job.status, events, now);
      sql(PARK).run(now, number);
      return { state: "parked", job: next, wakes: wakesOf(waits, untils) };
    },

    /** Jobs whose time has come. */
    wakeDue({ now, wall, most }: Moment & { readonly most: number }): readonly Woken[] {
      const dates = sql(DUE_DATES).all(wall, most) as readonly WaitRow[];
      const due = [...dates, ...(sql(DUE_SPANS).all(now, most - dates.length) as readonly WaitRow[])];
      const woken: Woken[] = [];
      for (const row of due) {
        const number = row.job as number;
        const job = jobAt(sql, idOf(number));
        const spec = specOf(row);
        const arrival = dueArrival(spec, { now, wall });
        // Another of its waits has just put it in line.
        if (job === null || arrival === null || !PARKED.includes(job.status)) continue;
        append(number, { kind: "woken", wait: row.id, ...arrival }, now);
        const { why } = arrival;
        const lagMs = -timeLeft(spec, row.until_ms ?? now, { now, wall });
        woken.push({ job: wake(job, number, row.id, why, now), why, lagMs });
      }
      return woken;
    },

    /** The next times at which jobs are to be woken, by either clock; null: none waits for one. */
    nextWake: (): { readonly span: number | null; readonly date: number | null } => ({
      span: sql(NEXT_SPAN).pluck().get() as number | null,
      date: sql(NEXT_DATE).pluck().get() as number | null,
    }),

    sendSignal({ id, name, target, data, expiresMs, now }: NewSignal & { readonly now: number }): SignalSent {
      const job = "job" in target ? jobAt(sql, target.job) : null;
      if ("job" in target && job === null) return { state: "no_job" };
      const number = job === null ? null : numberOf(job.id);
      const to = "job" in target ? `j:${number}` : `k:${target.key}`;
      const before = sql("SELECT number FROM signals WHERE id = ? AND target = ? AND name = ?")
        .pluck()
        .get(id, to, name);
      if (before !== undefined) {
        const reads = sql(`SELECT count(*) FROM signal_reads WHERE signal = ? AND job <> ${ANY_JOB}`)
          .pluck()
          .get(before);
        return {
          state: "kept",
          woken: [],
          isNew: false,
          over: job !== null && isTerminal(job.status),
          reads: reads as number,
        };
      }
      if (job !== null && isTerminal(job.status)) return { state: "ended", job };
      const kept = sql("SELECT count(*) FROM (SELECT 1 FROM signals WHERE target = ? AND expires_ms > ? LIMIT ?)");
      if ((kept.pluck().get(to, now, MAX_SIGNALS + 1) as number) >= MAX_SIGNALS) return { state: "full" };
      const key = "key" in target ? target.key : null;
      sql(
        "INSERT INTO signals (id, target, job, name, key, at_ms, expires_ms, data, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      ).run(id, to, number, name, key, now, expiresMs, packed(JSON.stringify(data)), signalBytes({ data }));
      const waiting =
        key === null
          ? [number as number]
          : (sql("SELECT DISTINCT job FROM waits WHERE key = ? AND ended_ms IS NULL").pluck().all(key) as number[]);
      const woken: Job[] = [];
      for (const each of waiting) {
        const parked = jobAt(sql, idOf(each));
        if (parked === null || !PARKED.includes(parked.status)) continue;
        const next = deliver(parked, each, now);
        if (next !== null) woken.push(next);
      }
      return { state: "kept", woken, isNew: true };
    },

    /** What a person says of a call of unknown outcome. Null: the job does not wait for it. */
    decide({ id, now, ...decision }: Decision & { readonly id: string; readonly now: number }): Job | null {
      const job = jobAt(sql, id);
      if (job === null || ![...PARKED, "queued"].includes(job.status)) return null;
      const number = numberOf(id);
      const wait = outcomeWait(decision.of);
      if (!openWaits(number).some((row) => row.id === wait)) return null;
      append(number, { kind: "decision", ...decision }, now);
      // Something else that it waited for has put it in line already.
      if (job.status === "queued") {
        endWait(number, wait, now);
        return job;
      }
      return wake(job, number, wait, "decision", now);
    },

    /** A record of the job was found that cannot be read: its run is to find it too. Null: the job does not wait. */
    wakeUnreadable({ id, now }: { readonly id: string; readonly now: number }): Job | null {
      const job = jobAt(sql, id);
      if (job === null || !PARKED.includes(job.status)) return null;
      const number = numberOf(id);
      const [wait] = openWaits(number);
      return wait === undefined ? null : wake(job, number, wait.id, "expired", now);
    },

    waitsOf({ id }: { readonly id: string }): readonly JobWait[] {
      const rows = sql("SELECT * FROM waits WHERE job = (SELECT number FROM jobs WHERE id = ?) ORDER BY began_ms, id");
      return (rows.all(id) as readonly WaitRow[]).map(jobWaitOf);
    },

    /** Signals that have come to the job and that it has not read, by name. */
    unreadSignals({ id }: { readonly id: string }): Readonly<Record<string, number>> {
      const number = numberOf(id);
      const rows = sql(`SELECT name, count(*) FROM signals WHERE target = ? AND ${NOT_READ} GROUP BY name`).raw();
      return Object.fromEntries(rows.all(`j:${number}`, number) as [string, number][]);
    },

    waitedKeys({ name, after, most }: { readonly name: string; readonly after: string; readonly most: number }) {
      const rows = sql(
        `SELECT key, max(began_ms) AS sinceMs FROM waits WHERE key > ? AND ended_ms IS NULL AND kind = 'signal' AND names LIKE ?
         GROUP BY key ORDER BY key LIMIT ?`,
      );
      return rows.all(after, `%"${name}"%`, most) as readonly WaitedKey[];
    },

    /** All signals under keys together. */
    keptSignals: ({ now }: { readonly now: number }): KeptSignals =>
      sql(
        "SELECT count(*) AS signals, coalesce(sum(bytes), 0) AS bytes FROM signals WHERE key IS NOT NULL AND expires_ms > ?",
      ).get(now) as KeptSignals,

    forgetSignals({ now }: { readonly now: number }): void {
      const gone = sql("DELETE FROM signals WHERE expires_ms <= ? AND key IS NOT NULL RETURNING number")
        .pluck()
        .all(now);
      // Their numbers are given again.
      for (const number of gone) sql("DELETE FROM signal_reads WHERE signal = ?").run(number);
    },
  };

  /** When the wait of an approval is over at the latest: the question may end before. */
  const endOfAsking = ({ approval, until }: Extract<WaitSpec, { kind: "approval" }>): number | null =>
    earlier(until, approvalRow(sql, approval)?.expires_ms ?? null);

  return {
    calls,
    /** Ends a wait of a job so that its run is cancelled there and cleans up. Null: it does not wait, or has nothing to clean up. */
    wakeToClean(job: KeptJob, by: string, now: number): KeptJob | null {
      if (!PARKED.includes(job.status)) return null;
      const number = numberOf(job.id);
      const wait = waitToClean(openWaits(number));
      if (wait === undefined) return null;
      append(number, { kind: "woken", wait: wait.id, why: "cancelled", result: by }, now);
      return wake(job, number, wait.id, "cancelled", now);
    },
    /** Gives the decision to the job that waits for it. Null: it does not wait. */
    wakeApproval(row: KeptApproval, now: number): Job | null {
      const id = sql("SELECT id FROM jobs WHERE number = ?").pluck().get(row.job) as string;
      const job = jobAt(sql, id);
      const wait = openWaits(row.job).find(({ kind, key }) => kind === "approval" && key === row.id);
      const decided = decisionOf(row, row.id, null, now);
      if (job === null || wait === undefined || decided === null || !PARKED.includes(job.status)) return null;
      append(row.job, { kind: "woken", wait: wait.id, ...decided }, now);
      return wake(job, row.job, wait.id, decided.why, now);
    },
  };
}
