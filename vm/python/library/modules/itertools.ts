/** The module itertools: iterators that take their elements only when they are asked for the next. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PyRange } from "../../kinds/slice.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  nextOf,
  type PyIterator,
  type PyType,
  type Value,
} from "../../object.ts";
import { asIndex, binary, isInt, isNumber, isSame, iterate, truth } from "../../operations.ts";
import type { Part } from "../registry.ts";
import { pair, tuple } from "../values/iterators.ts";
import { type Elements, give, lazyType, PyLazy } from "./lazy.ts";

const NAMES = [
  "accumulate",
  "chain",
  "compress",
  "count",
  "cycle",
  "dropwhile",
  "filterfalse",
  "groupby",
  "islice",
  "pairwise",
  "repeat",
  "starmap",
  "takewhile",
  "zip_longest",
] as const;

const TYPES = Object.fromEntries(NAMES.map((name) => [`itertools.${name}`, lazyType(`itertools.${name}`)])) as {
  readonly [name: string]: PyType;
};
const TEE_TYPE = lazyType("itertools._tee");
const GROUP_TYPE = lazyType("itertools._grouper");

function lazy(name: (typeof NAMES)[number], elements: Elements, isDirect: boolean): PyLazy {
  return new PyLazy(TYPES[`itertools.${name}`] as PyType, elements, isDirect);
}

function areDirect(sources: readonly PyIterator[]): boolean {
  return sources.every((source) => source.isDirect);
}

// Without functions

function* count(start: Value, step: Value, ctx: Context): Elements {
  for (let value = start; ; value = binary("+", value, step, ctx)) yield give(value);
}

function* cycle(source: PyIterator, ctx: Context): Elements {
  const saved: Value[] = [];
  for (let item = yield* nextOf(source, ctx); item !== END; item = yield* nextOf(source, ctx)) {
    ctx.alloc(Bytes.Element);
    saved.push(item);
    yield give(item);
  }
  while (saved.length > 0) for (const item of saved) yield give(item);
}

function* repeat(object: Value, times: number): Elements {
  for (let time = 0; time < times; time += 1) yield give(object);
}

/** `outer` gives the iterables, each when the one before has ended. */
function* chain(outer: PyIterator, ctx: Context): Elements {
  for (let source = yield* nextOf(outer, ctx); source !== END; source = yield* nextOf(outer, ctx)) {
    const inner = iterate(source, ctx);
    for (let item = yield* nextOf(inner, ctx); item !== END; item = yield* nextOf(inner, ctx)) yield give(item);
  }
}

function* islice(source: PyIterator, start: number, stop: number, step: number, ctx: Context): Elements {
  let taken = 0;
  for (let wanted = start; ; wanted = Math.min(wanted + step, stop)) {
    for (; taken < wanted; taken += 1) if ((yield* nextOf(source, ctx)) === END) return;
    if (taken >= stop) return;
    const item = yield* nextOf(source, ctx);
    if (item === END) return;
    taken += 1;
    yield give(item);
  }
}

/** A bound of `islice`. */
function bound(value: Value, message: string): number {
  const at = value !== null && isInt(value) ? Number(value) : -1;
  if (at < 0) throw raised(VALUE_ERROR, message);
  return at;
}

const RANGE = "must be None or an integer: 0 <= x <= sys.maxsize.";

function makeIslice(ctx: Context, iterable: Value, args: PyTuple): Value {
  const { items } = args;
  if (items.length === 0 || items.length > 3)
    throw raised(
      TYPE_ERROR,
      `islice expected at ${items.length === 0 ? "least 2 arguments" : "most 4 arguments"}, got ${items.length + 1}`,
    );
  const [start, stop, step] = items.length === 1 ? [null, items[0], null] : items;
  const last =
    stop === null || stop === undefined
      ? Number.POSITIVE_INFINITY
      : bound(stop, items.length === 1 ? `Stop argument for islice() ${RANGE}` : `Indices for islice() ${RANGE}`);
  const first = start === null || start === undefined ? 0 : bound(start, `Indices for islice() ${RANGE}`);
  const by =
    step === null || step === undefined ? 1 : bound(step, "Step for islice() must be a positive integer or None.");
  if (by === 0) throw raised(VALUE_ERROR, "Step for islice() must be a positive integer or None.");
  const source = iterate(iterable, ctx);
  return lazy("islice", islice(source, first, last, by, ctx), source.isDirect);
}

