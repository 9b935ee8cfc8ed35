/**
 * The environment of the runner service, read once through one schema at start: what is listed here, and the variables common to all
 * surfaces (`adapters/operator/host-config.ts`). Faults name the variable and the form it needs, never its value.
 */

import { availableParallelism } from "node:os";
import * as z from "zod";
import {
  type HostConfig,
  isTrue,
  LOG_LEVELS,
  SWITCH,
  SWITCH_FORM,
  type Variables,
} from "../adapters/operator/host-config.ts";
import { readOperatorDocument } from "../adapters/operator/operator-file.ts";
import { StartFault } from "../adapters/operator/start-fault.ts";
import { readCommonVariables, readVariables, unknownVariables } from "../adapters/operator/surface-environment.ts";
import { RUN_LOG_MAX_BYTES } from "../adapters/run-log/fields.ts";
import { DEFAULT_LIFETIME_S, MAX_SPAN_S } from "../compiler/catalog/time-span.ts";
import { readUrl } from "../compiler/read-url.ts";
import { CONSOLE_MODES, type ConsoleRules } from "./console/mode.ts";
import { MOST_EVENTS } from "./events/event.ts";
import { isLoopback } from "./http/origin.ts";
import { type NotifyRule, readNotifyRules } from "./jobs/approvals/notify-rules.ts";
import type { KeptRules } from "./jobs/retention/kept-times.ts";
import { type NoticeSettings, readNoticeSettings } from "./programs/notice-settings.ts";
import {
  deployMode,
  flag,
  HOST,
  header,
  keptDays,
  list,
  ORIGIN,
  PORT_FORM,
  proxies,
  rate,
  shownName,
  whole,
} from "./variable-forms.ts";

