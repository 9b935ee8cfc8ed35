/**
 * Numbers: reading one from a value ("num", docs/runtime.md, values), keeping results finite, and rounding on the exact
 * binary value. Messages name types, never values. Must not know of functions or text positions.
 */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { typeName } from "./values.ts";

function numberRange(): OperationFailure {
  return new OperationFailure("number out of range", "number_range");
}

/** A result as it is stored: finite, and 0 for -0. */
export function finite(result: number): number {
  if (result - result !== 0) throw numberRange();
  return result + 0;
}

/** No two parts can match the same digits, so matching is linear. */
const NUMBER_TEXT = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The number `value` stands for, NaN when it stands for none. */
export function numberOrNaN(value: Json): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string") return Number.NaN;
  const text = value.trim();
  if (!NUMBER_TEXT.test(text)) return Number.NaN;
  const number = Number(text);
  return Number.isFinite(number) ? number + 0 : Number.NaN;
}

export function readNumber(value: Json): number {
  if (typeof value === "number") return value;
  const number = numberOrNaN(value);
  if (Number.isNaN(number)) throw new OperationFailure(`not a number: ${typeName(value)}`, "type_error");
  return number;
}

/** Cut towards zero. */
export function readWhole(value: Json): number {
  return Math.trunc(readNumber(value)) + 0;
}

const bits = new DataView(new ArrayBuffer(8));

/** `x` as whole · 2^exponent, exactly. */
function exactParts(x: number): { readonly whole: bigint; readonly exponent: number } {
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { whole: x < 0 ? -magnitude : magnitude, exponent: (biased === 0 ? 1 : biased) - 1075 };
}

/** The whole number nearest to x · 10^digits, half to even, computed on the exact binary value of x. */
function scaledWhole(x: number, digits: number): bigint {
  const { whole, exponent } = exactParts(x);
  let above = whole < 0n ? -whole : whole;
  let below = 1n;
  if (digits >= 0) above *= 10n ** BigInt(digits);
  else below *= 10n ** BigInt(-digits);
  if (exponent >= 0) above <<= BigInt(exponent);
  else below <<= BigInt(-exponent);
  let quotient = above / below;
  const twice = (above % below) * 2n;
  if (twice > below || (twice === below && (quotient & 1n) === 1n)) quotient += 1n;
  return whole < 0n ? -quotient : quotient;
}

export function roundHalfEven(x: number, digits: number): number {
  if (digits >= 0 && Number.isInteger(x)) return x;
  if (digits === 0) {
    const low = Math.floor(x);
    const rest = x - low;
    return finite(rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1);
  }
  return finite(Number(`${scaledWhole(x, digits)}e${-digits}`));
}

/** Plain decimal notation with exactly `digits` decimals. */
export function fixedText(x: number, digits: number): string {
  const scaled = scaledWhole(x, digits);
  const sign = scaled < 0n ? "-" : "";
  const figures = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, "0");
  if (digits === 0) return sign + figures;
  const point = figures.length - digits;
  return `${sign}${figures.slice(0, point)}.${figures.slice(point)}`;
}
