/** A line of a terminal that is drawn over again and again. One that wraps cannot be: it is cut to the window. */
import type { CliEnvironment } from "../../session/environment.ts";
import type { TextSink } from "../../session/io.ts";
import { cut } from "./columns.ts";

const USUAL_COLUMNS = 80;

/** Columns kept free for `^C`, which a terminal shows after the line, and for the last column, after which it wraps. */
const LEFT_FREE = 3;

/** Returns to the first column and clears the line. */
export const ERASED = "\r\u001b[K";

export function redrawnLine(text: string, columns: number | null): string {
  return `\r${cut(text, (columns ?? USUAL_COLUMNS) - LEFT_FREE)}\u001b[K`;
}

/** A dumb terminal would show how a line is erased instead of doing it, and so would the log of a CI job. */
export function canRedraw(sink: TextSink, environment: CliEnvironment): boolean {
  return sink.terminal && !environment.dumbTerminal && !environment.ci;
}
