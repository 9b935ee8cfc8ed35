/**
 * The settings of the built-in adapters as data: how two values of a setting are merged, how elements of a list compare, and
 * which setting admits the places that a literal argument names. Defaults and checks belong to the adapters themselves.
 */
import type { ParameterRole } from "../catalog.ts";

/** How the values of two sides are merged (docs/policy.md, the grant): always the more restrictive of both. */
export type MergeKind = "intersect" | "min" | "and" | "within" | "server";
/** How list elements compare: as written, in lower case, as file extension, as host pattern, or as numbers. */
export type ElementKind = "exact" | "folded" | "extension" | "host" | "number";

export type SettingDefinition = {
  readonly kind: MergeKind;
  /** Of `intersect` settings; default exact. */
  readonly elements?: ElementKind;
  /** Of `within` settings: an object of such values, by name. Only names that both sides have remain. */
  readonly map?: true;
  /** Of such maps: another setting that names members, too. A side that gives it admits no members here but its own. */
  readonly closedBy?: string;
  /** Of `and` settings: true counts only when the operator said it, because it opens something that is not the caller's. */
  readonly operatorGrants?: true;
  /** Of `min` settings: the most that a request gets where the operator says nothing. */
  readonly callerMax?: number;
};
export type AdapterSettings = {
  readonly settings: Readonly<Record<string, SettingDefinition>>;
  /** Accepted on input, never emitted. One that is the name of a setting, too, means another one where a list is given: see `settingNamed`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The list that admits what a literal in a place of this role names. */
  readonly admits: Readonly<Partial<Record<ParameterRole, string>>>;
};
/** By adapter name. The settings of an adapter without an entry are unknown here. */
export type SettingTable = ReadonlyMap<string, AdapterSettings>;

const min: SettingDefinition = { kind: "min" };
const and: SettingDefinition = { kind: "and" };
const server: SettingDefinition = { kind: "server" };
const within: SettingDefinition = { kind: "within" };
const exact: SettingDefinition = { kind: "intersect" };
const hosts: SettingDefinition = { kind: "intersect", elements: "host" };

/** What every adapter has. */
export const COMMON_SETTING_KINDS: AdapterSettings["settings"] = { timeout_s: min, max_result_bytes: min };

function entry(
  name: string,
  settings: Readonly<Record<string, SettingDefinition>>,
  admits: AdapterSettings["admits"] = {},
  aliases: Readonly<Record<string, string>> = {},
): readonly [string, AdapterSettings] {
  return [name, { settings: { ...COMMON_SETTING_KINDS, ...settings }, aliases, admits }];
}

/** The setting that a side means. What the operator declares as an object a caller narrows, by a list of names under the same word. */
export function settingNamed({ settings, aliases }: AdapterSettings, written: string, given: unknown): string {
  if (!Object.hasOwn(aliases, written)) return written;
  const isOwn = Object.hasOwn(settings, written) && !Array.isArray(given);
  return isOwn ? written : (aliases[written] ?? written);
}

