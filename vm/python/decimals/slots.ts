/** What operators and builtins do with decimals. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { intOf, PyFloat } from "../kinds/float.ts";
import { PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context, fillSlots, type Key, type PyType, type Value } from "../object.ts";
import { compoundKey, identityKey } from "../operators/keys.ts";
import { intValue, isFloat, isInt } from "../operators/numbers.ts";
import { isInOrder } from "../operators/texts.ts";
import { nameElements } from "../types/named-tuple.ts";
import { compared, floored, nanOf, negated, operated, plus, wholeNumber, withoutZeros } from "./arithmetic.ts";
import { checkedDecimal, DECIMAL_TYPE, PRECISION, PyDecimal, type Rounding, rescaled, signalled } from "./decimal.ts";
import { decimalText, formatDecimal } from "./text.ts";

/** The decimal of a value that operators take as one; undefined: they do not. */
export function operandOf(value: Value): PyDecimal | undefined {
  if (value instanceof PyDecimal) return value;
  return isInt(value) ? decimalFromInt(intValue(value)) : undefined;
}

export function decimalFromInt(value: number | bigint): PyDecimal {
  return checkedDecimal(value < 0, BigInt(value < 0 ? -value : value), 0);
}

/** All digits of a float. */
export function decimalFromFloat(value: number): PyDecimal {
  const isNegative = value < 0 || Object.is(value, -0);
  if (Number.isNaN(value)) return new PyDecimal(false, 0n, 0, "nan");
  if (!Number.isFinite(value)) return new PyDecimal(isNegative, 0n, 0, "inf");
  let halvings = 0;
  let scaled = Math.abs(value);
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    halvings += 1;
  }
  return new PyDecimal(isNegative, BigInt(scaled) * 5n ** BigInt(halvings), -halvings);
}

/** The other side of a comparison, which may be a float. */
function comparableOf(value: Value): PyDecimal | undefined {
  return isFloat(value) ? decimalFromFloat(value instanceof PyFloat ? value.value : value) : operandOf(value);
}

/** Its int would have more digits than a key is made of. */
const MOST_DIGITS_OF_KEY = 10_000;

/** Numbers that are equal have the key of the simplest kind: an int, then a float. */
function keyOf(self: PyDecimal): Key {
  if (self.special === "snan") throw raised(TYPE_ERROR, "Cannot hash a signaling NaN value");
  if (self.special === "nan") return identityKey(self);
  if (self.special === "inf") return self.isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (self.isZero) return 0;
  if (Math.abs(self.adjusted) > MOST_DIGITS_OF_KEY)
    throw notExact(`a Decimal beyond ${MOST_DIGITS_OF_KEY} digits cannot be a key`);
  const whole = wholeNumber(self);
  if (whole !== null) return intOf(whole);
  const float = floatOfDecimal(self);
  if (Number.isFinite(float) && compared(decimalFromFloat(float), self) === 0) return float;
  const [coefficient, exponent] = withoutZeros(self.coefficient, self.exponent, Number.POSITIVE_INFINITY);
  return compoundKey("decimal", [self.isNegative ? -coefficient : coefficient, exponent]);
}

function floatOfDecimal(self: PyDecimal): number {
  if (self.special === "inf") return self.isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (self.special === "snan") throw raised(VALUE_ERROR, "cannot convert signaling NaN to float");
  if (self.special === "nan") return Number.NaN;
  return Number(`${self.isNegative ? "-" : ""}${self.coefficient}e${self.exponent}`);
}

/** The number, for a conversion to an int or a ratio. */
export function finite(self: PyDecimal, into: string): PyDecimal {
  if (self.isNan) throw raised(VALUE_ERROR, `cannot convert NaN to ${into}`);
  if (self.special === "inf") throw raised(OVERFLOW_ERROR, `cannot convert Infinity to ${into}`);
  return self;
}

