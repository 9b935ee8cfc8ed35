/**
 * The flags that choose how a command compiles source, and the default of each command (docs/cli.md, strict and loose): a
 * command that checks or translates a program is strict; one that runs it, or reports what a run can access, is loose like `wf run`.
 */
import { Option } from "../../argv/clipanion.ts";
import { usageFault } from "../../session/faults.ts";

export type CompileMode = "strict" | "loose";

const MEANINGS: Readonly<Record<CompileMode, string>> = {
  strict: "compile in strict mode",
  loose: "compile in non-strict mode",
};

/** `--strict` or `--loose` of a command; `standard` is the default of the command, `of` the action it belongs to, with a colon. */
export function modeFlag(mode: CompileMode, standard: CompileMode, of = "") {
  const description = `${of}${MEANINGS[mode]}${mode === standard ? " (default)" : ""}`;
  return Option.Boolean(`--${mode}`, false, { description });
}

/** Whether source is compiled in strict mode. Fails when both flags are given. */
export function isStrict(given: Readonly<Record<CompileMode, boolean>>, standard: CompileMode): boolean {
  if (given.strict && given.loose) throw usageFault("--strict and --loose exclude each other");
  return given.strict || (!given.loose && standard === "strict");
}
