/**
 * Listing memory records: key, times and expiry are asked of SQLite in the order of the unique index, metadata is looked at row by row and
 * only when a filter asks for it. Reading stops when the page is full.
 */
import type { Database } from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";
import type { ListRequest, RecordHead, RecordPage, TimeBounds } from "../record.ts";
import { timeOf } from "../record-rules.ts";
import { storedObject } from "../stored-json.ts";
import { statement } from "./program.ts";

type Row = {
  readonly record_kind: string;
  readonly record_id: string;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly ttl_seconds: number | null;
  readonly metadata_json: string | null;
};

export function listRecords(db: Database, request: ListRequest & { readonly now: number }): RecordPage {
  const admits = metadataTest(request);
  const items: RecordHead[] = [];
  let skip = request.offset;
  for (const row of rowsOf(db, request)) {
    if (!row.record_id.startsWith(request.idPrefix)) {
      // Within one kind, ids that share a prefix stand together.
      if (request.kind !== null) break;
      continue;
    }
    if (!admits(row.metadata_json)) continue;
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    if (items.length === request.limit) return { items, more: true };
    items.push(headOf(row));
  }
  return { items, more: false };
}

/** The plus signs keep SQLite on the unique index, whose order is the answer's. */
function rowsOf(db: Database, request: ListRequest & { readonly now: number }): Iterable<Row> {
  const conditions = [
    "namespace = ?",
    "record_id >= ?",
    "created_ms >= ?",
    "created_ms < ?",
    "+updated_ms >= ?",
    "+updated_ms < ?",
  ];
  const { namespace, idPrefix, created, updated, kind, after } = request;
  const values: (string | number)[] = [namespace, idPrefix, ...edges(created), ...edges(updated)];
  if (!request.includeExpired) {
    conditions.push("(+expires_ms IS NULL OR +expires_ms > ?)");
    values.push(request.now);
  }
  if (kind !== null) {
    conditions.push("record_kind = ?");
    values.push(kind);
  }
  if (after !== null) {
    conditions.push("(record_kind, record_id) > (?, ?)");
    values.push(after.kind, after.id);
  }
  return statement<Row>(
    db,
    `SELECT record_kind, record_id, created_ms, updated_ms, ttl_seconds, metadata_json
     FROM memory_records
     WHERE ${conditions.join(" AND ")} ORDER BY record_kind, record_id`,
  ).iterate(...values);
}

/** Both ends of a bound, open ends as far away as times can be. */
function edges({ after, before }: TimeBounds): [number, number] {
  return [after ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER];
}

function headOf(row: Row): RecordHead {
  return {
    kind: row.record_kind,
    id: row.record_id,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    ttlSeconds: row.ttl_seconds,
  };
}

/** Whether the metadata of a row meets the filters. */
function metadataTest({
  validAt,
  accessedSince,
  source,
  tagsAny,
  tagsAll,
}: ListRequest): (text: string | null) => boolean {
  const [validFrom, validUntil] = edges(validAt);
  const asksValid = validAt.after !== null || validAt.before !== null;
  if (!asksValid && accessedSince === null && source === null && tagsAny === null && tagsAll.length === 0) {
    return () => true;
  }
  return (text) => {
    if (text === null) return false;
    const metadata = storedObject(text);
    const member = (name: string): Json | undefined => (Object.hasOwn(metadata, name) ? metadata[name] : undefined);
    const tags = member("tags");
    const has = (tag: string): boolean => Array.isArray(tags) && tags.includes(tag);
    const validMs = timeOf(member("valid_at"));
    return (
      (source === null || member("source") === source) &&
      (tagsAny === null || tagsAny.some(has)) &&
      tagsAll.every(has) &&
      (!asksValid || (validMs >= validFrom && validMs < validUntil)) &&
      (accessedSince === null || timeOf(member("last_accessed")) >= accessedSince)
    );
  };
}
