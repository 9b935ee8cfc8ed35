/** `wf migrate`: reads each program, shows or writes what migration changes in it, and lists what is left for its author. */
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import { unifiedDiff } from "../../compiler/diff/text-diff.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { expandFiles, writeAtomically } from "../input/files.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { humanDiagnostics } from "../output/diagnostics.ts";
import { printFaultLines } from "../output/fault.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { checkSource } from "../run/load-program.ts";
import type { TextOf } from "../session/faults.ts";
import { CliFault, EXIT, usageFault, worstExit } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type MigratedText, migrateText } from "./migrate-text.ts";

export type MigratePlan = {
  readonly files: readonly string[];
  readonly includeRoots: readonly string[];
  readonly check: boolean;
  readonly write: boolean;
};

type FileReport = {
  readonly path: string;
  readonly exit: number;
  readonly changed: boolean;
  readonly document: object;
};

/** What is left: errors, and constructs that mean something else than in the predecessor. */
const COMPAT_HINTS: ReadonlySet<string> = new Set(["WF9021", "WF9027"]);

export async function migrateFiles(session: Session, plan: MigratePlan): Promise<number> {
  const { screen, cwd } = session;
  if (plan.check && plan.write) throw usageFault("--check and --write exclude each other");
  if (plan.files.length === 0 && session.io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
  const names = plan.files.length === 0 ? ["-"] : expandFiles(cwd, plan.files);
  if (plan.write && names.includes("-")) throw usageFault("--write needs a file, not standard input");
  const reports: FileReport[] = [];
  for (const name of names) reports.push(await migrateOne(session, plan, name, names.length === 1));
  const exit = worstExit(reports.map((report) => report.exit));
  if (screen.json) {
    screen.document({ ok: exit === EXIT.success, files: reports.map(({ document }) => document) });
    return exit;
  }
  const changed = reports.filter((report) => report.changed).length;
  screen.note(`${counted(names.length, "file")}, ${changed} ${plan.write ? "migrated" : "to migrate"}`);
  return exit;
}

async function migrateOne(session: Session, plan: MigratePlan, name: string, only: boolean): Promise<FileReport> {
  try {
    const input = await readProgram(session.io, session.cwd, name);
    if (input.content.kind !== "source")
      throw usageFault(`${input.name} is not source; wf run accepts IR of the predecessor as it is`);
    return migrated(session, plan, input, input.content.text);
  } catch (cause) {
    if (only || !(cause instanceof CliFault)) throw cause;
    printFaultLines(cause, session.screen);
    const document = { path: name, ok: false, changed: false, error: cause.error, message: cause.message };
    return { path: name, exit: cause.exitCode, changed: false, document };
  }
}

function migrated(session: Session, plan: MigratePlan, input: ProgramInput, before: string): FileReport {
  const { screen, cwd } = session;
  const options = { strict: true, includeRoots: plan.includeRoots, compatNotes: true };
  const result = migrateText(before, (text) => checkSource(session, input, text, options).diagnostics);
  const changed = result.text !== before;
  const { diagnostics, textOf } = checkSource(session, input, result.text, options);
  const left = diagnostics.filter(({ code, severity }) => severity !== "hint" || COMPAT_HINTS.has(code));
  const clean = !left.some(({ severity }) => severity === "error");
  const ok = clean && !(plan.check && changed);
  if (changed && plan.write) writeAtomically(cwd, input.name, result.text);
  if (!screen.json) show(session, plan, { name: input.name, before, result, left, textOf });
  const document = {
    path: input.name,
    ok,
    changed,
    changes: result.changes,
    inputs: result.inputs,
    diagnostics: left.map(diagnosticDocument),
    ...(input.path === null ? { text: result.text } : {}),
  };
  return { path: input.name, exit: ok ? EXIT.success : EXIT.failed, changed, document };
}

type Shown = {
  readonly name: string;
  readonly before: string;
  readonly result: MigratedText;
  readonly left: readonly Diagnostic[];
  readonly textOf: TextOf;
};

function show({ screen }: Session, plan: MigratePlan, { name, before, result, left, textOf }: Shown): void {
  const { text, changes, inputs } = result;
  if (text !== before) {
    if (plan.check) screen.out(`${visible(name)}\n`);
    else if (!plan.write) screen.text(unifiedDiff(before, text, name, "migrated"));
  }
  for (const { line, column, code, title } of changes) screen.note(`${name}:${line}:${column} ${code} ${title}`);
  if (inputs.length > 0) screen.note(`${name}: declared as inputs: ${inputs.join(", ")}; quote those that are text`);
  if (left.length === 0) return;
  const options = { name, textOf, paint: screen.errorPaint, width: screen.width, fixHint: null };
  screen.err(`${humanDiagnostics(left, options)}\n`);
}
