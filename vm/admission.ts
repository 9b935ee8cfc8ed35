/**
 * What one caller may do: what the server grants and what the caller asked for, merged. No program is known here.
 */
import type { SettingTable } from "../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../compiler/catalog.ts";
import type { InputIssue, Policy } from "../compiler/policy/policy.ts";
import { type CallerRequest, readCallerRequest } from "./caller-request.ts";
import { allowlistOf, limitsOf, policyOf } from "./grant/convert.ts";
import { explainGrant, type GrantExplanation, type Side } from "./grant/explain.ts";
import { FLOOR_GRANT, type Grant } from "./grant/grant.ts";
import { conflictsOf, droppedAdapters, mergeGrants } from "./grant/merge.ts";
import { constraintsOf } from "./grant/normalize-grant.ts";
import type { PlaceRules } from "./grant/places.ts";
import type { Profile } from "./grant/profiles.ts";
import type { Limits } from "./run.ts";

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

export function admit(
  request: CallerRequest,
  { catalog, settings, server, merged }: AdmissionRules,
): Admission | AdmissionRefused {
  const read = readCallerRequest(request, { catalog, settings, places: server.places });
  if (!read.ok) return { ok: false, error: "invalid_request", issues: read.issues };
  const { grant: asked, enable, settingIssues } = read;
  const grant = mergeGrants(merged, asked, settings);
  const enabled = [...new Set(["core", ...server.enabled, ...enable])].sort();
  const idle = Object.keys(asked.adapter_constraints).filter((name) => !enabled.includes(name));
  return {
    ok: true,
    grant,
    policy: policyOf(grant),
    limits: limitsOf(grant),
    allowed: allowlistOf(grant),
    enabled,
    explanation: explainGrant([...server.sides, { source: "request", grant: asked }]),
    warnings: [
      ...new Set([
        ...read.warnings,
        ...droppedAdapters(merged, asked),
        ...idle.map((name) => `settings_without_enable: adapter '${name}' is not enabled; its settings have no effect`),
      ]),
    ],
    settingIssues: [...settingIssues, ...settingFaults(server, grant, enabled)],
  };
}

/** Settings of enabled adapters whose sides exclude each other, and those that the profile demands and nobody gave. */
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
