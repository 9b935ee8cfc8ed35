/** `collections.Counter`. */
import { ATTRIBUTE_ERROR, NOT_IMPLEMENTED_ERROR, raised } from "../../../exceptions.ts";
import { itemNow } from "../../../format/item-now.ts";
import { PyCounter } from "../../../kinds/collections.ts";
import { DICT_TYPE, PyDict } from "../../../kinds/dict.ts";
import { PyList, PyTuple } from "../../../kinds/list.ts";
import {
  Bytes,
  type Calling,
  type Context,
  finish,
  type Natives,
  type Operator,
  type Order,
  PyType,
  type Slots,
  setType,
  type Value,
} from "../../../object.ts";
import { binary, each, equals, inPlace, keyOf, order, unary } from "../../../operations.ts";
import { containerRepr, repr } from "../../../operators/text.ts";
import { dictRepr, mergeDict, setMember } from "../../../types/dict.ts";
import { indexOf, nameOf } from "../../arguments.ts";
import type { Part } from "../../registry.ts";
import { sortEntries } from "../../values/sorting.ts";
import { elementsOf } from "./elements.ts";

function made(ctx: Context): PyCounter {
  ctx.alloc(Bytes.Object);
  return new PyCounter();
}

function countOf(counter: PyDict, key: Value, ctx: Context): Value {
  return counter.get(keyOf(key, ctx)) ?? 0;
}

/** Members of a dict as pairs of the key as it was written and the value. */
function* members(dict: PyDict): Generator<[key: Value, value: Value], void> {
  for (const key of dict.keys()) yield [dict.spelling(key), dict.get(key) as Value];
}

function isPositive(count: Value, ctx: Context): boolean {
  return order(">", count, 0, ctx);
}

/** Counts a source: `sign` is "+" for update and "-" for subtract. */
function count<T extends Value>(
  counter: PyCounter,
  source: Value | undefined,
  named: PyDict,
  sign: "+" | "-",
  ctx: Context,
  end: () => T,
): T | Calling<T> {
  const add = (key: Value, amount: Value): void =>
    setMember(
      counter,
      key,
      sign === "+"
        ? binary("+", amount, countOf(counter, key, ctx), ctx)
        : binary("-", countOf(counter, key, ctx), amount, ctx),
      ctx,
    );
  const addAll = (dict: PyDict): void => {
    // An empty counter takes the counts as they are.
    if (sign === "+" && counter.size === 0) mergeDict(counter, dict, ctx);
    else for (const [key, amount] of [...members(dict)]) add(key, amount);
  };
  const finished = (): T => {
    if (named.size > 0) addAll(named);
    return end();
  };
  if (source === undefined || source === null) return finished();
  if (source instanceof PyDict) {
    addAll(source);
    return finished();
  }
  const one = (key: Value): void => {
    const amount = countOf(counter, key, ctx);
    setMember(counter, key, binary(sign, amount, 1, ctx), ctx);
  };
  return each(source, ctx, one, finished);
}

/** Pairs from the most common one to the least, those with one count in the order of the counter. */
function mostCommon(counter: PyDict, ctx: Context): [key: Value, value: Value][] {
  const entries = [...members(counter)].map((pair) => ({ key: pair[1], value: pair as unknown as Value }));
  finish(sortEntries(entries, true, ctx));
  return entries.map(({ value }) => value as unknown as [Value, Value]);
}

function counterRepr(self: PyCounter, ctx: Context): string {
  if (self.size === 0) return "Counter()";
  let pairs: [Value, Value][];
  try {
    pairs = mostCommon(self, ctx);
  } catch {
    // Counts without an order are shown as they stand.
    return `Counter(${dictRepr(self, ctx)})`;
  }
  return containerRepr(
    self,
    "...",
    ctx,
    () => `Counter({${pairs.map(([key, value]) => `${repr(key, ctx)}: ${repr(value, ctx)}`).join(", ")}})`,
  );
}

/** `a op b`: of all keys of a, then those of b alone, what `combine` makes of their counts where it is positive. */
function combined(op: Operator, a: PyDict, b: PyDict, ctx: Context): PyCounter {
  const result = made(ctx);
  ctx.charge(a.size + b.size);
  const keep = (key: Value, amount: Value): void => {
    if (isPositive(amount, ctx)) setMember(result, key, amount, ctx);
  };
  for (const [key, amount] of members(a)) {
    const other = countOf(b, key, ctx);
    if (op === "+" || op === "-") keep(key, binary(op, amount, other, ctx));
    else if (op === "|") keep(key, order("<", amount, other, ctx) ? other : amount);
    else keep(key, order("<", amount, other, ctx) ? amount : other);
  }
  if (op === "&") return result;
  for (const [key, amount] of members(b)) {
    if (a.has(keyOf(key, ctx))) continue;
    if (op !== "-") keep(key, amount);
    else if (order("<", amount, 0, ctx)) setMember(result, key, binary("-", 0, amount, ctx), ctx);
  }
  return result;
}

