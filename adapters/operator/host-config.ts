/**
 * The environment variables that mean the same on every surface: places, profiles, operator file, lists, secrets. A surface reads
 * its environment once and hands the values in; nothing here looks at a process or a disk. Faults name the variable and the
 * expected form, never the value. The small build of zod keeps the start of the command line short.
 */
import * as z from "zod/mini";
import type { TierSetting } from "../../vm/tier/policy.ts";
import { PASSWORD_VARIABLE } from "../builtin/email/environment.ts";
import type { HostPlaces } from "../definition/host-services.ts";

const text = z.optional(z.string());
const rooted = z.regex(/^\//, "must be an absolute path");
const absolutePath = z.optional(z.string().check(rooted));
const boundingPath = z.optional(
  z.string().check(
    rooted,
    z.refine((path) => !isRoot(path), "must be a path below /"),
  ),
);

/** What programs may reach there is bounded by these places: the root would bound nothing. */
function isRoot(path: string): boolean {
  const depths = path.split("/").map((name) => (name === "" || name === "." ? 0 : name === ".." ? -1 : 1));
  return depths.reduce<number>((depth, step) => Math.max(0, depth + step), 0) === 0;
}

const variableNames = z.optional(
  z
    .string()
    .check(
      z.refine(
        (list) => words(list).every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
        "must be names of variables, with commas between them",
      ),
    ),
);

/** The values of a switch, and how they are described. */
export const SWITCH = /^(1|0|true|false|yes|no|on|off)$/i;
export const SWITCH_FORM = "must be one of 1, 0, true, false, yes, no, on, off";
const flag = z.optional(z.string().check(z.regex(SWITCH, SWITCH_FORM)));

/** Hosts that imports may fetch from, or `none`. An address would be the name of no host, and refuse every import. */
export const importHostsVariable = z.optional(
  z
    .string()
    .check(
      z.refine(
        (list) => words(list).every((host) => /^(\[[0-9a-f:.]+\]|[^\s/?#*@:]+)$/i.test(host)),
        "must be names of hosts such as docs.example.com, with commas between them, or none",
      ),
    ),
);

const SCHEMA = z.object({
  WF_STATE_DIR: boundingPath,
  WF_DATA_ROOT: boundingPath,
  WF_CALLER_PLACES: z.optional(z.string().check(z.regex(/^(data-root|any)$/, "must be data-root or any"))),
  // The adapter refuses the root itself, with its own code.
  WF_AGENT_ROOT: absolutePath,
  WF_MEMORY_DB: boundingPath,
  WF_SUMMARY_ROOT: boundingPath,
  WF_CACHE_PATH: boundingPath,
  WF_CACHE_JSON: boundingPath,
  WF_ADAPTERS_CONFIG: text,
  WF_ENABLE_ADAPTERS: text,
  WF_ADAPTERS: text,
  WF_PROFILES_FILE: text,
  WF_HOST_ADAPTER_ALLOWLIST: text,
  WF_HOST_ADAPTER_DENYLIST: text,
  WF_EXPOSE_ENV: variableNames,
  WF_SECRETS_DIR: boundingPath,
  WF_DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, "must begin with postgres://"))),
  WF_SQLITE_PROCESSES: z.optional(
    z.string().check(z.regex(/^([1-9]|[1-5][0-9]|6[0-4])$/, "must be a whole number from 1 to 64")),
  ),
  WF_HTTP_ALLOW_PRIVATE: flag,
  WF_PROPAGATE_TRACE: flag,
  WF_DRY_RUN: flag,
  WF_FRAME_CEILING_BYTES: z.optional(z.string().check(z.regex(/^[1-9][0-9]{0,14}$/, "must be a whole number above 0"))),
  WF_TIER: z.optional(z.enum(["auto", "off"], "must be auto or off")),
});

/** Names of the variables read here, for the check for unknown ones. */
export const HOST_VARIABLES: readonly string[] = Object.keys(SCHEMA.shape);
/** A secret, with its name. */
export const SECRET_VARIABLE = /^WF_SECRET_([A-Z][A-Z0-9_]*)$/;

export type Variables = Readonly<Record<string, string | undefined>>;

/** What WF_LOG_LEVEL may say; each surface has a default of its own. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the environment says of a host, wherever it runs; null: not said. */
export type HostConfig = {
  readonly places: HostPlaces;
  /** Callers may choose files and folders anywhere on this machine, and not only below the data root. */
  readonly anyCallerPlaces: boolean;
  /** Host variables that core.ENV may read, with their values. */
  readonly exposed: ReadonlyMap<string, string>;
  /** The whole environment: what the operator passes on by name, to a declared program for instance. */
  readonly variables: Variables;
  readonly secretsDir: string | null;
  /** Secrets of WF_SECRET_<NAME>, by name. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly adaptersFile: string | null;
  readonly profilesFile: string | null;
  /** null: not said. */
  readonly enable: readonly string[] | null;
  readonly allowlist: readonly string[] | null;
  readonly denylist: readonly string[];
  readonly plugins: readonly string[];
  readonly databaseUrl: string | null;
  /** Helper processes of SQLite at once; null: not said. */
  readonly maxSqliteProcesses: number | null;
  readonly httpAllowPrivate: boolean;
  readonly propagateTrace: boolean;
  readonly dryRun: boolean;
  readonly frameCeilingBytes: number | null;
  /** Whether code is made from the bytecode of short programs (docs/tier.md). */
  readonly tier: TierSetting | null;
};
export type HostConfigResult =
  | { readonly ok: true; readonly config: HostConfig }
  | { readonly ok: false; readonly variable: string; readonly message: string };

/** Places where nothing is said, on every surface: the contract's defaults. The library has none. */
export const CONTRACT_PLACES = { agentRoot: "/tmp/ainl_agents", memoryDb: "/tmp/ainl_memory.sqlite3" } as const;
type PlaceDefaults = Partial<Pick<HostPlaces, "agentRoot" | "memoryDb">>;

/** Reads the variables that mean the same on every surface. Never throws: a variable that is not valid is named in the answer. */
export function readHostConfig(variables: Variables, defaults: PlaceDefaults = {}): HostConfigResult {
  // An empty variable counts as unset, as everywhere.
  const given = (name: string): string | undefined => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined || value.trim() === "" ? undefined : value;
  };
  const parsed = SCHEMA.safeParse(Object.fromEntries(HOST_VARIABLES.map((name) => [name, given(name)])));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, variable: String(issue?.path[0]), message: issue?.message ?? "is not valid" };
  }
  const values = parsed.data;
  const stateDir = values.WF_STATE_DIR ?? null;
  const below = (name: string): string | null => (stateDir === null ? null : `${stateDir}/${name}`);
  return {
    ok: true,
    config: {
      places: {
        stateDir,
        dataRoot: values.WF_DATA_ROOT ?? null,
        agentRoot: values.WF_AGENT_ROOT ?? defaults.agentRoot ?? below("agents"),
        memoryDb: values.WF_MEMORY_DB ?? defaults.memoryDb ?? below("memory.db"),
        cachePath: values.WF_CACHE_PATH ?? values.WF_CACHE_JSON ?? below("cache.db"),
        summaryRoot: values.WF_SUMMARY_ROOT ?? below("summaries"),
      },
      anyCallerPlaces: values.WF_CALLER_PLACES === "any",
      exposed: exposedVariables(values.WF_EXPOSE_ENV, variables),
      variables,
      secretsDir: values.WF_SECRETS_DIR ?? null,
      secrets: secretsIn(variables),
      adaptersFile: values.WF_ADAPTERS_CONFIG ?? null,
      profilesFile: values.WF_PROFILES_FILE ?? null,
      enable: values.WF_ENABLE_ADAPTERS === undefined ? null : names(values.WF_ENABLE_ADAPTERS),
      allowlist: values.WF_HOST_ADAPTER_ALLOWLIST === undefined ? null : names(values.WF_HOST_ADAPTER_ALLOWLIST),
      denylist: names(values.WF_HOST_ADAPTER_DENYLIST),
      plugins: words(values.WF_ADAPTERS),
      databaseUrl: values.WF_DATABASE_URL ?? null,
      maxSqliteProcesses: values.WF_SQLITE_PROCESSES === undefined ? null : Number(values.WF_SQLITE_PROCESSES),
      httpAllowPrivate: isTrue(values.WF_HTTP_ALLOW_PRIVATE),
      propagateTrace: isTrue(values.WF_PROPAGATE_TRACE),
      dryRun: isTrue(values.WF_DRY_RUN),
      frameCeilingBytes: values.WF_FRAME_CEILING_BYTES === undefined ? null : Number(values.WF_FRAME_CEILING_BYTES),
      tier: values.WF_TIER ?? null,
    },
  };
}

/** The configuration of an environment in which nothing is set. */
export function emptyHostConfig(): HostConfig {
  const read = readHostConfig({});
  if (!read.ok) throw new Error("an empty environment is valid");
  return read.config;
}

/** Truthy words of switches, in any letter case. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value);
}

function words(list: string | undefined): readonly string[] {
  return (list ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function names(list: string | undefined): readonly string[] {
  return words(list).map((name) => name.toLowerCase());
}

function exposedVariables(list: string | undefined, variables: Variables): ReadonlyMap<string, string> {
  const exposed = new Map<string, string>();
  for (const name of words(list)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) exposed.set(name, value);
  }
  return exposed;
}

function secretsIn(variables: Variables): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(variables)) {
    const match = SECRET_VARIABLE.exec(name);
    if (match?.[1] !== undefined && value !== undefined) secrets.set(match[1], value);
  }
  const password = variables[PASSWORD_VARIABLE];
  if (password !== undefined && !secrets.has(PASSWORD_VARIABLE)) secrets.set(PASSWORD_VARIABLE, password);
  return secrets;
}
