/**
 * What an operator wants to know of an adapter before programs use it: whether it is there, allowed, enabled and configured, and, on
 * request, whether it works. Linking and opening it is all that is done; no verb is called.
 */

import type { Admission } from "../vm/admission/admit.ts";
import { AdapterSession } from "../vm/calls/session.ts";
import { AdapterError } from "../vm/errors/failures.ts";
import { constraintsOf } from "../vm/grant/normalize-grant.ts";
import type { Runtime } from "./runtime.ts";

export type AdapterState = {
  readonly provided: boolean;
  readonly allowed: boolean;
  readonly enabled: boolean;
  /** What is wrong with its settings or has yet to be set; null: nothing, or it was not looked at because something before is missing. */
  readonly missing: string | null;
  /** Of a health test that was asked for. */
  readonly health: { readonly ok: boolean; readonly message: string } | null;
};

/** `test`: open it and run its health test, for at most `timeoutMs`. */
export async function adapterState(
  runtime: Runtime,
  admission: Admission,
  name: string,
  test: { readonly timeoutMs: number } | null,
): Promise<AdapterState> {
  const { registry, gateway } = runtime;
  const allowed =
    !admission.grant.forbidden_adapters.includes(name) &&
    (admission.allowed === null || admission.allowed.includes(name));
  const enabled = admission.enabled.includes(name);
  const provided = name === "core" || registry.provided.includes(name);
  const state = { provided, allowed, enabled, missing: null, health: null };
  if (!provided || !allowed || !enabled || name === "core") return state;
  const constraints = constraintsOf(admission.grant, name);
  const linked = await registry.link(name, constraints);
  if (!linked.ok) return { ...state, missing: linked.issues.map((one) => one.message).join("; ") };
  if (linked.adapter?.lacks !== undefined) return { ...state, missing: linked.adapter.lacks };
  if (test === null || linked.adapter === null) return state;
  const session = new AdapterSession({
    adapters: new Map([[name, linked.adapter]]),
    clock: runtime.clock,
    facts: { uuid: runtime.uuid, env: () => undefined },
    traceId: gateway.host.catalog.version,
    dryRun: false,
  });
  try {
    const instance: unknown = await session.instanceOf(name);
    const definition = await registry.definition(name);
    const signal = AbortSignal.timeout(test.timeoutMs);
    await linked.adapter.check?.(instance, signal);
    const message = definition?.check === undefined ? "opens" : "works";
    return { ...state, health: { ok: true, message } };
  } catch (thrown) {
    const message = thrown instanceof AdapterError ? `${thrown.code}: ${thrown.message}` : "its health test failed";
    return { ...state, health: { ok: false, message } };
  } finally {
    await session.close();
  }
}
