/** Values of Arrow columns as JSON texts: whole numbers with all digits, floats that stay floats, dates and times as ISO 8601. */
import { floatText } from "../../../vm/inputs/exact-text.ts";
import { type ArrowType, KIND } from "./kinds.ts";
import { RowProblem } from "./row-text.ts";

/** How the value at `at` is read; `bytes`: of each value. */
export type Scalar = { readonly bytes: number; readonly text: (view: DataView, at: number) => string };

/** null: not a type whose values all have the same number of bytes, or not one that frames can hold. */
export function scalarOf(type: ArrowType): Scalar | null {
  switch (type.typeId) {
    case KIND.int:
      return INTEGERS[`${type.isSigned ? "int" : "uint"}${type.bitWidth}`] ?? null;
    case KIND.float:
      return FLOATS[type.precision ?? -1] ?? null;
    case KIND.decimal:
      return decimalOf(type);
    case KIND.date:
      return DATES[type.unit ?? -1] ?? null;
    case KIND.timestamp:
      return timestampOf(type);
    default:
      return null;
  }
}

const INTEGERS: Readonly<Record<string, Scalar>> = {
  int8: { bytes: 1, text: (view, at) => String(view.getInt8(at)) },
  int16: { bytes: 2, text: (view, at) => String(view.getInt16(at, true)) },
  int32: { bytes: 4, text: (view, at) => String(view.getInt32(at, true)) },
  int64: { bytes: 8, text: (view, at) => String(view.getBigInt64(at, true)) },
  uint8: { bytes: 1, text: (view, at) => String(view.getUint8(at)) },
  uint16: { bytes: 2, text: (view, at) => String(view.getUint16(at, true)) },
  uint32: { bytes: 4, text: (view, at) => String(view.getUint32(at, true)) },
  uint64: { bytes: 8, text: (view, at) => String(view.getBigUint64(at, true)) },
};

/** By precision: half, single, double. */
const FLOATS: readonly Scalar[] = [
  { bytes: 2, text: (view, at) => float(halfOf(view.getUint16(at, true))) },
  { bytes: 4, text: (view, at) => float(view.getFloat32(at, true)) },
  { bytes: 8, text: (view, at) => float(view.getFloat64(at, true)) },
];

function float(value: number): string {
  if (!Number.isFinite(value)) throw new RowProblem(`is ${value}, which no frame can hold; write null instead`);
  return Object.is(value, -0) ? "-0.0" : floatText(value);
}

/** One bit of sign, five of exponent, ten of fraction. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** As text with all digits: a JSON number would become a float. */
function decimalOf({ bitWidth = 0, scale = -1 }: ArrowType): Scalar | null {
  if (![32, 64, 128, 256].includes(bitWidth) || scale < 0 || scale > 76) return null;
  const bytes = bitWidth / 8;
  return {
    bytes,
    text: (view, at) => {
      let value = 0n;
      for (let word = bytes - 4; word >= 0; word -= 4) value = (value << 32n) | BigInt(view.getUint32(at + word, true));
      const signed = BigInt.asIntN(bitWidth, value);
      const digits = String(signed < 0n ? -signed : signed).padStart(scale + 1, "0");
      const whole = digits.slice(0, digits.length - scale);
      return `"${signed < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(-scale)}`}"`;
    },
  };
}

const DAY_MS = 86_400_000n;
/** By unit: days, milliseconds. */
const DATES: readonly Scalar[] = [
  { bytes: 4, text: (view, at) => `"${dateText(BigInt(view.getInt32(at, true)) * DAY_MS)}"` },
  {
    bytes: 8,
    text: (view, at) => {
      const value = view.getBigInt64(at, true);
      if (value % DAY_MS !== 0n) throw new RowProblem("is a date that is not a whole number of days");
      return `"${dateText(value)}"`;
    },
  },
];

/** By unit: digits of a second. */
const FRACTION_DIGITS: readonly number[] = [0, 3, 6, 9];

/** A column with a zone holds points in time, which are written in UTC; one without holds what a clock showed. */
function timestampOf({ unit = -1, timezone = null }: ArrowType): Scalar | null {
  const digits = FRACTION_DIGITS[unit];
  if (digits === undefined) return null;
  const second = 10n ** BigInt(digits);
  const zone = timezone === null || timezone === "" ? "" : "Z";
  return {
    bytes: 8,
    text: (view, at) => {
      const value = view.getBigInt64(at, true);
      const part = BigInt.asUintN(64, ((value % second) + second) % second);
      const seconds = (value - part) / second;
      const fraction = part === 0n ? "" : `.${String(part).padStart(digits, "0")}`;
      return `"${isoText(seconds * 1000n).slice(0, 19)}${fraction}${zone}"`;
    },
  };
}

const dateText = (ms: bigint): string => isoText(ms).slice(0, 10);

const YEAR_1 = BigInt(Date.parse("0001-01-01T00:00:00Z"));
const YEAR_10000 = BigInt(Date.parse("+010000-01-01T00:00:00Z"));

function isoText(ms: bigint): string {
  if (ms < YEAR_1 || ms >= YEAR_10000) throw new RowProblem("is a date outside of the years 1 to 9999");
  return new Date(Number(ms)).toISOString();
}
