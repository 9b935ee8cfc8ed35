/**
 * What a store needs done now and then: jobs of dead processes are moved, results past their time expire, figures are read, and a store
 * that failed is tried again.
 */
import type { Clock } from "../../vm/run.ts";
import { type JobFigures, NO_JOBS } from "../metrics.ts";
import type { JobLog } from "./job-log.ts";
import { ROWS_A_ROUND } from "./retention.ts";
import type { JobStore, RetentionRules } from "./store.ts";

export type UpkeepTimes = {
  readonly recoverMs: number;
  readonly sweepMs: number;
  readonly probeMs: number;
  /** From a change to new figures. */
  readonly figuresMs: number;
};

export class Upkeep {
  readonly #store: JobStore;
  readonly #log: JobLog;
  readonly #clock: Clock;
  readonly #times: UpkeepTimes;
  readonly #rules: RetentionRules;
  readonly #stops = new Set<() => void>();
  #figures: JobFigures = NO_JOBS;
  #figuresAt = 0;
  #reading = false;
  #stopped = false;

  constructor(store: JobStore, log: JobLog, clock: Clock, rules: RetentionRules, times: UpkeepTimes) {
    this.#store = store;
    this.#log = log;
    this.#clock = clock;
    this.#rules = rules;
    this.#times = times;
  }

  /** Resolves after the first recovery, so that nothing is started beside jobs of a dead process. */
  async start(): Promise<void> {
    const { recoverMs, sweepMs, probeMs } = this.#times;
    this.#stops.add(this.#store.signals.listenToAll(() => this.#readSoon()));
    await this.recover();
    await this.#read();
    this.#every(recoverMs, () => this.recover());
    this.#every(sweepMs, () => this.sweep());
    this.#every(probeMs, () => this.#probe());
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
  }

  /** As last read; the age of the oldest goes on. */
  figures(): JobFigures {
    const { oldest_queued_age_ms: age, ...rest } = this.#figures;
    const since = Math.round(this.#clock.now() - this.#figuresAt);
    return { ...rest, oldest_queued_age_ms: age === null ? null : age + since };
  }

  changed(): void {
    this.#readSoon();
  }

  async recover(): Promise<void> {
    for (const job of await this.#store.recover()) this.#log.ended(job);
  }

  async sweep(): Promise<void> {
    for (;;) {
      const expired = await this.#store.sweep(this.#rules);
      for (const job of expired) this.#log.ended(job);
      if (expired.length < ROWS_A_ROUND || this.#stopped) return;
    }
  }

  /** A store that works is not asked. */
  async #probe(): Promise<void> {
    if (this.#store.health.fault !== null) await this.#store.probe();
  }

  #readSoon(): void {
    if (this.#reading || this.#stopped) return;
    this.#reading = true;
    const stop = this.#clock.wait(this.#times.figuresMs, () => {
      this.#stops.delete(stop);
      void this.#read().catch(() => {});
    });
    this.#stops.add(stop);
  }

  async #read(): Promise<void> {
    this.#reading = false;
    this.#figures = await this.#store.figures();
    this.#figuresAt = this.#clock.now();
  }

  /** What fails is tried again the next time. */
  #every(ms: number, act: () => Promise<void>): void {
    if (this.#stopped) return;
    const stop = this.#clock.wait(ms, () => {
      this.#stops.delete(stop);
      void act()
        .catch(() => {})
        .then(() => this.#every(ms, act));
    });
    this.#stops.add(stop);
  }
}
