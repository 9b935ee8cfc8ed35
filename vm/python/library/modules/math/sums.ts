/** Sums and products of the module math. */
import { OVERFLOW_ERROR, raised, VALUE_ERROR } from "../../../exceptions.ts";
import { PyList } from "../../../kinds/list.ts";
import { type Calling, type Context, isCalling, type Natives, type Value } from "../../../object.ts";
import { binary, each } from "../../../operations.ts";
import { exactSum } from "../../../operators/double-double.ts";
import { madeFloat } from "../../../operators/numbers.ts";
import type { Part } from "../../registry.ts";
import { collected } from "../../values/lists.ts";
import { CONSTANTS, FUNCTIONS, norm, realOf } from "./functions.ts";
import { INTEGERS } from "./integers.ts";

/** The exact sum of floats, as parts that do not overlap, rounded once at the end. */
export class ExactSum {
  #parts: number[] = [];
  #special = 0;
  #isSpecial = false;
  /** The sum of the infinities. */
  #infinities = 0;

  add(value: number): void {
    if (!Number.isFinite(value)) {
      if (!Number.isNaN(value)) this.#infinities += value;
      this.#isSpecial = true;
      this.#special += value;
      return;
    }
    const kept: number[] = [];
    let sum = value;
    for (const part of this.#parts) {
      const [high, low] = exactSum(sum, part);
      if (low !== 0) kept.push(low);
      sum = high;
    }
    if (!Number.isFinite(sum)) throw raised(OVERFLOW_ERROR, "intermediate overflow in fsum");
    if (sum !== 0) kept.push(sum);
    this.#parts = kept;
  }

  value(): number {
    if (this.#isSpecial) {
      if (Number.isNaN(this.#infinities)) throw raised(VALUE_ERROR, "-inf + inf in fsum");
      return this.#special;
    }
    const parts = this.#parts;
    let at = parts.length - 1;
    if (at < 0) return 0;
    let high = parts[at] as number;
    let low = 0;
    while (at > 0 && low === 0) {
      at -= 1;
      [high, low] = exactSum(high, parts[at] as number);
    }
    // A half is rounded by the sign of what follows.
    const next = at > 0 ? (parts[at - 1] as number) : 0;
    if ((low < 0 && next < 0) || (low > 0 && next > 0)) {
      const rounded = high + 2 * low;
      if (rounded - high === 2 * low) high = rounded;
    }
    return high;
  }
}

function fsum(ctx: Context, values: Value): Value | Calling {
  const sum = new ExactSum();
  return each(
    values,
    ctx,
    (value) => sum.add(realOf(value)),
    () => madeFloat(sum.value(), ctx),
  );
}

function prod(ctx: Context, values: Value, start: Value): Value | Calling {
  let product: Value = start;
  return each(
    values,
    ctx,
    (value) => {
      product = binary("*", product, value, ctx);
    },
    () => product,
  );
}

function distance(ctx: Context, p: PyList, q: PyList): Value {
  if (p.items.length !== q.items.length)
    throw raised(VALUE_ERROR, "both points must have the same number of dimensions");
  return madeFloat(norm(p.items.map((value, index) => realOf(value) - realOf(q.items[index] as Value))), ctx);
}

function dist(ctx: Context, p: Value, q: Value): Value | Calling {
  const points = [p, q].map((point) => collected(point, ctx, (items) => new PyList(items))) as [Points, Points];
  return points.some(isCalling) ? distCalling(ctx, ...points) : distance(ctx, points[0] as PyList, points[1] as PyList);
}

type Points = PyList | Calling<PyList>;

function* distCalling(ctx: Context, p: Points, q: Points): Calling {
  const first = isCalling(p) ? yield* p : p;
  return distance(ctx, first, isCalling(q) ? yield* q : q);
}

const natives: Natives = { "math.fsum": fsum, "math.prod": prod, "math.dist": dist };

export const MATH: Part = { natives: { ...FUNCTIONS, ...INTEGERS, ...natives }, values: CONSTANTS };
