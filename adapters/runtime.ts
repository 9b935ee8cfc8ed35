/**
 * Everything a surface needs to serve callers, put together once at start: the host, the adapters with their services, the server's side
 * of every merge, and the gateway in front. Surfaces differ in where requests come from and in their default grant only.
 */
import { rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { builtinAdapters } from "../compiler/catalog/builtin.ts";
import { builtinSettings, type SettingTable } from "../compiler/catalog/settings.ts";
import { type AdapterCatalog, type AdapterEntry, createCatalog, MEMORY_NAMESPACES } from "../compiler/catalog.ts";
import { AdapterError } from "../vm/errors/failures.ts";
import { createGateway, type Gateway } from "../vm/gateway.ts";
import type { Side } from "../vm/grant/explain.ts";
import { EMPTY_GRANT, FLOOR_GRANT, type Grant } from "../vm/grant/grant.ts";
import { mergeGrants } from "../vm/grant/merge.ts";
import { constraintsOf } from "../vm/grant/normalize-grant.ts";
import { fillGrant, type Profile, profileGrant } from "../vm/grant/profiles.ts";
import { createHost, type Host, type HostDeps } from "../vm/host.ts";
import type { Clock } from "../vm/run.ts";
import { adapterSettingsOf, catalogEntryOf } from "./definition/catalog-entry.ts";
import type { AdapterDefinition } from "./definition/define.ts";
import type { AdapterLog } from "./definition/effect.ts";
import type { FunctionTools } from "./definition/function-tools.ts";
import type { HostPlaces, HostServices } from "./definition/host-services.ts";
import type { OperatorRules } from "./guard/http/http.ts";
import type { HostConfig } from "./operator/host-config.ts";
import {
  choosablePlaces,
  completePlaces,
  reservedPlaces,
  unboundedPlaces,
  withOwners,
} from "./operator/host-places.ts";
import {
  type KnownProfiles,
  loadProfile,
  type Operator,
  type OperatorContext,
  readOperator,
  readOperatorDocument,
  readProfiles,
} from "./operator/operator-file.ts";
import { createSecrets, type Secrets } from "./operator/secrets.ts";
import { StartFault } from "./operator/start-fault.ts";
import { raisedFacts } from "./plugins/facts.ts";
import type { LoadedPlugin } from "./plugins/load.ts";
import type { HostAdapters } from "./plugins/open.ts";
import { type AdapterRegistry, createRegistry } from "./registry.ts";
import { createHostRedaction, type Redaction } from "./run-log/redaction.ts";
import type { MadeServices } from "./services.ts";

/** What differs between surfaces, and what their process gives. */
export type RuntimeOptions = {
  readonly config: HostConfig;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Fresh id of a run; default: a UUID without its hyphens. */
  readonly traceId?: () => string;
  readonly log: AdapterLog;
  /** The profile that is the server grant, or its name or file; null: the resource floor. */
  readonly profile?: Profile | string | null;
  /** A profile that strict mode merges in besides, by name or file. */
  readonly strictProfile?: string | null;
  /** Limits where the profile says nothing, and the whole grant without one. Default: the contract's floor. */
  readonly floor?: Grant;
  /** Further sides of the server, such as the posture of a surface. */
  readonly sides?: (profiles: readonly Profile[]) => readonly Side[];
  /** Folder that relative places in requests count from; default: the data root. */
  readonly placeBase?: string | null;
  /** The user of this surface is the operator: places are not bounded. */
  readonly trustedPlaces?: boolean;
  /** Those of `openAdapters`. Default: the built-in ones; an operator who names plugins must have had them loaded. */
  readonly adapters?: HostAdapters;
  /** Adapters besides those. */
  readonly definitions?: readonly AdapterDefinition[];
  /** What the compiler knows of them; default: what the definitions say. */
  readonly entries?: readonly AdapterEntry[];
  /** Functions that programs may call as tools. */
  readonly tools?: FunctionTools;
  /** Adapters enabled besides those of the operator's files. */
  readonly enable?: readonly string[];
  /** Compiled programs kept; 0: none. */
  readonly compileCacheEntries?: number;
  /** What the frames of all runs may weigh together; default: four times what one may. */
  readonly framesTotalBytes?: number;
  /** Lets other work of the process run between slices of a run (`HostDeps.turn`). */
  readonly turn?: NonNullable<HostDeps["turn"]>;
  /** When a run or a compilation may begin (`HostDeps.begins`). */
  readonly begins?: NonNullable<HostDeps["begins"]>;
  /** Lets long runs continue in a worker thread (`HostDeps.driveMovable`). */
  readonly driveMovable?: NonNullable<HostDeps["driveMovable"]>;
  /** Compiles large sources elsewhere (`HostDeps.compileAside`). */
  readonly compileAside?: NonNullable<HostDeps["compileAside"]>;
  /** Every run begins and ends elsewhere (`HostDeps.isolate`). */
  readonly isolate?: NonNullable<HostDeps["isolate"]>;
  /** For tests: services and host instead of fresh ones. */
  readonly services?: HostServices;
  readonly host?: Host;
};

/** A host that is ready for callers, with everything it was put together from. */
export type Runtime = {
  readonly gateway: Gateway;
  readonly catalog: AdapterCatalog;
  readonly registry: AdapterRegistry;
  readonly operator: Operator;
  readonly profiles: readonly Profile[];
  /** The one that is loaded. */
  readonly profile: Profile | null;
  readonly secrets: Secrets;
  readonly places: HostPlaces;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Host variables that programs may read, before any request narrows them. */
  readonly environment: ReadonlyMap<string, string>;
  readonly plugins: readonly LoadedPlugin[];
  /** Noticed at start. */
  readonly warnings: readonly string[];
  /** Makes the tables of the shared database, if there is one. Rejects with StartFault when it cannot be used. */
  prepareStores(): Promise<void>;
  close(): Promise<void>;
};

/** Of one field, without secrets. */
const MAX_LOGGED_TEXT = 4096;
/** Another replica's migration is waited for. */
const PREPARE_MS = 60_000;

/** Throws StartFault when the operator's files or names are not valid. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { config, clock, uuid, log, adapters = builtinOnly(config) } = options;
  const warnings: string[] = [];
  const { definitions, catalog: declared, settings } = knownAdapters(options, adapters);
  const context = { catalog: declared, settings };
  const operator = readOperator(config, context);
  const known = readProfiles(config, context);
  const { profiles } = known;
  const { profile, strictProfile } = loadedProfiles(options, known, context, warnings);
  const sides = serverSides(options, { profile, strictProfile, profiles, operator });
  const trusted = options.trustedPlaces === true;
  const operators = operatorGrant(sides, settings);
  const catalog = withNamespaces(declared, operators);
  const choosable = trusted ? [] : choosablePlaces(operators, settings, catalog);
  const chosen = choosable.length > 0 || (profile ?? strictProfile) !== null;
  const bounded = !trusted && !config.anyCallerPlaces;
  const { places: completed, temporary } = completePlaces(config.places, {
    bounded,
    chosen,
    warnings,
  });
  const places = withOwners(completed, operators, settings, ownFiles(config));
  const services = servicesOnDemand(options, places, operators);
  const secrets = createSecrets(config);
  const redaction = createHostRedaction(secrets, config);
  const registry = createRegistry({
    places,
    services: services.get,
    secret: (name) => secrets.get(name),
    log: (event, fields) => log(event, fields === undefined ? undefined : loggedFields(fields, redaction)),
    now: () => clock.wall(),
    definitions,
    settings,
    decisions: { deciders: adapters.deciders, catalog },
  });
  const environment = readableVariables(config, sides);
  const host = options.host ?? createHost(hostDeps(options, { catalog, environment, secrets }));
  const bound = bounded ? places.dataRoot : null;
  const gateway = createGateway(host, registry, {
    sides,
    profile,
    strictProfile,
    enabled: [...operator.enabled, ...(options.enable ?? [])],
    places: {
      base: options.placeBase ?? (trusted ? null : places.dataRoot),
      bound,
      reserved: reservedPlaces(places),
      homes: [homedir()],
    },
  });
  const unbounded = trusted || bounded ? [] : unboundedPlaces(choosable);
  return {
    ...{ gateway, catalog, registry, operator, profiles, profile, secrets, places, clock, uuid, environment },
    plugins: adapters.plugins,
    warnings: [...adapters.warnings, ...operator.warnings, ...warnings, ...unbounded],
    prepareStores: () => (config.databaseUrl === null ? Promise.resolve() : preparedStores(services.get)),
    close: async () => {
      await Promise.all([services.close(), adapters.close()]);
      // Files of programs stay: the operator may still want them.
      if (temporary !== null) await rmdir(temporary).catch(() => {});
    },
  };
}

type KnownAdapters = {
  /** Those that are not built in. */
  readonly definitions: readonly AdapterDefinition[];
  readonly catalog: AdapterCatalog;
  readonly settings: SettingTable;
};

