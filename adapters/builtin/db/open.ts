/**
 * From the settings to what a run works with: where the entities are kept is decided here, and nowhere else. A run has one instance, and
 * with it at most one transaction.
 */
import type { OpenCall } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import type { TransactionMode } from "../../engine/sqlite/sqlite.ts";
import type { OnBehalf, Transactional } from "../../engine/sqlite/transactional.ts";
import { adapterError } from "../../errors.ts";
import { ledgerOf } from "../../store/stores.ts";
import { postgresDialect, sqliteDialect } from "./dialects.ts";
import { DocumentStore } from "./documents/documents.ts";
import type { EntityStore } from "./documents/store.ts";
import { PostgresExecutor } from "./postgres-executor.ts";
import { loadQueries } from "./queries.ts";
import { checkPlace, type Settings } from "./settings.ts";
import { SqliteExecutor } from "./sqlite-executor.ts";
import { TableStore } from "./tables.ts";

export class DbInstance implements Transactional {
  readonly store: EntityStore;

  constructor(store: EntityStore) {
    this.store = store;
  }

  get open(): boolean {
    return this.store.transactions.inTransaction;
  }

  begin(mode: TransactionMode, lifetimeMs: number, call: OnBehalf): Promise<void> {
    return this.store.transactions.begin(mode, { timeoutMs: call.remainingMs(), signal: call.signal, lifetimeMs });
  }

  commit(call: OnBehalf): Promise<void> {
    return this.store.transactions.commit({ timeoutMs: call.remainingMs(), signal: call.signal });
  }

  rollback(): Promise<void> {
    return this.store.transactions.rollback();
  }

  /** Rolls back what is open. */
  close(): Promise<void> {
    return this.store.transactions.close();
  }
}

type Opening = Pick<OpenCall<Settings>, "settings" | "host" | "secret">;

/** Rejects with ADAPTER_NOT_CONFIGURED, ADAPTER_BAD_SETTINGS. No connection is made yet. */
export async function openDb(call: Opening): Promise<DbInstance> {
  checkPlace(call.settings);
  return new DbInstance(await openStore(call));
}

async function openStore({ settings, host, secret }: Opening): Promise<EntityStore> {
  const { path, schema, store } = settings;
  if (path === undefined) {
    const queries = await loadQueries(postgresDialect, schema);
    return new TableStore(queries, await postgresExecutor(settings, host, secret), ledgerOf(host));
  }
  if (store === "documents") {
    return new DocumentStore(host.sqlite.open({ path, program: "documents", durability: "normal" }));
  }
  const queries = await loadQueries(sqliteDialect, undefined);
  const database = host.sqlite.open({ path, program: "tables", durability: "normal" });
  return new TableStore(queries, new SqliteExecutor(database), ledgerOf(host));
}

async function postgresExecutor(settings: Settings, host: HostServices, secret: Opening["secret"]) {
  const url = await secret(settings.url_secret ?? "");
  if (url === undefined) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the secret that db.url_secret names does not exist");
  }
  const database = await host.postgres.open({ url, pool: settings.pool });
  return new PostgresExecutor(database, settings.statement_timeout_ms);
}
