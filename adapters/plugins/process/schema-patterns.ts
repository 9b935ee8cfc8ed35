/**
 * Schemas of a plugin as internal schemas whose expressions are never slow. The library compares strings with expressions of the engine; it
 * reports every schema it makes with unknown members, and there each expression is replaced by one of
 * `adapters/content/pattern`. Keywords that the library handles itself are rewritten as unknown members.
 */
import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { PatternFault } from "../../../vm/pattern/syntax.ts";
import { OF_NAMED_PARTS, OF_PARTS, OF_THE_VALUE } from "../../content/json-schema.ts";
import { LinearPattern } from "../../content/linear-pattern.ts";

/** In all patterns of one plugin; what is kept of each grows with it. */
const MAX_STEPS = 100_000;
const OF_DEFINITIONS = ["$defs", "definitions"] as const;
/** A member name that no schema uses. */
const MARK = "weft_has_patterns";

/** What is made of the schemas of one plugin. */
export class PatternedSchemas {
  #steps = 0;

  /** Throws an Error that says what of the schema cannot be had. */
  made(schema: JsonObject): z.ZodType {
    const seen = new Set<unknown>();
    const registry = new Registry((made) => this.#bound(made, seen));
    return z.fromJSONSchema(marked(schema) as Parameters<typeof z.fromJSONSchema>[0], { registry });
  }

  /** Replaces the expressions of a schema and of what it is made of. */
  #bound(value: unknown, seen: Set<unknown>): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (!(value instanceof z.core.$ZodType || value instanceof z.core.$ZodCheck)) {
      for (const one of Object.values(value)) this.#bound(one, seen);
      return;
    }
    const { def } = value._zod;
    if (value instanceof z.core.$ZodCheckRegex && !(value._zod.def.pattern instanceof LinearPattern)) {
      value._zod.def.pattern = this.#linear(value._zod.def.pattern.source);
    }
    for (const one of Object.values(def)) this.#bound(one, seen);
  }

  #linear(source: string): LinearPattern {
    const pattern = new LinearPattern(source);
    this.#steps += pattern.steps;
    if (this.#steps > MAX_STEPS) throw new PatternFault(`all patterns stand for more than ${MAX_STEPS} steps`);
    return pattern;
  }
}

/** Keeps what the library tells where it would by itself, marks aside. */
class Registry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  readonly #marked: (schema: z.core.$ZodType) => void;

  constructor(marked: (schema: z.core.$ZodType) => void) {
    super();
    this.#marked = marked;
  }

  override add<S extends z.core.$ZodType>(schema: S, meta: z.core.GlobalMeta): this {
    const { [MARK]: mark, ...others } = meta;
    if (mark === true) this.#marked(schema);
    if (Object.keys(others).length > 0) z.globalRegistry.add(schema, others);
    return this;
  }
}

/** The schema with a mark wherever texts are compared with patterns. */
function marked(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const made: Record<string, Json> = { ...namesAsPatterns(schema) };
  for (const name of [...OF_THE_VALUE, ...OF_PARTS]) {
    const member = made[name];
    if (member !== undefined) made[name] = Array.isArray(member) ? member.map(marked) : marked(member);
  }
  for (const name of [...OF_NAMED_PARTS, ...OF_DEFINITIONS]) {
    const parts = made[name];
    if (!isObject(parts)) continue;
    made[name] = Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, marked(part)]));
  }
  return "pattern" in made || "patternProperties" in made ? { ...made, [MARK]: true } : made;
}

/** "Only members of these names and patterns" is kept inside the library, so it is said as a rule for the names. */
function namesAsPatterns(schema: JsonObject): JsonObject {
  const { additionalProperties, ...others } = schema;
  const { properties, patternProperties, propertyNames } = schema;
  if (additionalProperties !== false || !isObject(patternProperties)) return schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const anyOf = [
    ...(names.length === 0 ? [] : [{ enum: names }]),
    ...Object.keys(patternProperties).map((pattern) => ({ type: "string", pattern })),
  ];
  const known: Json = anyOf.length === 0 ? false : { type: "string", anyOf };
  if (propertyNames === undefined || propertyNames === true) return { ...others, propertyNames: known };
  const asked: Json = isObject(propertyNames) ? { type: "string", ...propertyNames } : propertyNames;
  return { ...others, propertyNames: { allOf: [asked, known] } };
}