function* pairwise(source: PyIterator, ctx: Context): Elements {
  let before = yield* nextOf(source, ctx);
  while (before !== END) {
    const item = yield* nextOf(source, ctx);
    if (item === END) return;
    yield give(pair(ctx, before, item));
    before = item;
  }
}

function* zipLongest(sources: readonly PyIterator[], fill: Value, ctx: Context): Elements {
  const open: (PyIterator | null)[] = [...sources];
  let left = open.length;
  while (left > 0) {
    const items: Value[] = [];
    for (const [index, source] of open.entries()) {
      const item = source === null ? END : yield* nextOf(source, ctx);
      if (item === END && source !== null) {
        open[index] = null;
        left -= 1;
        if (left === 0) return;
      }
      items.push(item === END ? fill : item);
    }
    yield give(tuple(ctx, items));
  }
}

function* compress(data: PyIterator, selectors: PyIterator, ctx: Context): Elements {
  for (;;) {
    const item = yield* nextOf(data, ctx);
    const isKept = item === END ? END : yield* nextOf(selectors, ctx);
    if (item === END || isKept === END) return;
    if (truth(isKept, ctx)) yield give(item);
  }
}

/** Iterators over one source, which keep what the others have not taken. */
function tee(ctx: Context, iterable: Value, n: Value): Value {
  const copies = asIndex(n);
  if (copies < 0) throw raised(VALUE_ERROR, "n must be >= 0");
  const source = iterate(iterable, ctx);
  const kept: Value[] = [];
  let dropped = 0;
  const taken: number[] = new Array(copies).fill(0);
  function* copy(index: number): Elements {
    for (;;) {
      const at = taken[index] as number;
      if (at === dropped + kept.length) {
        const item = yield* nextOf(source, ctx);
        if (item === END) return;
        ctx.alloc(Bytes.Element);
        kept.push(item);
      }
      taken[index] = at + 1;
      const item = kept[at - dropped] as Value;
      for (const first = taken.reduce((least, one) => Math.min(least, one)); dropped < first; dropped += 1)
        kept.shift();
      yield give(item);
    }
  }
  return tuple(
    ctx,
    taken.map((_, index) => new PyLazy(TEE_TYPE, copy(index), source.isDirect)),
  );
}

// With functions of the program

function* accumulate(source: PyIterator, func: Value, initial: Value, ctx: Context): Elements {
  let total = initial === null ? yield* nextOf(source, ctx) : initial;
  while (total !== END) {
    yield give(total);
    const item = yield* nextOf(source, ctx);
    if (item === END) return;
    total = func === null ? binary("+", total, item, ctx) : yield { callee: func, args: [total, item] };
  }
}

function* starmap(func: Value, source: PyIterator, ctx: Context): Elements {
  for (let item = yield* nextOf(source, ctx); item !== END; item = yield* nextOf(source, ctx)) {
    const args: Value[] = [];
    const inner = iterate(item, ctx);
    for (let arg = yield* nextOf(inner, ctx); arg !== END; arg = yield* nextOf(inner, ctx)) args.push(arg);
    yield give(yield { callee: func, args });
  }
}

/** Elements by what a function makes of them: `keep` says what to do with one that is true or not. */
function* filtered(
  func: Value,
  source: PyIterator,
  ctx: Context,
  keep: (isTrue: boolean) => "give" | "skip" | "end",
): Elements {
  for (let item = yield* nextOf(source, ctx); item !== END; item = yield* nextOf(source, ctx)) {
    const result = func === null ? item : yield { callee: func, args: [item] };
    const action = keep(truth(result, ctx));
    if (action === "end") return;
    if (action === "give") yield give(item);
  }
}

function* dropwhile(func: Value, source: PyIterator, ctx: Context): Elements {
  let isDropping = true;
  for (let item = yield* nextOf(source, ctx); item !== END; item = yield* nextOf(source, ctx)) {
    if (isDropping && truth(yield { callee: func, args: [item] }, ctx)) continue;
    isDropping = false;
    yield give(item);
  }
}

