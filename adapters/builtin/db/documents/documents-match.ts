/** Conditions and order asked of one object in memory: the meaning that `adapters/builtin/db/queries.ts` gives them in SQL. */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { compareText, equal } from "../../../../vm/values/compare.ts";
import type { Condition } from "../filter.ts";
import type { Order } from "../queries.ts";
import type { ColumnType } from "../values.ts";

export function satisfies(condition: Condition, object: JsonObject): boolean {
  switch (condition.kind) {
    case "all":
      return condition.of.every((one) => satisfies(one, object));
    case "any":
      return condition.of.some((one) => satisfies(one, object));
    case "not":
      return !satisfies(condition.of, object);
    case "null":
      return member(object, condition.column) === null;
    case "in": {
      const value = member(object, condition.column);
      return condition.values.some((one) => equal(one, value));
    }
    case "prefix": {
      const value = member(object, condition.column);
      return typeof value === "string" && value.startsWith(condition.text);
    }
    case "eq":
      return equal(member(object, condition.column), condition.value);
    default: {
      const { kind, column, type, value } = condition;
      const order = compared(member(object, column), value, type);
      if (order === null) return false;
      if (order === 0) return kind === "gte" || kind === "lte";
      return order > 0 ? kind === "gt" || kind === "gte" : kind === "lt" || kind === "lte";
    }
  }
}

/** Negative, 0 or positive. null comes first, then booleans, numbers, text, and the rest, which is kept as it is. */
export function orderOf(order: readonly Order[], a: JsonObject, b: JsonObject): number {
  for (const { column, type, descending } of order) {
    const left = member(a, column);
    const right = member(b, column);
    const by = compared(left, right, type) ?? rank(left) - rank(right);
    if (by !== 0) return descending ? -by : by;
  }
  return 0;
}

/** null where the two cannot be compared. */
function compared(a: Json, b: Json, type: ColumnType): number | null {
  // A value of a declared type is checked when it is written: digits in a text are a number here.
  if (a !== null && b !== null && type === "integer") return Number(BigInt(String(a)) - BigInt(String(b)));
  if (a !== null && b !== null && type === "number") return Number(a) - Number(b);
  // Without the Z a time with fewer digits comes first.
  if (type === "timestamp" && a !== null && b !== null)
    return compareText(String(a).slice(0, -1), String(b).slice(0, -1));
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  return null;
}

function rank(value: Json): number {
  if (value === null) return 0;
  const place = ["boolean", "number", "string"].indexOf(typeof value);
  return place === -1 ? 4 : place + 1;
}

function member(object: JsonObject, name: string): Json {
  return Object.hasOwn(object, name) ? (object[name] as Json) : null;
}
