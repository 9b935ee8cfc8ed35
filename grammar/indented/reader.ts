/**
 * Reads a file of the indented form (docs/language.md, the indented form): line by line, which block it belongs to, which kind of line it is. It never
 * throws and never stops at a fault, and does not recurse: open blocks are a list.
 */
import type { DeclarationLine, IncludeLine, Slot } from "../ast.ts";
import type { Edit } from "../diagnostic.ts";
import { NO_FUNCTION_IN_PLACE } from "../in-place.ts";
import { declareInputs, readInputs } from "../inputs.ts";
import { findOp } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { readInclude } from "../slot-lines.ts";
import { type LexerLimits, lexSlots, lineFits, readComment, slotWordEnd } from "../slots.ts";
import { contentStart, type Source, skipBlanks, spanOnLine } from "../source.ts";
import { BlockLines, reportOneLine } from "./blocks.ts";
import { type Header, looksLikeHeader, readHeader } from "./header.ts";
import { OpenBlocks } from "./indentation.ts";
import { JoinedWords } from "./joined-words.ts";
import type { Graph, IfStatement, IndentedProgram, Statement } from "./program.ts";
import { StatementLines } from "./statements.ts";
import { assignmentAt, endsLine, isDotted, type Keyword, keywordAt } from "./words.ts";

export function readIndented(reporter: Reporter, limits: LexerLimits & { statements: number }): IndentedProgram {
  return new IndentedReader(reporter, limits).readAll();
}

/** Reads one file. */
class IndentedReader {
  private readonly reporter: Reporter;
  private readonly source: Source;
  private readonly limits: LexerLimits & { statements: number };
  private readonly blocks: OpenBlocks;
  private readonly statements: StatementLines;
  private readonly blockLines: BlockLines;
  private readonly joined = new JoinedWords();
  private readonly graphs: Graph[] = [];
  private readonly includes: IncludeLine[] = [];
  private readonly names = new Map<string, Slot>();
  private count = 0;
  /** Lines at the margin that belong to a graph are told once until the next header; what would indent them and the lines below. */
  private isStrayTold = false;
  private strayEdits: Edit[] | null = null;
  /** Indentation of the first line in a graph. */
  private indentation: string | null = null;

  constructor(reporter: Reporter, limits: LexerLimits & { statements: number }) {
    this.reporter = reporter;
    this.source = reporter.source;
    this.limits = limits;
    this.blocks = new OpenBlocks(reporter, limits.nesting);
    this.statements = new StatementLines(reporter, limits, this.joined);
    this.blockLines = new BlockLines(reporter, limits, this.joined);
  }

  readAll(): IndentedProgram {
    const { length } = this.source.starts;
    for (let line = 0; line < length; line++) {
      const next = this.readLine(line);
      if (next === null) break;
      line = next;
    }
    this.blocks.finish();
    const declarations: (DeclarationLine | IncludeLine)[] = [...this.statements.declarations, ...this.includes];
    declarations.sort((left, right) => left.span.start - right.span.start);
    const commented = readInputs(this.reporter.comments, declarations, this.reporter);
    const inputs = declareInputs(this.statements.inputs, commented, declarations, this.reporter);
    return { graphs: this.graphs, declarations, inputs, joined: this.joined };
  }

  /** The last line of the statement; null when there are too many. */
  private readLine(line: number): number | null {
    const { text, ends } = this.source;
    const limit = ends[line] ?? text.length;
    const start = skipBlanks(text, contentStart(this.source, line), limit);
    if (start >= limit || !lineFits(this.reporter, line, this.limits)) return line;
    if (text.charAt(start) === "#") {
      readComment(this.reporter, line, start, true, -1);
      return line;
    }
    this.count++;
    if (this.count > this.limits.statements) {
      const words = { what: "number of statements", limit: String(this.limits.statements) };
      this.reporter.report({ code: "WF1011", span: spanOnLine(this.source, line, start, start), words });
      return null;
    }
    const indent = this.blocks.measure(line, start);
    this.blocks.begin(indent);
    const end = Math.max(slotWordEnd(text, start, limit), start + 1);
    const isTold = this.blocks.moveTo(indent, spanOnLine(this.source, line, start, end));
    if (!this.blocks.isAtMargin) {
      this.indentStray(line, start);
      return this.readStatement(line, start, indent, this.blocks.block);
    }
    this.isStrayTold ||= isTold;
    return this.readAtMargin(line, start, limit, indent);
  }

  // ---- the left margin ----

  private readAtMargin(line: number, start: number, limit: number, indent: number): number {
    const { text } = this.source;
    const op = findOp(text.slice(start, slotWordEnd(text, start, limit)));
    if (looksLikeHeader(text, start, limit, this.hasBlock(line, indent))) return this.readGraph(line, start, indent);
    if (op?.kind === "include") {
      const [word, ...slots] = lexSlots(this.reporter, line, start);
      if (word !== undefined) this.includes.push(readInclude(word, slots, this.reporter));
      return line;
    }
    if (op?.kind === "declaration" && assignmentAt(text, start, limit) === -1) {
      return this.statements.readDeclarationLine(line, start, op).last;
    }
    return this.readStray(line, start, limit, indent);
  }

  /** Whether the next line of code is deeper. */
  private hasBlock(line: number, indent: number): boolean {
    const { text, starts, ends } = this.source;
    for (let next = line + 1; next < starts.length; next++) {
      const limit = ends[next] ?? text.length;
      const from = starts[next] ?? limit;
      const start = skipBlanks(text, from, limit);
      if (start < limit && text.charAt(start) !== "#") return start - from > indent;
    }
    return false;
  }

