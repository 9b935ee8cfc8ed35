/**
 * Formatting files: canonical layout, comments kept. Before anything is written, the formatted text is compiled and must have the
 * same checksum as the original: a formatter may never change what a program does.
 */
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import { finishFindings } from "../../compiler/diagnostics.ts";
import { unifiedDiff } from "../../compiler/diff/text-diff.ts";
import { format } from "../../grammar/print/print.ts";
import { expandFiles, writeAtomically } from "../input/files.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { humanDiagnostics } from "../output/diagnostics.ts";
import { visible } from "../output/terminal/columns.ts";
import { shellWord } from "../output/terminal/shell-word.ts";
import { counted } from "../output/terminal/table.ts";
import { checkSource } from "../run/load-program.ts";
import { CliFault, CompileFault, EXIT, usageFault, worstExit } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export type FormatPlan = { readonly files: readonly string[]; readonly check: boolean; readonly diff: boolean };
type FileResult = {
  readonly path: string;
  readonly changed: boolean;
  readonly exit: number;
  readonly document: object;
};

export async function formatFiles(session: Session, plan: FormatPlan): Promise<number> {
  if (plan.files.length === 0 && session.io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
  const names = plan.files.length === 0 ? ["-"] : expandFiles(session.cwd, plan.files);
  const results: FileResult[] = [];
  for (const name of names) results.push(await formatOne(session, plan, name, names.length === 1));
  const exit = worstExit(results.map((result) => result.exit));
  const changed = results.filter((result) => result.changed).length;
  const filter = names.length === 1 && names[0] === "-" && !plan.check && !plan.diff;
  const { screen } = session;
  if (screen.json) screen.document({ ok: exit === EXIT.success, files: results.map((result) => result.document) });
  else if (!filter)
    screen.note(`${counted(names.length, "file")}, ${changed} ${plan.check || plan.diff ? "to format" : "formatted"}`);
  return exit;
}

async function formatOne(session: Session, plan: FormatPlan, name: string, only: boolean): Promise<FileResult> {
  try {
    const input = await readProgram(session.io, session.cwd, name);
    if (input.content.kind !== "source")
      throw usageFault(
        `${input.name} is ${input.content.kind === "ir" ? "IR" : "bytecode"}; only source can be formatted`,
      );
    return apply(session, plan, input, input.content.text, formatted(session, input, input.content.text));
  } catch (cause) {
    if (only || !(cause instanceof CliFault || cause instanceof CompileFault)) throw cause;
    return failed(session, name, cause);
  }
}

function failed(session: Session, name: string, fault: CliFault | CompileFault): FileResult {
  const { screen } = session;
  if (fault instanceof CliFault) {
    screen.err(`${screen.errorPaint.error("error")} ${visible(fault.message)}\n`);
    const document = {
      path: name,
      ok: false,
      changed: false,
      error: fault.error,
      message: fault.message,
      ...fault.members,
    };
    return { path: name, changed: false, exit: fault.exitCode, document };
  }
  const options = { name, textOf: fault.textOf, paint: screen.errorPaint, width: screen.width, fixHint: null };
  screen.err(`${humanDiagnostics(fault.diagnostics, options)}\n`);
  const document = {
    path: name,
    ok: false,
    changed: false,
    error: "compile_error",
    diagnostics: fault.diagnostics.map(diagnosticDocument),
  };
  return { path: name, changed: false, exit: EXIT.failed, document };
}

function apply(session: Session, plan: FormatPlan, input: ProgramInput, before: string, after: string): FileResult {
  const { screen } = session;
  const changed = before !== after;
  const stdin = input.path === null;
  const document = {
    path: input.name,
    ok: !(plan.check && changed),
    changed,
    ...(stdin && screen.json ? { text: after } : {}),
  };
  if (changed && !plan.check && !plan.diff && !stdin) writeAtomically(session.cwd, input.name, after);
  if (!screen.json) {
    if (plan.diff) screen.text(unifiedDiff(before, after, input.name));
    else if (plan.check && changed) screen.out(`${visible(input.name)}\n`);
    else if (changed && !stdin && !plan.check) screen.out(`${visible(input.name)}\n`);
    else if (stdin && !plan.check) screen.text(after);
  }
  return { path: input.name, changed, exit: plan.check && changed ? EXIT.failed : EXIT.success, document };
}

/** The canonical text, proven to mean the same. */
function formatted(session: Session, input: ProgramInput, text: string): string {
  const result = format(text);
  if (!result.ok) throw new CompileFault(finishFindings(result.findings, { strict: true }), input.name, () => text);
  const canonical = withLineEnds(result.text, text);
  if (canonical === text) return text;
  const before = meaningOf(session, input, text);
  const after = meaningOf(session, input, canonical);
  if (before === after) return canonical;
  if (outgrown(result.text)) {
    throw new CliFault(`${input.name} would be larger than a program may be once formatted; it was left as it is`, {
      error: "source_too_large",
      exitCode: EXIT.failed,
    });
  }
  const sound = checkSource(session, input, text, { strict: true }).ir !== null;
  if (sound) throw new Error("the formatter changed what the program means");
  throw new CliFault(`${input.name} has errors that keep it from being formatted; it was left as it is`, {
    error: "compile_error",
    exitCode: EXIT.failed,
    notes: [`wf check ${shellWord(input.name)} lists them`],
  });
}

/** A file whose lines all end in CRLF keeps them: version control may have made them, and would again. */
function withLineEnds(canonical: string, original: string): string {
  return original.includes("\r\n") && !/(?<!\r)\n/.test(original) ? canonical.replaceAll(/\r?\n/g, "\r\n") : canonical;
}

/** Indentation and empty lines can push a program of the largest size over a bound. */
function outgrown(text: string): boolean {
  const again = format(text);
  return !again.ok && again.findings.some(({ code }) => code === "WF1011");
}

/** The checksum, or for a program that does not compile the list of what is wrong with it. */
function meaningOf(session: Session, input: ProgramInput, text: string): string {
  const { ir, diagnostics } = checkSource(session, input, text, { strict: false });
  return (
    ir?.checksum ??
    diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ code }) => code)
      .join(" ")
  );
}
