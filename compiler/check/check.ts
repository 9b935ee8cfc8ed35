/**
 * The checks of a linked program (docs/diagnostics.md), one after the other: structure of labels, variables that
 * nothing sets, calls against the catalog, advice. References were resolved by lowering, which reports them.
 * Every check is linear or nearly so, and none is recursive over labels.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import type { LoweredProgram } from "../lower/lowered.ts";
import type { CompileOptions, UndeclaredRead } from "../options.ts";
import { checkAdapters } from "./adapters.ts";
import { checkBranches } from "./branches.ts";
import { checkAnswers } from "./calls/answers.ts";
import { checkWaits, waitsInTurns } from "./calls/waits.ts";
import { compatNotes } from "./compat-notes.ts";
import { viewProgram } from "./program-view.ts";
import { checkReachability } from "./reachability.ts";
import { checkStructure } from "./structure.ts";
import { checkDataflow } from "./variables/dataflow.ts";

export type CheckResult = { readonly findings: Finding[]; readonly undeclared_reads: UndeclaredRead[] };

/** `given`: the caller's names, for what says something because of them; what they take away is taken away later. */
export function check(program: LoweredProgram, options: CompileOptions, given = options.inputs ?? []): CheckResult {
  const view = viewProgram(program);
  const dataflow = checkDataflow(view, options);
  const findings = checkStructure(view).concat(
    dataflow.findings,
    checkAdapters(view, options),
    checkBranches(view),
    checkWaits(view),
    waitsInTurns(view),
    checkAnswers(view, options),
    checkReachability(view, options),
    options.compat_notes === true ? compatNotes(view, given) : [],
  );
  return { findings, undeclared_reads: dataflow.undeclared_reads };
}
