/**
 * Parsing of one file: `parse(text)` gives its syntax tree and everything that can be said from this text alone. Line by
 * line: which kind of line is it, read it, put it into place. It never throws and never stops at a fault; work is linear
 * in the text. It knows nothing of other files, of adapters or of which labels exist.
 */
import type { LabelLine, Line, Slot, SourceFile, Step } from "./ast.ts";
import { lowerIndented } from "./indented/lower.ts";
import { readIndented } from "./indented/reader.ts";
import { readInputs } from "./inputs.ts";
import { StatementLexer } from "./lexer.ts";
import { unexpected } from "./operands.ts";
import { findOp, type Op, stepBeforeArrow } from "./ops.ts";
import { type Junk, readInlineSteps, readStep } from "./parser.ts";
import { PlacementChecks } from "./placement.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import { readDeclaration, readInclude, reportNoEffect, reportUnknown, unknownLine } from "./slot-lines.ts";
import { isLabelWord, isQuote, type LexerLimits, lexSlots, lineFits, readComment, slotWordEnd } from "./slots.ts";
import { contentStart, createSource, type Source, skipBlanks, spanOf, spanOnLine, utf8Length } from "./source.ts";
import { type Span, spanAfter, spanOver, spanUpTo } from "./span.ts";
import { isIndented } from "./surface.ts";

/** Bounds of one file (docs/language.md, bounds). A host may lower them; higher ones are ignored. */
export type ParseLimits = {
  readonly source_bytes: number;
  readonly line_bytes: number;
  readonly statements: number;
  readonly nesting: number;
};

export const PARSE_LIMITS: ParseLimits = {
  source_bytes: 1_048_576,
  line_bytes: 65_536,
  statements: 100_000,
  nesting: 64,
};

export type ParseOptions = { readonly file?: string | null; readonly limits?: Partial<ParseLimits> };

export function parse(text: string, options: ParseOptions = {}): SourceFile {
  // Also the door of the library, whose callers may have no types.
  if (typeof text !== "string") throw new TypeError("a program must be text");
  const file = options.file ?? null;
  const limits = lowerLimits(options.limits ?? {});
  if (text.length > limits.source_bytes || utf8Length(text, 0, text.length) > limits.source_bytes) {
    return tooLarge(text, file, limits);
  }
  const source = createSource(text, file);
  const reporter = createReporter(source);
  reportInvalidCharacters(reporter);
  const { lines, inputs } = isIndented(text) ? readGraphs(reporter, limits) : readLines(reporter, limits);
  const findings = reporter.findings.sort(byPlace);
  return { file, text, lines, comments: reporter.comments, inputs, findings };
}

type Program = Pick<SourceFile, "lines" | "inputs">;

function readLines(reporter: Reporter, limits: ParseLimits): Program {
  const lines = new FileReader(reporter, limits).readAll();
  return { lines, inputs: readInputs(reporter.comments, lines, reporter) };
}

function readGraphs(reporter: Reporter, { line_bytes: lineBytes, nesting, statements }: ParseLimits): Program {
  const program = readIndented(reporter, { lineBytes, nesting, statements });
  return { lines: lowerIndented(program, reporter, statements), inputs: program.inputs };
}

function lowerLimits(wanted: Partial<ParseLimits>): ParseLimits {
  const lower = (name: keyof ParseLimits): number =>
    Math.max(1, Math.min(PARSE_LIMITS[name], wanted[name] ?? Infinity));
  return {
    source_bytes: lower("source_bytes"),
    line_bytes: lower("line_bytes"),
    statements: lower("statements"),
    nesting: lower("nesting"),
  };
}

function tooLarge(text: string, file: string | null, limits: ParseLimits): SourceFile {
  const span: Span = { file, line: 1, column: 1, end_line: 1, end_column: 1, start: 0, end: 0 };
  const words = { what: "source", limit: `${limits.source_bytes} bytes` };
  return { file, text, lines: [], comments: [], inputs: [], findings: [{ code: "WF1011", span, words }] };
}

type Placed = { readonly code: string; readonly span: Span | null };

function byPlace(left: Placed, right: Placed): number {
  const difference = (left.span?.start ?? 0) - (right.span?.start ?? 0);
  if (difference !== 0) return difference;
  return left.code < right.code ? -1 : left.code > right.code ? 1 : 0;
}

