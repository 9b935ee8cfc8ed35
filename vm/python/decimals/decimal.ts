/**
 * Numbers of the module decimal: the data, the conditions that end an operation, and rounding. All of it is computed as in CPython's default
 * context: 28 digits, half to even, exponents of up to 999,999, and a raise for what is invalid, divides by zero or overflows.
 */
import { ARITHMETIC_ERROR, type Raised, raised, ZERO_DIVISION_ERROR } from "../exceptions.ts";
import { PyList } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { PyObject, PyType, setType } from "../object.ts";

export const PRECISION = 28;
const MOST_EXPONENT = 999_999;
/** Of the last digit. */
const LEAST_EXPONENT = -MOST_EXPONENT - PRECISION + 1;
/** CPython takes more; here a longer number ends the run. */
const MOST_DIGITS = 10_000;

/** "": a number; `nan` is quiet, `snan` is not. */
export type Special = "" | "inf" | "nan" | "snan";

/** `coefficient * 10 ** exponent`; of a nan the coefficient is its payload. */
export class PyDecimal extends PyObject {
  declare readonly type: PyType;
  readonly isNegative: boolean;
  readonly coefficient: bigint;
  readonly exponent: number;
  readonly special: Special;
  constructor(isNegative: boolean, coefficient: bigint, exponent: number, special: Special = "") {
    super();
    this.isNegative = isNegative;
    this.coefficient = coefficient;
    this.exponent = exponent;
    this.special = special;
  }

  get isNan(): boolean {
    return this.special === "nan" || this.special === "snan";
  }

  get isZero(): boolean {
    return this.special === "" && this.coefficient === 0n;
  }

  /** Digits of the coefficient. */
  get length(): number {
    return digitCount(this.coefficient);
  }

  /** Exponent of its first digit. */
  get adjusted(): number {
    return this.exponent + this.length - 1;
  }
}
export const DECIMAL_TYPE = setType(PyDecimal, new PyType("decimal.Decimal"));

export const ONE = new PyDecimal(false, 1n, 0);

