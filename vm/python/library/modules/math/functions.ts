/**
 * Functions of floats of the module math. What the engine's own functions round otherwise than the C library is computed with twice the
 * precision; docs/python.md says how far a last bit can still differ.
 */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR } from "../../../exceptions.ts";
import { PyFloat } from "../../../kinds/float.ts";
import type { PyTuple } from "../../../kinds/list.ts";
import { notExact } from "../../../not-exact.ts";
import { type Context, type NativeRun, type Natives, typeOf, type Value } from "../../../object.ts";
import { isNumber } from "../../../operations.ts";
import {
  add,
  type Double2,
  divide,
  exactProduct,
  exponential,
  LN2,
  logarithm,
  multiply,
  negate,
  scale,
  sineAndCosine,
  squareRoot,
} from "../../../operators/double-double.ts";
import { power } from "../../../operators/floats.ts";
import { bitLength } from "../../../operators/integers.ts";
import { doubleOf, isInt, madeFloat } from "../../../operators/numbers.ts";
import { indexOf, pair } from "../../values/iterators.ts";
import { errorFunction } from "./erf.ts";

/** An argument that has to be a real number. */
export function realOf(value: Value): number {
  if (isNumber(value)) return doubleOf(value);
  const real = typeOf(value).slots.real?.(value);
  if (real !== undefined) return real;
  throw raised(TYPE_ERROR, `must be real number, not ${typeOf(value).name}`);
}

const domain = () => raised(VALUE_ERROR, "math domain error");
const range = () => raised(OVERFLOW_ERROR, "math range error");

/** A function of one float. nan out of a number is outside of the domain; infinity is an overflow, or a pole where `isPole`. */
function unary(f: (x: number) => number, isPole = false): NativeRun {
  return (ctx, x: Value) => {
    const value = realOf(x);
    const result = f(value);
    if (Number.isNaN(result) && !Number.isNaN(value)) throw domain();
    if (!Number.isFinite(result) && Number.isFinite(value)) throw isPole ? domain() : range();
    return madeFloat(result, ctx);
  };
}

/** `math.exp` */
export function exp(x: number): number {
  if (!Number.isFinite(x) || x === 0) return Math.exp(x);
  if (x > 710 || x < -746) return x > 0 ? Number.POSITIVE_INFINITY : 0;
  const [value, scaling] = exponential([x, 0]);
  return scale(value, scaling)[0];
}

function isPlain(x: number): boolean {
  return x > 0 && Number.isFinite(x) && x !== 1;
}

/** `math.log` */
export function log(x: number): number {
  return isPlain(x) ? logarithm([x, 0])[0] : Math.log(x);
}

function log2(x: number): number {
  return isPlain(x) ? divide(logarithm([x, 0]), LN2)[0] : Math.log2(x);
}

/** Beyond this size the engine's own functions are used: the reduction by pi is not exact there. */
const MAX_ANGLE = 1e6;

function trigonometric(own: (x: number) => number, result: (sine: Double2, cosine: Double2) => Double2) {
  return (x: number): number =>
    x === 0 || !(Math.abs(x) <= MAX_ANGLE) || Math.abs(x) < 1e-8 ? own(x) : result(...sineAndCosine([x, 0]))[0];
}

/** One step of Newton's method from the engine's result. */
function inverse(own: (x: number) => number, step: (x: number, sine: Double2, cosine: Double2) => Double2) {
  return (x: number): number => {
    const guess = own(x);
    if (guess === 0 || Number.isNaN(guess) || !Number.isFinite(x) || Math.abs(guess) < 1e-8) return guess;
    const better = add([guess, 0], step(x, ...sineAndCosine([guess, 0])));
    return Number.isFinite(better[0]) ? better[0] : guess;
  };
}

const asin = inverse(Math.asin, (x, sine, cosine) => divide(add([x, 0], negate(sine)), cosine));
const acos = inverse(Math.acos, (x, sine, cosine) => divide(add(cosine, [-x, 0]), sine));
const atan = inverse(Math.atan, (x, sine, cosine) =>
  divide(add(multiply([x, 0], cosine), negate(sine)), add(cosine, multiply([x, 0], sine))),
);

function atan2(y: number, x: number): number {
  const guess = Math.atan2(y, x);
  const size = Math.abs(guess);
  const inRange = (value: number): boolean => Math.abs(value) > 1e-140 && Math.abs(value) < 1e140;
  if (!inRange(x) || !inRange(y) || size < 1e-8) return guess;
  const [sine, cosine] = sineAndCosine([guess, 0]);
  const across = add(multiply([y, 0], cosine), negate(multiply([x, 0], sine)));
  const along = add(multiply([x, 0], cosine), multiply([y, 0], sine));
  return add([guess, 0], divide(across, along))[0];
}

// The C library computes these from its exp and log.

function cosh(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x)) return size;
  if (size < 0.34657359027997264) {
    const small = Math.expm1(size);
    const whole = 1 + small;
    return size < 2.7755575615628914e-17 ? whole : 1 + (small * small) / (whole + whole);
  }
  if (size > 22) return size > 709 ? Math.cosh(x) : exp(size) / 2;
  const power = exp(size);
  return power / 2 + 0.5 / power;
}

