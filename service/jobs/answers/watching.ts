/** Waits for jobs on behalf of callers: until one has ended, or for each of its events. Waits end when the service stops. */
import { WaitingLine } from "../../../adapters/engine/waiting-line.ts";
import type { Cancellation, Clock } from "../../../vm/run.ts";
import type { FoundJob, JobStore } from "../../state/store.ts";
import { isTerminal, type JobStatus, PARKED, type StoredJobEvent } from "../job.ts";

/** A caller that waits looks for itself this often: a signal from another process may be lost. */
const LOOK_AGAIN_MS = 5000;
/** Callers whose events are read at once. */
const MAX_READING = 8;

export class JobWatching {
  readonly #store: JobStore;
  readonly #clock: Clock;
  readonly #mostWaiters: number;
  readonly #watches = new Set<() => void>();
  #stopped = false;
  #waiters = 0;
  readonly #readers = new WaitingLine(
    Array.from({ length: MAX_READING }, (_, reader) => reader),
    { waiting: Number.POSITIVE_INFINITY, busy: () => new Error("not reached: any number may wait") },
  );

  constructor(store: JobStore, clock: Clock, mostWaiters: number) {
    this.#store = store;
    this.#clock = clock;
    this.#mostWaiters = mostWaiters;
  }

  /** Everybody who waits gets what there is. */
  stop(): void {
    this.#stopped = true;
    for (const notice of this.#watches) notice();
  }

  /** The job when it is over, or parked; or as it is after `ms`, when the caller goes away, or when too many wait already. */
  async reached(id: string, until: "over" | "parked", ms: number, caller: Cancellation): Promise<FoundJob | null> {
    const isThere = (status: JobStatus): boolean =>
      isTerminal(status) || (until === "parked" && PARKED.includes(status));
    const end = this.#clock.now() + ms;
    const waits = ms > 0 && this.#waiters < this.#mostWaiters;
    if (waits) this.#waiters += 1;
    // While a job runs, each of its events is a change.
    const watch = this.#watch(id, caller, isThere);
    try {
      for (;;) {
        const job = await this.#store.find(id);
        const left = end - this.#clock.now();
        if (job === null || isThere(job.status) || !waits || left <= 0 || watch.isOver()) return job;
        await watch.changed(left);
      }
    } finally {
      watch.end();
      if (waits) this.#waiters -= 1;
    }
  }

  /** Events of a job after `seq` that there are. Of many who ask at once, for a thousand events each, a few are served at a time. */
  async written(id: string, seq: number): Promise<readonly StoredJobEvent[]> {
    const reader = await this.#readers.take();
    try {
      return await this.#store.events(id, seq);
    } finally {
      this.#readers.give(reader);
    }
  }

  /**
   * Events after `seq` as they come, those together that came together, and none whenever nothing came for `quietMs`. Ends after the event
   * `end`, when the job expires, when the caller goes away, or with the service.
   */
  async *events(
    id: string,
    seq: number,
    quietMs: number,
    caller: Cancellation,
  ): AsyncGenerator<readonly StoredJobEvent[], void> {
    const watch = this.#watch(id, caller);
    let last = seq;
    let quietAt = this.#clock.now() + quietMs;
    try {
      while (!watch.isOver()) {
        const events = await this.#next(id, last);
        if (events === null) return;
        const now = this.#clock.now();
        const newest = events.at(-1);
        if (newest !== undefined || now >= quietAt) {
          yield events;
          if (newest?.kind === "end") return;
          last = newest?.seq ?? last;
          quietAt = now + quietMs;
        }
        await watch.changed(quietAt - this.#clock.now());
      }
    } finally {
      watch.end();
    }
  }

  /** Events after `seq`; null when no more will come. */
  async #next(id: string, seq: number): Promise<readonly StoredJobEvent[] | null> {
    const events = await this.written(id, seq);
    if (events.length > 0) return events;
    const job = await this.#store.find(id);
    if (job === null) return null;
    if (!isTerminal(job.status)) return events;
    // A job that is over has written all its events.
    const rest = await this.written(id, seq);
    return rest.length > 0 ? rest : null;
  }

  /** `isWanted`: the statuses whose changes are noticed. */
  #watch(id: string, caller: Cancellation, isWanted: (status: JobStatus) => boolean = () => true) {
    let missed = false;
    let wake: (() => void) | null = null;
    const notice = (): void => {
      missed = true;
      wake?.();
    };
    const forget = this.#store.signals.listen(id, (status) => {
      if (status === null || isWanted(status)) notice();
    });
    caller.addEventListener("abort", notice);
    this.#watches.add(notice);
    const clock = this.#clock;
    return {
      isOver: () => caller.aborted || this.#stopped,
      /** Resolves at the first change since the last call, or after `ms`. */
      async changed(ms: number): Promise<void> {
        if (!missed)
          await new Promise<void>((resolve) => {
            const stop = clock.wait(Math.max(0, Math.min(ms, LOOK_AGAIN_MS)), resolve);
            wake = () => {
              stop();
              resolve();
            };
          });
        missed = false;
        wake = null;
      },
      end: () => {
        forget();
        caller.removeEventListener("abort", notice);
        this.#watches.delete(notice);
      },
    };
  }
}
