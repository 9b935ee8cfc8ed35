/**
 * The ledger as a table of the shared database. Stores whose own writes are keyed write both in one transaction
 * (`keyedTransaction`); calls to the outside use the ledger itself. Keys are kept as hashes: they may be of any length
 * and hold what PostgreSQL's text cannot.
 */

import { createHash } from "node:crypto";
import type { Json } from "../../../compiler/json.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import { REMEMBERED_MS, type StoreCall } from "../call.ts";
import type { KeyedCall, Ledger, LedgerState } from "../ledger.ts";
import { storedJson } from "../stored-json.ts";
import { type DatabaseCall, type Lock, lockOf, type SharedDatabase, type Transaction } from "./database.ts";
import { type Row, sql, text } from "./sql.ts";

/** Held while expired rows are removed: two removals, each waiting for a row of the other, would deadlock. */
const FORGETTING = lockOf("forgetting calls");
/** Expired rows that one write removes at most, so that no write takes long because of them. */
const FORGET_AT_ONCE = 100;

export class PostgresLedger implements Ledger {
  readonly #database: SharedDatabase;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  begin(keyed: KeyedCall, call: StoreCall): Promise<LedgerState> {
    return this.#database.transaction([lockOfCall(keyed)], call, async (tx): Promise<LedgerState> => {
      const known = await find(tx, keyed);
      if (known === undefined) {
        await write(tx, keyed, null, REMEMBERED_MS);
        return { state: "new" };
      }
      return known.result === null ? { state: "started" } : { state: "done", result: storedJson(known.result) };
    });
  }

  complete(keyed: KeyedCall, result: Json, call: StoreCall): Promise<void> {
    return this.#database.transaction([lockOfCall(keyed)], call, async (tx) => {
      await find(tx, keyed);
      await write(tx, keyed, exactJson(result), REMEMBERED_MS);
    });
  }

  abandon(keyed: KeyedCall, call: StoreCall): Promise<void> {
    return this.#database.transaction([lockOfCall(keyed)], call, async (tx) => {
      if ((await find(tx, keyed))?.result !== null) return;
      await tx.query(sql`DELETE FROM weft.idempotency_calls WHERE scope = ${keyed.scope} AND key = ${hashOf(keyed)}`);
    });
  }
}

/**
 * A transaction that happens once per key: the answer of `act`, or for a key that was seen before the answer of then.
 * `locks` are held besides that of the key.
 */
export function keyedTransaction<T extends Json>(
  database: SharedDatabase,
  { keyed, locks, lifetimeMs = REMEMBERED_MS }: { keyed: KeyedCall; locks: readonly Lock[]; lifetimeMs?: number },
  call: DatabaseCall,
  act: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction([lockOfCall(keyed), ...locks], call, async (tx) => {
    const known = await find(tx, keyed);
    if (known?.result != null) return storedJson(known.result) as T;
    const result = await act(tx);
    await write(tx, keyed, exactJson(result), lifetimeMs);
    return result;
  });
}

type Known = { readonly result: string | null };

async function find(tx: Transaction, keyed: KeyedCall): Promise<Known | undefined> {
  const { rows } = await tx.query(sql`SELECT args_hash, result FROM weft.idempotency_calls
    WHERE scope = ${keyed.scope} AND key = ${hashOf(keyed)} AND expires_ms > ${tx.now}`);
  const [row]: readonly Row[] = rows;
  if (row === undefined) return undefined;
  const [argsHash, result = null] = row;
  if (text(argsHash) !== keyed.argsHash) {
    throw adapterError("ADAPTER_CONFLICT", "the idempotency key was used with other arguments");
  }
  return { result };
}

async function write(tx: Transaction, keyed: KeyedCall, result: string | null, lifetimeMs: number): Promise<void> {
  const expiresMs = tx.now + lifetimeMs;
  await tx.query(sql`WITH forgotten AS (DELETE FROM weft.idempotency_calls WHERE (scope, key) IN
      (SELECT scope, key FROM weft.idempotency_calls
       WHERE (SELECT pg_try_advisory_xact_lock(${String(FORGETTING)}::bigint))
         AND expires_ms <= ${tx.now} AND key <> ${hashOf(keyed)}
       ORDER BY expires_ms LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED))
    INSERT INTO weft.idempotency_calls(scope, key, args_hash, result, expires_ms)
    VALUES (${keyed.scope}, ${hashOf(keyed)}, ${keyed.argsHash}, ${result}, ${expiresMs})
    ON CONFLICT (scope, key) DO UPDATE SET
      args_hash = excluded.args_hash, result = excluded.result, expires_ms = excluded.expires_ms`);
}

function lockOfCall({ scope, key }: KeyedCall): Lock {
  return lockOf("call", scope, key);
}

function hashOf({ key }: KeyedCall): string {
  return createHash("sha256").update(key, "utf8").digest("hex");
}
