/** `collections.deque`. */
import { INDEX_ERROR, RUNTIME_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../../../exceptions.ts";
import { PyDeque } from "../../../kinds/collections.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  type Next,
  PyIterator,
  PyType,
  type Slots,
  setType,
  typeOf,
  type Value,
} from "../../../object.ts";
import { asIndex, each, isSame, repr } from "../../../operations.ts";
import { isInt } from "../../../operators/numbers.ts";
import { containerRepr, listed } from "../../../operators/text.ts";
import { equalElements, iteratorType, orderElements } from "../../../types/elements.ts";
import { timesOf } from "../../../types/repeat.ts";
import { sizeOf } from "../../arguments.ts";
import type { Part } from "../../registry.ts";

/** Walks a deque in one direction and notices every change of it. */
class PyDequeIterator extends PyIterator {
  declare readonly type: PyType;
  readonly #deque: PyDeque;
  readonly #changes: number;
  readonly #isReversed: boolean;
  #taken = 0;
  constructor(deque: PyDeque, isReversed: boolean) {
    super();
    this.#deque = deque;
    this.#changes = deque.changes;
    this.#isReversed = isReversed;
  }
  next(): Next {
    const deque = this.#deque;
    if (deque.changes !== this.#changes) throw raised(RUNTIME_ERROR, "deque mutated during iteration");
    if (this.#taken >= deque.length) return END;
    const place = this.#isReversed ? deque.length - 1 - this.#taken : this.#taken;
    this.#taken += 1;
    return deque.at(place);
  }
}
setType(PyDequeIterator, iteratorType("_collections._deque_iterator"));

function placeOf(deque: PyDeque, key: Value): number {
  if (!isInt(key)) throw raised(TYPE_ERROR, `sequence index must be integer, not '${typeOf(key).name}'`);
  const index = asIndex(key);
  const place = index < 0 ? index + deque.length : index;
  if (place < 0 || place >= deque.length) throw raised(INDEX_ERROR, "deque index out of range");
  return place;
}

function copy(deque: PyDeque, ctx: Context): PyDeque {
  const made = new PyDeque(deque.maxlen);
  ctx.charge(deque.length);
  ctx.alloc(Bytes.Object + deque.length * Bytes.Element);
  made.replace(deque.elements());
  return made;
}

function extend<T extends Value>(deque: PyDeque, source: Value, ctx: Context, end: () => T): T | Calling<T> {
  const step = (item: Value): void => {
    ctx.alloc(Bytes.Element);
    deque.append(item);
  };
  // A deque that is added to itself is looked at first.
  if (source === deque) {
    for (const item of deque.elements()) step(item);
    return end();
  }
  return each(source, ctx, step, end);
}

function repeated(deque: PyDeque, other: Value, ctx: Context): PyDeque {
  const most = deque.maxlen === null ? Infinity : Math.ceil(deque.maxlen / deque.length);
  const times = timesOf(other, deque.length * Bytes.Element, ctx, most);
  const made = new PyDeque(deque.maxlen);
  const elements = deque.elements();
  for (let round = 0; round < times; round += 1) for (const item of elements) made.append(item);
  return made;
}

const slots: Slots<PyDeque> = {
  length: (self) => self.length,
  iterate: (self) => new PyDequeIterator(self, false),
  reverse: (self) => new PyDequeIterator(self, true),
  item: (self, key) => self.at(placeOf(self, key)),
  setItem(self, key, value) {
    self.put(placeOf(self, key), value);
  },
  deleteItem(self, key, ctx) {
    const place = placeOf(self, key);
    ctx.charge(self.length);
    self.replace(self.elements().toSpliced(place, 1));
  },
  equals: (self, other, ctx) =>
    other instanceof PyDeque ? equalElements({ items: self.elements() }, { items: other.elements() }, ctx) : undefined,
  order: (self, op, other, ctx) =>
    other instanceof PyDeque
      ? orderElements(op, { items: self.elements() }, { items: other.elements() }, ctx)
      : undefined,
  repr: (self, ctx) =>
    containerRepr(self, "[...]", ctx, () => {
      const items = listed(self.elements(), ctx);
      return self.maxlen === null ? `deque([${items}])` : `deque([${items}], maxlen=${self.maxlen})`;
    }),
  attribute: (self, name) => (name === "maxlen" ? self.maxlen : undefined),
  json: (self, _, leave) => self.elements().map(leave),
  binary(self, op, other, ctx) {
    if (op === "*") return repeated(self, other, ctx);
    if (op !== "+") return undefined;
    if (!(other instanceof PyDeque))
      throw raised(TYPE_ERROR, `can only concatenate deque (not "${typeOf(other).name}") to deque`);
    const sum = copy(self, ctx);
    extend(sum, other, ctx, () => null);
    return sum;
  },
  reflected: (self, op, other, ctx) => (op === "*" ? repeated(self, other, ctx) : undefined),
  inPlace(self, op, other, ctx) {
    if (op === "+") return extend(self, other, ctx, () => self);
    if (op !== "*") return undefined;
    const made = repeated(self, other, ctx);
    if (self.length > 0 && Number(other) !== 1) self.replace(made.elements());
    return self;
  },
};
const DEQUE_TYPE = setType(PyDeque, new PyType("collections.deque", [], slots));

function taken(value: Value | undefined): Value {
  if (value === undefined) throw raised(INDEX_ERROR, "pop from an empty deque");
  return value;
}

function find(self: PyDeque, item: Value, start: Value, stop: Value | undefined, ctx: Context): number {
  const bound = (value: Value): number => {
    if (!isInt(value)) throw raised(TYPE_ERROR, "slice indices must be integers or have an __index__ method");
    const at = Number(value);
    return at < 0 ? Math.max(0, at + self.length) : at;
  };
  const last = stop === undefined ? self.length : Math.min(bound(stop), self.length);
  for (let place = bound(start); place < last; place += 1) {
    ctx.charge(1);
    if (isSame(self.at(place), item, ctx)) return place;
  }
  return -1;
}

function maxlenOf(value: Value): number | null {
  if (value === null) return null;
  if (!isInt(value)) throw raised(TYPE_ERROR, "an integer is required");
  const maxlen = sizeOf(value);
  if (maxlen < 0) throw raised(VALUE_ERROR, "maxlen must be non-negative");
  return maxlen;
}

const natives: Natives = {
  "collections.deque"(ctx, iterable: Value | undefined, maxlen: Value) {
    ctx.alloc(Bytes.Object);
    const deque = new PyDeque(maxlenOf(maxlen));
    return iterable === undefined ? deque : extend(deque, iterable, ctx, () => deque);
  },
  "collections.deque.append"(ctx, self: PyDeque, item: Value) {
    ctx.alloc(Bytes.Element);
    self.append(item);
    return null;
  },
  "collections.deque.appendleft"(ctx, self: PyDeque, item: Value) {
    ctx.alloc(Bytes.Element);
    self.appendLeft(item);
    return null;
  },
  "collections.deque.pop": (_, self: PyDeque) => taken(self.pop()),
  "collections.deque.popleft": (_, self: PyDeque) => taken(self.popLeft()),
  "collections.deque.extend": (ctx, self: PyDeque, iterable: Value) => extend(self, iterable, ctx, () => null),
  "collections.deque.extendleft"(ctx, self: PyDeque, iterable: Value) {
    const step = (item: Value): void => {
      ctx.alloc(Bytes.Element);
      self.appendLeft(item);
    };
    if (iterable !== self) return each(iterable, ctx, step, () => null);
    for (const item of self.elements()) step(item);
    return null;
  },
  "collections.deque.rotate"(ctx, self: PyDeque, n: Value) {
    const wanted = BigInt(sizeOf(n));
    if (self.length < 2) return null;
    self.changes += 1;
    const length = BigInt(self.length);
    const steps = Number(((wanted % length) + length) % length);
    ctx.charge(Math.min(steps, self.length - steps));
    if (2 * steps <= self.length) for (let count = 0; count < steps; count += 1) self.appendLeft(self.pop() as Value);
    else for (let count = self.length - steps; count > 0; count -= 1) self.append(self.popLeft() as Value);
    return null;
  },
  "collections.deque.clear"(_, self: PyDeque) {
    if (self.length > 0) self.replace([]);
    return null;
  },
  "collections.deque.copy": (ctx, self: PyDeque) => copy(self, ctx),
  "collections.deque.count"(ctx, self: PyDeque, item: Value) {
    ctx.charge(self.length);
    return self.elements().filter((one) => isSame(one, item, ctx)).length;
  },
  "collections.deque.index"(ctx, self: PyDeque, item: Value, start: Value, stop: Value | undefined) {
    const place = find(self, item, start, stop, ctx);
    if (place < 0) throw raised(VALUE_ERROR, `${repr(item, ctx)} is not in deque`);
    return place;
  },
  "collections.deque.insert"(ctx, self: PyDeque, index: Value, item: Value) {
    const at = sizeOf(index);
    if (self.length === self.maxlen) throw raised(INDEX_ERROR, "deque already at its maximum size");
    ctx.charge(self.length);
    ctx.alloc(Bytes.Element);
    const place = at < 0 ? Math.max(0, at + self.length) : Math.min(at, self.length);
    self.replace(self.elements().toSpliced(place, 0, item));
    return null;
  },
  "collections.deque.remove"(ctx, self: PyDeque, item: Value) {
    const place = find(self, item, 0, undefined, ctx);
    if (place < 0) throw raised(VALUE_ERROR, `${repr(item, ctx)} is not in deque`);
    ctx.charge(self.length);
    self.replace(self.elements().toSpliced(place, 1));
    return null;
  },
  "collections.deque.reverse"(ctx, self: PyDeque) {
    ctx.charge(self.length);
    // Walks do not notice it in CPython.
    for (const [place, item] of self.elements().reverse().entries()) self.put(place, item);
    return null;
  },
};

export const DEQUE: Part = { natives, types: { "collections.deque": DEQUE_TYPE } };
