/**
 * The service under load, driven by this process: runs and batches compared with a Fastify route, durable jobs, and how responsive it stays
 * during work that never ends and requests that are made to hold it up. Everything that is compared is measured in turn, so that all share
 * the machine's other guests.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Figure, Target, Unit } from "../figure.ts";
import { drive, type LoadFigures, type LoadOptions, type LoadRequest } from "../service/load.ts";
import { type Server, serviceFigures, startPeer, startService } from "../service/servers.ts";
import { median, type Summary, summary } from "../statistics.ts";
import type { ProbeScope } from "./probe.ts";

/** One round of requests to one path. */
type Round = {
  readonly per_second: number;
  readonly p99_ms: number;
  /** Processor time of the server for one request. */
  readonly cpu_us: number;
};

const BESIDE_PEER = "Requests, next to a Fastify server";
const JOBS = "Durable jobs of the service, on SQLite";
const RESPONSIVE = "The service under full load";

/** Frames of one request for a batch. */
const FRAMES = 100;
/** Frames of one request for jobs. */
const BULK_FRAMES = 1000;
const CONNECTIONS = 16;
const JOB_CONNECTIONS = 64;
const BULK_CONNECTIONS = 4;
const JOBS_END_MS = 120_000;
/** Counting its jobs takes the service 1.6 ms. */
const ASKED_EVERY_MS = 100;
const ENDLESS = "L1:\n  Set n 0\n  While true ->L2 ->L3 limit=1000000\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n";

type ServicePace = { readonly rounds: number; readonly seconds: number; readonly warmSeconds: number };
const FULL: ServicePace = { rounds: 4, seconds: 2, warmSeconds: 5 };
const QUICK: ServicePace = { rounds: 2, seconds: 0.6, warmSeconds: 1.5 };

