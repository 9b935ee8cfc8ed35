/** Points 1, 3 and 4: the definition itself, arguments that do not fit it, and settings that only restrict. */
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Json } from "../../compiler/json.ts";
import { readCallerRequest } from "../../vm/admission/caller-request.ts";
import { isEnforce } from "../../vm/calls/enforce.ts";
import { ANY_PLACE } from "../../vm/grant/places.ts";
import { meetSettings } from "../../vm/grant/setting-values.ts";
import { adapterSettingsOf, itemsOf, requiredOf, settingFactsOf } from "../definition/catalog-entry.ts";
import { definitionIssues } from "../definition/check-definition.ts";
import { type AdapterDefinition, type VerbDefinition, z } from "../definition/define.ts";
import { settingsOf } from "../definition/link.ts";
import { adapterPage } from "../describe/page.ts";
import { codeOf, type Point, type Suite, same } from "./suite.ts";

export const DECLARED_POINTS: readonly Point[] = [
  { number: 1, title: "the definition is valid and can be published", check: validDefinition },
  { number: 3, title: "arguments that do not fit are refused before anything happens", check: wrongArguments },
  { number: 4, title: "settings restrict, and the operator's are refused from callers", check: settingsRestrict },
];

async function validDefinition({ definition }: Suite) {
  const findings = definitionIssues(definition).map(({ path, message }) => `${path} ${message}`);
  for (const [name, verb] of Object.entries(definition.verbs))
    for (const schema of [verb.args, ...(verb.forms ?? []), verb.options, verb.result])
      if (schema !== undefined && !publishable(schema))
        findings.push(`/verbs/${name} has a schema without JSON Schema`);
  for (const [name, schema] of Object.entries(definition.settings))
    if (!publishable(schema)) findings.push(`/settings/${name} has a schema without JSON Schema`);
  // What has neither issues nor unpublishable schemas has a page.
  if (findings.length === 0) adapterPage(definition);
  return { findings };
}

function publishable(schema: z.ZodType): boolean {
  try {
    return typeof z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) === "object";
  } catch {
    return false;
  }
}

async function wrongArguments(suite: Suite) {
  return suite.with(async (bench) => {
    const findings: string[] = [];
    const before = await bench.observed();
    for (const [name, verb] of Object.entries(suite.definition.verbs)) {
      // Answered by the dispatcher itself.
      if (isEnforce(suite.definition.name, name)) continue;
      for (const [what, args] of misfits(verb)) {
        const answer = await bench.call(name, args);
        if (codeOf(answer) !== "ADAPTER_BAD_ARGS")
          findings.push(`${name} with ${what}: ${codeOf(answer) ?? "accepted"}`);
      }
    }
    const { opened, ran } = bench.tally;
    if (opened + ran + bench.watch.calls.length > 0) findings.push("something was opened, run or asked for");
    if (!same(before, await bench.observed())) findings.push("the fixture was changed");
    return { findings };
  });
}

const NUMBERS_AND_MORE: readonly Json[] = [null, true, 7, "text", [1], { a: 1 }];

/** Argument lists that no form of the verb takes, with what is wrong about them. */
function* misfits(verb: VerbDefinition): Generator<readonly [string, readonly Json[]]> {
  const forms = [verb.args, ...(verb.forms ?? [])];
  const most = Math.max(
    ...forms.map((form) => (form.def.rest === null ? itemsOf(form).length : Number.POSITIVE_INFINITY)),
  );
  if (forms.every((form) => requiredOf(form) > 0)) yield ["no argument", []];
  if (most !== Number.POSITIVE_INFINITY) yield ["too many arguments", Array.from({ length: most + 2 }, () => "x")];
  for (const wrong of NUMBERS_AND_MORE) {
    const refusing = forms.every((form) => {
      const [first] = itemsOf(form);
      return first !== undefined && requiredOf(form) > 0 && !first.safeParse(wrong).success;
    });
    if (refusing) yield [`${JSON.stringify(wrong)} as first argument`, [wrong]];
  }
  const fitting = fillings(verb);
  if (fitting === null) return;
  if (verb.options !== undefined) yield ["an unknown option", [...fitting, { no_such_option: 1 }]];
  for (const [option, schema] of Object.entries(verb.options?.shape ?? {})) {
    const wrong = [[[]], { no: { such: 1 } }, "\0", -1.5].find((one) => !(schema as z.ZodType).safeParse(one).success);
    if (wrong !== undefined) yield [`option ${option} of a wrong type`, [...fitting, { [option]: wrong as Json }]];
  }
}

