/**
 * A definition from outside with what it does not say: facts that policy decides by are taken at their worst and listed, so that a
 * plugin never gains by silence; the rest gets plain defaults. What is wrong stays wrong: `check-definition.ts` finds it.
 */
import { PRIVILEGE_TIERS } from "../../compiler/catalog.ts";
import { isObject, type Members } from "../../compiler/json.ts";
import { type ArgsSchema, anyJson, arg, z } from "../definition/define.ts";

export type Completed = {
  /** Not checked. */
  readonly definition: unknown;
  /** JSON pointers to the facts that were missing. */
  readonly assumed: readonly string[];
};

const WORST = {
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: true,
  durable: true,
} as const;
const WORST_VERB = { effect: "io-write", determinism: "external" } as const;

export function completed(given: unknown): Completed {
  if (!isObject(given)) return { definition: given, assumed: [] };
  const value = declared(given);
  const assumed = missing(value, WORST).map((name) => `/${name}`);
  const facts = { ...WORST, ...value };
  const verbs = isObject(value["verbs"])
    ? Object.entries(value["verbs"]).map(([name, verb]): readonly [string, unknown] => {
        if (!isObject(verb)) return [name, verb];
        assumed.push(...missing(verb, WORST_VERB).map((fact) => `/verbs/${name}/${fact}`));
        return [name, completedVerb(name, verb)];
      })
    : null;
  return {
    definition: {
      support: "extension_ecosystem",
      lane: "noncanonical",
      maturity: "experimental",
      settings: {},
      ...facts,
      privilege: value["networkFacing"] === undefined ? atLeastNetwork(facts.privilege) : facts.privilege,
      ...(verbs === null ? {} : { verbs: Object.fromEntries(verbs) }),
    },
    assumed,
  };
}

function completedVerb(name: string, verb: Members): Members {
  const { args = z.tuple([]), forms } = verb;
  const facts: Members & { readonly effect: unknown } = { ...WORST_VERB, ...declared(verb) };
  const touches = facts.effect === "io-read" || facts.effect === "io-write";
  return {
    summary: name,
    result: anyJson(),
    ...(touches ? { kind: "unknown" } : {}),
    ...facts,
    args: withNames(args),
    ...(Array.isArray(forms) ? { forms: forms.map(withNames) } : {}),
  };
}

/** Arguments without a name get one: `arg1`, `arg2` … */
function withNames(form: unknown): unknown {
  if (!(form instanceof z.ZodTuple)) return form;
  const { def } = form as ArgsSchema;
  const named = (schema: z.ZodType, place: number): z.ZodType =>
    typeof schema.meta()?.["param"] === "string" ? schema : arg(`arg${place + 1}`, schema);
  const places = def.items as readonly z.ZodType[];
  return tupleOf(places.map(named), def.rest === null ? null : named(def.rest as z.ZodType, places.length));
}

/** A tuple of any number of places; zod's own types ask for one at least. */
export function tupleOf(places: readonly z.ZodType[], rest: z.ZodType | null): ArgsSchema {
  const items = places as [z.ZodType, ...z.ZodType[]];
  return rest === null ? z.tuple(items) : z.tuple(items, rest);
}

/** An adapter that may be on the network needs at least that privilege. */
function atLeastNetwork(privilege: unknown): unknown {
  const weaker: readonly unknown[] = PRIVILEGE_TIERS.slice(0, PRIVILEGE_TIERS.indexOf("network"));
  return weaker.includes(privilege) ? "network" : privilege;
}

/** Without members that are undefined: nothing is declared by them. */
function declared(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function missing(value: Members, worst: object): string[] {
  return Object.keys(worst).filter((name) => value[name] === undefined);
}
