/**
 * Cache entries over the SQLite service. A cache is worth less than a service that runs, so a file that is damaged or no database is moved
 * aside, never overwritten, and a new one begun, unless it may be somebody else's.
 */

import { existsSync, renameSync } from "node:fs";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import type { SqliteDatabase } from "../../engine/sqlite/sqlite.ts";
import { expiryAfter, type StoreCall } from "../call.ts";
import type { Entry, EntryKey, IncrementRequest, KeyValueStore, SetRequest } from "../key-value.ts";
import { storedJson } from "../stored-json.ts";
import type { cacheOperations } from "./cache-program.ts";
import { type CallsOf, callsOf } from "./program.ts";

export class SqliteKeyValueStore implements KeyValueStore {
  readonly #path: string | null;
  readonly #direct: CallsOf<typeof cacheOperations>;
  #repair: Promise<void> | null = null;

  /** `path`: the database's file, which may be moved aside; null: it is in memory or must stay where it is. */
  constructor(database: SqliteDatabase, path: string | null) {
    this.#path = path;
    this.#direct = callsOf(database);
  }

  readonly #calls: CallsOf<typeof cacheOperations> = async (operation, input, call) => {
    const path = this.#path;
    try {
      return await this.#direct(operation, input, call);
    } catch (thrown) {
      if (!isDamaged(thrown) || path === null) throw thrown;
      this.#repair ??= this.#startAnew(path, call).finally(() => {
        this.#repair = null;
      });
      await this.#repair;
      return this.#direct(operation, input, call);
    }
  };

  async get(place: EntryKey, call: StoreCall): Promise<Entry | null> {
    const found = await this.#calls("get", { ...place, now: call.now() }, call);
    if (found === null) return null;
    return { value: storedJson(found.text), expiresMs: found.expiresMs, version: found.version };
  }

  has(place: EntryKey, call: StoreCall): Promise<boolean> {
    return this.#calls("has", { ...place, now: call.now() }, call);
  }

  set({ value, ttlSeconds, ...request }: SetRequest, call: StoreCall): Promise<boolean> {
    const now = call.now();
    const expiresMs = expiryAfter(now, ttlSeconds);
    return this.#calls("set", { ...request, text: exactJson(value), expiresMs, now }, call);
  }

  increment({ once, ...request }: IncrementRequest, call: StoreCall): Promise<number> {
    const now = call.now();
    return this.#calls("increment", { ...request, once: { ...once, scope: "cache.incr", now }, now }, call);
  }

  delete(place: EntryKey, call: StoreCall): Promise<boolean> {
    return this.#calls("delete", { ...place, now: call.now() }, call);
  }

  keys(
    request: { readonly namespace: string; readonly prefix: string; readonly limit: number },
    call: StoreCall,
  ): Promise<readonly string[]> {
    return this.#calls("keys", { ...request, now: call.now() }, call);
  }

  clear(namespace: string, call: StoreCall): Promise<number> {
    return this.#calls("clear", { namespace, now: call.now() }, call);
  }

  /** Another process may have moved the file aside already: only one that is still damaged when asked again is moved. */
  async #startAnew(path: string, call: StoreCall): Promise<void> {
    try {
      await this.#direct("has", { namespace: "-", key: "-", now: call.now() }, call);
    } catch (thrown) {
      if (!isDamaged(thrown)) throw thrown;
      moveAside(path, call.now());
      call.log("cache_file_damaged");
    }
  }
}

function isDamaged(thrown: unknown): boolean {
  return thrown instanceof AdapterError && thrown.code === "ADAPTER_BAD_DATA";
}

/** Renames the file and its side files: a new file must not meet the log of an old one. */
function moveAside(path: string, now: number): void {
  const time = new Date(now).toISOString().replace(/[-:]/g, "");
  let aside = `${path}.corrupt-${time}`;
  for (let n = 2; existsSync(aside); n += 1) aside = `${path}.corrupt-${time}-${n}`;
  for (const side of ["", "-wal", "-shm"]) {
    if (existsSync(path + side)) renameSync(path + side, aside + side);
  }
}
