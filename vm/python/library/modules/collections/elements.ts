/** `Counter.elements()`. */
import type { Context, PyIterator, Value } from "../../../object.ts";
import { sizeOf } from "../../arguments.ts";
import { type Elements, give, lazyType, PyLazy } from "../lazy.ts";

const ELEMENTS_TYPE = lazyType("itertools.chain");

/** Every key as often as it was counted. */
export function elementsOf(pairs: readonly (readonly [key: Value, count: Value])[], ctx: Context): PyIterator {
  function* elements(): Elements {
    for (const [key, count] of pairs) {
      const times = sizeOf(count);
      for (let time = 0; time < times; time += 1) {
        ctx.charge(1);
        yield give(key);
      }
    }
  }
  return new PyLazy(ELEMENTS_TYPE, elements(), true);
}
