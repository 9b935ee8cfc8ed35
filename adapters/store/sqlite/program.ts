/**
 * Typed operations of SQLite programs: what the helper process runs and what the service calls share their types, so that nothing is
 * checked twice between the two ends of one build. Next to it, files named `*-program.ts` with their rows, tables and views run in the helper;
 * `key-value.ts`, `ledger.ts`, `queue.ts` and `record.ts` are the stores that call them. Statements are prepared once per open database.
 */
import type { Database, Statement } from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";
import type { SqliteDatabase, SqliteOperation, SqliteProgram } from "../../engine/sqlite/sqlite.ts";
import { limitsOf, type StoreCall } from "../call.ts";

export type Operation<I, O> = { readonly mode: SqliteOperation["mode"]; run(db: Database, input: I): O };
export type Operations = Readonly<Record<string, Operation<never, unknown>>>;

export function reading<I, O>(run: (db: Database, input: I) => O): Operation<I, O> {
  return { mode: "read", run };
}
export function writing<I, O>(run: (db: Database, input: I) => O): Operation<I, O> {
  return { mode: "write", run };
}
/** Outside a transaction: each statement is one of its own. */
export function bare<I, O>(run: (db: Database, input: I) => O): Operation<I, O> {
  return { mode: "bare", run };
}

/** A program from typed operations; what they take and give must be JSON. */
export function program(schema: string, operations: Operations): SqliteProgram {
  // Both ends are built from the same types and `callsOf` is the only caller, so the input is what the operation takes.
  return { schema, operations: operations as unknown as SqliteProgram["operations"] };
}

export type CallsOf<P extends Operations> = <N extends keyof P & string>(
  operation: N,
  input: Parameters<P[N]["run"]>[1],
  call: StoreCall,
) => Promise<ReturnType<P[N]["run"]>>;

/** Calls the operations `P` of the program that `database` was opened with. */
export function callsOf<P extends Operations>(database: Pick<SqliteDatabase, "call">): CallsOf<P> {
  return async <N extends keyof P & string>(operation: N, input: Parameters<P[N]["run"]>[1], call: StoreCall) =>
    (await database.call(operation, input as Json, limitsOf(call))) as ReturnType<P[N]["run"]>;
}

const prepared = new WeakMap<Database, Map<string, Statement<unknown[], unknown>>>();

/** The statement of `sql`. `R` is what its rows look like: columns are named in the SQL. */
export function statement<R = unknown>(db: Database, sql: string): Statement<unknown[], R> {
  let statements = prepared.get(db);
  if (statements === undefined) {
    statements = new Map();
    prepared.set(db, statements);
  }
  let found = statements.get(sql);
  if (found === undefined) {
    found = db.prepare(sql);
    statements.set(sql, found);
  }
  return found as Statement<unknown[], R>;
}

const swept = new WeakMap<Database, number>();

/** Whether what has expired should be removed along with this write: at the first one, then every `intervalMs`. */
export function sweepDue(db: Database, now: number, intervalMs: number): boolean {
  const last = swept.get(db);
  if (last !== undefined && now >= last && now - last < intervalMs) return false;
  swept.set(db, now);
  return true;
}
