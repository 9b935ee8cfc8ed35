/**
 * The named security profiles and the recommended limits, as data, and reading profiles from documents. A profile is the grant
 * of a server; it changes nothing until a surface loads it, and it is not a sandbox.
 */

import { compareText } from "../../compiler/ir/checksum.ts";
import type { LimitSet } from "../../compiler/ir/graph.ts";
import { type Findings, type InputIssue, issue, readNames, readObject } from "../../compiler/policy/policy.ts";
import { RECOMMENDED } from "../../compiler/policy/suggested-limits.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import type { Limits } from "../run.ts";
import { EMPTY_GRANT, type Grant } from "./grant.ts";
import { type GrantContext, normalizeGrant } from "./normalize-grant.ts";

/** A named grant with what a reader should know of it. */
export type Profile = {
  readonly name: string;
  readonly description: string;
  readonly intended_use: readonly string[];
  readonly orchestrator_expectations: readonly string[];
  /** `operator_defined`: no restriction by the profile. */
  readonly adapter_allowlist: readonly string[] | "operator_defined";
  readonly forbidden_adapters: readonly string[];
  readonly forbidden_effects: readonly string[];
  readonly forbidden_effect_tiers: readonly string[];
  readonly forbidden_privilege_tiers: readonly string[];
  readonly forbidden_destructive: boolean;
  readonly runtime_limits: Limits;
  readonly adapter_constraints: Grant["adapter_constraints"];
  /** Settings without which the adapter is not opened under this profile. */
  readonly required_settings: Readonly<Record<string, readonly string[]>>;
};

export const RECOMMENDED_LIMITS: Readonly<Record<"conservative" | "standard" | "permissive", LimitSet>> = {
  conservative: RECOMMENDED.small,
  standard: RECOMMENDED.standard,
  permissive: RECOMMENDED.large,
};

const NOTHING_FORBIDDEN = {
  forbidden_adapters: [],
  forbidden_effects: [],
  forbidden_effect_tiers: [],
  forbidden_privilege_tiers: [],
  forbidden_destructive: false,
  adapter_constraints: {},
  required_settings: {},
} as const;
const LOCAL = ["core", "sqlite", "fs", "wasm", "memory", "cache"] as const;
const SERVICES = ["agent", "svc", "extras", "videomon", "email", "calendar", "social", "llm"] as const;

const networkRestricted: Profile = {
  ...NOTHING_FORBIDDEN,
  name: "sandbox_network_restricted",
  description: "Local storage plus named egress, tools and queues",
  intended_use: ["sidecars calling a few services"],
  orchestrator_expectations: [
    "an egress proxy as second net",
    "sets http.allow_hosts, tools.allow_tools and fs.sandbox_root",
  ],
  adapter_allowlist: [...LOCAL, "http", "tools", "queue"],
  // The tier operator_sensitive stays open, because tools and queue belong to it; its other adapters are kept out by name.
  forbidden_adapters: SERVICES,
  runtime_limits: RECOMMENDED_LIMITS.standard,
  required_settings: { http: ["allow_hosts"], tools: ["allow_tools"], fs: ["sandbox_root"] },
};

