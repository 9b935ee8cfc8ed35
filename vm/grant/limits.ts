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
function givenLimits(limits: Limits): { readonly limits: Limits; readonly warnings: readonly string[] } {
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

export type EffectiveLimits = {
  /** In force. Shared between runs that ask for the same, and frozen. */
  readonly limits: Limits;
  /** What the caller asked for, without what counts as not given. */
  readonly asked: Limits;
  readonly warnings: readonly string[];
};

/** Limits under one server's grant. Most callers ask for the same every time: the last answer is kept, a short run takes less than it. */
export function createLimiter(server: Limits): (caller: Limits) => EffectiveLimits {
  let last: { readonly caller: Limits; readonly effective: EffectiveLimits } | null = null;
  return (caller) => {
    if (last !== null && sameLimits(last.caller, caller)) return last.effective;
    const { limits: asked, warnings } = givenLimits(caller);
    const limits = Object.freeze(mergeLimits(server, asked));
    last = { caller: { ...caller }, effective: { limits, asked, warnings: Object.freeze(warnings) } };
    return last.effective;
  };
}

function sameLimits(a: Limits, b: Limits): boolean {
  return (
    a.max_steps === b.max_steps &&
    a.max_depth === b.max_depth &&
    a.max_adapter_calls === b.max_adapter_calls &&
    a.max_time_ms === b.max_time_ms &&
    a.max_frame_bytes === b.max_frame_bytes &&
    a.max_loop_iters === b.max_loop_iters
  );
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
