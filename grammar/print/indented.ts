/**
 * The formatter of the indented form: two spaces for each block, one space between words, empty lines only between statements, a comment where the
 * line below it begins. It changes blanks and nothing else; what its lines mean is compared with what they meant.
 */
import type { SourceFile } from "../ast.ts";
import { assignmentAt, putAt } from "../indented/lexing/line-words.ts";
import { closingQuote } from "../operands/tokens.ts";
import { parse } from "../parse.ts";
import { findOutside, isQuote } from "../steps/slots.ts";
import { isBlank, skipBlanks } from "../text/source.ts";

const INDENT = "  ";

/** The same program in its canonical layout. Its text has no WF1xxx finding. */
export function formatIndented(text: string, file: SourceFile): string {
  const meaning = meaningOf(file);
  for (const isWhole of [true, false]) {
    const printed = layOut(text, isWhole);
    const read = parse(printed);
    if (!read.findings.some(({ code }) => code.startsWith("WF1")) && meaningOf(read) === meaning) return printed;
  }
  return text;
}

/** Everything but the places. */
function meaningOf({ lines, inputs }: SourceFile): string {
  return JSON.stringify([lines, inputs], (key, value) => (key === "span" ? undefined : value));
}

type Row = { readonly code: string; readonly comment: string; readonly indent: number; depth: number };

/** `isWhole`: also the blanks inside of lines. */
function layOut(text: string, isWhole: boolean): string {
  const rows = rowsOf(text);
  const made: string[] = [];
  const stack: number[] = [0];
  /** Blanks by which the lines of the open brackets move. */
  let moved = 0;
  let gap = false;
  for (const [at, row] of rows.entries()) {
    const { code, comment, indent, depth } = row;
    if (code === "" && comment === "") {
      gap = made.length > 0;
      continue;
    }
    const isContinued = depth > 0;
    if (code !== "" && !isContinued) {
      enter(stack, indent);
      moved = (stack.length - 1) * INDENT.length - indent;
    }
    const level = code === "" && !isContinued ? levelOf(rows, at, stack) : stack.length - 1;
    const isHeader = code !== "" && level === 0 && !isContinued && /^[^"'#]*:$/.test(code);
    const isAfterComment = rows[at - 1]?.code === "" && rows[at - 1]?.comment !== "";
    if (gap || (isHeader && made.length > 0 && !isAfterComment)) made.push("");
    gap = false;
    const blanks = isContinued ? " ".repeat(Math.max(0, indent + moved)) : INDENT.repeat(level);
    const written = isWhole ? spaced(code, depth) : code;
    const remark = remarkOf(comment);
    made.push(`${blanks}${written}${written !== "" && remark !== "" ? "  " : ""}${remark}`);
  }
  return made.length === 0 ? "" : `${made.join("\n")}\n`;
}

function enter(stack: number[], indent: number): void {
  while (stack.length > 1 && indent < (stack.at(-1) ?? 0)) stack.pop();
  if (indent > (stack.at(-1) ?? 0)) stack.push(indent);
}

/** A comment belongs to the line below it, or to the block above when it stands deeper. */
function levelOf(rows: readonly Row[], at: number, stack: readonly number[]): number {
  const next = rows.slice(at + 1, at + 1 + MAX_COMMENTS).find(({ code }) => code !== "");
  const own = (rows[at] as Row).indent;
  const ahead = [...stack];
  enter(ahead, next?.indent ?? 0);
  if (next !== undefined && own <= next.indent) return ahead.length - 1;
  const above = stack.findLastIndex((one) => one <= own);
  return Math.max(above, ahead.length - 1);
}

const MAX_COMMENTS = 1000;

function remarkOf(comment: string): string {
  return comment.replace(/^(#+)(?=[^\s#!])/, "$1 ");
}

/** Lines in parts; `depth` is how many brackets are open where a line begins. */
function rowsOf(text: string): Row[] {
  let depth = 0;
  return text.split("\n").map((whole): Row => {
    const line = whole.replace(/^\ufeff/, "").trimEnd();
    const start = skipBlanks(line, 0, line.length);
    const before = depth;
    const { at, depth: open } = findOutside(line, start, line.length, (character) => character === "#", depth);
    depth = open;
    return { code: line.slice(start, at).trimEnd(), comment: line.slice(at), indent: start, depth: before };
  });
}

/** One space between words, after commas in brackets and around the `=` of an assignment; none inside of brackets next to them. */
function spaced(code: string, open: number): string {
  let depth = open;
  let made = "";
  for (let at = 0; at < code.length; ) {
    const character = code.charAt(at);
    if (isQuote(code.charCodeAt(at))) {
      const close = closingQuote(code, at, code.length);
      const end = close === -1 ? code.length : close + 1;
      made += code.slice(at, end);
      at = end;
    } else if (isBlank(code.charCodeAt(at))) {
      const end = skipBlanks(code, at, code.length);
      const next = code.charAt(end);
      const isInside = depth > 0 && (/[([{]$/.test(made) || ")]},".includes(next));
      if (!isInside) made += " ";
      at = end;
    } else {
      if ("([{".includes(character)) depth++;
      else if (")]}".includes(character)) depth--;
      made += character;
      at++;
      const next = code.charAt(at);
      if (character === "," && depth > 0 && next !== "" && !" \t)]}".includes(next)) made += " ";
    }
  }
  return open === 0 ? assigned(made) : made;
}

/** `x=1` → `x = 1`. */
function assigned(code: string): string {
  const equals = assignmentAt(code, 0, code.length);
  const put = equals === -1 ? putAt(code, 0, code.length) : { start: equals, end: equals + 1 };
  if (put === null) return code;
  return `${code.slice(0, put.start).trimEnd()} ${code.slice(put.start, put.end)} ${code.slice(put.end).trimStart()}`;
}
