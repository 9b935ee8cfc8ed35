/**
 * A small part of JSON Schema, in both directions: drawing values that fit, and finding where a value does not fit. `const`, `enum`,
 * `type`, bounds of numbers, texts and lists, members of objects, and `anyOf`; any other keyword is refused, not ignored.
 */
import * as z from "zod/mini";
import { isObject, type Json, setMember } from "../../compiler/json.ts";
import { equal } from "../../vm/values/compare.ts";

export type Schema = {
  readonly const?: Json | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly type?: "null" | "boolean" | "integer" | "number" | "string" | "array" | "object" | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: { readonly [name: string]: Schema } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
};

const size = z.optional(z.number().check(z.int(), z.gte(0), z.lte(1000)));
export const schemaShape: z.ZodMiniType<Schema> = z.lazy(() =>
  z.strictObject({
    const: z.optional(z.json()),
    enum: z.optional(z.array(z.json()).check(z.minLength(1))),
    type: z.optional(z.enum(["null", "boolean", "integer", "number", "string", "array", "object"])),
    minimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
    minLength: size,
    maxLength: size,
    minItems: size,
    maxItems: size,
    items: z.optional(schemaShape),
    properties: z.optional(z.record(z.string(), schemaShape)),
    required: z.optional(z.array(z.string())),
    anyOf: z.optional(z.array(schemaShape).check(z.minLength(1))),
  }),
);

/** JSON pointer of the first place where a value does not fit; null when it fits. */
export function misfit(schema: Schema, value: Json, path = ""): string | null {
  if (!ownFit(schema, value)) return path === "" ? "/" : path;
  if (schema.anyOf?.every((one) => misfit(one, value) !== null) === true) return path === "" ? "/" : path;
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [at, item] of value.entries()) {
      const found = misfit(schema.items, item, `${path}/${at}`);
      if (found !== null) return found;
    }
  }
  if (!isObject(value)) return null;
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) return `${path}/${name}`;
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, name) ? misfit(member, value[name] ?? null, `${path}/${name}`) : null;
    if (found !== null) return found;
  }
  return null;
}

function ownFit(schema: Schema, value: Json): boolean {
  if (schema.const !== undefined && !equal(schema.const, value)) return false;
  if (schema.enum !== undefined && !schema.enum.some((one) => equal(one, value))) return false;
  if (schema.type !== undefined && !hasType(schema.type, value)) return false;
  if (typeof value === "number") return within(value, schema.minimum, schema.maximum);
  if (typeof value === "string") return within([...value].length, schema.minLength, schema.maxLength);
  return Array.isArray(value) ? within(value.length, schema.minItems, schema.maxItems) : true;
}

function hasType(type: NonNullable<Schema["type"]>, value: Json): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

function within(value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean {
  return value >= least && value <= most;
}

/** What texts are made of: plain ones, and some that programs tend to get wrong. */
const CHARACTERS = ["a", "b", "Z", "0", "7", " ", "_", "-", '"', "\\", "\n", "é", "😀", "$", "<"];
const DEFAULT_LENGTH = 8;
const DEFAULT_ITEMS = 4;
const DEFAULT_RANGE = 100;
const TYPES = ["null", "boolean", "integer", "number", "string"] as const;

/** A value that fits. `random` gives numbers from 0 up to 1; bounds come up more often than their share. */
export function drawValue(schema: Schema, random: () => number): Json {
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return one(schema.enum) ?? null;
  if (schema.anyOf !== undefined) return drawValue(one(schema.anyOf) ?? {}, random);
  switch (schema.type ?? one(TYPES)) {
    case "null":
      return null;
    case "boolean":
      return random() < 0.5;
    case "integer":
      return drawNumber(schema, random, true);
    case "number":
      return drawNumber(schema, random, false);
    case "string": {
      const { minLength = 0, maxLength = minLength + DEFAULT_LENGTH } = schema;
      return Array.from({ length: drawSize(minLength, maxLength, random) }, () => one(CHARACTERS)).join("");
    }
    case "array": {
      const { items = {}, minItems = 0, maxItems = minItems + DEFAULT_ITEMS } = schema;
      const length = drawSize(minItems, maxItems, random);
      return Array.from({ length }, () => drawValue(items, random));
    }
    default:
      return drawObject(schema, random);
  }
}

function drawNumber({ minimum, maximum }: Schema, random: () => number, whole: boolean): number {
  const least = minimum ?? Math.min(-DEFAULT_RANGE, (maximum ?? 0) - DEFAULT_RANGE);
  const most = maximum ?? Math.max(DEFAULT_RANGE, least + DEFAULT_RANGE);
  const chance = random();
  const drawn = chance < 0.1 ? least : chance < 0.2 ? most : least + random() * (most - least);
  return whole ? Math.min(Math.floor(most), Math.max(Math.ceil(least), Math.round(drawn))) : drawn;
}

function drawSize(least: number, most: number, random: () => number): number {
  return least + Math.floor(random() * (Math.max(least, most) - least + 1));
}

function drawObject({ properties = {}, required }: Schema, random: () => number): Json {
  const drawn: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(properties)) {
    const optional = required !== undefined && !required.includes(name);
    if (!optional || random() < 0.5) setMember(drawn, name, drawValue(member, random));
  }
  return drawn;
}
