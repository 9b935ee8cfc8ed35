/** The job queue as a part of the service: the store's worker and upkeep, the routes, and the way they start and stop. */

import { StartFault } from "../adapters/operator/start-fault.ts";
import type { Clock } from "../vm/run.ts";
import { Conditions } from "./events/conditions.ts";
import { EventDeliveries } from "./events/desk.ts";
import { Emitters } from "./events/emitters.ts";
import { eventRoutes } from "./events/routes.ts";
import { runEvents } from "./events/run-events.ts";
import { checkDeployment, checkDeployments } from "./grant-check.ts";
import type { ServiceApp } from "./http/service-app.ts";
import { JobFeed } from "./jobs/answers/feed.ts";
import { JobWatching } from "./jobs/answers/watching.ts";
import { linkRoutes } from "./jobs/approvals/link-routes.ts";
import { Notices } from "./jobs/approvals/notices.ts";
import { approvalRoutes } from "./jobs/approvals/routes.ts";
import { watchAgentResults } from "./jobs/durable/agent-results.ts";
import { familyDesk } from "./jobs/families/family-desk.ts";
import type { Jobs } from "./jobs/jobs.ts";
import { JobArchive } from "./jobs/retention/archive.ts";
import { deadLettersRoute } from "./jobs/routes/dead-letters.ts";
import { familyRoute } from "./jobs/routes/family.ts";
import { frameRoute } from "./jobs/routes/frame.ts";
import { jobsRoute } from "./jobs/routes/jobs.ts";
import { jobsBulkRoutes } from "./jobs/routes/jobs-bulk.ts";
import { jobsEventsRoute } from "./jobs/routes/jobs-events.ts";
import { jobStatsRoute } from "./jobs/routes/jobs-stats.ts";
import { journalRoutes } from "./jobs/routes/journal.ts";
import { lookRoutes } from "./jobs/routes/looks.ts";
import { resultsRoute } from "./jobs/routes/results.ts";
import { signalRoutes } from "./jobs/routes/signals.ts";
import { stateRoute } from "./jobs/routes/state.ts";
import { QueueFigures } from "./jobs/run/figures.ts";
import { JobLog } from "./jobs/run/job-log.ts";
import { JobPlans } from "./jobs/run/job-plans.ts";
import { JobPrograms } from "./jobs/run/job-programs.ts";
import type { EventsOf, FamilyOf } from "./jobs/run/run-durable.ts";
import { Upkeep } from "./jobs/run/upkeep.ts";
import { Worker } from "./jobs/run/worker.ts";
import { clockWarning } from "./jobs/steady-time.ts";
import type { JobTimes } from "./jobs/times.ts";
import { NoticeDesk } from "./notices/desk.ts";
import { noticesRoute } from "./notices/routes.ts";
import type { ServicesOptions } from "./open-services.ts";
import { Channels } from "./programs/channels/channels.ts";
import { LoadedPrograms } from "./programs/loaded-programs.ts";
import { anonymousWarning as proposalWarning } from "./programs/proposals/acting.ts";
import { appRoutes } from "./programs/routes/app.ts";
import { programRoutes } from "./programs/routes/index.ts";
import { enqueueRoute } from "./routes/enqueue.ts";
import { resultRoute } from "./routes/result.ts";
import { resultCancelRoute } from "./routes/result-cancel.ts";
import { resultEventsRoute } from "./routes/result-events.ts";
import { resultRetryRoute } from "./routes/result-retry.ts";
import { scheduleRoutes } from "./schedules/routes/index.ts";
import { scheduledJob } from "./schedules/scheduled-job.ts";
import { Scheduler } from "./schedules/scheduler.ts";
import type { ServicePart, Services } from "./services.ts";
import type { Dispatch, JobStore } from "./state/store.ts";
import { within } from "./within.ts";

export type JobsPart = ServicePart & {
  /** What this part keeps for the rest of the service. */
  readonly keeps: Pick<ServicesOptions, "idempotency" | "jobFigures" | "checks" | "programs" | "durableJobs">;
  /** What the operator is to know at the start. */
  readonly warnings: readonly string[];
  /** Recovers jobs of dead processes, then begins to run queued ones. Rejects when the store does not answer. */
  start(): Promise<void>;
};

