/**
 * The cancellation of a run that has branches and a cleanup (docs/durable.md, cancellation and cleanup): each branch is cancelled where it calls or
 * waits next, in the order of their numbers, and the run when all have ended. They share one budget.
 */

import { causeOf } from "../../calls/call-errors.ts";
import type { FailureCause } from "../../errors/failures.ts";
import { cancelledFailure } from "../../errors/fatal-failures.ts";
import type { BranchesCancelled } from "../../machine/branching/place.ts";
import type { Machine } from "../../machine/machine.ts";
import { beginCleaning, Cleaning } from "../../machine/slices/ending.ts";
import type { Cancellation, RunError } from "../../run.ts";

type Branching = {
  live(): readonly Machine[];
  /** By what their names begin with: how many have begun. */
  begun(): Readonly<Record<string, number>>;
  /** Tells those that wait. */
  interrupt(): void;
};

export class CancelledBranches implements BranchesCancelled {
  readonly #root: Machine;
  readonly #branching: Branching;
  /** Of the run when its branches began. */
  readonly #steps: number;
  #cleaning: { readonly by: string; readonly until: Cleaning } | null = null;

  constructor(root: Machine, branching: Branching) {
    this.#root = root;
    this.#branching = branching;
    this.#steps = root.steps();
  }

  get by(): string | null {
    const { ending, options } = this.#root;
    const { signal, journal } = options;
    if (this.#cleaning !== null) return this.#cleaning.by;
    if (signal?.aborted !== true || journal?.defersCancel === true || ending instanceof Cleaning) return null;
    return reasonOf(signal);
  }

  cancel(by: string, calls: number): Cleaning | null {
    if (this.#cleaning === null && this.#cleansUp()) this.#begin(by, Math.max(calls, this.#root.calls));
    return this.#cleaning?.until ?? null;
  }

  /** The branches of a run that continues are cancelled where they were before. */
  again(): void {
    const { cancelled = null } = this.#root.options.journal ?? {};
    if (cancelled?.where === "branches" && cancelled.steps === this.#steps) this.#begin(cancelled.by, cancelled.calls);
  }

  /** Whether the branches are cancelled by now. */
  hears(): boolean {
    const { by } = this;
    return by !== null && this.cancel(by, this.#root.calls) !== null;
  }

  /** How a branch ended that failed with `error` after the cancellation; null: there was none. */
  endOf(error: RunError): RunError | null {
    if (this.#cleaning === null || error.code === "RUNTIME_CANCELLED") return this.#cleaning === null ? null : error;
    const { code, message, data } = causeOf(cancelledFailure({ reason: this.#cleaning.by })) as FailureCause;
    const cleanup_error = `${error.code}: ${error.message}`;
    return { ...error, code, message, data: { ...data, cleanup: "stopped", cleanup_error } };
  }

  /** Throws the cancellation. */
  check(): void {
    if (this.#cleaning !== null) throw cancelledFailure({ reason: this.#cleaning.by });
  }

  #cleansUp(): boolean {
    const { executor } = this.#root;
    if (executor === null) return false;
    return executor.cleansUp || this.#branching.live().some((m) => m.executor?.cleansUp === true);
  }

  #begin(by: string, calls: number): void {
    const root = this.#root;
    root.options.journal?.cancels?.({
      steps: this.#steps,
      calls,
      where: "branches",
      begun: this.#branching.begun(),
      by,
    });
    this.#cleaning = { by, until: beginCleaning(root, calls) };
    for (const m of this.#branching.live()) {
      m.maxCalls = root.maxCalls;
      m.maxTime = root.maxTime;
    }
    this.#branching.interrupt();
  }
}

function reasonOf(signal: Pick<Cancellation, "reason">): string {
  return String(cancelledFailure(signal).data["reason"]);
}
