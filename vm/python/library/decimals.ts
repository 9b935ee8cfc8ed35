/** The module decimal, in CPython's default context. */
import "../decimals/slots.ts";
import {
  compared,
  comparedTotally,
  floored,
  fusedMultiplyAdd,
  nanOf,
  normalized,
  plus,
  squareRoot,
} from "../decimals/arithmetic.ts";
import {
  CONDITIONS,
  checkedDecimal,
  DECIMAL_TYPE,
  fitted,
  HALF_EVEN,
  PyDecimal,
  powerOfTen,
  ROUNDINGS,
  type Rounding,
  rescaled,
  type Special,
  signalled,
} from "../decimals/decimal.ts";
import { decimalFromFloat, decimalFromInt, finite, operandOf, PyDecimalTuple, quantized } from "../decimals/slots.ts";
import { decimalFromText } from "../decimals/text.ts";
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { intOf, PyFloat } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { Bytes, type Context, type NativeRun, type Natives, type Value } from "../object.ts";
import { isFloat, isInt } from "../operations.ts";
import { intValue } from "../operators/numbers.ts";
import { nameOf } from "./arguments.ts";
import { greatestDivisor } from "./modules/math/integers.ts";
import type { Part } from "./registry.ts";
import { pair } from "./values/iterators.ts";

function counted(ctx: Context, number: PyDecimal): PyDecimal {
  ctx.alloc(Bytes.Object);
  return number;
}

/** Rounding follows the default context: no other one can be made. */
function refuseContext(context: Value): void {
  if (context !== null) throw raised(TYPE_ERROR, "optional argument must be a context");
}

function constructed(ctx: Context, value: Value, context: Value): Value {
  refuseContext(context);
  return counted(ctx, converted(ctx, value));
}

function converted(ctx: Context, value: Value): PyDecimal {
  if (typeof value === "string") return decimalFromText(value, ctx);
  const number = operandOf(value);
  if (number !== undefined) return number;
  if (isFloat(value)) return decimalFromFloat(value instanceof PyFloat ? value.value : value);
  if (value instanceof PyTuple || value instanceof PyList) return fromParts(value.items);
  throw raised(TYPE_ERROR, `conversion from ${nameOf(value)} to Decimal is not supported`);
}

const SPECIALS: Readonly<Record<string, Special>> = { F: "inf", n: "nan", N: "snan" };

/** `(sign, digits, exponent)`. */
function fromParts(parts: readonly Value[]): PyDecimal {
  const [sign, digits, exponent] = parts;
  if (parts.length !== 3) throw raised(VALUE_ERROR, "argument must be a sequence of length 3");
  if (sign !== 0 && sign !== 1) throw raised(VALUE_ERROR, "sign must be an integer with the value 0 or 1");
  const special = typeof exponent === "string" ? SPECIALS[exponent] : "";
  if (special === undefined) throw raised(VALUE_ERROR, "string argument in the third position must be 'F', 'n' or 'N'");
  if (special === "" && !isInt(exponent as Value)) throw raised(VALUE_ERROR, "exponent must be an integer");
  if (special === "inf") return new PyDecimal(sign === 1, 0n, 0, special);
  const isDigit = (digit: Value): boolean => typeof digit === "number" && digit >= 0 && digit <= 9;
  if (!(digits instanceof PyTuple || digits instanceof PyList) || !digits.items.every(isDigit))
    throw raised(VALUE_ERROR, "coefficient must be a tuple of digits");
  const coefficient = BigInt(digits.items.length === 0 ? 0 : digits.items.join(""));
  if (special !== "") return new PyDecimal(sign === 1, coefficient, 0, special);
  return checkedDecimal(sign === 1, coefficient, Number(exponent));
}

