/**
 * Brackets of other languages: functions written in place (`lambda x: …`, `fn x`, `x => …`), which Weft does not have, and calls whose opening
 * bracket is part of a word (`core.UPPER("a")`). Suggests what to write instead. Knows text only.
 */
import type { Finding } from "../diagnostic.ts";
import type { Reporter } from "../reporter.ts";
import { type Source, spanOnLine } from "../text/source.ts";
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

/** A name with a bracket glued to it, and what may be arguments up to the end. */
const CALL_BEFORE = /(?<![\p{L}\p{Nd}_.])([\p{L}_][\p{L}\p{Nd}_.]*)\(((?:"[^"]*"|'[^']*'|[^()"'])*)$/u;
const MAX_CALL_LENGTH = 500;

/** What to write for the call that ends with the bracket at `closing`; null when it ends none. */
export function calledBefore(closing: Span, source: Source): Pick<Finding, "suggestion" | "fix"> | null {
  const line = closing.line - 1;
  const at = closing.start;
  const from = Math.max(source.starts[line] ?? 0, at - MAX_CALL_LENGTH);
  const [, name = "", args] = CALL_BEFORE.exec(source.text.slice(from, at)) ?? [];
  if (args === undefined) return null;
  const open = at - args.length - 1;
  const bracket = { span: spanOnLine(source, line, open, open + 1), new_text: " " };
  if (name.includes("."))
    return {
      suggestion: `write the arguments after ${name}, without brackets`,
      fix: { title: "leave the brackets out", edits: [bracket, { span: closing, new_text: "" }] },
    };
  const before = spanOnLine(source, line, open - name.length, open - name.length);
  return {
    suggestion: `write (${name} …) to call a function`,
    fix: { title: "put the name into the brackets", edits: [{ span: before, new_text: "(" }, bracket] },
  };
}
