/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no blanks, shortest number form, only the required
 * escapes. One value has one text, so texts can be hashed and compared. Knows nothing of the IR.
 */
import type { Json } from "../json.ts";

/** Twice what any value of a program may nest; a guard, not a limit that callers should meet. */
const MAX_DEPTH = 2000;

/** The canonical text of `value`. Throws RangeError on values nested deeper than any program value can be. */
export function canonicalJson(value: Json): string {
  const parts: string[] = [];
  write(value, parts, 0);
  return parts.join("");
}

function write(value: Json, parts: string[], depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError(`value nests deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value !== "object") {
    // JSON.stringify has the number and string forms that RFC 8785 prescribes; -0 becomes 0.
    parts.push(JSON.stringify(value));
  } else if (isList(value)) {
    let separator = "[";
    for (const item of value) {
      parts.push(separator);
      write(item, parts, depth + 1);
      separator = ",";
    }
    parts.push(value.length === 0 ? "[]" : "]");
  } else {
    const keys = Object.keys(value).sort();
    let separator = "{";
    for (const key of keys) {
      parts.push(separator, JSON.stringify(key), ":");
      write(value[key] ?? null, parts, depth + 1);
      separator = ",";
    }
    parts.push(keys.length === 0 ? "{}" : "}");
  }
}

/** `Array.isArray` does not narrow readonly arrays out of a union. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
