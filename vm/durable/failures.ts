/** How a durable run ends early: it leaves, it may not wait, or it fails as a whole. */
import { AdapterError, FatalFailure } from "../errors/failures.ts";
import { LEFT } from "../errors/fatal-failures.ts";
import type { Machine } from "../machine/machine.ts";
import type { Clock } from "../run.ts";

export function left(): FatalFailure {
  return new FatalFailure("RUNTIME_CANCELLED", LEFT, "cancelled", { reason: LEFT });
}

export function tooManyWait(maxParked: number): AdapterError {
  return new AdapterError("ADAPTER_QUOTA", `${maxParked} jobs wait, and no more may (WF_WAITING_MAX)`, {
    retryable: true,
  });
}

/** The whole run failed, and no step of it. */
export function failedWhole(
  m: Machine,
  { code, message, causeType, data }: FatalFailure,
): NonNullable<Machine["error"]> {
  const label = m.program.entry;
  const place = { label, node: null, op: null, line: null, step_index: null, stack: [label] };
  return { code, message, ...place, data: { cause_type: causeType, retryable: false, ...data } };
}

export const CANNOT_WAIT = "this run cannot wait: queue the program as a job";
export const UNKNOWN = "the process ended during the call, and it is unknown whether it had its effect";

export function outcomeUnknown(): AdapterError {
  return new AdapterError("ADAPTER_TRANSPORT", UNKNOWN, { retryable: false, data: { outcome: "unknown" } });
}

/** Keys are remembered for seven days by the other side, so a call that is older than this is not made again. */
const KEY_KEPT_MS = 6 * 24 * 60 * 60 * 1000;

/** The first call after a long pause may have been under way before it. */
export function isKeyForgotten({ lastAt, clock }: { readonly lastAt: number | null; readonly clock: Clock }): boolean {
  return lastAt !== null && clock.wall() - lastAt > KEY_KEPT_MS;
}