const MOST_INVALID_CHARACTERS = 1000;

function reportInvalidCharacters(reporter: Reporter): void {
  const pattern = /\0|\p{Surrogate}/gu;
  for (let count = 0; count < MOST_INVALID_CHARACTERS; count++) {
    const match = pattern.exec(reporter.source.text);
    if (match === null) return;
    const hex = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    const span = spanOf(reporter.source, match.index, match.index + 1);
    reporter.report({ code: "WF1010", span, words: { "U+hex": hex } });
  }
}

/** The first word of a line, and where it ends. */
type Head = { readonly word: Slot; readonly end: number };

/** Reads the lines of one file. One instance serves one file. */
class FileReader {
  private readonly reporter: Reporter;
  private readonly source: Source;
  private readonly limits: ParseLimits;
  private readonly lexerLimits: LexerLimits;
  private readonly placement: PlacementChecks;
  private readonly lines: Line[] = [];
  private statements = 0;
  private hasInterface = false;

  constructor(reporter: Reporter, limits: ParseLimits) {
    this.reporter = reporter;
    this.source = reporter.source;
    this.limits = limits;
    this.lexerLimits = { lineBytes: limits.line_bytes, nesting: limits.nesting };
    this.placement = new PlacementChecks(reporter);
  }

  readAll(): readonly Line[] {
    const count = this.source.starts.length;
    let line = 0;
    while (line < count) {
      if (this.statements >= this.limits.statements && this.hasStatement(line)) {
        this.reportTooMany(line);
        break;
      }
      line = this.readLine(line) + 1;
    }
    this.placement.finish();
    return this.lines;
  }

  private hasStatement(line: number): boolean {
    const limit = this.source.ends[line] ?? 0;
    const at = skipBlanks(this.source.text, contentStart(this.source, line), limit);
    return at < limit && this.source.text.charAt(at) !== "#";
  }

  private reportTooMany(line: number): void {
    const start = this.source.starts[line] ?? 0;
    const words = { what: "number of statements", limit: String(this.limits.statements) };
    this.reporter.report({ code: "WF1011", span: spanOnLine(this.source, line, start, start), words });
  }

  /** Reads the statement that starts on a line; the index of its last line. */
  private readLine(line: number): number {
    const { text } = this.source;
    const limit = this.source.ends[line] ?? text.length;
    const start = skipBlanks(text, contentStart(this.source, line), limit);
    if (start >= limit || !lineFits(this.reporter, line, this.lexerLimits)) return line;
    if (text.charAt(start) === "#") {
      readComment(this.reporter, line, start, true, -1);
      return line;
    }
    this.statements++;
    if (isQuote(text.charCodeAt(start))) return this.readSlotLine(line, start, undefined);
    const end = slotWordEnd(text, start, limit);
    const word = text.slice(start, end);
    if (isLabelWord(word)) return this.readLabel(line, this.headWord(line, start, end), word.slice(1, -1), end);
    const op = findOp(word) ?? stepBeforeArrow(word);
    if (op?.kind === "step") return this.readStepLine(line, start);
    if (op === undefined) {
      const head = this.headWord(line, start, end);
      const label = this.labelLike(head, limit);
      if (label !== null) return this.readMisspeltLabel(line, head, label.id, label.end);
    }
    return this.readSlotLine(line, start, op);
  }

  private headWord(line: number, start: number, end: number): Head {
    const span = spanOnLine(this.source, line, start, end);
    return { word: { span, text: this.source.text.slice(start, end), quoted: false }, end };
  }

  private push(line: Line): void {
    this.lines.push(line);
    this.placement.see(line);
  }

  // ---- steps and labels ----

  private readStepLine(line: number, start: number): number {
    const lexer = new StatementLexer(this.reporter, line, start, false, this.lexerLimits);
    const step = readStep(lexer, this.reporter);
    if (step !== null) this.push({ kind: "step", step, span: step.span });
    return lexer.lastLine;
  }

