/**
 * What an OpenAPI 3.1 document must be, as far as documents of programs go: its objects with no member that the specification does not
 * name, schemas that are JSON Schema, references that lead somewhere, and the rules that no schema can state.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";

type Parameter = { readonly name: string; readonly in: string };
type Operation = { readonly operationId: string; readonly parameters?: readonly Parameter[] };
export type ApiDocument = {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

const closed = (properties: object, required: readonly string[]): object => ({
  type: "object",
  properties,
  required,
  patternProperties: { "^x-": {} },
  additionalProperties: false,
});
const text = { type: "string" };
const schema = { $ref: "https://json-schema.org/draft/2020-12/schema" };
const content = {
  type: "object",
  propertyNames: { pattern: "^[a-z]+/[a-z+.-]+$" },
  additionalProperties: closed({ schema }, []),
  minProperties: 1,
  maxProperties: 1,
};
const parameter = {
  ...closed({ name: text, in: { enum: ["path", "query"] }, required: { type: "boolean" }, schema, content }, [
    "name",
    "in",
  ]),
  oneOf: [{ required: ["schema"] }, { required: ["content"] }],
  if: { properties: { in: { const: "path" } } },
  then: { properties: { required: { const: true }, name: { pattern: "^[^/?#{}]+$" } }, required: ["required"] },
};
const operation = closed(
  {
    operationId: text,
    summary: text,
    parameters: { type: "array", items: parameter, minItems: 1 },
    requestBody: closed({ content }, ["content"]),
    responses: {
      type: "object",
      propertyNames: { pattern: "^(?:[1-5][0-9][0-9]|default)$" },
      additionalProperties: closed({ description: text, content }, ["description"]),
    },
  },
  ["operationId", "responses"],
);
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const DOCUMENT = closed(
  {
    openapi: { const: "3.1.0" },
    info: closed({ title: text, version: text }, ["title", "version"]),
    servers: { type: "array", items: closed({ url: { type: "string", pattern: "^[^{}\\s]+$" } }, ["url"]) },
    paths: {
      type: "object",
      propertyNames: { pattern: "^/[^?#\\s]*$" },
      additionalProperties: closed(Object.fromEntries(methods.map((method) => [method, operation])), []),
    },
    components: closed(
      { schemas: { type: "object", propertyNames: { pattern: "^[A-Za-z0-9._-]+$" }, additionalProperties: schema } },
      [],
    ),
  },
  ["openapi", "info", "paths"],
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const isDocument = ajv.compile(DOCUMENT);

export function expectOpenApi(document: ApiDocument): void {
  expect(isDocument(document) ? [] : isDocument.errors).toEqual([]);
  const shapes = new Set<string>();
  const ids = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    const templated = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
    expect(new Set(templated).size, path).toBe(templated.length);
    expect(path.replace(/\{[^{}]*\}/g, ""), path).not.toMatch(/[{}]/);
    const shape = path.replace(/\{[^{}]*\}/g, "{}");
    expect(shapes.has(shape), path).toBe(false);
    shapes.add(shape);
    for (const { operationId, parameters = [] } of Object.values(item)) {
      expect(ids.has(operationId), operationId).toBe(false);
      ids.add(operationId);
      const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
      expect(inPath, path).toEqual(templated);
      const keys = parameters.map((one) => `${one.in} ${one.name}`);
      expect(new Set(keys).size, path).toBe(keys.length);
    }
  }
  // References that lead nowhere do not compile.
  const whole = new Ajv2020({ strict: false, validateFormats: false });
  whole.addSchema({ $id: "api", ...document } as object);
  for (const reference of referencesIn(document)) whole.compile({ $ref: `api${reference}` });
}

function referencesIn(document: ApiDocument): ReadonlySet<string> {
  const found = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? "");
  return new Set(found);
}