/** Throws when a server does not start, or answers with another status. */
export async function measureService({ root, quick }: ProbeScope): Promise<readonly Figure[] | null> {
  if (!existsSync(join(root, "dist", "wf.mjs"))) return null;
  const folder = await mkdtemp(join(tmpdir(), "weft-bench-"));
  try {
    const code = await readFile(join(root, "benchmarks", "workloads", "W10.wf"), "utf8");
    const pace = quick ? QUICK : FULL;
    return [
      ...(await besidePeer(root, folder, code, pace)),
      ...(await durableJobs(root, folder, code, pace)),
      ...(await whileBusy(root, folder, code, pace)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function besidePeer(root: string, folder: string, code: string, pace: ServicePace): Promise<Figure[]> {
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
      rows: { server: service, request: rows(frames) },
    };
    const measured: Record<(typeof PATHS)[number], Round[]> = { empty: [], route: [], run: [], batch: [], rows: [] };
    for (const path of PATHS) await measurePath(paths[path], pace.warmSeconds);
    for (let round = 0; round < pace.rounds; round++)
      for (const path of PATHS) measured[path].push(await measurePath(paths[path], pace.seconds));
    return figuresBesidePeer(measured);
  } finally {
    await Promise.all([service.stop(), peer.empty.stop()]);
  }
}

const PATHS = ["empty", "route", "run", "batch", "rows"] as const;

/** Three steps of a program in Python, and answers that have its results alone. */
function rows(frames: readonly object[]): LoadRequest {
  const code = "def main(x: int):\n    total = x * 3\n    return {'x': x, 'total': total}\n";
  return { method: "POST", path: "/batch", body: JSON.stringify({ code, frames }), headers: ["prefer: rows=lean"] };
}

type Path = { readonly server: Server; readonly request: LoadRequest };

async function measurePath({ server, request }: Path, seconds: number): Promise<Round> {
  const before = await server.cpuMs();
  const load = await driven({ port: server.port, request, connections: CONNECTIONS, seconds, awake: true });
  const cpu_us = (((await server.cpuMs()) - before) * 1000) / load.requests;
  return { per_second: load.per_second, p99_ms: load.p99_ms, cpu_us };
}

function figuresBesidePeer({
  empty,
  route,
  run,
  batch,
  rows,
}: Record<(typeof PATHS)[number], readonly Round[]>): Figure[] {
  const rate = (rounds: readonly Round[], times = 1): Summary =>
    summary(rounds.map(({ per_second }) => per_second * times));
  const processor = (rounds: readonly Round[]): Summary => summary(rounds.map(({ cpu_us }) => cpu_us));
  const figure = (name: string, unit: Unit, value: Summary): Figure => figureOf(BESIDE_PEER, name, unit, value);
  const ratio = (name: string, unit: Unit, value: number, target: Target): Figure => ({
    group: BESIDE_PEER,
    name,
    value,
    unit,
    target,
  });
  const titles = { "empty POST": empty, "route with zod and pino": route, "POST /run, W10": run };
  return [
    ...Object.entries(titles).flatMap(([title, rounds]) => [
      figure(title, "requests/s", rate(rounds)),
      figure(`${title}, processor`, "µs", processor(rounds)),
    ]),
    ratio("POST /run, of the route, by rate", "%", (100 * rate(run).median) / rate(route).median, { at_least: 70 }),
    ratio("POST /run, of the route, by processor", "%", (100 * processor(route).median) / processor(run).median, {
      at_least: 70,
    }),
    ratio("POST /run, p99", "ms", median(run.map(({ p99_ms }) => p99_ms)), { at_most: 5 }),
    figure(`POST /batch of ${FRAMES}`, "runs/s", rate(batch, FRAMES)),
    ratio("POST /batch, runs in the time of an empty POST", "×", rate(batch, FRAMES).median / rate(empty).median, {
      at_least: 12,
    }),
    ratio(
      "POST /batch, runs in the processor time of an empty POST",
      "×",
      (FRAMES * processor(empty).median) / processor(batch).median,
      { at_least: 12 },
    ),
    figure(`POST /batch of ${FRAMES}, lean rows`, "runs/s", rate(rows, FRAMES)),
    ratio(
      "POST /batch, lean rows, runs in the processor time of an empty POST",
      "×",
      (FRAMES * processor(empty).median) / processor(rows).median,
      { at_least: 12 },
    ),
  ];
}

function figureOf(group: string, name: string, unit: Unit, { median: value, low, high }: Summary): Figure {
  return { group, name, value, quartiles: [low, high], unit };
}

/** Every job is on disk before it is accepted, and its result before it counts; many requests, or the frames of one, share a commit. */
async function durableJobs(
  root: string,
  folder: string,
  code: string,
  { warmSeconds, seconds }: ServicePace,
): Promise<Figure[]> {
  const service = await startService(root, folder, { WF_STATE_DIR: join(folder, "state"), WF_QUEUE_MAX: "10000000" });
  try {
    const alone = { body: { code, frame: { x: 7 } }, jobs: 1, connections: JOB_CONNECTIONS };
    const frames = Array.from({ length: BULK_FRAMES }, (_, x) => ({ x }));
    const together = { body: { code, frames }, jobs: BULK_FRAMES, connections: BULK_CONNECTIONS };
    await jobRates(service, alone, warmSeconds / 2);
    const jobs = await jobRates(service, alone, 2 * seconds);
    await jobRates(service, together, seconds / 2);
    const bulk = await jobRates(service, together, seconds);
    const figure = (name: string, value: number, target?: Target): Figure => ({
      group: JOBS,
      name,
      value,
      unit: "jobs/s",
      ...(target === undefined ? {} : { target }),
    });
    return [
      figure("one a request, accepted", jobs.accepted),
      figure("one a request, to their result", jobs.completed, { at_least: 5000 }),
      figure(`${BULK_FRAMES} a request, accepted`, bulk.accepted),
      figure(`${BULK_FRAMES} a request, to their result`, bulk.completed, { at_least: 30_000 }),
    ];
  } finally {
    await service.stop();
  }
}

/** Jobs a second: accepted, and from the first request sent to the last result stored. */
type JobRates = { readonly accepted: number; readonly completed: number };

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

/** On one thread, which has to serve everything. */
async function whileBusy(root: string, folder: string, code: string, { seconds }: ServicePace): Promise<Figure[]> {
  const service = await startService(root, folder, { WF_WORKER_THREADS: "0" });
  try {
    const { port } = service;
    // Four programs at a time that end at their limit of steps and are sent again.
    const endless = { method: "POST", path: "/run", body: JSON.stringify({ code: ENDLESS }) };
    const runs = { method: "POST", path: "/run", body: JSON.stringify({ code, frame: { x: 7 } }) };
    const health = { port, request: { method: "GET", path: "/health", body: "" }, connections: 1 };
    await driven({ port, request: endless, connections: 4, seconds: 4 * seconds });
    const { loopLagP99Ms } = await serviceFigures(port);
    const [, , loaded] = await Promise.all([
      driven({ port, request: endless, connections: 4, seconds: 2 * seconds }),
      driven({ port, request: runs, connections: 64, seconds: 2 * seconds }),
      driven({ ...health, seconds: 2 * seconds }),
    ]);
    const [, attacked] = await Promise.all([
      drive({ port, request: hostileRequests(code), connections: 6, seconds: 2 * seconds, status: null }),
      driven({ ...health, seconds: 2 * seconds }),
    ]);
    const figure = (name: string, value: number, most: number): Figure => ({
      group: RESPONSIVE,
      name,
      value,
      unit: "ms",
      target: { at_most: most },
    });
    return [
      figure("GET /health during endless programs and 64 clients, p99", loaded.p99_ms, 25),
      figure("GET /health during hostile requests, p99", attacked.p99_ms, 100),
      figure("timers during endless programs, p99 late", loopLagP99Ms, 5),
    ];
  } finally {
    await service.stop();
  }
}

/** Requests that are expensive for a reason of their own, in turn: long source that no cache knows, deep nesting, a large frame. */
function hostileRequests(code: string): () => LoadRequest {
  const steps = Array.from({ length: 30_000 }, (_, at) => `  X v${at % 50} add ${at} ${at + 1}\n`).join("");
  const depth = 200_000;
  const deep = `{"code":"L1:\\n  J 1","frame":{"x":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
  const xs = Array.from({ length: 200_000 }, (_, at) => at);
  const large = JSON.stringify({ code, frame: { x: 7, xs } });
  let sent = 0;
  const bodies = [() => JSON.stringify({ code: `L1:\n  X n add ${sent} 1\n${steps}  J 1\n` }), () => deep, () => large];
  return () => {
    sent += 1;
    return { method: "POST", path: "/run", body: (bodies[sent % bodies.length] as () => string)() };
  };
}

/** Rejects when an answer has another status than the one wanted. */
async function driven(options: LoadOptions & { readonly request: LoadRequest }): Promise<LoadFigures> {
  const figures = await drive(options);
  if (figures.unwanted > 0) throw new Error(`${options.request.path}: ${figures.unwanted} answers of another status`);
  return figures;
}
