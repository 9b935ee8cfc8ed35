/**
 * Which form a file is written in (docs/language.md): Python, or the opcode form. Told by its first significant line alone, without reading it.
 */
import { findOp } from "./ops.ts";
import { isLabelWord } from "./steps/slots.ts";

type Form = "python" | "opcode";

/** Empty lines above do not count: the formatter takes them away, and the file must stay what it is. */
const STATED = /^\uFEFF?(?:[^\S\n]*\n)*[^\S\n]*#[ \t]*surface:[ \t]*(python|opcode)[^\S\n]*(?:\n|$)/;
/** A line that has more than blanks and a comment, and is not a fence of Markdown. */
const SIGNIFICANT = /^\uFEFF?(?:[^\S\n]*(?:(?:#|```|~~~)[^\n]*)?\n)*[^\S\n]*([^\s#][^\n]*)/;
/** What follows the first word of a statement of the opcode form, and no name of Python: a name, number, text or bracket after a blank. */
const OPERAND = /^[ \t]+(?!(?:and|or|in|is|if|not|for|else)\b)(?:[\p{L}\p{Nd}_"'$@#[({]|[-/.]\S)/u;
/** A word that no table knows, written like the word of a statement: `Budget 5`, `billing.Rule a b`. */
const UNKNOWN_STATEMENT =
  /^(?:[a-z]\w*\.)?[A-Z]\w*[ \t]+(?!(?:and|or|in|is|if|not|for|else)\b)\w+(?:[ \t]+[\w./]+)*[ \t]*(?:#.*)?$/;
/** A label whose colon stands apart, or that lacks its L, or its colon: such a name alone does nothing in Python but fail. */
const LABEL = /^(?:(?:L\S*[ \t]+|\d+):|L[_\d]\w*)[ \t]*(?:#.*)?$/;

export function isPython(source: string): boolean {
  return formOf(source) === "python";
}

/** An empty file is opcode text. */
function formOf(source: string): Form {
  if (typeof source !== "string") throw new TypeError("a program must be text");
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
