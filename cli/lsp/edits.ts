/** Changes a client may apply: fixes of diagnostics, a rename, the formatted text. */
import type { CodeAction, Diagnostic as ShownDiagnostic, TextEdit } from "vscode-languageserver/node";
import { CodeActionKind, DiagnosticSeverity } from "vscode-languageserver/node";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { format } from "../../grammar/print/print.ts";
import { KEYWORDS } from "../../grammar/python/lexing/tokens.ts";
import type { Span } from "../../grammar/text/span.ts";
import { isSame, type Occurrence, occurrenceAt } from "./occurrences.ts";
import { type OpenProgram, type Range, rangeOf } from "./program.ts";
import { type PythonName, renamingProblem } from "./python-names.ts";

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const;

/** A diagnostic as the client shows it; one without a place, or in an included file, stands at the first line. */
export function shown(diagnostic: Diagnostic, uri: string): ShownDiagnostic {
  const { span, related } = diagnostic;
  const here = span !== null && span.file === null;
  const inFile = span !== null && span.file !== null ? ` (in ${span.file}:${span.line})` : "";
  const suggestion = diagnostic.suggestion === null ? "" : `\n${diagnostic.suggestion}`;
  const places = related.filter((one) => one.span.file === null);
  return {
    range: here ? rangeOf(span) : { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    severity: SEVERITIES[diagnostic.severity],
    code: diagnostic.code,
    source: "weft",
    message: `${diagnostic.message}${inFile}${suggestion}`,
    relatedInformation: places.map((one) => ({ message: one.message, location: { uri, range: rangeOf(one.span) } })),
  };
}

/** Quick fixes of the diagnostics that touch a range. */
export function fixesIn({ compiled, document }: OpenProgram, { start, end }: Range): CodeAction[] {
  const { uri } = document;
  return compiled().diagnostics.flatMap((diagnostic) => {
    const { fix, span } = diagnostic;
    if (fix === null || span === null || span.file !== null) return [];
    if (span.end_line - 1 < start.line || span.line - 1 > end.line) return [];
    const edits: TextEdit[] = fix.edits.map((edit) => ({ range: rangeOf(edit.span), newText: edit.new_text }));
    const action: CodeAction = {
      title: fix.title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [shown(diagnostic, uri)],
      edit: { changes: { [uri]: edits } },
    };
    return [action];
  });
}

export type Renaming =
  | { readonly ok: true; readonly edits: TextEdit[] }
  | { readonly ok: false; readonly message: string };

/** What can be renamed at an offset: a variable, or a label of this file; those of included files have their names there. */
export function renameable({ occurrences }: OpenProgram, offset: number): Occurrence | null {
  const here = occurrenceAt(occurrences, offset);
  return here?.kind === "label" && here.name.includes("/") ? null : here;
}

/** Every place of a label or variable under a new name; refused when the name cannot be one or is taken. */
export function rename(program: OpenProgram, offset: number, written: string): Renaming {
  const { occurrences, text, python } = program;
  const here = renameable(program, offset);
  if (here === null) return { ok: false, message: "only variables and labels of this file can be renamed" };
  if (python !== null) return renamedPython(python.names, here, written);
  const name = nameFor(here, written);
  if (name === null) {
    const form = here.kind === "label" ? "an id of letters, digits, _ . and -" : "letters, digits and _";
    return { ok: false, message: `'${written.slice(0, 60)}' is not a valid ${here.kind} name; use ${form}` };
  }
  const taken = occurrences.some((one) => one.kind === here.kind && one.name === name && one.role === "definition");
  if (taken && name !== here.name) return { ok: false, message: `${here.kind} '${name}' exists already` };
  const same = occurrences.filter((one) => one.kind === here.kind && one.name === here.name);
  // A reference may leave out the L of its label; a new id could be misread then.
  const lacksL = ({ start }: Span): boolean => here.kind === "label" && text.charAt(start - 1) !== "L";
  const edits = same.map(({ span }) => ({ range: rangeOf(span), newText: lacksL(span) ? `L${name}` : name }));
  return { ok: true, edits };
}

function renamedPython(names: readonly PythonName[], found: Occurrence, written: string): Renaming {
  const here = found as PythonName;
  if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(written) || KEYWORDS.has(written))
    return { ok: false, message: `'${written.slice(0, 60)}' is not a name in Python` };
  const problem = written === here.name ? null : renamingProblem(names, here, written);
  if (problem !== null) return { ok: false, message: problem };
  const same = names.filter((one) => isSame(one, here));
  return { ok: true, edits: same.map(({ span }) => ({ range: rangeOf(span), newText: written })) };
}

function nameFor({ kind }: Occurrence, written: string): string | null {
  if (kind === "variable") return isName(written) && !["true", "false", "null"].includes(written) ? written : null;
  const id = written.replace(/^L(?=.)/, "").replace(/:$/, "");
  return /^[\p{L}\p{Nd}_.-]+$/u.test(id) ? id : null;
}

/** The whole text formatted, or nothing when it is so already or cannot be. */
export function formatting({ text, document }: OpenProgram): TextEdit[] {
  const formatted = format(text);
  if (!formatted.ok || formatted.text === text) return [];
  const range = { start: document.positionAt(0), end: document.positionAt(text.length) };
  return [{ range, newText: formatted.text }];
}
