/**
 * Numbers of a JSON text that a double cannot hold as written. JSON.parse changes them silently, so they are found in the text: to warn
 * about whole numbers that lose digits, and to tell two requests apart whose numbers differ only in the text.
 */
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { pointer } from "../../compiler/ir/issues.ts";
import { isObject } from "../../compiler/json.ts";
import { completed, type Task } from "../../grammar/text/task.ts";

/** A whole number that was changed by reading it. `path`: its JSON pointer; `written`: as in the text, cut to 40 characters. */
export type LostDigits = { readonly path: string; readonly written: string; readonly becomes: number };

export type NumbersOfText = {
  /** The first ones. */
  readonly lost: readonly LostDigits[];
  /**
   * The value with every inexact number as marked text: equal for two texts only when their numbers are equal too. Of a text with very many
   * such numbers, the text itself.
   */
  readonly exact: unknown;
};

/** Named at most, in warnings and issues. */
const MAX_LOST_DIGITS = 5;
const MAX_SHOWN = 40;
/** Marking more would hold the thread longer than reading the text does. */
const MAX_MARKED = 10_000;
/** Every number of at most 15 digits is held as written. */
const LONG_NUMBER = /[0-9.]{16}/;
const MARK = "\u0000number ";
const ESCAPED_MARK = "\\u0000number ";
const WHOLE = /^-?[0-9]+$/;

/** null: every number of the text is what was written. The text must be JSON that nests no deeper than values may. */
export function numbersOf(text: string): NumbersOfText | null {
  return completed(numbersTask(text, parsedAtOnce));
}

// biome-ignore lint/correctness/useYield: a task of one piece
function* parsedAtOnce(text: string): Task<unknown> {
  return JSON.parse(text);
}

/** The same in pieces. `parse` reads JSON. */
export function* numbersTask(text: string, parse: (text: string) => Task<unknown>): Task<NumbersOfText | null> {
  if (!LONG_NUMBER.test(text)) return null;
  yield;
  const marked = markedText(text);
  if (marked === null) return null;
  yield;
  const value = yield* parse(marked.text);
  yield;
  const lost: LostDigits[] = [];
  collect(value, () => "", lost);
  return { lost, exact: marked.isWhole ? value : text };
}

/** Whole numbers that lose digits, as they are written, in the order of the text. */
export function lostIntegers(text: string): readonly string[] {
  if (!LONG_NUMBER.test(text)) return [];
  const found: string[] = [];
  eachLongNumber(text, (word) => {
    if (losesDigits(word)) found.push(word);
    return found.length < MAX_LOST_DIGITS;
  });
  return found;
}

/** `at`: where the number stands, for people. */
export function precisionWarning(at: string, { written, becomes }: Pick<LostDigits, "written" | "becomes">): string {
  return `number_precision: ${at}: ${precisionMessage({ written, becomes })}`;
}

export function precisionMessage({ written, becomes }: Pick<LostDigits, "written" | "becomes">): string {
  const shown = written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written;
  return `${shown} is beyond 2^53 and becomes ${becomes}; give it as text to keep its digits`;
}

/** Long numbers of a JSON text with their places, until `take` says no. */
function eachLongNumber(text: string, take: (word: string, start: number) => boolean): void {
  const token = /"|[0-9][0-9.eE+-]{14,}/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [word] = match;
    const start = match.index;
    if (word === '"') token.lastIndex = endOfText(text, start);
    else if (text[start - 1] === "-") {
      if (!take(`-${word}`, start - 1)) return;
    } else if (!take(word, start)) return;
  }
}

export function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** A number outside of texts that a double does not hold as an integer below 2^53, or a text. */
const WORD = /"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
const MARKED = new RegExp(`"${ESCAPED_MARK.replaceAll("\\", "\\\\")}(-?\\d+)"`, "g");

/** Whether a JSON text has a whole number beyond 2^53, which JavaScript may change. */
export function hasLongInteger(text: string): boolean {
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const [word] = found;
    if (word === '"') WORD.lastIndex = endOfText(text, found.index);
    else if (WHOLE.test(word) && !Number.isSafeInteger(Number(word))) return true;
  }
  return false;
}

/** The canonical text (RFC 8785) of a JSON text, with integers written in full and whole floats as integers: 5 and 5.0 are the same. */
export function canonicalOfText(text: string): string {
  const parts: string[] = [];
  let done = 0;
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const [word] = found;
    if (word === '"') WORD.lastIndex = endOfText(text, found.index);
    else {
      const value = Number(word);
      if (!Number.isInteger(value) || Number.isSafeInteger(value)) continue;
      const digits = WHOLE.test(word) ? BigInt(word) : BigInt(value);
      parts.push(text.slice(done, found.index), `"${ESCAPED_MARK}${digits}"`);
      done = WORD.lastIndex;
    }
  }
  if (parts.length === 0) return canonicalJson(JSON.parse(text));
  return canonicalJson(JSON.parse(parts.join("") + text.slice(done))).replaceAll(MARKED, "$1");
}

/** null: there is nothing to mark. */
function markedText(text: string): { readonly text: string; readonly isWhole: boolean } | null {
  const parts: string[] = [];
  let done = 0;
  eachLongNumber(text, (word, start) => {
    const mark = inexactForm(word);
    if (mark !== null) {
      parts.push(text.slice(done, start), `"${ESCAPED_MARK}${mark}"`);
      done = start + word.length;
    }
    return parts.length < 2 * MAX_MARKED;
  });
  if (parts.length === 0) return null;
  return { text: parts.join("") + text.slice(done), isWhole: parts.length < 2 * MAX_MARKED };
}

/** A whole number as written, any other in one spelling; null: a double holds it. */
function inexactForm(word: string): string | null {
  const read = String(Number(word));
  if (read === word) return null;
  if (!WHOLE.test(word)) {
    const plain = plainNumber(word);
    return plain === plainNumber(read) ? null : plain;
  }
  return plainNumber(word) === plainNumber(read) ? null : word;
}

/** Returns false when enough are found. */
function collect(value: unknown, path: () => string, lost: LostDigits[]): boolean {
  if (typeof value === "string") {
    if (!value.startsWith(MARK)) return true;
    const word = value.slice(MARK.length);
    if (losesDigits(word)) lost.push({ path: path(), written: word.slice(0, MAX_SHOWN + 1), becomes: Number(word) });
    return lost.length < MAX_LOST_DIGITS;
  }
  if (Array.isArray(value))
    return value.every((element, index) => collect(element, () => pointer(path(), index), lost));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, member]) => collect(member, () => pointer(path(), key), lost));
}

/** The bound keeps BigInt fast: longer words are outside of the doubles. */
function losesDigits(word: string): boolean {
  if (word.length > 320 || !WHOLE.test(word)) return false;
  const value = Number(word);
  return !Number.isSafeInteger(value) && Number.isFinite(value) && BigInt(word) !== BigInt(value);
}

/** One spelling for all texts of a number: `12e-1`, `1.20` and `1.2` are the same. */
function plainNumber(word: string): string {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(word);
  if (parts === null) return word;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === "0") start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`;
}
