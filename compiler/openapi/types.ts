/**
 * The types of the language as JSON Schema: letters (`I`, `A[T]`, `E[a,b]`), words of inputs (`text`, `list`), and record types as
 * components. Names are data: components are named within what OpenAPI allows, and an unknown type means any value.
 */
import type { IrDeclaration } from "../ir/graph.ts";
import { bracketType } from "../ir/input-type.ts";
import { readRecordTypes } from "../ir/record-types.ts";
import { type Json, setMember } from "../json.ts";

export type Schema = { readonly [member: string]: Json };

export type Types = {
  /** Record types and the shape of failures, by component name. */
  readonly components: { readonly [name: string]: Schema };
  /** Reference to the shape of failures. */
  readonly failure: Schema;
  schemaOf(type: string): Schema;
};

const ANY: Schema = {};
const PLAIN: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ["I", { type: "integer" }],
  ["F", { type: "number" }],
  ["S", { type: "string" }],
  ["B", { type: "boolean" }],
  ["D", { type: "string", format: "date" }],
  ["J", ANY],
  ["any", ANY],
  ["text", { type: "string" }],
  ["number", { type: "number" }],
  ["integer", { type: "integer" }],
  ["boolean", { type: "boolean" }],
  ["list", { type: "array", items: ANY }],
  ["map", { type: "object" }],
]);
const MAX_TYPE_DEPTH = 64;

/** What a surface answers when a program is refused or fails (docs/http.md, error codes). */
const FAILURE: Schema = {
  type: "object",
  properties: {
    ok: { const: false },
    trace_id: { type: "string" },
    error: { type: "string" },
    message: { type: "string" },
  },
  required: ["ok", "error", "message"],
};

/** `at`: where references find the components. */
export function readTypes(declarations: readonly IrDeclaration[], at = "#/components/schemas/"): Types {
  const fields = readRecordTypes(declarations);
  const names = componentNames([...fields.keys(), "Error"]);
  const reference = (index: number): Schema => ({ $ref: `${at}${names[index]}` });
  const references = new Map([...fields.keys()].map((type, at) => [type, reference(at)]));
  const schemaOf = (type: string): Schema => schemaOfType(type, references, 0);
  const components: { [name: string]: Schema } = {};
  let next = 0;
  for (const [type, own] of fields) {
    const name = names[next] ?? "";
    setMember(components, name, { ...(name === type ? {} : { title: type }), ...recordSchema(own, schemaOf) });
    next += 1;
  }
  setMember(components, names[next] ?? "", FAILURE);
  return { components, failure: reference(next), schemaOf };
}

function recordSchema(fields: ReadonlyMap<string, string>, schemaOf: (type: string) => Schema): Schema {
  const properties: { [field: string]: Schema } = {};
  for (const [name, type] of fields) setMember(properties, name, schemaOf(type));
  const required = [...fields].flatMap(([name, type]) => (type.endsWith("?") ? [] : [name]));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function schemaOfType(written: string, references: ReadonlyMap<string, Schema>, depth: number): Schema {
  const mark = written.slice(-1);
  const type = mark === "?" || mark === "!" ? written.slice(0, -1) : written;
  const schema = plainSchema(type, references, depth);
  // What is absent in one place is null in another.
  return mark === "?" && schema !== ANY ? { anyOf: [schema, { type: "null" }] } : schema;
}

function plainSchema(type: string, references: ReadonlyMap<string, Schema>, depth: number): Schema {
  const known = PLAIN.get(type) ?? references.get(type);
  if (known !== undefined) return known;
  const written = depth === MAX_TYPE_DEPTH ? null : bracketType(type);
  const schemaOf = (of: string): Schema => schemaOfType(of, references, depth + 1);
  switch (written?.kind) {
    case "list":
      return { type: "array", items: schemaOf(written.of) };
    case "map": {
      const values = schemaOf(written.of);
      return values === ANY ? { type: "object" } : { type: "object", additionalProperties: values };
    }
    case "union":
      return { anyOf: written.of.map(schemaOf) };
    case "words":
      return { enum: [...new Set(written.words)] };
    case "values":
      return { enum: [...new Set(written.values)] };
    default:
      return ANY;
  }
}

/** Each name with the characters of a component, and no two alike. */
function componentNames(names: readonly string[]): readonly string[] {
  const unique = uniqueNames();
  return names.map((name) => unique(name.replace(/[^A-Za-z0-9._-]/g, "_") || "_"));
}

/** Gives a name a number when it was given before. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (name) => {
    let unique = name;
    for (let at = next.get(name) ?? 2; taken.has(unique); at += 1) {
      unique = `${name}_${at}`;
      next.set(name, at + 1);
    }
    taken.add(unique);
    return unique;
  };
}
