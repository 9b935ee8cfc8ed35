/**
 * Whether a definition keeps the rules of docs/adapters/writing.md, found when it is loaded: its shape, names, aliases, facts that must not be
 * weaker than those of its verbs, settings that only restrict, options that cannot be mistaken for an argument, examples that are
 * Weft. Built-in definitions are held to it by a test, definitions from outside before their first use.
 */

import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog, PRIVILEGE_TIERS } from "../../compiler/catalog.ts";
import { compile } from "../../compiler/compile.ts";
import { HIDDEN, shownText } from "../../compiler/hidden-characters.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { foldVerb } from "../../vm/adapter.ts";
import { ADAPTER_CODES } from "../errors.ts";
import { acceptsObject } from "./bind.ts";
import { catalogEntryOf, itemsOf, requiredOf, settingFactsOf } from "./catalog-entry.ts";
import { type AdapterDefinition, type ArgsSchema, type SettingFacts, type VerbDefinition, z } from "./define.ts";

/** `path` is a JSON pointer into the definition. */
export type DefinitionIssue = { readonly path: string; readonly message: string };

const run = z.custom<(...args: never) => unknown>((value) => typeof value === "function", "a function");
const schema = z.custom<z.ZodType>((value) => value instanceof z.ZodType, "a schema of zod");
const text = z.string().trim().min(1).max(500);
/** Text shown to people: on a terminal, in a table, in a log. */
const sentence = text.refine(isShowable, "has line breaks, control characters or other invisible characters");
const milliseconds = z.number().int().positive();

const verbShape = z.strictObject({
  summary: sentence,
  effect: z.enum(["pure", "io-read", "io-write", "control"]),
  kind: z
    .string()
    .regex(/^[a-z_]+$/)
    .optional(),
  destructive: z.boolean().optional(),
  idempotent: z.union([z.boolean(), z.literal("keyed")]).optional(),
  determinism: z.enum(["pure", "state", "clock", "random", "external"]),
  timeoutMs: milliseconds.optional(),
  maxTimeoutMs: milliseconds.optional(),
  maxResultBytes: z.number().int().positive().optional(),
  record: z.enum(["full", "hash"]).optional(),
  repeats: run.optional(),
  harmless: run.optional(),
  respell: run.optional(),
  exact: z.union([z.literal(true), z.literal("equal")]).optional(),
  errors: z.array(z.string()).readonly().optional(),
  examples: z
    .array(
      z.strictObject({ source: text, settings: z.record(z.string(), z.unknown()).optional(), result: z.unknown() }),
    )
    .readonly()
    .optional(),
  args: z.instanceof(z.ZodTuple),
  forms: z.array(z.instanceof(z.ZodTuple)).readonly().optional(),
  options: z.instanceof(z.ZodObject).optional(),
  result: schema,
  run,
});

const adapterShape = z.strictObject({
  apiVersion: z.literal(1),
  name: z.string().regex(/^[a-z][a-z0-9_]{1,30}$/),
  version: z.string().regex(/^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/),
  summary: sentence,
  support: z.enum(["core", "compatibility", "extension_ecosystem"]),
  lane: z.enum(["canonical", "noncanonical"]),
  privilege: z.enum(["pure", "local_state", "network", "operator_sensitive"]),
  sandboxSafe: z.boolean(),
  networkFacing: z.boolean(),
  destructive: z.boolean().optional(),
  durable: z.boolean(),
  maturity: z.enum(["experimental", "beta", "stable"]),
  notes: text.optional(),
  secrets: z
    .record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.strictObject({ summary: sentence, required: z.boolean() }))
    .optional(),
  needs: z
    .array(z.enum(["http", "files", "sqlite", "store", "process", "workers"]))
    .readonly()
    .optional(),
  settings: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), schema),
  settingAliases: z.record(z.string(), z.string()).optional(),
  verbs: z.record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,60}$/), verbShape),
  aliases: z.record(z.string(), z.string()).optional(),
  concurrent: z.boolean().optional(),
  verbFallback: z.string().optional(),
  open: run.optional(),
  check: run.optional(),
  close: run.optional(),
});

/** What is wrong with a definition; none: it can be linked. Total for any value. */
export function definitionIssues(value: unknown): readonly DefinitionIssue[] {
  const read = adapterShape.safeParse(value);
  if (!read.success)
    return read.error.issues.map(({ path, message }) => ({
      path: shownText(`/${path.map(String).join("/")}`),
      message,
    }));
  // The shape was checked member by member just now.
  const definition = value as AdapterDefinition;
  const rules = [nameIssues, wordIssues, factIssues, settingIssues, verbIssues].flatMap((rule) => [
    ...rule(definition),
  ]);
  return rules.length > 0 ? rules : [...exampleIssues(definition)];
}

