/**
 * The token source of the indented form: a whole file as tokens, line by line. It decides the kind of each line first, because the kind says how
 * the characters are read: a step of the opcode form is read by the rules of that form, an assignment as an expression.
 */
import type { TokenType } from "chevrotain";
import type { Edit, Fix } from "../../diagnostic.ts";
import { findOp } from "../../ops.ts";
import { readDeclaration, readInclude } from "../../steps/slot-lines.ts";
import { type LexerLimits, lexSlots, lineFits, readComment, slotWordEnd } from "../../steps/slots.ts";
import { isFence, isImport, lacksHeader } from "../../surface.ts";
import { contentStart, type Source, skipBlanks, spanOnLine, utf8Length } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import { Pieces, type Task } from "../../text/task.ts";
import { foreignAtMargin, pastAsync, putAbove, reportAsync } from "../repair/margin.ts";
import * as T from "../tokens.ts";
import { type Lexeme, lexeme } from "../tokens.ts";
import { type LexingContext, MAX_STATEMENT_BYTES } from "./expression-lexer.ts";
import { type Header, looksLikeHeader, readHeader, signatureAt } from "./header.ts";
import { Indentation } from "./indentation.ts";
import type { WrittenInput } from "./input-line.ts";
import { assignmentAt, isBareCall, isDotted, keywordAt, putAt } from "./line-words.ts";
import { StatementLexing } from "./statements.ts";

/** Lines that are read in one piece. */
const LINES_OF_A_PIECE = 100;

/** A statement and its blocks are parsed in one piece, so not only its bytes are bounded, but also the statements in its blocks. */
const MAX_BLOCK_STATEMENTS = 10_000;

export type Layout = {
  readonly tokens: readonly Lexeme[];
  readonly inputs: readonly WrittenInput[];
  /** Blocks are nested too deeply: what is missing below them is not reported. */
  readonly tooDeep: boolean;
  readonly isMixed: boolean;
  /** Lines in the wrong place, which were reported. */
  readonly lostLines: Set<number>;
};

export function layOut(context: LexingContext, limits: LexerLimits & { statements: number }): Task<Layout> {
  return new LayoutReader(context, limits).readAll();
}

/** Reads one file. */
class LayoutReader {
  private readonly context: LexingContext;
  private readonly source: Source;
  private readonly limits: LexerLimits & { statements: number };
  private readonly tokens: Lexeme[] = [];
  private readonly indentation: Indentation;
  private readonly statements: StatementLexing;
  private count = 0;
  /** Statements in the blocks of the statement that is being read. */
  private inBlocks = 0;
  private hasGraph = false;
  private opensAtMargin = false;
  private readonly lostLines = new Set<number>();
  private isLost = false;
  /** Statements at the margin are reported once until the next header. */
  private isStrayReported = false;
  /** The edits that would indent them and the lines below. */
  private strayEdits: Edit[] | null = null;
  /** Indentation of the first line in a graph. */
  private firstIndent: string | null = null;
  /** The last statement ended its graph: what stands below it at the margin does not belong to that. */
  private isOver = false;
  /** From here on, or from the first line on, there are statements alone. */
  private isScript: boolean;
  /** The line that they are to be put above, because they stand below graphs. */
  private scriptAbove: number | null = null;

  constructor(context: LexingContext, limits: LexerLimits & { statements: number }) {
    this.context = context;
    this.source = context.reporter.source;
    this.limits = limits;
    this.indentation = new Indentation(context.reporter, limits.nesting, this.tokens);
    this.statements = new StatementLexing(context, this.tokens);
    this.isScript = lacksHeader(this.source.text);
  }

  *readAll(): Task<Layout> {
    const { length } = this.source.starts;
    const pieces = new Pieces(LINES_OF_A_PIECE);
    for (let line = 0; line < length; line++) {
      if (pieces.add()) yield;
      const last = this.readLine(line);
      if (last === null) break;
      line = last;
    }
    const end = this.source.text.length;
    const lastLine = Math.max(0, length - 1);
    this.indentation.finish(spanOnLine(this.source, lastLine, end, end));
    if (this.scriptAbove !== null) putAbove(this.source, this.scriptAbove, this.strayEdits ?? []);
    const { tooDeep, isMixed } = this.indentation;
    return { tokens: this.tokens, inputs: this.statements.inputs, tooDeep, isMixed, lostLines: this.lostLines };
  }

