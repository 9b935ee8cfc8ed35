/** The module heapq. The order of the list is visible, so every step is CPython's. */
import { INDEX_ERROR, raised, raisedLoosely, TYPE_ERROR } from "../../exceptions.ts";
import { PyList, type PyTuple } from "../../kinds/list.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  nextOf,
  type PyIterator,
  typeOf,
  type Value,
} from "../../object.ts";
import { asIndex, isInt, iterate, order, truth } from "../../operations.ts";
import { withoutOrder } from "../../types/set-order.ts";
import type { Part } from "../registry.ts";
import { sortEntries } from "../values/sorting.ts";
import { type Elements, give, lazyType, PyLazy } from "./lazy.ts";

type Less<E> = (a: E, b: E) => boolean;

/** Moves the element at `at` up to its place below `start`. */
function siftDown<E>(heap: E[], start: number, at: number, less: Less<E>): void {
  let place = at;
  while (place > start) {
    const parent = (place - 1) >> 1;
    if (!less(heap[place] as E, heap[parent] as E)) return;
    [heap[place], heap[parent]] = [heap[parent] as E, heap[place] as E];
    place = parent;
  }
}

/** Moves the smaller children up until a leaf is reached, then the element down from there. */
function siftUp<E>(heap: E[], at: number, less: Less<E>): void {
  const end = heap.length;
  const limit = end >> 1;
  let place = at;
  while (place < limit) {
    let child = 2 * place + 1;
    if (child + 1 < end && !less(heap[child] as E, heap[child + 1] as E)) child += 1;
    [heap[place], heap[child]] = [heap[child] as E, heap[place] as E];
    place = child;
  }
  siftDown(heap, at, place, less);
}

function pop<E>(heap: E[], less: Less<E>): E {
  const last = heap.pop() as E;
  if (heap.length === 0) return last;
  const first = heap[0] as E;
  heap[0] = last;
  siftUp(heap, 0, less);
  return first;
}

/** After this number of elements others get a turn. */
const TURN = 20_000;

function heapify<E>(heap: E[], less: Less<E>): void {
  for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) siftUp(heap, at, less);
}

function listOf(value: Value, name: string, argument: string): Value[] {
  if (value instanceof PyList) return value.items;
  throw raised(TYPE_ERROR, `${name}() argument${argument} must be list, not ${typeOf(value).name}`);
}

const isBefore =
  (ctx: Context): Less<Value> =>
  (a, b) => {
    ctx.charge(1);
    return order("<", a, b, ctx);
  };

/** `nlargest` and `nsmallest`: as CPython says of them, the beginning of a stable sort. */
function best(isLargest: boolean) {
  return function* (ctx: Context, n: Value, iterable: Value, key: Value): Calling {
    const source = iterate(iterable, ctx);
    if (!isInt(n)) throw raisedLoosely(TYPE_ERROR, "the number of elements is not an int");
    const wanted = asIndex(n);
    const entries: { key: Value; value: Value }[] = [];
    for (let value = yield* nextOf(source, ctx); value !== END; value = yield* nextOf(source, ctx)) {
      ctx.charge(1);
      entries.push({ key: key === null ? value : yield { callee: key, args: [value] }, value });
      if (entries.length % TURN !== 0) continue;
      ctx.room(entries.length * (Bytes.Object + Bytes.Element));
      yield null;
    }
    try {
      yield* sortEntries(entries, isLargest, ctx);
    } catch (error) {
      // CPython compares them in another order.
      throw withoutOrder(error);
    }
    const values = entries.slice(0, Math.max(0, wanted)).map(({ value }) => value);
    ctx.alloc(Bytes.Object + values.length * Bytes.Element);
    return new PyList(values);
  };
}

type Head = { key: Value; readonly index: number; value: Value; readonly source: PyIterator };

/** `merge(*iterables)`: a heap of the first element of each, those of one size in the order of the iterables. */
function* merged(sources: readonly PyIterator[], key: Value, isReversed: boolean, ctx: Context): Elements {
  const heads: Head[] = [];
  for (const [index, source] of sources.entries()) {
    const value = yield* nextOf(source, ctx);
    if (value === END) continue;
    heads.push({ key: key === null ? value : yield { callee: key, args: [value] }, index, value, source });
  }
  const less: Less<Head> = (a, b) => {
    if (order(isReversed ? ">" : "<", a.key, b.key, ctx)) return true;
    return !order(isReversed ? "<" : ">", a.key, b.key, ctx) && a.index < b.index;
  };
  heapify(heads, less);
  while (heads.length > 0) {
    const head = heads[0] as Head;
    yield give(head.value);
    const value = yield* nextOf(head.source, ctx);
    if (value === END) {
      pop(heads, less);
      continue;
    }
    head.value = value;
    head.key = key === null ? value : yield { callee: key, args: [value] };
    siftUp(heads, 0, less);
  }
}

const MERGE_TYPE = lazyType("generator");

const natives: Natives = {
  "heapq.heapify"(ctx, heap: Value) {
    heapify(listOf(heap, "heapify", ""), isBefore(ctx));
    return null;
  },
  "heapq.heappush"(ctx, heap: Value, item: Value) {
    const items = listOf(heap, "heappush", " 1");
    ctx.alloc(Bytes.Element);
    items.push(item);
    siftDown(items, 0, items.length - 1, isBefore(ctx));
    return null;
  },
  "heapq.heappop"(ctx, heap: Value) {
    const items = listOf(heap, "heappop", "");
    if (items.length === 0) throw raised(INDEX_ERROR, "index out of range");
    return pop(items, isBefore(ctx));
  },
  "heapq.heapreplace"(ctx, heap: Value, item: Value) {
    const items = listOf(heap, "heapreplace", " 1");
    if (items.length === 0) throw raised(INDEX_ERROR, "index out of range");
    const first = items[0] as Value;
    items[0] = item;
    siftUp(items, 0, isBefore(ctx));
    return first;
  },
  "heapq.heappushpop"(ctx, heap: Value, item: Value) {
    const items = listOf(heap, "heappushpop", " 1");
    if (items.length === 0 || !order("<", items[0] as Value, item, ctx)) return item;
    const first = items[0] as Value;
    items[0] = item;
    siftUp(items, 0, isBefore(ctx));
    return first;
  },
  "heapq.nlargest": best(true),
  "heapq.nsmallest": best(false),
  "heapq.merge"(ctx, iterables: PyTuple, key: Value, reverse: Value) {
    const sources = iterables.items.map((one) => iterate(one, ctx));
    const isDirect = key === null && sources.every((source) => source.isDirect);
    return new PyLazy(MERGE_TYPE, merged(sources, key, truth(reverse, ctx), ctx), isDirect);
  },
};

export const HEAPQ: Part = { natives };
