/**
 * The formatter (docs/cli/fmt.md): `format(text)` gives the same program in its canonical layout. It prints the
 * syntax tree statement by statement and puts comments and empty lines back where they stood. Total on sources without a
 * WF1xxx finding, idempotent, keeps every comment, and never changes the order of lines.
 */
import type { CommentLine, LabelLine, Line, SourceFile, Step } from "../ast.ts";
import type { Finding } from "../diagnostic.ts";
import { parse } from "../parse.ts";
import { findingOfFault } from "../python/findings.ts";
import { printPython } from "../python/print/print.ts";
import { isPython } from "../surface.ts";
import { createSource, isBlank } from "../text/source.ts";
import type { Span } from "../text/span.ts";
import { commentText } from "./operands.ts";
import { printDeclaration, printInclude, printStep, STEP_INDENT } from "./statements.ts";

export type Formatted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** The same program in its canonical layout; findings where its text cannot be read. */
export function format(text: string): Formatted {
  if (isPython(text)) return formatPython(text);
  const file = parse(text);
  const faults = file.findings.filter((finding) => finding.code.startsWith("WF1"));
  if (faults.length > 0) return { ok: false, findings: faults };
  const entries = arrange(file);
  addLabelGaps(entries);
  const printed = guarded(joinEntries(entries));
  // Words after a label that are not a step move to a line of their own, where they may look like Python.
  return { ok: true, text: isPython(printed) ? text : printed };
}

function formatPython(text: string): Formatted {
  const printed = printPython(text);
  if (printed.ok) return printed;
  const source = createSource(text, null);
  return { ok: false, findings: printed.faults.map((fault) => findingOfFault(source, fault)) };
}

/** A first word that itself starts with U+FEFF would lose it as a byte order mark: one in front of it keeps it a word. */
function guarded(text: string): string {
  return text.startsWith("\ufeff") ? `\ufeff${text}` : text;
}

/** A statement of the file: a line, or one inline step of a label line. */
type Statement = { readonly span: Span; readonly line: Line | null; readonly step: Step | null };

/** What the output consists of. */
type Entry = {
  readonly kind: "comment" | "label" | "statement";
  readonly lines: string[];
  /** An empty line above. */
  gap: boolean;
};

function statementsOf(lines: readonly Line[]): Statement[] {
  return lines.flatMap((line): Statement[] => {
    if (line.kind === "step") return [{ span: line.span, line: null, step: line.step }];
    if (line.kind !== "label") return [{ span: line.span, line, step: null }];
    const inline = line.steps.map((step) => ({ span: step.span, line: null, step }));
    return [{ span: line.word.span, line, step: null }, ...inline];
  });
}

/** Prints statements and comments in source order. */
function arrange(file: SourceFile): Entry[] {
  const layout = new Layout(file);
  for (const statement of statementsOf(file.lines)) layout.add(statement);
  layout.finish();
  return layout.entries;
}

class Layout {
  readonly entries: Entry[] = [];
  private readonly file: SourceFile;
  private readonly comments: readonly CommentLine[];
  /** Ids of the labels. */
  private readonly labels: ReadonlySet<string>;
  private nextComment = 0;
  /** Own-line comments that wait for the statement whose indentation they take. */
  private waiting: CommentLine[] = [];
  private indent = "";
  /** Source line on which the last printed thing ended. */
  private lastLine = 0;
  private labelEntry: { readonly entry: Entry; readonly line: number } | null = null;
  private lastEntry: Entry | null = null;

  constructor(file: SourceFile) {
    this.file = file;
    this.comments = file.comments;
    this.labels = new Set(file.lines.flatMap((line) => (line.kind === "label" ? [line.id] : [])));
  }

  add(statement: Statement): void {
    this.takeComments(statement.span.start);
    const inside: CommentLine[] = [];
    for (;;) {
      const comment = this.comments[this.nextComment];
      if (comment === undefined || comment.span.start >= statement.span.end) break;
      inside.push(comment);
      this.nextComment++;
    }
    const { line, step } = statement;
    if (step !== null) {
      const printed = printStep(this.file.text, step, inside, this.labels);
      this.place(statement, STEP_INDENT, "statement", printed.lines, printed.above);
    } else if (line !== null) this.addLine(statement, line);
  }

