/**
 * The adapters this build provides: how each is loaded, at its first use, and which places of the operator fill its settings when the grant
 * does not. Loading is lazy because most processes use few adapters, and a definition brings its schemas with it.
 */
import { builtinSettings, type SettingTable } from "../compiler/catalog/settings.ts";
import type { JsonObject } from "../compiler/json.ts";
import type { InputIssue } from "../compiler/policy/policy.ts";
import type { AdapterLinker, LinkResult } from "../vm/admission/prepare.ts";
import type { Constraints } from "../vm/grant/grant.ts";
import type { AdapterDefinition } from "./definition/define.ts";
import type { HostPlaces, HostServices } from "./definition/host-services.ts";
import type { LinkDeps } from "./definition/link.ts";
import { systemTimers } from "./engine/timers.ts";
import type { DecisionDeps } from "./operator/deciders.ts";

type Loader = () => Promise<AdapterDefinition>;

/** By name. An adapter of the catalog without a loader is known and not provided. */
export const BUILTIN_LOADERS: Readonly<Record<string, Loader>> = {
  approval: async () => (await import("./builtin/approval/definition.ts")).approvalAdapter,
  agent: async () => (await import("./builtin/agent/definition.ts")).agentAdapter,
  auth: async () => (await import("./builtin/auth/definition.ts")).authAdapter,
  cache: async () => (await import("./builtin/cache/definition.ts")).cacheAdapter,
  calendar: async () => (await import("./builtin/calendar/definition.ts")).calendarAdapter,
  db: async () => (await import("./builtin/db/definition.ts")).dbAdapter,
  email: async () => (await import("./builtin/email/definition.ts")).emailAdapter,
  event: async () => (await import("./builtin/event/definition.ts")).eventAdapter,
  extras: async () => (await import("./builtin/extras/definition.ts")).extrasAdapter,
  fs: async () => (await import("./builtin/fs/definition.ts")).fsAdapter,
  http: async () => (await import("./builtin/http/definition.ts")).httpAdapter,
  job: async () => (await import("./builtin/job/definition.ts")).jobAdapter,
  llm: async () => (await import("./builtin/llm/definition.ts")).llmAdapter,
  memory: async () => (await import("./builtin/memory/definition.ts")).memoryAdapter,
  queue: async () => (await import("./builtin/queue/definition.ts")).queueAdapter,
  social: async () => (await import("./builtin/social/definition.ts")).socialAdapter,
  signal: async () => (await import("./builtin/signal/definition.ts")).signalAdapter,
  sqlite: async () => (await import("./builtin/sqlite/definition.ts")).sqliteAdapter,
  svc: async () => (await import("./builtin/svc/definition.ts")).svcAdapter,
  timer: async () => (await import("./builtin/timer/definition.ts")).timerAdapter,
  tools: async () => (await import("./builtin/tools/definition.ts")).toolsAdapter,
  txn: async () => (await import("./builtin/txn/definition.ts")).txnAdapter,
  videomon: async () => (await import("./builtin/videomon/definition.ts")).videomonAdapter,
  wasm: async () => (await import("./builtin/wasm/definition.ts")).wasmAdapter,
};

/** Adapters a program can really call in this build: `core` is part of the machine. */
export const PROVIDED_ADAPTERS: readonly string[] = ["core", ...Object.keys(BUILTIN_LOADERS)].sort();

/** Settings that a place of the operator fills; `needed`: without either the adapter cannot be enabled. */
type PlaceDefault = {
  readonly setting: string;
  readonly place: Exclude<keyof HostPlaces, "reserved" | "granted">;
  readonly needed?: string;
};
const PLACE_DEFAULTS: Readonly<Record<string, PlaceDefault>> = {
  fs: { setting: "sandbox_root", place: "dataRoot", needed: "fs needs sandbox_root, or a data root of the operator" },
};

/** The setting that a place fills because it is not given; null without one. */
function placeFilling(name: string, constraints: Constraints): PlaceDefault | null {
  const filled = Object.hasOwn(PLACE_DEFAULTS, name) ? PLACE_DEFAULTS[name] : undefined;
  return filled === undefined || Object.hasOwn(constraints, filled.setting) ? null : filled;
}

