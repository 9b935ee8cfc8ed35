/**
 * The blocks that are open while a file is read: which of them a line belongs to by its indentation, and what is
 * wrong about indentation. Knows no statements' meaning.
 */
import type { Reporter } from "../reporter.ts";
import { contentStart, spanOnLine } from "../source.ts";
import type { Span } from "../span.ts";
import type { Block } from "./program.ts";

type OpenBlock = { readonly indent: number; readonly block: Block; readonly depth: number };

/** A block that the line before opened; `colon` is where its absence is told. */
type Awaited = { readonly block: Block; readonly indent: number; readonly colon: Span | null };

/** How far a tab goes, where tabs and blanks are mixed. */
const TAB = 4;

export class OpenBlocks {
  private readonly reporter: Reporter;
  private readonly nesting: number;
  /** The left margin first. */
  private readonly open: OpenBlock[] = [];
  private awaited: Awaited | null = null;
  private style: "blanks" | "tabs" | null = null;
  private isMixed = false;
  private tooDeep = false;
  /** The line before stands between the margin and the blocks: those below it that do are told with it. */
  private isLost = false;

  constructor(reporter: Reporter, nesting: number) {
    this.reporter = reporter;
    this.nesting = nesting;
  }

  /** Measures a line's indentation. */
  measure(line: number, start: number): number {
    const from = contentStart(this.reporter.source, line);
    const blanks = this.reporter.source.text.slice(from, start);
    const hasTab = blanks.includes("\t");
    const hasBlank = /[^\t]/.test(blanks);
    if (blanks !== "") this.checkStyle(hasTab, hasBlank, line, from, start);
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

  /** The margin at which headers stand: that of the first line. */
  begin(indent: number): void {
    if (this.open.length === 0) this.open.push({ indent, block: [], depth: 0 });
  }

  get isAtMargin(): boolean {
    return this.open.length === 1;
  }

  get block(): Block {
    return this.open[this.open.length - 1]?.block ?? [];
  }

  /** Whether a line with this indentation stands exactly in the innermost block. */
  isLevel(indent: number): boolean {
    return this.open[this.open.length - 1]?.indent === indent;
  }

  /** Moves to the block that a line belongs to; true when it belongs to none, which is told at `span`, its first word. */
  moveTo(indent: number, span: Span): boolean {
    const { awaited } = this;
    this.awaited = null;
    if (awaited !== null && indent > awaited.indent) {
      this.enter(indent, awaited.block, span);
      return false;
    }
    if (awaited !== null) this.reportMissing(awaited);
    while (this.open.length > 1 && indent < (this.open[this.open.length - 1]?.indent ?? 0)) this.open.pop();
    const top = this.open[this.open.length - 1];
    const isLost = top !== undefined && indent > top.indent;
    const isTold = isLost && this.isLost;
    this.isLost = isLost && this.isAtMargin;
    if (!isLost) return false;
    // Where the line belongs is a guess: nothing is said of its place besides.
    if (!this.isMixed && !isTold) this.reporter.report({ code: "WF1101", span, covers: span });
    // The lines below it with the same indentation belong to the same block without another word.
    if (this.open.length > 1) this.open.push({ indent, block: top.block, depth: top.depth });
    return true;
  }

  private enter(indent: number, block: Block, span: Span): void {
    const top = this.open[this.open.length - 1];
    const depth = (top?.depth ?? 0) + 1;
    // One level more than brackets: the graph itself.
    const fits = depth <= this.nesting + 1;
    if (!fits && !this.tooDeep) {
      this.reporter.report({
        code: "WF1012",
        span,
        words: { limit: String(this.nesting) },
        suggestion: "use a graph of its own",
      });
      this.tooDeep = true;
    }
    this.open.push({ indent, block: fits ? block : (top?.block ?? block), depth: fits ? depth : depth - 1 });
  }

  /** The next deeper lines belong to `block`. */
  await(block: Block, indent: number, colon: Span | null): void {
    this.awaited = { block, indent, colon };
  }

  finish(): void {
    if (this.awaited !== null) this.reportMissing(this.awaited);
    this.awaited = null;
  }

  private reportMissing({ colon }: Awaited): void {
    if (colon !== null) this.reporter.report({ code: "WF1103", span: colon });
  }
}
