/** Finds the adapters a program needs but cannot use here: not enabled, not provided, or denied by the grant. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { waitingSteps } from "../../compiler/policy/waits.ts";
import { usedAdapters } from "../../vm/admission/prepare.ts";
import { admits } from "../../vm/grant/convert.ts";
import { type SuggestedAdapters, suggestedAdapters } from "../../vm/grant/suggest.ts";
import type { McpServices } from "../services.ts";

export type Readiness = {
  readonly ready: boolean;
  readonly missing_adapters: readonly string[];
  readonly not_allowed: readonly string[];
  /** Calls that wait for a time, a signal or people: `L1 n2 signal.wait`. wf_run waits only within its limits. */
  readonly waits?: readonly string[];
  /** A ready `adapters` argument. */
  readonly suggested_adapters?: SuggestedAdapters;
};

export const NOT_READY: Readiness = { ready: false, missing_adapters: [], not_allowed: [] };

/** Adapters besides core, sorted. Computed names are left out: only the run knows them. */
export function requiredAdapters(ir: Ir): readonly string[] {
  return ir.execution_requirements.sandbox_policy_fragment.allowed_adapters.filter((name) => name !== "core");
}

export function readinessOf(ir: Ir, { runtime }: Pick<McpServices, "runtime">): Readiness {
  const { gateway, catalog, registry } = runtime;
  const admission = gateway.admit({});
  if (!admission.ok) throw new Error("an empty request is admitted");
  const used = [...(usedAdapters(ir, gateway.host) ?? requiredAdapters(ir))].sort();
  const { errors } = gateway.host.checkPolicy(ir, admission.policy);
  const forbidden = new Set(errors.map(({ data }) => data.adapter));
  const provided = ["core", ...registry.provided];
  const missing = used.filter((name) => !admission.enabled.includes(name) || !provided.includes(name));
  const not_allowed = used.filter((name) => forbidden.has(name) || !admits(gateway.grant, name, catalog));
  const wanting = missing.filter((name) => provided.includes(name));
  const waits = waitingSteps(ir);
  return {
    ready: missing.length === 0 && not_allowed.length === 0 && errors.length === 0,
    missing_adapters: missing,
    not_allowed,
    ...(waits.length === 0 ? {} : { waits }),
    ...(wanting.length === 0 ? {} : { suggested_adapters: suggestedAdapters(ir, wanting, catalog, registry.settings) }),
  };
}
