/**
 * The runs in progress: a bounded number, a short queue of waiting runs, and a way to cancel them all. The one place that
 * decides between running, waiting and refusing. Runs that no caller waits for leave a share of the slots to runs with a waiting
 * caller. It does not depend on programs.
 */

import type { Cancellation, Clock } from "../../vm/run.ts";
import { Cancelling } from "../../vm/runs/cancellation.ts";
import { faults } from "../wire/errors.ts";

export type SlotBounds = { readonly most: number; readonly waitingMost: number; readonly waitMs: number };

/**
 * Who waits for a run. `caller`: the client, and the run is cancelled when it disconnects. `detached`: the run continues without it
 * (`WF-On-Disconnect: continue`). `job`: it is a job of the queue.
 */
export type RunKind = "caller" | "detached" | "job";

/** The right to run. The holder returns it with `leave`, however the run ends. */
export type RunSlot = {
  /** Aborted when the caller went away or the service stops; its reason is a text. */
  readonly signal: Cancellation;
  leave(): void;
};

type Waiting = {
  readonly kind: RunKind;
  readonly go: (slot: RunSlot) => void;
  readonly caller: Cancellation | undefined;
};

/** The share of the slots that jobs and detached runs leave to waiting callers. */
const CALLERS_PART = 1 / 4;
/** The maximum share of the slots, and of the queue, for detached runs. */
const NOBODYS_PART = 1 / 2;

export class RunSlots {
  readonly #bounds: SlotBounds;
  readonly #clock: Clock;
  readonly #active = new Map<Cancelling, RunKind>();
  readonly #line = new Set<Waiting>();
  readonly #running = { caller: 0, detached: 0, job: 0 };
  #whenIdle: (() => void)[] = [];

  constructor(bounds: SlotBounds, clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#active.size;
  }

  get free(): number {
    return Math.max(0, this.#bounds.most - this.#active.size);
  }

  /** A slot now or after a short wait. Rejects with ServiceFault server_busy, or with the caller's reason when it goes away first. */
  enter(caller?: Cancellation, kind: RunKind = "caller"): Promise<RunSlot> {
    const slot = this.tryEnter(caller, kind);
    if (slot !== null) return Promise.resolve(slot);
    if (!this.#mayWait(kind)) return Promise.reject(faults.busy(this.#whyNot(kind, "no run can start now")));
    return new Promise((resolve, reject) => {
      const leaveLine = (act: () => void): void => {
        stop();
        caller?.removeEventListener("abort", onGone);
        this.#line.delete(waiting);
        act();
      };
      const onGone = (): void => leaveLine(() => reject(faults.busy("the caller went away")));
      const waiting: Waiting = { kind, go: (given) => leaveLine(() => resolve(given)), caller };
      const stop = this.#clock.wait(this.#bounds.waitMs, () =>
        leaveLine(() => reject(faults.busy(this.#whyNot(kind, "no run could start in time")))),
      );
      this.#line.add(waiting);
      caller?.addEventListener("abort", onGone);
    });
  }

  /** A slot now, or null. */
  tryEnter(caller?: Cancellation, kind: RunKind = "caller"): RunSlot | null {
    return this.#isFree(kind) ? this.#open(caller, kind) : null;
  }

  /** Ends every run under way. */
  cancelAll(reason: string): void {
    for (const cancelling of this.#active.keys()) cancelling.abort(reason);
  }

  /** Resolves when no run is under way. */
  idle(): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #isFree(kind: RunKind): boolean {
    const { most } = this.#bounds;
    if (this.#active.size >= most) return false;
    if (kind === "caller") return true;
    const { detached, job } = this.#running;
    if (detached + job >= most - Math.floor(most * CALLERS_PART)) return false;
    return kind === "job" || detached < part(most);
  }

  #mayWait(kind: RunKind): boolean {
    const { waitingMost } = this.#bounds;
    if (this.#line.size >= waitingMost) return false;
    if (kind === "caller") return true;
    let waiting = 0;
    for (const other of this.#line) if (other.kind !== "caller") waiting += 1;
    return waiting < part(waitingMost);
  }

  #whyNot(kind: RunKind, why: string): string {
    return kind === "detached" && this.free > 0 ? "too many runs continue without their callers" : why;
  }

  #open(caller: Cancellation | undefined, kind: RunKind): RunSlot {
    const cancelling = new Cancelling();
    const onGone = (): void => cancelling.abort(caller?.reason);
    if (caller?.aborted === true) onGone();
    else caller?.addEventListener("abort", onGone);
    this.#active.set(cancelling, kind);
    this.#running[kind] += 1;
    return {
      signal: cancelling,
      leave: () => {
        caller?.removeEventListener("abort", onGone);
        if (!this.#active.delete(cancelling)) return;
        this.#running[kind] -= 1;
        this.#next();
      },
    };
  }

  /** The first in line that may run now. */
  #next(): void {
    for (const waiting of this.#line) {
      if (!this.#isFree(waiting.kind)) continue;
      waiting.go(this.#open(waiting.caller, waiting.kind));
      break;
    }
    if (this.#active.size > 0) return;
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle = [];
  }
}

function part(most: number): number {
  return Math.max(1, Math.floor(most * NOBODYS_PART));
}
