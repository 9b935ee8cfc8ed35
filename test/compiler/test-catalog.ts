/** The nineteen adapters and the mock adapter `ext` of the shared cases. */
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import { extEntry } from "../support/ext-entry.ts";

const VERBS = ["ECHO", "RUN", "OP", "G", "P", "NEXT"];

export const testCatalog = createCatalog([
  ...builtinAdapters,
  extEntry(VERBS, { effect_tier: "io-read", kind: "tool", idempotent: true }),
]);
