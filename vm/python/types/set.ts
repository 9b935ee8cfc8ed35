/** Operators of sets and frozensets. Their order is never shown. */
import { RUNTIME_ERROR, raised } from "../exceptions.ts";
import { FROZENSET_TYPE, PyFrozenSet, PySet, SET_TYPE } from "../kinds/set.ts";
import {
  Bytes,
  type Context,
  END,
  fillSlots,
  type Key,
  type Next,
  type Operator,
  type Order,
  PyIterator,
  type PyType,
  setType,
  type Value,
} from "../object.ts";
import { compoundKey, keyOf } from "../operators/keys.ts";
import { containerRepr, repr } from "../operators/text.ts";
import { iteratorType } from "./elements.ts";
import { orderShown } from "./set-order.ts";

/** Walks a set of at most one member. Where there are more, which comes first is CPython's private matter. */
class PySetIterator extends PyIterator {
  declare readonly type: PyType;
  #set: PySet | null;
  readonly #size: number;
  #isTaken = false;
  constructor(set: PySet) {
    super();
    if (set.members.size > 1) throw orderShown();
    this.#set = set;
    this.#size = set.members.size;
  }
  next(): Next {
    if (this.#set === null) return END;
    const { members } = this.#set;
    if (members.size !== this.#size) throw raised(RUNTIME_ERROR, "Set changed size during iteration");
    if (this.#isTaken || members.size === 0) {
      this.#set = null;
      return END;
    }
    this.#isTaken = true;
    for (const member of members.values()) return member;
    return END;
  }
}
setType(PySetIterator, iteratorType("set_iterator"));

export function addMember(set: PySet, value: Value, ctx: Context): void {
  const key = keyOf(value, ctx);
  if (set.members.has(key)) return;
  ctx.alloc(Bytes.Element);
  set.members.set(key, value);
}

/** A set of the same type as `like`. */
export function emptySet(like: PySet, ctx: Context): PySet {
  ctx.alloc(Bytes.Object);
  return like instanceof PyFrozenSet ? new PyFrozenSet() : new PySet();
}

export function copySet(from: PySet, into: PySet, ctx: Context): PySet {
  ctx.charge(from.members.size);
  ctx.room(from.members.size * Bytes.Element);
  const size = into.members.size;
  for (const [key, member] of from.members) if (!into.members.has(key)) into.members.set(key, member);
  ctx.alloc((into.members.size - size) * Bytes.Element);
  return into;
}

/** CPython walks the smaller one, or the second of two of one size, and keeps the members of the one that it walks. */
export function intersection(a: PySet, b: PySet, ctx: Context): PySet {
  const [walked, other] = b.members.size > a.members.size ? [a, b] : [b, a];
  ctx.charge(walked.members.size);
  const result = emptySet(a, ctx);
  for (const [key, member] of walked.members) if (other.members.has(key)) result.members.set(key, member);
  ctx.alloc(result.members.size * Bytes.Element);
  return result;
}

export function difference(a: PySet, b: PySet, ctx: Context): PySet {
  ctx.charge(a.members.size);
  const result = emptySet(a, ctx);
  for (const [key, member] of a.members) if (!b.members.has(key)) result.members.set(key, member);
  ctx.alloc(result.members.size * Bytes.Element);
  return result;
}

export function symmetricDifference(a: PySet, b: PySet, ctx: Context): PySet {
  return copySet(difference(b, a, ctx), difference(a, b, ctx), ctx);
}

export function isSubset(a: PySet, b: PySet, ctx: Context): boolean {
  if (a.members.size > b.members.size) return false;
  ctx.charge(a.members.size);
  for (const key of a.members.keys()) if (!b.members.has(key)) return false;
  return true;
}

function operate(op: Operator, a: PySet, b: PySet, ctx: Context): PySet | undefined {
  switch (op) {
    case "|":
      return copySet(b, copySet(a, emptySet(a, ctx), ctx), ctx);
    case "&":
      return intersection(a, b, ctx);
    case "-":
      return difference(a, b, ctx);
    case "^":
      return symmetricDifference(a, b, ctx);
    default:
      return undefined;
  }
}

export function orderSets(op: Order, a: PySet, b: PySet, ctx: Context): boolean {
  switch (op) {
    case "<":
      return a.members.size < b.members.size && isSubset(a, b, ctx);
    case "<=":
      return isSubset(a, b, ctx);
    case ">":
      return b.members.size < a.members.size && isSubset(b, a, ctx);
    default:
      return isSubset(b, a, ctx);
  }
}

/** Puts other members into the same set. */
export function replaceMembers(set: PySet, by: PySet): void {
  const members = [...by.members];
  set.members.clear();
  for (const [key, member] of members) set.members.set(key, member);
}

/** The key of `item` in a set. A set is looked up as the frozenset of its members. */
export function keyInSet(item: Value, ctx: Context): Key {
  return item instanceof PySet ? keyOfSet(item, ctx) : keyOf(item, ctx);
}

function keyOfSet(set: PySet, ctx: Context): Key {
  ctx.charge(set.members.size);
  const parts = Array.from(set.members.keys(), (key) => compoundKey("", [key]));
  return compoundKey("{", parts.sort());
}

function setRepr(set: PySet, ctx: Context): string {
  const { name } = set.type;
  if (set.members.size === 0) return `${name}()`;
  if (set.members.size > 1) throw orderShown();
  return containerRepr(set, `${name}(...)`, ctx, () => {
    let inner = "";
    for (const member of set.members.values()) inner = `{${repr(member, ctx)}}`;
    return name === "set" ? inner : `${name}(${inner})`;
  });
}

fillSlots<PySet>(SET_TYPE, {
  length: (self) => self.members.size,
  iterate: (self) => new PySetIterator(self),
  contains: (self, item, ctx) => self.members.has(keyInSet(item, ctx)),
  equals: (self, other, ctx) =>
    other instanceof PySet ? self.members.size === other.members.size && isSubset(self, other, ctx) : undefined,
  order: (self, op, other, ctx) => (other instanceof PySet ? orderSets(op, self, other, ctx) : undefined),
  repr: setRepr,
  binary: (self, op, other, ctx) => (other instanceof PySet ? operate(op, self, other, ctx) : undefined),
  inPlace(self, op, other, ctx) {
    if (self instanceof PyFrozenSet || !(other instanceof PySet)) return undefined;
    if (op === "|") return copySet(other, self, ctx);
    const result = operate(op, self, other, ctx);
    if (result !== undefined) replaceMembers(self, result);
    return result === undefined ? undefined : self;
  },
});
fillSlots<PyFrozenSet>(FROZENSET_TYPE, { ...SET_TYPE.slots, key: keyOfSet, inPlace: () => undefined });
