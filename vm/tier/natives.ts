/**
 * What a plan calls for instructions that work on values of any kind: the functions of the language, paths and copies. They do small
 * work only. Whatever takes more, or fails, throws, and the program runs in the loop, which meters it and reports the failure.
 */
import type { Aux } from "../../compiler/bytecode/program.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import { functionOf, type PureFunction } from "../functions/table.ts";
import { exactSize } from "../memory/accounting.ts";
import { adopt } from "../memory/copy-in.ts";
import { completed } from "../tasks/task.ts";
import type { WorkMeter } from "../tasks/work-meter.ts";
import { equal, equalTask } from "../values/compare.ts";
import { filterTask, sortTask } from "../values/filter-sort.ts";
import { getPath, putPath, walk } from "../values/paths.ts";
import { textOf } from "../values/text.ts";
import type { Native } from "./plan.ts";

/** Thrown to leave the plan. Not an Error: making its stack takes longer than a short run. */
export const LEAVE: unique symbol = Symbol("the program has to run in the loop");

/** Units of work of one run, and bytes of one value, that count as small. */
const SMALL_WORK = 16_384;

/** The meter of natives. It needs no clock: small work takes less than a tenth of a millisecond. */
class SmallWork implements WorkMeter {
  #left = 0;

  begin(): void {
    this.#left = SMALL_WORK;
  }

  charge(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw LEAVE;
  }

  created(bytes: number): void {
    this.charge(bytes >> 3);
  }

  checkRoom(bytes: number): void {
    if (bytes > SMALL_WORK) throw LEAVE;
  }
}

const work = new SmallWork();

/** Natives may do small work again. Called before each run of a plan. */
export function beginWork(): void {
  work.begin();
}

/** A value of the caller's frame as the run's own. */
export function ownInput(value: unknown): Json {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && value - value === 0) return value + 0;
  if (typeof value !== "object") throw LEAVE;
  const copy = adopt(value as Json);
  // Most programs with large frames leave soon; better before they did anything.
  if (exactSize(copy) > SMALL_WORK) throw LEAVE;
  return copy;
}

/** A part of a joined text. */
export function partText(value: Json): string {
  return typeof value === "string" ? value : textOf(value, work);
}

/** The function of the language with that name in call form, as an instruction of its own uses it. */
export function callForm(name: string): Native {
  const implementation = functionOf(name, "call");
  if (implementation === undefined) throw new Error(`the function table has no ${name}`);
  return nativeOf(implementation);
}

function nativeOf(implementation: PureFunction): Native {
  return (...values) => {
    const task = implementation.task?.(values, work) ?? null;
    return task === null ? implementation(values, work) : completed(task);
  };
}

/** `Fn`; null: the function is unknown. */
export function functionNative(aux: Aux | undefined): Native | null {
  const implementation = aux?.kind === "fn" ? functionOf(aux.name, aux.form) : undefined;
  return implementation === undefined ? null : nativeOf(implementation);
}

/** `Path`; `unset`: what an unset variable means there. */
export function pathNative(aux: Aux | undefined, unset: Json): Native {
  const segments = aux?.kind === "path" ? aux.segments : [];
  return (root: Json | undefined) => (root === undefined ? unset : walk(root, segments));
}

/** `Filt`; null: the entry is of another kind. */
export function filterNative(aux: Aux | undefined): Native | null {
  if (aux?.kind !== "filt") return null;
  const { field, cmp } = aux;
  return (list, value) => completed(filterTask(list as Json, field, cmp, value as Json, work));
}

/** `Sort`; null: the entry is of another kind. */
export function sortNative(aux: Aux | undefined): Native | null {
  if (aux?.kind !== "sort") return null;
  const { field, order } = aux;
  return (list) => completed(sortTask(list as Json, field, order, work));
}

/** `Object`, for keys that a plan does not write itself. */
export function objectNative(keys: readonly string[]): Native {
  return (...values) => {
    const object: { [key: string]: Json } = {};
    for (const [at, key] of keys.entries()) setMember(object, key, values[at] as Json);
    return object;
  };
}

export const equality =
  (wanted: boolean): Native =>
  (a, b) =>
    isEqual(a as Json, b as Json) === wanted;

function isEqual(a: Json, b: Json): boolean {
  const areContainers = typeof a === "object" && a !== null && typeof b === "object" && b !== null;
  return areContainers ? completed(equalTask(a, b, work)) : equal(a, b, work);
}

export const textEquality: Native = (a, b) => textOf(a as Json, work) === textOf(b as Json, work);

export const getMember: Native = (value, path) => getPath(value as Json, path as Json, work);

export const putMember: Native = (root, path, value) => {
  // A number names a key as its text does.
  const key = typeof path === "number" ? String(path) : (path as Json);
  return putPath(root as Json, key, value as Json, work);
};

export const entry: Native = (name, value) => {
  const object: { [key: string]: Json } = {};
  setMember(object, partText(name as Json), value as Json);
  return object;
};

export const pushed: Native = (list, value) => {
  const source = Array.isArray(list) ? (list as readonly Json[]) : [];
  work.charge(source.length);
  return [...source, value as Json];
};

export const listOf: Native = (...values) => values;

/** Whether objects inherit a member with that name, which a plain read would find. */
export function isInherited(key: string): boolean {
  return key in {};
}
