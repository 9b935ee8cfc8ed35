/**
 * The environment of the runner service, read once through one schema at start: what is listed here, and the variables common to all
 * surfaces (`adapters/host-config.ts`). Faults name the variable and the form it needs, never its value.
 */
import { availableParallelism } from "node:os";
import * as z from "zod";
import {
  CONTRACT_PLACES,
  type HostConfig,
  isTrue,
  LOG_LEVELS,
  SWITCH,
  SWITCH_FORM,
  type Variables,
} from "../adapters/host-config.ts";
import { StartFault } from "../adapters/start-fault.ts";
import { readCommonVariables, readVariables, unknownVariables } from "../adapters/surface-environment.ts";

const whole = (fallback: number, least: number, most: number) => {
  const form = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, form)
    .transform(Number)
    .refine((value) => value >= least && value <= most, form)
    .default(fallback);
};
const flag = (fallback: boolean) => z.string().regex(SWITCH, SWITCH_FORM).transform(isTrue).default(fallback);
/** So many proxies in front; `true` and its like mean one. */
const proxies = z
  .string()
  .regex(/^([0-9]|[12][0-9]|3[0-2]|true|false|yes|no|on|off)$/i, "must be a whole number from 0 to 32")
  .transform((word) => (/^[0-9]/.test(word) ? Number(word) : Number(isTrue(word))))
  .default(0);
/** Compared as they are: one that no request can name would be refused without a word. */
const list = (pattern: RegExp, form: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((word) => word.trim().toLowerCase())
        .filter((word) => word !== ""),
    )
    .refine((words) => words.every((word) => pattern.test(word)), form)
    .default([]);
const ORIGIN = /^(null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+)$/;
const HOST = /^(\[[0-9a-f:.]+\](:[0-9]+)?|[0-9a-f]*:[0-9a-f:.]*|[^\s/?#*@:]+(:[0-9]+)?)$/;
const rate = z
  .string()
  .regex(/^(off|[1-9][0-9]{0,8}\/[1-9][0-9]{0,5}s)$/, "must look like 100/1s, or be off")
  .transform((text) => {
    if (text === "off") return null;
    const [requests = 0, seconds = 0] = text.slice(0, -1).split("/").map(Number);
    return { requests, seconds };
  })
  .optional();

const SCHEMA = z.object({
  WF_HOST: z.string().default("127.0.0.1"),
  WF_PORT: whole(8770, 0, 65_535),
  WF_SECURITY_PROFILE: z.string().optional(),
  WF_MAX_BODY_BYTES: whole(4 * 1024 * 1024, 1024, 256 * 1024 * 1024),
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
  WF_RATE_LIMIT: rate,
  WF_TRUST_PROXY: proxies,
  WF_DRAIN_MS: whole(25_000, 0, 3_600_000),
  WF_LOG_LEVEL: z.enum(LOG_LEVELS, "must be debug, info, warn or error").default("info"),
  WF_LOG_FORMAT: z.enum(["json", "pretty"], "must be json or pretty").default("json"),
  WF_AUDIT_HASH_KEY: z.string().min(16, "must have at least 16 characters").optional(),
  WF_OTEL_LABEL_SPANS: flag(false),
  WF_QUEUE_MAX: whole(1000, 1, 10_000_000),
  WF_QUEUE_WORKERS: whole(2, 1, 1000),
  WF_RESULT_TTL_S: whole(86_400, 60, 31_536_000),
  WF_RESULT_MAX: whole(10_000, 1, 100_000_000),
  WF_MEMORY_RESULTS_MAX_BYTES: whole(256 * 1024 * 1024, 1024, 64 * 1024 * 1024 * 1024),
  WF_MAX_WAITERS: whole(1000, 1, 1_000_000),
  WF_JOBS_LIST: flag(true),
  WF_REPLICA_SILENT_MS: whole(30_000, 300, 3_600_000),
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
  readonly maxResultBytes: number;
  readonly maxConnections: number;
  readonly slots: { readonly most: number; readonly waitingMost: number; readonly waitMs: number };
  /** Lower case: `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Lower case, with or without port. */
  readonly allowedHosts: readonly string[];
  readonly batchMaxFrames: number;
  /** For each client address; null: no limit. */
  readonly rateLimit: { readonly requests: number; readonly seconds: number } | null;
  /** How many proxies stand in front, each of which adds whom it serves to the forwarding header. */
  readonly trustedProxies: number;
  readonly drainMs: number;
  readonly log: {
    readonly level: Values["WF_LOG_LEVEL"];
    readonly format: Values["WF_LOG_FORMAT"];
    /** Keys the hashes of arguments and results. */
    readonly hashKey: string | null;
  };
  /** Runs have a span for each label they were in. */
  readonly labelSpans: boolean;
  /** Where long runs go on; no threads: nowhere else. `isolated`: every run is there from its beginning. */
  readonly workers: { readonly threads: number; readonly heapMb: number; readonly isolated: boolean };
  /** Bounds of the job queue. */
  readonly jobs: {
    readonly queueMax: number;
    readonly workers: number;
    readonly resultTtlS: number;
    readonly resultMax: number;
    /** Of jobs that are over, where they are kept in memory: their results and requests together. */
    readonly memoryBytes: number;
    readonly maxWaiters: number;
    readonly list: boolean;
    /** Without a sign of life for so long a replica on the same database counts as dead. */
    readonly silentMs: number;
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
  const host = readCommonVariables(variables, fault);
  return { config: configOf(values), host, warnings: warningsAbout(variables, host) };
}

function configOf(values: Values): ServiceConfig {
  return {
    host: values.WF_HOST,
    port: values.WF_PORT,
    profile: values.WF_SECURITY_PROFILE ?? null,
    maxBodyBytes: values.WF_MAX_BODY_BYTES,
    maxResultBytes: values.WF_MAX_RESULT_BYTES,
    maxConnections: values.WF_MAX_CONNECTIONS,
    slots: {
      most: values.WF_MAX_CONCURRENT_RUNS,
      waitingMost: values.WF_RUN_WAITING_MAX,
      waitMs: values.WF_RUN_WAIT_MS,
    },
    allowedOrigins: values.WF_ALLOWED_ORIGINS,
    allowedHosts: values.WF_ALLOWED_HOSTS,
    batchMaxFrames: values.WF_BATCH_MAX_FRAMES,
    rateLimit: values.WF_RATE_LIMIT ?? null,
    trustedProxies: values.WF_TRUST_PROXY,
    drainMs: values.WF_DRAIN_MS,
    log: {
      level: values.WF_LOG_LEVEL,
      format: values.WF_LOG_FORMAT,
      hashKey: values.WF_AUDIT_HASH_KEY ?? null,
    },
    labelSpans: values.WF_OTEL_LABEL_SPANS,
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
      memoryBytes: values.WF_MEMORY_RESULTS_MAX_BYTES,
      maxWaiters: values.WF_MAX_WAITERS,
      list: values.WF_JOBS_LIST,
      silentMs: values.WF_REPLICA_SILENT_MS,
    },
  };
}

function warningsAbout(variables: Variables, { places }: HostConfig): string[] {
  const warnings = unknownVariables(variables, SERVICE_VARIABLES, FOREIGN, "service");
  if ((variables["WF_STRICT_MODE"] ?? "") !== "")
    warnings.push("variable_ignored: WF_STRICT_MODE belongs to the MCP server and changes nothing here");
  if (places.agentRoot === CONTRACT_PLACES.agentRoot || places.memoryDb === CONTRACT_PLACES.memoryDb)
    warnings.push("shared_places: mailboxes or memory are in a folder that every user of this machine shares");
  return warnings;
}
