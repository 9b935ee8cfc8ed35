/**
 * Expressions of the indented form: operands, comparisons, `not`, `and`, `or`, brackets around any of them. Reads
 * the tokens of one statement and gives a tree; what it means as a condition or a value stands in `values.ts`.
 */
import type { Operand, Slot } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import { startDraft } from "../draft.ts";
import { quotedBy } from "../foreign-marks.ts";
import { type InfixWord, wordOfOperand } from "../infix.ts";
import type { StatementLexer } from "../lexer.ts";
import { NO_OP, OperandRules } from "../operand-rules.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanOver } from "../span.ts";
import type { Token } from "../tokens.ts";
import { FOREIGN_COMPARATORS, surplusAdvice } from "./surplus.ts";

export type Expression =
  | { readonly e: "operand"; readonly of: Operand; readonly span: Span }
  /** `x?`, with the mark itself. */
  | { readonly e: "present"; readonly of: Operand; readonly mark: Slot; readonly span: Span }
  | {
      readonly e: "compare";
      readonly op: Slot;
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    }
  | { readonly e: "not"; readonly word: Slot; readonly of: Expression; readonly span: Span }
  | {
      readonly e: "and" | "or";
      readonly word: Slot;
      readonly of: readonly [Expression, Expression, ...Expression[]];
      readonly span: Span;
    };

/** What was read of a line: null where nothing could be. */
export type ExpressionReading = {
  readonly expression: Expression | null;
  /** Where the expression, with whatever was too much, ends. */
  readonly end: Span;
  readonly faulty: boolean;
};

