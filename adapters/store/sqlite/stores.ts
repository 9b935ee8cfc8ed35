/** The stores in SQLite files: one of each kind and file, and one in memory. */
import type { SqliteService } from "../../engine/sqlite/sqlite.ts";
import type { Stores } from "../store-set.ts";
import { SqliteKeyValueStore } from "./key-value.ts";
import { SqliteLedger } from "./ledger.ts";
import { SqliteQueueStore } from "./queue.ts";
import { SqliteRecordStore } from "./record.ts";

/**
 * Files whose stores are kept. One that is dropped is served on; only its waiting takers are no longer woken at once.
 */
const MAX_FILES = 256;

const IN_MEMORY = ":memory:";

export function createSqliteStores(sqlite: SqliteService): Stores {
  const open = (program: string, durability: "normal" | "full", path: string | null) =>
    sqlite.open({ path: path ?? IN_MEMORY, program, durability });
  const ownCaches = keptByPath((path) => new SqliteKeyValueStore(open("cache", "normal", path), path));
  const otherCaches = keptByPath((path) => new SqliteKeyValueStore(open("cache", "normal", path), null));
  return {
    keyValues: (path, own) => (own || path === null ? ownCaches(path) : otherCaches(path)),
    records: keptByPath((path) => new SqliteRecordStore(open("memory", "normal", path))),
    queues: keptByPath((path) => new SqliteQueueStore(open("queue", "full", path))),
    ledger: keptByPath((path) => new SqliteLedger(open("ledger", "full", path))),
  };
}

function keptByPath<T>(make: (path: string | null) => T): (path: string | null) => T {
  const kept = new Map<string | null, T>();
  return (path) => {
    const store = kept.get(path) ?? make(path);
    // The last used stand last. What is in memory alone is never dropped.
    kept.delete(path);
    kept.set(path, store);
    if (kept.size > MAX_FILES) {
      const oldest = [...kept.keys()].find((key) => key !== null);
      if (oldest !== undefined) kept.delete(oldest);
    }
    return store;
  };
}
