/** Operators of any two values. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { PyFloat } from "../kinds/float.ts";
import { Bytes, type Calling, type Context, type Operator, typeOf, type Value } from "../object.ts";
import { addInts } from "./integers.ts";
import { arithmetic, intValue, isInt, isNumber, madeFloat } from "./numbers.ts";

/** `a op b`. */
export function binary(op: Operator, a: Value, b: Value, ctx: Context): Value {
  const result = computed(op, a, b, ctx);
  if (result !== undefined) return result;
  throw unsupported(op === "**" ? "** or pow()" : op, a, b);
}

/** The same; undefined where neither value knows the operator. */
export function computed(op: Operator, a: Value, b: Value, ctx: Context): Value | undefined {
  if (isNumber(a) && isNumber(b)) return arithmetic(op, a, b, ctx);
  if (op === "+" && typeof a === "string" && typeof b === "string") return joined(a, b, ctx);
  return typeOf(a).slots.binary?.(a, op, b, ctx) ?? typeOf(b).slots.reflected?.(b, op, a, ctx);
}

function joined(a: string, b: string, ctx: Context): string {
  const bytes = (a.length + b.length) * Bytes.Unit;
  ctx.room(bytes);
  ctx.alloc(bytes);
  return a + b;
}

/** `a op= b`: changes `a` where its type can be changed. A coroutine where `b` runs code of the program for its elements. */
export function inPlace(op: Operator, a: Value, b: Value, ctx: Context): Value | Calling {
  if (typeof a === "object" && a !== null) {
    const changed = a.type.slots.inPlace?.(a, op, b, ctx);
    if (changed !== undefined) return changed;
  }
  const result = computed(op, a, b, ctx);
  if (result !== undefined) return result;
  throw unsupported(`${op}=`, a, b);
}

function unsupported(op: string, a: Value, b: Value) {
  return raised(TYPE_ERROR, `unsupported operand type(s) for ${op}: '${typeOf(a).name}' and '${typeOf(b).name}'`);
}

/** `-value`, `+value`, `~value`. */
export function unary(op: "-" | "+" | "~", value: Value, ctx: Context): Value {
  if (isInt(value)) {
    const int = intValue(value);
    if (op === "+") return int;
    const negated = typeof int === "number" ? 0 - int : -int;
    return op === "-" ? negated : addInts(negated, -1, ctx);
  }
  if (isNumber(value) && op !== "~") {
    const float = value instanceof PyFloat ? value.value : Number(value);
    return op === "-" ? madeFloat(-float, ctx) : value;
  }
  const result = typeOf(value).slots.unary?.(value, op, ctx);
  if (result !== undefined) return result;
  throw raised(TYPE_ERROR, `bad operand type for unary ${op}: '${typeOf(value).name}'`);
}
