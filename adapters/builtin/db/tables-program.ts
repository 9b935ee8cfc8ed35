/**
 * What the helper process does for tables in SQLite files: it runs the statements that `queries.ts` made. Values travel as JSON: whole
 * numbers that no double holds as `{"$integer": text}` to the database and as text from it, bytes as `{"$base64"}`.
 */
import type { Database, Statement as Prepared } from "better-sqlite3";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { SqliteProgram } from "../../engine/sqlite/sqlite.ts";
import { type Change, type Changed, MAX_ROW_BYTES, type Rows, tooManyBytes, unexpectedCount } from "./executor.ts";
import type { Statement } from "./queries.ts";

/** The tables are the operator's: none is made here. */
export const tablesProgram: SqliteProgram = {
  schema: "",
  operations: {
    select: { mode: "read", run: (db, input) => rowsOf(db, input as Statement) },
    change: { mode: "write", run: (db, input) => changed(db, input as Change) },
  },
};

function changed(db: Database, { statement, before, expected }: Change): Changed {
  const counted = before === null ? 0 : rowsOf(db, before).length;
  const prepared = db.prepare(statement.sql);
  const parameters = statement.parameters.map(bound);
  const rows = prepared.reader ? rowsFrom(prepared, parameters) : [];
  const affected = prepared.reader ? rows.length : prepared.run(...parameters).changes;
  if (expected !== null && affected !== expected) throw unexpectedCount(expected, affected);
  return { rows, affected, before: counted };
}

function rowsOf(db: Database, { sql, parameters }: Statement): Rows {
  return rowsFrom(db.prepare(sql), parameters.map(bound));
}

function rowsFrom(prepared: Prepared, parameters: readonly unknown[]): Rows {
  const raw = prepared.safeIntegers(true).raw(true);
  const rows: Json[][] = [];
  let bytes = 0;
  for (const row of raw.iterate(...parameters) as Iterable<readonly unknown[]>) {
    for (const value of row) bytes += lengthOf(value);
    if (bytes > MAX_ROW_BYTES) throw tooManyBytes();
    rows.push(row.map(sent));
  }
  return rows;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" || value instanceof Uint8Array ? value.length : 0;
}

function bound(value: Json): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  const { $integer: whole, $base64: bytes } = value as JsonObject;
  return typeof whole === "string" ? BigInt(whole) : Buffer.from(String(bytes), "base64");
}

function sent(value: unknown): Json {
  if (typeof value === "bigint") {
    const near = Number(value);
    return Number.isSafeInteger(near) ? near : value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return { $base64: Buffer.from(value).toString("base64") };
  return typeof value === "string" ? value : null;
}
