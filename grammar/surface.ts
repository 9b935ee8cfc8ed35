/**
 * Which form a file is written in (docs/language.md): Python, or the opcode form. Told by its first significant line alone, without reading it.
 */
import { isName } from "./operands/tokens.ts";
import { findOp } from "./ops.ts";
import { isLabelWord } from "./steps/slots.ts";

type Form = "python" | "opcode" | "indented";

/** Empty lines above do not count: the formatter takes them away, and the file must stay what it is. */
const STATED = /^\uFEFF?(?:[^\S\n]*\n)*[^\S\n]*#[ \t]*surface:[ \t]*(python|opcode|indented)[^\S\n]*(?:\n|$)/;
/** A line that has more than blanks and a comment, and is no fence of Markdown. */
const SIGNIFICANT = /^\uFEFF?(?:[^\S\n]*(?:(?:#|```|~~~)[^\n]*)?\n)*[^\S\n]*([^\s#][^\n]*)/;
/** What follows the first word of a statement of the opcode form, and no name of Python: a name, number, text or bracket after a blank. */
const OPERAND = /^[ \t]+(?!(?:and|or|in|is|if|not|for|else)\b)(?:[\p{L}\p{Nd}_"'$@#[({]|[-/.]\S)/u;
/** A word that no table knows, written like the word of a statement: `Budget 5`, `billing.Rule a b`. */
const UNKNOWN_STATEMENT =
  /^(?:[a-z]\w*\.)?[A-Z]\w*[ \t]+(?!(?:and|or|in|is|if|not|for|else)\b)\w+(?:[ \t]+[\w./]+)*[ \t]*(?:#.*)?$/;
/** A label whose colon stands apart, or that lacks its L. */
const LABEL = /^(?:L\S*[ \t]+|\d+):[ \t]*(?:#.*)?$/;

export function isPython(source: string): boolean {
  return formOf(source) === "python";
}

export function isIndented(source: string): boolean {
  return formOf(source) === "indented";
}

/** An empty file is opcode text. */
function formOf(source: string): Form {
  const stated = STATED.exec(source)?.[1];
  if (stated !== undefined) return stated as Form;
  const line = SIGNIFICANT.exec(source)?.[1]?.trimEnd();
  return line === undefined || isOpcodeLine(line) ? "opcode" : "python";
}

/** A label, a statement, a declaration or an include: a line that Python's tokens cannot begin a statement with. */
function isOpcodeLine(line: string): boolean {
  const word = /^\S+/.exec(line)?.[0] ?? "";
  const rest = line.slice(word.length);
  if (isLabelWord(word)) return rest === "" || /^[ \t]+#/.test(rest) || isOpcodeLine(rest.trimStart());
  if (LABEL.test(line)) return true;
  if (findOp(word) === undefined) return UNKNOWN_STATEMENT.test(line) || isStepWithArrow(word);
  return rest === "" || OPERAND.test(rest) || rest.includes("->");
}

/** `J->x`: an arrow may touch the word of a step. */
function isStepWithArrow(word: string): boolean {
  const at = word.indexOf("->");
  return at > 0 && findOp(word.slice(0, at)) !== undefined;
}

// What reads the indented form asks these; they go with it.
/** The header of a graph: a name, decorators with words and texts after, a colon. */
const HEADER =
  /^[ \t]*([^\s:@"'#]+)((?:[ \t]+@[A-Za-z_]\w*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s@"'#:]+))*)*)([ \t]*):[ \t]*\r?(?:#.*)?$/;
/** The same with inputs in brackets, which no line of the opcode form has: `def main(a, b=3):`. */
export const SIGNATURE =
  /^[ \t]*(?:async[ \t]+)?(?:def[ \t]+)?[\p{L}_][\p{L}\p{Nd}_]*[ \t]*\(.*\)[ \t]*(?:->[^:\n]{0,200})?:[ \t]*\r?(?:#.*)?$/mu;
/** What programs of other languages begin with: `RATE = 0.2` above the functions, `function main() {`. */
const CONSTANT = /^[\p{L}_][\p{L}\p{Nd}_]*[ \t]*(?::[^=\n]*)?=(?!=)/u;
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

function indentation({ text }: CodeLine): number {
  return text.length - text.trimStart().length;
}
