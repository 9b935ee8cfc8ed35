/** The language as productions (docs/grammars.md), read from the parser of the form: every grammar format is printed from them. */
import type { Production } from "./expression.ts";
import { indentedRules } from "./forms/indented.ts";
import { opcodeRules } from "./forms/opcode.ts";
import type { GrammarShape } from "./shape.ts";

export const FORMS = ["opcode", "indented"] as const;
export type Form = (typeof FORMS)[number];

/** All productions of a form, `program` first. */
export function rulesOf(shape: GrammarShape, form: Form = "opcode"): readonly Production[] {
  return form === "indented" ? indentedRules(shape) : opcodeRules(shape);
}
