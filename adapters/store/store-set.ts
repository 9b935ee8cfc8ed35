import type { KeyValueStore } from "./key-value.ts";
import type { Ledger } from "./ledger.ts";
import type { QueueStore } from "./queue.ts";
import type { RecordStore } from "./record.ts";

/**
 * By absolute path of the file; null: the service's own database in memory, gone with the service. A shared database
 * has one store of each kind, whatever the path.
 */
export type Stores = {
  /** `own`: a file that turns out to be damaged is the cache's to move aside; others are left as they are. */
  keyValues(path: string | null, own: boolean): KeyValueStore;
  records(path: string | null): RecordStore;
  queues(path: string | null): QueueStore;
  ledger(path: string | null): Ledger;
};
