/**
 * The grant of one command line: a profile or the resource floor, tightened by grant and policy files and by flags. Files are read
 * here; what they mean is decided in `vm/grant`. The user is the operator, so files may hold what a caller may not.
 */
import type { InputIssue, Policy } from "../compiler/policy/policy.ts";
import { parsePolicy } from "../compiler/policy/policy.ts";
import { allowlistOf, limitsOf, policyOf } from "../vm/grant/convert.ts";
import { explainGrant, type GrantExplanation, type Side } from "../vm/grant/explain.ts";
import { EMPTY_GRANT, FLOOR_GRANT, type Grant } from "../vm/grant/grant.ts";
import { conflictsOf, droppedAdapters, mergeGrants } from "../vm/grant/merge.ts";
import { constraintsOf, normalizeGrant } from "../vm/grant/normalize-grant.ts";
import { fillGrant, findProfile, type Profile, parseProfile, unknownProfile } from "../vm/grant/profiles.ts";
import type { Limits } from "../vm/run.ts";
import type { Session } from "./commands/base.ts";
import { CliFault, EXIT, usageFault } from "./faults.ts";
import { adapterNames, givenLimitFlags, type LimitFlags, listOf, readLimits } from "./grant.ts";
import { readTextFile } from "./input.ts";

export type GrantFlags = {
  readonly profile: string | undefined;
  readonly grantFile: string | undefined;
  readonly policyFile: string | undefined;
  readonly allowAdapter?: readonly string[] | undefined;
  readonly forbidAdapter?: readonly string[] | undefined;
  readonly forbidEffect?: readonly string[] | undefined;
  readonly forbidTier?: readonly string[] | undefined;
  readonly forbidPrivilege?: readonly string[] | undefined;
  readonly forbidDestructive?: boolean;
  readonly limits?: LimitFlags;
};

export type EffectiveGrant = {
  readonly grant: Grant;
  readonly profile: Profile | null;
  readonly policy: Policy;
  readonly limits: Limits;
  /** null: every adapter. */
  readonly allowed: readonly string[] | null;
  readonly explanation: GrantExplanation;
  readonly warnings: readonly string[];
};

const MAX_DOCUMENT_BYTES = 1024 * 1024;

export function effectiveGrant(session: Session, flags: GrantFlags): EffectiveGrant {
  const warnings: string[] = [];
  const profile = flags.profile === undefined ? null : loadProfile(session, flags.profile, warnings);
  const { base, asked } = baseAndLimits(profile, flags.limits ?? {}, warnings);
  const caller = [
    { ...EMPTY_GRANT, limits: asked },
    flagGrant(session, flags, warnings),
    ...(flags.grantFile === undefined ? [] : [loadGrant(session, flags.grantFile, warnings)]),
    ...(flags.policyFile === undefined ? [] : [loadPolicy(session, flags.policyFile, warnings)]),
  ].reduce((a, b) => mergeGrants(a, b));
  warnings.push(...droppedAdapters(base, caller));
  const grant = mergeGrants(base, caller);
  const sides: Side[] = [
    { source: profile === null ? "default" : `profile:${profile.name}`, grant: base },
    { source: "request", grant: caller },
  ];
  return {
    grant,
    profile,
    policy: policyOf(grant),
    limits: limitsOf(grant),
    allowed: allowlistOf(grant),
    explanation: explainGrant(sides),
    warnings: [...new Set(warnings)],
  };
}

/** Without a profile `--max-*` replace the values of the floor; under a profile they only tighten. */
function baseAndLimits(
  profile: Profile | null,
  flags: LimitFlags,
  warnings: string[],
): { readonly base: Grant; readonly asked: Limits } {
  const read = profile === null ? readLimits(flags) : givenLimitFlags(flags);
  warnings.push(...read.warnings);
  if (profile !== null) return { base: fillGrant(profile, FLOOR_GRANT), asked: read.limits };
  return { base: { ...FLOOR_GRANT, limits: read.limits }, asked: {} };
}

function flagGrant(session: Session, flags: GrantFlags, warnings: string[]): Grant {
  const { catalog } = session.host;
  const given: Record<string, unknown> = {};
  if (flags.allowAdapter !== undefined)
    given["allowed_adapters"] = adapterNames("--allow-adapter", flags.allowAdapter, catalog);
  if (flags.forbidAdapter !== undefined)
    given["forbidden_adapters"] = adapterNames("--forbid-adapter", flags.forbidAdapter, catalog);
  if (flags.forbidEffect !== undefined) given["forbidden_effects"] = listOf(flags.forbidEffect);
  if (flags.forbidTier !== undefined) given["forbidden_effect_tiers"] = listOf(flags.forbidTier);
  if (flags.forbidPrivilege !== undefined) given["forbidden_privilege_tiers"] = listOf(flags.forbidPrivilege);
  if (flags.forbidDestructive === true) given["forbidden_destructive"] = true;
  const read = normalizeGrant(given, "operator", { catalog });
  if (!read.ok) {
    const first = read.issues[0];
    const flag = first === undefined ? "" : flagOfMember(first.path);
    throw usageFault(`option ${flag}: ${first?.message ?? "not valid"}`);
  }
  warnings.push(...read.warnings);
  return read.grant;
}

