/** `wf convert`: reads each program, prints or writes it in the other form, and says what that form cannot say. */

import { convertText, type Form } from "../../compiler/convert/convert-text.ts";
import type { Refusal } from "../../compiler/convert/to-opcode.ts";
import { expandFiles, writeAtomically } from "../input/files.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { printFaultLines } from "../output/fault.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { checkSource } from "../run/load-program.ts";
import { CliFault, CompileFault, EXIT, usageFault, worstExit } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export type ConvertPlan = {
  readonly files: readonly string[];
  readonly to: Form;
  readonly includeRoots: readonly string[];
  readonly write: boolean;
};

type FileReport = { readonly exit: number; readonly changed: boolean; readonly document: object };

export async function convertFiles(session: Session, plan: ConvertPlan): Promise<number> {
  const { screen, cwd } = session;
  if (plan.files.length === 0 && session.io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
  const names = plan.files.length === 0 ? ["-"] : expandFiles(cwd, plan.files);
  if (plan.write && names.includes("-")) throw usageFault("--write needs a file, not standard input");
  if (!plan.write && names.length > 1 && !screen.json)
    throw usageFault("several files are converted with --write; without it, give one");
  const reports: FileReport[] = [];
  for (const name of names) reports.push(await convertOne(session, plan, name, names.length === 1));
  const exit = worstExit(reports.map((report) => report.exit));
  if (screen.json) screen.document({ ok: exit === EXIT.success, files: reports.map(({ document }) => document) });
  else if (plan.write) {
    const changed = reports.filter((report) => report.changed).length;
    screen.note(`${counted(names.length, "file")}, ${changed} converted`);
  }
  return exit;
}

async function convertOne(session: Session, plan: ConvertPlan, name: string, only: boolean): Promise<FileReport> {
  try {
    const input = await readProgram(session.io, session.cwd, name);
    if (input.content.kind !== "source") throw usageFault(`${input.name} is not source; only source has a form`);
    return converted(session, plan, input, input.content.text);
  } catch (cause) {
    if (only || !(cause instanceof CliFault)) throw cause;
    printFaultLines(cause, session.screen);
    const document = { path: name, ok: false, changed: false, error: cause.error, message: cause.message };
    return { exit: cause.exitCode, changed: false, document };
  }
}

function converted(session: Session, plan: ConvertPlan, input: ProgramInput, before: string): FileReport {
  const { screen, cwd } = session;
  const check = (text: string, strict: boolean) =>
    checkSource(session, input, text, { strict, includeRoots: plan.includeRoots });
  const original = check(before, false);
  if (original.ir === null) throw new CompileFault(original.diagnostics, input.name, original.textOf);
  const result = convertText(before, plan.to, original.ir, (text) => check(text, false).ir);
  if (!result.ok) return refused(session, plan, input, result.refusals);
  const after = withLineEnds(result.text, before);
  const changed = after !== before;
  if (changed && check(before, true).ir !== null) {
    const found = check(after, true).diagnostics.find(({ severity }) => severity === "error");
    if (found !== undefined) {
      const what = `the program: strict mode would find ${found.code} in it, ${found.message}`;
      return refused(session, plan, input, [{ line: 1, what }]);
    }
  }
  if (changed && plan.write) writeAtomically(cwd, input.name, after);
  if (!screen.json) {
    if (!plan.write) screen.text(after);
    else if (changed) screen.out(`${visible(input.name)}\n`);
  }
  const document = { path: input.name, ok: true, changed, refused: [], ...(plan.write ? {} : { text: after }) };
  return { exit: EXIT.success, changed, document };
}

function refused(
  { screen }: Session,
  { to }: ConvertPlan,
  { name }: ProgramInput,
  refusals: readonly Refusal[],
): FileReport {
  if (!screen.json)
    for (const { line, what } of refusals)
      screen.err(
        `${screen.errorPaint.error("error")} ${visible(`${name}:${line}: the ${to} form cannot say ${what}`)}\n`,
      );
  const document = { path: name, ok: false, changed: false, error: "not_convertible", refused: refusals };
  return { exit: EXIT.failed, changed: false, document };
}

/** A file whose lines all end in CRLF keeps them. */
function withLineEnds(text: string, original: string): string {
  const isWindows = original.includes("\r\n") && !/(?<!\r)\n/.test(original);
  return isWindows && !text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
