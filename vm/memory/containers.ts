/**
 * Building and changing containers for the machine: put, push, literals. Each keeps the container's hidden size
 * exact and works in place when the destination slot owns the container (docs/bytecode.md, ownership).
 */
import { Op } from "../../compiler/bytecode/opcodes.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import { chargeText } from "../tasks/work-meter.ts";
import { Heap, listHeap, objectHeap } from "../values/heap-size.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import { getPath, isPlainKey, putPath } from "../values/paths.ts";
import { textOf } from "../values/text.ts";
import {
  isContainer,
  MAX_LIST_LENGTH,
  MAX_OBJECT_KEYS,
  SIZE,
  type Sized,
  tooLarge,
  withElement,
} from "../values/values.ts";
import { book, bookValue, carried, exactSize, Mark, measuredText } from "./accounting.ts";
import type { FrameState } from "./frame-state.ts";
import { copied, LARGE_OBJECT, longPut } from "./long-put.ts";
import { finish } from "./long-work.ts";
import { isLargePart, joinedText, pathText } from "./part-texts.ts";

type OpenList = Json[] & Sized;
/** Number of keys, counted once in an object that could be near the cap and kept up by `put`; copies may inherit it. */
const KEYS: unique symbol = Symbol("weft.keys");
type OpenObject = { [key: string]: Json } & Sized & { [KEYS]?: number | undefined };
/** Every key takes at least five bytes, so smaller objects are below the cap. */
const COUNTED_BYTES = MAX_OBJECT_KEYS * 5;

const LONG_TEXT = 64;
/**
 * A record of at most this size carries none as long as only its slot holds it, which has booked it: a result that leaves its run needs
 * no copy then (`vm/runs/driver.ts`). Everything that takes it elsewhere notes it, or measures it anew.
 */
export const UNSIZED_BYTES = 1024;

/** The value of the operand at word `at`: what an unset variable means there when it is unset. */
export function operand(m: FrameState, at: number): Json {
  const { code, unset_at } = m.tables;
  const value = m.V[code[at] as number];
  return value === undefined ? (m.V[unset_at[at] as number] as Json) : value;
}

/** The operands after a count word. */
export function operands(m: FrameState, countAt: number): Json[] {
  const count = m.tables.code[countAt] as number;
  const values = new Array<Json>(count);
  for (let i = 0; i < count; i++) values[i] = argument(m, countAt + 1 + i);
  return values;
}

/** An operand for a function, which will look at a text at least once, and need not charge for that. */
export function argument(m: FrameState, at: number): Json {
  const value = operand(m, at);
  if (typeof value === "string") chargeText(m.meter, value);
  return value;
}

/** The operand becomes part of a container: its slot no longer owns it. */
function capture(m: FrameState, at: number): Json {
  const slot = m.tables.code[at] as number;
  if (m.OWN[slot] === Mark.Owned) m.OWN[slot] = Mark.None;
  return operand(m, at);
}

/** Exact size of the operand at word `at`, whose value is `value`. */
function sizeAt(m: FrameState, at: number, value: Json): number {
  if (typeof value === "number") return numberBytes(value);
  const slot = m.tables.code[at] as number;
  return m.V[slot] === value ? sizeIn(m, slot, value) : exactSize(value, m.meter);
}

/** Exact size of what a slot holds. What it books for a container is exact. */
export function sizeIn(m: FrameState, slot: number, value: Json): number {
  if (typeof value === "number") return numberBytes(value);
  if (typeof value === "string")
    return (m.OWN[slot] as number) >= Mark.ExactText ? (m.SZ[slot] as number) : measuredIn(m, slot, value);
  if (typeof value === "object" && value !== null) return sealed(m, slot, value as Sized);
  return value === false ? 5 : 4;
}

/** The size of a container that leaves its slot: it carries that from now on. */
function sealed(m: FrameState, slot: number, value: Sized): number {
  const size = m.SZ[slot] as number;
  if (value[SIZE] === undefined) value[SIZE] = carried(size);
  return size;
}

