/**
 * Computations written without spaces: `n-1`, `order.total*2`, `60*60`. Such a word is text (docs/language.md, text) unless its names are
 * variables of the file, which the token source knows.
 */
import { nameEnd, pathEnd } from "../../operands/tokens.ts";

/** `isSign` false: an operand. */
export type JoinedPiece = { readonly start: number; readonly end: number; readonly isSign: boolean };

const NUMBER = /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
export const SIGN = /\/\/|\*\*|[-+*/%]/y;

/** The pieces of the word from `start` to `end` when it computes something; null when it is text. */
export function joinedPieces(
  text: string,
  start: number,
  end: number,
  isVariable: (name: string) => boolean,
): readonly JoinedPiece[] | null {
  const pieces: JoinedPiece[] = [];
  let names = 0;
  let at = text.charAt(start) === "-" ? start + 1 : start;
  if (at > start) pieces.push({ start, end: at, isSign: true });
  for (;;) {
    const operand = operandEnd(text, at, end);
    // `total-(a + b)`: the last operand is in the brackets.
    if (operand === at) {
      if (at !== end || pieces.length === 0 || !opensOperand(text, end)) return null;
      break;
    }
    const isNumber = /[0-9]/.test(text.charAt(at));
    if (!isNumber) {
      names++;
      const root = text.charAt(at) === "$" ? at + 1 : at;
      const isCall = operand === end && text.charAt(end) === "(";
      if (root === at && !isCall && !isVariable(text.slice(root, nameEnd(text, root)))) return null;
    }
    pieces.push({ start: at, end: operand, isSign: false });
    if (operand === end) break;
    const sign = matchEnd(SIGN, text, operand, end);
    if (sign === operand) return null;
    pieces.push({ start: operand, end: sign, isSign: true });
    at = sign;
  }
  if (!pieces.some(({ isSign }) => isSign)) return null;
  return names === 0 && !computesNumbers(text, pieces, start) ? null : pieces;
}

/** `60*60` and `10/2` compute; `2024-01-02`, `1/2/3` and `-5` do not. */
function computesNumbers(text: string, pieces: readonly JoinedPiece[], start: number): boolean {
  const signs = pieces.filter(({ isSign, start: at }) => isSign && at > start);
  const isDate = (sign: JoinedPiece): boolean => "-/".includes(text.slice(sign.start, sign.end));
  return signs.length > 0 && (signs.length === 1 || !signs.every(isDate));
}

function operandEnd(text: string, from: number, limit: number): number {
  const path = pathEnd(text, from, limit);
  return path > from ? path : matchEnd(NUMBER, text, from, limit);
}

/** Where the match of a sticky pattern at `from` ends; `from` without one. */
export function matchEnd(pattern: RegExp, text: string, from: number, limit: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) && pattern.lastIndex <= limit ? pattern.lastIndex : from;
}

function opensOperand(text: string, at: number): boolean {
  const next = text.charAt(at);
  return next !== "" && "([\"'".includes(next);
}
