/** What the service counts, as one JSON document and as Prometheus text. Label values come from tables of ours: no program makes a series. */

import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";
import { type AdapterCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import type { CallEvent, Clock } from "../../vm/run.ts";
import { addedModelUsage, type ModelFigures, type ModelUsage } from "../../vm/usage.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { EventFigures } from "../events/figures.ts";
import { ScheduleFigures } from "../schedules/figures.ts";
import { type Counts, count, labelled, sum } from "./counts.ts";
import { MinuteRate, Ring } from "./rolling-figures.ts";
import { talliedHistogram } from "./tallied-histogram.ts";

/** Figures of the job queue. */
export type JobFigures = {
  readonly queue_depth: number;
  readonly jobs_by_state: { readonly [state: string]: number };
  readonly oldest_queued_age_ms: number | null;
  readonly held?: number;
  readonly dead_letters?: number;
  /** Questions that wait for people; signals under keys, with the bytes of their data; bytes of the store. Absent: it has none. */
  readonly open_approvals?: number;
  /** Of the question that has been open the longest; null: none is. */
  readonly oldest_approval_age_ms?: number | null;
  readonly kept_signals?: { readonly signals: number; readonly bytes: number };
  readonly store_bytes?: { readonly all: number; readonly free: number };
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
  /** Log lines that a slow reader made the service drop. */
  readonly droppedLogs: () => number;
  /** 99th percentile of the event loop's lag in milliseconds. */
  readonly loopLag: () => number;
  /** Figures of the process in the Prometheus text; off in tests, which run many services in one process. */
  readonly processFigures: boolean;
};

const BOUNDS_MS = [1, 5, 25, 100, 500, 2500, 10_000];
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class Metrics {
  readonly #deps: MetricsDeps;
  readonly #registry = new Registry();
  readonly programEvents = new EventFigures(this.#registry);
  readonly schedules: ScheduleFigures;
  readonly #startedAt: number;
  readonly #startedWall: number;
  readonly #durations = new Ring();
  readonly #commits = new Ring();
  readonly #wakes = new Ring();
  readonly #rate = new MinuteRate();
  readonly #callTimes = new Map<string, Ring>();
  readonly #outcomes: Counts = new Map();
  readonly #calls: Counts = new Map();
  readonly #blocks: Counts = new Map();
  readonly #rejections: Counts = new Map();
  readonly #requests: Counts = new Map();
  /** Nearly always what is counted next: its name need not be put together and hashed anew. */
  #lastRequest = { method: "", route: "", status: 0, name: "" };
  readonly #callsByStatus: Counts = new Map();
  readonly #jobMoves: Counts = new Map();
  readonly #channelRuns: Counts = new Map();
  readonly #unknownOutcomes: Counts = new Map();
  readonly #notices: Counts = new Map();
  #models: ModelUsage | undefined;
  readonly #compiles: Counts = new Map();
  readonly #buckets = new Array<number>(BOUNDS_MS.length + 1).fill(0);
  #compileErrors = 0;
  readonly #series;

  constructor(deps: MetricsDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#startedWall = deps.clock.wall();
    this.#series = seriesOf(this.#registry, deps);
    this.schedules = new ScheduleFigures(this.#registry, SECONDS_BUCKETS);
    this.#registerCounters();
    if (deps.processFigures) collectDefaultMetrics({ register: this.#registry });
  }

  /** A run that began is over; `outcome`: `ok` or the error code. `now`: the clock's time, for a caller that has read it already. */
  runEnded(outcome: string, durationMs: number, now = this.#deps.clock.now()): void {
    count(this.#outcomes, outcome);
    this.#durations.add(durationMs);
    this.#rate.add(now);
    let at = 0;
    while (at < BOUNDS_MS.length && durationMs > (BOUNDS_MS[at] as number)) at += 1;
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1;
    this.#series.runDuration.observe(durationMs / 1000);
  }

  /** A run that did not begin. */
  runRefused(error: string): void {
    count(this.#outcomes, error);
    if (error === "compile_error") this.#compileErrors += 1;
  }

  policyRejected(codes: readonly string[]): void {
    for (const code of codes) count(this.#rejections, code);
  }

  adapterCall({ adapter: word, verb: spelled, status, duration_ms, code }: CallEvent): void {
    const name = this.#nameOf(word, spelled);
    const adapter = name.slice(0, name.indexOf(" "));
    if (status === "denied" && code === "RUNTIME_ADAPTER_NOT_ALLOWED") count(this.#blocks, adapter);
    count(this.#calls, adapter);
    let times = this.#callTimes.get(adapter);
    if (times === undefined) {
      times = new Ring();
      this.#callTimes.set(adapter, times);
    }
    times.add(duration_ms);
    count(this.#callsByStatus, `${name} ${status}`);
    this.#series.callDuration.observe({ adapter }, duration_ms / 1000);
  }

  /** Adapter and verb as the catalog names them. */
  #nameOf(word: string, spelled: string): string {
    const entry = findAdapter(this.#deps.catalog, word);
    if (entry === undefined) return "other other";
    return `${entry.name} ${findVerb(entry, spelled)?.name ?? "other"}`;
  }

  /** What a run, or a batch, asked of language models. Their names are the operator's. */
  modelsAsked(usage: ModelUsage | undefined): void {
    if (usage !== undefined) this.#models = addedModelUsage(this.#models, usage);
  }

  compiled(hit: boolean, durationMs: number): void {
    count(this.#compiles, hit ? "hit" : "miss");
    if (!hit) this.#series.compileDuration.observe(durationMs / 1000);
  }

  /** A job was started `waitMs` after it was queued. */
  jobStarted(waitMs: number): void {
    this.#series.queueWait.observe(waitMs / 1000);
  }

  /** Records of a journal are durable, `ms` after they were given to the store. */
  journalCommitted(records: number, ms: number): void {
    this.#series.journalRecords.inc(records);
    this.#series.journalCommit.observe(ms / 1000);
    this.#commits.add(ms);
  }

  /** A durable run is where it was, `ms` after it was taken up. */
  runResumed(ms: number): void {
    this.#series.resume.observe(ms / 1000);
  }

  /** It is unknown whether a call had its effect. */
  notice(outcome: "sent" | "retried" | "failed"): void {
    count(this.#notices, outcome);
  }

  outcomeUnknown(adapter: string, verb: string): void {
    count(this.#unknownOutcomes, this.#nameOf(adapter, verb));
  }

  /** What a job waited for is there, `ms` after it should be. */
  jobWoken(lagMs: number): void {
    const late = Math.max(0, lagMs);
    this.#series.wakeLag.observe(late / 1000);
    this.#wakes.add(late);
  }

  /** A job came to a new state other than `running`. */
  jobMoved(state: string): void {
    count(this.#jobMoves, state);
  }

  /** A run of a version next to another one ended. `channel`: `current` or `next`. */
  channelRun(channel: string, outcome: string): void {
    count(this.#channelRuns, `${channel} ${outcome}`);
  }

  /** `route`: the pattern, never the path. */
  httpRequest(method: string, route: string, status: number): void {
    const last = this.#lastRequest;
    const isSame = last.status === status && last.route === route && last.method === method;
    if (!isSame) this.#lastRequest = { method, route, status, name: `${method} ${route} ${status}` };
    count(this.#requests, this.#lastRequest.name);
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
      compile_cache_hits: this.#compiles.get("hit") ?? 0,
      compile_cache_misses: this.#compiles.get("miss") ?? 0,
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
      open_approvals: figures.open_approvals ?? 0,
      oldest_approval_age_ms: figures.oldest_approval_age_ms ?? null,
      schedules_refused_total: this.schedules.refusedTotal,
      signals_kept: figures.kept_signals?.signals ?? 0,
      signals_kept_bytes: figures.kept_signals?.bytes ?? 0,
      http_requests_total: Object.fromEntries(this.#requests),
      run_duration_ms_histogram: { le: BOUNDS_MS, counts: [...this.#buckets] },
      llm: this.#models ?? null,
      dropped_logs_total: this.#deps.droppedLogs(),
      memory_rss_bytes: process.memoryUsage.rss(),
      event_loop_lag_ms_p99: thousandths(loopLag()),
      journal_commit_ms_p95: this.#commits.isEmpty ? null : this.#commits.p95(),
      wake_lag_ms_p95: this.#wakes.isEmpty ? null : this.#wakes.p95(),
    };
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Every metric with its values, as the registry describes them. */
  registered(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Counters are copied to the registry when it is read: updating it each time would cost more than a short run. */
  #registerCounters(): void {
    const registers = [this.#registry];
    const counter = (name: string, help: string, labelNames: readonly string[], counts: Counts): void => {
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [values, total] of counts) this.inc(labelled(labelNames, values), total);
        },
      });
    };
    counter("wf_runs_total", "Runs by outcome", ["outcome"], this.#outcomes);
    counter("wf_adapter_calls_total", "Adapter calls", ["adapter", "verb", "status"], this.#callsByStatus);
    counter("wf_policy_rejections_total", "Policy violations by code", ["code"], this.#rejections);
    counter("wf_http_requests_total", "Answered requests", ["method", "route", "status"], this.#requests);
    counter("wf_compile_cache_total", "Compiles by cache result", ["result"], this.#compiles);
    counter("wf_notices_total", "Notices of what went wrong", ["outcome"], this.#notices);
    counter("wf_outcomes_unknown_total", "Calls of unknown outcome", ["adapter", "verb"], this.#unknownOutcomes);
    counter(
      "wf_channel_runs_total",
      "Runs of deployments with two versions",
      ["channel", "outcome"],
      this.#channelRuns,
    );
    counter("wf_jobs_total", "Jobs by the state they came to", ["state"], this.#jobMoves);
    const models = (): Readonly<Record<string, ModelFigures>> => this.#models?.models ?? {};
    modelCounter(registers, "wf_llm_calls_total", "Requests to language models", models, ({ calls }) => ({ calls }));
    modelCounter(registers, "wf_llm_tokens_total", "Tokens of language models", models, (figures) => ({
      input: figures.input_tokens,
      output: figures.output_tokens,
    }));
    modelCounter(registers, "wf_llm_cost_total", "Cost of language models", models, ({ cost }) => ({ cost }));
  }
}

/** By model; several `figures` get a label `direction`. */
function modelCounter(
  registers: Registry[],
  name: string,
  help: string,
  models: () => Readonly<Record<string, ModelFigures>>,
  figures: (of: ModelFigures) => Readonly<Record<string, number>>,
): void {
  const isDirected = Object.keys(figures({ calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 })).length > 1;
  new Counter({
    name,
    help,
    labelNames: isDirected ? ["model", "direction"] : ["model"],
    registers,
    collect() {
      this.reset();
      for (const [model, of] of Object.entries(models()))
        for (const [direction, total] of Object.entries(figures(of)))
          this.inc(isDirected ? { model, direction } : { model }, total);
    },
  });
}

function seriesOf(registry: Registry, { version, runsInFlight, workers, jobs, droppedLogs }: MetricsDeps) {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): Gauge => {
    const collect = (): void => made.set(read());
    const made: Gauge = new Gauge({ name, help, registers, collect });
    return made;
  };
  const seconds = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: SECONDS_BUCKETS, registers });
  gauge("wf_queue_depth", "Jobs that wait", () => jobs().queue_depth);
  gauge("wf_jobs_held", "Jobs that wait and that rules hold back", () => jobs().held ?? 0);
  gauge("wf_dead_letters", "Jobs that failed and were neither retried nor discarded", () => jobs().dead_letters ?? 0);
  new Gauge({
    name: "wf_jobs_parked",
    help: "Durable jobs that wait",
    labelNames: ["state"],
    registers,
    collect() {
      for (const state of ["waiting", "sleeping"]) this.set({ state }, jobs().jobs_by_state[state] ?? 0);
    },
  });
  gauge("wf_approvals_open", "Questions that wait for people", () => jobs().open_approvals ?? 0);
  const askedFor = () => (jobs().oldest_approval_age_ms ?? 0) / 1000;
  gauge(
    "wf_oldest_approval_age_seconds",
    "Age of the question that has been open the longest, 0 without one",
    askedFor,
  );
  gauge("wf_signals_kept", "Signals under keys that are kept", () => jobs().kept_signals?.signals ?? 0);
  gauge("wf_signals_kept_bytes", "Bytes of data of signals under keys", () => jobs().kept_signals?.bytes ?? 0);
  gauge("wf_store_bytes", "Bytes of the tables of the job store", () => jobs().store_bytes?.all ?? 0);
  gauge("wf_store_free_bytes", "Those of them that hold nothing", () => jobs().store_bytes?.free ?? 0);
  gauge("wf_runs_in_flight", "Runs under way", runsInFlight);
  gauge("wf_workers", "Worker threads", () => workers().live);
  gauge("wf_workers_busy", "Worker threads where a run is", () => workers().busy);
  new Counter({
    name: "wf_dropped_logs_total",
    help: "Log lines dropped because they were not read in time",
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogs());
    },
  });
  new Gauge({ name: "wf_build_info", help: "Version of the service", labelNames: ["version"], registers }).set(
    { version },
    1,
  );
  return {
    queueWait: seconds("wf_queue_wait_seconds", "Time of jobs in the queue"),
    journalRecords: new Counter({
      name: "wf_journal_records_total",
      help: "Records of journals that became durable",
      registers,
    }),
    journalCommit: seconds("wf_journal_commit_seconds", "Time until records of a journal are durable"),
    resume: seconds("wf_resume_seconds", "Time until a durable run is where it was"),
    wakeLag: seconds("wf_wake_lag_seconds", "Time from when a job should be woken until it is in line"),
    runDuration: talliedHistogram(registry, {
      name: "wf_run_duration_seconds",
      help: "Duration of runs",
      buckets: SECONDS_BUCKETS,
    }),
    compileDuration: seconds("wf_compile_duration_seconds", "Duration of compiles that the cache did not answer"),
    callDuration: new Histogram({
      name: "wf_adapter_call_duration_seconds",
      help: "Duration of adapter calls",
      labelNames: ["adapter"],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
  };
}