/** A long text is measured once, however often it is put somewhere: its slot books what it found. */
function measuredIn(m: FrameState, slot: number, text: string): number {
  const size = measuredText(text, m.meter);
  if (text.length < LONG_TEXT || !text.isWellFormed()) return size;
  if (slot < m.variables) m.frameBytes += size - (m.SZ[slot] as number);
  m.SZ[slot] = size;
  m.OWN[slot] = Mark.ExactText;
  return size;
}

/** `Put d a b c`: d ← a with path b set to c. */
export function put(m: FrameState, pc: number): void {
  const { code } = m.tables;
  if (code[pc + 1] === code[pc + 2] && putOwned(m, pc)) return;
  const d = code[pc + 1] as number;
  const value = capture(m, pc + 4);
  const root = operand(m, pc + 2);
  const given = operand(m, pc + 3);
  // A number names a key as its text does.
  const key = typeof given === "number" ? String(given) : given;
  // Numbers are written without a look at the bit, so the type counts first.
  const known = typeof given === "string" && m.OWN[code[pc + 3] as number] === Mark.PlainKey;
  if (typeof key !== "string" || !(known || isPlainKey(key))) {
    store(
      m,
      d,
      isLargePart(root) || isLargePart(key) ? longPut(m, root, key, value) : putPath(root, key, value, m.meter),
    );
    return;
  }
  putKey(m, pc, root, key, key === given ? sizeAt(m, pc + 3, key) : textBytes(key), value);
}

/** The common case: a plain key in an owned object, far from every limit. Returns false in all other cases. */
function putOwned(m: FrameState, pc: number): boolean {
  const { V, SZ, OWN } = m;
  const { code } = m.tables;
  const d = code[pc + 1] as number;
  const keySlot = code[pc + 3] as number;
  const valueSlot = code[pc + 4] as number;
  const target = V[d] as OpenObject;
  const key = V[keySlot];
  const value = V[valueSlot];
  if (OWN[d] !== Mark.Owned || OWN[keySlot] !== Mark.PlainKey || typeof key !== "string" || value === undefined)
    return false;
  if (m.exact || valueSlot === d || typeof target !== "object" || target === null || Array.isArray(target))
    return false;
  const size = SZ[d] as number;
  const old: Json | undefined = target[key];
  // What objects inherit are functions.
  if (typeof old === "function" || size > COUNTED_BYTES || size === 2 || d >= m.variables) return false;
  if (OWN[valueSlot] === Mark.Owned) OWN[valueSlot] = Mark.None;
  const written = old === undefined ? (SZ[keySlot] as number) + 2 : -exactSize(old, m.meter);
  const added = written + sizeIn(m, valueSlot, value);
  const total = m.frameBytes + added;
  if (total > m.frameLimit) return false;
  target[key] = value;
  if (size + added > UNSIZED_BYTES || target[SIZE] !== undefined) target[SIZE] = carried(size + added);
  SZ[d] = size + added;
  m.frameBytes = total;
  return true;
}

function putKey(m: FrameState, pc: number, root: Json, key: string, keySize: number, value: Json): void {
  const { code } = m.tables;
  const d = code[pc + 1] as number;
  const isObject = typeof root === "object" && root !== null && !Array.isArray(root);
  const source = (isObject ? root : {}) as OpenObject;
  const size = isObject ? sizeAt(m, pc + 2, root) : 2;
  const old = source[key];
  const present = old !== undefined && Object.hasOwn(source, key);
  const added = present
    ? sizeAt(m, pc + 4, value) - exactSize(old, m.meter)
    : keySize + 1 + sizeAt(m, pc + 4, value) + (size === 2 ? 0 : 1);
  const keys = size > COUNTED_BYTES ? keysAfter(m, source, present, size + added) : undefined;
  let target = source;
  if (!(isObject && code[pc + 2] === d && m.OWN[d] === Mark.Owned)) {
    target = size > LARGE_OBJECT ? (copied(m, source) as OpenObject) : { ...source };
    if (size > 4096) m.meter.charge(size >> 3);
    // A member has five bytes of JSON and more.
    m.made += Heap.Object + size * 4;
  }
  target[key] = value;
  if (size > COUNTED_BYTES) target[KEYS] = keys;
  target[SIZE] = carried(size + added);
  book(m, d, target, size + added);
  m.OWN[d] = Mark.Owned;
}

