/** What each instruction becomes in a plan. Effects of instructions: docs/bytecode.md. */
import { Op } from "../../compiler/bytecode/opcodes.ts";
import { Fixed } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { isPlainKey } from "../values/paths.ts";
import { isScalar, Kind } from "./kinds.ts";
import * as natives from "./natives.ts";
import type { Arithmetic, Comparison, Logic, Native, Operand } from "./plan.ts";
import type { Translation } from "./translation.ts";

/** Members of a record, or elements of a list, that are written one by one. */
const MAX_ENTRIES = 16;

/** The entry's label has depth 1, and labels inlined in it are deeper. */
const ENTRY_DEPTH = 1;

type Translate = (t: Translation, pc: number, d: number) => void;

const arithmetics = (how: Arithmetic): Translate => {
  return (t, pc, d) => arithmetic(t, d, how, t.operand(pc + 2), t.operand(pc + 3));
};
const comparison = (how: Comparison): Translate => {
  return (t, pc, d) => compare(t, d, how, t.operand(pc + 2), t.operand(pc + 3));
};
const logical = (how: Logic, count: number): Translate => {
  return (t, pc, d) => logic(t, d, how, t.operands(pc + 2, count));
};

/** By opcode. `d`: the first word, which is the destination of most instructions. */
const TRANSLATIONS: ReadonlyMap<number, Translate> = new Map<number, Translate>([
  [Op.Set, (t, pc, d) => set(t, d, t.operand(pc + 2))],
  [Op.CallResult, (t, pc, d) => callResult(t, d, t.operand(pc + 2))],
  [Op.Add, arithmetics("add")],
  [Op.Sub, arithmetics("sub")],
  [Op.Mul, arithmetics("mul")],
  [Op.Div, arithmetics("div")],
  [Op.IDiv, arithmetics("idiv")],
  [Op.Mod, (t, pc, d) => t.call(d, natives.callForm("mod"), t.operands(pc + 2, 2))],
  [Op.Lt, comparison("lt")],
  [Op.Lte, comparison("lte")],
  [Op.Gt, comparison("gt")],
  [Op.Gte, comparison("gte")],
  [Op.Eq, (t, pc, d) => same(t, d, t.operand(pc + 2), t.operand(pc + 3), false)],
  [Op.Ne, (t, pc, d) => same(t, d, t.operand(pc + 2), t.operand(pc + 3), true)],
  [Op.TextEq, (t, pc, d) => t.call(d, natives.textEquality, t.operands(pc + 2, 2), Kind.Boolean)],
  [Op.And, logical("and", 2)],
  [Op.Or, logical("or", 2)],
  [Op.Not, logical("not", 1)],
  [Op.Truthy, logical("truthy", 1)],
  [Op.Present, (t, pc, d) => present(t, d, t.operand(pc + 2))],
  [Op.Select, (t, pc, d) => select(t, d, t.operand(pc + 2), t.operand(pc + 3), t.operand(pc + 4))],
  [Op.Len, (t, pc, d) => length(t, d, t.operand(pc + 2))],
  [Op.Concat, (t, pc, d) => join(t, d, t.operands(pc + 3, t.word(pc + 2)))],
  [Op.Get, (t, pc, d) => get(t, d, t.operand(pc + 2), t.operand(pc + 3))],
  [Op.Put, (t, pc, d) => put(t, d, t.word(pc + 2), t.operands(pc + 2, 3))],
  [Op.Push, (t, pc, d) => push(t, d, t.word(pc + 2), t.operands(pc + 2, 2))],
  [Op.Obj, (t, pc, d) => entry(t, d, t.operand(pc + 2), t.operand(pc + 3))],
  [Op.Object, (t, pc, d) => record(t, d, keysAt(t, pc + 2), t.operands(pc + 4, t.word(pc + 3)))],
  [Op.List, (t, pc, d) => list(t, d, t.operands(pc + 3, t.word(pc + 2)))],
  [Op.Path, path],
  [Op.Fn, (t, pc, d) => called(t, d, natives.functionNative(t.aux(pc + 2)), t.operands(pc + 4, t.word(pc + 3)))],
  [Op.Filt, (t, pc, d) => called(t, d, natives.filterNative(t.aux(pc + 3)), [t.operand(pc + 2), t.operand(pc + 4)])],
  [Op.Sort, (t, pc, d) => called(t, d, natives.sortNative(t.aux(pc + 3)), [t.operand(pc + 2)])],
  [Op.Charge, (t, _pc, steps) => t.add({ op: "charge", steps })],
  [Op.Enter, (t, _pc, depth) => t.add({ op: "enter", depth: ENTRY_DEPTH + depth })],
  [Op.Jump, jump],
  [Op.Branch, (t, pc) => branch(t, t.operand(pc + 1), pc + 2)],
  [Op.BranchLt, branchLess],
  [Op.Skip, skip],
  [Op.Ret, (t, pc) => end(t, t.operand(pc + 1))],
]);

