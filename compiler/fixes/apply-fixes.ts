/**
 * Applying the fixes of diagnostics to one program text: certain ones, and guesses where the user asked for them. Rounds of compiling
 * and editing until nothing is left to do; what was done is listed. It knows nothing of files.
 */
import type { Diagnostic, Edit } from "../../grammar/diagnostic.ts";
import { findOp } from "../../grammar/ops.ts";
import { isGuess } from "./guessed-fixes.ts";

const MAX_ROUNDS = 10;

/** A fix that was applied. Line and column are those of the text it was applied to. */
export type AppliedFix = {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly title: string;
};
export type FixedText = { readonly text: string; readonly applied: readonly AppliedFix[] };

/** Repeats `diagnose` and its fixes, which may make further ones possible. */
export function fixText(
  original: string,
  guesses: boolean,
  diagnose: (text: string) => readonly Diagnostic[],
): FixedText {
  let text = original;
  const applied: AppliedFix[] = [];
  // A statement that a guess made a declaration of may be meant as a step: it stays where its author put it.
  let guessedDeclaration = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const wanted = diagnose(text).filter(
      (one) => (guesses || !isGuess(one)) && !(guessedDeclaration && one.code === "WF2002"),
    );
    const next = applyFixes(text, wanted);
    if (next.text === text) break;
    text = next.text;
    for (const { span, code, fix } of next.applied) {
      applied.push({ line: span?.line ?? 1, column: span?.column ?? 1, code, title: fix?.title ?? "" });
      if (code === "WF2001" && fix?.edits.some(writesDeclaration) === true) guessedDeclaration = true;
    }
  }
  return { text, applied };
}

function writesDeclaration(edit: Edit): boolean {
  const op = findOp(edit.new_text.trim());
  return op !== undefined && op.kind !== "step";
}

/** The text with the edits of every certain fix, each once; null: nothing is certain. */
export function withCertainFixes(text: string, diagnostics: readonly Diagnostic[]): string | null {
  const fixed = applyFixes(
    text,
    diagnostics.filter((one) => !isGuess(one)),
  );
  return fixed.applied.length === 0 ? null : fixed.text;
}

/** Applies every fix whose edits lie in the program itself and touch no edit taken before; a fix is applied whole or not at all. */
function applyFixes(
  text: string,
  diagnostics: readonly Diagnostic[],
): { readonly text: string; readonly applied: readonly Diagnostic[] } {
  const taken: Edit[] = [];
  const applied: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const { fix } = diagnostic;
    if (fix === null || fix.edits.length === 0) continue;
    const inside = fix.edits.every(
      ({ span }) => span.file === null && span.start >= 0 && span.start <= span.end && span.end <= text.length,
    );
    const free = fix.edits.every(({ span }) =>
      taken.every((other) => span.end < other.span.start || other.span.end < span.start),
    );
    if (!inside || !free) continue;
    for (const edit of fix.edits) taken.push(edit);
    applied.push(diagnostic);
  }
  let result = text;
  for (const { span, new_text } of taken.sort((a, b) => b.span.start - a.span.start)) {
    result = result.slice(0, span.start) + new_text + result.slice(span.end);
  }
  return { text: result, applied };
}
