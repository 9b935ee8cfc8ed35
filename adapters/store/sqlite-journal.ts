/**
 * Journals of durable runs in an SQLite file, for hosts that embed the machine (docs/embedding.md). The service keeps those of its jobs with
 * the jobs. A commit is synced before `append` resolves; it is made on the thread of the caller.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import type { JournalRecord, RunJournal } from "../../vm/durable/records.ts";

/** The journal of one run in an SQLite file. */
export type SqliteJournal = RunJournal & {
  /** Forgets the run. */
  drop(): void;
  close(): void;
};

const KEPT_SNAPSHOTS = 2;
const TABLES = `
  CREATE TABLE IF NOT EXISTS journal (run TEXT NOT NULL, seq INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (run, seq)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS snapshots (number INTEGER PRIMARY KEY, run TEXT NOT NULL, data TEXT NOT NULL);
`;

/** One file may hold many runs; `run` names this one. Throws errors of SQLite and the file system. */
export function sqliteJournal(path: string, run = "run"): SqliteJournal {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(TABLES);
  const add = db.prepare("INSERT OR IGNORE INTO journal (run, seq, data) VALUES (?, ?, ?)");
  const records = db.prepare("SELECT data FROM journal WHERE run = ? ORDER BY seq").pluck();
  const snapshots = db.prepare("SELECT data FROM snapshots WHERE run = ? ORDER BY number DESC").pluck();
  const keep = db.prepare("INSERT INTO snapshots (run, data) VALUES (?, ?)");
  const forget = db.prepare(
    `DELETE FROM snapshots WHERE run = ? AND number NOT IN
     (SELECT number FROM snapshots WHERE run = ? ORDER BY number DESC LIMIT ${KEPT_SNAPSHOTS})`,
  );
  const addAll = db.transaction((some: readonly JournalRecord[]) => {
    for (const record of some) add.run(run, record.seq, JSON.stringify(record));
  });
  return {
    load: async () => ({
      records: (records.all(run) as string[]).map((text) => JSON.parse(text) as JournalRecord),
      snapshots: (snapshots.all(run) as string[]).map((text) => JSON.parse(text) as unknown),
    }),
    async append(some) {
      addAll(some);
      return "kept";
    },
    keep(snapshot) {
      try {
        keep.run(run, JSON.stringify(snapshot));
        forget.run(run, run);
      } catch {
        // The journal alone decides.
      }
    },
    drop() {
      db.prepare("DELETE FROM journal WHERE run = ?").run(run);
      db.prepare("DELETE FROM snapshots WHERE run = ?").run(run);
    },
    close: () => void db.close(),
  };
}