const SCHEMA = z.object({
  WF_HOST: z.string().default("127.0.0.1"),
  WF_PORT: whole(8770, 0, 65_535),
  WF_SECURITY_PROFILE: z.string().optional(),
  WF_MAX_BODY_BYTES: whole(4 * 1024 * 1024, 1024, 256 * 1024 * 1024),
  WF_MAX_BODIES_BYTES: whole(256 * 1024 * 1024, 1024, 64 * 1024 * 1024 * 1024),
  WF_MAX_RESULT_BYTES: whole(16 * 1024 * 1024, 1024, 256 * 1024 * 1024),
  WF_MAX_CONNECTIONS: whole(1024, 1, 1_000_000),
  WF_MAX_CONCURRENT_RUNS: whole(256, 1, 100_000),
  WF_RUN_WAITING_MAX: whole(64, 0, 100_000),
  WF_RUN_WAIT_MS: whole(1000, 0, 600_000),
  WF_ISOLATION: z.enum(["thread", "worker"], "must be thread or worker").default("thread"),
  WF_WORKER_THREADS: whole(Math.max(1, availableParallelism() - 1), 0, 256),
  WF_WORKER_HEAP_MB: whole(256, 32, 65_536),
  WF_ALLOWED_ORIGINS: list(ORIGIN, "must be origins such as https://app.example.com, with commas between them"),
  WF_ALLOWED_HOSTS: list(HOST, "must be names of hosts such as weft.example.com, with commas between them"),
  WF_BATCH_MAX_FRAMES: whole(100_000, 1, 10_000_000),
  WF_BATCH_MAX_BYTES: whole(4 * 1024 * 1024 * 1024, 1024, 1024 * 1024 * 1024 * 1024),
  WF_RATE_LIMIT: rate,
  WF_TRUST_PROXY: proxies,
  WF_DRAIN_MS: whole(25_000, 0, 3_600_000),
  WF_LOG_LEVEL: z.enum(LOG_LEVELS, "must be debug, info, warn or error").default("info"),
  WF_LOG_FORMAT: z.enum(["json", "pretty"], "must be json or pretty").default("json"),
  WF_RUN_LOG_MAX_BYTES: whole(RUN_LOG_MAX_BYTES, 0, 1024 * 1024 * 1024),
  WF_AUDIT_HASH_KEY: z.string().min(16, "must have at least 16 characters").optional(),
  WF_OTEL_EXPORTER: z.enum(["none", "otlp"], "must be none or otlp").default("none"),
  WF_OTEL_LABEL_SPANS: flag(false),
  WF_QUEUE_MAX: whole(1000, 1, 10_000_000),
  WF_QUEUE_WORKERS: whole(2, 1, 1000),
  WF_RESULT_TTL_S: whole(86_400, 60, 31_536_000),
  WF_RESULT_MAX: whole(10_000, 1, 100_000_000),
  WF_JOBS_KEPT_DAYS: keptDays,
  WF_JOBS_ARCHIVE: z.string().min(1).optional(),
  WF_MEMORY_RESULTS_MAX_BYTES: whole(256 * 1024 * 1024, 1024, 64 * 1024 * 1024 * 1024),
  WF_MEMORY_QUEUE_MAX_BYTES: whole(256 * 1024 * 1024, 1024, 64 * 1024 * 1024 * 1024),
  WF_EVENTS_MAX: whole(MOST_EVENTS, 1, 10_000_000),
  WF_MAX_WAITERS: whole(1000, 1, 1_000_000),
  WF_JOBS_LIST: flag(true),
  WF_RECENT_RUNS: whole(1000, 0, 100_000),
  WF_JOBS_DURABLE: z.enum(["auto", "on", "off"], "must be auto, on or off").default("auto"),
  WF_DURABLE_LIFETIME_S: whole(DEFAULT_LIFETIME_S, 60, MAX_SPAN_S),
  WF_DURABLE_LINGER_MS: whole(250, 0, 60_000),
  WF_DURABLE_JOURNAL_MAX_BYTES: whole(64 * 1024 * 1024, 65_536, 1024 * 1024 * 1024),
  WF_DURABLE_SNAPSHOT_MAX_BYTES: whole(16 * 1024 * 1024, 0, 256 * 1024 * 1024),
  WF_PRIORITY_AGE_S: whole(60, 1, 86_400),
  WF_WAITING_MAX: whole(100_000, 1, 10_000_000),
  WF_DURABLE_MOST_CRASHES: whole(5, 1, 1_000_000),
  WF_UNKNOWN_RETRY: flag(false),
  WF_JOURNAL_VALUES: flag(false),
  WF_SIGNAL_MAX_BYTES: whole(65_536, 1, 16 * 1024 * 1024),
  WF_SIGNAL_KEEP_S: whole(86_400, 1, 604_800),
  WF_SIGNALS_MAX: whole(100_000, 1, 10_000_000),
  WF_SIGNALS_MAX_BYTES: whole(64 * 1024 * 1024, 1, 64 * 1024 * 1024 * 1024),
  WF_PUBLIC_URL: z
    .string()
    .refine((text) => publicUrl(text) !== null, "must look like https://weft.example.com, without query and fragment")
    .transform((text) => publicUrl(text) ?? "")
    .optional(),
  WF_NOTICES: z.string().optional(),
  WF_USER_HEADER: header,
  WF_GROUPS_HEADER: header,
  WF_APPROVE_OWN: flag(false),
  WF_APPROVAL_MAX_BYTES: whole(65_536, 1024, 1024 * 1024),
  WF_REPLICA_SILENT_MS: whole(30_000, 300, 3_600_000),
  WF_PUBLIC_PORT: z
    .string()
    .regex(/^[0-9]{1,5}$/, PORT_FORM)
    .transform(Number)
    .refine((port) => port <= 65_535, PORT_FORM)
    .optional(),
  WF_UI: z.enum(CONSOLE_MODES, `must be one of ${CONSOLE_MODES.join(", ")}`).optional(),
  WF_ENVIRONMENT: shownName,
  WF_SERVICE_NAME: shownName,
  WF_UI_VALUES: z.string().regex(SWITCH, SWITCH_FORM).transform(isTrue).optional(),
  WF_DEPLOY: deployMode,
  WF_CODE: z.enum(["any", "deployed"], "must be any or deployed").default("any"),
  WF_TRUSTED_KEYS: z.string().min(1, "must be the path of a file or folder").optional(),
  WF_DEPLOY_STRICT: z.string().regex(SWITCH, SWITCH_FORM).transform(isTrue).optional(),
  WF_PROGRAMS_MAX: whole(1000, 1, 1_000_000),
  WF_PROPOSALS_MAX: whole(100, 1, 10_000),
  WF_PROGRAM_VERSIONS_KEPT: whole(50, 1, 10_000),
  WF_SCHEDULES_MAX: whole(1000, 1, 1_000_000),
});

/** Names of the variables read here. */
export const SERVICE_VARIABLES: readonly string[] = Object.keys(SCHEMA.shape);

