/** Everything routes work with, put together from configuration, clock and log. Parts such as the job queue replace what they keep better. */

import { statfs } from "node:fs/promises";
import { getHeapStatistics } from "node:v8";
import { makeFolder } from "../adapters/guard/files/make-folder.ts";
import type { HostConfig } from "../adapters/operator/host-config.ts";
import { checkEnabled } from "../adapters/operator/operator-file.ts";
import { StartFault } from "../adapters/operator/start-fault.ts";
import type { HostAdapters } from "../adapters/plugins/open.ts";
import { createHostRedaction } from "../adapters/run-log/redaction.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../adapters/runtime.ts";
import { FRAME_CEILING } from "../vm/machine/machine.ts";
import { defaultTotal } from "../vm/memory/shared-budget.ts";
import { createIsolation } from "../vm/offload/isolation.ts";
import { createMoving } from "../vm/offload/moving.ts";
import type { Clock } from "../vm/run.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import type { ServiceStart } from "./config.ts";
import { BodyRoom } from "./http/body/room.ts";
import { UnsentAnswers } from "./http/unsent-answers.ts";
import { Compilers } from "./programs/compile/compilers.ts";
import { Reviews } from "./programs/deploy/reviews.ts";
import type { LoadedPrograms } from "./programs/loaded-programs.ts";
import { ProposalTests } from "./programs/proposals/proposal-tests.ts";
import { Signatures } from "./programs/signing/signatures.ts";
import { TrustedKeyring } from "./programs/signing/trusted-keyring.ts";
import type { IdempotencyStore } from "./run/idempotency-store.ts";
import { RecentRuns } from "./run/recent-runs.ts";
import { RunSlots } from "./run/run-slots.ts";
import { createStarts, createTurns } from "./run/time-slices.ts";
import type { Services } from "./services.ts";
import { createEvents, type Events } from "./telemetry/events.ts";
import type { LogOutput } from "./telemetry/log-output.ts";
import type { LoopLag } from "./telemetry/loop-lag.ts";
import { type JobFigures, Metrics, NO_JOBS } from "./telemetry/metrics.ts";
import { Readiness, type ReadinessCheck } from "./telemetry/readiness.ts";
import { createTraceIds } from "./telemetry/trace-ids.ts";
import { RunThreads } from "./workers/run-threads.ts";

export type ServicesOptions = {
  readonly start: ServiceStart;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly output: LogOutput;
  readonly lag: Pick<LoopLag, "p99" | "takeLongest">;
  /** Figures of the process among the metrics. */
  readonly processFigures?: boolean;
  readonly idempotency: IdempotencyStore;
  readonly programs?: LoadedPrograms;
  /** Jobs may have journals. */
  readonly durableJobs?: boolean;
  readonly jobFigures?: () => JobFigures;
  /** Besides event loop and disk. */
  readonly checks?: readonly ReadinessCheck[];
  /** Those of `openAdapters`, when the operator names plugins. */
  readonly adapters?: HostAdapters;
  /** Enabled besides those that the operator lists. */
  readonly enable?: readonly string[];
  /** For tests: adapters of their own. */
  readonly runtime?: Partial<RuntimeOptions>;
  /** For tests: number of steps after which runs move, and another worker program. */
  readonly moving?: { readonly afterSteps?: number; readonly program?: string };
};

/** When a run moves to a worker thread: after some 200 ms on this one, or when it blocks it for longer than a probe may wait. */
const MOVED_AFTER_STEPS = 20_000_000;
const MOVED_AFTER_LONG_SLICES_MS = 250;

/** Limit of unread answers, as a multiple of the maximum result and as a share of the heap. */
const MAX_UNSENT_RESULTS = 16;
const MAX_UNSENT_SHARE = 0.25;
/** And all runs together may hold such a share of it in their variables. */
const MAX_FRAMES_SHARE = 0.5;

const DEGRADED_LOOP_LAG_MS = 1000;
const LEAST_DISK_BYTES = 64 * 1024 * 1024;

/** The caller closes the runtime, and with it the worker threads. Throws StartFault. */
export function openServices(options: ServicesOptions): { readonly services: Services; readonly runtime: Runtime } {
  const { clock, uuid, output, lag, start } = options;
  const { config, host } = start;
  if (host.places.stateDir !== null) makeStateFolder(host.places.stateDir);
  const { trustedKeys } = config.programs;
  const keyring = trustedKeys === null ? null : new TrustedKeyring(trustedKeys, clock);
  // Adapters log through the events, which are made once the runtime knows the secrets; it opens no adapter before.
  let events: Events | null = null;
  const workers = new RunThreads({
    ...config.workers,
    clock,
    killed: (reason) => events?.note("warn", "worker_killed", { reason }),
    program: options.moving?.program,
  });
  const turn = createTurns(() => clock.now());
  const compilers = new Compilers(clock, turn);
  const runtime = openRuntime({
    config: host,
    clock,
    uuid,
    log: (event, fields) => events?.adapters(event, fields),
    profile: config.profile,
    turn,
    begins: createStarts(() => clock.now(), turn),
    compileAside: (source, given) => compilers.compile(source, given),
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
    enable: options.enable ?? [],
    ...(options.adapters === undefined ? {} : { adapters: options.adapters }),
    ...options.runtime,
  });
  checkEnabled("option --enable-adapter", options.enable ?? [], runtime.catalog);
  const redaction = createHostRedaction(runtime.secrets, host);
  events = createEvents({ output, clock, ...config.log, redact: redaction.text });
  const slots = new RunSlots(config.slots, clock);
  const metrics = new Metrics({
    catalog: runtime.catalog,
    clock,
    version: RUNTIME_VERSION,
    runsInFlight: () => slots.inFlight,
    workers: () => workers,
    jobs: options.jobFigures ?? (() => NO_JOBS),
    droppedLogs: () => output.dropped,
    loopLag: () => lag.p99(),
    processFigures: options.processFigures ?? false,
  });
  const readiness = new Readiness(clock, [
    ...checksOf(lag, host.places.stateDir),
    () => (workers.lost ? "no worker thread is alive" : null),
    () => {
      keyring?.look();
      return null;
    },
    ...(options.checks ?? []),
  ]);
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
    runLogMaxBytes: config.log.runMaxBytes,
    freshId: createTraceIds(),
    slots,
    secrets: runtime.secrets,
    unsent: new UnsentAnswers(mostUnsent(config.maxResultBytes)),
    bodies: new BodyRoom(config.maxBodiesBytes),
    readiness,
    workers,
    idempotency: options.idempotency,
    recentRuns: new RecentRuns(config.recentRuns),
    programs: options.programs ?? null,
    reviews: new Reviews(),
    signatures: new Signatures(keyring),
    proposalTests: new ProposalTests(),
    durableJobs: options.durableJobs ?? false,
    provided: runtime.registry.provided,
  };
  workers.start(runtime.environment);
  const close = async (): Promise<void> => {
    await services.reviews.close();
    await services.proposalTests.close();
    await compilers.close();
    await workers.close();
    await runtime.close();
  };
  return { services, runtime: { ...runtime, close } };
}

function mostUnsent(maxResultBytes: number): number {
  return Math.min(MAX_UNSENT_RESULTS * maxResultBytes, heapShare(MAX_UNSENT_SHARE));
}

function mostFrames({ frameCeilingBytes }: HostConfig): number {
  return Math.min(defaultTotal(frameCeilingBytes ?? FRAME_CEILING), heapShare(MAX_FRAMES_SHARE));
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