function asinh(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || size < 2 ** -28) return x;
  let result: number;
  if (size > 2 ** 28) result = log(size) + LN2[0];
  else if (size > 2) result = log(2 * size + 1 / (Math.sqrt(x * x + 1) + size));
  else result = Math.log1p(size + (x * x) / (1 + Math.sqrt(1 + x * x)));
  return x < 0 ? -result : result;
}

function acosh(x: number): number {
  if (!(x >= 1) || x === Number.POSITIVE_INFINITY) return Math.acosh(x);
  if (x > 2 ** 28) return log(x) + LN2[0];
  if (x > 2) return log(2 * x - 1 / (x + Math.sqrt(x * x - 1)));
  const rest = x - 1;
  return Math.log1p(rest + Math.sqrt(2 * rest + rest * rest));
}

/** A logarithm, also of ints beyond the range of floats. */
function logarithmOf(x: Value, f: (x: number) => number, ofTwo: number): number {
  if (typeof x === "bigint") {
    if (x <= 0n) throw domain();
    const bits = bitLength(x);
    if (bits > 1000) {
      const shift = bits - 64;
      return f(Number(x >> BigInt(shift)) * 2 ** -64) + ofTwo * bits;
    }
  }
  const value = realOf(x);
  if (value <= 0) throw domain();
  return f(value);
}

/** The root of a sum of squares, without overflow in between. */
export function norm(values: readonly number[]): number {
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  if (values.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  if (Number.isNaN(largest) || values.some(Number.isNaN)) return Number.NaN;
  if (largest === 0) return 0;
  const exponent = Math.max(-1000, Math.min(1000, Math.floor(Math.log2(largest))));
  let sum: Double2 = [0, 0];
  for (const value of values) {
    const [scaled] = scale([value, 0], -exponent);
    sum = add(sum, exactProduct(scaled, scaled));
  }
  return scale(squareRoot(sum), exponent)[0];
}

function fmod(ctx: Context, x: Value, y: Value): Value {
  const [a, b] = [realOf(x), realOf(y)];
  const result = a % b;
  if (Number.isNaN(result) && !Number.isNaN(a) && !Number.isNaN(b)) throw domain();
  return madeFloat(result, ctx);
}

/** As IEEE 754 defines it: what is left of the quotient rounded half to even. */
function remainder(ctx: Context, x: Value, y: Value): Value {
  const [a, b] = [realOf(x), realOf(y)];
  if (Number.isNaN(a) || Number.isNaN(b)) return madeFloat(Number.NaN, ctx);
  if (b === 0 || !Number.isFinite(a)) throw domain();
  if (!Number.isFinite(b)) return madeFloat(a, ctx);
  const size = Math.abs(b);
  const rest = Math.abs(a) % size;
  const other = size - rest;
  let result = rest;
  if (rest > other) result = -other;
  else if (rest === other) result = rest - 2 * ((0.5 * (Math.abs(a) - rest)) % size);
  return madeFloat(a < 0 || Object.is(a, -0) ? -result : result, ctx);
}

function pow(ctx: Context, x: Value, y: Value): Value {
  const [a, b] = [realOf(x), realOf(y)];
  if (b === 0 || a === 1) return madeFloat(1, ctx);
  if (a === -1 && !Number.isFinite(b) && !Number.isNaN(b)) return madeFloat(1, ctx);
  const result = Number.isFinite(a) && Number.isFinite(b) ? power(a, b) : a ** b;
  if (Number.isFinite(a) && Number.isFinite(b)) {
    if (Number.isNaN(result)) throw domain();
    if (!Number.isFinite(result)) throw a === 0 ? domain() : range();
  }
  return madeFloat(result, ctx);
}

/** value = mantissa * 2^exponent, with a mantissa between a half and 1. */
function split(value: number): [mantissa: number, exponent: number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1022, Math.floor(Math.log2(Math.abs(value))) + 1);
  let mantissa = scale([value, 0], -exponent)[0];
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent += 1;
  }
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent -= 1;
  }
  return [mantissa, exponent];
}

function ldexp(ctx: Context, x: Value, i: Value): Value {
  const value = realOf(x);
  if (!isInt(i)) throw raised(TYPE_ERROR, "Expected an int as second argument to ldexp.");
  if (value === 0 || !Number.isFinite(value)) return madeFloat(value, ctx);
  const [mantissa, exponent] = split(value);
  const power = exponent + Number(indexOf(i));
  if (power > 1024) throw range();
  if (power < -1080) return madeFloat(value < 0 ? -0 : 0, ctx);
  // Only the last of the factors rounds.
  const result = power > -1021 ? mantissa * 2 ** (power - 1) * 2 : mantissa * 2 ** -53 * 2 ** (power + 53);
  if (!Number.isFinite(result)) throw range();
  return madeFloat(result, ctx);
}

const DEFAULT_TOLERANCE = 1e-9;
const buffer = new DataView(new ArrayBuffer(8));

