/**
 * The runner service as a process: environment, listener, signals, exit code. `wf serve` starts it; everything below gets what it
 * needs handed in.
 */
import type { AddressInfo } from "node:net";
import type { AdapterLog } from "../adapters/definition/effect.ts";
import type { Variables } from "../adapters/operator/host-config.ts";
import { sharedPlaceWarnings } from "../adapters/operator/shared-places.ts";
import { StartFault } from "../adapters/operator/start-fault.ts";
import { openAdapters, startFacts } from "../adapters/plugins/open.ts";
import type { Clock } from "../vm/run.ts";
import { canGenerate } from "../vm/tier/build.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import { createApp } from "./app.ts";
import { readServiceStart } from "./config.ts";
import { consoleFiles } from "./console/files.ts";
import type { ConsoleMode } from "./console/mode.ts";
import { mostOpenFiles, withinDescriptors } from "./http/connection-limit.ts";
import { isLoopback } from "./http/origin.ts";
import type { ServiceApp } from "./http/service-app.ts";
import { openJobStore } from "./jobs/open-store.ts";
import { restoreJobs } from "./jobs/run/restore-jobs.ts";
import { BackupFault, backupStore } from "./jobs/sqlite/copies/backup-store.ts";
import { recoverStore } from "./jobs/sqlite/recovery/recover-store.ts";
import { jobTimes } from "./jobs/times.ts";
import { createJobsPart } from "./jobs-part.ts";
import { openServices } from "./open-services.ts";
import { deployFiles, type FilePrograms } from "./programs/files/deploy-files.ts";
import { anonymousWarning } from "./programs/proposals/acting.ts";
import type { ServicePart, Services } from "./services.ts";
import { drain } from "./shutdown.ts";
import type { Events } from "./telemetry/events.ts";
import { openLogOutput } from "./telemetry/log-output.ts";
import { watchLoopLag } from "./telemetry/loop-lag.ts";
import { type OtlpExporter, type OtlpOptions, openOtlp } from "./telemetry/otlp.ts";
import { ServiceFault } from "./wire/errors.ts";

export { BackupFault, backupStore, readServiceStart, recoverStore, restoreJobs };

/** What the service needs of the process it runs in. */
export type ServeIo = {
  /** The environment; what flags say is laid over it. */
  readonly variables: Variables;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** For faults of the start, and when the log has no reader any more. */
  readonly complain: (text: string) => void;
  /** Adapters that are enabled besides those of the environment and the operator's file. */
  readonly enable?: readonly string[];
  /** Programs that are deployed from files; absent: no program comes from files. */
  readonly files?: FilePrograms;
  /** One person reads both the log and what is complained of, so nothing stands in both. */
  readonly isWatched?: boolean;
  /** Told once, as soon as requests are taken; absent: the log says it all. */
  readonly listening?: (facts: {
    readonly url: string;
    readonly console: ConsoleMode;
    readonly profile: string | null;
    readonly queue: ServicePart["queue"];
  }) => void;
  onSignal(handler: (signal: string) => void): () => void;
  /** Ends the process at once: the answer to a second signal. */
  leave(code: number): void;
};

const STDOUT = 1;
const EXIT_FAULT = 2;
const EXIT_INTERRUPTED = 130;
const FLUSH_MS = 2000;
const MAX_LOOP_LAG_MS = 500;
const MAX_HEAP_SHARE = 0.9;

/** Fastify finds routes with functions that it generates. */
const CODE_FORBIDDEN =
  "the HTTP router generates code at its start, which --disallow-code-generation-from-strings forbids; start without that flag, and with WF_TIER=off so that no code is made from programs";

const NO_FILES: FilePrograms = { read: () => Promise.resolve([]), report: () => {} };

/** Serves until a signal says otherwise; resolves with the exit code. */
export async function serve(io: ServeIo): Promise<number> {
  try {
    return await run(io);
  } catch (cause) {
    const message = startMessage(cause);
    if (message === null) throw cause;
    io.complain(`wf serve: ${message}\n`);
    return EXIT_FAULT;
  }
}

