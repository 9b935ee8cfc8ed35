/**
 * Hands queued jobs to the worker from within the one process that queues them. One commit claims several: as many as there are places
 * to run, and while runs are shorter than commits as many more as will have begun by the commit after the next. A job that was claimed and found no
 * place in a moment goes back into the queue as if it had not been claimed.
 */
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../vm/run.ts";
import type { RunSlot } from "../../run/run-slots.ts";
import type { Dispatch, JobWorker } from "../../state/store.ts";
import type { ClaimedJob, Job } from "../job.ts";

export type LineOfJobs = {
  /** The first queued jobs, up to a maximum. */
  claim(most: number): Promise<readonly ClaimedJob[]>;
  /** Puts a job back that was claimed and not begun; one that is to end is over then. Null: it was no longer this process's. */
  release(job: ClaimedJob): Promise<Job | null>;
  /** Calls back when a job may have been queued. Returns the way to stop listening. */
  onQueued(listener: () => void): () => void;
  /** Calls back when a job that was claimed is to end. Returns the way to stop listening. */
  onCancelling(listener: (id: string) => void): () => void;
  readonly clock: Pick<Clock, "now" | "wait">;
};

/** Where to look when nothing was said to have been queued: a claim may have failed. Milliseconds. */
const LOOK_AGAIN_MS = 1000;
/**
 * Jobs are claimed in advance of free slots as long as they will start within this time, up to a maximum. A process that is
 * killed may leave those interrupted without having started them.
 */
const AHEAD_MS = 50;
const MAX_AHEAD = 1000;
/** Further ones are claimed when fewer than this part of them are left. */
const REFILLED_BELOW = 0.75;
/** For so long a job may be claimed before it begins. */
const RELEASE_MS = 100;
/** Runs follow each other for so long without letting other work in between. */
const SLICE_MS = 2;
/** Runs that are over and not yet settled; beyond, a place waits for its own. */
const MAX_UNSETTLED = 1000;

export function dispatchFrom(line: LineOfJobs, worker: JobWorker, most: number): Dispatch {
  const dispatch = new LineDispatch(line, worker, most);
  return { stop: () => dispatch.stop() };
}

class LineDispatch {
  readonly #line: LineOfJobs;
  readonly #worker: JobWorker;
  readonly #pace: Pace;
  readonly #places: readonly Promise<void>[];
  readonly #forget: readonly (() => void)[];
  readonly #sleeping = new Set<() => void>();
  /** Runs that were begun, and are not settled. */
  #unsettled = 0;
  #whenSettled = (): void => {};
  #turning: Promise<void> | null = null;
  #sliceEnds = 0;
  /** Claimed and not begun, first come first. */
  #ready: ClaimedJob[] = [];
  #claiming: Promise<void> | null = null;
  /** Places that have nothing to run. */
  #wanting = 0;
  /** A claim may find something. */
  #mayFind = true;
  #endRelease = (): void => {};
  #stopped = false;

  constructor(line: LineOfJobs, worker: JobWorker, most: number) {
    this.#line = line;
    this.#worker = worker;
    this.#pace = new Pace(most);
    this.#forget = [line.onQueued(() => this.#wake()), line.onCancelling((id) => this.#releaseOne(id))];
    this.#places = Array.from({ length: most }, () => this.#serve());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const forget of this.#forget) forget();
    this.#wake();
    await this.#claiming;
    await Promise.all([this.#releaseAll(), ...this.#places]);
    if (this.#unsettled > 0) await new Promise<void>((resolve) => (this.#whenSettled = resolve));
  }

  /** One place to run. */
  async #serve(): Promise<void> {
    while (!this.#stopped) {
      // A slot is not taken for nothing.
      if (!this.#mayFind && this.#ready.length === 0) {
        await this.#sleep();
        continue;
      }
      const slot = await this.#worker.enter().catch(() => null);
      if (slot === null) return;
      const job = this.#ready.length > 0 ? this.#take() : await this.#next();
      const begun = job === null ? slot.leave() : this.#begin(job, slot);
      if (begun instanceof Promise) await begun;
      if (this.#line.clock.now() >= this.#sliceEnds) await this.#turn();
    }
  }

  /** A promise of the place; nothing when it is free again. */
  #begin(job: ClaimedJob, slot: RunSlot): Promise<void> | undefined {
    const { clock } = this.#line;
    const begun = clock.now();
    let isOver = false;
    let free = (): void => {};
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.#pace.ran(clock.now() - begun);
      free();
    };
    const leave = (): void => {
      slot.leave();
      over();
    };
    this.#unsettled += 1;
    const settled = this.#worker.run(job, { signal: slot.signal, leave }).then(() => {
      over();
      this.#settled();
    });
    if (this.#unsettled > MAX_UNSETTLED) return settled;
    return isOver ? undefined : new Promise((resolve) => (free = resolve));
  }

