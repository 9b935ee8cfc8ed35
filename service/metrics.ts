/**
 * What the service counts, in two forms: one JSON document for people and orchestrators, and Prometheus text. Label values come from the
 * catalog and from tables of ours, so that no program can make a series.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type AdapterCatalog, findAdapter, findVerb } from "../compiler/catalog.ts";
import type { CallEvent, Clock } from "../vm/run.ts";
import { thousandths } from "./events.ts";
import { MinuteRate, Ring } from "./rings.ts";

/** Figures of the job queue. */
export type JobFigures = {
  readonly queue_depth: number;
  readonly jobs_by_state: { readonly [state: string]: number };
  readonly oldest_queued_age_ms: number | null;
};
export const NO_JOBS: JobFigures = { queue_depth: 0, jobs_by_state: {}, oldest_queued_age_ms: null };

/** Worker threads that are there, and those where a run is. */
export type WorkerFigures = { readonly live: number; readonly busy: number };

export type MetricsDeps = {
  readonly catalog: AdapterCatalog;
  readonly clock: Pick<Clock, "now" | "wall">;
  readonly version: string;
  readonly runsInFlight: () => number;
  readonly workers: () => WorkerFigures;
  readonly jobs: () => JobFigures;
  /** 99th percentile of the event loop's lag in milliseconds. */
  readonly loopLag: () => number;
  /** Figures of the process in the Prometheus text; off in tests, which run many services in one process. */
  readonly processFigures: boolean;
};

const BOUNDS_MS = [1, 5, 25, 100, 500, 2500, 10_000];
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

type Counts = Map<string, number>;

