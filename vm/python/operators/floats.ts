/** Arithmetic of floats as CPython's floatobject.c does it. */
import { OVERFLOW_ERROR, raised, ZERO_DIVISION_ERROR } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import type { Operator } from "../object.ts";
import { divide, exponential, logarithm, multiply, scale, wholePower } from "./double-double.ts";

/** Quotient and rest, both rounded as float_divmod rounds them. */
export function floatDivmod(a: number, b: number): [quotient: number, rest: number] {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest === 0) rest = b < 0 ? -0 : 0;
  else if (b < 0 !== rest < 0) {
    rest += b;
    quotient -= 1;
  }
  if (quotient === 0) return [a / b < 0 || Object.is(a / b, -0) ? -0 : 0, rest];
  const floor = Math.floor(quotient);
  return [quotient - floor > 0.5 ? floor + 1 : floor, rest];
}

/** `a % b` alone: CPython computes it apart from the quotient. */
function modulo(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return b < 0 !== rest < 0 ? rest + b : rest;
}

export function floatPower(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1;
  if (Number.isNaN(base)) return base;
  if (Number.isNaN(exponent)) return exponent;
  if (!Number.isFinite(exponent)) {
    const size = Math.abs(base);
    if (size === 1) return 1;
    return exponent > 0 === size > 1 ? Number.POSITIVE_INFINITY : 0;
  }
  if (base === 0 && exponent < 0) throw raised(ZERO_DIVISION_ERROR, "0.0 cannot be raised to a negative power");
  if (base < 0 && Number.isFinite(base) && !Number.isInteger(exponent))
    throw notExact("a negative number raised to a fraction is a complex number, which is not supported; use abs()");
  const result = power(base, exponent);
  if (!Number.isFinite(result) && Number.isFinite(base))
    throw raised(OVERFLOW_ERROR, 34, "Numerical result out of range");
  return result;
}

/** Results in this range keep all digits of what is computed on the way. */
const SAFE_RANGE = 1e140;
const MAX_SQUARINGS = 64;

/** The nearest float, where the engine's own power may be the one next to it. */
export function power(base: number, exponent: number): number {
  if (exponent === 1) return base;
  if (exponent === 2) return base * base;
  if (exponent === -1) return 1 / base;
  const estimate = base ** exponent;
  if (estimate === 0 || !Number.isFinite(estimate) || base === 0) return estimate;
  if (exponent === 0.5) return Math.sqrt(base);
  const size = Math.abs(estimate);
  if (Number.isInteger(exponent) && Math.abs(exponent) <= MAX_SQUARINGS && size < SAFE_RANGE && size > 1 / SAFE_RANGE) {
    const whole = wholePower(base, Math.abs(exponent));
    return exponent > 0 ? whole[0] : divide([1, 0], whole)[0];
  }
  const [value, scaling] = exponential(multiply(logarithm([Math.abs(base), 0]), [exponent, 0]));
  return Math.sign(estimate) * scale(value, scaling)[0];
}

export type FloatOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

export function isFloatOperator(op: Operator): op is FloatOperator {
  return op === "+" || op === "-" || op === "*" || op === "/" || op === "//" || op === "%" || op === "**";
}

export function floatArithmetic(op: FloatOperator, a: number, b: number): number {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      if (b === 0) throw raised(ZERO_DIVISION_ERROR, "float division by zero");
      return a / b;
    case "//":
      if (b === 0) throw raised(ZERO_DIVISION_ERROR, "float floor division by zero");
      return floatDivmod(a, b)[0];
    case "%":
      if (b === 0) throw raised(ZERO_DIVISION_ERROR, "float modulo");
      return modulo(a, b);
    case "**":
      return floatPower(a, b);
  }
}

const SMALLEST_PLAIN = 1e-4;
const FIRST_WITH_EXPONENT = 1e16;

/** The shortest digits that give the float again, with an exponent below 1e-4 and from 1e16 on. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return value < 0 ? "-inf" : "inf";
  if (size === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (size >= SMALLEST_PLAIN && size < FIRST_WITH_EXPONENT)
    return Number.isInteger(value) ? `${value}.0` : String(value);
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const sign = exponent.startsWith("-") ? "-" : "+";
  return `${digits}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}
