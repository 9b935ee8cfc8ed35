/** Which values are numbers, and arithmetic of any two of them. A bool is an int. */
import { OVERFLOW_ERROR, raised } from "../exceptions.ts";
import { floatOf, PyFloat } from "../kinds/float.ts";
import { Bytes, type Context, type Operator, type Value } from "../object.ts";
import { floatArithmetic, floatPower, isFloatOperator } from "./floats.ts";
import { type Int, intArithmetic, powerInts } from "./integers.ts";

export type PyNumber = number | bigint | boolean | PyFloat;

export function isInt(value: Value | undefined): value is Int | boolean {
  return typeof value === "number" ? Number.isInteger(value) : typeof value === "boolean" || typeof value === "bigint";
}

export function isFloat(value: Value | undefined): value is number | PyFloat {
  return typeof value === "number" ? !Number.isInteger(value) : value instanceof PyFloat;
}

export function isNumber(value: Value | undefined): value is PyNumber {
  return (
    typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" || value instanceof PyFloat
  );
}

/** A bool as the int that it is. */
export function intValue(value: Int | boolean): Int {
  return typeof value === "boolean" ? Number(value) : value;
}

/** The value to compare by: JavaScript compares numbers with BigInts exactly. */
export function comparable(value: PyNumber): number | bigint {
  return typeof value === "boolean" ? Number(value) : value instanceof PyFloat ? value.value : value;
}

/** The nearest float. OverflowError for ints beyond its range. */
export function doubleOf(value: PyNumber): number {
  const plain = comparable(value);
  if (typeof plain === "number") return plain;
  const double = Number(plain);
  if (!Number.isFinite(double)) throw raised(OVERFLOW_ERROR, "int too large to convert to float");
  return double;
}

/** A float that is a value of the program from now on. */
export function madeFloat(value: number, ctx: Context): number | PyFloat {
  const result = floatOf(value);
  if (typeof result !== "number") ctx.alloc(Bytes.Object);
  return result;
}

/** Undefined: numbers have no such operator. */
export function arithmetic(op: Operator, a: PyNumber, b: PyNumber, ctx: Context): Value | undefined {
  if (isInt(a) && isInt(b)) {
    if (typeof a === "boolean" && typeof b === "boolean") {
      if (op === "&") return a && b;
      if (op === "|") return a || b;
      if (op === "^") return a !== b;
    }
    const [x, y] = [intValue(a), intValue(b)];
    if (op !== "**") {
      const result = intArithmetic(op, x, y, ctx);
      if (result instanceof PyFloat) ctx.alloc(Bytes.Object);
      return result;
    }
    return y < 0 ? madeFloat(floatPower(doubleOf(x), doubleOf(y)), ctx) : powerInts(x, y, ctx);
  }
  return isFloatOperator(op) ? madeFloat(floatArithmetic(op, doubleOf(a), doubleOf(b)), ctx) : undefined;
}
