/** Exact sums of the module statistics. */
import { PyDecimal } from "../../../decimals/decimal.ts";
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../../exceptions.ts";
import { intOf, PyFloat } from "../../../kinds/float.ts";
import type { PyList } from "../../../kinds/list.ts";
import { notExact } from "../../../not-exact.ts";
import { type Calling, type Context, isCalling, PyType, typeOf, type Value } from "../../../object.ts";
import { isInt, isNumber, visit } from "../../../operations.ts";
import { bitLength, quotient } from "../../../operators/integers.ts";
import { intValue, madeFloat } from "../../../operators/numbers.ts";
import { ratioOf } from "../../values/rounding.ts";
import { sorted } from "../../values/sorting.ts";

export const STATISTICS_ERROR = new PyType(
  "StatisticsError",
  [VALUE_ERROR, ...VALUE_ERROR.bases],
  {},
  "statistics.StatisticsError",
);

export function failed(text: string) {
  return raised(STATISTICS_ERROR, text);
}

/** Sums of decimals are fractions in CPython, whose results are decimals again. */
export function refuseDecimal(value: Value): void {
  if (value instanceof PyDecimal)
    throw notExact("statistics takes no Decimal here; sum(values) / len(values) is their mean");
}

/** numerator / denominator. */
type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Exact sums of numbers and of their squares. A nan or infinity takes the place of all. */
export class Sums {
  count = 0;
  isFloat = false;
  special: number | null = null;
  #shift = 0;
  #sum = 0n;
  #squares = 0n;

  add(value: Value): void {
    refuseDecimal(value);
    if (!isNumber(value))
      throw raised(TYPE_ERROR, `can't convert type '${typeOf(value).name}' to numerator/denominator`);
    this.count += 1;
    if (isInt(value)) {
      this.#addFraction(BigInt(intValue(value)), 0);
      return;
    }
    this.isFloat = true;
    const float = value instanceof PyFloat ? value.value : value;
    if (Number.isFinite(float)) this.#addFraction(...ratioOf(float));
    else this.special = (this.special ?? 0) + float;
  }

  #addFraction(numerator: bigint, shift: number): void {
    if (shift > this.#shift) {
      this.#sum <<= BigInt(shift - this.#shift);
      this.#squares <<= BigInt(2 * (shift - this.#shift));
      this.#shift = shift;
    }
    const scaled = numerator << BigInt(this.#shift - shift);
    this.#sum += scaled;
    this.#squares += scaled * scaled;
  }

  /** The sum, divided by an int. */
  sumOver(divisor: number): Fraction {
    return [this.#sum, BigInt(divisor) << BigInt(this.#shift)];
  }

  /** The sum of the squared distances from the mean, divided by an int. */
  squaresOver(divisor: number): Fraction {
    const count = BigInt(this.count);
    return [count * this.#squares - this.#sum * this.#sum, (count * BigInt(divisor)) << BigInt(2 * this.#shift)];
  }
}

/** A fraction as an int where all numbers were ints and it is whole, else as the nearest float. */
export function converted([numerator, denominator]: Fraction, isFloat: boolean, ctx: Context): Value {
  if (!isFloat && numerator % denominator === 0n) return intOf(numerator / denominator);
  return madeFloat(numerator === 0n ? 0 : quotient(numerator, denominator), ctx);
}

/** The root of a fraction, correctly rounded: the whole root has bits enough that its last one tells on which side of it the root lies. */
export function rootOf([numerator, denominator]: Fraction): number {
  if (numerator === 0n) return 0;
  const half = Math.floor((bitLength(intOf(numerator)) - bitLength(intOf(denominator)) - ROOT_BITS) / 2);
  if (half >= 0) return quotient(oddRoot(numerator, denominator << BigInt(2 * half)) << BigInt(half), 1n);
  return quotient(oddRoot(numerator << BigInt(-2 * half), denominator), 1n << BigInt(-half));
}

const ROOT_BITS = 109;

function oddRoot(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  let root = 1n << BigInt((bitLength(intOf(whole)) >> 1) + 1);
  for (;;) {
    const next = (root + whole / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return root * root * denominator === numerator ? root : root | 1n;
}

export function* sumsOf(values: readonly Value[], ctx: Context): Calling<Sums> {
  const sums = new Sums();
  yield* visit(values, ctx, (value) => sums.add(value));
  return sums;
}

export function* sortedValues(ctx: Context, data: Value): Calling<readonly Value[]> {
  const result = sorted(ctx, data, null, false);
  return ((isCalling(result) ? yield* result : result) as PyList).items;
}
