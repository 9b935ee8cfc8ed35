/**
 * The open database, and batches of its calls (`calls.ts`). A batch is one transaction and one sync of the disk, however many calls it has: each succeeds or fails
 * for itself, and all fail when the transaction cannot be committed.
 */
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makeFolder } from "../../../adapters/make-folder.ts";
import { type CallName, type Calls, callsOf } from "./calls.ts";
import { type MemoryRooms, memoryRooms } from "./memory-room.ts";
import { migrate } from "./schema.ts";
import { Tally } from "./tally.ts";
import { TextFiles } from "./text-files.ts";

export type CallRequest = { readonly name: CallName; readonly input: unknown };
export type CallAnswer =
  | { readonly ok: true; readonly output: unknown }
  /** `code` of SQLite or the file system; empty: a defect. */
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface OpenDatabase {
  perform(requests: readonly CallRequest[]): CallAnswer[];
  close(): void;
}

/** Of new files: jobs of one batch share pages, and a commit writes pages. */
const PAGE_BYTES = 8192;

/**
 * `stateDir` null: in memory, where jobs that are over hold at most `memoryBytes`, and answers under keys as many. Throws errors of SQLite and the file system,
 * NewerSchema.
 */
export function openDatabase(stateDir: string | null, memoryBytes = Number.POSITIVE_INFINITY): OpenDatabase {
  const lock = stateDir === null ? null : locked(stateDir);
  try {
    const db = new Database(stateDir === null ? ":memory:" : ownFile(stateDir, "weft.db"));
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("cell_size_check = ON");
    migrate(db);
    const files = new TextFiles(stateDir === null ? null : join(stateDir, "results"));
    const tally = new Tally(db);
    const rooms = stateDir === null ? memoryRooms(db, memoryBytes) : null;
    const batch: Batch = { db, files, tally, rooms, marks: marksOf(db), calls: callsOf(db, files, tally, rooms) };
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
  makeFolder(stateDir);
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

/** What begins and ends a batch. */
function marksOf(db: Database.Database) {
  return { begin: db.prepare("BEGIN"), commit: db.prepare("COMMIT") };
}

type Batch = {
  readonly db: Database.Database;
  readonly files: TextFiles;
  readonly tally: Tally;
  readonly rooms: MemoryRooms | null;
  readonly marks: ReturnType<typeof marksOf>;
  readonly calls: Calls;
};

function performed(batch: Batch, requests: readonly CallRequest[]): CallAnswer[] {
  const { files, marks } = batch;
  try {
    marks.begin.run();
    const answers = allPerformed(batch, requests) ?? requests.map((request) => performedAlone(batch, request));
    marks.commit.run();
    files.committed();
    return answers;
  } catch (thrown) {
    takeBack(batch);
    return requests.map(() => failure(thrown));
  }
}

/** Null: one has failed, and the transaction is begun anew. Nearly none does, and bounds around each would write more than the calls. */
function allPerformed(batch: Batch, requests: readonly CallRequest[]): CallAnswer[] | null {
  try {
    return requests.map((request) => ({ ok: true, output: output(batch, request) }));
  } catch {
    takeBack(batch);
    batch.marks.begin.run();
    return null;
  }
}

function performedAlone(batch: Batch, request: CallRequest): CallAnswer {
  const { db, files, tally, rooms } = batch;
  const mark = files.mark();
  db.exec("SAVEPOINT one_call");
  try {
    const answer = { ok: true, output: output(batch, request) } as const;
    db.exec("RELEASE one_call");
    return answer;
  } catch (thrown) {
    // SQLite ends the whole transaction on some failures, a full disk for one: then the batch has failed.
    if (!db.inTransaction) throw thrown;
    db.exec("ROLLBACK TO one_call; RELEASE one_call");
    files.rollback(mark);
    tally.forget();
    forgetRooms(rooms);
    return failure(thrown);
  }
}

function output({ calls }: Batch, { name, input }: CallRequest): unknown {
  return (calls[name] as (input: unknown) => unknown)(input);
}

function takeBack({ db, files, tally, rooms }: Batch): void {
  if (db.inTransaction) db.exec("ROLLBACK");
  files.rollback(0);
  tally.forget();
  forgetRooms(rooms);
}

function forgetRooms(rooms: MemoryRooms | null): void {
  rooms?.jobs.forget();
  rooms?.keys.forget();
}

export function failure(thrown: unknown): CallAnswer & { readonly ok: false } {
  const code = thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return { ok: false, code, message: thrown instanceof Error ? thrown.message : "the call failed" };
}
