/**
 * What a store needs done now and then: jobs of dead processes are moved, results past their time expire, a store that failed is tried again,
 * and cancels that went unheard are heard.
 */
import type { Clock } from "../../../vm/run.ts";
import type { JobStore, RetentionRules } from "../../state/store.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import { isTerminal } from "../job.ts";
import type { JobArchive } from "../retention/archive.ts";
import { RECOVERED_A_ROUND, ROWS_A_ROUND } from "../retention/retention.ts";
import type { StoreHealth } from "../store-health.ts";
import type { JobLog } from "./job-log.ts";
import type { Worker } from "./worker.ts";

/** What it asks of a store. */
export type KeptStore = Pick<JobStore, "recover" | "due" | "sweep" | "probe" | "cancelling"> & {
  readonly durable?: Pick<DurableJobs, "endLifetimes"> | null;
  readonly health: Pick<StoreHealth, "fault">;
};
type RunningJobs = Pick<Worker, "running" | "cancel">;
type Ends = Pick<JobLog, "ended">;
type Timers = Pick<Clock, "wait">;

export type UpkeepTimes = {
  readonly recoverMs: number;
  readonly sweepMs: number;
  readonly probeMs: number;
  /** Running jobs that are to end are looked for this often. */
  readonly cancelMs: number;
  /** Jobs that wait, and whose lifetime is over, are looked for this often. */
  readonly lifetimeMs: number;
};

export class Upkeep {
  readonly #store: KeptStore;
  readonly #log: Ends;
  readonly #worker: RunningJobs;
  readonly #clock: Timers;
  readonly #times: UpkeepTimes;
  readonly #rules: RetentionRules;
  readonly #archive: Pick<JobArchive, "keep"> | null;
  readonly #stops = new Set<() => void>();
  #stopped = false;

  constructor(
    store: KeptStore,
    worker: RunningJobs,
    log: Ends,
    clock: Timers,
    rules: RetentionRules,
    times: UpkeepTimes,
    archive: Pick<JobArchive, "keep"> | null,
  ) {
    this.#store = store;
    this.#log = log;
    this.#worker = worker;
    this.#clock = clock;
    this.#rules = rules;
    this.#archive = archive;
    this.#times = times;
  }

  /** Resolves after the first round of the recovery, so that a few jobs of a dead process come first; many are not waited for. */
  async start(): Promise<void> {
    const { recoverMs, sweepMs, probeMs, cancelMs, lifetimeMs } = this.#times;
    if (await this.#recoverSome()) void this.recover().catch(() => {});
    this.#every(recoverMs, () => this.recover());
    this.#every(sweepMs, () => this.sweep());
    this.#every(probeMs, () => this.#probe());
    this.#every(cancelMs, () => this.#cancel());
    this.#every(lifetimeMs, () => this.#endLifetimes());
  }

  stop(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop();
  }

  async recover(): Promise<void> {
    while ((await this.#recoverSome()) && !this.#stopped);
  }

  /** There may be more. */
  async #recoverSome(): Promise<boolean> {
    const moved = await this.#store.recover();
    for (const job of moved) this.#log.ended(job);
    return moved.length >= RECOVERED_A_ROUND;
  }

  async #endLifetimes(): Promise<void> {
    for (const job of (await this.#store.durable?.endLifetimes()) ?? [])
      if (isTerminal(job.status)) this.#log.ended(job);
  }

  async sweep(): Promise<void> {
    await this.#endLifetimes();
    for (;;) {
      const expired = await this.#store.sweep(await this.#archived());
      for (const job of expired) this.#log.ended(job);
      if (expired.length < ROWS_A_ROUND || this.#stopped) return;
    }
  }

  /** Only jobs that are in the archive expire, where there is one. */
  async #archived(): Promise<RetentionRules> {
    if (this.#archive === null) return this.#rules;
    return { ...this.#rules, only: await this.#archive.keep(await this.#store.due(this.#rules)) };
  }

  /** For cancels whose signal was lost, with a connection or before the run was known. */
  async #cancel(): Promise<void> {
    const running = this.#worker.running.map(({ id }) => id);
    if (running.length === 0) return;
    for (const id of await this.#store.cancelling(running)) this.#worker.cancel(id);
  }

  /** A store that works is not asked. */
  async #probe(): Promise<void> {
    if (this.#store.health.fault !== null) await this.#store.probe();
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
