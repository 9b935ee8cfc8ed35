/**
 * The stores of a service: one per database, shared by all runs, so that they see one another's writes in memory
 * databases and wake one another. With a shared database they all lie there; otherwise the operator's places and an
 * adapter's settings name files.
 */
import { join } from "node:path";
import type { HostServices } from "../definition/host-services.ts";
import type { SqliteService } from "../engine/sqlite/sqlite.ts";
import type { Ledger } from "./ledger.ts";
import type { SharedDatabase } from "./postgres/database.ts";
import { createPostgresStores } from "./postgres/stores.ts";
import { createSqliteStores } from "./sqlite/stores.ts";
import type { Stores } from "./store-set.ts";

const local = new WeakMap<SqliteService, Stores>();
const shared = new WeakMap<SharedDatabase, Stores>();

/** The stores of these services: the same ones for every run. */
export function storesOf(services: Pick<HostServices, "sqlite" | "sharedDatabase">): Stores {
  const { sharedDatabase } = services;
  return sharedDatabase === undefined ? localStoresOf(services) : kept(shared, sharedDatabase, createPostgresStores);
}

/** As `storesOf`, in files of this machine even with a shared database: for what concerns this machine alone. */
export function localStoresOf({ sqlite }: Pick<HostServices, "sqlite">): Stores {
  return kept(local, sqlite, createSqliteStores);
}

function kept<K extends object>(known: WeakMap<K, Stores>, base: K, make: (base: K) => Stores): Stores {
  const stores = known.get(base) ?? make(base);
  known.set(base, stores);
  return stores;
}

/** The ledger of the service's calls to the outside; in memory without a state directory. */
export function ledgerOf(services: Pick<HostServices, "sqlite" | "sharedDatabase" | "places">): Ledger {
  const { stateDir } = services.places;
  return storesOf(services).ledger(stateDir === null ? null : join(stateDir, "ledger.db"));
}
