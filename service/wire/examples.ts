/**
 * Examples of the OpenAPI document, one at least for every body that is sent or answered. Tests hold them against the schemas, send the
 * requests to a running service, and compare the answers with the real ones, member by member.
 */

const CODE = "def main(a: float):\n    return a * 2\n";
const TRACE_ID = "6f0c1d7e4b2a49d08c35a1b2c3d4e5f6";
const JOB_ID = "01980c1e-7a3b-7c4d-8e5f-0123456789ab";
const TIMES = {
  queued_at: "2030-01-01T00:00:00.000Z",
  started_at: "2030-01-01T00:00:00.004Z",
  finished_at: "2030-01-01T00:00:00.006Z",
};
const LIMITS = { max_steps: 100, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 };
const USAGE = { steps: 2, depth: 1, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };
const NOTHING_USED = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };

const request = { code: CODE, frame: { a: 21 }, limits: { max_steps: 100 } };

const ran = {
  ok: true,
  trace_id: TRACE_ID,
  label: "main",
  out: 42,
  runtime_version: "1.0.0",
  ir_version: "1.2",
  duration_ms: 1.284,
  adapter_p95_ms: {},
  usage: USAGE,
  limits: LIMITS,
  stats: { compile_ms: 0.9, run_ms: 0.2, cache_hit: false, checksum: "sha256:2f6b…" },
  warnings: [],
};

const refused = {
  ok: false,
  trace_id: TRACE_ID,
  error: "invalid_request",
  message: "1 problem in the request body",
  issues: [{ path: "", code: "exclusive", message: "give exactly one of code, ir and program" }],
};

const span = { file: null, line: 2, column: 12, end_line: 2, end_column: 17, start: 31, end: 36 };
const notCompiled = {
  ok: false,
  trace_id: TRACE_ID,
  error: "compile_error",
  message: "1 error in the program",
  diagnostics: [
    {
      code: "WF6001",
      name: "undefined_name",
      severity: "error",
      message: "nothing defines 'ghost'",
      line: 2,
      column: 12,
      span,
      label_id: null,
      node_id: null,
      expected: [],
      suggestion: "set it before it is read, or give it as a parameter; a text needs quotes",
      fix: null,
      related: [],
    },
  ],
};

const violating = {
  ok: false,
  trace_id: TRACE_ID,
  error: "policy_violation",
  message: "1 policy violation: privilege tier 'network' at label main node n1",
  policy_errors: [
    {
      code: "POLICY_PRIVILEGE_TIER_FORBIDDEN",
      message: "Privilege tier 'network' is forbidden by policy",
      data: {
        label_id: "main",
        node_id: "n1",
        adapter: "http",
        verb: "Get",
        privilege_tier: "network",
        lineno: 2,
        rule: { member: "forbidden_privilege_tiers", value: "network", source: "request" },
      },
    },
  ],
  usage: NOTHING_USED,
  limits: LIMITS,
};

const failed = {
  ok: false,
  trace_id: TRACE_ID,
  error: "max_steps_exceeded",
  message: "max_steps exceeded (limit 1) at main, line 2",
  error_structured: {
    code: "RUNTIME_MAX_STEPS",
    message: "max_steps exceeded (limit 1)",
    label: "main",
    node: "n1",
    op: "Py",
    line: 2,
    step_index: 1,
    stack: ["main"],
    data: { meter: "max_steps", limit: 1, used: 1, source: "request", cause_type: "limit", retryable: false },
  },
  label: "main",
  runtime_version: "1.0.0",
  ir_version: "1.2",
  duration_ms: 0.4,
  adapter_p95_ms: {},
  usage: { ...USAGE, steps: 1 },
  limits: { ...LIMITS, max_steps: 1 },
  warnings: [],
};

const problem = {
  ...refused,
  type: "about:blank#invalid_request",
  title: "The request is not valid",
  status: 400,
  detail: refused.message,
  instance: `urn:trace:${TRACE_ID}`,
};

const accepted = {
  ok: true,
  job_id: JOB_ID,
  id: JOB_ID,
  status: "queued",
  trace_id: TRACE_ID,
  position: 0,
  queued_at: TIMES.queued_at,
  warnings: [],
};

const acceptedInBulk = {
  ok: true,
  count: 2,
  job_ids: [JOB_ID, JOB_ID.replace(/.$/, "f")],
  status: "queued",
  trace_id: TRACE_ID,
  position: 0,
  queued_at: TIMES.queued_at,
  warnings: [],
};

const listed = {
  job_id: JOB_ID,
  status: "succeeded",
  trace_id: TRACE_ID,
  label: "main",
  attempt: 1,
  ...TIMES,
  duration_ms: 5,
};
const job = { ...listed, checksum: `sha256:${"0".repeat(64)}`, expires_at: "2030-01-02T00:00:00.006Z", result: ran };

const events = `: weft

id: 1
event: status
data: {"job_id":"${JOB_ID}","status":"queued","attempt":0,"ts":"${TIMES.queued_at}"}

`;

const feed = `: weft

event: job
data: {"job_id":"${JOB_ID}","status":"running","name":null,"at":"${TIMES.queued_at}"}

event: skipped
data: {"skipped":12}

`;

const line = { index: 0, ok: true, out: 42, usage: USAGE, duration_ms: 0.03 };
const totals = { ok: true, trace_id: TRACE_ID, count: 1, succeeded: 1, failed: 0 };

