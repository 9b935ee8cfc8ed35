/**
 * The checks of a linked program (docs/diagnostics.md), one after the other: structure of labels, variables that
 * nothing sets, calls against the catalog, advice. References were resolved by lowering, which reports them.
 * Every check is linear or nearly so, and none is recursive over labels.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import { completed, type Task } from "../../grammar/text/task.ts";
import type { LoweredProgram } from "../lower/lowered.ts";
import type { CompileOptions, UndeclaredRead } from "../options.ts";
import { compatNotes } from "../predecessor/notes.ts";
import { checkAbsentInputs } from "./absent-input.ts";
import { checkAdapters } from "./adapters.ts";
import { checkBranches } from "./branches.ts";
import { checkWaits, waitsInTurns } from "./calls/waits.ts";
import { checkErrorMembers } from "./error-members.ts";
import { viewProgram } from "./program-view.ts";
import { checkReachability } from "./reachability.ts";
import { checkStructure } from "./structure.ts";
import { checkTemplates } from "./text-templates.ts";
import { checkDataflow } from "./variables/dataflow.ts";
import { checkRecordMembers } from "./variables/record-members.ts";
import { type ValueTypes, valueTypes } from "./variables/value-types.ts";

export type CheckResult = { readonly findings: Finding[]; readonly undeclared_reads: UndeclaredRead[] };

/** `given`: the caller's names, for what says something because of them; what they take away is taken away later. */
export function check(program: LoweredProgram, options: CompileOptions, given = options.inputs ?? []): CheckResult {
  return completed(checkTask(program, options, given));
}

/** The same in pieces of some milliseconds. */
export function* checkTask(
  program: LoweredProgram,
  options: CompileOptions,
  given: readonly string[],
): Task<CheckResult> {
  const view = viewProgram(program);
  yield;
  const dataflow = yield* checkDataflow(view, options);
  yield;
  const structure = yield* checkStructure(view);
  yield;
  const findings = structure.concat(dataflow.findings, yield* checkAbsentInputs(view, dataflow.findings));
  yield;
  for (const finding of yield* checkAdapters(view, options)) findings.push(finding);
  yield;
  for (const finding of checkBranches(view)) findings.push(finding);
  for (const finding of checkWaits(view)) findings.push(finding);
  yield;
  for (const finding of waitsInTurns(view)) findings.push(finding);
  yield;
  for (const finding of checkReachability(view, options)) findings.push(finding);
  yield;
  for (const finding of yield* checkTemplates(view, options)) findings.push(finding);
  yield;
  for (const finding of checkErrorMembers(view, options)) findings.push(finding);
  yield;
  // Most programs need none. Those of a large one are found in pieces before a check needs them in the middle of its own.
  let known: ValueTypes | null = isLarge(program) ? yield* valueTypes(view, given) : null;
  const types = (): ValueTypes => {
    known ??= completed(valueTypes(view, given));
    return known;
  };
  for (const finding of checkRecordMembers(view, types)) findings.push(finding);
  yield;
  if (options.compat_notes === true) findings.push(...compatNotes(view, given));
  return { findings, undeclared_reads: dataflow.undeclared_reads };
}

const MANY_STEPS = 2000;

function isLarge({ labels }: LoweredProgram): boolean {
  let count = 0;
  for (const { steps } of labels) count += steps.length;
  return count > MANY_STEPS;
}
