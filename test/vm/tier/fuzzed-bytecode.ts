/** Programs made from verified bytecode: instructions get other operands, or become others of the same words. */
import { INSTRUCTIONS, instructionLength } from "../../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../../compiler/bytecode/program.ts";
import { verifyCode } from "../../../compiler/bytecode/verify/verify.ts";

/** A whole number from 0 to below `below`. */
export type Draw = (below: number) => number;

/** xorshift32: millions of draws, repeatable by their seed. */
export function drawsFrom(seed: number): Draw {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** By opcode: the opcodes whose words are of the same kinds, itself included. */
const ALIKE = INSTRUCTIONS.map(({ words }) => {
  const alike = INSTRUCTIONS.filter((other) => other.words.join() === words.join());
  return alike.map(({ op }) => op);
});
const MAX_CHANGES = 4;

/** The program with up to four changes that the verifier accepts; changes that it does not are taken back. */
export function fuzzed(program: Program, draw: Draw): Program {
  const tables = program.variant("fast");
  const heads = headsOf(tables.code);
  const slots = program.names.length + tables.constants.length + tables.temporaries;
  let current = program;
  let code = tables.code;
  for (let changes = 1 + draw(MAX_CHANGES); changes > 0; changes--) {
    const changed = code.slice();
    change(changed, heads[draw(heads.length)] as number, slots, draw);
    const next = withCode(program, { ...tables, code: changed });
    if (verifyCode(next, "fast").ok) [current, code] = [next, changed];
  }
  return current;
}

function change(code: Int32Array, pc: number, slots: number, draw: Draw): void {
  const op = code[pc] as number;
  const alike = ALIKE[op] as number[];
  if (alike.length > 1 && draw(2) === 0) {
    code[pc] = alike[draw(alike.length)] as number;
    return;
  }
  const length = instructionLength(code, pc);
  if (length === 1) return;
  const at = 1 + draw(length - 1);
  // Words after those that have a kind are operands too.
  const kind = INSTRUCTIONS[op]?.words[at - 1] ?? "a";
  if ("adD".includes(kind)) code[pc + at] = draw(slots);
  else if (kind !== "v") code[pc + at] = (code[pc + at] as number) + draw(3) - 1;
}

function headsOf(code: Int32Array): number[] {
  const heads: number[] = [];
  for (let pc = 0; pc < code.length; pc += instructionLength(code, pc)) heads.push(pc);
  return heads;
}

function withCode(program: Program, fast: VariantTables): Program {
  return { ...program, variant: (kind) => (kind === "fast" ? fast : program.variant(kind)) };
}
