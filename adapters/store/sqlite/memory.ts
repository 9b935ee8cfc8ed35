/**
 * Memory records in an SQLite file: writing, reading and removing them. Listing: `memory-list.ts`; tables and their history:
 * `memory-tables.ts`. An expired record is treated as absent until it is pruned or written over.
 */
import type { Database } from "better-sqlite3";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { adapterError } from "../../errors.ts";
import { expiryAfter } from "../call.ts";
import { EMPTY_LOG, entriesOf, fullLog, mergePatch, refuseLarge, storedPayload, withEntries } from "../log-payload.ts";
import type {
  Appended,
  AppendRequest,
  GetRequest,
  PatchRequest,
  PutRequest,
  RecordKey,
  StoredRecord,
  Written,
} from "../record.ts";
import { type KeyedInput, once } from "./ledger.ts";
import { listRecords } from "./memory-list.ts";
import { MEMORY_SCHEMA, prepare } from "./memory-tables.ts";
import { bare, program, reading, statement, sweepDue, writing } from "./program.ts";

/** Expired records that one call removes at most, so that no call takes long because of them. */
export const PRUNED_AT_ONCE = 1_000;

type Timed = { readonly now: number };
type Row = {
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
function findAny(db: Database, { namespace, kind, id }: RecordKey): Row | undefined {
  return statement<Row>(
    db,
    `SELECT id, created_ms, updated_ms, expires_ms, ttl_seconds, payload_json, metadata_json, version
     FROM memory_records WHERE namespace = ? AND record_kind = ? AND record_id = ?`,
  ).get(namespace, kind, id);
}

function find(db: Database, key: RecordKey & Timed): Row | undefined {
  const row = findAny(db, key);
  return row === undefined || isExpired(row, key.now) ? undefined : row;
}

function isExpired(row: Row, now: number): boolean {
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
function write(
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

function insertEntry(db: Database, record: number, seq: number, entry: string, now: number): void {
  statement(db, "INSERT INTO memory_entries(record, seq, at_ms, entry_json) VALUES (?, ?, ?, ?)").run(
    record,
    seq,
    now,
    entry,
  );
}

/** Entries are numbered from 1 without gaps. */
function lengthOf(db: Database, record: number): number {
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
    .map((row) => JSON.parse(row.entry_json));
}

/** The payload of a row, with the last `tail` entries of a log. */
function payloadOf(db: Database, row: Row, tail: number | null): JsonObject {
  const payload: JsonObject = JSON.parse(row.payload_json);
  if (entriesOf(payload) === null) return payload;
  const first = tail === null ? 1 : lengthOf(db, row.id) - tail + 1;
  return withEntries(payload, entriesFrom(db, row.id, first));
}

function record(db: Database, { namespace, kind, id, tail }: GetRequest, row: Row): StoredRecord {
  return {
    namespace,
    kind,
    id,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    ttlSeconds: row.ttl_seconds,
    payload: payloadOf(db, row, tail),
    metadata: row.metadata_json === null ? null : JSON.parse(row.metadata_json),
    version: row.version,
  };
}

function textOf(metadata: JsonObject | null): string | null {
  return metadata === null ? null : JSON.stringify(metadata);
}

function refuseVersion(present: Row | undefined, ifVersion: number | null): void {
  if (ifVersion !== null && ifVersion !== (present?.version ?? 0)) {
    throw adapterError("ADAPTER_CONFLICT", "the record has another version");
  }
}

function sweepAlong(db: Database, { now, sweepIntervalMs }: Timed & { readonly sweepIntervalMs: number }): void {
  if (sweepIntervalMs > 0 && sweepDue(db, now, sweepIntervalMs)) prune(db, null, now);
}

function prune(db: Database, namespaces: readonly string[] | null, now: number): number {
  return statement(
    db,
    `DELETE FROM memory_records WHERE id IN (SELECT id FROM memory_records
       WHERE expires_ms <= @now AND (@all OR namespace IN (SELECT value FROM json_each(@namespaces)))
       LIMIT ${PRUNED_AT_ONCE})`,
  ).run({ now, all: namespaces === null ? 1 : 0, namespaces: JSON.stringify(namespaces ?? []) }).changes;
}

function touched(row: Row, now: number): string {
  const metadata: JsonObject = row.metadata_json === null ? {} : JSON.parse(row.metadata_json);
  const count = Object.hasOwn(metadata, "access_count") ? metadata["access_count"] : 0;
  return JSON.stringify({
    ...metadata,
    last_accessed: new Date(now).toISOString(),
    access_count: (typeof count === "number" ? count : 0) + 1,
  });
}

export const memoryOperations = {
  prepare: bare((db, _input: null): null => {
    prepare(db);
    return null;
  }),
  put: writing((db, input: PutRequest & Timed): Written => {
    sweepAlong(db, input);
    const present = find(db, input);
    if (input.ifAbsent && present !== undefined) throw adapterError("ADAPTER_CONFLICT", "the record is there already");
    refuseVersion(present, input.ifVersion);
    const { payload, entries } = storedPayload(input.payload, input);
    const content = { payload, entries: entries ?? [], ttlSeconds: input.ttlSeconds, metadata: textOf(input.metadata) };
    const { row: _row, ...written } = write(db, input, present, content);
    return written;
  }),
  get: reading((db, input: GetRequest & Timed): StoredRecord | null => {
    const row = find(db, input);
    return row === undefined ? null : record(db, input, row);
  }),
  touch: writing((db, input: GetRequest & Timed): StoredRecord | null => {
    const row = find(db, input);
    if (row === undefined) return null;
    const metadata = touched(row, input.now);
    statement(db, "UPDATE memory_records SET metadata_json = ? WHERE id = ?").run(metadata, row.id);
    return record(db, input, { ...row, metadata_json: metadata });
  }),
  append: writing(
    (
      db,
      input: Omit<AppendRequest, "once"> & Timed & { readonly keepTtl: boolean; readonly once: KeyedInput },
    ): Appended =>
      once(db, input.once, () => {
        sweepAlong(db, input);
        const present = find(db, input);
        const payload: JsonObject = present === undefined ? EMPTY_LOG : JSON.parse(present.payload_json);
        if (entriesOf(payload) === null) throw adapterError("ADAPTER_CONFLICT", "the record is no log");
        const entry = JSON.stringify(input.entry);
        refuseLarge(entry, input.maxPayloadBytes);
        const length = present === undefined ? 0 : lengthOf(db, present.id);
        if (length >= input.maxEntries) throw fullLog();
        const kept = present === undefined ? input.newTtlSeconds : present.ttl_seconds;
        const { row } = write(db, input, present, {
          payload: JSON.stringify(payload),
          entries: present === undefined ? [] : null,
          ttlSeconds: input.keepTtl ? kept : (input.ttlSeconds ?? null),
          metadata: textOf(input.metadata) ?? present?.metadata_json ?? null,
        });
        insertEntry(db, row, length + 1, entry, input.now);
        return { updatedMs: input.now, entries: length + 1 };
      }),
  ),
  patch: writing((db, input: PatchRequest & Timed): Written | null => {
    sweepAlong(db, input);
    const present = find(db, input);
    if (present === undefined) return null;
    refuseVersion(present, input.ifVersion);
    const changesEntries = Object.hasOwn(input.patch, "entries");
    const before: JsonObject = changesEntries ? payloadOf(db, present, null) : JSON.parse(present.payload_json);
    const { payload, entries } = storedPayload(mergePatch(before, input.patch) as JsonObject, input);
    const { row: _row, ...written } = write(db, input, present, {
      payload,
      entries: changesEntries ? (entries ?? []) : null,
      ttlSeconds: present.ttl_seconds,
      metadata: present.metadata_json,
    });
    return written;
  }),
  list: reading(listRecords),
  delete: writing((db, input: RecordKey & Timed): boolean => {
    const row = findAny(db, input);
    if (row === undefined) return false;
    statement(db, "DELETE FROM memory_records WHERE id = ?").run(row.id);
    return !isExpired(row, input.now);
  }),
  prune: writing((db, input: Timed & { readonly namespaces: readonly string[] | null }): number =>
    prune(db, input.namespaces, input.now),
  ),
  count: reading((db, input: Timed & { readonly namespace: string; readonly kind: string | null }): number => {
    const row = statement<{ n: number }>(
      db,
      `SELECT count(*) AS n FROM memory_records WHERE namespace = @namespace
         AND (@kind IS NULL OR record_kind = @kind) AND (expires_ms IS NULL OR expires_ms > @now)`,
    ).get({ namespace: input.namespace, kind: input.kind, now: input.now });
    return row?.n ?? 0;
  }),
};

export const memoryProgram = program(MEMORY_SCHEMA, memoryOperations);
