/**
 * The token types of operand mode (language reference 2.3) and the small readers that give a token its meaning: names,
 * numbers, paths, strings. Tokens are chevrotain tokens that also carry their span and value. Nothing here knows of
 * lines, ops or slots.
 */
import { createToken, type IToken, type TokenType } from "chevrotain";
import type { Span } from "./span.ts";

export interface Token extends IToken {
  readonly span: Span;
  /** A string's or key's text; a word's text with a joined string's quotes taken off; else the image. */
  readonly value: string;
  /** Nothing stands between the token before and this one. */
  readonly glued: boolean;
}

function tokenType(name: string): TokenType {
  return createToken({ name });
}

export const Arrow = tokenType("Arrow");
export const OpenParen = tokenType("OpenParen");
export const CloseParen = tokenType("CloseParen");
export const OpenList = tokenType("OpenList");
export const CloseList = tokenType("CloseList");
export const OpenMap = tokenType("OpenMap");
export const CloseMap = tokenType("CloseMap");
export const Comma = tokenType("Comma");
export const Colon = tokenType("Colon");
/** A key of a map, bare or quoted. */
export const Key = tokenType("Key");
export const Compare = tokenType("Compare");
/** `!` before a condition. */
export const Bang = tokenType("Bang");
/** `?` behind the subject of a condition. */
export const Question = tokenType("Question");
export const Text = tokenType("Text");
export const NumberWord = tokenType("NumberWord");
export const Constant = tokenType("Constant");
export const Variable = tokenType("Variable");
export const Path = tokenType("Path");
export const NameWord = tokenType("NameWord");
/** A bare word that names a step op. Whether it starts a step is decided by the parser. */
export const OpWord = tokenType("OpWord");
export const Word = tokenType("Word");

export const TOKEN_TYPES: TokenType[] = [
  Arrow,
  OpenParen,
  CloseParen,
  OpenList,
  CloseList,
  OpenMap,
  CloseMap,
  Comma,
  Colon,
  Key,
  Compare,
  Bang,
  Question,
  Text,
  NumberWord,
  Constant,
  Variable,
  Path,
  NameWord,
  OpWord,
  Word,
];

/** What opens a structure, and what closes it again. */
export const OPENING: Readonly<Record<string, { readonly type: TokenType; readonly close: string }>> = {
  "(": { type: OpenParen, close: ")" },
  "[": { type: OpenList, close: "]" },
  "{": { type: OpenMap, close: "}" },
};
export const CLOSING: Readonly<Record<string, TokenType>> = { ")": CloseParen, "]": CloseList, "}": CloseMap };
/** They end a word inside a structure. */
export const STRUCTURE_CHARACTERS = "()[]{},";

export const NAME_PATTERN = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;
export const NUMBER_PATTERN = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
export const COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<=", ">=", "=", "<", ">"]);
export const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "null"]);

export function isName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

const PATH_START = /\$?[\p{L}_][\p{L}\p{Nd}_]*/uy;
const SEGMENT =
  /\.([\p{L}_][\p{L}\p{Nd}_]*|[0-9]+)|\[([0-9]+)\]|\["((?:[^"\\\n]|\\[^\n])*)"\]|\['((?:[^'\\\n]|\\[^\n])*)'\]/uy;

/** Where the longest `name.segment[0]…`, with or without `$`, ends that starts at `from`; `from` when there is none. */
export function pathEnd(text: string, from: number, limit: number): { end: number; segments: number } {
  PATH_START.lastIndex = from;
  if (!PATH_START.test(text) || PATH_START.lastIndex > limit) return { end: from, segments: 0 };
  let end = PATH_START.lastIndex;
  let segments = 0;
  for (;;) {
    SEGMENT.lastIndex = end;
    if (!SEGMENT.test(text) || SEGMENT.lastIndex > limit) return { end, segments };
    end = SEGMENT.lastIndex;
    segments++;
  }
}

/** Takes a Path image apart. */
export function readPath(image: string): { root: string; segments: string[] } {
  PATH_START.lastIndex = 0;
  PATH_START.test(image);
  let end = PATH_START.lastIndex;
  const root = image.slice(image.startsWith("$") ? 1 : 0, end);
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

/** Words a `#` may touch by mistake. */
export function isWordLike(token: Token): boolean {
  const type = token.tokenType;
  return (
    type === Word ||
    type === NameWord ||
    type === OpWord ||
    type === Path ||
    type === Variable ||
    type === NumberWord ||
    type === Constant ||
    type === Key
  );
}