function flagOfMember(path: string): string {
  const flags: readonly (readonly [string, string])[] = [
    ["/forbidden_effects", "--forbid-effect"],
    ["/forbidden_effect_tiers", "--forbid-tier"],
    ["/forbidden_privilege_tiers", "--forbid-privilege"],
    ["/forbidden_adapters", "--forbid-adapter"],
  ];
  return flags.find(([member]) => path === member || path.startsWith(`${member}/`))?.[1] ?? "--allow-adapter";
}

/** A built-in name, or one document where the value looks like a file. */
export function loadProfile(session: Session, given: string, warnings: string[]): Profile {
  if (!given.includes("/") && !given.endsWith(".json")) {
    const known = findProfile(given);
    if (known !== undefined) return known;
    throw new CliFault(unknownProfile(given), { error: "unknown_profile", exitCode: EXIT.usage });
  }
  const read = parseProfile(readDocument(session, given), { catalog: session.host.catalog });
  if (!read.ok) throw documentFault("profile", given, read.issues);
  warnings.push(...read.warnings);
  return read.profile;
}

function loadGrant(session: Session, file: string, warnings: string[]): Grant {
  const read = normalizeGrant(readDocument(session, file), "operator", { catalog: session.host.catalog });
  if (!read.ok) throw documentFault("grant", file, read.issues);
  warnings.push(...read.warnings);
  return read.grant;
}

function loadPolicy(session: Session, file: string, warnings: string[]): Grant {
  const read = parsePolicy(readDocument(session, file), session.host.catalog);
  if (!read.ok) throw documentFault("policy", file, read.issues);
  warnings.push(...read.warnings);
  return { ...EMPTY_GRANT, ...read.policy };
}

function readDocument(session: Session, file: string): unknown {
  const text = readTextFile(session.cwd, file, MAX_DOCUMENT_BYTES).replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFault(`${file} is not JSON`, { error: "invalid_json", exitCode: EXIT.usage });
  }
}

function documentFault(kind: "profile" | "grant" | "policy", file: string, issues: readonly InputIssue[]): CliFault {
  const [first] = issues;
  const place = first === undefined || first.path === "" ? "" : `${first.path}: `;
  return new CliFault(`${file} is no valid ${kind}: ${place}${first?.message ?? ""}`, {
    error: `invalid_${kind}`,
    exitCode: EXIT.usage,
    members: { issues: issues.map((one) => ({ ...one })) },
    notes: issues.slice(1, 20).map((one) => `${one.path}: ${one.message}`),
  });
}

/**
 * Settings without which an enabled adapter cannot be opened: sides that exclude each other, and what the profile demands. Asked
 * after the policy check, so that a violation is told as one.
 */
export function requireSettings(effective: EffectiveGrant, enabled: readonly string[]): void {
  const { grant, profile, allowed } = effective;
  const issues = enabled
    .filter((name) => allowed === null || allowed.includes(name))
    .flatMap((name) => [
      ...conflictsOf(grant, name).map((setting) => ({
        path: `/adapters/${name}/${setting}`,
        code: "conflict",
        message: `the values of ${name}.${setting} exclude each other`,
      })),
      ...missingSettings(profile, grant, name).map((setting) => ({
        path: `/adapters/${name}/${setting}`,
        code: "required_by_profile",
        message: `profile ${profile?.name ?? ""} needs ${name}.${setting}`,
      })),
    ]);
  const [first] = issues;
  if (first === undefined) return;
  throw new CliFault(first.message, {
    error: "adapter_config_error",
    exitCode: EXIT.usage,
    members: { issues },
    notes: issues.slice(1, 20).map((one) => one.message),
  });
}

function missingSettings(profile: Profile | null, grant: Grant, adapter: string): readonly string[] {
  if (profile === null || !Object.hasOwn(profile.required_settings, adapter)) return [];
  const given = constraintsOf(grant, adapter);
  return (profile.required_settings[adapter] ?? []).filter((setting) => !Object.hasOwn(given, setting));
}
