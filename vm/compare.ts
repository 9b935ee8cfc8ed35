/**
 * Equality and ordering of values (docs/runtime.md, values). Text is ordered by code point, which differs from the
 * order of UTF-16 units as soon as surrogates meet. Identity of containers is never a shortcut: whether two values
 * share storage must not be observable, not even through the nesting bound.
 */
import type { Json, JsonObject } from "../compiler/json.ts";
import { isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { OperationFailure } from "./errors.ts";
import { numberOrNaN } from "./number-text.ts";
import { keyCount, MAX_NESTING, tooDeep, typeName } from "./values.ts";
import { CHUNK_MASK, chargeChunk, chargeText, unmetered, type WorkMeter } from "./work-meter.ts";

/** Same type and same content; objects irrespective of key order. */
export function equal(a: Json, b: Json, meter: WorkMeter = unmetered): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return equalScalars(a, b, meter);
  return equalContainers(a, b, 0, meter);
}

/** Texts of different lengths are not looked into. */
function equalScalars(a: Json, b: Json, meter: WorkMeter): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) chargeText(meter, a);
  return a === b;
}

function equalAt(a: Json, b: Json, depth: number, meter: WorkMeter): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return equalScalars(a, b, meter);
  return equalContainers(a, b, depth, meter);
}

const MANY_KEYS = 64;

type Container = readonly Json[] | JsonObject;

function equalContainers(a: Container, b: Container, depth: number, meter: WorkMeter): boolean {
  if (depth >= MAX_NESTING) throw tooDeep();
  // Outermost containers charge by chunks, inner ones each: shared parts are walked as often as they occur.
  if (depth > 0) meter.charge(1);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, depth + 1, meter);
  return !Array.isArray(b) && equalObjects(a as JsonObject, b as JsonObject, depth + 1, meter);
}

function equalLists(a: readonly Json[], b: readonly Json[], depth: number, meter: WorkMeter): boolean {
  const length = a.length;
  if (length !== b.length) return false;
  for (let i = 0; i < length; i++) {
    if ((i & CHUNK_MASK) === 0) chargeChunk(meter, length - i);
    if (!equalAt(a[i] as Json, b[i] as Json, depth, meter)) return false;
  }
  return true;
}

function equalObjects(a: JsonObject, b: JsonObject, depth: number, meter: WorkMeter): boolean {
  const count = keyCount(a);
  const other = keyCount(b);
  // One large object may be compared with each element of a list.
  if (count + other > MANY_KEYS) meter.charge(count + other);
  if (count !== other) return false;
  let done = 0;
  for (const key in a) {
    if ((done & CHUNK_MASK) === 0) chargeChunk(meter, count - done);
    done++;
    if (!Object.hasOwn(b, key) || !equalAt(a[key] as Json, b[key] as Json, depth, meter)) return false;
  }
  return true;
}

/** Negative, 0 or positive: order by code point. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x < 0xd800 || y < 0xd800 ? x - y : compareAtSurrogates(a, b, i);
  }
  return a.length - b.length;
}

/**
 * `i` is the first difference and both units are at or above U+D800: step back when it is the second half of a pair.
 */
function compareAtSurrogates(a: string, b: string, i: number): number {
  const insidePair =
    i > 0 &&
    isHighSurrogate(a.charCodeAt(i - 1)) &&
    (isLowSurrogate(a.charCodeAt(i)) || isLowSurrogate(b.charCodeAt(i)));
  const at = insidePair ? i - 1 : i;
  return (a.codePointAt(at) as number) - (b.codePointAt(at) as number);
}

function incomparable(a: Json, b: Json): OperationFailure {
  return new OperationFailure(`cannot compare ${typeName(a)} with ${typeName(b)}`, "comparison");
}

/** Number with number or text with text; any other pair fails. */
export function compareStrict(a: Json, b: Json, meter: WorkMeter = unmetered): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") {
    chargeText(meter, a.length < b.length ? a : b);
    return compareText(a, b);
  }
  throw incomparable(a, b);
}

/** By number when both sides can be read as one, else text with text. */
export function compareLenient(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const x = numberOrNaN(a);
  const y = numberOrNaN(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x < y ? -1 : x > y ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  throw incomparable(a, b);
}
