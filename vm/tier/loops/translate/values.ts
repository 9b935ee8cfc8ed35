/** Copies and reads: `Set`, `Get`, `Path`, `Last`, `CallResult`. */
import { Fixed } from "../../../../compiler/bytecode/program.ts";
import { Mark } from "../../../memory/accounting.ts";
import { isInherited } from "../../natives.ts";
import { copyScalar, isNumber } from "./numbers.ts";
import { Held, type State, settle } from "./states.ts";
import type { Writer } from "./writer.ts";

/** `Set d a`: afterwards both may share it. */
export function copy(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a] = [code[pc + 1] as number, code[pc + 2] as number];
  const held = w.held(state, a);
  if (held === Held.Number || held === Held.Boolean) copyScalar(w, state, d, a, pc, w.after(next));
  else if (held === Held.Value) w.writeValue(state, d, w.value(state, a), pc, w.after(next));
  else if (w.observed.generic.has(pc)) w.native(state, pc, next, d);
  else {
    const name = w.setValue(state, a, pc);
    if (w.observed.kinds[d] === Held.Number && !w.isConstant(a)) {
      w.put(`if(!isNumber(${name}))${w.side(state, pc)}`);
      w.writeNumber(state, d, name, pc, w.after(next));
      return;
    }
    w.storeValue(state, d, name, `SZ[${a}]`, pc);
    w.put(`if(OWN[${a}]===${Mark.Owned})OWN[${a}]=${Mark.None};OWN[${d}]=OWN[${a}];`);
  }
}

/** `Last d a`: d ← a unless that is null. */
export function last(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a] = [code[pc + 1] as number, code[pc + 2] as number];
  const held = w.held(state, a);
  if (w.isConstant(a) && w.constant(a) === null) return;
  if (held === Held.Number || held === Held.Boolean) copyScalar(w, state, d, a, pc, w.after(next));
  else if (held === Held.Value) w.native(state, pc, next, d);
  else {
    const name = w.setValue(state, a, pc);
    w.toMemory(state, d);
    w.put(`if(${name}!==null){`);
    w.storeValue(state, d, name, `SZ[${a}]`, pc);
    w.put(`if(OWN[${a}]===${Mark.Owned})OWN[${a}]=${Mark.None};OWN[${d}]=${Mark.None};}`);
  }
}

/** `CallResult d a`: the value of an inlined call is also in `_call_result`. */
export function callResult(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a] = [code[pc + 1] as number, code[pc + 2] as number];
  const isScalar = w.held(state, a) === Held.Number;
  if (isScalar && isNumber(state, d) && isNumber(state, Fixed.CallResult)) {
    w.writeNumber(state, d, w.value(state, a), pc, w.after(next));
    if (d !== Fixed.CallResult) w.writeNumber(state, Fixed.CallResult, w.value(state, d), pc, w.after(next));
    return;
  }
  w.native(state, pc, next, d);
  settle(state, Fixed.CallResult, Held.Memory);
  if (!isScalar) return;
  for (const slot of new Set([d, Fixed.CallResult as number])) {
    w.put(`${w.text.number(slot)}=V[${slot}];`);
    settle(state, slot, Held.Number);
  }
}

/** `Get d a b` with a constant key that names one member. */
export function get(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a, b] = [code[pc + 1] as number, code[pc + 2] as number, code[pc + 3] as number];
  const key = w.isConstant(b) ? w.constant(b) : null;
  const isPlain = typeof key === "string" && key !== "" && !key.includes(".") && !isInherited(key);
  if (!isPlain || w.observed.generic.has(pc)) {
    w.native(state, pc, next, d);
    return;
  }
  const [object, found] = [w.setValue(state, a, pc), w.text.name()];
  w.put(`if(!isRecord(${object}))${w.side(state, pc)}`);
  w.put(`let ${found}=${object}[${w.constantName(b)}];if(${found}===undefined)${found}=null;`);
  w.writeValue(state, d, found, pc, w.after(next));
}

/** Longer ones do not name an element. */
const MAX_INDEX_DIGITS = 7;
const INDEX = /^[0-9]+$/;

/** `Path d a x` through records and lists. */
export function path(w: Writer, state: State, pc: number, next: number): void {
  const { code, tables } = w.places;
  const [d, a] = [code[pc + 1] as number, code[pc + 2] as number];
  const entry = tables.aux[code[pc + 3] as number];
  const segments = entry?.kind === "path" ? entry.segments : [];
  const isPlain = segments.length > 0 && segments.every((one) => !isInherited(one) && !isLongIndex(one));
  if (!isPlain || w.observed.generic.has(pc)) {
    w.native(state, pc, next, d);
    return;
  }
  const at = w.text.name();
  w.put(`let ${at}=${w.setValue(state, a, pc)};`);
  for (const segment of segments) {
    const side = w.side(state, pc);
    const member = `if(!isRecord(${at}))${side}${at}=${at}[${w.key(segment)}];`;
    const read = INDEX.test(segment) ? `if(isList(${at}))${at}=${at}[${Number(segment)}];else{${member}}` : member;
    w.put(`if(${at}!==null){${read}if(${at}===undefined)${at}=null;}`);
  }
  w.writeValue(state, d, at, pc, w.after(next));
}

function isLongIndex(segment: string): boolean {
  return segment.length > MAX_INDEX_DIGITS && INDEX.test(segment);
}