/** Number of keys of a large object after a put; unknown once it is small again, because small objects are not counted. */
function keysAfter(m: FrameState, source: OpenObject, present: boolean, size: number): number | undefined {
  let count = source[KEYS];
  if (!present && count === undefined) {
    m.meter.charge(size >> 3);
    count = Object.keys(source).length;
  }
  if (!present && (count as number) >= MAX_OBJECT_KEYS) throw tooLarge();
  if (size <= COUNTED_BYTES) return undefined;
  return present ? count : (count as number) + 1;
}

/** `Push d a b`: d ← a with b appended; not a list: starts from []. The common case never gets here (`vm/machine/loop.ts`). */
export function push(m: FrameState, pc: number): void {
  const { code } = m.tables;
  const d = code[pc + 1] as number;
  const value = capture(m, pc + 3);
  const list = operand(m, pc + 2);
  const isList = Array.isArray(list);
  const source = (isList ? list : []) as OpenList;
  const length = source.length;
  if (length >= MAX_LIST_LENGTH) throw tooLarge();
  const size = (isList ? sizeAt(m, pc + 2, list) : 2) + sizeAt(m, pc + 3, value) + (length === 0 ? 0 : 1);
  let target = source;
  if (!(isList && code[pc + 2] === d && m.OWN[d] === Mark.Owned)) {
    if (length > 4096) m.meter.charge(length);
    target = withElement(source, value) as OpenList;
    m.made += listHeap(length + 1);
  } else target.push(value);
  target[SIZE] = carried(size);
  book(m, d, target, size);
  m.OWN[d] = Mark.Owned;
}

/** Whether one more element in place needs nothing but its size: not the first, below the cap, and sizes are booked. */
export function hasRoom(m: FrameState, d: number, list: readonly Json[]): boolean {
  return !m.exact && d < m.variables && list.length > 0 && list.length < MAX_LIST_LENGTH;
}

/** `Obj d a b`: a new object of one entry. Returns the pc to continue at. */
export function makeObject(m: FrameState, pc: number): number {
  const next = makeRecord(m, pc);
  if (next > 0) return next;
  const value = capture(m, pc + 3);
  const name = operand(m, pc + 2);
  const key =
    typeof name === "string" ? name : textOf(isContainer(name) ? finish(m, () => joinedText([name], m)) : name);
  const object: OpenObject = {};
  if (m.OWN[m.tables.code[pc + 2] as number] === Mark.PlainKey && key === name) object[key] = value;
  else setMember(object, key, value);
  const size = 3 + (key === name ? sizeAt(m, pc + 2, key) : textBytes(key)) + sizeAt(m, pc + 3, value);
  object[SIZE] = carried(size);
  m.made += Heap.Object + Heap.Slot;
  own(m, m.tables.code[pc + 1] as number, object, size);
  return pc + 4;
}

/** Entries of a record that are made in one go. */
export const MAX_ENTRIES = 16;

/**
 * The common case: plain keys, far from every limit; 0 in all other cases. Following `Put`s that add keys to the same object are done with it:
 * the states in between are invisible, none can fail, and the frame only grows. An eighth of W4, a twentieth of W10.
 */
