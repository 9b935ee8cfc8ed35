/** Figures of the queue for metrics that must not wait: read from the store soon after a change, and now and then without one. */
import type { Clock } from "../../../vm/run.ts";
import type { JobStore } from "../../state/store.ts";
import { type JobFigures, NO_JOBS } from "../../telemetry/metrics.ts";
import type { DurableJobs } from "../durable/durable-store.ts";

/** Other processes change the figures too. */
const READ_AGAIN_MS = 5000;
/** Of the time, figures are read for a twentieth: with many jobs kept, counting them takes the store long. */
const REST = 20;

export class QueueFigures {
  readonly #store: JobStore;
  readonly #clock: Pick<Clock, "now" | "wait">;
  readonly #afterMs: number;
  #figures: JobFigures = NO_JOBS;
  #readAt = 0;
  #tookMs = 0;
  #stop: () => void = () => {};
  #forget: () => void = () => {};
  #soon = false;

  /** `afterMs`: from a change to the reading of new figures. */
  constructor(store: JobStore, clock: Pick<Clock, "now" | "wait">, afterMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#afterMs = afterMs;
  }

  async start(): Promise<void> {
    this.#forget = this.#store.signals.listenToAll(() => {
      if (this.#soon) return;
      this.#soon = true;
      this.#readAfter(Math.min(READ_AGAIN_MS, Math.max(this.#afterMs, REST * this.#tookMs)));
    });
    await this.#read();
  }

  stop(): void {
    this.#forget();
    this.#stop();
    this.#readAfter = () => {};
  }

  /** The figures as last read; the ages of the oldest job and question grow in between. */
  now(): JobFigures {
    const { oldest_queued_age_ms: age, oldest_approval_age_ms: asked = null, ...rest } = this.#figures;
    const since = Math.round(this.#clock.now() - this.#readAt);
    const older = (ms: number | null): number | null => (ms === null ? null : ms + since);
    return { ...rest, oldest_queued_age_ms: older(age), oldest_approval_age_ms: older(asked) };
  }

  #readAfter = (ms: number): void => {
    this.#stop();
    this.#stop = this.#clock.wait(ms, () => void this.#read());
  };

  async #read(): Promise<void> {
    this.#soon = false;
    const began = this.#clock.now();
    try {
      const { durable } = this.#store;
      const kept = durable === null ? {} : await keptFigures(durable);
      this.#figures = { ...(await this.#store.figures()), ...kept };
      this.#readAt = this.#clock.now();
      this.#tookMs = this.#readAt - began;
    } catch {
      // The store is not available: the last figures stand until it is.
    }
    if (!this.#soon) this.#readAfter(READ_AGAIN_MS);
  }
}

async function keptFigures({ approvals, keptSignals }: DurableJobs) {
  const [{ open, oldestAgeMs }, kept_signals] = await Promise.all([approvals.countOpen(), keptSignals()]);
  return { open_approvals: open, oldest_approval_age_ms: oldestAgeMs, kept_signals };
}
