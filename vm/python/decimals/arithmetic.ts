/** Operators of decimals, as libmpdec and CPython's `_pydecimal.py` compute them. */

import { notExact } from "../not-exact.ts";
import type { Operator } from "../object.ts";
import {
  fitted,
  ONE,
  PRECISION,
  PyDecimal,
  powerOfTen,
  type Rounding,
  rescaled,
  signalled,
  withoutDigits,
} from "./decimal.ts";

/** The nan that an operation with one gives; null: all are numbers. A signalling one raises. */
export function nanOf(...numbers: readonly PyDecimal[]): PyDecimal | null {
  if (numbers.some(({ special }) => special === "snan")) throw signalled("InvalidOperation");
  return numbers.find(({ isNan }) => isNan) ?? null;
}

function infinity(isNegative: boolean): PyDecimal {
  return new PyDecimal(isNegative, 0n, 0, "inf");
}

export function negated(x: PyDecimal): PyDecimal {
  return new PyDecimal(!x.isNegative, x.coefficient, x.exponent, x.special);
}

/** `+x`: rounded, and zero without a sign. */
export function plus(x: PyDecimal): PyDecimal {
  if (x.special !== "") return nanOf(x) ?? x;
  return fitted(x.isNegative && x.coefficient !== 0n, x.coefficient, x.exponent);
}

/** Undefined: decimals have no such operator. */
export function operated(op: Operator, a: PyDecimal, b: PyDecimal): PyDecimal | undefined {
  switch (op) {
    case "+":
      return nanOf(a, b) ?? add(a, b);
    case "-":
      return nanOf(a, b) ?? add(a, negated(b));
    case "*":
      return nanOf(a, b) ?? multiply(a, b);
    case "/":
      return nanOf(a, b) ?? divide(a, b);
    case "//":
      return nanOf(a, b) ?? quotient(a, b);
    case "%":
      return nanOf(a, b) ?? remainder(a, b);
    case "**":
      return nanOf(a, b) ?? power(a, b);
    default:
      return undefined;
  }
}

function add(a: PyDecimal, b: PyDecimal): PyDecimal {
  if (a.special === "inf" || b.special === "inf") {
    if (a.special === b.special && a.isNegative !== b.isNegative) throw signalled("InvalidOperation");
    return a.special === "inf" ? a : b;
  }
  return sum(a, b);
}

/** Of two numbers, rounded to 28 digits. */
function sum(a: PyDecimal, b: PyDecimal): PyDecimal {
  const exponent = Math.min(a.exponent, b.exponent);
  if (a.isZero && b.isZero) return fitted(a.isNegative && b.isNegative, 0n, exponent);
  if (a.isZero || b.isZero) {
    const other = a.isZero ? b : a;
    const scaled = rescaled(other, Math.max(exponent, other.exponent - PRECISION - 1));
    return fitted(scaled.isNegative, scaled.coefficient, scaled.exponent);
  }
  const [high, low] = a.exponent >= b.exponent ? [a, b] : [b, a];
  let { coefficient, exponent: least } = low;
  // Far below the last digit that counts, all that matters is that there is something.
  const edge = high.exponent + Math.min(-1, high.length - PRECISION - 2);
  if (low.adjusted < edge) [coefficient, least] = [1n, edge];
  const signed = (one: PyDecimal, size: bigint): bigint => (one.isNegative ? -size : size);
  const total = signed(high, high.coefficient * powerOfTen(high.exponent - least)) + signed(low, coefficient);
  return fitted(total < 0n, total < 0n ? -total : total, least);
}

function multiply(a: PyDecimal, b: PyDecimal): PyDecimal {
  const isNegative = a.isNegative !== b.isNegative;
  if (a.special === "inf" || b.special === "inf") {
    if (a.isZero || b.isZero) throw signalled("InvalidOperation");
    return infinity(isNegative);
  }
  return fitted(isNegative, a.coefficient * b.coefficient, a.exponent + b.exponent);
}

/** `a * b + c`, rounded once. */
export function fusedMultiplyAdd(a: PyDecimal, b: PyDecimal, c: PyDecimal): PyDecimal {
  const nan = nanOf(a, b, c);
  if (nan !== null) return nan;
  if (a.special === "inf" || b.special === "inf") return add(multiply(a, b), c);
  const product = new PyDecimal(a.isNegative !== b.isNegative, a.coefficient * b.coefficient, a.exponent + b.exponent);
  return add(product, c);
}

