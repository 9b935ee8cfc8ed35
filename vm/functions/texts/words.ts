/** Texts as characters, lines and words, and texts filled up and repeated (docs/functions.md). */
import type { Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { WORK_CHUNK } from "../../tasks/work-meter.ts";
import { characters, codePointLength } from "../../values/code-points.ts";
import { piecesOf } from "../../values/text.ts";
import { isList, MAX_LIST_LENGTH, MAX_TEXT_UNITS, tooLarge } from "../../values/values.ts";
import { type FunctionGroup, optionalWhole, required, requiredTextTask, resumable } from "../arguments.ts";
import { lowerText } from "../letter-case.ts";
import { textCharacters } from "../list.ts";
import { splitAtBlanks } from "../text-parts.ts";

/** The lines of a text without their ends; an end at the end begins no further line. */
function* lines(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "lines", pace);
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    for (let from = end; end < text.length && !isLineEnd(text.charCodeAt(end)); from = end) {
      end = lineEnd(text, from, Math.min(from + WORK_CHUNK, text.length));
      if (pace.add((end - from) >> 2)) yield;
    }
    if (found.length >= MAX_LIST_LENGTH) throw tooLarge();
    found.push(text.slice(start, end));
    if (pace.add(1)) yield;
    start = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
  }
  return found;
}

const LF = 10;
const CR = 13;

function isLineEnd(unit: number): boolean {
  return unit === LF || unit === CR;
}

/** The first line end from `from` on, or `most`. */
function lineEnd(text: string, from: number, most: number): number {
  let at = from;
  while (at < most && !isLineEnd(text.charCodeAt(at))) at++;
  return at;
}

function* capitalize(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "capitalize", pace);
  return yield* capitalized(text, pace);
}

function* capitalized(text: string, pace: Pace): Task<string> {
  const [first = ""] = characters(text.slice(0, 2));
  return first.toUpperCase() + (yield* lowerText(text.slice(first.length), pace));
}

const WORD = /[\p{L}\p{N}\p{M}'’]+/gu;

/** Each word with a capital letter first and small ones after it. */
function* title(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "title", pace);
  const lower = yield* lowerText(text, pace);
  let result = "";
  let inWord = false;
  for (const piece of piecesOf(lower)) {
    let isFirst = true;
    let at = 0;
    for (const { 0: word, index } of piece.matchAll(WORD)) {
      const [first = ""] = characters(word.slice(0, 2));
      const goesOn = isFirst && index === 0 && inWord;
      result += piece.slice(at, index) + (goesOn ? word : first.toUpperCase() + word.slice(first.length));
      at = index + word.length;
      isFirst = false;
    }
    result += piece.slice(at);
    inWord = at === piece.length && at > 0;
    if (result.length > MAX_TEXT_UNITS) throw tooLarge();
    if (pace.add(2 * piece.length)) yield;
  }
  return result;
}

/** A text filled up to a width in code points. */
function* pad(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "pad", pace);
  required(args, 1, "pad");
  const width = optionalWhole(args, 1, 0);
  const fill = args[2] === undefined ? " " : yield* requiredTextTask(args, 2, "pad", pace);
  const side = args[3] === undefined ? "end" : yield* requiredTextTask(args, 3, "pad", pace);
  if (side !== "start" && side !== "end" && side !== "both") {
    throw new OperationFailure('side is not "start", "end" or "both"', "value_error");
  }
  let length = 0;
  for (const piece of piecesOf(text)) {
    length += codePointLength(piece);
    if (pace.add(piece.length >> 4)) yield;
  }
  const missing = width - length;
  if (missing <= 0) return text;
  const signs = characters(fill.slice(0, 1024));
  if (signs.length === 0) throw new OperationFailure("fill is empty", "value_error");
  const before = side === "start" ? missing : side === "both" ? Math.floor(missing / 2) : 0;
  return filled(signs, before, pace) + text + filled(signs, missing - before, pace);
}

/** `count` code points of a fill that begins anew at its end. */
function filled(signs: readonly string[], count: number, pace: Pace): string {
  const whole = Math.floor(count / signs.length);
  const unit = signs.join("");
  if (unit.length * (whole + 1) > MAX_TEXT_UNITS) throw tooLarge();
  pace.note(unit.length * whole);
  return repeated(unit, whole) + signs.slice(0, count - whole * signs.length).join("");
}

/** Units of a block that is made one text before it is repeated. */
const BLOCK = 65_536;

/** The engine repeats by joining pairs; a text of millions of tiny parts would take it ten times as long to read first. */
function repeated(text: string, count: number): string {
  const times = Math.floor(BLOCK / text.length);
  if (times < 2 || count <= times) return text.repeat(count);
  const block = text.repeat(times);
  // Reading a unit makes one text of joined parts.
  block.charCodeAt(0);
  return block.repeat(Math.floor(count / times)) + text.repeat(count % times);
}

/** A text or a list, several times in a row. */
function* repeat(args: readonly Json[], pace: Pace): Task<Json> {
  const value = required(args, 0, "repeat");
  required(args, 1, "repeat");
  const count = Math.max(0, optionalWhole(args, 1, 0));
  if (!isList(value)) {
    const text = yield* requiredTextTask(args, 0, "repeat", pace);
    if (text.length * count > MAX_TEXT_UNITS) throw tooLarge();
    if (text === "") return "";
    pace.note(text.length * count);
    return repeated(text, count);
  }
  if (value.length * count > MAX_LIST_LENGTH) throw tooLarge();
  const list: Json[] = [];
  for (let time = 0; time < count && value.length > 0; time++) {
    for (const element of value) {
      list.push(element);
      if (pace.add(1)) yield;
    }
  }
  return list;
}

export const wordFunctions: FunctionGroup = {
  chars: resumable(function* (args, pace) {
    return yield* textCharacters(required(args, 0, "chars"), pace);
  }),
  lines: resumable(lines),
  words: resumable(function* (args, pace) {
    return yield* splitAtBlanks(yield* requiredTextTask(args, 0, "words", pace), pace);
  }),
  capitalize: resumable(capitalize),
  title: resumable(title),
  pad: resumable(pad, { isQuick: () => false }),
  // Small arguments can ask for much.
  repeat: resumable(repeat, { isQuick: () => false }),
};
