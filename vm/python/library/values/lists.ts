/** `list`, `tuple`, `range` and `slice` with their methods. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { EMPTY_TUPLE, LIST_TYPE, PyList, PyTuple, TUPLE_TYPE } from "../../kinds/list.ts";
import { PyRange, PySlice, RANGE_TYPE, SLICE_TYPE } from "../../kinds/slice.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Calling, type Context, type Natives, typeOf, type Value } from "../../object.ts";
import { each, isSame, keep } from "../../operations.ts";
import { asIndex, positionsOf } from "../../operators/index.ts";
import { isInt } from "../../operators/numbers.ts";
import { repr } from "../../operators/text.ts";
import type { Elements } from "../../types/elements.ts";
import { extend, popPlace } from "../../types/list.ts";
import { placeInRange } from "../../types/range.ts";
import { sizeOf } from "../arguments.ts";
import type { Part } from "../registry.ts";
import { indexOf, pair } from "./iterators.ts";
import { sortList } from "./sorting.ts";

/** All elements of an iterable in a new array. */
export function collected<T extends Value>(
  iterable: Value | undefined,
  ctx: Context,
  end: (items: Value[]) => T,
): T | Calling<T> {
  const items: Value[] = [];
  const finish = (): T => {
    ctx.alloc(Bytes.Object + items.length * Bytes.Element);
    return end(items);
  };
  if (iterable === undefined) return finish();
  if (iterable instanceof PyList || iterable instanceof PyTuple) {
    ctx.charge(iterable.items.length >> 2);
    ctx.room(iterable.items.length * Bytes.Element);
    ctx.alloc(Bytes.Object + iterable.items.length * Bytes.Element);
    return end(iterable.items.slice());
  }
  const size = typeOf(iterable).slots.length?.(iterable, ctx);
  if (size !== undefined) ctx.room(size * Bytes.Element);
  return each(iterable, ctx, (item) => keep(items, item, ctx), finish);
}

/** A bound of `index`: an int, cut to those that CPython can hold. */
function bound(value: Value, length: number): number {
  if (!isInt(value)) throw raised(TYPE_ERROR, "slice indices must be integers or have an __index__ method");
  const at = Number(value);
  return at < 0 ? Math.max(0, at + length) : at;
}

/** The place of an element; -1: it is not there. */
function find(self: Elements, item: Value, start: Value, stop: Value | undefined, ctx: Context): number {
  const { length } = self.items;
  const from = bound(start, length);
  const to = stop === undefined ? length : bound(stop, length);
  for (let at = from; at < to && at < self.items.length; at += 1) {
    ctx.charge(1);
    if (isSame(self.items[at] as Value, item, ctx)) return at;
  }
  return -1;
}

function count(ctx: Context, self: Elements, item: Value): Value {
  ctx.charge(self.items.length);
  let found = 0;
  for (const one of self.items) if (isSame(one, item, ctx)) found += 1;
  return found;
}

function insert(ctx: Context, self: PyList, index: Value, item: Value): Value {
  const at = sizeOf(index);
  const { length } = self.items;
  ctx.charge(length >> 3);
  ctx.alloc(Bytes.Element);
  self.items.splice(at < 0 ? Math.max(0, at + length) : Math.min(at, length), 0, item);
  return null;
}

function pop(ctx: Context, self: PyList, index: Value): Value {
  sizeOf(index);
  const place = popPlace(self, index);
  if (place === self.items.length - 1) return self.items.pop() as Value;
  ctx.charge((self.items.length - place) >> 3);
  // `shift` moves the start of an array, where `splice` copies it.
  return (place === 0 ? self.items.shift() : self.items.splice(place, 1)[0]) as Value;
}

const lists: Natives = {
  list: (ctx, iterable: Value | undefined) => collected(iterable, ctx, (items) => new PyList(items)),
  "list.append"(ctx, self: PyList, item: Value) {
    ctx.alloc(Bytes.Element);
    self.items.push(item);
    return null;
  },
  "list.extend": (ctx, self: PyList, iterable: Value) => extend(self, iterable, ctx, null),
  "list.insert": insert,
  "list.pop": pop,
  "list.remove"(ctx, self: PyList, item: Value) {
    const place = find(self, item, 0, undefined, ctx);
    if (place < 0) throw raised(VALUE_ERROR, "list.remove(x): x not in list");
    self.items.splice(place, 1);
    return null;
  },
  "list.clear"(_, self: PyList) {
    // During a sort the list is empty and counts as unchanged.
    if (self.items.length > 0) self.items = [];
    return null;
  },
  "list.copy": (ctx, self: PyList) => collected(self, ctx, (items) => new PyList(items)),
  "list.index"(ctx, self: PyList, item: Value, start: Value, stop: Value | undefined) {
    const place = find(self, item, start, stop, ctx);
    if (place < 0) throw raised(VALUE_ERROR, `${repr(item, ctx)} is not in list`);
    return place;
  },
  "list.count": count,
  "list.reverse"(ctx, self: PyList) {
    ctx.charge(self.items.length >> 3);
    self.items.reverse();
    return null;
  },
  "list.sort": sortList,
};

const others: Natives = {
  tuple: (ctx, iterable: Value | undefined) =>
    iterable instanceof PyTuple && iterable.type === TUPLE_TYPE
      ? iterable
      : collected(iterable, ctx, (items) => (items.length === 0 ? EMPTY_TUPLE : new PyTuple(items))),
  "tuple.count": count,
  "tuple.index"(ctx, self: PyTuple, item: Value, start: Value, stop: Value | undefined) {
    const place = find(self, item, start, stop, ctx);
    if (place < 0) throw raised(VALUE_ERROR, "tuple.index(x): x not in tuple");
    return place;
  },
  range(ctx, start: Value, stop: Value | undefined, step: Value | undefined) {
    ctx.alloc(Bytes.Object);
    if (stop === undefined) return new PyRange(0, rangePart(start), 1);
    const [from, to, by] = [rangePart(start), rangePart(stop), step === undefined ? 1 : rangePart(step)];
    if (by === 0) throw raised(VALUE_ERROR, "range() arg 3 must not be zero");
    return new PyRange(from, to, by);
  },
  "range.index"(ctx, self: PyRange, item: Value) {
    const place = placeInRange(self, item);
    if (place < 0)
      throw raised(
        VALUE_ERROR,
        isInt(item) ? `${repr(item, ctx)} is not in range` : "sequence.index(x): x not in sequence",
      );
    return place;
  },
  "range.count": (_, self: PyRange, item: Value) => (placeInRange(self, item) < 0 ? 0 : 1),
  slice(_, start: Value, stop: Value | undefined, step: Value) {
    return stop === undefined ? new PySlice(null, start, null) : new PySlice(start, stop, step);
  },
  "slice.indices"(ctx, self: PySlice, length: Value) {
    if (typeof length === "bigint") throw notExact("a length beyond 2^53 is not supported in slice.indices");
    const size = asIndex(length);
    if (size < 0) throw raised(VALUE_ERROR, "length should not be negative");
    const { start, stop, step } = positionsOf(self, size);
    return pair(ctx, start, stop, typeof self.step === "bigint" ? self.step : step);
  },
};

function rangePart(value: Value): number {
  const int = indexOf(value);
  if (typeof int === "number") return int;
  throw notExact("a range with bounds beyond 2^53 is not supported; count with smaller numbers");
}

export const LISTS: Part = {
  natives: { ...lists, ...others },
  types: { list: LIST_TYPE, tuple: TUPLE_TYPE, range: RANGE_TYPE, slice: SLICE_TYPE },
};
