/**
 * Stores in PostgreSQL for tests: every service has connections of its own, as replicas have. The database's clock cannot be set, so its time
 * is shifted: tests move that shift.
 */
import { createPostgresService } from "../../../adapters/engine/postgres.ts";
import type { StoreCall } from "../../../adapters/store/call.ts";
import { openSharedDatabase, type SharedDatabase } from "../../../adapters/store/postgres/database.ts";
import { createPostgresStores } from "../../../adapters/store/postgres/stores.ts";
import type { Stores } from "../../../adapters/store/stores.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { callAt, type OpenStoreBench, START } from "./bench.ts";

export type Shift = { ms: number };

/** One service on the database at `url`. */
export type Replica = {
  readonly database: SharedDatabase;
  readonly stores: Stores;
  close(): Promise<void>;
};

export function replica(url: string, shift: Shift = { ms: 0 }): Replica {
  const service = createPostgresService();
  const database = openSharedDatabase(() => service, url, { clockOffsetMs: () => shift.ms });
  return { database, stores: createPostgresStores(database), close: () => service.close() };
}

/** A call with so many real milliseconds left. Stores in PostgreSQL take no time from it. */
export function callOf(timeoutMs?: number): StoreCall {
  return callAt({ now: Number.NaN }, timeoutMs);
}

/** Time begins at `START` and stands nearly still: only as much passes as the test takes. */
export function postgresBench(server: TestPostgres): OpenStoreBench {
  return async () => {
    const shift = { ms: START - Date.now() };
    const { stores, close } = replica(await server.createDatabase(), shift);
    return {
      stores,
      path: "unused",
      call: callAt({ now: Number.NaN }, 60_000),
      advance: (ms) => {
        shift.ms += ms;
      },
      close,
    };
  };
}
