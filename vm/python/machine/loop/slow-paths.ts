/** What the loop leaves to a call: names that are not set, methods, formats, unpacking. */

import { globalName } from "../../../../compiler/bytecode/python/code.ts";
import { SPECIAL } from "../../../../compiler/bytecode/python/instructions.ts";
import type { Keywords } from "../../binding.ts";
import {
  BASE_EXCEPTION,
  NAME_ERROR,
  type PyException,
  type Raised,
  raised,
  raisedLoosely,
  TYPE_ERROR,
  UNBOUND_LOCAL_ERROR,
  VALUE_ERROR,
} from "../../exceptions.ts";
import { PyDeque } from "../../kinds/collections.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { PyRange } from "../../kinds/slice.ts";
import { Bytes, type Calling, END, nextOf, type PyIterator, PyType, typeOf, type Value } from "../../object.ts";
import { attribute, each, format as formatValue, iterate, keep, keyOf, repr, text } from "../../operations.ts";
import { textLength } from "../../operators/texts.ts";
import { isValueOf } from "../../types/abstract.ts";
import { addMember, copySet } from "../../types/set.ts";
import { type Called, called, nativeCall } from "../calls.ts";
import { fork } from "../effects/branches.ts";
import { beginRetry, endRetry, repeatBlock } from "../effects/retries.ts";
import type { Routine } from "../frames.ts";
import type { PyState } from "../state.ts";

/** A variable that is read and not set. `isCell`: `word` is a cell. */
export function unbound(routine: Routine, word: number, isCell = false): Raised {
  const own = routine.cells.length;
  const name = isCell
    ? ((word < own ? routine.cells[word] : routine.free[word - own]) as string)
    : (routine.variables[word] ?? "");
  if (routine.kind === "module") return raised(NAME_ERROR, `name '${name}' is not defined`);
  if (isCell && word >= own)
    return raised(
      NAME_ERROR,
      `cannot access free variable '${name}' where it is not associated with a value in enclosing scope`,
    );
  return raised(UNBOUND_LOCAL_ERROR, `cannot access local variable '${name}' where it is not associated with a value`);
}

/** A global that the file has not set: the builtin of that name, if there is one. */
export function globalOf(s: PyState, g: number): Value {
  const builtin = s.program.builtins[g];
  if (builtin !== undefined) return builtin;
  throw unsetGlobal(s, g);
}

export function unsetGlobal(s: PyState, g: number): Raised {
  return raised(NAME_ERROR, `name '${globalName(s.program.code.globals[g] as string)}' is not defined`);
}

export function attributeOf(s: PyState, value: Value, name: number): Value {
  return attribute(value, s.program.code.names[name] as string, s);
}

/** `value.name(...)`, with the value as the first argument: without a bound method in between where the type has one. */
export function methodCalled(s: PyState, nameAt: number, args: readonly Value[], keywords: Keywords | null): Called {
  const value = args[0] as Value;
  const type = typeOf(value);
  const known = s.program.lookups[nameAt];
  if (known !== undefined && known.type === type) return nativeCall(s, known.method, args, keywords);
  const name = s.program.code.names[nameAt] as string;
  const method = type.method(name);
  if (method === undefined || method.isStatic || type.slots.attribute?.(value, name, s) !== undefined)
    return called(s, attribute(value, name, s), args.slice(1), keywords);
  // An attribute of a value comes before a method of that name.
  if (type.slots.attribute === undefined) s.program.lookups[nameAt] = { type, method };
  return nativeCall(s, method, args, keywords);
}

export function requireMethod(s: PyState, value: Value, name: number): void {
  attributeOf(s, value, name);
}

const CONVERSIONS = { r: repr, s: text, a: ascii } as const;

function ascii(value: Value, s: PyState): string {
  return repr(value, s).replace(/[^\0-\x7f]/gu, (c) => {
    const code = c.codePointAt(0) as number;
    const hex = code.toString(16);
    return code < 0x100
      ? `\\x${hex.padStart(2, "0")}`
      : code < 0x10000
        ? `\\u${hex.padStart(4, "0")}`
        : `\\U${hex.padStart(8, "0")}`;
  });
}

