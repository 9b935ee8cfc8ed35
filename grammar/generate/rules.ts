/** The opcode form as productions (docs/grammars.md), read from its parser: every grammar format is printed from them. */
import type { Production } from "./expression.ts";
import { opcodeRules } from "./forms/opcode.ts";
import type { GrammarShape } from "./shape.ts";

/** All productions, `program` first. */
export function rulesOf(shape: GrammarShape): readonly Production[] {
  return opcodeRules(shape);
}