async function run(io: ServeIo): Promise<number> {
  if (!canGenerate()) throw new StartFault(CODE_FORBIDDEN);
  const start = withinDescriptors(readServiceStart(io.variables), mostOpenFiles());
  const output = openLogOutput({
    descriptor: STDOUT,
    broken: (code) => io.complain(`wf serve: the log cannot be written (${code}); the service continues\n`),
  });
  // What plugins say while they are loaded has no other place yet; later it goes to the log.
  let log: AdapterLog = (event, fields) => io.complain(`wf serve: ${event} ${JSON.stringify(fields ?? {})}\n`);
  const adapters = await openAdapters(start.host, { folder: ".", log: (event, fields) => log(event, fields) });
  const { places, databaseUrl } = start.host;
  const { silentMs, memoryBytes, queueBytes, snapshotMaxBytes, maxCrashes, waitingMax, maxSignals } = start.config.jobs;
  const owner = io.uuid();
  const { stateDir } = places;
  const store = await openJobStore({
    stateDir,
    memoryBytes,
    queueBytes,
    maxSnapshotBytes: snapshotMaxBytes,
    maxCrashes,
    maxParked: waitingMax,
    maxSignals,
    databaseUrl,
    clock: io.clock,
    owner,
    silentMs,
  });
  const part = createJobsPart(store, io.clock, jobTimes(silentMs));
  const lag = watchLoopLag();
  const { services, runtime } = openServices({
    start,
    ...io,
    adapters,
    output,
    lag,
    processFigures: true,
    ...part.keeps,
  });
  const { events, readiness, config } = services;
  log = events.adapters;
  let stopFiles = (): void => {};
  const overload = { maxLoopLagMs: MAX_LOOP_LAG_MS, maxHeapShare: MAX_HEAP_SHARE };
  const app = await createApp(services, {
    part,
    overload,
    consoleFiles: config.console.mode === "off" ? null : consoleFiles(),
  });
  let otlp: OtlpExporter | null = null;
  try {
    if (config.otlp) otlp = await openOtlp(otlpOptions(io, services));
    const signal = signalOf(io);
    await runtime.prepareStores();
    await part.start();
    stopFiles = await deployFiles(
      { services, store: store.programs, now: () => io.clock.wall(), isLogged: io.isWatched !== true },
      io.files ?? NO_FILES,
      store.kind === "shared",
    );
    await app.listen({ host: config.host, port: config.port });
    if (config.publicPort !== null) await app.publicListener?.listen(config.host, config.publicPort);
    readiness.open();
    const anonymous = anonymousWarning(config) ?? [];
    const shared = sharedPlaceWarnings(start.host, { isReachable: !isLoopback(config.host), user: process.getuid?.() });
    const warnings = [...start.warnings, ...shared, ...runtime.warnings, ...part.warnings, anonymous].flat();
    announceStart(events, app, services, part, io.isWatched === true ? [] : warnings);
    // The log is often collected elsewhere; the person who starts the service reads stderr.
    for (const warning of warnings) io.complain(`wf serve: warning ${warning}\n`);
    const profile = services.gateway.server.profile?.name ?? null;
    io.listening?.({ console: config.console.mode, url: urlOf(config.host, portOf(app)), profile, queue: part.queue });
    for (const plugin of runtime.plugins) events.note("info", "plugin_loaded", startFacts(plugin));
    const reason = await signal.first;
    stopFiles();
    await drain(app, services, part, reason);
    signal.forget();
    events.note("info", "server_stop", { exit_code: 0 });
    await flushed(events, io.clock);
    return 0;
  } finally {
    stopFiles();
    await app.close();
    await part.close();
    await runtime.close();
    await otlp?.close();
    lag.stop();
  }
}

function otlpOptions({ variables, clock }: ServeIo, { metrics, events }: Services): OtlpOptions {
  return {
    variables,
    version: RUNTIME_VERSION,
    metrics: () => metrics.registered(),
    wall: () => clock.wall(),
    complain: (message) => events.note("warn", "telemetry_failed", { message }),
  };
}

/** A log without a reader does not keep the process alive. */
function flushed(events: Events, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.wait(FLUSH_MS, resolve);
    void events.flush().then(() => {
      stop();
      resolve();
    });
  });
}

/** The first signal asks for an orderly end, the second for an immediate one. */
function signalOf(io: ServeIo): { readonly first: Promise<string>; forget(): void } {
  let forget = (): void => {};
  const first = new Promise<string>((resolve) => {
    let asked = false;
    forget = io.onSignal((name) => {
      if (asked) io.leave(EXIT_INTERRUPTED);
      asked = true;
      resolve(name);
    });
  });
  return { first, forget: () => forget() };
}

function announceStart(
  events: Events,
  app: ServiceApp,
  { config, gateway, workers }: Services,
  { queue }: ServicePart,
  warnings: readonly string[],
): void {
  // Constraints are the operator's settings: hosts, places.
  const { adapter_constraints: _settings, ...grant } = gateway.grant;
  events.note("info", "server_start", {
    version: RUNTIME_VERSION,
    host: config.host,
    port: portOf(app),
    profile: gateway.server.profile?.name ?? null,
    grant: { ...grant, limits: { ...grant.limits } },
    queue,
    workers: workers.live,
  });
  for (const warning of warnings) events.note("warn", "start_warning", { message: warning });
}

/** An address of version 6 stands in brackets. */
function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

export function portOf(app: ServiceApp): number {
  return (app.server.address() as AddressInfo).port;
}

/** One sentence for an error that the operator can fix; null for a defect. */
function startMessage(cause: unknown): string | null {
  if (cause instanceof StartFault || cause instanceof ServiceFault) return cause.message;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code === "EADDRINUSE") return "the port is in use; choose another with --port or WF_PORT";
  if (code === "EACCES") return "the port cannot be opened by this user";
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return "the host is not an address of this machine";
  return null;
}
