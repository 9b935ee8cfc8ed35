/** `int`, `float`, `bool` with their methods, and builtins of numbers. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR } from "../../exceptions.ts";
import { PyBytes } from "../../kinds/bytes.ts";
import { intOf, PyFloat } from "../../kinds/float.ts";
import {
  BOOL_TYPE,
  type Context,
  FLOAT_TYPE,
  fillSlots,
  INT_TYPE,
  type Natives,
  typeOf,
  type Value,
} from "../../object.ts";
import { binary, isNumber, unary } from "../../operations.ts";
import { computed } from "../../operators/binary.ts";
import { truth } from "../../operators/compare.ts";
import { floatDivmod } from "../../operators/floats.ts";
import { bitLength, floorDivideInts, type Int, moduloInts, powerModulo } from "../../operators/integers.ts";
import { doubleOf, intValue, isFloat, isInt, madeFloat, type PyNumber } from "../../operators/numbers.ts";
import type { Part } from "../registry.ts";
import { indexOf, pair } from "./iterators.ts";
import { FORMS } from "./number-forms.ts";
import { floatFromText, intFromText } from "./number-texts.ts";
import { ratioOf, round, wholeOf } from "./rounding.ts";

function makeInt(ctx: Context, x: Value | undefined, base: Value | undefined): Value {
  if (base !== undefined) {
    if (x === undefined) throw raised(TYPE_ERROR, "int() missing string argument");
    const radix = Number(indexOf(base));
    if (radix !== 0 && (radix < 2 || radix > 36)) throw raised(VALUE_ERROR, "int() base must be >= 2 and <= 36, or 0");
    if (typeof x !== "string" && !(x instanceof PyBytes))
      throw raised(TYPE_ERROR, "int() can't convert non-string with explicit base");
    return intFromText(x, radix, ctx);
  }
  if (x === undefined) return 0;
  if (typeof x === "string" || x instanceof PyBytes) return intFromText(x, 10, ctx);
  if (isInt(x)) return intValue(x);
  if (isFloat(x)) return wholeOf(Math.trunc(x instanceof PyFloat ? x.value : x));
  const whole = typeOf(x).slots.whole?.(x, "ROUND_DOWN", ctx);
  if (whole !== undefined) return whole;
  throw raised(
    TYPE_ERROR,
    `int() argument must be a string, a bytes-like object or a real number, not '${typeOf(x).name}'`,
  );
}

/** `float(x)` */
export function makeFloat(ctx: Context, x: Value | undefined): Value {
  if (x === undefined) return madeFloat(0, ctx);
  if (typeof x === "string" || x instanceof PyBytes) return madeFloat(floatFromText(x, ctx), ctx);
  if (isFloat(x)) return x;
  if (isInt(x)) return madeFloat(doubleOf(x), ctx);
  const real = typeOf(x).slots.real?.(x);
  if (real !== undefined) return madeFloat(real, ctx);
  throw raised(TYPE_ERROR, `float() argument must be a string or a real number, not '${typeOf(x).name}'`);
}

/** `divmod(a, b)`. */
function divmod(ctx: Context, a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    const [x, y] = [intValue(a), intValue(b)];
    return pair(ctx, floorDivideInts(x, y, ctx), moduloInts(x, y, ctx));
  }
  if (isNumber(a) && isNumber(b)) {
    const [x, y] = [doubleOf(a), doubleOf(b)];
    if (y === 0) throw raised(ZERO_DIVISION_ERROR, "float divmod()");
    const [quotient, rest] = floatDivmod(x, y);
    return pair(ctx, madeFloat(quotient, ctx), madeFloat(rest, ctx));
  }
  const both = typeOf(a).slots.divmod?.(a, b, ctx) ?? typeOf(b).slots.divmod?.(a, b, ctx);
  if (both !== undefined) return both;
  const quotient = typeof a === "string" ? undefined : computed("//", a, b, ctx);
  const rest = quotient === undefined ? undefined : computed("%", a, b, ctx);
  if (quotient !== undefined && rest !== undefined) return pair(ctx, quotient, rest);
  throw raised(TYPE_ERROR, `unsupported operand type(s) for divmod(): '${typeOf(a).name}' and '${typeOf(b).name}'`);
}