  private readGraph(line: number, start: number, indent: number): number {
    const { name, decorators, colon, behind }: Header = readHeader(this.reporter, line, start);
    const first = this.names.get(name.text);
    if (first === undefined) this.names.set(name.text, name);
    else {
      const related = [{ message: "first declared here", span: first.span }];
      this.reporter.report({ code: "WF1108", span: name.span, words: { name: name.text }, related });
    }
    const graph: Graph = { name, decorators, block: [], repeated: first !== undefined };
    this.graphs.push(graph);
    this.isStrayTold = false;
    this.strayEdits = null;
    if (colon !== null && behind !== null) reportOneLine(this.reporter, name.span, colon, behind.span);
    this.blocks.await(graph.block, indent, behind === null ? colon : null);
    return line;
  }

  /** A statement that lost its indentation, or no line of this form. */
  private readStray(line: number, start: number, limit: number, indent: number): number {
    const { text } = this.source;
    const graph = this.graphs[this.graphs.length - 1];
    const word = text.slice(start, slotWordEnd(text, start, limit));
    const keyword = keywordAt(text, start, limit);
    const isStatement =
      keyword !== null || findOp(word) !== undefined || isDotted(word) || assignmentAt(text, start, limit) !== -1;
    const span = spanOnLine(this.source, line, start, Math.max(start + word.length, start + 1));
    if (graph === undefined || !isStatement) {
      lexSlots(this.reporter, line, start);
      this.reporter.report({ code: "WF1105", span });
      // What stands below it is read too: its only fault is this line.
      this.blocks.await([], indent, null);
      return line;
    }
    if (!this.isStrayTold) {
      this.strayEdits = [];
      const fix = { title: "indent it", edits: this.strayEdits };
      this.reporter.report({ code: "WF1101", span, fix, covers: span });
    }
    this.indentStray(line, start);
    this.isStrayTold = true;
    return this.readStatement(line, start, indent, graph.block);
  }

  /** One fix for all lines up to the next header: they belong together. */
  private indentStray(line: number, start: number): void {
    const from = contentStart(this.source, line);
    const { text } = this.source;
    if (start > from) this.indentation ??= text.slice(from, start);
    this.strayEdits?.push({ span: spanOnLine(this.source, line, from, from), new_text: this.indentation ?? "  " });
  }

  // ---- blocks ----

  private readStatement(line: number, start: number, indent: number, block: Statement[]): number {
    const { text, ends } = this.source;
    const limit = ends[line] ?? text.length;
    const keyword = assignmentAt(text, start, limit) === -1 ? keywordAt(text, start, limit) : null;
    switch (keyword) {
      case "if":
      case "elif":
      case "else":
      case "for":
      case "while":
        return this.readOpening(this.word(line, start, keyword), keyword, indent, block);
      default: {
        const told = this.reporter.findings.length;
        const { statement, last } = this.statements.read(line, start, keyword);
        if (statement !== null) block.push(statement);
        const end = text.slice(start, ends[last]).trimEnd();
        // The lines below a line at fault that ends with a colon are read as they stand; those of `f = lambda x:` have names of its own.
        const faults = this.reporter.findings.slice(told);
        const isFunction = faults.some(({ suggestion }) => suggestion === NO_FUNCTION_IN_PLACE);
        if (statement !== null && faults.length > 0 && end.endsWith(":"))
          this.blocks.await(isFunction ? [] : block, indent, null);
        // What stands under `try:` is read as well, and under `err:` and `out:`, of which the colon is told.
        const opens =
          keyword === "err" || keyword === "out"
            ? text.charAt(start + keyword.length) === ":" && endsLine(text, start + keyword.length + 1, limit)
            : keyword === null && statement === null && text.slice(start, limit).trimEnd().endsWith(":");
        if (opens) this.blocks.await(block, indent, null);
        return last;
      }
    }
  }

  private word(line: number, start: number, keyword: Keyword): Slot {
    return { span: spanOnLine(this.source, line, start, start + keyword.length), text: keyword, quoted: false };
  }

  private readOpening(word: Slot, keyword: Keyword, indent: number, block: Statement[]): number {
    if (keyword === "elif" || keyword === "else") return this.readAlternative(word, keyword, indent, block);
    const lines = this.blockLines;
    const opening =
      keyword === "if" ? lines.readIf(word) : keyword === "for" ? lines.readFor(word) : lines.readWhile(word);
    block.push(opening.opened);
    this.blocks.await(opening.block, indent, opening.colon);
    return opening.last;
  }

  /** Without its `if` a block is read all the same, as if it were one. */
  private readAlternative(word: Slot, keyword: "elif" | "else", indent: number, block: Statement[]): number {
    const last = block[block.length - 1];
    const owner: IfStatement | null =
      last?.s === "if" && last.otherwise === null && this.blocks.isLevel(indent) ? last : null;
    if (owner === null) this.reporter.report({ code: "WF1104", span: word.span, words: { word: keyword } });
    if (keyword === "else") {
      const { opened, ...opening } = this.blockLines.readElse(word);
      if (owner !== null) owner.otherwise = opened;
      this.blocks.await(owner === null ? block : opening.block, indent, opening.colon);
      return opening.last;
    }
    const { opened, ...opening } = this.blockLines.readBranch(word);
    if (owner !== null) owner.branches.push(opened.branch);
    this.blocks.await(owner === null ? block : opening.block, indent, opening.colon);
    return opening.last;
  }
}