const capabilities = {
  schema_version: "1.0",
  runtime_version: "1.0.0",
  policy_support: true,
  adapters: {
    wasm: {
      support_tier: "core",
      verbs: ["CALL", "JSON", "LIST"],
      effect_default: "pure",
      recommended_lane: "canonical",
      privilege_tier: "pure",
      destructive: false,
      network_facing: false,
      sandbox_safe: true,
      available: true,
      enabled_by_default: false,
      allowed: true,
      settings: { modules: { type: "map", kind: "operator" } },
      verb_effects: { CALL: "pure", JSON: "pure", LIST: "pure" },
    },
  },
  limits: LIMITS,
  profile: null,
  ir_versions: ["1.0", "1.1", "1.2"],
  tier: "generated",
  features: ["jobs", "cancel", "events", "wait", "batch", "idempotency", "replay", "prometheus", "openapi"],
  time_zone_data: "2025b",
};

const metrics = {
  runs_total: 10,
  runs_ok_total: 8,
  failures_total: 2,
  runs_per_sec_est: 0.167,
  p95_duration_ms: 4.1,
  adapter_calls_total: 31,
  adapter_counts: { core: 31 },
  adapter_p95_duration_ms: { core: 0.02 },
  compile_cache_hits: 7,
  compile_cache_misses: 3,
  queue_depth: 0,
  adapter_capability_blocks_total: 1,
  adapter_capability_blocks_by_adapter: { http: 1 },
  uptime_s: 60.2,
  started_at: "2030-01-01T00:00:00.000Z",
  runs_in_flight: 0,
  workers: 1,
  workers_busy: 0,
  compile_errors_total: 1,
  cancelled_total: 0,
  policy_rejections_total: { POLICY_ADAPTER_FORBIDDEN: 1 },
  failures_by_error: { compile_error: 1, policy_violation: 1 },
  jobs_by_state: { succeeded: 4 },
  oldest_queued_age_ms: null,
  open_approvals: 1,
  oldest_approval_age_ms: 90_000,
  schedules_refused_total: 0,
  signals_kept: 0,
  signals_kept_bytes: 0,
  http_requests_total: { "POST /run 200": 8 },
  run_duration_ms_histogram: { le: [1, 5, 25, 100, 500, 2500, 10_000], counts: [5, 3, 0, 0, 0, 0, 0, 0] },
  llm: null,
  dropped_logs_total: 0,
  memory_rss_bytes: 90_000_000,
  event_loop_lag_ms_p99: 1.1,
  journal_commit_ms_p95: 2.4,
  wake_lag_ms_p95: 3.1,
};

const summary = {
  task_id: JOB_ID,
  status: "ok",
  summary: "ok: main gave 42",
  result: ran,
  trace_id: TRACE_ID,
  policy_errors: [],
  artifacts: [],
  review_hint: null,
};

/** By the name of their component, or what they are. */
export const EXAMPLES = {
  RunRequest: [request],
  RunSuccess: [ran],
  ErrorBody: [refused, notCompiled, violating, failed],
  ProblemBody: [problem],
  EnqueueRequest: [{ ...request, retry: true, keep_s: 3600 }],
  RetryRequest: [{ from: "start" }, { from: "failure" }, { current: true }],
  RetryRehearsed: [
    {
      ok: true,
      job_id: JOB_ID,
      dry_run: true,
      records: 12,
      next: { label: "L1", node: "n3", adapter: "http", verb: "POST" },
      warnings: [],
    },
  ],
  BulkEnqueueRequest: [{ code: CODE, limits: { max_steps: 100 }, frames: [{ a: 21 }, { a: 34 }], keep_s: 3600 }],
  JobAccepted: [accepted],
  JobsAccepted: [acceptedInBulk],
  Job: [job],
  ResultSummary: [summary],
  ResultsRequest: [{ job_ids: [JOB_ID], wait_s: 30 }],
  JobResults: [{ results: [{ job_id: JOB_ID, status: "succeeded", duration_ms: 2, result: ran }] }],
  JobChanged: [{ job_id: JOB_ID, status: "cancelling" }],
  BulkAction: [{ status: "failed,timed_out", program: "digest", limit: 100, dry_run: true }],
  BulkRetry: [{ dead: "1", program: "digest", current: true }],
  BulkDone: [{ ok: true, count: 1, job_ids: [JOB_ID], left: [], more: false, dry_run: true }],
  RecentRunList: [{ runs: [] }],
  JobList: [{ jobs: [listed], next_cursor: null }],
  events: [events],
  feed: [feed],
  BatchHead: [{ code: CODE, limits: { max_steps: 100 } }],
  BatchRequest: [{ code: CODE, limits: { max_steps: 100 }, frames: [{ a: 21 }] }],
  BatchLine: [line],
  BatchRow: [{ ok: true, out: 7 }],
  BatchAnswer: [{ ...totals, results: [line] }],
  batchSummary: [{ summary: true, ...totals, duration_ms: 1.9, adapter_p95_ms: { core: 0.01 } }],
  Capabilities: [capabilities],
  health: [{ status: "ok", uptime_s: 12.3 }],
  ready: [{ status: "ready", queue: "durable", workers: 1 }],
  notReady: [{ status: "draining", reason: "the service is shutting down" }],
  index: [{ name: "weft", runtime_version: "1.0.0", endpoints: [{ method: "POST", path: "/run" }] }],
  Metrics: [metrics],
  metricsText: ['# TYPE wf_runs_total counter\nwf_runs_total{outcome="ok"} 8\n'],
  openapi: [{ openapi: "3.1.0" }],
};