  /** Reads one statement. Returns its last line; null when there are too many. */
  private readLine(line: number): number | null {
    const { text, ends } = this.source;
    const { reporter } = this.context;
    const limit = ends[line] ?? text.length;
    const start = skipBlanks(text, contentStart(this.source, line), limit);
    if (start >= limit || !lineFits(reporter, line, this.limits)) return line;
    if (text.charAt(start) === "#") {
      readComment(reporter, line, start, true, -1);
      return line;
    }
    if (this.isFence(line, start, limit)) {
      const span = spanOnLine(this.source, line, start, limit);
      const fix = { title: "remove the line", edits: [{ span, new_text: "" }] };
      reporter.report({ code: "WF9033", span, fix });
      return line;
    }
    this.joinLines(line, start, limit);
    this.count++;
    if (this.count > this.limits.statements) {
      const words = { what: "number of statements", limit: String(this.limits.statements) };
      reporter.report({ code: "WF1011", span: spanOnLine(this.source, line, start, start), words });
      return null;
    }
    const indent = this.indentation.measure(line, start);
    const end = Math.max(slotWordEnd(text, start, limit), start + 1);
    const span = spanOnLine(this.source, line, start, end);
    const isPlaced = this.indentation.moveTo(indent, span, this.opensAtMargin);
    if (!this.indentation.isAtMargin) {
      this.isLost &&= this.indentation.isFirst;
      this.opensAtMargin = false;
      this.indentStray(line, start);
      return this.readStatement(line, start);
    }
    if (!isPlaced && !this.isLost && !this.indentation.isMixed) {
      this.lostLines.add(span.line);
      reporter.report({ code: "WF1101", span, covers: span });
    }
    this.isLost = !isPlaced;
    this.isStrayReported ||= this.isLost;
    return this.end(this.readAtMargin(line, start, limit, indent));
  }

  private readStatement(line: number, start: number): number | null {
    const { reporter } = this.context;
    const first = this.tokens.length;
    const last = this.statements.read(line, start);
    const span = spanOnLine(this.source, line, start, start);
    if (!this.statementFits(start, last)) {
      this.tokens.length = first;
      reporter.report({
        code: "WF1011",
        span,
        words: { what: "statement", limit: `${MAX_STATEMENT_BYTES / 1024} KiB` },
      });
      return last;
    }
    const word = this.tokens[first]?.tokenType;
    this.isOver = !this.indentation.isInBlock && (word === T.Out || word === T.Err);
    const continues = this.indentation.isInBlock || word === T.Elif || word === T.Else;
    this.inBlocks = continues ? this.inBlocks + 1 : 0;
    if (this.inBlocks <= MAX_BLOCK_STATEMENTS) return this.end(last);
    const words = { what: "number of statements in the blocks of one statement", limit: String(MAX_BLOCK_STATEMENTS) };
    reporter.report({ code: "WF1011", span, words, suggestion: "use several graphs" });
    this.tokens.length = first;
    return null;
  }

  private statementFits(start: number, lastLine: number): boolean {
    const { text, ends } = this.source;
    const end = ends[lastLine] ?? text.length;
    return (end - start) * 3 <= MAX_STATEMENT_BYTES || utf8Length(text, start, end) <= MAX_STATEMENT_BYTES;
  }

  /** The first line of the file, or the last. */
  private isFence(line: number, start: number, limit: number): boolean {
    const { text } = this.source;
    const character = text.charAt(start);
    if ((character !== "`" && character !== "~") || !isFence(text.slice(start, limit).trimEnd())) return false;
    return this.count === 0 || text.slice(this.source.ends[line]).trim() === "";
  }

  /** Reports a backslash at the end of a line, which continues a statement in Python. */
  private joinLines(line: number, start: number, limit: number): void {
    const { source } = this;
    const end = start + source.text.slice(start, limit).trimEnd().length;
    const next = source.starts[line + 1];
    if (next === undefined || !CONTINUED.test(source.text.slice(start, end))) return;
    const below = contentStart(source, line + 1);
    const content = skipBlanks(source.text, below, source.ends[line + 1] ?? source.text.length);
    const mark = spanOnLine(source, line, end - 1, end);
    const gap = { ...mark, end: content, end_line: line + 2, end_column: content - next + 1 };
    const suggestion = "join the lines, or put the expression in brackets";
    const fix = { title: "join the lines", edits: [{ span: gap, new_text: "" }] };
    const covers = { ...mark, start, end: source.ends[line + 1] ?? content, end_line: line + 2 };
    this.context.reporter.refuse(mark, "\\", suggestion, fix, covers);
  }

