/** Checking many files: read each, compile it, apply fixes where asked, and print all of it in one of four forms. */

import type { Ir } from "../compiler/ir/graph.ts";
import type { Diagnostic, Edit } from "../grammar/diagnostic.ts";
import type { Session } from "./commands/base.ts";
import { CliFault, EXIT, usageFault, worstExit } from "./faults.ts";
import { expandFiles, writeAtomically } from "./files.ts";
import { type ProgramInput, readProgram } from "./input.ts";
import { visible } from "./output/columns.ts";
import { githubDiagnostics, humanDiagnostics, jsonDiagnostic, sarif, type TextOf } from "./output/diagnostics.ts";
import { counted } from "./output/table.ts";
import { adaptersOf, checkSource, compileInput, type LoadOptions } from "./program.ts";
import { RUNTIME_VERSION } from "./version.ts";

export const FORMATS = ["human", "json", "github", "sarif"] as const;
const MAX_FIX_ROUNDS = 10;

export type CheckPlan = {
  readonly files: readonly string[];
  readonly strict: boolean;
  readonly inputs: readonly string[];
  readonly allowed: readonly string[] | null;
  readonly includeRoots: readonly string[];
  readonly fix: boolean;
  readonly hints: boolean;
  /** null: any number. */
  readonly mostWarnings: number | null;
  readonly mostShown: number;
  readonly format: (typeof FORMATS)[number];
};

type FileReport = {
  readonly path: string;
  readonly ir: Ir | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly textOf: TextOf;
  /** The file could not be read, or its IR not be used. */
  readonly fault: CliFault | null;
};

export async function checkFiles(session: Session, plan: CheckPlan): Promise<number> {
  const names = plan.files.length === 0 ? ["-"] : expandFiles(session.cwd, plan.files);
  if (plan.files.length === 0 && session.io.stdin.terminal)
    throw usageFault("a FILE is needed (or - for standard input)");
  if (plan.fix && names.includes("-")) throw usageFault("--fix needs a file, not standard input");
  const reports: FileReport[] = [];
  for (const name of names) reports.push(await checkOne(session, plan, name));
  const only = reports[0];
  if (reports.length === 1 && only?.fault?.exitCode === EXIT.usage) throw only.fault;
  const warnings = countOf(reports, "warning");
  const tooMany = plan.mostWarnings !== null && warnings > plan.mostWarnings;
  print(session, plan, reports, tooMany);
  return worstExit([...reports.map(exitOf), tooMany ? EXIT.failed : EXIT.success]);
}

async function checkOne(session: Session, plan: CheckPlan, name: string): Promise<FileReport> {
  try {
    const input = await readProgram(session.io, session.cwd, name);
    const options: LoadOptions = {
      strict: plan.strict,
      inputs: plan.inputs,
      includeRoots: plan.includeRoots,
      allowedAdapters: plan.allowed,
    };
    if (input.content.kind === "ir") {
      const loaded = compileInput(session, input, options);
      return { path: input.name, ir: loaded.ir, diagnostics: [], textOf: loaded.textOf, fault: null };
    }
    const text = plan.fix ? fixed(session, plan, input, input.content.text, options) : input.content.text;
    const result = checkSource(session, input, text, options);
    const diagnostics = result.diagnostics.filter((diagnostic) => plan.hints || diagnostic.severity !== "hint");
    return { path: input.name, ir: result.ir, diagnostics, textOf: result.textOf, fault: null };
  } catch (cause) {
    if (!(cause instanceof CliFault)) throw cause;
    return { path: name, ir: null, diagnostics: [], textOf: () => null, fault: cause };
  }
}

/** Applies fixes until none is left, and writes the file once. */
function fixed(session: Session, plan: CheckPlan, input: ProgramInput, original: string, options: LoadOptions): string {
  let text = original;
  for (let round = 0; round < MAX_FIX_ROUNDS; round += 1) {
    const { diagnostics } = checkSource(session, input, text, options);
    const wanted = diagnostics.filter((diagnostic) => plan.hints || diagnostic.severity !== "hint");
    const next = applyFixes(text, wanted);
    if (next === text) break;
    text = next;
  }
  if (text !== original && input.path !== null) {
    writeAtomically(session.cwd, input.path, text);
    session.screen.note(`${input.name} was changed`);
  }
  return text;
}

