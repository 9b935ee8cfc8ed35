/**
 * What the SQLite helper does for the adapter `sqlite`: admits a statement, runs it and answers with JSON. The file has no tables of its
 * own. Each operation is one transaction, so a statement that is refused after its run has done nothing.
 */
import type { Database } from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { databaseError } from "../../engine/sqlite/errors.ts";
import type { SqliteOperation, SqliteProgram } from "../../engine/sqlite/sqlite.ts";
import { adapterError } from "../../errors.ts";
import { type Admitted, admitted, type Bindings } from "../../guard/sql/admit.ts";
import type { SqlRules } from "../../guard/sql/rules.ts";
import { bindingsOf, columnNames, exactRow, jsonOf, rowOf, type SqlParams } from "./values.ts";

export type { SqlParams };
export type SqlLimits = { readonly rules: SqlRules; readonly max_rows: number; readonly max_bytes: number };
export type SqlStatement = { readonly sql: string; readonly params: SqlParams | null };
export type QueryInput = SqlLimits & SqlStatement;
export type BatchInput = SqlLimits & { readonly statements: readonly SqlStatement[] };

type Row = { readonly [column: string]: Json };
/** `text`: of the rows, where it says more (`exactRow`). */
export type ReadRows = { readonly rows: readonly Row[]; readonly text?: string };
export type ExecuteResult = {
  readonly rows_affected: number;
  readonly lastrowid: Json;
  readonly rows?: readonly Row[];
  readonly text?: string;
};

/** The program's own statement: an error of it may name a place in its text. */
function stated<T>(sql: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw databaseError(thrown, sql);
  }
}

function query(db: Database, { sql, params, ...limits }: QueryInput): ReadRows {
  const bindings = bindingsOf(sql, params);
  const before = db.pragma("query_only", { simple: true });
  db.pragma("query_only = ON");
  try {
    return rowsOf(admitted(db, sql, bindings, "query", limits.rules), bindings, limits);
  } finally {
    db.pragma(`query_only = ${before}`);
  }
}

function execute(db: Database, { sql, params, ...limits }: QueryInput): ExecuteResult {
  const bindings = bindingsOf(sql, params);
  const admission = admitted(db, sql, bindings, "execute", limits.rules);
  if (admission.statement.reader) {
    const read = rowsOf(admission, bindings, limits);
    const [changes, rowid] = db
      .prepare<[], bigint[]>("SELECT changes(), last_insert_rowid()")
      .safeIntegers()
      .raw()
      .get()!;
    return { ...outcome(admission, Number(changes), rowid), ...read };
  }
  const { changes, lastInsertRowid } = admission.statement.safeIntegers().run(...bindings);
  admission.verify();
  return outcome(admission, changes, lastInsertRowid);
}

function outcome({ ddl, inserts }: Admitted, changes: number, rowid: unknown): ExecuteResult {
  if (ddl) return { rows_affected: 0, lastrowid: null };
  return { rows_affected: changes, lastrowid: inserts && changes > 0 ? jsonOf(rowid) : null };
}

function batch(db: Database, { statements, ...limits }: BatchInput): readonly ExecuteResult[] {
  return statements.map((statement, index) => {
    try {
      return execute(db, { ...statement, ...limits });
    } catch (thrown) {
      throw atPlace(databaseError(thrown, statement.sql), index);
    }
  });
}

/** The rows while they fit; a statement that changes something has done so before its first row. */
function rowsOf({ statement }: Admitted, bindings: Bindings, { max_rows, max_bytes }: SqlLimits): ReadRows {
  const names = columnNames(statement.columns());
  const rows: Row[] = [];
  const texts: string[] = [];
  let saysMore = false;
  let bytes = 0;
  for (const values of statement
    .safeIntegers()
    .raw()
    .iterate(...bindings) as Iterable<readonly unknown[]>) {
    if (rows.length >= max_rows) throw tooMuch(`gives more than ${max_rows} rows (sqlite.max_rows)`, rows.length);
    const row = values.some((value) => lengthOf(value) > max_bytes) ? null : rowOf(names, values);
    const text = row === null ? "" : JSON.stringify(row);
    bytes += Buffer.byteLength(text);
    if (row === null || bytes > max_bytes) throw tooMuch(`gives more than ${max_bytes} bytes`, rows.length);
    rows.push(row);
    const exact = exactRow(names, values);
    saysMore ||= exact !== null;
    texts.push(exact ?? text);
  }
  return saysMore ? { rows, text: `[${texts.join(",")}]` } : { rows };
}

/** Looked at before a value is copied into its JSON form, which may be larger than a text can be. */
function lengthOf(value: unknown): number {
  return typeof value === "string" || Buffer.isBuffer(value) ? value.length : 0;
}

function tooMuch(why: string, rowsRead: number): AdapterError {
  return adapterError("ADAPTER_TOO_LARGE", `the statement ${why}`, { data: { rows_read: rowsRead } });
}

function atPlace(error: AdapterError, index: number): AdapterError {
  const { code, message, retryable, data, cause } = error;
  const details = typeof data === "object" && data !== null && !Array.isArray(data) ? data : {};
  return new AdapterError(code, message, { retryable, cause, data: { ...details, index } });
}

/** Inputs come from the adapter in the same build, so they are taken as they are. */
function operation<I>(mode: SqliteOperation["mode"], run: (db: Database, input: I) => Json): SqliteOperation {
  return { mode, run: (db, input) => run(db, input as I) };
}

export const sqlProgram: SqliteProgram = {
  schema: "",
  operations: {
    query: operation("read", (db, input: QueryInput) => stated(input.sql, () => query(db, input))),
    execute: operation("write", (db, input: QueryInput) => stated(input.sql, () => execute(db, input))),
    batch: operation("write", batch),
  },
};
