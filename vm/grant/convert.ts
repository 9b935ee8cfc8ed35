/** What a grant means for a run: the policy for its program, the limits for its meters, the allowlist for its dispatcher. */
import { type AdapterCatalog, findAdapter } from "../../compiler/catalog.ts";
import { POLICY_LISTS, type Policy, type PolicyList } from "../../compiler/policy/policy.ts";
import type { Limits } from "../run.ts";
import type { Grant } from "./grant.ts";

/** The restrictions that say something. */
export function policyOf(grant: Grant): Policy {
  const policy: { [List in PolicyList]?: readonly string[] } & { forbidden_destructive?: boolean } = {};
  for (const list of POLICY_LISTS) if (grant[list].length > 0) policy[list] = grant[list];
  if (grant.forbidden_destructive) policy.forbidden_destructive = true;
  return policy;
}

export function limitsOf(grant: Grant): Limits {
  return { ...grant.limits };
}

/** null: every adapter. Never wider than the grant, whatever a program says it needs. */
export function allowlistOf(grant: Grant): readonly string[] | null {
  return grant.allowed_adapters === null ? null : [...grant.allowed_adapters];
}

/** Whether a call of the adapter passes: on the list, not forbidden, and one that no catalog knows only when a list names it. */
export function admits(grant: Grant, adapter: string, catalog: AdapterCatalog): boolean {
  const name = adapter.toLowerCase();
  if (grant.forbidden_adapters.includes(name)) return false;
  if (grant.allowed_adapters !== null) return grant.allowed_adapters.includes(name);
  return findAdapter(catalog, name) !== undefined;
}
