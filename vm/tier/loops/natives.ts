/**
 * What generated code calls: the ways of the loop to do an instruction, which look at the machine, and small questions about values, which do
 * not. Everything here does what `vm/machine/loop.ts` does at the same place.
 */
import { Op } from "../../../compiler/bytecode/opcodes.ts";
import { Fixed } from "../../../compiler/bytecode/program.ts";
import type { Json } from "../../../compiler/json.ts";
import { Rec, RecordKind } from "../../machine/control-stack.ts";
import type { Machine } from "../../machine/machine.ts";
import {
  direct,
  filter,
  loopEnd,
  loopInit,
  path,
  pureFunction,
  select,
  sort,
  textEqual,
  whileInit,
} from "../../machine/slow-paths.ts";
import { Booked, book, bookValue, carried, Mark, UNCOUNTED_UNITS } from "../../memory/accounting.ts";
import { getSlow, makeList, makeLiteral, push, put } from "../../memory/containers.ts";
import { concat } from "../../memory/join-texts.ts";
import { numberBytes, textBytes } from "../../values/json-size.ts";
import { MAX_LIST_LENGTH, SIZE, type Sized, truthy } from "../../values/values.ts";

type Native = (m: Machine, pc: number) => void;

/** The slots named by `count` words from `at` no longer own their containers. */
function release({ OWN, tables: { code } }: Machine, at: number, count: number): void {
  for (let word = at; word < at + count; word++) {
    const slot = code[word] as number;
    if (OWN[slot] === Mark.Owned) OWN[slot] = Mark.None;
  }
}

/** The slot of the operand at word `at`: that of what an unset variable means there when it is unset. */
function slotAt({ V, tables: { code, unset_at } }: Machine, at: number): number {
  const slot = code[at] as number;
  return V[slot] === undefined ? (unset_at[at] as number) : slot;
}

/** Books for `d` what `slot` holds. */
function share(m: Machine, d: number, slot: number): void {
  if (m.OWN[slot] === Mark.Owned) m.OWN[slot] = Mark.None;
  m.OWN[d] = Mark.None;
  book(m, d, m.V[slot] as Json, m.SZ[slot] as number);
}

function copy(m: Machine, pc: number): void {
  const { V, SZ, OWN } = m;
  const d = m.tables.code[pc + 1] as number;
  const a = slotAt(m, pc + 2);
  if (OWN[a] === Mark.Owned) OWN[a] = Mark.None;
  OWN[d] = OWN[a] as number;
  book(m, d, V[a] as Json, SZ[a] as number);
}

function selectNative(m: Machine, pc: number): void {
  const test = m.V[m.tables.code[pc + 2] as number];
  release(m, pc + 3, 2);
  if (test === true || test === false) select(m, pc, test ? pc + 3 : pc + 4);
  else direct(m, pc);
}

function present(m: Machine, pc: number): void {
  bookValue(m, m.tables.code[pc + 1] as number, m.V[slotAt(m, pc + 2)] !== null);
}

function get(m: Machine, pc: number): void {
  release(m, pc + 2, 1);
  getSlow(m, pc);
}

function callResult(m: Machine, pc: number): void {
  const slot = slotAt(m, pc + 2);
  share(m, m.tables.code[pc + 1] as number, slot);
  share(m, Fixed.CallResult, slot);
}

function last(m: Machine, pc: number): void {
  const slot = slotAt(m, pc + 2);
  if (m.V[slot] !== null) share(m, m.tables.code[pc + 1] as number, slot);
}

function functionNative(m: Machine, pc: number): void {
  release(m, pc + 4, m.tables.code[pc + 3] as number);
  pureFunction(m, pc);
}

function filterNative(m: Machine, pc: number): void {
  release(m, pc + 2, 1);
  filter(m, pc);
}

function sortNative(m: Machine, pc: number): void {
  release(m, pc + 2, 1);
  sort(m, pc);
}