type Values = z.output<typeof SCHEMA>;

export type ServiceConfig = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly profile: string | null;
  readonly maxBodyBytes: number;
  /** Of all requests under way together, as far as they are read and not parsed. */
  readonly maxBodiesBytes: number;
  readonly maxResultBytes: number;
  readonly maxConnections: number;
  readonly slots: { readonly most: number; readonly waitingMost: number; readonly waitMs: number };
  /** Lower case: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Lower case, with or without port. */
  readonly allowedHosts: readonly string[];
  readonly batchMaxFrames: number;
  /** Of the lines of one streamed batch, decoded. */
  readonly batchMaxBytes: number;
  /** Runs of POST /run that GET /runs shows. */
  readonly recentRuns: number;
  /** For each client address; null: no limit. */
  readonly rateLimit: { readonly requests: number; readonly seconds: number } | null;
  /** How many proxies stand in front, each of which adds whom it serves to the forwarding header. */
  readonly trustedProxies: number;
  readonly drainMs: number;
  readonly log: {
    readonly level: Values["WF_LOG_LEVEL"];
    readonly format: Values["WF_LOG_FORMAT"];
    /** Of the lines about the calls of one run. */
    readonly runMaxBytes: number;
    /** Keys the hashes of arguments and results. */
    readonly hashKey: string | null;
  };
  /** Runs have a span for each label they were in. */
  readonly labelSpans: boolean;
  /** Traces and metrics go to an OpenTelemetry collector. */
  readonly otlp: boolean;
  /** Worker threads for long runs; none: runs stay on the main thread. `isolated`: every run starts in a worker thread. */
  readonly workers: { readonly threads: number; readonly heapMb: number; readonly isolated: boolean };
  /** Bounds of the job queue. */
  readonly jobs: {
    readonly queueMax: number;
    readonly workers: number;
    readonly resultTtlS: number;
    readonly resultMax: number;
    /** How long results are kept where neither the request nor the deployment says it. */
    readonly kept: KeptRules;
    /** Folder that jobs are written to before they are removed; null: they are removed. */
    readonly archive: string | null;
    /** Events that are kept. */
    readonly eventsMax: number;
    /** Of jobs that are over, where they are kept in memory: their results and requests together. */
    readonly memoryBytes: number;
    /** Of queued jobs, where they are kept in memory. */
    readonly queueBytes: number;
    readonly maxWaiters: number;
    readonly list: boolean;
    /** Jobs that say nothing: `auto` those that wait, `on` all, `off` none. */
    readonly durable: Values["WF_JOBS_DURABLE"];
    /** Seconds for which a job waits until it gains a point of priority. */
    readonly priorityAgeS: number;
    readonly durableLifetimeS: number;
    /** Milliseconds that records of a journal wait for others. */
    readonly lingerMs: number;
    /** Of the journal of one job, and of a stored state. */
    readonly journalMaxBytes: number;
    readonly snapshotMaxBytes: number;
    /** Durable jobs that wait; the wait of one more fails. */
    readonly waitingMax: number;
    /** Resumes of a durable run in a row, without a new record, after which it does not continue. */
    readonly maxCrashes: number;
    /** Callers may ask for calls of unknown outcome to be made again. */
    readonly unknownRetry: boolean;
    /** Journals may be read with the values in them. */
    readonly journalValues: boolean;
    readonly signalMaxBytes: number;
    /** How long signals under a key are kept. */
    readonly signalKeepS: number;
    /** Under all keys together; one more is refused. */
    readonly maxSignals: { readonly signals: number; readonly bytes: number };
    /** Without a sign of life for so long a replica on the same database counts as dead. */
    readonly silentMs: number;
  };
  /** A second listener with only the public endpoints of programs; null without one. 0: any free port. */
  readonly console: ConsoleRules;
  readonly publicPort: number | null;
  /** The address under which people reach the public paths, without a slash at its end; null: links cannot be made. */
  readonly publicUrl: string | null;
  /** Who is notified of what goes wrong; null: no notices are sent. */
  readonly notices: NoticeSettings | null;
  readonly approvals: {
    /** The header in which a trusted proxy names who asks, in lower case, and the one with his groups; null: people are not named. */
    readonly userHeader: string | null;
    readonly groupsHeader: string | null;
    /** People may decide what jobs ask that they queued themselves. */
    readonly own: boolean;
    /** Who receives notices of questions. */
    readonly notify: readonly NotifyRule[];
    /** Of the details of a question, and of the data of an answer. */
    readonly maxBytes: number;
  };
  readonly programs: {
    /** Callers may deploy, or only propose. Default: they may deploy where the service listens on a loopback address. */
    readonly deploy: "on" | "off" | "proposals";
    /** Requests may bring their programs along. */
    readonly takesCode: boolean;
    /** File or folder of the public keys whose signatures count; null: versions need none. */
    readonly trustedKeys: string | null;
    /** Programs that use what is not there are refused, not only warned about. */
    readonly strict: boolean;
    readonly maxDeployments: number;
    /** That wait for a person. */
    readonly maxProposals: number;
    /** Of each deployment, beyond those that jobs name. */
    readonly versionsKept: number;
    /** Of all deployments together. */
    readonly maxSchedules: number;
  };
};

