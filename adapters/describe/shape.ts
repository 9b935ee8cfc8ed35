/**
 * What a schema describes, in the few words and braces that fit into a table: `{ok, items: [{id}], cursor?}`, `text`, `whole number`. Reads
 * the JSON Schema that zod derives, so schemas of any copy of zod can be shown. Nothing here knows adapters.
 */
import { listed } from "../../grammar/text/english.ts";
import { z } from "../definition/define.ts";

/** The part of JSON Schema (draft 2020-12) that zod writes. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
};

/** Which side of a schema is meant: what callers write, or what comes out. */
export type Side = "input" | "output";

export const SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** In `SCHEMA_DIALECT`, which is not said again in each of many. */
export function schemaOf(schema: z.ZodType, side: Side): JsonSchema {
  const { $schema, ...told } = z.toJSONSchema(schema, { io: side, unrepresentable: "any" });
  return told as JsonSchema;
}

/** Deeper parts are shown as `…`. */
const DEEPEST = 3;
/** zod bounds every whole number by the range of a double; that bound is not shown. */
const LARGEST = Number.MAX_SAFE_INTEGER;

/** Braces for objects and lists, words for the rest. */
export function shapeOf(schema: JsonSchema, depth = 0): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  const { type } = schema;
  const choices =
    typeof type === "object" ? type.map((one) => ({ ...schema, type: one })) : (schema.anyOf ?? schema.oneOf);
  if (choices !== undefined) return oneOf(choices.map((choice) => shapeOf(choice, depth)));
  switch (type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return numberWords(schema);
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return listShape(schema, depth);
    case "object":
      return objectShape(schema, depth);
    default:
      return "any value";
  }
}

/** A shape as a cell of a table: what has braces is code. */
export function shapeCell(shape: string): string {
  return /[{[]/.test(shape) ? `\`${shape}\`` : shape;
}

function oneOf(choices: readonly string[]): string {
  return choices.includes("any value") ? "any value" : listed([...new Set(choices)], "or");
}

function numberWords({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum !== undefined && minimum > -LARGEST ? minimum : undefined;
  const most = maximum !== undefined && maximum < LARGEST ? maximum : undefined;
  const noun = type === "integer" ? "whole number" : "number";
  if (least !== undefined && most !== undefined) return `${noun} from ${least} to ${most}`;
  if (most !== undefined) return `${noun} up to ${most}`;
  if (least !== undefined) return `${noun} from ${least}`;
  return exclusiveMinimum === undefined ? noun : `${noun} above ${exclusiveMinimum}`;
}

function listShape({ items, prefixItems }: JsonSchema, depth: number): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((one) => shapeOf(one, depth + 1)).join(", ")}]`;
  if (typeof items !== "object" || shapeOf(items, depth + 1) === "any value") return "list";
  if (depth >= DEEPEST) return "[…]";
  const inner = shapeOf(items, depth + 1);
  return /^[{[]/.test(inner) ? `[${inner}]` : `list of ${inner}`;
}

function objectShape({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const names = Object.keys(properties);
  if (names.length === 0) return "object";
  if (depth >= DEEPEST) return "{…}";
  const members = names.map((name) => {
    const member = properties[name] ?? {};
    const written = required.includes(name) ? name : `${name}?`;
    const inner = shapeOf(member, depth + 1);
    return /^[{[]/.test(inner) ? `${written}: ${inner}` : written;
  });
  return `{${members.join(", ")}}`;
}
