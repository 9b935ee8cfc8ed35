/**
 * Values that a JSON Schema describes, as a fast-check arbitrary: now and then one that it does not, so that both sides of every rule are
 * drawn. Knows the part of JSON Schema that our own schemas use.
 */
import fc from "fast-check";

export type JsonSchema = {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
};

export type SchemaValues = {
  /** What a reference stands for. */
  resolve(reference: string): JsonSchema;
  /** Values that a member of this name is likely to have, in addition to those its schema describes. */
  readonly likely: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Members that a schema does not require, and no meaningful value lacks. */
  readonly wanted: readonly string[];
};

/** How often a member fits its schema, for each time it does not. */
const FITTING = 80;
const anything = fc.jsonValue({ maxDepth: 3 });

export function valuesOf(schema: JsonSchema, options: SchemaValues): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) return valuesOf(options.resolve($ref), options);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => valuesOf(one, options)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => valuesOf({ ...schema, type: one }, options)));
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (type) {
    case "object":
      return objectsOf(schema, options);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, options), { maxLength: 4 });
    case "string":
      return textsOf(schema);
    case "integer":
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -1, max: Math.min(schema.maximum ?? 1000, 1000) }),
        fc.nat(3),
      );
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return anything;
  }
}

function textsOf({ pattern, minLength = 0, maxLength = 20 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined && /^\^.*\$$/.test(pattern)) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, 20) });
}

function objectsOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  options: SchemaValues,
): fc.Arbitrary<object> {
  const members = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => {
    const fitting = valuesOf(schema, options);
    const likely = Object.hasOwn(options.likely, name) ? (options.likely[name] ?? fitting) : fitting;
    return [
      name,
      fc.oneof(
        { weight: FITTING, arbitrary: likely },
        { weight: 2, arbitrary: fitting },
        { weight: 1, arbitrary: anything },
      ),
    ];
  });
  const requiredKeys = [...required, ...options.wanted.filter((name) => Object.hasOwn(properties, name))];
  const known = fc.record(Object.fromEntries(members), { requiredKeys });
  const value = typeof additionalProperties === "object" ? valuesOf(additionalProperties, options) : anything;
  const further = fc.dictionary(fc.string({ maxLength: 6 }), value, { maxKeys: 3 });
  if (additionalProperties !== false) return fc.tuple(known, further).map(([a, b]) => ({ ...b, ...a }));
  // A name too many, or one too few.
  return fc.oneof(
    { weight: FITTING, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(known, further).map(([a, b]) => ({ ...b, ...a })) },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: [] }) },
  );
}
