/**
 * What the operator says of adapters besides their settings: `$meta` of the operator file raises the facts that policy decides by. The
 * facts of a definition are its author's word; an operator may trust it less, never more.
 */
import * as z from "zod/mini";
import { type AdapterEntry, PRIVILEGE_TIERS, type VerbEntry } from "../../compiler/catalog.ts";
import type { OperatorDocument } from "../operator/operator-file.ts";
import { StartFault } from "../operator/start-fault.ts";

export type RaisedFacts = { readonly entries: readonly AdapterEntry[]; readonly warnings: readonly string[] };

const metaShape = z.strictObject({
  privilege_tier: z.optional(z.enum(["pure", "local_state", "network", "operator_sensitive"])),
  destructive: z.optional(z.boolean()),
  network_facing: z.optional(z.boolean()),
  sandbox_safe: z.optional(z.boolean()),
  durable: z.optional(z.boolean()),
});
type Meta = z.output<typeof metaShape>;

/** The entries as the operator sees them. Throws StartFault. */
export function raisedFacts({ meta }: Pick<OperatorDocument, "meta">, entries: readonly AdapterEntry[]): RaisedFacts {
  const warnings: string[] = [];
  const raised = new Map(entries.map((entry) => [entry.name, entry]));
  for (const [name, given] of meta) {
    const place = `the file of WF_ADAPTERS_CONFIG: /${name.slice(0, 60)}/$meta`;
    const entry = raised.get(name);
    if (entry === undefined) throw new StartFault(`${place}: unknown adapter`);
    const read = metaShape.safeParse(given);
    if (!read.success)
      throw new StartFault(
        `${place}: expected privilege_tier, destructive, network_facing, sandbox_safe and durable, each optional`,
      );
    for (const fact of loweredFacts(entry, read.data))
      warnings.push(`meta_not_lowered: ${name}.$meta.${fact} is weaker than the definition says, and has no effect`);
    raised.set(name, raisedEntry(entry, read.data));
  }
  return { entries: [...raised.values()], warnings };
}

function loweredFacts(entry: AdapterEntry, meta: Meta): string[] {
  const lowered: string[] = [];
  if (meta.privilege_tier !== undefined && rank(meta.privilege_tier) < rank(entry.privilege_tier))
    lowered.push("privilege_tier");
  for (const fact of ["destructive", "network_facing", "durable"] as const)
    if (meta[fact] === false && entry[fact]) lowered.push(fact);
  if (meta.sandbox_safe === true && !entry.sandbox_safe) lowered.push("sandbox_safe");
  return lowered;
}

function raisedEntry(entry: AdapterEntry, meta: Meta): AdapterEntry {
  const tier = meta.privilege_tier ?? entry.privilege_tier;
  const destroys = (verb: VerbEntry): VerbEntry =>
    verb.effect_tier.startsWith("io-") ? { ...verb, destructive: true } : verb;
  return {
    ...entry,
    privilege_tier: rank(tier) > rank(entry.privilege_tier) ? tier : entry.privilege_tier,
    destructive: entry.destructive || meta.destructive === true,
    network_facing: entry.network_facing || meta.network_facing === true,
    sandbox_safe: entry.sandbox_safe && meta.sandbox_safe !== false,
    durable: entry.durable || meta.durable === true,
    verbs: meta.destructive === true ? entry.verbs.map(destroys) : entry.verbs,
  };
}

function rank(tier: AdapterEntry["privilege_tier"]): number {
  return PRIVILEGE_TIERS.indexOf(tier);
}
