/** The end of a call's time, a little early: for verbs that have something to say or to store when nothing came. */
import type { CallContext } from "../../vm/adapter.ts";

/** Fires with the call's own signal, or `reserveMs` before its deadline; at half of its time when that is too short. */
export function earlySignal(call: Pick<CallContext, "signal" | "remainingMs">, reserveMs: number): AbortSignal {
  const remaining = call.remainingMs();
  const ms = Math.max(0, Math.floor(Math.max(remaining - reserveMs, remaining / 2)));
  return AbortSignal.any([call.signal, AbortSignal.timeout(ms)]);
}
