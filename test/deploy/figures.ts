/**
 * The Grafana dashboard and the Prometheus alerts, made from the metrics that the service registers, so that neither can name a
 * series that does not exist or forget one that does.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

/** A metric as the registry describes it. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
};

type Alert = {
  readonly alert: string;
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  readonly severity: "critical" | "warning";
  readonly summary: string;
  /** What an operator does about it, in a sentence; docs/runbook.md has the commands. */
  readonly action: string;
};

/** What deserves a look before a user complains. */
export const ALERTS: readonly Alert[] = [
  {
    alert: "WeftDown",
    expr: 'up{job="weft"} == 0',
    for: "1m",
    severity: "critical",
    summary: "{{ $labels.instance }} does not answer",
    action: "Look at the log of the pod or unit. Exit code 2 means that its configuration is wrong.",
  },
  {
    alert: "WeftRefusesRequests",
    expr: 'sum by (instance) (rate(wf_http_requests_total{status="503"}[5m])) > 0.1',
    for: "5m",
    severity: "warning",
    summary: "{{ $labels.instance }} refuses requests because it is full or draining",
    action: "Add replicas, or raise the limits of runs and queue if processor and memory allow it.",
  },
  {
    alert: "WeftQueueWaits",
    expr: "histogram_quantile(0.95, sum by (le) (rate(wf_queue_wait_seconds_bucket[10m]))) > 60",
    for: "10m",
    severity: "warning",
    summary: "one job of twenty waits longer than a minute",
    action: "Add replicas, or look for a program that takes the queue for itself: wf jobs list.",
  },
  {
    alert: "WeftRunsFail",
    expr: 'sum(rate(wf_runs_total{outcome!="ok"}[10m])) / sum(rate(wf_runs_total[10m])) > 0.1',
    for: "15m",
    severity: "warning",
    summary: "more than a tenth of the runs fail",
    action: "failures_by_error in GET /metrics tells why, wf jobs list --status error which.",
  },
  {
    alert: "WeftPolicyRejections",
    expr: "sum(rate(wf_policy_rejections_total[10m])) > 0.1",
    for: "10m",
    severity: "warning",
    summary: "callers ask for more than they may",
    action: "The log events of the refusals name the caller's address and what was asked for.",
  },
  {
    alert: "WeftWorkersBusy",
    expr: "wf_workers_busy >= wf_workers and wf_workers > 0",
    for: "10m",
    severity: "warning",
    summary: "all worker threads of {{ $labels.instance }} have been busy for ten minutes",
    action: "Raise WF_WORKER_THREADS if there are cores, or add replicas.",
  },
  {
    alert: "WeftEventLoopLags",
    expr: "nodejs_eventloop_lag_p99_seconds > 0.25",
    for: "5m",
    severity: "warning",
    summary: "the thread of {{ $labels.instance }} is held for longer than a quarter of a second",
    action: "Look for long runs in wf_run_duration_seconds, and give the container more processor.",
  },
  {
    alert: "WeftLogsDropped",
    expr: "increase(wf_dropped_logs_total[10m]) > 0",
    for: "0m",
    severity: "warning",
    summary: "{{ $labels.instance }} drops log lines, so the audit trail has gaps",
    action: "Whatever reads standard output is too slow.",
  },
  {
    alert: "WeftSchedulesLate",
    expr: "histogram_quantile(0.95, sum by (le) (rate(wf_schedule_lag_seconds_bucket[30m]))) > 60",
    for: "10m",
    severity: "warning",
    summary: "one schedule of twenty fires more than a minute late",
    action: "Look at the load of the service and of the store of jobs.",
  },
  {
    alert: "WeftSchedulesMissed",
    expr: "sum(increase(wf_schedule_missed_total[1h])) > 0",
    for: "0m",
    severity: "warning",
    summary: "a time of a schedule passed without a job",
    action: "The log event schedule_missed names the schedule, the time and why. Queue the job: wf schedule backfill.",
  },
  {
    alert: "WeftSchedulesRefused",
    expr: "sum(increase(wf_schedule_refused_total[1h])) > 0",
    for: "0m",
    severity: "warning",
    summary: "a schedule fired, and its job was refused",
    action:
      "GET /schedules/ID says why in its fires. Deploy a version whose schedule gives what its function takes, or change the grant.",
  },
  {
    alert: "WeftJobsRejected",
    expr: 'sum(increase(wf_jobs_total{state="rejected"}[1h])) > 0',
    for: "0m",
    severity: "warning",
    summary: "jobs are refused when they begin; a schedule pauses itself after five of them",
    action: "GET /ready names the programs and schedules. Change the grant, or deploy a version that it admits.",
  },
  {
    alert: "WeftApprovalsWait",
    expr: "max(wf_oldest_approval_age_seconds) > 86400",
    for: "0m",
    severity: "warning",
    summary: "a question to people has been open for more than 24 hours",
    action: "Decide those that are old, or ask somebody else: wf approve.",
  },
  {
    alert: "WeftOutcomesUnknown",
    expr: "sum by (adapter, verb) (increase(wf_outcomes_unknown_total[1h])) > 0",
    for: "0m",
    severity: "warning",
    summary: "a call of {{ $labels.adapter }}.{{ $labels.verb }} was cut off, and may have happened",
    action:
      "Look at the other side, and say what happened where a job waits for that: wf jobs list --waits-for outcome.",
  },
  {
    alert: "WeftWakesLate",
    expr: "histogram_quantile(0.95, sum by (le) (rate(wf_wake_lag_seconds_bucket[10m]))) > 30",
    for: "10m",
    severity: "warning",
    summary: "one durable job of twenty is woken more than 30 seconds late",
    action: "Look at the store of jobs: its disk, or the load of its database.",
  },
  {
    alert: "WeftStoreGrows",
    expr: "max(wf_store_bytes) > 1e9 and max(wf_store_bytes) > 1.5 * max(wf_store_bytes offset 1d)",
    for: "1h",
    severity: "warning",
    summary: "the store of jobs is above 1 GB, and half as large again as a day ago",
    action: "Keep results for a shorter time, or make room on the disk.",
  },
  {
    alert: "WeftStoreHollow",
    expr: "max(wf_store_bytes) > 1e9 and max(wf_store_free_bytes) > 0.5 * max(wf_store_bytes)",
    for: "6h",
    severity: "warning",
    summary: "more than half of the store of jobs belongs to rows that were deleted",
    action: "On PostgreSQL let autovacuum run more often; a file of SQLite uses the room for new rows.",
  },
  {
    alert: "WeftDeadLetters",
    expr: "max(wf_dead_letters) > 0",
    for: "1h",
    severity: "warning",
    summary: "jobs failed, and were neither retried nor discarded for an hour",
    action: "wf dead-letters shows them by program and reason, retries and discards them.",
  },
];

