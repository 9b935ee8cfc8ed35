/** Checking many files: read each, compile it, apply fixes where asked, and print all of it in one of four forms. */

import { parse } from "node:path";
import { DEFAULT_LIFETIME_S } from "../../compiler/catalog/time-span.ts";
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import { type AppliedFix, type FixedText, fixText } from "../../compiler/fixes/apply-fixes.ts";
import { isGuess } from "../../compiler/fixes/guessed-fixes.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject } from "../../compiler/json.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { expandFiles, writeAtomically } from "../input/files.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { githubDiagnostics, humanDiagnostics, sarif } from "../output/diagnostics.ts";
import { printFaultLines } from "../output/fault.ts";
import { violationLines } from "../output/policy.ts";
import { leftOut, severityCounts, shownDiagnostics } from "../output/shown-diagnostics.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { adaptersOf, checkSource, compileInput, type LoadOptions } from "../run/load-program.ts";
import type { TextOf } from "../session/faults.ts";
import { CliFault, EXIT, usageFault, worstExit } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { RUNTIME_VERSION } from "../session/version.ts";

export const FORMATS = ["human", "json", "github", "sarif"] as const;

export type CheckPlan = {
  readonly files: readonly string[];
  readonly strict: boolean;
  readonly inputs: readonly string[];
  readonly grant: EffectiveGrant;
  readonly includeRoots: readonly string[];
  readonly fix: boolean;
  /** `fix` applies guesses too. */
  readonly guesses: boolean;
  readonly hints: boolean;
  /** The compiler is asked for advice as well, which comes as hints. */
  readonly advice: boolean;
  /** Hints about the predecessor are always shown, the others only with `hints`. */
  readonly compatNotes: boolean;
  /** Settings of deployments, by the name of the program: how long jobs of it live. */
  readonly deployments: Readonly<Record<string, unknown>>;
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
  readonly violations: readonly Violation[];
  /** The file could not be read, or its IR not be used. */
  readonly fault: CliFault | null;
  readonly applied?: readonly AppliedFix[];
};

const NOT_FIXED: readonly AppliedFix[] = [];

/** A construct that means something else than in the predecessor; a run that begins elsewhere. */
const COMPAT_HINTS: ReadonlySet<string> = new Set(["WF9021", "WF9027"]);

export async function checkFiles(session: Session, plan: CheckPlan): Promise<number> {
  const names = plan.files.length === 0 ? ["-"] : expandFiles(session.cwd, plan.files);
  if (plan.files.length === 0 && session.io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
  if (plan.fix && names.includes("-")) throw usageFault("--fix needs a file, not standard input");
  const reports: FileReport[] = [];
  for (const name of names) reports.push(await checkOne(session, plan, name));
  const only = reports[0];
  if (reports.length === 1 && only?.fault?.exitCode === EXIT.usage) throw only.fault;
  const warnings = countOf(reports, "warning");
  const tooMany = plan.mostWarnings !== null && warnings > plan.mostWarnings;
  for (const warning of plan.grant.warnings) session.screen.warning(warning);
  const guesses = plan.fix ? reports.reduce((sum, report) => sum + guessesOf(report), 0) : 0;
  if (guesses > 0)
    session.screen.note(
      `${counted(guesses, "guess", "guesses")} left alone${plan.guesses ? "" : "; --fix --guesses applies guesses too"}`,
    );
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
      allowedAdapters: plan.grant.allowed,
      compatNotes: plan.compatNotes,
      advice: plan.advice,
      lifetimeS: lifetimeOf(plan, name),
    };
    if (input.content.kind !== "source") {
      const loaded = compileInput(session, input, options);
      const violations = violationsOf(session, plan, loaded.ir);
      return { path: input.name, ir: loaded.ir, diagnostics: [], textOf: loaded.textOf, violations, fault: null };
    }
    const before = input.content.text;
    const { text, applied } = plan.fix
      ? fixed(session, plan, input, before, options)
      : { text: before, applied: NOT_FIXED };
    const result = checkSource(session, input, text, options);
    const diagnostics = shownOf(plan, result.diagnostics);
    const violations = result.ir === null ? [] : violationsOf(session, plan, result.ir);
    return { path: input.name, ir: result.ir, diagnostics, textOf: result.textOf, violations, fault: null, applied };
  } catch (cause) {
    if (!(cause instanceof CliFault)) throw cause;
    return { path: name, ir: null, diagnostics: [], textOf: () => null, violations: [], fault: cause };
  }
}

function lifetimeOf({ deployments }: CheckPlan, name: string): number {
  const settings = deployments[parse(name).name];
  const seconds = isObject(settings) ? settings["lifetime_s"] : undefined;
  return typeof seconds === "number" ? seconds : DEFAULT_LIFETIME_S;
}

function violationsOf(session: Session, plan: CheckPlan, ir: Ir): readonly Violation[] {
  return session.host.checkPolicy(ir, plan.grant.policy, plan.grant.explanation.rule).errors;
}

