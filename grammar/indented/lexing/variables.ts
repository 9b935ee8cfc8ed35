/**
 * Which names of a file are likely to hold variables, before it is read: names that a line sets, takes as input or names in a loop. The token
 * source needs them to distinguish `n-1` from text. A name found here by mistake is still reported as unknown; a name missed here is found when the
 * file has been read.
 */
import { isName } from "../../operands/tokens.ts";

const NAME = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const SETS = new RegExp(String.raw`^[^\S\n]*(${NAME})[^\S\n]*(?://|\*\*|[-+*/%])?=(?!=)`, "gmu");
const TAKES =
  /^[^\S\n]*in[^\S\n]*:([^\n#]*)|^[^\S\n]*#[^\S\n]*frame:([^\n]*)|\(([^()\n]*)\)[^\S\n]*:[^\S\n]*(?:#.*)?$/gmu;
const LOOPS = new RegExp(String.raw`\bfor[^\S\n]+(${NAME})(?:[^\S\n]*,[^\S\n]*(${NAME}))?[^\S\n]+in\b`, "gu");
const ARROWS = new RegExp(String.raw`->[^\S\n]*(${NAME})`, "gu");
const STEPS = new RegExp(
  String.raw`^[^\S\n]*(?:X|Set|Filt|Filter|Sort)[^\S\n]+(${NAME})|^[^\S\n]*except[^\S\n]+(?:\w+[^\S\n]+as[^\S\n]+)?(${NAME})[^\S\n]*:`,
  "gmu",
);

export function likelyVariables(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: string | undefined): void => {
    if (name !== undefined && isName(name)) names.add(name);
  };
  for (const pattern of [SETS, LOOPS, ARROWS, STEPS]) {
    for (const [, first, second] of text.matchAll(pattern)) {
      add(first);
      add(second);
    }
  }
  for (const [, first, second, third] of text.matchAll(TAKES)) {
    for (const part of (first ?? second ?? third ?? "").split(/[\s,]+/)) add(/^[^:=]*/.exec(part)?.[0]);
  }
  return names;
}
