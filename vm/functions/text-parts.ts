/**
 * Splitting and replacing with plain texts (no patterns), a piece of the text at a time, so that a run can be ended between
 * pieces. The engine's operations serve where they are right and linear; where a match could cut a surrogate pair or searching
 * could get slow, matches are taken one by one.
 */
import type { Json } from "../../compiler/json.ts";
import { characters, codePointLength } from "../code-points.ts";
import { OperationFailure } from "../errors.ts";
import { piecesOf } from "../text.ts";
import { createFinder, type Finder, searchesNatively } from "../text-search.ts";
import { MAX_LIST_LENGTH, MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, createTally, WORK_CHUNK, type WorkMeter } from "../work-meter.ts";

/**
 * The parts of a text between matches, a stretch of it at a time: the last part of a stretch goes on in the first of the next.
 * For separators that the engine finds by itself.
 */
function* stretchesOf(text: string, separator: string, meter: WorkMeter): Generator<string[]> {
  const length = Math.max(WORK_CHUNK, 2 * separator.length);
  for (let start = 0; start < text.length; ) {
    charge(meter, Math.min(length, text.length - start));
    const parts = text.slice(start, start + length).split(separator);
    const rest = parts[parts.length - 1] as string;
    const isLast = start + length >= text.length;
    // A match may begin in the last units; they are looked at again.
    const again = isLast ? 0 : Math.min(rest.length, separator.length - 1);
    parts[parts.length - 1] = rest.slice(0, rest.length - again);
    start += length - again;
    yield parts;
  }
}

/** Adds the parts of a stretch to those before it. */
function appendStretch(parts: string[], stretch: readonly string[]): void {
  if (parts.length === 0) parts.push("");
  parts[parts.length - 1] = (parts[parts.length - 1] as string) + (stretch[0] as string);
  for (let i = 1; i < stretch.length; i++) parts.push(stretch[i] as string);
  if (parts.length > MAX_LIST_LENGTH) throw tooLarge();
}

/** At runs of blanks, without empty parts. */
export function splitAtBlanks(text: string, meter: WorkMeter): Json {
  const parts: string[] = [];
  for (const piece of piecesOf(text.trim(), meter)) {
    const words = piece.split(/\s+/);
    // One run of blanks in two pieces is one separator.
    appendStretch(parts, words[0] === "" && parts.at(-1) === "" ? words.slice(1) : words);
  }
  return parts;
}

/** Runs of blanks become one space. */
export function joinBlanks(text: string, meter: WorkMeter): string {
  let joined = "";
  let endsBlank = false;
  for (const piece of piecesOf(text, meter)) {
    const part = piece.replace(/\s+/g, " ");
    joined += endsBlank && part.startsWith(" ") ? part.slice(1) : part;
    endsBlank = part.endsWith(" ");
  }
  return joined;
}

/** Lengths of results are tested before anything is built. */
function countMatches(find: Finder, length: number, most: number, meter: WorkMeter): number {
  const tally = createTally(meter);
  let count = 0;
  for (let at = find(0); at >= 0 && count <= most; at = find(at + length)) {
    tally(MATCH_WORK);
    count++;
  }
  return count;
}

/** Work of finding a match and cutting the text there. */
const MATCH_WORK = 8;

export function splitAt(text: string, separator: string, meter: WorkMeter): Json {
  if (separator === "") throw new OperationFailure("separator is empty", "value_error");
  if (text === "") return [""];
  const parts: string[] = [];
  if (searchesNatively(text, separator)) {
    for (const stretch of stretchesOf(text, separator, meter)) appendStretch(parts, stretch);
    return parts;
  }
  const find = createFinder(text, separator, meter);
  if (countMatches(find, separator.length, MAX_LIST_LENGTH, meter) >= MAX_LIST_LENGTH) throw tooLarge();
  return pieces(text, separator.length, find, meter);
}

function pieces(text: string, length: number, find: Finder, meter: WorkMeter): string[] {
  const parts: string[] = [];
  const tally = createTally(meter);
  let start = 0;
  for (let at = find(0); at >= 0; at = find(start)) {
    tally(MATCH_WORK);
    parts.push(text.slice(start, at));
    start = at + length;
  }
  parts.push(text.slice(start));
  return parts;
}

export function replaceText(text: string, old: string, by: string, meter: WorkMeter): string {
  if (old === "") return insertEverywhere(text, by, meter);
  charge(meter, text.length);
  const native = searchesNatively(text, old);
  const growth = by.length - old.length;
  const mostMatches = Math.floor(text.length / old.length);
  if (growth > 0 && text.length + mostMatches * growth > MAX_TEXT_UNITS) {
    const matches = countMatches(createFinder(text, old, meter), old.length, mostMatches, meter);
    const length = text.length + matches * growth;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    charge(meter, length);
  }
  if (!native) return pieces(text, old.length, createFinder(text, old, meter), meter).join(by);
  let replaced = "";
  for (const stretch of stretchesOf(text, old, meter)) replaced += stretch.join(by);
  return replaced;
}

/** `by` before, between and after the code points. */
function insertEverywhere(text: string, by: string, meter: WorkMeter): string {
  const length = text.length + (codePointLength(text) + 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return inserted(text, by, meter);
}

/** `by` between the code points: the characters joined. */
export function insertBetween(text: string, by: string, meter: WorkMeter): string {
  const length = text.length + Math.max(0, codePointLength(text) - 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return text === "" ? "" : inserted(text, by, meter).slice(by.length, by.length + length);
}

function inserted(text: string, by: string, meter: WorkMeter): string {
  if (by === "") return text;
  let result = by;
  for (const piece of piecesOf(text, meter)) result += characters(piece).join(by) + by;
  return result;
}
