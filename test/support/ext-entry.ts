/** What compilers and hosts of the tests know of `ext`, the adapter of the shared cases that takes any verb. */
import type { AdapterEntry, VerbEntry } from "../../compiler/catalog.ts";

type VerbFacts = Pick<VerbEntry, "effect_tier" | "kind" | "idempotent">;

/** With these verbs by name, all alike. */
export function extEntry(verbs: readonly string[], facts: VerbFacts): AdapterEntry {
  return {
    name: "ext",
    support_tier: "extension_ecosystem",
    effect_default: "io",
    recommended_lane: "noncanonical",
    privilege_tier: "local_state",
    destructive: false,
    network_facing: false,
    sandbox_safe: true,
    durable: false,
    open_verbs: true,
    verbs: verbs.map((name) => ({ name, ...facts, destructive: false, parameters: null })),
    aliases: {},
  };
}

/** Verbs of which nothing good may be assumed. */
export const WRITES: VerbFacts = { effect_tier: "io-write", kind: "unknown", idempotent: false };
