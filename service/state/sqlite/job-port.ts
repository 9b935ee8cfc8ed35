/** What rules about jobs need of SQLite (`../job-port.ts`). Only this process uses the file, so locks are not needed. */
import type { JournalRecord, ParkedWait, RecordBody, RecordOf, WokenWait } from "../../../vm/durable/records.ts";
import {
  isUnreadable,
  type JournalRow,
  type JournalRows,
  journalRows,
  recordOf,
  unpacked,
} from "../../jobs/durable/journal-rows.ts";
import { wokenEvent } from "../../jobs/durable/wait-rows.ts";
import type { Moment } from "../../jobs/durable/waits.ts";
import { type KeptJob, moved, PARKED } from "../../jobs/job.ts";
import type { Tally } from "../../jobs/sqlite/tables/counts.ts";
import type { JobMoves } from "../../jobs/sqlite/tables/job-moves.ts";
import { numberedJob, type Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import { forgetRun } from "../../jobs/sqlite/tables/journal-tables.ts";
import type { Found, JobKey, JobPort, NewWait, Wake } from "../job-port.ts";
import { direct } from "../step.ts";

export type JobPortDeps = {
  readonly sql: Sql;
  readonly tally: Pick<Tally, "of">;
  readonly journal: { add(job: number, rows: Pick<JournalRows, "rows" | "values">): void };
  readonly moves: JobMoves["rules"];
};

const WAIT = `INSERT INTO waits (id, job, place, began_ms, kind, names, key, until_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (job, id) DO UPDATE SET until_ms = excluded.until_ms, ended_ms = NULL`;
const SIGNAL = `INSERT INTO signals (id, target, job, name, key, at_ms, expires_ms, data, bytes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PARK = "UPDATE jobs SET parked_at = ? WHERE number = ?";
const END = "UPDATE waits SET ended_ms = ? WHERE job = ? AND id = ?";
const WAKE = `UPDATE jobs SET why = 'wake', parked_ms = parked_ms + (? - coalesce(parked_at, ?)), parked_at = NULL
  WHERE number = ?`;
const PROGRESS = "UPDATE jobs SET stuck = 0 WHERE number = ? AND stuck > 0";
/** A job that runs, or is about to, looks itself. */
const DUE = `SELECT job FROM waits WHERE ended_ms IS NULL AND until_ms IS NOT NULL
  AND (SELECT status FROM jobs WHERE number = waits.job) IN ('waiting', 'sleeping')`;
const DUE_DATES = `${DUE} AND kind = 'date' AND until_ms <= ? ORDER BY until_ms LIMIT ?`;
const DUE_SPANS = `${DUE} AND kind <> 'date' AND until_ms <= ? ORDER BY until_ms LIMIT ?`;
const UNREADABLE = Symbol("unreadable");

export function sqliteJobs({ sql, tally, journal, moves }: JobPortDeps): JobPort {
  const jobOf = (key: JobKey): Found | null => numberedJob(sql, "jobs.number", key);
  const keyOf = (id: string): number | null =>
    (sql("SELECT number FROM jobs WHERE id = ?").pluck().get(id) as number | undefined) ?? null;
  const found = (keys: readonly JobKey[]): readonly Found[] => [...new Set(keys)].flatMap((key) => jobOf(key) ?? []);
  const add = ({ key }: Found, body: RecordBody, now: number): number =>
    addRecord(sql, journal, key as number, body, now);
  const wakeUp = ({ wait, why, record, ...one }: Wake, now: number): KeptJob => {
    add(one, record, now);
    sql(END).run(now, one.key, wait);
    const next = moves.moveAndTell(moved(one.job, "queued", now), one.job.status, [wokenEvent(wait, why)], now);
    sql(WAKE).run(now, now, one.key);
    return next;
  };
  const due = ({ now, wall }: Moment, most: number): readonly Found[] => {
    const dates = sql(DUE_DATES).pluck().all(wall, most) as number[];
    return found([
      ...dates,
      ...(sql(DUE_SPANS)
        .pluck()
        .all(now, most - dates.length) as number[]),
    ]);
  };
  return {
    jobKey: "number",
    anyJob: 0,
    isForPeople: `($4 IS NULL OR a.people = '[]'
      OR EXISTS (SELECT 1 FROM json_each(a.people) p, json_each($4) t WHERE p.value = t.value))`,
    isLater:
      "s.at_ms >= (SELECT queued_ms FROM submissions WHERE number = (SELECT submission FROM jobs WHERE number = $1))",
    keyOf: (id) => direct(() => keyOf(id)),
    jobsOf: (keys) => direct(() => new Map(found(keys).map(({ key, job }) => [key, job]))),
    lockedJob: (id) => direct(() => numberedJob(sql, "id", id)),
    lockedJobs: (ids, keys) =>
      direct(() => {
        const named = ids.flatMap((id) => numberedJob(sql, "id", id) ?? []);
        const known = new Set(named.map(({ key }) => key as JobKey));
        return [...named, ...found(keys.filter((key) => !known.has(key)))];
      }),
    lockedJobOf: (key) => direct(() => jobOf(key)),
    parkedJobs: (keys) => direct(() => found(keys).filter(({ job }) => PARKED.includes(job.status))),
    dueJobs: (moment, most) => direct(() => due(moment, most)),
    lockKey: () => direct(() => {}),
    addSignals: (signals, now) =>
      direct(() => {
        for (const { id, target, job, name, key, expiresMs, data, bytes } of signals)
          sql(SIGNAL).run(id, target, job, name, key, now, expiresMs, data, bytes);
      }),
    countParked: () => direct(() => tally.of("waiting") + tally.of("sleeping")),
    append: ({ key }, _writer, rows) =>
      direct(() => {
        journal.add(key as number, rows);
        if (rows.progress) sql(PROGRESS).run(key);
        return true;
      }),
    addRecord: (job, body, now) => direct(() => add(job, body, now)),
    forgetRun: ({ key }) => direct(() => forgetRun(sql, key as number)),
    lastWoken: ({ key }, waits) => direct(() => lastWoken(sql, key as number, waits)),
    addWaits: ({ key }, waits, now) =>
      direct(() => {
        for (const { wait, place, columns } of waits as readonly NewWait[])
          sql(WAIT).run(wait, key, place, now, ...columns);
      }),
    park: ({ job, key }, next, events, now) =>
      direct(() => {
        moves.moveAndTell(next, job.status, events, now);
        sql(PARK).run(now, key);
      }),
    wake: (wakes, now) => direct(() => wakes.map((wake) => wakeUp(wake, now))),
    afterCrash: "crash",
    lifetimesOver: (now, most) =>
      direct(() => moves.lifetimesOver(now, most).map((job) => ({ job, key: keyOf(job.id) as number }))),
    requestOf: ({ job }) => direct(() => moves.requestOf(job.id)),
    setRequest: ({ job }, request) => direct(() => moves.setRequest(job.id, request)),
    toldSoFar: ({ job }) => direct(() => moves.soFar(job)),
    insist: () => direct(() => {}),
    move: ({ job }, next, result, now, why) => direct(() => moves.move(next, job.status, result, now, why)),
  };
}

type LastRows = IterableIterator<JournalRow>;

function lastRows(sql: Sql, job: number): LastRows {
  return sql("SELECT seq, value, data FROM job_journal WHERE job = ? ORDER BY seq DESC").raw().iterate(job) as LastRows;
}

function lastRecord(sql: Sql, job: number): JournalRecord | null | typeof UNREADABLE {
  for (const row of lastRows(sql, job)) {
    try {
      // Without its result, where that is large.
      return JSON.parse(unpacked(row[2])) as JournalRecord;
    } catch (thrown) {
      // What is damaged is found by its checksum, and stops the store.
      if (!isUnreadable(thrown)) throw thrown;
      return UNREADABLE;
    }
  }
  return null;
}

/**
 * Where the last record cannot be read nothing is added: the job is woken all the same, and its run finds that the journal cannot be read
 * and is interrupted for it.
 */
function addRecord(sql: Sql, journal: JobPortDeps["journal"], job: number, body: RecordBody, now: number): number {
  const last = lastRecord(sql, job);
  if (last === UNREADABLE) return 0;
  const lastSeq = sql("SELECT last_seq FROM jobs WHERE number = ?").pluck().get(job) as number;
  // After records that are lost: in their place it would hide that they are.
  const seq = Math.max(last?.seq ?? 0, lastSeq) + 1;
  const record = { ...body, seq, at: now, active_ms: last?.active_ms ?? 0, branch: "" } as JournalRecord;
  journal.add(job, journalRows([record]));
  return seq;
}

function lastWoken(sql: Sql, job: number, waits: readonly ParkedWait[]): readonly WokenWait[] {
  const last: [JournalRow, RecordOf<"woken">][] = [];
  for (const row of lastRows(sql, job)) {
    const record = JSON.parse(unpacked(row[2])) as JournalRecord;
    if (record.kind !== "woken") break;
    if (waits.some(({ wait }) => wait === record.wait)) last.push([row, record]);
  }
  return last.map(([row, { wait, seq }]) => {
    const value = sql("SELECT data FROM job_values WHERE hash = ?").pluck().get(row[1]) as Uint8Array | undefined;
    const record = recordOf(row, new Map(value === undefined ? [] : [[row[1] as string, value]]));
    const { result, result_text } = record as RecordOf<"woken">;
    return { wait, seq, result, result_text };
  });
}