/** Applies fixes until none is left, writes the file once, and says what was done. */
function fixed(session: Session, plan: CheckPlan, input: ProgramInput, text: string, options: LoadOptions): FixedText {
  const result = fixText(text, plan.guesses, (current) =>
    shownOf(plan, checkSource(session, input, current, options).diagnostics),
  );
  if (result.text !== text && input.path !== null) writeAtomically(session.cwd, input.name, result.text);
  for (const { line, column, code, title } of result.applied)
    session.screen.note(`fixed ${input.name}:${line}:${column} ${code} ${title}`);
  return result;
}

function shownOf(plan: CheckPlan, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ code, severity }) => plan.hints || severity !== "hint" || (plan.compatNotes && COMPAT_HINTS.has(code)),
  );
}

/** Guesses that `--fix` left: those of the file itself, fixes of included files are not made from here. */
function guessesOf(report: FileReport): number {
  return report.diagnostics.filter((diagnostic) => isGuess(diagnostic) && diagnostic.span?.file === null).length;
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
  if (report.violations.length > 0) return EXIT.policy;
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
  else printHuman(session, plan, reports);
  if (tooManyWarnings) screen.err(`${tooManyMessage(plan)}\n`);
  printViolations(session, reports);
  for (const { fault } of reports) if (fault !== null) printFaultLines(fault, screen);
}

function printViolations(session: Session, reports: readonly FileReport[]): void {
  const { screen } = session;
  for (const { path, ir, violations } of reports) {
    if (violations.length === 0 || ir === null) continue;
    const head = `${screen.errorPaint.error("error")} ${screen.errorPaint.bold("policy_violation")}`;
    screen.err(`${head}  ${visible(path)}: ${counted(violations.length, "violation")}\n`);
    for (const line of violationLines(violations, ir, true)) screen.err(`  ${visible(line)}\n`);
  }
}

const tooManyMessage = (plan: CheckPlan): string => `too many warnings: at most ${plan.mostWarnings} allowed`;

function printHuman(session: Session, plan: CheckPlan, reports: readonly FileReport[]): void {
  const { screen } = session;
  const lists = shownDiagnostics(
    reports.map(({ diagnostics }) => diagnostics),
    plan.mostShown,
  );
  const left: Diagnostic[] = [];
  for (const [at, report] of reports.entries()) {
    const shown = lists[at] ?? [];
    left.push(...leftOut(report.diagnostics, shown));
    if (shown.length === 0) continue;
    const fixHint = plan.fix ? null : "wf check --fix";
    screen.out(
      `${humanDiagnostics(shown, { name: report.path, textOf: report.textOf, paint: screen.paint, width: screen.width, fixHint })}\n`,
    );
  }
  if (left.length > 0)
    screen.out(`… ${left.length} more; --max-diagnostics N shows more of them (${severityCounts(left)})\n`);
  const files = counted(reports.length, "file");
  const counts = [counted(countOf(reports, "error"), "error"), counted(countOf(reports, "warning"), "warning")];
  const hints = countOf(reports, "hint");
  if (hints > 0) counts.push(counted(hints, "hint"));
  const clean = reports.every(
    (report) => report.fault === null && report.diagnostics.length === 0 && report.violations.length === 0,
  );
  screen.out(clean ? `${screen.paint.ok("ok")}  ${files}\n` : `${[files, ...counts].join(", ")}\n`);
}

function jsonReport(plan: CheckPlan, reports: readonly FileReport[], tooManyWarnings: boolean) {
  return {
    ok: !tooManyWarnings && reports.every((report) => exitOf(report) === EXIT.success),
    files: reports.map((report) => jsonFile(plan, report)),
    errors: countOf(reports, "error"),
    warnings: countOf(reports, "warning"),
    ...(tooManyWarnings ? { message: tooManyMessage(plan) } : {}),
  };
}

function jsonFile(plan: CheckPlan, report: FileReport) {
  const [shown = []] = shownDiagnostics([report.diagnostics], plan.mostShown);
  const hidden = report.diagnostics.length - shown.length;
  return {
    path: report.path,
    ok: exitOf(report) === EXIT.success,
    ir_version: report.ir?.ir_version ?? null,
    checksum: report.ir?.checksum ?? null,
    diagnostics: shown.map(diagnosticDocument),
    ...(hidden === 0 ? {} : { diagnostics_truncated: hidden }),
    required_adapters: report.ir === null ? [] : adaptersOf(report.ir),
    ...(plan.fix ? { fixed: report.applied ?? NOT_FIXED, guesses_left: guessesOf(report) } : {}),
    ...(report.violations.length === 0 ? {} : { error: "policy_violation", policy_errors: report.violations }),
    ...(report.fault === null
      ? {}
      : { error: report.fault.error, message: report.fault.message, ...report.fault.members }),
  };
}
