/**
 * Has rules looked at whenever a job ends or waits, and when time brings something: those about when jobs begin, and those about families. What
 * it does not hear of, because a process died or the store was away, is found when it looks through all.
 */
import type { Clock } from "../../../vm/run.ts";
import { isTerminal, type Job, PARKED } from "../job.ts";
import type { StoreTime } from "../steady-time.ts";

export type FlowLook = {
  /** Ids of jobs that ended, were parked or woken. */
  readonly changed: readonly string[];
  /** All jobs are looked through: some may have changed without a word. */
  readonly all: boolean;
};

/** What came of a look. */
type Looked = {
  /** Jobs that the rules ended, and those that they put in line again. */
  readonly ended: readonly Job[];
  readonly woken?: readonly Job[];
  /** More is to be done at once. */
  readonly more: boolean;
  /** When time brings something next, in milliseconds from now; null: it does not. */
  readonly nextMs: number | null;
};

type Deps<L extends Looked> = {
  readonly look: (request: FlowLook) => Promise<L>;
  /** Hears of jobs that ended, and of those that may be claimed. */
  readonly told: (looked: L) => void;
  /** Whether the rules may have something to do after a change of the job. */
  readonly concerns: (job: Job) => boolean;
  readonly clock: Pick<Clock, "wait">;
  readonly time: Pick<StoreTime, "now" | "onJump">;
  /** It looks through all jobs so often. */
  readonly allEveryMs: number;
};

/** `ended`: other jobs that rules ended for those, or have end. `nextMs`: when rules have more to do, in milliseconds; null: that did not change. */
export type FlowQueued = { readonly ended: readonly Job[]; readonly nextMs: number | null };

const AFTER_FAILURE_MS = 1000;

export type HearLooked = (ended: readonly Job[], woken: readonly Job[]) => void;

export class FlowWatch<L extends Looked> {
  readonly #deps: Deps<L>;
  #hear: HearLooked | null = null;
  #changed = new Set<string>();
  #looking: Promise<void> | null = null;
  #again = false;
  #all = true;
  /** When the timer fires. */
  #at = Number.POSITIVE_INFINITY;
  #stopTimer = (): void => {};
  #stopAll = (): void => {};

  constructor(deps: Deps<L>) {
    this.#deps = deps;
  }

  /** `hear` receives jobs that the rules end or wake. Returns the way to stop. */
  start(hear: HearLooked): () => Promise<void> {
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

  /** The job may have given a place back, or need one; it may be over for others. */
  changed<J extends Job>(job: J): J {
    const { status } = job;
    if (this.#hear === null || !(isTerminal(status) || PARKED.includes(status) || status === "queued")) return job;
    if (this.#deps.concerns(job)) this.look(job.id);
    return job;
  }

  /** Something is to be done about the job. */
  look(id: string): void {
    if (this.#hear === null) return;
    this.#changed.add(id);
    this.soon();
  }

  /** What rules did when jobs were queued. */
  queued({ ended, nextMs: ms }: FlowQueued): void {
    for (const job of ended) this.changed(job);
    if (ended.length > 0) this.#hear?.(ended, []);
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
      this.#hear?.(looked.ended, looked.woken ?? []);
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

/** Starts all of them. Returns the way to stop. */
export function watchAll(
  watches: readonly { start(hear: HearLooked): () => Promise<void> }[],
  hear: HearLooked,
): () => Promise<void> {
  const stops = watches.map((watch) => watch.start(hear));
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}
