/** The job queue as a part of the service: the store's worker and upkeep, the routes, and the way they start and stop. */
import type { Clock } from "../../vm/run.ts";
import type { ServiceApp } from "../app.ts";
import type { ServicesOptions } from "../open-services.ts";
import { enqueueRoute } from "../routes/enqueue.ts";
import { jobsRoute } from "../routes/jobs.ts";
import { resultRoute } from "../routes/result.ts";
import { resultCancelRoute } from "../routes/result-cancel.ts";
import { resultEventsRoute } from "../routes/result-events.ts";
import { resultRetryRoute } from "../routes/result-retry.ts";
import type { ServicePart, Services } from "../services.ts";
import { QueueFigures } from "./figures.ts";
import { JobLog } from "./job-log.ts";
import { JobPlans } from "./job-plans.ts";
import { JobPrograms } from "./job-programs.ts";
import type { Dispatch, JobStore } from "./store.ts";
import { Upkeep, type UpkeepTimes } from "./upkeep.ts";
import { JobWatching } from "./watching.ts";
import { Worker, type WorkerTimes } from "./worker.ts";

export type JobTimes = UpkeepTimes &
  WorkerTimes & {
    /** From a change to new figures. */
    readonly figuresMs: number;
    /** A silent event stream says so often that it is alive. */
    readonly keepAliveMs: number;
  };

/** `silentMs`: after which a silent replica counts as dead; it is looked for often enough to be found soon after. */
export function jobTimes(silentMs: number): JobTimes {
  return {
    recoverMs: silentMs / 3,
    sweepMs: 60_000,
    probeMs: 1000,
    cancelMs: 1000,
    figuresMs: 50,
    hardStopMs: 5000,
    progressMs: 1000,
    keepAliveMs: 15_000,
  };
}

/** What the routes of jobs work with. */
export type Jobs = {
  readonly store: JobStore;
  readonly log: JobLog;
  readonly watching: JobWatching;
  readonly programs: JobPrograms;
  readonly times: JobTimes;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
};

export type JobsPart = ServicePart & {
  /** What this part keeps for the rest of the service. */
  readonly keeps: Pick<ServicesOptions, "idempotency" | "jobFigures" | "checks">;
  /** Recovers jobs of dead processes, then begins to run queued ones. Rejects when the store does not answer. */
  start(): Promise<void>;
};

/** The part has the store from here on, and closes it. Its routes are to be registered before it is started. */
export function createJobsPart(store: JobStore, clock: Clock, times: JobTimes): JobsPart {
  const figures = new QueueFigures(store, clock, times.figuresMs);
  let engine: Engine | null = null;
  let dispatch: Dispatch | null = null;
  let stopped: Promise<void> = Promise.resolve();
  let closed: Promise<void> | null = null;

  const close = async (): Promise<void> => {
    figures.stop();
    if (engine !== null) {
      engine.upkeep.stop();
      await engine.worker.close();
    }
    await within(clock, STOP_MS, stopped);
    await store.close();
  };
  return {
    queue: store.kind,
    features: ["jobs", "cancel", "events", "wait"],
    keeps: { idempotency: store.keys, jobFigures: () => figures.now(), checks: [() => store.health.fault] },
    figures: () => figures.now(),
    routes(app: ServiceApp, services: Services) {
      engine = engineOf(services, store, times);
      const { jobs } = engine;
      enqueueRoute(app, services, jobs);
      resultRoute(app, services, jobs);
      resultEventsRoute(app, services, jobs);
      resultCancelRoute(app, jobs);
      resultRetryRoute(app, services, jobs);
      if (services.config.jobs.list) jobsRoute(app, jobs);
    },
    async start() {
      if (engine === null) throw new Error("the routes of the part were not registered");
      await engine.upkeep.start();
      await figures.start();
      dispatch = store.dispatch(engine.worker, engine.workers);
    },
    async drain() {
      engine?.worker.stop();
      engine?.jobs.watching.stop();
      // Not waited for: runs have the time of the whole service to end.
      stopped = dispatch?.stop().catch(() => {}) ?? stopped;
    },
    settled: () => stopped,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** Runs that do not end are left behind. */
const STOP_MS = 1000;

function within(clock: Clock, ms: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.wait(ms, resolve);
    void done.then(() => {
      stop();
      resolve();
    });
  });
}

type Engine = { readonly jobs: Jobs; readonly worker: Worker; readonly upkeep: Upkeep; readonly workers: number };

function engineOf(services: Services, store: JobStore, times: JobTimes): Engine {
  const { clock, config } = services;
  const log = new JobLog(services, store.replica);
  const watching = new JobWatching(store, clock, config.jobs.maxWaiters);
  const programs = new JobPrograms();
  const worker = new Worker({ services, store, log, plans: new JobPlans(services, programs), times });
  const upkeep = new Upkeep(store, worker, log, clock, { mostResults: config.jobs.resultMax }, times);
  store.health.onChange((fault) => log.store(fault));
  store.signals.onCancelling((id) => worker.cancel(id));
  return {
    jobs: { store, log, watching, programs, times, now: store.now },
    worker,
    upkeep,
    workers: config.jobs.workers,
  };
}
