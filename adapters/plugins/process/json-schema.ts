/**
 * Whether a schema that a plugin tells can be made one of ours. Schemas may refer to parts of themselves, so a few lines can stand for a
 * tree without end, or for one that no memory holds; both are found here, before anything is made of them.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { MAX_NESTING } from "../../../vm/values.ts";

/** Schemas that one stands for, counted wherever they are referred to. */
const MOST_SCHEMAS = 10_000;

/** Members that hold schemas of the value itself, of its parts, and of parts by name. */
const OF_THE_VALUE = ["allOf", "anyOf", "oneOf", "not"] as const;
const OF_PARTS = [
  "items",
  "prefixItems",
  "additionalItems",
  "contains",
  "additionalProperties",
  "propertyNames",
] as const;
const OF_NAMED_PARTS = ["properties", "patternProperties"] as const;

/** What is wrong; null: nothing. */
export function schemaFault(schema: JsonObject): string | null {
  return new Walk(schema).fault();
}

class Walk {
  readonly #root: JsonObject;
  /** What was referred to on the way to the present schema. */
  readonly #above: Set<Json>;
  #schemas = 0;
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
    if (!isObject(schema)) return null;
    this.#schemas += 1;
    if (this.#schemas > MOST_SCHEMAS) return `it stands for more than ${MOST_SCHEMAS} schemas`;
    if (this.#depth >= MAX_NESTING) return `it is nested deeper than ${MAX_NESTING} levels`;
    this.#depth += 1;
    const found =
      this.#inReferred(schema, same) ??
      this.#inAll(
        OF_THE_VALUE.flatMap((name) => schemasOf(schema[name])),
        same,
      ) ??
      this.#inAll([...OF_PARTS.flatMap((name) => schemasOf(schema[name])), ...namedIn(schema)], new Set());
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

  #inReferred({ $ref }: JsonObject, same: ReadonlySet<Json>): string | null {
    const target = typeof $ref === "string" ? referred($ref, this.#root) : undefined;
    if (target === undefined) return null;
    if (same.has(target)) return "it refers to itself without end";
    if (this.#above.has(target)) return null;
    this.#above.add(target);
    const found = this.#in(target, new Set([...same, target]));
    this.#above.delete(target);
    return found;
  }
}

function schemasOf(member: Json | undefined): readonly Json[] {
  if (Array.isArray(member)) return member;
  return isObject(member) ? [member] : [];
}

function namedIn(schema: JsonObject): readonly Json[] {
  return OF_NAMED_PARTS.flatMap((name) => {
    const parts = schema[name];
    return isObject(parts) ? Object.values(parts) : [];
  });
}

/** What a reference leads to: the whole, or one of its definitions. */
function referred(reference: string, root: JsonObject): Json | undefined {
  if (reference === "#") return root;
  const [, list, name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = list === undefined ? undefined : root[list];
  const key = name.replace(/~1/g, "/").replace(/~0/g, "~");
  return isObject(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
}