  private addLine(statement: Statement, line: Line): void {
    const { text } = this.file;
    if (line.kind === "label") this.place(statement, "", "label", [labelText(line)], []);
    else if (line.kind === "include") this.place(statement, "", "statement", [printInclude(text, line)], []);
    else if (line.kind === "declaration")
      this.place(statement, "", "statement", [printDeclaration(text, line, this.labels)], []);
    else if (line.kind === "unknown") this.addUnknown(statement);
  }

  /** An unknown line stays as it is, its comment included. */
  private addUnknown(statement: Statement): void {
    const { text } = this.file;
    const { start, end, column } = statement.span;
    const before = text.slice(start - column + 1, start).replace(/^\ufeff/, "");
    const alone = before.trim() === "";
    const comment = this.comments[this.nextComment];
    const keeps = alone && comment !== undefined && !comment.own_line && comment.span.line === statement.span.end_line;
    if (keeps) this.nextComment++;
    const indent = alone ? before : STEP_INDENT;
    const raw = withoutTrailingBlanks(text.slice(start, keeps ? comment.span.end : end));
    this.place(statement, indent, "statement", [indent + raw], []);
  }

  private place(
    statement: Statement,
    indent: string,
    kind: Entry["kind"],
    lines: readonly string[],
    above: readonly CommentLine[],
  ): void {
    this.indent = indent;
    this.flushWaiting();
    const { line, end_line } = statement.span;
    const gap = line - this.lastLine > 1;
    above.forEach((comment, index) => {
      this.entries.push({ kind: "comment", lines: [indent + commentText(comment)], gap: gap && index === 0 });
    });
    const entry: Entry = { kind, lines: [...lines], gap: gap && above.length === 0 };
    this.entries.push(entry);
    this.lastLine = end_line;
    this.lastEntry = entry;
    if (kind === "label") this.labelEntry = { entry, line };
  }

  /** Places the comments before `offset`: after the last statement, or waiting for the next one. */
  private takeComments(offset: number): void {
    for (;;) {
      const comment = this.comments[this.nextComment];
      if (comment === undefined || comment.span.start >= offset) return;
      this.nextComment++;
      if (comment.own_line || this.lastEntry === null) this.waiting.push(comment);
      else {
        const onLabel = this.labelEntry?.line === comment.span.line ? this.labelEntry.entry : this.lastEntry;
        const last = onLabel.lines.length - 1;
        onLabel.lines[last] = `${onLabel.lines[last] ?? ""}  ${commentText(comment)}`;
      }
    }
  }

  private flushWaiting(): void {
    for (const comment of this.waiting) {
      const gap = comment.span.line - this.lastLine > 1;
      this.entries.push({ kind: "comment", lines: [this.indent + commentText(comment)], gap });
      this.lastLine = comment.span.line;
    }
    this.waiting = [];
  }

  finish(): void {
    this.takeComments(Number.POSITIVE_INFINITY);
    this.flushWaiting();
  }
}

/** What the language calls a blank: fewer characters than `trimEnd` takes. */
function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function labelText(line: LabelLine): string {
  return `L${line.id}:`;
}

/** One empty line above a label, or above the comments that stand directly above it; none above the first statement. */
function addLabelGaps(entries: readonly Entry[]): void {
  let hasStatement = false;
  entries.forEach((entry, index) => {
    if (entry.kind === "comment") return;
    if (entry.kind === "label" && hasStatement) gapAbove(entries, index).gap = true;
    hasStatement = true;
  });
}

function gapAbove(entries: readonly Entry[], index: number): Entry {
  let at = index;
  let entry = entries[at] as Entry;
  while (!entry.gap) {
    const above = entries[at - 1];
    if (above?.kind !== "comment") break;
    at--;
    entry = above;
  }
  return entry;
}

function joinEntries(entries: readonly Entry[]): string {
  const lines: string[] = [];
  for (const entry of entries) {
    if (entry.gap && lines.length > 0) lines.push("");
    for (const line of entry.lines) lines.push(line);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
