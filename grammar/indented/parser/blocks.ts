/**
 * What is reported of lines with blocks: the colon that is missing or has something after it, a block that is missing or too deep, an `else`
 * without its `if`.
 */
import type { IRecognitionException, IToken } from "chevrotain";
import type { Name, Slot } from "../../ast.ts";
import type { Reporter } from "../../reporter.ts";
import { contentStart } from "../../text/source.ts";
import { type Span, spanAfter, spanOver } from "../../text/span.ts";
import type { Layout } from "../lexing/layout.ts";
import type { SurplusColon } from "../payloads.ts";
import { loopFor } from "../repair/lines.ts";
import * as T from "../tokens.ts";
import { isEnd, type Lexeme } from "../tokens.ts";
import { slotOf } from "./expressions.ts";
import type { Faults } from "./faults.ts";

const DIGITS = /^[0-9]+$/;
const MAX_WORD_LENGTH = 100;
/** `(ValueError, TypeError) as e` */
const KINDS = /^[ \t]*\(([\w \t,.]*)\)(?:[ \t]+as[ \t]+([\p{L}_][\p{L}\p{Nd}_]*))?(?=[ \t]*:)/u;
const MAX_KINDS = 300;
/** Failures of Python that nothing raises here: what is missing is null. */
const NEVER_RAISED: ReadonlySet<string> = new Set([
  ...["KeyError", "IndexError", "LookupError", "AttributeError", "NameError", "StopIteration"],
]);

export class BlockFaults {
  /** Stands in where nothing is being read. */
  static readonly NONE = new BlockFaults(null as unknown as Reporter, null as unknown as Layout);

  private readonly reporter: Reporter;
  private readonly layout: Layout;

  constructor(reporter: Reporter, layout: Layout) {
    this.reporter = reporter;
    this.layout = layout;
  }

  reportRepeated(name: Slot, first: Slot): void {
    const related = [{ message: "first declared here", span: first.span }];
    this.reporter.report({ code: "WF1108", span: name.span, words: { name: name.text }, related });
  }

  /** `colon`: undefined after an error inside the line. */
  reportMissing(colon: Span | null | undefined): void {
    if (colon !== null && colon !== undefined && !this.layout.tooDeep)
      this.reporter.report({ code: "WF1103", span: colon });
  }

  /** Where the lines belong is a guess: nothing is said of their place besides. */
  reportDeeper(span: Span): void {
    if (this.layout.isMixed || this.layout.tooDeep) return;
    this.layout.lostLines.add(span.line);
    this.reporter.report({ code: "WF1101", span, covers: span });
  }

  /** `out:`. A line in the wrong place has one finding, that of its place. */
  reportSurplusColon({ span, fix, suggestion }: SurplusColon): void {
    if (this.layout.lostLines.has(span.line)) return;
    this.reporter.refuse(span, ":", suggestion, fix);
  }

  reportStrayElse({ span, text }: Slot): void {
    const suggestion = text === "except" ? { suggestion: "put it at the indentation of its try" } : {};
    this.reporter.report({ code: "WF1104", span, words: { word: text }, ...suggestion });
  }

  /** `try` without its `except`. */
  reportTry({ span, text }: Slot): void {
    this.reporter.report({
      code: "WF1104",
      span,
      words: { word: text },
      suggestion: "write except: and what follows a failure",
    });
  }

  /** The name after `except`, or after `as`. Kinds of failures are not told apart. */
  handlerName(names: readonly Lexeme[], faults: Faults): Name | null {
    const [first, as, last] = names;
    if (first === undefined) return null;
    if (NEVER_RAISED.has(first.image)) this.reportNeverRaised(first.span, first.image);
    if (names.length === 3 && as?.image === "as" && last !== undefined) return { name: last.image, span: last.span };
    if (names.length > 1) this.reportForm(faults, as ?? first, "except name:");
    return /^(?:\p{Lu}\w*(?:Error|Exception)|Exception)$/u.test(first.image)
      ? null
      : { name: first.image, span: first.span };
  }

  private reportNeverRaised(span: Span, word: string): void {
    this.reporter.report({ code: "WF1113", span, words: { word } });
  }

  /** `except (A, B) as e:`: one handler is for all failures. */
  reportKinds(faults: Faults, word: Slot, stray: Lexeme): void {
    if (faults.faulty) return;
    const { start, end } = word.span;
    const found = KINDS.exec(this.reporter.source.text.slice(end, end + MAX_KINDS));
    if (found === null) {
      this.reportForm(faults, stray, "except name:");
      return;
    }
    const [whole, kinds = "", name] = found;
    const never = kinds.split(",").find((kind) => NEVER_RAISED.has(kind.trim()));
    faults.faulty = true;
    if (never !== undefined) {
      this.reportNeverRaised(stray.span, never.trim());
      return;
    }
    const own = name === undefined ? "except" : `except ${name}`;
    const length = end - start + whole.length;
    const span = { ...word.span, end: start + length, end_column: word.span.column + length };
    const edits = [{ span, new_text: own }];
    const suggestion = `write ${own}:`;
    this.reporter.refuse(stray.span, stray.image, suggestion, { title: suggestion, edits });
  }

  lastSuggestion(): string | null {
    return this.reporter.findings.at(-1)?.suggestion ?? null;
  }