function self(value: Value): PyDecimal {
  if (value instanceof PyDecimal) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of Decimal was called on a value of type ${nameOf(value)}`);
}

/** Another number of a method: a float is refused. */
function argument(value: Value): PyDecimal {
  const number = operandOf(value);
  if (number !== undefined) return number;
  throw raised(TYPE_ERROR, `conversion from ${nameOf(value)} to Decimal is not supported`);
}

const ROUNDING_FAULT = [
  "valid values for rounding are:",
  "  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,",
  "   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,",
  "   ROUND_05UP]",
].join("\n");

function roundingOf(value: Value): Rounding {
  if (value === null) return HALF_EVEN;
  const known = ROUNDINGS.find((name) => name === value);
  if (known === undefined) throw raised(TYPE_ERROR, ROUNDING_FAULT);
  return known;
}

function quantize(ctx: Context, value: Value, exp: Value, rounding: Value, context: Value): Value {
  refuseContext(context);
  const [number, model] = [self(value), argument(exp)];
  const way = roundingOf(rounding);
  const nan = nanOf(number, model);
  if (nan !== null) return nan;
  if (number.special === "inf" || model.special === "inf") {
    if (number.special !== model.special) throw signalled("InvalidOperation");
    return number;
  }
  return counted(ctx, quantized(number, model.exponent, way));
}

function integral(ctx: Context, value: Value, rounding: Value, context: Value): Value {
  refuseContext(context);
  const number = self(value);
  const way = roundingOf(rounding);
  if (number.special !== "") return nanOf(number) ?? number;
  return number.exponent >= 0 ? number : counted(ctx, rescaled(number, 0, way));
}

/** Methods without further arguments that give a decimal. */
function unary(compute: (number: PyDecimal) => PyDecimal): NativeRun {
  return (ctx, value: Value, context: Value) => {
    refuseContext(context ?? null);
    return counted(ctx, compute(self(value)));
  };
}

function is(test: (number: PyDecimal) => boolean): NativeRun {
  return (_, value: Value) => test(self(value));
}

/** `max` and `min`: a number is taken before a quiet nan. */
function extreme(direction: 1 | -1): NativeRun {
  return (ctx, value: Value, other: Value, context: Value) => {
    refuseContext(context);
    const [a, b] = [self(value), argument(other)];
    if (a.isNan !== b.isNan && a.special !== "snan" && b.special !== "snan") return counted(ctx, plus(a.isNan ? b : a));
    const nan = nanOf(a, b);
    return counted(ctx, nan ?? unsigned(comparedTotally(a, b) * direction >= 0 ? a : b));
  };
}

/** Rounded, but of zeros the sign stays. */
function unsigned(number: PyDecimal): PyDecimal {
  return number.isZero ? number : plus(number);
}

function compare(ctx: Context, value: Value, other: Value, context: Value): Value {
  refuseContext(context);
  const [a, b] = [self(value), argument(other)];
  return counted(ctx, nanOf(a, b) ?? decimalFromInt(Math.sign(compared(a, b))));
}

function scaled(ctx: Context, value: Value, other: Value, context: Value): Value {
  refuseContext(context);
  const [number, by] = [self(value), argument(other)];
  const nan = nanOf(number, by);
  if (nan !== null) return nan;
  if (by.special !== "" || by.exponent !== 0 || by.coefficient > 2_000_054n) throw signalled("InvalidOperation");
  if (number.special === "inf") return number;
  const exponent = number.exponent + Number(floored(by, "ROUND_DOWN"));
  return counted(ctx, fitted(number.isNegative, number.coefficient, exponent));
}

function parts(ctx: Context, value: Value): Value {
  const { isNegative, coefficient, exponent, special } = self(value);
  const digits = special === "nan" && coefficient === 0n ? [] : [...coefficient.toString()].map(Number);
  ctx.alloc(2 * Bytes.Object + (3 + digits.length) * Bytes.Element);
  const last = special === "" ? exponent : (Object.entries(SPECIALS).find(([, one]) => one === special)?.[0] ?? "");
  return new PyDecimalTuple([Number(isNegative), new PyTuple(digits), last]);
}

function ratio(ctx: Context, value: Value): Value {
  const { isNegative, coefficient, exponent } = finite(self(value), "integer ratio");
  ctx.charge(Math.abs(exponent));
  const top = coefficient * powerOfTen(Math.max(0, exponent));
  const bottom = powerOfTen(Math.max(0, -exponent));
  const divisor = greatestDivisor(ctx, top, bottom);
  return pair(ctx, intOf((isNegative ? -top : top) / divisor), intOf(bottom / divisor));
}

function signed(number: PyDecimal, isNegative: boolean): PyDecimal {
  return new PyDecimal(isNegative, number.coefficient, number.exponent, number.special);
}

const natives: Natives = {
  "decimal.Decimal": constructed,
  "decimal.Decimal.from_float"(ctx, value: Value) {
    if (isInt(value)) return counted(ctx, decimalFromInt(intValue(value)));
    if (isFloat(value)) return counted(ctx, converted(ctx, value));
    throw raised(TYPE_ERROR, "argument must be int or float");
  },
  "decimal.Decimal.quantize": quantize,
  "decimal.Decimal.to_integral": integral,
  "decimal.Decimal.to_integral_value": integral,
  "decimal.Decimal.to_integral_exact": integral,
  "decimal.Decimal.normalize": unary(normalized),
  "decimal.Decimal.sqrt": unary(squareRoot),
  "decimal.Decimal.copy_abs": unary((number) => signed(number, false)),
  "decimal.Decimal.copy_negate": unary((number) => signed(number, !number.isNegative)),
  "decimal.Decimal.copy_sign"(ctx, value: Value, other: Value, context: Value) {
    refuseContext(context);
    return counted(ctx, signed(self(value), argument(other).isNegative));
  },
  "decimal.Decimal.compare": compare,
  "decimal.Decimal.max": extreme(1),
  "decimal.Decimal.min": extreme(-1),
  "decimal.Decimal.scaleb": scaled,
  "decimal.Decimal.fma"(ctx, value: Value, other: Value, third: Value, context: Value) {
    refuseContext(context);
    return counted(ctx, fusedMultiplyAdd(self(value), argument(other), argument(third)));
  },
  "decimal.Decimal.adjusted": (_, value: Value) => (self(value).special === "" ? self(value).adjusted : 0),
  "decimal.Decimal.as_tuple": parts,
  "decimal.Decimal.as_integer_ratio": ratio,
  "decimal.Decimal.is_nan": is(({ isNan }) => isNan),
  "decimal.Decimal.is_infinite": is(({ special }) => special === "inf"),
  "decimal.Decimal.is_finite": is(({ special }) => special === ""),
  "decimal.Decimal.is_zero": is(({ isZero }) => isZero),
  "decimal.Decimal.is_signed": is(({ isNegative }) => isNegative),
};

export const DECIMALS: Part = {
  natives,
  types: {
    "decimal.Decimal": DECIMAL_TYPE,
    "decimal.DecimalException": CONDITIONS.DecimalException,
    "decimal.InvalidOperation": CONDITIONS.InvalidOperation,
    "decimal.DivisionByZero": CONDITIONS.DivisionByZero,
    "decimal.Overflow": CONDITIONS.Overflow,
  },
  values: Object.fromEntries(ROUNDINGS.map((name) => [`decimal.${name}`, name])),
};
