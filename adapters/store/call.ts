/**
 * What every method of a store is given about the call it serves: time, deadline and the operator's log. The context of
 * a verb fits as it is. Times are whole milliseconds; a store whose database has a clock of its own uses that instead
 * of `now`.
 */

import type { CallContext } from "../../vm/adapter.ts";
import type { AdapterLog } from "../definition/effect.ts";
import type { RequestLimits } from "../engine/sqlite/sqlite.ts";

export type StoreCall = Pick<CallContext, "now" | "remainingMs" | "signal" | "extend"> & { readonly log: AdapterLog };

/** Makes repeating a write harmless: the same key gives the first answer again, other arguments ADAPTER_CONFLICT. */
export type Idempotency = {
  readonly key: string;
  /** `argsHash` of what the call was asked to do. */
  readonly argsHash: string;
};

/** How long answers of keyed writes are remembered. */
export const REMEMBERED_MS = 7 * 24 * 3600 * 1000;

/** The last millisecond whose RFC 3339 text has a year of four digits: as far away as an expiry can be. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The millisecond `seconds` after `now`; null: never. */
export function expiryAfter(now: number, seconds: number | null): number | null {
  return seconds === null ? null : Math.min(now + seconds * 1000, LAST_MS);
}

/** A helper process counts its deadline in a timer, which holds 31 bits. */
const MAX_WAIT_MS = 2 ** 31 - 1;

export function limitsOf(call: Pick<StoreCall, "remainingMs" | "signal" | "extend">): RequestLimits {
  const extend = (ms: number): void => call.extend?.(ms);
  return { timeoutMs: Math.min(call.remainingMs(), MAX_WAIT_MS), signal: call.signal, extend };
}
