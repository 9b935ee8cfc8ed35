/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no blanks, shortest number form, only the required
 * escapes. One value has one text, so texts can be hashed and compared. Knows nothing of the IR.
 */
import type { Json, JsonObject } from "../json.ts";

/** Twice what any value of a program may nest; a guard, not a limit that callers should meet. */
const MAX_DEPTH = 2000;

/** The canonical text of `value`. Throws RangeError on values nested deeper than any program value can be. */
export function canonicalJson(value: Json): string {
  // A text put together from a million pieces takes ten times as long, and as much memory.
  return isInOrder(value, 0) ? JSON.stringify(value) : textOf(value, 0);
}

/** Whether the members of every object in `value` stand in canonical order already: then the platform's JSON is canonical. */
function isInOrder(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (isList(value)) {
    for (const item of value) if (item === undefined || !isInOrder(item, depth + 1)) return false;
    return true;
  }
  let last: string | null = null;
  for (const key in value) {
    const member = value[key];
    if (member === undefined || (last !== null && key < last) || !isInOrder(member, depth + 1)) return false;
    last = key;
  }
  return true;
}

function textOf(value: Json, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError(`value nests deeper than ${MAX_DEPTH}`);
  if (typeof value === "string") return quoted(value);
  // JSON.stringify has the number and string forms that RFC 8785 prescribes; -0 becomes 0.
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  let text = "";
  if (isList(value)) {
    for (const item of value) text += text === "" ? textOf(item, depth + 1) : `,${textOf(item, depth + 1)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(value)) {
    text += `${text === "" ? "" : ","}${quoted(key)}:${textOf(value[key] ?? null, depth + 1)}`;
  }
  return `{${text}}`;
}

/** Most texts need no escape: neither control characters, quotes and backslashes nor halves of surrogate pairs. */
function quoted(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}

function sortedKeys(value: JsonObject): readonly string[] {
  const keys = Object.keys(value);
  return keys.length > 1 ? keys.sort() : keys;
}

/** `Array.isArray` does not narrow readonly arrays out of a union. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
