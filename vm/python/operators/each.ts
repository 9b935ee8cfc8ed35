/** Walking any iterable in a native. */
import { PyList, PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Calling, type Context, END, nextOf, type PyIterator, type Value } from "../object.ts";
import { iterate } from "./access.ts";

/** After this number of elements other runs get a turn. */
const TURN = 20_000;

/** What a walk does with an element; true ends it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most steps return nothing.
type Step = (item: Value) => boolean | void;

/**
 * Takes the elements of `value` one after the other and gives what `end` makes: at once where the elements are known and few, else as a
 * coroutine.
 */
export function each<T extends Value>(value: Value, ctx: Context, step: Step, end: () => T): T | Calling<T> {
  if ((value instanceof PyList || value instanceof PyTuple) && value.items.length <= TURN) {
    let index = 0;
    for (; index < value.items.length; index += 1) if (step(value.items[index] as Value) === true) break;
    ctx.charge(index);
    return end();
  }
  const iterator = iterate(value, ctx);
  if (!iterator.isDirect) return eachCalling(iterator, ctx, step, end);
  ctx.charge(1);
  for (let count = 0; count < TURN; count += 1) {
    const item = iterator.next(ctx);
    if (item === END || step(item) === true) {
      ctx.charge(count);
      return end();
    }
  }
  ctx.charge(TURN);
  return eachCalling(iterator, ctx, step, end);
}

function* eachCalling<T extends Value>(iterator: PyIterator, ctx: Context, step: Step, end: () => T): Calling<T> {
  for (;;) {
    for (let count = 0; count < TURN; count += 1) {
      const item = yield* nextOf(iterator, ctx);
      if (item === END || step(item) === true) return end();
    }
    ctx.charge(TURN);
    yield null;
  }
}

/** Adds an element to those that a native gathers: they fit, or the run ends before the memory of the process does. */
export function keep(items: Value[], item: Value, ctx: Context): void {
  items.push(item);
  if (items.length % TURN === 0) ctx.room(items.length * Bytes.Element);
}

/** All elements of `value`. */
export function* gathered(value: Value, ctx: Context): Calling<Value[]> {
  const items: Value[] = [];
  yield* eachCalling(
    iterate(value, ctx),
    ctx,
    (item) => keep(items, item, ctx),
    () => null,
  );
  return items;
}

/** Does something with every item of an array. */
export function* visit<T>(items: readonly T[], ctx: Context, step: (item: T, index: number) => void): Calling<void> {
  for (let index = 0; index < items.length; index += 1) {
    step(items[index] as T, index);
    if (index % TURN !== TURN - 1) continue;
    ctx.charge(TURN);
    yield null;
  }
}

/** All elements where an operator cannot wait for code of the program: of values that know them. */
export function known(value: Value, ctx: Context): readonly Value[] {
  if (value instanceof PyList || value instanceof PyTuple) return value.items;
  const iterator = iterate(value, ctx);
  if (!iterator.isDirect) throw notExact("an operator cannot take these elements; write list(...) around them");
  const items: Value[] = [];
  for (let item = iterator.next(ctx); item !== END; item = iterator.next(ctx)) {
    ctx.charge(1);
    keep(items, item, ctx);
  }
  return items;
}
