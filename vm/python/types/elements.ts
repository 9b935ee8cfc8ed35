/** What lists and tuples have in common: walking, searching and comparing their elements. */
import { type Context, END, type Next, type Order, PyIterator, PyType, setType, type Value } from "../object.ts";
import { equals, isSame, order } from "../operators/compare.ts";
import { enter, leave } from "../operators/recursion.ts";

/** A type of iterators. */
export function iteratorType(name: string): PyType {
  return new PyType(name, [], { iterate: (self: PyIterator) => self });
}

export type Elements = { readonly items: readonly Value[] };

/** Walks the living elements: those that are added meanwhile come as well. */
export class PyListIterator extends PyIterator {
  declare readonly type: PyType;
  private elements: Elements | null;
  private position = 0;
  constructor(elements: Elements) {
    super();
    this.elements = elements;
  }
  next(): Next {
    if (this.elements === null) return END;
    const { items } = this.elements;
    if (this.position < items.length) return items[this.position++] as Value;
    this.elements = null;
    return END;
  }
}
setType(PyListIterator, iteratorType("list_iterator"));

export class PyTupleIterator extends PyListIterator {}
setType(PyTupleIterator, iteratorType("tuple_iterator"));

export function hasElement({ items }: Elements, item: Value, ctx: Context): boolean {
  ctx.charge(items.length);
  for (let index = 0; index < items.length; index += 1) if (isSame(items[index] as Value, item, ctx)) return true;
  return false;
}

export function equalElements(a: Elements, b: Elements, ctx: Context): boolean {
  if (a === b && a.items.length === 0) return true;
  if (a.items.length !== b.items.length) return false;
  return firstDifference(a, b, ctx) === a.items.length;
}

/** Where the elements first differ, or the shorter length. */
function firstDifference(a: Elements, b: Elements, ctx: Context): number {
  const { items } = a;
  const { items: others } = b;
  const length = Math.min(items.length, others.length);
  ctx.charge(length);
  for (let index = 0; index < length; index += 1) {
    const x = items[index] as Value;
    const y = others[index] as Value;
    if (x === y) continue;
    // Numbers or texts that are not the same are not equal.
    if (typeof x === typeof y && (typeof x === "number" || typeof x === "string")) return index;
    if (!nestedEquals(x, y, ctx)) return index;
  }
  return length;
}

function nestedEquals(x: Value, y: Value, ctx: Context): boolean {
  enter("in comparison");
  try {
    return equals(x, y, ctx);
  } finally {
    leave();
  }
}

export function orderElements(op: Order, a: Elements, b: Elements, ctx: Context): boolean {
  const index = firstDifference(a, b, ctx);
  const { items } = a;
  const { items: others } = b;
  if (index >= items.length || index >= others.length) return order(op, items.length, others.length, ctx);
  const x = items[index] as Value;
  const y = others[index] as Value;
  if (typeof x !== "object" || typeof y !== "object") return order(op, x, y, ctx);
  enter("in comparison");
  try {
    return order(op, x, y, ctx);
  } finally {
    leave();
  }
}

/** `items` several times over; the size is asked for before it is built. */
export function repeated(items: readonly Value[], times: number): Value[] {
  if (items.length === 1) return new Array<Value>(times).fill(items[0] as Value);
  const all: Value[] = [];
  for (let round = 0; round < times; round += 1)
    for (let index = 0; index < items.length; index += 1) all.push(items[index] as Value);
  return all;
}
