/** What every implementation of `RecordStore` says of a record before it writes. */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { adapterError } from "../errors.ts";

/** Throws ADAPTER_CONFLICT. */
export function refusePresent(present: unknown, ifAbsent: boolean): void {
  if (ifAbsent && present !== undefined) throw adapterError("ADAPTER_CONFLICT", "the record is there already");
}

/** Throws ADAPTER_CONFLICT. */
export function refuseVersion(present: { readonly version: number } | undefined, ifVersion: number | null): void {
  if (ifVersion !== null && ifVersion !== (present?.version ?? 0)) {
    throw adapterError("ADAPTER_CONFLICT", "the record has another version");
  }
}

/** `metadata` with the marks of one more access. */
export function touched(metadata: JsonObject, now: number): JsonObject {
  const count = Object.hasOwn(metadata, "access_count") ? metadata["access_count"] : 0;
  return {
    ...metadata,
    last_accessed: new Date(now).toISOString(),
    access_count: (typeof count === "number" ? count : 0) + 1,
  };
}

/** The time that a member of metadata stands for; NaN, which no bound admits, when it is not a time. */
export function timeOf(value: Json | undefined): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}
