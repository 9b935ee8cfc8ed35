/**
 * Reports faults of one statement with the edit that writes all of it anew, where its forms of other languages have equivalents. The statement is read
 * on; what follows from the fault is left out.
 */
import type { Fix } from "../../diagnostic.ts";
import type { Reporter } from "../../reporter.ts";
import { type Span, spanOver } from "../../text/span.ts";
import { linesFor } from "../repair/lines.ts";
import { foreignCallee, type Repair, repairOf } from "../repair/repair.ts";
import type { Facts } from "../repair/rows.ts";
import { templateAt } from "../repair/spreads.ts";
import type { Lexeme } from "../tokens.ts";
import * as T from "../tokens.ts";
import type { Expression } from "../tree.ts";

type Maybe = Expression | null;
const MAX_WORD_LENGTH = 100;
/** What does with strings and lists what other languages write as arithmetic. */
const INSTEAD: Readonly<Record<string, string>> = {
  "*": "write repeat(value, count)",
  "%": 'write a template, f"{value}"',
  "-": 'write diff(list, other) for lists, replace(text, part, "") for strings',
};

/** The tokens that a statement consists of, and the next one. */
export type Row = {
  readonly peek: () => Lexeme;
  readonly tokens: () => readonly Lexeme[];
  /** The first word of the statement. */
  readonly head: () => Lexeme;
  readonly facts: Facts;
};

export abstract class StatementFaults {
  faulty = false;
  /** Where the last token that was read stands. */
  last: Span = { file: null, line: 0, column: 0, end_line: 0, end_column: 0, start: 0, end: 0 };
  /** A finding of the statement has the edit that writes all of it anew. */
  protected isRepaired = false;
  /** No such edit is known: it was looked for. */
  protected hasNoRepair = false;
  protected readonly reporter: Reporter;
  protected readonly row: Row;

  constructor(reporter: Reporter, row: Row) {
    this.reporter = reporter;
    this.row = row;
  }

  get source(): string {
    return this.reporter.source.text;
  }

  report(code: string, span: Span, words: Record<string, string>, suggestion?: string | null, fix?: Fix | null): void {
    this.faulty = true;
    this.reporter.report({
      code,
      span,
      words,
      ...(fix === undefined ? {} : { fix }),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...this.repair(),
    });
  }

  /** The edit that writes the whole statement as this form has it; null where none is known. */
  protected repair(): Repair | null {
    if (this.isRepaired || this.hasNoRepair) return null;
    const repair = repairOf(this.row.head(), this.row.tokens(), this.row.facts);
    this.isRepaired = repair !== null;
    this.hasNoRepair = repair === null;
    return repair;
  }

  /** Reports a call of another language, whose bracket is `open`, when it is known how to write it. The statement is read on. */
  foreign(of: Maybe, open: Lexeme): void {
    if (of === null || this.faulty || this.isRepaired) return;
    const callee = foreignCallee(of.span, open, this.row.tokens(), this.row.facts);
    const repair = callee === null ? null : this.repair();
    if (callee === null || repair === null) return;
    this.reporter.explainedCalls.add(of.span.start);
    this.reporter.report({ ...callee, ...repair });
  }

  /** `f"{e}"` in an `except`: what is meant is the message. */
  protected reportFailure(span: Span, name: string): void {
    const repair = this.faulty ? null : this.repair();
    if (repair !== null) this.reporter.report({ code: "WF1009", span, words: { token: `'${name}'` }, ...repair });
  }

  /** `a = b = 5`: a line for each name. */
  protected chained(): Fix | null {
    const { span } = this.row.head();
    const from = this.source.lastIndexOf("\n", span.start) + 1;
    const end = this.source.indexOf("\n", span.start);
    const line = this.source.slice(span.start, end === -1 ? undefined : end).trimEnd();
    const indent = this.source.slice(from, span.start);
    const lines = /^[ \t]*$/.test(indent) ? linesFor(line, indent, this.source) : null;
    if (lines === null) return null;
    const whole = { ...span, end: span.start + line.length, end_column: span.column + line.length };
    return { title: "write a line for each name", edits: [{ span: whole, new_text: lines }] };
  }

  protected whole(span: Span): Span {
    return spanOver(span, this.row.tokens().at(-1)?.span ?? span);
  }

  /** `d?.x`, `+n`, a template in backticks: other languages compute there, and here it would be a text. */
  protected checkForeignWord(image: string, span: Span): boolean {
    const mark = /^(?:\.\.\.|\*\*?)(?=[\p{L}_[])|^\+(?=[\p{L}\p{Nd}_.])|(?<=^[\p{L}_][\p{L}\p{Nd}_.[\]]*)\?\.|^`/u.exec(
      image,
    )?.[0];
    if (mark === undefined) return false;
    const template = mark === "`" ? templateAt(this.source, span.start) : null;
    if (mark === "`" && template === null) return false;
    const all =
      template === null ? span : { ...span, end: template.end, end_column: span.column + template.end - span.start };
    const word = image.slice(0, MAX_WORD_LENGTH);
    const title = `write ${template?.text ?? ""}`.slice(0, MAX_WORD_LENGTH);
    const repair =
      template === null
        ? this.repair()
        : {
            suggestion: title,
            fix: { title, edits: [{ span: all, new_text: template.text }] },
            covers: this.whole(span),
          };
    this.isRepaired ||= repair !== null;
    if (mark.startsWith("*") && repair === null) return false;
    const suggestion = "quote the word if it is text";
    this.reporter.report({ code: "WF9030", span: all, words: { mark, word }, suggestion, fix: null, ...repair });
    return true;
  }

  /** `"ab" * 3`, `"%s" % name`: no arithmetic takes a text or a list that is written out, which `of` is. */
  checkComputed(of: Span, next: Lexeme): void {
    const isOperator = next.tokenType === T.Operator || next.tokenType === T.JoinedOperator;
    if (this.faulty || this.isRepaired || !isOperator || next.image === "+") return;
    const what = this.source.charAt(of.start) === "[" ? "a list" : "a string";
    const suggestion = INSTEAD[next.image] ?? "write numbers";
    this.reporter.report({
      code: "WF5013",
      span: next.span,
      words: { op: next.image, what },
      suggestion,
      ...this.repair(),
    });
  }

  /** `adapter.verb` where the innermost call around a place is one of an adapter. */
  protected adapterCall(place: Span): string | null {
    let closed = 0;
    for (const { tokenType, span } of this.row.tokens().toReversed()) {
      if (span.start >= place.start) continue;
      if (tokenType.CATEGORIES?.includes(T.Closer) === true) closed += 1;
      if (tokenType.CATEGORIES?.includes(T.Opener) !== true) continue;
      if (closed === 0) {
        const before = this.source.slice(Math.max(0, span.start - MAX_WORD_LENGTH), span.start);
        return tokenType === T.OpenCall ? (/[\w.]*\.\w+$/.exec(before)?.[0] ?? null) : null;
      }
      closed -= 1;
    }
    return null;
  }
}
