/** The list functions that look at all elements at once: `sort` and `unique`, both in pieces and without quadratic work. */
import { createHash } from "node:crypto";
import type { Json } from "../../compiler/json.ts";
import { sortedList } from "../tasks/sorting.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { compareText } from "../values/compare.ts";
import { piecesOf, sortedJsonTextTask, textTask } from "../values/text.ts";
import { isContainer, MAX_TEXT_UNITS, tooLarge } from "../values/values.ts";

/** All numbers: by number. Else by text of each element. Stable either way. */
export function* sorted(source: readonly Json[], pace: Pace): Task<Json> {
  return (yield* sortedNumbers(source, pace)) ?? (yield* sortedByText(source, pace));
}

type Row = { readonly text: string; readonly element: Json };

function* sortedByText(source: readonly Json[], pace: Pace): Task<Json[]> {
  const rows: Row[] = [];
  let converted = 0;
  let longest = 0;
  for (const element of source) {
    const text = yield* textTask(element, pace);
    if (typeof element === "object") converted += text.length;
    if (converted > MAX_TEXT_UNITS) throw tooLarge();
    longest = Math.max(longest, text.length);
    rows.push({ text, element });
    if (pace.add(1)) yield;
  }
  const compare = (a: Row, b: Row): number => compareText(a.text, b.text);
  const units = (a: Row): number => 1 + (a.text.length >> 4);
  const ordered = yield* sortedList(rows, { compare, units, most: 1 + (longest >> 4) }, pace);
  const elements: Json[] = [];
  for (const row of ordered) {
    elements.push(row.element);
    if (pace.add(1)) yield;
  }
  return elements;
}

/** Numbers that the engine sorts in one go; the runs are merged. */
const RUN = 16_384;

/**
 * Without a comparison of ours, which takes five times as long. Equal numbers are the same, so their order does not show. null: not all
 * elements are numbers.
 */
function* sortedNumbers(source: readonly Json[], pace: Pace): Task<number[] | null> {
  const { length } = source;
  if (typeof source[0] !== "number") return length === 0 ? [] : null;
  let from = new Float64Array(length);
  for (let start = 0; start < length; start += RUN) {
    const end = Math.min(start + RUN, length);
    for (let at = start; at < end; at++) {
      const element = source[at];
      if (typeof element !== "number") return null;
      from[at] = element;
    }
    from.subarray(start, end).sort();
    if (pace.add((end - start) * Math.ceil(Math.log2(end - start + 1)))) yield;
  }
  let to = length > RUN ? new Float64Array(length) : from;
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const end = Math.min(start + 2 * width, length);
      yield* mergeNumbers(from, to, [start, Math.min(start + width, length), end], pace);
    }
    [from, to] = [to, from];
  }
  const ordered: number[] = [];
  for (const value of from) {
    // Whole numbers stay small integers for the engine, which are cheaper to read than doubles.
    ordered.push((value | 0) === value ? value | 0 : value);
    if ((ordered.length & 1023) === 0 && pace.add(1024)) yield;
  }
  return ordered;
}

/** Two sorted runs of `from`, up to `middle` and up to `end`, become one of `to`. */
function* mergeNumbers(
  from: Float64Array,
  to: Float64Array,
  [start, middle, end]: readonly [number, number, number],
  pace: Pace,
): Task<void> {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takesLeft = right >= end || (left < middle && (from[left] as number) <= (from[right] as number));
    to[at] = from[takesLeft ? left++ : right++] as number;
    if ((at & 1023) === 0 && pace.add(1024)) yield;
  }
}

/** Above this many units a key is kept as a digest, so that keys cost no more memory than the list. */
const LONG_KEY = 128;
/** Work of a look into a large set. */
const SET_WORK = 8;

/** The first of each set of equal elements. */
export function* unique(source: readonly Json[], pace: Pace): Task<Json> {
  const scalars = new SplitSet();
  const containers = new SplitSet();
  const kept: Json[] = [];
  for (const element of source) {
    if (typeof element === "string") pace.note(element.length >> 4);
    const key = isContainer(element) ? yield* containerKey(element, pace) : element;
    if ((isContainer(element) ? containers : scalars).add(key)) kept.push(element);
    if (pace.add(SET_WORK)) yield;
  }
  return kept;
}

/** A set of values: equal values are one. */
export class ValueSet {
  readonly #scalars = new SplitSet();
  readonly #containers = new SplitSet();

  /** False: it was there already. */
  *add(value: Json, pace: Pace): Task<boolean> {
    const key = yield* keyOf(value, pace);
    return (isContainer(value) ? this.#containers : this.#scalars).add(key);
  }

  *has(value: Json, pace: Pace): Task<boolean> {
    const key = yield* keyOf(value, pace);
    return (isContainer(value) ? this.#containers : this.#scalars).has(key);
  }
}

function* keyOf(value: Json, pace: Pace): Task<Json> {
  pace.note(SET_WORK + (typeof value === "string" ? value.length >> 4 : 0));
  return isContainer(value) ? yield* containerKey(value, pace) : value;
}

/**
 * Equal containers have equal keys and others different ones; a digest can not be taken for JSON text, which begins
 * with a bracket.
 */
function* containerKey(value: Json, pace: Pace): Task<string> {
  const text = yield* sortedJsonTextTask(value, pace);
  if (text.length <= LONG_KEY) return text;
  const hash = createHash("sha256");
  for (const piece of piecesOf(text)) {
    hash.update(piece, "utf8");
    if (pace.add(piece.length >> 2)) yield;
  }
  return hash.digest("base64");
}

/** log2 of the number of sets. */
const SET_BITS = 7;
/** Units of a text that choose its set. */
const CHOSEN_BY = 64;

/**
 * A set of many small ones: when a set of millions grows, the engine moves all its entries at once, and nothing can
 * interrupt that.
 */
class SplitSet {
  readonly #sets: Set<Json>[] = [];

  /** False: it was there already. */
  add(key: Json): boolean {
    const index = shardOf(key);
    const set = this.#sets[index] ?? new Set<Json>();
    this.#sets[index] = set;
    const before = set.size;
    set.add(key);
    return set.size > before;
  }

  has(key: Json): boolean {
    return this.#sets[shardOf(key)]?.has(key) === true;
  }
}

const bits = new Int32Array(2);
const double = new Float64Array(bits.buffer);

function shardOf(key: Json): number {
  let hash = 0;
  if (typeof key === "number") {
    double[0] = key;
    hash = Math.imul((bits[0] as number) ^ Math.imul(bits[1] as number, 0x85ebca6b), 0x9e3779b1);
  } else if (typeof key === "string") {
    const step = key.length <= CHOSEN_BY ? 1 : key.length / CHOSEN_BY;
    hash = key.length;
    for (let at = 0; at < key.length; at += step) hash = Math.imul(hash ^ key.charCodeAt(at | 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
  }
  return hash >>> (32 - SET_BITS);
}
