/**
 * Arguments for any verb, drawn from its own schemas and from values that attackers like. The same seed draws the same arguments.
 * Knows no library for property tests, so that plugins need none.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { itemsOf, requiredOf } from "../definition/catalog-entry.ts";
import { type VerbDefinition, z } from "../definition/define.ts";

/** Numbers from 0 up to 1. */
export type Chance = () => number;

/** A small generator of good quality (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const HOSTILE: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_991,
  "",
  " ",
  "a",
  "../../etc/passwd",
  "/etc/passwd",
  "a\0b",
  "\ud800",
  "' OR 1=1 --",
  "$(reboot)",
  "x".repeat(5000),
  [],
  [[]],
  {},
  { a: { b: [1] } },
  { $base64: "AAEC" },
  JSON.parse('{"__proto__": {"polluted": true}}') as Json,
];

/** A call's arguments: mostly of the right types, sometimes not, with and without options. */
export function drawArguments(verb: VerbDefinition, chance: Chance): Json[] {
  const forms = [verb.args, ...(verb.forms ?? [])];
  const form = pick(forms, chance);
  const places = itemsOf(form);
  const count = requiredOf(form) + Math.floor(chance() * (places.length - requiredOf(form) + 1));
  const args = places.slice(0, count).map((place) => draw(place, chance));
  const { rest } = form.def;
  if (rest !== null)
    for (let more = Math.floor(chance() * 4); more > 0; more--) args.push(draw(rest as z.ZodType, chance));
  if (verb.options !== undefined && chance() < 0.5) args.push(draw(verb.options, chance));
  if (chance() < 0.05) args.push(pick(HOSTILE, chance));
  return args;
}

/** A value that a schema describes, or now and then one that it does not. */
function draw(schema: z.ZodType, chance: Chance): Json {
  if (chance() < 0.15) return pick(HOSTILE, chance);
  return fitting(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema, chance, 0);
}

type JsonSchema = {
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
};

function fitting(schema: JsonSchema, chance: Chance, depth: number): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(schema.enum, chance);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fitting(pick(choices, chance), chance, depth);
  switch (schema.type) {
    case "string":
      return schema.format === "date-time"
        ? "2030-01-01T00:00:00Z"
        : pick(["a", "b", "docs/a.md", "default", "7"], chance);
    case "integer":
    case "number":
      return number(schema, chance);
    case "boolean":
      return chance() < 0.5;
    case "null":
      return null;
    case "array":
      return list(schema, chance, depth);
    case "object":
      return object(schema, chance, depth);
    default:
      return pick(HOSTILE, chance);
  }
}

function number({ type, minimum = 0, maximum = 100 }: JsonSchema, chance: Chance): number {
  const least = Math.max(minimum, -100);
  const value = least + chance() * (Math.min(maximum, 100) - least);
  return type === "integer" ? Math.round(value) : value;
}

function list({ items, prefixItems }: JsonSchema, chance: Chance, depth: number): Json {
  if (prefixItems !== undefined) return prefixItems.map((one) => fitting(one, chance, depth + 1));
  const length = depth > 2 ? 0 : Math.floor(chance() * 3);
  return Array.from({ length }, () => fitting(typeof items === "object" ? items : {}, chance, depth + 1));
}

function object(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  chance: Chance,
  depth: number,
): Json {
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(properties))
    if (required.includes(name) || chance() < 0.3) entries.push([name, fitting(member, chance, depth + 1)]);
  if (additionalProperties !== false && depth < 3 && chance() < 0.5)
    entries.push([
      "k",
      fitting(typeof additionalProperties === "object" ? additionalProperties : {}, chance, depth + 1),
    ]);
  return Object.fromEntries(entries) as JsonObject;
}

function pick<T>(values: readonly T[], chance: Chance): T {
  return values[Math.floor(chance() * values.length)] as T;
}