function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? 5e-324 : -5e-324;
  buffer.setFloat64(0, x);
  const bits = buffer.getBigInt64(0);
  buffer.setBigInt64(0, x < y === x > 0 ? bits + 1n : bits - 1n);
  return buffer.getFloat64(0);
}

function ulp(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return size;
  const next = nextAfter(size, Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next - size : size - nextAfter(size, 0);
}

export const FUNCTIONS: Natives = {
  "math.sqrt": unary(Math.sqrt),
  "math.exp": unary(exp),
  "math.exp2": unary((x) => power(2, x)),
  "math.erf": unary(errorFunction),
  "math.expm1": unary(Math.expm1),
  "math.log1p": unary(Math.log1p, true),
  "math.sin": unary(trigonometric(Math.sin, (sine) => sine)),
  "math.cos": unary(trigonometric(Math.cos, (_, cosine) => cosine)),
  "math.tan": unary(trigonometric(Math.tan, (sine, cosine) => divide(sine, cosine))),
  "math.asin": unary(asin),
  "math.acos": unary(acos),
  "math.atan": unary(atan),
  "math.sinh": unary(Math.sinh),
  "math.cosh": unary(cosh),
  "math.tanh": unary(Math.tanh),
  "math.asinh": unary(asinh),
  "math.acosh": unary(acosh),
  "math.atanh": unary(Math.atanh, true),
  "math.fabs": unary(Math.abs),
  "math.degrees": unary((x) => x * (180 / Math.PI)),
  "math.radians": unary((x) => x * (Math.PI / 180)),
  "math.ulp": unary(ulp),
  "math.log"(ctx, x: Value, base: Value | undefined) {
    const numerator = logarithmOf(x, log, LN2[0]);
    if (base === undefined) return madeFloat(numerator, ctx);
    const denominator = logarithmOf(base, log, LN2[0]);
    if (denominator === 0) throw raised(ZERO_DIVISION_ERROR, "float division by zero");
    return madeFloat(numerator / denominator, ctx);
  },
  "math.log2": (ctx, x: Value) => madeFloat(logarithmOf(x, log2, 1), ctx),
  "math.log10": (ctx, x: Value) => madeFloat(logarithmOf(x, Math.log10, Math.LOG10E * Math.LN2), ctx),
  "math.pow": pow,
  "math.atan2": (ctx, y: Value, x: Value) => madeFloat(atan2(realOf(y), realOf(x)), ctx),
  "math.hypot": (ctx, coordinates: PyTuple) => {
    const result = norm(coordinates.items.map(realOf));
    return madeFloat(result, ctx);
  },
  "math.fmod": fmod,
  "math.remainder": remainder,
  "math.copysign"(ctx, x: Value, y: Value) {
    const [size, sign] = [Math.abs(realOf(x)), realOf(y)];
    if (Number.isNaN(sign)) throw notExact("the sign of nan is not known; test for it with math.isnan");
    return madeFloat(sign < 0 || Object.is(sign, -0) ? -size : size, ctx);
  },
  "math.modf"(ctx, x: Value) {
    const value = realOf(x);
    const whole = Math.trunc(value);
    const rest = Number.isFinite(value) ? value - whole : Number.isNaN(value) ? value : 0;
    const isNegative = value < 0 || Object.is(value, -0);
    const signed = (part: number): number => (isNegative ? -Math.abs(part) : part);
    return pair(ctx, madeFloat(signed(rest), ctx), madeFloat(signed(whole), ctx));
  },
  "math.frexp"(ctx, x: Value) {
    const [mantissa, exponent] = split(realOf(x));
    return pair(ctx, madeFloat(mantissa, ctx), exponent);
  },
  "math.ldexp": ldexp,
  "math.nextafter": (ctx, x: Value, y: Value) => madeFloat(nextAfter(realOf(x), realOf(y)), ctx),
  "math.isnan": (_, x: Value) => Number.isNaN(realOf(x)),
  "math.isinf"(_, x: Value) {
    const value = realOf(x);
    return !Number.isFinite(value) && !Number.isNaN(value);
  },
  "math.isfinite": (_, x: Value) => Number.isFinite(realOf(x)),
  "math.isclose"(_, a: Value, b: Value, relTol: Value | undefined, absTol: Value) {
    const relative = relTol === undefined ? DEFAULT_TOLERANCE : realOf(relTol);
    const [x, y, absolute] = [realOf(a), realOf(b), realOf(absTol)];
    if (relative < 0 || absolute < 0) throw raised(VALUE_ERROR, "tolerances must be non-negative");
    if (x === y) return true;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
    const difference = Math.abs(y - x);
    return difference <= Math.abs(relative * y) || difference <= Math.abs(relative * x) || difference <= absolute;
  },
};

export const CONSTANTS: { readonly [name: string]: Value } = {
  "math.pi": Math.PI,
  "math.e": Math.E,
  "math.tau": 2 * Math.PI,
  "math.inf": new PyFloat(Number.POSITIVE_INFINITY),
  "math.nan": new PyFloat(Number.NaN),
};
