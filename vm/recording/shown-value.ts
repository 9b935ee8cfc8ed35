/** Values of a run as people are shown them: independent copies, and of large ones only how large they are. */
import { type Json, setMember } from "../../compiler/json.ts";
import { jsonBytes } from "../values/json-size.ts";
import { SIZE, type Sized, typeName } from "../values/values.ts";

/** Deeper values are shown by size and type only, as large ones are. */
const MAX_VALUE_DEPTH = 512;

/** `limit`: bytes of JSON. */
export function shownValue(value: Json, limit: number): Json {
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  const bytes = sizeOf(value);
  if (bytes > limit) return { $truncated: bytes, type: typeName(value) };
  const copy = copied(value, MAX_VALUE_DEPTH);
  return copy === undefined ? { $truncated: bytes, type: typeName(value) } : copy;
}

/** What the machine has measured already is not walked again: a long list would be, at every step that touches it. */
function sizeOf(value: Json): number {
  const known = typeof value === "object" && value !== null ? (value as Sized)[SIZE] : undefined;
  return known ?? jsonBytes(value);
}

/** undefined: nested deeper than `depth`. */
function copied(value: Json, depth: number): Json | undefined {
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (const element of value) {
      const copy = copied(element, depth - 1);
      if (copy === undefined) return undefined;
      list.push(copy);
    }
    return list;
  }
  const object: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) {
    const copy = copied(member, depth - 1);
    if (copy === undefined) return undefined;
    setMember(object, key, copy);
  }
  return object;
}
