/**
 * Rows of memory records: finding, writing and reading them with their entries. Entries of a log are rows of their own, numbered from 1
 * without gaps.
 */
import type { Database } from "better-sqlite3";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { expiryAfter } from "../call.ts";
import { entriesOf, withEntries } from "../log-payload.ts";
import type { GetRequest, RecordKey, StoredRecord, Written } from "../record.ts";
import { storedJson, storedObject } from "../stored-json.ts";
import { statement } from "./program.ts";

export type Timed = { readonly now: number };
export type Row = {
  readonly id: number;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly expires_ms: number | null;
  readonly ttl_seconds: number | null;
  readonly payload_json: string;
  readonly metadata_json: string | null;
  readonly version: number;
};

/** The row of a key, expired or not. */
export function findAny(db: Database, { namespace, kind, id }: RecordKey): Row | undefined {
  return statement<Row>(
    db,
    `SELECT id, created_ms, updated_ms, expires_ms, ttl_seconds, payload_json, metadata_json, version
     FROM memory_records WHERE namespace = ? AND record_kind = ? AND record_id = ?`,
  ).get(namespace, kind, id);
}

export function findLive(db: Database, key: RecordKey & Timed): Row | undefined {
  const row = findAny(db, key);
  return row === undefined || isExpired(row, key.now) ? undefined : row;
}

export function isExpired(row: Row, now: number): boolean {
  return row.expires_ms !== null && row.expires_ms <= now;
}

type Content = {
  readonly payload: string;
  /** null: those that are there stay. */
  readonly entries: readonly string[] | null;
  readonly ttlSeconds: number | null;
  readonly metadata: string | null;
};

/** Writes over `present`, or makes the record. Answers its row id and version. */
export function writeRecord(
  db: Database,
  key: RecordKey & Timed,
  present: Row | undefined,
  content: Content,
): Written & { readonly row: number } {
  const { namespace, kind, id, now } = key;
  const version = (present?.version ?? 0) + 1;
  const row = statement<{ id: number }>(
    db,
    `INSERT INTO memory_records(namespace, record_kind, record_id, created_ms, updated_ms, expires_ms, ttl_seconds,
       payload_json, metadata_json, version)
     VALUES (@namespace, @kind, @id, @created, @now, @expires, @ttl, @payload, @metadata, @version)
     ON CONFLICT(namespace, record_kind, record_id) DO UPDATE SET created_ms = excluded.created_ms,
       updated_ms = excluded.updated_ms, expires_ms = excluded.expires_ms, ttl_seconds = excluded.ttl_seconds,
       payload_json = excluded.payload_json, metadata_json = excluded.metadata_json, version = excluded.version
     RETURNING id`,
  ).get({
    namespace,
    kind,
    id,
    created: present?.created_ms ?? now,
    now,
    expires: expiryAfter(now, content.ttlSeconds),
    ttl: content.ttlSeconds,
    payload: content.payload,
    metadata: content.metadata,
    version,
  }) as { id: number };
  if (content.entries !== null) replaceEntries(db, row.id, content.entries, now);
  return { row: row.id, created: present === undefined, updatedMs: now, version };
}

function replaceEntries(db: Database, record: number, entries: readonly string[], now: number): void {
  statement(db, "DELETE FROM memory_entries WHERE record = ?").run(record);
  for (const [at, entry] of entries.entries()) insertEntry(db, record, at + 1, entry, now);
}

export function insertEntry(db: Database, record: number, seq: number, entry: string, now: number): void {
  statement(db, "INSERT INTO memory_entries(record, seq, at_ms, entry_json) VALUES (?, ?, ?, ?)").run(
    record,
    seq,
    now,
    entry,
  );
}

/** Entries are numbered from 1 without gaps. */
export function lengthOf(db: Database, record: number): number {
  const last = statement<{ n: number | null }>(db, "SELECT max(seq) AS n FROM memory_entries WHERE record = ?").get(
    record,
  );
  return last?.n ?? 0;
}

function entriesFrom(db: Database, record: number, first: number): Json[] {
  return statement<{ entry_json: string }>(
    db,
    "SELECT entry_json FROM memory_entries WHERE record = ? AND seq >= ? ORDER BY seq",
  )
    .all(record, first)
    .map((row) => storedJson(row.entry_json));
}

/** The payload of a row, with the last `tail` entries of a log. */
export function payloadOf(db: Database, row: Row, tail: number | null): JsonObject {
  const payload = storedObject(row.payload_json);
  if (entriesOf(payload) === null) return payload;
  const first = tail === null ? 1 : lengthOf(db, row.id) - tail + 1;
  return withEntries(payload, entriesFrom(db, row.id, first));
}

export function recordOf(db: Database, { namespace, kind, id, tail }: GetRequest, row: Row): StoredRecord {
  return {
    namespace,
    kind,
    id,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    ttlSeconds: row.ttl_seconds,
    payload: payloadOf(db, row, tail),
    metadata: row.metadata_json === null ? null : storedObject(row.metadata_json),
    version: row.version,
  };
}
