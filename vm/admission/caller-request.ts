/**
 * The part of a request by which a caller asks for less: allowlist, policy, limits, and adapters with their settings. Read once,
 * as unknown values; places are made absolute here, before anything is merged.
 */
import { type SettingTable, settingNamed } from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { nearest } from "../../compiler/diagnostics.ts";
import { pointer, quoted } from "../../compiler/ir/issues.ts";
import {
  type Findings,
  type InputIssue,
  issue,
  parsePolicy,
  readNames,
  readObject,
  warnOfAdapters,
} from "../../compiler/policy/policy.ts";
import { EMPTY_GRANT, type Grant } from "../grant/grant.ts";
import { readLimits } from "../grant/limits.ts";
import { constraintsOf, type Origin, readConstraints } from "../grant/normalize-grant.ts";
import { callerPlace, type PlaceRules } from "../grant/places.ts";

/** As given; undefined and null mean absent. */
export type CallerRequest = {
  readonly allowed_adapters?: unknown;
  readonly policy?: unknown;
  readonly limits?: unknown;
  /** `{enable: [names], <adapter>: {settings}}`. */
  readonly adapters?: unknown;
  /** Of a job that another one starts: what that one was allowed, by its own request and those around it. Limits do not count. */
  readonly around?: CallerRequest;
};

export type CallerContext = {
  readonly catalog: AdapterCatalog;
  readonly settings: SettingTable;
  readonly places: PlaceRules;
  /** Who wrote it; default: a caller. */
  readonly origin?: Origin;
  /** What the server grants: a place of its own bounds those that a caller names for the same setting. */
  readonly granted?: Grant;
};

export type CallerResult =
  | {
      readonly ok: true;
      readonly grant: Grant;
      readonly enable: readonly string[];
      readonly warnings: readonly string[];
      /** Of adapters and their settings: an `adapter_config_error`, told after the policy verdict. */
      readonly settingIssues: readonly InputIssue[];
    }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

export function readCallerRequest(request: CallerRequest, context: CallerContext): CallerResult {
  const { catalog } = context;
  const found: Findings = { issues: [], warnings: [] };
  const settingsFound: Findings = { issues: [], warnings: found.warnings };
  const given = (name: keyof CallerRequest): unknown => request[name] ?? undefined;
  const allowed = given("allowed_adapters");
  const allowedNames = allowed === undefined ? null : readNames(allowed, "/allowed_adapters", found);
  warnOfAdapters(allowedNames ?? [], catalog, found);
  const policy = given("policy") === undefined ? null : parsePolicy(given("policy"), catalog);
  if (policy?.ok === false) found.issues.push(...policy.issues.map((one) => ({ ...one, path: `/policy${one.path}` })));
  if (policy?.ok === true) found.warnings.push(...policy.warnings);
  const limits = readLimits(given("limits"), "/limits", found);
  const adapters = readObject(given("adapters") ?? {}, "/adapters", null, "adapter name", found);
  if (found.issues.length > 0 || adapters === null) return { ok: false, issues: found.issues };
  const { enable: named = [], ...settings } = Object.fromEntries(adapters);
  const enable = readEnabled(named, catalog, settingsFound);
  const placed = withPlaces(settings, context, settingsFound);
  const adapter_constraints = readConstraints(
    placed,
    context.origin ?? "caller",
    { catalog, settings: context.settings },
    settingsFound,
    "/adapters",
  );
  return {
    ok: true,
    grant: {
      ...EMPTY_GRANT,
      ...(policy?.ok === true ? policy.policy : {}),
      allowed_adapters: allowedNames,
      limits,
      adapter_constraints,
    },
    enable,
    warnings: [...new Set(found.warnings)],
    settingIssues: settingsFound.issues,
  };
}

function readEnabled(value: unknown, catalog: AdapterCatalog, found: Findings): readonly string[] {
  const names = readNames(value, "/adapters/enable", found) ?? [];
  for (const [place, name] of names.entries()) {
    if (catalog.adapter(name) !== undefined) continue;
    const near = nearest(name, catalog.names());
    const hint = near === null ? "" : `; did you mean ${near}?`;
    issue(found, `/adapters/enable/${place}`, "unknown_adapter", `no adapter is called ${quoted(name)}${hint}`);
  }
  return names;
}

/** The settings with absolute paths in place of the caller's. A value that is not a path is left to the type check. */
function withPlaces(
  settings: { readonly [adapter: string]: unknown },
  { settings: table, places, granted = EMPTY_GRANT }: CallerContext,
  found: Findings,
): { readonly [adapter: string]: unknown } {
  const absolute = (value: unknown, path: string, held: boolean): unknown => {
    if (typeof value === "object" && value !== null && "file" in value)
      return { ...value, file: absolute(value.file, pointer(path, "file"), held) };
    if (typeof value !== "string" || value === "") return value;
    const place = callerPlace(value, places, held);
    if ("path" in place) return place.path;
    issue(found, path, "place", place.refused);
    return value;
  };
  const placed: [string, unknown][] = Object.entries(settings).map(([written, given]) => {
    const known = table.get(written.trim().toLowerCase());
    if (known === undefined || typeof given !== "object" || given === null || Array.isArray(given))
      return [written, given];
    const members = Object.entries(given).map(([name, value]: [string, unknown]): [string, unknown] => {
      const setting = settingNamed(known, name, value);
      const definition = known.settings[setting];
      const own = constraintsOf(granted, written.trim().toLowerCase())[setting];
      const held = own !== undefined;
      const path = pointer(pointer("/adapters", written), name);
      if (definition?.kind !== "within") return [name, value];
      if (definition.map !== true || typeof value !== "object" || value === null || Array.isArray(value))
        return [name, absolute(value, path, held)];
      return [
        name,
        Object.fromEntries(Object.entries(value).map(([key, one]) => [key, absolute(one, pointer(path, key), held)])),
      ];
    });
    return [written, Object.fromEntries(members)];
  });
  return Object.fromEntries(placed);
}
