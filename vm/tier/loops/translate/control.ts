/** Where control goes inside a routine: charges, depth, branches and skips. */
import { instructionLength, Op } from "../../../../compiler/bytecode/opcodes.ts";
import { comparison } from "./numbers.ts";
import { Held, type State } from "./states.ts";
import type { Writer } from "./writer.ts";

/** `Branch a t n n k` */
export function branch(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const test = w.truth(state, code[pc + 1] as number, pc);
  w.enterDepth(state, code[pc + 5] as number, pc);
  forkAt(w, state, pc, test, code[pc + 2] as number, code[pc + 3] as number, code[pc + 4] as number);
  return state;
}

/** Charges and goes one of two ways: on when `test` is true, else to `target`. */
function forkAt(w: Writer, state: State, pc: number, test: string, target: number, yes: number, no: number): void {
  const next = pc + instructionLength(w.places.code, pc);
  const other = state.slice();
  w.put(`if(!${test}){`);
  w.charge(other, no, target);
  w.edge(other, target, `break t${target};`);
  w.put("}");
  w.charge(state, yes, next);
}

/** `BranchLt d a b t n n k y`: null: the loop does it. */
export function branchLess(w: Writer, state: State, pc: number): State | null {
  const { code } = w.places;
  const [d, a, b] = [code[pc + 1] as number, code[pc + 2] as number, code[pc + 3] as number];
  const less = comparison(w, state, Op.Lt, a, b, pc);
  if (less === null) return leave(w, state, pc);
  const test = w.text.name();
  w.put(`const ${test}=${less};`);
  w.enterDepth(state, code[pc + 7] as number, pc);
  w.expectBooked(state, d, Held.Boolean, pc);
  w.writeBoolean(state, d, test, pc, w.after(pc));
  forkAt(w, state, pc, test, code[pc + 4] as number, code[pc + 5] as number, code[pc + 6] as number);
  return state;
}

/** The loop does the instruction: nothing of it was done. */
export function leave(w: Writer, state: State, pc: number): null {
  w.put(w.side(state, pc));
  return null;
}

/** `Skip a i t`: over instructions of the same block. */
export function skip(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const target = code[pc + 3] as number;
  const test = w.truth(state, code[pc + 1] as number, pc);
  const name = w.text.name();
  w.put(`const ${name}=${test};`);
  w.settleTemporaries(state);
  w.put(`if(${code[pc + 2] === 1 ? "" : "!"}${name}){`);
  w.edge(state.slice(), target, `break t${target};`);
  w.put("}");
  return state;
}
