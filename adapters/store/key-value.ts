/**
 * Short-lived values by namespace and key, shared by all runs of a service and by all processes on the same database. Expired entries do
 * not exist for any method. Implementations: `sqlite/key-value.ts` and `postgres/key-value.ts`; each must pass test/adapters/store/key-value-suite.ts.
 */
import type { Json } from "../../compiler/json.ts";
import type { Idempotency, StoreCall } from "./call.ts";

export type EntryKey = { readonly namespace: string; readonly key: string };

export type Entry = {
  readonly value: Json;
  /** null: never. */
  readonly expiresMs: number | null;
  /** Above 0; every write of the database gets a higher one, so it never comes back after a deletion. */
  readonly version: number;
};

/** Size limit after a write; above it the least recently used entries are removed. */
export type Capacity = {
  /** Entries of the namespace. */
  readonly maxEntries: number;
  /** Bytes of all entries of the database. */
  readonly maxBytes: number;
};

export type SetRequest = EntryKey &
  Capacity & {
    readonly value: Json;
    /** null: no expiry. */
    readonly ttlSeconds: number | null;
    /** Leaves an entry that is there as it is. */
    readonly ifAbsent: boolean;
    /** Otherwise ADAPTER_CONFLICT; 0: no entry may be there; null: any. */
    readonly ifVersion: number | null;
  };

export type IncrementRequest = EntryKey &
  Capacity & {
    readonly by: number;
    /** Lifetime of the entry when this call makes it. */
    readonly ttlSeconds: number | null;
    /** Remembered for an hour. */
    readonly once: Idempotency;
  };

export interface KeyValueStore {
  get(place: EntryKey, call: StoreCall): Promise<Entry | null>;
  has(place: EntryKey, call: StoreCall): Promise<boolean>;
  /** Whether it was written. */
  set(request: SetRequest, call: StoreCall): Promise<boolean>;
  /** Returns the new number, counting from 0 when the key is missing. Throws ADAPTER_CONFLICT for a value that is not a number. */
  increment(request: IncrementRequest, call: StoreCall): Promise<number>;
  /** Whether there was one. */
  delete(place: EntryKey, call: StoreCall): Promise<boolean>;
  /** In the order of their UTF-8 bytes. */
  keys(
    request: { readonly namespace: string; readonly prefix: string; readonly limit: number },
    call: StoreCall,
  ): Promise<readonly string[]>;
  /** How many were removed. */
  clear(namespace: string, call: StoreCall): Promise<number>;
}
