/** Texts of values: `repr`, `str` and `format`. */
import { raised, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { notExact } from "../not-exact.ts";
import { Bytes, type Context, type PyObject, typeOf, type Value } from "../object.ts";
import { isPrintable } from "../unicode/sets.ts";
import { floatText } from "./floats.ts";
import { bitLength, type Int } from "./integers.ts";
import { enter, leave } from "./recursion.ts";

/** CPython's limit, beyond which it refuses to convert between ints and texts. */
export const MAX_DIGITS = 4300;
const BITS_OF_A_DIGIT = Math.log2(10);

export function intText(value: Int): string {
  if (typeof value !== "bigint" || bitLength(value) <= (MAX_DIGITS - 1) * BITS_OF_A_DIGIT) return String(value);
  // Longer ones are not written out to be counted: that takes minutes for some.
  if (bitLength(value) <= (MAX_DIGITS + 1) * BITS_OF_A_DIGIT) {
    const text = value.toString();
    if (text.length - (value < 0n ? 1 : 0) <= MAX_DIGITS) return text;
  }
  throw raised(
    VALUE_ERROR,
    `Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
  );
}

/** `repr(value)`. */
export function repr(value: Value, ctx: Context): string {
  switch (typeof value) {
    case "string":
      return textRepr(value);
    case "number":
      return Number.isInteger(value) ? String(value) : floatText(value);
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return intText(value);
    default:
      return value === null ? "None" : objectRepr(value, ctx);
  }
}

function objectRepr(value: PyObject, ctx: Context): string {
  const slot = value.type.slots.repr;
  if (slot !== undefined) return slot(value, ctx);
  throw notExact(`the text of a ${value.type.name} holds an address in Python; write what it stands for`);
}

/** The text of a container: `inner` makes what stands between its brackets; where it holds itself, `cycle` stands. */
export function containerRepr(value: PyObject, cycle: string, ctx: Context, inner: () => string): string {
  if (ctx.open.has(value)) return cycle;
  enter("while getting the repr of an object");
  ctx.open.add(value);
  try {
    return inner();
  } finally {
    ctx.open.delete(value);
    leave();
  }
}

/** Work for the repr of a container, and of each element. */
const UNITS_OF_REPR = 16;

/** The texts of elements with commas between them. */
export function listed(items: readonly Value[], ctx: Context): string {
  ctx.charge(UNITS_OF_REPR * (items.length + 1));
  if (items.length === 1) return repr(items[0] as Value, ctx);
  const parts: string[] = [];
  for (let index = 0; index < items.length; index += 1) parts.push(repr(items[index] as Value, ctx));
  return joined(parts, ctx);
}

/** Parts with commas between them. They are copied into one text at once: a text of many joined pieces takes far more memory. */
export function joined(parts: readonly string[], ctx: Context): string {
  let units = 0;
  for (const part of parts) units += part.length;
  ctx.room(units * Bytes.Unit);
  return parts.join(", ");
}

/** `str(value)`. */
export function text(value: Value, ctx: Context): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return repr(value, ctx);
  const slot = value.type.slots.text;
  return slot === undefined ? objectRepr(value, ctx) : slot(value, ctx);
}

/** `format(value, spec)`. */
export function format(value: Value, spec: string, ctx: Context): string {
  if (spec === "") return text(value, ctx);
  const type = typeOf(value);
  if (type.slots.format !== undefined) return type.slots.format(value, spec, ctx);
  throw raised(TYPE_ERROR, `unsupported format string passed to ${type.name}.__format__`);
}

const SIMPLE = /^[ !#-&(-[\]-~]*$/;
const ESCAPES: { readonly [unit: string]: string } = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as Python writes it: in single quotes unless only they occur in it. */
function textRepr(value: string): string {
  if (SIMPLE.test(value)) return `'${value}'`;
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  let written = quote;
  for (const point of value) written += point === quote ? `\\${quote}` : escaped(point);
  return written + quote;
}

function escaped(point: string): string {
  if (point === " ") return point;
  const known = ESCAPES[point];
  if (known !== undefined) return known;
  const code = point.codePointAt(0) as number;
  if (isPrintable(code)) return point;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
