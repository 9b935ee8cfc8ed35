/**
 * `in: a b: number, c!: list`: the inputs of a graph. Names and types are taken from the line's text; whether a type
 * exists is checked when the whole file is known.
 */
import type { Name } from "../../ast.ts";
import { isWritable } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { readComment } from "../../steps/slots.ts";
import { isBlank, skipBlanks, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";

/** `type`: null without one. `required`: the name ends with `!`. */
export type WrittenInput = {
  readonly name: Name;
  readonly type: string | null;
  readonly typeSpan: Span | null;
  readonly required: boolean;
  readonly span: Span;
};

/** Reads the inputs after `in:`, or one input between the commas of a header. */
export function readInputLine(reporter: Reporter, line: number, from: number, until?: number): readonly WrittenInput[] {
  const { text, ends } = reporter.source;
  const limit = until ?? ends[line] ?? text.length;
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
  const required = end - start > 1 && text.charAt(end - 1) === "!";
  const nameEnd = required ? end - 1 : end;
  const name = text.slice(start, nameEnd);
  const span = spanOnLine(source, line, start, Math.max(nameEnd, start + 1));
  let colon = skipBlanks(text, end, limit);
  if (text.charAt(colon) !== ":" || colon >= limit) colon = -1;
  const typeStart = colon === -1 ? end : skipBlanks(text, colon + 1, limit);
  const typeEnd = colon === -1 ? end : endOfType(text, typeStart, limit);
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
  const hasType = typeEnd > typeStart;
  const type = hasType ? text.slice(typeStart, typeEnd) : null;
  const typeSpan = hasType ? spanOnLine(source, line, typeStart, typeEnd) : null;
  const whole = spanOnLine(source, line, start, Math.max(typeEnd, end));
  return { read: { name: { name, span }, type, typeSpan, required, span: whole }, end: typeEnd };
}

/** What continues a type of another language: `str | None`, `list of texts`. */
const CONTINUED = /[ \t]*\|[ \t]*|(?<=list|array)[ \t]+of[ \t]+/iy;

function endOfType(text: string, from: number, limit: number): number {
  let end = partEnd(text, from, limit, false);
  for (;;) {
    CONTINUED.lastIndex = end;
    if (!CONTINUED.test(text) || CONTINUED.lastIndex >= limit) return end;
    end = partEnd(text, CONTINUED.lastIndex, limit, false);
  }
}

/** The end of a name or a type. A name also ends at a colon; a type continues inside its brackets. */
function partEnd(text: string, from: number, limit: number, isName: boolean): number {
  let depth = 0;
  let at = from;
  for (; at < limit; at++) {
    const character = text.charAt(at);
    if (character === "[" || character === "<") depth++;
    else if (character === "]" || character === ">") depth--;
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

/** Reports the missing comma of `def f(a b):`. */
export function reportNoComma({ name: { span, name } }: WrittenInput, reporter: Reporter): void {
  const edits = [{ span: { ...span, end: span.start, end_column: span.column }, new_text: ", " }];
  const fix = { title: "insert a comma", edits };
  reporter.refuse(span, name.slice(0, 100), fix.title, fix);
}
