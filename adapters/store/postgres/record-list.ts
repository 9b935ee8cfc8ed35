/** Listing memory records: one statement in the order of the unique index, whose filters by tag another index knows. */
import type { ListRequest, RecordHead, TimeBounds } from "../record.ts";
import { facet, isLive } from "./record-rows.ts";
import { all, arrayOf, beginsWith, type Row, type Sql, sql, text, whole, wholeOrNull } from "./sql.ts";

/** One row more than the page has, when more follow. */
export function listed(request: ListRequest, now: Sql): Sql {
  return sql`SELECT record_kind, record_id, created_ms, updated_ms, ttl_seconds FROM weft.memory_records
    WHERE ${all(conditions(request, now))}
    ORDER BY record_kind, record_id OFFSET ${request.offset} LIMIT ${request.limit + 1}`;
}

function conditions(request: ListRequest, now: Sql): readonly Sql[] {
  const { namespace, kind, after, source, tagsAny, tagsAll } = request;
  return [
    sql`namespace = ${namespace}`,
    beginsWith(sql`record_id`, request.idPrefix),
    within(sql`created_ms`, request.created),
    within(sql`updated_ms`, request.updated),
    within(sql`valid_ms`, request.validAt),
    within(sql`accessed_ms`, { after: request.accessedSince, before: null }),
    ...(kind === null ? [] : [sql`record_kind = ${kind}`]),
    ...(after === null ? [] : [sql`(record_kind, record_id) > (${after.kind}, ${after.id})`]),
    ...(source === null ? [] : [sql`source = ${facet(source)}`]),
    ...(tagsAny === null ? [] : [sql`tags && ${arrayOf(tagsAny.map(facet))}::text[]`]),
    ...(tagsAll.length === 0 ? [] : [sql`tags @> ${arrayOf(tagsAll.map(facet))}::text[]`]),
    ...(request.includeExpired ? [] : [isLive(now)]),
  ];
}

/** A time that is NULL is within no bound. */
function within(column: Sql, { after, before }: TimeBounds): Sql {
  return all([
    after === null ? sql`true` : sql`${column} >= ${after}`,
    before === null ? sql`true` : sql`${column} < ${before}`,
  ]);
}

export function headOf([kind, id, createdMs, updatedMs, ttlSeconds]: Row): RecordHead {
  return {
    kind: text(kind),
    id: text(id),
    createdMs: whole(createdMs),
    updatedMs: whole(updatedMs),
    ttlSeconds: wholeOrNull(ttlSeconds),
  };
}
