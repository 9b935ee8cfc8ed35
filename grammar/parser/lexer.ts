/**
 * The lexer of operand mode: the tokens of one statement (docs/language.md, text). What a character means depends on the place: inside a
 * structure, at a map key, in the first word of a condition.
 */

import type { Token, WordType } from "../operands/tokens.ts";
import * as T from "../operands/tokens.ts";
import { findOp } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { EQUALS, HASH, isQuote, type LexerLimits, startsStatement } from "../steps/slots.ts";
import { isBlank } from "../text/source.ts";
import type { Span } from "../text/span.ts";
import { BracketLexer, MapState, type OpenBracket, type SharedTypes } from "./bracket-lexer.ts";
import { tokenTypeOf } from "./tokens.ts";

/** Where the lexer stands in a condition, whose first word is split at its comparator. */
const enum ConditionState {
  None,
  Start,
  Bracket,
}

const TYPES: SharedTypes<WordType> = { word: "Word", key: "Key", colon: "Colon", arrow: "Arrow", closing: T.CLOSING };

/**
 * Reads the tokens of a statement in operand mode. One instance serves one statement. On a label line it stops after each
 * bare `If` and `While`, because only the parser knows whether a condition follows; `resume` continues.
 */
export class StatementLexer extends BracketLexer<WordType, Token> {
  private readonly inline: boolean;
  /** Offsets of what is wrong in this statement: its first token carries them. */
  private readonly errors: readonly number[];
  private condition: ConditionState = ConditionState.None;

  constructor(reporter: Reporter, line: number, from: number, inline: boolean, limits: LexerLimits) {
    super(reporter, limits, TYPES, line, from);
    this.inline = inline;
    reporter.lexicalErrors = [];
    this.errors = reporter.lexicalErrors;
    this.read();
  }

  /** Continues after the word at which reading stopped. */
  resume(startsCondition: boolean): void {
    this.pausedAt = null;
    this.condition = startsCondition ? ConditionState.Start : ConditionState.None;
    this.read();
  }

  protected startsStatement(start: number, end: number): boolean {
    return startsStatement(this.text, start, end);
  }

  protected isCutBy(last: Token): boolean {
    return T.isWordLike(last);
  }

  protected readToken(): void {
    const { top } = this;
    const isStructure = T.isStructureCode(this.text.charCodeAt(this.at));
    if (isStructure && this.readStructure(this.text.charAt(this.at), top)) return;
    if (top?.kind === "{" && top.map !== MapState.Value) this.readKeyOrColon(top);
    else this.readValue(top);
  }

  /** Reads a bracket, or a comma inside of brackets. */
  private readStructure(character: string, top: OpenBracket | undefined): boolean {
    if (character === "(" || character === "[" || character === "{") {
      const inCondition = this.condition === ConditionState.Start && character === "(";
      this.condition = inCondition ? ConditionState.Bracket : ConditionState.None;
      this.openBracket(character, T.OPENING[character]);
    } else if (character !== ",") {
      this.condition = ConditionState.None;
      this.closeBracket(character);
    } else {
      if (top === undefined) return false;
      top.map = MapState.Key;
      this.push("Comma", this.at + 1);
    }
    return true;
  }

  /** A token outside a map key: string, arrow or word. */
  protected readValue(top: OpenBracket | undefined): void {
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

  private readWord(end: number): void {
    const start = this.at;
    if (end === start) {
      // Only a character that ends words but starts no token could come here; take it as a word of its own.
      this.push("Word", start + 1);
      return;
    }
    if (this.readJoined(end)) return;
    this.push(this.wordType(start, end), end);
    this.enterCondition();
  }

  /** `end` lies not before the end of the path that `wordEnd` found at `start`. */
  private wordType(start: number, end: number): WordType {
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
    const token = this.tokens.at(-1);
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

  private findComparator(from: number, end: number): number {
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

  protected add(type: WordType, span: Span, image: string, value: string): void {
    const last = this.tokens.at(-1);
    const glued = last !== undefined && last.span.end === span.start;
    const tokenType = tokenTypeOf(type, image, last, value !== image);
    const errors = last === undefined ? this.errors : null;
    this.tokens.push({ type, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0, image, span, value, glued, errors });
  }
}