export type ServiceStart = {
  readonly config: ServiceConfig;
  readonly host: HostConfig;
  /** `code: sentence`, for the log. */
  readonly warnings: readonly string[];
};

/** Variables of other surfaces: known, and without meaning here. */
const FOREIGN = /^WF_(MCP_[A-Z_]+|STRICT_MODE|STRICT_PROFILE|IMPORT_ALLOW_HOSTS|SERVER|DEBUG)$/;

const fault = (message: string) => new StartFault(message);

/** Throws StartFault. */
export function readServiceStart(variables: Variables): ServiceStart {
  const values = readVariables(SCHEMA, variables, fault);
  if (values.WF_ISOLATION === "worker" && values.WF_WORKER_THREADS === 0)
    throw fault("environment variable WF_WORKER_THREADS must be at least 1 with WF_ISOLATION=worker");
  if (values.WF_USER_HEADER !== undefined && values.WF_TRUST_PROXY === 0)
    throw fault("environment variable WF_USER_HEADER needs WF_TRUST_PROXY: only a trusted proxy may name who asks");
  if (values.WF_GROUPS_HEADER !== undefined && values.WF_USER_HEADER === undefined)
    throw fault("environment variable WF_GROUPS_HEADER needs WF_USER_HEADER");
  const host = readCommonVariables(variables, fault);
  return {
    config: configOf(values, readNotifyRules(readOperatorDocument(host).approvals)),
    host,
    warnings: warningsAbout(variables),
  };
}

