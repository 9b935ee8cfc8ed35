/**
 * What the compiler knows of adapters: names, verbs, parameters and facts, never code. Strict checks, annotations,
 * policy and the published capabilities read this one interface. `catalog/builtin.ts` holds the built-in ones;
 * hosts add their own with `createCatalog`.
 */
import { createHash } from "node:crypto";
import type { EffectTier } from "./ir/graph.ts";

export type PrivilegeTier = "pure" | "local_state" | "network" | "operator_sensitive";
/** Weakest first. */
export const PRIVILEGE_TIERS: readonly PrivilegeTier[] = ["pure", "local_state", "network", "operator_sensitive"];

/** What a literal argument in this place names: the facts of policy and reports collect them. */
export type ParameterRole =
  | "url"
  | "host"
  | "path"
  | "table"
  | "tool"
  | "module"
  | "env"
  | "queue"
  | "model"
  | "signal"
  | "approver"
  | "program"
  | "event";

/** Types of literals; `number` takes whole ones too, `integer` only those. */
export const LITERAL_TYPES = ["text", "number", "integer", "boolean", "list", "object", "null"] as const;
export type LiteralType = (typeof LITERAL_TYPES)[number];

export type Parameter = {
  readonly name: string;
  readonly class: "operand" | "key" | "word";
  readonly optional: boolean;
  readonly repeat: boolean;
  readonly role?: ParameterRole;
  /**
   * The only types that this place takes, for certain: a literal of another one makes the call fail, and is WF5011. Absent: not known, or any.
   * An optional place takes null besides, and a map at the end of a call may be the options.
   */
  readonly types?: readonly LiteralType[];
  /** How a text here is written, which the compiler checks of literals. */
  readonly form?: TextForm;
};

/** A span of time (`90m`, or seconds), a line of cron, a time with its zone, the name of a time zone, a namespace of memory. */
export const TEXT_FORMS = ["span", "cron", "instant", "zone", "namespace"] as const;
export type TextForm = (typeof TEXT_FORMS)[number];

/** Namespaces of memory that need no setting. */
export const MEMORY_NAMESPACES: readonly string[] = ["session", "long_term", "daily_log", "workflow", "ops"];

/** What is known of one verb. */
export type VerbEntry = {
  /** Canonical spelling. */
  readonly name: string;
  readonly effect_tier: EffectTier;
  readonly kind: string;
  readonly destructive: boolean;
  readonly idempotent: boolean | "keyed";
  /** Not idempotent by itself, but a call with the option `idempotency_key` may be repeated (`http.Post`). */
  readonly takes_key?: true;
  /** null: not known, argument counts are not checked. */
  readonly parameters: readonly Parameter[] | null;
  /** What literal options name: option → role. Such an option that is left out means the operator's choice. */
  readonly option_roles?: Readonly<Record<string, ParameterRole>>;
  /** A record of a run holds its arguments only as a hash: they are private, such as tokens and letters. */
  readonly record?: "hash";
  /** The object of its options, in the notation of `catalog/value-types.ts`. Absent: it takes none, or they are not known. */
  readonly options?: string;
  /** Its answer in the same notation. Absent: anything. */
  readonly result?: string;
  /** Accepted, but not part of the published list (`core.ITE`). */
  readonly unlisted?: true;
};

/** What is known of one adapter. */
export type AdapterEntry = {
  readonly name: string;
  readonly support_tier: "core" | "compatibility" | "extension_ecosystem";
  readonly effect_default: "pure" | "io";
  readonly recommended_lane: "canonical" | "noncanonical";
  readonly privilege_tier: PrivilegeTier;
  readonly destructive: boolean;
  readonly network_facing: boolean;
  readonly sandbox_safe: boolean;
  /** Keeps state after the run: its use makes a program not ephemeral. */
  readonly durable: boolean;
  /** An unknown verb is accepted (tools, svc, and test adapters). */
  readonly open_verbs: boolean;
  /** Names that parameters of the form `namespace` take, where the operator declared further ones. */
  readonly namespaces?: readonly string[];
  /** In published order. */
  readonly verbs: readonly VerbEntry[];
  /** Alias, upper case → canonical spelling. */
  readonly aliases: Readonly<Record<string, string>>;
};

/** The adapters that a compiler or a host knows. */
export interface AdapterCatalog {
  /** Part of compile cache keys: changes whenever any entry does. */
  readonly version: string;
  adapter(name: string): AdapterEntry | undefined;
  /** In published order. */
  names(): readonly string[];
}

/** A catalog of these entries, in this order. A repeated name keeps the last entry, so a host can raise a built-in one. */
export function createCatalog(entries: readonly AdapterEntry[]): AdapterCatalog {
  const byName = new Map<string, AdapterEntry>();
  for (const entry of entries) byName.set(entry.name, entry);
  const kept = [...byName.values()];
  const names = kept.map((entry) => entry.name);
  let version: string | null = null;
  return {
    // Entries are plain data in the order they were written: their text is the identity compile caches need. Read by few, so made on demand.
    get version() {
      version ??= createHash("sha256").update(JSON.stringify(kept)).digest("hex").slice(0, 32);
      return version;
    },
    adapter: (name) => byName.get(name),
    names: () => names,
  };
}

/** The entry that `word` means: as written, else in lower case. */
export function findAdapter(catalog: AdapterCatalog, word: string): AdapterEntry | undefined {
  return catalog.adapter(word) ?? catalog.adapter(word.toLowerCase());
}

const verbIndexes = new WeakMap<AdapterEntry, ReadonlyMap<string, VerbEntry>>();

/** The verb of `entry` that `word` means: letter case, `.` for `_` and aliases are folded. */
export function findVerb(entry: AdapterEntry, word: string): VerbEntry | undefined {
  let index = verbIndexes.get(entry);
  if (index === undefined) {
    index = indexVerbs(entry);
    verbIndexes.set(entry, index);
  }
  return index.get(foldVerb(entry, word));
}

/** Functions ignore underscores in their names (docs/functions.md), so the verbs of core do. */
function foldVerb(entry: AdapterEntry, word: string): string {
  const upper = word.toUpperCase();
  return entry.name === "core" ? upper.replaceAll("_", "") : upper.replaceAll(".", "_");
}

function indexVerbs(entry: AdapterEntry): ReadonlyMap<string, VerbEntry> {
  const index = new Map<string, VerbEntry>();
  for (const verb of entry.verbs) index.set(foldVerb(entry, verb.name), verb);
  for (const alias of Object.keys(entry.aliases)) {
    const verb = index.get(foldVerb(entry, entry.aliases[alias] ?? ""));
    const folded = foldVerb(entry, alias);
    if (verb !== undefined && !index.has(folded)) index.set(folded, verb);
  }
  return index;
}
