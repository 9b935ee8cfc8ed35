/** Operators of lists. */
import { INDEX_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { LIST_TYPE, PyList, PyTuple } from "../kinds/list.ts";
import { PySlice } from "../kinds/slice.ts";
import { Bytes, type Calling, type Context, fillSlots, typeOf, type Value } from "../object.ts";
import { each, known } from "../operators/each.ts";
import { asIndex, placeOf, positionsOf } from "../operators/index.ts";
import { isInt } from "../operators/numbers.ts";
import { containerRepr, listed } from "../operators/text.ts";
import { equalElements, hasElement, orderElements, PyListIterator, repeated } from "./elements.ts";
import { timesOf } from "./repeat.ts";

/** A new list of the program. */
function madeList(items: Value[], ctx: Context): PyList {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyList(items);
}

function key(value: Value): Value {
  if (isInt(value)) return value;
  throw raised(TYPE_ERROR, `list indices must be integers or slices, not ${typeOf(value).name}`);
}

/** Elements of a slice, also of a tuple. */
export function sliced(items: readonly Value[], slice: PySlice, ctx: Context): Value[] {
  const { start, step, count } = positionsOf(slice, items.length);
  ctx.charge(count);
  if (step === 1) return items.slice(start, start + count);
  const part: Value[] = [];
  for (let index = 0; index < count; index += 1) part.push(items[start + index * step] as Value);
  return part;
}

fillSlots<PyList>(LIST_TYPE, {
  length: (self) => self.items.length,
  iterate: (self) => new PyListIterator(self),
  contains: hasElement,
  item(self, at, ctx) {
    if (at instanceof PySlice) return madeList(sliced(self.items, at, ctx), ctx);
    return self.items[placeOf(key(at), self.items.length, "list index")] as Value;
  },
  setItem(self, at, value, ctx) {
    if (at instanceof PySlice) replaceSlice(self, at, elementsForSlice(value, ctx), ctx);
    else self.items[placeOf(key(at), self.items.length, "list assignment index")] = value;
  },
  deleteItem(self, at, ctx) {
    ctx.charge(self.items.length >> 3);
    if (at instanceof PySlice) deleteSlice(self, at);
    else self.items.splice(placeOf(key(at), self.items.length, "list assignment index"), 1);
  },
  equals: (self, other, ctx) => (other instanceof PyList ? equalElements(self, other, ctx) : undefined),
  order: (self, op, other, ctx) => (other instanceof PyList ? orderElements(op, self, other, ctx) : undefined),
  repr: (self, ctx) =>
    self.items.length === 0 ? "[]" : containerRepr(self, "[...]", ctx, () => `[${listed(self.items, ctx)}]`),
  binary(self, op, other, ctx) {
    if (op === "*") return multiplied(self, other, ctx);
    if (op !== "+") return undefined;
    if (!(other instanceof PyList))
      throw raised(TYPE_ERROR, `can only concatenate list (not "${typeOf(other).name}") to list`);
    const count = self.items.length + other.items.length;
    ctx.room(count * Bytes.Element);
    ctx.charge(count);
    return madeList([...self.items, ...other.items], ctx);
  },
  reflected: (self, op, other, ctx) => (op === "*" ? multiplied(self, other, ctx) : undefined),
  inPlace(self, op, other, ctx) {
    if (op === "*") {
      const times = timesOf(other, self.items.length * Bytes.Element, ctx);
      if (self.items.length > 0) self.items = repeated(self.items, times);
      return self;
    }
    return op === "+" ? extend(self, other, ctx, self) : undefined;
  },
});

function multiplied(list: PyList, other: Value, ctx: Context): PyList {
  const times = timesOf(other, list.items.length * Bytes.Element, ctx);
  ctx.alloc(Bytes.Object);
  return new PyList(repeated(list.items, times));
}

/** `list += value` and `list.extend(value)`. `result` is what the operation gives. */
export function extend(list: PyList, value: Value, ctx: Context, result: Value): Value | Calling {
  if (value instanceof PyList || value instanceof PyTuple) {
    const { items } = value;
    const count = items.length;
    ctx.room((list.items.length + count) * Bytes.Element);
    ctx.charge(count);
    ctx.alloc(count * Bytes.Element);
    for (let index = 0; index < count; index += 1) list.items.push(items[index] as Value);
    return result;
  }
  return each(
    value,
    ctx,
    (item) => {
      ctx.alloc(Bytes.Element);
      list.items.push(item);
    },
    () => result,
  );
}

/** What `list[a:b] = value` puts there. */
function elementsForSlice(value: Value, ctx: Context): readonly Value[] {
  if (typeOf(value).slots.iterate === undefined) throw raised(TYPE_ERROR, "can only assign an iterable");
  return known(value, ctx);
}

function replaceSlice(list: PyList, slice: PySlice, given: readonly Value[], ctx: Context): void {
  const { start, stop, step, count } = positionsOf(slice, list.items.length);
  const items = given === list.items ? [...given] : given;
  ctx.charge(list.items.length + items.length);
  if (slice.step === null || step === 1) {
    ctx.room((list.items.length + items.length) * Bytes.Element);
    ctx.alloc(Math.max(0, items.length - count) * Bytes.Element);
    const rest = list.items.slice(Math.max(start, stop));
    list.items.length = start;
    for (const one of items) list.items.push(one);
    for (const one of rest) list.items.push(one);
    return;
  }
  if (items.length !== count)
    throw raised(VALUE_ERROR, `attempt to assign sequence of size ${items.length} to extended slice of size ${count}`);
  for (let index = 0; index < count; index += 1) list.items[start + index * step] = items[index] as Value;
}

function deleteSlice(list: PyList, slice: PySlice): void {
  const { start, step, count } = positionsOf(slice, list.items.length);
  if (step === 1) {
    list.items.splice(start, count);
    return;
  }
  const gone = new Set<number>();
  for (let index = 0; index < count; index += 1) gone.add(start + index * step);
  const left = list.items.filter((_, index) => !gone.has(index));
  list.items.length = 0;
  for (const one of left) list.items.push(one);
}

/** The place that `list.pop(index)` means. */
export function popPlace(list: PyList, index: Value): number {
  if (list.items.length === 0) throw raised(INDEX_ERROR, "pop from empty list");
  const at = asIndex(index);
  const place = at < 0 ? at + list.items.length : at;
  if (place < 0 || place >= list.items.length) throw raised(INDEX_ERROR, "pop index out of range");
  return place;
}
