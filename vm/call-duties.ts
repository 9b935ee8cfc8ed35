/** Duties of every call on the machine, whoever answers it: counter and gate, the log's answer, the place it is made at. */
import type { Json } from "../compiler/json.ts";
import type { CallPlace } from "./adapter-session.ts";
import { causeOf, type FailureCause } from "./dispatch-errors.ts";
import { limitFailure, notAllowedFailure } from "./fatal-failures.ts";
import type { CallOutcome } from "./journal.ts";
import { attemptOf } from "./journalled-calls.ts";
import type { Machine } from "./machine.ts";
import { type ObservedCall, tellObserver } from "./observed-calls.ts";

/** A failed call, mapped to code, message and data already. */
export class CallFailure extends Error {
  readonly failure: FailureCause;
  constructor(failure: FailureCause) {
    super(failure.message);
    this.name = "CallFailure";
    this.failure = failure;
  }
}

/** Counter and gate; a refusal is told to the observer. */
export function admitted(m: Machine, pc: number, call: ObservedCall, counted: boolean): void {
  const { observer } = m.options;
  try {
    admit(m, call.adapter, call.verb, counted);
  } catch (thrown) {
    const cause = causeOf(thrown);
    if (observer !== undefined && cause !== null) tellObserver(m, observer, pc, call, { cause, denied: true }, 0);
    throw thrown;
  }
}

/** Counts a call (when it counts) and passes it through the allowlist. */
function admit(m: Machine, adapter: string, verb: string, counted: boolean): void {
  if (counted) {
    if (m.calls >= m.maxCalls) {
      const data = { adapter, verb };
      throw limitFailure("RUNTIME_MAX_ADAPTER_CALLS", "max_adapter_calls", m.maxCalls, m.calls, data);
    }
    m.calls += 1;
  }
  const { allowed } = m.options;
  if (allowed !== null && !allowed.has(adapter)) throw notAllowedFailure(adapter, verb);
}

export function resultOf(logged: CallOutcome): Json {
  if (logged.ok) return logged.result;
  throw new CallFailure(logged.failure);
}

/** The same call id for all Retry attempts of one visit. */
export function placeOf(m: Machine, pc: number): CallPlace {
  const number = m.tables.site_at[pc] as number;
  const site = m.tables.sites[number];
  const attempt = attemptOf(m, number);
  const place = `${site?.label}/${site?.id}`;
  const visit = (m.visits.get(place) ?? 0) + (attempt === 1 ? 1 : 0);
  m.visits.set(place, visit);
  return { callId: `${m.options.traceId}/${place}/${visit}`, attempt, runEndsAt: m.startedAt + m.maxTime };
}
