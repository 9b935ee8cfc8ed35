/**
 * What compiler and merge know of an adapter, read from its definition: the catalog entry with verbs, parameters and facts, and the
 * merge kinds of its settings. Facts of built-in adapters stand as data in `compiler/catalog`, so that nothing is loaded to
 * compile a program; a test holds both equal. Needs no schema library at run time.
 */
import { type AdapterSettings, COMMON_SETTING_KINDS, type SettingDefinition } from "../../compiler/catalog/settings.ts";
import type { AdapterEntry, Parameter, ParameterRole, TextForm, VerbEntry } from "../../compiler/catalog.ts";
import type { AdapterDefinition, ArgsSchema, SettingFacts, VerbDefinition, z } from "./define.ts";
import { literalTypesOf } from "./literal-types.ts";
import { typeText } from "./type-texts.ts";

/** The entry of `GET /capabilities` and of every check before a run. */
export function catalogEntryOf(definition: AdapterDefinition): AdapterEntry {
  const verbs = Object.entries(definition.verbs).map(([name, verb]) => verbEntryOf(name, verb));
  const inert = verbs.every(({ effect_tier }) => effect_tier === "pure" || effect_tier === "control");
  return {
    name: definition.name,
    support_tier: definition.support,
    effect_default: inert ? "pure" : "io",
    recommended_lane: definition.lane,
    privilege_tier: definition.privilege,
    destructive: definition.destructive ?? verbs.some((verb) => verb.destructive),
    network_facing: definition.networkFacing,
    sandbox_safe: definition.sandboxSafe,
    durable: definition.durable,
    open_verbs: definition.verbFallback !== undefined,
    verbs,
    aliases: Object.fromEntries(
      Object.entries(definition.aliases ?? {}).map(([alias, verb]) => [alias.toUpperCase(), verb]),
    ),
  };
}

/** How the settings of an adapter merge, and which lists admit what literal arguments name. */
export function adapterSettingsOf(definition: AdapterDefinition): AdapterSettings {
  const settings: Record<string, SettingDefinition> = { ...COMMON_SETTING_KINDS };
  const admits: Partial<Record<ParameterRole, string>> = {};
  for (const [name, schema] of Object.entries(definition.settings)) {
    const {
      merge,
      fold = "exact",
      map,
      closedBy,
      operatorGrants,
      callerMax,
      admits: roles = [],
    } = settingFactsOf(schema);
    settings[name] = {
      kind: merge,
      ...(merge === "intersect" && fold !== "exact" ? { elements: fold } : {}),
      ...(map === undefined ? {} : { map }),
      ...(closedBy === undefined ? {} : { closedBy }),
      ...(operatorGrants === undefined ? {} : { operatorGrants }),
      ...(callerMax === undefined ? {} : { callerMax }),
    };
    for (const role of roles) admits[role] = name;
  }
  return { settings, aliases: definition.settingAliases ?? {}, admits };
}

/** What a setting says of itself; one that says nothing is the operator's alone. */
export function settingFactsOf(schema: z.ZodType): SettingFacts {
  return { merge: "server", ...schema.meta() };
}

function verbEntryOf(name: string, verb: VerbDefinition): VerbEntry {
  const { effect, kind = kindOf(effect) } = verb;
  const idempotent = verb.idempotent ?? effect !== "io-write";
  const takesKey = idempotent === false && Object.hasOwn(verb.options?.shape ?? {}, "idempotency_key");
  return {
    name,
    effect_tier: effect,
    kind,
    destructive: verb.destructive ?? effect === "io-write",
    idempotent,
    ...(takesKey ? { takes_key: true as const } : {}),
    ...optionRolesOf(verb),
    ...(verb.record === "hash" ? { record: "hash" as const } : {}),
    parameters: parametersOf(verb),
    ...(verb.options === undefined ? {} : { options: typeText(verb.options, "input") }),
    result: typeText(verb.result, "output"),
  };
}

function optionRolesOf({ options }: VerbDefinition): Pick<VerbEntry, "option_roles"> {
  const roles = Object.entries(options?.shape ?? {}).flatMap(([name, schema]) => {
    const { role } = ((schema as z.ZodType).meta() ?? {}) as ArgFacts;
    return role === undefined ? [] : [[name, role] as const];
  });
  return roles.length === 0 ? {} : { option_roles: Object.fromEntries(roles) };
}

function kindOf(effect: VerbDefinition["effect"]): string {
  if (effect === "pure") return "compute";
  return effect === "control" ? "control" : "unknown";
}

function parametersOf(verb: VerbDefinition): Parameter[] {
  const { args, forms = [], options } = verb;
  const all = [args, ...forms];
  const fewest = Math.min(...all.map(requiredOf));
  const places = itemsOf(args);
  const parameters = places.map((schema, place) => {
    const parameter = parameterOf(schema, place >= fewest);
    return parameter.class === "operand" ? { ...parameter, ...typesAt(verb, place, place >= fewest) } : parameter;
  });
  const rest = restOf(args);
  if (rest !== null) parameters.push({ ...parameterOf(rest, true), repeat: true });
  if (options !== undefined) {
    const named = { name: "options", class: "operand", optional: true, repeat: false } as const;
    const isKnown =
      verb.respell === undefined && all.every((form) => restOf(form) === null && itemsOf(form).length <= places.length);
    parameters.push({ ...named, ...(isKnown ? { types: ["object"] } : {}) });
  }
  return parameters;
}

/** What the place of an operand takes in any form. Nothing is certain of a verb that rewrites its arguments; words and keys are read in ways of their own. */
function typesAt(
  { args, forms = [], respell }: VerbDefinition,
  place: number,
  optional: boolean,
): Pick<Parameter, "types"> {
  if (respell !== undefined) return {};
  const schemas = [args, ...forms].flatMap((form) => itemsOf(form)[place] ?? restOf(form) ?? []);
  const types = literalTypesOf(schemas)?.filter((type) => !optional || type !== "null");
  return types === undefined ? {} : { types };
}

/** The schema of further arguments; null: none may follow. */
export function restOf(form: ArgsSchema): z.ZodType | null {
  return form.def.rest as z.ZodType | null;
}

type ArgFacts = {
  readonly param?: string;
  readonly class?: Parameter["class"];
  readonly role?: ParameterRole;
  readonly form?: TextForm;
};

function parameterOf(schema: z.ZodType, optional: boolean): Parameter {
  const { param = "value", class: written = "operand", role, form } = (schema.meta() ?? {}) as ArgFacts;
  const parameter = { name: param, class: written, optional, repeat: false };
  return { ...parameter, ...(role === undefined ? {} : { role }), ...(form === undefined ? {} : { form }) };
}

/** Positional places of a form, without repeated ones. */
export function itemsOf(form: ArgsSchema): readonly z.ZodType[] {
  return form.def.items as readonly z.ZodType[];
}

/** How many of them must be given. */
export function requiredOf(form: ArgsSchema): number {
  const places = itemsOf(form);
  const optional = [...places].reverse().findIndex((schema) => !schema.safeParse(undefined).success);
  return optional < 0 ? 0 : places.length - optional;
}
