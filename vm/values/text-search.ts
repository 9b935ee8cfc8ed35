/**
 * Finding text in text without ever matching inside a surrogate pair, in linear time whatever the texts, and in pieces: the
 * engine's own search compares up to length × length units for long repetitive needles, and nothing could interrupt
 * it. Must not know of functions or of what is done with a match.
 */

import { completed, Pace, type Task } from "../tasks/task.ts";
import type { WorkMeter } from "../tasks/work-meter.ts";
import { cutsPair, isHighSurrogate, isLowSurrogate } from "./code-points.ts";

/** Up to here the engine's tables cover the whole needle, and its search is linear. */
const LONG_NEEDLE = 250;
const RISKY_PRODUCT = 2 ** 24;
/** Units that the engine searches in one go. */
const WINDOW = 1 << 18;

/** Whether `needle` could match half of a pair: it begins with a low or ends with a high surrogate. */
function mayCutPair(needle: string): boolean {
  return isLowSurrogate(needle.charCodeAt(0)) || isHighSurrogate(needle.charCodeAt(needle.length - 1));
}

function isRisky(hay: string, needle: string): boolean {
  return needle.length > LONG_NEEDLE && hay.length * needle.length > RISKY_PRODUCT;
}

/**
 * Whether the engine's own search (also in `split` and `replaceAll`) is right and fast for these texts. `needle` is
 * not empty.
 */
export function searchesNatively(hay: string, needle: string): boolean {
  return !mayCutPair(needle) && !isRisky(hay, needle);
}

/** Unit position of the next match of one needle in one text; −1 without a match from `from` on. */
export type Finder = (from: number) => Task<number>;

export function* createFinder(hay: string, needle: string, pace: Pace): Task<Finder> {
  const borders = isRisky(hay, needle) ? yield* borderTable(needle, pace) : null;
  const find: Finder =
    borders === null
      ? (from) => findInWindows(hay, needle, from, pace)
      : (from) => findLinearly(hay, needle, borders, from, pace);
  return mayCutPair(needle) ? (from) => findWhole(find, hay, needle, from) : find;
}

export function containsText(hay: string, needle: string, meter: WorkMeter): boolean {
  const pace = new Pace(meter);
  const found = completed(containsTextTask(hay, needle, pace));
  pace.end();
  return found;
}

export function* containsTextTask(hay: string, needle: string, pace: Pace): Task<boolean> {
  if (needle === "") return true;
  if (hay.length <= WINDOW && searchesNatively(hay, needle)) {
    pace.note(1 + (hay.length >> 4));
    return hay.includes(needle);
  }
  const find = yield* createFinder(hay, needle, pace);
  return (yield* find(0)) >= 0;
}

/** The next match that cuts no pair. */
function* findWhole(find: Finder, hay: string, needle: string, from: number): Task<number> {
  let at = yield* find(from);
  while (at >= 0 && (cutsPair(hay, at) || cutsPair(hay, at + needle.length))) at = yield* find(at + 1);
  return at;
}

function* findInWindows(hay: string, needle: string, from: number, pace: Pace): Task<number> {
  for (let start = from; start + needle.length <= hay.length; start += WINDOW) {
    const end = Math.min(start + WINDOW + needle.length - 1, hay.length);
    const at = end === hay.length ? hay.indexOf(needle, start) : hay.slice(start, end).indexOf(needle);
    const found = at < 0 || end === hay.length ? at : start + at;
    if (pace.add(1 + (((found < 0 ? end : found) - start) >> 4))) yield;
    if (found >= 0) return found;
  }
  return -1;
}

/** Knuth, Morris, Pratt: each unit of the text is passed once. */
function* findLinearly(hay: string, needle: string, borders: Int32Array, from: number, pace: Pace): Task<number> {
  let matched = 0;
  for (let i = from; i < hay.length; i++) {
    if ((i & 1023) === 0 && pace.add(256)) yield;
    const unit = hay.charCodeAt(i);
    while (matched > 0 && unit !== needle.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (unit === needle.charCodeAt(matched)) matched++;
    if (matched === needle.length) return i - matched + 1;
  }
  return -1;
}

/** For each prefix the length of its longest proper prefix that is also its end. */
function* borderTable(needle: string, pace: Pace): Task<Int32Array> {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let i = 1; i < needle.length; i++) {
    if ((i & 1023) === 0 && pace.add(256)) yield;
    const unit = needle.charCodeAt(i);
    while (length > 0 && unit !== needle.charCodeAt(length)) length = borders[length - 1] as number;
    if (unit === needle.charCodeAt(length)) length++;
    borders[i] = length;
  }
  return borders;
}
