/**
 * The kinds of tokens of operand mode (docs/language.md, text) and the small readers that give a token its meaning: names,
 * numbers, paths, strings. Nothing here knows of lines, ops or slots.
 */
import type { Span } from "../text/span.ts";

/** What a word is by its looks. */
export type WordType =
  | "Arrow"
  | "OpenParen"
  | "CloseParen"
  | "OpenList"
  | "CloseList"
  | "OpenMap"
  | "CloseMap"
  | "Comma"
  | "Colon"
  /** A key of a map, bare or quoted. */
  | "Key"
  | "Compare"
  /** `!` before a condition. */
  | "Bang"
  /** `?` after the subject of a condition. */
  | "Question"
  | "Text"
  | "NumberWord"
  | "Constant"
  | "Variable"
  | "Path"
  | "NameWord"
  /** A bare word that names a step op. Whether it starts a step is decided by the parser. */
  | "OpWord"
  | "Word"
  /** No word: the end of a statement. */
  | "End";

export type Token = {
  readonly type: WordType;
  /** What the grammar reads it as: the number of a token type (parser/tokens.ts), which is all that chevrotain looks at. */
  readonly tokenTypeIdx: number;
  /** As written. */
  readonly image: string;
  readonly span: Span;
  /** A string's or key's text; a word's text with a joined string's quotes taken off; else the image. */
  readonly value: string;
  /** Nothing stands between the token before and this one. */
  readonly glued: boolean;
  /** Of the first token of a statement: the offsets of the lexer's errors in it. */
  readonly errors: readonly number[] | null;
};

/** What opens a structure, and what closes it again. */
export const OPENING = { "(": "OpenParen", "[": "OpenList", "{": "OpenMap" } as const;
export const CLOSING: Readonly<Record<string, WordType>> = { ")": "CloseParen", "]": "CloseList", "}": "CloseMap" };

/** One of `()[]{},`: they end a word inside a structure. */
export function isStructureCode(code: number): boolean {
  switch (code) {
    case 0x28:
    case 0x29:
    case 0x2c:
    case 0x5b:
    case 0x5d:
    case 0x7b:
    case 0x7d:
      return true;
    default:
      return false;
  }
}

export const NAME_PATTERN = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;
export const NUMBER_PATTERN = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
export const COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<=", ">=", "=", "<", ">"]);
/** What a step that filters compares with. */
export const FILTER_COMPARATORS: readonly string[] = ["==", "=", "!=", "<", "<=", ">", ">=", "in", "contains"];
export const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Where the comparator that starts at `from` ends. */
export function comparatorEnd(text: string, from: number): number {
  const two = text.slice(from, from + 2);
  return from + (two.length === 2 && COMPARATORS.has(two) ? 2 : 1);
}

export function isName(text: string): boolean {
  return text !== "" && nameEnd(text, 0) === text.length;
}

/** A name that a step can write: `true`, `false` and `null` are constants wherever they stand bare. */
export function isWritable(text: string): boolean {
  return isName(text) && !CONSTANTS.has(text);
}

const DOLLAR = 0x24;
const DOT = 0x2e;
const OPEN_LIST = 0x5b;
const NAME_BEYOND_ASCII = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const SEGMENT =
  /\.([\p{L}_][\p{L}\p{Nd}_]*|[0-9]+)|\[([0-9]+)\]|\["((?:[^"\\\n]|\\[^\n])*)"\]|\['((?:[^'\\\n]|\\[^\n])*)'\]/uy;

/** Where the name that starts at `from` ends; `from` without one. */
export function nameEnd(text: string, from: number): number {
  const { length } = text;
  for (let at = from; at < length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f) continue;
    if (code >= 0x30 && code <= 0x39 && at > from) continue;
    if (code <= 0x7f) return at;
    NAME_BEYOND_ASCII.lastIndex = from;
    return NAME_BEYOND_ASCII.test(text) ? NAME_BEYOND_ASCII.lastIndex : from;
  }
  return length > from ? length : from;
}

/** Where the longest `name.segment[0]…`, with or without `$`, ends that starts at `from`; `from` without one. */
export function pathEnd(text: string, from: number, limit: number): number {
  const start = text.charCodeAt(from) === DOLLAR ? from + 1 : from;
  let end = nameEnd(text, start);
  if (end === start || end > limit) return from;
  if (end >= text.length) return end;
  while (text.charCodeAt(end) === DOT || text.charCodeAt(end) === OPEN_LIST) {
    SEGMENT.lastIndex = end;
    if (!SEGMENT.test(text) || SEGMENT.lastIndex > limit) break;
    end = SEGMENT.lastIndex;
  }
  return end;
}

/** Takes a Path image apart. */
export function readPath(image: string): { root: string; segments: string[] } {
  const start = image.charCodeAt(0) === DOLLAR ? 1 : 0;
  let end = nameEnd(image, start);
  const root = image.slice(start, end);
  const segments: string[] = [];
  while (end < image.length) {
    SEGMENT.lastIndex = end;
    const match = SEGMENT.exec(image);
    if (match === null) break;
    const [, name, index, double, single] = match;
    if (double !== undefined) segments.push(unescapeDouble(double));
    else if (single !== undefined) segments.push(unescapeSingle(single));
    else segments.push(name ?? index ?? "");
    end = SEGMENT.lastIndex;
  }
  return { root, segments };
}

const DOUBLE_ESCAPES: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", n: "\n", t: "\t", r: "\r" };

/** The text inside double quotes: `\"` `\\` `\n` `\t` `\r`; any other backslash stays. */
function unescapeDouble(body: string): string {
  if (!body.includes("\\")) return body;
  return body.replace(/\\(["\\ntr])/g, (_, letter: string) => DOUBLE_ESCAPES[letter] ?? letter);
}

/** The text inside single quotes: `\'` and `\\` only. */
function unescapeSingle(body: string): string {
  if (!body.includes("\\")) return body;
  return body.replace(/\\(['\\])/g, (_, letter: string) => letter);
}

/** Where the string that opens at `from` is closed: the offset of its closing quote, -1 when not before `limit`. */
export function closingQuote(text: string, from: number, limit: number): number {
  const quote = text.charCodeAt(from);
  for (let at = from + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code !== 0x5c) continue;
    const next = text.charCodeAt(at + 1);
    if (next === 0x5c || next === quote) at++;
  }
  return -1;
}

/** The value of a string token from its image, quotes included. */
export function textValue(quote: number, body: string): string {
  return quote === 0x22 ? unescapeDouble(body) : unescapeSingle(body);
}

/** A word or a string: an operand of one token. It is asked several times for each token, and a set would take longer. */
export function isAtom(type: WordType): boolean {
  switch (type) {
    case "Text":
    case "NumberWord":
    case "Constant":
    case "Variable":
    case "Path":
    case "NameWord":
    case "OpWord":
    case "Word":
      return true;
    default:
      return false;
  }
}

/** Words a `#` may touch by mistake. */
export function isWordLike({ type }: Token): boolean {
  return type === "Key" || (type !== "Text" && isAtom(type));
}

/** A list, a map or a call in brackets. */
export function opensStructure(type: WordType): boolean {
  return type === "OpenParen" || type === "OpenList" || type === "OpenMap";
}

export function startsOperand(type: WordType): boolean {
  return isAtom(type) || opensStructure(type);
}

/** `->` at `at`. */
export function isArrow(text: string, at: number, limit: number): boolean {
  return text.charCodeAt(at) === 0x2d && text.charCodeAt(at + 1) === 0x3e && at + 1 < limit;
}
