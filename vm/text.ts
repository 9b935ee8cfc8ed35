/**
 * Text conversion of values (docs/runtime.md 2.5): what `concat`, `str`, `a=b` and messages of programs see, compact
 * JSON, and JSON with sorted keys for ordering. Size and depth are known before anything is built.
 */
import type { Json, JsonObject } from "../compiler/json.ts";
import { isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { MAX_NESTING, MAX_TEXT_UNITS, tooDeep, tooLarge } from "./values.ts";

export function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  return jsonText(value);
}

/** Compact JSON, keys in order, non-ASCII kept, lone surrogates escaped. */
export function jsonText(value: Json): string {
  testJsonLength(value);
  return JSON.stringify(value);
}

/** Compact JSON with the keys of every object in the order of their UTF-16 units: equal values have equal texts. */
export function sortedJsonText(value: Json): string {
  testJsonLength(value);
  return sortedText(value);
}

function sortedText(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += (i === 0 ? "" : ",") + sortedText(value[i] as Json);
    return `${text}]`;
  }
  const object = value as JsonObject;
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${sortedText(object[key] as Json)}`;
  }
  return `${text}}`;
}

/**
 * Fails when the JSON of `value` nests too deeply or is longer than `most` units. Texts are first taken at six units a
 * unit, which needs no look into them; only a value near the bound is measured exactly. The walk ends when the bound
 * is passed, so that a value that shares parts and would be astronomically long costs no more than one at the bound.
 */
export function testJsonLength(value: Json, most: number = MAX_TEXT_UNITS): void {
  if (rest(value, 0, most, false) < 0 && rest(value, 0, most, true) < 0) throw tooLarge();
}

/** What is left of `budget` after the JSON of `value`; below 0 as soon as it is passed. */
function rest(value: Json, depth: number, budget: number, exact: boolean): number {
  if (typeof value === "string") return budget - (exact ? quotedLength(value) : 6 * value.length + 2);
  if (typeof value === "number") return budget - (exact ? String(value).length : 24);
  if (typeof value !== "object" || value === null) return budget - (value === false ? 5 : 4);
  if (depth >= MAX_NESTING) throw tooDeep();
  return Array.isArray(value)
    ? restOfList(value, depth + 1, budget, exact)
    : restOfObject(value as JsonObject, depth + 1, budget, exact);
}

function restOfList(list: readonly Json[], depth: number, budget: number, exact: boolean): number {
  let left = budget - (list.length === 0 ? 2 : list.length + 1);
  for (let i = 0; i < list.length && left >= 0; i++) left = rest(list[i] as Json, depth, left, exact);
  return left;
}

function restOfObject(object: JsonObject, depth: number, budget: number, exact: boolean): number {
  let left = budget - 2;
  let first = true;
  for (const key in object) {
    left -= (first ? 1 : 2) + (exact ? quotedLength(key) : 6 * key.length + 2);
    first = false;
    if (left < 0) return left;
    left = rest(object[key] as Json, depth, left, exact);
  }
  return left;
}

/** UTF-16 units of the text as JSON, quotes included. */
function quotedLength(text: string): number {
  let length = text.length + 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22 || unit === 0x5c) length += 1;
    else if (unit < 0x20) length += unit >= 8 && unit <= 13 && unit !== 11 ? 1 : 5;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) i++;
    else if (isHighSurrogate(unit) || isLowSurrogate(unit)) length += 5;
  }
  return length;
}
