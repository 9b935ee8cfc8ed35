/**
 * Reads the lines and brackets of one statement's expressions (docs/language.md, the indented form). A statement continues over lines while a bracket is
 * open. Brackets are balanced here: an unclosed one is reported and gets an invisible closing token, an unexpected one is reported and left
 * out, so the parser only sees proper nesting.
 */
import type { TokenType } from "chevrotain";
import { calledBefore } from "../../foreign/called-before.ts";
import { reportUnclosed } from "../../foreign/in-place.ts";
import type { Reporter } from "../../reporter.ts";
import { HASH, isLabelWord, type LexerLimits, lineFits, readComment, slotWordEnd } from "../../steps/slots.ts";
import { contentStart, type Source, skipBlanks, spanOf, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import * as T from "../tokens.ts";
import { type Lexeme, lexeme } from "../tokens.ts";
import { continuesExpression, startsIndentedStatement } from "./line-words.ts";

/** What a map expects next. */
export const enum MapState {
  Key,
  Colon,
  Value,
  Done,
}

type Bracket = "(" | "[" | "{" | "call" | "index";
export type OpenBracket = {
  readonly kind: Bracket;
  readonly offset: number;
  readonly line: number;
  map: MapState;
  each?: true;
};

const CLOSED_BY: Readonly<Record<Bracket, string>> = { "(": ")", "[": "]", "{": "}", call: ")", index: "]" };
const OPENERS: Readonly<Record<Bracket, TokenType>> = {
  "(": T.OpenParen,
  "[": T.OpenList,
  "{": T.OpenMap,
  call: T.OpenCall,
  index: T.OpenIndex,
};
const CLOSERS: Readonly<Record<string, TokenType>> = { ")": T.CloseParen, "]": T.CloseList, "}": T.CloseMap };
/** Tokens after which a bracket that touches them is a call. */
const CALLED: ReadonlySet<TokenType> = new Set([T.NameWord, T.Path, T.Member]);
const INDEXED: ReadonlySet<TokenType> = new Set([
  T.NameWord,
  T.Path,
  T.Variable,
  T.Member,
  T.Text,
  T.TemplateEnd,
  T.CloseParen,
  T.CloseList,
  T.CloseMap,
]);
export type LexingContext = {
  readonly reporter: Reporter;
  readonly limits: LexerLimits;
  readonly isVariable: (name: string) => boolean;
};

/** `line` is 0-based. `opensBlock`: the statement ends with a colon, and `=` compares. */
export abstract class BracketLexer {
  readonly tokens: Lexeme[] = [];
  protected readonly context: LexingContext;
  protected readonly reporter: Reporter;
  protected readonly source: Source;
  protected readonly text: string;
  protected readonly opensBlock: boolean;
  protected readonly open: OpenBracket[] = [];
  /** Characters before the statement on its first line. */
  protected readonly indent: number;
  private readonly until: number | undefined;
  protected line: number;
  protected at: number;
  protected end: number;
  protected tooDeep = false;
  protected unterminated = false;

  /** `until`: where the expression ends at the latest, on its line. */
  constructor(context: LexingContext, line: number, from: number, opensBlock: boolean, until?: number) {
    this.context = context;
    this.reporter = context.reporter;
    this.source = context.reporter.source;
    this.text = this.source.text;
    this.opensBlock = opensBlock;
    this.line = line;
    this.at = from;
    this.end = this.source.ends[line] ?? this.text.length;
    const content = contentStart(this.source, line);
    this.indent = skipBlanks(this.text, content, this.end) - content;
    if (until !== undefined) this.end = Math.min(until, this.end);
    this.until = until;
  }

  /** Reads the whole statement. */
  protected readStatement(): void {
    this.readLine(0);
    while (this.until === undefined && this.open.length > 0 && this.entersNextLine()) this.readLine(this.tokens.length);
    while (this.open.length > 0) this.closeUnclosed();
  }

  /** 0-based index of the last line of the statement. */
  get lastLine(): number {
    return this.line;
  }

  protected entersNextLine(): boolean {
    const next = this.line + 1;
    if (next >= this.source.starts.length) return false;
    const start = contentStart(this.source, next);
    const end = this.source.ends[next] ?? start;
    if (this.startsStatement(start, end) || !lineFits(this.reporter, next, this.context.limits)) return false;
    this.line = next;
    this.at = start;
    this.end = end;
    return true;
  }

  /** Whether a bracket above the line was not closed. */
  protected startsStatement(from: number, limit: number): boolean {
    const start = skipBlanks(this.text, from, limit);
    if (isLabelWord(this.text.slice(start, slotWordEnd(this.text, start, limit)))) return true;
    const isDeeper = start - from > this.indent;
    return (
      startsIndentedStatement(this.text, start, limit) && !(isDeeper && continuesExpression(this.text, start, limit))
    );
  }

  protected readLine(lineStart: number): void {
    this.at = skipBlanks(this.text, this.at, this.end);
    while (this.at < this.end) {
      if (this.text.charCodeAt(this.at) === HASH) {
        this.readHash(this.tokens.length === lineStart && lineStart > 0);
        return;
      }
      this.readToken();
      this.at = skipBlanks(this.text, this.at, this.end);
    }
  }

  protected readHash(ownLine: boolean): void {
    const last = this.tokens[this.tokens.length - 1];
    const touches = last !== undefined && last.span.end === this.at && /[^\s"')\]},]$/u.test(last.image);
    readComment(this.reporter, this.line, this.at, ownLine, touches ? last.span.start : -1);
    this.at = this.end;
  }

  protected get top(): OpenBracket | undefined {
    return this.open[this.open.length - 1];
  }

  protected abstract readToken(): void;

  // ---- brackets ----

  protected openBracket(bracket: "(" | "[" | "{"): void {
    const offset = this.at;
    const last = this.tokens[this.tokens.length - 1];
    const touches = last !== undefined && last.span.end === offset;
    const kind: Bracket =
      touches && bracket === "(" && CALLED.has(last.tokenType)
        ? "call"
        : touches && bracket === "[" && INDEXED.has(last.tokenType)
          ? "index"
          : bracket;
    if (this.open.length === this.context.limits.nesting) this.standInFor(bracket);
    this.open.push({ kind, offset, line: this.line, map: MapState.Key });
    this.push(OPENERS[kind], offset + 1);
  }

  /** Replaces a bracket that is nested too deeply, and everything in it, by one word, so that the text around it can still be parsed. */
  protected standInFor(bracket: string): void {
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    this.add(T.Word, span, bracket, bracket);
    if (this.tooDeep) return;
    this.tooDeep = true;
    this.reporter.lexicalErrors.push(this.at);
    this.reporter.report({ code: "WF1012", span, words: { limit: String(this.context.limits.nesting) } });
  }

  protected closeBracket(bracket: string): void {
    if (this.open.length > this.context.limits.nesting) {
      this.open.pop();
      this.at++;
      return;
    }
    const matching = this.open.findLastIndex(({ kind }) => CLOSED_BY[kind] === bracket);
    if (matching === -1) {
      this.reportUnexpected(bracket);
      this.at++;
      return;
    }
    while (this.open.length > matching + 1) this.closeUnclosed();
    this.open.pop();
    this.push(CLOSERS[bracket] ?? T.Word, this.at + 1);
    this.valueEnded();
  }

  protected valueEnded(): void {
    const { top } = this;
    if (top !== undefined) top.map = MapState.Done;
  }

  protected reportUnexpected(bracket: string): void {
    this.reporter.lexicalErrors.push(this.at);
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    const called = bracket === ")" && !this.reporter.isFull("WF1003") ? calledBefore(span, this.source) : null;
    const fix = { title: "remove it", edits: [{ span, new_text: "" }] };
    this.reporter.report({ code: "WF1003", span, words: { b: bracket }, fix, ...called });
  }

  /** Reports the innermost open bracket and closes it with an invisible token. */
  protected closeUnclosed(): void {
    const entry = this.open.pop();
    if (entry === undefined || this.open.length >= this.context.limits.nesting) return;
    const close = CLOSED_BY[entry.kind];
    if (!this.unterminated) {
      const span = spanOnLine(this.source, entry.line, entry.offset, entry.offset + 1);
      reportUnclosed(this.reporter, span, this.text.charAt(entry.offset), close);
    }
    const last = this.tokens[this.tokens.length - 1];
    const at = last?.span.end ?? this.at;
    this.add(CLOSERS[close] ?? T.Word, spanOf(this.source, at, at), close, close);
    this.valueEnded();
  }

  /** Takes the text from the current place to `end` as a token and moves after it. */
  protected push(type: TokenType, end: number, value?: string): void {
    const start = this.at;
    this.at = end;
    if (this.open.length > this.context.limits.nesting) return;
    const image = this.text.slice(start, end);
    this.add(type, spanOnLine(this.source, this.line, start, end), image, value ?? image);
  }

  protected add(type: TokenType, span: Span, image: string, value: string): void {
    const last = this.tokens[this.tokens.length - 1];
    this.tokens.push(lexeme(type, span, image, value, last !== undefined && last.span.end === span.start));
  }
}
