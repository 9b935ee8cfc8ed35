/**
 * The tables of a documentation page, made from a definition: verbs with arguments and results, settings with what merges and bounds them,
 * facts of every verb, arguments and options with their forms, secrets, tested examples. Markdown out, nothing else; the words
 * around them are written by people.
 */

import { COMMON_SETTINGS, limitsOf } from "../definition/bind.ts";
import { catalogEntryOf, itemsOf, requiredOf, restOf, settingFactsOf } from "../definition/catalog-entry.ts";
import type { AdapterDefinition, ArgsSchema, SettingFacts, VerbDefinition, z } from "../definition/define.ts";
import { callText } from "./call-text.ts";
import { bytes, code, seconds, table } from "./markdown.ts";
import { parameterName } from "./python-call.ts";
import { type JsonSchema, schemaOf, shapeCell, shapeOf } from "./shape.ts";

/** Verbs with what they do, take and give. */
export function verbsTable({ verbs, aliases = {} }: AdapterDefinition): string {
  const rows = Object.entries(verbs).map(([name, verb]) => [
    code(name) + aliasesOf(name, aliases),
    verb.summary,
    [verb.args, ...(verb.forms ?? [])].map((form) => placesText(form)).join("; or ") + optionsText(verb),
    resultText(verb.result),
  ]);
  return table(["Verb", "Does", "Arguments", "Result"], referring(rows));
}

/** From this length on a cell that is there already names the verb that has it. */
const LONG_CELL = 60;

function referring(rows: readonly (readonly string[])[]): string[][] {
  const first = new Map<string, string>();
  return rows.map((row) =>
    row.map((cell, column) => {
      const known = first.get(`${column} ${cell}`);
      if (known !== undefined && cell.length > LONG_CELL) return `as ${known}`;
      first.set(`${column} ${cell}`, row[0] ?? "");
      return cell;
    }),
  );
}

function aliasesOf(name: string, aliases: Readonly<Record<string, string>>): string {
  const others = Object.keys(aliases).filter((alias) => aliases[alias] === name);
  return others.length === 0 ? "" : ` (also ${others.map(code).join(", ")})`;
}

function placesText(form: ArgsSchema): string {
  return placesOf(form).join(", ");
}

function placesOf(form: ArgsSchema): string[] {
  const least = requiredOf(form);
  const places = itemsOf(form).map((place, index) => `${paramOf(place)}${index >= least ? "?" : ""}`);
  const rest = form.def.rest as z.ZodType | null;
  return [...places, ...(rest === null ? [] : [`${paramOf(rest)}…`])];
}

/** `Get(url, headers=None, *, query=None, timeout_s=None)`: a verb as a function of Python. */
export function callOf(name: string, verb: VerbDefinition): string {
  const places = placesOf(verb.args).map((place) =>
    place.endsWith("…") ? `*${place.slice(0, -1)}` : place.replace(/\?$/, "=None"),
  );
  // An option with the name of an argument says the same.
  const named = new Set(places.map((place) => place.replace(/=None$/, "")));
  const names = optionNames(verb).map(parameterName);
  const options = names.filter((name) => !named.has(name)).map((name) => `${name}=None`);
  const star = options.length === 0 || places.at(-1)?.startsWith("*") === true ? [] : ["*"];
  return `${name}(${[...places, ...star, ...options].join(", ")})`;
}

export const optionNames = ({ options }: VerbDefinition): readonly string[] => Object.keys(schemaOfOptions(options));

/** ` {fields, limit: 20}` */
function optionsText({ options, args }: VerbDefinition): string {
  const names = Object.entries(schemaOfOptions(options)).map(([name, { default: fallback }]) =>
    fallback === undefined ? name : `${name}: ${JSON.stringify(fallback)}`,
  );
  if (names.length === 0) return "";
  return `${itemsOf(args).length === 0 && args.def.rest === null ? "" : " "}{${names.map(code).join(", ")}}`;
}

