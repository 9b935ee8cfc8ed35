/**
 * The service under load, driven by this process: runs and batches compared with a Fastify route, durable jobs, and how responsive it stays during
 * work that never ends. Everything that is compared is measured in turn, so that all share the machine's other guests.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../statistics.ts";
import { drive, type LoadFigures, type LoadRequest } from "./load.ts";
import { type Server, serviceFigures, startPeer, startService } from "./servers.ts";

/** Requests to one path, over all rounds. */
type PathFigures = {
  readonly per_second: number;
  readonly p99_ms: number;
  /** Processor time of the server for one request. */
  readonly cpu_us: number;
};

export type ServiceBench = {
  /** An empty POST of the peer, and its route that does what every service does around its work. */
  readonly empty: PathFigures;
  readonly route: PathFigures;
  readonly run: PathFigures;
  readonly batch: PathFigures;
  readonly jobs: JobRates;
  /** Of requests with many frames each. */
  readonly bulkJobs: JobRates;
  /** Milliseconds of GET /health while the service has more runs than it can do. */
  readonly health_p99_ms: number;
  /** Milliseconds that timers are late during four programs that never end. */
  readonly loop_lag_p99_ms: number;
};

/** Jobs a second: accepted, and from the first request sent to the last result stored. */
type JobRates = { readonly accepted: number; readonly completed: number };

export const FRAMES = 100;
/** Of one request for jobs. */
export const BULK_FRAMES = 1000;
const CONNECTIONS = 16;
const JOB_CONNECTIONS = 64;
const BULK_CONNECTIONS = 4;
const JOBS_END_MS = 120_000;
/** Telling how many jobs are done takes the service 1.6 ms: asked every 20 ms, it had a fourteenth less time for them. */
const ASKED_EVERY_MS = 100;
const ENDLESS = "L1:\n  Set n 0\n  While true ->L2 ->L3 limit=1000000\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n";

type ServicePace = { readonly rounds: number; readonly seconds: number; readonly warmSeconds: number };
const FULL: ServicePace = { rounds: 4, seconds: 2, warmSeconds: 5 };
const QUICK: ServicePace = { rounds: 2, seconds: 0.6, warmSeconds: 1.5 };

