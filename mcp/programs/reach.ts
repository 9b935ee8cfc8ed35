/** How far runs can reach under a grant, for hints to hosts: whether any adapter that it admits destroys data or uses the network. */
import type { AdapterCatalog, AdapterEntry } from "../../compiler/catalog.ts";
import { admits } from "../../vm/grant/convert.ts";
import type { Grant } from "../../vm/grant/grant.ts";

export function reach(grant: Grant, catalog: AdapterCatalog): { destructive: boolean; networkFacing: boolean } {
  const entries = catalog
    .names()
    .map((name) => catalog.adapter(name))
    .filter((entry): entry is AdapterEntry => entry !== undefined && isAdmitted(entry, grant, catalog));
  return {
    destructive: entries.some((entry) => entry.destructive),
    networkFacing: entries.some((entry) => entry.network_facing),
  };
}

function isAdmitted(entry: AdapterEntry, grant: Grant, catalog: AdapterCatalog): boolean {
  if (!admits(grant, entry.name, catalog) || grant.forbidden_privilege_tiers.includes(entry.privilege_tier))
    return false;
  return !(entry.destructive && grant.forbidden_destructive);
}