/** The part has the store from here on, and closes it. Its routes are to be registered before it is started. */
export function createJobsPart(store: JobStore, clock: Clock, times: JobTimes): JobsPart {
  const figures = new QueueFigures(store, clock, times.figuresMs);
  let engine: Engine | null = null;
  let dispatch: Dispatch | null = null;
  let checkGrant = async (): Promise<void> => {};
  let stopped: Promise<void> = Promise.resolve();
  let scheduler: Scheduler | null = null;
  let firing: Promise<void> = Promise.resolve();
  let closed: Promise<void> | null = null;
  let stopTimes = (): void => {};
  let stopAgents = (): void => {};
  let stopFlow = async (): Promise<void> => {};
  let log: JobLog | null = null;
  let signatures: Services["signatures"] | null = null;
  const programs = new LoadedPrograms(store.programs, {
    isShared: store.kind === "shared",
    clock,
    refusal: (version) => signatures?.refusal(version) ?? null,
  });

  const close = async (): Promise<void> => {
    figures.stop();
    stopTimes();
    stopAgents();
    if (engine !== null) {
      engine.upkeep.stop();
      await within(clock, GIVE_BACK_MS, engine.worker.close());
    }
    await within(
      clock,
      STOP_MS,
      Promise.all([engine?.notices.stop(), engine?.noticeDesk.stop(), firing, stopped, stopFlow()]),
    );
    await store.close();
  };
  return {
    queue: store.kind,
    features: ["jobs", "cancel", "events", "wait", "programs"],
    keeps: {
      idempotency: store.keys,
      programs,
      durableJobs: store.durable !== null,
      jobFigures: () => figures.now(),
      checks: [() => store.health.fault, () => store.queueFault()],
    },
    warnings: [...(store.warnings ?? []), ...asList(clockWarning(store.time))],
    figures: () => figures.now(),
    program: (checksum) => store.program(checksum),
    routes(app: ServiceApp, services: Services) {
      const channels = new Channels(services, programs, store.programs);
      engine = engineOf(services, store, times, channels);
      ({ signatures } = services);
      checkGrant = () => watchGrant(services, store);
      const { jobs } = engine;
      log = jobs.log;
      enqueueRoute(app, services, jobs);
      resultRoute(app, services, jobs);
      resultsRoute(app, services, jobs);
      resultEventsRoute(app, services, jobs);
      resultCancelRoute(app, jobs);
      resultRetryRoute(app, services, jobs);
      journalRoutes(app, services, jobs);
      lookRoutes(app, services, jobs);
      frameRoute(app, services, jobs);
      stateRoute(app, services, jobs);
      familyRoute(app, jobs);
      signalRoutes(app, services, jobs);
      approvalRoutes(app, services, jobs);
      services.readiness.warn("approvals", anonymousWarning(services));
      services.readiness.warn("proposals", proposalWarning(services.config));
      const tellClock = (): void => services.readiness.warn("clock", clockWarning(store.time));
      tellClock();
      store.time.onJump(tellClock);
      linkRoutes(app, services, jobs);
      noticesRoute(app, store.notices);
      eventRoutes(app, { services, store: store.programEvents, emitted: engine.events.soon });
      if (services.config.jobs.list) {
        jobsRoute(app, services, jobs);
        jobStatsRoute(app, jobs);
        jobsEventsRoute(app, services, jobs);
        jobsBulkRoutes(app, services, jobs);
        deadLettersRoute(app, jobs);
      }
      appRoutes(app, { services, jobs, channels });
      const { schedules } = store;
      scheduler = new Scheduler({
        services,
        jobs,
        store: schedules,
        clock,
        submission: async (schedule, dueMs) => {
          const current = await programs.version(schedule.program, schedule.version);
          const of = { id: schedule.id, label: schedule.spec.label };
          const program = await channels.forFire(current, of, dueMs);
          return scheduledJob(services, program, schedule, dueMs, store.now());
        },
      });
      scheduleRoutes(app, { services, store: schedules, scheduler, clock });
      programRoutes(app, {
        services,
        store: store.programs,
        emitters: new Emitters(services, store.programEvents),
        isMemory: store.kind === "memory",
        now: () => clock.wall(),
      });
    },
    async start() {
      if (engine === null) throw new Error("the routes of the part were not registered");
      await engine.upkeep.start();
      await figures.start();
      dispatch = store.dispatch(engine.worker, engine.workers);
      stopFlow = store.watchFlow((ended, woken) => {
        // One that waited is in line to clean up.
        for (const job of ended) if (job.status !== "queued") log?.ended(job);
        for (const job of woken) log?.woken(job, "job");
      });
      stopTimes = store.durable?.watchTimes(({ job, why, lagMs }) => log?.woken(job, why, lagMs)) ?? stopTimes;
      stopAgents = engine.watchAgents();
      scheduler?.start();
      engine.events.deliveries.start();
      engine.notices.start();
      engine.noticeDesk.start();
      void checkGrant();
    },
    async drain() {
      engine?.worker.stop();
      engine?.jobs.watching.stop();
      engine?.jobs.feed.stop();
      firing = Promise.all([scheduler?.stop(), engine?.events.deliveries.stop()]).then(
        () => {},
        () => {},
      );
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

function asList(warning: string | null): readonly string[] {
  return warning === null ? [] : [warning];
}

/** People are not named, and programs may ask them. */
function anonymousWarning({ config, gateway }: Services): string | null {
  const admission = gateway.admit({});
  if (config.approvals.userHeader !== null || !admission.ok || !admission.enabled.includes("approval")) return null;
  return "approvals_anonymous: all who reach POST /approvals may decide; a proxy names people with WF_USER_HEADER";
}

/** Other processes may deploy under another grant. */
async function watchGrant(services: Services, store: JobStore): Promise<void> {
  const { programs } = store;
  if (store.kind === "shared")
    programs.onChanged((name) => {
      const check = name === null ? checkDeployments(services, programs) : checkDeployment(services, programs, name);
      void check.catch(() => {});
    });
  services.signatures.onChanged((fault) => {
    services.readiness.warn(
      "trusted keys",
      fault === null ? null : `trusted_keys_stale: the keys of before count: ${fault}`,
    );
    services.events.note(
      fault === null ? "info" : "error",
      "trusted_keys_changed",
      fault === null ? {} : { message: fault },
    );
    void checkDeployments(services, programs).catch(() => {});
  });
  await checkDeployments(services, programs).catch(() => {});
}

/** Runs that do not stop in time are abandoned. */
const STOP_MS = 1000;
/** Jobs that a store without an answer does not take back are recovered by another process. */
const GIVE_BACK_MS = 3000;

type Engine = {
  readonly jobs: Jobs;
  readonly worker: Worker;
  readonly upkeep: Upkeep;
  readonly notices: Notices;
  readonly noticeDesk: NoticeDesk;
  readonly events: { readonly deliveries: EventDeliveries; readonly soon: () => void };
  /** Looks for results of agents until it is stopped. */
  readonly watchAgents: () => () => void;
  readonly workers: number;
};

/** Throws StartFault: what is kept in memory makes room at once, before anything could be written. */
function archiveOf({ config, readiness, clock }: Services, store: JobStore, log: JobLog): JobArchive | null {
  const folder = config.jobs.archive;
  if (folder === null) return null;
  if (store.kind === "memory")
    throw new StartFault(
      "environment variable WF_JOBS_ARCHIVE needs a store on disk: set WF_STATE_DIR or WF_DATABASE_URL",
    );
  let last: string | null = null;
  const told = (fault: string | null): void => {
    if (fault !== last) log.archive(fault);
    last = fault;
    readiness.warn("archive", fault === null ? null : `archive_failed: ${fault}; jobs past their retention are kept`);
  };
  return new JobArchive({ folder, store, clock, told });
}

function engineOf(services: Services, store: JobStore, times: JobTimes, channels: Channels): Engine {
  const { clock, config } = services;
  const log = new JobLog(services, store.replica, (job) => channels.jobEnded(job));
  const watching = new JobWatching(store, clock, config.jobs.maxWaiters);
  const programs = new JobPrograms();
  const notices = new Notices({ services, jobs: { store, now: store.now } });
  const family: FamilyOf = (job, asking) => familyDesk({ services, store, log }, job, asking);
  const plans = new JobPlans(services, programs);
  const conditions = new Conditions(services.gateway.host);
  const own = { services, store: store.programEvents, conditions, clock };
  const deliveries = new EventDeliveries({ ...own, jobs: { log, now: store.now } });
  const emitted = (): void => deliveries.soon();
  const events: EventsOf = (job, plan) => runEvents({ ...own, emitted }, job, plan);
  const worker = new Worker({ services, store, log, plans, times, notices, family, events });
  const rules = { mostResults: config.jobs.resultMax, mostEvents: config.jobs.eventsMax };
  const archive = archiveOf(services, store, log);
  const upkeep = new Upkeep(store, worker, log, clock, rules, times, archive);
  store.health.onChange((fault) => log.store(fault));
  store.signals.onCancelling((id) => worker.cancel(id));
  store.signals.onInsisting((id) => worker.insist(id));
  const jobs = { store, log, watching, feed: new JobFeed(store, clock), programs, times, now: store.now };
  return {
    jobs,
    noticeDesk: new NoticeDesk({ services, jobs, store: store.notices }),
    events: { deliveries, soon: emitted },
    worker,
    upkeep,
    notices,
    watchAgents: () =>
      store.durable === null
        ? () => {}
        : watchAgentResults({
            ...{ services, clock, durable: store.durable, now: store.now, everyMs: times.agentMs },
            woken: (job) => log.woken(job, "signal"),
          }),
    workers: config.jobs.workers,
  };
}