/** Applies every fix whose edits lie in the program itself and touch no edit taken before; a fix is applied whole or not at all. */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): string {
  const taken: Edit[] = [];
  for (const { fix } of diagnostics) {
    if (fix === null || fix.edits.length === 0) continue;
    const inside = fix.edits.every(
      ({ span }) => span.file === null && span.start >= 0 && span.start <= span.end && span.end <= text.length,
    );
    const free = fix.edits.every(({ span }) =>
      taken.every((other) => span.end < other.span.start || other.span.end < span.start),
    );
    if (inside && free) taken.push(...fix.edits);
  }
  let result = text;
  for (const { span, new_text } of taken.sort((a, b) => b.span.start - a.span.start)) {
    result = result.slice(0, span.start) + new_text + result.slice(span.end);
  }
  return result;
}

function countOf(reports: readonly FileReport[], severity: Diagnostic["severity"]): number {
  let count = 0;
  for (const report of reports) {
    count += report.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    if (severity === "error" && report.fault !== null) count += 1;
  }
  return count;
}

function exitOf(report: FileReport): number {
  if (report.fault !== null) return report.fault.exitCode;
  return report.ir === null ? EXIT.failed : EXIT.success;
}

function print(session: Session, plan: CheckPlan, reports: readonly FileReport[], tooManyWarnings: boolean): void {
  const { screen } = session;
  if (plan.format === "json") {
    screen.document(jsonReport(plan, reports, tooManyWarnings));
    return;
  }
  if (plan.format === "sarif") {
    const files = reports.map(({ path, diagnostics }) => ({ path, diagnostics }));
    screen.document(sarif(files, RUNTIME_VERSION));
    return;
  }
  if (plan.format === "github")
    screen.out(reports.map((report) => githubDiagnostics(report.diagnostics, report.path)).join(""));
  else printHuman(session, plan, reports, tooManyWarnings);
  for (const { fault } of reports)
    if (fault !== null) screen.err(`${screen.errorPaint.error("error")} ${visible(fault.message)}\n`);
}

function printHuman(session: Session, plan: CheckPlan, reports: readonly FileReport[], tooManyWarnings: boolean): void {
  const { screen } = session;
  let room = plan.mostShown;
  let hidden = 0;
  for (const report of reports) {
    const shown = report.diagnostics.slice(0, room);
    room -= shown.length;
    hidden += report.diagnostics.length - shown.length;
    if (shown.length === 0) continue;
    const fixHint = plan.fix ? null : "wf check --fix";
    screen.out(
      `${humanDiagnostics(shown, { name: report.path, textOf: report.textOf, paint: screen.paint, width: screen.width, fixHint })}\n`,
    );
  }
  if (hidden > 0) screen.out(`… ${hidden} more; --max-diagnostics N shows more of them\n`);
  const files = counted(reports.length, "file");
  const counts = [counted(countOf(reports, "error"), "error"), counted(countOf(reports, "warning"), "warning")];
  const hints = countOf(reports, "hint");
  if (hints > 0) counts.push(counted(hints, "hint"));
  const clean = reports.every((report) => report.fault === null && report.diagnostics.length === 0);
  screen.out(clean ? `${screen.paint.ok("ok")}  ${files}\n` : `${[files, ...counts].join(", ")}\n`);
  if (tooManyWarnings) screen.err(`too many warnings: at most ${plan.mostWarnings} allowed\n`);
}

function jsonReport(plan: CheckPlan, reports: readonly FileReport[], tooManyWarnings: boolean) {
  return {
    ok: !tooManyWarnings && reports.every((report) => exitOf(report) === EXIT.success),
    files: reports.map((report) => ({
      path: report.path,
      ok: exitOf(report) === EXIT.success,
      ir_version: report.ir?.ir_version ?? null,
      checksum: report.ir?.checksum ?? null,
      diagnostics: report.diagnostics.slice(0, plan.mostShown).map(jsonDiagnostic),
      required_adapters: report.ir === null ? [] : adaptersOf(report.ir),
      ...(report.fault === null
        ? {}
        : { error: report.fault.error, message: report.fault.message, ...report.fault.members }),
    })),
    errors: countOf(reports, "error"),
    warnings: countOf(reports, "warning"),
  };
}
