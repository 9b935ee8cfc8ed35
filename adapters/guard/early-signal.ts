/** The end of a call's time, a little early: for verbs that have something to say or to store when nothing came. */
import type { CallContext } from "../../vm/adapter.ts";

/** Milliseconds until `reserveMs` before the call's deadline; half of its time when that is too short. Whole. */
export function earlyMs(call: Pick<CallContext, "remainingMs">, reserveMs: number): number {
  const remaining = call.remainingMs();
  return Math.max(0, Math.floor(Math.max(remaining - reserveMs, remaining / 2)));
}

/** Fires with the call's own signal, or after `earlyMs`. */
export function earlySignal(call: Pick<CallContext, "signal" | "remainingMs">, reserveMs: number): AbortSignal {
  return AbortSignal.any([call.signal, AbortSignal.timeout(earlyMs(call, reserveMs))]);
}
