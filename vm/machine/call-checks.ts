/** The checks of every call on the machine, live or replayed: counter and gate, the answer of the log, the place of the call. */
import type { Json } from "../../compiler/json.ts";
import { callCauseOf, causeOf, endsRun, notHere } from "../calls/call-errors.ts";
import type { CallPlace } from "../calls/session.ts";
import { branchPrefix } from "../errors/branch-failures.ts";
import type { FailureCause } from "../errors/failures.ts";
import { notAllowedFailure } from "../errors/fatal-failures.ts";
import type { CallOutcome } from "../recording/record-log.ts";
import { attemptOf } from "./journal-hooks.ts";
import type { Machine } from "./machine.ts";
import { type ObservedCall, tellObserver } from "./observer-hooks.ts";
import { callsFailure } from "./slices/ending.ts";

/** A failed call, mapped to code, message and data already. */
export class CallFailure extends Error {
  readonly failure: FailureCause;
  constructor(failure: FailureCause) {
    super(failure.message);
    this.name = "CallFailure";
    this.failure = failure;
  }
}

/** Counter and gate; a refusal is reported to the observer. */
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
    if (m.calls >= m.maxCalls) throw callsFailure(m, { adapter, verb });
    m.calls += 1;
  }
  const { allowed } = m.options;
  if (allowed !== null && !allowed.has(adapter)) throw notAllowedFailure(adapter, verb);
  if (m.branch.nesting > 0 && endsRun(adapter, verb))
    throw new CallFailure(callCauseOf(notHere("a branch"), adapter, verb));
}

export function resultOf(logged: CallOutcome): Json {
  if (logged.ok) return logged.result;
  throw new CallFailure(logged.failure);
}

/** A call in a branch begins again when it may be made: nothing has happened yet. False: it may be made now. */
export function isHeld(m: Machine, pc: number, adapter: string): boolean {
  const { turns } = m.branch;
  if (turns === null) return false;
  if (m.options.journal?.holds === true) m.pending = { kind: "turn", adapter: null, pc };
  else if (!turns.isFree(adapter)) m.pending = { kind: "turn", adapter, pc };
  return m.pending !== null;
}

/** The branch is held at its call, for good. */
export function stands(m: Machine, pc: number): true {
  m.pending = { kind: "turn", adapter: null, pc };
  return true;
}

/** The same call id for all Retry attempts of one visit. */
export function placeOf(m: Machine, pc: number): CallPlace & { readonly visit: number } {
  const attempt = attemptOf(m, m.tables.site_at[pc] as number);
  const { place, visit } = visited(m, pc, attempt);
  const callId = `${m.options.traceId}/${branchPrefix(m.branch.name)}${place}/${visit}`;
  const { journal = null } = m.options;
  const meters = m.branch.nesting > 0 ? null : m;
  return { callId, visit, attempt, runEndsAt: m.startedAt + m.maxTime, journal, meters };
}

/**
 * A visit that makes a call or begins branches: `<label>/<node>`, and which one it is. A repeat is not a new visit; what runs the program instead of the
 * loop sets the count back before them.
 */
export function visited(m: Machine, pc: number, attempt: number): { readonly place: string; readonly visit: number } {
  const site = m.tables.sites[m.tables.site_at[pc] as number];
  const place = `${site?.label}/${site?.id}`;
  const visit = (m.visits.get(place) ?? 0) + (attempt === 1 || m.executor !== null ? 1 : 0);
  m.visits.set(place, visit);
  return { place, visit };
}
