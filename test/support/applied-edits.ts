/** Applies the edits that diagnostics offer, all of one answer at once, until none are left. */
import type { CompileResult } from "../../compiler/options.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";

export type Repaired = { readonly source: string; readonly rounds: number; readonly ir: CompileResult["ir"] };

/** More rounds than this never come to an end. */
const MAX_ROUNDS = 8;

export function repair(source: string, compile: (text: string) => CompileResult): Repaired {
  let text = source;
  let result = compile(text);
  let rounds = 0;
  while (rounds < MAX_ROUNDS) {
    const next = applyAll(text, result.diagnostics);
    if (next === text) break;
    text = next;
    result = compile(text);
    rounds++;
  }
  return { source: text, rounds, ir: result.ir };
}

/** Edits of hints are matters of taste. */
function applyAll(text: string, diagnostics: readonly Diagnostic[]): string {
  const edits = diagnostics.flatMap(({ severity, fix }) => (severity === "hint" ? [] : (fix?.edits ?? [])));
  const lastFirst = [...edits].sort((a, b) => b.span.start - a.span.start);
  return lastFirst.reduce(
    (made, { span, new_text }) => made.slice(0, span.start) + new_text + made.slice(span.end),
    text,
  );
}
