/** `sum`, `min`, `max`, `any`, `all`: each takes one value, does its step with it, and only then asks for the next. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import type { PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { type Calling, type Context, END, type Natives, nextOf, type Value } from "../../object.ts";
import { binary, each, equals, isInt, iterate, order, truth } from "../../operations.ts";
import { orderShown, unorderedMembers, withoutOrder } from "../../types/set-order.ts";
import type { Part } from "../registry.ts";
import { orderKeys, sorted } from "./sorting.ts";

function sum(ctx: Context, iterable: Value, start: Value): Value | Calling {
  if (typeof start === "string") throw raised(TYPE_ERROR, "sum() can't sum strings [use ''.join(seq) instead]");
  if (typeof start === "object" && start !== null && start.type.name === "bytes")
    throw raised(TYPE_ERROR, "sum() can't sum bytes [use b''.join(seq) instead]");
  let total: Value = start;
  if (iterable instanceof PySet && iterable.members.size > 1) {
    // Only ints have the same sum in every order.
    const members = [...iterable.members.values()];
    if (!isInt(start) || !members.every(isInt)) throw orderShown();
    for (const member of members) total = binary("+", total, member, ctx);
    return total;
  }
  return each(
    iterable,
    ctx,
    (item) => {
      total = binary("+", total, item, ctx);
    },
    () => total,
  );
}

type Extreme = { readonly name: "min" | "max"; readonly op: "<" | ">" };

/** `min` and `max`: `op` is what a better value is to the best one before it. */
function extreme({ name, op }: Extreme) {
  return (ctx: Context, values: PyTuple, key: Value, fallback: Value | undefined): Value | Calling => {
    const { items } = values;
    if (items.length === 0) throw raised(TYPE_ERROR, `${name} expected at least 1 argument, got 0`);
    if (items.length > 1 && fallback !== undefined)
      throw raised(TYPE_ERROR, `Cannot specify a default for ${name}() with multiple positional arguments`);
    if (key === null && items.length > 1) return best(op, items, ctx);
    const source = items.length === 1 ? (items[0] as Value) : values;
    const set = source instanceof PySet && source.members.size > 1 ? source : null;
    if (key !== null)
      return set === null ? byKey(ctx, { name, op }, source, key, fallback) : setByKey(ctx, op, set, key);
    let extreme: Value | undefined;
    const step = (item: Value): void => {
      if (extreme === undefined || order(op, item, extreme, ctx)) extreme = item;
    };
    if (set === null) return each(source, ctx, step, () => found(name, extreme, fallback));
    try {
      for (const member of unorderedMembers(set, ctx)) step(member);
    } catch (error) {
      throw withoutOrder(error);
    }
    return found(name, extreme, fallback);
  };
}

function best(op: "<" | ">", items: readonly Value[], ctx: Context): Value {
  let result = items[0] as Value;
  for (let index = 1; index < items.length; index += 1) {
    const item = items[index] as Value;
    if (order(op, item, result, ctx)) result = item;
  }
  return result;
}

function found(name: string, best: Value | undefined, fallback: Value | undefined): Value {
  const value = best === undefined ? fallback : best;
  if (value === undefined) throw raised(VALUE_ERROR, `${name}() arg is an empty sequence`);
  return value;
}

function* byKey(
  ctx: Context,
  { name, op }: Extreme,
  source: Value,
  callee: Value,
  fallback: Value | undefined,
): Calling {
  const iterator = iterate(source, ctx);
  let best: Value | undefined;
  let bestKey: Value = null;
  for (;;) {
    const item = yield* nextOf(iterator, ctx);
    if (item === END) return found(name, best, fallback);
    const key = yield { callee, args: [item] };
    if (best !== undefined) {
      let isBetter = orderKeys(op, key, bestKey, ctx);
      if (typeof isBetter !== "boolean") isBetter = yield* isBetter;
      if (!isBetter) continue;
    }
    best = item;
    bestKey = key;
  }
}

/** The best member of a set, which its order does not decide unless two keys are equal. */
function* setByKey(ctx: Context, op: "<" | ">", set: PySet, callee: Value): Calling {
  let best: Value = null;
  let bestKey: Value | undefined;
  let isTied = false;
  for (const member of unorderedMembers(set, ctx)) {
    const key = yield { callee, args: [member] };
    try {
      if (bestKey === undefined || order(op, key, bestKey, ctx)) {
        best = member;
        bestKey = key;
        isTied = false;
      } else if (equals(key, bestKey, ctx)) isTied = true;
    } catch (error) {
      throw withoutOrder(error);
    }
  }
  if (isTied) throw orderShown();
  return best;
}

/** `any` and `all`: the first value whose truth is `wanted` decides. */
function decided(wanted: boolean) {
  return (ctx: Context, iterable: Value): Value | Calling => {
    let result = !wanted;
    const step = (item: Value): boolean => {
      if (truth(item, ctx) === wanted) result = wanted;
      return result === wanted;
    };
    if (!(iterable instanceof PySet)) return each(iterable, ctx, step, () => result);
    for (const member of iterable.members.values()) if (step(member)) break;
    return result;
  };
}

const natives: Natives = {
  sum,
  min: extreme({ name: "min", op: "<" }),
  max: extreme({ name: "max", op: ">" }),
  any: decided(true),
  all: decided(false),
  sorted,
};

export const FOLDS: Part = { natives };
