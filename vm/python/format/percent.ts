/** `text % args`: formatting as C's printf does it (as CPython's PyUnicode_Format). */
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { PyDeque } from "../kinds/collections.ts";
import { intOf, PyFloat } from "../kinds/float.ts";
import { PyTuple } from "../kinds/list.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { repr, text } from "../operators/text.ts";
import { isPlain, offsetOf, positionOf, textLength } from "../operators/texts.ts";
import { floatText } from "./floats.ts";
import { characterOf, digitsOf } from "./ints.ts";
import { itemNow } from "./item-now.ts";
import { checkedSize } from "./spec.ts";
import { asciiOf } from "./texts.ts";

/** Where the next value comes from. After a named one it is that value alone. */
type Source = { readonly values: readonly Value[]; next: number };

type Conversion = {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly code: string;
};

const MACHINE_WORD = 2 ** 63;
const MACHINE_INT = 0x7fffffff;

export function percentFormat(template: string, args: Value, ctx: Context): string {
  ctx.charge(template.length);
  let source: Source = { values: args instanceof PyTuple ? args.items : [args], next: 0 };
  // A value that can be asked for a key may have more in it than the text uses.
  // CPython asks for subscripts by any key, which deques do not have.
  const isMapping =
    !(args instanceof PyTuple || args instanceof PyDeque || typeof args === "string") &&
    typeOf(args).slots.item !== undefined;
  let result = "";
  for (let at = 0; at < template.length; ) {
    const sign = template.indexOf("%", at);
    if (sign < 0) {
      result += template.slice(at);
      break;
    }
    result += template.slice(at, sign);
    at = sign + 1;
    if (template[at] === "%") {
      result += "%";
      at += 1;
      continue;
    }
    if (template[at] === "(") {
      const end = endOfKey(template, at + 1);
      if (!isMapping) throw raised(TYPE_ERROR, "format requires a mapping");
      source = { values: [itemNow(args, template.slice(at + 1, end), ctx)], next: 0 };
      at = end + 1;
    }
    const read = readConversion(template, at, source);
    at = read.end;
    result += written(read.conversion, takeNext(source), template, at, ctx);
    ctx.room(result.length * 2);
  }
  if (source.next < source.values.length && !isMapping)
    throw raised(TYPE_ERROR, "not all arguments converted during string formatting");
  return result;
}

function endOfKey(template: string, from: number): number {
  let open = 1;
  for (let at = from; at < template.length; at++) {
    if (template[at] === ")") open -= 1;
    else if (template[at] === "(") open += 1;
    if (open === 0) return at;
  }
  throw raised(VALUE_ERROR, "incomplete format key");
}

function takeNext(source: Source): Value {
  const value = source.values[source.next];
  if (value === undefined) throw raised(TYPE_ERROR, "not enough arguments for format string");
  source.next += 1;
  return value;
}

function readConversion(template: string, from: number, source: Source): { conversion: Conversion; end: number } {
  let at = from;
  let flags = "";
  for (; "-+ #0".includes(template[at] ?? "."); at++) flags += template[at];
  let width = 0;
  if (template[at] === "*") {
    at += 1;
    width = starred(takeNext(source), MACHINE_WORD, "ssize_t");
    if (width < 0) {
      flags += "-";
      width = -width;
    }
  } else {
    const digits = /^\d*/.exec(template.slice(at))?.[0] ?? "";
    at += digits.length;
    width = Number(digits);
    if (width >= MACHINE_WORD) throw raised(VALUE_ERROR, "width too big");
  }
  let precision: number | null = null;
  if (template[at] === ".") {
    at += 1;
    if (template[at] === "*") {
      at += 1;
      precision = Math.max(0, starred(takeNext(source), MACHINE_INT + 1, "int"));
    } else {
      const digits = /^\d*/.exec(template.slice(at))?.[0] ?? "";
      at += digits.length;
      precision = Number(digits);
      if (precision > MACHINE_INT) throw raised(VALUE_ERROR, "precision too big");
    }
  }
  if ("hlL".includes(template[at] ?? ".")) at += 1;
  const char = template.codePointAt(at);
  if (char === undefined) throw raised(VALUE_ERROR, "incomplete format");
  const code = String.fromCodePoint(char);
  return { conversion: { flags, width: checkedSize(width, "width"), precision, code }, end: at + code.length };
}

