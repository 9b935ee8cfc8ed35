/**
 * Splitting and replacing with plain texts (no patterns), a piece of the text at a time, so that a run can pause between
 * pieces. The engine's operations serve where they are right and linear; where a match could cut a surrogate pair or searching
 * could get slow, matches are taken one by one.
 */

import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";
import { WORK_CHUNK } from "../tasks/work-meter.ts";
import { characters, codePointLength } from "../values/code-points.ts";
import { piecesOf } from "../values/text.ts";
import { createFinder, type Finder, searchesNatively } from "../values/text-search.ts";
import { MAX_LIST_LENGTH, MAX_TEXT_UNITS, tooLarge } from "../values/values.ts";

/**
 * The parts of a text between matches, a stretch of it at a time: the last part of a stretch continues in the first of the next.
 * For separators that the engine finds by itself.
 */
function* stretchesOf(text: string, separator: string): Generator<string[]> {
  const length = Math.max(WORK_CHUNK, 2 * separator.length);
  for (let start = 0; start < text.length; ) {
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

/** At runs of white space, without empty parts. */
export function* splitAtBlanks(text: string, pace: Pace): Task<string[]> {
  const parts: string[] = [];
  for (const piece of piecesOf(yield* trimmed(text, pace))) {
    const words = piece.split(/\s+/);
    // One run of white space in two pieces is one separator.
    appendStretch(parts, words[0] === "" && parts.at(-1) === "" ? words.slice(1) : words);
    if (pace.add(piece.length)) yield;
  }
  return parts;
}

/** The text without white space at its edges, or at one of them. */
export function* trimmed(text: string, pace: Pace, edge: "both" | "start" | "end" = "both"): Task<string> {
  let start = 0;
  let end = text.length;
  for (let left = ""; edge !== "end" && start < end && left === ""; ) {
    const length = Math.min(WORK_CHUNK, end - start);
    left = text.slice(start, start + length).trimStart();
    start += length - left.length;
    if (pace.add(length >> 4)) yield;
  }
  for (let left = ""; edge !== "start" && start < end && left === ""; ) {
    const length = Math.min(WORK_CHUNK, end - start);
    left = text.slice(end - length, end).trimEnd();
    end -= length - left.length;
    if (pace.add(length >> 4)) yield;
  }
  return text.slice(start, end);
}

/** Runs of white space become one space. */
export function* joinBlanks(text: string, pace: Pace): Task<string> {
  let joined = "";
  let endsBlank = false;
  for (const piece of piecesOf(text)) {
    const part = piece.replace(/\s+/g, " ");
    joined += endsBlank && part.startsWith(" ") ? part.slice(1) : part;
    endsBlank = part.endsWith(" ");
    if (pace.add(piece.length)) yield;
  }
  return joined;
}

/** Lengths of results are tested before anything is built. */
function* countMatches(find: Finder, length: number, most: number, pace: Pace): Task<number> {
  let count = 0;
  for (let at = yield* find(0); at >= 0 && count <= most; at = yield* find(at + length)) {
    count++;
    if (pace.add(MATCH_WORK)) yield;
  }
  return count;
}

/** Work of finding a match and cutting the text there. */
const MATCH_WORK = 8;

export function* splitAt(text: string, separator: string, pace: Pace): Task<string[]> {
  if (separator === "") throw new OperationFailure("separator is empty", "value_error");
  if (text === "") return [""];
  const parts: string[] = [];
  if (searchesNatively(text, separator)) {
    for (const stretch of stretchesOf(text, separator)) {
      appendStretch(parts, stretch);
      if (pace.add(Math.min(text.length, WORK_CHUNK) + MATCH_WORK * stretch.length)) yield;
    }
    return parts;
  }
  const find = yield* createFinder(text, separator, pace);
  const matches = yield* countMatches(find, separator.length, MAX_LIST_LENGTH, pace);
  if (matches >= MAX_LIST_LENGTH) throw tooLarge();
  return yield* pieces(text, separator.length, find, pace);
}

function* pieces(text: string, length: number, find: Finder, pace: Pace): Task<string[]> {
  const parts: string[] = [];
  let start = 0;
  for (let at = yield* find(0); at >= 0; at = yield* find(start)) {
    parts.push(text.slice(start, at));
    start = at + length;
    if (pace.add(MATCH_WORK)) yield;
  }
  parts.push(text.slice(start));
  return parts;
}

export function* replaceText(text: string, old: string, by: string, pace: Pace): Task<string> {
  if (old === "") return yield* insertEverywhere(text, by, pace);
  const native = searchesNatively(text, old);
  const growth = by.length - old.length;
  const mostMatches = Math.floor(text.length / old.length);
  if (growth > 0 && text.length + mostMatches * growth > MAX_TEXT_UNITS) {
    const find = yield* createFinder(text, old, pace);
    const matches = yield* countMatches(find, old.length, mostMatches, pace);
    if (text.length + matches * growth > MAX_TEXT_UNITS) throw tooLarge();
  }
  if (!native) {
    const find = yield* createFinder(text, old, pace);
    return yield* joinedParts(yield* pieces(text, old.length, find, pace), by, pace);
  }
  let replaced = "";
  for (const stretch of stretchesOf(text, old)) {
    replaced += yield* joinedParts(stretch, by, pace);
    if (pace.add(Math.min(text.length, WORK_CHUNK))) yield;
  }
  return replaced;
}

/** Parts that are joined in one go, and units of them, unless a single part has more. */
const GROUP = 4096;
const GROUP_UNITS = 1 << 18;

/** Where the parts end that are joined with the one at `start`. */
function groupEnd(parts: readonly string[], start: number, separator: string): number {
  let end = start;
  for (let units = 0; end < parts.length && end - start < GROUP && units < GROUP_UNITS; end++) {
    units += (parts[end] as string).length + separator.length;
  }
  return end;
}

/** `parts` with `separator` between them. The length was tested. */
export function* joinedParts(parts: readonly string[], separator: string, pace: Pace): Task<string> {
  let text = "";
  for (let start = 0; start < parts.length; ) {
    const end = groupEnd(parts, start, separator);
    const group = parts.slice(start, end).join(separator);
    text += start === 0 ? group : separator + group;
    if (pace.add((group.length >> 2) + end - start)) yield;
    start = end;
  }
  return text;
}

/** `by` before, between and after the code points. */
function* insertEverywhere(text: string, by: string, pace: Pace): Task<string> {
  const length = text.length + ((yield* countCodePoints(text, pace)) + 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  return yield* inserted(text, by, pace);
}

/** `by` between the code points: the characters joined. */
export function* insertBetween(text: string, by: string, pace: Pace): Task<string> {
  const length = text.length + Math.max(0, (yield* countCodePoints(text, pace)) - 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  return text === "" ? "" : (yield* inserted(text, by, pace)).slice(by.length, by.length + length);
}

function* countCodePoints(text: string, pace: Pace): Task<number> {
  let count = 0;
  for (const piece of piecesOf(text)) {
    count += codePointLength(piece);
    if (pace.add(piece.length >> 4)) yield;
  }
  return count;
}

function* inserted(text: string, by: string, pace: Pace): Task<string> {
  if (by === "") return text;
  let result = by;
  for (const piece of piecesOf(text)) {
    const parts = characters(piece);
    result += (yield* joinedParts(parts, by, pace)) + by;
    if (pace.add(piece.length)) yield;
  }
  return result;
}