function schemaOfOptions(options: VerbDefinition["options"]): Readonly<Record<string, JsonSchema>> {
  return options === undefined ? {} : (schemaOf(options, "input").properties ?? {});
}

export function resultText(result: z.ZodType): string {
  const schema = schemaOf(result, "output");
  return schema.description ?? shapeCell(shapeOf(schema));
}

/** One verb in lines: what it takes, each argument and option with its form, and what it gives. */
export function verbForms(verb: VerbDefinition): { readonly takes: readonly string[]; readonly gives: string } {
  const lines = formsOf(verb).map(
    ({ name, is, schema }) => `${is === "option" ? "option " : ""}${name}: ${formText(schema)}`,
  );
  return { takes: [...new Set(lines)], gives: resultText(verb.result) };
}

/** Settings with how two sides are merged, default, ceiling and meaning. */
export function settingsTable(definition: AdapterDefinition): string {
  const { settings } = definition;
  const rows = Object.entries(settings).map(([name, schema]) => {
    const { merge, max } = settingFactsOf(schema);
    const json = schemaOf(schema, "input");
    return [
      code(name) + aliasesOf(name, definition.settingAliases ?? {}),
      MERGED_BY[merge],
      defaultText(json, merge) + (max === undefined ? "" : `, at most ${max}`),
      json.description ?? shapeCell(shapeOf(json)),
    ];
  });
  const common = Object.keys(COMMON_SETTINGS).filter((name) => !Object.hasOwn(settings, name));
  if (common.length > 0)
    rows.push([common.map(code).join(", "), MERGED_BY.min, commonDefaults(definition, common), "as for every adapter"]);
  return table(["Setting", "Merged by", "Default", "Meaning"], rows);
}

const MERGED_BY: Readonly<Record<SettingFacts["merge"], string>> = {
  intersect: "intersect",
  and: "and",
  min: "min",
  within: "within",
  server: "operator",
};

function defaultText({ default: fallback }: JsonSchema, merge: SettingFacts["merge"]): string {
  const isEmpty = typeof fallback === "object" && fallback !== null && Object.keys(fallback).length === 0;
  if (isEmpty) return "none";
  if (fallback !== undefined) return typeof fallback === "object" ? code(JSON.stringify(fallback)) : String(fallback);
  return merge === "intersect" ? "all" : "none";
}

/** The default timeout of the verbs, where it is the same for all, and the maximum. */
function commonDefaults({ verbs }: AdapterDefinition, names: readonly string[]): string {
  if (!names.includes("timeout_s")) return "none";
  const limits = Object.values(verbs).map(limitsOf);
  const usual = [...new Set(limits.map(({ timeoutMs }) => timeoutMs))];
  const most = seconds(Math.max(...limits.map(({ maxTimeoutMs }) => maxTimeoutMs)));
  return usual.length === 1 ? `${seconds(usual[0] ?? 0)}, at most ${most}` : `by verb, at most ${most}`;
}

/** What the dispatcher needs to know of each verb; those that are alike share a row. */
export function factsTable(definition: AdapterDefinition): string {
  const entries = catalogEntryOf(definition).verbs;
  const rows = Object.entries(definition.verbs).map(([name, verb]): Named => {
    const entry = entries.find((one) => one.name === name);
    const { timeoutMs, maxTimeoutMs, maxResultBytes } = limitsOf(verb);
    const row = [
      `${verb.effect}${entry?.destructive === true ? ", destructive" : ""}`,
      verb.effect === "io-write" ? (REPEATED[String(entry?.idempotent)] ?? "") : "harmless",
      `${seconds(timeoutMs)}, at most ${seconds(maxTimeoutMs)}`,
      bytes(maxResultBytes),
      (verb.errors ?? []).map(code).join(", "),
    ];
    return { verb: name, row };
  });
  return table(
    ["Verb", "Effect", "Repeated", "Time", "Largest answer", "Codes of its own"],
    gathered(rows).map(({ verbs, row }) => [verbs.map(code).join(", "), ...row]),
  );
}

/** A row that holds for a verb. */
type Named = { readonly verb: string; readonly row: readonly string[] };

