/**
 * Cache entries in an SQLite file. Totals are kept by triggers, so that no write has to count; reads leave a mark of use at most once a
 * minute, so that most of them write nothing.
 */
import type { Database } from "better-sqlite3";
import { expiryAfter } from "../call.ts";
import {
  COUNTED_MS,
  entrySize,
  increased,
  MARK_INTERVAL_MS,
  refuseOtherVersion,
  SWEEP_INTERVAL_MS,
} from "../entry-rules.ts";
import type { Capacity, EntryKey } from "../key-value.ts";
import { storedJson } from "../stored-json.ts";
import { type KeyedInput, LEDGER_SCHEMA, once } from "./ledger-program.ts";
import { bare, program, reading, statement, sweepDue, writing } from "./program.ts";
import { keepTime, STEADY_TIME_SCHEMA } from "./steady-time.ts";

/** Row '' of the totals stands for the whole file; a namespace is never empty. `writes` is the last version given. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS cache(
  ns TEXT NOT NULL, k TEXT NOT NULL, v TEXT NOT NULL, expires_ms INTEGER,
  size INTEGER NOT NULL, used_ms INTEGER NOT NULL, version INTEGER NOT NULL,
  PRIMARY KEY(ns, k)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cache_expires ON cache(expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS cache_used ON cache(used_ms, version);
CREATE INDEX IF NOT EXISTS cache_used_in ON cache(ns, used_ms, version);
CREATE TABLE IF NOT EXISTS cache_totals(
  ns TEXT PRIMARY KEY, entries INTEGER NOT NULL, bytes INTEGER NOT NULL, writes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS cache_added AFTER INSERT ON cache BEGIN
  INSERT INTO cache_totals VALUES (new.ns, 1, new.size, 0), ('', 1, new.size, new.version)
    ON CONFLICT(ns) DO UPDATE SET entries = entries + 1, bytes = bytes + excluded.bytes, writes = excluded.writes;
END;
CREATE TRIGGER IF NOT EXISTS cache_changed AFTER UPDATE OF version ON cache BEGIN
  UPDATE cache_totals SET bytes = bytes + new.size - old.size WHERE ns IN (new.ns, '');
  UPDATE cache_totals SET writes = new.version WHERE ns = '';
END;
CREATE TRIGGER IF NOT EXISTS cache_removed AFTER DELETE ON cache BEGIN
  UPDATE cache_totals SET entries = entries - 1, bytes = bytes - old.size WHERE ns IN (old.ns, '');
  DELETE FROM cache_totals WHERE ns = old.ns AND entries = 0;
END;
${LEDGER_SCHEMA}${STEADY_TIME_SCHEMA}`;

/** Expired entries that one write removes at most, so that no write takes long because of them. */
const SWEEP_AT_ONCE = 1_000;

type Timed = { readonly now: number };
type Row = {
  readonly v: string;
  readonly expires_ms: number | null;
  readonly used_ms: number;
  readonly version: number;
};
type Totals = { readonly entries: number; readonly bytes: number };
type Write = EntryKey & Timed & Capacity & { readonly text: string; readonly expiresMs: number | null };

function find(db: Database, { namespace, key, now }: EntryKey & Timed): Row | undefined {
  return statement<Row>(
    db,
    `SELECT v, expires_ms, used_ms, version FROM cache
     WHERE ns = ? AND k = ? AND (expires_ms IS NULL OR expires_ms > ?)`,
  ).get(namespace, key, now);
}

/** A mark of use is worth no failure and no waiting for another writer. */
function markUsed(db: Database, { namespace, key, now }: EntryKey & Timed): void {
  const busyMs = db.pragma("busy_timeout", { simple: true });
  db.pragma("busy_timeout = 0");
  try {
    statement(db, "UPDATE cache SET used_ms = ? WHERE ns = ? AND k = ?").run(now, namespace, key);
  } catch {
    // Locked, full or read-only: the entry only looks less used than it is.
  } finally {
    db.pragma(`busy_timeout = ${busyMs}`);
  }
}

function write(db: Database, { namespace, key, text, expiresMs, now, maxEntries, maxBytes }: Write): void {
  const size = entrySize({ namespace, key }, text, { maxEntries, maxBytes });
  if (sweepDue(db, now, SWEEP_INTERVAL_MS)) sweep(db, now);
  statement(
    db,
    `INSERT INTO cache(ns, k, v, expires_ms, size, used_ms, version)
     VALUES (@namespace, @key, @text, @expiresMs, @size, @now,
       1 + coalesce((SELECT writes FROM cache_totals WHERE ns = ''), 0))
     ON CONFLICT(ns, k) DO UPDATE SET v = excluded.v, expires_ms = excluded.expires_ms,
       size = excluded.size, used_ms = excluded.used_ms, version = excluded.version`,
  ).run({ namespace, key, text, expiresMs, size, now });
  makeRoom(db, { namespace, key, now, maxEntries, maxBytes });
}

/** Handles a clock that went back: entries keep their lifetime, and their last use is at most now. */
function moveBack(db: Database, ms: number): void {
  statement(db, "UPDATE cache SET expires_ms = expires_ms - @ms, used_ms = used_ms - @ms").run({ ms });
}

