/**
 * Memory records in the shared database. A writer holds the lock of the record, so that two concurrent creations do not
 * both succeed, and its row, so that it is not removed meanwhile. Rows: `record-rows.ts`.
 */

import type { JsonObject } from "../../../compiler/json.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import type { StoreCall } from "../call.ts";
import { EMPTY_LOG, entriesOf, fullLog, mergePatch, refuseLarge, storedPayload } from "../log-payload.ts";
import type {
  Appended,
  AppendRequest,
  GetRequest,
  ListRequest,
  PatchRequest,
  PutRequest,
  RecordKey,
  RecordPage,
  RecordStore,
  StoredRecord,
  Written,
} from "../record.ts";
import { refusePresent, refuseVersion, touched } from "../record-rules.ts";
import { type Lock, lockOf, type SharedDatabase } from "./database.ts";
import { keyedTransaction } from "./ledger.ts";
import { headOf, listed } from "./record-list.ts";
import {
  appendEntry,
  findLive,
  isExpired,
  isLive,
  isRecord,
  lengthOf,
  recordOf,
  selectRecord,
  writeMetadata,
  writeRecord,
} from "./record-rows.ts";
import { arrayOf, flag, type Sql, sql, whole } from "./sql.ts";

/** Expired records that one statement removes at most, so that none takes long because of them. */
const PRUNED_AT_ONCE = 1_000;

export class PostgresRecordStore implements RecordStore {
  readonly #database: SharedDatabase;
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  async put(request: PutRequest, call: StoreCall): Promise<Written> {
    const written = await this.#database.transaction([lockOfRecord(request)], call, async (tx) => {
      const present = await findLive(tx, request);
      refusePresent(present, request.ifAbsent);
      refuseVersion(present, request.ifVersion);
      const { payload, entries } = storedPayload(request.payload, request);
      const { ttlSeconds, metadata } = request;
      const content = { payload, entries: entries ?? [], ttlSeconds, metadata };
      return (await writeRecord(tx, request, present, content)).written;
    });
    await this.#sweepAlong(written.updatedMs, request, call);
    return written;
  }

  async get(request: GetRequest, call: StoreCall): Promise<StoredRecord | null> {
    if (request.touch) return this.#touch(request, call);
    const { rows } = await this.#database.query(selectRecord(request, this.#database.now), call);
    return recordOf(request, rows);
  }

  async append(request: AppendRequest, call: StoreCall): Promise<Appended> {
    const options = { keyed: { ...request.once, scope: "memory.append" }, locks: [lockOfRecord(request)] };
    const appended = await keyedTransaction(this.#database, options, call, async (tx) => {
      const present = await findLive(tx, request);
      const payload = present?.payload ?? EMPTY_LOG;
      if (entriesOf(payload) === null) throw adapterError("ADAPTER_CONFLICT", "the record is not a log");
      const entry = exactJson(request.entry);
      refuseLarge(entry, request.maxPayloadBytes);
      const length = present === undefined ? 0 : await lengthOf(tx, present.row);
      if (length >= request.maxEntries) throw fullLog(request.maxEntries);
      const kept = present === undefined ? request.newTtlSeconds : present.ttlSeconds;
      const { row } = await writeRecord(tx, request, present, {
        payload: exactJson(payload),
        entries: present === undefined ? [] : null,
        ttlSeconds: request.ttlSeconds === undefined ? kept : request.ttlSeconds,
        metadata: request.metadata ?? present?.metadata ?? null,
      });
      await appendEntry(tx, row, length + 1, entry);
      return { updatedMs: tx.now, entries: length + 1 };
    });
    await this.#sweepAlong(appended.updatedMs, request, call);
    return appended;
  }

  async patch(request: PatchRequest, call: StoreCall): Promise<Written | null> {
    const patched = await this.#database.transaction([lockOfRecord(request)], call, async (tx) => {
      const present = await findLive(tx, request);
      if (present === undefined) return null;
      refuseVersion(present, request.ifVersion);
      // The row keeps an empty list in place of the entries, which is all that a patch of them needs to see.
      const { payload, entries } = storedPayload(mergePatch(present.payload, request.patch) as JsonObject, request);
      const changesEntries = Object.hasOwn(request.patch, "entries");
      const { ttlSeconds, metadata } = present;
      const content = { payload, entries: changesEntries ? (entries ?? []) : null, ttlSeconds, metadata };
      return (await writeRecord(tx, request, present, content)).written;
    });
    if (patched !== null) await this.#sweepAlong(patched.updatedMs, request, call);
    return patched;
  }

  async list(request: ListRequest, call: StoreCall): Promise<RecordPage> {
    const { rows } = await this.#database.query(listed(request, this.#database.now), call);
    return { items: rows.slice(0, request.limit).map(headOf), more: rows.length > request.limit };
  }

  async delete(key: RecordKey, call: StoreCall): Promise<boolean> {
    const { rows } = await this.#database.query(
      sql`DELETE FROM weft.memory_records WHERE ${isRecord(key)} RETURNING ${isLive(this.#database.now)}`,
      call,
    );
    return flag(rows[0]?.[0]);
  }

  /** Batch by batch, so that other callers get their turn and no batch takes long. */
  async prune(namespaces: readonly string[] | null, call: StoreCall): Promise<number> {
    const admitted = namespaces === null ? sql`true` : sql`namespace = ANY(${arrayOf(namespaces)}::text[])`;
    let pruned = 0;
    for (;;) {
      const { affected } = await this.#database.query(pruneSome(this.#database.now, admitted), call);
      pruned += affected;
      if (affected < PRUNED_AT_ONCE) return pruned;
    }
  }

  async count(
    { namespace, kind }: { readonly namespace: string; readonly kind: string | null },
    call: StoreCall,
  ): Promise<number> {
    const ofKind = kind === null ? sql`true` : sql`record_kind = ${kind}`;
    const { rows } = await this.#database.query(
      sql`SELECT count(*) FROM weft.memory_records
        WHERE namespace = ${namespace} AND ${ofKind} AND ${isLive(this.#database.now)}`,
      call,
    );
    return whole(rows[0]?.[0]);
  }

  #touch(request: GetRequest, call: StoreCall): Promise<StoredRecord | null> {
    return this.#database.transaction([lockOfRecord(request)], call, async (tx) => {
      const present = await findLive(tx, request);
      if (present === undefined) return null;
      await writeMetadata(tx, present.row, touched(present.metadata ?? {}, tx.now));
      return recordOf(request, (await tx.query(selectRecord(request, sql`${tx.now}`))).rows);
    });
  }

  /** After the write, which stays written when this fails: what is left over is left to the next. */
  async #sweepAlong(
    now: number,
    { sweepIntervalMs }: Pick<PutRequest, "sweepIntervalMs">,
    call: StoreCall,
  ): Promise<void> {
    if (sweepIntervalMs === 0 || now - this.#sweptMs < sweepIntervalMs) return;
    this.#sweptMs = now;
    await this.#database.query(pruneSome(this.#database.now, sql`true`), call).catch(() => {});
  }
}

function pruneSome(now: Sql, admitted: Sql): Sql {
  return sql`DELETE FROM weft.memory_records WHERE id IN
    (SELECT id FROM weft.memory_records WHERE ${isExpired(now)} AND ${admitted}
     LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
}

function lockOfRecord({ namespace, kind, id }: RecordKey): Lock {
  return lockOf("memory record", namespace, kind, id);
}
