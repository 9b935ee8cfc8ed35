/** Reads the tokens of one statement's expressions (docs/language.md, the indented form). */
import type { TokenType } from "chevrotain";
import {
  type Bracket,
  BracketLexer,
  MapState,
  type OpenBracket,
  type SharedTypes,
} from "../../operands/bracket-lexer.ts";
import * as W from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { EQUALS, isQuote, type LexerLimits } from "../../steps/slots.ts";
import { contentStart, isBlank, skipBlanks, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import * as T from "../tokens.ts";
import { type Lexeme, lexeme } from "../tokens.ts";
import { joinedPieces, matchEnd, SIGN } from "./joined.ts";
import { continuesExpression, startsIndentedStatement } from "./line-words.ts";
import { templatePieces } from "./templates.ts";

/** Bytes of the lines of a statement, which is read in one piece. */
export const MAX_STATEMENT_BYTES = 128 * 1024;

const WORDS: ReadonlyMap<string, TokenType> = new Map([...T.OPERATOR_WORDS, ["limit", T.LimitWord]]);
const LONG_WORD = 100;
const MEMBER = /(?:\.(?:[\p{L}_][\p{L}\p{Nd}_]*|[0-9]+))+/uy;

/** Tokens after which a bracket that touches them is a call. */
const CALLED: ReadonlySet<TokenType> = new Set([T.NameWord, T.Path, T.Member]);
const INDEXED: ReadonlySet<TokenType> = new Set([
  ...[T.NameWord, T.Path, T.Variable, T.Member, T.Text, T.TemplateEnd],
  ...[T.CloseParen, T.CloseList, T.CloseMap],
]);
const OPENERS: Readonly<Record<Bracket, TokenType>> = {
  "(": T.OpenParen,
  "[": T.OpenList,
  "{": T.OpenMap,
  call: T.OpenCall,
  index: T.OpenIndex,
};
const TYPES: SharedTypes<TokenType> = {
  word: T.Word,
  key: T.Key,
  colon: T.Colon,
  arrow: T.Arrow,
  closing: { ")": T.CloseParen, "]": T.CloseList, "}": T.CloseMap },
};

export type LexingContext = {
  readonly reporter: Reporter;
  readonly limits: LexerLimits;
  readonly isVariable: (name: string) => boolean;
};

export class ExpressionLexer extends BracketLexer<TokenType, Lexeme> {
  private readonly isVariable: (name: string) => boolean;
  private readonly opensBlock: boolean;
  /** Characters before the statement on its first line. */
  private readonly indent: number;

  /** `line` is 0-based. `opensBlock`: the statement ends with a colon, and `=` compares. `until`: where it ends at the latest, on its line. */
  constructor(context: LexingContext, line: number, from: number, opensBlock: boolean, until?: number) {
    super(context.reporter, context.limits, TYPES, line, from, until);
    this.isVariable = context.isVariable;
    this.opensBlock = opensBlock;
    const content = contentStart(this.source, line);
    this.indent = skipBlanks(this.text, content, this.source.ends[line] ?? this.text.length) - content;
    this.read();
  }

  protected override get mostUnits(): number {
    return MAX_STATEMENT_BYTES;
  }

  protected startsStatement(from: number, limit: number): boolean {
    const start = skipBlanks(this.text, from, limit);
    const isDeeper = start - from > this.indent;
    return (
      startsIndentedStatement(this.text, start, limit) && !(isDeeper && continuesExpression(this.text, start, limit))
    );
  }

  protected isCutBy({ image }: Lexeme): boolean {
    return /[^\s"')\]},]$/u.test(image);
  }

  protected add(type: TokenType, span: Span, image: string, value: string): void {
    const last = this.tokens.at(-1);
    this.tokens.push(lexeme(type, span, image, value, last !== undefined && last.span.end === span.start));
  }

  protected readToken(): void {
    const { top } = this;
    const character = this.text.charAt(this.at);
    if (character === "(" || character === "[" || character === "{") {
      const kind = this.kindOf(character);
      this.openBracket(kind, OPENERS[kind]);
    } else if (character === ")" || character === "]" || character === "}") this.closeBracket(character);
    else if (character === ",") {
      if (top !== undefined) top.map = top.each === true ? MapState.Value : MapState.Key;
      this.push(T.Comma, this.at + 1);
    } else if (top?.kind === "{" && top.map !== MapState.Value && this.readsKey(top)) this.readKeyOrColon(top);
    else this.readValue(top);
  }

  private kindOf(bracket: "(" | "[" | "{"): Bracket {
    const last = this.tokens.at(-1);
    if (last === undefined || last.span.end !== this.at) return bracket;
    if (bracket === "(" && CALLED.has(last.tokenType)) return "call";
    return bracket === "[" && INDEXED.has(last.tokenType) ? "index" : bracket;
  }

  protected readValue(top: OpenBracket | undefined): void {
    if (isQuote(this.text.charCodeAt(this.at))) this.readString(T.Text);
    else if (W.isArrow(this.text, this.at, this.end)) {
      this.push(T.Arrow, this.at + 2);
      return;
    } else this.readWord();
    if (top === undefined) return;
    top.map = MapState.Done;
    if (top.kind === "{" && this.tokens.at(-1)?.tokenType === T.ForWord) top.each = true;
  }

  // ---- maps ----

  /** Whether a word is a key: after a value, only a word with a colon after it begins the next entry. */
  private readsKey({ map }: OpenBracket): boolean {
    if (map !== MapState.Done) return true;
    const { text, at, end } = this;
    if (isQuote(text.charCodeAt(at))) {
      const close = W.closingQuote(text, at, end);
      return close !== -1 && text.charAt(skipBlanks(text, close + 1, end)) === ":";
    }
    const word = text.slice(at, this.wordEnd(at, true));
    return /^[\p{L}_][\p{L}\p{Nd}_.-]*:/u.test(word);
  }

  // ---- words ----

  private readWord(): void {
    const { text, at } = this;
    const last = this.tokens.at(-1);
    const endsOperand = last !== undefined && T.ENDS_OPERAND.has(last.tokenType);
    if (endsOperand && last.span.end === at && this.readGlued(last)) return;
    const end = this.wordEnd(at, true);
    if (end === at) this.push(T.Word, at + 1);
    else if (end - at <= 2 && T.OPERATORS.includes(text.slice(at, end))) this.push(T.Operator, end);
    else if (
      (end === at + 1 && text.charAt(at) === "!") ||
      (text.charAt(at) === "!" && text.charAt(at + 1) !== "=" && this.readsBang(at))
    )
      this.push(T.Bang, at + 1);
    else if (this.comparatorAt(at, end, endsOperand)) this.push(T.Compare, W.comparatorEnd(text, at));
    else this.readSubject(end, endsOperand);
  }

  /** Reads what touches the end of an operand: `.name`, an operator. */
  private readGlued({ tokenType }: Lexeme): boolean {
    const { text, at, end } = this;
    if (text.charAt(at) === ".") {
      const member = matchEnd(MEMBER, text, at, end);
      if (member > at && tokenType !== T.NumberWord) {
        this.push(T.Member, member);
        return true;
      }
    }
    const sign = matchEnd(SIGN, text, at, end);
    const follows = text.charCodeAt(sign);
    if (sign === at || W.isArrow(text, at, end)) return false;
    this.push(sign < end && !isBlank(follows) ? T.JoinedOperator : T.Operator, sign);
    return true;
  }

  private readsBang(at: number): boolean {
    const kind = this.top?.kind;
    if (kind !== "[" && kind !== "{") return true;
    const next = at + 1;
    return this.text.charAt(next) === "(" || this.isVariable(this.text.slice(next, W.nameEnd(this.text, next)));
  }

  private comparatorAt(at: number, end: number, afterOperand: boolean): boolean {
    const kind = this.top?.kind;
    // `[<b>]` contains text.
    if ((kind === "[" || kind === "{") && !afterOperand && W.comparatorEnd(this.text, at) !== end) return false;
    const code = this.text.charCodeAt(at);
    if (code === 0x21) return this.text.charCodeAt(at + 1) === EQUALS;
    if (code === 0x3c || code === 0x3e) return true;
    // `=` alone is a mistake that is reported; `=x` is text.
    return code === EQUALS && (this.opensBlock || /^(?:==|=(?:[\s)\]},]|$))/.test(this.text.slice(at, at + 2)));
  }

  /** A word that begins with neither an operator nor a comparator. `end` is where a bracket or a space ends it. */
  private readSubject(end: number, afterOperand: boolean): void {
    const { text, at } = this;
    const path = W.pathEnd(text, at, end);
    if (path > at && path === end && (this.readTemplate(end) || this.readPrefixed(end))) return;
    const limit = this.subjectEnd(path, end);
    if (limit === at) {
      const opens = this.opensBlock && text.charAt(at) === ":" && this.top === undefined;
      this.push(opens ? T.BlockColon : T.Colon, at + 1);
      return;
    }
    const asks = path > at && path === limit - 1 && text.charAt(path) === "?";
    const until = asks ? path : limit;
    if (this.readSimple(path, until, afterOperand)) {
      if (asks) this.push(T.Question, limit);
      return;
    }
    this.readPlain(limit);
  }

  /** Where the operand at the beginning of a word ends: before a comparator, a colon that ends the line or parts an index. */
  private subjectEnd(path: number, end: number): number {
    const { text, at } = this;
    const kind = this.top?.kind;
    const isPlain = kind === "[" || kind === "{";
    for (let place = Math.max(path, at); place < end; place++) {
      const code = text.charCodeAt(place);
      if (code === 0x3a && kind === "index") return place;
      if (code === EQUALS && kind === "call" && place === path && text.charCodeAt(place + 1) !== EQUALS) return place;
      if (code !== EQUALS && code !== 0x3c && code !== 0x3e && code !== 0x21) continue;
      if (code === 0x21 && text.charCodeAt(place + 1) !== EQUALS) continue;
      if (code === EQUALS && text.charCodeAt(place + 1) !== EQUALS && !this.opensBlock) continue;
      if (!isPlain || this.isRead(at, path, place)) return place;
    }
    const isLast = kind === undefined && this.opensBlock && text.charAt(end - 1) === ":";
    return isLast ? end - 1 : end;
  }

  /** In lists and maps, `n>5` compares when `n` is a variable. */
  private isRead(start: number, path: number, end: number): boolean {
    if (path !== end) return end - start <= LONG_WORD && W.NUMBER_PATTERN.test(this.text.slice(start, end));
    const from = this.text.charAt(start) === "$" ? start + 1 : start;
    return from > start || this.isVariable(this.text.slice(from, W.nameEnd(this.text, from)));
  }

  /** A name, path, number or computation that ends at `until`. */
  private readSimple(path: number, until: number, afterOperand: boolean): boolean {
    const { text, at } = this;
    const word = text.slice(at, until);
    if (path === until) {
      const isArgument = this.top?.kind === "call" && text.charAt(until) === "=" && text.charAt(until + 1) !== "=";
      if (isArgument && W.isName(word)) this.push(T.ArgumentName, until + 1);
      else this.push(typeOfPath(text, at, until), until);
      return true;
    }
    if (W.NUMBER_PATTERN.test(word)) {
      this.push(afterOperand && word.startsWith("-") ? T.NegativeNumber : T.NumberWord, until);
      return true;
    }
    const pieces = joinedPieces(text, at, until, this.isVariable);
    if (pieces === null) return false;
    for (const { end, start, isSign } of pieces) {
      const type = typeOfPath(text, start, end);
      this.push(isSign ? T.JoinedOperator : type, end);
    }
    return true;
  }

  /** Bare text. Outside of brackets it may contain brackets and commas, unless it begins like a call or a list of names. */
  private readPlain(limit: number): void {
    const { text, at } = this;
    const whole = this.top === undefined ? this.wordEnd(at, false) : limit;
    const colon = this.top === undefined && this.opensBlock && text.charAt(whole - 1) === ":" ? 1 : 0;
    const end = limit < this.wordEnd(at, true) - colon ? limit : whole - colon;
    if (!this.readJoined(end)) this.push(T.Word, Math.max(end, at + 1));
  }

  // ---- strings ----

  /** `f"Hello {name}"`: the expressions in it are read like any others. */
  private readTemplate(quoteAt: number): boolean {
    const { text, at } = this;
    if (quoteAt !== at + 1 || !/[fF]/.test(text.charAt(at)) || !isQuote(text.charCodeAt(quoteAt))) return false;
    const close = W.closingQuote(text, quoteAt, this.end);
    if (close === -1) return false;
    this.push(T.TemplateStart, quoteAt + 1);
    const lineEnd = this.end;
    for (const piece of templatePieces(text, quoteAt + 1, close)) {
      this.at = piece.start;
      if (piece.kind === "text") {
        const body = text.slice(piece.start, piece.end);
        this.push(T.TemplateText, piece.end, W.textValue(text.charCodeAt(quoteAt), body));
        continue;
      }
      this.push(T.TemplateOpen, piece.start + 1);
      this.readTemplateValue(piece.valueEnd);
      this.at = piece.valueEnd;
      if (piece.valueEnd < piece.end - 1) this.push(T.TemplateSpec, piece.end - 1);
      this.at = piece.end - 1;
      this.push(T.TemplateClose, piece.end);
    }
    this.end = lineEnd;
    this.at = close;
    this.push(T.TemplateEnd, close + 1);
    return true;
  }

  /** `r"\\d+"`: a string of Python, reported and read as the text that it is. */
  private readPrefixed(quoteAt: number): boolean {
    const { text, at, line, reporter } = this;
    const prefix = text.slice(at, quoteAt);
    if (!/^[rRuUbB]$/.test(prefix) || !isQuote(text.charCodeAt(quoteAt)) || this.isVariable(prefix)) return false;
    const close = W.closingQuote(text, quoteAt, this.end);
    if (close === -1) return false;
    const body = text.slice(quoteAt + 1, close);
    const isRaw = /[rR]/.test(prefix);
    const written = isRaw ? rawText(body) : text.slice(quoteAt, close + 1);
    const span = spanOnLine(this.source, line, at, close + 1);
    const suggestion = written.length <= LONG_WORD ? `write ${written}` : `leave ${prefix} out`;
    const fix = { title: suggestion, edits: [{ span, new_text: written }] };
    reporter.refuse(span, prefix, suggestion, fix);
    this.push(T.Text, close + 1, isRaw ? body : W.textValue(text.charCodeAt(quoteAt), body));
    return true;
  }

  private readTemplateValue(end: number): void {
    const depth = this.open.length;
    this.end = end;
    this.open.push({ kind: "(", offset: this.at - 1, line: this.line, map: MapState.Key });
    this.at = skipBlanks(this.text, this.at, end);
    while (this.at < end) {
      this.readToken();
      this.at = skipBlanks(this.text, this.at, end);
    }
    while (this.open.length > depth + 1) this.closeUnclosed();
    if (this.open.length > depth) this.open.pop();
  }
}

/** The string in single quotes, which leave a backslash before most characters as it is. */
function rawText(body: string): string {
  return `'${body.replace(/\\(?=[\\'ntrux]|$)/g, "\\\\").replaceAll("'", "\\'")}'`;
}

/** The token type of a name, path, variable or number. */
function typeOfPath(text: string, start: number, end: number): TokenType {
  if (text.charCodeAt(start) === 0x24) return T.Variable;
  if (/[0-9]/.test(text.charAt(start))) return T.NumberWord;
  if (W.nameEnd(text, start) < end) return T.Path;
  const word = text.slice(start, end);
  return W.CONSTANTS.has(word) ? T.Constant : (WORDS.get(word) ?? T.NameWord);
}
