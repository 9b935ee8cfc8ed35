/** Words of a text as `textwrap` sees them. CPython does it with one expression that looks ahead and back; this reads each character a few times. */
import { DECIMAL, isAlphanumeric } from "../unicode/sets.ts";

const WHITE = "\t\n\v\f\r ";
const PUNCTUATION = "!\"'&.,?";

const isWhite = (char: string | undefined): boolean => char !== undefined && WHITE.includes(char);

function isWord(char: string | undefined): boolean {
  if (char === undefined) return false;
  return char === "_" || isAlphanumeric(char.codePointAt(0) as number);
}

function isLetter(char: string | undefined): boolean {
  return isWord(char) && !DECIMAL.has((char as string).codePointAt(0) as number);
}

function isPunctuation(char: string | undefined): boolean {
  return char !== undefined && (isWord(char) || PUNCTUATION.includes(char));
}

/** Hyphens from `at` on that are an em-dash between words: their number, or 0. */
function dashAt(chars: readonly string[], at: number): number {
  if (chars[at] !== "-" || !isPunctuation(chars[at - 1])) return 0;
  let end = at;
  while (chars[end] === "-") end += 1;
  return end - at >= 2 && isWord(chars[end]) ? end - at : 0;
}

/** Whether a word may be cut after the hyphen at `at`. */
function isHyphen(chars: readonly string[], at: number): boolean {
  if (chars[at] !== "-") return false;
  const follows =
    isLetter(chars[at - 1]) && (isLetter(chars[at - 2]) || (chars[at - 2] === "-" && isLetter(chars[at - 3])));
  if (!follows || !isLetter(chars[at + 1])) return false;
  return isLetter(chars[at + 2]) || (chars[at + 2] === "-" && isLetter(chars[at + 3]));
}

function endOfChunk(chars: readonly string[], start: number): number {
  if (isWhite(chars[start])) {
    let end = start;
    while (isWhite(chars[end])) end += 1;
    return end;
  }
  const dash = dashAt(chars, start);
  if (dash > 0) return start + dash;
  for (let at = start + 1; ; at++) {
    if (isHyphen(chars, at)) return at + 1;
    if (at >= chars.length || isWhite(chars[at])) return at;
    if (dashAt(chars, at) > 0) return at;
  }
}

export function chunksOf(text: string, breaksOnHyphens: boolean): string[] {
  if (!breaksOnHyphens) return text.split(/([\t\n\v\f\r ]+)/).filter((part) => part !== "");
  const chars = [...text];
  const chunks: string[] = [];
  for (let at = 0; at < chars.length; ) {
    const end = endOfChunk(chars, at);
    chunks.push(chars.slice(at, end).join(""));
    at = end;
  }
  return chunks;
}
