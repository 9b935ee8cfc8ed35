/** `sequence * number`: how often, asked before anything is built. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR } from "../exceptions.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { intValue, isInt } from "../operators/numbers.ts";

/** `bytes` is the size of the sequence. `most`: further repetitions leave nothing in the result. */
export function timesOf(value: Value, bytes: number, ctx: Context, most = Infinity): number {
  if (!isInt(value)) throw raised(TYPE_ERROR, `can't multiply sequence by non-int of type '${typeOf(value).name}'`);
  const int = intValue(value);
  if (typeof int === "bigint" && (int >= 2n ** 63n || int < -(2n ** 63n)))
    throw raised(OVERFLOW_ERROR, "cannot fit 'int' into an index-sized integer");
  const times = bytes === 0 ? 0 : Math.min(most, Math.max(0, Number(int)));
  ctx.room(bytes * times);
  ctx.charge(times);
  ctx.alloc(bytes * times);
  return times;
}
