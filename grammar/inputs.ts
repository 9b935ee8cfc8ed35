/**
 * Frame inputs declared in comments: `# frame: name: type, needed!: type, other` (docs/language.md, inputs and entry). Reads them out of the
 * comments of one file and reports malformed ones. It knows the type words of the language and the record types the same
 * file declares, nothing of other files.
 */
import type { CommentLine, InputDeclaration, Line } from "./ast.ts";
import { formerType, isType, type KnownTypes, PLAIN_TYPES } from "./input-types.ts";
import { isName } from "./operands/tokens.ts";
import type { Reporter } from "./reporter.ts";
import { nearest } from "./text/nearest.ts";
import type { Span } from "./text/span.ts";

const FRAME_COMMENT = /^\s*frame\s*:/;
export function readInputs(
  comments: readonly CommentLine[],
  lines: readonly Line[],
  reporter: Reporter,
): InputDeclaration[] {
  const inputs: InputDeclaration[] = [];
  let known: KnownTypes | null = null;
  for (const comment of comments) {
    const head = FRAME_COMMENT.exec(comment.text);
    if (head === null) continue;
    known ??= knownTypes(lines);
    readComment(comment, head[0].length, known, reporter, inputs);
  }
  return inputs;
}

function knownTypes(lines: readonly Line[]): KnownTypes {
  const declared = new Set<string>();
  let open = false;
  for (const line of lines) {
    if (line.kind === "include") open = true;
    else if (line.kind === "declaration" && line.op === "D") declared.add(line.slots[0]?.text ?? "");
  }
  return { declared, open };
}

function readComment(
  comment: CommentLine,
  from: number,
  known: KnownTypes,
  reporter: Reporter,
  inputs: InputDeclaration[],
): void {
  let at = from;
  const parts = splitTopLevel(comment.text.slice(from));
  for (const part of parts) {
    const start = at + (part.length - part.trimStart().length);
    const text = part.trim();
    at += part.length + 1;
    const span = spanInside(comment, start, text.length);
    const written = nameOf(text);
    if (written === null) {
      reporter.report({
        code: "WF9025",
        span: text === "" ? comment.span : span,
        words: { word: text.slice(0, 100) },
      });
      // What it is, in words, is a mistake of the comment and not of the steps that read it.
      const [name = ""] = text.split(/\s/, 1);
      if (isName(name)) inputs.push({ name, type: "any", span });
      continue;
    }
    const { name, required } = written;
    const colon = text.indexOf(":");
    const type = colon === -1 ? "any" : text.slice(colon + 1).trim();
    const sound = isType(type, known);
    const place = spanInside(comment, start + text.length - type.length, type.length);
    if (!sound) reportType(type, span, place, known, reporter);
    const declared = { name, type: sound ? type : "any", span };
    inputs.push(required ? { ...declared, required: "file" } : declared);
  }
}

/** The name that a part declares, whatever its type is. `required`: it ends with `!`. */
function nameOf(part: string): { readonly name: string; readonly required: boolean } | null {
  const [before = ""] = part.split(":", 1);
  const required = before.trimEnd().endsWith("!");
  const name = (required ? before.trimEnd().slice(0, -1) : before).trim();
  return isName(name) ? { name, required } : null;
}

/** `place` is where the type itself stands. */
function reportType(type: string, span: Span, place: Span, known: KnownTypes, reporter: Reporter): void {
  const former = formerType(type);
  const near = former === null ? nearest(type, [...PLAIN_TYPES, ...known.declared]) : null;
  const suggestion = near === null ? `use one of ${PLAIN_TYPES.join(", ")}` : `did you mean '${near}'?`;
  reporter.report({
    code: "WF9025",
    span,
    words: { word: type.slice(0, 100), ...(near === null ? {} : { near }) },
    expected: PLAIN_TYPES,
    suggestion: former === null ? suggestion : `write ${former}`,
    ...(former === null ? {} : { fix: { title: `write ${former}`, edits: [{ span: place, new_text: former }] } }),
  });
}

/** The parts between commas that stand outside brackets. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === "," && depth <= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function spanInside(comment: CommentLine, start: number, length: number): Span {
  // The text begins one character after the `#`.
  const offset = comment.span.start + 1 + start;
  const column = comment.span.column + 1 + start;
  const { file, line } = comment.span;
  return { file, line, column, end_line: line, end_column: column + length, start: offset, end: offset + length };
}