type Issues = Generator<DefinitionIssue>;

function* nameIssues({ verbs, aliases = {}, verbFallback }: AdapterDefinition): Issues {
  const names = new Map<string, string>();
  for (const name of Object.keys(verbs)) {
    const other = names.get(foldVerb(name));
    if (other !== undefined) yield { path: `/verbs/${name}`, message: `reads like the verb ${other}` };
    names.set(foldVerb(name), name);
  }
  if (names.size === 0) yield { path: "/verbs", message: "an adapter has at least one verb" };
  for (const [alias, verb] of Object.entries(aliases)) {
    if (names.has(foldVerb(alias))) yield { path: `/aliases/${alias}`, message: "shadows a verb" };
    if (!Object.hasOwn(verbs, verb)) yield { path: `/aliases/${alias}`, message: "means no verb of this adapter" };
  }
  if (verbFallback !== undefined && !Object.hasOwn(verbs, verbFallback))
    yield { path: "/verbFallback", message: "means no verb of this adapter" };
}

/** Descriptions of settings, arguments and options are shown like summaries. */
function* wordIssues({ settings, verbs }: AdapterDefinition): Issues {
  const told: (readonly [path: string, schema: z.ZodType])[] = Object.entries(settings).map(([name, one]) => [
    `/settings/${name}`,
    one,
  ]);
  for (const [word, { args, forms = [], options }] of Object.entries(verbs)) {
    for (const form of [args, ...forms])
      for (const [place, one] of placesOf(form).entries()) told.push([`/verbs/${word}/args/${place}`, one]);
    for (const [name, one] of Object.entries(options?.shape ?? {})) told.push([`/verbs/${word}/options/${name}`, one]);
  }
  for (const [path, schema] of told) {
    const { param = "", description = "" } = schema.meta() ?? {};
    if (!isShowable(`${path}${String(param)}${description}`))
      yield {
        path: shownText(path),
        message: "its name or description has control characters or other invisible characters",
      };
  }
}

function isShowable(text: string): boolean {
  return !HIDDEN.test(text);
}

/** What is published of the adapter must not be weaker than what a verb of it does. */
function* factIssues(definition: AdapterDefinition): Issues {
  const { privilege, networkFacing, destructive, verbs } = definition;
  const rank = PRIVILEGE_TIERS.indexOf(privilege);
  const all = Object.values(verbs);
  if (rank < PRIVILEGE_TIERS.indexOf("local_state") && all.some(({ effect }) => effect.startsWith("io-")))
    yield { path: "/privilege", message: "is weaker than a verb that reads or writes outside the program" };
  if (rank < PRIVILEGE_TIERS.indexOf("network") && networkFacing)
    yield { path: "/privilege", message: "is weaker than networkFacing" };
  if (!networkFacing && (privilege === "network" || all.some(({ kind }) => kind === "http")))
    yield { path: "/networkFacing", message: "is false, but the adapter or a verb works over the network" };
  if (destructive === false && all.some((verb) => verb.destructive ?? verb.effect === "io-write"))
    yield { path: "/destructive", message: "is false, but a verb is destructive" };
}

function* settingIssues({ settings, settingAliases = {} }: AdapterDefinition): Issues {
  for (const [name, one] of Object.entries(settings)) {
    const path = `/settings/${name}`;
    const { merge, map } = settingFactsOf(one);
    if (one.meta()?.["merge"] === undefined) yield { path, message: "does not say how it is merged" };
    if (name.startsWith("allow_") && merge !== "intersect" && merge !== "and" && merge !== "server")
      yield { path, message: "permits, so it must be a list (intersect) or a boolean (and)" };
    if (merge === "server") continue;
    if (!one.safeParse(undefined).success) yield { path, message: "has neither a default nor is it optional" };
    for (const sample of samplesOf(merge, map === true))
      if (!one.safeParse(sample).success) yield { path, message: `does not accept ${JSON.stringify(sample)}` };
  }
  for (const [alias, name] of Object.entries(settingAliases)) {
    // The operator declares an object; a list under its name is that of the names that may be used.
    const shadowed = Object.hasOwn(settings, alias) ? settings[alias] : undefined;
    if (shadowed !== undefined && (settingFactsOf(shadowed).merge !== "server" || shadowed.safeParse([]).success))
      yield { path: `/settingAliases/${alias}`, message: "shadows a setting" };
    if (!Object.hasOwn(settings, name)) yield { path: `/settingAliases/${alias}`, message: "means no setting" };
  }
}

