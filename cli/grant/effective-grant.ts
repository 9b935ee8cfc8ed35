/**
 * The grant of one command line: a profile or the resource floor, tightened by grant and policy files and by flags. Files are read
 * in `grant-documents.ts`; what they mean is decided in `vm/grant`.
 */
import { resolve } from "node:path";
import type { HostConfig } from "../../adapters/operator/host-config.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../../adapters/runtime.ts";
import type { Admission } from "../../vm/admission/admit.ts";
import type { Gateway } from "../../vm/gateway.ts";
import { EMPTY_GRANT, FLOOR_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { droppedAdapters, mergeGrants } from "../../vm/grant/merge.ts";
import { normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import { fillGrant, type Profile } from "../../vm/grant/profiles.ts";
import type { Limits } from "../../vm/run.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { operatorLog } from "../session/session.ts";
import { type ConfigGrant, configGrant } from "./config-grant.ts";
import { grantContext, loadGrant, loadPolicy, loadProfile } from "./grant-documents.ts";
import { adapterNames, givenLimitFlags, type LimitFlags, listOf, readLimits } from "./limit-flags.ts";
import type { ProjectConfig } from "./project-config.ts";
import {
  type GivenSettings,
  readSettingFlags,
  type SettingFlagValues,
  settingFlagOf,
  settingTable,
} from "./setting-flags.ts";

export type GrantFlags = {
  readonly profile: string | undefined;
  readonly grantFile: string | undefined;
  readonly policyFile: string | undefined;
  readonly allowAdapter?: readonly string[] | undefined;
  readonly forbidAdapter?: readonly string[] | undefined;
  readonly forbidEffect?: readonly string[] | undefined;
  readonly forbidTier?: readonly string[] | undefined;
  readonly forbidPrivilege?: readonly string[] | undefined;
  readonly forbidDestructive?: boolean;
  readonly limits?: LimitFlags;
  /** Names of --enable-adapter. */
  readonly enable?: readonly string[] | undefined;
  readonly adaptersConfig?: string | undefined;
  readonly settings?: SettingFlagValues;
  readonly set?: readonly string[] | undefined;
  readonly dryRun?: boolean;
  /** The configuration of the project that the program belongs to. */
  readonly project?: ProjectConfig | null;
};

export type EffectiveGrant = Omit<Admission, "ok"> & {
  readonly profile: Profile | null;
  readonly runtime: Runtime;
  readonly gateway: Gateway;
  readonly admission: Admission;
  /** Said once, before anything else: what enabled adapters without being asked for by name. */
  readonly notes: readonly string[];
  /** Ends what runs under this grant started. */
  close(): Promise<void>;
};

export function effectiveGrant(session: Session, flags: GrantFlags): EffectiveGrant {
  const warnings: string[] = [];
  const config = operatorConfig(session, flags);
  const given = readSettingFlags(session, flags.settings ?? {}, flags.set);
  const project = projectGrant(session, flags, given, warnings);
  const wanted = flags.profile ?? (flags.project?.own === true ? flags.project.profile : undefined);
  const profile = wanted === undefined ? null : loadProfile(session, wanted, warnings);
  const { floor, asked } = floorAndLimits(profile, flags.limits ?? {}, project?.limits ?? {}, warnings);
  const named = adapterNames("--enable-adapter", flags.enable, session.host.catalog);
  const request = [
    { ...EMPTY_GRANT, limits: asked },
    flagGrant(session, flags, given.constraints, warnings),
    ...(flags.grantFile === undefined ? [] : [loadGrant(session, flags.grantFile, warnings)]),
    ...(flags.policyFile === undefined ? [] : [loadPolicy(session, flags.policyFile, warnings)]),
  ].reduce((a, b) => mergeGrants(a, b, settingTable(session)));
  const runtime = opened({
    config,
    clock: session.io.clock,
    uuid: session.io.uuid,
    traceId: session.io.uuid,
    log: operatorLog(session.screen),
    ...(session.adapters === null ? {} : { adapters: session.adapters }),
    profile,
    floor,
    sides: () => [
      ...(project === null
        ? []
        : [
            {
              source: "config",
              grant: project.grant,
              ...(flags.project?.own === true ? {} : { foreign: true as const }),
            },
          ]),
      { source: "request", grant: request },
    ],
    enable: [...named, ...given.adapters, ...(project?.enable ?? [])],
    placeBase: session.cwd,
    trustedPlaces: true,
    ...(session.io.host === undefined ? {} : { host: session.io.host }),
  });
  const { gateway } = runtime;
  const admission = gateway.admit({});
  if (!admission.ok) throw new Error("an empty request is admitted");
  const base = profile === null ? FLOOR_GRANT : fillGrant(profile, FLOOR_GRANT);
  const unasked = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !named.includes(name) && !runtime.operator.enabled.includes(name));
  return {
    ...admission,
    warnings: [
      ...new Set([...warnings, ...runtime.warnings, ...droppedAdapters(base, request), ...admission.warnings]),
    ],
    profile,
    runtime,
    gateway,
    admission,
    notes: [
      ...(project?.notes ?? []),
      ...unasked(given.adapters).map((name) => `adapter ${name} is enabled by its settings`),
      ...unasked(project?.enable ?? [])
        .filter((name) => !given.adapters.includes(name))
        .map((name) => `adapter ${name} is enabled by ${flags.project?.name}`),
    ],
    close: () => runtime.close(),
  };
}

function opened(options: RuntimeOptions): Runtime {
  try {
    return openRuntime(options);
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    throw new CliFault(cause.message, { error: "invalid_configuration", exitCode: EXIT.usage });
  }
}

/** The configuration of the environment; a flag replaces the operator file. */
function operatorConfig({ cwd, environment }: Session, flags: GrantFlags): HostConfig {
  const { adaptersConfig, dryRun } = flags;
  return {
    ...environment.host,
    ...(adaptersConfig === undefined ? {} : { adaptersFile: resolve(cwd, adaptersConfig) }),
    dryRun: dryRun === true || environment.host.dryRun,
  };
}

/** The grant of the project's configuration; null without a configuration. */
function projectGrant(
  session: Session,
  { project = null, limits = {} }: GrantFlags,
  given: GivenSettings,
  warnings: string[],
): ConfigGrant | null {
  if (project === null) return null;
  const foreign = project.own || project.profile === undefined ? null : loadProfile(session, project.profile, warnings);
  const read = configGrant(session, project, foreign, {
    limits: givenLimitFlags(limits).limits,
    settings: given.constraints,
  });
  warnings.push(...read.warnings);
  return read;
}

/** Without a profile `--max-*` and the configuration replace the values of the floor; under a profile they only tighten. */
function floorAndLimits(
  profile: Profile | null,
  flags: LimitFlags,
  configured: Limits,
  warnings: string[],
): { readonly floor: Grant; readonly asked: Limits } {
  const { limits: asked } = givenLimitFlags(flags);
  const { limits, warnings: ignored } = readLimits(flags, configured);
  warnings.push(...ignored);
  if (profile !== null) return { floor: FLOOR_GRANT, asked };
  // A value that a flag sets comes from the request, so the floor has none for it.
  const unset = Object.entries(limits).filter(([key]) => !Object.hasOwn(asked, key));
  return { floor: { ...FLOOR_GRANT, limits: Object.fromEntries(unset) }, asked };
}

function flagGrant(
  session: Session,
  flags: GrantFlags,
  settings: GivenSettings["constraints"],
  warnings: string[],
): Grant {
  const { catalog } = session.host;
  const context = grantContext(session);
  const given: Record<string, unknown> = { adapter_constraints: settings };
  if (flags.allowAdapter !== undefined)
    given["allowed_adapters"] = adapterNames("--allow-adapter", flags.allowAdapter, catalog);
  if (flags.forbidAdapter !== undefined)
    given["forbidden_adapters"] = adapterNames("--forbid-adapter", flags.forbidAdapter, catalog);
  if (flags.forbidEffect !== undefined) given["forbidden_effects"] = listOf(flags.forbidEffect);
  if (flags.forbidTier !== undefined) given["forbidden_effect_tiers"] = listOf(flags.forbidTier);
  if (flags.forbidPrivilege !== undefined) given["forbidden_privilege_tiers"] = listOf(flags.forbidPrivilege);
  if (flags.forbidDestructive === true) given["forbidden_destructive"] = true;
  const read = normalizeGrant(given, "operator", context);
  if (!read.ok) {
    const first = read.issues[0];
    const path = first?.path ?? "";
    const setting = /^\/adapter_constraints\/([^/]+)\/([^/]+)/.exec(path);
    const flag = setting === null ? flagOfMember(path) : settingFlagOf(setting[1] ?? "", setting[2] ?? "");
    throw usageFault(`option ${flag}: ${first?.message ?? "not valid"}`);
  }
  warnings.push(...read.warnings);
  return read.grant;
}

function flagOfMember(path: string): string {
  const flags: readonly (readonly [string, string])[] = [
    ["/forbidden_effects", "--forbid-effect"],
    ["/forbidden_effect_tiers", "--forbid-tier"],
    ["/forbidden_privilege_tiers", "--forbid-privilege"],
    ["/forbidden_adapters", "--forbid-adapter"],
  ];
  return flags.find(([member]) => path === member || path.startsWith(`${member}/`))?.[1] ?? "--allow-adapter";
}
