/**
 * A closing bracket that nothing opened, because its other half is glued to a name and so is part of a word: `core.UPPER("a")`,
 * `upper("a")`. Knows text only.
 */
import type { Finding } from "../diagnostic.ts";
import { type Source, spanOnLine } from "../text/source.ts";
import type { Span } from "../text/span.ts";

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