/** Runs of elements with equal keys. A group ends when the next one is asked for. */
function groupby(ctx: Context, iterable: Value, key: Value): Value {
  const source = iterate(iterable, ctx);
  let current: { readonly key: Value; value: Value | undefined } | null = null;
  let group = 0;
  function* step(): Calling<boolean> {
    const value = yield* nextOf(source, ctx);
    if (value === END) return false;
    current = { key: key === null ? value : yield { callee: key, args: [value] }, value };
    return true;
  }
  function* members(wanted: Value, own: number): Elements {
    for (;;) {
      if (group !== own) return;
      if (current?.value === undefined && !(yield* step())) return;
      const { key: found, value } = current as unknown as { readonly key: Value; readonly value: Value };
      if (!isSame(wanted, found, ctx)) return;
      (current as unknown as { value: Value | undefined }).value = undefined;
      yield give(value);
    }
  }
  function* groups(): Elements {
    let wanted: Value | undefined;
    for (;;) {
      group += 1;
      while (current === null || (wanted !== undefined && isSame(wanted, (current as { key: Value }).key, ctx)))
        if (!(yield* step())) return;
      wanted = (current as { readonly key: Value }).key;
      const isDirect = key === null && source.isDirect;
      yield give(pair(ctx, wanted, new PyLazy(GROUP_TYPE, members(wanted, group), isDirect)));
    }
  }
  return lazy("groupby", groups(), key === null && source.isDirect);
}

const natives: Natives = {
  "itertools.count"(ctx, start: Value, step: Value) {
    if (!isNumber(start) || !isNumber(step)) throw raised(TYPE_ERROR, "a number is required");
    return lazy("count", count(start, step, ctx), true);
  },
  "itertools.cycle"(ctx, iterable: Value) {
    const source = iterate(iterable, ctx);
    return lazy("cycle", cycle(source, ctx), source.isDirect);
  },
  "itertools.repeat": (_, object: Value, times: Value | undefined) =>
    lazy("repeat", repeat(object, times === undefined ? Number.POSITIVE_INFINITY : asIndex(times)), true),
  // What an iterable gives may be anything, so only the machine can walk it.
  "itertools.chain": (ctx, iterables: PyTuple) =>
    lazy(
      "chain",
      chain(iterate(iterables, ctx), ctx),
      iterables.items.every((one) => isDirectSource(one)),
    ),
  "itertools.chain.from_iterable": (ctx, iterable: Value) => lazy("chain", chain(iterate(iterable, ctx), ctx), false),
  "itertools.islice": makeIslice,
  "itertools.pairwise"(ctx, iterable: Value) {
    const source = iterate(iterable, ctx);
    return lazy("pairwise", pairwise(source, ctx), source.isDirect);
  },
  "itertools.zip_longest"(ctx, iterables: PyTuple, fillvalue: Value) {
    const sources = iterables.items.map((one) => iterate(one, ctx));
    return lazy("zip_longest", zipLongest(sources, fillvalue, ctx), areDirect(sources));
  },
  "itertools.compress"(ctx, data: Value, selectors: Value) {
    const sources = [iterate(data, ctx), iterate(selectors, ctx)] as const;
    return lazy("compress", compress(...sources, ctx), areDirect(sources));
  },
  "itertools.tee": tee,
  "itertools.accumulate"(ctx, iterable: Value, func: Value, initial: Value) {
    const source = iterate(iterable, ctx);
    return lazy("accumulate", accumulate(source, func, initial, ctx), func === null && source.isDirect);
  },
  "itertools.starmap": (ctx, func: Value, iterable: Value) =>
    lazy("starmap", starmap(func, iterate(iterable, ctx), ctx), false),
  "itertools.takewhile": (ctx, func: Value, iterable: Value) =>
    lazy(
      "takewhile",
      filtered(func, iterate(iterable, ctx), ctx, (isTrue) => (isTrue ? "give" : "end")),
      false,
    ),
  "itertools.dropwhile": (ctx, func: Value, iterable: Value) =>
    lazy("dropwhile", dropwhile(func, iterate(iterable, ctx), ctx), false),
  "itertools.filterfalse"(ctx, func: Value, iterable: Value) {
    const source = iterate(iterable, ctx);
    const elements = filtered(func, source, ctx, (isTrue) => (isTrue ? "skip" : "give"));
    return lazy("filterfalse", elements, func === null && source.isDirect);
  },
  "itertools.groupby": groupby,
};

/** Whether a value is known to give its elements without calls. */
function isDirectSource(value: Value): boolean {
  return typeof value === "string" || value instanceof PyList || value instanceof PyTuple || value instanceof PyRange;
}

export const ITERTOOLS: Part = { natives, types: TYPES };
