/** The module bisect. */
import { ATTRIBUTE_ERROR, raised, VALUE_ERROR } from "../../exceptions.ts";
import { PyList } from "../../kinds/list.ts";
import { Bytes, type Calling, type Context, isCalling, type Natives, typeOf, type Value } from "../../object.ts";
import { asIndex, item, length, order } from "../../operations.ts";
import type { Part } from "../registry.ts";

/** Where `x` belongs among sorted elements, before (`left`) or after equal ones. `x` is compared with what `key` makes of an element. */
function* placeOf(ctx: Context, isLeft: boolean, [values, x, lo, hi, key]: readonly Value[]): Calling<number> {
  let low = asIndex(lo as Value);
  if (low < 0) throw raised(VALUE_ERROR, "lo must be non-negative");
  let high = hi === null ? length(values as Value, ctx) : asIndex(hi as Value);
  while (low < high) {
    ctx.charge(1);
    const middle = Math.floor((low + high) / 2);
    const found = item(values as Value, middle, ctx);
    const element = isCalling(found) ? yield* found : found;
    const other = key === null ? element : yield { callee: key as Value, args: [element] };
    const isBefore = isLeft ? order("<", other, x as Value, ctx) : !order("<", x as Value, other, ctx);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without a key nothing has to be called. */
function search(isLeft: boolean) {
  return (ctx: Context, ...args: readonly Value[]): Value | Calling => {
    const search = placeOf(ctx, isLeft, args);
    if (args[4] !== null) return search;
    const step = search.next(null);
    return step.done === true ? step.value : search;
  };
}

function insort(isLeft: boolean) {
  return function* (ctx: Context, values: Value, x: Value, lo: Value, hi: Value, key: Value): Calling {
    const wanted = key === null ? x : yield { callee: key, args: [x] };
    const place = yield* placeOf(ctx, isLeft, [values, wanted, lo, hi, key]);
    if (!(values instanceof PyList))
      throw raised(ATTRIBUTE_ERROR, `'${typeOf(values).name}' object has no attribute 'insert'`);
    ctx.alloc(Bytes.Element);
    values.items.splice(place, 0, x);
    return null;
  };
}

const searchRight = search(false);
const insortRight = insort(false);

const natives: Natives = {
  "bisect.bisect_right": searchRight,
  "bisect.bisect": searchRight,
  "bisect.bisect_left": search(true),
  "bisect.insort_right": insortRight,
  "bisect.insort": insortRight,
  "bisect.insort_left": insort(true),
};

export const BISECT: Part = { natives };
