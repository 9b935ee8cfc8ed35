/** Formats of ints and bools, and the digits of ints. */
import { OVERFLOW_ERROR, raised, VALUE_ERROR } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { intText } from "../operators/text.ts";
import { formatFloat } from "./floats.ts";
import { layOutNumber } from "./layout.ts";
import { NO_PRECISION, parseSpec, type Spec, unknownType } from "./spec.ts";

const BASES: { readonly [type: string]: 2 | 8 | 16 } = { b: 2, o: 8, x: 16, X: 16 };

/** The digits of `type` (d b o x X), without sign and prefix. */
export function digitsOf(value: number | bigint, type: string): string {
  const size = value < 0 ? -value : value;
  const base = BASES[type];
  if (base === undefined) return intText(size);
  const digits = size.toString(base);
  return type === "X" ? digits.toUpperCase() : digits;
}

/** `text`: what an empty spec gives. */
export function formatInt(value: number | bigint, text: string, spec: string, name: string): string {
  if (spec === "") return text;
  const read = parseSpec(spec, name, "d", ">");
  switch (read.type) {
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
    case "c":
      return whole(value, read);
    case "n":
      throw notExact("the format code 'n' depends on a locale; use 'd' or ','");
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
    case "%":
      return formatFloat(floatOfInt(value), read);
    default:
      return unknownType(read.type, name);
  }
}

function floatOfInt(value: number | bigint): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw raised(OVERFLOW_ERROR, "int too large to convert to float");
  return float;
}

function whole(value: number | bigint, spec: Readonly<Spec>): string {
  if (spec.precision !== null) throw raised(VALUE_ERROR, NO_PRECISION);
  if (spec.dropsNegativeZero)
    throw raised(VALUE_ERROR, "Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type === "c") return character(value, spec);
  return layOutNumber(spec, {
    isNegative: value < 0,
    prefix: spec.isAlternate && spec.type !== "d" ? `0${spec.type}` : "",
    digits: digitsOf(value, spec.type),
    rest: "",
    group: spec.type === "d" ? 3 : 4,
  });
}

function character(value: number | bigint, spec: Readonly<Spec>): string {
  if (spec.sign !== "") throw raised(VALUE_ERROR, "Sign not allowed with integer format specifier 'c'");
  if (spec.isAlternate) throw raised(VALUE_ERROR, "Alternate form (#) not allowed with integer format specifier 'c'");
  if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C long");
  const rest = characterOf(value);
  return layOutNumber(spec, { isNegative: false, prefix: "", digits: "", rest, group: 3 });
}

/** The character of a code point, for `c` in both kinds of formats. */
export function characterOf(value: number | bigint): string {
  if (value < 0 || value > 0x10ffff) throw raised(OVERFLOW_ERROR, "%c arg not in range(0x110000)");
  if (value >= 0xd800 && value <= 0xdfff) throw notExact("a text cannot hold a lone surrogate");
  return String.fromCodePoint(Number(value));
}