/** The adapters of the host and those that the surface brings besides. */
function knownAdapters({ definitions = [], entries }: RuntimeOptions, adapters: HostAdapters): KnownAdapters {
  return {
    definitions: [...adapters.plugins.map(({ definition }) => definition), ...definitions],
    catalog: createCatalog([...adapters.entries, ...(entries ?? definitions.map(catalogEntryOf))]),
    settings: new Map([...adapters.settings, ...definitions.map((one) => [one.name, adapterSettingsOf(one)] as const)]),
  };
}

/** The catalog with the namespaces of memory that the operator adds: the compiler refuses others where they are written out. */
function withNamespaces(catalog: AdapterCatalog, operators: Grant): AdapterCatalog {
  const added = constraintsOf(operators, "memory")["extra_namespaces"];
  const entries = catalog.names().flatMap((name) => catalog.adapter(name) ?? []);
  if (!Array.isArray(added) || added.length === 0) return catalog;
  const namespaces = [...MEMORY_NAMESPACES, ...added.map(String)];
  return createCatalog(entries.map((entry) => (entry.name === "memory" ? { ...entry, namespaces } : entry)));
}

type LoadedProfiles = { readonly profile: Profile | null; readonly strictProfile: Profile | null };

function loadedProfiles(
  { profile = null, strictProfile = null }: RuntimeOptions,
  known: KnownProfiles,
  context: OperatorContext,
  warnings: string[],
): LoadedProfiles {
  const load = (given: string): Profile => {
    const loaded = loadProfile(given, known, context);
    warnings.push(...loaded.warnings);
    return loaded.profile;
  };
  return {
    profile: typeof profile === "string" ? load(profile) : profile,
    strictProfile: strictProfile === null ? null : load(strictProfile),
  };
}