  /** Ends the statement. */
  private end(line: number): number {
    const at = this.source.ends[line] ?? this.source.text.length;
    this.tokens.push(lexeme(T.Newline, spanOnLine(this.source, line, at, at), "", "", false));
    return line;
  }

  // ---- the left margin ----

  private readAtMargin(line: number, start: number, limit: number, indent: number): number {
    const { text } = this.source;
    const { reporter } = this.context;
    const op = findOp(text.slice(start, slotWordEnd(text, start, limit)));
    this.opensAtMargin = false;
    if (this.isScript && op === undefined) return this.readStray(line, start, limit);
    const named = pastAsync(text, start, limit);
    const signature = signatureAt(text, named, limit);
    if (signature !== null && named > start) reportAsync(line, start, named, reporter);
    if (signature !== null) {
      this.beginGraph();
      const name = this.statements.slot(line, signature.name, signature.nameEnd);
      const colon = spanOnLine(this.source, line, signature.close, signature.close + 1);
      this.add(T.HeaderLine, name.span, { name, decorators: [], colon, after: null });
      this.statements.readParameters(line, signature);
      return line;
    }
    if (looksLikeHeader(text, start, limit, this.hasBlock(line, indent))) {
      const header = readHeader(reporter, line, start);
      this.beginGraph();
      this.add(T.HeaderLine, header.name.span, header);
      return line;
    }
    if (op?.kind === "include") {
      const [word, ...slots] = lexSlots(reporter, line, start);
      if (word !== undefined) this.add(T.IncludeLine, word.span, readInclude(word, slots, reporter));
      return line;
    }
    if (op?.kind === "declaration" && assignmentAt(text, start, limit) === -1) {
      const [word, ...slots] = lexSlots(reporter, line, start);
      if (word !== undefined) this.add(T.DeclarationLine, word.span, readDeclaration(op, word, slots, reporter));
      return line;
    }
    return this.readStray(line, start, limit);
  }

  private beginGraph(): void {
    this.isStrayReported = false;
    this.strayEdits = null;
    this.hasGraph = true;
    this.isOver = false;
    this.opensAtMargin = true;
  }

