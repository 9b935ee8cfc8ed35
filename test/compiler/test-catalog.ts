/** The nineteen adapters and the mock adapter `ext` of the shared cases. */
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { type AdapterEntry, createCatalog } from "../../compiler/catalog.ts";

const ext: AdapterEntry = {
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
  verbs: ["ECHO", "RUN", "OP", "G", "P", "NEXT"].map((name) => ({
    name,
    effect_tier: "io-read" as const,
    kind: "tool",
    destructive: false,
    idempotent: true,
    parameters: null,
  })),
  aliases: {},
};

export const testCatalog = createCatalog([...builtinAdapters, ext]);