/** Where the sections of docs/runbook.md are read, by the repository that the package names. */
function runbookUrl(alert: string): string {
  const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  const page: string = repository.url.replace(/^git\+|\.git$/gu, "");
  return `${page}/blob/main/docs/runbook.md#${alert.toLowerCase()}`;
}

export function alertRules(): string {
  const rules = ALERTS.map(({ alert, expr, for: during, severity, summary, action }) => ({
    alert,
    expr,
    for: during,
    labels: { severity },
    annotations: { summary, action, runbook_url: runbookUrl(alert) },
  }));
  const text = stringify({ groups: [{ name: "weft", rules }] }, { lineWidth: 0 });
  return `# Generated from test/deploy/figures.ts: WEFT_DOCS=write npx vitest run test/deploy\n${text}`;
}

const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;

/** One panel for each metric of the service, in the order in which the registry has them. */
export function dashboard(metrics: readonly Metric[]): string {
  const panels = metrics
    .filter(({ name }) => name !== "wf_build_info")
    .map((metric, at) => ({
      id: at + 1,
      type: "timeseries",
      title: metric.help,
      description: metric.name,
      datasource: { type: "prometheus", uid: "prometheus" },
      gridPos: { h: HEIGHT, w: WIDTH, x: (at % COLUMNS) * WIDTH, y: Math.floor(at / COLUMNS) * HEIGHT },
      fieldConfig: { defaults: { unit: unitOf(metric), min: 0 }, overrides: [] },
      options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
      targets: targetsOf(metric).map((target, place) => ({ refId: String.fromCharCode(65 + place), ...target })),
    }));
  const document = {
    uid: "weft",
    title: "Weft",
    tags: ["weft"],
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: {
      list: [
        {
          name: "instance",
          type: "query",
          datasource: { type: "prometheus", uid: "prometheus" },
          query: "label_values(wf_build_info, instance)",
          refresh: 2,
          multi: true,
          includeAll: true,
          current: { text: "All", value: "$__all" },
        },
      ],
    },
    panels,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const CHOSEN = 'instance=~"$instance"';

function targetsOf({ name, type, labels }: Metric): { expr: string; legendFormat: string }[] {
  if (type === "gauge") return [{ expr: `${name}{${CHOSEN}}`, legendFormat: "{{instance}}" }];
  if (type === "counter") {
    const by = labels.length === 0 ? ["instance"] : labels;
    const legendFormat = by.map((label) => `{{${label}}}`).join(" ");
    return [{ expr: `sum by (${by.join(", ")}) (rate(${name}{${CHOSEN}}[$__rate_interval]))`, legendFormat }];
  }
  const by = ["le", ...labels].join(", ");
  return [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${by}) (rate(${name}_bucket{${CHOSEN}}[$__rate_interval])))`,
    legendFormat: [`p${quantile * 100}`, ...labels.map((label) => `{{${label}}}`)].join(" "),
  }));
}

function unitOf({ name, type }: Metric): string {
  if (type === "counter") return "cps";
  return name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "bytes" : "short";
}
