/** Numbers: where one ends, what is wrong with it, and its value. */
import { Refusal } from "../refusal.ts";
import type { Constant } from "../tree.ts";
import { DOT, isDigit, isWord } from "./characters.ts";

type Radix = { readonly name: string; readonly digits: RegExp; readonly digit: RegExp };
const RADIXES: Readonly<Record<string, Radix>> = {
  x: { name: "hexadecimal", digits: /(?:_?[0-9a-fA-F])+/y, digit: /[0-9a-fA-F]/ },
  o: { name: "octal", digits: /(?:_?[0-7])+/y, digit: /[0-7]/ },
  b: { name: "binary", digits: /(?:_?[01])+/y, digit: /[01]/ },
};
const DIGITS = /[0-9]+(?:_[0-9]+)*/y;
const EXPONENT = /[eE][+-]?[0-9]+(?:_[0-9]+)*/y;
/** Words that may touch a number: `1if x else 2`. */
const TOUCHING = /(?:and|else|for|if|in|is|not|or)/y;
/** CPython's bound for decimal digits. */
const MAX_DIGITS = 4300;

/** Where the number that begins at `start` ends. */
export function numberEnd(text: string, start: number): number {
  const radix = text.charCodeAt(start) === 48 ? RADIXES[text.charAt(start + 1).toLowerCase()] : undefined;
  if (radix !== undefined) return verified(text, start, after(radix.digits, text, start + 2), radix.name, radix.digit);
  let at = Math.max(start, after(DIGITS, text, start));
  const isWhole = text.charCodeAt(at) !== DOT;
  if (!isWhole) at = Math.max(at + 1, after(DIGITS, text, at + 1));
  const exponent = after(EXPONENT, text, at);
  const isInteger = isWhole && exponent < 0;
  at = Math.max(at, exponent);
  const code = text.charCodeAt(at);
  if (code === 106 || code === 74) return verified(text, start, at + 1, "imaginary");
  const end = verified(text, start, at, "decimal");
  if (isInteger && (text.charCodeAt(start) === 48 || end - start > MAX_DIGITS))
    checkInteger(text.slice(start, end), start);
  return end;
}

/** -1 where the pattern does not match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function verified(text: string, start: number, end: number, kind: string, digit = /[0-9]/): number {
  const wrong = Math.max(end, start + 1);
  const next = text.charCodeAt(end);
  if (end >= 0 && !isDigit(next) && (!isWord(next) || after(TOUCHING, text, end) >= 0)) return end;
  const character = text.charAt(wrong);
  if (end >= 0 && isDigit(next) && !digit.test(character))
    throw new Refusal("number_digit", { start, end: end + 1 }, { words: { digit: character, kind } });
  let last = wrong;
  while (isWord(text.charCodeAt(last))) last++;
  throw new Refusal("number_malformed", { start, end: last }, { words: { number: text.slice(start, last), kind } });
}

function checkInteger(image: string, start: number): void {
  if (image.length > 1 && image.charCodeAt(0) === 48 && /[1-9]/.test(image)) {
    const digits = image.replace(/^[0_]+/, "");
    const place = { start, end: start + image.length };
    // `017` was octal in Python 2: the meaning is certain only where both readings agree.
    const fix = { title: `write ${digits}`, edits: [{ start, end: place.end, text: digits }] };
    throw new Refusal("number_leading_zeros", place, { words: { digits }, ...(/^[1-7]$/.test(digits) ? { fix } : {}) });
  }
  const count = image.replaceAll("_", "").replace(/^0+/, "0").length;
  if (count > MAX_DIGITS)
    throw new Refusal("number_too_long", { start, end: start + image.length }, { words: { count: String(count) } });
}

type Value = Pick<Constant, "type" | "value">;

/** The value of a number that `numberEnd` let pass. */
export function numberValue(image: string): Value {
  if (image.length < 16 && /^[0-9]+$/.test(image)) return { type: "int", value: Number(image) };
  const text = image.replaceAll("_", "").toLowerCase();
  if (/^0[xob]/.test(text)) return whole(text);
  if (text.endsWith("j")) return { type: "complex", value: image };
  return /[.e]/.test(text) ? { type: "float", value: Number(text) } : whole(text.replace(/^0+(?=.)/, ""));
}

function whole(text: string): Value {
  const value = Number(text);
  return { type: "int", value: Number.isSafeInteger(value) ? value : BigInt(text) };
}