export const builtinSettings: SettingTable = new Map([
  entry("core", { allow_env: exact }, { env: "allow_env" }),
  entry(
    "http",
    {
      allow_hosts: hosts,
      allow_ports: { kind: "intersect", elements: "number" },
      allow_private: { kind: "and", operatorGrants: true },
      max_response_bytes: { kind: "min", callerMax: 8_388_608 },
      max_request_bytes: min,
      max_redirects: min,
      allow_secrets: server,
      proxy_url: server,
      ca_file: server,
      user_agent: server,
    },
    { url: "allow_hosts", host: "allow_hosts" },
  ),
  entry(
    "db",
    {
      allow_entities: exact,
      allow_write: and,
      url_secret: server,
      path: server,
      schema: server,
      pool: server,
      statement_timeout_ms: server,
      entities: server,
      store: server,
    },
    { table: "allow_entities" },
  ),
  entry(
    "sqlite",
    {
      db_path: within,
      allow_tables: { kind: "intersect", elements: "folded" },
      allow_write: and,
      allow_ddl: and,
      allow_virtual: and,
      max_rows: min,
      trust_triggers: server,
    },
    { table: "allow_tables" },
  ),
  entry(
    "fs",
    {
      sandbox_root: within,
      allow_extensions: { kind: "intersect", elements: "extension" },
      allow_write: and,
      allow_delete: and,
      max_read_bytes: min,
      max_write_bytes: min,
      max_total_write_bytes: min,
      max_entries: min,
    },
    {},
    { root: "sandbox_root" },
  ),
  entry("tools", { allow_tools: exact, tools: server }, { tool: "allow_tools" }),
  entry(
    "wasm",
    {
      module_allowlist: exact,
      modules: { kind: "within", map: true, closedBy: "modules_dir" },
      modules_dir: server,
      timeout_ms: min,
      max_memory_pages: min,
      reuse_instance: and,
      allow_nonfinite: and,
    },
    { module: "module_allowlist" },
    { allow_modules: "module_allowlist" },
  ),
  entry("cache", {
    path: within,
    allow_namespaces: exact,
    allow_write: and,
    max_value_bytes: min,
    max_entries: min,
    max_bytes: server,
    on_error: server,
  }),
  entry(
    "queue",
    { allow_queues: exact, allow_take: and, max_depth: min, max_message_bytes: min, path: server, targets: server },
    { queue: "allow_queues" },
  ),
  entry("txn", {}),
  entry("auth", {
    provider: server,
    jwks_url: server,
    key_secret: server,
    issuer: server,
    audience: server,
    algorithms: server,
    clock_skew_s: server,
    keys: server,
    url: server,
    client_id: server,
    client_secret_name: server,
    cache_s: server,
  }),
  entry("memory", {
    allow_namespaces: exact,
    allow_write: and,
    max_payload_bytes: min,
    max_entries: min,
    db_path: server,
    extra_namespaces: server,
    default_ttl_s: server,
    sweep_interval_s: server,
  }),
  entry("agent", {
    root: server,
    backend: server,
    strict_envelope: server,
    max_task_bytes: server,
    max_result_bytes: server,
  }),
  entry("svc", { services: server, allow_services: exact, allow_actions: and }),
  entry("extras", {
    allow_hosts: hosts,
    allow_containers: { kind: "and", operatorGrants: true },
    probe_roots: server,
    container_socket: server,
    compat: server,
    summary_root: server,
  }),
  entry(
    "videomon",
    { channels: server, allow_channels: exact, allow_poll: and, db_path: server },
    {},
    { channels: "allow_channels" },
  ),
  // The operator gives `accounts` as objects with secrets in them; a caller names some of them in a list.
  entry(
    "email",
    {
      accounts: server,
      allow_accounts: exact,
      allow_recipients: exact,
      allow_send: and,
      max_message_bytes: min,
    },
    {},
    { accounts: "allow_accounts" },
  ),
  entry("calendar", { calendars: exact, accounts: server, allow_write: and, feeds: server }),
  entry("timer", { max_span: min }),
  entry(
    "signal",
    { allow_names: exact, allow_send: server, allow_links: { kind: "and", operatorGrants: true } },
    { signal: "allow_names" },
  ),
  entry("approval", { allow_to: exact, max_open: min }, { approver: "allow_to" }),
  entry(
    "llm",
    {
      providers: server,
      allow_models: exact,
      default_model: server,
      max_calls: min,
      max_input_tokens: min,
      max_output_tokens: min,
      max_cost: min,
    },
    { model: "allow_models" },
  ),
  entry("social", { accounts: server, allow_accounts: exact, allow_post: and }, {}, { accounts: "allow_accounts" }),
]);

/**
 * Verbs of fs that refuse files by their extension: of a file always; of what a path names unless it is a folder; of a file whose content
 * is hashed on request. The others only look at names and facts.
 */
export const extensionChecks = {
  adapter: "fs",
  setting: "allow_extensions",
  verbs: new Map<string, "file" | "unless_folder" | "when_hashed">([
    ["read", "file"],
    ["readlines", "file"],
    ["write", "file"],
    ["copy", "file"],
    ["move", "unless_folder"],
    ["delete", "unless_folder"],
    ["stat", "when_hashed"],
  ]),
} as const;
