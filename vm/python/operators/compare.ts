/** Truth, equality and order of any two values. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { PyFloat } from "../kinds/float.ts";
import { type Context, type Order, type PyObject, typeOf, type Value } from "../object.ts";
import { comparable, isNumber } from "./numbers.ts";
import { compareTexts, isInOrder } from "./texts.ts";

export function truth(value: Value, ctx: Context): boolean {
  switch (typeof value) {
    case "boolean":
      return value;
    case "string":
      return value !== "";
    case "number":
      return value !== 0;
    case "bigint":
      return true;
    default:
      return value !== null && truthOfObject(value, ctx);
  }
}

function truthOfObject(value: PyObject, ctx: Context): boolean {
  const { slots } = value.type;
  if (slots.truth !== undefined) return slots.truth(value, ctx);
  return slots.length === undefined || slots.length(value, ctx) !== 0;
}

/** `a == b`. */
export function equals(a: Value, b: Value, ctx: Context): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  if (typeof a === "string" || a === null) {
    if (a === b) return true;
    return isObject(b) && equalsObject(b, a, ctx);
  }
  if (isNumber(a)) {
    // biome-ignore lint/suspicious/noDoubleEquals: a number equals a BigInt of the same value.
    if (isNumber(b)) return comparable(a) == comparable(b);
    return isObject(b) && equalsObject(b, a, ctx);
  }
  const slot = a.type.slots.equals;
  const result = slot === undefined ? undefined : slot(a, b, ctx);
  if (result !== undefined) return result;
  if (isObject(b) && !(b instanceof PyFloat)) {
    const reflected = b.type.slots.equals?.(b, a, ctx);
    if (reflected !== undefined) return reflected;
  }
  return a === b;
}

function isObject(value: Value): value is PyObject {
  return typeof value === "object" && value !== null;
}

function equalsObject(a: PyObject, b: Value, ctx: Context): boolean {
  return a.type.slots.equals?.(a, b, ctx) ?? false;
}

/** How containers compare their elements: the same object first, so that a list finds its own nan. */
export function isSame(a: Value, b: Value, ctx: Context): boolean {
  return a === b || equals(a, b, ctx);
}

const SWAPPED: { readonly [op in Order]: Order } = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** `a < b` and the like. */
export function order(op: Order, a: Value, b: Value, ctx: Context): boolean {
  if (typeof a === "number" && typeof b === "number") return isInPlace(op, a, b);
  if (isNumber(a) && isNumber(b)) return isInPlace(op, comparable(a), comparable(b));
  if (typeof a === "string" && typeof b === "string") return isInOrder(op, compareTexts(a, b));
  const result = typeOf(a).slots.order?.(a, op, b, ctx) ?? typeOf(b).slots.order?.(b, SWAPPED[op], a, ctx);
  if (result !== undefined) return result;
  throw raised(TYPE_ERROR, `'${op}' not supported between instances of '${typeOf(a).name}' and '${typeOf(b).name}'`);
}

function isInPlace(op: Order, a: number | bigint, b: number | bigint): boolean {
  switch (op) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}