function pow(ctx: Context, base: Value, exponent: Value, modulus: Value): Value {
  if (modulus === null) return binary("**", base, exponent, ctx);
  if (isInt(base) && isInt(exponent) && isInt(modulus))
    return powerModulo(intValue(base), intValue(exponent), intValue(modulus), ctx);
  if (isNumber(base) && isNumber(exponent) && isNumber(modulus))
    throw raised(TYPE_ERROR, "pow() 3rd argument not allowed unless all arguments are integers");
  const names = [base, exponent, modulus].map((one) => `'${typeOf(one).name}'`).join(", ");
  throw raised(TYPE_ERROR, `unsupported operand type(s) for ** or pow(): ${names}`);
}

function inBase(prefix: string, radix: number) {
  return (ctx: Context, number: Value): Value => {
    const value = indexOf(number);
    ctx.charge(bitLength(value) / 16);
    const digits = (value < 0 ? -value : value).toString(radix);
    ctx.alloc(digits.length * 2);
    return `${value < 0 ? "-" : ""}${prefix}${digits}`;
  };
}

function bitCount(value: Int, ctx: Context): number {
  ctx.charge(bitLength(value) / 4);
  const digits = (value < 0 ? -value : value).toString(2);
  let count = 0;
  for (const digit of digits) if (digit === "1") count += 1;
  return count;
}

function plainFloat(float: number | PyFloat): number {
  return float instanceof PyFloat ? float.value : float;
}

function floatRatio(ctx: Context, float: number | PyFloat): Value {
  const value = plainFloat(float);
  if (Number.isNaN(value)) throw raised(VALUE_ERROR, "cannot convert NaN to integer ratio");
  if (!Number.isFinite(value)) throw raised(OVERFLOW_ERROR, "cannot convert Infinity to integer ratio");
  const [numerator, shift] = ratioOf(value);
  return pair(ctx, intOf(numerator), intOf(1n << BigInt(shift)));
}

const natives: Natives = {
  ...FORMS,
  int: makeInt,
  float: makeFloat,
  bool: (ctx, x: Value) => truth(x, ctx),
  abs: (ctx, x: Value) => absolute(x, ctx),
  round,
  divmod,
  pow,
  bin: inBase("0b", 2),
  oct: inBase("0o", 8),
  hex: inBase("0x", 16),
  "int.bit_length": (_, self: Int | boolean) => bitLength(intValue(self)),
  "int.bit_count": (ctx, self: Int | boolean) => bitCount(intValue(self), ctx),
  "int.conjugate": (_, self: Int | boolean) => intValue(self),
  "int.as_integer_ratio": (ctx, self: Int | boolean) => pair(ctx, intValue(self), 1),
  "float.is_integer": (_, self: number | PyFloat) => Number.isInteger(plainFloat(self)),
  "float.conjugate": (_, self: number | PyFloat) => self,
  "float.as_integer_ratio": floatRatio,
};

/** `abs(x)` */
export function absolute(x: Value, ctx: Context): Value {
  if (isNumber(x)) {
    if (isFloat(x)) return madeFloat(Math.abs(plainFloat(x)), ctx);
    const int = intValue(x);
    return int < 0 ? unary("-", int, ctx) : int;
  }
  const result = typeOf(x).slots.unary?.(x, "abs", ctx);
  if (result !== undefined) return result;
  throw raised(TYPE_ERROR, `bad operand type for abs(): '${typeOf(x).name}'`);
}

fillSlots<Int | boolean>(INT_TYPE, {
  attribute(self, name) {
    if (name === "real" || name === "numerator") return intValue(self);
    return name === "imag" ? 0 : name === "denominator" ? 1 : undefined;
  },
});
fillSlots<PyNumber>(FLOAT_TYPE, {
  attribute: (self, name, ctx) => (name === "real" ? (self as Value) : name === "imag" ? madeFloat(0, ctx) : undefined),
});

export const NUMBERS: Part = { natives, types: { int: INT_TYPE, float: FLOAT_TYPE, bool: BOOL_TYPE } };
