/** What kinds of characters the lexer tells apart, by their code. */

import { LATER_LETTER } from "./later-letters.ts";

export const TAB = 9;
const LINE_FEED = 10;
export const FORM_FEED = 12;
export const CARRIAGE_RETURN = 13;
export const SPACE = 32;
const DOUBLE_QUOTE = 34;
export const HASH = 35;
const SINGLE_QUOTE = 39;
export const DOT = 46;
export const BACKSLASH = 92;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

const WORD = new Uint8Array(128);
for (let code = 0; code < 128; code++) WORD[code] = /\w/.test(String.fromCharCode(code)) ? 1 : 0;

/** What Python has in place of characters of other languages and of text processors. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["?", "write a if condition else b"],
  ["!", "write not"],
  ["`", 'write "text", or f"text {value}"'],
  ...[..."“”‘’"].map((quote) => [quote, "write straight quotes"] as const),
]);

export const insteadOf = (character: string): string => INSTEAD.get(character) ?? "remove it, or put it in quotes";

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

export const isQuote = (code: number): boolean => code === DOUBLE_QUOTE || code === SINGLE_QUOTE;

export const isLineEnd = (code: number): boolean => code === LINE_FEED || code === CARRIAGE_RETURN;

/** Whether it can be part of a name, without a look at Unicode tables: every character outside ASCII may be. */
export const isWord = (code: number): boolean => code >= 128 || WORD[code] === 1;

/** The offset after the line end at `at`: `\r\n` is one. */
export function afterLineEnd(text: string, at: number): number {
  return text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
}

/** Where the word that begins at `from` ends. */
export function wordEnd(text: string, from: number): number {
  let at = from;
  while (isWord(text.charCodeAt(at))) at++;
  return at;
}

const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*/u;

/** A name in the normal form in which names are compared; null where the word is not a name. */
export function nameOf(word: string): string | null {
  if (/^\w+$/.test(word)) return word;
  return IDENTIFIER.exec(word)?.[0] === word && !LATER_LETTER.test(word) ? word.normalize("NFKC") : null;
}

/** The first character of a word that keeps it from being a name, and its offset in the word. */
export function strangerIn(word: string): { readonly character: string; readonly at: number } {
  const [name = ""] = IDENTIFIER.exec(word) ?? [];
  const later = name.search(LATER_LETTER);
  const at = later < 0 ? name.length : later;
  return { character: String.fromCodePoint(word.codePointAt(at) ?? 0), at };
}
