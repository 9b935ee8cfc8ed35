/** One timer for the earliest job that waits for a time. What it misses, because the store was away, is found when it looks again. */

import type { Clock } from "../../../vm/run.ts";
import type { Woken } from "../durable/waits.ts";
import type { Job } from "../job.ts";
import { ROWS_A_ROUND } from "../retention.ts";
import type { SqliteLine } from "./call-batching.ts";

type Deps = {
  readonly line: SqliteLine;
  readonly clock: Pick<Clock, "wait" | "wall">;
  readonly now: () => number;
  readonly told: (job: Job) => Job;
};

/** It looks so often at least: the clock of the system may have been set. */
const LOOK_AGAIN_MS = 60_000;
const AFTER_FAILURE_MS = 1000;

export class WakeTimes {
  readonly #deps: Deps;
  #hear: ((woken: Woken) => void) | null = null;
  #stopTimer: (() => void) | null = null;
  /** When the timer fires. */
  #at = Number.POSITIVE_INFINITY;
  #isLooking = false;
  /** Of the jobs that were parked while it looked. */
  #soonest = Number.POSITIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(hear: (woken: Woken) => void): void {
    this.#hear = hear;
    void this.#look();
  }

  stop(): void {
    this.#hear = null;
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  /** A job was parked. `isDate`: `until` is a time by the clock of the wall; else by that of the store. */
  parked(until: number | null, isDate: boolean): void {
    if (until === null) return;
    const { now, clock } = this.#deps;
    const left = until - (isDate ? clock.wall() : now());
    const at = now() + left;
    if (this.#isLooking) this.#soonest = Math.min(this.#soonest, at);
    else if (at < this.#at) this.#set(left);
  }

  async #look(): Promise<void> {
    const { line, clock, now, told } = this.#deps;
    if (this.#hear === null || this.#isLooking) return;
    this.#isLooking = true;
    let next = LOOK_AGAIN_MS;
    try {
      for (;;) {
        const woken = await line.call("wakeDue", { now: now(), wall: clock.wall(), most: ROWS_A_ROUND });
        for (const one of woken) {
          told(one.job);
          this.#hear?.(one);
        }
        if (woken.length < ROWS_A_ROUND) break;
      }
      const { span, date } = await line.call("nextWake", undefined);
      if (span !== null) next = Math.min(next, span - now());
      if (date !== null) next = Math.min(next, date - clock.wall());
    } catch {
      next = AFTER_FAILURE_MS;
    }
    this.#isLooking = false;
    next = Math.min(next, this.#soonest - now());
    this.#soonest = Number.POSITIVE_INFINITY;
    this.#set(next);
  }

  #set(ms: number): void {
    const { clock, now } = this.#deps;
    this.#stopTimer?.();
    if (this.#hear === null) return;
    const wait = Math.min(Math.max(0, ms), LOOK_AGAIN_MS);
    this.#at = now() + wait;
    this.#stopTimer = clock.wait(wait, () => void this.#look());
  }
}
