/** Where a command prints: results to stdout, everything else to stderr, coloured and as wide as each stream allows. */

import { type ColourChoice, createPaint, type Paint, useColour } from "../output/terminal/colour.ts";
import { visible, visibleLines } from "../output/terminal/columns.ts";
import { jsonLine } from "../output/terminal/json.ts";
import type { CliEnvironment } from "./environment.ts";
import type { CliIo } from "./io.ts";

export type ScreenFlags = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: ColourChoice;
};

export type Screen = ScreenFlags & {
  readonly width: number;
  /** Tables are cut to fit a terminal only: a file or a pipe gets every cell whole. */
  readonly tableWidth: number;
  /** Widths of traces on stdout and on stderr: those of the terminal, Infinity where the stream has none. */
  readonly traceWidth: number;
  readonly errorTraceWidth: number;
  /** Colours of stdout and of stderr: one may be a file. */
  readonly paint: Paint;
  readonly errorPaint: Paint;
  /** What is safe to print as it is: made of parts that were made visible one by one. */
  out(text: string): void;
  err(text: string): void;
  /** A text of others, whole: a terminal must not obey what stands in it, a file or pipe gets it as it is. */
  text(text: string): void;
  /** The one document of `--json`. */
  document(value: unknown): void;
  /** Hidden by --quiet. */
  note(text: string): void;
  warning(text: string): void;
};

export function createScreen(io: CliIo, environment: CliEnvironment, flags: ScreenFlags): Screen {
  const errorPaint = createPaint(useColour(flags.colour, environment, io.stderr));
  const width = environment.columns ?? io.stdout.columns ?? io.stderr.columns ?? 80;
  return {
    ...flags,
    width,
    tableWidth: environment.columns ?? (io.stdout.terminal ? width : Number.POSITIVE_INFINITY),
    traceWidth: environment.columns ?? io.stdout.columns ?? Number.POSITIVE_INFINITY,
    errorTraceWidth: environment.columns ?? io.stderr.columns ?? Number.POSITIVE_INFINITY,
    paint: createPaint(useColour(flags.colour, environment, io.stdout)),
    errorPaint,
    out: (text) => io.stdout.write(text),
    err: (text) => io.stderr.write(text),
    text: (text) => io.stdout.write(io.stdout.terminal ? visibleLines(text) : text),
    document: (value) => io.stdout.write(jsonLine(value)),
    note: (text) => {
      if (!flags.quiet) io.stderr.write(`${errorPaint.dim("note")} ${visible(text)}\n`);
    },
    warning: (text) => io.stderr.write(`${errorPaint.warning("warning")} ${visible(text)}\n`),
  };
}
