/** `enumerate`, `zip`, `map`, `filter`, `reversed`, `iter` and `next`. */
import { RUNTIME_ERROR, raised, STOP_ITERATION, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { isCallable } from "../../kinds/callable.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PyRange } from "../../kinds/slice.ts";
import { PyDictView } from "../../kinds/view.ts";
import {
  Bytes,
  type Calling,
  type Context,
  END,
  type Natives,
  type Next,
  nextOf,
  PyIterator,
  type PyType,
  setType,
  typeOf,
  type Value,
} from "../../object.ts";
import { isSame, iterate, truth } from "../../operations.ts";
import { addInts, type Int } from "../../operators/integers.ts";
import { intValue, isInt } from "../../operators/numbers.ts";
import { textAt, textLength } from "../../operators/texts.ts";
import { membersOf } from "../../types/dict.ts";
import { iteratorType } from "../../types/elements.ts";
import { partOf } from "../../types/view.ts";
import type { Part } from "../registry.ts";

/** An int argument, also beyond 2^53. */
export function indexOf(value: Value): Int {
  if (isInt(value)) return intValue(value);
  throw raised(TYPE_ERROR, `'${typeOf(value).name}' object cannot be interpreted as an integer`);
}

/** A tuple of few values that is made for each element of a walk. */
export function pair(ctx: Context, ...items: Value[]): PyTuple {
  return tuple(ctx, items);
}

export function tuple(ctx: Context, items: Value[]): PyTuple {
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyTuple(items);
}

/** An iterator over other ones: direct when all of them are. */
abstract class Combined extends PyIterator {
  override readonly isDirect: boolean;
  constructor(sources: readonly PyIterator[]) {
    super();
    this.isDirect = sources.every((source) => source.isDirect);
  }
}

class PyEnumerate extends Combined {
  declare readonly type: PyType;
  readonly #source: PyIterator;
  #index: Int;
  constructor(source: PyIterator, start: Int) {
    super([source]);
    this.#source = source;
    this.#index = start;
  }
  next(ctx: Context): Next {
    return this.#numbered(this.#source.next(ctx), ctx);
  }
  override *pull(ctx: Context): Calling<Next> {
    return this.#numbered(yield* nextOf(this.#source, ctx), ctx);
  }
  #numbered(item: Next, ctx: Context): Next {
    if (item === END) return END;
    const index = this.#index;
    this.#index = addInts(index, 1, ctx);
    return pair(ctx, index, item);
  }
}
const ENUMERATE_TYPE = setType(PyEnumerate, iteratorType("enumerate"));