export type RegistryOptions = Omit<LinkDeps, "services"> & {
  readonly places: HostPlaces;
  /** Made at the first adapter that is linked. */
  services(): Promise<HostServices>;
  /** Besides the built-in ones; a name given here replaces a built-in one. */
  readonly definitions?: readonly AdapterDefinition[];
  readonly settings?: SettingTable;
  /** Who is asked before every call, with the catalog that their facts come from. */
  readonly decisions?: Pick<DecisionDeps, "deciders" | "catalog">;
};

export type AdapterRegistry = AdapterLinker & {
  /** Names that can be linked, sorted. */
  readonly provided: readonly string[];
  definition(name: string): Promise<AdapterDefinition | null>;
};

export function createRegistry(options: RegistryOptions): AdapterRegistry {
  const given = new Map((options.definitions ?? []).map((definition) => [definition.name, definition]));
  const loaded = new Map<string, Promise<AdapterDefinition>>();
  const linked = new Map<string, Promise<LinkResult>>();
  const faults = new Map<string, Promise<readonly InputIssue[]>>();
  const { places } = options;

  const definition = async (name: string): Promise<AdapterDefinition | null> => {
    const known = given.get(name);
    if (known !== undefined) return known;
    const load = Object.hasOwn(BUILTIN_LOADERS, name) ? BUILTIN_LOADERS[name] : undefined;
    if (load === undefined) return null;
    let loading = loaded.get(name);
    if (loading === undefined) {
      loading = load();
      loaded.set(name, loading);
    }
    return loading;
  };

  const faultsOnce = (found: AdapterDefinition): Promise<readonly InputIssue[]> => {
    const known = faults.get(found.name) ?? faultsOf(found);
    faults.set(found.name, known);
    return known;
  };

  const lacks = (name: string, constraints: Constraints): readonly InputIssue[] => {
    const filled = placeFilling(name, constraints);
    if (filled?.needed === undefined || places[filled.place] !== null) return [];
    return [{ path: `/adapters/${name}/${filled.setting}`, code: "required", message: filled.needed }];
  };

  const link = async (name: string, constraints: Constraints): Promise<LinkResult> => {
    const found = await definition(name);
    if (found === null) return { ok: true, adapter: null, warnings: [] };
    const issues = given.has(name) ? await faultsOnce(found) : [];
    if (issues.length > 0) return { ok: false, issues };
    const lacking = lacks(name, constraints);
    if (lacking.length > 0) return { ok: false, issues: lacking };
    const filled = placeFilling(name, constraints);
    const place = filled === null ? null : places[filled.place];
    const settings: JsonObject =
      filled === null || place === null ? constraints : { ...constraints, [filled.setting]: place };
    // With the linker comes the schema library: only runs that use an adapter pay for it.
    const { linkAdapter } = await import("./definition/link.ts");
    const linked = linkAdapter(found, settings, { ...options, services: await options.services() });
    if (!linked.ok || options.decisions === undefined || options.decisions.deciders.length === 0) return linked;
    const { decidedAdapter } = await import("./operator/deciders.ts");
    const deps: DecisionDeps = { ...options.decisions, timers: systemTimers, log: options.log };
    return { ...linked, adapter: decidedAdapter(linked.adapter, deps) };
  };

  return {
    settings: options.settings ?? builtinSettings,
    provided: [...new Set([...Object.keys(BUILTIN_LOADERS), ...given.keys()])].sort(),
    definition,
    lacks,
    link(name, constraints) {
      // Linking has no effects, so one result serves every request under the same settings.
      const key = `${name} ${JSON.stringify(constraints)}`;
      let known = linked.get(key);
      if (known === undefined) {
        known = link(name, constraints);
        known.catch(() => linked.delete(key));
        if (linked.size >= MAX_LINKED) linked.clear();
        linked.set(key, known);
      }
      return known;
    },
  };
}

const MAX_LINKED = 1024;

/** Rules that a definition from outside breaks. */
async function faultsOf(definition: AdapterDefinition): Promise<InputIssue[]> {
  const { definitionIssues } = await import("./definition/check-definition.ts");
  return definitionIssues(definition).map(({ path, message }) => ({
    path: `/adapters/${definition.name}`,
    code: "definition",
    message: `the definition of ${definition.name} is not valid: ${path} ${message}`,
  }));
}
