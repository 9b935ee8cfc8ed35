/**
 * The words of a text in Python that an editor colours, told by the lexer alone, so they are there whatever is wrong. After a fault it continues with
 * the next line: a quote that is not closed yet takes the colours of its own line and of no other.
 */
import { isLineEnd } from "./characters.ts";
import { tokenize } from "./lexer.ts";
import * as T from "./tokens.ts";
import { setOf, type Token } from "./tokens.ts";

/**
 * `constant`: `None`, `True`, `False`. `definition`: the name of a function or class where it is defined, and that of a decorator. `owner`: a name
 * before a dot. `member`: a name after one. `name`: any other.
 */
export type ColoredKind =
  | "keyword"
  | "constant"
  | "text"
  | "number"
  | "comment"
  | "definition"
  | "owner"
  | "member"
  | "name";
export type ColoredWord = { readonly start: number; readonly end: number; readonly kind: ColoredKind };

/** A text with more faults than this is not a program: what follows has no colours. */
const MAX_FAULTS = 50;

const CONSTANTS = setOf([T.None, T.True, T.False]);
const TEXTS = setOf([T.Text, T.Bytes, T.FStart, T.FText, T.FEnd]);
const KEYWORDS = setOf([...T.KEYWORDS.values(), T.Match, T.Case]);

/** In the order of the text. */
export function coloredWords(text: string): readonly ColoredWord[] {
  const words: ColoredWord[] = [];
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let faults = 0; faults <= MAX_FAULTS; faults++) {
    const { tokens, comments, refusal } = tokenize(text, from);
    const fault = refusal?.fault;
    // A bracket that is not closed yet is a fault of the whole rest, all of which was read.
    const isRead = fault === undefined || fault.fault === "bracket_unclosed";
    const isOpen = fault?.fault === "text_unterminated";
    const isRest = isRead || (isOpen && fault.words["quote"]?.length === 3);
    const end = isRest ? text.length : lineAfter(text, fault.start);
    addTokens(words, tokens);
    for (const one of comments) words.push({ start: one.start, end: one.end, kind: "comment" });
    if (isOpen) words.push({ start: fault.start, end: Math.min(end, text.length), kind: "text" });
    if (end >= text.length) break;
    from = end;
  }
  return words.sort((one, other) => one.start - other.start);
}

/** Where the line after the one of a place begins. */
function lineAfter(text: string, place: number): number {
  let at = place;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++;
  return at + 1;
}

function addTokens(words: ColoredWord[], tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    const kind = kindOf(tokens, at, token);
    if (kind !== null && token.end > token.start) words.push({ start: token.start, end: token.end, kind });
  }
}

function kindOf(tokens: readonly Token[], at: number, { tokenTypeIdx: type }: Token): ColoredKind | null {
  if (CONSTANTS[type] === 1) return "constant";
  if (KEYWORDS[type] === 1) return "keyword";
  if (TEXTS[type] === 1) return "text";
  if (type === T.NumberLiteral.tokenTypeIdx) return "number";
  if (type !== T.Name.tokenTypeIdx) return null;
  const [before, after] = [tokens[at - 1]?.tokenTypeIdx, tokens[at + 1]?.tokenTypeIdx];
  if (before === T.Def.tokenTypeIdx || before === T.Class.tokenTypeIdx) return "definition";
  if (before === T.At.tokenTypeIdx && isLineStart(tokens[at - 2])) return "definition";
  if (before === T.Dot.tokenTypeIdx) return "member";
  return after === T.Dot.tokenTypeIdx ? "owner" : "name";
}

const LAYOUT = setOf([T.Newline, T.Indent, T.Dedent]);
const isLineStart = (token: Token | undefined): boolean => token === undefined || LAYOUT[token.tokenTypeIdx] === 1;
