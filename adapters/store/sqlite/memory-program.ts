/**
 * Memory records in an SQLite file: the operations. Rows: `memory-rows.ts`; lists: `memory-list.ts`; tables and their history:
 * `memory-tables.ts`. An expired record is treated as absent until it is pruned or written over.
 */
import type { Database } from "better-sqlite3";
import type { JsonObject } from "../../../compiler/json.ts";
import { exactJson, opened } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import { EMPTY_LOG, entriesOf, fullLog, mergePatch, refuseLarge, storedPayload } from "../log-payload.ts";
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
import { refusePresent, refuseVersion, touched } from "../record-rules.ts";
import { storedObject, type Texts, takeTexts, textsOf } from "../stored-json.ts";
import { type KeyedInput, once } from "./ledger-program.ts";
import { listRecords } from "./memory-list.ts";
import {
  findAny,
  findLive,
  insertEntry,
  isExpired,
  lengthOf,
  payloadOf,
  recordOf,
  type Timed,
  writeRecord,
} from "./memory-rows.ts";
import { MEMORY_SCHEMA, prepare } from "./memory-tables.ts";
import { bare, program, reading, statement, sweepDue, writing } from "./program.ts";

/** Expired records that one call removes at most, so that no call takes long because of them. */
const PRUNED_AT_ONCE = 1_000;

function textOf(metadata: JsonObject | null): string | null {
  return metadata === null ? null : exactJson(metadata);
}

type WithTexts = { readonly texts: Texts };

function withTexts(record: StoredRecord): StoredRecord & WithTexts {
  return { ...record, texts: textsOf(record) };
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

export const memoryOperations = {
  prepare: bare((db, _input: null): null => {
    prepare(db);
    return null;
  }),
  put: writing((db, input: PutRequest & Timed & WithTexts): Written => {
    takeTexts(input, input.texts);
    sweepAlong(db, input);
    const present = findLive(db, input);
    refusePresent(present, input.ifAbsent);
    refuseVersion(present, input.ifVersion);
    const { payload, entries } = storedPayload(input.payload, input);
    const content = { payload, entries: entries ?? [], ttlSeconds: input.ttlSeconds, metadata: textOf(input.metadata) };
    const { row: _row, ...written } = writeRecord(db, input, present, content);
    return written;
  }),
  get: reading((db, input: GetRequest & Timed): (StoredRecord & WithTexts) | null => {
    const row = findLive(db, input);
    return row === undefined ? null : withTexts(recordOf(db, input, row));
  }),
  touch: writing((db, input: GetRequest & Timed): (StoredRecord & WithTexts) | null => {
    const row = findLive(db, input);
    if (row === undefined) return null;
    const before = row.metadata_json === null ? {} : storedObject(row.metadata_json);
    const metadata = exactJson(touched(opened(before), input.now));
    statement(db, "UPDATE memory_records SET metadata_json = ? WHERE id = ?").run(metadata, row.id);
    return withTexts(recordOf(db, input, { ...row, metadata_json: metadata }));
  }),
  append: writing(
    (
      db,
      input: Omit<AppendRequest, "once"> & Timed & WithTexts & { readonly keepTtl: boolean; readonly once: KeyedInput },
    ): Appended =>
      once(db, input.once, () => {
        takeTexts(input, input.texts);
        sweepAlong(db, input);
        const present = findLive(db, input);
        const payload = present === undefined ? EMPTY_LOG : storedObject(present.payload_json);
        if (entriesOf(payload) === null) throw adapterError("ADAPTER_CONFLICT", "the record is not a log");
        const entry = exactJson(input.entry);
        refuseLarge(entry, input.maxPayloadBytes);
        const length = present === undefined ? 0 : lengthOf(db, present.id);
        if (length >= input.maxEntries) throw fullLog(input.maxEntries);
        const kept = present === undefined ? input.newTtlSeconds : present.ttl_seconds;
        const { row } = writeRecord(db, input, present, {
          payload: exactJson(payload),
          entries: present === undefined ? [] : null,
          ttlSeconds: input.keepTtl ? kept : (input.ttlSeconds ?? null),
          metadata: textOf(input.metadata) ?? present?.metadata_json ?? null,
        });
        insertEntry(db, row, length + 1, entry, input.now);
        return { updatedMs: input.now, entries: length + 1 };
      }),
  ),
  patch: writing((db, input: PatchRequest & Timed & WithTexts): Written | null => {
    takeTexts(input, input.texts);
    sweepAlong(db, input);
    const present = findLive(db, input);
    if (present === undefined) return null;
    refuseVersion(present, input.ifVersion);
    const changesEntries = Object.hasOwn(input.patch, "entries");
    const before = changesEntries ? payloadOf(db, present, null) : storedObject(present.payload_json);
    const { payload, entries } = storedPayload(mergePatch(before, input.patch) as JsonObject, input);
    const { row: _row, ...written } = writeRecord(db, input, present, {
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
