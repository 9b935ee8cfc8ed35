/**
 * The environment of the command line, read once and through one schema. Every variable this surface looks at is listed here.
 * The small build of zod keeps the bundled command 600 kB smaller, which is time at every start.
 */
import { resolve } from "node:path";
import * as z from "zod/mini";
import {
  type HostConfig,
  importHostsVariable,
  LOG_LEVELS,
  type LogLevel,
  type Variables,
} from "../../adapters/operator/host-config.ts";
import { readCommonVariables, readVariables } from "../../adapters/operator/surface-environment.ts";
import { usageFault } from "./faults.ts";

const text = z.optional(z.string());
const SCHEMA = z.object({
  WF_DEBUG: text,
  WF_SERVER: text,
  WF_SECURITY_PROFILE: text,
  WF_MCP_PROFILE: text,
  WF_STRICT_MODE: text,
  WF_IMPORT_ALLOW_HOSTS: importHostsVariable,
  WF_AUDIT_HASH_KEY: text,
  WF_LOG_LEVEL: z.optional(z.enum(LOG_LEVELS, "must be debug, info, warn or error")),
  NO_COLOR: text,
  FORCE_COLOR: text,
  TERM: text,
  CI: text,
  COLUMNS: text,
  LC_ALL: text,
  LC_CTYPE: text,
  LANG: text,
});

/** Names of the variables read here. */
export const CLI_VARIABLES: readonly string[] = Object.keys(SCHEMA.shape);

export type CliEnvironment = {
  /** What the variables common to all surfaces say. */
  readonly host: HostConfig;
  readonly debug: boolean;
  /** Address of a runner service. */
  readonly server: string;
  /** Variables of the services that are set and that this surface does not read. */
  readonly foreign: readonly string[];
  /** Hosts that `wf import` may fetch from, as they are written. */
  readonly importHosts: string | undefined;
  /** Key of the hashes in a service's log; null: they have none. */
  readonly auditHashKey: string | null;
  /** From which level on events of runs are written; null: none are. */
  readonly logLevel: LogLevel | null;
  readonly noColor: boolean;
  /** FORCE_COLOR; null: it is not set. As in Node, 0 and false mean no colours. */
  readonly forceColor: boolean | null;
  readonly dumbTerminal: boolean;
  /** No person watches, even if the process has a terminal (CI). */
  readonly ci: boolean;
  readonly columns: number | null;
  /** The locale says that texts are UTF-8, so signs beyond ASCII can be shown. */
  readonly utf8: boolean;
};

const DEFAULT_SERVER = "http://127.0.0.1:8770";

const present = (value: string | undefined): boolean => value !== undefined && value !== "";

export function readEnvironment(variables: Variables): CliEnvironment {
  const values = readVariables(SCHEMA, variables, usageFault);
  const host = readCommonVariables(variables, usageFault);
  const columns = Number(values.COLUMNS);
  return {
    host,
    debug: values.WF_DEBUG === "1",
    server: values.WF_SERVER ?? DEFAULT_SERVER,
    foreign: (["WF_SECURITY_PROFILE", "WF_MCP_PROFILE", "WF_STRICT_MODE"] as const).filter((name) =>
      present(values[name]),
    ),
    importHosts: values.WF_IMPORT_ALLOW_HOSTS,
    auditHashKey: values.WF_AUDIT_HASH_KEY ?? null,
    logLevel: values.WF_LOG_LEVEL ?? null,
    noColor: present(values.NO_COLOR),
    forceColor: present(values.FORCE_COLOR) ? !["0", "false"].includes(values.FORCE_COLOR ?? "") : null,
    dumbTerminal: values.TERM === "dumb",
    ci: values.CI !== undefined && !["0", "false"].includes(values.CI),
    columns: Number.isInteger(columns) && columns >= 20 && columns <= 1000 ? columns : null,
    utf8: /utf-?8/i.test(values.LC_ALL ?? values.LC_CTYPE ?? values.LANG ?? ""),
  };
}

/** The same with the paths of operator files, which may be relative, counted from `folder`. */
export function environmentIn(folder: string, environment: CliEnvironment): CliEnvironment {
  const { host } = environment;
  const placed = (file: string | null): string | null => (file === null ? null : resolve(folder, file));
  return {
    ...environment,
    host: { ...host, adaptersFile: placed(host.adaptersFile), profilesFile: placed(host.profilesFile) },
  };
}

/** Without a usable environment (it could not be read) faults are still printed. */
export const PLAIN_ENVIRONMENT: CliEnvironment = readEnvironment({});
