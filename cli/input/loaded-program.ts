/** A program that can be run, with what was found in it. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import type { TextOf } from "../session/faults.ts";
import type { ProgramInput } from "./input.ts";

export type LoadedProgram = {
  readonly input: ProgramInput;
  readonly ir: Ir;
  readonly diagnostics: readonly Diagnostic[];
  readonly warnings: readonly string[];
  readonly compileMs: number;
  readonly cached: boolean;
  readonly textOf: TextOf;
};