/** Adds the steps of the instruction at `pc`. */
export function translateStep(t: Translation, pc: number): void {
  const translate = TRANSLATIONS.get(t.word(pc));
  if (translate === undefined) t.stop({ op: "leave" });
  else translate(t, pc, t.word(pc + 1));
}

function jump(t: Translation, _pc: number, to: number): void {
  t.arrive(to);
  t.stop({ op: "jump", to });
}

function branchLess(t: Translation, pc: number, d: number): void {
  compare(t, d, "lt", t.operand(pc + 2), t.operand(pc + 3));
  branch(t, { slot: d, kind: Kind.Boolean, otherwise: -1 }, pc + 4);
}

function skip(t: Translation, pc: number): void {
  const to = t.word(pc + 3);
  t.arrive(to);
  t.add({ op: "branch", test: t.operand(pc + 1), isNegated: t.word(pc + 2) === 1, to, yes: 0, no: 0 });
}

function end(t: Translation, result: Operand): void {
  const isOwn = result.kind === Kind.Record || result.kind === Kind.List;
  const isFlat = isScalar(result.kind) || (isOwn && t.isFlat(result.slot));
  t.stop({ op: "end", result, isFlat, variables: t.setVariables() });
}

/** `t n n k` of a branch, from word `at` on. */
function branch(t: Translation, test: Operand, at: number): void {
  const depth = t.word(at + 3);
  if (depth > 0) t.add({ op: "enter", depth: ENTRY_DEPTH + depth });
  const to = t.word(at);
  t.arrive(to);
  t.add({ op: "branch", test, isNegated: false, to, yes: t.word(at + 1), no: t.word(at + 2) });
}

function set(t: Translation, d: number, a: Operand): void {
  const empty = emptyConstant(t.constant(a.slot));
  if (empty !== null && a.otherwise < 0) makeEmpty(t, d, empty);
  else copy(t, d, a);
}

/** Which kind of empty container a constant is; null: another value. */
function emptyConstant(value: Json | undefined): Kind.List | Kind.Record | null {
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? Kind.List : null;
  return Object.keys(value).length === 0 ? Kind.Record : null;
}

function makeEmpty(t: Translation, d: number, kind: Kind.List | Kind.Record): void {
  t.add({ op: "empty", d, isList: kind === Kind.List });
  t.write(d, kind, true);
}

function copy(t: Translation, d: number, a: Operand): void {
  t.share(a);
  const kind = a.kind === Kind.Record || a.kind === Kind.List ? Kind.Value : a.kind;
  t.add({ op: "copy", d, a: { ...a, kind } });
  t.write(d, kind);
}

function callResult(t: Translation, d: number, a: Operand): void {
  copy(t, d, a);
  if (d === Fixed.CallResult) return;
  // Shared by now.
  copy(t, Fixed.CallResult, { ...a, kind: a.kind === Kind.Record || a.kind === Kind.List ? Kind.Value : a.kind });
}

function isNumeric({ kind }: Operand): boolean {
  return kind === Kind.Number || kind === Kind.Value;
}

function arithmetic(t: Translation, d: number, how: Arithmetic, a: Operand, b: Operand): void {
  const isKnown = a.kind === Kind.Number || b.kind === Kind.Number;
  // `add` of two unknown values may join texts or lists.
  if (!isNumeric(a) || !isNumeric(b) || (how === "add" && !isKnown)) {
    t.call(d, natives.callForm(how), [a, b]);
    return;
  }
  t.add({ op: "number", d, how, a, b });
  t.narrow(a);
  t.narrow(b);
  t.write(d, Kind.Number);
}

function compare(t: Translation, d: number, how: Comparison, a: Operand, b: Operand): void {
  const native = natives.callForm(how);
  if (!isNumeric(a) || !isNumeric(b)) {
    t.call(d, native, [a, b], Kind.Boolean);
    return;
  }
  t.add({ op: "compare", d, how, a, b, native: t.native(native) });
  t.write(d, Kind.Boolean);
}

function same(t: Translation, d: number, a: Operand, b: Operand, isNegated: boolean): void {
  // A container is never the same as a scalar.
  if (!isScalar(a.kind) && !isScalar(b.kind)) {
    t.call(d, natives.equality(!isNegated), [a, b], Kind.Boolean);
    return;
  }
  t.add({ op: "same", d, a, b, isNegated });
  t.write(d, Kind.Boolean);
}

function logic(t: Translation, d: number, how: Logic, operands: readonly Operand[]): void {
  t.add({ op: "logic", d, how, operands });
  t.write(d, Kind.Boolean);
}

function present(t: Translation, d: number, a: Operand): void {
  t.add({ op: "present", d, a });
  t.write(d, Kind.Boolean);
}