export class Metrics {
  readonly #deps: MetricsDeps;
  readonly #registry = new Registry();
  readonly #startedAt: number;
  readonly #startedWall: number;
  readonly #durations = new Ring();
  readonly #rate = new MinuteRate();
  readonly #callTimes = new Map<string, Ring>();
  readonly #outcomes: Counts = new Map();
  readonly #calls: Counts = new Map();
  readonly #blocks: Counts = new Map();
  readonly #rejections: Counts = new Map();
  readonly #requests: Counts = new Map();
  readonly #buckets = new Array<number>(BOUNDS_MS.length + 1).fill(0);
  #cacheHits = 0;
  #cacheMisses = 0;
  #compileErrors = 0;
  readonly #series;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#startedWall = deps.clock.wall();
    this.#series = seriesOf(this.#registry, deps);
    if (deps.processFigures) collectDefaultMetrics({ register: this.#registry });
  }

  /** A run that began is over; `outcome`: `ok` or the error code. */
  runEnded(outcome: string, durationMs: number): void {
    count(this.#outcomes, outcome);
    this.#durations.add(durationMs);
    this.#rate.add(this.#deps.clock.now());
    const bucket = BOUNDS_MS.findIndex((bound) => durationMs <= bound);
    const at = bucket < 0 ? BOUNDS_MS.length : bucket;
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1;
    this.#series.runs.inc({ outcome });
    this.#series.runDuration.observe(durationMs / 1000);
  }

  /** A run that did not begin. */
  runRefused(error: string): void {
    count(this.#outcomes, error);
    if (error === "compile_error") this.#compileErrors += 1;
    this.#series.runs.inc({ outcome: error });
  }

  policyRejected(codes: readonly string[]): void {
    for (const code of codes) {
      count(this.#rejections, code);
      this.#series.rejections.inc({ code });
    }
  }

  adapterCall({ adapter: word, verb: spelled, status, duration_ms, code }: CallEvent): void {
    const entry = findAdapter(this.#deps.catalog, word);
    const adapter = entry?.name ?? "other";
    const verb = (entry === undefined ? undefined : findVerb(entry, spelled)?.name) ?? "other";
    if (status === "denied" && code === "RUNTIME_ADAPTER_NOT_ALLOWED") count(this.#blocks, adapter);
    count(this.#calls, adapter);
    let times = this.#callTimes.get(adapter);
    if (times === undefined) {
      times = new Ring();
      this.#callTimes.set(adapter, times);
    }
    times.add(duration_ms);
    this.#series.calls.inc({ adapter, verb, status });
    this.#series.callDuration.observe({ adapter }, duration_ms / 1000);
  }

  compiled(hit: boolean, durationMs: number): void {
    if (hit) this.#cacheHits += 1;
    else this.#cacheMisses += 1;
    this.#series.cache.inc({ result: hit ? "hit" : "miss" });
    if (!hit) this.#series.compileDuration.observe(durationMs / 1000);
  }

  /** A job was started `waitMs` after it was queued. */
  jobStarted(waitMs: number): void {
    this.#series.queueWait.observe(waitMs / 1000);
  }

  /** A job came to a new state other than `running`. */
  jobMoved(state: string): void {
    this.#series.jobs.inc({ state });
  }

  /** `route`: the pattern, never the path. */
  httpRequest(method: string, route: string, status: number): void {
    count(this.#requests, `${method} ${route} ${status}`);
    this.#series.requests.inc({ route, method, status: String(status) });
  }

  document() {
    const { clock, jobs, loopLag, runsInFlight, workers } = this.#deps;
    const figures = jobs();
    const { live, busy } = workers();
    const total = sum(this.#outcomes);
    const ok = this.#outcomes.get("ok") ?? 0;
    const failures = new Map(this.#outcomes);
    failures.delete("ok");
    return {
      runs_total: total,
      runs_ok_total: ok,
      failures_total: total - ok,
      runs_per_sec_est: this.#rate.perSecond(clock.now()),
      p95_duration_ms: this.#durations.p95(),
      adapter_calls_total: sum(this.#calls),
      adapter_counts: Object.fromEntries(this.#calls),
      adapter_p95_duration_ms: Object.fromEntries([...this.#callTimes].map(([name, times]) => [name, times.p95()])),
      compile_cache_hits: this.#cacheHits,
      compile_cache_misses: this.#cacheMisses,
      queue_depth: figures.queue_depth,
      adapter_capability_blocks_total: sum(this.#blocks),
      adapter_capability_blocks_by_adapter: Object.fromEntries(this.#blocks),
      uptime_s: thousandths((clock.now() - this.#startedAt) / 1000),
      started_at: new Date(this.#startedWall).toISOString(),
      runs_in_flight: runsInFlight(),
      workers: live,
      workers_busy: busy,
      compile_errors_total: this.#compileErrors,
      cancelled_total: this.#outcomes.get("cancelled") ?? 0,
      policy_rejections_total: Object.fromEntries(this.#rejections),
      failures_by_error: Object.fromEntries(failures),
      jobs_by_state: figures.jobs_by_state,
      oldest_queued_age_ms: figures.oldest_queued_age_ms,
      http_requests_total: Object.fromEntries(this.#requests),
      run_duration_ms_histogram: { le: BOUNDS_MS, counts: [...this.#buckets] },
      memory_rss_bytes: process.memoryUsage.rss(),
      event_loop_lag_ms_p99: thousandths(loopLag()),
    };
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

function seriesOf(registry: Registry, { version, runsInFlight, workers, jobs }: MetricsDeps) {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge("wf_queue_depth", "Jobs that wait", () => jobs().queue_depth);
  gauge("wf_runs_in_flight", "Runs under way", runsInFlight);
  gauge("wf_workers", "Worker threads", () => workers().live);
  gauge("wf_workers_busy", "Worker threads where a run is", () => workers().busy);
  new Gauge({ name: "wf_build_info", help: "Version of the service", labelNames: ["version"], registers }).set(
    { version },
    1,
  );
  return {
    runs: new Counter({ name: "wf_runs_total", help: "Runs by outcome", labelNames: ["outcome"], registers }),
    calls: new Counter({
      name: "wf_adapter_calls_total",
      help: "Adapter calls",
      labelNames: ["adapter", "verb", "status"],
      registers,
    }),
    rejections: new Counter({
      name: "wf_policy_rejections_total",
      help: "Policy violations by code",
      labelNames: ["code"],
      registers,
    }),
    requests: new Counter({
      name: "wf_http_requests_total",
      help: "Answered requests",
      labelNames: ["route", "method", "status"],
      registers,
    }),
    cache: new Counter({
      name: "wf_compile_cache_total",
      help: "Compiles by cache result",
      labelNames: ["result"],
      registers,
    }),
    jobs: new Counter({
      name: "wf_jobs_total",
      help: "Jobs by the state they came to",
      labelNames: ["state"],
      registers,
    }),
    queueWait: new Histogram({
      name: "wf_queue_wait_seconds",
      help: "Time of jobs in the queue",
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    runDuration: new Histogram({
      name: "wf_run_duration_seconds",
      help: "Duration of runs",
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    compileDuration: new Histogram({
      name: "wf_compile_duration_seconds",
      help: "Duration of compiles that the cache did not answer",
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    callDuration: new Histogram({
      name: "wf_adapter_call_duration_seconds",
      help: "Duration of adapter calls",
      labelNames: ["adapter"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
  };
}

function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sum(counts: Counts): number {
  let total = 0;
  for (const value of counts.values()) total += value;
  return total;
}
