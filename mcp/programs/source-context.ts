/** The line that a diagnostic is about, with carets under its place, as plain text for a model. */
import type { Span } from "../../grammar/text/span.ts";

/** Code units shown of a longer line, around the place. */
const WIDTH = 120;

/** `2 | J ghost` and carets below; null for a place in another file, or in none. `lines` are those of the program. */
export function sourceContext(span: Span | null, lines: readonly string[]): string | null {
  const whole = span === null || span.file !== null ? undefined : lines[span.line - 1];
  if (span === null || whole === undefined) return null;
  const line = whole.replace(/\r$/, "");
  const from = span.column - 1;
  const to = span.end_line === span.line ? span.end_column - 1 : line.length;
  const start = from < WIDTH ? 0 : from - WIDTH / 2;
  const shown = line.slice(start, start + WIDTH).toWellFormed();
  const cut = { before: start > 0 ? "…" : "", after: start + WIDTH < line.length ? "…" : "" };
  const number = String(span.line);
  // Tabs stay tabs below as well, so that the carets stand right whatever their width.
  const indent = `${cut.before === "" ? "" : " "}${line.slice(start, from).replace(/[^\t]/g, " ")}`;
  const carets = "^".repeat(Math.max(1, Math.min(to, start + WIDTH) - from));
  return `${number} | ${cut.before}${shown}${cut.after}\n${" ".repeat(number.length)} | ${indent}${carets}`;
}