/** By opcode: the instruction as a whole. */
export const NATIVES: { readonly [op: number]: Native } = {
  ...Object.fromEntries(
    [Op.Add, Op.Sub, Op.Mul, Op.Div, Op.IDiv, Op.Mod, Op.Lt, Op.Lte, Op.Gt, Op.Gte, Op.Eq, Op.Ne].map((op) => [
      op,
      direct,
    ]),
  ),
  [Op.Set]: copy,
  [Op.Len]: direct,
  [Op.TextEq]: textEqual,
  [Op.Present]: present,
  [Op.Select]: selectNative,
  [Op.Get]: get,
  [Op.Path]: path,
  [Op.Put]: put,
  [Op.Push]: push,
  [Op.Concat]: concat,
  [Op.List]: makeList,
  [Op.Object]: makeLiteral,
  [Op.Fn]: functionNative,
  [Op.Filt]: filterNative,
  [Op.Sort]: sortNative,
  [Op.CallResult]: callResult,
  [Op.Last]: last,
};

/** What a `Ret` of the loop does with the value in `slot`, for a call that writes `d`. */
function returned(m: Machine, d: number, slot: number, isCall: boolean): void {
  share(m, d, slot);
  if (isCall && d !== Fixed.CallResult) share(m, Fixed.CallResult, slot);
}

/** Notes a call that generated code is in. */
function record({ CS }: Machine, sp: number, pc: number, base: number, first: number): void {
  CS[sp + Rec.Kind] = RecordKind.Call;
  CS[sp + Rec.CallPc] = pc;
  CS[sp + Rec.Base] = base;
  CS[sp + Rec.LoopBase] = first;
}

/** The engine keeps small integers apart from other numbers, and so does the loop. */
function canonical(number: number): number {
  const integer = number | 0;
  return integer === number ? integer : number;
}

/** What is booked for a value of no slot; negative where that takes work. */
function knownSize(value: Json): number {
  if (typeof value === "number") return Booked.Number;
  if (typeof value === "string") return value.length > UNCOUNTED_UNITS ? -1 : value.length * 6 + 2;
  if (typeof value === "object" && value !== null) return (value as Sized)[SIZE] ?? -1;
  return value === null ? 4 : Booked.Boolean;
}

/** Longer ones are measured once. */
const MEASURED_UNITS = 63;

/** The exact size of a value of no slot; negative where that takes work. */
function valueSize(value: Json): number {
  if (typeof value === "number") return numberBytes(value);
  if (typeof value === "string") return value.length > MEASURED_UNITS ? -1 : textBytes(value);
  if (typeof value === "object" && value !== null) return (value as Sized)[SIZE] ?? -1;
  return value === false ? 5 : 4;
}

/** The same for the value of a slot, which becomes part of a container and carries its size from now on. */
function partSize(value: Json, booked: number, mark: number): number {
  if (typeof value === "string" && mark >= Mark.ExactText) return booked;
  if (typeof value !== "object" || value === null) return valueSize(value);
  if ((value as Sized)[SIZE] === undefined) (value as Sized)[SIZE] = carried(booked);
  return booked;
}

function modulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function hasRoom(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.length < MAX_LIST_LENGTH;
}

/** Units of a text that is compared in no time. */
const GLANCED = 4096;

function isWalked(value: Json): boolean {
  return typeof value === "string" ? value.length > GLANCED : typeof value === "object" && value !== null;
}

/** As far as generated code counts. */
const MAX_COUNT = 2 ** 30;

function bound(limit: number | undefined): number {
  return limit === undefined || limit > MAX_COUNT ? MAX_COUNT : limit | 0;
}

let failure: unknown;

/** Keeps what was thrown for the dispatcher. */
function caught(thrown: unknown): void {
  failure = thrown;
}

/** What was thrown last; forgets it. */
export function takeFailure(): unknown {
  const thrown = failure;
  failure = undefined;
  return thrown;
}

/** By the word of generated source. */
export const PROVIDED: { readonly [word: string]: unknown } = {
  EMPTY: "",
  NONE: [],
  SIZE,
  book,
  bookValue,
  bound,
  canonical,
  carried,
  caught,
  floor: Math.floor,
  hasRoom,
  isList: Array.isArray,
  isNumber: (value: unknown) => typeof value === "number",
  isRecord: (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
  isText: (value: unknown) => typeof value === "string",
  isWalked,
  knownSize,
  loopEnd,
  loopInit,
  modulo,
  numberBytes,
  partSize,
  record,
  returned,
  truthy,
  valueSize,
  whileInit,
};
