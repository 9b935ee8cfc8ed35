/** What it means that a token fits no rule: the fault to tell, and the edit where exactly one is meant. */

import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { Refusal } from "../refusal.ts";
import type { Unexpected } from "./python-base.ts";

export function refusalOf(text: string, { token }: Unexpected): Refusal {
  return new Refusal("syntax", token, { words: { found: foundAs(text, token) } });
}

function foundAs(text: string, token: Token): string {
  const { tokenTypeIdx, start, end } = token;
  if (tokenTypeIdx === T.Newline.tokenTypeIdx) return "the end of the line";
  if (tokenTypeIdx === T.End.tokenTypeIdx) return "the end of the file";
  if (tokenTypeIdx === T.Indent.tokenTypeIdx) return "an indented line";
  if (tokenTypeIdx === T.Dedent.tokenTypeIdx) return "the end of the block";
  const written = text.slice(start, Math.min(end, start + 40));
  return `'${written}'`;
}
