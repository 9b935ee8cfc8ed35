/** The module copy: shallow and deep copies, which keep what is shared shared. */

import { PyException, raised, TYPE_ERROR } from "../../exceptions.ts";
import { PyCalendar } from "../../kinds/calendar.ts";
import { PyCounter, PyDefaultDict, PyDeque, PyOrderedDict } from "../../kinds/collections.ts";
import { PyDict } from "../../kinds/dict.ts";
import { HMAC_TYPE, PyHash } from "../../kinds/hash.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PyFrozenSet, PySet } from "../../kinds/set.ts";
import { PyDictView } from "../../kinds/view.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, PyIterator, type PyObject, type Value } from "../../object.ts";
import { keyOf } from "../../operations.ts";
import { enter, leave } from "../../operators/recursion.ts";
import type { Part } from "../registry.ts";

/** An empty dict of the same kind. */
function emptyLike(dict: PyDict): PyDict {
  if (dict instanceof PyCounter) return new PyCounter();
  if (dict instanceof PyOrderedDict) return new PyOrderedDict();
  if (!(dict instanceof PyDefaultDict)) return new PyDict();
  const copy = new PyDefaultDict();
  copy.factory = dict.factory;
  return copy;
}

function fill(from: PyDict, into: PyDict, part: (value: Value) => Value, ctx: Context): PyDict {
  ctx.charge(from.size);
  ctx.alloc(Bytes.Object + from.size * Bytes.Entry);
  for (const key of from.keys()) {
    const spelled = part(from.spelling(key));
    into.set(keyOf(spelled, ctx), spelled, part(from.get(key) as Value));
  }
  return into;
}

function listBytes(count: number, ctx: Context): void {
  ctx.charge(count);
  ctx.room(count * Bytes.Element);
  ctx.alloc(Bytes.Object + count * Bytes.Element);
}

function dequeOf(from: PyDeque, values: readonly Value[]): PyDeque {
  const copy = new PyDeque(from.maxlen);
  copy.replace(values);
  return copy;
}

/** What cannot be copied, and what need not be. */
function asItIs(value: PyObject): Value {
  if (value instanceof PyDictView) throw raised(TYPE_ERROR, `cannot pickle '${value.type.name}' object`);
  if (value instanceof PyIterator) throw notExact("copies of iterators are not supported; make a list of the elements");
  if (value instanceof PyCalendar) return new PyCalendar(value.type, value.first);
  if (value instanceof PyHash && value.type !== HMAC_TYPE)
    throw raised(TYPE_ERROR, `cannot pickle '${value.type.qualifiedName}' object`);
  if (UNCOPIED.has(value.type.name)) throw notExact(`copies of ${value.type.name} are not supported`);
  return value;
}

/** Types of the library whose values change. */
const UNCOPIED: ReadonlySet<string> = new Set([
  "HMAC",
  "_io.StringIO",
  "DictReader",
  "_csv.reader",
  "_csv.writer",
  "SequenceMatcher",
  "TopologicalSorter",
]);

const same = (value: Value): Value => value;

function shallow(ctx: Context, value: Value): Value {
  if (value instanceof PyList) {
    listBytes(value.items.length, ctx);
    return new PyList([...value.items]);
  }
  if (value instanceof PyDict) return fill(value, emptyLike(value), same, ctx);
  if (value instanceof PyDeque) {
    listBytes(value.length, ctx);
    return dequeOf(value, value.elements());
  }
  if (value instanceof PySet && !(value instanceof PyFrozenSet)) {
    listBytes(value.members.size, ctx);
    const copy = new PySet();
    for (const [key, member] of value.members) copy.members.set(key, member);
    return copy;
  }
  if (value instanceof PyException) return new PyException(value.type, value.args, value.isTextUnknown, value.members);
  return typeof value === "object" && value !== null ? asItIs(value) : value;
}

/** `made` holds the copies of what was met before. */
function deep(value: Value, made: Map<PyObject, Value>, ctx: Context): Value {
  if (typeof value !== "object" || value === null) return value;
  const known = made.get(value);
  if (known !== undefined) return known;
  enter("while copying an object");
  try {
    return deepObject(value, made, ctx);
  } finally {
    leave();
  }
}

function deepObject(value: PyObject, made: Map<PyObject, Value>, ctx: Context): Value {
  const part = (inner: Value): Value => deep(inner, made, ctx);
  if (value instanceof PyList) {
    listBytes(value.items.length, ctx);
    const copy = new PyList([]);
    made.set(value, copy);
    for (let index = 0; index < value.items.length; index += 1) copy.items.push(part(value.items[index] as Value));
    return copy;
  }
  if (value instanceof PyDict) {
    const copy = emptyLike(value);
    made.set(value, copy);
    return fill(value, copy, part, ctx);
  }
  if (value instanceof PyTuple) return deepTuple(value, made, part, ctx);
  if (value instanceof PyDeque) {
    const copy = dequeOf(value, []);
    made.set(value, copy);
    listBytes(value.length, ctx);
    copy.replace(value.elements().map(part));
    return copy;
  }
  if (value instanceof PySet) {
    listBytes(value.members.size, ctx);
    const copy = value instanceof PyFrozenSet ? new PyFrozenSet() : new PySet();
    for (const member of value.members.values()) {
      const inner = part(member);
      copy.members.set(keyOf(inner, ctx), inner);
    }
    made.set(value, copy);
    return copy;
  }
  if (value instanceof PyException) {
    const copy = new PyException(value.type, part(value.args) as PyTuple, value.isTextUnknown, value.members);
    made.set(value, copy);
    return copy;
  }
  const copy = asItIs(value);
  made.set(value, copy);
  return copy;
}

/** A tuple whose elements need no copies needs none itself. */
function deepTuple(value: PyTuple, made: Map<PyObject, Value>, part: (inner: Value) => Value, ctx: Context): Value {
  ctx.charge(value.items.length);
  const items = value.items.map(part);
  // One of the elements may have led back to this tuple.
  const known = made.get(value);
  if (known !== undefined) return known;
  if (items.every((item, index) => item === value.items[index])) {
    made.set(value, value);
    return value;
  }
  listBytes(items.length, ctx);
  const copy = new PyTuple(items);
  made.set(value, copy);
  return copy;
}

const natives: Natives = {
  "copy.copy": shallow,
  "copy.deepcopy": (ctx, value: Value) => deep(value, new Map(), ctx),
};

export const COPY: Part = { natives };
