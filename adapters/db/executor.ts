/**
 * What the tables of `tables.ts` need from a database: to read, to change within a transaction, and a transaction over several calls. Two
 * of them exist: over the SQLite helper and over PostgreSQL.
 */
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors.ts";
import type { RequestLimits, SqliteDatabase } from "../engine/sqlite.ts";
import { adapterError } from "../errors.ts";
import type { Statement } from "./queries.ts";

export type Rows = readonly (readonly Json[])[];

/** All of it or nothing. */
export type Change = {
  readonly statement: Statement;
  /** A query before it, in the same transaction. */
  readonly before: Statement | null;
  /** Rows that must be affected; null: any number. Otherwise ADAPTER_CONFLICT. */
  readonly expected: number | null;
};
export type Changed = {
  /** What the statement returns. */
  readonly rows: Rows;
  readonly affected: number;
  /** Rows of the query before it. */
  readonly before: number;
};

export interface SqlExecutor extends Transactions {
  select(statement: Statement, limits: RequestLimits): Promise<Rows>;
  /** Rejects with LostCommit when the database took the change and did not say whether it kept it. */
  change(change: Change, limits: RequestLimits): Promise<Changed>;
}

/** A transaction over several calls, as handles of SQLite have it. */
export type Transactions = Pick<SqliteDatabase, "begin" | "commit" | "rollback" | "inTransaction" | "close">;

/** The connection broke before the answer to a commit. */
export class LostCommit extends AdapterError {
  /** What the change did if it was committed. */
  readonly changed: Changed;
  /** Asks the database. */
  readonly wasCommitted: (limits: RequestLimits) => Promise<boolean>;
  constructor(error: AdapterError, changed: Changed, wasCommitted: (limits: RequestLimits) => Promise<boolean>) {
    super(error.code, error.message, error);
    this.changed = changed;
    this.wasCommitted = wasCommitted;
  }
}

export function unexpectedCount(expected: number, count: number): AdapterError {
  return adapterError("ADAPTER_CONFLICT", "another number of rows than expected", { data: { expected, count } });
}
