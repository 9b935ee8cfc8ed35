/** One instruction as text, and what it does to the state. What generated code does not do leaves for the loop. */
import { instructionLength, Op } from "../../../../compiler/bytecode/opcodes.ts";
import { call, ret } from "./calls.ts";
import { concat, makeList, makeLiteral, makeObject, push } from "./containers.ts";
import { branch, branchLess, leave, skip } from "./control.ts";
import { addNextPassLess, beginLoop, beginWhile, nextElement, nextPass, nextPassLess, stop } from "./iterate.ts";
import { calculate, callFunction, compare, decide, equals, length, present, select } from "./numbers.ts";
import type { State } from "./states.ts";
import { callResult, copy, get, last, path } from "./values.ts";
import type { Writer } from "./writer.ts";

/** `state`: after the instruction; null: control does not continue here. `next`: the instruction that follows. */
type Stepped = { readonly state: State | null; readonly next: number };

type Simple = (w: Writer, state: State, pc: number, next: number) => void;

/** Instructions after which the next one follows. */
const SIMPLE: { readonly [op: number]: Simple } = {
  [Op.Set]: copy,
  [Op.Add]: calculate,
  [Op.Sub]: calculate,
  [Op.Mul]: calculate,
  [Op.Div]: calculate,
  [Op.IDiv]: calculate,
  [Op.Mod]: calculate,
  [Op.Lt]: compare,
  [Op.Lte]: compare,
  [Op.Gt]: compare,
  [Op.Gte]: compare,
  [Op.Eq]: equals,
  [Op.Ne]: equals,
  [Op.And]: decide,
  [Op.Or]: decide,
  [Op.Not]: decide,
  [Op.Truthy]: decide,
  [Op.Present]: present,
  [Op.Select]: select,
  [Op.Len]: length,
  [Op.Get]: get,
  [Op.Path]: path,
  [Op.Push]: push,
  [Op.Concat]: concat,
  [Op.List]: makeList,
  [Op.Object]: makeLiteral,
  [Op.Last]: last,
  [Op.CallResult]: callResult,
  [Op.Stop]: stop,
  [Op.Put]: byNative,
  [Op.TextEq]: byNative,
  [Op.Fn]: callFunction,
  [Op.Filt]: byNative,
  [Op.Sort]: byNative,
  [Op.Charge]: (w, state, pc, next) => w.charge(state, w.places.code[pc + 1] as number, next),
  [Op.Enter]: (w, state, pc) => w.enterDepth(state, w.places.code[pc + 1] as number, pc),
};

/** Instructions that go several ways, or none. */
const OTHERS: { readonly [op: number]: (w: Writer, state: State, pc: number) => State | null } = {
  [Op.Branch]: branch,
  [Op.BranchLt]: branchLess,
  [Op.Skip]: skip,
  [Op.LoopInit]: beginLoop,
  [Op.LoopNext]: nextElement,
  [Op.WhileInit]: beginWhile,
  [Op.WhileNext]: nextPass,
  [Op.WhileNextLt]: nextPassLess,
  [Op.AddWhileNextLt]: addNextPassLess,
  [Op.Call]: call,
  [Op.CallValue]: call,
  [Op.Ret]: ret,
  [Op.Jump]: (w, state, pc) => {
    const target = w.places.code[pc + 1] as number;
    w.edge(state, target, `break t${target};`);
    return null;
  },
};

function byNative(w: Writer, state: State, pc: number, next: number): void {
  w.native(state, pc, next, w.places.code[pc + 1] as number);
}

/** The instruction at `pc`; `state` becomes that after it. */
export function step(w: Writer, state: State, pc: number): Stepped {
  const { code } = w.places;
  const op = code[pc] as number;
  const next = pc + instructionLength(code, pc);
  w.put("{");
  w.chance(state, pc);
  const stepped = stepOf(w, state, op, pc, next);
  w.put("}\n");
  return stepped;
}

function stepOf(w: Writer, state: State, op: number, pc: number, next: number): Stepped {
  if (op === Op.Obj) {
    const end = makeObject(w, state, pc, next);
    return { state: end < 0 ? null : state, next: end < 0 ? next : end };
  }
  const simple = SIMPLE[op];
  if (simple === undefined) return { state: (OTHERS[op] ?? leave)(w, state, pc), next };
  simple(w, state, pc, next);
  return { state, next };
}
