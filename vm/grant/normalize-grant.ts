/**
 * Reading a grant that somebody wrote: a caller's request or an operator's file. Total for any value. Restrictions must be
 * spelled right, limits must be whole numbers, settings must be known to the adapter and the caller's to give.
 */
import {
  type AdapterSettings,
  builtinSettings,
  type SettingTable,
  settingNamed,
} from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { compareText } from "../../compiler/ir/checksum.ts";
import { pointer, quoted } from "../../compiler/ir/issues.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import {
  type Findings,
  type InputIssue,
  issue,
  POLICY_LISTS,
  readNames,
  readObject,
  readRestrictions,
  warnOfAdapters,
} from "../../compiler/policy/policy.ts";
import { type Constraints, EMPTY_GRANT, type Grant, isConflict } from "./grant.ts";
import { readLimits } from "./limits.ts";
import { foldSetting } from "./setting-values.ts";

/** Who wrote it. An operator may give settings that a caller may not, such as secrets. */
export type Origin = "caller" | "operator";
export type GrantContext = {
  readonly catalog: AdapterCatalog;
  readonly settings?: SettingTable;
};
export type GrantResult =
  | { readonly ok: true; readonly grant: Grant; readonly warnings: readonly string[] }
  | {
      readonly ok: false;
      /** `adapter_config_error` when nothing but settings is wrong. */
      readonly error: "invalid_request" | "adapter_config_error";
      readonly issues: readonly InputIssue[];
    };

const GRANT_MEMBERS: readonly string[] = [
  "allowed_adapters",
  ...POLICY_LISTS,
  "forbidden_destructive",
  "limits",
  "adapter_constraints",
];
const MAX_SETTING_DEPTH = 16;
const MAX_SETTING_VALUES = 10_000;

/** Reads a grant from outside. Never throws. `origin`: whose it is. */
export function normalizeGrant(value: unknown, origin: Origin, context: GrantContext): GrantResult {
  const found: Findings = { issues: [], warnings: [] };
  const settingsFound: Findings = { issues: [], warnings: found.warnings };
  const members = readObject(value, "", GRANT_MEMBERS, "member of a grant", found) ?? new Map<string, unknown>();
  const allowed = members.get("allowed_adapters") ?? null;
  const allowedNames = allowed === null ? null : readNames(allowed, "/allowed_adapters", found);
  warnOfAdapters(allowedNames ?? [], context.catalog, found);
  const grant: Grant = {
    ...EMPTY_GRANT,
    allowed_adapters: allowedNames,
    ...readRestrictions(members, context.catalog, found),
    limits: readLimits(members.get("limits"), "/limits", found),
    adapter_constraints: readConstraints(members.get("adapter_constraints"), origin, context, settingsFound),
  };
  const issues = [...found.issues, ...settingsFound.issues];
  if (issues.length === 0) return { ok: true, grant, warnings: [...new Set(found.warnings)] };
  return { ok: false, error: found.issues.length > 0 ? "invalid_request" : "adapter_config_error", issues };
}

type OpenConstraints = { [adapter: string]: { [setting: string]: Json } };

/** Settings by adapter. Adapters that no table knows keep theirs: they merge by type. */
export function readConstraints(
  value: unknown,
  origin: Origin,
  context: GrantContext,
  found: Findings,
  path = "/adapter_constraints",
): Grant["adapter_constraints"] {
  const constraints: OpenConstraints = {};
  const members = value === undefined ? null : readObject(value, path, null, "adapter name", found);
  if (found.issues.length > 0) return {};
  const read = new Set<string>();
  const names: string[] = [];
  for (const [written, settings] of [...(members ?? [])].sort(([a], [b]) => compareText(a, b))) {
    const name = written.trim().toLowerCase();
    if (name === "" || read.has(name)) {
      issue(found, pointer(path, written), "duplicate", `adapter ${quoted(written)} is given twice or has no name`);
      continue;
    }
    read.add(name);
    names.push(name);
    const known = (context.settings ?? builtinSettings).get(name);
    constraints[name] = readSettings(settings, pointer(path, written), known, origin, found);
  }
  warnOfAdapters(names, context.catalog, found);
  return constraints;
}

function readSettings(
  value: unknown,
  path: string,
  known: AdapterSettings | undefined,
  origin: Origin,
  found: Findings,
): { [setting: string]: Json } {
  const read: { [setting: string]: Json } = {};
  const names =
    known === undefined ? null : [...new Set([...Object.keys(known.settings), ...Object.keys(known.aliases)])];
  const before = found.issues.length;
  const members = readObject(value, path, names, "setting", found);
  for (const [position, one] of found.issues.entries())
    if (position >= before && one.code === "unknown_member")
      found.issues[position] = { ...one, code: "unknown_setting" };
  if (members === null || found.issues.length > before) return {};
  for (const [written, given] of [...members].sort(([a], [b]) => compareText(a, b))) {
    const name = known === undefined ? written : settingNamed(known, written, given);
    const place = pointer(path, written);
    const definition = known === undefined ? undefined : known.settings[name];
    if (Object.hasOwn(read, name)) issue(found, place, "duplicate", `setting ${quoted(name)} is given twice`);
    else if (origin === "caller" && definition?.kind === "server")
      issue(found, place, "not_yours", `setting ${quoted(name)} belongs to the operator`);
    else {
      const json = settingJson(given);
      const folded = json === undefined ? { expected: "a JSON value" } : foldSetting(json, definition);
      if ("value" in folded && !isConflict(folded.value)) read[name] = folded.value;
      else issue(found, place, "type", `expected ${"expected" in folded ? folded.expected : "a setting"}`);
    }
  }
  closeMaps(read, known?.settings ?? {});
  return read;
}

/** Adds an empty map for each setting that another given setting closes, so that the other side cannot add members to it. */
function closeMaps(read: { [setting: string]: Json }, settings: AdapterSettings["settings"]): void {
  for (const [name, { closedBy }] of Object.entries(settings))
    if (closedBy !== undefined && Object.hasOwn(read, closedBy) && !Object.hasOwn(read, name)) read[name] = {};
}

/** A copy of a small JSON value; undefined for anything else. */
function settingJson(value: unknown): Json | undefined {
  let left = MAX_SETTING_VALUES;
  const copy = (part: unknown, depth: number): Json | undefined => {
    left -= 1;
    if (left < 0 || depth > MAX_SETTING_DEPTH) return undefined;
    if (part === null || typeof part === "string" || typeof part === "boolean") return part;
    if (typeof part === "number") return Number.isFinite(part) ? part : undefined;
    if (typeof part !== "object") return undefined;
    if (Array.isArray(part)) {
      const items: Json[] = [];
      for (const item of part) {
        const one = copy(item, depth + 1);
        if (one === undefined) return undefined;
        items.push(one);
      }
      return items;
    }
    const object: { [key: string]: Json } = {};
    for (const [key, member] of Object.entries(part)) {
      const one = copy(member, depth + 1);
      if (one === undefined || ["__proto__", "constructor", "prototype"].includes(key)) return undefined;
      setMember(object, key, one);
    }
    return object;
  };
  return copy(value, 0);
}

/** Settings of one adapter; none when the grant has none. */
export function constraintsOf(grant: Grant, adapter: string): Constraints {
  return Object.hasOwn(grant.adapter_constraints, adapter) ? (grant.adapter_constraints[adapter] ?? {}) : {};
}