function divide(a: PyDecimal, b: PyDecimal, precision = PRECISION): PyDecimal {
  const isNegative = a.isNegative !== b.isNegative;
  if (a.special === "inf") {
    if (b.special === "inf") throw signalled("InvalidOperation");
    return infinity(isNegative);
  }
  if (b.special === "inf") return fitted(isNegative, 0n, Number.NEGATIVE_INFINITY);
  if (b.isZero) throw signalled(a.isZero ? "DivisionUndefined" : "DivisionByZero");
  const ideal = a.exponent - b.exponent;
  if (a.isZero) return fitted(isNegative, 0n, ideal);
  const shift = b.length - a.length + precision + 1;
  const [x, y] =
    shift >= 0
      ? [a.coefficient * powerOfTen(shift), b.coefficient]
      : [a.coefficient, b.coefficient * powerOfTen(-shift)];
  let coefficient = x / y;
  let exponent = ideal - shift;
  if (x % y !== 0n) {
    // So that rounding sees that the number continues.
    if (coefficient % 5n === 0n) coefficient += 1n;
  } else [coefficient, exponent] = withoutZeros(coefficient, exponent, ideal);
  return fitted(isNegative, coefficient, exponent, precision);
}

/** Without zeros at its end, as far as the exponent may grow. */
export function withoutZeros(
  coefficient: bigint,
  exponent: number,
  most: number,
): [coefficient: bigint, exponent: number] {
  const written = coefficient.toString();
  let zeros = 0;
  while (exponent + zeros < most && written[written.length - 1 - zeros] === "0") zeros += 1;
  return [coefficient / powerOfTen(zeros), exponent + zeros];
}

/** The whole quotient, cut off, and the rest, which has the sign of `a`. */
function divideWhole(a: PyDecimal, b: PyDecimal): readonly [whole: bigint, rest: PyDecimal] {
  const ideal = b.special === "inf" ? a.exponent : Math.min(a.exponent, b.exponent);
  const difference = a.adjusted - b.adjusted;
  if (a.isZero || b.special === "inf" || difference <= -2) return [0n, rescaled(a, ideal)];
  if (difference <= PRECISION) {
    const x = a.coefficient * powerOfTen(Math.max(0, a.exponent - b.exponent));
    const y = b.coefficient * powerOfTen(Math.max(0, b.exponent - a.exponent));
    const whole = x / y;
    if (whole < powerOfTen(PRECISION)) return [whole, new PyDecimal(a.isNegative, x % y, ideal)];
  }
  throw signalled("DivisionImpossible");
}

function quotient(a: PyDecimal, b: PyDecimal): PyDecimal {
  const isNegative = a.isNegative !== b.isNegative;
  if (a.special === "inf") {
    if (b.special === "inf") throw signalled("InvalidOperation");
    return infinity(isNegative);
  }
  if (b.isZero) throw signalled(a.isZero ? "DivisionUndefined" : "DivisionByZero");
  return new PyDecimal(isNegative, divideWhole(a, b)[0], 0);
}

function remainder(a: PyDecimal, b: PyDecimal): PyDecimal {
  if (a.special === "inf") throw signalled("InvalidOperation");
  if (b.isZero) throw signalled(a.isZero ? "DivisionUndefined" : "InvalidOperation");
  const { isNegative, coefficient, exponent } = divideWhole(a, b)[1];
  return fitted(isNegative, coefficient, exponent);
}

/** The int of a decimal without a fraction; null: it has one, or is not a number. */
export function wholeNumber(x: PyDecimal): bigint | null {
  if (x.special !== "") return null;
  if (x.exponent >= 0) return signedOf(x, x.coefficient * powerOfTen(x.exponent));
  const unit = powerOfTen(Math.min(-x.exponent, x.length + 1));
  return x.coefficient % unit === 0n ? signedOf(x, x.coefficient / unit) : null;
}

function signedOf({ isNegative }: PyDecimal, size: bigint): bigint {
  return isNegative ? -size : size;
}

/** Larger ones leave no digits of a number between. */
const MOST_POWER = 10_000_000n;

function power(base: PyDecimal, exponent: PyDecimal): PyDecimal {
  if (exponent.special === "inf") throw notExact("an infinite power of a Decimal is not supported");
  const whole = exponent.adjusted > PRECISION ? null : wholeNumber(exponent);
  if (whole === null) throw notExact("a power of a Decimal is whole here; float(x) ** y takes others");
  if (whole > MOST_POWER || whole < -MOST_POWER) throw notExact(`powers of a Decimal go up to ${MOST_POWER} here`);
  const isNegative = base.isNegative && whole % 2n !== 0n;
  if (whole === 0n) {
    if (base.isZero) throw signalled("InvalidOperation");
    return ONE;
  }
  if (base.special === "inf" || base.isZero) {
    const isLarge = (base.special === "inf") === whole > 0n;
    return isLarge ? infinity(isNegative) : new PyDecimal(isNegative, 0n, 0);
  }
  return isOne(base) ? powerOfOne(base, whole, isNegative) : powerOf(base, exponent, whole, isNegative);
}

function isOne({ coefficient, exponent }: PyDecimal): boolean {
  return exponent <= 0 && coefficient === powerOfTen(Math.min(-exponent, PRECISION * 10));
}

