/**
 * Whether a schema that a plugin tells can be made one of ours. Schemas may refer to parts of themselves, so a few lines can stand for a
 * tree without end, for one that no memory holds, or for one that looks at the same value twice on every level, which no deep
 * value ever leaves. All of them are found here, before anything is made of them.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { MAX_NESTING } from "../../vm/values/values.ts";
import { Slots } from "./schema-slots.ts";

/** Schemas that one stands for, counted wherever they are referred to. */
const MAX_SCHEMAS = 10_000;

/** Reading a value to tell it from others takes as long as this many rules. */
const COMPARING_VALUES = 9;

/** Members that hold schemas of the value itself, of its parts, and of parts by name. */
export const OF_THE_VALUE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] as const;
export const OF_PARTS = [
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
] as const;
export const OF_NAMED_PARTS = ["properties", "patternProperties"] as const;
const OF_NAMED_CONDITIONS = ["dependentSchemas", "dependentRequired", "dependencies"] as const;

/** What is wrong; null: nothing. */
export function schemaFault(schema: JsonObject): string | null {
  return new Walk(schema).fault();
}

/**
 * How many schemas one stands for, with those that are only true, false or names that must be there too; Infinity when it cannot be had,
 * or refers to what is not among its definitions.
 */
export function schemasIn(schema: JsonObject): number {
  const walk = new Walk(schema);
  return walk.fault() === null && !walk.refersElsewhere ? walk.schemas : Infinity;
}

class Walk {
  readonly #root: JsonObject;
  /** What was referred to on the way to the present schema. */
  readonly #above: Set<Json>;
  /** Where the present schema looks, from the whole value on. */
  readonly #slots = new Slots();
  schemas = 0;
  refersElsewhere = false;
  #depth = 0;

  constructor(root: JsonObject) {
    this.#root = root;
    this.#above = new Set([root]);
  }

  fault(): string | null {
    return this.#in(this.#root, new Set([this.#root]));
  }

  /** `same`: what was referred to on the way here and says something of the same value. */
  #in(schema: Json, same: ReadonlySet<Json>): string | null {
    this.schemas += 1;
    if (this.schemas > MAX_SCHEMAS) return `it stands for more than ${MAX_SCHEMAS} schemas`;
    if (!isObject(schema)) return null;
    if (this.#depth >= MAX_NESTING) return `it is nested deeper than ${MAX_NESTING} levels`;
    if (schema !== this.#root && typeof schema["$id"] === "string") this.refersElsewhere = true;
    if (comparesValues(schema)) this.schemas += COMPARING_VALUES;
    // What these lead to depends on the way that led to them.
    if ("$dynamicRef" in schema || "$recursiveRef" in schema) this.refersElsewhere = true;
    this.#depth += 1;
    const found =
      this.#inReferred(schema, same) ??
      this.#inAll(
        OF_THE_VALUE.flatMap((name) => schemasOf(schema[name])),
        same,
      ) ??
      this.#inAll(
        OF_NAMED_CONDITIONS.flatMap((name) => namedIn(schema[name]).map(([, part]) => part)),
        same,
      ) ??
      this.#inParts(schema);
    this.#depth -= 1;
    return found;
  }

  #inAll(schemas: readonly Json[], same: ReadonlySet<Json>): string | null {
    for (const one of schemas) {
      const found = this.#in(one, same);
      if (found !== null) return found;
    }
    return null;
  }

  #inParts(schema: JsonObject): string | null {
    for (const name of [...OF_PARTS, ...OF_NAMED_PARTS]) {
      const member = schema[name];
      const parts = name === "properties" || name === "patternProperties" ? namedIn(member) : numberedIn(member);
      for (const [part, one] of parts) {
        const found = this.#slots.within(name, part, () => this.#in(one, new Set()));
        if (found !== null) return found;
      }
    }
    return null;
  }

  #inReferred({ $ref }: JsonObject, same: ReadonlySet<Json>): string | null {
    if (typeof $ref !== "string") return null;
    const target = referred($ref, this.#root);
    if (target === undefined) {
      this.refersElsewhere = true;
      return null;
    }
    if (same.has(target)) return "it refers to itself without end";
    if (this.#above.has(target)) {
      return this.#slots.repeat() ? null : "it refers to itself in two places for the same part of a value";
    }
    this.#above.add(target);
    const found = this.#in(target, new Set([...same, target]));
    this.#above.delete(target);
    return found;
  }
}

/** Whether parts of a value are compared with each other, or with whole lists and objects. */
function comparesValues({ uniqueItems, enum: choices }: JsonObject): boolean {
  const compares = (choice: Json) => typeof choice === "object" && choice !== null;
  return uniqueItems === true || (Array.isArray(choices) && choices.some(compares));
}

function schemasOf(member: Json | undefined): readonly Json[] {
  if (Array.isArray(member)) return member;
  return isObject(member) ? [member] : [];
}

function namedIn(member: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(member) ? Object.entries(member) : [];
}

/** A list of schemas is one for each place; one that stands alone is for all of them. */
function numberedIn(member: Json | undefined): readonly (readonly [string | null, Json])[] {
  if (Array.isArray(member)) return member.map((one, place) => [String(place), one]);
  return isObject(member) ? [[null, member]] : [];
}

/** What a reference leads to: the whole, or one of its definitions. */
function referred(reference: string, root: JsonObject): Json | undefined {
  if (reference === "#") return root;
  const [, list, name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = list === undefined ? undefined : root[list];
  const key = name.replace(/~1/g, "/").replace(/~0/g, "~");
  return isObject(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
}
