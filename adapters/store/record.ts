/**
 * Durable records by namespace, kind and id: an object, its metadata and an optional lifetime, counted from the last write. A record whose
 * payload has a list `entries` is a log and can be appended to. Expired records exist only for `prune` and `includeExpired`.
 * Implementations: `sqlite/record.ts` and `postgres/record.ts`; each must pass test/adapters/store/record-suite.ts.
 */
import type { JsonObject } from "../../compiler/json.ts";
import type { Idempotency, StoreCall } from "./call.ts";

export type RecordKey = { readonly namespace: string; readonly kind: string; readonly id: string };

export type StoredRecord = RecordKey & {
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly ttlSeconds: number | null;
  readonly payload: JsonObject;
  readonly metadata: JsonObject | null;
  /** 1 for a new record, 1 more for every write. */
  readonly version: number;
};
/** A record as it is listed. */
export type RecordHead = Omit<StoredRecord, "payload" | "metadata" | "version" | "namespace">;

export type RecordBounds = {
  /** Of the payload without its entries, and of each entry, as JSON text. Above: ADAPTER_TOO_LARGE. */
  readonly maxPayloadBytes: number;
  /** Of one log. Above: ADAPTER_QUOTA. */
  readonly maxEntries: number;
  /** Removes what has expired along with a write, when the last time was longer ago; 0: never. */
  readonly sweepIntervalMs: number;
};

export type PutRequest = RecordKey &
  RecordBounds & {
    readonly payload: JsonObject;
    readonly ttlSeconds: number | null;
    readonly metadata: JsonObject | null;
    /** Otherwise ADAPTER_CONFLICT. */
    readonly ifAbsent: boolean;
    /** Otherwise ADAPTER_CONFLICT; null: any. */
    readonly ifVersion: number | null;
  };
export type Written = { readonly created: boolean; readonly updatedMs: number; readonly version: number };

export type AppendRequest = RecordKey &
  RecordBounds & {
    readonly entry: JsonObject;
    /** undefined: as it is, for a new log `newTtlSeconds`; null: none. */
    readonly ttlSeconds: number | null | undefined;
    readonly newTtlSeconds: number | null;
    /** null: as it is. */
    readonly metadata: JsonObject | null;
    readonly once: Idempotency;
  };
export type Appended = { readonly updatedMs: number; readonly entries: number };

export type PatchRequest = RecordKey &
  RecordBounds & {
    /** A merge patch (RFC 7396) of the payload. */
    readonly patch: JsonObject;
    readonly ifVersion: number | null;
  };

/** Bounds of times are milliseconds; `since` and `after` include theirs, `before` does not. null: no bound. */
export type TimeBounds = { readonly after: number | null; readonly before: number | null };

export type ListRequest = {
  readonly namespace: string;
  readonly kind: string | null;
  readonly idPrefix: string;
  readonly created: TimeBounds;
  readonly updated: TimeBounds;
  /** Of metadata `valid_at`; a record without one is not within any bound. */
  readonly validAt: TimeBounds;
  /** Of metadata `last_accessed`. */
  readonly accessedSince: number | null;
  readonly source: string | null;
  readonly tagsAny: readonly string[] | null;
  readonly tagsAll: readonly string[];
  readonly includeExpired: boolean;
  /** Continues after this record. */
  readonly after: { readonly kind: string; readonly id: string } | null;
  readonly offset: number;
  readonly limit: number;
};
export type RecordPage = { readonly items: readonly RecordHead[] /** Whether more follow. */; readonly more: boolean };

export type GetRequest = RecordKey & {
  /** Maximum number of entries, the last ones; null for all. */
  readonly tail: number | null;
  /** Sets metadata `last_accessed` to now and counts `access_count`; version and update time stay. */
  readonly touch: boolean;
};

export interface RecordStore {
  put(request: PutRequest, call: StoreCall): Promise<Written>;
  get(request: GetRequest, call: StoreCall): Promise<StoredRecord | null>;
  /** Creates the log if necessary. Throws ADAPTER_CONFLICT when the record is not a log. */
  append(request: AppendRequest, call: StoreCall): Promise<Appended>;
  /** null: no such record. */
  patch(request: PatchRequest, call: StoreCall): Promise<Written | null>;
  /** Ordered by kind, then id, by their UTF-8 bytes. */
  list(request: ListRequest, call: StoreCall): Promise<RecordPage>;
  /** Whether there was one. */
  delete(key: RecordKey, call: StoreCall): Promise<boolean>;
  /** Removes expired records of these namespaces (null: of all) and says how many. */
  prune(namespaces: readonly string[] | null, call: StoreCall): Promise<number>;
  count(request: { readonly namespace: string; readonly kind: string | null }, call: StoreCall): Promise<number>;
}
