/** Formats of floats: `e f g %` and repr, with the exact rounding of `digits.ts`. */
import { notExact } from "../not-exact.ts";
import { type Decimal, fixed, shortest, significant } from "./digits.ts";
import { layOutNumber } from "./layout.ts";
import { type Spec, unknownType } from "./spec.ts";

/** How a float is written: `r` is repr. */
type Code = "e" | "f" | "g" | "r";

type Style = {
  /** Keeps the point and trailing zeros (`#`). */
  readonly isAlternate: boolean;
  /** A whole number ends with `.0`. */
  readonly addsPointZero: boolean;
  readonly dropsNegativeZero: boolean;
};

const DEFAULT_PRECISION = 6;
const PLAIN: Style = { isAlternate: false, addsPointZero: false, dropsNegativeZero: false };

/** A float as the `%` operator writes it with `e E f F g G`; `-` in front of a negative one. */
export function floatText(value: number, type: string, precision: number | null, isAlternate: boolean): string {
  const code = type.toLowerCase() as Code;
  const text = write(value, code, precision ?? DEFAULT_PRECISION, { ...PLAIN, isAlternate });
  return type === code ? text : text.toUpperCase();
}

export function formatFloat(value: number, spec: Readonly<Spec>): string {
  const { type, precision } = spec;
  let code: Code;
  let places = precision ?? DEFAULT_PRECISION;
  let addsPointZero = false;
  switch (type) {
    case "":
      addsPointZero = true;
      code = precision === null ? "r" : "g";
      break;
    case "e":
    case "E":
      code = "e";
      break;
    case "f":
    case "F":
    case "%":
      code = "f";
      break;
    case "g":
    case "G":
      code = "g";
      break;
    case "n":
      throw notExact("the format code 'n' depends on a locale; use 'g' or ','");
    default:
      return unknownType(type, "float");
  }
  if (code === "r") places = 0;
  const { isAlternate, dropsNegativeZero } = spec;
  let text = write(type === "%" ? value * 100 : value, code, places, {
    isAlternate,
    addsPointZero,
    dropsNegativeZero,
  });
  const isNegative = text.startsWith("-");
  if (isNegative) text = text.slice(1);
  if (type === "E" || type === "F" || type === "G") text = text.toUpperCase();
  const digits = /^\d*/.exec(text)?.[0] ?? "";
  const rest = text.slice(digits.length) + (type === "%" ? "%" : "");
  return layOutNumber(spec, { isNegative, prefix: "", digits, rest, group: 3 });
}

/** Where repr goes over to an exponent. */
const LARGEST_REPR_POINT = 16;
const SMALLEST_POINT = -4;

/** As CPython's format_float_short. */
function write(value: number, code: Code, precision: number, style: Style): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const count = code === "g" ? Math.max(1, precision) : precision;
  const decimal = digitsFor(value, code, count);
  const { digits, point } = decimal;
  const isNegative = decimal.isNegative && !(style.dropsNegativeZero && digits === "0");
  let usesExponent = code === "e";
  if (code === "g") usesExponent = point <= SMALLEST_POINT || point > count - (style.addsPointZero ? 1 : 0);
  if (code === "r") usesExponent = point <= SMALLEST_POINT || point > LARGEST_REPR_POINT;
  let end = digits.length;
  if (code === "e") end = count + 1;
  else if (code === "f") end = point + count;
  else if (code === "g" && style.isAlternate) end = count;
  const shown = usesExponent ? 1 : point;
  if (!usesExponent && style.addsPointZero) end = Math.max(end, shown + 1);
  else end = Math.max(end, shown);
  const zeros = shown <= 0 ? 1 - shown : 0;
  const all = "0".repeat(zeros) + digits.padEnd(end, "0");
  const whole = all.slice(0, zeros + shown);
  const fraction = all.slice(zeros + shown, zeros + end);
  let text = (isNegative ? "-" : "") + whole;
  if (fraction !== "" || style.isAlternate) text += `.${fraction}`;
  if (usesExponent) {
    const exponent = point - 1;
    text += `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return text;
}

function digitsFor(value: number, code: Code, count: number): Decimal {
  switch (code) {
    case "e":
      return significant(value, count + 1);
    case "f":
      return fixed(value, count);
    case "g":
      return significant(value, count);
    case "r":
      return shortest(value);
  }
}
