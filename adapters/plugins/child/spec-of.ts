/** A definition as data, the way a plugin process tells it: schemas as JSON Schema, no functions, names in snake case. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { itemsOf, settingFactsOf } from "../../definition/catalog-entry.ts";
import { type AdapterDefinition, type ArgsSchema, type VerbDefinition, z } from "../../definition/define.ts";

export function specOf(definition: AdapterDefinition): JsonObject {
  const { open, check, close, settings, verbs, ...facts } = definition;
  return {
    ...snakeCased(facts),
    settings: Object.fromEntries(
      Object.entries(settings).map(([name, schema]) => [
        name,
        { ...settingFactsOf(schema), schema: schemaOf(schema), optional: schema.safeParse(undefined).success },
      ]),
    ) as unknown as JsonObject,
    verbs: Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, verbOf(name, verb)])),
  };
}

function verbOf(name: string, verb: VerbDefinition): JsonObject {
  const { run, respell, repeats, harmless, args, forms, options, result, ...facts } = verb;
  for (const [member, given] of Object.entries({ respell, repeats, harmless }))
    if (given !== undefined) throw new Error(`verb ${name} has ${member}, which a process of its own cannot offer`);
  return {
    ...snakeCased(facts),
    args: formOf(args),
    ...(forms === undefined ? {} : { forms: forms.map(formOf) }),
    ...(options === undefined ? {} : { options: schemaOf(options) }),
    result: schemaOf(result, "output"),
  };
}

function formOf(form: ArgsSchema): JsonObject {
  const { rest } = form.def;
  const items = itemsOf(form).map(argumentOf);
  return rest === null ? { items } : { items, rest: argumentOf(rest as z.ZodType) };
}

function argumentOf(schema: z.ZodType): JsonObject {
  const {
    param = "value",
    class: written,
    role,
    sensitive,
  } = (schema.meta() ?? {}) as { readonly [name: string]: Json };
  return {
    name: param,
    schema: schemaOf(schema),
    optional: schema.safeParse(undefined).success,
    ...(written === undefined ? {} : { class: written }),
    ...(role === undefined ? {} : { role }),
    ...(sensitive === undefined ? {} : { sensitive }),
  };
}

/** What JSON Schema cannot say, the plugin itself checks once more. */
function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): JsonObject {
  const { $schema, ...told } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return JSON.parse(JSON.stringify(told));
}

/** `maxTimeoutMs` → `max_timeout_ms`. */
function snakeCased(facts: object): JsonObject {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
  );
}