  private add(type: TokenType, span: Span, payload: unknown): void {
    this.tokens.push(lexeme(type, span, "", "", false, payload));
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

  /** Reads a line at the margin that is not a header: a statement without its indentation, or a line of another language. */
  private readStray(line: number, start: number, limit: number): number {
    const { text } = this.source;
    const { reporter } = this.context;
    const word = text.slice(start, slotWordEnd(text, start, limit));
    const keyword = keywordAt(text, start, limit);
    const isStatement =
      keyword !== null ||
      findOp(word) !== undefined ||
      isDotted(word) ||
      putAt(text, start, limit) !== null ||
      isBareCall(text, start, limit);
    const span = spanOnLine(this.source, line, start, Math.max(start + word.length, start + 1));
    const begun = this.hasGraph ? startOf(text, start) : null;
    if (begun !== null) return this.readStart(line, start, begun);
    const written = text.slice(start, limit).trimEnd();
    const beginsScript = this.isScript ? !this.hasGraph : this.isOver && lacksHeader(text.slice(start), true);
    this.isOver = false;
    if (beginsScript && !isImport(written)) return this.readScript(line, start, span);
    if (isImport(written) || (!this.isScript && (!this.hasGraph || !isStatement))) {
      lexSlots(reporter, line, start);
      const removed = isImport(written) ? this.removal(line) : foreignAtMargin(this.source, line, written);
      reporter.report({ code: "WF1105", span, ...removed });
      // The lines below it are read too; only this line is reported.
      this.opensAtMargin = true;
      this.add(T.LostLine, span, null);
      return line;
    }
    if (!this.isStrayReported) {
      this.strayEdits = [];
      this.lostLines.add(span.line);
      reporter.report({ code: "WF1101", span, fix: { title: "indent it", edits: this.strayEdits }, covers: span });
    }
    this.indentStray(line, start);
    return this.readStrayStatement(line, start, limit);
  }

  private readStrayStatement(line: number, start: number, limit: number): number {
    const { text } = this.source;
    const keyword = keywordAt(text, start, limit);
    this.isStrayReported = true;
    this.opensAtMargin = text.slice(start, limit).trimEnd().endsWith(":") || T.BLOCK_WORDS.has(keyword ?? "");
    return this.statements.read(line, start);
  }

  /** Statements alone up to the end of the file, as in a script of Python: they are read as those of a graph, which one fix makes of them. */
  private readScript(line: number, start: number, span: Span): number {
    const headers = this.tokens.filter(({ tokenType }) => tokenType === T.HeaderLine);
    const isTaken = headers.some(({ payload }) => (payload as Header).name.text === "main");
    const at = spanOnLine(this.source, line, start, start);
    const first = headers[0];
    if (first !== undefined && !isTaken) this.scriptAbove = first.span.line - 1;
    this.isScript = true;
    this.beginGraph();
    const name = { span, text: "main", quoted: false };
    this.add(T.HeaderLine, span, { name, decorators: [], colon: null, after: null });
    this.end(line);
    this.firstIndent ??= "  ";
    this.strayEdits = [{ span: at, new_text: `main:\n${this.firstIndent}` }];
    this.lostLines.add(span.line);
    this.context.reporter.report({
      code: "WF1105",
      span,
      suggestion: isTaken
        ? "a run begins at the first graph by itself, and the frame gives its inputs: remove these lines"
        : "put these statements in a graph, the first one of the file: main:",
      fix: isTaken ? null : { title: "make them the first graph, main:", edits: this.strayEdits },
      covers: span,
    });
    return this.readStrayStatement(line, start, this.source.ends[line] ?? this.source.text.length);
  }

  /** `main()` or `if __name__ == "__main__":` with its lines at the end of a program of Python: the runtime begins at the first graph by itself. */
  private readStart(line: number, start: number, end: number): number {
    const { source } = this;
    const last = source.starts.findLastIndex((from) => from < end);
    const span = { ...spanOnLine(source, line, start, source.ends[line] ?? end), end, end_line: last + 1 };
    const whole = { ...span, end_column: end - (source.starts[last] ?? 0) + 1 };
    const suggestion = "remove it: a run begins at the first graph by itself";
    const fix = { title: "remove it", edits: [{ span: whole, new_text: "" }] };
    this.context.reporter.report({
      code: "WF1105",
      span: spanOnLine(source, line, start, source.ends[line] ?? end),
      suggestion,
      fix,
    });
    this.add(T.LostLine, span, null);
    return last;
  }

  /** The fix for an import of another language. */
  private removal(line: number): { readonly suggestion: string; readonly fix: Fix } {
    const edits = [
      {
        span: spanOnLine(this.source, line, contentStart(this.source, line), this.source.ends[line] ?? 0),
        new_text: "",
      },
    ];
    const suggestion = "remove the line: functions are there without an import";
    return { suggestion, fix: { title: "remove the line", edits } };
  }

  /** Adds to the one fix for all lines up to the next header, because they belong together. */
  private indentStray(line: number, start: number): void {
    const from = contentStart(this.source, line);
    const { text } = this.source;
    if (start > from) this.firstIndent ??= text.slice(from, start);
    this.strayEdits?.push({ span: spanOnLine(this.source, line, from, from), new_text: this.firstIndent ?? "  " });
  }
}

/** An operator with a backslash after it, outside of comments. */
const CONTINUED = /^[^#]*(?:\b(?:and|or|not|in)|[-+*/%=<>])[ \t]+\\$/;

/** Where the lines end that start a program of Python; null for other lines. */
function startOf(text: string, start: number): number | null {
  const pattern =
    /(?:if[ \t]+__name__[ \t]*==[^\n]*(?:\n(?:[ \t]+[^\n]*|[ \t]*(?=\n|$)))*|(?:print\()?main\([^()\n]*\)\)?[ \t\r]*)(?=\s*$)/y;
  pattern.lastIndex = start;
  const found = pattern.exec(text)?.[0];
  return found === undefined ? null : start + found.trimEnd().length;
}