/** Needs the built command. Throws when a server does not start, or answers with another status. */
export async function measureService(root: string, quick: boolean): Promise<ServiceBench> {
  const folder = await mkdtemp(join(tmpdir(), "weft-bench-"));
  try {
    const code = await readFile(join(root, "benchmarks", "workloads", "W10.wf"), "utf8");
    const pace = quick ? QUICK : FULL;
    return {
      ...(await besidePeer(root, folder, code, pace)),
      ...(await durableJobs(root, folder, code, pace)),
      ...(await besideEndlessPrograms(root, folder, code, pace)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function besidePeer(root: string, folder: string, code: string, pace: ServicePace) {
  const service = await startService(root, folder, {});
  const peer = await startPeer(folder);
  try {
    const body = JSON.stringify({ code, frame: { x: 7 } });
    const frames = Array.from({ length: FRAMES }, (_, x) => ({ x }));
    const paths = {
      empty: { server: peer.empty, request: { method: "POST", path: "/", body } },
      route: { server: peer.route, request: { method: "POST", path: "/route", body } },
      run: { server: service, request: { method: "POST", path: "/run", body } },
      batch: { server: service, request: { method: "POST", path: "/batch", body: JSON.stringify({ code, frames }) } },
    };
    const measured: Record<(typeof PATHS)[number], PathFigures[]> = { empty: [], route: [], run: [], batch: [] };
    for (const path of PATHS) await measurePath(paths[path], pace.warmSeconds);
    for (let round = 0; round < pace.rounds; round++)
      for (const path of PATHS) measured[path].push(await measurePath(paths[path], pace.seconds));
    return {
      empty: middle(measured.empty),
      route: middle(measured.route),
      run: middle(measured.run),
      batch: middle(measured.batch),
    };
  } finally {
    await Promise.all([service.stop(), peer.empty.stop()]);
  }
}

const PATHS = ["empty", "route", "run", "batch"] as const;

type Path = { readonly server: Server; readonly request: LoadRequest };

async function measurePath({ server, request }: Path, seconds: number): Promise<PathFigures> {
  const before = await server.cpuMs();
  const load = await driven({ port: server.port, request, connections: CONNECTIONS, seconds, awake: true });
  const cpu_us = (((await server.cpuMs()) - before) * 1000) / load.requests;
  return { per_second: load.per_second, p99_ms: load.p99_ms, cpu_us };
}

function middle(rounds: readonly PathFigures[]): PathFigures {
  return {
    per_second: median(rounds.map(({ per_second }) => per_second)),
    p99_ms: median(rounds.map(({ p99_ms }) => p99_ms)),
    cpu_us: median(rounds.map(({ cpu_us }) => cpu_us)),
  };
}

/** Every job is on disk before it is accepted, and its result before it counts; many requests, or the frames of one, share a commit. */
async function durableJobs(root: string, folder: string, code: string, { warmSeconds, seconds }: ServicePace) {
  const service = await startService(root, folder, { WF_STATE_DIR: join(folder, "state"), WF_QUEUE_MAX: "10000000" });
  try {
    const alone = { body: { code, frame: { x: 7 } }, jobs: 1, connections: JOB_CONNECTIONS };
    const frames = Array.from({ length: BULK_FRAMES }, (_, x) => ({ x }));
    const together = { body: { code, frames }, jobs: BULK_FRAMES, connections: BULK_CONNECTIONS };
    await jobRates(service, alone, warmSeconds / 2);
    const jobs = await jobRates(service, alone, 2 * seconds);
    await jobRates(service, together, seconds / 2);
    return { jobs, bulkJobs: await jobRates(service, together, seconds) };
  } finally {
    await service.stop();
  }
}

type JobRequests = { readonly body: object; readonly jobs: number; readonly connections: number };

async function jobRates(service: Server, { body, jobs, connections }: JobRequests, seconds: number): Promise<JobRates> {
  const { port } = service;
  const before = (await serviceFigures(port)).succeeded;
  const request = { method: "POST", path: "/enqueue", body: JSON.stringify(body) };
  const begun = performance.now();
  const load = await driven({ port, request, connections, seconds, status: 202 });
  const queued = load.requests * jobs;
  while ((await serviceFigures(port)).succeeded < before + queued) {
    if (performance.now() > begun + JOBS_END_MS) throw new Error("/enqueue: jobs that do not end, or do not succeed");
    await sleep(ASKED_EVERY_MS);
  }
  return { accepted: load.per_second * jobs, completed: queued / ((performance.now() - begun) / 1000) };
}

/** Four programs at a time that end at their limit of steps and are sent again; on one thread, which is what is asked of it. */
async function besideEndlessPrograms(root: string, folder: string, code: string, { seconds }: ServicePace) {
  const service = await startService(root, folder, { WF_WORKER_THREADS: "0" });
  try {
    const { port } = service;
    const endless = { method: "POST", path: "/run", body: JSON.stringify({ code: ENDLESS }) };
    const runs = { method: "POST", path: "/run", body: JSON.stringify({ code, frame: { x: 7 } }) };
    const health = { method: "GET", path: "/health", body: "" };
    await driven({ port, request: endless, connections: 4, seconds: 4 * seconds });
    const { loopLagP99Ms } = await serviceFigures(port);
    const [, , probes] = await Promise.all([
      driven({ port, request: endless, connections: 4, seconds: 2 * seconds }),
      driven({ port, request: runs, connections: 64, seconds: 2 * seconds }),
      driven({ port, request: health, connections: 1, seconds: 2 * seconds }),
    ]);
    return { health_p99_ms: probes.p99_ms, loop_lag_p99_ms: loopLagP99Ms };
  } finally {
    await service.stop();
  }
}

async function driven(options: Parameters<typeof drive>[0]): Promise<LoadFigures> {
  const figures = await drive(options);
  if (figures.unwanted > 0) throw new Error(`${options.request.path}: ${figures.unwanted} answers of another status`);
  return figures;
}
