/**
 * What the operator decided in files and variables, as the server's side of every merge: the operator file (WF_ADAPTERS_CONFIG), profile
 * documents (WF_PROFILES_FILE), process-wide lists, enabled adapters. Read once at start; a fault stops the start and names
 * the file and the place in it, never a value.
 */
import { readFileSync } from "node:fs";
import type { SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { quoted } from "../../compiler/ir/issues.ts";
import { isObject } from "../../compiler/json.ts";
import { type Findings, type InputIssue, warnOfAdapters } from "../../compiler/policy/policy.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import type { Side } from "../../vm/grant/explain.ts";
import { EMPTY_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import { findProfile, PROFILES, type Profile, parseProfile, unknownProfile } from "../../vm/grant/profiles.ts";
import { emailSection } from "../builtin/email/environment.ts";
import type { HostConfig } from "./host-config.ts";
import { StartFault } from "./start-fault.ts";

const MAX_FILE_BYTES = 1024 * 1024;

/** Enabled when the operator says nothing: self-contained, state kept with the server, no settings needed. */
export const SELF_CONTAINED: readonly string[] = [
  "core",
  "cache",
  "memory",
  "queue",
  "txn",
  "agent",
  "timer",
  "signal",
];

export type OperatorContext = { readonly catalog: AdapterCatalog; readonly settings: SettingTable };

export type Operator = {
  /** The operator's grant besides floor and profile, as a side of the merge; null when nothing was said. */
  readonly side: Side | null;
  readonly enabled: readonly string[];
  /** The file does not say which adapters are enabled. */
  readonly enablesByDefault: boolean;
  readonly warnings: readonly string[];
};

/** The operator file by its members; sections of adapters without `$meta`, which stands by itself. */
export type OperatorDocument = {
  readonly enable: unknown;
  readonly plugins: unknown;
  readonly deciders: unknown;
  /** Who receives notices of questions, for the service. */
  readonly approvals: unknown;
  readonly sections: { readonly [adapter: string]: unknown };
  /** `$meta` of the sections that have one, by the adapter's name. */
  readonly meta: ReadonlyMap<string, unknown>;
};

/** Not checked beyond its top. Throws StartFault. */
export function readOperatorDocument({ adaptersFile }: Pick<HostConfig, "adaptersFile">): OperatorDocument {
  const document = adaptersFile === null ? {} : readDocument("WF_ADAPTERS_CONFIG", adaptersFile);
  if (!isObject(document)) throw new StartFault("the file of WF_ADAPTERS_CONFIG must hold one JSON object");
  const { enable, plugins, deciders, approvals, ...written } = document;
  const meta = new Map<string, unknown>();
  const sections = Object.entries(written).map(([name, section]): readonly [string, unknown] => {
    if (!isObject(section) || !Object.hasOwn(section, "$meta")) return [name, section];
    const { $meta, ...settings } = section;
    meta.set(name.trim().toLowerCase(), $meta);
    return [name, settings];
  });
  return { enable, plugins, deciders, approvals, sections: Object.fromEntries(sections), meta };
}

/** Reads the operator file and the lists. Throws StartFault. */
export function readOperator(config: HostConfig, context: OperatorContext): Operator {
  const { enable, sections } = readOperatorDocument(config);
  const adapter_constraints = { ...environmentSections(config, Object.keys(sections)), ...sections };
  const read = normalizeGrant({ adapter_constraints }, "operator", context);
  if (!read.ok) throw new StartFault(`the file of WF_ADAPTERS_CONFIG: ${said(read.issues, "/adapter_constraints")}`);
  const { catalog } = context;
  const listed = enable === undefined ? null : nameList("/enable", enable, catalog);
  checkEnabled("environment variable WF_ENABLE_ADAPTERS", config.enable ?? [], catalog);
  const restricting = [
    ...listWarnings("WF_HOST_ADAPTER_ALLOWLIST", config.allowlist ?? [], catalog),
    ...listWarnings("WF_HOST_ADAPTER_DENYLIST", config.denylist, catalog),
  ];
  const grant: Grant = {
    ...EMPTY_GRANT,
    adapter_constraints: read.grant.adapter_constraints,
    allowed_adapters: config.allowlist === null ? null : [...new Set(config.allowlist)].sort(),
    forbidden_adapters: [...new Set(config.denylist)].sort(),
  };
  const said_nothing =
    config.allowlist === null && config.denylist.length === 0 && Object.keys(grant.adapter_constraints).length === 0;
  const enablesByDefault = listed === null && config.enable === null;
  const enabled = enablesByDefault ? SELF_CONTAINED : [...(listed ?? []), ...(config.enable ?? [])];
  return {
    side: said_nothing ? null : { source: "server", grant },
    enabled: [...new Set(["core", ...enabled])],
    enablesByDefault,
    warnings: [...read.warnings, ...restricting],
  };
}

/** What is enabled is to be called, which an adapter that is not there cannot be. Throws StartFault. */
export function checkEnabled(place: string, names: readonly string[], catalog: AdapterCatalog): void {
  const unknown = names.find((name) => catalog.adapter(name) === undefined);
  if (unknown === undefined) return;
  const near = nearest(unknown, catalog.names());
  const hint = near === null ? "" : `; did you mean ${near}?`;
  throw new StartFault(`${place} names the unknown adapter ${quoted(unknown)}${hint}`);
}

/** Lists that restrict may name adapters that only other hosts have; what they name holds here all the same. */
function listWarnings(variable: string, names: readonly string[], catalog: AdapterCatalog): readonly string[] {
  const found: Findings = { issues: [], warnings: [] };
  warnOfAdapters([...new Set(names)], catalog, found);
  return found.warnings.map((warning) => `${warning} (${variable})`);
}

/** Sections that variables stand for where the file has none. */
function environmentSections({ variables }: HostConfig, written: readonly string[]): Grant["adapter_constraints"] {
  if (written.some((name) => name.trim().toLowerCase() === "email")) return {};
  const read = emailSection(variables);
  if (!read.ok) throw new StartFault(`${read.variable} ${read.message}`);
  return read.section === null ? {} : { email: read.section };
}

/** The profiles that can be chosen by name, and what was noticed about those that a file gave: told when one of them is chosen. */
export type KnownProfiles = {
  readonly profiles: readonly Profile[];
  readonly warnings: ReadonlyMap<string, readonly string[]>;
};
export type LoadedProfile = { readonly profile: Profile; readonly warnings: readonly string[] };

/** The built-in profiles, then those of WF_PROFILES_FILE. Throws StartFault. */
export function readProfiles(config: HostConfig, context: OperatorContext): KnownProfiles {
  if (config.profilesFile === null) return { profiles: PROFILES, warnings: new Map() };
  const document = readDocument("WF_PROFILES_FILE", config.profilesFile);
  const given = profileDocuments(document);
  const read = given.map((one, place) => {
    const profile = parseProfile(one, context);
    if (!profile.ok)
      throw new StartFault(`the file of WF_PROFILES_FILE: profile ${place + 1}: ${said(profile.issues)}`);
    return profile;
  });
  const names = read.map(({ profile }) => profile.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new StartFault(`the file of WF_PROFILES_FILE: profile '${twice}' is given twice`);
  return {
    profiles: [...PROFILES, ...read.map(({ profile }) => profile)],
    warnings: new Map(read.map(({ profile, warnings }) => [profile.name, warnings])),
  };
}

/** The profile that `given` names: a known name, or a file with one document. Throws StartFault. */
export function loadProfile(given: string, known: KnownProfiles, context: OperatorContext): LoadedProfile {
  if (!given.includes("/") && !given.endsWith(".json")) {
    const profile = findProfile(given, known.profiles);
    if (profile === undefined) throw new StartFault(unknownProfile(given, known.profiles));
    return { profile, warnings: known.warnings.get(profile.name) ?? [] };
  }
  const read = parseProfile(readDocument("the profile", given), context);
  if (!read.ok) throw new StartFault(`the file of the profile: ${said(read.issues)}`);
  return read;
}

/** A bundle `{profiles: […]}`, a list, or one document. */
function profileDocuments(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (typeof document === "object" && document !== null && "profiles" in document) {
    const { profiles } = document;
    return Array.isArray(profiles) ? profiles : [profiles];
  }
  return [document];
}

function readDocument(what: string, path: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "error";
    throw new StartFault(`the file of ${what} cannot be read (${code})`);
  }
  if (bytes.length > MAX_FILE_BYTES) throw new StartFault(`the file of ${what} is larger than 1 MiB`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new StartFault(`the file of ${what} is not JSON`);
  }
}

function nameList(path: string, value: unknown, catalog: AdapterCatalog): readonly string[] {
  const names = textList(path, value).map((name) => name.toLowerCase());
  const unknown = names.find((name) => catalog.adapter(name) === undefined);
  if (unknown !== undefined)
    throw new StartFault(`the file of WF_ADAPTERS_CONFIG: ${path}: an unknown adapter is named`);
  return names;
}

function textList(path: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((one): one is string => typeof one === "string" && one.trim() !== ""))
    return value.map((one) => one.trim());
  throw new StartFault(`the file of WF_ADAPTERS_CONFIG: ${path}: expected a list of names`);
}

function said(issues: readonly InputIssue[], prefix = ""): string {
  return issues
    .slice(0, 5)
    .map((one) => `${one.path.startsWith(prefix) ? one.path.slice(prefix.length) : one.path}: ${one.message}`)
    .join("; ");
}
