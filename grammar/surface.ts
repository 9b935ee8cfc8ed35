/**
 * Which notation a file is written in: the opcode form or the indented form (docs/language.md, the indented form). Told by how the file begins,
 * without reading it. Knows nothing of what either of them means.
 */

import { isName } from "./operands/tokens.ts";
import { findOp } from "./ops.ts";
import { isLabelWord } from "./steps/slots.ts";

/** Empty lines above do not count: the formatter takes them away, and the file must stay what it is. */
const STATED = /^(?:[^\S\n]*\n)*[^\S\n]*#[ \t]*surface:[ \t]*(indented|opcode)[^\S\n]*(?:\n|$)/;
const STATED_PYTHON = /^\uFEFF?(?:[^\S\n]*\n)*[^\S\n]*#[ \t]*surface:[ \t]*python[^\S\n]*(?:\n|$)/;
/** The header of a graph: a name, decorators with words and texts after, a colon. */
const HEADER =
  /^[ \t]*([^\s:@"'#]+)((?:[ \t]+@[A-Za-z_]\w*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s@"'#:]+))*)*)([ \t]*):[ \t]*\r?(?:#.*)?$/;
/** The same with inputs in brackets, which no line of the opcode form has: `def main(a, b=3):`. */
export const SIGNATURE =
  /^[ \t]*(?:async[ \t]+)?(?:def[ \t]+)?[\p{L}_][\p{L}\p{Nd}_]*[ \t]*\(.*\)[ \t]*(?:->[^:\n]{0,200})?:[ \t]*\r?(?:#.*)?$/mu;
/** What programs of other languages begin with: `RATE = 0.2` above the functions, `function main() {`. */
const CONSTANT = /^[\p{L}_][\p{L}\p{Nd}_]*[ \t]*(?::[^=\n]*)?=(?!=)/u;
/** How far below a constant a header is looked for. */
const MAX_LOOKED_AT = 20_000;
const FUNCTION = /^(?:export[ \t]+)?(?:async[ \t]+)?function[ \t]+[\p{L}_][\p{L}\p{Nd}_]*[ \t]*\(/u;
/** Statements that only the indented form has. */
const INDENTED_ONLY =
  /^(?:in:|else:|out(?:\s|$)|err\s|call\s|return(?:\s|$)|raise\s|try:|pass$|(?:if|elif|for|while)\s.*:\s*(?:#.*)?$|[\p{L}_][\p{L}\p{Nd}_]*(?:[.[][^\s=]*)?\s*(?:[-+*/%]|\/\/|\*\*)?=[^=])/u;

const PRINT = /^print\(/;
/** Lines with a colon alone that continue a statement. */
const BRANCH = /^(?:else|try|except|finally)\s*:/;

type CodeLine = {
  /** Where the next line begins. */
  readonly next: number;
  readonly text: string;
  /** Without blanks around it. */
  readonly code: string;
};

/** Whether a file is in the Python form. It says so until the form is the one that programs are written in. */
export function isPython(source: string): boolean {
  return STATED_PYTHON.test(source);
}

/**
 * Opcode text is the rule, as in an empty file. A name with a colon and nothing else is a graph that lacks its block. Includes and declarations may stand above the head of an indented file. A name with a colon
 * alone is a head only above lines that are not steps, or steps among statements of that form: above steps it is a label that lacks its L.
 */
export function isIndented(source: string): boolean {
  const stated = STATED.exec(source)?.[1];
  if (stated !== undefined) return stated === "indented";
  let head = codeLine(source, 0);
  let isFirst = true;
  if (
    head !== null &&
    (FUNCTION.test(head.text) ||
      (CONSTANT.test(head.text) && SIGNATURE.test(source.slice(head.next, head.next + MAX_LOOKED_AT))))
  )
    return true;
  while (head !== null && !isName(headerIn(head).name) && isAboveGraphs(head)) {
    head = codeLine(source, head.next);
    isFirst = false;
  }
  if (head === null) return false;
  if (lacksHeader(source)) return true;
  const { name, isDecorated } = headerIn(head);
  if ((isDecorated && isName(name)) || SIGNATURE.test(head.text)) return true;
  const first = codeLine(source, head.next);
  // A graph whose block is still to come.
  if (first === null) return isFirst && isName(name) && !isLabelWord(`${name}:`);
  const isDeeper = indentation(first) > indentation(head);
  // `Lookup:` may be a label; `main`, `my-graph:` and `main(a):` are headers with a fault, when what is below says so.
  if (!isName(name) || isLabelWord(`${name}:`)) return isDeeper && !isOpcode(head) && INDENTED_ONLY.test(first.code);
  return (isFirst || isDeeper || isStep(first)) && hasIndentedStatement(source, first);
}

/** Statements of the indented form at the margin, as in a script of Python, and nothing that another form or a graph begins with. `prints`: print may come first. */
export function lacksHeader(source: string, prints = false): boolean {
  let first = codeLine(source, 0);
  while (first !== null && isAboveGraphs(first)) first = codeLine(source, first.next);
  if (first === null || !(INDENTED_ONLY.test(first.code) || (prints && PRINT.test(first.code)))) return false;
  for (let line: CodeLine | null = first; line !== null; line = codeLine(source, line.next))
    if (isOtherwise(line)) return false;
  return true;
}

/** A step, a label, a declaration, or the head of a graph or of a function. */
function isOtherwise(line: CodeLine): boolean {
  const { code } = line;
  if (isLabelWord(code.split(/\s/, 1)[0] ?? "") || (opKind(line) !== undefined && !CONSTANT.test(code))) return true;
  if (indentation(line) > 0 || BRANCH.test(code)) return false;
  return isName(headerIn(line).name) || SIGNATURE.test(code) || FUNCTION.test(code);
}

/** A step, or a label line that no graph is named like. */
function isOpcode(line: CodeLine): boolean {
  const word = line.code.split(/\s/, 1)[0] ?? "";
  return isStep(line) || /^[0-9]+:?$/.test(word) || (/^L(?!\p{Ll})/u.test(word) && /^\S+\s*:/.test(line.code));
}

/** The next line that is neither empty nor a comment. */
function codeLine(source: string, from: number): CodeLine | null {
  for (let start = from; start < source.length; ) {
    const found = source.indexOf("\n", start);
    const end = found === -1 ? source.length : found;
    const text = source.slice(start, end).replace(/^\ufeff/, "");
    const code = text.trim();
    if (code !== "" && !code.startsWith("#") && !isFence(code) && !isImport(code)) return { next: end + 1, text, code };
    start = end + 1;
  }
  return null;
}

/** A line around a code block of Markdown. */
export function isFence(code: string): boolean {
  return /^(?:```|~~~)[\w-]*$/.test(code);
}

/** `import json`, `from datetime import date`, a string alone: lines of Python that no notation here has. */
export function isImport(code: string): boolean {
  return /^(?:import[ \t]+[\w., \t]+|from[ \t]+[\w.]+[ \t]+import[ \t][\w., *()\t]+|"""[^"]*"""|'''[^']*''')$/.test(
    code,
  );
}

/** A name alone is touched by its colon: `Q :` is a declaration. */
function headerIn({ text }: CodeLine): { readonly name: string; readonly isDecorated: boolean } {
  const [, name = "", decorators = "", gap = ""] = HEADER.exec(text) ?? [];
  const isDecorated = decorators !== "";
  return { name: isDecorated || gap === "" ? name : "", isDecorated };
}

function opKind({ code }: CodeLine): string | undefined {
  return findOp(code.split(/\s/, 1)[0] ?? "")?.kind;
}

function isAboveGraphs(line: CodeLine): boolean {
  const kind = opKind(line);
  // A decorator on a line of its own is a mistake of this form.
  return kind === "include" || kind === "declaration" || line.code.startsWith("@");
}

function isStep(line: CodeLine): boolean {
  return opKind(line) !== undefined;
}

function indentation({ text }: CodeLine): number {
  return text.length - text.trimStart().length;
}

/** Up to the next label line: below that it is opcode text. Without any such statement, lines that are not steps say so. */
function hasIndentedStatement(source: string, first: CodeLine): boolean {
  let hasStep = false;
  for (let line: CodeLine | null = first; line !== null; line = codeLine(source, line.next)) {
    if (isLabelWord(line.code.split(/\s/, 1)[0] ?? "")) return false;
    if (indentation(line) > 0 && INDENTED_ONLY.test(line.code)) return true;
    hasStep ||= isStep(line);
  }
  return !hasStep;
}