/** In the order in which they are shown. */
export const PROFILES: readonly Profile[] = [
  {
    ...NOTHING_FORBIDDEN,
    name: "local_minimal",
    description: "Pure computation on one machine, no effects",
    intended_use: ["dry runs", "teaching", "CI checks"],
    orchestrator_expectations: ["none beyond a process limit"],
    adapter_allowlist: ["core"],
    forbidden_effects: ["io", "io-read", "io-write"],
    forbidden_privilege_tiers: ["local_state", "network", "operator_sensitive"],
    // All its calls are core, so more of them do no harm.
    runtime_limits: { ...RECOMMENDED_LIMITS.conservative, max_adapter_calls: 500 },
  },
  {
    ...NOTHING_FORBIDDEN,
    name: "sandbox_compute_and_store",
    description: "Offline work with local storage",
    intended_use: ["air-gapped containers", "batch transforms"],
    orchestrator_expectations: ["a container with a private volume"],
    adapter_allowlist: LOCAL,
    forbidden_adapters: ["http", ...SERVICES, "queue", "tools", "db"],
    forbidden_privilege_tiers: ["network", "operator_sensitive"],
    runtime_limits: RECOMMENDED_LIMITS.standard,
  },
  networkRestricted,
  {
    ...networkRestricted,
    name: "consumer_secure_default",
    description: "Baseline for a hosted product with untrusted authors",
    intended_use: ["multi-author products, one instance for each tenant"],
    orchestrator_expectations: [
      ...networkRestricted.orchestrator_expectations,
      "one instance for each tenant and a rate limit for each client",
    ],
    adapter_constraints: { http: { allow_private: false, max_response_bytes: 1_000_000 }, fs: { allow_delete: false } },
  },
  {
    ...NOTHING_FORBIDDEN,
    name: "automation_team",
    description: "A team's own automations: named hosts, waits, decisions, models",
    intended_use: ["one team's endpoints, schedules and jobs"],
    orchestrator_expectations: ["sets http.allow_hosts", "declares the models of llm and their prices"],
    adapter_allowlist: [
      ...["core", "http", "sqlite", "fs", "memory", "cache", "queue"],
      ...["timer", "signal", "approval", "job", "event", "llm"],
    ],
    forbidden_adapters: SERVICES.filter((name) => name !== "llm"),
    runtime_limits: RECOMMENDED_LIMITS.permissive,
    adapter_constraints: { llm: { max_calls: 100, max_input_tokens: 1_000_000, max_output_tokens: 200_000 } },
    required_settings: { http: ["allow_hosts"] },
  },
  {
    ...NOTHING_FORBIDDEN,
    name: "operator_full",
    description: "Trusted operator; other controls are outside",
    intended_use: ["platform teams with their own policy engine"],
    orchestrator_expectations: ["full sandboxing, approval and review by the operator"],
    adapter_allowlist: "operator_defined",
    runtime_limits: RECOMMENDED_LIMITS.permissive,
  },
];

const PROFILE_MEMBERS: readonly string[] = [
  "name",
  "description",
  "intended_use",
  "orchestrator_expectations",
  "adapter_allowlist",
  "forbidden_adapters",
  "forbidden_effects",
  "forbidden_effect_tiers",
  "forbidden_privilege_tiers",
  "forbidden_destructive",
  "runtime_limits",
  "adapter_constraints",
  "required_settings",
];

export function findProfile(name: string, profiles: readonly Profile[] = PROFILES): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}

/** One sentence that names what there is. */
export function unknownProfile(
  name: string,
  profiles: readonly Pick<Profile, "name">[] = PROFILES,
  kind = "security profile",
): string {
  const names = profiles.map((profile) => profile.name).sort(compareText);
  const near = nearest(name, names);
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return `unknown ${kind} "${shown}"; ${near === null ? "" : `did you mean ${near}? `}known: ${names.join(", ")}`;
}

