import type { Stores } from "../store-set.ts";
import type { SharedDatabase } from "./database.ts";
import { PostgresKeyValueStore } from "./key-value.ts";
import { PostgresLedger } from "./ledger.ts";
import { PostgresQueueStore } from "./queue.ts";
import { PostgresRecordStore } from "./record.ts";

export function createPostgresStores(database: SharedDatabase): Stores {
  const keyValues = new PostgresKeyValueStore(database);
  const records = new PostgresRecordStore(database);
  const queues = new PostgresQueueStore(database);
  const ledger = new PostgresLedger(database);
  return { keyValues: () => keyValues, records: () => records, queues: () => queues, ledger: () => ledger };
}
