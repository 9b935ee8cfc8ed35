/** How deep a new line stands: below the lines above it, told by the lexer alone, as completion is. */
import * as T from "../lexing/tokens.ts";
import { setOf } from "../lexing/tokens.ts";
import { CONTINUES, cursorOf, headsAbove } from "./cursor.ts";
import { openBracket } from "./kinds.ts";

const STEP = "    ";
/** Nothing of a block stands below these. */
const ENDS = setOf([T.Return, T.Raise, T.Break, T.Continue, T.Pass]);

/**
 * The blanks of a line. `above`: the text before it, with its line end. `line`: what stands on it, with the blanks that it has. null: nothing is
 * known, as in a text of several lines, so the line stays as deep as it is or as the one above it.
 */
export function indentationOf(above: string, line: string): string | null {
  const cursor = cursorOf(above);
  if (cursor.isBroken || cursor.open !== null) return null;
  const word = line.trimStart();
  if (cursor.tokens.length > 0) return inBracket(above, cursor.tokens, word);
  const heads = headsAbove(above, cursor.above);
  const continued = continuedBy(/^[a-z]*/.exec(word)?.[0] ?? "");
  if (continued !== null) {
    const depth = line.length - word.length;
    return heads.findLast(({ indent, first }) => indent.length <= depth && continued.has(first.image))?.indent ?? null;
  }
  const last = heads.at(-1);
  if (last === undefined) return "";
  if (last.opens) return last.indent + STEP;
  return ENDS[last.first.tokenTypeIdx] === 1 ? (heads.at(-2)?.indent ?? "") : last.indent;
}

/** The words whose line this one may continue; null: it continues none. */
function continuedBy(word: string): ReadonlySet<string> | null {
  if (word === "case") return new Set(["case"]);
  const words = Object.keys(CONTINUES).filter((one) => CONTINUES[one]?.includes(word));
  return words.length === 0 ? null : new Set(words);
}

/** A line after an open bracket stands one step in, and one that closes it below the line that opened it. */
function inBracket(above: string, tokens: Parameters<typeof openBracket>[0], word: string): string | null {
  const at = openBracket(tokens);
  const open = tokens[at];
  if (open === undefined) return null;
  const begin = above.lastIndexOf("\n", open.start - 1) + 1;
  const indent = /^[ \t]*/.exec(above.slice(begin, open.start))?.[0] ?? "";
  if (/^[)\]}]/.test(word)) return indent;
  return at === tokens.length - 1 ? indent + STEP : null;
}
