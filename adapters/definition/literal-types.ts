/**
 * Which types of values a schema can accept, as far as its structure proves it: what the compiler holds literal arguments against. Reads
 * the schema's own description, so that schemas of any copy of zod are understood and none is loaded; what it does not know accepts
 * anything. Values inside a type (ranges, patterns, members) are the run's business.
 */
import { LITERAL_TYPES, type LiteralType } from "../../compiler/catalog.ts";
import type { z } from "./define.ts";

type Types = ReadonlySet<LiteralType>;

/** Schemas inside schemas beyond this accept anything. */
const DEEPEST = 16;

/** null: nothing is known, or everything fits. In the order of the table of types. */
export function literalTypesOf(schemas: readonly z.ZodType[]): readonly LiteralType[] | null {
  const found = unionOf(schemas.map((schema) => typesOf(schema, 0)));
  if (found === null) return null;
  const listed = LITERAL_TYPES.filter((type) => found.has(type) && !(type === "integer" && found.has("number")));
  return listed.length === 0 || isEverything(found) ? null : listed;
}

function isEverything(found: Types): boolean {
  return LITERAL_TYPES.every((type) => found.has(type) || (type === "integer" && found.has("number")));
}

function unionOf(all: readonly (Types | null)[]): Types | null {
  const union = new Set<LiteralType>();
  for (const types of all) {
    if (types === null) return null;
    for (const type of types) union.add(type);
  }
  return union;
}

/** The part of a schema's description that this reads. */
type Described = {
  readonly type: string;
  readonly coerce?: boolean;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
};

function typesOf(schema: z.ZodType, depth: number): Types | null {
  const def = schema.def as unknown as Described;
  if (depth > DEEPEST || def.coerce === true) return null;
  switch (def.type) {
    case "string":
      return new Set(["text"]);
    case "number":
      return new Set([(schema as { readonly isInt?: unknown }).isInt === true ? "integer" : "number"]);
    case "boolean":
      return new Set(["boolean"]);
    case "null":
      return new Set(["null"]);
    case "array":
    case "tuple":
      return new Set(["list"]);
    case "object":
    case "record":
      return new Set(["object"]);
    case "literal":
      return unionOf((def.values ?? []).map(typeOfValue));
    case "enum":
      return unionOf(Object.values(def.entries ?? {}).map(typeOfValue));
    case "union":
      return unionOf((def.options ?? []).map((one) => typesOf(one, depth + 1)));
    // A place that may be left out takes null for it (`bind.ts`).
    case "optional":
    case "default":
    case "prefault":
    case "nullable":
      return withNull(innerOf(def.innerType, depth));
    case "readonly":
    case "nonoptional":
      return innerOf(def.innerType, depth);
    case "pipe":
      return innerOf(def.in, depth);
    default:
      return null;
  }
}

function innerOf(schema: z.ZodType | undefined, depth: number): Types | null {
  return schema === undefined ? null : typesOf(schema, depth + 1);
}

function withNull(types: Types | null): Types | null {
  return types === null ? null : new Set([...types, "null"]);
}

function typeOfValue(value: unknown): Types | null {
  switch (typeof value) {
    case "string":
      return new Set(["text"]);
    case "number":
      return new Set(["number"]);
    case "boolean":
      return new Set(["boolean"]);
    default:
      return value === null ? new Set(["null"]) : null;
  }
}
