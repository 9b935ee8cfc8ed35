/**
 * The tokens of a file in the opcode form, line by line. What kind of line it is decides how its words are read: those of a step as
 * operands, those of a declaration as plain words. Every statement ends with a `Newline`; empty lines and comments give no
 * tokens. What is wrong with a line as text (too long, a label in the wrong form) is reported here.
 */
import type { Slot } from "../ast.ts";
import type { Token } from "../operands/tokens.ts";
import { findOp, stepBeforeArrow } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import {
  isLabelWord,
  isQuote,
  type LexerLimits,
  lexSlots,
  lineFits,
  readComment,
  slotWordEnd,
} from "../steps/slots.ts";
import { contentStart, type Source, skipBlanks, spanOnLine } from "../text/source.ts";
import type { Span } from "../text/span.ts";
import { StatementLexer } from "./lexer.ts";
import * as T from "./tokens.ts";

export type SourceLimits = LexerLimits & { readonly statements: number };

/** A section is read in one go: about a millisecond's worth. */
const MAX_SECTION_TOKENS = 2000;

/** One instance serves one file. */
export class TokenSource {
  readonly reporter: Reporter;
  private readonly source: Source;
  private readonly limits: SourceLimits;
  private line = 0;
  private waiting: StatementLexer | null = null;

  constructor(reporter: Reporter, limits: SourceLimits) {
    this.reporter = reporter;
    this.source = reporter.source;
    this.limits = limits;
  }

  /**
   * The tokens of the next lines; none at the end of the file. `statements`: how many there are before. Close to the bound a section
   * is one line, because only its reader knows how many statements stand on a label line.
   */
  section(statements: number): Token[] {
    const tokens: Token[] = [];
    const left = this.limits.statements - statements;
    const most = left > MAX_SECTION_TOKENS ? MAX_SECTION_TOKENS : 1;
    while (this.line < this.source.starts.length && tokens.length < most && this.waiting === null) {
      if (left <= 0 && this.hasStatement()) {
        this.reportTooMany();
        this.line = this.source.starts.length;
      } else this.readLine(tokens);
    }
    return tokens;
  }

  /** The `If` or `While` after which a label line waits until it is known whether it starts a step. It is the last token of its section. */
  get pausedAt(): Token | null {
    return this.waiting?.pausedAt ?? null;
  }

  /** Adds the tokens up to the end of the label line, or to the next place where it waits. */
  resume(startsStep: boolean, tokens: Token[]): void {
    const { waiting } = this;
    if (waiting === null) return;
    const known = waiting.tokens.length;
    waiting.resume(startsStep);
    for (const token of waiting.tokens.slice(known)) tokens.push(token);
    this.endStatement(waiting, tokens);
  }

  private hasStatement(): boolean {
    const limit = this.source.ends[this.line] ?? 0;
    const at = skipBlanks(this.source.text, contentStart(this.source, this.line), limit);
    return at < limit && this.source.text.charAt(at) !== "#";
  }

  private reportTooMany(): void {
    const start = this.source.starts[this.line] ?? 0;
    const words = { what: "number of statements", limit: String(this.limits.statements) };
    this.reporter.report({ code: "WF1011", span: spanOnLine(this.source, this.line, start, start), words });
  }

  /** Reads the statement that starts on the current line. */
  private readLine(tokens: Token[]): void {
    const { line } = this;
    const { text } = this.source;
    this.line++;
    const limit = this.source.ends[line] ?? text.length;
    const start = skipBlanks(text, contentStart(this.source, line), limit);
    if (start >= limit || !lineFits(this.reporter, line, this.limits)) return;
    if (text.charAt(start) === "#") {
      readComment(this.reporter, line, start, true, -1);
      return;
    }
    if (isQuote(text.charCodeAt(start))) {
      this.readSlots(line, start, T.Unknown, tokens);
      return;
    }
    const end = slotWordEnd(text, start, limit);
    const word = text.slice(start, end);
    const span = spanOnLine(this.source, line, start, end);
    if (isLabelWord(word)) {
      this.readLabel(line, end, span, word, word.slice(1, -1), tokens);
      return;
    }
    const op = findOp(word) ?? stepBeforeArrow(word);
    if (op?.kind === "step") {
      this.endStatement(this.lex(line, start, false, tokens), tokens);
      return;
    }
    const label = op === undefined ? this.labelLike(word, end, limit) : null;
    if (label === null) this.readSlots(line, start, op === undefined ? T.Unknown : T.opToken(op), tokens);
    else {
      const whole = spanOnLine(this.source, line, start, label.end);
      this.reportLabelForm(whole, label.id);
      this.readLabel(line, label.end, whole, word, label.id, tokens);
    }
  }