  /** `1:`, `1 :` and `L1 :`: labels in the wrong form. */
  private labelLike({ word, end }: Head, limit: number): { id: string; end: number } | null {
    const { text } = this.source;
    if (/^[0-9]+:$/.test(word.text)) return { id: word.text.slice(0, -1), end };
    const colon = skipBlanks(text, end, limit);
    if (colon === end || colon >= limit || text.charAt(colon) !== ":") return null;
    if (slotWordEnd(text, colon, limit) !== colon + 1) return null;
    if (/^[0-9]+$/.test(word.text)) return { id: word.text, end: colon + 1 };
    return /^L[^:,[\](){}]+$/.test(word.text) ? { id: word.text.slice(1), end: colon + 1 } : null;
  }

  private readMisspeltLabel(line: number, head: Head, id: string, end: number): number {
    const span = spanOnLine(this.source, line, head.word.span.start, end);
    this.reportLabelForm(span, id);
    return this.readLabel(line, { word: { ...head.word, span }, end }, id, end);
  }

  private reportLabelForm(span: Span, id: string): void {
    const fix = { title: `write L${id}:`, edits: [{ span, new_text: `L${id}:` }] };
    this.reporter.report({ code: "WF2006", span, words: { id }, suggestion: `write L${id}:`, fix });
  }

  private readLabel(line: number, head: Head, writtenId: string, end: number): number {
    const { word } = head;
    const id = writtenId.replace(/[:,[\](){}]/g, "");
    if (id === "") this.reporter.report({ code: "WF1006", span: word.span, expected: ["L<id>:"] });
    else if (id !== writtenId) this.reportLabelForm(word.span, id);
    const lexer = new StatementLexer(this.reporter, line, end, true, this.lexerLimits);
    const items = lexer.tokens.length === 0 ? [] : readInlineSteps(lexer, this.reporter);
    const steps: Step[] = [];
    let next = 0;
    for (; next < items.length; next++) {
      const item = items[next];
      if (item === undefined || "junk" in item) break;
      steps.push(item);
    }
    const span = spanOver(word.span, steps[steps.length - 1]?.span ?? word.span);
    const label: LabelLine = { kind: "label", id, word, steps, span };
    this.push(label);
    for (const item of items.slice(next)) {
      if ("junk" in item) this.readJunk(item);
      else this.push({ kind: "step", step: item, span: item.span });
    }
    this.statements += items.length;
    this.reportInline(word, items.filter((item) => !("junk" in item)) as Step[]);
    return lexer.lastLine;
  }

  /** Words on a label line that start no step: an unknown line of their own, so that steps behind still count. */
  private readJunk(junk: Junk): void {
    const { first, span } = junk;
    const { image } = first;
    const bare = /^[\p{L}_]/u.test(image) && findOp(image) === undefined && !isLabelWord(image);
    const slots =
      bare && span.line === span.end_line ? lexSlots(this.reporter, span.line - 1, span.start, span.end) : [];
    const word = slots.shift();
    if (word === undefined) {
      unexpected(this.reporter, span, image.slice(0, 100));
      return;
    }
    reportUnknown(word, slots, this.reporter);
    this.push({ kind: "unknown", word, slots, span });
  }

  private reportInline(word: Slot, steps: readonly Step[]): void {
    if (steps.length === 0) return;
    let before: Span = word.span;
    const edits = steps.map((step) => {
      const gap = spanUpTo(spanAfter(before), step.span);
      before = step.span;
      return { span: gap, new_text: "\n  " };
    });
    this.reporter.report({ code: "WF9002", span: word.span, fix: { title: "write one step per line", edits } });
  }

  // ---- lines in slot mode ----

  private readSlotLine(line: number, start: number, op: Op | undefined): number {
    const [word, ...slots] = lexSlots(this.reporter, line, start);
    if (word === undefined) return line;
    if (op?.kind === "include") this.push(readInclude(word, slots, this.reporter));
    else if (op?.kind === "declaration") this.pushDeclaration(op, word, slots);
    else {
      reportUnknown(word, slots, this.reporter);
      this.push(unknownLine(word, slots));
    }
    return line;
  }

  private pushDeclaration(op: Op, word: Slot, slots: readonly Slot[]): void {
    if (op.name === "U") this.hasInterface = true;
    if (op.name === "T" && !this.hasInterface) reportNoEffect("T", word.span, this.reporter, "put it below its U line");
    this.push(readDeclaration(op, word, slots, this.reporter));
  }
}
