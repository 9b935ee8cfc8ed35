/**
 * What the lexers of both forms share: the lines and brackets of one statement, strings, the keys of maps. A statement continues over lines
 * while a bracket is open. Brackets are balanced here: an unclosed one is reported and gets an invisible closing token, an unexpected one is
 * reported and left out, so that a parser only sees proper nesting.
 */

import { closingQuote, isArrow, isStructureCode, pathEnd, textValue } from "../operands/tokens.ts";
import type { Reporter } from "../reporter.ts";
import { EQUALS, HASH, isQuote, type LexerLimits, lineFits, readComment, reportUnterminated } from "../steps/slots.ts";
import { contentStart, isBlank, type Source, skipBlanks, spanOf, spanOnLine } from "../text/source.ts";
import type { Span } from "../text/span.ts";

/** What may come next inside a map. */
export const enum MapState {
  Key,
  Colon,
  Value,
  Done,
}

/** `call` and `index` touch the operand before them. */
export type Bracket = "(" | "[" | "{" | "call" | "index";
export type OpenBracket = {
  readonly kind: Bracket;
  readonly offset: number;
  readonly line: number;
  map: MapState;
  /** In a map, the words after `for` are not keys. */
  each?: true;
};
const CLOSED_BY: Readonly<Record<Bracket, string>> = { "(": ")", "[": "]", "{": "}", call: ")", index: "]" };

/** The types of the tokens that are read here. */
export type SharedTypes<Type> = {
  readonly word: Type;
  readonly key: Type;
  readonly colon: Type;
  readonly arrow: Type;
  readonly closing: Readonly<Record<string, Type>>;
};

