/** A program as a tool (docs/mcp.md, programs as tools): its inputs and its result as JSON Schema, from the declarations that everything reads. */
import { inputsByRun, requiredInputs, takesAll } from "../ir/frame-inputs.ts";
import type { Ir } from "../ir/graph.ts";
import { isObject, type Json, type JsonObject, setMember } from "../json.ts";
import { inputSchema } from "./document.ts";
import { readTypes, type Schema } from "./types.ts";

/** `result`: empty where nothing is declared about it. Each has the record types that it names in `$defs`. */
export type ToolSchemas = { readonly input: Schema; readonly result: Schema };

const DEFS = "#/$defs/";

/** `label`: where runs begin. `given`: names of inputs that have a value without the caller, or that only the service sets. */
export function toolSchemas(
  ir: Pick<Ir, "declarations" | "nodes" | "labels" | "endpoints">,
  label: string | null,
  given: { readonly defaults: ReadonlySet<string>; readonly reserved: ReadonlySet<string> },
): ToolSchemas {
  const types = readTypes(ir.declarations, DEFS);
  const declared = inputsByRun(ir)(label).filter(({ name }) => !given.reserved.has(name));
  const own = ir.nodes.filter((node) => node.label === label);
  const required = [...requiredInputs(declared, own)].filter((name) => !given.defaults.has(name));
  const properties: { [name: string]: Schema } = {};
  for (const input of declared) setMember(properties, input.name, inputSchema(input, types));
  const input = {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: takesAll(ir, label),
  };
  const type = (ir.endpoints ?? []).find((endpoint) => endpoint.label === label)?.type ?? null;
  const result = type === null ? {} : types.schemaOf(type);
  return { input: withDefs(input, types.components), result: withDefs(result, types.components) };
}

/** The schema with what it names, and what that names. */
function withDefs(schema: Schema, components: { readonly [name: string]: Schema }): Schema {
  const found = new Map<string, Schema>();
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    if (!isObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === "$ref" && typeof member === "string" ? member.slice(DEFS.length) : null;
      if (name === null) look(member);
      else if (!found.has(name) && Object.hasOwn(components, name)) {
        const own = components[name] ?? {};
        found.set(name, own);
        look(own as JsonObject);
      }
    }
  };
  look(schema as JsonObject);
  if (found.size === 0) return schema;
  const defs: { [name: string]: Schema } = {};
  for (const [name, own] of found) setMember(defs, name, own);
  return { ...schema, $defs: defs };
}
