/**
 * Indentation as tokens: how deep a line stands, and which INDENT and DEDENT tokens that makes. Knows no statements.
 */
import type { Reporter } from "../../reporter.ts";
import { contentStart, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import { Dedent, Indent, type Lexeme, lexeme } from "../tokens.ts";

/** Columns of a tab where tabs and spaces are mixed. */
const TAB = 4;

type Level = { readonly indent: number /** Nested too deeply: makes no tokens. */; readonly isTooDeep: boolean };

export class Indentation {
  private readonly reporter: Reporter;
  private readonly nesting: number;
  private readonly tokens: Lexeme[];
  /** The left margin first. */
  private readonly levels: Level[] = [];
  private style: "blanks" | "tabs" | null = null;
  /** Tabs and spaces are mixed, which is reported: the level of a line is a guess. */
  isMixed = false;
  tooDeep = false;
  /** The line that was moved to last is the first of its block. */
  isFirst = false;

  constructor(reporter: Reporter, nesting: number, tokens: Lexeme[]) {
    this.reporter = reporter;
    this.nesting = nesting;
    this.tokens = tokens;
  }

  /** Measures a line's indentation, in columns. */
  measure(line: number, start: number): number {
    const from = contentStart(this.reporter.source, line);
    const blanks = this.reporter.source.text.slice(from, start);
    const hasTab = blanks.includes("\t");
    if (blanks !== "") this.checkStyle(hasTab, /[^\t]/.test(blanks), line, from, start);
    if (!hasTab) return blanks.length;
    let width = 0;
    for (const character of blanks) width = character === "\t" ? (Math.floor(width / TAB) + 1) * TAB : width + 1;
    return width;
  }

  private checkStyle(hasTab: boolean, hasBlank: boolean, line: number, from: number, start: number): void {
    this.style ??= hasTab ? "tabs" : "blanks";
    if (this.isMixed || (this.style === "tabs" ? !hasBlank : !hasTab)) return;
    this.isMixed = true;
    this.reporter.report({ code: "WF1102", span: spanOnLine(this.reporter.source, line, from, start) });
  }

  get isAtMargin(): boolean {
    return this.levels.length === 1;
  }

  /** The line is in a block of a graph's statement, not directly in the graph. */
  get isInBlock(): boolean {
    return this.levels.length > 2;
  }

  /** Moves to a line; `span` is its first word. False for a line that is deeper than the margin and in no block. */
  moveTo(indent: number, span: Span, opensAtMargin: boolean): boolean {
    // The first line sets the margin.
    this.isFirst = false;
    if (this.levels.length === 0) this.levels.push({ indent, isTooDeep: false });
    while (this.levels.length > 1 && indent < this.top) this.leave(span);
    if (indent <= this.top) return true;
    if (this.isAtMargin && !opensAtMargin) return false;
    this.enter(indent, span);
    return true;
  }

  private get top(): number {
    return this.levels.at(-1)?.indent ?? 0;
  }

  private enter(indent: number, span: Span): void {
    // One level more than for brackets, because the graph itself is a level.
    const isTooDeep = this.levels.length > this.nesting + 1;
    if (!isTooDeep) this.tokens.push(lexeme(Indent, span, "", "", false));
    else if (!this.tooDeep) {
      const words = { limit: String(this.nesting) };
      this.reporter.report({ code: "WF1012", span, words, suggestion: "use a graph of its own" });
      this.tooDeep = true;
    }
    this.levels.push({ indent, isTooDeep });
    this.isFirst = true;
  }

  private leave(span: Span): void {
    const left = this.levels.pop();
    if (left?.isTooDeep === false) this.tokens.push(lexeme(Dedent, span, "", "", false));
  }

  /** Closes every open block. */
  finish(span: Span): void {
    while (this.levels.length > 1) this.leave(span);
  }
}
