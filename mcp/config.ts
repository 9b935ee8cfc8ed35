/**
 * The environment of the MCP server, read once through one schema at start: what is listed here, and the variables common to all
 * surfaces (`adapters/operator/host-config.ts`). Faults name the variable and the form it needs, never its value. The small build of zod keeps
 * the start short.
 */
import * as z from "zod/mini";
import {
  type HostConfig,
  importHostsVariable,
  isTrue,
  LOG_LEVELS,
  type LogLevel,
  SWITCH,
  SWITCH_FORM,
  type Variables,
} from "../adapters/operator/host-config.ts";
import { StartFault } from "../adapters/operator/start-fault.ts";
import { readCommonVariables, readVariables, unknownVariables } from "../adapters/operator/surface-environment.ts";
import type { ServiceAddress } from "../vm/inputs/service-address.ts";
import { serviceAddress } from "./service/ask.ts";
import type { ExposureRequest } from "./tool/exposure.ts";

const text = z.optional(z.string());

const SCHEMA = z.object({
  WF_MCP_PROFILE: text,
  WF_STRICT_MODE: z.optional(z.string().check(z.regex(SWITCH, SWITCH_FORM))),
  WF_STRICT_PROFILE: text,
  WF_MCP_EXPOSURE_PROFILE: text,
  WF_MCP_TOOLS: text,
  WF_MCP_TOOLS_EXCLUDE: text,
  WF_MCP_RESOURCES: text,
  WF_MCP_RESOURCES_EXCLUDE: text,
  WF_MCP_WORKFLOW_ROOT: z.optional(z.string().check(z.regex(/^\//, "must be an absolute path"))),
  WF_MCP_SERVICE: z.optional(
    z.string().check(z.refine((url) => serviceAddress(url) !== null, "must look like https://weft.example.com")),
  ),
  WF_CODE: z.optional(z.enum(["any", "deployed"], "must be any or deployed")),
  WF_IMPORT_ALLOW_HOSTS: importHostsVariable,
  WF_MCP_MAX_LINE_BYTES: whole(1024, 256 * 1024 * 1024),
  WF_MCP_MAX_CONCURRENCY: whole(1, 1000),
  WF_MCP_MAX_RESULT_BYTES: whole(1024, 256 * 1024 * 1024),
  WF_MCP_COMPILE_CACHE_MAX_ENTRIES: whole(0, 1_000_000),
  WF_LOG_LEVEL: z.optional(z.enum(LOG_LEVELS, "must be debug, info, warn or error")),
  WF_AUDIT_HASH_KEY: z.optional(z.string().check(z.minLength(16, "must have at least 16 characters"))),
});

/** Names of the variables read here. */
export const MCP_VARIABLES: readonly string[] = Object.keys(SCHEMA.shape);

type Values = z.output<typeof SCHEMA>;

function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  const inRange = (digits: string): boolean => Number(digits) >= least && Number(digits) <= most;
  return z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/, message), z.refine(inRange, message)));
}

export type McpConfig = {
  /** Name or file of the profile that is the server's grant; null: none. */
  readonly profile: string | null;
  /** The profile of strict mode; null: strict mode is off. */
  readonly strictProfile: string | null;
  readonly exposure: ExposureRequest;
  /** Folder of programs that tools may read by path; null: they may not. */
  readonly workflowRoot: string | null;
  /** Address of the service that takes proposals; null: none does. */
  readonly service: ServiceAddress | null;
  /** Hosts that imports may fetch from; null: every public one; empty: none. */
  readonly importHosts: readonly string[] | null;
  readonly maxLineBytes: number;
  readonly maxConcurrency: number;
  readonly maxResultBytes: number;
  readonly compileCacheEntries: number;
  readonly log: {
    readonly level: LogLevel;
    /** Keys the hashes of arguments and results. */
    readonly hashKey: string | null;
  };
};

export type McpStart = {
  readonly config: McpConfig;
  readonly host: HostConfig;
  /** `code: sentence`, for the log. */
  readonly warnings: readonly string[];
};

/** Variables of other surfaces: known, and without meaning here. */
const FOREIGN =
  /^WF_(HOST|PORT|SECURITY_PROFILE|SERVER|DEBUG|ISOLATION|WORKER_THREADS|RATE_LIMIT|TRUST_PROXY|DRAIN_MS|LOG_FORMAT|(MAX|RUN|ALLOWED|BATCH|QUEUE|RESULT|JOBS)_[A-Z_]+)$/;

/** Throws StartFault. */
export function readMcpStart(variables: Variables): McpStart {
  const fault = (message: string) => new StartFault(message);
  const values = readVariables(SCHEMA, variables, fault);
  const host = readCommonVariables(variables, fault);
  const warnings = unknownVariables(variables, MCP_VARIABLES, FOREIGN, "server");
  return { config: configOf(values), host, warnings };
}

function configOf(values: Values): McpConfig {
  const excluded = listOf(values.WF_MCP_TOOLS_EXCLUDE) ?? [];
  return {
    profile: values.WF_MCP_PROFILE ?? null,
    strictProfile: isTrue(values.WF_STRICT_MODE) ? (values.WF_STRICT_PROFILE ?? "consumer_secure_default") : null,
    exposure: {
      profile: values.WF_MCP_EXPOSURE_PROFILE ?? null,
      tools: listOf(values.WF_MCP_TOOLS),
      toolsExclude: values.WF_CODE === "deployed" ? [...excluded, "wf_run"] : listOf(values.WF_MCP_TOOLS_EXCLUDE),
      resources: listOf(values.WF_MCP_RESOURCES),
      resourcesExclude: listOf(values.WF_MCP_RESOURCES_EXCLUDE),
      proposes: values.WF_MCP_SERVICE !== undefined,
    },
    workflowRoot: values.WF_MCP_WORKFLOW_ROOT ?? null,
    service: values.WF_MCP_SERVICE === undefined ? null : serviceAddress(values.WF_MCP_SERVICE),
    importHosts: importHosts(values.WF_IMPORT_ALLOW_HOSTS),
    maxLineBytes: Number(values.WF_MCP_MAX_LINE_BYTES ?? 8 * 1024 * 1024),
    maxConcurrency: Number(values.WF_MCP_MAX_CONCURRENCY ?? 8),
    maxResultBytes: Number(values.WF_MCP_MAX_RESULT_BYTES ?? 1024 * 1024),
    compileCacheEntries: Number(values.WF_MCP_COMPILE_CACHE_MAX_ENTRIES ?? 256),
    log: { level: values.WF_LOG_LEVEL ?? "warn", hashKey: values.WF_AUDIT_HASH_KEY ?? null },
  };
}

/** What WF_IMPORT_ALLOW_HOSTS says: null: every public host; empty: none. */
export function importHosts(value: string | undefined): readonly string[] | null {
  return value?.trim() === "none" ? [] : listOf(value === "" ? undefined : value);
}

function listOf(value: string | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
