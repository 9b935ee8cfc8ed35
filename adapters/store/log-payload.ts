/**
 * Payloads of logs: a payload whose member `entries` is a list. The list is stored entry by entry, so that appending does not rewrite it;
 * the payload keeps an empty list in its place.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { exactEntries, exactJson, fromExactEntries, isNumberObject, opened } from "../../vm/inputs/exact-text.ts";
import { adapterError } from "../errors.ts";
import type { RecordBounds } from "./record.ts";

/** JSON texts; `entries` null: no log. */
export type StoredPayload = { readonly payload: string; readonly entries: readonly string[] | null };

/** The stored form of `payload`. Throws ADAPTER_TOO_LARGE and ADAPTER_QUOTA. */
export function storedPayload(
  payload: JsonObject,
  bounds: Pick<RecordBounds, "maxPayloadBytes" | "maxEntries">,
): StoredPayload {
  const list = entriesOf(payload);
  const text = exactJson(list === null ? payload : withEntries(payload, []));
  refuseLarge(text, bounds.maxPayloadBytes);
  if (list === null) return { payload: text, entries: null };
  if (list.length > bounds.maxEntries) throw fullLog(bounds.maxEntries);
  const entries = opened(entriesOf(opened(payload)) ?? list).map(exactJson);
  for (const entry of entries) refuseLarge(entry, bounds.maxPayloadBytes);
  return { payload: text, entries };
}

export function entriesOf(payload: JsonObject): readonly Json[] | null {
  const entries = Object.hasOwn(payload, "entries") ? payload["entries"] : undefined;
  return Array.isArray(entries) ? entries : null;
}

/** `payload` with these entries, at the place of those it had. */
export function withEntries(payload: JsonObject, entries: readonly Json[]): JsonObject {
  return fromExactEntries([...exactEntries(payload), ["entries", entries]]);
}

/** The payload of a new log. */
export const EMPTY_LOG: JsonObject = { entries: [] };

export function refuseLarge(text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) {
    throw adapterError(
      "ADAPTER_TOO_LARGE",
      `the payload or entry is larger than ${maxBytes} bytes (memory.max_payload_bytes)`,
    );
  }
}

export function fullLog(maxEntries: number) {
  return adapterError("ADAPTER_QUOTA", `the log may hold ${maxEntries} entries (memory.max_entries)`);
}

/** `target` after the merge patch `patch` (RFC 7396): null removes a member, objects are merged, all else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch) || isNumberObject(patch)) return patch;
  const isMerged = isObject(target) && !isNumberObject(target);
  const merged = new Map<string, Json>(isMerged ? exactEntries(target) : []);
  for (const [name, value] of exactEntries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return fromExactEntries(merged);
}
