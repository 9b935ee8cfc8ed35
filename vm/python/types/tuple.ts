/** Operators of tuples. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { EMPTY_TUPLE, PyTuple, TUPLE_TYPE } from "../kinds/list.ts";
import { PySlice } from "../kinds/slice.ts";
import { Bytes, type Context, fillSlots, typeOf, type Value } from "../object.ts";
import { placeOf } from "../operators/index.ts";
import { keyOf, tupleKey } from "../operators/keys.ts";
import { isInt } from "../operators/numbers.ts";
import { enter, leave } from "../operators/recursion.ts";
import { containerRepr, listed } from "../operators/text.ts";
import { equalElements, hasElement, orderElements, PyTupleIterator, repeated } from "./elements.ts";
import { sliced } from "./list.ts";
import { timesOf } from "./repeat.ts";

/** A new tuple of the program. */
function madeTuple(items: readonly Value[], ctx: Context): PyTuple {
  if (items.length === 0) return EMPTY_TUPLE;
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyTuple(items);
}

fillSlots<PyTuple>(TUPLE_TYPE, {
  length: (self) => self.items.length,
  iterate: (self) => new PyTupleIterator(self),
  contains: hasElement,
  item(self, at, ctx) {
    if (at instanceof PySlice) return madeTuple(sliced(self.items, at, ctx), ctx);
    if (!isInt(at)) throw raised(TYPE_ERROR, `tuple indices must be integers or slices, not ${typeOf(at).name}`);
    return self.items[placeOf(at, self.items.length, "tuple index")] as Value;
  },
  equals: (self, other, ctx) => (other instanceof PyTuple ? equalElements(self, other, ctx) : undefined),
  order: (self, op, other, ctx) => (other instanceof PyTuple ? orderElements(op, self, other, ctx) : undefined),
  key(self, ctx) {
    ctx.charge(self.items.length);
    enter("in comparison");
    try {
      return tupleKey(
        self.items.map((item) => keyOf(item, ctx)),
        ctx,
      );
    } finally {
      leave();
    }
  },
  repr: (self, ctx) =>
    self.items.length === 0
      ? "()"
      : containerRepr(self, "(...)", ctx, () => `(${listed(self.items, ctx)}${self.items.length === 1 ? "," : ""})`),
  binary(self, op, other, ctx) {
    if (op === "*") return multiplied(self, other, ctx);
    if (op !== "+") return undefined;
    if (!(other instanceof PyTuple))
      throw raised(TYPE_ERROR, `can only concatenate tuple (not "${typeOf(other).name}") to tuple`);
    ctx.room((self.items.length + other.items.length) * Bytes.Element);
    ctx.charge(self.items.length + other.items.length);
    return madeTuple([...self.items, ...other.items], ctx);
  },
  reflected: (self, op, other, ctx) => (op === "*" ? multiplied(self, other, ctx) : undefined),
});

function multiplied(tuple: PyTuple, other: Value, ctx: Context): PyTuple {
  const times = timesOf(other, tuple.items.length * Bytes.Element, ctx);
  return times === 1 ? tuple : new PyTuple(repeated(tuple.items, times));
}
