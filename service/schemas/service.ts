/** Answers about the service itself. */
import * as z from "zod";
import { PRIVILEGE_TIERS, type PrivilegeTier } from "../../compiler/catalog.ts";
import { anyObject, Limits, Usage } from "../wire/common.ts";
import { EXAMPLES } from "../wire/examples.ts";

export const Health = z.object({ status: z.literal("ok"), uptime_s: z.number() }).meta({ examples: EXAMPLES.health });

export const Ready = z
  .object({
    status: z.literal("ready"),
    queue: z.enum(["memory", "durable", "shared"]),
    workers: z.int(),
    /** What an operator should look at. */
    warnings: z.array(z.string()).optional(),
  })
  .meta({ examples: EXAMPLES.ready });
export const NotReady = z
  .object({ status: z.enum(["starting", "draining", "degraded"]), reason: z.string() })
  .meta({ examples: EXAMPLES.notReady });

export const Index = z
  .object({
    name: z.string(),
    runtime_version: z.string(),
    endpoints: z.array(z.object({ method: z.string(), path: z.string() })),
  })
  .meta({ examples: EXAMPLES.index });
export const MetricsText = z.string().meta({ examples: EXAMPLES.metricsText });
/** This service's own description. */
export const OpenApi = anyObject.meta({ examples: EXAMPLES.openapi });

const tiers = PRIVILEGE_TIERS as [PrivilegeTier, ...PrivilegeTier[]];
const AdapterEntry = z.object({
  support_tier: z.enum(["core", "compatibility", "extension_ecosystem"]),
  verbs: z.array(z.string()),
  effect_default: z.enum(["pure", "io"]),
  recommended_lane: z.enum(["canonical", "noncanonical"]),
  privilege_tier: z.enum(tiers),
  destructive: z.boolean(),
  network_facing: z.boolean(),
  sandbox_safe: z.boolean(),
  available: z.boolean(),
  enabled_by_default: z.boolean(),
  allowed: z.boolean(),
  settings: z.record(z.string(), z.object({ type: z.string(), kind: z.string() })),
  verb_effects: z.record(z.string(), z.string()),
});
export const Capabilities = z
  .object({
    schema_version: z.literal("1.0"),
    runtime_version: z.string(),
    policy_support: z.literal(true),
    adapters: z.record(z.string(), AdapterEntry),
    limits: Limits,
    profile: z.string().nullable(),
    ir_versions: z.array(z.string()),
    tier: z
      .enum(["generated", "none"])
      .describe(
        "Whether programs that run often, and hot functions and loops, become functions made from their bytecode, or everything runs in the loop",
      ),
    features: z.array(z.string()),
    time_zone_data: z.string().nullable().describe("Version of the time zone data that schedules go by, such as 2025b"),
  })
  .meta({ id: "Capabilities", examples: EXAMPLES.Capabilities });

const Counts = z.record(z.string(), z.number());
export const MetricsDocument = z
  .object({
    runs_total: z.int(),
    runs_ok_total: z.int(),
    failures_total: z.int(),
    runs_per_sec_est: z.number(),
    p95_duration_ms: z.number(),
    adapter_calls_total: z.int(),
    adapter_counts: Counts,
    adapter_p95_duration_ms: Counts,
    compile_cache_hits: z.int(),
    compile_cache_misses: z.int(),
    queue_depth: z.int(),
    adapter_capability_blocks_total: z.int(),
    adapter_capability_blocks_by_adapter: Counts,
    uptime_s: z.number(),
    started_at: z.string(),
    runs_in_flight: z.int(),
    workers: z.int(),
    workers_busy: z.int(),
    compile_errors_total: z.int(),
    cancelled_total: z.int(),
    policy_rejections_total: Counts,
    failures_by_error: Counts,
    jobs_by_state: Counts,
    oldest_queued_age_ms: z.number().nullable(),
    /** Questions that wait for people, and how old the oldest of them is; null: none is open. */
    open_approvals: z.int(),
    oldest_approval_age_ms: z.number().nullable(),
    /** Due times of schedules whose job was refused. */
    schedules_refused_total: z.int(),
    signals_kept: z.int(),
    signals_kept_bytes: z.int(),
    http_requests_total: Counts,
    run_duration_ms_histogram: z.object({ le: z.array(z.number()), counts: z.array(z.int()) }),
    llm: Usage.shape.llm.unwrap().nullable(),
    dropped_logs_total: z.int(),
    memory_rss_bytes: z.int(),
    event_loop_lag_ms_p99: z.number(),
    /** Time until records of journals are durable; null: no durable job has written any. */
    journal_commit_ms_p95: z.number().nullable(),
    /** How late jobs that waited are in line again; null: none was woken. */
    wake_lag_ms_p95: z.number().nullable(),
  })
  .meta({ id: "Metrics", examples: EXAMPLES.Metrics });
