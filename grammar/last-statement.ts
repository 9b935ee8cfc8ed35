/** Which statement of an unfinished program is being written. */
import type { SourceFile } from "./ast.ts";
import type { Finding } from "./diagnostic.ts";
import { findOutside } from "./steps/slots.ts";

/** How far back the beginning of a statement is looked for. */
export const MAX_STATEMENT_LENGTH = 4000;
const MAX_LINES = 200;

/** An unfinished statement and where it begins. */
export type Tail = { readonly text: string; readonly from: number };

/** The statement the caret is in: its line, or the line on which its first open bracket's step began. */
export function lastStatement(prefix: string, file: SourceFile): Tail {
  const line = prefix.lastIndexOf("\n") + 1;
  const unclosed = lastUnclosed(file.findings);
  const begun = file.lines.findLast(({ span }) => unclosed >= span.start);
  const from = begun !== undefined && begun === file.lines.at(-1) ? Math.min(begun.span.start, line) : line;
  return { text: prefix.slice(from), from };
}

/** Offset of the last unclosed bracket; -1 without one. */
function lastUnclosed(findings: readonly Finding[]): number {
  return findings.reduce((last, { code, span }) => (code === "WF1002" ? Math.max(last, span?.start ?? 0) : last), -1);
}

/** The same in the indented form: lines above it belong to it while a bracket is open. */
export function lastOfGraph(prefix: string): Tail {
  const last = prefix.lastIndexOf("\n") + 1;
  let start = last;
  let above = last;
  for (let lines = 0; above > 0 && lines < MAX_LINES; lines++) {
    above = prefix.lastIndexOf("\n", above - 2) + 1;
    if (last - above > MAX_STATEMENT_LENGTH || !/^[\s)\]}]/.test(prefix.slice(above))) break;
    if (hasOpenBracket(prefix.slice(above, start))) start = above;
  }
  return { text: prefix.slice(start), from: start };
}

function hasOpenBracket(lines: string): boolean {
  let open = 0;
  for (const line of lines.split("\n"))
    open = findOutside(line, 0, line.length, (character) => character === "#", open).depth;
  return open > 0;
}
