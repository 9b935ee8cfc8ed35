/**
 * What a configuration file adds to the grant of a command line. Its sections are those of a request to the service and are read by the
 * same code. Flags win over one that speaks for the user, setting by setting and limit by limit; whatever it says of policy always holds.
 */
import { resolve } from "node:path";
import { isObject } from "../../compiler/json.ts";
import { readCallerRequest } from "../../vm/admission/caller-request.ts";
import { EMPTY_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { mergeGrants } from "../../vm/grant/merge.ts";
import { type Profile, profileGrant } from "../../vm/grant/profiles.ts";
import type { Limits } from "../../vm/run.ts";
import type { Session } from "../session/session.ts";
import { configFault, type ProjectConfig } from "./project-config.ts";
import { type GivenSettings, SETTING_FLAGS, settingTable } from "./setting-flags.ts";

export type ConfigGrant = {
  /** A side of the merge. */
  readonly grant: Grant;
  /** Limits that take the place of the defaults. */
  readonly limits: Limits;
  readonly enable: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
};

type Given = { readonly limits: Limits; readonly settings: GivenSettings["constraints"] };

/** `profile`: the one that a configuration which only tightens names. Throws CliFault. */
export function configGrant(
  session: Session,
  config: ProjectConfig,
  profile: Profile | null,
  given: Given,
): ConfigGrant {
  const { catalog } = session.host;
  const settings = settingTable(session);
  const places = { base: config.folder, bound: null, reserved: [], homes: [] };
  const { limits, policy } = config;
  const origin = config.own ? "operator" : "caller";
  const adapters = withPaths(config);
  const read = readCallerRequest({ limits, policy, adapters }, { catalog, settings, places, origin });
  if (!read.ok) throw configFault(config.name, read.issues);
  // Settings reserved to operators are not taken from a file that was only found further up.
  const faults = read.settingIssues.filter(({ code }) => config.own || code !== "not_yours");
  if (faults.length > 0) throw configFault(config.name, faults);
  const grant = config.own ? unlessGiven(read.grant, given) : read.grant;
  const merged = profile === null ? grant : mergeGrants(grant, profileGrant(profile), settings);
  const sections = Object.keys(read.grant.adapter_constraints);
  return {
    grant: merged,
    limits: config.own ? grant.limits : EMPTY_GRANT.limits,
    enable: config.own ? [...new Set([...read.enable, ...sections])] : [],
    notes:
      !config.own && read.enable.length + read.settingIssues.length > 0
        ? [`${config.name} is not in the program's folder, so it only tightens: it enables nothing`]
        : [],
    warnings: read.warnings,
  };
}

/** Limits and settings that flags give are theirs to say. */
function unlessGiven(grant: Grant, { limits, settings }: Given): Grant {
  const sections = Object.entries(grant.adapter_constraints).map(([name, section]): [string, typeof section] => [
    name,
    without(section, settings[name] ?? {}),
  ]);
  return { ...grant, limits: without(grant.limits, limits), adapter_constraints: Object.fromEntries(sections) };
}

/** Without the members that were given otherwise. */
function without<T extends object>(members: T, given: object): T {
  const left = Object.entries(members).filter(([name]) => {
    const over: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
    return over === undefined;
  });
  return Object.fromEntries(left) as T;
}

/** Places that are the operator's alone count from the file, too, as those of flags count from the working folder. */
function withPaths({ adapters, folder }: ProjectConfig): unknown {
  if (!isObject(adapters)) return adapters;
  const placed = Object.entries(adapters).map(([adapter, section]): [string, unknown] => {
    if (!isObject(section)) return [adapter, section];
    const members = Object.entries(section).map(([setting, value]): [string, unknown] => {
      const flag = Object.values(SETTING_FLAGS).find((one) => one.adapter === adapter && one.setting === setting);
      const isPath = flag?.kind === "path" && typeof value === "string" && value !== ":memory:";
      return [setting, isPath ? resolve(folder, value) : value];
    });
    return [adapter, Object.fromEntries(members)];
  });
  return Object.fromEntries(placed);
}
