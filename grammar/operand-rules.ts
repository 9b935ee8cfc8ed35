/**
 * The rules for operands: words, strings, lists, maps, nested calls (docs/language.md, values and operands). The statement parser builds
 * on them. Each rule reads its tokens left to right and looks one token ahead. Nothing fails here: what does not fit is
 * reported and left out, and the lexer has seen to it that every bracket is closed.
 */
import type { Operand } from "./ast.ts";
import type { Fix } from "./diagnostic.ts";
import { type Draft, startDraft } from "./draft.ts";
import { isOperatorWord, readInfix, wordOfOperand } from "./infix.ts";
import type { StatementLexer } from "./lexer.ts";
import {
  LiteralFaults,
  MapReader,
  type NestedFault,
  type NestedPiece,
  nestedCall,
  prefixCall,
  reportRepeatedKeys,
  wordsOfNested,
} from "./literals.ts";
import { atomOf, checkAtom, unexpected } from "./operands.ts";
import { findOp, type Op } from "./ops.ts";
import type { Reporter } from "./reporter.ts";
import { type Span, spanOver } from "./span.ts";
import { startsOperand, type Token, type TokenType } from "./tokens.ts";

const NOWHERE: Span = { file: null, line: 0, column: 0, end_line: 0, end_column: 0, start: 0, end: 0 };
/** Stands in where no step is being read. */
export const NO_OP = findOp("J") as Op;
const NO_STEP = startDraft(NO_OP, { span: NOWHERE, text: "", quoted: false });

/** Reads the operands of one statement. */
export class OperandRules {
  protected readonly reporter: Reporter;
  private readonly lexer: StatementLexer;
  private at = 0;
  protected draft: Draft = NO_STEP;
  /** Structures and conditions around the current token: operands inside are checked where they stand. */
  protected depth = 0;
  /** Brackets that begin a condition may hold `a = b`. */
  protected allowTextEquality = false;

  constructor(lexer: StatementLexer, reporter: Reporter) {
    this.lexer = lexer;
    this.reporter = reporter;
  }

  /** The next token, undefined at the end of the statement. */
  protected peek(distance = 0): Token | undefined {
    return this.lexer.tokens[this.at + distance];
  }

  protected sees(type: TokenType): boolean {
    return this.peek()?.type === type;
  }

  protected seesOperand(): boolean {
    const next = this.peek();
    return next !== undefined && startsOperand(next.type);
  }

  protected take(): Token {
    const token = this.peek();
    if (token === undefined) throw new Error("the statement ends inside a rule");
    this.at++;
    return token;
  }

  /** Behind an `If` or `While` the lexer waits to be told whether it starts a step; it must be before anything is looked at. */
  protected goOnBehind(word: Token, startsStep: boolean): void {
    if (this.lexer.pausedAt === word) this.lexer.resume(startsStep);
  }

