/**
 * Decimal digits of floats, rounded as CPython does: half to even on the exact binary value. The engine's toFixed and toExponential are exact too,
 * but round a tie away from zero; so they serve only where there cannot be one.
 */
import { trimEnd } from "../unicode/trim.ts";

/** `0.digits * 10 ** point`; without trailing zeros, `"0"` for zero. `isNegative` also for -0.0. */
export type Decimal = { readonly isNegative: boolean; readonly digits: string; readonly point: number };

/** Digits that the engine writes at most. */
const MOST_OF_ENGINE = 100;
const LARGEST_FIXED = 1e21;

/** The fewest digits that read back as the same float. */
export function shortest(value: number): Decimal {
  return decimalOf(value, Math.abs(value).toExponential());
}

/** `count` significant digits, at least one. */
export function significant(value: number, count: number): Decimal {
  const size = Math.abs(value);
  if (size === 0) return zero(value);
  if (count <= MOST_OF_ENGINE) {
    const written = size.toExponential(count - 1);
    const exponent = exponentOf(written);
    // A tie is half a unit of the last digit. Such a float is a whole number of 2 ** -(n + 1), or at least whole above the point.
    const places = count - exponent;
    if (places > 0 && !Number.isInteger(size * 2 ** places)) return decimalOf(value, written);
  }
  // toExponential may have rounded up to the next power of ten; the exact exponent is that or one less.
  let point = exponentOf(size.toExponential(MOST_OF_ENGINE)) + 1;
  let scaled = rounded(size, count - point);
  if (scaled.toString().length > count) {
    point += 1;
    scaled = rounded(size, count - point);
  }
  return trimmed(value < 0, scaled.toString(), point);
}

/** `places` digits after the point, which may be 0. */
export function fixed(value: number, places: number): Decimal {
  const size = Math.abs(value);
  if (size === 0) return zero(value);
  let scaled: string;
  if (places <= MOST_OF_ENGINE && size < LARGEST_FIXED && !Number.isInteger(size * 2 ** (places + 1))) {
    scaled = size.toFixed(places).replace(".", "").replace(/^0+/, "");
  } else scaled = rounded(size, places).toString();
  if (scaled === "0" || scaled === "") return zero(value);
  return trimmed(value < 0, scaled, scaled.length - places);
}

function zero(value: number): Decimal {
  return { isNegative: value < 0 || Object.is(value, -0), digits: "0", point: 1 };
}

const isZero = (unit: number): boolean => unit === 48;

function trimmed(isNegative: boolean, digits: string, point: number): Decimal {
  return { isNegative, digits: trimEnd(digits, isZero) || "0", point };
}

function exponentOf(written: string): number {
  return Number(written.slice(written.indexOf("e") + 1));
}

function decimalOf(value: number, written: string): Decimal {
  if (value === 0) return zero(value);
  const end = written.indexOf("e");
  return trimmed(value < 0, written.slice(0, end).replace(".", ""), Number(written.slice(end + 1)) + 1);
}

const MANTISSA_BITS = 52n;
const BIAS = 1075n;
const view = new DataView(new ArrayBuffer(8));

/** `size * 10 ** places` as an int, half to even. */
function rounded(size: number, places: number): bigint {
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const stored = bits >> MANTISSA_BITS;
  const fraction = bits & ((1n << MANTISSA_BITS) - 1n);
  let above = stored === 0n ? fraction : fraction | (1n << MANTISSA_BITS);
  const power = (stored === 0n ? 1n : stored) - BIAS;
  let below = 1n;
  if (power >= 0n) above <<= power;
  else below <<= -power;
  if (places >= 0) above *= 10n ** BigInt(places);
  else below *= 10n ** BigInt(-places);
  const whole = above / below;
  const twice = (above - whole * below) * 2n;
  return twice > below || (twice === below && (whole & 1n) === 1n) ? whole + 1n : whole;
}
