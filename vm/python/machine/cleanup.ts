/**
 * Cancellation in Python programs: it is raised where the run stands, so that `finally` blocks run, within a budget of their own (docs/durable.md,
 * cancellation and cleanup). Handlers do not see it. Where it was raised is written down, and a run that continues elsewhere raises it there again.
 */
import { Op } from "../../../compiler/bytecode/opcodes.ts";
import { callCauseOf, notConfigured } from "../../calls/call-errors.ts";
import type { CancelledAt } from "../../durable/records.ts";
import { FatalFailure } from "../../errors/failures.ts";
import { cancelledFailure, LEFT } from "../../errors/fatal-failures.ts";
import { CallFailure } from "../../machine/call-checks.ts";
import { beginCleaning, Cleaning, type Ending } from "../../machine/slices/ending.ts";
import type { RunError } from "../../run.ts";
import { CANCELLED, PyException, Raised } from "../exceptions.ts";
import { EMPTY_TUPLE } from "../kinds/list.ts";
import { messageOf } from "./errors.ts";
import { FunctionFrame } from "./frames.ts";
import type { StubPlace } from "./program.ts";
import type { Cleanup, PyState } from "./state.ts";
import { handlerAt } from "./unwind.ts";

/** The exception to raise where `thrown` is the cancellation of a run that has a `finally` around the place where it stands; null: it ends as it is. */
export function beginCleanup(s: PyState, thrown: unknown, error: () => RunError): Raised | null {
  const { m } = s;
  const { halt, journal = null } = m.options;
  const reason = reasonOfCancel(thrown);
  if (s.isCleaning || reason === null || halt?.aborted === true || reason === LEFT) return null;
  // All branches are cancelled before one of them cleans up.
  const around = m.branch.cancelled?.cancel(reason, m.calls) ?? null;
  if ((m.branch.nesting > 0 && around === null) || !hasCleanup(s)) return null;
  const where = s.isAtStep ? "step" : s.isAsking ? "call" : s.awaited >= 0 ? "wait" : "inside";
  s.cleanup = { error: error(), failed: null };
  s.isCleaning = true;
  s.isAtStep = s.isAsking = false;
  s.awaited = -1;
  m.task = null;
  journal?.cancels?.({ steps: m.steps(), calls: m.calls, where, by: reason });
  // Branches and what has them share one budget.
  if (around !== null) m.ending = around;
  else if (!(m.ending instanceof Cleaning)) beginCleaning(m, m.calls);
  return new Raised(new PyException(CANCELLED, EMPTY_TUPLE));
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
  const { cleanup: ofBranches, ...data } = error.data;
  if (end !== null) {
    const why = end.data["cleanup_error"] ?? `${end.code}: ${end.message}`;
    return { ...error, data: { ...data, cleanup: "stopped", cleanup_error: why } };
  }
  if (ofBranches === "failed" || ofBranches === "stopped") return error;
  if (failed !== null) return { ...error, data: { ...data, cleanup: "failed", cleanup_error: messageOf(s, failed) } };
  return { ...error, data: { ...data, cleanup: "done" } };
}

/** Until a run that continues comes to the place where it was cancelled before. */
export class CancelledBefore implements Ending {
  readonly endsMs = Number.POSITIVE_INFINITY;
  readonly hears = false;
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

/** A journal knows of the call; of what is only computed it does not. */
export function isJournalled({ m, program }: PyState, stub: number): boolean {
  const op = m.tables.code[(program.stubs[stub] as StubPlace).pc];
  return op === Op.Invoke || op === Op.Host;
}

/** Of a branch, which is cancelled where it calls or waits next; at once where nothing is to be cleaned up. */
export class BranchEnding implements Ending {
  readonly endsMs = Number.POSITIVE_INFINITY;
  readonly steps = Number.POSITIVE_INFINITY;
  readonly hears = true;
  readonly #s: PyState;

  constructor(s: PyState) {
    this.#s = s;
  }

  due(): FatalFailure | null {
    const { m, isAsking, awaited } = this.#s;
    const { journal = null } = m.options;
    if (journal?.defersCancel === true) {
      const by = isAsking ? (journal.cancelledNext ?? null) : null;
      return by === null ? null : cancelledFailure({ reason: by });
    }
    const { cancelled } = m.branch;
    const by = cancelled?.by ?? null;
    if (cancelled === null || by === null) return null;
    const isAtCall = isAsking || (awaited >= 0 && isJournalled(this.#s, awaited));
    return isAtCall || cancelled.cancel(by, m.calls) === null ? cancelledFailure({ reason: by }) : null;
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
