/**
 * Reads a file of the Python form: text → tokens → tree → what CPython checks when it compiles. One pass each; what CPython 3.11 refuses as a
 * syntax error is refused, and nothing else but what the bounds below exclude.
 */
import { checkModule } from "./check/check.ts";
import { tokenize } from "./lexing/lexer.ts";
import { Unexpected } from "./parser/python-base.ts";
import { parseTokens } from "./parser/python-parser.ts";
import { refusalOf } from "./parser/unexpected.ts";
import { Refusal } from "./refusal.ts";
import type { Module, ParsedPython, SyntaxFault } from "./tree.ts";

export function parsePython(text: string): ParsedPython {
  const { tokens, comments, refusal } = tokenize(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  let module: Module | null = null;
  let found: Refusal | null = null;
  try {
    module = parseTokens(tokens);
    checkModule(module);
  } catch (error) {
    if (error instanceof Refusal) found = error;
    else if (!(error instanceof Unexpected)) throw error;
    else if (refusal !== null && error.token === tokens.at(-1)) found = refusal;
    else found = refusalOf(text, error);
  }
  if (found === null) return { module, comments, faults: [] };
  return { module: null, comments, faults: [faultOf(text, found)] };
}

function faultOf(text: string, { fault }: Refusal): SyntaxFault {
  let line = 1;
  const lineEnd = /\r\n?|\n/g;
  while (lineEnd.exec(text) !== null && lineEnd.lastIndex <= fault.start) line++;
  return { ...fault, line };
}
