/** Numbers, comparison and choice: Python's operators under names. */
import { RUNTIME_ERROR, raised, TYPE_ERROR } from "../../exceptions.ts";
import type { PyTuple } from "../../kinds/list.ts";
import type { Context, NativeRun, Operator, Order, Value } from "../../object.ts";
import { binary, each, equals, isNumber, order, truth } from "../../operations.ts";
import { nameOf } from "../arguments.ts";
import { MATH } from "../modules/math/sums.ts";
import { type Functions, isItems } from "./kinds.ts";
import { fieldOf } from "./paths.ts";

function operator(op: Operator): readonly [string, NativeRun] {
  return ["number number", (ctx, a: Value, b: Value) => binary(op, a, b, ctx)];
}

function comparison(op: Order): readonly [string, NativeRun] {
  return ["any any", (ctx, a: Value, b: Value) => order(op, a, b, ctx)];
}

function math(name: string): readonly [string, NativeRun] {
  return ["number", MATH.natives[name] as NativeRun];
}

/** Numbers, two texts or two lists. */
function added(ctx: Context, a: Value, b: Value): Value {
  const isSum = (isNumber(a) && isNumber(b)) || (typeof a === "string" && typeof b === "string");
  if (isSum || (isItems(a) && isItems(b))) return binary("+", a, b, ctx);
  throw raised(TYPE_ERROR, `unsupported operand type(s) for +: '${nameOf(a)}' and '${nameOf(b)}'`);
}

function clamp(ctx: Context, x: Value, low: Value, high: Value): Value {
  const least = order("<", high, x, ctx) ? high : x;
  return order("<", least, low, ctx) ? low : least;
}

function average(ctx: Context, list: Value, field: Value) {
  let total: Value = 0;
  let count = 0;
  const step = (element: Value): void => {
    const value = field === null ? element : fieldOf("avg", element, field, ctx);
    if (!isNumber(value)) throw raised(TYPE_ERROR, `avg() needs numbers, and an element is ${nameOf(value)}`);
    total = binary("+", total, value, ctx);
    count += 1;
  };
  return each<Value>(list, ctx, step, () => (count === 0 ? null : binary("/", total, count, ctx)));
}

export const NUMBERS: Functions = {
  add: ["any any", added],
  plus: ["any any", added],
  sub: operator("-"),
  mul: operator("*"),
  div: operator("/"),
  idiv: operator("//"),
  mod: operator("%"),
  ceil: math("math.ceil"),
  floor: math("math.floor"),
  clamp: ["number number number", clamp],
  avg: ["list field?", average],
  eq: ["any any", (ctx, a: Value, b: Value) => equals(a, b, ctx)],
  ne: ["any any", (ctx, a: Value, b: Value) => !equals(a, b, ctx)],
  lt: comparison("<"),
  lte: comparison("<="),
  gt: comparison(">"),
  gte: comparison(">="),
  ite: ["any any any", (ctx, condition: Value, a: Value, b: Value) => (truth(condition, ctx) ? a : b)],
  coalesce: ["any*", (_, values: PyTuple) => values.items.find((value) => value !== null) ?? null],
  echo: ["any", (_, value: Value) => value],
  noop: ["", () => null],
  fail: [
    "str",
    (_, message: Value) => {
      throw raised(RUNTIME_ERROR, message);
    },
  ],
};
