/** The published document of what adapters offer (docs/cli/capabilities.md): the catalog in the contract's fields. */
import type { AdapterCatalog, AdapterEntry, PrivilegeTier } from "../catalog.ts";

export type CapabilityEntry = {
  readonly support_tier: AdapterEntry["support_tier"];
  readonly verbs: readonly string[];
  readonly effect_default: AdapterEntry["effect_default"];
  readonly recommended_lane: AdapterEntry["recommended_lane"];
  readonly privilege_tier: PrivilegeTier;
  readonly destructive: boolean;
  readonly network_facing: boolean;
  readonly sandbox_safe: boolean;
};
export type CapabilitiesDocument = {
  readonly schema_version: "1.0";
  readonly runtime_version: string;
  readonly policy_support: true;
  readonly adapters: Readonly<Record<string, CapabilityEntry>>;
};

export function capabilitiesDocument(catalog: AdapterCatalog, runtimeVersion: string): CapabilitiesDocument {
  const adapters = catalog.names().flatMap((name): [string, CapabilityEntry][] => {
    const entry = catalog.adapter(name);
    return entry === undefined ? [] : [[name, capabilityEntry(entry)]];
  });
  return {
    schema_version: "1.0",
    runtime_version: runtimeVersion,
    policy_support: true,
    adapters: Object.fromEntries(adapters),
  };
}

function capabilityEntry(entry: AdapterEntry): CapabilityEntry {
  return {
    support_tier: entry.support_tier,
    verbs: entry.verbs.filter((verb) => verb.unlisted !== true).map((verb) => verb.name),
    effect_default: entry.effect_default,
    recommended_lane: entry.recommended_lane,
    privilege_tier: entry.privilege_tier,
    destructive: entry.destructive,
    network_facing: entry.network_facing,
    sandbox_safe: entry.sandbox_safe,
  };
}
