/**
 * What one caller may do: what the server grants and what the caller asked for, merged. No program is known here.
 */
import type { SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Json } from "../../compiler/json.ts";
import type { InputIssue, Policy } from "../../compiler/policy/policy.ts";
import { allowlistOf, limitsOf, policyOf } from "../grant/convert.ts";
import { explainGrant, type GrantExplanation, type Side } from "../grant/explain.ts";
import { FLOOR_GRANT, type Grant } from "../grant/grant.ts";
import { conflictsOf, droppedAdapters, mergeGrants } from "../grant/merge.ts";
import { constraintsOf } from "../grant/normalize-grant.ts";
import type { PlaceRules } from "../grant/places.ts";
import type { Profile } from "../grant/profiles.ts";
import type { Limits } from "../run.ts";
import { type CallerRequest, readCallerRequest } from "./caller-request.ts";

/** What the operator decided at start. */
export type ServerSide = {
  /** The grants of the operator, in order of precedence; their merge is the server grant. */
  readonly sides: readonly Side[];
  readonly profile: Profile | null;
  /** Merged in besides, by strict mode; its grant is among the sides, and what it requires holds as well. */
  readonly strictProfile?: Profile | null;
  /** Adapters enabled without being named in a request; `core` always is. */
  readonly enabled: readonly string[];
  readonly places: PlaceRules;
};

export const OPEN_SERVER: ServerSide = {
  sides: [{ source: "default", grant: FLOOR_GRANT }],
  profile: null,
  enabled: ["core"],
  places: { base: null, bound: null, reserved: [], homes: [] },
};

/** What one caller may do under the server's grant. */
export type Admission = {
  readonly ok: true;
  readonly grant: Grant;
  readonly policy: Policy;
  readonly limits: Limits;
  /** null: every adapter. */
  readonly allowed: readonly string[] | null;
  /** Sorted; `core` included. */
  readonly enabled: readonly string[];
  /** A deployment is run, whose own settings enable adapters; those of the request cannot. */
  readonly isDeployed: boolean;
  readonly explanation: GrantExplanation;
  readonly warnings: readonly string[];
  /** Settings that cannot hold; told after the policy verdict. */
  readonly settingIssues: readonly InputIssue[];
};
export type AdmissionRefused = {
  readonly ok: false;
  readonly error: "invalid_request";
  readonly issues: readonly InputIssue[];
};

/** What an admission depends on besides the request. */
export type AdmissionRules = {
  readonly catalog: AdapterCatalog;
  readonly settings: SettingTable;
  readonly server: ServerSide;
  /** Merge of the server's sides. */
  readonly merged: Grant;
};

/** `within`: what the deployment asked for that the request runs; the request can only narrow it. */
export function admit(
  request: CallerRequest,
  rules: AdmissionRules,
  within: CallerRequest | null = null,
): Admission | AdmissionRefused {
  const { settings, server, merged } = rules;
  const outer = within === null ? null : readChain(within, rules);
  if (outer?.ok === false) return outer;
  const read = readSide(request, rules);
  if (!read.ok) return read;
  const { grant: asked, settingIssues } = read;
  const around = outer === null ? merged : mergeGrants(merged, outer.grant, settings);
  const grant = mergeGrants(around, asked, settings);
  const enable = outer === null ? read.enable : outer.enable;
  const enabled = [...new Set(["core", ...server.enabled, ...enable])].sort();
  const beyond = outer === null ? [] : read.enable.filter((name) => !enabled.includes(name));
  const idle = Object.keys(asked.adapter_constraints).filter((name) => !enabled.includes(name));
  return {
    ok: true,
    grant,
    policy: policyOf(grant),
    limits: limitsOf(grant),
    allowed: allowlistOf(grant),
    enabled,
    isDeployed: outer !== null,
    explanation: explainGrant([
      ...server.sides,
      ...(outer === null ? [] : [{ source: "deployment", grant: outer.grant }]),
      { source: "request", grant: asked },
    ]),
    warnings: [
      ...new Set([
        ...(outer?.warnings ?? []),
        ...read.warnings,
        ...droppedAdapters(around, asked),
        ...beyond.map((name) => `adapter_not_granted: adapter '${name}' is not enabled by the deployment`),
        ...idle.map((name) => `settings_without_enable: adapter '${name}' is not enabled; its settings have no effect`),
      ]),
    ],
    settingIssues: [...(outer?.settingIssues ?? []), ...settingIssues, ...settingFaults(server, grant, enabled)],
  };
}