  private lex(line: number, from: number, inline: boolean, tokens: Token[]): StatementLexer {
    const lexer = new StatementLexer(this.reporter, line, from, inline, this.limits);
    for (const token of lexer.tokens) tokens.push(token);
    return lexer;
  }

  private endStatement(lexer: StatementLexer, tokens: Token[]): void {
    this.waiting = lexer.pausedAt === null ? null : lexer;
    this.line = lexer.lastLine + 1;
    if (this.waiting === null) this.push(tokens, T.Newline, this.endOf(lexer.lastLine), "");
  }

  private endOf(line: number): Span {
    const end = this.source.ends[line] ?? this.source.text.length;
    return spanOnLine(this.source, line, end, end);
  }

  // ---- labels ----

  /** `1:`, `1 :` and `L1 :`: labels in the wrong form. */
  private labelLike(word: string, end: number, limit: number): { id: string; end: number } | null {
    const { text } = this.source;
    if (/^[0-9]+:$/.test(word)) return { id: word.slice(0, -1), end };
    const colon = skipBlanks(text, end, limit);
    if (colon === end || colon >= limit || text.charAt(colon) !== ":") return null;
    if (slotWordEnd(text, colon, limit) !== colon + 1) return null;
    if (/^[0-9]+$/.test(word)) return { id: word, end: colon + 1 };
    return /^L[^:,[\](){}]+$/.test(word) ? { id: word.slice(1), end: colon + 1 } : null;
  }

  private reportLabelForm(span: Span, id: string): void {
    const fix = { title: `write L${id}:`, edits: [{ span, new_text: `L${id}:` }] };
    this.reporter.report({ code: "WF2006", span, words: { id }, suggestion: `write L${id}:`, fix });
  }

  private readLabel(line: number, end: number, span: Span, word: string, writtenId: string, tokens: Token[]): void {
    const id = writtenId.replace(/[:,[\](){}]/g, "");
    if (id === "") this.reporter.report({ code: "WF1006", span, expected: ["L<id>:"] });
    else if (id !== writtenId) this.reportLabelForm(span, id);
    const limit = this.source.ends[line] ?? end;
    if (skipBlanks(this.source.text, end, limit) >= limit) {
      this.push(tokens, T.Label, span, word, id);
      this.push(tokens, T.Newline, this.endOf(line), "");
      return;
    }
    const lexed: Token[] = [];
    const lexer = this.lex(line, end, true, lexed);
    // The label carries the errors of all that stands on its line.
    this.push(tokens, T.Label, span, word, id, this.reporter.lexicalErrors);
    for (const token of lexed) tokens.push(token);
    this.endStatement(lexer, tokens);
  }

  // ---- lines of plain words ----

  private readSlots(line: number, start: number, type: typeof T.Unknown, tokens: Token[]): void {
    this.reporter.lexicalErrors = [];
    const [word, ...slots] = lexSlots(this.reporter, line, start);
    if (word === undefined) return;
    this.pushSlot(tokens, type, word);
    for (const slot of slots) this.pushSlot(tokens, T.SlotWord, slot);
    this.push(tokens, T.Newline, this.endOf(line), "");
  }

  private pushSlot(tokens: Token[], tokenType: typeof T.Unknown, { span, text, quoted }: Slot): void {
    this.push(tokens, tokenType, span, this.source.text.slice(span.start, span.end), text, null, quoted);
  }

  private push(
    tokens: Token[],
    tokenType: typeof T.Newline,
    span: Span,
    image: string,
    value = image,
    errors: readonly number[] | null = null,
    quoted = false,
  ): void {
    const type = tokenType === T.Newline ? "End" : quoted ? "Text" : "Word";
    tokens.push({ type, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0, image, span, value, glued: false, errors });
  }
}
