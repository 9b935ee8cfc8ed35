/**
 * Whether lines stand where they belong (docs/diagnostics.md, structure): declarations and includes above the first label, steps in
 * a label. Sees every line once, in order, and reports at the end, when it is known where the first label stands and
 * which label ids are free.
 */
import type { Line, Step } from "../ast.ts";
import type { Edit, Fix } from "../diagnostic.ts";
import type { Reporter } from "../reporter.ts";
import { contentStart, spanOf } from "../text/source.ts";
import type { Span } from "../text/span.ts";

/** Declarations and includes below the first label that follow each other without another line between. */
type LateRun = { readonly op: string; readonly span: Span; readonly lines: Span[] };

export class PlacementChecks {
  private readonly reporter: Reporter;
  private firstLabel: Span | null = null;
  private readonly ids = new Set<string>();
  private readonly lateRuns: LateRun[] = [];
  private currentRun: LateRun | null = null;
  private readonly stepsOutside: Step[] = [];

  constructor(reporter: Reporter) {
    this.reporter = reporter;
  }

  see(line: Line): void {
    if (line.kind === "label") {
      this.firstLabel ??= line.span;
      this.ids.add(line.id);
    } else if (line.kind === "step" && this.firstLabel === null) this.stepsOutside.push(line.step);
    if ((line.kind === "declaration" || line.kind === "include") && this.firstLabel !== null) this.seeLate(line);
    else this.currentRun = null;
  }

  private seeLate(line: Line & { kind: "declaration" | "include" }): void {
    if (this.currentRun === null) {
      const op = line.kind === "include" ? "include" : line.op;
      this.currentRun = { op, span: line.word.span, lines: [] };
      this.lateRuns.push(this.currentRun);
    }
    this.currentRun.lines.push(line.span);
  }

  finish(): void {
    for (const run of this.lateRuns) {
      const { span, op } = run;
      const fix = this.moveUp(run);
      this.reporter.report({ code: "WF2002", span, words: { op }, ...(fix === null ? {} : { fix }) });
    }
    // One edit over all of them, so it stands at the first.
    let fix = this.insertLabel();
    for (const step of this.stepsOutside) {
      const op = step.op === "broken" ? step.broken_op : step.op;
      this.reporter.report({
        code: "WF2003",
        span: step.word.span,
        words: { op },
        ...(op === "R" || op === "J" ? { severity: "warning" as const } : {}),
        ...(fix === null ? {} : { fix }),
      });
      fix = null;
    }
  }

  /** Takes the lines out and puts them above the first label line. */
  private moveUp(run: LateRun): Fix | null {
    const { source } = this.reporter;
    if (this.firstLabel === null) return null;
    const target = contentStart(source, this.firstLabel.line - 1);
    const moved: string[] = [];
    const edits: Edit[] = run.lines.map((span) => {
      const start = source.starts[span.line - 1] ?? span.start;
      moved.push(`${source.text.slice(start, source.ends[span.line - 1]).trim()}\n`);
      return { span: spanOf(source, start, source.starts[span.line] ?? source.text.length), new_text: "" };
    });
    return {
      title: "move it above the first label",
      edits: [{ span: spanOf(source, target, target), new_text: moved.join("") }, ...edits],
    };
  }

  /** Puts a label with a free id above the first step that has none, and indents the steps as the formatter does. */
  private insertLabel(): Fix | null {
    const [first] = this.stepsOutside;
    const last = this.stepsOutside.at(-1);
    if (first === undefined || last === undefined) return null;
    let number = 1;
    while (this.ids.has(String(number))) number++;
    const { source, comments } = this.reporter;
    const remarks = comments.filter(({ own_line }) => own_line);
    const indented = new Set([...this.stepsOutside, ...remarks].map(({ span }) => span.line));
    const start = contentStart(source, first.span.line - 1);
    let text = `L${number}:\n`;
    for (let line = first.span.line; line <= last.span.line; line++) {
      const from = line === first.span.line ? start : source.starts[line - 1];
      const written = source.text.slice(from, source.starts[line]);
      text += indented.has(line) ? `  ${written.trimStart()}` : written;
    }
    const edit = { span: spanOf(source, start, source.starts[last.span.line] ?? source.text.length), new_text: text };
    return { title: `insert L${number}:`, edits: [edit] };
  }
}