function sweep(db: Database, now: number): void {
  statement(
    db,
    `DELETE FROM cache WHERE (ns, k) IN
       (SELECT ns, k FROM cache WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ${SWEEP_AT_ONCE})`,
  ).run(now);
}

/** Expired entries go first, then those that were not used for longest, never the one that was just written. */
function makeRoom(db: Database, { namespace, key, now, maxEntries, maxBytes }: EntryKey & Timed & Capacity): void {
  const fits = (): boolean => totalsOf(db, namespace).entries <= maxEntries && totalsOf(db, "").bytes <= maxBytes;
  if (fits()) return;
  sweep(db, now);
  const surplus = totalsOf(db, namespace).entries - maxEntries;
  if (surplus > 0) {
    statement(
      db,
      `DELETE FROM cache WHERE ns = @namespace AND k IN
         (SELECT k FROM cache WHERE ns = @namespace AND k <> @key ORDER BY used_ms, version LIMIT @surplus)`,
    ).run({ namespace, key, surplus });
  }
  let tooMany = totalsOf(db, "").bytes - maxBytes;
  if (tooMany <= 0) return;
  const going: { readonly ns: string; readonly k: string }[] = [];
  const oldest = statement<{ ns: string; k: string; size: number }>(
    db,
    "SELECT ns, k, size FROM cache WHERE NOT (ns = ? AND k = ?) ORDER BY used_ms, version",
  );
  for (const row of oldest.iterate(namespace, key)) {
    going.push(row);
    tooMany -= row.size;
    if (tooMany <= 0) break;
  }
  for (const { ns, k } of going) removeOne(db, { namespace: ns, key: k });
}

function totalsOf(db: Database, namespace: string): Totals {
  const row = statement<Totals>(db, "SELECT entries, bytes FROM cache_totals WHERE ns = ?").get(namespace);
  return row ?? { entries: 0, bytes: 0 };
}

function removeOne(db: Database, { namespace, key }: EntryKey): void {
  statement(db, "DELETE FROM cache WHERE ns = ? AND k = ?").run(namespace, key);
}

export type FoundEntry = { readonly text: string; readonly expiresMs: number | null; readonly version: number };

export const cacheOperations = {
  get: bare((db, input: EntryKey & Timed): FoundEntry | null => {
    const row = find(db, input);
    if (row === undefined) return null;
    if (input.now - row.used_ms >= MARK_INTERVAL_MS) markUsed(db, input);
    return { text: row.v, expiresMs: row.expires_ms, version: row.version };
  }),
  has: reading((db, input: EntryKey & Timed): boolean => find(db, input) !== undefined),
  set: writing((db, input: Write & { readonly ifAbsent: boolean; readonly ifVersion: number | null }): boolean => {
    keepTime(db, input.now, (ms) => moveBack(db, ms));
    const present = find(db, input);
    refuseOtherVersion(present?.version, input.ifVersion);
    if (input.ifAbsent && present !== undefined) return false;
    write(db, input);
    return true;
  }),
  increment: writing(
    (
      db,
      input: Omit<Write, "text" | "expiresMs"> & {
        readonly by: number;
        readonly ttlSeconds: number | null;
        readonly once: KeyedInput;
      },
    ): number => {
      keepTime(db, input.now, (ms) => moveBack(db, ms));
      return once(
        db,
        input.once,
        () => {
          const present = find(db, input);
          const sum = increased(present === undefined ? null : storedJson(present.v), input.by);
          const expiresMs = present === undefined ? expiryAfter(input.now, input.ttlSeconds) : present.expires_ms;
          write(db, { ...input, text: JSON.stringify(sum), expiresMs });
          return sum;
        },
        COUNTED_MS,
      );
    },
  ),
  delete: writing((db, input: EntryKey & Timed): boolean => {
    const present = find(db, input);
    removeOne(db, input);
    return present !== undefined;
  }),
  keys: reading(
    (db, input: Timed & { readonly namespace: string; readonly prefix: string; readonly limit: number }): string[] => {
      const found: string[] = [];
      const rows = statement<{ k: string }>(
        db,
        `SELECT k FROM cache WHERE ns = ? AND k >= ? AND (expires_ms IS NULL OR expires_ms > ?) ORDER BY k`,
      );
      for (const { k } of rows.iterate(input.namespace, input.prefix, input.now)) {
        if (!k.startsWith(input.prefix) || found.length === input.limit) break;
        found.push(k);
      }
      return found;
    },
  ),
  clear: writing((db, input: Timed & { readonly namespace: string }): number => {
    const live = statement<{ n: number }>(
      db,
      "SELECT count(*) AS n FROM cache WHERE ns = ? AND (expires_ms IS NULL OR expires_ms > ?)",
    ).get(input.namespace, input.now);
    statement(db, "DELETE FROM cache WHERE ns = ?").run(input.namespace);
    return live?.n ?? 0;
  }),
};

export const cacheProgram = program(SCHEMA, cacheOperations);