  protected report(
    code: string,
    span: Span,
    words: Record<string, string>,
    fix?: Fix | null,
    suggestion?: string,
  ): void {
    this.draft.faulty = true;
    this.reporter.report({
      code,
      span,
      words,
      ...(fix === undefined ? {} : { fix }),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  protected reportUnexpected(token: Token): void {
    this.draft.faulty = true;
    unexpected(this.reporter, token.span, token.image);
  }

  /** For a token that starts an operand. */
  protected operand(): Operand {
    const first = this.take();
    switch (first.type) {
      case "OpenList":
        return this.list(first);
      case "OpenMap":
        return this.map(first);
      case "OpenParen":
        return this.nested(first);
      default:
        return this.atom(first);
    }
  }

  private atom(token: Token): Operand {
    this.allowTextEquality = false;
    if (token.type === "OpWord") this.goOnBehind(token, false);
    const operand = atomOf(token);
    if (this.depth > 0 && checkAtom(operand, this.reporter)) this.draft.faulty = true;
    return operand;
  }

  private list(open: Token): Operand {
    const items: Operand[] = [];
    const faults = new LiteralFaults();
    let wantsItem = true;
    let hasComma = false;
    this.allowTextEquality = false;
    const multiline = this.breaksAfter(open);
    this.depth++;
    while (!this.sees("CloseList")) {
      const first = this.peek();
      if (first !== undefined && this.seesOperand()) {
        const before = items[items.length - 1];
        const item = this.operand();
        items.push(item);
        if (!wantsItem && before !== undefined) {
          if (isOperatorWord(wordOfOperand(item, this.reporter.source.text))) faults.hasOperator = true;
          if (!faults.addArgument(item, before)) faults.addComma(first.span, before.span);
        }
        wantsItem = false;
      } else {
        const { type, span } = this.take();
        // A comparator or an arrow stands for nothing here.
        if (wantsItem || type !== "Comma") faults.add(span, "a value");
        if (type === "Comma") {
          wantsItem = true;
          hasComma = true;
        }
        if (type === "Compare") faults.hasOperator = true;
      }
    }
    this.depth--;
    if (!hasComma && faults.first !== null) faults.noCommas(items);
    this.reportFaults(faults, "list", "write [a, b]");
    return { k: "list", items, multiline, span: spanOver(open.span, this.take().span) };
  }

  private map(open: Token): Operand {
    const reader = new MapReader();
    this.allowTextEquality = false;
    const multiline = this.breaksAfter(open);
    this.depth++;
    while (!this.sees("CloseMap")) {
      if (this.seesOperand()) reader.value(this.operand());
      else reader.mark(this.take());
    }
    this.depth--;
    const close = this.take();
    reader.finish(close.span);
    this.reportFaults(reader.faults, "map", 'write {"key": value}');
    reportRepeatedKeys(reader.entries, this.reporter);
    return { k: "map", entries: reader.entries, multiline, span: spanOver(open.span, close.span) };
  }

  private reportFaults(faults: LiteralFaults, kind: string, form: string): void {
    const { first, fix } = faults;
    if (first === null) return;
    const suggestion = faults.suggestion(this.reporter.source.text) ?? form;
    this.report("WF1004", first.span, { expected: first.expected, kind }, fix, suggestion);
  }

  private nested(open: Token): Operand {
    const { allowTextEquality } = this;
    this.allowTextEquality = false;
    this.depth++;
    const inside: NestedPiece[] = [];
    while (!this.sees("CloseParen")) {
      const first = this.peek();
      const operand = this.seesOperand() ? this.operand() : null;
      inside.push({ operand, first: first !== undefined && operand !== null ? first : this.take() });
    }
    this.depth--;
    const call = nestedCall(inside, spanOver(open.span, this.take().span), allowTextEquality);
    if (call.fault !== null) this.reportNested(call.fault, open, inside, call.operand.span);
    return call.operand;
  }

  private reportNested(fault: NestedFault, open: Token, inside: readonly NestedPiece[], span: Span): void {
    const source = this.reporter.source.text;
    const reading = readInfix(wordsOfNested(inside, source), "value");
    if (reading !== null && reading.used === inside.length) {
      const token = (fault.token ?? open).span;
      const suggestion = `write ${reading.text}`;
      const fix = reading.exact ? { title: suggestion, edits: [{ span, new_text: reading.text }] } : null;
      this.report(fault.code, token, { token: `'${source.slice(token.start, token.end)}'` }, fix, suggestion);
    } else if (fault.code === "WF1008") this.reportNoCall(fault.token ?? open, inside, span);
    else if (fault.instead === undefined) this.reportUnexpected(fault.token);
    else {
      const { span, image } = fault.token;
      const fix = { title: `write ${fault.instead}`, edits: [{ span, new_text: fault.instead }] };
      this.report("WF1009", span, { token: `'${image}'` }, fix, `write ${fault.instead}`);
    }
  }

  /** A value alone in brackets, as in `(0)`, is told to stand without them. */
  private reportNoCall({ span: place }: Token, inside: readonly NestedPiece[], span: Span): void {
    const [only] = inside;
    const prefix = prefixCall(inside, this.reporter.source.text);
    if (prefix !== null) this.report("WF1008", place, {}, prefix.fix, prefix.suggestion);
    else if (inside.length !== 1 || only === undefined || only.operand === null) this.report("WF1008", place, {});
    else {
      const { start, end } = only.operand.span;
      const new_text = this.reporter.source.text.slice(start, end);
      const title = "write the value without brackets";
      this.report("WF1008", place, {}, { title, edits: [{ span, new_text }] }, title);
    }
  }

  private breaksAfter(open: Token): boolean {
    const next = this.peek();
    return next !== undefined && next.span.line > open.span.end_line;
  }
}