class PyZip extends Combined {
  declare readonly type: PyType;
  readonly #sources: readonly PyIterator[];
  readonly #isStrict: boolean;
  constructor(sources: readonly PyIterator[], isStrict: boolean) {
    super(sources);
    this.#sources = sources;
    this.#isStrict = isStrict;
  }
  next(ctx: Context): Next {
    if (this.#isStrict) return this.pull(ctx).next(null).value as Next;
    if (this.#sources.length === 0) return END;
    const items: Value[] = [];
    for (const source of this.#sources) {
      const item = source.next(ctx);
      if (item === END) return END;
      items.push(item);
    }
    return tuple(ctx, items);
  }
  override *pull(ctx: Context): Calling<Next> {
    if (this.#sources.length === 0) return END;
    const items: Value[] = [];
    for (const [index, source] of this.#sources.entries()) {
      const item = yield* nextOf(source, ctx);
      if (item !== END) items.push(item);
      else if (!this.#isStrict) return END;
      else if (index === 0) return yield* this.#othersEnd(ctx);
      else throw differs(index, "shorter");
    }
    return tuple(ctx, items);
  }
  /** After the first source of a strict zip ended, so must the others. */
  *#othersEnd(ctx: Context): Calling<Next> {
    for (const [index, source] of this.#sources.entries())
      if (index > 0 && (yield* nextOf(source, ctx)) !== END) throw differs(index, "longer");
    return END;
  }
}
const ZIP_TYPE = setType(PyZip, iteratorType("zip"));

function differs(index: number, how: "shorter" | "longer") {
  const others = index === 1 ? "argument 1" : `arguments 1-${index}`;
  return raised(VALUE_ERROR, `zip() argument ${index + 1} is ${how} than ${others}`);
}

class PyMap extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect = false;
  readonly #callee: Value;
  readonly #sources: readonly PyIterator[];
  constructor(callee: Value, sources: readonly PyIterator[]) {
    super();
    this.#callee = callee;
    this.#sources = sources;
  }
  next(): Next {
    throw new Error("map has to be pulled");
  }
  override *pull(ctx: Context): Calling<Next> {
    const args: Value[] = [];
    for (const source of this.#sources) {
      const item = yield* nextOf(source, ctx);
      if (item === END) return END;
      args.push(item);
    }
    return yield { callee: this.#callee, args };
  }
}
const MAP_TYPE = setType(PyMap, iteratorType("map"));

/** Elements for which a function gives something true; with None those that are true. */
class PyFilter extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect: boolean;
  readonly #callee: Value;
  readonly #source: PyIterator;
  constructor(callee: Value, source: PyIterator) {
    super();
    this.#callee = callee;
    this.#source = source;
    this.isDirect = callee === null && source.isDirect;
  }
  next(ctx: Context): Next {
    for (;;) {
      const item = this.#source.next(ctx);
      if (item === END || truth(item, ctx)) return item;
      ctx.charge(1);
    }
  }
  override *pull(ctx: Context): Calling<Next> {
    for (;;) {
      const item = yield* nextOf(this.#source, ctx);
      if (item === END) return END;
      const isKept = this.#callee === null ? item : yield { callee: this.#callee, args: [item] };
      if (truth(isKept, ctx)) return item;
    }
  }
}
const FILTER_TYPE = setType(PyFilter, iteratorType("filter"));

/** Elements from the last to the first, by position; of a list those that it has when they are asked for. */
class PyReversed extends PyIterator {
  declare readonly type: PyType;
  readonly #at: (position: number) => Value | undefined;
  #position: number;
  constructor(length: number, at: (position: number) => Value | undefined) {
    super();
    this.#at = at;
    this.#position = length - 1;
  }
  next(): Next {
    const item = this.#position < 0 ? undefined : this.#at(this.#position);
    if (item === undefined) {
      this.#position = -1;
      return END;
    }
    this.#position -= 1;
    return item;
  }
}
const REVERSED_TYPE = setType(PyReversed, iteratorType("reversed"));

/** A dict from its end. Its keys are fixed when the walk begins, and a change of its size is noticed. */
class PyReversedDict extends PyIterator {
  declare readonly type: PyType;
  readonly #dict: PyDict;
  readonly #members: Value[];
  readonly #size: number;
  constructor(dict: PyDict, members: Value[]) {
    super();
    this.#dict = dict;
    this.#members = members;
    this.#size = dict.size;
  }
  next(): Next {
    if (this.#dict.size !== this.#size) throw raised(RUNTIME_ERROR, "dictionary changed size during iteration");
    const member = this.#members.pop();
    return member === undefined ? END : member;
  }
}
setType(PyReversedDict, iteratorType("dict_reversekeyiterator"));

function reversedOf(ctx: Context, value: Value): Value {
  if (value instanceof PyList || value instanceof PyTuple)
    return new PyReversed(value.items.length, (position) => value.items[position]);
  if (value instanceof PyRange) return iterate(reversedRange(value), ctx);
  if (typeof value === "string") return new PyReversed(textLength(value), (position) => textAt(value, position));
  if (value instanceof PyDict) return new PyReversedDict(value, membersOf(value, "key", ctx));
  if (value instanceof PyDictView) return new PyReversedDict(value.dict, membersOf(value.dict, partOf(value), ctx));
  const { slots, name } = typeOf(value);
  if (slots.reverse !== undefined) return slots.reverse(value, ctx);
  throw raised(TYPE_ERROR, `'${name}' object is not reversible`);
}

function reversedRange({ start, step, length }: PyRange): PyRange {
  return new PyRange(start + (length - 1) * step, start - step, -step);
}

/** `iter(callable, sentinel)`. */
class PyCallIterator extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect = false;
  readonly #callee: Value;
  readonly #sentinel: Value;
  #isDone = false;
  constructor(callee: Value, sentinel: Value) {
    super();
    this.#callee = callee;
    this.#sentinel = sentinel;
  }
  next(): Next {
    throw new Error("a call iterator has to be pulled");
  }
  override *pull(ctx: Context): Calling<Next> {
    if (this.#isDone) return END;
    const item = yield { callee: this.#callee, args: [] };
    this.#isDone = isSame(item, this.#sentinel, ctx);
    return this.#isDone ? END : item;
  }
}
setType(PyCallIterator, iteratorType("callable_iterator"));

function* nextCalling(ctx: Context, iterator: PyIterator, fallback: Value | undefined): Calling {
  return ended(yield* nextOf(iterator, ctx), iterator, fallback);
}

function ended(item: Next, iterator: PyIterator, fallback: Value | undefined): Value {
  if (item !== END) return item;
  const returned = iterator.takeReturned();
  if (fallback !== undefined) return fallback;
  throw returned === null ? raised(STOP_ITERATION) : raised(STOP_ITERATION, returned);
}

const natives: Natives = {
  enumerate: (ctx, iterable: Value, start: Value) => new PyEnumerate(iterate(iterable, ctx), indexOf(start)),
  zip: (ctx, iterables: PyTuple, strict: Value) =>
    new PyZip(
      iterables.items.map((one) => iterate(one, ctx)),
      truth(strict, ctx),
    ),
  map(ctx, callee: Value, iterables: PyTuple) {
    if (iterables.items.length === 0) throw raised(TYPE_ERROR, "map() must have at least two arguments.");
    return new PyMap(
      callee,
      iterables.items.map((one) => iterate(one, ctx)),
    );
  },
  filter: (ctx, callee: Value, iterable: Value) => new PyFilter(callee, iterate(iterable, ctx)),
  reversed: reversedOf,
  iter(ctx, source: Value, sentinel: Value | undefined) {
    if (sentinel === undefined) return iterate(source, ctx);
    if (!isCallable(source)) throw raised(TYPE_ERROR, "iter(v, w): v must be callable");
    return new PyCallIterator(source, sentinel);
  },
  next(ctx, iterator: Value, fallback: Value | undefined) {
    if (!(iterator instanceof PyIterator))
      throw raised(TYPE_ERROR, `'${typeOf(iterator).name}' object is not an iterator`);
    if (!iterator.isDirect) return nextCalling(ctx, iterator, fallback);
    return ended(iterator.next(ctx), iterator, fallback);
  },
};

export const ITERATORS: Part = {
  natives,
  types: {
    enumerate: ENUMERATE_TYPE,
    zip: ZIP_TYPE,
    map: MAP_TYPE,
    filter: FILTER_TYPE,
    reversed: REVERSED_TYPE,
  },
};