/** 1.00 ** 2 is 1.0000. */
function powerOfOne({ exponent }: PyDecimal, whole: bigint, isNegative: boolean): PyDecimal {
  if (whole < 0n) return new PyDecimal(isNegative, 1n, 0);
  const zeros = Math.min(PRECISION - 1, -exponent * Number(whole));
  return new PyDecimal(isNegative, powerOfTen(zeros), -zeros);
}

/** By squaring, with as many digits more as libmpdec takes. */
function powerOf(base: PyDecimal, exponent: PyDecimal, whole: bigint, isNegative: boolean): PyDecimal {
  let precision = PRECISION + exponent.length + exponent.exponent + 2;
  let factor = new PyDecimal(false, base.coefficient, base.exponent);
  if (whole < 0n) {
    precision += 1;
    factor = divide(ONE, factor, precision);
  }
  const bits = (whole < 0n ? -whole : whole).toString(2);
  let result = fitted(false, factor.coefficient, factor.exponent, precision);
  for (const bit of bits.slice(1)) {
    result = times(result, result, precision);
    if (bit === "1") result = times(result, factor, precision);
  }
  return fitted(isNegative, result.coefficient, result.exponent);
}

function times(a: PyDecimal, b: PyDecimal, precision: number): PyDecimal {
  return fitted(false, a.coefficient * b.coefficient, a.exponent + b.exponent, precision);
}

/** Negative, 0 or positive; of numbers and infinities. */
export function compared(a: PyDecimal, b: PyDecimal): number {
  if (a.special === "inf" || b.special === "inf") {
    const size = (x: PyDecimal): number => (x.special === "inf" ? (x.isNegative ? -1 : 1) : 0);
    return size(a) - size(b);
  }
  if (a.isZero && b.isZero) return 0;
  const sign = (x: PyDecimal): number => (x.isZero ? 0 : x.isNegative ? -1 : 1);
  if (sign(a) !== sign(b)) return sign(a) - sign(b);
  const direction = sign(a);
  if (a.adjusted !== b.adjusted) return direction * (a.adjusted - b.adjusted);
  const exponent = Math.min(a.exponent, b.exponent);
  const [x, y] = [rescaled(a, exponent).coefficient, rescaled(b, exponent).coefficient];
  return x === y ? 0 : direction * (x > y ? 1 : -1);
}

/** As IEEE 754 orders numbers that are equal: by sign and exponent. */
export function comparedTotally(a: PyDecimal, b: PyDecimal): number {
  const difference = compared(a, b);
  if (difference !== 0) return difference;
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
  return (a.isNegative ? -1 : 1) * (a.exponent - b.exponent);
}

export function squareRoot(x: PyDecimal): PyDecimal {
  const nan = nanOf(x);
  if (nan !== null) return nan;
  const half = Math.floor(x.exponent / 2);
  if (x.isZero) return fitted(x.isNegative, 0n, half);
  if (x.isNegative) throw signalled("InvalidOperation");
  if (x.special === "inf") return x;
  const precision = PRECISION + 1;
  const isOdd = x.exponent - 2 * half === 1;
  const length = isOdd ? (x.length >> 1) + 1 : (x.length + 1) >> 1;
  const shift = precision - length;
  let square = isOdd ? x.coefficient * 10n : x.coefficient;
  let isExact = true;
  if (shift >= 0) square *= powerOfTen(2 * shift);
  else {
    const unit = powerOfTen(-2 * shift);
    isExact = square % unit === 0n;
    square /= unit;
  }
  let root = integerRoot(square);
  let exponent = half - shift;
  if (isExact && root * root === square) {
    root = shift >= 0 ? root / powerOfTen(shift) : root * powerOfTen(-shift);
    exponent += shift;
  } else if (root % 5n === 0n) root += 1n;
  return fitted(false, root, exponent);
}

/** The largest int whose square is not above `square`. */
function integerRoot(square: bigint): bigint {
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Rounded, without zeros at its end. */
export function normalized(x: PyDecimal): PyDecimal {
  if (x.special !== "") return nanOf(x) ?? x;
  const { isNegative, coefficient, exponent } = fitted(x.isNegative, x.coefficient, x.exponent);
  if (coefficient === 0n) return new PyDecimal(isNegative, 0n, 0);
  return new PyDecimal(isNegative, ...withoutZeros(coefficient, exponent, Number.POSITIVE_INFINITY));
}

/** To the nearest int in a direction, for numbers. */
export function floored({ isNegative, coefficient, exponent }: PyDecimal, rounding: Rounding): bigint {
  const size =
    exponent >= 0 ? coefficient * powerOfTen(exponent) : withoutDigits(coefficient, -exponent, isNegative, rounding);
  return isNegative ? -size : size;
}
