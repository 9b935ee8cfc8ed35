/** TypeScript types of the schemas of an OpenAPI document, as text: one exported type for each component. */
import type { Json, JsonObject } from "../../compiler/json.ts";

const HEAD = `/**
 * The bodies of the service, made from its OpenAPI document by test/client/types.test.ts (WEFT_DOCS=write). Do not edit.
 */
`;

export function typesText(document: JsonObject): string {
  const { schemas } = document["components"] as { readonly schemas: Readonly<Record<string, JsonObject>> };
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  return `${HEAD}\n/** Any JSON value. */\nexport type Json = unknown;\n\n${types.join("\n\n")}\n`;
}

function typeOf(schema: Json | undefined): string {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "Json";
  const one = schema as JsonObject;
  const { $ref, anyOf, oneOf, type } = one as { readonly [name: string]: Json };
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(anyOf ?? oneOf)) return union(((anyOf ?? oneOf) as readonly Json[]).map(typeOf));
  if (one["const"] !== undefined) return JSON.stringify(one["const"]);
  if (Array.isArray(one["enum"])) return union(one["enum"].map((value) => JSON.stringify(value)));
  if (Array.isArray(type)) return union(type.map((word) => typeOf({ ...one, type: word })));
  switch (type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly ${bracketed(typeOf(one["items"]))}[]`;
    case "object":
      return objectType(one);
    default:
      return "Json";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonObject): string {
  const members = Object.entries(properties as JsonObject).map(([name, schema]) => {
    const optional = (required as readonly string[]).includes(name) ? "" : "?";
    return `readonly ${/^\w+$/.test(name) ? name : JSON.stringify(name)}${optional}: ${typeOf(schema)}`;
  });
  const open = typeof additionalProperties === "object" && additionalProperties !== null;
  if (members.length === 0) return open ? `Readonly<Record<string, ${typeOf(additionalProperties)}>>` : "object";
  // What a later service adds is not an error.
  const rest = open ? ["readonly [name: string]: Json"] : [];
  return `{ ${[...members, ...rest].join("; ")} }`;
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.includes("Json") ? "Json" : different.join(" | ");
}

function bracketed(type: string): string {
  return type.includes(" | ") || type.startsWith("readonly ") ? `(${type})` : type;
}
