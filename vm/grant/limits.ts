/**
 * The limits of a run: what a caller asks for, held under what the server grants. A caller can tighten, never widen, and never
 * unset. Knows no surface.
 */
import { isObject } from "../../compiler/json.ts";
import { type Findings, issue, readObject } from "../../compiler/policy/policy.ts";
import { RequestInvalid } from "../inputs/request-invalid.ts";
import { LIMIT_KEYS, type LimitKey, type Limits } from "../run.ts";

/** The default server grant of the runner, and the base of the command line. */
export const RESOURCE_FLOOR: Limits = {
  max_steps: 500_000,
  max_depth: 500,
  max_adapter_calls: 50_000,
  max_time_ms: 900_000,
};

/** Calls and milliseconds of a cleanup, which no limit makes more. */
const CLEANUP_CALLS = 50;
const CLEANUP_MS = 10_000;

type OpenLimits = { -readonly [K in LimitKey]?: number };

/** Whole numbers of the keys. Values too small to mean anything are dropped with a warning, before any merge. */
export function readLimits(value: unknown, path: string, found: Findings): Limits {
  const limits: OpenLimits = {};
  const members = value === undefined ? null : readObject(value, path, LIMIT_KEYS, "limit", found);
  for (const key of LIMIT_KEYS) {
    const given = members?.get(key);
    if (given === undefined) continue;
    if (typeof given !== "number" || !Number.isSafeInteger(given)) {
      issue(found, `${path}/${key}`, "type", "expected a whole number");
      continue;
    }
    const least = leastOf(key);
    if (given >= least) limits[key] = given === 0 ? 0 : given;
    else found.warnings.push(`limit_ignored: ${key} ${given} is below ${least} and counts as not given`);
  }
  return limits;
}

/** No calls at all can be meant; less than a step, or a millisecond, cannot. */
export function leastOf(key: LimitKey): 0 | 1 {
  return key === "max_adapter_calls" || key === "cleanup_calls" ? 0 : 1;
}

/** The same of limits that code gives, where a member without value is as good as absent. Throws RequestInvalid. */
function givenLimits(value: unknown, path: string): { readonly limits: Limits; readonly warnings: readonly string[] } {
  const found: Findings = { issues: [], warnings: [] };
  const present = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
    : value;
  const limits = readLimits(present, path, found);
  if (found.issues.length > 0) throw new RequestInvalid(found.issues);
  return { limits, warnings: found.warnings };
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

/** What the cleanup of a cancelled run may use, besides what is left of its own limits (docs/durable.md, cancellation and cleanup). */
export function cleanupBudget(limits: Limits): { readonly calls: number; readonly ms: number } {
  const { max_adapter_calls, cleanup_calls = CLEANUP_CALLS, cleanup_ms = CLEANUP_MS } = limits;
  return {
    calls: Math.min(CLEANUP_CALLS, cleanup_calls, max_adapter_calls ?? CLEANUP_CALLS),
    ms: Math.min(CLEANUP_MS, cleanup_ms),
  };
}

export type EffectiveLimits = {
  /** In force. Shared between runs that ask for the same, and frozen. */
  readonly limits: Limits;
  /** What the caller asked for, without what counts as not given. */
  readonly asked: Limits;
  readonly warnings: readonly string[];
};

/**
 * Limits under one server's grant. Most callers ask for the same every time, so the last result is cached: computing it takes longer than a short run.
 * Both throw RequestInvalid for invalid limits, the constructor for those of the server.
 */
export function createLimiter(server: Limits): (caller: Limits) => EffectiveLimits {
  givenLimits(server, "/serverLimits");
  let last: LastLimits | null = null;
  return (caller) => {
    if (last !== null && sameLimits(last.values, caller) && (last.given === caller || countOf(caller) === last.count))
      return last.effective;
    const { limits: asked, warnings } = givenLimits(caller, "/limits");
    const limits = Object.freeze(mergeLimits(server, asked));
    const effective = { limits, asked, warnings: Object.freeze(warnings) };
    last = { given: caller, values: { ...caller }, count: countOf(caller), effective };
    return effective;
  };
}

type LastLimits = {
  /** The object itself: where it comes again, its names were looked at. */
  readonly given: Limits;
  readonly values: Limits;
  readonly count: number;
  readonly effective: EffectiveLimits;
};

/** Number of members with a value: one more than expected means an unknown limit. -1 when the value is not an object. */
function countOf(limits: Limits): number {
  if (!isObject(limits)) return -1;
  let count = 0;
  for (const key in limits) if (limits[key as LimitKey] !== undefined) count += 1;
  return count;
}

function sameLimits(a: Limits, b: Limits): boolean {
  return (
    a.max_steps === b.max_steps &&
    a.max_depth === b.max_depth &&
    a.max_adapter_calls === b.max_adapter_calls &&
    a.max_time_ms === b.max_time_ms &&
    a.max_frame_bytes === b.max_frame_bytes &&
    a.max_loop_iters === b.max_loop_iters &&
    a.cleanup_calls === b.cleanup_calls &&
    a.cleanup_ms === b.cleanup_ms
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
