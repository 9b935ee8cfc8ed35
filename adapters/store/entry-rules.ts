/** What every implementation of `KeyValueStore` keeps to when it reads and writes entries. */

import type { Json } from "../../compiler/json.ts";
import { plainly } from "../../vm/inputs/exact-text.ts";
import { adapterError } from "../errors.ts";
import type { Capacity, EntryKey } from "./key-value.ts";

/** How often expired entries are removed along with a write. */
export const SWEEP_INTERVAL_MS = 60_000;
/** Reads leave a mark of use at most so often, so that most of them write nothing. */
export const MARK_INTERVAL_MS = 60_000;
/** How long an increment is known by its key: beyond any Retry, yet short enough that counting does not fill the disk. */
export const COUNTED_MS = 3_600_000;

/** Bytes that an entry counts for; `text`: its value as JSON. Throws ADAPTER_QUOTA and ADAPTER_TOO_LARGE when no room could be made for it. */
export function entrySize({ namespace, key }: EntryKey, text: string, { maxEntries, maxBytes }: Capacity): number {
  const size = Buffer.byteLength(namespace) + Buffer.byteLength(key) + Buffer.byteLength(text);
  if (maxEntries < 1) throw adapterError("ADAPTER_QUOTA", "the cache may hold no entries (cache.max_entries)");
  if (size > maxBytes)
    throw adapterError("ADAPTER_TOO_LARGE", `the entry is larger than the whole cache may be: ${maxBytes} bytes`);
  return size;
}

/** Throws ADAPTER_CONFLICT. `version` undefined: no entry is there. */
export function refuseOtherVersion(version: number | undefined, ifVersion: number | null): void {
  if (ifVersion !== null && ifVersion !== (version ?? 0)) {
    throw adapterError("ADAPTER_CONFLICT", "the entry has another version");
  }
}

/** What an entry holds after an increment; `before` null: nothing or null. Throws ADAPTER_CONFLICT and ADAPTER_NUMERIC_RANGE. */
export function increased(before: Json, by: number): number {
  const number = plainly(before ?? 0);
  if (typeof number !== "number") throw adapterError("ADAPTER_CONFLICT", "the entry holds no number");
  const sum = number + by;
  if (!Number.isFinite(sum)) throw adapterError("ADAPTER_NUMERIC_RANGE", "the sum is out of range");
  return sum;
}
