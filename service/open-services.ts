/** Everything routes work with, put together from configuration, clock and log. Parts such as the job queue replace what they keep better. */
import { statfs } from "node:fs/promises";
import { getHeapStatistics } from "node:v8";
import type { HostConfig } from "../adapters/host-config.ts";
import { makeFolder } from "../adapters/make-folder.ts";
import type { HostAdapters } from "../adapters/plugins/open.ts";
import { createHostRedaction } from "../adapters/redaction.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../adapters/runtime.ts";
import { StartFault } from "../adapters/start-fault.ts";
import { defaultTotal } from "../vm/frame-share.ts";
import { FRAME_CEILING } from "../vm/machine.ts";
import { createIsolation } from "../vm/moved/isolation.ts";
import { createMoving } from "../vm/moved/moving.ts";
import type { Clock } from "../vm/run.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import type { ServiceStart } from "./config.ts";
import { createEvents, type Events } from "./events.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import type { LogSink } from "./log-sink.ts";
import type { LoopLag } from "./loop-lag.ts";
import { type JobFigures, Metrics, NO_JOBS } from "./metrics.ts";
import { createRateLimit } from "./rate-limit.ts";
import { Readiness, type ReadinessCheck } from "./readiness.ts";
import { RunSlots } from "./run-slots.ts";
import type { Services } from "./services.ts";
import { createTraceIds } from "./trace-ids.ts";
import { createTurns } from "./turns.ts";
import { UnsentAnswers } from "./unsent.ts";
import { RunThreads } from "./workers/run-threads.ts";

export type ServicesOptions = {
  readonly start: ServiceStart;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly sink: LogSink;
  readonly lag: Pick<LoopLag, "p99" | "takeLongest">;
  /** Figures of the process among the metrics. */
  readonly processFigures?: boolean;
  readonly idempotency: IdempotencyStore;
  readonly jobFigures?: () => JobFigures;
  /** Besides event loop and disk. */
  readonly checks?: readonly ReadinessCheck[];
  /** Those of `openAdapters`, when the operator names plugins. */
  readonly adapters?: HostAdapters;
  /** For tests: adapters of their own. */
  readonly runtime?: Partial<RuntimeOptions>;
  /** For tests: runs are moved after so many steps, to threads of another program. */
  readonly moving?: { readonly afterSteps?: number; readonly program?: string };
};

/** When a run goes on in a worker thread: it has had some 200 ms of this one, or holds it up for longer than a probe may wait. */
const MOVED_AFTER_STEPS = 20_000_000;
const MOVED_AFTER_LONG_SLICES_MS = 250;

/** Answers that wait for their readers may be as large as so many results together, and take such a share of the heap. */
const MOST_UNSENT_RESULTS = 16;
const MOST_UNSENT_SHARE = 0.25;
/** And all runs together may hold such a share of it in their variables. */
const MOST_FRAMES_SHARE = 0.5;

const DEGRADED_LOOP_LAG_MS = 1000;
const LEAST_DISK_BYTES = 64 * 1024 * 1024;

/** The caller closes the runtime, and with it the worker threads. Throws StartFault. */
export function openServices(options: ServicesOptions): { readonly services: Services; readonly runtime: Runtime } {
  const { clock, uuid, sink, lag, start } = options;
  const { config, host } = start;
  if (host.places.stateDir !== null) makeStateFolder(host.places.stateDir);
  // Adapters log through the events, which are made once the runtime knows the secrets; it opens no adapter before.
  let events: Events | null = null;
  const workers = new RunThreads({
    ...config.workers,
    clock,
    killed: (reason) => events?.note("warn", "worker_killed", { reason }),
    program: options.moving?.program,
  });
  const runtime = openRuntime({
    config: host,
    clock,
    uuid,
    log: (event, fields) => events?.note("info", event, fields),
    profile: config.profile,
    turn: createTurns(() => clock.now()),
    framesTotalBytes: mostFrames(host),
    ...(config.workers.isolated
      ? { isolate: createIsolation({ whenFree: (give) => workers.whenFree(give) }) }
      : {
          driveMovable: createMoving({
            take: () => workers.take(),
            afterSteps: options.moving?.afterSteps ?? MOVED_AFTER_STEPS,
            afterLongSlicesMs: MOVED_AFTER_LONG_SLICES_MS,
          }),
        }),
    ...(options.adapters === undefined ? {} : { adapters: options.adapters }),
    ...options.runtime,
  });
  const redaction = createHostRedaction(runtime.secrets, host);
  events = createEvents({ sink, clock, ...config.log, redact: redaction.text });
  const slots = new RunSlots(config.slots, clock);
  const metrics = new Metrics({
    catalog: runtime.catalog,
    clock,
    version: RUNTIME_VERSION,
    runsInFlight: () => slots.inFlight,
    workers: () => workers,
    jobs: options.jobFigures ?? (() => NO_JOBS),
    droppedLogs: () => sink.dropped,
    loopLag: () => lag.p99(),
    processFigures: options.processFigures ?? false,
  });
  const services: Services = {
    config,
    clock,
    gateway: runtime.gateway,
    metrics,
    events,
    redaction,
    maxResultBytes: config.maxResultBytes,
    dryRun: host.dryRun,
    labelSpans: config.labelSpans,
    freshId: createTraceIds(),
    slots,
    unsent: new UnsentAnswers(mostUnsent(config.maxResultBytes)),
    readiness: new Readiness(clock, [
      ...checksOf(lag, host.places.stateDir),
      () => (workers.lost ? "no worker thread is alive" : null),
      ...(options.checks ?? []),
    ]),
    workers,
    idempotency: options.idempotency,
    provided: runtime.registry.provided,
    limitRate: config.rateLimit === null ? null : createRateLimit(config.rateLimit, clock),
  };
  workers.start(runtime.environment);
  const close = async (): Promise<void> => {
    await workers.close();
    await runtime.close();
  };
  return { services, runtime: { ...runtime, close } };
}

function mostUnsent(maxResultBytes: number): number {
  return Math.min(MOST_UNSENT_RESULTS * maxResultBytes, heapShare(MOST_UNSENT_SHARE));
}

function mostFrames({ frameCeilingBytes }: HostConfig): number {
  return Math.min(defaultTotal(frameCeilingBytes ?? FRAME_CEILING), heapShare(MOST_FRAMES_SHARE));
}

/** Bytes. */
function heapShare(share: number): number {
  return Math.floor(getHeapStatistics().heap_size_limit * share);
}

function makeStateFolder(path: string): void {
  try {
    makeFolder(path);
  } catch {
    throw new StartFault("the folder of WF_STATE_DIR cannot be made");
  }
}

function checksOf(lag: Pick<LoopLag, "takeLongest">, stateDir: string | null): ReadinessCheck[] {
  const checks: ReadinessCheck[] = [
    () => (lag.takeLongest() > DEGRADED_LOOP_LAG_MS ? "the event loop is more than a second late" : null),
  ];
  if (stateDir !== null)
    checks.push(async () => {
      const { bavail, bsize } = await statfs(stateDir);
      return bavail * bsize < LEAST_DISK_BYTES ? "less than 64 MiB of disk are free" : null;
    });
  return checks;
}
