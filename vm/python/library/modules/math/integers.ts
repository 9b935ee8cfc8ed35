/** Functions of ints of the module math, and what makes ints. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../../exceptions.ts";
import { intOf, PyFloat } from "../../../kinds/float.ts";
import type { PyTuple } from "../../../kinds/list.ts";
import { Bytes, type Context, type Natives, typeOf, type Value } from "../../../object.ts";
import { isFloat, isInt } from "../../../operations.ts";
import { bitLength, type Int, multiplyInts } from "../../../operators/integers.ts";
import { intValue } from "../../../operators/numbers.ts";
import { indexOf } from "../../values/iterators.ts";
import { wholeOf } from "../../values/rounding.ts";

type Toward = "ROUND_DOWN" | "ROUND_FLOOR" | "ROUND_CEILING";

function whole(round: (x: number) => number, toward: Toward, wrong: (name: string) => string) {
  return (ctx: Context, x: Value): Value => {
    if (isInt(x)) return intValue(x);
    if (isFloat(x)) return wholeOf(round(x instanceof PyFloat ? x.value : x));
    const result = typeOf(x).slots.whole?.(x, toward, ctx);
    if (result !== undefined) return result;
    throw raised(TYPE_ERROR, wrong(typeOf(x).name));
  };
}

function absolute(value: Int): bigint {
  const int = BigInt(value);
  return int < 0n ? -int : int;
}

export function greatestDivisor(ctx: Context, a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  ctx.charge(1);
  while (y !== 0n) {
    ctx.charge(bitLength(intOf(x)) / 32);
    [x, y] = [y, x % y];
  }
  return x;
}

/** The product of the ints from `from` to `to`, by halves so that the factors are of one size. */
function productOf(from: number, to: number, ctx: Context): Int {
  if (from > to) return 1;
  if (to - from < 8) {
    let product: Int = from;
    for (let factor = from + 1; factor <= to; factor += 1) product = multiplyInts(product, factor, ctx);
    return product;
  }
  const middle = Math.floor((from + to) / 2);
  return multiplyInts(productOf(from, middle, ctx), productOf(middle + 1, to, ctx), ctx);
}

/** Asked before large products: bits of n! are about n log2(n / e). */
function room(count: number, largest: number, ctx: Context): void {
  ctx.room((count * Math.log2(largest + 2)) / 8);
  ctx.charge(count);
}

function counted(value: Value, message: string): Int {
  const int = indexOf(value);
  if (int < 0) throw raised(VALUE_ERROR, message);
  return int;
}

function factorial(ctx: Context, x: Value): Value {
  const n = Number(counted(x, "factorial() not defined for negative values"));
  room(n, n, ctx);
  return productOf(1, n, ctx);
}

function perm(ctx: Context, n: Value, k: Value): Value {
  if (k === null) return factorial(ctx, n);
  const total = counted(n, "n must be a non-negative integer");
  const chosen = counted(k, "k must be a non-negative integer");
  if (chosen > total) return 0;
  return falling(total, Number(chosen), ctx);
}

/** n * (n - 1) … of `count` factors. */
function falling(n: Int, count: number, ctx: Context): Int {
  room(count, Number(n), ctx);
  if (typeof n === "number") return count === 0 ? 1 : productOf(n - count + 1, n, ctx);
  let product: Int = 1;
  for (let index = 0; index < count; index += 1) product = multiplyInts(product, intOf(n - BigInt(index)), ctx);
  return product;
}

function comb(ctx: Context, n: Value, k: Value): Value {
  const total = counted(n, "n must be a non-negative integer");
  const chosen = counted(k, "k must be a non-negative integer");
  if (chosen > total) return 0;
  const other = intOf(BigInt(total) - BigInt(chosen));
  const count = Number(other < chosen ? other : chosen);
  return intOf(BigInt(falling(total, count, ctx)) / BigInt(productOf(1, count, ctx)));
}

/** The whole part of the root, by Newton's method from above. */
function isqrt(ctx: Context, x: Value): Value {
  const n = indexOf(x);
  if (n < 0) throw raised(VALUE_ERROR, "isqrt() argument must be nonnegative");
  if (typeof n === "number") {
    const root = Math.floor(Math.sqrt(n));
    // The float of a square below 2^53 is exact, but its root can be rounded up.
    return root * root > n ? root - 1 : root;
  }
  ctx.charge((bitLength(n) / 32) ** 2);
  let root = 1n << BigInt((bitLength(n) >> 1) + 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return intOf(root);
    root = next;
  }
}

export const INTEGERS: Natives = {
  "math.floor": whole(Math.floor, "ROUND_FLOOR", (name) => `must be real number, not ${name}`),
  "math.ceil": whole(Math.ceil, "ROUND_CEILING", (name) => `must be real number, not ${name}`),
  "math.trunc": whole(Math.trunc, "ROUND_DOWN", (name) => `type ${name} doesn't define __trunc__ method`),
  "math.factorial": factorial,
  "math.perm": perm,
  "math.comb": comb,
  "math.isqrt": isqrt,
  "math.gcd": (ctx, integers: PyTuple) =>
    intOf(integers.items.map(indexOf).reduce<bigint>((a, b) => greatestDivisor(ctx, a, absolute(b)), 0n)),
  "math.lcm"(ctx, integers: PyTuple) {
    const values = integers.items.map(indexOf).map(absolute);
    ctx.room(values.reduce((bits, value) => bits + bitLength(value), 0) / Bytes.Element);
    return intOf(
      values.reduce<bigint>((a, b) => (a === 0n || b === 0n ? 0n : (a / greatestDivisor(ctx, a, b)) * b), 1n),
    );
  },
};
