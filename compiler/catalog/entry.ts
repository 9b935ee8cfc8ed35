/**
 * Short forms for writing catalog entries as data: an entry with the usual facts, verbs by effect, parameters as text. Holds
 * no adapter; `builtin.ts` and `core.ts` do.
 */
import {
  type AdapterEntry,
  LITERAL_TYPES,
  type LiteralType,
  type Parameter,
  type ParameterRole,
  TEXT_FORMS,
  type VerbEntry,
} from "../catalog.ts";
import { SIGNATURES } from "./signatures.ts";

type EntryFacts = Pick<AdapterEntry, "privilege_tier"> & Partial<Omit<AdapterEntry, "name" | "verbs" | "aliases">>;
type VerbFacts = Partial<Pick<VerbEntry, "idempotent" | "takes_key" | "destructive" | "record" | "option_roles">>;

/** What most adapters are: an effect, canonical, supported, and safe in no other respect. */
const USUAL_FACTS = {
  support_tier: "core",
  effect_default: "io",
  recommended_lane: "canonical",
  destructive: false,
  network_facing: false,
  sandbox_safe: false,
  durable: false,
  open_verbs: false,
} as const;

/** An entry; `aliases` by upper-case alias. */
export function adapter(
  name: string,
  facts: EntryFacts,
  verbs: readonly VerbEntry[],
  aliases: Readonly<Record<string, string>> = {},
): AdapterEntry {
  const typed = verbs.map((verb) => ({ ...verb, ...SIGNATURES.get(`${name}.${verb.name}`) }));
  return { ...USUAL_FACTS, ...facts, name, verbs: typed, aliases };
}

export function pure(name: string, parameters: string): VerbEntry {
  return {
    name,
    effect_tier: "pure",
    kind: "compute",
    destructive: false,
    idempotent: true,
    parameters: readParameters(parameters),
  };
}

export function read(
  name: string,
  kind: string,
  parameters: string,
  facts: Pick<VerbFacts, "record" | "option_roles"> = {},
): VerbEntry {
  return {
    name,
    effect_tier: "io-read",
    kind,
    destructive: false,
    idempotent: true,
    ...facts,
    parameters: readParameters(parameters),
  };
}

export function control(name: string, parameters: string): VerbEntry {
  return { ...read(name, "control", parameters), effect_tier: "control" };
}

/** Destructive and not repeatable unless `facts` say otherwise. */
export function write(name: string, kind: string, parameters: string, facts: VerbFacts = {}): VerbEntry {
  return {
    name,
    effect_tier: "io-write",
    kind,
    destructive: true,
    idempotent: false,
    ...facts,
    parameters: readParameters(parameters),
  };
}

const PARAMETER = /^([a-z_]+)(?::(key|word))?(?:@([a-z]+))?(?:<([a-z|]+)>)?(?:~([a-z]+))?([?*])?$/;
const ROLES: readonly ParameterRole[] = [
  ...(["url", "host", "path", "table", "tool"] as const),
  ...(["module", "env", "queue", "model", "signal", "approver"] as const),
];

function readParameters(text: string): readonly Parameter[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map(readParameter);
}

function readParameter(word: string): Parameter {
  const match = PARAMETER.exec(word);
  if (match === null) throw new Error(`malformed parameter ${word}`);
  const role = ROLES.find((known) => known === match[3]);
  if (match[3] !== undefined && role === undefined) throw new Error(`unknown role in ${word}`);
  const parameter: Parameter = {
    name: match[1] ?? "",
    class: match[2] === "key" || match[2] === "word" ? match[2] : "operand",
    optional: match[6] !== undefined,
    repeat: match[6] === "*",
  };
  const form = TEXT_FORMS.find((known) => known === match[5]);
  const types = match[4] === undefined ? null : match[4].split("|").map((type) => readType(type, word));
  return {
    ...parameter,
    ...(role === undefined ? {} : { role }),
    ...(form === undefined ? {} : { form }),
    ...(types === null ? {} : { types }),
  };
}

function readType(text: string, word: string): LiteralType {
  const type = LITERAL_TYPES.find((known) => known === text);
  if (type === undefined) throw new Error(`unknown type in ${word}`);
  return type;
}
