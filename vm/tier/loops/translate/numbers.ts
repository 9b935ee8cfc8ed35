/** Arithmetic, comparisons and conditions. Operands of other kinds leave, or are a native's where that happens often. */
import { Op } from "../../../../compiler/bytecode/opcodes.ts";
import { Held, heldAs, type State } from "./states.ts";
import type { Done, Writer } from "./writer.ts";

const SIGNS: { readonly [op: number]: string } = {
  [Op.Add]: "+",
  [Op.Sub]: "-",
  [Op.Lt]: "<",
  [Op.Lte]: "<=",
  [Op.Gt]: ">",
  [Op.Gte]: ">=",
};

/** An expression for `x op y`, which may be -0 or not finite. */
function arithmetic(op: number, x: string, y: string): string {
  if (op === Op.Mul) return `${x}*${y}`;
  if (op === Op.Div) return `${x}/${y}`;
  if (op === Op.IDiv) return `floor(${x}/${y})`;
  return op === Op.Mod ? `modulo(${x},${y})` : `${x}${SIGNS[op]}${y}`;
}

/** A name for the finite result of `op`; leaves where the result is not finite. Null: the operands are never numbers. */
export function result(w: Writer, state: State, op: number, a: number, b: number, pc: number): string | null {
  const x = w.number(state, a, pc);
  const y = x === null ? null : w.number(state, b, pc);
  if (x === null || y === null) return null;
  const name = w.text.name();
  const divides = op === Op.Div || op === Op.IDiv || op === Op.Mod;
  if (divides) w.put(`if(${y}===0)${w.side(state, pc)}`);
  // Adding 0 turns -0 into 0, which sums and differences never are.
  const zero = op === Op.Add || op === Op.Sub ? "" : "+0";
  w.put(`const ${name}=${arithmetic(op, x, y)}${zero};if(${name}-${name}!==0)${w.side(state, pc)}`);
  return name;
}

/** `d a b` of an arithmetic instruction. */
export function calculate(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const d = code[pc + 1] as number;
  const value = result(w, state, code[pc] as number, code[pc + 2] as number, code[pc + 3] as number, pc);
  if (value === null) w.native(state, pc, next, d);
  else w.writeNumber(state, d, value, pc, w.after(next));
}

/** `Fn d x n a…`: the `+` of the indented form adds numbers here, everything else is the function's. */
export function callFunction(w: Writer, state: State, pc: number, next: number): void {
  const { code, tables } = w.places;
  const d = code[pc + 1] as number;
  const entry = tables.aux[code[pc + 2] as number];
  const isSum = entry?.kind === "fn" && entry.name === "plus" && code[pc + 3] === 2;
  const value = isSum ? result(w, state, Op.Add, code[pc + 4] as number, code[pc + 5] as number, pc) : null;
  if (value === null) w.native(state, pc, next, d);
  else w.writeNumber(state, d, value, pc, w.after(next));
}

/** An expression for `a < b` and the like of numbers. Null: they never are. */
export function comparison(w: Writer, state: State, op: number, a: number, b: number, pc: number): string | null {
  const x = w.number(state, a, pc);
  const y = x === null ? null : w.number(state, b, pc);
  return x === null || y === null ? null : `${x}${SIGNS[op]}${y}`;
}

export function compare(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const d = code[pc + 1] as number;
  const value = comparison(w, state, code[pc] as number, code[pc + 2] as number, code[pc + 3] as number, pc);
  if (value === null) w.native(state, pc, next, d);
  else w.writeBoolean(state, d, value, pc, w.after(next));
}

/** `Eq d a b` and `Ne`: containers and long strings are a native's. */
export function equals(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a, b] = [code[pc + 1] as number, code[pc + 2] as number, code[pc + 3] as number];
  if (w.observed.generic.has(pc)) {
    w.native(state, pc, next, d);
    return;
  }
  const sign = code[pc] === Op.Eq ? "===" : "!==";
  const x = w.setValue(state, a, pc);
  const y = w.setValue(state, b, pc);
  if (w.held(state, a) === Held.Memory || w.held(state, a) === Held.Value)
    w.put(`if(isWalked(${x}))${w.side(state, pc)}`);
  w.writeBoolean(state, d, `${x}${sign}${y}`, pc, w.after(next));
}

/** `And`, `Or`, `Not`, `Truthy`. */
export function decide(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const op = code[pc];
  const truth = (at: number): string => w.truth(state, code[pc + at] as number, pc);
  let value: string;
  if (op === Op.Not) value = `!${truth(2)}`;
  else if (op === Op.Truthy) value = truth(2);
  else value = [truth(2), truth(3)].join(op === Op.And ? "&&" : "||");
  w.writeBoolean(state, code[pc + 1] as number, value, pc, w.after(next));
}

/** `Present d a`: an unset variable may stand for its own name. */
export function present(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const value = w.setValue(state, code[pc + 2] as number, pc);
  w.writeBoolean(state, code[pc + 1] as number, `${value}!==null`, pc, w.after(next));
}

/** `Len d a` of a list. */
export function length(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a] = [code[pc + 1] as number, code[pc + 2] as number];
  if (w.observed.generic.has(pc) || isScalar(w, state, a)) {
    w.native(state, pc, next, d);
    return;
  }
  const list = w.setValue(state, a, pc);
  w.put(`if(!isList(${list}))${w.side(state, pc)}`);
  w.writeNumber(state, d, `${list}.length`, pc, w.after(next));
}

function isScalar(w: Writer, state: State, slot: number): boolean {
  const held = w.held(state, slot);
  return held === Held.Number || held === Held.Boolean;
}

/** `Select d c a b` of two numbers or two booleans: what else is chosen keeps its size and its mark, and is a native's. */
export function select(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, c, a, b] = [1, 2, 3, 4].map((at) => code[pc + at] as number) as [number, number, number, number];
  const held = w.held(state, a);
  if (!isScalar(w, state, a) || w.held(state, b) !== held) {
    w.native(state, pc, next, d);
    return;
  }
  const value = `${w.truth(state, c, pc)}?${w.value(state, a)}:${w.value(state, b)}`;
  if (held === Held.Number) w.writeNumber(state, d, value, pc, w.after(next));
  else w.writeBoolean(state, d, value, pc, w.after(next));
}

/** Copies a scalar that is in a register. */
export function copyScalar(w: Writer, state: State, d: number, a: number, pc: number, done: Done): void {
  const value = w.value(state, a);
  if (w.held(state, a) === Held.Number) w.writeNumber(state, d, value, pc, done);
  else w.writeBoolean(state, d, value, pc, done);
}

/** Whether a slot is a variable whose register has a number. */
export function isNumber(state: State, slot: number): boolean {
  return heldAs(state, slot) === Held.Number;
}