function select(t: Translation, d: number, test: Operand, a: Operand, b: Operand): void {
  t.share(a);
  t.share(b);
  const kind = a.kind === b.kind && isScalar(a.kind) ? a.kind : Kind.Value;
  t.add({ op: "select", d, kind, test, a, b });
  t.write(d, kind);
}

function length(t: Translation, d: number, a: Operand): void {
  if (a.kind !== Kind.List) {
    t.call(d, natives.callForm("len"), [a]);
    return;
  }
  t.add({ op: "length", d, list: a.slot });
  t.write(d, Kind.Number);
}

function join(t: Translation, d: number, parts: readonly Operand[]): void {
  const isExact = parts.every(({ kind }) => kind === Kind.Number || kind === Kind.Text);
  t.add({ op: "join", d, parts, isExact });
  t.write(d, isExact ? Kind.Text : Kind.Value);
}

/** The text of an operand that is a constant key which a plan may read and write directly; null: it is not. */
function plainKey(t: Translation, { slot, otherwise }: Operand): string | null {
  const key = otherwise < 0 ? t.constant(slot) : undefined;
  if (key === undefined || !isPlainKey(key)) return null;
  return key.isWellFormed() && !natives.isInherited(key) ? key : null;
}

function get(t: Translation, d: number, a: Operand, b: Operand): void {
  const key = plainKey(t, b);
  if (key === null || (a.kind !== Kind.Value && a.kind !== Kind.Record)) {
    t.call(d, natives.getMember, [a, b]);
    return;
  }
  const known = t.member(a, t.key(key));
  if (known !== null) {
    copy(t, d, known);
    return;
  }
  t.add({ op: "get", d, a, key: t.key(key), native: t.native(natives.getMember) });
  t.write(d, Kind.Value);
}

function put(t: Translation, d: number, target: number, [root, path, value]: readonly Operand[]): void {
  if (root === undefined || path === undefined || value === undefined) throw new Error("Put has three operands");
  const key = plainKey(t, path);
  const isOwn = d === target && t.kind(d) === Kind.Record && value.slot !== d;
  if (key === null || !isOwn) {
    t.call(d, natives.putMember, [root, path, value]);
    return;
  }
  t.add({ op: "put", d, key: t.key(key), value });
  t.capture(d, value, t.key(key));
}

function push(t: Translation, d: number, target: number, [root, value]: readonly Operand[]): void {
  if (root === undefined || value === undefined) throw new Error("Push has two operands");
  const isOwn = d === target && t.kind(d) === Kind.List && value.slot !== d;
  if (!isOwn) {
    t.call(d, natives.pushed, [root, value]);
    return;
  }
  t.add({ op: "push", d, value });
  t.capture(d, value, null);
}

function entry(t: Translation, d: number, name: Operand, value: Operand): void {
  const key = plainKey(t, name);
  if (key === null) t.call(d, natives.entry, [name, value]);
  else record(t, d, [key], [value]);
}

/** The keys of an `Object`. */
function keysAt(t: Translation, at: number): readonly string[] {
  const entry = t.aux(at);
  return entry?.kind === "keys" ? entry.keys : [];
}

function record(t: Translation, d: number, keys: readonly string[], values: readonly Operand[]): void {
  const isPlain = keys.every((key) => key !== "__proto__" && !natives.isInherited(key));
  if (keys.length === 0) {
    makeEmpty(t, d, Kind.Record);
    return;
  }
  if (new Set(keys).size < keys.length) {
    // The machine books a key that comes twice twice.
    t.stop({ op: "leave" });
    return;
  }
  if (!isPlain || keys.length > MAX_ENTRIES) {
    t.call(d, natives.objectNative(keys), values);
    return;
  }
  const known = keys.map((key) => t.key(key));
  t.add({ op: "record", d, keys: known, values });
  t.write(d, Kind.Record, true);
  for (const [at, value] of values.entries()) t.capture(d, value, value.slot === d ? null : (known[at] as number));
}

function list(t: Translation, d: number, values: readonly Operand[]): void {
  if (values.length > MAX_ENTRIES || values.some(({ slot }) => slot === d)) {
    t.call(d, natives.listOf, values);
    return;
  }
  makeEmpty(t, d, Kind.List);
  for (const value of values) {
    t.add({ op: "push", d, value });
    t.capture(d, value, null);
  }
}

function path(t: Translation, pc: number, d: number): void {
  const slot = t.word(pc + 2);
  const unset = t.tables.unset_at[pc + 2] as number;
  if (t.kind(slot) === Kind.Unset) {
    copy(t, d, t.operand(pc + 2));
    return;
  }
  const native = natives.pathNative(t.aux(pc + 3), t.constant(unset) ?? null);
  // The native receives an unset variable as it is: a path is not read from what that stands for.
  t.call(d, native, [{ ...t.operand(pc + 2), otherwise: -1 }]);
}

function called(t: Translation, d: number, native: Native | null, operands: readonly Operand[]): void {
  if (native === null) t.stop({ op: "leave" });
  else t.call(d, native, operands);
}