export type ProfileResult =
  | { readonly ok: true; readonly profile: Profile; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** A profile document of an operator. The names of the built-in profiles are taken. */
export function parseProfile(value: unknown, context: GrantContext): ProfileResult {
  const found: Findings = { issues: [], warnings: [] };
  const members = readObject(value, "", PROFILE_MEMBERS, "member of a profile", found) ?? new Map<string, unknown>();
  const name = members.get("name");
  if (typeof name !== "string" || !/^[a-z][a-z0-9_-]{0,63}$/.test(name))
    issue(found, "/name", "type", "expected a name of lower-case letters, digits, _ and -");
  else if (findProfile(name) !== undefined) issue(found, "/name", "duplicate", `'${name}' is a built-in profile`);
  const texts = {
    description: textOf(members.get("description"), found),
    intended_use: textsOf(members.get("intended_use"), "/intended_use", found),
    orchestrator_expectations: textsOf(members.get("orchestrator_expectations"), "/orchestrator_expectations", found),
  };
  const required_settings = requiredOf(members.get("required_settings"), found);
  const grant = normalizeGrant(grantMembers(members), "operator", context);
  if (!grant.ok) found.issues.push(...grant.issues.map(inProfile));
  if (found.issues.length > 0 || !grant.ok || typeof name !== "string") return { ok: false, issues: found.issues };
  const { allowed_adapters, limits, ...rest } = grant.grant;
  const lists = { adapter_allowlist: allowed_adapters ?? ("operator_defined" as const), runtime_limits: limits };
  return { ok: true, profile: { name, ...texts, ...lists, ...rest, required_settings }, warnings: grant.warnings };
}

/** The members that a grant has too, under its names. */
function grantMembers(members: ReadonlyMap<string, unknown>): object {
  const grant: [string, unknown][] = [];
  for (const [member, value] of members) {
    if (member === "adapter_allowlist") {
      if (value !== "operator_defined") grant.push(["allowed_adapters", value]);
    } else if (member === "runtime_limits") grant.push(["limits", value]);
    else if (member.startsWith("forbidden_") || member === "adapter_constraints") {
      if (PROFILE_MEMBERS.includes(member)) grant.push([member, value]);
    }
  }
  return Object.fromEntries(grant);
}

function inProfile(found: InputIssue): InputIssue {
  const path = found.path.replace(/^\/allowed_adapters/, "/adapter_allowlist").replace(/^\/limits/, "/runtime_limits");
  return { ...found, path };
}

function textOf(value: unknown, found: Findings): string {
  if (value === undefined) return "";
  if (typeof value === "string" && value.length <= 1000) return value;
  issue(found, "/description", "type", "expected text");
  return "";
}

function textsOf(value: unknown, path: string, found: Findings): readonly string[] {
  if (value === undefined) return [];
  const texts: string[] = [];
  for (const text of Array.isArray(value) && value.length <= 100 ? value : [null]) {
    if (typeof text === "string" && text.length <= 1000) texts.push(text);
    else issue(found, path, "type", "expected a list of text");
  }
  return texts;
}

function requiredOf(value: unknown, found: Findings): Profile["required_settings"] {
  const path = "/required_settings";
  const members = value === undefined ? null : readObject(value, path, null, "adapter name", found);
  const required: { [adapter: string]: readonly string[] } = {};
  if (found.issues.length > 0) return required;
  for (const [adapter, settings] of members ?? [])
    required[adapter.trim().toLowerCase()] = readNames(settings, `${path}/${adapter}`, found);
  return required;
}

/** What a profile grants. */
export function profileGrant(profile: Profile): Grant {
  const sorted = (names: readonly string[]): readonly string[] => [...names].sort(compareText);
  return {
    allowed_adapters: profile.adapter_allowlist === "operator_defined" ? null : sorted(profile.adapter_allowlist),
    forbidden_adapters: sorted(profile.forbidden_adapters),
    forbidden_effects: sorted(profile.forbidden_effects),
    forbidden_effect_tiers: sorted(profile.forbidden_effect_tiers),
    forbidden_privilege_tiers: sorted(profile.forbidden_privilege_tiers),
    forbidden_destructive: profile.forbidden_destructive,
    limits: profile.runtime_limits,
    adapter_constraints: profile.adapter_constraints,
  };
}

/** A profile as the grant of a server: limits it does not set come from `floor`, those it sets stand. */
export function fillGrant(profile: Profile, floor: Grant = EMPTY_GRANT): Grant {
  const grant = profileGrant(profile);
  return { ...grant, limits: { ...floor.limits, ...grant.limits } };
}
