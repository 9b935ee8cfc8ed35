/**
 * The limits of a run: what a caller asks for, held under what the server grants. A caller can tighten, never widen, and never
 * unset. Knows no surface.
 */
import { LIMIT_KEYS, type LimitKey, type Limits } from "../run.ts";

/** The default server grant of the runner, and the base of the command line. */
export const RESOURCE_FLOOR: Limits = {
  max_steps: 500_000,
  max_depth: 500,
  max_adapter_calls: 50_000,
  max_time_ms: 900_000,
};

type OpenLimits = { -readonly [K in LimitKey]?: number };

/** Values below 1 (calls: below 0) count as not given; each is told in a warning. */
export function givenLimits(limits: Limits): { readonly limits: Limits; readonly warnings: readonly string[] } {
  const given: OpenLimits = {};
  const warnings: string[] = [];
  for (const key of LIMIT_KEYS) {
    const value = limits[key];
    if (value === undefined) continue;
    const least = key === "max_adapter_calls" ? 0 : 1;
    if (value >= least) given[key] = value;
    else warnings.push(`limit_ignored: ${key} ${value} is below ${least} and counts as not given`);
  }
  return { limits: given, warnings };
}

/** Per-key minimum over the values given. */
export function mergeLimits(server: Limits, caller: Limits): Limits {
  const merged: OpenLimits = {};
  for (const key of LIMIT_KEYS) {
    const values = [server[key], caller[key]].filter((value) => value !== undefined);
    if (values.length > 0) merged[key] = Math.min(...values);
  }
  return merged;
}

/** Whose value a limit in force is: the server's when both say the same, `default` for a built-in ceiling. */
export function limitSource(
  key: string,
  limit: unknown,
  server: Limits,
  caller: Limits,
): "server" | "request" | "default" {
  const known = LIMIT_KEYS.find((one) => one === key);
  if (known === undefined) return "default";
  if (server[known] === limit) return "server";
  return caller[known] === limit ? "request" : "default";
}
