/**
 * Fixes of one answer that can be applied all at once: those of errors come first, and one whose edits touch the line of an edit that is
 * kept is left out. Its finding most likely follows from the other one, and names it by `caused_by`.
 */
import type { Diagnostic, Edit, Severity } from "../../grammar/diagnostic.ts";

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 };

/** Findings of names that may be set by lines that could not be read. */
const OF_NAMES: ReadonlySet<string> = new Set(["WF4001", "WF4002"]);

/** The same diagnostics in the same order. */
export function withIndependentFixes(diagnostics: Diagnostic[]): Diagnostic[] {
  const known = diagnostics.some(isUnread)
    ? diagnostics.map((one) => (OF_NAMES.has(one.code) ? { ...one, fix: null } : one))
    : diagnostics;
  return known.some(({ fix }) => fix !== null) ? withoutOverlaps(known) : known;
}

/** A line that is not read, or not as it was meant. */
function isUnread({ code, severity }: Diagnostic): boolean {
  return severity === "error" && (code.startsWith("WF1") || code === "WF2001");
}

function withoutOverlaps(diagnostics: Diagnostic[]): Diagnostic[] {
  const kept: { readonly edit: Edit; readonly index: number }[] = [];
  const causes = new Map<number, number>();
  const order = diagnostics.map((_, index) => index).sort((a, b) => rankOf(diagnostics[a]) - rankOf(diagnostics[b]));
  for (const index of order) {
    const edits = diagnostics[index]?.fix?.edits ?? [];
    const cause = kept.find((other) => edits.some((edit) => touches(edit, other.edit)));
    if (cause !== undefined) causes.set(index, cause.index);
    else for (const edit of edits) kept.push({ edit, index });
  }
  return diagnostics.map((one, index) => {
    const caused_by = causes.get(index);
    return caused_by === undefined ? one : { ...one, fix: null, caused_by };
  });
}

function rankOf(diagnostic: Diagnostic | undefined): number {
  // A name that is unknown is often what another mistake left of a line.
  if (diagnostic !== undefined && OF_NAMES.has(diagnostic.code)) return RANK.hint + 1;
  return RANK[diagnostic?.severity ?? "hint"];
}

function isLine({ span, new_text }: Edit): boolean {
  return span.start === span.end && new_text.endsWith("\n");
}

/** Whether two edits overlap, or begin at one place. */
function touches(a: Edit, b: Edit): boolean {
  if (a.span.file !== b.span.file) return false;
  // Lines put in at one place do not mind each other.
  if (isLine(a) && isLine(b)) return false;
  return a.span.start === b.span.start || (a.span.start < b.span.end && b.span.start < a.span.end);
}
