/**
 * Advice that is given on request only (option `advice`, `wf lint`): inputs that are overwritten unread, calls whose failure nothing
 * handles. It is about habits, not about faults, so it is never more than a hint.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import type { LoweredProgram } from "../lower/lowered.ts";
import type { CompileOptions } from "../options.ts";
import { overwrittenInputs } from "./overwritten-inputs.ts";
import { viewProgram } from "./program-view.ts";
import { unhandledCalls } from "./unhandled-calls.ts";

export function advise(program: LoweredProgram, options: CompileOptions): Finding[] {
  const view = viewProgram(program);
  return [...overwrittenInputs(view, options.inputs ?? []), ...unhandledCalls(view, options.catalog)];
}
