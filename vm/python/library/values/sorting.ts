/** `sorted` and `list.sort`. */
import { raised, VALUE_ERROR } from "../../exceptions.ts";
import { PyComparedKey } from "../../kinds/compared-key.ts";
import { PyFloat } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { Bytes, type Calling, type Context, finish, isCalling, type Order, type Value } from "../../object.ts";
import { each, equals, keep, order } from "../../operations.ts";
import { isInt } from "../../operators/numbers.ts";
import { compareTexts, hasSurrogate } from "../../operators/texts.ts";
import { orderShown, unorderedMembers, withoutOrder } from "../../types/set-order.ts";
import { smallOf } from "../arguments.ts";
import { mergeSort } from "./merge-sort.ts";

type Entry = { readonly key: Value; readonly value: Value };

const TURN = 20_000;
const UNITS_OF_TURN = 2 ** 19;
/** Up to this number, plain numbers are sorted at once. */
const MAX_NUMBERS = 200_000;

/** Numbers or texts, which the engine's sort orders like any other stable one: nothing else can be seen of it. */
function comparatorOf(values: readonly Value[]): ((a: Value, b: Value) => number) | null {
  if (values.every((value) => typeof value === "string"))
    return (values as string[]).some(hasSurrogate) ? (compareTexts as (a: Value, b: Value) => number) : compareUnits;
  if (values.every((value) => typeof value === "number")) return (a, b) => (a as number) - (b as number);
  if (values.every((value) => isInt(value) || typeof value === "number" || isOrderedFloat(value)))
    return (a, b) => (plain(a) < plain(b) ? -1 : plain(a) > plain(b) ? 1 : 0);
  return values.every((value) => value instanceof PyTuple) && areColumnsOrdered(values) ? compareTuples : null;
}

/** Texts without surrogates are in the order of their code units, which the engine compares. */
function compareUnits(a: Value, b: Value): number {
  return (a as string) < (b as string) ? -1 : a === b ? 0 : 1;
}

/** Whether each place of the tuples has only plain numbers or only texts, so that no comparison fails. */
function areColumnsOrdered(tuples: readonly PyTuple[]): boolean {
  const kinds: string[] = [];
  for (const { items } of tuples) {
    for (let place = 0; place < items.length; place += 1) {
      const kind = typeof items[place];
      kinds[place] ??= kind;
      if ((kind !== "number" && kind !== "string") || kinds[place] !== kind) return false;
    }
  }
  return true;
}

function compareTuples(a: Value, b: Value): number {
  const { items } = a as PyTuple;
  const { items: others } = b as PyTuple;
  const length = Math.min(items.length, others.length);
  for (let place = 0; place < length; place += 1) {
    const x = items[place];
    const y = others[place];
    if (x === y) continue;
    return typeof x === "string" ? compareTexts(x, y as string) : (x as number) - (y as number);
  }
  return items.length - others.length;
}

function isOrderedFloat(value: Value): boolean {
  return value instanceof PyFloat && !Number.isNaN(value.value);
}

function plain(value: Value): number | bigint {
  return value instanceof PyFloat ? value.value : typeof value === "boolean" ? Number(value) : (value as number);
}

/** Sorts values in place. `reverse` keeps the order of equal ones, as CPython does it: by turning round before and after. */
function* sortValues(values: Value[], isReversed: boolean, ctx: Context): Calling<void> {
  if (values.length <= MAX_NUMBERS && values.every((value) => typeof value === "number")) {
    ctx.charge(values.length);
    sortNumbers(values as number[]);
    if (isReversed) values.reverse();
  } else yield* sortBy(values, values, (value) => value, isReversed, ctx);
}

/** Equal plain numbers are the same value, so their order is of no matter. */
function sortNumbers(values: number[]): void {
  const sorted = Float64Array.from(values).sort();
  for (let index = 0; index < sorted.length; index += 1) values[index] = sorted[index] as number;
}

/**
 * The places of ints in their order, equal ones as they come; null: some are not ints, or too many or too large. An int and its place are sorted as one
 * number, which costs a small part of comparing them.
 */
function placesByInts(keys: readonly Value[], isReversed: boolean): Float64Array | null {
  const count = keys.length;
  if (count > MAX_NUMBERS) return null;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const key of keys) {
    if (typeof key !== "number" || !Number.isInteger(key)) return null;
    if (key < least) least = key;
    if (key > most) most = key;
  }
  if ((most - least + 1) * count > Number.MAX_SAFE_INTEGER) return null;
  const places = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    const key = keys[place] as number;
    places[place] = (isReversed ? most - key : key - least) * count + place;
  }
  places.sort();
  for (let place = 0; place < count; place += 1) places[place] = (places[place] as number) % count;
  return places;
}

export function* sortEntries(entries: Entry[], isReversed: boolean, ctx: Context): Calling<void> {
  const keys = entries.map(({ key }) => key);
  yield* sortBy(entries, keys, ({ key }) => key, isReversed, ctx);
}

/** Charges work that is done in pieces. */
function* work(units: number, ctx: Context): Calling<void> {
  for (let left = units; left > 0; left -= UNITS_OF_TURN) {
    ctx.charge(Math.min(left, UNITS_OF_TURN));
    if (left > UNITS_OF_TURN) yield null;
  }
}

