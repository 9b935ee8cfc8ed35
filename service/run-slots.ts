/**
 * Which runs are under way: at most so many at once, a short line of those that wait, and the way to end them all. The one place
 * that decides between running, waiting and refusing. Knows nothing of programs.
 */

import { Cancelling } from "../vm/cancelling.ts";
import type { Cancellation, Clock } from "../vm/run.ts";
import { faults } from "./errors.ts";

export type SlotBounds = { readonly most: number; readonly waitingMost: number; readonly waitMs: number };

/** The right to run. Whoever has one gives it back with `leave`, however the run ends. */
export type RunSlot = {
  /** Aborted when the caller went away or the service stops; its reason is a text. */
  readonly signal: Cancellation;
  leave(): void;
};

type Waiting = { readonly go: (slot: RunSlot) => void; readonly caller: Cancellation | undefined };

export class RunSlots {
  readonly #bounds: SlotBounds;
  readonly #clock: Clock;
  readonly #active = new Set<Cancelling>();
  readonly #line = new Set<Waiting>();
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
  enter(caller?: Cancellation): Promise<RunSlot> {
    const slot = this.tryEnter(caller);
    if (slot !== null) return Promise.resolve(slot);
    if (this.#line.size >= this.#bounds.waitingMost) return Promise.reject(faults.busy("no run can start now"));
    return new Promise((resolve, reject) => {
      const leaveLine = (act: () => void): void => {
        stop();
        caller?.removeEventListener("abort", onGone);
        this.#line.delete(waiting);
        act();
      };
      const onGone = (): void => leaveLine(() => reject(faults.busy("the caller went away")));
      const waiting: Waiting = { go: (given) => leaveLine(() => resolve(given)), caller };
      const stop = this.#clock.wait(this.#bounds.waitMs, () =>
        leaveLine(() => reject(faults.busy("no run could start in time"))),
      );
      this.#line.add(waiting);
      caller?.addEventListener("abort", onGone);
    });
  }

  /** A slot now, or null. */
  tryEnter(caller?: Cancellation): RunSlot | null {
    if (this.#active.size >= this.#bounds.most) return null;
    return this.#open(caller);
  }

  /** Ends every run under way. */
  cancelAll(reason: string): void {
    for (const cancelling of this.#active) cancelling.abort(reason);
  }

  /** Resolves when no run is under way. */
  idle(): Promise<void> {
    if (this.#active.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #open(caller: Cancellation | undefined): RunSlot {
    const cancelling = new Cancelling();
    const onGone = (): void => cancelling.abort(caller?.reason);
    if (caller?.aborted === true) onGone();
    else caller?.addEventListener("abort", onGone);
    this.#active.add(cancelling);
    return {
      signal: cancelling,
      leave: () => {
        caller?.removeEventListener("abort", onGone);
        if (this.#active.delete(cancelling)) this.#next();
      },
    };
  }

  #next(): void {
    const [first] = this.#line;
    if (first !== undefined) first.go(this.#open(first.caller));
    if (this.#active.size > 0) return;
    for (const resolve of this.#whenIdle) resolve();
    this.#whenIdle = [];
  }
}
