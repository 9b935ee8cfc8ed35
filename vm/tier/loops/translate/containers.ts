/** Texts, records and lists that instructions make or add to. Sizes are those that the loop books. */
import { Op } from "../../../../compiler/bytecode/opcodes.ts";
import { Mark, UNCOUNTED_UNITS } from "../../../memory/accounting.ts";
import { MAX_ENTRIES, UNSIZED_BYTES } from "../../../memory/containers.ts";
import { Heap, listHeap, objectHeap } from "../../../values/heap-size.ts";
import { numberBytes, textBytes } from "../../../values/json-size.ts";
import { isPlainKey } from "../../../values/paths.ts";
import { Held, heldAs, type State, settle } from "./states.ts";
import type { Writer } from "./writer.ts";

/** A value that becomes part of a container: expressions for it and for its exact size, of which the known part is a number. */
type Part = { readonly value: string; readonly size: string; readonly known: number };

/** Leaves where the size of the operand is not known without work. */
function partOf(w: Writer, state: State, slot: number, pc: number): Part {
  const held = w.held(state, slot);
  const value = w.stored(state, slot);
  if (w.isConstant(slot)) {
    const constant = w.constant(slot);
    if (typeof constant === "number") return { value, size: "", known: numberBytes(constant) };
    if (typeof constant === "string") return { value, size: "", known: textBytes(constant) };
    return typeof constant === "object" && constant !== null
      ? { value, size: `SZ[${slot}]`, known: 0 }
      : { value, size: "", known: constant === false ? 5 : 4 };
  }
  if (held === Held.Number) return { value, size: `numberBytes(${w.value(state, slot)})`, known: 0 };
  if (held === Held.Boolean) return { value, size: `(${value}?4:5)`, known: 0 };
  const [name, size] = [w.setValue(state, slot, pc), w.text.name()];
  const measured = held === Held.Value ? `valueSize(${name})` : `partSize(${name},SZ[${slot}],OWN[${slot}])`;
  w.put(`const ${size}=${measured};if(${size}<0)${w.side(state, pc)}`);
  return { value: name, size, known: 0 };
}

function sum(parts: readonly Part[], more: number): string {
  const known = parts.reduce((total, part) => total + part.known, more);
  return [known, ...parts.map(({ size }) => size).filter((size) => size !== "")].join("+");
}

/** The operands became parts: their slots no longer own them. */
function disown(w: Writer, state: State, slots: readonly number[]): void {
  for (const slot of new Set(slots))
    if (!w.isConstant(slot) && w.held(state, slot) === Held.Memory)
      w.put(`if(OWN[${slot}]===${Mark.Owned})OWN[${slot}]=${Mark.None};`);
}

type Entries = { readonly keys: readonly string[]; readonly slots: readonly number[] };

/** Stores a new object. `isSized`: it carries its size, however small. */
function makeRecord(w: Writer, state: State, d: number, entries: Entries, pc: number, isSized: boolean): void {
  const { keys, slots } = entries;
  const parts = slots.map((slot) => partOf(w, state, slot, pc));
  const [object, size] = [w.text.name(), w.text.name()];
  const known = keys.reduce((total, key) => total + textBytes(key) + 2, keys.length === 0 ? 2 : 1);
  const members = keys.map((key, at) => `${object}[${w.key(key)}]=${parts[at]?.value};`).join("");
  w.put(`const ${size}=${sum(parts, known)},${object}={};${members}`);
  w.put(`${isSized ? "" : `if(${size}>${UNSIZED_BYTES})`}${object}[SIZE]=carried(${size});`);
  finishContainer(w, state, d, object, size, pc, objectHeap(keys.length), slots);
}

function finishContainer(
  w: Writer,
  state: State,
  d: number,
  container: string,
  size: string,
  pc: number,
  heap: number,
  slots: readonly number[],
): void {
  w.storeValue(state, d, container, size, pc);
  disown(w, state, slots);
  w.put(`m.made=m.made+${heap};OWN[${d}]=${Mark.Owned};`);
}

function keyIn(w: Writer, slot: number): string | null {
  const key = w.isConstant(slot) ? w.constant(slot) : null;
  return typeof key === "string" && key.isWellFormed() && isPlainKey(key) && key !== "__proto__" ? key : null;
}

/** `Obj d a b`, and the `Put`s after it that add members to the same object. Returns the pc to continue at. */
export function makeObject(w: Writer, state: State, pc: number, next: number): number {
  const { code, isLabel } = w.places;
  const d = code[pc + 1] as number;
  const first = keyIn(w, code[pc + 2] as number);
  if (first === null || code[pc + 3] === d || w.observed.generic.has(pc)) {
    // The native may do more than this instruction.
    w.put(w.side(state, pc));
    return -1;
  }
  const keys = [first];
  const slots = [code[pc + 3] as number];
  let at = next;
  while (!w.isTemporary(d) && code[at] === Op.Put && code[at + 1] === d && code[at + 2] === d && isLabel[at] === 0) {
    const key = keyIn(w, code[at + 3] as number);
    if (key === null || keys.includes(key) || code[at + 4] === d || keys.length === MAX_ENTRIES) break;
    keys.push(key);
    slots.push(code[at + 4] as number);
    at += 5;
  }
  makeRecord(w, state, d, { keys, slots }, pc, w.isTemporary(d));
  return at;
}

