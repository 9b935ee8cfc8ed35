/**
 * Cancellation in Python programs: it is raised where the run stands, so that `finally` blocks run, within a budget of their own (docs/durable.md,
 * cancellation and cleanup). Handlers do not see it. Where it was raised is written down, and a run that continues elsewhere raises it there again.
 */
import { callCauseOf, notConfigured } from "../../calls/call-errors.ts";
import type { CancelledAt } from "../../durable/records.ts";
import { FatalFailure } from "../../errors/failures.ts";
import { cancelledFailure, LEFT } from "../../errors/fatal-failures.ts";
import { cleanupBudget } from "../../grant/limits.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import type { Ending } from "../../machine/slices/ending.ts";
import type { RunError } from "../../run.ts";
import { CANCELLED, PyException, Raised } from "../exceptions.ts";
import { EMPTY_TUPLE } from "../kinds/list.ts";
import { messageOf } from "./errors.ts";
import { FunctionFrame } from "./frames.ts";
import type { Cleanup, PyState } from "./state.ts";
import { handlerAt } from "./unwind.ts";

/** The exception to raise where `thrown` is the cancellation of a run that has a `finally` around the place where it stands; null: it ends as it is. */
export function beginCleanup(s: PyState, thrown: unknown, error: () => RunError): Raised | null {
  const { m } = s;
  const { halt, journal = null, limits } = m.options;
  const reason = reasonOfCancel(thrown);
  if (s.cleanup !== null || reason === null || halt?.aborted === true || reason === LEFT) return null;
  // Branches that are cancelled end the run with them.
  if (m.pending?.kind === "fork" || isOfBranch(thrown) || !hasCleanup(s)) return null;
  const where = s.isAtStep ? "step" : s.isAsking ? "call" : s.awaited >= 0 ? "wait" : "inside";
  s.cleanup = { error: error(), failed: null };
  s.isAtStep = s.isAsking = false;
  s.awaited = -1;
  m.task = null;
  journal?.cancels?.({ steps: m.steps(), calls: m.calls, where, by: reason });
  const budget = cleanupBudget(limits);
  m.maxCalls = m.calls + budget.calls;
  m.ending = { due: () => null, steps: Number.POSITIVE_INFINITY, endsMs: m.elapsed() + budget.ms };
  if (journal?.defersCancel !== true) m.maxTime = Math.min(m.maxTime, m.ending.endsMs);
  m.options.cleans?.(budget.ms);
  return new Raised(new PyException(CANCELLED, EMPTY_TUPLE));
}

function isOfBranch(thrown: unknown): boolean {
  const failure = thrown instanceof CallFailure ? thrown.failure : (thrown as FatalFailure);
  return failure.data["inside"] !== undefined;
}

/** Why the run is cancelled; null: it failed otherwise. */
export function reasonOfCancel(thrown: unknown): string | null {
  const failure = thrown instanceof CallFailure ? thrown.failure : thrown instanceof FatalFailure ? thrown : null;
  return failure?.code === "RUNTIME_CANCELLED" ? String(failure.data["reason"]) : null;
}

export function hasCleanup(s: PyState): boolean {
  for (let { frame } = s; frame !== null; frame = frame.parent)
    if (frame instanceof FunctionFrame && handlerAt(s, frame, true) >= 0) return true;
  return false;
}

/** How a run ends that had a cleanup: as it was cancelled, and with what became of the cleanup. */
export function endOfCleanup(s: PyState, { error, failed }: Cleanup, end: RunError | null): RunError {
  if (end?.data["reason"] === LEFT) return end;
  const data = { ...error.data };
  if (end !== null)
    return { ...error, data: { ...data, cleanup: "stopped", cleanup_error: `${end.code}: ${end.message}` } };
  if (failed !== null) return { ...error, data: { ...data, cleanup: "failed", cleanup_error: messageOf(s, failed) } };
  return { ...error, data: { ...data, cleanup: "done" } };
}

/** Until a run that continues comes to the place where it was cancelled before. */
export class CancelledBefore implements Ending {
  readonly endsMs = Number.POSITIVE_INFINITY;
  readonly steps: number;
  readonly #s: PyState;
  readonly #at: CancelledAt;

  constructor(s: PyState, at: CancelledAt) {
    this.#s = s;
    this.#at = at;
    this.steps = at.steps;
  }

  due(): FatalFailure | null {
    const { m, isAtStep, isAsking } = this.#s;
    const { steps, calls, where, by } = this.#at;
    const isThere =
      (isAtStep && where !== "wait" && m.steps() >= steps) ||
      (where === "call" && isAsking && m.calls === calls) ||
      (where === "inside" && !isAtStep && !isAsking && m.granted === steps && m.calls === calls);
    return isThere ? cancelledFailure({ reason: by }) : null;
  }
}

/** Adapters that only wait for something, or that begin something new. */
const NOT_IN_CLEANUP: ReadonlySet<string> = new Set(["timer", "signal", "approval", "job", "event"]);
const HARMLESS: ReadonlySet<string> = new Set(["job.status", "job.cancel", "approval.cancel", "event.accept"]);

/** Throws what a call fails with that a cleanup may not make. */
export function checkInCleanup(adapter: string, verb: string): void {
  if (!NOT_IN_CLEANUP.has(adapter) || HARMLESS.has(`${adapter}.${verb.toLowerCase()}`)) return;
  const message = `${adapter}.${verb} is not possible in the cleanup of a cancelled run`;
  throw new CallFailure(callCauseOf(notConfigured(adapter, message), adapter, verb));
}
