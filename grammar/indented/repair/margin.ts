/**
 * Lines at the left margin that other languages have there: constants of a module, functions with braces, `async`. Knows one line, and where the
 * graphs of the file begin.
 */
import type { Edit, Finding } from "../../diagnostic.ts";
import type { Reporter } from "../../reporter.ts";
import { SIGNATURE } from "../../surface.ts";
import { type Source, spanOnLine } from "../../text/source.ts";

type Advice = Pick<Finding, "suggestion" | "fix">;

/** Where the name of `async def f():` begins, or `def`. */
export function pastAsync(text: string, start: number, limit: number): number {
  const [word] = /^async[ \t]+(?=def[ \t]|[\p{L}_][\p{L}\p{Nd}_]*[ \t]*\()/u.exec(text.slice(start, limit)) ?? [];
  return start + (word?.length ?? 0);
}

export function reportAsync(line: number, start: number, end: number, reporter: Reporter): void {
  const suggestion = "leave it out: every call waits for its result";
  const fix = {
    title: "leave async out",
    edits: [{ span: spanOnLine(reporter.source, line, start, end), new_text: "" }],
  };
  const span = spanOnLine(reporter.source, line, start, start + "async".length);
  reporter.report({ code: "WF1009", span, words: { token: "'async'" }, suggestion, fix });
}

const FUNCTION =
  /^(?:export[ \t]+)?(?:async[ \t]+)?function[ \t]+([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*\(([^(){}]{0,60})\)[ \t]*\{?$/u;
const CONSTANT = /^([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*(?::[^=]*)?=(?!=)[ \t]*(.*?)(?:[ \t]+#.*)?$/u;
const LITERAL = /^(?:-?[0-9]+(?:\.[0-9]+)?|"[^"\\]*"|'[^'\\]*'|True|False|None|true|false|null)$/;

/** What to write for a line that begins no graph; null where nothing is known. */
export function foreignAtMargin(source: Source, line: number, written: string): Advice | null {
  const [, name, inputs = ""] = FUNCTION.exec(written) ?? [];
  if (name !== undefined)
    return { suggestion: `write ${name}(${inputs}): and its lines indented below, without braces`, fix: null };
  const [, constant, value = ""] = CONSTANT.exec(written) ?? [];
  if (constant === undefined) return null;
  const edits = LITERAL.test(value) ? movedInto(source, line, constant, value) : null;
  return {
    suggestion: `a graph has variables of its own: write ${constant} = … in the graphs that read it`,
    fix: edits === null ? null : { title: `set ${constant} where it is read`.slice(0, MAX_TITLE), edits },
  };
}

const MAX_TITLE = 80;
/** A larger file gets no edit. */
const MAX_MOVED = 20_000;

/** The line at the beginning of each graph that reads the constant; null where something else may set it. */
function movedInto(source: Source, at: number, name: string, value: string): readonly Edit[] | null {
  const { text, starts, ends } = source;
  if (text.length > MAX_MOVED || starts[at + 1] === undefined) return null;
  const word = String.raw`(?<![\p{L}\p{Nd}_.])${name}(?![\p{L}\p{Nd}_])`;
  const isChanged = new RegExp(
    String.raw`\bglobal\b[^\n]*${word}|${word}[ \t]*(?:\[[^\n]*\][ \t]*|\.[^\n(]*)?(?:[-+*/%]|//|\*\*|:)?=(?!=)|\bfor\b[^\n]*${word}[^\n]*\bin\b|^(?:async |def )*\w+\([^\n]*${word}|\bcall[ \t]|->`,
    "mu",
  );
  if (isChanged.test(text.slice(ends[at]))) return null;
  const start = starts[at] ?? 0;
  const end = starts[at + 1] ?? text.length;
  const gone = { ...spanOnLine(source, at, start, start), end, end_line: at + 2, end_column: 1 };
  const edits: Edit[] = [{ span: gone, new_text: "" }];
  const isRead = new RegExp(word, "u");
  let head = -1;
  for (let line = at + 1; line < starts.length; line++) {
    const code = text.slice(starts[line], ends[line]);
    if (/^[^\s#]/.test(code)) head = SIGNATURE.test(code) ? line : -1;
    if (head === -1 || line === head || !isRead.test(code)) continue;
    const below = starts[head + 1] ?? text.length;
    const indent = /^[ \t]*/.exec(firstOf(source, head + 1))?.[0] ?? "";
    edits.push({ span: spanOnLine(source, head + 1, below, below), new_text: `${indent}${name} = ${value}\n` });
    head = -1;
  }
  return edits;
}

/** The first line from `from` on that is not empty. */
function firstOf({ text, starts, ends }: Source, from: number): string {
  let line = from;
  while (line + 1 < starts.length && text.slice(starts[line], ends[line]).trim() === "") line++;
  return text.slice(starts[line], ends[line]);
}

/** Makes of `edits`, which indent the statements at the end of the file below a header, those that put them above the graph of the line `above`. */
export function putAbove(source: Source, above: number, edits: Edit[]): void {
  const { text } = source;
  const from = edits[0]?.span ?? spanOnLine(source, above, 0, 0);
  let moved = "";
  let at = from.start;
  for (const { span, new_text } of edits.splice(0)) {
    moved += text.slice(at, span.start) + new_text;
    at = span.start;
  }
  const start = source.starts[above] ?? 0;
  const last = source.starts.length - 1;
  const end = { end: text.length, end_line: last + 1, end_column: text.length - (source.starts[last] ?? 0) + 1 };
  edits.push({ span: spanOnLine(source, above, start, start), new_text: `${moved}${text.slice(at).trimEnd()}\n\n` });
  edits.push({ span: { ...from, ...end }, new_text: "" });
}