const MAX_SHORT_WORD_LENGTH = 100;
/** What can open or close a bracket, or hide one. */
const MARK = /["'#()[\]{}]/g;

export abstract class BracketLexer<Type, Made extends { readonly span: Span; readonly image: string }> {
  readonly tokens: Made[] = [];
  protected readonly reporter: Reporter;
  protected readonly source: Source;
  protected readonly text: string;
  protected readonly limits: LexerLimits;
  protected readonly open: OpenBracket[] = [];
  private readonly types: SharedTypes<Type>;
  private readonly isOneLine: boolean;
  /** 0-based. */
  protected line: number;
  protected at: number;
  private readonly from: number;
  protected end: number;
  /** How many tokens there were when the current line began. */
  private lineStart = 0;
  /** The token after which reading stopped, until the parser has decided. */
  pausedAt: Made | null = null;
  /** Where the path that the word measured last begins with ends; its start when it begins with none. */
  protected path = 0;
  /** The word measured last: what is left of it once its beginning was read is not measured again. */
  private measured = { from: 0, end: 0, inStructure: false, limit: 0 };
  private tooDeep = false;
  private unterminated = false;

  /** `until`: where reading ends at the latest, on its line. */
  constructor(
    reporter: Reporter,
    limits: LexerLimits,
    types: SharedTypes<Type>,
    line: number,
    from: number,
    until?: number,
  ) {
    this.reporter = reporter;
    this.limits = limits;
    this.types = types;
    this.source = reporter.source;
    this.text = this.source.text;
    this.line = line;
    this.at = from;
    this.from = from;
    const end = this.source.ends[line] ?? this.text.length;
    this.end = until === undefined ? end : Math.min(until, end);
    this.isOneLine = until !== undefined;
  }

  /** Units of a statement after which only its end is looked for, because it will be refused. */
  protected get mostUnits(): number {
    return Number.POSITIVE_INFINITY;
  }

  protected abstract readToken(): void;
  protected abstract readValue(top: OpenBracket | undefined): void;
  /** Whether an open bracket ends before the line there. */
  protected abstract startsStatement(start: number, end: number): boolean;
  /** Whether a `#` that touches the token cuts a word. */
  protected abstract isCutBy(last: Made): boolean;
  protected abstract add(type: Type, span: Span, image: string, value: string): void;

  /** 0-based index of the last line of the statement. */
  get lastLine(): number {
    return this.line;
  }

  /** Reads to the end of the statement, or to the next place where the parser must decide. */
  protected read(): void {
    this.readLine();
    while (this.pausedAt === null && !this.isOneLine && this.open.length > 0 && this.entersNextLine()) {
      this.lineStart = this.tokens.length;
      if (this.at - this.from > this.mostUnits) this.skimLine();
      else this.readLine();
    }
    while (this.pausedAt === null && this.open.length > 0) this.closeUnclosed();
  }

  /** Moves to the next line when it continues the statement. */
  private entersNextLine(): boolean {
    const next = this.line + 1;
    if (next >= this.source.starts.length) return false;
    const start = contentStart(this.source, next);
    const end = this.source.ends[next] ?? start;
    if (this.startsStatement(start, end) || !lineFits(this.reporter, next, this.limits)) return false;
    this.line = next;
    this.at = start;
    this.end = end;
    return true;
  }

  private readLine(): void {
    this.at = skipBlanks(this.text, this.at, this.end);
    while (this.at < this.end && this.pausedAt === null) {
      if (this.text.charCodeAt(this.at) === HASH) {
        this.readHash(this.tokens.length === this.lineStart && this.lineStart > 0);
        return;
      }
      this.readToken();
      this.at = skipBlanks(this.text, this.at, this.end);
    }
  }

  /** Follows only the brackets of a line: the statement is too long to be read. */
  private skimLine(): void {
    const { text, at, end } = this;
    const line = text.slice(at, end);
    MARK.lastIndex = 0;
    for (let mark = MARK.exec(line); mark !== null && this.open.length > 0; mark = MARK.exec(line)) {
      const { 0: character, index } = mark;
      if (character === "#") break;
      if (isQuote(line.charCodeAt(index))) {
        const close = closingQuote(line, index, line.length);
        if (close === -1) break;
        MARK.lastIndex = close + 1;
      } else if (character === "(" || character === "[" || character === "{")
        this.open.push({ kind: character, offset: at + index, line: this.line, map: MapState.Key });
      else this.open.pop();
    }
    this.at = end;
  }

  private readHash(ownLine: boolean): void {
    const last = this.tokens.at(-1);
    const touches = last !== undefined && last.span.end === this.at && this.isCutBy(last);
    readComment(this.reporter, this.line, this.at, ownLine, touches ? last.span.start : -1);
    this.at = this.end;
  }

  // ---- words and strings ----

  protected get top(): OpenBracket | undefined {
    // `[length - 1]` of an empty list is many times slower.
    return this.open.at(-1);
  }

  protected readKeyOrColon(top: OpenBracket): void {
    const code = this.text.charCodeAt(this.at);
    if (top.map === MapState.Colon) {
      top.map = MapState.Value;
      if (code === 0x3a) this.push(this.types.colon, this.at + 1);
      else this.readValue(top);
      return;
    }
    if (isQuote(code)) this.readString(this.types.key);
    else if (isArrow(this.text, this.at, this.end)) {
      this.push(this.types.arrow, this.at + 2);
      return;
    } else {
      const word = this.text.slice(this.at, this.wordEnd(this.at, true));
      const colon = word.indexOf(":", 1);
      this.push(this.types.key, this.at + (colon === -1 ? word.length : colon));
    }
    top.map = MapState.Colon;
  }

  /**
   * Where the word at `from` ends: at a space, `#`, a quote, an arrow; with `inStructure` also at a bracket and a comma. Path segments are read
   * whole, so that their quotes and brackets do not end it.
   */
  protected wordEnd(from: number, inStructure: boolean): number {
    let at = pathEnd(this.text, from, this.end);
    this.path = at;
    const { measured } = this;
    const isSame = measured.inStructure === inStructure && measured.limit === this.end;
    if (isSame && at >= measured.from && at < measured.end) return measured.end;
    for (; at < this.end; at++) {
      const code = this.text.charCodeAt(at);
      if (isBlank(code) || code === HASH || isQuote(code) || isArrow(this.text, at, this.end)) break;
      if (inStructure && isStructureCode(code)) break;
    }
    const isLong = at - this.path > MAX_SHORT_WORD_LENGTH;
    if (inStructure || isLong) this.measured = { from: this.path, end: at, inStructure, limit: this.end };
    return at;
  }

  protected readString(type: Type): void {
    const start = this.at;
    const close = closingQuote(this.text, start, this.end);
    if (close === -1) {
      this.unterminated = true;
      reportUnterminated(this.reporter, this.line, start);
    }
    const body = this.text.slice(start + 1, close === -1 ? this.end : close);
    this.push(type, close === -1 ? this.end : close + 1, textValue(this.text.charCodeAt(start), body));
  }

  /** `k="v w"`: a word that ends at `end`, and the string that is joined to it. False without one. */
  protected readJoined(end: number): boolean {
    const { text, at } = this;
    const quote = text.charCodeAt(end);
    if (end >= this.end || text.charCodeAt(end - 1) !== EQUALS || !isQuote(quote)) return false;
    const close = closingQuote(text, end, this.end);
    if (close === -1) return false;
    this.push(this.types.word, close + 1, text.slice(at, end) + textValue(quote, text.slice(end + 1, close)));
    return true;
  }

  // ---- brackets ----

  protected openBracket(kind: Bracket, type: Type): void {
    const offset = this.at;
    if (this.open.length === this.limits.nesting) this.standInFor(this.text.charAt(offset));
    this.open.push({ kind, offset, line: this.line, map: MapState.Key });
    this.push(type, offset + 1);
  }

  /** A bracket that stands too deep is left out with all that is in it: a word in its place keeps what is around it whole. */
  private standInFor(bracket: string): void {
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    this.add(this.types.word, span, bracket, bracket);
    if (this.tooDeep) return;
    this.tooDeep = true;
    this.reporter.lexicalErrors.push(this.at);
    this.reporter.report({ code: "WF1012", span, words: { limit: String(this.limits.nesting) } });
  }

  protected closeBracket(bracket: string): void {
    if (this.open.length > this.limits.nesting) {
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
    this.push(this.types.closing[bracket] ?? this.types.word, this.at + 1);
    this.valueEnded();
  }

  /** A structure was closed: in a map around it the value is complete. */
  private valueEnded(): void {
    const { top } = this;
    if (top !== undefined) top.map = MapState.Done;
  }

  private reportUnexpected(bracket: string): void {
    this.reporter.lexicalErrors.push(this.at);
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    const fix = { title: "remove it", edits: [{ span, new_text: "" }] };
    this.reporter.report({ code: "WF1003", span, words: { b: bracket }, fix });
  }

  /** Reports the innermost open bracket and closes it with an invisible token. */
  protected closeUnclosed(): void {
    const entry = this.open.pop();
    if (entry === undefined || this.open.length >= this.limits.nesting) return;
    const close = CLOSED_BY[entry.kind];
    if (!this.unterminated) {
      const span = spanOnLine(this.source, entry.line, entry.offset, entry.offset + 1);
      this.reporter.lexicalErrors.push(span.start);
      const words = { b: this.text.charAt(entry.offset), close };
      this.reporter.report({ code: "WF1002", span, words, expected: [close] });
    }
    const last = this.tokens.at(-1);
    const at = last?.span.end ?? this.at;
    this.add(this.types.closing[close] ?? this.types.word, spanOf(this.source, at, at), close, close);
    this.valueEnded();
  }

  /** Takes the text from the current place to `end` as a token and moves after it. */
  protected push(type: Type, end: number, value?: string): void {
    const start = this.at;
    this.at = end;
    if (this.open.length > this.limits.nesting) return;
    const image = this.text.slice(start, end);
    this.add(type, spanOnLine(this.source, this.line, start, end), image, value ?? image);
  }
}
