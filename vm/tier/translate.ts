/**
 * Bytecode → plan: follows the code of a program's entry routine once, from its start, and notes what each instruction does to slots
 * whose kinds are known. Only forward jumps are followed, so every place is reached after all jumps to it. What a plan cannot do
 * (loops, calls, anything outside) becomes a step that leaves for the loop.
 */
import { instructionLength } from "../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../compiler/bytecode/program.ts";
import type { Plan } from "./plan.ts";
import { translateStep } from "./translate-step.ts";
import { Translation } from "./translation.ts";

/** Words of code, and slots, of a short program. */
const MAX_WORDS = 2500;
const MAX_SLOTS = 500;

/**
 * The plan of a verified program for frames whose variables have `kinds` (Unset, Number, Boolean, Value or Optional, by slot); null when no
 * run can end in one.
 */
export function translate(program: Program, tables: VariantTables, kinds: Uint8Array): Plan | null {
  const { code, routines, constants, temporaries } = tables;
  const slots = program.names.length + constants.length + temporaries;
  const [entry, ...others] = routines;
  if (code.length > MAX_WORDS || slots > MAX_SLOTS || entry === undefined) return null;
  const translation = new Translation(program, tables, kinds, slots);
  const end = Math.min(code.length, ...others.map(({ pc }) => pc).filter((pc) => pc > entry.pc));
  for (let pc = entry.pc; pc < end; pc += instructionLength(code, pc)) {
    translation.land(pc);
    if (translation.isReached) translateStep(translation, pc);
  }
  return translation.endsSomewhere ? translation.finish(entry.charge) : null;
}
