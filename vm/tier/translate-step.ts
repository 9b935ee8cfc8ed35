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

const ARITHMETIC: ReadonlyMap<number, Arithmetic> = new Map([
  [Op.Add, "add"],
  [Op.Sub, "sub"],
  [Op.Mul, "mul"],
  [Op.Div, "div"],
  [Op.IDiv, "idiv"],
]);
const COMPARISON: ReadonlyMap<number, Comparison> = new Map([
  [Op.Lt, "lt"],
  [Op.BranchLt, "lt"],
  [Op.Lte, "lte"],
  [Op.Gt, "gt"],
  [Op.Gte, "gte"],
]);
const LOGIC: ReadonlyMap<number, Logic> = new Map([
  [Op.And, "and"],
  [Op.Or, "or"],
  [Op.Not, "not"],
  [Op.Truthy, "truthy"],
]);

/** Adds the steps of the instruction at `pc`. */
export function translateStep(t: Translation, pc: number): void {
  const d = t.word(pc + 1);
  const op = t.word(pc);
  switch (op) {
    case Op.Set:
      return set(t, d, t.operand(pc + 2));
    case Op.CallResult:
      return callResult(t, d, t.operand(pc + 2));
    case Op.Add:
    case Op.Sub:
    case Op.Mul:
    case Op.Div:
    case Op.IDiv:
      return arithmetic(t, d, ARITHMETIC.get(op) as Arithmetic, t.operand(pc + 2), t.operand(pc + 3));
    case Op.Lt:
    case Op.Lte:
    case Op.Gt:
    case Op.Gte:
      return compare(t, d, COMPARISON.get(op) as Comparison, t.operand(pc + 2), t.operand(pc + 3));
    case Op.Eq:
    case Op.Ne:
      return same(t, d, t.operand(pc + 2), t.operand(pc + 3), op === Op.Ne);
    case Op.And:
    case Op.Or:
      return logic(t, d, LOGIC.get(op) as Logic, t.operands(pc + 2, 2));
    case Op.Not:
    case Op.Truthy:
      return logic(t, d, LOGIC.get(op) as Logic, t.operands(pc + 2, 1));
    case Op.Present:
      t.add({ op: "present", d, a: t.operand(pc + 2) });
      return t.write(d, Kind.Boolean);
    case Op.Select:
      return select(t, d, t.operands(pc + 2, 3));
    case Op.Mod:
      return t.call(d, natives.callForm("mod"), t.operands(pc + 2, 2));
    case Op.TextEq:
      return t.call(d, natives.textEquality, t.operands(pc + 2, 2), Kind.Boolean);
    case Op.Len:
      return length(t, d, t.operand(pc + 2));
    case Op.Concat:
      return join(t, d, t.operands(pc + 3, t.word(pc + 2)));
    default:
      return containers(t, pc, op, d);
  }
}

/** Instructions that read or build containers, and functions. */
function containers(t: Translation, pc: number, op: number, d: number): void {
  const { aux } = t.tables;
  switch (op) {
    case Op.Get:
      return get(t, d, t.operand(pc + 2), t.operand(pc + 3));
    case Op.Put:
      return put(t, d, t.word(pc + 2), t.operands(pc + 2, 3));
    case Op.Push:
      return push(t, d, t.word(pc + 2), t.operands(pc + 2, 2));
    case Op.Obj:
      return entry(t, d, t.operands(pc + 2, 2));
    case Op.Object: {
      const keys = aux[t.word(pc + 2)];
      return record(t, d, keys?.kind === "keys" ? keys.keys : [], t.operands(pc + 4, t.word(pc + 3)));
    }
    case Op.List:
      return list(t, d, t.operands(pc + 3, t.word(pc + 2)));
    case Op.Path:
      return path(t, pc, d);
    case Op.Fn:
      return called(t, d, natives.functionNative(aux[t.word(pc + 2)]), t.operands(pc + 4, t.word(pc + 3)));
    case Op.Filt:
      return called(t, d, natives.filterNative(aux[t.word(pc + 3)]), [t.operand(pc + 2), t.operand(pc + 4)]);
    case Op.Sort:
      return called(t, d, natives.sortNative(aux[t.word(pc + 3)]), [t.operand(pc + 2)]);
    default:
      return control(t, pc, op);
  }
}

/** The entry's label has depth 1, and labels inlined in it are deeper. */
const ENTRY_DEPTH = 1;

function control(t: Translation, pc: number, op: number): void {
  switch (op) {
    case Op.Charge:
      return t.add({ op: "charge", steps: t.word(pc + 1) });
    case Op.Enter:
      return t.add({ op: "enter", depth: ENTRY_DEPTH + t.word(pc + 1) });
    case Op.Jump:
      t.arrive(t.word(pc + 1));
      return t.stop({ op: "jump", to: t.word(pc + 1) });
    case Op.Branch:
      return branch(t, t.operand(pc + 1), pc + 2);
    case Op.BranchLt: {
      compare(t, t.word(pc + 1), "lt", t.operand(pc + 2), t.operand(pc + 3));
      return branch(t, { slot: t.word(pc + 1), kind: Kind.Boolean, otherwise: -1 }, pc + 4);
    }
    case Op.Skip: {
      const to = t.word(pc + 3);
      t.arrive(to);
      const isNegated = t.word(pc + 2) === 1;
      return t.add({ op: "branch", test: t.operand(pc + 1), isNegated, to, yes: 0, no: 0 });
    }
    case Op.Ret: {
      const result = t.operand(pc + 1);
      const isOwn = result.kind === Kind.Record || result.kind === Kind.List;
      const isFlat = isScalar(result.kind) || (isOwn && t.isFlat(result.slot));
      return t.stop({ op: "end", result, isFlat, variables: t.setVariables() });
    }
    default:
      return t.stop({ op: "leave" });
  }
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
  if (empty !== null && a.otherwise < 0) return makeEmpty(t, d, empty);
  return copy(t, d, a);
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
  if (!isNumeric(a) || !isNumeric(b) || (how === "add" && !isKnown)) return t.call(d, natives.callForm(how), [a, b]);
  t.add({ op: "number", d, how, a, b });
  t.narrow(a);
  t.narrow(b);
  t.write(d, Kind.Number);
}

