/** Durations: how they are made from numbers and what arithmetic does with them, rounded as CPython rounds (half to even). */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR, ZERO_DIVISION_ERROR } from "../exceptions.ts";
import { PyTimedelta } from "../kinds/dates.ts";
import { PyFloat } from "../kinds/float.ts";
import { typeOf, type Value } from "../object.ts";
import { quotient } from "../operators/integers.ts";
import { isFloat, isInt } from "../operators/numbers.ts";
import { DAY_MICROS } from "./calendar.ts";

const MAX_MICROS = 999_999_999n * DAY_MICROS + DAY_MICROS - 1n;
const MIN_MICROS = -999_999_999n * DAY_MICROS;

export function timedelta(micros: bigint): PyTimedelta {
  if (micros > MAX_MICROS || micros < MIN_MICROS) throw raised(OVERFLOW_ERROR, beyond(micros));
  return new PyTimedelta(micros);
}

/** CPython counts days in an `int` of C. */
function beyond(micros: bigint): string {
  const days = (micros - (((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS)) / DAY_MICROS;
  return days > 0x7fffffffn || days < -0x80000000n
    ? "Python int too large to convert to C int"
    : `days=${days}; must have magnitude <= 999999999`;
}

export function bigOf(value: number | bigint | boolean): bigint {
  return BigInt(value);
}

/** Microseconds of the units, in the order in which CPython adds them up. */
const UNITS: readonly (readonly [name: string, micros: bigint])[] = [
  ["microseconds", 1n],
  ["milliseconds", 1_000n],
  ["seconds", 1_000_000n],
  ["minutes", 60_000_000n],
  ["hours", 3_600_000_000n],
  ["days", DAY_MICROS],
  ["weeks", 7n * DAY_MICROS],
];

/** Fractions of microseconds are added up as floats and rounded once. */
export function sumOfUnits(amounts: { readonly [unit: string]: Value }): PyTimedelta {
  let micros = 0n;
  let left = 0;
  for (const [unit, factor] of UNITS) {
    const amount = amounts[unit] as Value;
    if (isInt(amount)) {
      micros += bigOf(amount) * factor;
      continue;
    }
    if (!isFloat(amount))
      throw raised(TYPE_ERROR, `unsupported type for timedelta ${unit} component: ${typeOf(amount).name}`);
    const float = amount instanceof PyFloat ? amount.value : amount;
    const whole = wholeOf(float);
    micros += BigInt(whole) * factor;
    const fraction = float - whole;
    if (fraction === 0) continue;
    const more = Number(factor) * fraction;
    micros += BigInt(Math.trunc(more));
    left += more - Math.trunc(more);
  }
  return timedelta(micros + BigInt(roundedHalfEven(left, (micros & 1n) === 1n)));
}

function wholeOf(float: number): number {
  if (Number.isNaN(float)) throw raised(VALUE_ERROR, "cannot convert float NaN to integer");
  if (!Number.isFinite(float)) throw raised(OVERFLOW_ERROR, "cannot convert float infinity to integer");
  return Math.trunc(float);
}

const roundAway = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5) + 0;

/** To the int that makes the sum with an odd or even one even. */
function roundedHalfEven(left: number, isOdd: boolean): number {
  const whole = roundAway(left);
  if (Math.abs(whole - left) !== 0.5) return whole;
  const odd = isOdd ? 1 : 0;
  return 2 * roundAway((left + odd) * 0.5) - odd;
}

/** The nearest int, half to even. */
export function divideNearest(a: bigint, b: bigint): bigint {
  if (b === 0n) throw raised(ZERO_DIVISION_ERROR, "integer division or modulo by zero");
  const floor = floorDivide(a, b);
  const twice = (a - floor * b) * 2n;
  const size = b < 0n ? -b : b;
  const rest = twice < 0n ? -twice : twice;
  return rest > size || (rest === size && (floor & 1n) === 1n) ? floor + 1n : floor;
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const cut = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? cut - 1n : cut;
}

/** A float as the quotient of two ints. */
export function ratioOf(float: number): readonly [bigint, bigint] {
  if (Number.isNaN(float)) throw raised(VALUE_ERROR, "cannot convert NaN to integer ratio");
  if (!Number.isFinite(float)) throw raised(OVERFLOW_ERROR, "cannot convert Infinity to integer ratio");
  let above = float;
  let below = 1n;
  while (!Number.isInteger(above)) {
    above *= 2;
    below *= 2n;
  }
  return [BigInt(above), below];
}

/** The float that is nearest to the quotient. */
export function floatQuotient(a: bigint, b: bigint): number {
  if (b === 0n) throw raised(ZERO_DIVISION_ERROR, "division by zero");
  return quotient(a, b);
}

export function totalSeconds({ micros }: PyTimedelta): number {
  return floatQuotient(micros, 1_000_000n);
}
