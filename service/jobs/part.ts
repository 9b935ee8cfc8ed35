/** The job queue as a part of the service: the store's worker and upkeep, the routes, and the way they start and stop. */
import type { ServiceApp } from "../app.ts";
import { enqueueRoute } from "../routes/enqueue.ts";
import { jobsRoute } from "../routes/jobs.ts";
import { resultRoute } from "../routes/result.ts";
import { resultCancelRoute } from "../routes/result-cancel.ts";
import { resultEventsRoute } from "../routes/result-events.ts";
import { resultRetryRoute } from "../routes/result-retry.ts";
import type { ServicePart, Services } from "../services.ts";
import { JobLog } from "./job-log.ts";
import { steadyTime } from "./steady-time.ts";
import type { Dispatch, JobStore } from "./store.ts";
import { Upkeep, type UpkeepTimes } from "./upkeep.ts";
import { JobWatching } from "./watching.ts";
import { Worker, type WorkerTimes } from "./worker.ts";

export type JobTimes = UpkeepTimes & WorkerTimes & { readonly keepAliveMs: number };

export const JOB_TIMES: JobTimes = {
  recoverMs: 10_000,
  sweepMs: 60_000,
  probeMs: 1000,
  figuresMs: 50,
  hardStopMs: 5000,
  progressMs: 1000,
  keepAliveMs: 15_000,
};

/** What the routes of jobs work with. */
export type Jobs = {
  readonly store: JobStore;
  readonly log: JobLog;
  readonly watching: JobWatching;
  readonly times: JobTimes;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
};

export type JobsPart = ServicePart & {
  /** Recovers jobs of dead processes, then begins to run queued ones. Rejects when the store does not answer. */
  start(): Promise<void>;
};

export function createJobsPart(services: Services, store: JobStore, times: JobTimes = JOB_TIMES): JobsPart {
  const { clock, config } = services;
  const log = new JobLog(services, store.replica);
  const watching = new JobWatching(store, clock, config.jobs.maxWaiters);
  const worker = new Worker(services, store, log, times);
  const upkeep = new Upkeep(store, log, clock, { mostResults: config.jobs.resultMax }, times);
  const jobs: Jobs = { store, log, watching, times, now: steadyTime(clock) };
  let dispatch: Dispatch | null = null;
  store.health.onChange((fault) => log.store(fault));
  store.signals.onCancelling((id) => worker.cancel(id));

  return {
    queue: store.kind,
    features: ["jobs", "cancel", "events", "wait"],
    figures: () => upkeep.figures(),
    routes(app: ServiceApp) {
      enqueueRoute(app, services, jobs);
      resultRoute(app, jobs);
      resultEventsRoute(app, services, jobs);
      resultCancelRoute(app, jobs);
      resultRetryRoute(app, services, jobs);
      if (config.jobs.list) jobsRoute(app, jobs);
    },
    async start() {
      await upkeep.start();
      dispatch = store.dispatch(worker, config.jobs.workers);
    },
    async drain() {
      worker.stop();
      watching.stop();
      // Not waited for: runs have the time of the whole service to end.
      void dispatch?.stop().catch(() => {});
    },
    async close() {
      worker.close();
      upkeep.stop();
      await Promise.all(worker.running.map((job) => store.interrupt(job).catch(() => null)));
      await store.close();
    },
  };
}
