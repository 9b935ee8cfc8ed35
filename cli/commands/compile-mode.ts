/**
 * The flags that choose how a command compiles source, and which of the two it does without them (docs/cli.md, strict and loose): a
 * command that judges or translates a program is strict; one that runs it, or tells what a run of it can touch, reads it as `wf run` does.
 */
import { Option } from "../clipanion.ts";
import { usageFault } from "../faults.ts";

export type CompileMode = "strict" | "loose";

const MEANINGS: Readonly<Record<CompileMode, string>> = {
  strict: "compile in strict mode",
  loose: "compile in non-strict mode",
};

/** `--strict` or `--loose` of a command; `standard` is what it does without them, `of` the only action it belongs to. */
export function modeFlag(mode: CompileMode, standard: CompileMode, of = "") {
  const description = `${of}${MEANINGS[mode]}${mode === standard ? " (the default here)" : ""}`;
  return Option.Boolean(`--${mode}`, false, { description });
}

/** Whether source is compiled in strict mode. Fails when both flags are given. */
export function isStrict(given: Readonly<Record<CompileMode, boolean>>, standard: CompileMode): boolean {
  if (given.strict && given.loose) throw usageFault("--strict and --loose exclude each other");
  return given.strict || (!given.loose && standard === "strict");
}
