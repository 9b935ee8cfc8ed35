/**
 * The operands of an adapter call without brackets: `http.GET url {"a": 1}`. They are read as in the opcode form, where `base + "/x"` is three operands.
 * Operands that compute something are read as expressions instead, as if they stood in brackets with commas between them.
 */
import { COMPARATORS, closingQuote, isArrow, nameEnd, pathEnd } from "../../operands/tokens.ts";
import { HASH, isQuote, slotWordEnd } from "../../steps/slots.ts";
import { isBlank, skipBlanks } from "../../text/source.ts";
import { spanAfter } from "../../text/span.ts";
import * as T from "../tokens.ts";
import { depthOf, type Lexeme, lexeme } from "../tokens.ts";
import { joinedPieces } from "./joined.ts";
import { isDotted } from "./line-words.ts";

type IsVariable = (name: string) => boolean;

const WORD = /[^\s"'()[\]{},#]+/y;
/** Characters that are searched for a computation; longer operands are read as in the opcode form. */
const MAX_CALL_LENGTH = 100_000;

/** Whether the text from `from` on computes something, and so is not an operand of the opcode form: `a + b`, `rows[i]`, `len(xs)`, `f"{a}"`. */
export function computes(text: string, from: number, isVariable: IsVariable): boolean {
  const limit = Math.min(text.length, from + MAX_CALL_LENGTH);
  let depth = 0;
  /** Whether the word before can be the left side of an operator. */
  let isOperand = false;
  for (let at = from; at < limit; ) {
    const code = text.charCodeAt(at);
    const character = text.charAt(at);
    if (character === "\n" && depth <= 0) return false;
    if (isBlank(code) || character === "\n" || character === "\r") at++;
    else if (code === HASH) at = lineEnd(text, at);
    else if (isQuote(code)) {
      const close = closingQuote(text, at, lineEnd(text, at));
      if (close === -1) return false;
      at = close + 1;
      isOperand = true;
    } else if ("([{,:".includes(character)) {
      if ("([{".includes(character)) depth++;
      isOperand = false;
      at++;
    } else if (")]}".includes(character)) {
      depth--;
      isOperand = true;
      at++;
    } else if (isArrow(text, at, limit)) at += 2;
    else {
      const end = wordEnd(text, at);
      if (isComputed(text, at, end, isVariable)) return true;
      const word = text.slice(at, end);
      const isPrefix = word === "not" && !isOperand;
      if ((isOperand || isPrefix) && isOperator(word) && opensOperand(text, end, isPrefix ? isVariable : null))
        return true;
      isOperand = /^-?[0-9]/.test(word) || word.startsWith("$") || isVariable(text.slice(at, nameEnd(text, at)));
      at = end;
    }
  }
  return false;
}

/** Whether the word computes something when it stands between two operands. */
function isOperator(word: string): boolean {
  return T.OPERATOR_WORDS.has(word) || T.OPERATORS.includes(word) || (COMPARATORS.has(word) && word !== "=");
}

/** `f"…"`, `rows[i]`, `len(xs)`, `n+1`. */
function isComputed(text: string, at: number, end: number, isVariable: IsVariable): boolean {
  const next = text.charAt(end);
  if (/^[fF]$/.test(text.slice(at, end)) && (next === '"' || next === "'")) return true;
  const root = text.charAt(at) === "$" ? at + 1 : at;
  const path = pathEnd(text, at, end + 1);
  if (path === end && root < end && (next === "[" || next === "("))
    return next === "(" || pathEnd(text, at, lineEnd(text, at)) === end;
  return joinedPieces(text, at, end, isVariable) !== null;
}

function opensOperand(text: string, from: number, isVariable: IsVariable | null): boolean {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  const character = text.charAt(at);
  if (character === "" || "\r\n#)]},".includes(character) || isArrow(text, at, text.length)) return false;
  return isVariable === null || character === "(" || isVariable(text.slice(at, nameEnd(text, at)));
}

function wordEnd(text: string, at: number): number {
  WORD.lastIndex = at;
  return WORD.test(text) ? WORD.lastIndex : at + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Turns operands with spaces between them into the tokens of a call with brackets and commas. */
export function asCall(callee: Lexeme, operands: readonly Lexeme[]): readonly Lexeme[] {
  const made: Lexeme[] = [callee, lexeme(T.OpenCall, spanAfter(callee.span), "(", "(", true)];
  let depth = 0;
  let before: Lexeme | null = null;
  for (const token of operands) {
    if (depth === 0 && before !== null && needsComma(before, token))
      made.push(lexeme(T.Comma, spanAfter(before.span), ",", ",", true));
    depth += depthOf(token);
    made.push(token);
    before = token;
  }
  made.push(lexeme(T.CloseParen, spanAfter((before ?? callee).span), ")", ")", true));
  return made;
}

const BEGINS = new Set([...T.BEGINS_OPERAND, T.NameWord, T.Bang]);

function needsComma(before: Lexeme, { tokenType, glued }: Lexeme): boolean {
  if (!T.ENDS_OPERAND.has(before.tokenType) && before.tokenType !== T.Word) return false;
  return BEGINS.has(tokenType) || (tokenType === T.JoinedOperator && !glued);
}

const LOOSE = new Set([T.AndWord, T.OrWord, T.InWord, T.IsWord, T.IfWord, T.Compare]);

/** `cache.get "k" or 5`: the left side could be the call or its operand. */
export function looseWord(operands: readonly Lexeme[]): Lexeme | null {
  let depth = 0;
  for (const token of operands) {
    depth += depthOf(token);
    if (depth === 0 && LOOSE.has(token.tokenType)) return token;
  }
  return null;
}

/** The name after the arrow when the operands end with `->x`. */
export function resultAfter(operands: readonly Lexeme[]): Lexeme | null {
  const [arrow, name] = operands.slice(-2);
  return arrow?.tokenType === T.Arrow && name?.tokenType === T.NameWord ? name : null;
}

/** How the right side of an assignment that begins with a dotted word is read. */
export function dottedReading(
  text: string,
  start: number,
  end: number,
  limit: number,
  isVariable: IsVariable,
): "call" | "alone" | "expression" {
  const word = text.slice(start, end);
  if (!isDotted(word)) return "expression";
  const path = pathEnd(text, start, limit);
  if (path !== end && "[(=!<>?,".includes(text.charAt(path))) return "expression";
  const after = skipBlanks(text, end, limit);
  if (after >= limit || text.charAt(after) === "#") return path === end ? "alone" : "call";
  const next = text.slice(after, slotWordEnd(text, after, limit));
  if (/^(?:and|or|[=!<>]=?|[-+*/%]|\/\/|\*\*|&&|\|\|)$/.test(next)) return "expression";
  const isWord = /^(?:if|in|is|not|then|\?|\?\?)$/.test(next);
  return isWord && isVariable(text.slice(start, nameEnd(text, start))) ? "expression" : "call";
}
