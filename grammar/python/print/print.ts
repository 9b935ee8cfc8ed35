/**
 * The formatter of the Python form, in the spirit of black: four blanks a level, one blank around operators, two empty lines around functions.
 * It writes the tokens anew and leaves what they are: no quotes, brackets or line breaks in brackets change, so the tree stays the same.
 */
import { tokenize } from "../lexing/lexer.ts";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";
import { parseProgram } from "../older/older.ts";
import type { Comment, SyntaxFault } from "../tree.ts";
import { Spacing } from "./spacing.ts";

export type Printed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly faults: readonly SyntaxFault[] };

const LEVEL = "    ";
/** Heads of functions and classes have empty lines around them. */
const DEFINES = setOf([T.Def, T.Class, T.At]);
/** These continue the statement above. */
const CONTINUES = setOf([T.Else, T.Elif, T.Except, T.Finally]);
const BYTE_ORDER_MARK = "\ufeff";

export function printPython(source: string): Printed {
  const { module, faults, text } = parseProgram(source);
  if (module === null) return { ok: false, faults };
  const { tokens, comments } = tokenize(text, text.startsWith(BYTE_ORDER_MARK) ? 1 : 0);
  return { ok: true, text: new Printer(text, tokens, comments).print() };
}

type Line = {
  readonly tokens: readonly Token[];
  readonly level: number;
  /** Of the line in the source. */
  readonly column: number;
  /** Where its line break, or the end of the file, stands. */
  readonly end: number;
};

class Printer {
  private readonly source: string;
  private readonly comments: readonly Comment[];
  private readonly lines: readonly Line[];
  private readonly out: string[] = [];
  /** The comment that is written next. */
  private comment = 0;
  /** The function or class at each level whose lines are being written. */
  private readonly defined: boolean[] = [];
  /** The columns of the levels in the source. */
  private readonly columns: number[] = [];

  constructor(source: string, tokens: readonly Token[], comments: readonly Comment[]) {
    this.source = source;
    this.comments = comments;
    this.lines = linesOf(source, tokens);
  }

  print(): string {
    let former: Line | null = null;
    for (const line of this.lines) {
      this.startLine(line, former);
      this.writeLine(line);
      former = line;
    }
    this.writeCommentsBefore(this.source.length + 1, former, null, false);
    return this.out.length === 0 ? "" : `${this.out.join("\n")}\n`;
  }

  // ---- empty lines and comments between statements ----

  private startLine(line: Line, former: Line | null): void {
    const [first] = line.tokens as [Token];
    const { level } = line;
    const followsDefinition = this.defined[level] === true && former !== null && former.level >= level;
    const hadComments = this.writeCommentsBefore(first.start, former, line, followsDefinition);
    this.defined.length = level;
    this.columns.length = level;
    this.columns[level] = line.column;
    const defines = definesIn(line.tokens);
    this.defined[level] = defines;
    const isDecorated = former?.level === level && isType(former.tokens[0], T.At);
    const continues = CONTINUES[first.tokenTypeIdx] === 1;
    let least = (defines || followsDefinition) && !continues ? most(level) : 0;
    if (former === null || former.level < level || isDecorated) least = 0;
    if (hadComments) least = 0;
    this.addEmpty(this.emptyBefore(first.start), { least, isFirst: former === null || former.level < level, level });
  }

  /** Adds as many empty lines as there are in the source, within bounds. */
  private addEmpty(
    written: number,
    { least, isFirst, level }: { readonly least: number; readonly isFirst: boolean; readonly level: number },
  ): void {
    if (this.out.length === 0) return;
    const isHead = isFirst && !this.out.at(-1)?.trimStart().startsWith("#");
    const count = isHead ? 0 : Math.max(least, Math.min(written, most(level)));
    for (let at = 0; at < count; at++) this.out.push("");
  }

  /** How many empty lines stand above the line at this place. */
  private emptyBefore(at: number): number {
    const { source } = this;
    let ends = 0;
    for (let before = at - 1; before >= 0 && /\s/.test(source.charAt(before)); before--) {
      const character = source.charAt(before);
      if (character === "\n" || (character === "\r" && source.charAt(before + 1) !== "\n")) ends++;
    }
    return Math.max(0, ends - 1);
  }

  /** Returns whether one of them leads the next statement, so that the empty lines above the statement stand above the comment. */
  private writeCommentsBefore(
    end: number,
    former: Line | null,
    next: Line | null,
    followsDefinition: boolean,
  ): boolean {
    let leads = false;
    const isDecorated = next !== null && former?.level === next.level && isType(former.tokens[0], T.At);
    for (let one = this.nextComment(end); one !== null; one = this.nextComment(end)) {
      const level = this.levelOf(one, former, next);
      const isFirst = former === null || former.level < level;
      const isOfNext = level === next?.level;
      const isFirstOfNext = isOfNext && !leads && !isFirst && !isDecorated;
      const least = isFirstOfNext && (followsDefinition || definesIn(next.tokens)) ? most(level) : 0;
      this.addEmpty(isDecorated ? 0 : this.emptyBefore(one.start), { least, isFirst: isFirst && !leads, level });
      this.out.push(`${LEVEL.repeat(level)}${one.text.trimEnd()}`);
      leads ||= isOfNext;
    }
    return leads;
  }