/** What a deployment asked for, within what the jobs were allowed that started this one: an adapter is enabled where all of them enable it. */
function readChain(within: CallerRequest, rules: AdmissionRules): ReturnType<typeof readSide> {
  const own = readSide(within, rules);
  const { around } = within;
  if (!own.ok || around === undefined) return own;
  const outer = readChain(around, rules);
  if (!outer.ok) return outer;
  const grant = mergeGrants({ ...outer.grant, limits: {} }, own.grant, rules.settings);
  return { ...own, grant, enable: own.enable.filter((name) => outer.enable.includes(name)) };
}

/** One side that asks for less than the server grants: a request, or the deployment that it runs. */
function readSide(request: CallerRequest, { catalog, settings, server, merged }: AdmissionRules) {
  const read = readCallerRequest(request, { catalog, settings, places: server.places, granted: merged });
  if (!read.ok) return { ok: false, error: "invalid_request", issues: read.issues } as const;
  const { grant, warnings } = withoutUngranted(read.grant, merged, settings);
  return { ...read, grant, warnings: [...read.warnings, ...warnings] };
}

/** The request without what only the operator gives and did not give: permissions, and bounds above a request's; a warning for each. */
function withoutUngranted(
  asked: Grant,
  merged: Grant,
  settings: SettingTable,
): { readonly grant: Grant; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const sections = Object.entries(asked.adapter_constraints).map(([adapter, section]): [string, typeof section] => {
    const definitions = settings.get(adapter)?.settings ?? {};
    const kept = Object.entries(section).flatMap(([name, value]): [string, Json][] => {
      const { operatorGrants, callerMax } = definitions[name] ?? {};
      const granted = constraintsOf(merged, adapter)[name];
      if (value === true && operatorGrants === true && granted !== true) {
        warnings.push(`setting_clamped: only the operator can set ${adapter}.${name} to true`);
        return [];
      }
      if (callerMax !== undefined && granted === undefined && typeof value === "number" && value > callerMax) {
        warnings.push(`setting_clamped: ${adapter}.${name} is at most ${callerMax} in a request`);
        return [[name, callerMax]];
      }
      return [[name, value]];
    });
    return [adapter, Object.fromEntries(kept)];
  });
  if (warnings.length === 0) return { grant: asked, warnings };
  return { grant: { ...asked, adapter_constraints: Object.fromEntries(sections) }, warnings };
}

/** Settings of enabled adapters whose sides exclude each other, and missing settings that the profile requires. */
function settingFaults(server: ServerSide, grant: Grant, enabled: readonly string[]): InputIssue[] {
  const profiles = [server.profile, server.strictProfile ?? null].filter((one) => one !== null);
  const allowed = allowlistOf(grant);
  return enabled
    .filter((name) => allowed === null || allowed.includes(name))
    .flatMap((name) => [
      ...conflictsOf(grant, name).map(
        (setting): InputIssue => ({
          path: `/adapters/${name}/${setting}`,
          code: "conflict",
          message: `the values of ${name}.${setting} exclude each other`,
        }),
      ),
      ...profiles.flatMap((profile) =>
        missingSettings(profile, grant, name).map(
          (setting): InputIssue => ({
            path: `/adapters/${name}/${setting}`,
            code: "required_by_profile",
            message: `profile ${profile.name} needs ${name}.${setting}`,
          }),
        ),
      ),
    ]);
}

function missingSettings(profile: Profile, grant: Grant, adapter: string): readonly string[] {
  if (!Object.hasOwn(profile.required_settings, adapter)) return [];
  const given = constraintsOf(grant, adapter);
  return (profile.required_settings[adapter] ?? []).filter((setting) => !Object.hasOwn(given, setting));
}

/** Whether calls of an adapter may pass at all. */
export function passes({ grant, allowed }: Admission, name: string): boolean {
  return !grant.forbidden_adapters.includes(name) && (allowed === null || allowed.includes(name));
}
