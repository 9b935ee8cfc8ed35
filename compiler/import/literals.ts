/**
 * Text of a document as parts of a program. Everything a document says ends up in one of these forms: a quoted JSON text that
 * `core.PARSE` reads back, or the rest of a comment line. Nothing else of it may reach the source.
 */
import type { JsonObject } from "../json.ts";
import { collapsed, cutText } from "./plain-text.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };
/** What no editor shows as itself: DEL and C1, byte order mark, line and paragraph separators, marks of writing direction. */
const INVISIBLE = /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;
const LONE_SURROGATE = /\p{Cs}/gu;
const MAX_COMMENT_LENGTH = 120;

/** A string literal of the language. The text must have no control characters but line ends and tabs. */
export function weftString(text: string): string {
  return `"${text.replace(/[\\"\n\t\r]/g, (character) => ESCAPES[character] ?? character)}"`;
}

/** A value as the argument of `core.PARSE`: JSON in a string literal, printable throughout. */
export function jsonLiteral(value: JsonObject): string {
  const json = JSON.stringify(value).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return weftString(json);
}

/** Text for a comment: on one line, printable, at most 120 code points. */
export function commentText(text: string): string {
  return cutText(collapsed(text).replace(INVISIBLE, "").replace(LONE_SURROGATE, ""), MAX_COMMENT_LENGTH);
}
