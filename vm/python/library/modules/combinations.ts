/** Products, permutations and combinations of the module itertools, in CPython's order. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyList, type PyTuple } from "../../kinds/list.ts";
import { type Calling, type Context, isCalling, type Natives, type PyType, type Value } from "../../object.ts";
import { asIndex, gathered, isInt } from "../../operations.ts";
import type { Part } from "../registry.ts";
import { tuple } from "../values/iterators.ts";
import { collected } from "../values/lists.ts";
import { type Elements, give, lazyType, PyLazy } from "./lazy.ts";

const TYPES = Object.fromEntries(
  ["product", "permutations", "combinations", "combinations_with_replacement"].map((name) => [
    `itertools.${name}`,
    lazyType(`itertools.${name}`),
  ]),
) as { readonly [name: string]: PyType };

/** Collects all elements of each iterable, then makes the iterator. */
function withPools(
  ctx: Context,
  name: string,
  iterables: readonly Value[],
  elements: (pools: readonly (readonly Value[])[]) => Elements,
): Value | Calling {
  const make = (pools: readonly (readonly Value[])[]): Value =>
    new PyLazy(TYPES[`itertools.${name}`] as PyType, elements(pools), true);
  const pools: Value[][] = [];
  for (const [index, iterable] of iterables.entries()) {
    const pool = collected(iterable, ctx, (items) => new PyList(items));
    if (isCalling(pool)) return rest(ctx, pool, pools, iterables.slice(index + 1), make);
    pools.push(pool.items);
  }
  return make(pools);
}

function* rest(
  ctx: Context,
  first: Calling<PyList>,
  pools: Value[][],
  iterables: readonly Value[],
  make: (pools: readonly (readonly Value[])[]) => Value,
): Calling {
  pools.push((yield* first).items);
  for (const iterable of iterables) {
    pools.push(yield* gathered(iterable, ctx));
  }
  return make(pools);
}

/** The last one moves fastest. */
function* product(ctx: Context, pools: readonly (readonly Value[])[]): Elements {
  if (pools.some((pool) => pool.length === 0)) return;
  const places = pools.map(() => 0);
  for (;;) {
    yield give(
      tuple(
        ctx,
        places.map((place, index) => (pools[index] as Value[])[place] as Value),
      ),
    );
    let at = places.length - 1;
    while (at >= 0 && (places[at] as number) + 1 === (pools[at] as Value[]).length) {
      places[at] = 0;
      at -= 1;
    }
    if (at < 0) return;
    places[at] = (places[at] as number) + 1;
  }
}

function* permutations(ctx: Context, pool: readonly Value[], count: number): Elements {
  const { length } = pool;
  if (count > length) return;
  const places = pool.map((_, index) => index);
  const cycles = Array.from({ length: count }, (_, index) => length - index);
  const chosen = (): PyTuple =>
    tuple(
      ctx,
      places.slice(0, count).map((place) => pool[place] as Value),
    );
  yield give(chosen());
  for (;;) {
    let at = count - 1;
    for (; at >= 0; at -= 1) {
      cycles[at] = (cycles[at] as number) - 1;
      if (cycles[at] !== 0) break;
      places.push(places.splice(at, 1)[0] as number);
      cycles[at] = length - at;
    }
    if (at < 0) return;
    const other = length - (cycles[at] as number);
    [places[at], places[other]] = [places[other] as number, places[at] as number];
    yield give(chosen());
  }
}

/** Places in rising order; `isRepeated`: one may be taken several times. */
function* combinations(ctx: Context, pool: readonly Value[], count: number, isRepeated: boolean): Elements {
  const { length } = pool;
  if (isRepeated ? length === 0 && count > 0 : count > length) return;
  const places = Array.from({ length: count }, (_, index) => (isRepeated ? 0 : index));
  for (;;) {
    yield give(
      tuple(
        ctx,
        places.map((place) => pool[place] as Value),
      ),
    );
    let at = count - 1;
    while (at >= 0 && places[at] === (isRepeated ? length - 1 : at + length - count)) at -= 1;
    if (at < 0) return;
    const first = (places[at] as number) + 1;
    for (let index = at; index < count; index += 1) places[index] = isRepeated ? first : first + index - at;
  }
}

function sizeOf(r: Value): number {
  const count = asIndex(r);
  if (count < 0) throw raised(VALUE_ERROR, "r must be non-negative");
  return count;
}

const natives: Natives = {
  "itertools.product"(ctx, iterables: PyTuple, repeat: Value) {
    const times = asIndex(repeat);
    if (times < 0) throw raised(VALUE_ERROR, "repeat argument cannot be negative");
    ctx.room(times * iterables.items.length * 8);
    return withPools(ctx, "product", iterables.items, (pools) =>
      product(ctx, Array.from({ length: times }, () => pools).flat()),
    );
  },
  "itertools.permutations"(ctx, iterable: Value, r: Value) {
    if (r !== null && !isInt(r)) throw raised(TYPE_ERROR, "Expected int as r");
    const count = r === null ? -1 : sizeOf(r);
    return withPools(ctx, "permutations", [iterable], ([pool]) =>
      permutations(ctx, pool as Value[], count < 0 ? (pool as Value[]).length : count),
    );
  },
  "itertools.combinations"(ctx, iterable: Value, r: Value) {
    const count = sizeOf(r);
    return withPools(ctx, "combinations", [iterable], ([pool]) => combinations(ctx, pool as Value[], count, false));
  },
  "itertools.combinations_with_replacement"(ctx, iterable: Value, r: Value) {
    const count = sizeOf(r);
    return withPools(ctx, "combinations_with_replacement", [iterable], ([pool]) =>
      combinations(ctx, pool as Value[], count, true),
    );
  },
};

export const COMBINATIONS: Part = { natives, types: TYPES };
