/**
 * The lexer of operand mode: the tokens of one statement (docs/language.md, text). What a
 * character means depends on the place: inside a structure, at a map key, in the first word of a condition. A statement
 * continues over lines while a bracket is open. Brackets are balanced here: an unclosed one is reported and gets an
 * invisible closing token, an unexpected one is reported and left out, so the parser only sees proper nesting.
 */
import { calledBefore } from "../foreign/called-before.ts";
import { reportUnclosed } from "../foreign/in-place.ts";
import { findOp } from "../ops.ts";
import { tokenTypeOf } from "../parser/tokens.ts";
import type { Reporter } from "../reporter.ts";
import {
  EQUALS,
  HASH,
  isQuote,
  type LexerLimits,
  lineFits,
  readComment,
  reportUnterminated,
  startsStatement,
} from "../steps/slots.ts";
import { contentStart, isBlank, type Source, skipBlanks, spanOf, spanOnLine } from "../text/source.ts";
import { ConditionState, MapState, type OpenBracket } from "./lexer-state.ts";
import type { Token, WordType } from "./tokens.ts";
import * as T from "./tokens.ts";

/**
 * Reads the tokens of a statement in operand mode. One instance serves one statement. On a label line it stops after each
 * bare `If` and `While`, because only the parser knows whether a condition follows; `resume` continues.
 */
export class StatementLexer {
  private readonly source: Source;
  protected readonly text: string;
  readonly tokens: Token[] = [];
  protected readonly open: OpenBracket[] = [];
  private readonly reporter: Reporter;
  private readonly inline: boolean;
  private readonly limits: LexerLimits;
  /** Offsets of what is wrong in this statement: its first token carries them. */
  private readonly errors: readonly number[];
  private condition: ConditionState = ConditionState.None;
  private line: number;
  /** How many tokens there were when the current line began. */
  private lineStart = 0;
  /** The `If` or `While` after which reading stopped. */
  pausedAt: Token | null = null;
  protected at: number;
  protected end: number;
  /** Where the path that the word measured last begins with ends; its start when it begins with none. */
  protected path = 0;
  /** The word measured last: what is left of it once its beginning was read is not measured again. */
  private measured = { from: 0, end: 0, inStructure: false };
  private tooDeep = false;
  private unterminated = false;

  constructor(reporter: Reporter, line: number, from: number, inline: boolean, limits: LexerLimits) {
    this.reporter = reporter;
    this.line = line;
    this.inline = inline;
    this.limits = limits;
    this.source = reporter.source;
    this.text = this.source.text;
    this.at = from;
    this.end = this.source.ends[line] ?? this.text.length;
    reporter.lexicalErrors = [];
    this.errors = reporter.lexicalErrors;
    this.read();
  }

  /** 0-based index of the last line of the statement. */
  get lastLine(): number {
    return this.line;
  }

  /** Reads to the end of the statement, or to the next place where the parser must decide. */
  read(): void {
    this.readLine();
    while (this.pausedAt === null && this.open.length > 0 && this.entersNextLine()) {
      this.lineStart = this.tokens.length;
      this.readLine();
    }
    if (this.pausedAt === null) this.closeAll();
  }

