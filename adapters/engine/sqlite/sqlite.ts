/**
 * Databases in SQLite files, as the rest of the adapters see them. better-sqlite3 is synchronous and cannot be interrupted, so every
 * file is served by one child process that is killed when a request outlives its deadline; WAL makes that safe. What runs there
 * are operations: functions registered by name (`adapters/entries/sqlite-programs.ts`) that get the open database and JSON, and return JSON.
 */
import type { Database } from "better-sqlite3";
import type { Json } from "../../../compiler/json.ts";

/**
 * Runs in the helper process, inside one transaction unless it says `bare` (`write` holds the write lock from its start). What it throws
 * rolls the transaction back: AdapterError as it is, SQLite's own errors by `errors.ts`. Whole numbers of rows
 * are plain numbers; a statement whose numbers may leave ±(2^53−1) asks for `safeIntegers(true)`.
 */
export type SqliteOperation = {
  readonly mode: "read" | "write" | "bare";
  run(db: Database, input: Json): Json;
};
/** Operations of one kind of file, and the statements that make its tables when they are missing (repeatable). */
export type SqliteProgram = {
  readonly schema: string;
  readonly operations: Readonly<Record<string, SqliteOperation>>;
};

type Durability = "normal" | "full";
export type SqlitePlace = {
  /** Absolute path of the file, or `:memory:` for a database of its own that goes with its handle. */
  readonly path: string;
  /** Name of a registered program. */
  readonly program: string;
  /** `full`: an answered write survives a power cut; `normal`: it survives a crash of the process. */
  readonly durability: Durability;
  /** `path` has no links, and the file is only used while it is that one: somebody may have swapped a folder since it was judged. */
  readonly exact?: boolean;
};
/** `extend`: gives the call that asks more time, for the start of a process. */
export type RequestLimits = {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly extend?: (ms: number) => void;
};

/** `readonly` refuses writes; `immediate` holds the write lock from the start, `deferred` from its first write. */
export type TransactionMode = "deferred" | "immediate" | "readonly";
export type TransactionLimits = RequestLimits & {
  /** After this long without commit the transaction is rolled back. */
  readonly lifetimeMs: number;
};

/** A handle on one database. */
export interface SqliteDatabase {
  /** Runs an operation of the file's program. Rejects with AdapterError: TIMEOUT, BUSY, QUOTA, BAD_DATA, CANCELLED, … */
  call(operation: string, input: Json, limits: RequestLimits): Promise<Json>;
  /**
   * Opens a transaction on a connection of its own; until its end all calls of this handle go there. When it is lost (its time is
   * over, a call was killed at its deadline) every call is refused with ADAPTER_CONFLICT until `rollback`.
   */
  begin(mode: TransactionMode, limits: TransactionLimits): Promise<void>;
  /** Rejects with ADAPTER_CONFLICT when no transaction is open or it was lost; the transaction is over either way. */
  commit(limits: RequestLimits): Promise<void>;
  /** Ends the transaction without its changes; nothing happens when none is open. */
  rollback(): Promise<void>;
  /** Between `begin` and the `commit` or `rollback` that ends it. */
  readonly inTransaction: boolean;
  /** Ends the handle; open transactions of it are rolled back. Files stay served for other handles. */
  close(): Promise<void>;
}

export interface SqliteService {
  open(place: SqlitePlace): SqliteDatabase;
  /** Ends all helper processes. */
  close(): Promise<void>;
}