/** Values that a merge of two sides can give, which every schema of the kind must take. */
function samplesOf(merge: Exclude<SettingFacts["merge"], "server">, map: boolean): readonly unknown[] {
  switch (merge) {
    case "intersect":
      return [[]];
    case "and":
      return [true, false];
    case "within":
      return map ? [{}] : ["/data"];
    case "min":
      return [1];
  }
}

function* verbIssues({ name, verbs }: AdapterDefinition): Issues {
  for (const [word, verb] of Object.entries(verbs)) {
    const path = `/verbs/${word}`;
    const { effect, kind, determinism, timeoutMs, maxTimeoutMs } = verb;
    if (effect === "io-write" && determinism === "pure") yield { path, message: "writes, so it is not deterministic" };
    if (effect.startsWith("io-") && kind === undefined) yield { path, message: "reads or writes, so it has a kind" };
    if (effect === "pure" && (verb.destructive === true || verb.idempotent === false))
      yield { path, message: "is pure, so it destroys nothing and can be repeated" };
    if (timeoutMs !== undefined && maxTimeoutMs !== undefined && timeoutMs > maxTimeoutMs)
      yield { path: `${path}/timeoutMs`, message: "is above maxTimeoutMs" };
    if (verb.idempotent === "keyed" && !Object.hasOwn(verb.options?.shape ?? {}, "idempotency_key"))
      yield { path: `${path}/options`, message: "a keyed verb has the option idempotency_key" };
    for (const code of verb.errors ?? [])
      if (!Object.hasOwn(ADAPTER_CODES, code) && !code.startsWith(`ADAPTER_${name.toUpperCase()}_`))
        yield {
          path: `${path}/errors`,
          message: `${code} is neither a common code nor begins with the adapter's name`,
        };
    for (const form of [verb.args, ...(verb.forms ?? [])]) yield* argumentIssues(path, form, verb);
  }
}

function* argumentIssues(path: string, form: ArgsSchema, { options }: VerbDefinition): Issues {
  const places = itemsOf(form);
  const { rest } = form.def;
  for (const [place, one] of placesOf(form).entries())
    if (typeof one.meta()?.["param"] !== "string")
      yield { path: `${path}/args/${place}`, message: "has no name; make it with arg" };
  const early = places.slice(0, requiredOf(form)).findIndex((one) => one.safeParse(undefined).success);
  if (early >= 0) yield { path: `${path}/args/${early}`, message: "is optional, but a required argument follows" };
  // With any number of arguments, an object at the end could be an argument or the options.
  if (options !== undefined && rest !== null && acceptsObject(rest))
    yield { path: `${path}/options`, message: "cannot be distinguished from one of any number of arguments" };
  if (options !== undefined && options.def.catchall?._zod.def.type !== "never")
    yield { path: `${path}/options`, message: "must be a strict object" };
}

/** Its arguments, the last one standing for any number where it may. */
function placesOf(form: ArgsSchema): readonly z.ZodType[] {
  const { rest } = form.def;
  return rest === null ? itemsOf(form) : [...itemsOf(form), rest as z.ZodType];
}

function* exampleIssues(definition: AdapterDefinition): Issues {
  const others = builtinAdapters.filter(({ name }) => name !== definition.name);
  const catalog = createCatalog([...others, catalogEntryOf(definition)]);
  for (const [word, { examples = [], result }] of Object.entries(definition.verbs)) {
    for (const [place, example] of examples.entries()) {
      const path = `/verbs/${word}/examples/${place}`;
      const compiled = compile(programOf(example.source), { catalog, strict: false });
      const fault = compiled.diagnostics.find(({ severity }) => severity === "error");
      if (fault !== undefined) yield { path, message: `is not Weft: ${fault.message}` };
      const said = result.safeParse(example.result);
      const [misfit] = said.error?.issues ?? [];
      if (misfit === undefined) continue;
      const inside = misfit.path.map((part) => `/${String(part)}`).join("");
      yield { path: `${path}/result${inside}`, message: `does not fit the result of the verb: ${misfit.message}` };
    }
  }
}

/** A whole program around the one step of an example. */
export function programOf(source: string): string {
  const bound = /->\s*([A-Za-z_][A-Za-z0-9_]*)\s*$/.exec(source);
  return `L1:\n  ${source}\n  J ${bound?.[1] ?? "null"}\n`;
}

/** A program that makes one call with arguments from its frame. */
export function callProgram(adapter: string, verb: string, args: readonly Json[]) {
  const frame: JsonObject = Object.fromEntries(args.map((value, place) => [`a${place}`, value]));
  const words = Object.keys(frame).map((name) => ` $${name}`);
  return { source: programOf(`R ${adapter}.${verb}${words.join("")} ->r`), frame };
}
