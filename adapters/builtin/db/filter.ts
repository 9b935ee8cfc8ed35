/**
 * Filters: from the object a program writes to a checked condition that both SQL and documents can be asked. A condition is true or false,
 * never unknown: NULL equals only null, is neither greater nor less than anything, and `ne` and `not` are plain negations.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { exactText } from "../../../vm/inputs/exact-text.ts";
import { tooLargeForJavaScript } from "../../../vm/memory/copy-out.ts";
import { hasLongInteger } from "../../../vm/values/exact-numbers.ts";
import { typeName } from "../../../vm/values/values.ts";
import { badArguments } from "../../definition/bind.ts";
import { columnType, type Entity } from "./settings.ts";
import { type ColumnType, columnValue } from "./values.ts";

type Comparison = "eq" | "gt" | "gte" | "lt" | "lte";
/** Plain JSON, so that it can be sent to the process that reads documents. Values are in the form of their column's type. */
export type Condition =
  | { readonly kind: "all" | "any"; readonly of: readonly Condition[] }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "null"; readonly column: string }
  | {
      readonly kind: Comparison;
      readonly column: string;
      readonly type: ColumnType;
      readonly value: number | string | boolean | JsonObject;
    }
  | { readonly kind: "in"; readonly column: string; readonly type: ColumnType; readonly values: readonly Json[] }
  | { readonly kind: "prefix"; readonly column: string; readonly text: string };

const MAX_NESTING = 8;
const MAX_MEMBERS = 100;
const MAX_IN = 1_000;
/** Values of all lists together: databases count the parameters of a statement in 16 bits. */
const MAX_LISTED = 10_000;

/** The condition; null: everything, written `"*"`, null, nothing or `{}`. Throws ADAPTER_BAD_ARGS. */
export function conditionOf(entity: Entity, filter: JsonObject | "*" | null | undefined): Condition | null {
  if (filter === undefined || filter === null || filter === "*" || Object.keys(filter).length === 0) return null;
  if (hasLongInteger(exactText(filter) ?? "")) throw tooLargeForJavaScript();
  return new FilterReader(entity).filter(filter, "/1", 1);
}

/** The one object with this id. */
export function identified(entity: Entity, id: Json, path: string): Condition {
  return new FilterReader(entity).compared("eq", entity.id, id, path);
}

class FilterReader {
  readonly #entity: Entity;
  #members = 0;
  #listed = 0;

  constructor(entity: Entity) {
    this.#entity = entity;
  }

  filter(filter: Json, path: string, depth: number): Condition {
    if (!isObject(filter)) throw unfit(path, "an object", filter);
    if (depth > MAX_NESTING) throw unfit(path, `at most ${MAX_NESTING} levels`, filter);
    const parts = Object.entries(filter).map(([name, value]) => this.#member(name, value, `${path}/${name}`, depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "all", of: parts };
  }

  #member(name: string, value: Json, path: string, depth: number): Condition {
    this.#members += 1;
    if (this.#members > MAX_MEMBERS) throw unfit(path, `at most ${MAX_MEMBERS} members`, value);
    if (name === "not") return { kind: "not", of: this.filter(value, path, depth + 1) };
    if (name === "or") {
      if (!Array.isArray(value)) throw unfit(path, "a list of filters", value);
      return { kind: "any", of: value.map((one, i) => this.filter(one, `${path}/${i}`, depth + 1)) };
    }
    if (!isObject(value) || Object.hasOwn(value, "$base64")) return this.compared("eq", name, value, path);
    const parts = Object.entries(value).map(([operator, operand], i) => {
      if (i > 0) this.#members += 1;
      return this.#operator(name, operator, operand, `${path}/${operator}`);
    });
    if (parts.length === 0) throw unfit(path, "an operator", value);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "all", of: parts };
  }

  #operator(column: string, operator: string, operand: Json, path: string): Condition {
    switch (operator) {
      case "eq":
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return this.compared(operator, column, operand, path);
      case "ne":
        return { kind: "not", of: this.compared("eq", column, operand, path) };
      case "in":
        return this.#within(column, operand, path);
      case "prefix": {
        const type = this.#type(column, path);
        if (type !== "text" && type !== "any") throw unfit(path, "an operator for this type", operand);
        if (typeof operand !== "string" || !operand.isWellFormed()) throw unfit(path, "text", operand);
        return { kind: "prefix", column, text: operand };
      }
      case "null": {
        if (typeof operand !== "boolean") throw unfit(path, "true or false", operand);
        this.#type(column, path);
        const isNull: Condition = { kind: "null", column };
        return operand ? isNull : { kind: "not", of: isNull };
      }
      default:
        throw unfit(path, "one of eq, ne, gt, gte, lt, lte, in, prefix, null", operand);
    }
  }

  compared(kind: Comparison, column: string, operand: Json, path: string): Condition {
    const type = this.#type(column, path);
    if (operand === null && kind === "eq") return { kind: "null", column };
    return { kind, column, type, value: this.#scalar(type, operand, path) };
  }

  #within(column: string, operand: Json, path: string): Condition {
    const type = this.#type(column, path);
    if (!Array.isArray(operand) || operand.length > MAX_IN) {
      throw unfit(path, `a list of at most ${MAX_IN} values`, operand);
    }
    this.#listed += operand.length;
    if (this.#listed > MAX_LISTED) throw unfit(path, `at most ${MAX_LISTED} values in all lists`, operand);
    const given = operand.filter((one) => one !== null);
    const values = given.map((one, i) => this.#scalar(type, one, `${path}/${i}`));
    const within: Condition = { kind: "in", column, type, values };
    return given.length === operand.length ? within : { kind: "any", of: [within, { kind: "null", column }] };
  }

  /** A value that can be compared: JSON columns have none. */
  #scalar(type: ColumnType, value: Json, path: string): number | string | boolean | JsonObject {
    const read = type === "json" ? undefined : columnValue(type, value);
    if (read === undefined || read === null || (typeof read === "object" && type !== "bytes")) {
      throw unfit(path, type === "json" ? "null" : type === "any" ? "a text, number or boolean" : type, value);
    }
    return read as number | string | boolean | JsonObject;
  }

  #type(column: string, path: string): ColumnType {
    return columnType(this.#entity, column, path);
  }
}

export function unfit(path: string, expected: string, value: Json) {
  return badArguments([{ path, expected, got: typeName(value) }]);
}