  /** The comment that is written next, if it begins before `end`. */
  private nextComment(end: number): Comment | null {
    const one = this.comments[this.comment];
    if (one === undefined || one.start >= end) return null;
    this.comment++;
    return one;
  }

  /** A comment between two statements belongs to the deepest of their levels that it is not to the left of. */
  private levelOf(comment: Comment, former: Line | null, next: Line | null): number {
    const lowest = next?.level ?? 0;
    const highest = former?.level ?? 0;
    if (lowest >= highest) return lowest;
    const column = columnOf(this.source, comment.start);
    for (let level = highest; level > lowest; level--) if ((this.columns[level] ?? 0) <= column) return level;
    return lowest;
  }

  // ---- one logical line ----

  private writeLine({ tokens, level, end }: Line): void {
    const spacing = new Spacing();
    /** What the physical lines with the open brackets are indented by. */
    const indents: string[] = [];
    let own = LEVEL.repeat(level);
    let text = own;
    let last: Token | null = null;
    for (const token of tokens) {
      if (last !== null) {
        const broken = this.breakBetween(last, token, text, indents.length > 0);
        if (broken !== null) {
          const isCloser = /[)\]}]/.test(token.image) && CLOSES[token.tokenTypeIdx] === 1;
          own = indents.length === 0 ? `${LEVEL.repeat(level)}${LEVEL}` : `${indents.at(-1)}${isCloser ? "" : LEVEL}`;
          this.writeInside(broken, token, indents.at(-1) ?? "");
          text = own;
        }
        const hasBlank = spacing.before(token);
        if (broken === null && hasBlank) text += " ";
      } else spacing.before(token);
      text += this.source.slice(token.start, token.end);
      if (OPENS[token.tokenTypeIdx] === 1) indents.push(own);
      else if (CLOSES[token.tokenTypeIdx] === 1) indents.pop();
      last = token;
    }
    const trailing = this.nextComment(end);
    if (trailing !== null) text += `  ${trailing.text.trimEnd()}`;
    this.out.push(text);
  }

  /** The line so far where a line break stands between the two tokens, else null. */
  private breakBetween(last: Token, token: Token, text: string, isEnclosed: boolean): string | null {
    const between = this.source.slice(last.end, token.start);
    if (!/[\r\n]/.test(between)) return null;
    return isEnclosed ? text : `${text} \\`;
  }

  /** Ends the line, with its comment, and writes the comments above the next token. */
  private writeInside(text: string, token: Token, indent: string): void {
    let line = text;
    for (let one = this.nextComment(token.start); one !== null; one = this.nextComment(token.start)) {
      if (!one.ownLine) line += `  ${one.text.trimEnd()}`;
      else {
        this.out.push(line);
        line = `${indent}${LEVEL}${one.text.trimEnd()}`;
      }
    }
    this.out.push(line);
  }
}

const OPENS = setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = setOf([T.RParen, T.RBracket, T.RBrace]);

const isType = (token: Token | undefined, type: { readonly tokenTypeIdx?: number }): boolean =>
  token?.tokenTypeIdx === type.tokenTypeIdx;

/** The most empty lines in a row, and those around functions. */
const most = (level: number): number => (level === 0 ? 2 : 1);

function definesIn([first, second]: readonly Token[]): boolean {
  if (first === undefined) return false;
  return DEFINES[first.tokenTypeIdx] === 1 || (isType(first, T.Async) && isType(second, T.Def));
}

function columnOf(source: string, at: number): number {
  let start = at;
  while (start > 0 && !/[\r\n]/.test(source.charAt(start - 1))) start--;
  return at - start;
}

/** The tokens line by line; an f-string is one token. */
function linesOf(source: string, all: readonly Token[]): readonly Line[] {
  const lines: Line[] = [];
  let tokens: Token[] = [];
  let level = 0;
  let formats = 0;
  let start = 0;
  for (const token of all) {
    if (isType(token, T.FStart)) {
      if (formats++ === 0) ({ start } = token);
    } else if (isType(token, T.FEnd)) {
      if (--formats === 0) tokens.push(new T.Token(T.FEnd, "", start, token.end, token.line));
    } else if (formats > 0) continue;
    else if (isType(token, T.Indent)) level++;
    else if (isType(token, T.Dedent)) level--;
    else if (isType(token, T.Newline)) {
      lines.push({ tokens, level, column: columnOf(source, (tokens[0] as Token).start), end: token.start });
      tokens = [];
    } else tokens.push(token);
  }
  return lines;
}
