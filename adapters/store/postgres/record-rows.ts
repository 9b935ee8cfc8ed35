/**
 * Rows of memory records: finding, writing and reading them with their entries. Entries of a log are rows of their own,
 * numbered from 1 without gaps; the payload keeps an empty list in their place.
 */

import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { exactJson, opened } from "../../../vm/inputs/exact-text.ts";
import { expiryAfter } from "../call.ts";
import { entriesOf, withEntries } from "../log-payload.ts";
import type { GetRequest, RecordKey, StoredRecord, Written } from "../record.ts";
import { timeOf } from "../record-rules.ts";
import { storedJson, storedObject } from "../stored-json.ts";
import type { Transaction } from "./database.ts";
import { arrayOf, type Cell, type Row, type Sql, sql, text, whole, wholeOrNull } from "./sql.ts";

export function isRecord({ namespace, kind, id }: RecordKey): Sql {
  return sql`namespace = ${namespace} AND record_kind = ${kind} AND record_id = ${id}`;
}

export function isLive(now: Sql | number): Sql {
  return sql`(expires_ms IS NULL OR expires_ms > ${now})`;
}

export function isExpired(now: Sql | number): Sql {
  return sql`expires_ms <= ${now}`;
}

export type LiveRecord = {
  readonly row: number;
  readonly createdMs: number;
  readonly ttlSeconds: number | null;
  /** With an empty list in place of entries. */
  readonly payload: JsonObject;
  readonly metadata: JsonObject | null;
  readonly version: number;
};

/** The record of a key, its row locked. */
export async function findLive(tx: Transaction, key: RecordKey): Promise<LiveRecord | undefined> {
  const { rows } = await tx.query(sql`SELECT id, created_ms, ttl_seconds, payload, metadata, version
    FROM weft.memory_records WHERE ${isRecord(key)} AND ${isLive(tx.now)} FOR UPDATE`);
  const [found] = rows;
  if (found === undefined) return undefined;
  const [row, createdMs, ttlSeconds, payload, metadata, version] = found;
  return {
    row: whole(row),
    createdMs: whole(createdMs),
    ttlSeconds: wholeOrNull(ttlSeconds),
    payload: storedObject(text(payload)),
    metadata: objectOrNull(metadata),
    version: whole(version),
  };
}

function objectOrNull(cell: Cell): JsonObject | null {
  return cell == null ? null : storedObject(cell);
}

type Content = {
  /** JSON text. */
  readonly payload: string;
  /** JSON texts; null: those that are there stay. */
  readonly entries: readonly string[] | null;
  readonly ttlSeconds: number | null;
  readonly metadata: JsonObject | null;
};

/** Writes over `present`, or makes the record; an expired one is written over, too. */
export async function writeRecord(
  tx: Transaction,
  key: RecordKey,
  present: LiveRecord | undefined,
  { payload, entries, ttlSeconds, metadata }: Content,
): Promise<{ readonly written: Written; readonly row: number }> {
  const version = (present?.version ?? 0) + 1;
  const { tags, source, validMs, accessedMs } = facetsOf(metadata);
  const { rows } = await tx.query(sql`
    INSERT INTO weft.memory_records(namespace, record_kind, record_id, created_ms, updated_ms, expires_ms,
      ttl_seconds, payload, metadata, version, tags, source, valid_ms, accessed_ms)
    VALUES (${key.namespace}, ${key.kind}, ${key.id}, ${present?.createdMs ?? tx.now}, ${tx.now},
      ${expiryAfter(tx.now, ttlSeconds)}, ${ttlSeconds}, ${payload}, ${jsonOrNull(metadata)}, ${version},
      ${tags}, ${source}, ${validMs}, ${accessedMs})
    ON CONFLICT (namespace, record_kind, record_id) DO UPDATE SET created_ms = excluded.created_ms,
      updated_ms = excluded.updated_ms, expires_ms = excluded.expires_ms, ttl_seconds = excluded.ttl_seconds,
      payload = excluded.payload, metadata = excluded.metadata, version = excluded.version,
      tags = excluded.tags, source = excluded.source, valid_ms = excluded.valid_ms,
      accessed_ms = excluded.accessed_ms
    RETURNING id`);
  const row = whole(rows[0]?.[0]);
  if (entries !== null) await replaceEntries(tx, row, entries);
  return { written: { created: present === undefined, updatedMs: tx.now, version }, row };
}