function starred(value: Value, limit: number, type: string): number {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) {
    if (value >= limit || value < -limit) throw raised(OVERFLOW_ERROR, `Python int too large to convert to C ${type}`);
    return Number(value);
  }
  throw raised(TYPE_ERROR, "* wants int");
}

function written(conversion: Conversion, value: Value, template: string, end: number, ctx: Context): string {
  const { code, precision, flags } = conversion;
  switch (code) {
    case "s":
    case "r":
    case "a": {
      let shown = code === "s" ? text(value, ctx) : repr(value, ctx);
      if (code === "a") shown = asciiOf(shown);
      if (precision !== null && precision < shown.length) shown = cut(shown, precision);
      return laidOut(conversion, shown, false);
    }
    case "d":
    case "i":
    case "u":
    case "o":
    case "x":
    case "X":
      return laidOut(conversion, whole(conversion, value, ctx), true);
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G": {
      if (precision !== null) checkedSize(precision, "precision");
      return laidOut(conversion, floatText(real(value), code, precision, flags.includes("#")), true);
    }
    case "c":
      return laidOut(conversion, character(value), false);
    default: {
      const number = code.codePointAt(0) as number;
      const shown = number > 31 && number < 128 ? code : "?";
      throw raised(
        VALUE_ERROR,
        `unsupported format character '${shown}' (0x${number.toString(16)}) at index ${positionOf(template, end - code.length)}`,
      );
    }
  }
}

function cut(shown: string, precision: number): string {
  if (isPlain(shown)) return shown.slice(0, precision);
  return precision >= textLength(shown) ? shown : shown.slice(0, offsetOf(shown, precision));
}

function whole({ code, precision, flags }: Conversion, value: Value, ctx: Context): string {
  const number = wholeOf(value, code, ctx);
  const digits = digitsOf(number, code);
  if (precision !== null) checkedSize(precision, "precision");
  const prefix = flags.includes("#") && "oxX".includes(code) ? `0${code}` : "";
  return (number < 0 ? "-" : "") + prefix + digits.padStart(precision ?? 0, "0");
}

function wholeOf(value: Value, code: string, ctx: Context): number | bigint {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return value;
  const isHex = code === "o" || code === "x" || code === "X";
  if (!isHex && (typeof value === "number" || value instanceof PyFloat)) {
    const float = typeof value === "number" ? value : value.value;
    if (Number.isNaN(float)) throw raised(VALUE_ERROR, "cannot convert float NaN to integer");
    if (!Number.isFinite(float)) throw raised(OVERFLOW_ERROR, "cannot convert float infinity to integer");
    return intOf(BigInt(Math.trunc(float)));
  }
  const result = isHex ? undefined : typeOf(value).slots.whole?.(value, "ROUND_DOWN", ctx);
  if (result !== undefined) return result;
  const wanted = isHex ? "an integer" : "a real number";
  throw raised(TYPE_ERROR, `%${code} format: ${wanted} is required, not ${typeOf(value).name}`);
}

function real(value: Value): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  if (value instanceof PyFloat) return value.value;
  const known = typeOf(value).slots.real?.(value);
  if (known !== undefined) return known;
  if (typeof value !== "bigint") throw raised(TYPE_ERROR, `must be real number, not ${typeOf(value).name}`);
  const float = Number(value);
  if (!Number.isFinite(float)) throw raised(OVERFLOW_ERROR, "int too large to convert to float");
  return float;
}

function character(value: Value): string {
  if (typeof value === "string" && textLength(value) === 1) return value;
  if (typeof value === "boolean") return String.fromCharCode(Number(value));
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return characterOf(value);
  throw raised(TYPE_ERROR, "%c requires int or char");
}

/** Sign, prefix and padding. Zeros stand after the sign and the prefix, spaces before them. */
function laidOut({ flags, width, code }: Conversion, shown: string, isNumber: boolean): string {
  let sign = "";
  let body = shown;
  if (isNumber) {
    if (/^[-+]/.test(body)) {
      sign = body.charAt(0);
      body = body.slice(1);
    } else if (flags.includes("+")) sign = "+";
    else if (flags.includes(" ")) sign = " ";
  }
  const padding = width - sign.length - textLength(body);
  if (padding <= 0) return sign + body;
  if (flags.includes("-")) return sign + body + " ".repeat(padding);
  if (!isNumber || !flags.includes("0")) return " ".repeat(padding) + sign + body;
  const prefix = flags.includes("#") && "oxX".includes(code) ? body.slice(0, 2) : "";
  return sign + prefix + "0".repeat(padding) + body.slice(prefix.length);
}
