/** `set` and `frozenset` with their methods. */
import { KEY_ERROR, raised } from "../../exceptions.ts";
import type { PyTuple } from "../../kinds/list.ts";
import { FROZENSET_TYPE, PyFrozenSet, PySet, SET_TYPE } from "../../kinds/set.ts";
import { Bytes, type Calling, type Context, isCalling, type Natives, type Value } from "../../object.ts";
import { each, keyOf } from "../../operations.ts";
import {
  addMember,
  copySet,
  difference,
  emptySet,
  intersection,
  isSubset,
  keyInSet,
  replaceMembers,
  symmetricDifference,
} from "../../types/set.ts";
import { orderShown } from "../../types/set-order.ts";
import type { Part } from "../registry.ts";

/** Adds all elements of an iterable, of a set without looking at its order. */
function addAll<T extends Value>(set: PySet, source: Value, ctx: Context, end: () => T): T | Calling<T> {
  if (source instanceof PySet) {
    copySet(source, set, ctx);
    return end();
  }
  return each(source, ctx, (item) => addMember(set, item, ctx), end);
}

function make(empty: PySet, source: Value | undefined, ctx: Context): Value | Calling {
  ctx.alloc(Bytes.Object);
  return source === undefined ? empty : addAll(empty, source, ctx, () => empty);
}

/** The elements as a set, for what only asks which there are. */
function asSet<T extends Value>(source: Value, ctx: Context, then: (set: PySet) => T): T | Calling<T> {
  if (source instanceof PySet) return then(source);
  const set = new PySet();
  return addAll(set, source, ctx, () => then(set));
}

/** Does something with each of the arguments in turn, some of which may have to run code of the program for their elements. */
function inTurn(sources: PyTuple, step: (source: Value) => Value | Calling, end: () => Value): Value | Calling {
  for (const [index, source] of sources.items.entries()) {
    const result = step(source);
    if (isCalling(result)) return rest(result, sources.items.slice(index + 1), step, end);
  }
  return end();
}

function* rest(
  first: Calling,
  sources: readonly Value[],
  step: (source: Value) => Value | Calling,
  end: () => Value,
): Calling {
  yield* first;
  for (const source of sources) {
    const result = step(source);
    if (isCalling(result)) yield* result;
  }
  return end();
}

/** The members of `set` that are in a source. Those of an iterable are kept as it has them. */
function common(set: PySet, source: Value, ctx: Context, then: (result: PySet) => null): null | Calling<null> {
  if (source instanceof PySet) return then(intersection(set, source, ctx));
  const result = emptySet(set, ctx);
  // CPython looks no further once every member was found.
  const step = (item: Value): boolean => {
    const key = keyOf(item, ctx);
    if (!set.members.has(key) || result.members.has(key)) return false;
    ctx.alloc(Bytes.Element);
    result.members.set(key, item);
    return result.members.size >= set.members.size;
  };
  return each(source, ctx, step, () => then(result));
}

/** `op` of a copy of the set with each of the arguments in turn. */
function folded(op: (set: PySet, source: Value, ctx: Context, then: (result: PySet) => null) => null | Calling<null>) {
  return (ctx: Context, self: PySet, sources: PyTuple, finish: (result: PySet) => Value): Value | Calling => {
    let result = copySet(self, emptySet(self, ctx), ctx);
    const keep = (next: PySet): null => {
      result = next;
      return null;
    };
    return inTurn(
      sources,
      (source) => op(result, source, ctx, keep),
      () => finish(result),
    );
  };
}

const union = folded((set, source, ctx, then) => addAll(set, source, ctx, () => then(set)));
const intersected = folded(common);
const reduced = folded((set, source, ctx, then) => asSet(source, ctx, (other) => then(difference(set, other, ctx))));

function into(self: PySet): (result: PySet) => Value {
  return (result) => {
    replaceMembers(self, result);
    return null;
  };
}

const same = (result: PySet): Value => result;

const READING: Natives = {
  union: (ctx, self: PySet, sources: PyTuple) => union(ctx, self, sources, same),
  intersection: (ctx, self: PySet, sources: PyTuple) => intersected(ctx, self, sources, same),
  difference: (ctx, self: PySet, sources: PyTuple) => reduced(ctx, self, sources, same),
  symmetric_difference: (ctx, self: PySet, source: Value) =>
    asSet(source, ctx, (other) => symmetricDifference(self, other, ctx)),
  issubset: (ctx, self: PySet, source: Value) => asSet(source, ctx, (other) => isSubset(self, other, ctx)),
  issuperset: (ctx, self: PySet, source: Value) => asSet(source, ctx, (other) => isSubset(other, self, ctx)),
  isdisjoint: (ctx, self: PySet, source: Value) =>
    asSet(source, ctx, (other) => intersection(self, other, ctx).members.size === 0),
  copy: (ctx, self: PySet) => (self instanceof PyFrozenSet ? self : copySet(self, emptySet(self, ctx), ctx)),
};

function ofType(type: string, methods: Natives): Natives {
  return Object.fromEntries(Object.entries(methods).map(([name, run]) => [`${type}.${name}`, run]));
}

const natives: Natives = {
  set: (ctx, source: Value | undefined) => make(new PySet(), source, ctx),
  frozenset: (ctx, source: Value | undefined) =>
    source instanceof PyFrozenSet ? source : make(new PyFrozenSet(), source, ctx),
  ...ofType("set", READING),
  ...ofType("frozenset", READING),
  "set.add"(ctx, self: PySet, item: Value) {
    addMember(self, item, ctx);
    return null;
  },
  "set.remove"(ctx, self: PySet, item: Value) {
    if (!self.members.delete(keyInSet(item, ctx))) throw raised(KEY_ERROR, item);
    return null;
  },
  "set.discard"(ctx, self: PySet, item: Value) {
    self.members.delete(keyInSet(item, ctx));
    return null;
  },
  "set.pop"(_, self: PySet) {
    if (self.members.size > 1) throw orderShown();
    for (const [key, member] of self.members) {
      self.members.delete(key);
      return member;
    }
    throw raised(KEY_ERROR, "pop from an empty set");
  },
  "set.clear"(_, self: PySet) {
    self.members.clear();
    return null;
  },
  "set.update": (ctx, self: PySet, sources: PyTuple) =>
    inTurn(
      sources,
      (source) => addAll(self, source, ctx, () => null),
      () => null,
    ),
  "set.intersection_update": (ctx, self: PySet, sources: PyTuple) => intersected(ctx, self, sources, into(self)),
  "set.difference_update": (ctx, self: PySet, sources: PyTuple) => reduced(ctx, self, sources, into(self)),
  "set.symmetric_difference_update": (ctx, self: PySet, source: Value) =>
    asSet(source, ctx, (other) => into(self)(symmetricDifference(self, other, ctx))),
};

export const SETS: Part = { natives, types: { set: SET_TYPE, frozenset: FROZENSET_TYPE } };
