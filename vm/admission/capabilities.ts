/** The capabilities document of a server: the catalog in the contract's fields, and what this server adds, grants and provides. */
import { type CapabilityEntry, capabilitiesDocument } from "../../compiler/catalog/capabilities.ts";
import type { MergeKind, SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterEntry } from "../../compiler/catalog.ts";
import type { EffectTier } from "../../compiler/ir/graph.ts";
import { IR_VERSIONS } from "../../compiler/ir/graph.ts";
import type { Gateway } from "../gateway.ts";
import { admits } from "../grant/convert.ts";
import { RUNTIME_VERSION } from "../version.ts";

/** What a value of a setting looks like; the operator's alone have any shape. */
const TYPES: Readonly<Record<MergeKind, string>> = {
  intersect: "list",
  min: "number",
  and: "boolean",
  within: "path",
  server: "any",
};

export type ServerCapability = CapabilityEntry & {
  readonly available: boolean;
  readonly enabled_by_default: boolean;
  readonly allowed: boolean;
  readonly settings: Readonly<Record<string, { readonly type: string; readonly kind: MergeKind }>>;
  readonly verb_effects: Readonly<Record<string, EffectTier>>;
};

export function serverCapabilities(gateway: Gateway, provided: readonly string[], features: readonly string[]) {
  const { catalog } = gateway.host;
  const document = capabilitiesDocument(catalog, RUNTIME_VERSION);
  const adapters = Object.entries(document.adapters).map(([name, entry]): [string, ServerCapability] => [
    name,
    {
      ...entry,
      available: name === "core" || provided.includes(name),
      enabled_by_default: name === "core" || gateway.server.enabled.includes(name),
      allowed: admits(gateway.grant, name, catalog),
      settings: settingTypes(name, gateway.settings),
      verb_effects: verbEffects(catalog.adapter(name)),
    },
  ]);
  return {
    ...document,
    adapters: Object.fromEntries(adapters),
    limits: gateway.grant.limits,
    profile: gateway.server.profile?.name ?? null,
    ir_versions: IR_VERSIONS,
    tier: gateway.host.tier,
    features,
  };
}

/** Type and merge kind of every setting of an adapter; no values. */
export function settingTypes(adapter: string, table: SettingTable): ServerCapability["settings"] {
  const settings = Object.entries(table.get(adapter)?.settings ?? {});
  return Object.fromEntries(
    settings.map(([name, { kind, map }]) => [name, { type: map === true ? "object" : TYPES[kind], kind }]),
  );
}

function verbEffects(entry: AdapterEntry | undefined): ServerCapability["verb_effects"] {
  const listed = (entry?.verbs ?? []).filter((verb) => verb.unlisted !== true);
  return Object.fromEntries(listed.map((verb) => [verb.name, verb.effect_tier]));
}
