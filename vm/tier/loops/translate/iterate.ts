/** Loops: their begin, their next pass, their end. */
import { instructionLength, Op } from "../../../../compiler/bytecode/opcodes.ts";
import { leave } from "./control.ts";
import { comparison, result } from "./numbers.ts";
import { Held, heldAs, type State, settle } from "./states.ts";
import { RESOLVED, type Writer } from "./writer.ts";

/** `LoopInit d l a t n k` */
export function beginLoop(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const [d, l, a, t, n] = [1, 2, 3, 4, 5].map((at) => code[pc + at] as number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const next = pc + instructionLength(code, pc);
  const { at, list } = w.text.loop(l);
  w.enterDepth(state, code[pc + 6] as number, pc);
  w.beforeNative(state, pc);
  w.put(`const begun=loopInit(m,${pc},first+${l});P=m.positions;`);
  settle(state, d, Held.Memory);
  w.put("if(!begun){");
  w.edge(state.slice(), t, `break t${t};`);
  w.put(`}${at}=1;${list}=m.lists[first+${l}];`);
  const ahead = w.ahead(next, n);
  // An empty body is work without steps.
  w.put(`if(${n === 0 ? "m.spent||" : ""}${RESOLVED})${ahead(state)}`);
  const { kinds, elements, generic } = w.observed;
  if (!generic.has(pc) && (kinds[d] === Held.Number || elements[a] === Held.Number)) {
    w.put(`if(!isNumber(V[${d}]))${ahead(state)}${w.text.number(d)}=V[${d}];`);
    settle(state, d, Held.Number);
  }
  w.charge(state, n, next);
  return state;
}

/** `LoopNext d l t n`: at the end d as it was before the loop. */
export function nextElement(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const [d, l, t, n] = [1, 2, 3, 4].map((at) => code[pc + at] as number) as [number, number, number, number];
  const { at, list } = w.text.loop(l);
  const [element, inner] = [w.text.name(), state.slice()];
  w.put(`if(${at}<${list}.length){const ${element}=${list}[${at}];`);
  takeElement(w, inner, { d, name: element, position: at }, pc, t, n);
  goRound(w, inner, pc, t, n);
  w.put("}");
  w.beforeNative(state, pc);
  w.put(`loopEnd(m,${d},first+${l});if(${RESOLVED})`);
  settle(state, d, Held.Memory);
  w.put(w.after(pc + instructionLength(code, pc))(state));
  return state;
}

type Element = { readonly d: number; readonly name: string; readonly position: string };

function takeElement(w: Writer, state: State, { d, name, position }: Element, pc: number, t: number, n: number): void {
  const counted = `${position}=${position}+1|0;`;
  const ahead = w.ahead(t, n);
  if (w.observed.generic.has(pc)) {
    w.put(counted);
    w.beforeNative(state, pc);
    w.put(`bookValue(m,${d},${name});`);
    settle(state, d, Held.Memory);
    w.put(`if(m.spent||${RESOLVED})${ahead(state)}`);
  } else if (heldAs(state, d) === Held.Number) {
    w.put(`if(!isNumber(${name}))${w.side(state, pc)}${counted}`);
    w.writeNumber(state, d, name, pc, ahead);
  } else {
    w.storeValue(state, d, name, `knownSize(${name})`, pc);
    w.put(`OWN[${d}]=0;${counted}`);
  }
}

function goRound(w: Writer, state: State, pc: number, t: number, n: number): void {
  w.charge(state, n, t);
  w.edge(state, t, `continue i${w.places.regionOf(pc).init};`);
}

/** `WhileInit a l t n k i` */
export function beginWhile(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const [a, l, t, n] = [1, 2, 3, 4].map((at) => code[pc + at] as number) as [number, number, number, number];
  const { at, bound } = w.text.loop(l);
  w.enterDepth(state, code[pc + 5] as number, pc);
  const test = w.text.name();
  w.put(`const ${test}=${w.truth(state, a, pc)};`);
  w.beforeNative(state, pc);
  w.put(`whileInit(m,first+${l},${code[pc + 6] as number},${test});P=m.positions;if(!${test}){`);
  w.edge(state.slice(), t, `break t${t};`);
  w.put(`}${at}=1;${bound}=bound(m.bounds[first+${l}]);`);
  w.charge(state, n, pc + instructionLength(code, pc));
  return state;
}

/** `WhileNext a l t n y` */
export function nextPass(w: Writer, state: State, pc: number): State {
  const { code } = w.places;
  const [a, l, t, n] = [1, 2, 3, 4].map((at) => code[pc + at] as number) as [number, number, number, number];
  const test = w.text.name();
  w.put(`const ${test}=${w.truth(state, a, pc)};`);
  expectRoom(w, state, test, l, pc);
  pass(w, state, test, pc, { l, t, n });
  return state;
}

/** Leaves where the next pass is one too many. */
function expectRoom(w: Writer, state: State, test: string, register: number, pc: number): void {
  const { at, bound } = w.text.loop(register);
  w.put(`if(${test}&&${at}>=${bound})${w.side(state, pc)}`);
}

type Round = { readonly l: number; readonly t: number; readonly n: number };

function pass(w: Writer, state: State, test: string, pc: number, { l, t, n }: Round): void {
  const { at } = w.text.loop(l);
  w.put(`if(${test}){${at}=${at}+1|0;`);
  goRound(w, state.slice(), pc, t, n);
  w.put(`}P[first+${l}]=${at};`);
}

/** `WhileNextLt d a b l t n y`; null: the loop does it. */
export function nextPassLess(w: Writer, state: State, pc: number): State | null {
  const { code } = w.places;
  const [d, a, b, l, t, n] = [1, 2, 3, 4, 5, 6].map((at) => code[pc + at] as number) as Six;
  const less = comparison(w, state, Op.Lt, a, b, pc);
  if (less === null) return leave(w, state, pc);
  const test = w.text.name();
  w.put(`const ${test}=${less};`);
  expectRoom(w, state, test, l, pc);
  w.expectBooked(state, d, Held.Boolean, pc);
  w.writeBoolean(state, d, test, pc, w.after(pc));
  pass(w, state, test, pc, { l, t, n });
  return state;
}

type Six = [number, number, number, number, number, number];

/** `AddWhileNextLt d a b e f g l t n y y`; null: the loop does it. */
export function addNextPassLess(w: Writer, state: State, pc: number): State | null {
  const { code } = w.places;
  const [d, a, b, e, f, g] = [1, 2, 3, 4, 5, 6].map((at) => code[pc + at] as number) as Six;
  const [l, t, n] = [7, 8, 9].map((at) => code[pc + at] as number) as [number, number, number];
  const sum = d === e ? null : result(w, state, Op.Add, a, b, pc);
  if (sum === null) return leave(w, state, pc);
  const operand = (slot: number): string | null => (slot === d ? sum : w.number(state, slot, pc));
  const left = operand(f);
  const right = left === null ? null : operand(g);
  if (right === null) return leave(w, state, pc);
  const test = w.text.name();
  w.put(`const ${test}=${left}<${right};`);
  expectRoom(w, state, test, l, pc);
  w.expectBooked(state, d, Held.Number, pc);
  w.expectBooked(state, e, Held.Boolean, pc);
  w.writeNumber(state, d, sum, pc, w.after(pc));
  w.writeBoolean(state, e, test, pc, w.after(pc));
  pass(w, state, test, pc, { l, t, n });
  return state;
}

/** `Stop a l`: when a is truthy, the loop makes no further pass. */
export function stop(w: Writer, state: State, pc: number): void {
  const { code } = w.places;
  const l = code[pc + 2] as number;
  const test = w.truth(state, code[pc + 1] as number, pc);
  w.put(`if(${test}){${w.text.loop(l).list}=m.lists[first+${l}]=NONE;}`);
}
