/**
 * Has the rules looked at whenever a job ends or waits, and when time brings something. What it does not hear of, because a process died or the store
 * was away, is found when it looks through all.
 */
import type { Clock } from "../../../vm/run.ts";
import type { FlowLook, FlowLooked } from "../../state/rules/flow/step.ts";
import { isTerminal, type Job, PARKED } from "../job.ts";
import type { StoreTime } from "../steady-time.ts";

type Deps = {
  readonly look: (request: FlowLook) => Promise<FlowLooked>;
  /** Hears of jobs that ended, and of those that may be claimed. */
  readonly told: (looked: FlowLooked) => void;
  readonly clock: Pick<Clock, "wait">;
  readonly time: Pick<StoreTime, "now" | "onJump">;
  /** It looks through all jobs so often. */
  readonly allEveryMs: number;
};

/** `ended`: other jobs that rules ended for those, or have end. `nextMs`: when rules have more to do, in milliseconds; null: that did not change. */
export type FlowQueued = { readonly ended: readonly Job[]; readonly nextMs: number | null };

const AFTER_FAILURE_MS = 1000;

export class FlowWatch {
  readonly #deps: Deps;
  #hear: ((ended: readonly Job[]) => void) | null = null;
  #changed = new Set<string>();
  #looking: Promise<void> | null = null;
  #again = false;
  #all = true;
  /** When the timer fires. */
  #at = Number.POSITIVE_INFINITY;
  #stopTimer = (): void => {};
  #stopAll = (): void => {};

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** `hear` receives jobs that the rules end. Returns the way to stop. */
  start(hear: (ended: readonly Job[]) => void): () => Promise<void> {
    this.#hear = hear;
    const stopListening = this.#deps.time.onJump(() => this.soon());
    this.#lookThrough();
    return async () => {
      this.#hear = null;
      stopListening();
      this.#stopTimer();
      this.#stopAll();
      await this.#looking;
    };
  }

  /** The job may have given a place back, or need one. */
  changed<J extends Job>(job: J): J {
    const { flow, status, id } = job;
    if (this.#hear === null || !flow || !(isTerminal(status) || PARKED.includes(status) || status === "queued"))
      return job;
    this.#changed.add(id);
    this.soon();
    return job;
  }

  /** What rules did when jobs were queued. */
  queued({ ended, nextMs: ms }: FlowQueued): void {
    for (const job of ended) this.changed(job);
    if (ended.length > 0) this.#hear?.(ended);
    if (ms === null || this.#hear === null) return;
    if (this.#looking !== null) this.#again = true;
    else if (this.#deps.time.now() + ms < this.#at) this.#wait(ms);
  }

  /** Something is to be done at once. */
  soon(): void {
    if (this.#hear === null) return;
    if (this.#looking !== null) this.#again = true;
    else this.#looking = this.#look().finally(() => this.#over());
  }

  #lookThrough(): void {
    this.#all = true;
    this.soon();
    this.#stopAll = this.#deps.clock.wait(this.#deps.allEveryMs, () => this.#lookThrough());
  }

  #over(): void {
    this.#looking = null;
    if (!this.#again) return;
    this.#again = false;
    this.soon();
  }

  async #look(): Promise<void> {
    const { look, told } = this.#deps;
    this.#stopTimer();
    this.#at = Number.POSITIVE_INFINITY;
    // Those who end in the same turn are looked at together.
    await null;
    const request = { changed: [...this.#changed], all: this.#all };
    this.#changed = new Set();
    this.#all = false;
    try {
      const looked = await look(request);
      told(looked);
      this.#hear?.(looked.ended);
      if (looked.more) this.#again = true;
      else if (looked.nextMs !== null) this.#wait(looked.nextMs);
    } catch {
      for (const id of request.changed) this.#changed.add(id);
      this.#all ||= request.all;
      this.#wait(AFTER_FAILURE_MS);
    }
  }

  #wait(ms: number): void {
    if (this.#hear === null) return;
    const { clock, time, allEveryMs } = this.#deps;
    this.#stopTimer();
    const wait = Math.min(ms, allEveryMs);
    this.#at = time.now() + wait;
    this.#stopTimer = clock.wait(wait, () => this.soon());
  }
}