export function digitCount(coefficient: bigint): number {
  return coefficient < 1_000_000_000_000_000n ? String(Number(coefficient)).length : coefficient.toString().length;
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

// Conditions

function condition(name: string, ...bases: readonly PyType[]): PyType {
  const all = bases.flatMap((base) => [base, ...base.bases]);
  return new PyType(name, [...new Set(all)], {}, `decimal.${name}`);
}

const DECIMAL_EXCEPTION = condition("DecimalException", ARITHMETIC_ERROR);
const INEXACT = condition("Inexact", DECIMAL_EXCEPTION);
const ROUNDED = condition("Rounded", DECIMAL_EXCEPTION);
const INVALID_OPERATION = condition("InvalidOperation", DECIMAL_EXCEPTION);

/** By their names in the module. */
export const CONDITIONS = {
  DecimalException: DECIMAL_EXCEPTION,
  InvalidOperation: INVALID_OPERATION,
  DivisionByZero: condition("DivisionByZero", DECIMAL_EXCEPTION, ZERO_DIVISION_ERROR),
  Overflow: condition("Overflow", INEXACT, ROUNDED),
  ConversionSyntax: condition("ConversionSyntax", INVALID_OPERATION),
  DivisionImpossible: condition("DivisionImpossible", INVALID_OPERATION),
  DivisionUndefined: condition("DivisionUndefined", INVALID_OPERATION),
} as const satisfies Record<string, PyType>;

/** What an operation raises for its conditions: the exception of the first one's signal, which names them. */
export function signalled(...names: readonly (keyof typeof CONDITIONS)[]): Raised {
  const types = names.map((name) => CONDITIONS[name]);
  const type = types[0] ?? DECIMAL_EXCEPTION;
  return raised(type.isA(INVALID_OPERATION) ? INVALID_OPERATION : type, new PyList(types));
}

// Rounding

export const ROUNDINGS = [
  "ROUND_CEILING",
  "ROUND_FLOOR",
  "ROUND_UP",
  "ROUND_DOWN",
  "ROUND_HALF_UP",
  "ROUND_HALF_DOWN",
  "ROUND_HALF_EVEN",
  "ROUND_05UP",
] as const;
export type Rounding = (typeof ROUNDINGS)[number];
export const HALF_EVEN: Rounding = "ROUND_HALF_EVEN";

/** Without its last `count` digits. */
export function withoutDigits(
  coefficient: bigint,
  count: number,
  isNegative: boolean,
  rounding: Rounding = HALF_EVEN,
): bigint {
  // More digits than it has leave nothing, and it is far below half of a unit.
  const unit = powerOfTen(Math.min(count, digitCount(coefficient) + 1));
  const whole = coefficient / unit;
  const rest = coefficient % unit;
  return rest !== 0n && isAway(whole, 2n * rest - unit, isNegative, rounding) ? whole + 1n : whole;
}

/** Whether a number between two goes to the one that is further from zero. `overHalf`: above zero beyond the middle. */
function isAway(whole: bigint, overHalf: bigint, isNegative: boolean, rounding: Rounding): boolean {
  switch (rounding) {
    case "ROUND_UP":
      return true;
    case "ROUND_DOWN":
      return false;
    case "ROUND_CEILING":
      return !isNegative;
    case "ROUND_FLOOR":
      return isNegative;
    case "ROUND_HALF_UP":
      return overHalf >= 0n;
    case "ROUND_HALF_DOWN":
      return overHalf > 0n;
    case "ROUND_HALF_EVEN":
      return overHalf > 0n || (overHalf === 0n && whole % 2n === 1n);
    case "ROUND_05UP":
      return whole % 5n === 0n;
  }
}

/** The result of an operation, rounded to `precision` digits. */
export function fitted(isNegative: boolean, coefficient: bigint, exponent: number, precision = PRECISION): PyDecimal {
  if (coefficient === 0n)
    return new PyDecimal(isNegative, 0n, Math.min(Math.max(exponent, LEAST_EXPONENT), MOST_EXPONENT));
  const surplus = digitCount(coefficient) - precision;
  const result =
    surplus <= 0
      ? new PyDecimal(isNegative, coefficient, exponent)
      : shortened(isNegative, withoutDigits(coefficient, surplus, isNegative), exponent + surplus, precision);
  if (result.adjusted > MOST_EXPONENT) throw signalled("Overflow");
  if (result.adjusted < -MOST_EXPONENT) throw notExact("a Decimal as small as 1E-999999 is not supported");
  return result;
}

/** Rounding may have made one digit more: 9.99 became 10.0. */
function shortened(isNegative: boolean, coefficient: bigint, exponent: number, precision: number): PyDecimal {
  return digitCount(coefficient) > precision
    ? new PyDecimal(isNegative, coefficient / 10n, exponent + 1)
    : new PyDecimal(isNegative, coefficient, exponent);
}

/** The same number with another exponent, rounded where that takes digits away. */
export function rescaled(number: PyDecimal, exponent: number, rounding: Rounding = HALF_EVEN): PyDecimal {
  const { isNegative, coefficient } = number;
  if (coefficient === 0n) return new PyDecimal(isNegative, 0n, exponent);
  const more = number.exponent - exponent;
  return new PyDecimal(
    isNegative,
    more >= 0 ? coefficient * powerOfTen(more) : withoutDigits(coefficient, -more, isNegative, rounding),
    exponent,
  );
}

/** A number that a program makes, of any length. */
export function checkedDecimal(isNegative: boolean, coefficient: bigint, exponent: number): PyDecimal {
  const made = new PyDecimal(isNegative, coefficient, exponent);
  if (made.length > MOST_DIGITS) throw notExact(`a Decimal of more than ${MOST_DIGITS} digits is not supported`);
  if (Math.abs(made.adjusted) > MOST_EXPONENT || Math.abs(exponent) > MOST_EXPONENT)
    throw notExact(`an exponent above ${MOST_EXPONENT} is not supported in a Decimal`);
  return made;
}
