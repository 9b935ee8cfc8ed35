/**
 * Turns the description that a plugin process sends into a definition whose functions are messages. Its schemas are JSON Schema and become
 * internal schemas without generated code; an unsupported keyword in a schema stops the start.
 */
import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { schemaFault } from "../../content/json-schema.ts";
import { arg, type OpenCall, type SettingSchemas, type VerbCall } from "../../definition/define.ts";
import { tupleOf } from "../complete.ts";
import { fault } from "../entries.ts";
import { type Instance, Instances } from "./instances.ts";
import type { PluginProcess } from "./plugin-process.ts";
import { PatternedSchemas } from "./schema-patterns.ts";

const jsonSchema = z.custom<JsonObject>(isObject, "a JSON Schema object");
const argument = z.strictObject({
  name: z.string().min(1).max(60),
  schema: jsonSchema,
  optional: z.boolean().optional(),
  class: z.enum(["key", "word"]).optional(),
  role: z.enum(["url", "host", "path", "table", "tool", "module", "env", "queue"]).optional(),
  sensitive: z.literal(true).optional(),
});
type Argument = z.output<typeof argument>;
const form = z.strictObject({ items: z.array(argument).max(20), rest: argument.optional() });
type Form = z.output<typeof form>;

/** Members with a schema are read here; plain facts pass on to the check that every definition goes through. */
const verbSpec = z.looseObject({
  args: z.union([z.array(argument).max(20), form]).optional(),
  forms: z.array(form).optional(),
  options: jsonSchema.optional(),
  result: jsonSchema.optional(),
});
const settingSpec = z.strictObject({
  schema: jsonSchema,
  optional: z.boolean().optional(),
  merge: z.enum(["intersect", "min", "and", "within", "server"]),
  max: z.number().optional(),
  fold: z.enum(["exact", "folded", "extension", "host", "number"]).optional(),
  map: z.literal(true).optional(),
  configures: z.literal(true).optional(),
  admits: z.array(z.enum(["url", "host", "path", "table", "tool", "module", "env", "queue"])).optional(),
});
const spec = z.looseObject({
  verbs: z.record(z.string(), verbSpec),
  settings: z.record(z.string(), settingSpec).optional(),
  secrets: z.record(z.string(), z.looseObject({ required: z.boolean().optional() })).optional(),
  needs: z.array(z.string()).optional(),
});
type Spec = z.output<typeof spec>;

/** A value with the shape of a definition; not checked as one yet. Throws StartFault. */
export function definitionOf(origin: string, told: Json, plugin: PluginProcess): unknown {
  const read = spec.safeParse(told);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw fault(origin, `its spec is not valid: /${issue?.path.map(String).join("/") ?? ""} ${issue?.message ?? ""}`);
  }
  const { verbs, settings = {}, ...facts } = read.data;
  const schemas = new PatternedSchemas();
  const schemaAt = (place: string, schema: JsonObject): z.ZodType => {
    const refused = (why: string): Error =>
      fault(origin, `its spec has a schema that is not understood: ${place}: ${why}`);
    const wrong = schemaFault(schema);
    if (wrong !== null) throw refused(wrong);
    try {
      return schemas.made(schema);
    } catch (cause) {
      throw refused((cause as Error).message);
    }
  };
  const instances = new Instances(plugin, read.data);
  if (typeof facts["name"] === "string") plugin.isNamed(facts["name"]);
  return {
    ...camelCased(facts),
    settings: settingsOf(settings, schemaAt),
    verbs: Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [name, verbOf(name, verb, schemaAt, instances)]),
    ),
    open: (call: OpenCall<unknown>) => instances.open(call),
    check: ({ instance, signal }: { readonly instance: Instance; readonly signal: AbortSignal }) =>
      instances.ask(instance, "check", {}, signal),
    close: (instance: Instance) => instances.close(instance),
  };
}

type SchemaAt = (place: string, schema: JsonObject) => z.ZodType;

function settingsOf(given: NonNullable<Spec["settings"]>, schemaAt: SchemaAt): SettingSchemas {
  return Object.fromEntries(
    Object.entries(given).map(([name, { schema, optional, ...facts }]) => {
      const known = schemaAt(`/settings/${name}`, schema);
      return [name, (optional === true ? known.optional() : known).meta(facts)];
    }),
  );
}

function verbOf(name: string, verb: z.output<typeof verbSpec>, schemaAt: SchemaAt, instances: Instances) {
  const { args = [], forms, options, result, ...facts } = verb;
  const place = `/verbs/${name}`;
  const known = options === undefined ? undefined : schemaAt(`${place}/options`, options);
  return {
    ...camelCased(facts),
    args: formOf(Array.isArray(args) ? { items: args } : args, place, schemaAt),
    ...(forms === undefined ? {} : { forms: forms.map((one) => formOf(one, place, schemaAt)) }),
    ...(known === undefined ? {} : { options: known }),
    ...(result === undefined ? {} : { result: schemaAt(`${place}/result`, result) }),
    run: ({ args: given, options: chosen, instance, ctx }: VerbCall<Json[], JsonObject, unknown, Instance>) => {
      const left = ctx.remainingMs();
      const members = {
        verb: name,
        args: given.map((one) => one ?? null),
        options: chosen,
        call_id: ctx.callId,
        idempotency_key: ctx.idempotencyKey,
        attempt: ctx.attempt,
        trace_id: ctx.traceId,
        now_ms: ctx.now(),
        deadline_ms: Number.isFinite(left) ? Math.ceil(left) : null,
      };
      return instances.ask(instance, "call", members, ctx.signal);
    },
  };
}

function formOf({ items, rest }: Form, place: string, schemaAt: SchemaAt): z.ZodType {
  const of = ({ name, schema, optional, ...facts }: Argument): z.ZodType => {
    const known = schemaAt(`${place}/args/${name}`, schema);
    return arg(name, optional === true ? known.optional() : known, facts as Parameters<typeof arg>[2]);
  };
  return tupleOf(items.map(of), rest === undefined ? null : of(rest));
}

/** `max_timeout_ms` → `maxTimeoutMs`: the names of a definition. */
function camelCased(facts: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