/** As `round` and `quantize` give it: no more than 28 digits. */
export function quantized(self: PyDecimal, exponent: number, rounding?: Rounding): PyDecimal {
  const isLonger = (number: PyDecimal): boolean => !number.isZero && number.adjusted - exponent >= PRECISION;
  if (isLonger(self)) throw signalled("InvalidOperation");
  const result = rescaled(self, exponent, rounding);
  if (isLonger(result)) throw signalled("InvalidOperation");
  return result;
}

/** Methods that are not built. */
const UNBUILT: ReadonlySet<string> = new Set(
  "canonical conjugate radix same_quantum number_class to_eng_string is_qnan is_snan is_canonical is_normal is_subnormal exp ln log10 logb logical_and logical_or logical_xor logical_invert next_minus next_plus next_toward remainder_near rotate shift compare_signal compare_total compare_total_mag max_mag min_mag".split(
    " ",
  ),
);

fillSlots<PyDecimal>(DECIMAL_TYPE, {
  truth: (self) => !self.isZero,
  equals(self, other) {
    const number = comparableOf(other);
    if (number === undefined) return undefined;
    if (self.special === "snan" || number.special === "snan") throw signalled("InvalidOperation");
    return !self.isNan && !number.isNan && compared(self, number) === 0;
  },
  order(self, op, other) {
    const number = comparableOf(other);
    if (number === undefined) return undefined;
    if (self.isNan || number.isNan) throw signalled("InvalidOperation");
    return isInOrder(op, compared(self, number));
  },
  key: keyOf,
  repr: (self, ctx) => `Decimal('${decimalText(self, ctx)}')`,
  text: (self, ctx) => decimalText(self, ctx),
  format: (self, spec, ctx) => (spec === "" ? decimalText(self, ctx) : formatDecimal(self, spec, ctx)),
  binary(self, op, other, ctx) {
    const number = operandOf(other);
    return number === undefined ? undefined : counted(ctx, operated(op, self, number));
  },
  reflected(self, op, other, ctx) {
    const number = operandOf(other);
    return number === undefined ? undefined : counted(ctx, operated(op, number, self));
  },
  divmod(a, b, ctx) {
    const [x, y] = [operandOf(a), operandOf(b)];
    if (x === undefined || y === undefined) return undefined;
    const isDivided = x.special === "" && !x.isZero && y.isZero;
    if (isDivided) throw signalled("InvalidOperation", "DivisionByZero");
    const both = [operated("//", x, y), operated("%", x, y)] as [PyDecimal, PyDecimal];
    ctx.alloc(3 * Bytes.Object + 2 * Bytes.Element);
    return new PyTuple(both);
  },
  unary(self, op, ctx) {
    if (op === "~") return undefined;
    if (self.isNan) return nanOf(self) ?? self;
    const isFlipped = op === "-" || (op === "abs" && self.isNegative);
    return counted(ctx, plus(isFlipped ? negated(self) : self));
  },
  whole(self, rounding, ctx) {
    const number = finite(self, "integer");
    ctx.charge(Math.max(0, number.exponent));
    return intOf(floored(number, rounding));
  },
  real: floatOfDecimal,
  round(self, digits, ctx) {
    if (self.special === "inf") throw signalled("InvalidOperation");
    return nanOf(self) ?? (counted(ctx, quantized(self, -digits)) as PyDecimal);
  },
  attribute(self, name) {
    if (UNBUILT.has(name))
      throw notExact(`${name} of a Decimal is not supported; functions of math take it as a float`);
    return name === "real" ? self : name === "imag" ? decimalFromInt(0) : undefined;
  },
});

/** What an operator made. */
function counted(ctx: Context, result: PyDecimal | undefined): PyDecimal | undefined {
  if (result !== undefined) ctx.alloc(Bytes.Object);
  return result;
}

// as_tuple

export class PyDecimalTuple extends PyTuple {
  declare readonly type: PyType;
}
nameElements(PyDecimalTuple, "decimal.DecimalTuple", ["sign", "digits", "exponent"]);
