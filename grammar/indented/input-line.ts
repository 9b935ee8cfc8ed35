/**
 * `in: a b: number, c`: the inputs of a graph. Names and types are taken from the line's text; whether a type
 * exists is judged when the whole file is known.
 */
import type { Name } from "../ast.ts";
import type { Reporter } from "../reporter.ts";
import { readComment } from "../slots.ts";
import { isBlank, skipBlanks, spanOnLine } from "../source.ts";
import type { Span } from "../span.ts";
import { isWritable } from "../tokens.ts";

/** `type` null: none written. */
export type WrittenInput = { readonly name: Name; readonly type: string | null; readonly span: Span };

/** Reads what stands behind `in:`. */
export function readInputLine(reporter: Reporter, line: number, from: number): readonly WrittenInput[] {
  const { text, ends } = reporter.source;
  const limit = ends[line] ?? text.length;
  const inputs: WrittenInput[] = [];
  let at = skipSeparators(text, from, limit);
  while (at < limit && text.charAt(at) !== "#") {
    const end = partEnd(text, at, limit, true);
    const input = inputAt(reporter, line, at, end, limit);
    at = Math.max(input.end, at + 1);
    if (input.read !== null) inputs.push(input.read);
    at = skipSeparators(text, at, limit);
  }
  if (at < limit) readComment(reporter, line, at, false, -1);
  return inputs;
}

function inputAt(
  reporter: Reporter,
  line: number,
  start: number,
  end: number,
  limit: number,
): { readonly read: WrittenInput | null; readonly end: number } {
  const { source } = reporter;
  const { text } = source;
  const name = text.slice(start, end);
  const span = spanOnLine(source, line, start, Math.max(end, start + 1));
  let colon = skipBlanks(text, end, limit);
  if (text.charAt(colon) !== ":" || colon >= limit) colon = -1;
  const typeStart = colon === -1 ? end : skipBlanks(text, colon + 1, limit);
  const typeEnd = colon === -1 ? end : partEnd(text, typeStart, limit, false);
  if (!isWritable(name)) {
    reporter.report({
      code: "WF1009",
      span,
      words: { token: `'${text.slice(start, Math.max(end, start + 1)).slice(0, 100)}'` },
      expected: ["name"],
      suggestion: "write the inputs as in: name other:type",
      fix: null,
    });
    return { read: null, end: typeEnd };
  }
  const type = typeEnd > typeStart ? text.slice(typeStart, typeEnd) : null;
  const whole = spanOnLine(source, line, start, Math.max(typeEnd, end));
  return { read: { name: { name, span }, type, span: whole }, end: typeEnd };
}

/** A name ends at a colon too; a type goes on inside its brackets. */
function partEnd(text: string, from: number, limit: number, isName: boolean): number {
  let depth = 0;
  let at = from;
  for (; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === "#" || (isName && character === ":")) break;
    else if (depth <= 0 && (character === "," || isBlank(text.charCodeAt(at)))) break;
  }
  return at;
}

function skipSeparators(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && (text.charAt(at) === "," || isBlank(text.charCodeAt(at)))) at++;
  return at;
}