  /** Reports the colon of a line unless the line is faulty already. Returns where a missing block is reported. */
  colon(word: Span, end: Span, colon: Lexeme | null, after: Lexeme, faulty: boolean): Span | null {
    if (colon === null) {
      const fix = { title: "add the colon", edits: [{ span: spanAfter(end), new_text: ":" }] };
      if (!faulty) this.reporter.report({ code: "WF1107", span: end, fix });
      return null;
    }
    if (after.tokenType === T.Newline) return faulty ? null : colon.span;
    if (!faulty) this.reportOneLine(word, colon.span, after.span);
    return null;
  }

  /** WF1103 for what stands after a colon: the block is lines of its own. */
  reportOneLine(opener: Span, colon: Span, after: Span): void {
    const { source } = this.reporter;
    const start = contentStart(source, opener.line - 1);
    const before = source.text.slice(start, opener.start);
    const indent = /^[ \t]*$/.test(before) ? before : "";
    const gap = {
      ...colon,
      column: colon.end_column,
      start: colon.end,
      end: after.start,
      end_line: after.line,
      end_column: after.column,
    };
    const new_text = `\n${indent}${indent.includes("\t") ? "\t" : "  "}`;
    // Of two lines with blocks in one, it is unclear what belongs to which.
    const isPlain = !/^(?:if|elif|else|for|while)\b/.test(source.text.slice(after.start, after.end));
    this.reporter.report({
      code: "WF1103",
      span: colon,
      suggestion: "put the block on lines of its own, indented",
      fix: isPlain ? { title: "break the line", edits: [{ span: gap, new_text }] } : null,
    });
  }

  /** `else if`. */
  reportElseIf(word: Slot, surplus: Lexeme): void {
    const isIf = surplus.image === "if";
    const span = isIf ? spanOver(word.span, surplus.span) : surplus.span;
    const fix = isIf ? { title: "write elif", edits: [{ span, new_text: "elif" }] } : null;
    this.reporter.report({
      code: "WF1106",
      span,
      words: { word: isIf ? "else if" : `else ${surplus.image.slice(0, MAX_WORD_LENGTH)}` },
      suggestion: isIf ? "write elif" : "write else: alone, or elif and a condition",
      fix,
    });
  }

  reportForm(faults: Faults, stray: Lexeme, form: string): void {
    if (faults.faulty) return;
    const atEnd = isEnd(stray);
    const token = atEnd ? "end of the line" : `'${stray.image.slice(0, MAX_WORD_LENGTH)}'`;
    faults.report("WF1009", atEnd ? faults.last : stray.span, { token }, `write ${form}`, null);
  }

  /** `for (const x of xs):` */
  reportLoop(faults: Faults, stray: Lexeme, { span }: Lexeme): void {
    const { text } = this.reporter.source;
    const end = text.indexOf("\n", span.start);
    const line = text.slice(span.start, end === -1 ? undefined : end).trimEnd();
    const body = /^\n(?:[ \t]*\n)*([ \t]*)/.exec(end === -1 ? "" : text.slice(end, end + MAX_KINDS))?.[1] ?? "";
    const own = faults.faulty || line.length > MAX_KINDS ? null : loopFor(line, body, text);
    if (own === null) {
      this.reportForm(faults, stray, "for item in list:");
      return;
    }
    faults.faulty = true;
    const title = `write ${own.split("\n", 1)[0]}`.slice(0, MAX_WORD_LENGTH);
    const whole = { ...span, end: span.start + line.length, end_column: span.column + line.length };
    const words = { token: `'${stray.image.slice(0, MAX_WORD_LENGTH)}'` };
    const fix = { title, edits: [{ span: whole, new_text: own }] };
    this.reporter.report({ code: "WF1009", span: stray.span, words, suggestion: title, fix, covers: whole });
  }

  /** What chevrotain recovered from: one finding per line that has none. */
  reportErrors(errors: readonly IRecognitionException[]): void {
    const { findings } = this.reporter;
    const lines = new Set(findings.map(({ span }) => span?.line));
    for (const error of errors) {
      const at = error.token as Lexeme;
      const { message } = error;
      const { previousToken } = error as { readonly previousToken?: IToken };
      const span = at.span ?? (previousToken as Lexeme | undefined)?.span;
      if (span === undefined || lines.has(span.line)) continue;
      lines.add(span.line);
      const shown = isEnd(at) ? "end of the line" : `'${at.image.slice(0, MAX_WORD_LENGTH)}'`;
      const suggestion = message === "" ? null : message;
      this.reporter.report({ code: "WF1009", span, words: { token: shown }, suggestion, fix: null });
    }
  }
}

/** `limit 5`, also written `limit=5`. */
export function limitOf(
  token: Lexeme | null,
  faults: Faults,
): { readonly limit: number | null; readonly limit_slot: Slot | null } {
  const isGiven = token !== null && !isEnd(token);
  const limit = isGiven && DIGITS.test(token.image) ? Number(token.image) : 0;
  if (isGiven && limit > 0 && Number.isSafeInteger(limit)) return { limit, limit_slot: slotOf(token) };
  faults.reportIn((reporter) =>
    reporter.report({
      code: "WF2013",
      span: isGiven ? token.span : faults.last,
      words: { word: isGiven ? token.image.slice(0, MAX_WORD_LENGTH) : "", expected: "limit 1, limit 2, …" },
      expected: ["limit N"],
      suggestion: "limit takes a positive whole number",
      fix: null,
    }),
  );
  return { limit: null, limit_slot: null };
}
