/** One timer for the earliest job that waits for a time. What it misses, because the store was away, is found when it looks again. */

import type { Clock } from "../../../vm/run.ts";
import type { Job } from "../job.ts";
import { ROWS_A_ROUND } from "../retention/retention.ts";
import type { StoreTime } from "../steady-time.ts";
import type { Woken } from "./waits.ts";

type Deps = {
  /** Wakes jobs whose time has come, up to a maximum. */
  readonly wakeDue: (most: number) => Promise<readonly Woken[]>;
  /** Milliseconds until the next job is to be woken; null: none waits for a time. */
  readonly nextWake: () => Promise<number | null>;
  readonly clock: Pick<Clock, "wait">;
  readonly time: Pick<StoreTime, "now" | "onJump">;
  readonly told: (job: Job) => Job;
  /** It looks so often at least, for jobs that other processes park. */
  readonly lookAgainMs: number;
};

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

  /** Returns the way to stop. */
  start(hear: (woken: Woken) => void): () => void {
    this.#hear = hear;
    const stopListening = this.#deps.time.onJump(() => void this.#look());
    void this.#look();
    return () => {
      this.#hear = null;
      stopListening();
      this.#stopTimer?.();
      this.#stopTimer = null;
    };
  }

  /** A job was parked whose time comes in `left` milliseconds; null: it waits for none. */
  parked(left: number | null): void {
    if (left === null) return;
    const at = this.#deps.time.now() + left;
    if (this.#isLooking) this.#soonest = Math.min(this.#soonest, at);
    else if (at < this.#at) this.#set(left);
  }

  async #look(): Promise<void> {
    const { wakeDue, nextWake, time, told, lookAgainMs } = this.#deps;
    if (this.#hear === null || this.#isLooking) return;
    this.#isLooking = true;
    let next = lookAgainMs;
    try {
      for (;;) {
        const woken = await wakeDue(ROWS_A_ROUND);
        for (const one of woken) {
          told(one.job);
          this.#hear?.(one);
        }
        if (woken.length < ROWS_A_ROUND) break;
      }
      const left = await nextWake();
      if (left !== null) next = Math.min(next, left);
    } catch {
      next = AFTER_FAILURE_MS;
    }
    this.#isLooking = false;
    next = Math.min(next, this.#soonest - time.now());
    this.#soonest = Number.POSITIVE_INFINITY;
    this.#set(next);
  }

  #set(ms: number): void {
    const { clock, time, lookAgainMs } = this.#deps;
    this.#stopTimer?.();
    if (this.#hear === null) return;
    const wait = Math.min(Math.max(0, ms), lookAgainMs);
    this.#at = time.now() + wait;
    this.#stopTimer = clock.wait(wait, () => void this.#look());
  }
}
