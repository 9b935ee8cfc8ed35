/**
 * Tables of memory records: how they are made, and how the file of an earlier layout (times as text, no unique key, logs as one payload) is
 * brought to this one. The newest row of each key wins; a copy of the old file is kept next to it.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import type { Database } from "better-sqlite3";
import { readDate } from "../../content/written-date.ts";
import { adapterError } from "../../errors.ts";
import { expiryAfter } from "../call.ts";
import { storedPayload } from "../log-payload.ts";
import { storedObject } from "../stored-json.ts";
import { LEDGER_SCHEMA } from "./ledger-program.ts";

const LAYOUT = 2;

function recordsTable(name: string): string {
  return `CREATE TABLE IF NOT EXISTS ${name}(
  id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, record_kind TEXT NOT NULL, record_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, expires_ms INTEGER, ttl_seconds INTEGER,
  payload_json TEXT NOT NULL, metadata_json TEXT, version INTEGER NOT NULL,
  UNIQUE(namespace, record_kind, record_id));
`;
}

const ENTRIES_TABLE = `CREATE TABLE IF NOT EXISTS memory_entries(
  record INTEGER NOT NULL REFERENCES memory_records(id) ON DELETE CASCADE,
  seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, entry_json TEXT NOT NULL,
  PRIMARY KEY(record, seq)) WITHOUT ROWID;
`;

/** What every opening makes sure of. The indexes are left to `prepare`: a file of the earlier layout lacks their columns. */
export const MEMORY_SCHEMA = recordsTable("memory_records") + ENTRIES_TABLE + LEDGER_SCHEMA;

const INDEXES = `
CREATE INDEX IF NOT EXISTS memory_updated ON memory_records(namespace, updated_ms);
CREATE INDEX IF NOT EXISTS memory_expires ON memory_records(expires_ms) WHERE expires_ms IS NOT NULL;
PRAGMA user_version = ${LAYOUT};
`;

/** Brings the file to the present layout. Outside a transaction; harmless when repeated or done by two processes at once. */
export function prepare(db: Database): void {
  const layout = layoutOf(db);
  if (layout === LAYOUT) return;
  if (layout > LAYOUT) throw adapterError("ADAPTER_BAD_DATA", "the memory file was written by a newer version");
  if (!hasEarlierLayout(db)) {
    immediate(db, () => db.exec(INDEXES));
    return;
  }
  const copy = `${db.name}.bak`;
  // Process ids keep the copies of two processes apart; a leftover of a crash is overwritten.
  const draft = `${copy}-${process.pid}`;
  rmSync(draft, { force: true });
  try {
    db.prepare("VACUUM INTO ?").run(draft);
    const migrated = immediate(db, () => {
      if (!hasEarlierLayout(db)) return false;
      migrate(db);
      return true;
    });
    if (migrated && !existsSync(copy)) renameSync(draft, copy);
  } finally {
    rmSync(draft, { force: true });
  }
}

function immediate<T>(db: Database, act: () => T): T {
  return db.transaction(act).immediate();
}

function layoutOf(db: Database): number {
  return Number(db.pragma("user_version", { simple: true }));
}

function columnsOf(db: Database): ReadonlySet<string> {
  const rows = db.prepare<[], { name: string }>("SELECT name FROM pragma_table_info('memory_records')").all();
  return new Set(rows.map((row) => row.name));
}

function hasEarlierLayout(db: Database): boolean {
  return layoutOf(db) < LAYOUT && columnsOf(db).has("created_at");
}

type EarlierRow = {
  readonly namespace: string;
  readonly record_kind: string;
  readonly record_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly ttl_seconds: number | null;
  readonly payload_json: string;
  readonly metadata_json: string | null;
};

const UNBOUNDED = { maxPayloadBytes: Number.POSITIVE_INFINITY, maxEntries: Number.POSITIVE_INFINITY };

function migrate(db: Database): void {
  const metadata = columnsOf(db).has("metadata_json") ? "metadata_json" : "NULL AS metadata_json";
  db.exec(`DROP TABLE memory_entries; ALTER TABLE memory_records RENAME TO memory_earlier;`);
  db.exec(recordsTable("memory_records") + ENTRIES_TABLE);
  const insertRecord = db.prepare(
    `INSERT INTO memory_records(namespace, record_kind, record_id, created_ms, updated_ms, expires_ms, ttl_seconds,
       payload_json, metadata_json, version)
     VALUES (@namespace, @record_kind, @record_id, @createdMs, @updatedMs, @expiresMs, @ttl_seconds, @payload,
       @metadata_json, 1) ON CONFLICT DO NOTHING`,
  );
  const insertEntry = db.prepare("INSERT INTO memory_entries(record, seq, at_ms, entry_json) VALUES (?, ?, ?, ?)");
  const rows = db.prepare<[], EarlierRow>(
    `SELECT namespace, record_kind, record_id, created_at, updated_at, ttl_seconds, payload_json, ${metadata}
     FROM memory_earlier ORDER BY julianday(updated_at) DESC, rowid DESC`,
  );
  // The rows are read before the first is written: one connection cannot do both at once.
  for (const row of rows.all()) {
    const { payload, entries } = storedPayload(storedObject(row.payload_json), UNBOUNDED);
    const updatedMs = timeOf(row.updated_at);
    const times = { createdMs: timeOf(row.created_at), updatedMs, expiresMs: expiryAfter(updatedMs, row.ttl_seconds) };
    const { changes, lastInsertRowid } = insertRecord.run({ ...row, ...times, payload });
    if (changes === 0) continue;
    for (const [at, entry] of (entries ?? []).entries()) insertEntry.run(lastInsertRowid, at + 1, updatedMs, entry);
  }
  db.exec(`DROP TABLE memory_earlier; ${INDEXES}`);
}

/** Without a zone it is UTC, whatever this machine's is. */
function timeOf(text: string): number {
  const ms = readDate(text);
  if (ms === null) throw adapterError("ADAPTER_BAD_DATA", "a time of the earlier layout is not valid");
  return ms;
}
