/**
 * Equality and ordering of values (docs/runtime.md, values). Text is ordered by code point, which differs from the
 * order of UTF-16 units as soon as surrogates meet. Identity of containers is never a shortcut: whether two values
 * share storage must not be observable, not even through the nesting bound.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { Pace, type Task } from "../tasks/task.ts";
import { charge, chargeText, unmetered, WORK_CHUNK, type WorkMeter } from "../tasks/work-meter.ts";
import { isHighSurrogate, isLowSurrogate } from "./code-points.ts";
import { numberOrNaN } from "./numbers.ts";
import { KEY_WORK, keyCount, MAX_NESTING, SIZE, type Sized, tooDeep, typeName } from "./values.ts";

/** Same type and same content; objects irrespective of key order. */
export function equal(a: Json, b: Json, meter: WorkMeter = unmetered): boolean {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return equalScalars(a, b, meter);
  const comparison = new Comparison(meter, Number.POSITIVE_INFINITY);
  try {
    return comparison.containers(a, b, 0);
  } finally {
    comparison.end();
  }
}

/** `equal` for values of any size: a short comparison is made at once, a long one begins again and is made in pieces. */
export function* equalTask(a: Json, b: Json, meter: WorkMeter): Task<boolean> {
  const pace = new Pace(meter);
  const same = quickEqual(a, b, pace) ?? (yield* longEqual(a, b, pace));
  pace.end();
  return same;
}

/** Units of work after which a comparison is made in pieces. */
const SHORT_COMPARISON = 4096;

/** One of many comparisons of an operation, at once; undefined: it takes long, and is left to `longEqual`. */
export function quickEqual(a: Json, b: Json, pace: Pace): boolean | undefined {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) {
    pace.note(typeof a === "string" && typeof b === "string" && a.length === b.length ? 1 + (a.length >> 4) : 1);
    return a === b;
  }
  const trial = new Comparison(unmetered, SHORT_COMPARISON);
  try {
    return trial.containers(a, b, 0);
  } catch (thrown) {
    if (thrown !== TOO_LONG) throw thrown;
    return undefined;
  } finally {
    pace.note(1 + trial.work);
  }
}

/** Texts of different lengths are not looked into. */
function equalScalars(a: Json, b: Json, meter: WorkMeter): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) chargeText(meter, a);
  return a === b;
}

type Container = readonly Json[] | JsonObject;

/** Thrown by a comparison that does more than it may. */
const TOO_LONG: unique symbol = Symbol("a long comparison");

/** Walks two values in step, and counts what it looks at. */
class Comparison {
  readonly #meter: WorkMeter;
  readonly #most: number;
  work = 0;

  /** `most`: units of work after which TOO_LONG is thrown. */
  constructor(meter: WorkMeter, most: number) {
    this.#meter = meter;
    this.#most = most;
  }

  containers(a: Container, b: Container, depth: number): boolean {
    if (depth >= MAX_NESTING) throw tooDeep();
    this.#add(1);
    if (Array.isArray(a)) return Array.isArray(b) && this.#lists(a, b, depth + 1);
    return !Array.isArray(b) && this.#objects(a as JsonObject, b as JsonObject, depth + 1);
  }

  /** Charges what is left. */
  end(): void {
    charge(this.#meter, this.work);
  }

  #at(a: Json, b: Json, depth: number): boolean {
    if (typeof a === "object" && a !== null && typeof b === "object" && b !== null) return this.containers(a, b, depth);
    this.#add(typeof a === "string" && typeof b === "string" && a.length === b.length ? 1 + (a.length >> 4) : 1);
    return a === b;
  }

  #lists(a: readonly Json[], b: readonly Json[], depth: number): boolean {
    const { length } = a;
    if (length !== b.length) return false;
    for (let i = 0; i < length; i++) if (!this.#at(a[i] as Json, b[i] as Json, depth)) return false;
    return true;
  }

  #objects(a: JsonObject, b: JsonObject, depth: number): boolean {
    // Counting the members of a large object takes longer than a trial may.
    if (this.#most < WORK_CHUNK && (isLarge(a) || isLarge(b))) throw TOO_LONG;
    const count = keyCount(a);
    const other = keyCount(b);
    // One large object may be compared with each element of a list.
    this.#add(count + other);
    if (count !== other) return false;
    for (const key in a) {
      if (!Object.hasOwn(b, key) || !this.#at(a[key] as Json, b[key] as Json, depth)) return false;
    }
    return true;
  }

  #add(units: number): void {
    this.work += units;
    if (this.work > this.#most) throw TOO_LONG;
    if (this.work < WORK_CHUNK) return;
    this.#meter.charge(this.work);
    this.work = 0;
  }
}

/** Bytes of JSON from which on an object is compared in pieces. */
const LARGE_OBJECT = 64 * 1024;

function isLarge(object: JsonObject): boolean {
  return ((object as Sized)[SIZE] ?? 0) > LARGE_OBJECT;
}

/** Two containers that are being compared: `at` counts the members that were found equal. */
type Pair = {
  readonly a: Container;
  readonly b: Container;
  /** Of objects; null for lists. */
  readonly keys: readonly string[] | null;
  readonly length: number;
  at: number;
};

/** Two containers in pieces. The order in which members are looked at is that of `equal`: a difference is found before nesting that is too deep. */
export function* longEqual(a: Json, b: Json, pace: Pace): Task<boolean> {
  const open: Pair[] = [];
  let x: Json = a;
  let y: Json = b;
  for (;;) {
    let units = 1;
    if (typeof x === "object" && x !== null && typeof y === "object" && y !== null) {
      if (open.length >= MAX_NESTING) throw tooDeep();
      const pair = yield* pairOf(x, y, pace);
      if (pair === null) return false;
      open.push(pair);
    } else {
      if (x !== y) return false;
      if (typeof x === "string") units += x.length >> 4;
    }
    if (pace.add(units)) yield;
    let pair = open.at(-1);
    while (pair !== undefined && pair.at === pair.length) {
      open.pop();
      pair = open.at(-1);
    }
    if (pair === undefined) return true;
    const key = pair.keys === null ? pair.at : (pair.keys[pair.at] as string);
    pair.at += 1;
    if (typeof key === "string" && !Object.hasOwn(pair.b, key)) return false;
    x = (pair.a as { readonly [key: string | number]: Json })[key] as Json;
    y = (pair.b as { readonly [key: string | number]: Json })[key] as Json;
  }
}

/** null: they differ already. */
function* pairOf(a: Container, b: Container, pace: Pace): Task<Pair | null> {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length ? { a, b, keys: null, length: a.length, at: 0 } : null;
  }
  if (Array.isArray(b)) return null;
  const keys = Object.keys(a);
  if (pace.add(KEY_WORK * keys.length)) yield;
  return keys.length === keyCount(b as JsonObject) ? { a, b, keys, length: keys.length, at: 0 } : null;
}

/** Negative, 0 or positive: order by code point. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let i = sharedBlocks(a, b, shared); i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x < 0xd800 || y < 0xd800 ? x - y : compareAtSurrogates(a, b, i);
  }
  return a.length - b.length;
}

const BLOCK = 1024;

/** Units at the beginning that are the same: long stretches are compared by the engine. */
function sharedBlocks(a: string, b: string, shared: number): number {
  let at = 0;
  while (at + BLOCK <= shared && a.slice(at, at + BLOCK) === b.slice(at, at + BLOCK)) at += BLOCK;
  return at;
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
