/**
 * The merge of two grants: the widest grant that is at most as wide as each. Pure, total, commutative, associative and idempotent; which
 * side is the server and which the caller does not matter to it.
 */
import { builtinSettings, type SettingTable } from "../../compiler/catalog/settings.ts";
import { compareText } from "../../compiler/ir/checksum.ts";
import type { Json } from "../../compiler/json.ts";
import { type Constraints, type Grant, isConflict } from "./grant.ts";
import { mergeLimits } from "./limits.ts";
import { constraintsOf } from "./normalize-grant.ts";
import { meetSettings } from "./setting-values.ts";

/** The widest grant that is at most as wide as each. */
export function mergeGrants(a: Grant, b: Grant, settings: SettingTable = builtinSettings): Grant {
  return {
    allowed_adapters: intersection(a.allowed_adapters, b.allowed_adapters),
    forbidden_adapters: union(a.forbidden_adapters, b.forbidden_adapters),
    forbidden_effects: union(a.forbidden_effects, b.forbidden_effects),
    forbidden_effect_tiers: union(a.forbidden_effect_tiers, b.forbidden_effect_tiers),
    forbidden_privilege_tiers: union(a.forbidden_privilege_tiers, b.forbidden_privilege_tiers),
    forbidden_destructive: a.forbidden_destructive || b.forbidden_destructive,
    limits: mergeLimits(a.limits, b.limits),
    adapter_constraints: mergeConstraints(a, b, settings),
  };
}

/** A warning for every adapter that the caller listed and the server's list lacks; the merge drops it silently. */
export function droppedAdapters(server: Grant, caller: Grant): readonly string[] {
  const granted = server.allowed_adapters;
  if (granted === null) return [];
  return (caller.allowed_adapters ?? [])
    .filter((name) => !granted.includes(name))
    .map((name) => `adapter_not_granted: adapter '${name}' is outside the allowlist of the server`);
}

/** Settings whose sides exclude each other, as `adapter.setting`. */
export function conflictsOf(grant: Grant, adapter: string): readonly string[] {
  return Object.entries(constraintsOf(grant, adapter))
    .filter(([, value]) => hasConflict(value))
    .map(([name]) => name);
}

/** A conflict itself, or an object of paths with one in it. */
export function hasConflict(value: Json): boolean {
  if (isConflict(value)) return true;
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.values(value).some((member: Json) => isConflict(member));
}

function intersection(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return a ?? b;
  const held = new Set(b);
  return a.filter((name) => held.has(name));
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort(compareText);
}

function mergeConstraints(a: Grant, b: Grant, settings: SettingTable): Grant["adapter_constraints"] {
  const merged: { [adapter: string]: Constraints } = {};
  const names = union(Object.keys(a.adapter_constraints), Object.keys(b.adapter_constraints));
  for (const adapter of names) {
    const definitions = settings.get(adapter)?.settings ?? {};
    merged[adapter] = mergeSettings(constraintsOf(a, adapter), constraintsOf(b, adapter), definitions);
  }
  return merged;
}

function mergeSettings(
  a: Constraints,
  b: Constraints,
  definitions: NonNullable<ReturnType<SettingTable["get"]>>["settings"],
): Constraints {
  const merged: { [setting: string]: Json } = {};
  for (const name of union(Object.keys(a), Object.keys(b))) {
    const left = Object.hasOwn(a, name) ? a[name] : undefined;
    const right = Object.hasOwn(b, name) ? b[name] : undefined;
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    const value = left === undefined ? right : right === undefined ? left : meetSettings(left, right, definition);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}
