/**
 * Functions written in place, as other languages have them: `lambda x: …`, `fn x`, `x => …`. Weft has no such functions; this suggests what to write
 * instead. Knows words only.
 */
import type { Reporter } from "../reporter.ts";
import type { Span } from "../text/span.ts";

export const NO_FUNCTION_IN_PLACE =
  "no function is written in place: use Loop or for, with the steps in a label or block of their own, or Filt";

const KEYWORDS: ReadonlySet<string> = new Set(["lambda", "fn", "func", "function"]);
const PARAMETERS = /^\(\s*(?:\(?[\p{L}_][^()=\n]{0,60}\)?\s*=>|(\w+)[\s:(])/u;

export function beginsFunction(word: string): boolean {
  return KEYWORDS.has(word);
}

/** WF1002 at `span`, the bracket. One around a function in place ends where its first step begins, and would need more than its other half. */
export function reportUnclosed(reporter: Reporter, span: Span, bracket: string, close: string): void {
  const rest = reporter.source.text.slice(span.start, span.start + 100);
  const [begun, word] = PARAMETERS.exec(rest) ?? [];
  const isFunction = begun !== undefined && (word === undefined || beginsFunction(word));
  reporter.lexicalErrors.push(span.start);
  reporter.report({
    code: "WF1002",
    span,
    words: { b: bracket, close },
    expected: [close],
    ...(isFunction ? { suggestion: NO_FUNCTION_IN_PLACE } : {}),
  });
}
