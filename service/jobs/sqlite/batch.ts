/**
 * The open database and its calls. A batch is one transaction and one sync of the disk, however many calls it has: each succeeds or fails
 * for itself, and all fail when the transaction cannot be committed.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { jobTables } from "./job-tables.ts";
import { keyTables } from "./key-tables.ts";
import { migrate } from "./schema.ts";
import { TextFiles } from "./text-files.ts";

export type Calls = ReturnType<typeof callsOf>;
export type CallName = keyof Calls;
export type CallInput<N extends CallName> = Parameters<Calls[N]>[0];
export type CallOutput<N extends CallName> = ReturnType<Calls[N]>;

export type CallRequest = { readonly name: CallName; readonly input: unknown };
export type CallAnswer =
  | { readonly ok: true; readonly output: unknown }
  /** `code` of SQLite or the file system; empty: a defect. */
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface OpenDatabase {
  perform(requests: readonly CallRequest[]): CallAnswer[];
  close(): void;
}

/** `stateDir` null: in memory. Throws errors of SQLite and the file system, NewerSchema. */
export function openDatabase(stateDir: string | null): OpenDatabase {
  const lock = stateDir === null ? null : locked(stateDir);
  try {
    const db = new Database(stateDir === null ? ":memory:" : ownFile(stateDir, "weft.db"));
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("cell_size_check = ON");
    migrate(db);
    const files = new TextFiles(stateDir === null ? null : join(stateDir, "results"));
    const batch: Batch = { db, files, calls: callsOf(db, files) };
    return {
      perform: (requests) => performed(batch, requests),
      close: () => {
        db.close();
        lock?.close();
      },
    };
  } catch (thrown) {
    lock?.close();
    throw thrown;
  }
}

/** The lock of the folder: an empty database held exclusively, which the system gives up with the process. Throws SQLITE_BUSY. */
function locked(stateDir: string): Database.Database {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const lock = new Database(ownFile(stateDir, "lock"), { timeout: 0 });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (thrown) {
    lock.close();
    throw thrown;
  }
}

/** Made for its owner alone; SQLite gives its side files the same mode. */
function ownFile(stateDir: string, name: string): string {
  const path = join(stateDir, name);
  closeSync(openSync(path, "a", 0o600));
  return path;
}

function callsOf(db: Database.Database, files: TextFiles) {
  const keys = keyTables(db, files);
  const jobs = jobTables(db, keys, files);
  files.tidy((file) => jobs.isFileUsed(file) || keys.isKeyFileUsed(file));
  const probe = db.prepare("INSERT OR REPLACE INTO probe (id, at_ms) VALUES (1, ?)");
  return { ...jobs, ...keys, probe: ({ now }: { readonly now: number }): void => void probe.run(now) };
}

type Batch = { readonly db: Database.Database; readonly files: TextFiles; readonly calls: Calls };

function performed(batch: Batch, requests: readonly CallRequest[]): CallAnswer[] {
  const { db, files } = batch;
  try {
    db.exec("BEGIN");
    const answers = requests.map((request) => answered(batch, request));
    db.exec("COMMIT");
    files.committed();
    return answers;
  } catch (thrown) {
    if (db.inTransaction) db.exec("ROLLBACK");
    files.rollback(0);
    return requests.map(() => failure(thrown));
  }
}

function answered({ db, files, calls }: Batch, { name, input }: CallRequest): CallAnswer {
  const mark = files.mark();
  db.exec("SAVEPOINT one_call");
  try {
    const output = (calls[name] as (input: unknown) => unknown)(input);
    db.exec("RELEASE one_call");
    return { ok: true, output };
  } catch (thrown) {
    // SQLite ends the whole transaction on some failures, a full disk for one: then the batch has failed.
    if (!db.inTransaction) throw thrown;
    db.exec("ROLLBACK TO one_call; RELEASE one_call");
    files.rollback(mark);
    return failure(thrown);
  }
}

export function failure(thrown: unknown): CallAnswer & { readonly ok: false } {
  const code = thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return { ok: false, code, message: thrown instanceof Error ? thrown.message : "the call failed" };
}
