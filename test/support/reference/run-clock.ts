/**
 * Time of one run: elapsed whole milliseconds, the deadline, cancellable waits, and the race of an adapter call against the
 * deadline and cancellation (docs/runtime.md, limits).
 */

import type { AdapterSession, StartedCall } from "../../../vm/calls/session.ts";
import { cancelledFailure, limitFailure } from "../../../vm/errors/fatal-failures.ts";
import type { Clock } from "../../../vm/run.ts";

type Settled = { readonly value: unknown } | { readonly thrown: unknown } | "deadline" | "expired" | "cancelled";

export class RunClock {
  readonly source: Clock;
  readonly #start: number;
  readonly #limit: number | undefined;
  readonly #signal: AbortSignal | undefined;

  /** A replay does not wait, whatever is asked. */
  readonly #waits: () => boolean;

  constructor(source: Clock, limit: number | undefined, signal: AbortSignal | undefined, waits = () => true) {
    this.source = source;
    this.#start = source.now();
    this.#limit = limit;
    this.#signal = signal;
    this.#waits = waits;
  }

  sinceStart(): number {
    return this.source.now() - this.#start;
  }

  elapsedMs(): number {
    return Math.floor(this.sinceStart());
  }

  remainingMs(): number {
    return this.#limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.#limit - this.sinceStart());
  }

  /** Fails when the run was cancelled or is late. */
  check(): void {
    if (this.#signal?.aborted) throw cancelledFailure(this.#signal);
    if (this.#limit !== undefined && this.elapsedMs() > this.#limit) throw this.#late(this.#limit);
  }

  /** Fails at once when a wait of `ms` cannot end in time. */
  checkWait(ms: number): void {
    if (this.#limit !== undefined && Math.floor(this.sinceStart() + ms) > this.#limit) throw this.#late(this.#limit);
  }

  async wait(ms: number): Promise<void> {
    this.checkWait(ms);
    if (!this.#waits()) return;
    await this.#firstOf((settle) => this.source.wait(ms, () => settle({ value: null })));
    this.check();
  }

  /** What the call's promise gives, unless its time, the run's or a cancellation comes first: then the call is abandoned. */
  async race(session: AdapterSession, call: StartedCall, promise: PromiseLike<unknown>): Promise<unknown> {
    const settled = await this.#firstOf((settle) => {
      promise.then(
        (value) => settle({ value }),
        (thrown: unknown) => settle({ thrown }),
      );
      const runEnds = this.#limit === undefined ? Number.POSITIVE_INFINITY : this.#limit + 1 - this.sinceStart();
      const callEnds = call.endsAt() - this.source.now();
      if (callEnds < runEnds) return this.source.wait(Math.max(0, callEnds), () => settle("expired"));
      if (runEnds === Number.POSITIVE_INFINITY) return () => {};
      return this.source.wait(runEnds, () => settle("deadline"));
    });
    if (settled === "expired") throw session.expire(call);
    if (settled === "deadline" || settled === "cancelled") session.abandon(call);
    if (settled === "deadline" && this.#limit !== undefined) throw this.#late(this.#limit);
    this.check();
    if (typeof settled === "string") throw new Error("a cancelled call continued");
    if ("thrown" in settled) throw settled.thrown;
    return settled.value;
  }

  async #firstOf(begin: (settle: (settled: Settled) => void) => () => void): Promise<Settled> {
    const signal = this.#signal;
    return new Promise((resolve) => {
      let stop = () => {};
      const cancelled = () => settle("cancelled");
      const settle = (settled: Settled) => {
        stop();
        signal?.removeEventListener("abort", cancelled);
        resolve(settled);
      };
      signal?.addEventListener("abort", cancelled);
      stop = begin(settle);
      if (signal?.aborted) cancelled();
    });
  }

  #late(limit: number) {
    return limitFailure("RUNTIME_MAX_TIME", "max_time_ms", limit, this.elapsedMs());
  }
}