function isCounterOperator(op: Operator): boolean {
  return op === "+" || op === "-" || op === "|" || op === "&";
}

/** CPython changes the counts in place and then drops those that are not positive. `&` asks the other value for each key, others for its items. */
function changed(op: Operator, self: PyCounter, other: Value, ctx: Context): PyCounter {
  if (op !== "&" && !(other instanceof PyDict))
    throw raised(ATTRIBUTE_ERROR, `'${nameOf(other)}' object has no attribute 'items'`);
  for (const [key, amount] of [...members(op === "&" ? self : (other as PyDict))]) {
    const [mine, theirs] = op === "&" ? [amount, itemNow(other, key, ctx)] : [countOf(self, key, ctx), amount];
    if (op === "+" || op === "-") setMember(self, key, inPlace(op, mine, theirs, ctx) as Value, ctx);
    else if (op === "|" ? order(">", theirs, mine, ctx) : order("<", theirs, mine, ctx))
      setMember(self, key, theirs, ctx);
  }
  for (const [key, amount] of [...members(self)]) if (!isPositive(amount, ctx)) self.delete(keyOf(key, ctx));
  return self;
}

/** Every key of both, each once. */
function compare(self: PyCounter, other: PyDict, holds: (a: Value, b: Value) => boolean, ctx: Context): boolean {
  ctx.charge(self.size + other.size);
  for (const one of [self, other])
    for (const [key] of members(one)) if (!holds(countOf(self, key, ctx), countOf(other, key, ctx))) return false;
  return true;
}

const slots: Slots<PyCounter> = {
  item: (self, key, ctx) => countOf(self, key, ctx),
  deleteItem(self, key, ctx) {
    self.delete(keyOf(key, ctx));
  },
  repr: counterRepr,
  equals: (self, other, ctx) =>
    other instanceof PyCounter
      ? compare(self, other, (a, b) => equals(a, b, ctx), ctx)
      : DICT_TYPE.slots.equals?.(self, other, ctx),
  order(self, op: Order, other, ctx) {
    if (!(other instanceof PyCounter)) return undefined;
    const holds = compare(self, other, (a, b) => order(op === "<" || op === "<=" ? "<=" : ">=", a, b, ctx), ctx);
    if (op === "<=" || op === ">=") return holds;
    return holds && !compare(self, other, (a, b) => equals(a, b, ctx), ctx);
  },
  binary(self, op, other, ctx) {
    if (other instanceof PyCounter && isCounterOperator(op)) return combined(op, self, other, ctx);
    return DICT_TYPE.slots.binary?.(self, op, other, ctx);
  },
  inPlace: (self, op, other, ctx) => (isCounterOperator(op) ? changed(op, self, other, ctx) : undefined),
  unary(self, op, ctx) {
    if (op !== "+" && op !== "-") return undefined;
    const result = made(ctx);
    for (const [key, amount] of members(self))
      if (op === "+" ? isPositive(amount, ctx) : order("<", amount, 0, ctx))
        setMember(result, key, op === "+" ? amount : unary("-", amount, ctx), ctx);
    return result;
  },
};
const COUNTER_TYPE = setType(PyCounter, new PyType("Counter", [DICT_TYPE], slots, "collections.Counter"));

const natives: Natives = {
  "collections.Counter"(ctx, source: Value | undefined, named: PyDict) {
    const counter = made(ctx);
    return count(counter, source, named, "+", ctx, () => counter);
  },
  "collections.Counter.update": (ctx, self: PyCounter, source: Value | undefined, named: PyDict) =>
    count(self, source, named, "+", ctx, () => null),
  "collections.Counter.subtract": (ctx, self: PyCounter, source: Value | undefined, named: PyDict) =>
    count(self, source, named, "-", ctx, () => null),
  "collections.Counter.most_common"(ctx, self: PyCounter, n: Value) {
    const pairs = mostCommon(self, ctx);
    const wanted = n === null ? pairs.length : Math.max(0, Number(indexOf(n)));
    ctx.alloc(Bytes.Object + Math.min(wanted, pairs.length) * (Bytes.Object + 3 * Bytes.Element));
    return new PyList(pairs.slice(0, wanted).map((pair) => new PyTuple(pair)));
  },
  "collections.Counter.elements": (ctx, self: PyCounter) => elementsOf([...members(self)], ctx),
  "collections.Counter.total"(ctx, self: PyCounter) {
    let total: Value = 0;
    for (const [, amount] of members(self)) total = binary("+", total, amount, ctx);
    return total;
  },
  "collections.Counter.copy"(ctx, self: PyCounter) {
    const copy = made(ctx);
    mergeDict(copy, self, ctx);
    return copy;
  },
  "collections.Counter.fromkeys"() {
    throw raised(NOT_IMPLEMENTED_ERROR, "Counter.fromkeys() is undefined.  Use Counter(iterable) instead.");
  },
};

export const COUNTER: Part = { natives, types: { "collections.Counter": COUNTER_TYPE } };
