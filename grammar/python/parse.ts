/**
 * Reads a file of the Python form: text → tokens → tree → what CPython checks when it compiles. One pass each; what CPython 3.11 refuses as a
 * syntax error is refused, and nothing else but what the bounds below exclude.
 */
import { checkModule } from "./check/check.ts";
import { checkDepth, MAX_DEPTH } from "./check/depth.ts";
import { checkSource } from "./lexing/bounds.ts";
import { type Tokens, tokenize } from "./lexing/lexer.ts";
import { Unexpected } from "./parser/python-base.ts";
import { parseModule } from "./parser/python-parser.ts";
import { nestedQuotes, refusalOf } from "./parser/unexpected.ts";
import { Refusal } from "./refusal.ts";
import type { ParsedPython, SyntaxFault } from "./tree.ts";

const BYTE_ORDER_MARK = 0xfeff;

export function parsePython(text: string): ParsedPython {
  try {
    checkSource(text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { module: null, comments: [], faults: [faultIn(text, error)] };
  }
  return parseTokens(text, tokenize(text, text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0));
}

function parseTokens(text: string, { tokens, comments, refusal, longest }: Tokens): ParsedPython {
  let found: Refusal;
  try {
    const module = parseModule(tokens);
    if (longest > MAX_DEPTH) checkDepth(module);
    checkModule(module);
    return { module, comments, faults: [] };
  } catch (error) {
    if (error instanceof Refusal) found = error;
    // The caller may have used most of the stack already.
    else if (error instanceof RangeError) found = new Refusal("expression_too_deep", { start: 0, end: 0 });
    else if (!(error instanceof Unexpected)) throw error;
    else if (refusal !== null && error.token === tokens.at(-1)) found = nestedQuotes(text, refusal);
    else found = refusalOf(text, tokens, error.token);
  }
  return { module: null, comments, faults: [faultIn(text, found)] };
}

/** A refusal with its line. */
export function faultIn(text: string, { fault }: Refusal): SyntaxFault {
  let line = 1;
  const lineEnd = /\r\n?|\n/g;
  while (lineEnd.exec(text) !== null && lineEnd.lastIndex <= fault.start) line++;
  return { ...fault, line };
}
