/**
 * The checks of a linked program (docs/diagnostics.md), one after the other: structure of labels, variables that
 * nothing sets, calls against the catalog, advice. References were resolved by lowering, which reports them.
 * Every check is linear or nearly so, and none is recursive over labels.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import type { LoweredProgram } from "../lower/lowered.ts";
import type { CompileOptions, UndeclaredRead } from "../options.ts";
import { checkAdapters } from "./adapters.ts";
import { compatNotes } from "./compat.ts";
import { checkDataflow } from "./dataflow.ts";
import { viewProgram } from "./program-view.ts";
import { checkReachability } from "./reachability.ts";
import { checkStructure } from "./structure.ts";

export type CheckResult = { readonly findings: Finding[]; readonly undeclared_reads: UndeclaredRead[] };

export function check(program: LoweredProgram, options: CompileOptions): CheckResult {
  const view = viewProgram(program);
  const dataflow = checkDataflow(view, options);
  const findings = [
    ...checkStructure(view),
    ...dataflow.findings,
    ...checkAdapters(view, options),
    ...checkReachability(view, options),
    ...(options.compat_notes === true ? compatNotes(view) : []),
  ];
  return { findings, undeclared_reads: dataflow.undeclared_reads };
}
