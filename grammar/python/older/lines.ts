/** The logical lines of a file as a tree of blocks, and what is asked of their tokens: as much as the older spellings need. */
import type { TokenType } from "chevrotain";
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import type { Edit } from "../refusal.ts";
import type { Comment } from "../tree.ts";

/** A line of the source with its block, or a line that the translation adds (`text`). */
export type Line = {
  readonly tokens: readonly Token[];
  children: Line[];
  /** Comments above it on lines of their own, and the one that ends it. */
  readonly comments: Comment[];
  trailing: Comment | null;
  /** Empty lines above it. */
  readonly empty: number;
  readonly edits: Edit[];
  /** Of an added line. */
  readonly text: string | null;
};

export const is = (token: Token | undefined, type: TokenType): boolean => token?.tokenTypeIdx === type.tokenTypeIdx;
export const isWord = (token: Token | undefined, word: string): boolean => is(token, T.Name) && token?.image === word;

/** What an operand that stands after a space can begin with, and what none can be confused with an operator or a trailer. */
const VALUES = T.setOf([T.Name, T.NumberLiteral, T.Text, T.Bytes, T.FStart, T.None, T.True, T.False, T.LBrace]);
const BRACKETS = T.setOf([T.LParen, T.LBracket]);
const ENDS = T.setOf([
  ...[T.Name, T.NumberLiteral, T.Text, T.Bytes, T.FEnd, T.None, T.True, T.False],
  ...[T.RParen, T.RBracket, T.RBrace],
]);
const OPENERS = T.setOf([T.LParen, T.LBracket, T.LBrace, T.FStart]);
const CLOSERS = T.setOf([T.RParen, T.RBracket, T.RBrace, T.FEnd]);

/** Whether a value begins here that Python cannot take as a part of what stands before it. */
export function beginsValue(token: Token | undefined): boolean {
  return token !== undefined && VALUES[token.tokenTypeIdx] === 1;
}

export const isOpener = (token: Token | undefined): boolean => token !== undefined && OPENERS[token.tokenTypeIdx] === 1;
export const isCloser = (token: Token | undefined): boolean => token !== undefined && CLOSERS[token.tokenTypeIdx] === 1;

export function addedLine(text: string, children: Line[] = []): Line {
  return { tokens: [], children, comments: [], trailing: null, empty: 0, edits: [], text };
}

/** Lines at the margin, each with the lines of its block. Comments after the last line are left over. */
export function linesOf(text: string, tokens: readonly Token[], comments: readonly Comment[]): Line[] {
  const top: Line[] = [];
  const blocks: Line[][] = [top];
  let own: Token[] = [];
  let comment = 0;
  let last: Line | null = null;
  for (const token of tokens) {
    if (is(token, T.Indent)) blocks.push(last?.children ?? top);
    else if (is(token, T.Dedent)) blocks.pop();
    else if (is(token, T.Newline)) {
      const [first] = own as [Token];
      const line: Line = {
        tokens: own,
        children: [],
        comments: [],
        trailing: null,
        empty: emptyAbove(text, first.start),
        edits: [],
        text: null,
      };
      for (let one = comments[comment]; one !== undefined && one.start <= token.start; one = comments[++comment]) {
        if (one.start < first.start) line.comments.push(one);
        else if (one.start >= (own.at(-1) as Token).end) line.trailing = one;
      }
      blocks.at(-1)?.push(line);
      last = line;
      own = [];
    } else if (!is(token, T.End)) own.push(token);
  }
  return top;
}

function emptyAbove(text: string, at: number): number {
  return Math.max(
    0,
    (/(?:\n[ \t\r\f]*)*$/.exec(text.slice(Math.max(0, at - 400), at))?.[0].split("\n").length ?? 1) - 2,
  );
}

/** All lines of a block, those inside included. */
export function* walk(lines: readonly Line[]): Generator<Line> {
  for (const line of lines) {
    yield line;
    yield* walk(line.children);
  }
}

/** The number of the token that closes the bracket or f-string at `open`; the last one where none does. */
export function closerOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isOpener(tokens[at])) depth++;
    else if (isCloser(tokens[at]) && --depth === 0) return at;
  }
  return tokens.length - 1;
}

/** Edits that put commas between operands with spaces between them, from token `from` up to `to`. */
export function commas(tokens: readonly Token[], from: number, to: number): Edit[] {
  const edits: Edit[] = [];
  for (let at = from; at < to; at++) {
    if (isOpener(tokens[at])) at = closerOf(tokens, at);
    const before = tokens[at] as Token;
    const next = tokens[at + 1];
    if (at + 1 >= to || next === undefined || next.start === before.end || ENDS[before.tokenTypeIdx] !== 1) continue;
    if (beginsValue(next) || BRACKETS[next.tokenTypeIdx] === 1)
      edits.push({ start: before.end, end: before.end, text: "," });
  }
  return edits;
}

/** Names that a line sets: targets of `=`, of operators with `=`, of `for` and of `as`. */
export function boundBy(tokens: readonly Token[]): string[] {
  const [first, second] = tokens;
  if (is(first, T.Name) && is(second, T.Augmented)) return [first?.image ?? ""];
  if (is(first, T.For))
    return plainNames(
      tokens,
      1,
      tokens.findIndex((token) => is(token, T.In)),
    );
  let last = -1;
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isOpener(token)) depth++;
    else if (isCloser(token)) depth--;
    else if (depth === 0 && is(token, T.Equal)) last = at;
  }
  const names = plainNames(tokens, 0, last);
  for (const [at, token] of tokens.entries())
    if (is(token, T.As) || (is(tokens[at + 1], T.Walrus) && is(token, T.Name)))
      names.push((is(token, T.As) ? tokens[at + 1]?.image : token.image) ?? "");
  return names;
}

/** Variables of comprehensions. */
export function comprehended(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    if (at === 0 || !is(token, T.For)) return [];
    const end = tokens.findIndex((one, index) => index > at && is(one, T.In));
    return plainNames(tokens, at + 1, end);
  });
}

/** Names that stand alone among targets: not `d` of `d[k]`. */
function plainNames(tokens: readonly Token[], from: number, to: number): string[] {
  const names: string[] = [];
  let inside = 0;
  for (let at = from; at < to; at++) {
    const next = tokens[at + 1];
    const isPart = is(next, T.Dot) || is(next, T.LBracket) || is(next, T.LParen) || is(tokens[at - 1], T.Dot);
    if (is(tokens[at], T.LBracket) && at > from && ENDS[(tokens[at - 1] as Token).tokenTypeIdx] === 1) inside++;
    else if (is(tokens[at], T.RBracket) && inside > 0) inside--;
    else if (inside === 0 && is(tokens[at], T.Name) && !isPart) names.push((tokens[at] as Token).image);
  }
  return names;
}
