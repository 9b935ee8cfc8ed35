/**
 * Cache entries in the shared database. Writers of one entry go one after the other; room is made by one replica at a
 * time, and the others do not wait for it. Reads leave a mark of use at most once a minute, so that most of them write
 * nothing.
 */

import { AdapterError } from "../../../vm/errors/failures.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { expiryAfter, type StoreCall } from "../call.ts";
import {
  COUNTED_MS,
  entrySize,
  increased,
  MARK_INTERVAL_MS,
  refuseOtherVersion,
  SWEEP_INTERVAL_MS,
} from "../entry-rules.ts";
import type { Capacity, Entry, EntryKey, IncrementRequest, KeyValueStore, SetRequest } from "../key-value.ts";
import { storedJson } from "../stored-json.ts";
import { type Lock, lockOf, type SharedDatabase, type Transaction } from "./database.ts";
import { keyedTransaction } from "./ledger.ts";
import { beginsWith, flag, type Sql, sql, text, whole, wholeOrNull } from "./sql.ts";

/** Entries that one write removes at most, so that no write takes long because of them. */
const REMOVED_AT_ONCE = 1_000;
/** Held while entries are removed to make room. */
const ROOM_LOCK = lockOf("cache room");

type Found = { readonly json: string; readonly expiresMs: number | null; readonly version: number };
type Write = EntryKey & Capacity & { readonly json: string; readonly expiresMs: number | null };

export class PostgresKeyValueStore implements KeyValueStore {
  readonly #database: SharedDatabase;
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  async get(place: EntryKey, call: StoreCall): Promise<Entry | null> {
    const { now } = this.#database;
    const { rows } = await this.#database.query(
      sql`SELECT value, expires_ms, version, ${now} - used_ms >= ${MARK_INTERVAL_MS}
        FROM weft.cache_entries WHERE ${isAt(place)} AND ${isLive(now)}`,
      call,
    );
    const [row] = rows;
    if (row === undefined) return null;
    const [value, expiresMs, version, unmarked] = row;
    if (flag(unmarked)) await this.#markUsed(place, call);
    return { value: storedJson(text(value)), expiresMs: wholeOrNull(expiresMs), version: whole(version) };
  }

  async has(place: EntryKey, call: StoreCall): Promise<boolean> {
    const { rows } = await this.#database.query(
      sql`SELECT 1 FROM weft.cache_entries WHERE ${isAt(place)} AND ${isLive(this.#database.now)}`,
      call,
    );
    return rows.length > 0;
  }

  set(request: SetRequest, call: StoreCall): Promise<boolean> {
    const { ifAbsent, ifVersion, value, ttlSeconds } = request;
    return this.#database.transaction([lockOfEntry(request)], call, async (tx) => {
      if (ifAbsent || ifVersion !== null) {
        const present = await find(tx, request);
        refuseOtherVersion(present?.version, ifVersion);
        if (ifAbsent && present !== undefined) return false;
      }
      const expiresMs = expiryAfter(tx.now, ttlSeconds);
      await this.#write(tx, { ...request, json: exactJson(value), expiresMs });
      return true;
    });
  }

  increment({ by, ttlSeconds, once, ...place }: IncrementRequest, call: StoreCall): Promise<number> {
    const keyed = { ...once, scope: "cache.incr" };
    const options = { keyed, locks: [lockOfEntry(place)], lifetimeMs: COUNTED_MS };
    return keyedTransaction(this.#database, options, call, async (tx) => {
      const present = await find(tx, place);
      const sum = increased(present === undefined ? null : storedJson(present.json), by);
      const expiresMs = present === undefined ? expiryAfter(tx.now, ttlSeconds) : present.expiresMs;
      await this.#write(tx, { ...place, json: JSON.stringify(sum), expiresMs });
      return sum;
    });
  }

  async delete(place: EntryKey, call: StoreCall): Promise<boolean> {
    const { rows } = await this.#database.query(
      sql`DELETE FROM weft.cache_entries WHERE ${isAt(place)} RETURNING ${isLive(this.#database.now)}`,
      call,
    );
    return flag(rows[0]?.[0]);
  }

  async keys(
    { namespace, prefix, limit }: { readonly namespace: string; readonly prefix: string; readonly limit: number },
    call: StoreCall,
  ): Promise<readonly string[]> {
    const { rows } = await this.#database.query(
      sql`SELECT key FROM weft.cache_entries
        WHERE ns = ${namespace} AND ${beginsWith(sql`key`, prefix)} AND ${isLive(this.#database.now)}
        ORDER BY key LIMIT ${limit}`,
      call,
    );
    return rows.map(([key]) => text(key));
  }

  /** Entries are locked in one order, so that two who clear do not wait for each other. */
  async clear(namespace: string, call: StoreCall): Promise<number> {
    const { rows } = await this.#database.query(
      sql`WITH removed AS (DELETE FROM weft.cache_entries WHERE (ns, key) IN
          (SELECT ns, key FROM weft.cache_entries WHERE ns = ${namespace} ORDER BY key FOR UPDATE)
          RETURNING ${isLive(this.#database.now)} AS live)
        SELECT count(*) FROM removed WHERE live`,
      call,
    );
    return whole(rows[0]?.[0]);
  }

  async #write(tx: Transaction, { namespace, key, json, expiresMs, maxEntries, maxBytes }: Write): Promise<void> {
    const size = entrySize({ namespace, key }, json, { maxEntries, maxBytes });
    await tx.query(sql`INSERT INTO weft.cache_entries(ns, key, value, expires_ms, size, used_ms, version)
      VALUES (${namespace}, ${key}, ${json}, ${expiresMs}, ${size}, ${tx.now}, nextval('weft.cache_versions'))
      ON CONFLICT (ns, key) DO UPDATE SET value = excluded.value, expires_ms = excluded.expires_ms,
        size = excluded.size, used_ms = excluded.used_ms, version = excluded.version`);
    const sweeps = tx.now < this.#sweptMs || tx.now - this.#sweptMs >= SWEEP_INTERVAL_MS;
    if (sweeps) this.#sweptMs = tx.now;
    const surplus = await surplusOf(tx, { namespace, maxEntries, maxBytes });
    if ((sweeps || surplus !== null) && (await isTurn(tx))) {
      await makeRoom(tx, { namespace, key, maxEntries, maxBytes });
    }
  }

  /** A mark of use is worth no failure and no waiting for a writer. */
  async #markUsed(place: EntryKey, call: StoreCall): Promise<void> {
    try {
      await this.#database.query(
        sql`UPDATE weft.cache_entries SET used_ms = ${this.#database.now} WHERE (ns, key) IN
          (SELECT ns, key FROM weft.cache_entries WHERE ${isAt(place)} FOR UPDATE SKIP LOCKED)`,
        call,
      );
    } catch (thrown) {
      // Otherwise the entry only looks less used than it is.
      if (thrown instanceof AdapterError && thrown.code === "ADAPTER_CANCELLED") throw thrown;
    }
  }
}

