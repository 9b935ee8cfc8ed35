/**
 * The journals of durable jobs. A write names owner and attempt of the run that makes it, and changes nothing when another one has the job by
 * now. Each is one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`).
 */
import type { JournalRow, JournalRows } from "../../durable/journal-rows.ts";
import type { Claim } from "../../job.ts";
import type { Sql } from "./job-rows.ts";

/** The claim that writes. */
export type Writing = Claim & { readonly number: number };

export type JournalRead = {
  readonly rows: readonly JournalRow[];
  readonly values: ReadonlyMap<string, Uint8Array>;
  /** Of the last record that the job is known to have. */
  readonly lastSeq: number;
  /** The newest first. */
  readonly snapshots: readonly Uint8Array[];
};

const HELD = `SELECT status, stuck FROM jobs WHERE number = ? AND id = ? AND owner = ? AND attempt = ?
  AND resumes = ? AND status IN ('running', 'cancelling')`;
const ADD = "INSERT INTO job_journal (job, seq, value, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
const USE_VALUE = `INSERT INTO job_values (hash, data, uses) VALUES (?, ?, 1) ON CONFLICT (hash) DO UPDATE SET uses = uses + 1`;
const KEPT_SNAPSHOTS = 2;

export function journalTables(sql: Sql) {
  const held = ({ number, id, owner, attempt, resumes }: Writing) =>
    sql(HELD).get(number, id, owner, attempt, resumes) as
      | { readonly status: string; readonly stuck: number }
      | undefined;
  const add = (job: number, { rows, values }: Pick<JournalRows, "rows" | "values">): void => {
    const insert = sql(ADD);
    for (const [seq, hash, data] of rows) {
      // A record that is there already was written by the same run, whose answer was lost.
      const isNew = insert.run(job, seq, hash, data).changes === 1;
      if (isNew && hash !== null) sql(USE_VALUE).run(hash, values.get(hash));
    }
  };
  const valuesOf = (rows: readonly JournalRow[]): ReadonlyMap<string, Uint8Array> => {
    const values = new Map<string, Uint8Array>();
    for (const [, hash] of rows) {
      if (hash === null || values.has(hash)) continue;
      const value = sql("SELECT data FROM job_values WHERE hash = ?").pluck().get(hash) as Uint8Array | undefined;
      if (value !== undefined) values.set(hash, value);
    }
    return values;
  };
  const rowsOf = (job: number, after: number, most: number): readonly JournalRow[] =>
    sql("SELECT seq, value, data FROM job_journal WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?")
      .raw()
      .all(job, after, most) as unknown as readonly JournalRow[];

  return {
    /** For other calls of the same transaction. */
    journal: { held, add },

    calls: {
      /** False: another run has the job, or it is over. */
      appendJournal({ progress, ...writing }: Writing & JournalRows): boolean {
        const row = held(writing);
        if (row === undefined) return false;
        add(writing.number, writing);
        if (progress && row.stuck > 0) sql("UPDATE jobs SET stuck = 0 WHERE number = ?").run(writing.number);
        return true;
      },

      loadJournal({ id }: { readonly id: string }): JournalRead {
        const job = sql("SELECT number, last_seq AS lastSeq FROM jobs WHERE id = ?").get(id) as
          | { readonly number: number; readonly lastSeq: number }
          | undefined;
        if (job === undefined) return { rows: [], values: new Map(), lastSeq: 0, snapshots: [] };
        const { number, lastSeq } = job;
        const rows = rowsOf(number, 0, Number.MAX_SAFE_INTEGER);
        const snapshots = sql("SELECT data FROM job_snapshots WHERE job = ? ORDER BY seq DESC").pluck().all(number);
        return { rows, values: valuesOf(rows), lastSeq, snapshots: snapshots as Uint8Array[] };
      },

      /** Null: the job does not exist. */
      journalPage({
        id,
        after,
        most,
      }: {
        readonly id: string;
        readonly after: number;
        readonly most: number;
      }): Pick<JournalRead, "rows" | "values"> | null {
        const job = sql("SELECT number FROM jobs WHERE id = ?").pluck().get(id) as number | undefined;
        if (job === undefined) return null;
        const rows = rowsOf(job, after, most);
        return { rows, values: valuesOf(rows) };
      },

      /** 0: the journal is empty, or the job does not exist. */
      lastRecordNumber({ id }: { readonly id: string }): number {
        const last = "SELECT max(seq) FROM job_journal WHERE job = (SELECT number FROM jobs WHERE id = ?)";
        return (sql(last).pluck().get(id) as number | null) ?? 0;
      },

      keepSnapshot({ seq, data, ...writing }: Writing & { readonly seq: number; readonly data: Uint8Array }): void {
        if (held(writing) === undefined) return;
        sql("INSERT OR REPLACE INTO job_snapshots (job, seq, data) VALUES (?, ?, ?)").run(writing.number, seq, data);
        sql(
          `DELETE FROM job_snapshots WHERE job = ? AND seq NOT IN
           (SELECT seq FROM job_snapshots WHERE job = ? ORDER BY seq DESC LIMIT ${KEPT_SNAPSHOTS})`,
        ).run(writing.number, writing.number);
      },

      /** The job is over: its states are not needed any more, and some of its branches may have waited still. */
      endDurable({ id, now }: { readonly id: string; readonly now: number }): void {
        const job = "job = (SELECT number FROM jobs WHERE id = ?)";
        sql(`DELETE FROM job_snapshots WHERE ${job}`).run(id);
        sql(`UPDATE waits SET ended_ms = ? WHERE ${job} AND ended_ms IS NULL`).run(now, id);
      },
    },
  };
}

type Taken = { readonly job: string; readonly seq: number };

/** All records that a new job is to take over are there. */
export function hasRecords(sql: Sql, { job, seq }: Taken): boolean {
  const count = "SELECT count(*) FROM job_journal WHERE seq <= ? AND job = (SELECT number FROM jobs WHERE id = ?)";
  return sql(count).pluck().get(seq, job) === seq;
}

/** The job `to` begins with the first records of another one. */
export function takeRecords(sql: Sql, { job, seq }: Taken, to: number): void {
  sql(
    `INSERT INTO job_journal (job, seq, value, data)
     SELECT ?, seq, value, data FROM job_journal WHERE seq <= ? AND job = (SELECT number FROM jobs WHERE id = ?)`,
  ).run(to, seq, job);
  for (const hash of sql("SELECT value FROM job_journal WHERE job = ? AND value IS NOT NULL").pluck().all(to))
    sql("UPDATE job_values SET uses = uses + 1 WHERE hash = ?").run(hash);
  if (seq > 0) sql("UPDATE jobs SET why = 'retry' WHERE number = ?").run(to);
}

/** Everything that was stored for a durable job. */
export function forgetDurable(sql: Sql, job: number): void {
  forgetRun(sql, job);
  for (const table of ["signals", "signal_reads", "tokens", "approvals"])
    sql(`DELETE FROM ${table} WHERE job = ?`).run(job);
}

/** What its run learned and waited for. */
export function forgetRun(sql: Sql, job: number): void {
  const used = sql("SELECT value FROM job_journal WHERE job = ? AND value IS NOT NULL").pluck().all(job);
  for (const hash of used) {
    sql("UPDATE job_values SET uses = uses - 1 WHERE hash = ?").run(hash);
    sql("DELETE FROM job_values WHERE hash = ? AND uses <= 0").run(hash);
  }
  for (const table of ["job_journal", "job_snapshots", "waits"]) sql(`DELETE FROM ${table} WHERE job = ?`).run(job);
}
