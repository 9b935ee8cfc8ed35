/** Full Unicode case mapping without locale, within the text cap and in pieces. */
import type { Pace, Task } from "../tasks/task.ts";
import { piecesOf } from "../values/text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values/values.ts";

/** The upper case of a text is that of its code points one after another. */
export function* upperText(text: string, pace: Pace): Task<string> {
  let upper = "";
  for (const piece of piecesOf(text)) {
    upper += piece.toUpperCase();
    if (upper.length > MAX_TEXT_UNITS) throw tooLarge();
    if (pace.add(piece.length >> 1)) yield;
  }
  return upper;
}

/** The one letter whose lower case depends on the letters around it. */
const SIGMA = "\u03a3";
/** Where no letter depends on what is on the other side. */
const SPACE = /[ \t\n\r]/g;

export function* lowerText(text: string, pace: Pace): Task<string> {
  let lower = "";
  for (const piece of text.includes(SIGMA) ? wordsOf(text) : piecesOf(text)) {
    lower += piece.toLowerCase();
    if (lower.length > MAX_TEXT_UNITS) throw tooLarge();
    if (pace.add(piece.length)) yield;
  }
  return lower;
}

const PIECE = 65_536;

/** Pieces that end after white space; a text without any is one piece. */
function* wordsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    SPACE.lastIndex = start + PIECE;
    const end = SPACE.exec(text) === null ? text.length : SPACE.lastIndex;
    yield text.slice(start, end);
    start = end;
  }
}
