/**
 * Where two values differ first, as a JSON pointer (RFC 6901). Order of visit: list items by position, members by name, a missing
 * one at its own place. Knows nothing of runs and logs.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { isList } from "../values/values.ts";

/**
 * Pointer of the first difference below `base`; null when the values are equal by JSON. Recursion ends with the shallower value, so
 * one of the two must be of checked depth.
 */
export function firstDifference(a: Json, b: Json, base = ""): string | null {
  if (isList(a)) return isList(b) ? inLists(a, b, base) : base;
  if (isObject(a)) return isObject(b) ? inObjects(a, b, base) : base;
  return a === b ? null : base;
}

function inLists(a: readonly Json[], b: readonly Json[], base: string): string | null {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const found = firstDifference(a[at] as Json, b[at] as Json, `${base}/${at}`);
    if (found !== null) return found;
  }
  return a.length === b.length ? null : `${base}/${shared}`;
}

function inObjects(a: JsonObject, b: JsonObject, base: string): string | null {
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const place = `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(a, key) || !Object.hasOwn(b, key)) return place;
    const found = firstDifference(a[key] as Json, b[key] as Json, place);
    if (found !== null) return found;
  }
  return null;
}
