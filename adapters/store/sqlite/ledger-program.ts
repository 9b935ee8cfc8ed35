/**
 * The ledger as a table. Programs whose own writes are keyed hold it in their file and write both in one transaction (`once`); calls to the
 * outside use the operations.
 */
import type { Database } from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";
import { adapterError } from "../../errors.ts";
import { REMEMBERED_MS } from "../call.ts";
import type { KeyedCall, LedgerState } from "../ledger.ts";
import { storedJson } from "../stored-json.ts";
import { program, statement, writing } from "./program.ts";

export const LEDGER_SCHEMA = `
CREATE TABLE IF NOT EXISTS ledger(
  scope TEXT NOT NULL, key TEXT NOT NULL, args_hash TEXT NOT NULL,
  result TEXT, -- null: begun and not done
  expires_ms INTEGER NOT NULL,
  PRIMARY KEY(scope, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ledger_expires ON ledger(expires_ms);
`;

/** Expired rows that one write removes at most, so that no write takes long because of them. */
const FORGET_AT_ONCE = 100;

type Row = { readonly args_hash: string; readonly result: string | null };
type Timed = { readonly now: number };
export type KeyedInput = KeyedCall & Timed;

function find(db: Database, keyed: KeyedInput): Row | undefined {
  const row = statement<Row>(
    db,
    "SELECT args_hash, result FROM ledger WHERE scope = ? AND key = ? AND expires_ms > ?",
  ).get(keyed.scope, keyed.key, keyed.now);
  if (row !== undefined && row.args_hash !== keyed.argsHash) {
    throw adapterError("ADAPTER_CONFLICT", "the idempotency key was used with other arguments");
  }
  return row;
}

function write(db: Database, keyed: KeyedInput, result: string | null, lifetimeMs: number): void {
  statement(
    db,
    `DELETE FROM ledger WHERE (scope, key) IN
       (SELECT scope, key FROM ledger WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ${FORGET_AT_ONCE})`,
  ).run(keyed.now);
  statement(db, "INSERT OR REPLACE INTO ledger(scope, key, args_hash, result, expires_ms) VALUES (?, ?, ?, ?, ?)").run(
    keyed.scope,
    keyed.key,
    keyed.argsHash,
    result,
    keyed.now + lifetimeMs,
  );
}

/** The answer of `act`; for a key that was seen before the answer of then, and nothing happens. Within a transaction. */
export function once<T extends Json>(db: Database, keyed: KeyedInput, act: () => T, lifetimeMs = REMEMBERED_MS): T {
  const known = find(db, keyed);
  if (known?.result != null) return storedJson(known.result) as T;
  const result = act();
  write(db, keyed, JSON.stringify(result), lifetimeMs);
  return result;
}

/** `text`: of what the call answered. */
type Known = Exclude<LedgerState, { readonly state: "done" }> | { readonly state: "done"; readonly text: string };

export const ledgerOperations = {
  begin: writing((db, input: KeyedInput): Known => {
    const known = find(db, input);
    if (known === undefined) {
      write(db, input, null, REMEMBERED_MS);
      return { state: "new" };
    }
    return known.result === null ? { state: "started" } : { state: "done", text: known.result };
  }),
  complete: writing((db, input: KeyedInput & { readonly text: string }): null => {
    find(db, input);
    write(db, input, input.text, REMEMBERED_MS);
    return null;
  }),
  abandon: writing((db, input: KeyedInput): null => {
    if (find(db, input)?.result === null) {
      statement(db, "DELETE FROM ledger WHERE scope = ? AND key = ?").run(input.scope, input.key);
    }
    return null;
  }),
};

export const ledgerProgram = program(LEDGER_SCHEMA, ledgerOperations);