  #settled(): void {
    this.#unsettled -= 1;
    if (this.#unsettled === 0) this.#whenSettled();
  }

  /** Short runs follow each other without a pause; now and then sockets and timers are served. */
  async #turn(): Promise<void> {
    this.#turning ??= setImmediate().then(() => {
      this.#turning = null;
      this.#sliceEnds = this.#line.clock.now() + SLICE_MS;
    });
    await this.#turning;
  }

  /** Null when nothing waits. */
  async #next(): Promise<ClaimedJob | null> {
    this.#wanting += 1;
    while (this.#ready.length === 0 && (this.#mayFind || this.#claiming !== null) && !this.#stopped)
      await this.#claim();
    this.#wanting -= 1;
    return this.#stopped ? null : this.#take();
  }

  #take(): ClaimedJob | null {
    const job = this.#ready.shift() ?? null;
    // Claimed while the others run. A claim costs little: its commit is that of what has ended meanwhile.
    if (job !== null && this.#mayFind && this.#ready.length < REFILLED_BELOW * this.#pace.ahead) void this.#claim();
    return job;
  }

  /** One claim is under way at a time. */
  #claim(): Promise<void> {
    this.#claiming ??= this.#claimSome().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  async #claimSome(): Promise<void> {
    // The other places of this turn want a job as well.
    await null;
    const count = Math.max(1, this.#wanting + this.#pace.ahead - this.#ready.length);
    this.#mayFind = false;
    const begun = this.#line.clock.now();
    const jobs = await this.#line.claim(count).catch(() => []);
    this.#pace.claimed(this.#line.clock.now() - begun);
    this.#ready.push(...jobs);
    if (jobs.length === count) this.#mayFind = true;
    if (jobs.length === 0) return;
    this.#endRelease();
    this.#endRelease = this.#line.clock.wait(RELEASE_MS, () => void this.#releaseAll());
    this.#wake(false);
  }

  #releaseOne(id: string): void {
    const job = this.#ready.find((ready) => ready.id === id);
    if (job === undefined) return;
    this.#ready = this.#ready.filter((ready) => ready !== job);
    void this.#release([job]);
  }

  #releaseAll(): Promise<void> {
    this.#endRelease();
    return this.#release(this.#ready.splice(0));
  }

  async #release(jobs: readonly ClaimedJob[]): Promise<void> {
    const release = async (job: ClaimedJob): Promise<void> => {
      const next = await this.#line.release(job).catch(() => null);
      if (next?.status === "cancelled") this.#worker.cancelled(next);
    };
    await Promise.all(jobs.map(release));
  }

  /** `queued`: a claim may find something. */
  #wake(queued = true): void {
    if (queued) this.#mayFind = true;
    for (const resume of [...this.#sleeping]) resume();
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        cancel();
        this.#sleeping.delete(resume);
        resolve();
      };
      const cancel = this.#line.clock.wait(LOOK_AGAIN_MS, () => {
        this.#mayFind = true;
        resume();
      });
      this.#sleeping.add(resume);
    });
  }
}

/** How long runs take compared with claims. Longer runs count as this long, so that a single one has no lasting effect. */
const LONG_RUN_MS = 100;

class Pace {
  readonly #places: number;
  #runMs = LONG_RUN_MS;
  #claimMs = 0;

  constructor(places: number) {
    this.#places = places;
  }

  ran(ms: number): void {
    this.#runMs += (Math.min(ms, LONG_RUN_MS) - this.#runMs) / 8;
  }

  claimed(ms: number): void {
    this.#claimMs = ms;
  }

  /** Jobs that will have begun when the second claim from now is made: one is under way while the jobs of the other run. */
  get ahead(): number {
    const ms = Math.min(2 * this.#claimMs, AHEAD_MS);
    return Math.min(MAX_AHEAD, Math.floor((this.#places * ms) / Math.max(this.#runMs, 0.001)));
  }
}
