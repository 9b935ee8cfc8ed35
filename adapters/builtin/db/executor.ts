/**
 * What the tables of `tables.ts` need from a database: to read, to change within a transaction, and a transaction over several calls. Two
 * of them exist: over the SQLite helper and over PostgreSQL.
 */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { RequestLimits, SqliteDatabase } from "../../engine/sqlite/sqlite.ts";
import { adapterError } from "../../errors.ts";
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
  /** Any failure but LostAnswer changed nothing. */
  change(change: Change, limits: RequestLimits): Promise<Changed>;
}

/** A transaction over several calls, as handles of SQLite have it. */
export type Transactions = Pick<SqliteDatabase, "begin" | "commit" | "rollback" | "inTransaction" | "close">;

/** The database received a change, and whether it was committed is unknown. */
export class LostAnswer extends AdapterError {
  /** Asks the database what became of it: what it did, or null when it was not kept. Null where no database can say. */
  readonly ask: ((limits: RequestLimits) => Promise<Changed | null>) | null;
  constructor(error: AdapterError, ask: LostAnswer["ask"]) {
    super(error.code, error.message, error);
    this.ask = ask;
  }
}

/** What the rows of one statement may hold in all: more than an answer can, in whatever form a database writes its values. */
export const MAX_ROW_BYTES = 8 * 1024 * 1024;

export function tooManyBytes(): AdapterError {
  const data = { max_bytes: MAX_ROW_BYTES };
  return adapterError("ADAPTER_TOO_LARGE", "the objects are larger than one call may read", { data });
}

export function unexpectedCount(expected: number, count: number): AdapterError {
  return adapterError("ADAPTER_CONFLICT", "another number of rows than expected", { data: { expected, count } });
}