/** What the server's side of every merge is made of: base grant, strict mode, the surface, the operator. */
function serverSides(
  { floor = FLOOR_GRANT, sides }: RuntimeOptions,
  found: LoadedProfiles & { readonly profiles: readonly Profile[]; readonly operator: Operator },
): readonly Side[] {
  const { profile, strictProfile, profiles, operator } = found;
  const base: Side =
    profile === null
      ? { source: "default", grant: floor }
      : { source: `profile:${profile.name}`, grant: fillGrant(profile, floor) };
  const strict: readonly Side[] =
    strictProfile === null ? [] : [{ source: `profile:${strictProfile.name}`, grant: profileGrant(strictProfile) }];
  return [base, ...strict, ...(sides?.(profiles) ?? []), ...(operator.side === null ? [] : [operator.side])];
}

type ServicesOnDemand = { readonly get: () => Promise<HostServices>; readonly close: () => Promise<void> };

/** With the services come child processes, pools and sockets: a run of core alone never loads any of it. */
function servicesOnDemand(
  { config, services, tools }: RuntimeOptions,
  places: HostPlaces,
  operators: Grant,
): ServicesOnDemand {
  let made: Promise<MadeServices> | null = null;
  const make = async (): Promise<MadeServices> => {
    const { createServices } = await import("./services.ts");
    return createServices({
      places,
      databaseUrl: config.databaseUrl,
      environment: config.variables,
      maxSqliteProcesses: config.maxSqliteProcesses,
      ...(tools === undefined ? {} : { tools }),
      http: {
        allowPrivate: config.httpAllowPrivate,
        propagateTrace: config.propagateTrace,
        operatorRules: (adapter) => rulesOf(operators, adapter, config.httpAllowPrivate),
      },
    });
  };
  return {
    get: async () => {
      if (services !== undefined) return services;
      made ??= make();
      return (await made).services;
    },
    close: async () => (await made)?.close(),
  };
}

