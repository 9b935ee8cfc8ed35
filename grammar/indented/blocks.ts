/**
 * The lines that open a block: `if`, `elif`, `else`, `for`, `while` up to their colon. Which lines stand in the
 * block is not known here.
 */
import type { Condition, Slot } from "../ast.ts";
import type { Reporter } from "../reporter.ts";
import type { LexerLimits } from "../slots.ts";
import { contentStart } from "../source.ts";
import { type Span, spanAfter, spanOver } from "../span.ts";
import type { Token } from "../tokens.ts";
import { type Expression, ExpressionRules, slotOf } from "./expressions.ts";
import type { JoinedWords } from "./joined-words.ts";
import { BlockLexer } from "./lexers.ts";
import type { Block, Branch, ForStatement, IfStatement, WhileStatement } from "./program.ts";
import { truth, variable } from "./steps.ts";
import { asCondition, asValue, nestingOf } from "./values.ts";

/** A line that opens a block: where deeper lines go, and its last line. */
export type Opening<S> = {
  readonly opened: S;
  readonly block: Block;
  /** Where a missing block is told; null when there is something else to tell. */
  readonly colon: Span | null;
  readonly last: number;
};

const DIGITS = /^[0-9]+$/;

export class BlockLines {
  private readonly reporter: Reporter;
  private readonly limits: LexerLimits;
  private readonly joined: JoinedWords;

  constructor(reporter: Reporter, limits: LexerLimits, joined: JoinedWords) {
    this.reporter = reporter;
    this.limits = limits;
    this.joined = joined;
  }

  readIf(word: Slot): Opening<IfStatement> {
    const { opened, ...opening } = this.readBranch(word);
    const { span, faulty, branch } = opened;
    return { opened: { s: "if", word, span, faulty, branches: [branch], otherwise: null }, ...opening };
  }

  /** `if` and `elif`. */
  readBranch(word: Slot): Opening<{ readonly branch: Branch; readonly span: Span; readonly faulty: boolean }> {
    const { lexer, rules } = this.start(word);
    const { expression, end, faulty } = rules.read("a condition");
    const block: Block = [];
    const branch: Branch = { word, cond: this.condition(expression, word), block };
    const colon = this.colon(rules, word, faulty);
    return { opened: { branch, span: spanOver(word.span, end), faulty }, block, colon, last: lexer.lastLine };
  }

  readElse(word: Slot): Opening<{ readonly word: Slot; readonly block: Block }> {
    const { lexer, rules } = this.start(word);
    const surplus = rules.takeAny();
    if (surplus !== null) this.reportElseIf(word, surplus);
    while (rules.takeAny() !== null);
    const block: Block = [];
    return { opened: { word, block }, block, colon: this.colon(rules, word, surplus !== null), last: lexer.lastLine };
  }

  readFor(word: Slot): Opening<ForStatement> {
    const { lexer, rules } = this.start(word);
    const item = rules.takeName();
    const found = item !== null && rules.takeWord("in") !== null;
    if (!found) this.reportForm(rules, "for item in list:");
    const { expression, end, faulty } = found
      ? rules.read("a list")
      : { expression: null, end: skipToColon(rules), faulty: true };
    const block: Block = [];
    const name = { name: item?.image ?? "_", span: item?.span ?? word.span };
    const list = expression === null ? variable(name.name, word) : this.bounded(asValue(expression), expression.span);
    const opened: ForStatement = { s: "for", word, span: spanOver(word.span, end), faulty, item: name, list, block };
    return { opened, block, colon: this.colon(rules, word, faulty), last: lexer.lastLine };
  }

  readWhile(word: Slot): Opening<WhileStatement> {
    const { lexer, rules } = this.start(word);
    const { expression, faulty } = rules.read("a condition", "limit");
    const cond = this.condition(expression, word);
    const { limit, limit_slot } = rules.takeWord("limit") === null ? NO_LIMIT : this.limit(rules);
    const block: Block = [];
    const span = spanOver(word.span, rules.end);
    const opened: WhileStatement = { s: "while", word, span, faulty, cond, limit, limit_slot, block };
    return { opened, block, colon: this.colon(rules, word, faulty), last: lexer.lastLine };
  }

  private start(word: Slot): { lexer: BlockLexer; rules: ExpressionRules } {
    const lexer = new BlockLexer(this.reporter, word.span.line - 1, word.span.end, false, this.limits);
    this.joined.see(lexer.tokens);
    return { lexer, rules: new ExpressionRules(lexer, this.reporter, word.span) };
  }