/** Equal rows once, with the verbs they hold for. */
function gathered(rows: readonly Named[]): { readonly verbs: readonly string[]; readonly row: readonly string[] }[] {
  const known = new Map<string, { readonly verbs: Set<string>; readonly row: readonly string[] }>();
  for (const { verb, row } of rows) {
    const key = JSON.stringify(row);
    const same = known.get(key) ?? { verbs: new Set<string>(), row };
    same.verbs.add(verb);
    known.set(key, same);
  }
  return [...known.values()].map(({ verbs, row }) => ({ verbs: [...verbs], row }));
}

const REPEATED: Readonly<Record<string, string>> = {
  true: "the same effect",
  keyed: "one effect per key",
  false: "acts again",
};

/** Every argument and option once, with the verbs that take it. */
export function argumentsTable({ verbs }: AdapterDefinition): string {
  const rows = Object.entries(verbs).flatMap(([name, verb]): Named[] =>
    formsOf(verb).map((one) => ({
      verb: name,
      row: [one.is === "option" ? code(one.name) : one.name, one.is, formText(one.schema)],
    })),
  );
  const all = Object.keys(verbs).length;
  return table(
    ["Name", "Is", "Form", "Of"],
    gathered(rows).map(({ verbs: of, row }) => [
      ...row,
      of.length === all && all > 1 ? "all" : of.map(code).join(", "),
    ]),
  );
}

/** Arguments and options that are objects, lists of parts, or one of several words, each once: `mode: "append" or "replace"`. */
export function structuredForms({ verbs }: AdapterDefinition): string[] {
  const lines = Object.values(verbs)
    .flatMap((verb) => formsOf(verb))
    .map(({ name, schema }) => ({ name: parameterName(name), shape: writtenForm(schema) }))
    .filter(({ shape }) => /^[{[]|"/.test(shape));
  return [...new Set(lines.map(({ name, shape }) => `${name}: ${shape}`))];
}

/** A description that shows the form, or else what the schema says. */
function writtenForm(schema: JsonSchema): string {
  const { description = "" } = schema;
  return /^[{[]/.test(description) ? description : shapeOf(schema);
}

type Form = { readonly name: string; readonly is: "argument" | "option"; readonly schema: JsonSchema };

/** The arguments of every positional form, then the options. */
function formsOf({ args, forms = [], options }: VerbDefinition): Form[] {
  const places = [args, ...forms].flatMap((form) => [...itemsOf(form), restOf(form) ?? []].flat());
  return [
    ...places.map((place): Form => ({ name: paramOf(place), is: "argument", schema: schemaOf(place, "input") })),
    ...Object.entries(schemaOfOptions(options)).map(([name, schema]): Form => ({ name, is: "option", schema })),
  ];
}

function formText(schema: JsonSchema): string {
  const { description, default: fallback } = schema;
  const shape = shapeCell(shapeOf(schema)) + (fallback === undefined ? "" : `; default ${JSON.stringify(fallback)}`);
  return description === undefined ? shape : `${shape}: ${description}`;
}

/** The secrets that it asks the host for. */
export function secretsTable({ secrets = {} }: AdapterDefinition): string {
  const rows = Object.entries(secrets).map(([name, { summary, required }]) => [
    code(name),
    required ? "yes" : "no",
    summary,
  ]);
  return table(["Secret", "Needed", "Meaning"], rows);
}

/** The examples of the definition, which its conformance test runs. */
export function examplesTable({ verbs }: AdapterDefinition): string {
  const rows = Object.values(verbs).flatMap(({ examples = [] }) =>
    examples.map(({ source, settings, result }) => [
      code(callText(source)),
      code(JSON.stringify(result)) + (settings === undefined ? "" : ` with ${code(JSON.stringify(settings))}`),
    ]),
  );
  return table(["Call", "Gives"], rows);
}

function paramOf(place: z.ZodType): string {
  const name = place.meta()?.["param"];
  return typeof name === "string" ? name : "value";
}
