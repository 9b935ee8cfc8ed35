/**
 * Values of the older form were copied where they got another name; lists and dicts of Python are not. A change in place that another name could see
 * is refused.
 */
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { Refusal } from "../refusal.ts";
import { boundBy, closerOf, is, isCloser, isOpener, isWord, type Line } from "./lines.ts";
import { valueStart } from "./spellings.ts";

export function checkChanges(lines: readonly Line[], inputs: ReadonlySet<string>): void {
  const changes = lines.filter(({ tokens }) => isChange(tokens));
  if (changes.length === 0) return;
  const shared = new Set([...inputs, ...lines.flatMap(sharedBy)]);
  for (const { tokens } of changes) {
    const [first] = tokens as [Token];
    if (shared.has(first.image)) throw new Refusal("older_copy", first, { words: { name: first.image } });
  }
}

/** `rows[0] = v`, `d.a.b += v`. */
function isChange(tokens: readonly Token[]): boolean {
  const [first, second] = tokens;
  if (!is(first, T.Name) || second?.start !== first?.end || !(is(second, T.Dot) || is(second, T.LBracket)))
    return false;
  let depth = 0;
  for (const token of tokens) {
    if (isOpener(token)) depth++;
    else if (isCloser(token)) depth--;
    else if (depth === 0 && (is(token, T.Equal) || is(token, T.Augmented))) return true;
  }
  return false;
}

/** Names whose values a line may give another name: variables of loops, `x = y`, and values in a value that is stored. */
function sharedBy({ tokens }: Line): string[] {
  if (is(tokens[0], T.For)) return boundBy(tokens);
  const start = valueStart(tokens);
  if (start === 0) return [];
  const value = tokens.slice(start);
  const names = value.flatMap((token, at) => (isWhole(value, at) ? [token.image] : []));
  return isPath(value) ? [...names, ...boundBy(tokens)] : names;
}

/** A name that stands for its whole value, and not under `len`. */
function isWhole(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  const isPart = is(next, T.Dot) || is(next, T.LBracket) || is(next, T.LParen) || is(tokens[at - 1], T.Dot);
  return is(tokens[at], T.Name) && !isPart && !(is(tokens[at - 1], T.LParen) && isWord(tokens[at - 2], "len"));
}

/** A name, or a part of its value. */
function isPath(tokens: readonly Token[]): boolean {
  if (!is(tokens[0], T.Name)) return false;
  for (let at = 1; at < tokens.length; at++) {
    if (is(tokens[at], T.LBracket)) at = closerOf(tokens, at);
    else if (!is(tokens[at], T.Dot) && !is(tokens[at], T.Name)) return false;
  }
  return true;
}
