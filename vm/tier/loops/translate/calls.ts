/** Calls of labels: generated functions call each other. Records of the control stack are written only where a call leaves. */
import { instructionLength, Op } from "../../../../compiler/bytecode/opcodes.ts";
import { Fixed } from "../../../../compiler/bytecode/program.ts";
import { Exit, exitCode, Word } from "../exchange.ts";
import { Held, heldAs, isNewer, type State, settle } from "./states.ts";
import { RESOLVED, type Writer } from "./writer.ts";

const RECORD_WORDS = 6;

/** `Call d r k n i n` and `CallValue d r k n i`; null: the routine does not return, as far as is known. */
export function call(w: Writer, state: State, pc: number): State | null {
  const { code, tables } = w.places;
  const isCall = code[pc] === Op.Call;
  const [d, r, k, n, i] = [1, 2, 3, 4, 5].map((at) => code[pc + at] as number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const callee = tables.routines[r]?.pc ?? 0;
  const next = pc + instructionLength(code, pc);
  w.put(`if(nested>=X[${Word.Room}]&&!canNest(nested))${w.side(state, pc)}`);
  w.enterDepth(state, k, pc);
  w.settleTemporaries(state);
  w.edge(state, callee);
  settleLike(w, state, w.flow.states[callee]);
  const top = `sp+${RECORD_WORDS}`;
  const record = `record(m,${top},${pc},base+${k},first+${i});`;
  const fuel = `X[${Word.Fuel}]`;
  const idle = w.text.name();
  w.put(`let ${idle}=true;`);
  if (n > 0) w.put(`${fuel}=${fuel}-${n}|0;if(${fuel}>=0)`);
  // What a function throws it catches. The engine throws where it cannot begin: to compile it may take more stack than there is.
  w.put(`try{x=r${r}(m,0,base+${k},first+${i},${top},nested+1);${idle}=false;}catch(thrown){}`);
  w.put(`${w.afterCall(pc)}if(${idle}){`);
  // Nothing of the callee was done, so its variables are written here.
  w.settleAll(state.slice());
  const reason = n > 0 ? Exit.Head : Exit.After;
  w.put(`X[${Word.Top}]=${top};${record}x=${exitCode(reason, callee)};${w.outOfCall(pc)}}`);
  w.put(`if(x!==0){${record}${w.outOfCall(pc)}}`);
  const returned = w.flow.returned[r];
  if (returned === undefined) {
    w.put("break out;");
    return null;
  }
  for (let slot = 0; slot < w.variables; slot++) if (w.places.touches(r, slot)) state[slot] = returned[slot] as number;
  take(w, state, d, isCall, pc, next, isCall ? (code[pc + 6] as number) : 0);
  return state;
}

/** What the callee expects in memory is there: it was written by the edge. */
function settleLike(w: Writer, state: State, there: State | undefined): void {
  if (there === undefined) return;
  for (let slot = 0; slot < w.variables; slot++) if (heldAs(there, slot) === Held.Memory) settle(state, slot);
}

/** The value that was returned goes where the call says, as after a `Ret` of the loop. */
function take(w: Writer, state: State, d: number, isCall: boolean, pc: number, next: number, n: number): void {
  w.toMemory(state, d);
  if (isCall) w.toMemory(state, Fixed.CallResult);
  const from = `X[${Word.Returned}]`;
  w.put(`if(V[${from}]!==null||V[${d}]!==null||V[${Fixed.CallResult}]!==null){`);
  const before = state.slice();
  w.beforeNative(before, pc);
  w.put(`returned(m,${d},${from},${isCall});if(${RESOLVED})${w.ahead(next, n)(before)}}`);
  w.charge(state, n, next);
}

/** `Ret a`: the value is in its slot. Records that were there when generated code was entered are the loop's. */
export function ret(w: Writer, state: State, pc: number): null {
  const { code, tables } = w.places;
  const a = code[pc + 1] as number;
  w.put(`if(nested===0)${w.side(state, pc)}`);
  if (!w.isConstant(a) && isNewer(state, a)) {
    w.put(`V[${a}]=${w.stored(state, a)};`);
    settle(state, a);
  }
  const isSure = w.isConstant(a) || w.held(state, a) !== Held.Memory || w.isTemporary(a);
  const slot = isSure ? a : `(V[${a}]===undefined?${tables.unset_at[pc + 1]}:${a})`;
  w.put(`X[${Word.Returned}]=${slot};`);
  if (w.text.isLeaf) handBack(w, state);
  w.returns(state);
  w.put("break out;");
  return null;
}

/** Registers of a function that calls no other are its own: the others find them where all share them. */
function handBack(w: Writer, state: State): void {
  for (let slot = 0; slot < w.variables; slot++) {
    if (!w.places.touches(w.routine, slot)) continue;
    if (heldAs(state, slot) === Held.Number) w.put(`F[${slot}]=${w.text.number(slot)};`);
    else if (isNewer(state, slot)) {
      w.put(`V[${slot}]=${w.stored(state, slot)};`);
      settle(state, slot);
    }
  }
}