function isAt({ namespace, key }: EntryKey): Sql {
  return sql`ns = ${namespace} AND key = ${key}`;
}

function isLive(now: Sql | number): Sql {
  return sql`(expires_ms IS NULL OR expires_ms > ${now})`;
}

function lockOfEntry({ namespace, key }: EntryKey): Lock {
  return lockOf("cache entry", namespace, key);
}

/** The entry with its row locked: who removes it at this moment does so before it is found, or after what is written for it. */
async function find(tx: Transaction, place: EntryKey): Promise<Found | undefined> {
  const { rows } = await tx.query(sql`SELECT value, expires_ms, version
    FROM weft.cache_entries WHERE ${isAt(place)} AND ${isLive(tx.now)} FOR UPDATE`);
  const [row] = rows;
  if (row === undefined) return undefined;
  const [json, expiresMs, version] = row;
  return { json: text(json), expiresMs: wholeOrNull(expiresMs), version: whole(version) };
}

type Bounds = Capacity & { readonly namespace: string };
type Surplus = { readonly entries: number; readonly bytes: number };

/** By how much the bounds are passed; null: they are not. */
async function surplusOf(tx: Transaction, { namespace, maxEntries, maxBytes }: Bounds): Promise<Surplus | null> {
  const { rows } = await tx.query(sql`SELECT
    coalesce(sum(entries) FILTER (WHERE ns = ${namespace}), 0), coalesce(sum(bytes), 0) FROM weft.cache_totals`);
  const [entries, bytes] = rows[0] ?? [];
  const surplus = { entries: whole(entries) - maxEntries, bytes: whole(bytes) - maxBytes };
  return surplus.entries > 0 || surplus.bytes > 0 ? surplus : null;
}

/** Until the transaction ends; somebody else's turn is not waited for. */
async function isTurn(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.query(sql`SELECT pg_try_advisory_xact_lock(${String(ROOM_LOCK)}::bigint)`);
  return flag(rows[0]?.[0]);
}

/**
 * Expired entries go first, then the least recently used ones, never the one that was just written. Entries
 * that are being written at this moment are skipped, so that the removal never waits.
 */
async function makeRoom(tx: Transaction, bounds: Bounds & EntryKey): Promise<void> {
  const others = sql`NOT (${isAt(bounds)})`;
  await removeSome(tx, sql`expires_ms <= ${tx.now} AND ${others} ORDER BY expires_ms LIMIT ${REMOVED_AT_ONCE}`);
  const tooMany = (await surplusOf(tx, bounds))?.entries ?? 0;
  if (tooMany > 0) {
    const oldest = sql`ORDER BY used_ms, version LIMIT ${Math.min(tooMany, REMOVED_AT_ONCE)}`;
    await removeSome(tx, sql`ns = ${bounds.namespace} AND ${others} ${oldest}`);
  }
  const tooLarge = (await surplusOf(tx, bounds))?.bytes ?? 0;
  if (tooLarge <= 0) return;
  await tx.query(sql`DELETE FROM weft.cache_entries WHERE (ns, key) IN
    (SELECT ns, key FROM
      (SELECT ns, key, sum(size) OVER (ORDER BY used_ms, version) - size AS removed FROM
        (SELECT ns, key, size, used_ms, version FROM weft.cache_entries WHERE ${others}
         ORDER BY used_ms, version LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED) AS oldest) AS running
     WHERE removed < ${tooLarge})`);
}

async function removeSome(tx: Transaction, which: Sql): Promise<void> {
  await tx.query(sql`DELETE FROM weft.cache_entries WHERE (ns, key) IN
    (SELECT ns, key FROM weft.cache_entries WHERE ${which} FOR UPDATE SKIP LOCKED)`);
}