/** The variables of the host that every side lets programs read. */
function readableVariables({ exposed }: HostConfig, sides: readonly Side[]): ReadonlyMap<string, string> {
  const lists = sides.map(({ grant }) => constraintsOf(grant, "core")["allow_env"]).filter(Array.isArray);
  return new Map([...exposed].filter(([name]) => lists.every((list) => list.includes(name))));
}

function hostDeps(
  {
    config,
    clock,
    uuid,
    log,
    traceId,
    compileCacheEntries,
    framesTotalBytes,
    turn,
    begins,
    driveMovable,
    compileAside,
    isolate,
  }: RuntimeOptions,
  { catalog, environment, secrets }: Pick<Runtime, "catalog" | "environment" | "secrets">,
): HostDeps {
  return {
    clock,
    facts: { uuid, env: (name) => environment.get(name) },
    catalog,
    adapters: new Map(),
    traceId: traceId ?? (() => uuid().replaceAll("-", "")),
    crashed: (adapter, verb, thrown) => {
      const error = secrets.scrubbed(thrown instanceof Error ? thrown.name : "unknown");
      log("adapter_crashed", { adapter, verb, error });
    },
    tier: config.tier ?? "auto",
    tierRefused: (entry, reason) => log("tier_refused", { entry, reason }),
    ...(config.frameCeilingBytes === null ? {} : { frameCeilingBytes: config.frameCeilingBytes }),
    ...(compileCacheEntries === undefined ? {} : { compileCacheEntries }),
    ...(framesTotalBytes === undefined ? {} : { framesTotalBytes }),
    ...(turn === undefined ? {} : { turn }),
    ...(begins === undefined ? {} : { begins }),
    ...(driveMovable === undefined ? {} : { driveMovable }),
    ...(compileAside === undefined ? {} : { compileAside }),
    ...(isolate === undefined ? {} : { isolate }),
  };
}

async function preparedStores(services: () => Promise<HostServices>): Promise<void> {
  try {
    await (await services()).sharedDatabase?.prepare({ timeoutMs: PREPARE_MS });
  } catch (cause) {
    if (!(cause instanceof AdapterError)) throw cause;
    throw new StartFault(`the database of WF_DATABASE_URL: ${cause.message} (${cause.code})`);
  }
}

/** A host without plugins. Throws StartFault when its operator names some. */
function builtinOnly(config: HostConfig): HostAdapters {
  const document = readOperatorDocument(config);
  if (config.plugins.length > 0 || document.plugins !== undefined || document.deciders !== undefined)
    throw new StartFault(
      "the operator names plugins or deciders, and this host was opened without loading them (openAdapters)",
    );
  const { entries, warnings } = raisedFacts(document, builtinAdapters);
  return { entries, settings: builtinSettings, plugins: [], deciders: [], warnings, close: async () => {} };
}

/** Files of the operator's configuration, which no program reads or writes. */
function ownFiles({ adaptersFile, profilesFile, secretsDir, plugins }: HostConfig): readonly string[] {
  return [adaptersFile, profilesFile, secretsDir, ...plugins.filter((one) => /^[./]/.test(one))].filter(
    (path) => path !== null,
  );
}

/** What the operator's sides say together, without those that speak for somebody else. */
function operatorGrant(sides: readonly Side[], settings: SettingTable): Grant {
  return sides
    .filter(({ foreign }) => foreign !== true)
    .reduce((merged, { grant }) => mergeGrants(merged, grant, settings), EMPTY_GRANT);
}

function rulesOf(operators: Grant, adapter: string, allowPrivate: boolean): OperatorRules {
  const { allow_hosts: hosts, allow_private: said } = constraintsOf(operators, adapter);
  return {
    allowHosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string") : [],
    allowPrivate: typeof said === "boolean" ? said : allowPrivate,
  };
}

type LogFields = NonNullable<Parameters<AdapterLog>[1]>;

function loggedFields(fields: LogFields, redaction: Redaction): LogFields {
  const told = (text: string): string => redaction.text(text).slice(0, MAX_LOGGED_TEXT);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? told(value) : value]),
  );
}
