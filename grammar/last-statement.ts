/** Which statement of an unfinished program is being written. */
import type { SourceFile } from "./ast.ts";
import type { Finding } from "./diagnostic.ts";

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