/** Sorts items by their keys; `keys` are those of all. */
function* sortBy<E>(
  items: E[],
  keys: readonly Value[],
  keyOf: (item: E) => Value,
  isReversed: boolean,
  ctx: Context,
): Calling<void> {
  yield* work(items.length * Math.ceil(Math.log2(items.length + 1)), ctx);
  const places = placesByInts(keys, isReversed);
  if (places !== null) {
    const before = items.slice();
    for (let index = 0; index < places.length; index += 1) items[index] = before[places[index] as number] as E;
    return;
  }
  const comparator = comparatorOf(keys);
  const isByCall = keys.some((key) => key instanceof PyComparedKey);
  if (isReversed) items.reverse();
  try {
    if (comparator !== null) yield* sortInPieces(items, (a, b) => comparator(keyOf(a), keyOf(b)));
    else if (isByCall) yield* mergeSort(items, (a, b) => orderKeys("<", keyOf(a), keyOf(b), ctx));
    else yield* mergeSort(items, (a, b) => order("<", keyOf(a), keyOf(b), ctx));
  } finally {
    if (isReversed) items.reverse();
  }
}

/** Long lists are sorted in pieces, which are merged. */
function* sortInPieces<E>(items: E[], compare: (a: E, b: E) => number): Calling<void> {
  if (items.length <= TURN) {
    items.sort(compare);
    return;
  }
  for (let start = 0; start < items.length; start += TURN) {
    const piece = items.slice(start, start + TURN).sort(compare);
    for (let index = 0; index < piece.length; index += 1) items[start + index] = piece[index] as E;
    yield null;
  }
  yield* mergeSort(items, (a, b) => compare(a, b) < 0);
}

/** Compares two keys, of which those of `functools.cmp_to_key` ask a function of the program. */
export function orderKeys(op: Order, a: Value, b: Value, ctx: Context): boolean | Calling<boolean> {
  if (a instanceof PyComparedKey && b instanceof PyComparedKey) return orderByCall(op, a, b, ctx);
  return order(op, a, b, ctx);
}

function* orderByCall(op: Order, a: PyComparedKey, b: PyComparedKey, ctx: Context): Calling<boolean> {
  return order(op, yield { callee: a.compare, args: [a.value, b.value] }, 0, ctx);
}

function* keyed(values: readonly Value[], key: Value): Calling<Entry[]> {
  const entries: Entry[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as Value;
    entries.push({ key: yield { callee: key, args: [value] }, value });
  }
  return entries;
}

/** `list.sort(key, reverse)`. Short lists without a key are sorted at once. */
export function sortList(ctx: Context, list: PyList, key: Value, reverse: Value): Value | Calling {
  const isReversed = smallOf(reverse) !== 0;
  if (key !== null || list.items.length > TURN) return sortListCalling(ctx, list, key, isReversed);
  finish(sortValues(list.items, isReversed, ctx));
  return null;
}

/** The list is empty to the program meanwhile; a change of it fails at the end, and what was sorted stays. */
function* sortListCalling(ctx: Context, list: PyList, key: Value, isReversed: boolean): Calling {
  const values = list.items;
  // CPython sees an append that was taken back, too, because it took memory.
  let isWritten = false;
  const meanwhile = new Proxy<Value[]>([], {
    defineProperty(target, key, member) {
      isWritten ||= key !== "length";
      return Reflect.defineProperty(target, key, member);
    },
  });
  list.items = meanwhile;
  let result: Value[] = values;
  let isChanged = false;
  try {
    if (key === null) yield* sortValues(values, isReversed, ctx);
    else {
      const entries = yield* keyed(values, key);
      try {
        yield* sortEntries(entries, isReversed, ctx);
      } finally {
        result = entries.map(({ value }) => value);
      }
    }
  } finally {
    isChanged = isWritten || list.items !== meanwhile;
    list.items = result;
  }
  if (isChanged) throw raised(VALUE_ERROR, "list modified during sort");
  return null;
}

/** `sorted(iterable, key, reverse)`. */
export function sorted(ctx: Context, iterable: Value, key: Value, reverse: Value): Value | Calling {
  if (iterable instanceof PySet && iterable.members.size > 1) return sortedSet(ctx, iterable, key, reverse);
  const values: Value[] = [];
  const collected = each(
    iterable,
    ctx,
    (item) => keep(values, item, ctx),
    () => null,
  );
  const list = new PyList(values);
  if (key === null && !isCalling(collected) && values.length <= TURN) {
    ctx.alloc(Bytes.Object + values.length * Bytes.Element);
    sortList(ctx, list, key, reverse);
    return list;
  }
  return sortedCalling(ctx, collected, list, key, reverse);
}

function* sortedCalling(ctx: Context, collected: Value | Calling, list: PyList, key: Value, reverse: Value): Calling {
  if (isCalling(collected)) yield* collected;
  ctx.alloc(Bytes.Object + list.items.length * Bytes.Element);
  yield* sortListCalling(ctx, list, key, smallOf(reverse) !== 0);
  return list;
}

/** The order of a set shows where two of its members are equal to the sort, or where they have no order. */
function* sortedSet(ctx: Context, set: PySet, key: Value, reverse: Value): Calling {
  const isReversed = smallOf(reverse) !== 0;
  const values = unorderedMembers(set, ctx);
  try {
    if (key === null) yield* sortValues(values, isReversed, ctx);
    else {
      const entries = yield* keyed(values, key);
      yield* sortEntries(entries, isReversed, ctx);
      for (let at = 1; at < entries.length; at += 1)
        if (equals((entries[at - 1] as Entry).key, (entries[at] as Entry).key, ctx)) throw orderShown();
      for (const [at, { value }] of entries.entries()) values[at] = value;
    }
  } catch (error) {
    throw withoutOrder(error);
  }
  ctx.alloc(Bytes.Object + values.length * Bytes.Element);
  return new PyList(values);
}