/** Values for every place, so that an object after them can only be the options; null when no simple value fits a place. */
function fillings(verb: VerbDefinition): readonly Json[] | null {
  const args: Json[] = [];
  for (const place of itemsOf(verb.args)) {
    const value = ["a", 1, "a.b", null, {}, [], true].find((one) => place.safeParse(one).success);
    if (value === undefined) return null;
    args.push(value as Json);
  }
  return args;
}

async function settingsRestrict(suite: Suite) {
  const { definition } = suite;
  const findings = [...callersRefused(definition), ...widerMerges(definition)];
  const defaults = settingsOf(definition, {});
  for (const { path, code } of defaults.ok ? [] : defaults.issues)
    if (settingFactsOf(definition.settings[path.split("/").at(-1) ?? ""] as z.ZodType).merge !== "server")
      findings.push(`${path}: no valid default (${code})`);
  for (const [name, schema] of Object.entries(definition.settings))
    if (settingFactsOf(schema).merge === "intersect") findings.push(...(await emptyListAllows(suite, name)));
  return { findings };
}

function callersRefused(definition: AdapterDefinition): string[] {
  const { name } = definition;
  const context = {
    catalog: builtinCatalog,
    settings: new Map([[name, adapterSettingsOf(definition)]]),
    places: ANY_PLACE,
  };
  const servers = Object.entries(definition.settings).filter(([, schema]) => settingFactsOf(schema).merge === "server");
  return servers
    .filter(([setting]) => {
      const read = readCallerRequest({ adapters: { [name]: { [setting]: "x" } } }, context);
      return !read.ok || read.settingIssues[0]?.code !== "not_yours";
    })
    .map(([setting]) => `${setting} is taken from a caller`);
}

const VALUES: readonly Json[] = [0, 1, 7, true, false, [], ["a"], ["a", "b"], "/data", "/data/a", { m: "/data" }, {}];

/** A merge that one of its sides could still tighten was wider than that side. */
function widerMerges(definition: AdapterDefinition): string[] {
  const { settings } = adapterSettingsOf(definition);
  return Object.entries(settings)
    .filter(([, kind]) =>
      VALUES.some((a) =>
        VALUES.some((b) => {
          const met = meetSettings(a, b, kind);
          return !same(meetSettings(met, a, kind), met) || !same(meetSettings(met, b, kind), met);
        }),
      ),
    )
    .map(([name]) => `${name}: the merge of two values is wider than one of them`);
}

/** Under `[]` some program that works otherwise is refused, and what is refused leaves no trace. */
async function emptyListAllows(suite: Suite, setting: string): Promise<string[]> {
  const findings: string[] = [];
  let refused = 0;
  for (const program of suite.programs) {
    await suite.with(async (bench) => {
      const before = await bench.observed();
      const answer = await bench.run({ ...program, settings: { ...program.settings, [setting]: [] } });
      if (answer.ok) return;
      refused += 1;
      if (answer.error.data["retryable"] === true)
        findings.push(`${program.title}: a refusal by ${setting} is retryable`);
      if (!same(before, await bench.observed())) findings.push(`${program.title}: acted although ${setting} is []`);
    });
  }
  return refused > 0 ? findings : [`${setting}: [] refuses none of the programs`];
}
