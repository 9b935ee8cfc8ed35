/**
 * The settings of the built-in adapters as data: how two values of a setting are merged, how elements of a list compare, and
 * which setting admits the places that a literal argument names. Defaults and checks belong to the adapters themselves.
 */
import type { ParameterRole } from "../catalog.ts";
import builtin from "./builtin.json" with { type: "json" };

/** How the values of two sides are merged (docs/policy.md, the grant): always the more restrictive of both. */
export type MergeKind = "intersect" | "min" | "and" | "within" | "server";
/** How list elements compare: as written, in lower case, as file extension, as host pattern, as pattern of events, or as numbers. */
export type ElementKind = "exact" | "folded" | "extension" | "host" | "event" | "number";

export type SettingDefinition = {
  readonly kind: MergeKind;
  /** Of `intersect` settings; default exact. */
  readonly elements?: ElementKind;
  /** Of `within` settings: an object of such values, by name. Only names that both sides have remain. */
  readonly map?: true;
  /** Of such maps: another setting that names members, too. A side that gives it admits no members here but its own. */
  readonly closedBy?: string;
  /** Of `and` settings: true counts only when the operator said it, because it opens something that is not the caller's. */
  readonly operatorGrants?: true;
  /** Of `min` settings: the most that a request gets where the operator says nothing. */
  readonly callerMax?: number;
};
export type AdapterSettings = {
  readonly settings: Readonly<Record<string, SettingDefinition>>;
  /** Accepted on input, never emitted. One that is the name of a setting, too, means another one where a list is given: see `settingNamed`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The list that admits what a literal in a place of this role names. */
  readonly admits: Readonly<Partial<Record<ParameterRole, string>>>;
};
type SettingFacts = { readonly name: string; readonly settings: AdapterSettings };

/** By adapter name. The settings of an adapter without an entry are unknown here. */
export type SettingTable = ReadonlyMap<string, AdapterSettings>;

/** What every adapter has. */
export const COMMON_SETTING_KINDS: AdapterSettings["settings"] = {
  timeout_s: { kind: "min" },
  max_result_bytes: { kind: "min" },
};

/** The setting that a side means. What the operator declares as an object a caller narrows, by a list of names under the same word. */
export function settingNamed({ settings, aliases }: AdapterSettings, written: string, given: unknown): string {
  if (!Object.hasOwn(aliases, written)) return written;
  const isOwn = Object.hasOwn(settings, written) && !Array.isArray(given);
  return isOwn ? written : (aliases[written] ?? written);
}

const CORE: AdapterSettings = {
  settings: { ...COMMON_SETTING_KINDS, allow_env: { kind: "intersect" } },
  aliases: {},
  admits: { env: "allow_env" },
};

export const builtinSettings: SettingTable = new Map([
  ["core", CORE],
  ...(builtin as unknown as readonly SettingFacts[]).map(({ name, settings }) => [name, settings] as const),
]);

/**
 * Verbs of fs that refuse files by their extension: of a file always; of what a path names unless it is a folder; of a file whose content
 * is hashed on request. The others only look at names and facts.
 */
export const extensionChecks = {
  adapter: "fs",
  setting: "allow_extensions",
  verbs: new Map<string, "file" | "unless_folder" | "when_hashed">([
    ["read", "file"],
    ["readlines", "file"],
    ["write", "file"],
    ["copy", "file"],
    ["move", "unless_folder"],
    ["delete", "unless_folder"],
    ["stat", "when_hashed"],
  ]),
} as const;
