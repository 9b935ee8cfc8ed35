/** `round`: half to even, on the exact value of a float. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { intOf, PyFloat } from "../../kinds/float.ts";
import { type Context, typeOf, type Value } from "../../object.ts";
import { bitLength, type Int, powerInts } from "../../operators/integers.ts";
import { intValue, isFloat, isInt, madeFloat } from "../../operators/numbers.ts";
import { indexOf } from "./iterators.ts";

/** The int nearest to a float, half to even. */
function nearestInt(value: number): Int {
  const floor = Math.floor(value);
  const rest = value - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return wholeOf(up ? floor + 1 : floor);
}

/** The int of a whole float. ValueError and OverflowError for nan and infinities. */
export function wholeOf(value: number): Int {
  if (Number.isSafeInteger(value)) return value + 0;
  if (Number.isNaN(value)) throw raised(VALUE_ERROR, "cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw raised(OVERFLOW_ERROR, "cannot convert float infinity to integer");
  return intOf(BigInt(value));
}

/** A float as a fraction: `numerator / 2^shift`, with the smallest shift. */
export function ratioOf(value: number): [numerator: bigint, shift: number] {
  let shift = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift += 1;
  }
  return [BigInt(scaled), shift];
}

function divideHalfEven(a: bigint, b: bigint): bigint {
  let quotient = a / b;
  let rest = a % b;
  if (rest < 0n) {
    quotient -= 1n;
    rest += b;
  }
  const twice = 2n * rest;
  return twice > b || (twice === b && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** Beyond these digits nothing changes, and nothing is left. */
const MAX_DIGITS = 323;
const MIN_DIGITS = -308;
const ALWAYS_EXACT = 15;

function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > MAX_DIGITS || value === 0) return value;
  if (digits < MIN_DIGITS) return value < 0 ? -0 : 0;
  // `toFixed` rounds the exact value, but halves away from zero; only values with few binary places are halves.
  if (digits >= 0 && digits <= ALWAYS_EXACT && Math.abs(value) < 1e15 && !Number.isInteger(value * 2 ** (digits + 1)))
    return Number(value.toFixed(digits));
  const [numerator, shift] = ratioOf(value);
  const size = numerator < 0n ? -numerator : numerator;
  const [a, b] =
    digits >= 0
      ? [size * 10n ** BigInt(digits), 1n << BigInt(shift)]
      : [size, (10n ** BigInt(-digits)) << BigInt(shift)];
  const result = Number(`${divideHalfEven(a, b)}e${-digits}`);
  if (!Number.isFinite(result)) throw raised(OVERFLOW_ERROR, "rounded value too large to represent");
  return value < 0 ? -result : result;
}

function roundInt(value: Int, digits: Int, ctx: Context): Int {
  if (digits >= 0) return value;
  // More digits than the number has leave nothing.
  if (-digits > bitLength(value)) return 0;
  const unit = BigInt(powerInts(10, -Number(digits), ctx));
  return intOf(divideHalfEven(BigInt(value), unit) * unit);
}

/** `round(number, ndigits)`. */
export function round(ctx: Context, number: Value, ndigits: Value): Value {
  if (isInt(number)) return ndigits === null ? intValue(number) : roundInt(intValue(number), indexOf(ndigits), ctx);
  if (isFloat(number)) {
    const value = number instanceof PyFloat ? number.value : number;
    if (ndigits === null) return Number.isFinite(value) ? nearestInt(value) : wholeOf(value);
    const digits = indexOf(ndigits);
    return madeFloat(roundFloat(value, Number(digits)), ctx);
  }
  const { slots } = typeOf(number);
  if (slots.round !== undefined) {
    if (ndigits === null) return slots.whole?.(number, "ROUND_HALF_EVEN", ctx) ?? number;
    if (!isInt(ndigits)) throw raised(TYPE_ERROR, "optional arg must be an integer");
    return slots.round(number, Number(intValue(ndigits)), ctx);
  }
  throw raised(TYPE_ERROR, `type ${typeOf(number).name} doesn't define __round__ method`);
}
