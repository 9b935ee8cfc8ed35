/**
 * One open database and its transactions. Runs in the helper process. The file is opened by the first request, so that a file that cannot
 * be opened now is a failure of that request and can be opened by the next.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";
import { adapterError } from "../../errors.ts";
import { makeFolder } from "../../guard/files/make-folder.ts";
import { codeOf, sqliteCodeOf } from "./errors.ts";
import type { HelperAction } from "./messages.ts";
import type { SqlitePlace, SqliteProgram, TransactionMode } from "./sqlite.ts";

const DONE: Json = null;
const MAX_PAUSE_MS = 20;
const IN_MEMORY = ":memory:";
/** As much as the variables of a run may take. */
const MAX_IN_MEMORY = 256 * 1024 * 1024;
/** A buffer to sleep on; it is never notified. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

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
    try {
      return this.#perform(this.#db, action, busyMs);
    } catch (thrown) {
      if (this.#place.path === IN_MEMORY && sqliteCodeOf(thrown) === "SQLITE_FULL") {
        throw adapterError("ADAPTER_QUOTA", "the database in memory is full", { data: { max_bytes: MAX_IN_MEMORY } });
      }
      // A damaged file may be replaced by its owner: the next call opens what is there then.
      if (/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCodeOf(thrown))) this.close();
      throw thrown;
    }
  }

  #perform(db: Database.Database, action: HelperAction, busyMs: number): Json {
    db.pragma(`busy_timeout = ${busyMs}`);
    switch (action.kind) {
      case "call":
        return this.#call(db, action.operation, action.input, busyMs);
      case "begin":
        return begin(db, action.mode, busyMs);
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

  #call(db: Database.Database, name: string, input: Json, busyMs: number): Json {
    const { operations } = this.#program;
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (operation === undefined) throw new Error(`no operation ${name}`);
    if (operation.mode === "bare") return operation.run(db, input);
    if (db.inTransaction) return nested(db, () => operation.run(db, input));
    if (operation.mode === "write") lock(db, busyMs);
    else db.exec("BEGIN");
    return settled(db, () => {
      const result = operation.run(db, input);
      db.exec("COMMIT");
      return result;
    });
  }
}

function begin(db: Database.Database, mode: TransactionMode, busyMs: number): Json {
  if (mode === "immediate") lock(db, busyMs);
  else db.exec("BEGIN");
  if (mode === "readonly") db.pragma("query_only = ON");
  return DONE;
}

/** Begins a transaction with the write lock. */
function lock(db: Database.Database, busyMs: number): void {
  whenFree(db, busyMs, () => db.exec("BEGIN IMMEDIATE"));
}

/**
 * Does what takes a lock again and again while another has it. Waits by the clock: SQLite adds up the pauses it asked for, which on a busy
 * machine are far shorter than those it gets, and the deadline of the request would come first; and where two connections bring a new file
 * into WAL mode at once, it does not wait at all.
 */
function whenFree(db: Database.Database, busyMs: number, act: () => unknown): void {
  const end = performance.now() + busyMs;
  db.pragma("busy_timeout = 0");
  try {
    for (let pause = 1; !isDone(act, performance.now() + pause >= end); pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      Atomics.wait(NEVER, 0, 0, pause);
    }
  } finally {
    db.pragma(`busy_timeout = ${busyMs}`);
  }
}

/** False: another holds the lock, and it is to be tried again. */
function isDone(act: () => unknown, last: boolean): boolean {
  try {
    act();
    return true;
  } catch (thrown) {
    if (last || !codeOf(thrown).startsWith("SQLITE_BUSY")) throw thrown;
    return false;
  }
}

function ended(db: Database.Database, statement: "COMMIT" | "ROLLBACK"): Json {
  return settled(db, () => {
    if (db.inTransaction) db.exec(statement);
    db.pragma("query_only = OFF");
    return DONE;
  });
}

/** Ends an open transaction: SQLite ends one by itself on some failures, such as a full disk, and keeps it on others. */
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
  const inMemory = place.path === IN_MEMORY;
  if (place.exact === true && !inMemory) {
    makeFolder(dirname(place.path));
    confirmUnlinked(dirname(place.path));
  }
  const readonly = !inMemory && !writable(place.path);
  const db = new Database(place.path, { readonly, fileMustExist: !inMemory, timeout: busyMs });
  try {
    // Before anything is read or written.
    if (place.exact === true && !inMemory) confirmOpen(place.path);
    if (!inMemory && !readonly) whenFree(db, busyMs, () => db.pragma("journal_mode = WAL"));
    db.pragma(`synchronous = ${place.durability === "full" ? "FULL" : "NORMAL"}`);
    db.pragma("foreign_keys = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    if (inMemory) db.pragma(`max_page_count = ${MAX_IN_MEMORY / Number(db.pragma("page_size", { simple: true }))}`);
    if (program.schema !== "" && !readonly)
      whenFree(db, busyMs, () => db.transaction(() => db.exec(program.schema)).immediate());
    // The first read of the file: a file that is not a database fails here.
    db.pragma("schema_version");
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

function confirmUnlinked(path: string): void {
  if (realpathSync(path) !== path) throw adapterError("ADAPTER_BAD_SETTINGS", "the database file was moved by a link");
}

/** Whether this process has the file at `path` open; where the system does not list open files, whether no link leads there. */
function confirmOpen(path: string): void {
  if (!existsSync("/proc/self/fd")) {
    confirmUnlinked(path);
    return;
  }
  // Where what is open really lies; asking for the path once more could be answered for another file.
  if (!readdirSync("/proc/self/fd").some((descriptor) => pathOf(descriptor) === path))
    throw adapterError("ADAPTER_BAD_SETTINGS", "the database file was replaced while it was opened");
}

function pathOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The one by which the folder was read is closed already.
    return null;
  }
}

/** Makes the file when it is missing, for its owner alone; SQLite gives its side files the same mode. False: it can only be read. */
function writable(path: string): boolean {
  makeFolder(dirname(path));
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