function configOf(values: Values, notify: readonly NotifyRule[]): ServiceConfig {
  return {
    host: values.WF_HOST,
    port: values.WF_PORT,
    profile: values.WF_SECURITY_PROFILE ?? null,
    maxBodyBytes: values.WF_MAX_BODY_BYTES,
    maxBodiesBytes: Math.max(values.WF_MAX_BODIES_BYTES, values.WF_MAX_BODY_BYTES),
    maxResultBytes: values.WF_MAX_RESULT_BYTES,
    maxConnections: values.WF_MAX_CONNECTIONS,
    slots: {
      most: values.WF_MAX_CONCURRENT_RUNS,
      waitingMost: values.WF_RUN_WAITING_MAX,
      waitMs: values.WF_RUN_WAIT_MS,
    },
    // What people reach by the public address is asked for by its name.
    allowedOrigins: [...values.WF_ALLOWED_ORIGINS, ...partOf(values.WF_PUBLIC_URL, "origin")],
    allowedHosts: [...values.WF_ALLOWED_HOSTS, ...partOf(values.WF_PUBLIC_URL, "host")],
    batchMaxFrames: values.WF_BATCH_MAX_FRAMES,
    batchMaxBytes: values.WF_BATCH_MAX_BYTES,
    recentRuns: values.WF_RECENT_RUNS,
    rateLimit: values.WF_RATE_LIMIT ?? null,
    trustedProxies: values.WF_TRUST_PROXY,
    drainMs: values.WF_DRAIN_MS,
    log: {
      level: values.WF_LOG_LEVEL,
      format: values.WF_LOG_FORMAT,
      runMaxBytes: values.WF_RUN_LOG_MAX_BYTES,
      hashKey: values.WF_AUDIT_HASH_KEY ?? null,
    },
    labelSpans: values.WF_OTEL_LABEL_SPANS,
    otlp: values.WF_OTEL_EXPORTER === "otlp",
    workers: {
      threads: values.WF_WORKER_THREADS,
      heapMb: values.WF_WORKER_HEAP_MB,
      isolated: values.WF_ISOLATION === "worker",
    },
    jobs: {
      queueMax: values.WF_QUEUE_MAX,
      workers: values.WF_QUEUE_WORKERS,
      resultTtlS: values.WF_RESULT_TTL_S,
      resultMax: values.WF_RESULT_MAX,
      kept: values.WF_JOBS_KEPT_DAYS,
      archive: values.WF_JOBS_ARCHIVE ?? null,
      eventsMax: values.WF_EVENTS_MAX,
      memoryBytes: values.WF_MEMORY_RESULTS_MAX_BYTES,
      queueBytes: values.WF_MEMORY_QUEUE_MAX_BYTES,
      maxWaiters: values.WF_MAX_WAITERS,
      list: values.WF_JOBS_LIST,
      durable: values.WF_JOBS_DURABLE,
      priorityAgeS: values.WF_PRIORITY_AGE_S,
      durableLifetimeS: values.WF_DURABLE_LIFETIME_S,
      lingerMs: values.WF_DURABLE_LINGER_MS,
      journalMaxBytes: values.WF_DURABLE_JOURNAL_MAX_BYTES,
      snapshotMaxBytes: values.WF_DURABLE_SNAPSHOT_MAX_BYTES,
      waitingMax: values.WF_WAITING_MAX,
      maxCrashes: values.WF_DURABLE_MOST_CRASHES,
      unknownRetry: values.WF_UNKNOWN_RETRY,
      journalValues: values.WF_JOURNAL_VALUES,
      signalMaxBytes: values.WF_SIGNAL_MAX_BYTES,
      signalKeepS: values.WF_SIGNAL_KEEP_S,
      maxSignals: { signals: values.WF_SIGNALS_MAX, bytes: values.WF_SIGNALS_MAX_BYTES },
      silentMs: values.WF_REPLICA_SILENT_MS,
    },
    publicPort: values.WF_PUBLIC_PORT ?? null,
    publicUrl: values.WF_PUBLIC_URL ?? null,
    notices: readNoticeSettings(values.WF_NOTICES),
    approvals: {
      userHeader: values.WF_USER_HEADER ?? null,
      groupsHeader: values.WF_GROUPS_HEADER ?? null,
      own: values.WF_APPROVE_OWN,
      notify,
      maxBytes: values.WF_APPROVAL_MAX_BYTES,
    },
    console: {
      mode: values.WF_UI ?? (isLoopback(values.WF_HOST) ? "read" : "off"),
      values: values.WF_UI_VALUES ?? isLoopback(values.WF_HOST),
      environment: values.WF_ENVIRONMENT ?? null,
      name: values.WF_SERVICE_NAME ?? null,
    },
    programs: {
      deploy: values.WF_DEPLOY ?? (isLoopback(values.WF_HOST) ? "on" : "off"),
      takesCode: values.WF_CODE === "any",
      trustedKeys: values.WF_TRUSTED_KEYS ?? null,
      strict: values.WF_DEPLOY_STRICT ?? false,
      maxDeployments: values.WF_PROGRAMS_MAX,
      maxProposals: values.WF_PROPOSALS_MAX,
      versionsKept: values.WF_PROGRAM_VERSIONS_KEPT,
      maxSchedules: values.WF_SCHEDULES_MAX,
    },
  };
}

/** As written, without a slash at its end; null for what is not an address. */
function publicUrl(text: string): string | null {
  const url = readUrl(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.search === "" && url.hash === "" ? `${url.origin}${url.pathname}`.replace(/\/+$/, "") : null;
}

function partOf(url: string | undefined, part: "origin" | "host"): readonly string[] {
  return url === undefined ? [] : [new URL(url)[part].toLowerCase()];
}

function warningsAbout(variables: Variables): string[] {
  const warnings = unknownVariables(variables, SERVICE_VARIABLES, FOREIGN, "service");
  if ((variables["WF_STRICT_MODE"] ?? "") !== "")
    warnings.push("variable_ignored: WF_STRICT_MODE belongs to the MCP server and changes nothing here");
  if ((variables["WF_TRUSTED_KEYS"] ?? "") !== "" && variables["WF_CODE"] !== "deployed")
    warnings.push(
      "unsigned_code: WF_TRUSTED_KEYS admits signed versions only, and requests may bring unsigned code; set WF_CODE=deployed",
    );
  return warnings;
}