function makeRecord(m: FrameState, pc: number): number {
  const { V, SZ, OWN } = m;
  const { code } = m.tables;
  const d = code[pc + 1] as number;
  const keySlot = code[pc + 2] as number;
  const valueSlot = code[pc + 3] as number;
  const key = V[keySlot];
  const value = V[valueSlot];
  if (OWN[keySlot] !== Mark.PlainKey || typeof key !== "string" || value === undefined) return 0;
  if (m.exact || d >= m.variables) return 0;
  const object: OpenObject = {};
  object[key] = value;
  let size = 3 + (SZ[keySlot] as number) + sizeIn(m, valueSlot, value);
  let at = pc + 4;
  while (code[at] === Op.Put && code[at + 1] === d && code[at + 2] === d) {
    const nextKey = V[code[at + 3] as number];
    const slot = code[at + 4] as number;
    const nextValue = V[slot];
    if (typeof nextKey !== "string" || nextValue === undefined || slot === d || !addsKey(m, pc, at, d)) break;
    object[nextKey] = nextValue;
    size += (SZ[code[at + 3] as number] as number) + 2 + sizeIn(m, slot, nextValue);
    at += 5;
  }
  const total = m.frameBytes + size - (SZ[d] as number);
  if (total > m.frameLimit) return 0;
  for (let entry = pc - 1; entry < at; entry += 5) {
    const slot = code[entry + 4] as number;
    if (OWN[slot] === Mark.Owned) OWN[slot] = Mark.None;
  }
  if (size > UNSIZED_BYTES) object[SIZE] = carried(size);
  m.made += Heap.Object + (at - pc) * 2;
  m.frameBytes = total;
  SZ[d] = size;
  V[d] = object;
  OWN[d] = Mark.Owned;
  return at;
}

/** Whether the `Put` at `at` names a plain key that the record of slot `d`, begun at `pc`, does not have yet. */
function addsKey({ V, OWN, tables: { code } }: FrameState, pc: number, at: number, d: number): boolean {
  const slot = code[at + 3] as number;
  if (OWN[slot] !== Mark.PlainKey || slot === d || at > pc + 5 * MAX_ENTRIES) return false;
  for (let entry = pc - 1; entry < at; entry += 5) {
    if (V[code[entry + 3] as number] === V[slot]) return false;
  }
  return true;
}

/** `List d n a…` */
export function makeList(m: FrameState, pc: number): void {
  const count = m.tables.code[pc + 2] as number;
  const list: OpenList = [];
  let size = count === 0 ? 2 : count + 1;
  for (let i = 0; i < count; i++) {
    const value = capture(m, pc + 3 + i);
    list.push(value);
    size += sizeAt(m, pc + 3 + i, value);
  }
  list[SIZE] = carried(size);
  m.made += listHeap(count);
  own(m, m.tables.code[pc + 1] as number, list, size);
}

/** `Object d x n a…`; the keys are an aux entry. */
export function makeLiteral(m: FrameState, pc: number): void {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 2] as number];
  const keys = entry?.kind === "keys" ? entry.keys : [];
  const object: OpenObject = {};
  let size = keys.length === 0 ? 2 : 1;
  for (let i = 0; i < keys.length; i++) {
    const value = capture(m, pc + 4 + i);
    setMember(object, keys[i] as string, value);
    size += textBytes(keys[i] as string) + 2 + sizeAt(m, pc + 4 + i, value);
  }
  object[SIZE] = carried(size);
  m.made += objectHeap(keys.length);
  own(m, code[pc + 1] as number, object, size);
}

function own(m: FrameState, d: number, value: Json, size: number): void {
  book(m, d, value, size);
  m.OWN[d] = Mark.Owned;
}

/** `Get d a b` beyond the plain key of an object. */
export function getSlow(m: FrameState, pc: number): void {
  const found = getPath(operand(m, pc + 2), pathText(m, operand(m, pc + 3)), m.meter);
  bookValue(m, m.tables.code[pc + 1] as number, found);
}

/** Stores a function's result; what it shares with other values keeps its hidden size. */
function store(m: FrameState, d: number, value: Json): void {
  bookValue(m, d, value);
}