/** `Object d x n a…` */
export function makeLiteral(w: Writer, state: State, pc: number, next: number): void {
  const { code, tables } = w.places;
  const [d, count] = [code[pc + 1] as number, code[pc + 3] as number];
  const entry = tables.aux[code[pc + 2] as number];
  const keys = entry?.kind === "keys" ? entry.keys : [];
  const slots = Array.from(code.subarray(pc + 4, pc + 4 + count));
  const isPlain = keys.every((key, at) => key !== "__proto__" && keys.indexOf(key) === at);
  if (!isPlain || slots.includes(d) || w.observed.generic.has(pc)) w.native(state, pc, next, d);
  else makeRecord(w, state, d, { keys, slots }, pc, true);
}

/** `List d n a…` */
export function makeList(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, count] = [code[pc + 1] as number, code[pc + 2] as number];
  const slots = Array.from(code.subarray(pc + 3, pc + 3 + count));
  if (slots.includes(d) || w.observed.generic.has(pc)) {
    w.native(state, pc, next, d);
    return;
  }
  const parts = slots.map((slot) => partOf(w, state, slot, pc));
  const [list, size] = [w.text.name(), w.text.name()];
  w.put(
    `const ${size}=${sum(parts, count === 0 ? 2 : count + 1)},${list}=[${parts.map(({ value }) => value).join(",")}];`,
  );
  w.put(`${list}[SIZE]=carried(${size});`);
  finishContainer(w, state, d, list, size, pc, listHeap(count), slots);
}

/** `Concat d n a…` of numbers and texts. */
export function concat(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, count] = [code[pc + 1] as number, code[pc + 2] as number];
  const slots = Array.from(code.subarray(pc + 3, pc + 3 + count));
  if (w.observed.generic.has(pc) || !slots.every((slot) => canJoin(w, state, slot))) {
    w.native(state, pc, next, d);
    return;
  }
  let known = 2;
  const sizes: string[] = [];
  const marks: string[] = [];
  const texts = slots.map((slot) => {
    if (w.isConstant(slot)) {
      const constant = w.constant(slot) as string | number;
      known += typeof constant === "string" ? textBytes(constant) - 2 : numberBytes(constant);
      return w.constantName(slot);
    }
    const value = w.value(state, slot);
    if (w.held(state, slot) === Held.Number) {
      sizes.push(`numberBytes(${value})`);
      return value;
    }
    const name = w.setValue(state, slot, pc);
    w.put(`if(!isText(${name}))${w.side(state, pc)}`);
    known -= 2;
    sizes.push(`SZ[${slot}]`);
    marks.push(`OWN[${slot}]>=${Mark.ExactText}`);
    return name;
  });
  const [text, size] = [w.text.name(), w.text.name()];
  // Joined to the empty text from the left, so that numbers are not added.
  w.put(`const ${text}=${["EMPTY", ...texts].join("+")};if(${text}.length>${UNCOUNTED_UNITS})${w.side(state, pc)}`);
  w.put(`const ${size}=${[known, ...sizes].join("+")};`);
  const mark = w.text.name();
  w.put(`const ${mark}=${marks.length === 0 ? Mark.ExactText : `${marks.join("&&")}?${Mark.ExactText}:${Mark.None}`};`);
  w.storeValue(state, d, text, size, pc);
  w.put(`m.made=m.made+${count * Heap.Join};OWN[${d}]=${mark};`);
}

function canJoin(w: Writer, state: State, slot: number): boolean {
  if (w.isConstant(slot)) {
    const constant = w.constant(slot);
    return typeof constant === "number" || (typeof constant === "string" && constant.isWellFormed());
  }
  const held = heldAs(state, slot);
  return held === Held.Number || held === Held.Memory;
}

/** `Push d a b` onto a list that the slot owns; the native does the first element, and copies what is shared. */
export function push(w: Writer, state: State, pc: number, next: number): void {
  const { code } = w.places;
  const [d, a, b] = [code[pc + 1] as number, code[pc + 2] as number, code[pc + 3] as number];
  if (d !== a || b === d || w.isTemporary(d) || heldAs(state, d) !== Held.Memory || w.observed.generic.has(pc)) {
    w.native(state, pc, next, d);
    return;
  }
  const { value, size, known } = partOf(w, state, b, pc);
  const [list, added, total] = [w.text.name(), w.text.name(), w.text.name()];
  w.put(`const ${list}=V[${d}],${added}=${known + 1}${size === "" ? "" : `+${size}`};`);
  w.put(`if(OWN[${d}]===${Mark.Owned}&&hasRoom(${list})&&m.frameBytes+${added}<=m.frameLimit){`);
  w.put(`const ${total}=SZ[${d}]+${added};${list}.push(${value});${list}[SIZE]=carried(${total});SZ[${d}]=${total};`);
  w.put(`m.frameBytes=m.frameBytes+${added};`);
  disown(w, state, [b]);
  w.put("}else{");
  const before = state.slice();
  w.native(before, pc, next, d);
  w.put("}");
  settle(state, d, Held.Memory);
}
