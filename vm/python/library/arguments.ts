/** What natives ask of their arguments: kinds, bounds, sizes. The texts of errors are CPython's where `raised` makes them. */
import { OVERFLOW_ERROR, raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../exceptions.ts";
import { Bytes, type Context, typeOf, type Value } from "../object.ts";

/** A text that a native made, counted. */
export function made(ctx: Context, text: string): string {
  ctx.alloc(text.length * Bytes.Unit);
  return text;
}

/** The text that a method of str was called on. `str.upper(5)` comes here with another value. */
export function self(value: Value): string {
  if (typeof value === "string") return value;
  throw raisedLoosely(TYPE_ERROR, `a method of str was called on a value of type ${nameOf(value)}`);
}

/** `what` as CPython names the argument. */
export function textOf(value: Value | undefined, what: string): string {
  if (typeof value === "string") return value;
  // CPython names None itself where it names the argument, else its type.
  const name = value === null && what !== "" ? "None" : nameOf(value);
  throw raised(TYPE_ERROR, `${what} must be str, not ${name}`.trim());
}

/** The same for words that CPython hands to C, which ends a text at a NUL. */
export function wordOf(value: Value | undefined, what: string): string {
  const word = textOf(value, what);
  if (word.includes("\0")) throw raised(VALUE_ERROR, "embedded null character");
  return word;
}

export function nameOf(value: Value | undefined): string {
  return typeOf(value ?? null).name;
}

/** The int of a value with `__index__`: an int or a bool. */
export function indexOf(value: Value | undefined): number | bigint {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return value;
  throw raised(TYPE_ERROR, `'${nameOf(value)}' object cannot be interpreted as an integer`);
}

/** The same for counts and widths, which fit into a machine word in CPython. */
export function sizeOf(value: Value | undefined): number {
  const index = indexOf(value);
  if (typeof index === "number") return index;
  if (index > 0x7fffffffffffffffn || index < -0x8000000000000000n)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C ssize_t");
  return Number(index);
}

const MOST_INT = 0x7fffffff;

/** The same for arguments that are an `int` in C. */
export function smallOf(value: Value | undefined): number {
  const index = indexOf(value);
  if (typeof index === "bigint" || index > MOST_INT || index < -MOST_INT - 1)
    throw raised(OVERFLOW_ERROR, "Python int too large to convert to C int");
  return index;
}

/** A bound of a slice, clamped to 0 … length; `missing` for None and for one that was not given. */
export function boundOf(value: Value | undefined, length: number, missing: number): number {
  if (value === null || value === undefined) return missing;
  if (typeof value === "number" && Number.isInteger(value))
    return value < 0 ? Math.max(0, value + length) : Math.min(value, length);
  if (typeof value === "boolean") return Math.min(value ? 1 : 0, length);
  if (typeof value === "bigint") return value < 0n ? 0 : length;
  throw raised(TYPE_ERROR, "slice indices must be integers or None or have an __index__ method");
}
