/**
 * Which notation a file is written in. There is one, the opcode form; files in the indented form are known by how they begin, so that they
 * are told as what they are and not as one fault a line. Knows nothing of what such a file would mean.
 */
import { findOp } from "./ops.ts";
import { isLabelWord } from "./slots.ts";
import { isName } from "./tokens.ts";

const STATED = /^\ufeff?[ \t]*#[ \t]*surface:[ \t]*(indented|opcode)[ \t]*\r?(?:\n|$)/;
/** The header of a graph: a name, decorators with words and texts behind, a colon. */
const HEADER =
  /^[ \t]*([^\s:@"'#]+)((?:[ \t]+@[A-Za-z_]\w*(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|[^\s@"'#:]+))*)*):[ \t]*\r?(?:#.*)?$/;

/** The line that shows a file to be in the indented form. */
export type IndentedHead = { readonly start: number; readonly end: number };

type CodeLine = IndentedHead & { readonly text: string };

/**
 * null: opcode text, as an empty file is. A name with a colon alone is a header only above lines that are no steps: above steps it is a
 * label that lacks its L.
 */
export function indentedHead(source: string): IndentedHead | null {
  const stated = STATED.exec(source)?.[1];
  if (stated === "opcode") return null;
  const head = codeLine(source, 0);
  if (head === null) return null;
  const [, name = "", decorators = ""] = HEADER.exec(head.text) ?? [];
  const isDecorated = isName(name) && decorators !== "";
  const isBare = isName(name) && !isLabelWord(`${name}:`) && !isStep(codeLine(source, head.end + 1));
  return stated === "indented" || isDecorated || isBare ? { start: head.start, end: head.end } : null;
}

/** The next line that is neither empty nor a comment. */
function codeLine(source: string, from: number): CodeLine | null {
  for (let start = from; start < source.length; ) {
    const next = source.indexOf("\n", start);
    const end = next === -1 ? source.length : next;
    const text = source.slice(start, end).replace(/^\ufeff/, "");
    const code = text.trim();
    if (code !== "" && !code.startsWith("#")) return { start, end, text };
    start = end + 1;
  }
  return null;
}

function isStep(line: CodeLine | null): boolean {
  return line === null || findOp(line.text.trim().split(/\s/, 1)[0] ?? "") !== undefined;
}