  private condition(expression: Expression | null, word: Slot): Condition {
    if (expression === null) return { c: "truthy", of: truth(true, word), span: word.span };
    this.bounded(asValue(expression), expression.span);
    return asCondition(expression);
  }

  /** `and`, `or` and `not` are calls around their parts: with them a value may stand deeper than brackets may. */
  bounded<T extends ReturnType<typeof asValue>>(value: T, span: Span): T {
    const { nesting } = this.limits;
    if (nestingOf(value) > nesting) this.reporter.report({ code: "WF1012", span, words: { limit: String(nesting) } });
    return value;
  }

  /** Takes the colon, and tells what is wrong about it unless the line is at fault already. */
  private colon(rules: ExpressionRules, word: Slot, faulty: boolean): Span | null {
    const { end } = rules;
    const colon = rules.takeColon();
    if (colon === null) {
      const fix = { title: "add the colon", edits: [{ span: spanAfter(end), new_text: ":" }] };
      if (!faulty) this.reporter.report({ code: "WF1107", span: end, fix });
      return null;
    }
    const { behind } = rules;
    if (behind === undefined) return faulty ? null : colon;
    if (!faulty) reportOneLine(this.reporter, word.span, colon, behind.span);
    return null;
  }

  private reportForm(rules: ExpressionRules, form: string): void {
    if (rules.isFaulty) return;
    const token = rules.takeAny();
    const words = { token: token === null ? "end of the line" : `'${token.image.slice(0, 100)}'` };
    this.reporter.report({
      code: "WF1009",
      span: token?.span ?? rules.end,
      words,
      suggestion: `write ${form}`,
      fix: null,
    });
  }

  /** `else if`. */
  private reportElseIf(word: Slot, surplus: Token): void {
    const isIf = surplus.image === "if";
    const span = isIf ? spanOver(word.span, surplus.span) : surplus.span;
    const fix = isIf ? { title: "write elif", edits: [{ span, new_text: "elif" }] } : null;
    this.reporter.report({
      code: "WF1106",
      span,
      words: { word: isIf ? "else if" : `else ${surplus.image.slice(0, 100)}` },
      suggestion: isIf ? "write elif" : "write else: alone, or elif and a condition",
      fix,
    });
  }

  /** `limit 5`, also written `limit=5`. */
  private limit(rules: ExpressionRules): { limit: number | null; limit_slot: Slot | null } {
    let token = rules.takeAny();
    if (token?.image === "=") token = rules.takeAny();
    const limit = token !== null && DIGITS.test(token.image) ? Number(token.image) : 0;
    if (token !== null && limit > 0 && Number.isSafeInteger(limit)) return { limit, limit_slot: slotOf(token) };
    this.reporter.report({
      code: "WF2013",
      span: token?.span ?? rules.end,
      words: { word: token?.image.slice(0, 100) ?? "", expected: "limit 1, limit 2, …" },
      expected: ["limit N"],
      suggestion: "limit takes a positive whole number",
      fix: null,
    });
    skipToColon(rules);
    return NO_LIMIT;
  }
}

const NO_LIMIT = { limit: null, limit_slot: null };

function skipToColon(rules: ExpressionRules): Span {
  while (rules.takeAny() !== null);
  return rules.end;
}

/** WF1103 for what stands behind a colon: the block is lines of its own. */
export function reportOneLine(reporter: Reporter, opener: Span, colon: Span, behind: Span): void {
  const { source } = reporter;
  const start = contentStart(source, opener.line - 1);
  const before = source.text.slice(start, opener.start);
  const indent = /^[ \t]*$/.test(before) ? before : "";
  const gap = {
    ...colon,
    column: colon.end_column,
    start: colon.end,
    end: behind.start,
    end_line: behind.line,
    end_column: behind.column,
  };
  const new_text = `\n${indent}${indent.includes("\t") ? "\t" : "  "}`;
  // Of two lines with blocks in one nobody knows what stands in which.
  const isPlain = !/^(?:if|elif|else|for|while)\b/.test(source.text.slice(behind.start, behind.end));
  reporter.report({
    code: "WF1103",
    span: colon,
    suggestion: "put the block on lines of its own, indented",
    fix: isPlain ? { title: "break the line", edits: [{ span: gap, new_text }] } : null,
  });
}