const PYTHON_CALL = /^([\p{L}_][\p{L}\p{Nd}_.]*)\(/u;
const LONGEST_WORD = 100;

/** Reads from the tokens of one lexer; `before` is the word in front of the expression. */
export class ExpressionRules extends OperandRules {
  private readonly words: InfixWord[] = [];
  private last: Span;

  constructor(lexer: StatementLexer, reporter: Reporter, before: Span) {
    super(lexer, reporter);
    this.last = before;
    this.draft = startDraft(NO_OP, { span: before, text: "", quoted: false });
    // Every word is checked where it stands.
    this.depth = 1;
  }

  get isFaulty(): boolean {
    return this.draft.faulty || this.reporter.lexicalErrors.length > 0;
  }

  /** The expression up to the end of the statement, its colon or the word `until`. `missing` says what should be there. */
  read(missing: string, until: string | null = null): ExpressionReading {
    return this.rest(this.alternatives(), missing, until);
  }

  /** The same for an assigned value: there `(now)` alone calls a function. */
  readAssigned(): ExpressionReading {
    const expression = this.isCallAlone() ? this.operandExpression() : this.alternatives();
    return this.rest(expression, "a value", null);
  }

  private rest(expression: Expression | null, missing: string, until: string | null): ExpressionReading {
    if (expression === null && !this.isFaulty) this.reportMissing(missing);
    if (expression === null || until === null || !this.seesWord(until)) this.readSurplus();
    return { expression, end: this.last, faulty: this.isFaulty };
  }

  /** The colon that ends the line; what stands behind it is left. */
  takeColon(): Span | null {
    return this.sees("Colon") ? this.next().span : null;
  }

  takeName(): Token | null {
    return this.sees("NameWord") || this.sees("OpWord") ? this.next() : null;
  }

  /** A word of the grammar, such as the `in` of `for`. */
  takeWord(word: string): Token | null {
    return this.peek()?.type === "NameWord" && this.peek()?.image === word ? this.next() : null;
  }

  /** Any one token; null at the end and before the colon. */
  takeAny(): Token | null {
    const next = this.peek();
    return next === undefined || next.type === "Colon" ? null : this.next();
  }

  /** What stands behind the colon. */
  get behind(): Token | undefined {
    return this.peek();
  }

  get end(): Span {
    return this.last;
  }

  private next(): Token {
    const token = this.take();
    this.last = token.span;
    return token;
  }

  // ---- the grammar ----

  private alternatives(): Expression | null {
    return this.joined("or", () => this.joined("and", () => this.negated()));
  }

  private joined(word: "and" | "or", read: () => Expression | null): Expression | null {
    const first = read();
    if (first === null || !this.seesWord(word)) return first;
    const parts: Expression[] = [];
    let sign: Slot | null = null;
    while (this.seesWord(word)) {
      const token = this.next();
      sign ??= slotOf(token);
      this.words.push({ text: word, kind: "mark", span: token.span });
      const part = read();
      if (part === null) {
        if (!this.isFaulty) this.reportMissing(`a value behind '${word}'`);
        return null;
      }
      parts.push(part);
    }
    const [second, ...others] = parts;
    if (second === undefined || sign === null) return first;
    return { e: word, word: sign, of: [first, second, ...others], span: spanOver(first.span, this.last) };
  }

  private negated(): Expression | null {
    const signs: Token[] = [];
    while (this.sees("Bang") || (this.seesWord("not") && this.peek(1) !== undefined)) {
      const token = this.next();
      this.words.push({ text: "not", kind: "mark", span: token.span });
      signs.push(token);
    }
    const expression = this.comparison();
    const [sign] = signs;
    if (expression === null || sign === undefined) return expression;
    const word = { ...slotOf(sign), text: "not" };
    const once: Expression = { e: "not", word, of: expression, span: spanOver(sign.span, expression.span) };
    return signs.length % 2 === 1 ? once : { e: "not", word, of: once, span: once.span };
  }

  private comparison(): Expression | null {
    const left = this.primary();
    if (left === null || !this.sees("Compare")) return left;
    const sign = this.takeComparator();
    if (sign.image === "=") this.reportSingleEquals(sign, left.span);
    this.words.push({ text: sign.image, kind: "mark", span: sign.span });
    const right = this.primary();
    if (right === null) {
      if (!this.isFaulty) this.reportMissing(`a value behind '${sign.image}'`);
      return null;
    }
    return { e: "compare", op: slotOf(sign), left, right, span: spanOver(left.span, right.span) };
  }

  /** `<>`, `=>`, `===` are two tokens here: the second would be told as too much, and without it the first means something else. */
  private takeComparator(): Token {
    const sign = this.next();
    const more = this.peek();
    if (more?.type !== "Compare" || more.span.start !== sign.span.end) return sign;
    const image = sign.image + more.image;
    const own = FOREIGN_COMPARATORS.get(image);
    if (own === undefined) return sign;
    const span = spanOver(sign.span, this.next().span);
    const fix = { title: `write ${own}`, edits: [{ span, new_text: own }] };
    this.report("WF1009", span, { token: `'${image}'` }, fix, `write ${own}`);
    return { ...sign, image: own, span };
  }

  private primary(): Expression | null {
    if (this.isGroup()) {
      const open = this.next();
      const before = this.words.length;
      const inner = this.alternatives();
      this.readSurplus("CloseParen");
      const close = this.sees("CloseParen") ? this.next() : null;
      if (inner === null) return null;
      const span = spanOver(open.span, close?.span ?? this.last);
      this.words.splice(before, this.words.length, this.wordAt(span));
      return { ...inner, span };
    }
    return this.operandExpression();
  }

  private operandExpression(): Expression | null {
    const first = this.peek();
    if (first === undefined || !this.seesOperand()) return null;
    this.checkWord(first);
    const of = this.operand();
    this.last = of.span;
    this.words.push(wordOfOperand(of, this.reporter.source.text));
    if (!this.sees("Question")) return { e: "operand", of, span: of.span };
    const mark = slotOf(this.next());
    return { e: "present", of, mark, span: spanOver(of.span, mark.span) };
  }

  private seesWord(word: string): boolean {
    const next = this.peek();
    return next?.type === "NameWord" && next.image === word;
  }

  /** `(x)`, `(a and b)`, `(a == b)`, `(not a)`; what else stands in brackets is a call, an operand. */
  private isGroup(): boolean {
    if (!this.sees("OpenParen")) return false;
    let depth = 0;
    let parts = 0;
    for (let distance = 1; ; distance++) {
      const token = this.peek(distance);
      if (token === undefined) return false;
      const { type, image } = token;
      const isClose = type === "CloseParen" || type === "CloseList" || type === "CloseMap";
      if (isClose && depth === 0) return parts === 1;
      if (depth === 0 && (type === "Compare" || type === "Question" || type === "Bang")) return true;
      if (depth === 0 && type === "NameWord" && (distance === 1 ? image === "not" : image === "and" || image === "or"))
        return true;
      if (depth === 0 && !isClose) parts++;
      if (type === "OpenParen" || type === "OpenList" || type === "OpenMap") depth++;
      else if (isClose) depth--;
    }
  }

  /** `(now)` and nothing else. */
  private isCallAlone(): boolean {
    const [second, third] = [this.peek(1)?.type, this.peek(2)?.type];
    return this.sees("OpenParen") && second === "NameWord" && third === "CloseParen" && this.peek(3) === undefined;
  }

  // ---- faults ----

  private reportMissing(expected: string): void {
    const next = this.peek();
    if (next !== undefined) {
      this.reportUnexpected(next);
      return;
    }
    const token = `end of the line: expected ${expected}`;
    this.report("WF1009", this.last, { token }, null, `write ${expected}`);
  }

  /** `=` between two values. */
  private reportSingleEquals({ span }: Token, left: Span): void {
    const glued = left.end === span.start;
    const fix: Fix = { title: "compare with ==", edits: [{ span, new_text: glued ? " == " : "==" }] };
    this.report("WF1009", span, { token: "'='" }, fix, "compare with ==");
  }

  /** `len(x)`, `x;` and `x,` would be read as one word of text. */
  private checkWord({ type, image, span }: Token): void {
    if (type !== "Word") return;
    const quoted = quotedBy(image, span, this.reporter.source.text);
    if (quoted !== null) {
      const { mark, ...finding } = quoted;
      this.reporter.report({ code: "WF9030", words: { mark, word: image.slice(0, LONGEST_WORD) }, ...finding });
      return;
    }
    const [, name] = PYTHON_CALL.exec(image) ?? [];
    if (name !== undefined) {
      const suggestion = name.includes(".") ? `write ${name} and its arguments, without brackets` : `write (${name} …)`;
      this.report("WF1009", span, { token: `'${image.slice(0, LONGEST_WORD)}'` }, null, suggestion);
      return;
    }
    const mark = image.slice(-1);
    if (image.length === 1 || (mark !== ";" && mark !== ",")) return;
    const place = { ...span, start: span.end - 1, column: span.end_column - 1 };
    // What stands behind a comma is meant for something.
    const isLast = this.peek(1) === undefined || this.peek(1)?.type === "Colon";
    const fix = isLast ? { title: "leave it out", edits: [{ span: place, new_text: "" }] } : null;
    const suggestion = isLast || mark === ";" ? "leave it out" : "leave it out, or write a list: [a, b]";
    this.report("WF1009", place, { token: `'${mark}'` }, fix, suggestion);
  }

  /** Whatever stands behind the expression, up to `until` or the end: one finding, with what was meant where that can be told. */
  private readSurplus(until?: "CloseParen"): void {
    const surplus = this.peek();
    if (surplus === undefined || surplus.type === "Colon" || surplus.type === until) return;
    const wasFaulty = this.isFaulty;
    const from = this.words.length;
    for (let next = this.peek(); next !== undefined && next.type !== until; next = this.peek()) {
      if (next.type === "Colon") break;
      if (this.seesOperand()) {
        const operand = this.operand();
        this.last = operand.span;
        this.words.push(wordOfOperand(operand, this.reporter.source.text));
      } else this.words.push({ text: next.image, kind: "mark", span: this.next().span });
    }
    if (!wasFaulty && !this.isFaulty) this.reportSurplus(surplus, from);
    this.draft.faulty = true;
  }

  private reportSurplus({ span, image }: Token, from: number): void {
    const { suggestion, fix } = surplusAdvice(this.words, image, span, from);
    this.report("WF1009", span, { token: `'${image.slice(0, LONGEST_WORD)}'` }, fix, suggestion);
  }

  private wordAt(span: Span): InfixWord {
    return { text: this.reporter.source.text.slice(span.start, span.end), kind: "call", span };
  }
}

export function slotOf({ span, image }: Token): Slot {
  return { span, text: image, quoted: false };
}
