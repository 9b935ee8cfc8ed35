/**
 * What a value is: types, truthiness, caps (docs/runtime.md, values), copying, and the check of values that come from
 * outside. Values are immutable as seen by programs: nothing here changes an argument. Keys are data whatever their
 * spelling. Must not know of functions, ops or adapters.
 */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import type { Pace, Task } from "../tasks/task.ts";

/** UTF-16 units of one text. */
export const MAX_TEXT_UNITS = 67_108_864;
/** Elements and members that the engine copies or enumerates at once in well below 100 ms, which cannot be interrupted (ADR 0022). */
export const MAX_LIST_LENGTH = 4_000_000;
export const MAX_OBJECT_KEYS = 100_000;
/** Containers around a value; operations that walk values refuse more. */
export const MAX_NESTING = 512;

export function tooLarge(): OperationFailure {
  return new OperationFailure("result too large", "too_large");
}

export function tooDeep(): OperationFailure {
  return new OperationFailure("value nested too deeply", "too_deep");
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isContainer(value: Json | undefined): value is readonly Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}

/**
 * JSON size of a container where an executor has noted it, in a symbol-keyed field: a WeakMap cost 288 ns a container and
 * doubled W4. Copies must not inherit it, and nothing may serialise it.
 */
export const SIZE: unique symbol = Symbol("weft.size");
export type Sized = { [SIZE]?: number };

/** False are null, false, 0, "", [] and {}. */
export function truthy(value: Json): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  if (Array.isArray(value)) return value.length > 0;
  // Even the first key costs a list of all keys: 250 ms at 900 000 of them.
  const size = (value as Sized)[SIZE];
  if (size !== undefined) return size > 2;
  for (const _ in value) return true;
  return false;
}

export type TypeName = "null" | "bool" | "int" | "float" | "string" | "list" | "dict";

export function typeName(value: Json): TypeName {
  switch (typeof value) {
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    case "string":
      return "string";
    case "boolean":
      return "bool";
    default:
      if (value === null) return "null";
      return Array.isArray(value) ? "list" : "dict";
  }
}

/** A container still being built; it is not shared yet. */
export type OpenObject = { [key: string]: Json };

export function keyCount(value: JsonObject): number {
  let count = 0;
  for (const _ in value) count++;
  return count;
}

/** Work of a member of an object that may be a large one: looking it up, listing it, or making it. */
export const KEY_WORK = 8;

/** A list that moves a second time when it grows right after it was copied takes long: 60 ms instead of 25 for four million elements. */
const LONG_LIST = 4096;

/** `source` with `value` at its end; `source` itself stays as it is. */
export function withElement(source: readonly Json[], value: Json): Json[] {
  if (source.length > LONG_LIST) return source.concat([value]);
  const copy = source.slice();
  copy.push(value);
  return copy;
}

/** `source` with `key` set; `source` itself stays as it is. */
export function* withMember(source: JsonObject, key: string, value: Json, pace: Pace): Task<JsonObject> {
  const { copy, count } = yield* shallowCopy(source, pace);
  if (count >= MAX_OBJECT_KEYS && !Object.hasOwn(source, key)) throw tooLarge();
  setMember(copy, key, value);
  return copy;
}

/** In pieces, with the number of its members. */
export function* shallowCopy(
  source: JsonObject,
  pace: Pace,
): Task<{ readonly copy: OpenObject; readonly count: number }> {
  const copy: OpenObject = {};
  let count = 0;
  for (const name in source) {
    setMember(copy, name, source[name] as Json);
    count += 1;
    if (pace.add(KEY_WORK)) yield;
  }
  return { copy, count };
}

/** Deep copy of a value of any depth. Works level by level with a list of open containers, not by recursion. */
export function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  const root = emptyLike(value);
  const open: [from: Json, to: Json[] | OpenObject][] = [[value, root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    const place = (child: Json): Json => {
      if (typeof child !== "object" || child === null) return child;
      const copy = emptyLike(child);
      open.push([child, copy]);
      return copy;
    };
    if (Array.isArray(to)) for (const child of from as readonly Json[]) to.push(place(child));
    else for (const key in from as JsonObject) setMember(to, key, place((from as JsonObject)[key] as Json));
  }
  return root;
}

function emptyLike(value: Json): Json[] | OpenObject {
  return Array.isArray(value) ? [] : {};
}

/** Fails when `value` nests deeper than operations may walk. */
export function checkDepth(value: Json): void {
  walkDepth(value, 0);
}

function walkDepth(value: Json, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= MAX_NESTING) throw tooDeep();
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) walkDepth(value[i] as Json, depth + 1);
  } else {
    for (const key in value) walkDepth((value as JsonObject)[key] as Json, depth + 1);
  }
}

/**
 * Makes a value of what an adapter or another stranger returned: a deep copy that shares nothing with `value`.
 * `undefined` is null (a member that is `undefined` is left out, as JSON does), -0 is 0. Fails for anything that is
 * not JSON: NaN, infinities, big integers, functions, symbols, instances of classes, cycles and nesting beyond 512,
 * values above a cap.
 */
export function checkedJson(value: unknown): Json {
  return checkedAt(value, 0);
}

function checkedAt(value: unknown, depth: number): Json {
  switch (typeof value) {
    case "string":
      if (value.length > MAX_TEXT_UNITS) throw tooLarge();
      return value;
    case "number":
      if (value - value !== 0) throw new OperationFailure("number out of range", "number_range");
      return value + 0;
    case "boolean":
      return value;
    case "undefined":
      return null;
    case "object":
      if (value === null) return null;
      if (depth >= MAX_NESTING) throw tooDeep();
      return Array.isArray(value) ? checkedList(value, depth) : checkedObject(value, depth);
    default:
      throw new OperationFailure(`not a JSON value: ${typeof value}`, "type_error");
  }
}

function checkedList(value: readonly unknown[], depth: number): Json {
  if (value.length > MAX_LIST_LENGTH) throw tooLarge();
  const list: Json[] = [];
  for (let i = 0; i < value.length; i++) list.push(checkedAt(value[i], depth + 1));
  return list;
}

function checkedObject(value: object, depth: number): Json {
  // A number whose text says more than its value (`vm/inputs/exact-text.ts`).
  if (value instanceof Number) return checkedAt(value.valueOf(), depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new OperationFailure("not a JSON value: object of a class", "type_error");
  }
  const copy: OpenObject = {};
  const members = Object.entries(value);
  if (members.length > MAX_OBJECT_KEYS) throw tooLarge();
  for (const [key, member] of members) {
    if (member !== undefined) setMember(copy, key, checkedAt(member, depth + 1));
  }
  return copy;
}