  /** Continues after the word at which reading stopped. */
  resume(startsCondition: boolean): void {
    this.pausedAt = null;
    this.condition = startsCondition ? ConditionState.Start : ConditionState.None;
    this.read();
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

  /** Whether an open bracket ends before the line there. */
  protected startsStatement(start: number, end: number): boolean {
    return startsStatement(this.text, start, end);
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

  private readHash(ownLine: boolean): void {
    const last = this.tokens[this.tokens.length - 1];
    const touches = last !== undefined && last.span.end === this.at && T.isWordLike(last);
    readComment(this.reporter, this.line, this.at, ownLine, touches ? last.span.start : -1);
    this.at = this.end;
  }

  private readToken(): void {
    const top = this.open.length === 0 ? undefined : this.open[this.open.length - 1];
    const structure = T.isStructureCode(this.text.charCodeAt(this.at));
    const character = structure ? this.text.charAt(this.at) : "";
    if (structure && T.OPENING[character] !== undefined) this.openBracket(character);
    else if (structure && T.CLOSING[character] !== undefined) this.closeBracket(character);
    else if (structure && top !== undefined) {
      top.map = MapState.Key;
      this.push("Comma", this.at + 1);
    } else if (top?.bracket === "{" && top.map !== MapState.Value) this.readKeyOrColon(top);
    else this.readValue(top);
  }

  /** A token outside a map key: string, arrow or word. */
  private readValue(top: OpenBracket | undefined): void {
    const code = this.text.charCodeAt(this.at);
    if (isQuote(code)) {
      this.readString("Text");
      this.condition = ConditionState.None;
    } else if (T.isArrow(this.text, this.at, this.end)) {
      this.push("Arrow", this.at + 2);
      this.condition = ConditionState.None;
      return;
    } else if (this.condition === ConditionState.None) {
      this.readWord(this.wordEnd(this.at, top !== undefined));
    } else this.readConditionWord(top !== undefined);
    if (top !== undefined) top.map = MapState.Done;
  }

  private readKeyOrColon(top: OpenBracket): void {
    const code = this.text.charCodeAt(this.at);
    if (top.map === MapState.Colon) {
      top.map = MapState.Value;
      if (code === 0x3a) this.push("Colon", this.at + 1);
      else this.readValue(top);
      return;
    }
    if (isQuote(code)) this.readString("Key");
    else if (T.isArrow(this.text, this.at, this.end)) {
      this.push("Arrow", this.at + 2);
      return;
    } else {
      const word = this.text.slice(this.at, this.wordEnd(this.at, true));
      const colon = word.indexOf(":", 1);
      this.push("Key", this.at + (colon === -1 ? word.length : colon));
    }
    top.map = MapState.Colon;
  }

  /** Where the word at `from` ends. Path segments are read whole, so that their quotes and brackets do not end it. */
  private wordEnd(from: number, inStructure: boolean): number {
    let at = T.pathEnd(this.text, from, this.end);
    this.path = at;
    const { measured } = this;
    if (at >= measured.from && at < measured.end && inStructure === measured.inStructure) return measured.end;
    for (; at < this.end; at++) {
      const code = this.text.charCodeAt(at);
      if (isBlank(code) || code === HASH || isQuote(code) || T.isArrow(this.text, at, this.end)) break;
      if (inStructure && T.isStructureCode(code)) break;
    }
    this.measured = { from: this.path, end: at, inStructure };
    return at;
  }

  protected readWord(end: number): void {
    const start = this.at;
    if (end === start) {
      // Only a character that ends words but starts no token could come here; take it as a word of its own.
      this.push("Word", start + 1);
      return;
    }
    const quote = this.text.charCodeAt(end);
    if (end < this.end && this.text.charCodeAt(end - 1) === EQUALS && isQuote(quote)) {
      const close = T.closingQuote(this.text, end, this.end);
      if (close !== -1) {
        const joined = this.text.slice(start, end) + T.textValue(quote, this.text.slice(end + 1, close));
        this.push("Word", close + 1, joined);
        return;
      }
    }
    this.push(this.wordType(start, end), end);
    this.enterCondition();
  }

  /** `end` lies not before the end of the path that `wordEnd` found at `start`. */
  protected wordType(start: number, end: number): WordType {
    if (this.path === end) {
      if (this.text.charCodeAt(start) === 0x24) return "Variable";
      if (T.nameEnd(this.text, start) < end) return "Path";
      const word = this.text.slice(start, end);
      if (T.CONSTANTS.has(word)) return "Constant";
      return this.mayBeginStep() && findOp(word)?.kind === "step" ? "OpWord" : "NameWord";
    }
    const word = this.text.slice(start, end);
    if (T.COMPARATORS.has(word)) return "Compare";
    return T.NUMBER_PATTERN.test(word) ? "NumberWord" : "Word";
  }

  /** A step begins a statement, or stands among others after a label. */
  private mayBeginStep(): boolean {
    return this.open.length === 0 && (this.inline || this.tokens.length === 0);
  }

  /** After `If` and `While` a condition begins; on a label line the parser says whether it does. */
  private enterCondition(): void {
    if (this.open.length > 0) return;
    const token = this.tokens[this.tokens.length - 1];
    if (token?.type !== "OpWord") return;
    if (token.image !== "If" && token.image !== "While") return;
    if (this.inline) this.pausedAt = token;
    else if (this.tokens.length === 1) this.condition = ConditionState.Start;
  }

  /** The first word of a condition: negations, then a word that is split at its first comparator or a trailing `?`. */
  private readConditionWord(inStructure: boolean): void {
    const start = this.at;
    if (!inStructure && this.readNegation()) return;
    this.condition = ConditionState.None;
    const end = this.wordEnd(start, inStructure);
    const { path } = this;
    const startsWithComparator = this.findComparator(start, start + 1) === start;
    const split = startsWithComparator ? -1 : this.findComparator(Math.max(path, start + 1), end);
    if (split !== -1) {
      this.push(this.wordType(start, split), split);
      this.readGluedComparator();
    } else if (!inStructure && path > start && path === end - 1 && this.text.charAt(path) === "?") {
      this.push(this.wordType(start, path), path);
      this.push("Question", end);
    } else this.readWord(end);
  }

  /** `!` before anything, `not` before a blank or an opening bracket. The condition still starts after it. */
  private readNegation(): boolean {
    const next = this.at + 1;
    if (this.text.charAt(this.at) === "!") {
      this.push("Bang", next);
      return true;
    }
    if (!this.text.startsWith("not", this.at)) return false;
    const end = this.at + 3;
    const code = this.text.charCodeAt(end);
    if (end < this.end && !isBlank(code) && code !== 0x28) return false;
    this.push("NameWord", end);
    return true;
  }

  protected findComparator(from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const code = this.text.charCodeAt(at);
      if (code === EQUALS || code === 0x3c || code === 0x3e) return at;
      if (code === 0x21 && this.text.charCodeAt(at + 1) === EQUALS) return at;
    }
    return -1;
  }

  /** A comparator inside a word. With nothing touching it, `=` compares with the empty text (value "" marks that). */
  private readGluedComparator(): void {
    const end = T.comparatorEnd(this.text, this.at);
    const code = this.text.charCodeAt(end);
    const nothing =
      end >= this.end || isBlank(code) || code === HASH || code === 0x29 || T.isArrow(this.text, end, this.end);
    this.push("Compare", end, nothing && end === this.at + 1 && this.text.charAt(this.at) === "=" ? "" : undefined);
  }

  private readString(type: WordType): void {
    const start = this.at;
    const close = T.closingQuote(this.text, start, this.end);
    const bodyEnd = close === -1 ? this.end : close;
    if (close === -1) {
      this.unterminated = true;
      reportUnterminated(this.reporter, this.line, start);
    }
    const body = this.text.slice(start + 1, bodyEnd);
    this.push(type, close === -1 ? this.end : close + 1, T.textValue(this.text.charCodeAt(start), body));
  }

  private openBracket(bracket: string): void {
    const offset = this.at;
    if (this.open.length === this.limits.nesting) this.standInFor(bracket);
    const inCondition = this.condition === ConditionState.Start && bracket === "(";
    this.condition = inCondition ? ConditionState.Bracket : ConditionState.None;
    this.open.push({ bracket, offset, line: this.line, map: MapState.Key });
    this.push(T.OPENING[bracket]?.type ?? "Word", offset + 1);
  }

  /** A bracket that stands too deep is left out with all that is in it: a word in its place keeps what is around it whole. */
  private standInFor(bracket: string): void {
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    this.pushToken("Word", span, bracket, bracket);
    if (this.tooDeep) return;
    this.tooDeep = true;
    this.reporter.lexicalErrors.push(this.at);
    this.reporter.report({ code: "WF1012", span, words: { limit: String(this.limits.nesting) } });
  }

  private closeBracket(bracket: string): void {
    this.condition = ConditionState.None;
    if (this.open.length > this.limits.nesting) {
      this.open.pop();
      this.at++;
      return;
    }
    const matching = this.open.findLastIndex((entry) => T.OPENING[entry.bracket]?.close === bracket);
    if (matching === -1) {
      this.reportUnexpected(bracket);
      this.at++;
      return;
    }
    while (this.open.length > matching + 1) this.closeUnclosed();
    this.open.pop();
    this.push(T.CLOSING[bracket] ?? "Word", this.at + 1);
    this.valueEnded();
  }

  /** A structure was closed: in a map around it the value is complete. */
  private valueEnded(): void {
    const top = this.open[this.open.length - 1];
    if (top !== undefined) top.map = MapState.Done;
  }

  private reportUnexpected(bracket: string): void {
    this.reporter.lexicalErrors.push(this.at);
    const span = spanOnLine(this.source, this.line, this.at, this.at + 1);
    const called = bracket === ")" && !this.reporter.isFull("WF1003") ? calledBefore(span, this.source) : null;
    const fix = { title: "remove it", edits: [{ span, new_text: "" }] };
    this.reporter.report({ code: "WF1003", span, words: { b: bracket }, fix, ...called });
  }

  /** Reports the innermost open bracket and closes it with an invisible token. */
  private closeUnclosed(): void {
    const entry = this.open.pop();
    if (entry === undefined || this.open.length >= this.limits.nesting) return;
    const close = T.OPENING[entry.bracket]?.close ?? "";
    if (!this.unterminated) {
      const span = spanOnLine(this.source, entry.line, entry.offset, entry.offset + 1);
      reportUnclosed(this.reporter, span, entry.bracket, close);
    }
    const last = this.tokens[this.tokens.length - 1];
    const at = last?.span.end ?? this.at;
    this.pushToken(T.CLOSING[close] ?? "Word", spanOf(this.source, at, at), close, close);
    this.valueEnded();
  }

  private closeAll(): void {
    while (this.open.length > 0) this.closeUnclosed();
  }

  /** Takes the text from the current place to `end` as a token and moves after it. */
  protected push(type: WordType, end: number, value?: string): void {
    const start = this.at;
    this.at = end;
    if (this.open.length > this.limits.nesting) return;
    const image = this.text.slice(start, end);
    this.pushToken(type, spanOnLine(this.source, this.line, start, end), image, value ?? image);
  }

  private pushToken(type: WordType, span: Token["span"], image: string, value: string): void {
    const last = this.tokens[this.tokens.length - 1];
    const glued = last !== undefined && last.span.end === span.start;
    const tokenType = tokenTypeOf(type, image, last, value !== image);
    const errors = last === undefined ? this.errors : null;
    this.tokens.push({ type, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0, image, span, value, glued, errors });
  }
}
