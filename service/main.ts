/**
 * The runner service as a process: environment, listener, signals, exit code. `wf serve` starts it; everything below gets what it
 * needs handed in.
 */
import type { AddressInfo } from "node:net";
import type { AdapterLog } from "../adapters/define.ts";
import type { Variables } from "../adapters/host-config.ts";
import { openAdapters, startFacts } from "../adapters/plugins/open.ts";
import { StartFault } from "../adapters/start-fault.ts";
import type { Clock } from "../vm/run.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import { createApp, type ServiceApp } from "./app.ts";
import { readServiceStart } from "./config.ts";
import { mostOpenFiles, withinDescriptors } from "./descriptors.ts";
import { ServiceFault } from "./errors.ts";
import type { Events } from "./events.ts";
import { openJobStore } from "./jobs/open-store.ts";
import { createJobsPart, jobTimes } from "./jobs/part.ts";
import { createLogSink, descriptorWriter } from "./log-sink.ts";
import { watchLoopLag } from "./loop-lag.ts";
import { openServices } from "./open-services.ts";
import type { ServicePart, Services } from "./services.ts";
import { drain } from "./shutdown.ts";

export { readServiceStart };

/** What the service needs of the process it runs in. */
export type ServeIo = {
  /** The environment; what flags say is laid over it. */
  readonly variables: Variables;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** For faults of the start, and when the log has no reader any more. */
  readonly complain: (text: string) => void;
  /** Told once, as soon as requests are taken; absent: the log says it all. */
  readonly listening?: (facts: {
    readonly url: string;
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
  const start = withinDescriptors(readServiceStart(io.variables), mostOpenFiles());
  const sink = createLogSink(descriptorWriter(STDOUT), (code) =>
    io.complain(`wf serve: nobody reads the log any more (${code}); the service goes on\n`),
  );
  // What plugins say while they are loaded has no other place yet; later it goes to the log.
  let log: AdapterLog = (event, fields) => io.complain(`wf serve: ${event} ${JSON.stringify(fields ?? {})}\n`);
  const adapters = await openAdapters(start.host, { folder: ".", log: (event, fields) => log(event, fields) });
  const { places, databaseUrl } = start.host;
  const { silentMs, memoryBytes } = start.config.jobs;
  const owner = io.uuid();
  const { stateDir } = places;
  const store = await openJobStore({ stateDir, memoryBytes, databaseUrl, clock: io.clock, owner, silentMs });
  const part = createJobsPart(store, io.clock, jobTimes(silentMs));
  const lag = watchLoopLag();
  const { services, runtime } = openServices({
    start,
    ...io,
    adapters,
    sink,
    lag,
    processFigures: true,
    ...part.keeps,
  });
  const { events, readiness, config } = services;
  log = (event, fields) => events.note("info", event, fields);
  const overload = { maxLoopLagMs: MAX_LOOP_LAG_MS, maxHeapShare: MAX_HEAP_SHARE };
  const app = await createApp(services, { part, overload });
  try {
    const signal = signalOf(io);
    await runtime.prepareStores();
    await part.start();
    await app.listen({ host: config.host, port: config.port });
    readiness.open();
    announceStart(events, app, services, part, [...start.warnings, ...runtime.warnings]);
    const profile = services.gateway.server.profile?.name ?? null;
    io.listening?.({ url: urlOf(config.host, portOf(app)), profile, queue: part.queue });
    for (const plugin of runtime.plugins) events.note("info", "plugin_loaded", startFacts(plugin));
    await drain(app, services, part, await signal.first);
    signal.forget();
    events.note("info", "server_stop", { exit_code: 0 });
    await flushed(events, io.clock);
    return 0;
  } finally {
    await app.close();
    await part.close();
    await runtime.close();
    lag.stop();
  }
}

/** A log that nobody reads does not keep the process alive. */
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

/** One sentence for what the operator can mend; null for a defect. */
function startMessage(cause: unknown): string | null {
  if (cause instanceof StartFault || cause instanceof ServiceFault) return cause.message;
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code === "EADDRINUSE") return "the port is in use; choose another with --port or WF_PORT";
  if (code === "EACCES") return "the port cannot be opened by this user";
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return "the host is no address of this machine";
  return null;
}
