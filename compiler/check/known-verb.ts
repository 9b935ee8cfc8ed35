/** The verb that a call names, as the catalog knows it, and how the checks of calls report what they find. */
import type { Finding } from "../../grammar/diagnostic.ts";
import { type AdapterCatalog, findAdapter, findVerb, type VerbEntry } from "../catalog.ts";
import type { CallData } from "../ir/graph.ts";

/** Adds label and node to a finding. */
export type Report = (finding: Omit<Finding, "label_id" | "node_id">) => void;

export type KnownVerb = { readonly adapter: string; readonly verb: VerbEntry; readonly target: string };

/** null where adapter or verb are computed, or unknown. */
export function knownVerb(data: CallData, catalog: AdapterCatalog): KnownVerb | null {
  if (typeof data.adapter !== "string" || typeof data.verb !== "string") return null;
  const entry = findAdapter(catalog, data.adapter);
  const verb = entry === undefined ? undefined : findVerb(entry, data.verb);
  if (entry === undefined || verb === undefined) return null;
  return { adapter: entry.name, verb, target: `${entry.name}.${verb.name}` };
}
