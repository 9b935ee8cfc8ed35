/** Colours are hints only. Whether they are used: the flag, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal. */
import picocolors from "picocolors";
import type { TextSink } from "../../session/io.ts";

export type ColourChoice = "auto" | "always" | "never";
/** What the environment says about colours; `forceColor` is null when it says nothing. */
type ColourSettings = {
  readonly noColor: boolean;
  readonly forceColor: boolean | null;
  readonly dumbTerminal: boolean;
};
export type Paint = {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  /** Hints and label names. */
  readonly hint: (text: string) => string;
  readonly ok: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
};

export function useColour(choice: ColourChoice, environment: ColourSettings, sink: TextSink): boolean {
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