/** A field of an f-string. */
export function format(s: PyState, value: Value, conversion: Value, spec: string): string {
  const shown = conversion === null ? value : CONVERSIONS[conversion as "r"](value, s);
  if (spec === "" && typeof shown === "string") return shown;
  if (spec === "" && Number.isInteger(shown)) return String(shown);
  return formatValue(shown, spec, s);
}

export function joined(
  s: PyState,
  R: readonly (Value | undefined)[],
  K: readonly (Value | undefined)[],
  code: Int32Array,
  from: number,
  count: number,
): string {
  let all = "";
  for (let at = from; at < from + count; at++) {
    const word = code[at] as number;
    all += (word >= 0 ? R[word] : K[~word]) as string;
  }
  s.room(all.length * Bytes.Unit);
  s.alloc(all.length * Bytes.Unit);
  return all;
}

/** `*iterable` in a display or call. */
export function extend(s: PyState, list: PyList, value: Value): Called {
  if (typeOf(value).slots.iterate === undefined)
    throw raised(TYPE_ERROR, `Value after * must be an iterable, not ${typeOf(value).name}`);
  return each(
    value,
    s,
    (item) => keep(list.items, item, s),
    () => null,
  );
}

/** `*iterable` in a display of a set. */
export function extendSet(s: PyState, set: PySet, value: Value): Called {
  if (value instanceof PySet) {
    copySet(value, set, s);
    return null;
  }
  return each(
    value,
    s,
    (item) => addMember(set, item, s),
    () => null,
  );
}

/** `**mapping` in a display, or in a call, where a name must not come twice. */
export function update(s: PyState, dict: PyDict, value: Value, isCall: boolean): void {
  if (!(value instanceof PyDict)) {
    const { name } = typeOf(value);
    // The texts about calls begin with the function, which is not known here.
    if (isCall) throw raisedLoosely(TYPE_ERROR, `argument after ** must be a mapping, not ${name}`);
    throw raised(TYPE_ERROR, `'${name}' object is not a mapping`);
  }
  for (const key of value.keys()) {
    if (isCall && typeof key !== "string") throw raised(TYPE_ERROR, "keywords must be strings");
    if (isCall && dict.has(key))
      throw raisedLoosely(TYPE_ERROR, `got multiple values for keyword argument '${String(key)}'`);
    dict.set(key, value.spelling(key), value.get(key) as Value);
  }
  s.alloc(value.size * Bytes.Entry);
}

/** `a, *b, c = value` */
export function unpack(s: PyState, R: (Value | undefined)[], code: Int32Array, pc: number, value: Value): Called {
  const star = code[pc + 2] as number;
  const n = code[pc + 3] as number;
  const put = (items: readonly Value[], isMore: boolean): null => {
    const wanted = star < 0 ? n : n - 1;
    if (items.length < wanted) {
      const least = star < 0 ? `${n}` : `at least ${wanted}`;
      throw raised(VALUE_ERROR, `not enough values to unpack (expected ${least}, got ${items.length})`);
    }
    if (star < 0 && (isMore || items.length > n))
      throw raised(VALUE_ERROR, `too many values to unpack (expected ${n})`);
    const taken = star < 0 ? 0 : items.length - wanted;
    for (let at = 0, from = 0; at < n; at++) {
      const register = code[pc + 4 + at] as number;
      if (at === star) {
        R[register] = new PyList(items.slice(from, from + taken));
        from += taken;
      } else R[register] = items[from++] as Value;
    }
    return null;
  };
  if (value instanceof PyTuple || value instanceof PyList) return put(value.items, false);
  if (typeOf(value).slots.iterate === undefined)
    throw raised(TYPE_ERROR, `cannot unpack non-iterable ${typeOf(value).name} object`);
  return unpackIterator(s, value, star < 0 ? n : Number.POSITIVE_INFINITY, put);
}

/** After this number of elements others get a turn. */
const TURN = 20_000;

/** Takes one value more than is wanted, as CPython does, and no more. */
function* unpackIterator(
  s: PyState,
  value: Value,
  most: number,
  put: (items: readonly Value[], isMore: boolean) => null,
): Calling {
  const iterator = iterate(value, s);
  const items: Value[] = [];
  for (;;) {
    const item = yield* nextOf(iterator, s);
    if (item === END) return put(items, false);
    if (items.length === most) return put(items, true);
    keep(items, item, s);
    if (items.length % TURN !== 0) continue;
    s.charge(TURN);
    yield null;
  }
}

