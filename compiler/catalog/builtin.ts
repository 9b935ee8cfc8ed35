/**
 * The nineteen adapters of the contract and the extensions of this product: names, verbs, parameters and facts. `builtin.json` is made from the
 * definitions of the adapters (test/adapters/catalog-entry.test.ts), so that a program compiles without loading one; the verbs of `core` are the
 * function table.
 */
import { type AdapterCatalog, type AdapterEntry, createCatalog } from "../catalog.ts";
import builtin from "./builtin.json" with { type: "json" };
import { coreAdapter } from "./core.ts";

/** The settings of each are read by `settings.ts`. */
const facts = builtin as unknown as readonly (AdapterEntry & { readonly settings: unknown })[];

/** Their entries, in published order. */
export const builtinAdapters: readonly AdapterEntry[] = [
  coreAdapter,
  ...facts.map(({ settings: _merged_elsewhere, ...entry }) => entry),
];

/** The catalog of a host that has no adapters of its own. */
export const builtinCatalog: AdapterCatalog = createCatalog(builtinAdapters);
