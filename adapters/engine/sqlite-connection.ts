/**
 * One open database and its transactions. Runs in the helper process. The file is opened by the first request, so that a file that cannot
 * be opened now is a failure of that request and can be opened by the next.
 */
import { accessSync, closeSync, constants, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Json } from "../../compiler/json.ts";
import { adapterError } from "../errors.ts";
import type { SqlitePlace, SqliteProgram, TransactionMode } from "./sqlite.ts";
import { codeOf } from "./sqlite-errors.ts";
import type { HelperAction } from "./sqlite-messages.ts";

const DONE: Json = null;

export class SqliteConnection {
  readonly #place: SqlitePlace;
  readonly #program: SqliteProgram;
  #db: Database.Database | null = null;

  constructor(place: SqlitePlace, program: SqliteProgram) {
    this.#place = place;
    this.#program = program;
  }

  /** Throws AdapterError, or errors of SQLite and the file system. A failed call has changed nothing. */
  perform(action: HelperAction, busyMs: number): Json {
    this.#db ??= opened(this.#place, this.#program, busyMs);
    const db = this.#db;
    db.pragma(`busy_timeout = ${busyMs}`);
    switch (action.kind) {
      case "call":
        return this.#call(db, action.operation, action.input);
      case "begin":
        return begin(db, action.mode);
      case "commit":
        if (!db.inTransaction) throw adapterError("ADAPTER_CONFLICT", "the transaction was rolled back");
        return ended(db, "COMMIT");
      case "rollback":
        return ended(db, "ROLLBACK");
    }
  }

  close(): void {
    this.#db?.close();
    this.#db = null;
  }

  #call(db: Database.Database, name: string, input: Json): Json {
    const { operations } = this.#program;
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined) throw new Error(`no operation ${name}`);
    if (operation.mode === "bare") return operation.run(db, input);
    if (db.inTransaction) return nested(db, () => operation.run(db, input));
    db.exec(operation.mode === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
    return settled(db, () => {
      const result = operation.run(db, input);
      db.exec("COMMIT");
      return result;
    });
  }
}

function begin(db: Database.Database, mode: TransactionMode): Json {
  db.exec(mode === "immediate" ? "BEGIN IMMEDIATE" : "BEGIN");
  if (mode === "readonly") db.pragma("query_only = ON");
  return DONE;
}

function ended(db: Database.Database, statement: "COMMIT" | "ROLLBACK"): Json {
  return settled(db, () => {
    if (db.inTransaction) db.exec(statement);
    db.pragma("query_only = OFF");
    return DONE;
  });
}

/** Leaves no transaction behind: SQLite ends one by itself on some failures, such as a full disk, and keeps it on others. */
function settled(db: Database.Database, act: () => Json): Json {
  try {
    return act();
  } finally {
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}

/** A call within an open transaction: all of it or nothing. */
function nested(db: Database.Database, act: () => Json): Json {
  db.exec("SAVEPOINT call");
  try {
    const result = act();
    db.exec("RELEASE call");
    return result;
  } catch (thrown) {
    if (db.inTransaction) db.exec("ROLLBACK TO call; RELEASE call");
    throw thrown;
  }
}

function opened(place: SqlitePlace, program: SqliteProgram, busyMs: number): Database.Database {
  const inMemory = place.path === ":memory:";
  const readonly = !inMemory && !writable(place.path);
  const db = new Database(place.path, { readonly, fileMustExist: !inMemory, timeout: busyMs });
  try {
    if (!inMemory && !readonly) db.pragma("journal_mode = WAL");
    db.pragma(`synchronous = ${place.durability === "full" ? "FULL" : "NORMAL"}`);
    db.pragma("foreign_keys = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    if (program.schema !== "" && !readonly) db.transaction(() => db.exec(program.schema)).immediate();
    // The first read of the file: a file that is no database fails here.
    db.pragma("schema_version");
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Makes the file when it is missing, for its owner alone; SQLite gives its side files the same mode. False: it can only be read. */
function writable(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