/** Rare operations (`SPECIAL`). */
export function special(s: PyState, which: number, args: readonly Value[]): Called {
  const [first = null, second = null] = args;
  switch (SPECIAL[which]) {
    case "matches":
      return matches(first as PyException, second);
    case "exception_class":
      return exceptionClass(first as string, second);
    case "global_or_none": {
      const at = s.program.code.globals.indexOf(first as string);
      return s.globals[at] ?? null;
    }
    case "fits_sequence": {
      const items =
        first instanceof PyList || first instanceof PyTuple
          ? first.items.length
          : first instanceof PyRange || first instanceof PyDeque
            ? first.length
            : -1;
      return items >= 0 && (args[2] === true ? items >= (second as number) : items === second);
    }
    case "fits_mapping":
      return first instanceof PyDict && args.slice(1).every((key) => first.has(keyOf(key, s)));
    case "mapping_rest": {
      const rest = new PyDict();
      const taken = new Set(args.slice(1).map((key) => keyOf(key, s)));
      for (const key of (first as PyDict).keys())
        if (!taken.has(key)) rest.set(key, (first as PyDict).spelling(key), (first as PyDict).get(key) as Value);
      return rest;
    }
    case "isinstance":
      if (!(second instanceof PyType)) throw raised(TYPE_ERROR, "called match pattern must be a class");
      return isValueOf(first, second);
    case "unordered":
      return first instanceof PySet ? membersAlike(s, first, second) : first;
    case "returned":
      return (first as PyIterator).takeReturned();
    case "has_attr":
      return hasAttribute(s, first, second as string);
    case "fork":
      return fork(s, args);
    case "retry_begin":
      beginRetry(s, args);
      return null;
    case "retry_again":
      repeatBlock(s, first);
      return null;
    case "retry_end":
      endRetry(s);
      return null;
    default:
      throw new Error(`no special operation ${which}`);
  }
}

/**
 * The members of a set as a list, when they are alike: all texts or all ints. `parts`: how many parts of each are taken, which all of them must have;
 * tuples have parts of the same kinds in the same places. Else the set, whose walk shows its order.
 */
function membersAlike(s: PyState, set: PySet, parts: Value | undefined): Value {
  s.charge(set.members.size);
  const members = [...set.members.values()];
  const areTexts = members.every((one) => typeof one === "string");
  const areAlike =
    typeof parts !== "number"
      ? areTexts || members.every(isInt)
      : areTexts
        ? parts > 0 && members.every((one) => textLength(one as string) >= parts)
        : members.every((one) => isLike(one, members[0]));
  if (!areAlike) return set;
  s.alloc(members.length * Bytes.Element);
  return new PyList(members);
}

/** Tuples of one length whose parts are texts or ints in the same places. */
function isLike(one: Value, other: Value | undefined): boolean {
  if (!(one instanceof PyTuple) || !(other instanceof PyTuple) || one.items.length !== other.items.length) return false;
  return one.items.every((part, at) => {
    const same = other.items[at] as Value;
    return typeof part === "string" ? typeof same === "string" : isInt(part) && isInt(same);
  });
}

const isInt = (value: Value): boolean => Number.isInteger(value) || typeof value === "bigint";

function hasAttribute(s: PyState, value: Value, name: string): boolean {
  const type = typeOf(value);
  return type.slots.attribute?.(value, name, s) !== undefined || type.method(name) !== undefined;
}

/** `except types`. All of a tuple are looked at, so a wrong one never goes unnoticed. */
function matches(exception: PyException, types: Value): boolean {
  let isMatch = false;
  for (const type of types instanceof PyTuple ? types.items : [types]) {
    if (!(type instanceof PyType && type.isA(BASE_EXCEPTION)))
      throw raised(TYPE_ERROR, "catching classes that do not inherit from BaseException is not allowed");
    isMatch ||= exception.type.isA(type);
  }
  return isMatch;
}

/** `class Name(Base): pass` */
function exceptionClass(name: string, base: Value): PyType {
  if (base instanceof PyType && base.isA(BASE_EXCEPTION)) return new PyType(name, [base, ...base.bases]);
  throw raised(TYPE_ERROR, "only classes of exceptions are known");
}
