/**
 * Stores in PostgreSQL for tests: every service has connections of its own, as replicas have. The server's clock cannot
 * be set, so suites that move time are given one of their own.
 */
import { createPostgresService } from "../../../../adapters/engine/postgres/postgres.ts";
import type { StoreCall } from "../../../../adapters/store/call.ts";
import {
  type DatabaseOptions,
  openSharedDatabase,
  type SharedDatabase,
} from "../../../../adapters/store/postgres/database.ts";
import { createPostgresStores } from "../../../../adapters/store/postgres/stores.ts";
import type { Stores } from "../../../../adapters/store/store-set.ts";
import type { TestPostgres } from "../../../support/postgres.ts";
import { callAt, type OpenStoreBench, START } from "../bench.ts";

/** One service on the database at `url`. */
export type Replica = {
  readonly database: SharedDatabase;
  readonly stores: Stores;
  close(): Promise<void>;
};

export function replica(url: string, options: DatabaseOptions = {}): Replica {
  const service = createPostgresService();
  const database = openSharedDatabase(() => service, url, options);
  return { database, stores: createPostgresStores(database), close: () => service.close() };
}

/** A call with this many real milliseconds left. Stores in PostgreSQL take no time from it. */
export function callOf(timeoutMs?: number): StoreCall {
  return callAt({ now: Number.NaN }, timeoutMs);
}

export function postgresBench(server: TestPostgres): OpenStoreBench {
  return async () => {
    let now = START;
    const { stores, close } = replica(await server.createDatabase(), { clock: () => `${now}::bigint` });
    return {
      stores,
      path: "unused",
      call: callOf(60_000),
      advance: (ms) => {
        now += ms;
      },
      close,
    };
  };
}