function compare(t: Translation, d: number, how: Comparison, a: Operand, b: Operand): void {
  const native = natives.callForm(how);
  if (!isNumeric(a) || !isNumeric(b)) return t.call(d, native, [a, b], Kind.Boolean);
  t.add({ op: "compare", d, how, a, b, native: t.native(native) });
  t.write(d, Kind.Boolean);
}

function same(t: Translation, d: number, a: Operand, b: Operand, isNegated: boolean): void {
  // A container is never the same as a scalar.
  if (!isScalar(a.kind) && !isScalar(b.kind)) return t.call(d, natives.equality(!isNegated), [a, b], Kind.Boolean);
  t.add({ op: "same", d, a, b, isNegated });
  t.write(d, Kind.Boolean);
}

function logic(t: Translation, d: number, how: Logic, operands: readonly Operand[]): void {
  t.add({ op: "logic", d, how, operands });
  t.write(d, Kind.Boolean);
}

function select(t: Translation, d: number, [test, a, b]: readonly Operand[]): void {
  if (test === undefined || a === undefined || b === undefined) throw new Error("Select has three operands");
  t.share(a);
  t.share(b);
  const kind = a.kind === b.kind && isScalar(a.kind) ? a.kind : Kind.Value;
  t.add({ op: "select", d, kind, test, a, b });
  t.write(d, kind);
}

function length(t: Translation, d: number, a: Operand): void {
  if (a.kind !== Kind.List) return t.call(d, natives.callForm("len"), [a]);
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
  if (key === null || (a.kind !== Kind.Value && a.kind !== Kind.Record))
    return t.call(d, natives.getMember, [a, b]);
  const known = t.member(a, t.key(key));
  if (known !== null) return copy(t, d, known);
  t.add({ op: "get", d, a, key: t.key(key), native: t.native(natives.getMember) });
  t.write(d, Kind.Value);
}

function put(t: Translation, d: number, target: number, [root, path, value]: readonly Operand[]): void {
  if (root === undefined || path === undefined || value === undefined) throw new Error("Put has three operands");
  const key = plainKey(t, path);
  const isOwn = d === target && t.kind(d) === Kind.Record && value.slot !== d;
  if (key === null || !isOwn) return t.call(d, natives.putMember, [root, path, value]);
  t.add({ op: "put", d, key: t.key(key), value });
  t.capture(d, value, t.key(key));
}

function push(t: Translation, d: number, target: number, [root, value]: readonly Operand[]): void {
  if (root === undefined || value === undefined) throw new Error("Push has two operands");
  const isOwn = d === target && t.kind(d) === Kind.List && value.slot !== d;
  if (!isOwn) return t.call(d, natives.pushed, [root, value]);
  t.add({ op: "push", d, value });
  t.capture(d, value, null);
}

function entry(t: Translation, d: number, operands: readonly Operand[]): void {
  const [name, value] = operands;
  if (name === undefined || value === undefined) throw new Error("Obj has two operands");
  const key = plainKey(t, name);
  if (key === null) return t.call(d, natives.entry, operands);
  return record(t, d, [key], [value]);
}

function record(t: Translation, d: number, keys: readonly string[], values: readonly Operand[]): void {
  if (keys.length === 0) return makeEmpty(t, d, Kind.Record);
  const isPlain = keys.every((key) => key !== "__proto__" && !natives.isInherited(key));
  if (!isPlain || keys.length > MAX_ENTRIES || new Set(keys).size < keys.length) {
    // The machine books a key that comes twice twice.
    if (new Set(keys).size < keys.length) return t.stop({ op: "leave" });
    return t.call(d, natives.objectNative(keys), values);
  }
  const known = keys.map((key) => t.key(key));
  t.add({ op: "record", d, keys: known, values });
  t.write(d, Kind.Record, true);
  for (const [at, value] of values.entries()) t.capture(d, value, value.slot === d ? null : (known[at] as number));
}

function list(t: Translation, d: number, values: readonly Operand[]): void {
  if (values.length > MAX_ENTRIES || values.some(({ slot }) => slot === d)) return t.call(d, natives.listOf, values);
  makeEmpty(t, d, Kind.List);
  for (const value of values) {
    t.add({ op: "push", d, value });
    t.capture(d, value, null);
  }
}

function path(t: Translation, pc: number, d: number): void {
  const slot = t.word(pc + 2);
  const unset = t.tables.unset_at[pc + 2] as number;
  if (t.kind(slot) === Kind.Unset) return copy(t, d, t.operand(pc + 2));
  const native = natives.pathNative(t.tables.aux[t.word(pc + 3)], t.constant(unset) ?? null);
  // The native is told of an unset variable: a path is not read from what that stands for.
  return t.call(d, native, [{ ...t.operand(pc + 2), otherwise: -1 }]);
}

function called(t: Translation, d: number, native: Native | null, operands: readonly Operand[]): void {
  if (native === null) return t.stop({ op: "leave" });
  return t.call(d, native, operands);
}
