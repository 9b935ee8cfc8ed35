/** What a rule about calls sees of a call, and what it says of it. */
import type { Operand } from "../../../grammar/ast.ts";
import type { Fix, Severity } from "../../../grammar/diagnostic.ts";
import type { ValueTypes } from "./value-types.ts";

export type Call = Operand & { readonly k: "call" };
export type Advice = { readonly suggestion: string; readonly fix: Fix | null; readonly severity?: Severity };

/** What is known where a call is judged. */
export type Place = {
  readonly types: ValueTypes;
  readonly text: (operand: Operand) => string;
  /** Whether a value is a list, by its type or by what the graph does with it. */
  readonly isList: (operand: Operand) => boolean;
  /** Whether a loop passes the name. */
  readonly isItem: (name: string) => boolean;
  /** Written `f(a, b)`, so that `*` and `.name` may stand in it. */
  readonly isMarked: boolean;
};
export type Rule = (call: Call, place: Place) => Advice | null;

const MAX_SHOWN = 30;
export const shown = (text: string): string => (text.length <= MAX_SHOWN && !text.includes("\n") ? text : "…");

/** What a text rarely has and a pattern often. */
const PATTERN = /\\[dwsDWS]|\[[^\]]*[^\]\\]-[^\]]+\]|\[\^[^\]]+\]|\[[^\]\w\s]{2,}\]|[.)\]][*+]/;

export function isPattern(text: string): boolean {
  return PATTERN.test(text);
}