export async function writeMetadata(tx: Transaction, row: number, metadata: JsonObject): Promise<void> {
  const { tags, source, validMs, accessedMs } = facetsOf(metadata);
  await tx.query(sql`UPDATE weft.memory_records SET metadata = ${jsonOrNull(metadata)}, tags = ${tags},
    source = ${source}, valid_ms = ${validMs}, accessed_ms = ${accessedMs} WHERE id = ${row}`);
}

function jsonOrNull(metadata: JsonObject | null): string | null {
  return metadata === null ? null : exactJson(metadata);
}

async function replaceEntries(tx: Transaction, row: number, entries: readonly string[]): Promise<void> {
  await tx.query(sql`DELETE FROM weft.memory_entries WHERE record = ${row}`);
  if (entries.length === 0) return;
  await tx.query(sql`INSERT INTO weft.memory_entries(record, seq, at_ms, entry)
    SELECT ${row}::bigint, seq, ${tx.now}::bigint, entry
    FROM json_array_elements(${`[${entries.join(",")}]`}::json) WITH ORDINALITY AS listed(entry, seq)`);
}

export async function appendEntry(tx: Transaction, row: number, seq: number, entry: string): Promise<void> {
  await tx.query(sql`INSERT INTO weft.memory_entries(record, seq, at_ms, entry)
    VALUES (${row}, ${seq}, ${tx.now}, ${entry})`);
}

export async function lengthOf(tx: Transaction, row: number): Promise<number> {
  const { rows } = await tx.query(sql`SELECT max(seq) FROM weft.memory_entries WHERE record = ${row}`);
  return wholeOrNull(rows[0]?.[0]) ?? 0;
}

/** The record with its entries, in one statement: what is written between two would not fit together. */
export function selectRecord({ tail, ...key }: GetRequest, now: Sql): Sql {
  const last =
    tail === null
      ? sql`true`
      : sql`e.seq > (SELECT max(seq) - ${tail}::bigint FROM weft.memory_entries WHERE record = r.id)`;
  return sql`SELECT created_ms, updated_ms, ttl_seconds, payload, metadata, version,
      (SELECT json_agg(e.entry ORDER BY e.seq) FROM weft.memory_entries AS e WHERE e.record = r.id AND ${last})
    FROM weft.memory_records AS r WHERE ${isRecord(key)} AND ${isLive(now)}`;
}

export function recordOf({ namespace, kind, id }: GetRequest, rows: readonly Row[]): StoredRecord | null {
  const [found] = rows;
  if (found === undefined) return null;
  const [createdMs, updatedMs, ttlSeconds, payload, metadata, version, entries] = found;
  return {
    namespace,
    kind,
    id,
    createdMs: whole(createdMs),
    updatedMs: whole(updatedMs),
    ttlSeconds: wholeOrNull(ttlSeconds),
    payload: payloadOf(storedObject(text(payload)), entries),
    metadata: objectOrNull(metadata),
    version: whole(version),
  };
}

function payloadOf(payload: JsonObject, entries: Cell): JsonObject {
  if (entriesOf(payload) === null) return payload;
  return withEntries(payload, entries == null ? [] : opened(storedJson(text(entries)) as Json[]));
}

type Facets = {
  /** An array of texts. */
  readonly tags: string;
  readonly source: string | null;
  readonly validMs: number | null;
  readonly accessedMs: number | null;
};

/** What lists filter by, out of the metadata. */
function facetsOf(metadata: JsonObject | null): Facets {
  const member = (name: string): Json | undefined =>
    metadata !== null && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  const time = (name: string): number | null => {
    const ms = timeOf(member(name));
    return Number.isNaN(ms) ? null : ms;
  };
  const tags = member("tags");
  const source = member("source");
  return {
    tags: arrayOf(Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string").map(facet) : []),
    source: typeof source === "string" ? facet(source) : null,
    validMs: time("valid_at"),
    accessedMs: time("last_accessed"),
  };
}

/** A text that is only compared: of a size that an index takes, and without what PostgreSQL's text cannot hold. */
export function facet(value: string): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
