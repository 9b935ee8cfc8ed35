/** Calls: what is called, with which arguments, and what comes back at once or later. */

import { bound, type Keywords } from "../binding.ts";
import { faultOfFunction } from "../call-faults.ts";
import { madeException } from "../exception-members.ts";
import { BASE_EXCEPTION, raised, TYPE_ERROR } from "../exceptions.ts";
import { PyBoundMethod, PyBuiltin, PyCallable, PyCell, PyFunction } from "../kinds/callable.ts";
import { PyDict } from "../kinds/dict.ts";
import { EMPTY_TUPLE, PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { type Calling, type Native, PyType, typeOf, type Value } from "../object.ts";
import { FunctionFrame, PyGenerator, type Routine } from "./frames.ts";
import type { PyState } from "./state.ts";

/** What a call comes to: a value, a coroutine of a native, or a frame of the file to be run. */
export type Called = Value | Calling | FunctionFrame;

export function called(s: PyState, callee: Value, args: readonly Value[], keywords: Keywords | null): Called {
  if (callee instanceof PyFunction) return functionCall(s, callee, args, keywords);
  if (callee instanceof PyBuiltin) return nativeCall(s, callee.native, args, keywords);
  if (callee instanceof PyBoundMethod) return nativeCall(s, callee.native, [callee.self, ...args], keywords);
  if (callee instanceof PyType) return construct(s, callee, args, keywords);
  if (callee instanceof PyCallable) return callee.invoke(args, keywords ?? undefined, s);
  throw raised(TYPE_ERROR, `'${typeOf(callee).name}' object is not callable`);
}

export function nativeCall(s: PyState, native: Native, args: readonly Value[], keywords: Keywords | null): Called {
  const given = bound(native, args, keywords);
  // A spread of arguments costs more than most natives.
  switch (given.length) {
    case 1:
      return native.run(s, given[0]);
    case 2:
      return native.run(s, given[0], given[1]);
    case 3:
      return native.run(s, given[0], given[1], given[2]);
    default:
      return native.run(s, ...given);
  }
}

/** Types that CPython makes values of when they are called, where it says of others that it cannot. */
const CREATED_BY_CPYTHON = /^(itertools|functools|operator|datetime|zoneinfo|_collections|_io)\.|^function$/;

function construct(s: PyState, type: PyType, args: readonly Value[], keywords: Keywords | null): Called {
  if (type.constructs !== null) return nativeCall(s, type.constructs, args, keywords);
  if (type.isA(BASE_EXCEPTION)) {
    return madeException(type, args, keywords);
  }
  if (CREATED_BY_CPYTHON.test(type.name)) throw notExact(`a call of the type ${type.name} is not supported`);
  throw raised(TYPE_ERROR, `cannot create '${type.name}' instances`);
}

function functionCall(s: PyState, f: PyFunction, args: readonly Value[], keywords: Keywords | null): Called {
  const routine = s.program.routines[f.routine] as Routine;
  const registers = routine.empty.slice();
  if (routine.isSimple && (keywords === null || keywords.size === 0) && args.length === routine.params.length) {
    for (let at = 0; at < args.length; at++) registers[at] = args[at];
  } else {
    bindFunction(f, routine, registers, args, keywords);
  }
  const frame = new FunctionFrame(routine, registers, cellsOf(routine, registers, f.cells), s.frame);
  if (routine.kind !== "generator") return frame;
  const generator = new PyGenerator(frame);
  frame.generator = generator;
  return generator;
}

const NO_CELLS: PyCell[] = [];

/** Own cells, with the parameters that are captured, and those from around. */
export function cellsOf(
  routine: Routine,
  registers: readonly (Value | undefined)[],
  free: readonly PyCell[],
): (PyCell | undefined)[] {
  if (routine.cells.length === 0) return free.length === 0 ? NO_CELLS : (free as PyCell[]);
  const cells: PyCell[] = routine.cells.map(() => new PyCell());
  for (const [register, cell] of routine.cellParameters) (cells[cell] as PyCell).value = registers[register];
  return cells.concat(free);
}

/** Raises TypeError where CPython does. */
function bindFunction(
  f: PyFunction,
  routine: Routine,
  registers: (Value | undefined)[],
  args: readonly Value[],
  keywords: Keywords | null,
): void {
  const { params } = routine;
  const wrong = () => raised(TYPE_ERROR, faultOfFunction(f.name, params, args.length, [...(keywords?.keys() ?? [])]));
  const rest = params.findIndex(({ kind }) => kind === "rest");
  const names = params.findIndex(({ kind }) => kind === "names");
  const positional = params.filter(({ kind }) => kind === "position" || kind === "any").length;
  for (let at = 0; at < Math.min(args.length, positional); at++) registers[at] = args[at];
  if (rest >= 0) registers[rest] = args.length > positional ? new PyTuple(args.slice(positional)) : EMPTY_TUPLE;
  const extra = names < 0 ? null : new PyDict();
  if (extra !== null) registers[names] = extra;
  for (const [name, value] of keywords ?? []) {
    const at = params.findIndex((one) => one.name === name && (one.kind === "any" || one.kind === "name"));
    if (at < 0) {
      if (extra === null) throw wrong();
      extra.set(name, name, value);
    } else if (registers[at] !== undefined) throw wrong();
    else registers[at] = value;
  }
  if (args.length > positional && rest < 0) throw wrong();
  const first = positional - f.defaults.length;
  for (const [at, { name, kind, optional }] of params.entries()) {
    if (registers[at] !== undefined) continue;
    if (kind === "name" ? !optional : at < first) throw wrong();
    registers[at] = kind === "name" ? f.keywordDefaults?.get(name) : f.defaults[at - first];
  }
}

/** Arguments of `f(**d)`: keys are texts. */
export function keywordsOf(dict: PyDict): Keywords {
  const keywords = new Map<string, Value>();
  for (const key of dict.keys()) {
    if (typeof key !== "string") throw raised(TYPE_ERROR, "keywords must be strings");
    keywords.set(key, dict.get(key) as Value);
  }
  return keywords;
}
