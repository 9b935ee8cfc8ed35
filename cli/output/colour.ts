/** Colours are hints only. Whether they are used: the flag, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal. */
import picocolors from "picocolors";
import type { CliEnvironment } from "../environment.ts";
import type { TextSink } from "../io.ts";

export type ColourChoice = "auto" | "always" | "never";
export type Paint = {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  /** Hints and label names. */
  readonly hint: (text: string) => string;
  readonly ok: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
};

export function useColour(choice: ColourChoice, environment: CliEnvironment, sink: TextSink): boolean {
  if (choice !== "auto") return choice === "always";
  if (environment.noColor) return false;
  if (environment.forceColor !== null) return environment.forceColor;
  return sink.terminal && !environment.dumbTerminal;
}

export function createPaint(enabled: boolean): Paint {
  const colours = picocolors.createColors(enabled);
  return {
    error: colours.red,
    warning: colours.yellow,
    hint: colours.cyan,
    ok: colours.green,
    dim: colours.dim,
    bold: colours.bold,
  };
}
