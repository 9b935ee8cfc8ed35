/** Decimals as texts: read, written, and laid out by a format. */
import { Raised, raised, VALUE_ERROR } from "../exceptions.ts";
import { layOutNumber } from "../format/layout.ts";
import { parseSpec, type Spec } from "../format/spec.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context } from "../object.ts";
import { digitValue, isSpace } from "../unicode/sets.ts";
import { trimEnd, trimStart } from "../unicode/trim.ts";
import { checkedDecimal, digitCount, PyDecimal, rescaled, type Special, signalled, withoutDigits } from "./decimal.ts";

const NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const NAN = /^([+-]?)(s?)nan(\d*)$/i;
/** The largest exponent that is looked at. */
const MOST_DIGITS_OF_EXPONENT = 15;

/** The number that a text says. */
export function decimalFromText(text: string, ctx: Context): PyDecimal {
  ctx.charge(text.length);
  const written = plain(trimStart(trimEnd(text, isSpace), isSpace));
  const number = NUMBER.exec(written);
  if (number !== null) {
    const [, sign, whole = "", fraction = "", exponent = "0"] = number;
    if (exponent.length > MOST_DIGITS_OF_EXPONENT) throw notExact("the exponent of a Decimal is too large");
    ctx.charge((whole.length + fraction.length) ** 2 / 1000);
    return checkedDecimal(sign === "-", BigInt(whole + fraction), Number(exponent) - fraction.length);
  }
  const infinite = INFINITE.exec(written);
  if (infinite !== null) return new PyDecimal(infinite[1] === "-", 0n, 0, "inf");
  const nan = NAN.exec(written);
  if (nan === null) throw signalled("ConversionSyntax");
  const [, sign, signalling, payload = ""] = nan;
  return new PyDecimal(sign === "-", BigInt(payload === "" ? 0 : payload), 0, signalling === "" ? "nan" : "snan");
}

/** With the digits of any script as those of ASCII, and no underscores. */
function plain(text: string): string {
  let result = "";
  for (const char of text.replaceAll("_", "")) {
    const digit = char < "\x80" ? -1 : digitValue(char.codePointAt(0) as number);
    result += digit < 0 ? char : String(digit);
  }
  return result;
}

const SPECIALS: Readonly<Record<Exclude<Special, "">, string>> = { inf: "Infinity", nan: "NaN", snan: "sNaN" };

function specialText({ special, coefficient }: PyDecimal): string {
  if (special === "") return "";
  return SPECIALS[special] + (special === "inf" || coefficient === 0n ? "" : coefficient.toString());
}

/** As `str` gives it. */
export function decimalText(x: PyDecimal, ctx: Context): string {
  const sign = x.isNegative ? "-" : "";
  if (x.special !== "") return sign + specialText(x);
  const { whole, fraction, exponent } = cut(x, pointOf(x), ctx);
  const power = exponent === 0 ? "" : `E${exponent < 0 ? "" : "+"}${exponent}`;
  return sign + whole + (fraction === "" ? "" : `.${fraction}`) + power;
}

/** Digits before the point. */
function pointOf({ coefficient, exponent }: PyDecimal): number {
  const left = exponent + digitCount(coefficient);
  return exponent <= 0 && left > -6 ? left : 1;
}

type Digits = { readonly whole: string; readonly fraction: string; readonly exponent: number };

function cut({ coefficient, exponent }: PyDecimal, point: number, ctx: Context): Digits {
  const digits = coefficient.toString();
  ctx.room((digits.length + Math.abs(point)) * Bytes.Unit);
  const left = exponent + digits.length;
  const rest = left - point;
  if (point <= 0) return { whole: "0", fraction: "0".repeat(-point) + digits, exponent: rest };
  return { whole: digits.slice(0, point).padEnd(point, "0"), fraction: digits.slice(point), exponent: rest };
}

const FORMATTED = new Set("eEfFgG%");

/** `format(x, spec)`. */
export function formatDecimal(x: PyDecimal, text: string, ctx: Context): string {
  const spec = specOf(text);
  const { type } = spec;
  const end = type === "%" ? "%" : "";
  if (x.special !== "") {
    const isFilled = spec.fill === "0" && spec.align === "=";
    const blank: Spec = isFilled ? { ...spec, fill: " ", align: ">" } : { ...spec };
    const parts = { isNegative: x.isNegative, prefix: "", digits: "", rest: specialText(x) + end, group: 3 } as const;
    return layOutNumber({ ...blank, grouping: "" }, parts);
  }
  const shifted = type === "%" ? new PyDecimal(x.isNegative, x.coefficient, x.exponent + 2) : x;
  const rounded = roundedFor(shifted, spec, ctx);
  const isNegative = x.isNegative && !(spec.dropsNegativeZero && rounded.isZero);
  const { whole, fraction, exponent } = cut(rounded, pointFor(rounded, spec), ctx);
  let rest = fraction === "" ? "" : `.${fraction}`;
  if (exponent !== 0 || "eE".includes(type || "x"))
    rest += `${type === "e" || type === "g" ? "e" : "E"}${exponent < 0 ? "" : "+"}${exponent}`;
  return layOutNumber(spec, { isNegative, prefix: "", digits: whole, rest: rest + end, group: 3 });
}

/** A decimal knows fewer forms than a float, and says so in other words. */
function specOf(text: string): Readonly<Spec> {
  let spec: Readonly<Spec>;
  try {
    spec = parseSpec(text, "decimal.Decimal", "", ">");
  } catch (error) {
    throw error instanceof Raised ? invalid() : error;
  }
  if (spec.type === "n") throw notExact("the format code 'n' depends on a locale; use 'g' or ','");
  const isKnown = (spec.type === "" || FORMATTED.has(spec.type)) && spec.grouping !== "_" && !spec.isAlternate;
  // Zeros in front of a width are an alignment of their own.
  if (!isKnown || /^(?:.?[<>^=])[-+ ]?z?0/su.test(text)) throw invalid();
  return spec;
}

function invalid(): Raised {
  return raised(VALUE_ERROR, "invalid format string");
}

function roundedFor(x: PyDecimal, { type, precision }: Spec, ctx: Context): PyDecimal {
  const isFixed = "fF%".includes(type || "x");
  let rounded = x;
  if (precision !== null) {
    if (isFixed) {
      ctx.room((precision + Math.max(0, x.adjusted)) * Bytes.Unit);
      rounded = rescaled(x, -precision);
    } else if (type === "" || "gG".includes(type)) {
      const digits = Math.max(1, precision);
      if (x.length > digits) rounded = significant(x, digits);
    } else if (!x.isZero) rounded = significant(x, precision + 1);
  }
  return isFixed && rounded.isZero && rounded.exponent > 0 ? rescaled(rounded, 0) : rounded;
}

/** With this number of digits, zeros among them. */
function significant(x: PyDecimal, digits: number): PyDecimal {
  const exponent = x.exponent + x.length - digits;
  const rounded = rescaled(x, exponent);
  // 9.99 became 10.0
  if (rounded.length <= digits) return rounded;
  return new PyDecimal(x.isNegative, withoutDigits(rounded.coefficient, 1, x.isNegative), exponent + 1);
}

function pointFor(x: PyDecimal, { type, precision }: Spec): number {
  switch (type) {
    case "e":
    case "E":
      return x.isZero && precision !== null ? 1 - precision : 1;
    case "f":
    case "F":
    case "%":
      return x.exponent + x.length;
    default:
      return pointOf(x);
  }
}
