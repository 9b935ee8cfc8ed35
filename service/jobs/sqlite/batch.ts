/**
 * The open database, and batches of its calls (`calls.ts`). A batch is one transaction and one sync of the disk, however many calls it has: each succeeds or fails
 * for itself, and all fail when the transaction cannot be committed.
 */
import { closeSync, existsSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makeFolder } from "../../../adapters/guard/files/make-folder.ts";
import { type CallName, type Calls, callsOf } from "./calls.ts";
import { OpenState, type StateIdentity, sameState, stateIdentity } from "./state-place.ts";
import { Tally } from "./tables/counts.ts";
import { type MemoryRooms, memoryRooms } from "./tables/memory-bound.ts";
import { migrate } from "./tables/schema.ts";
import { TextFiles } from "./tables/text-files.ts";

export type CallRequest = { readonly name: CallName; readonly input: unknown };
export type CallAnswer =
  | { readonly ok: true; readonly output: unknown }
  /** `code` of SQLite or the file system; empty: a defect. */
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface OpenDatabase {
  /** null: in memory. */
  readonly identity: StateIdentity | null;
  /** The process before did not close it. */
  readonly isUnclean: boolean;
  /** Damage was found in it before: nothing is written. */
  readonly isDamaged: boolean;
  perform(requests: readonly CallRequest[]): CallAnswer[];
  close(): void;
}

/** Of new files: jobs of one batch share pages, and a commit writes pages. */
const PAGE_BYTES = 8192;

/** How long a start waits for another process that reads the database, such as a backup. */
const OTHERS_WAIT_MS = 1000;

/** What a database in memory may hold. Default: no bounds. */
export type MemoryBounds = {
  /** Bytes of finished jobs, and as many of answers under keys. */
  readonly memoryBytes?: number | undefined;
  /** Bytes of queued jobs. */
  readonly queueBytes?: number | undefined;
};

export type DatabaseOptions = MemoryBounds & {
  /** The files that an earlier thread of this process had open. */
  readonly known?: StateIdentity | null | undefined;
};

/** `stateDir` null: in memory, within the bounds. Throws errors of SQLite and the file system, NewerSchema, and StateLost when `known` is gone. */
export function openDatabase(stateDir: string | null, options: DatabaseOptions = {}): OpenDatabase {
  const { memoryBytes = Number.POSITIVE_INFINITY, queueBytes = Number.POSITIVE_INFINITY, known = null } = options;
  if (stateDir !== null && known !== null) sameState(stateDir, known);
  // Before another connection takes in the log and removes it.
  const isUnclean = stateDir !== null && isLogLeft(stateDir);
  const lock = stateDir === null ? null : locked(stateDir);
  try {
    if (stateDir !== null) refuseShared(stateDir);
    const db = new Database(stateDir === null ? ":memory:" : ownFile(stateDir, "weft.db"));
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("cell_size_check = ON");
    migrate(db);
    const files = new TextFiles(stateDir === null ? null : join(stateDir, "results"));
    const tally = new Tally(db);
    const rooms = stateDir === null ? memoryRooms(db, memoryBytes, queueBytes) : null;
    const calls = callsOf(db, files, tally, rooms);
    const state = stateDir === null ? null : new OpenState(stateDir);
    const damage = new Damage(db, stateDir);
    const batch: Batch = { db, files, tally, rooms, state, damage, marks: marksOf(db), calls };
    // Of a file that may be damaged, rows that name a file may not be found.
    if (!isUnclean && !damage.isKnown) calls.tidy();
    return {
      isUnclean,
      isDamaged: damage.isKnown,
      identity: stateDir === null ? null : stateIdentity(stateDir),
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

/** For one who changes the files while no service runs. Throws SQLITE_BUSY. */
export function lockState(stateDir: string): { close(): void } {
  const lock = locked(stateDir);
  try {
    refuseShared(stateDir);
  } catch (thrown) {
    if (failure(thrown).code === "SQLITE_BUSY") {
      lock.close();
      throw thrown;
    }
    // A damaged file cannot be asked.
  }
  return lock;
}

/**
 * The file `lock` can be deleted under a running service, and then locked again by a second one. SQLite's own lock on the database file
 * cannot: every connection holds it shared as long as it lives, so it is exclusively free only when no other process has the file open.
 * Throws SQLITE_BUSY.
 */
function refuseShared(stateDir: string): void {
  const path = join(stateDir, "weft.db");
  if (!existsSync(path)) return;
  const probe = new Database(path, { timeout: OTHERS_WAIT_MS });
  try {
    probe.pragma("locking_mode = EXCLUSIVE");
    probe.exec("BEGIN EXCLUSIVE; ROLLBACK");
  } finally {
    probe.close();
  }
}

/**
 * Creates the file for its owner alone; SQLite gives its side files the same mode. A file that exists is not opened: closing it again
 * would give up every lock that this process holds on it.
 */
function ownFile(stateDir: string, name: string): string {
  const path = join(stateDir, name);
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  return path;
}

function isLogLeft(stateDir: string): boolean {
  return (statSync(join(stateDir, "weft.db-wal"), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Marks a database in which damage was found, by a file next to it, until `wf doctor --recover` has made another one. */
export const DAMAGE_MARK = "weft.db-damaged";
/** The code of every call that fails because of it. */
export const DAMAGED = "STORE_CORRUPT";
const SIGNS_OF_DAMAGE = /^(?:SQLITE_CORRUPT|SQLITE_NOTADB|STORE_DAMAGED)/;

/** From the first sign of damage on nothing is written: it could destroy what can still be read. */
class Damage {
  readonly #db: Database.Database;
  readonly #mark: string | null;
  #isKnown = false;
  #isEnforced = false;

  constructor(db: Database.Database, stateDir: string | null) {
    this.#db = db;
    this.#mark = stateDir === null ? null : join(stateDir, DAMAGE_MARK);
    if (this.#mark === null || !existsSync(this.#mark)) return;
    this.#isKnown = true;
    this.enforce();
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The answer of a call that failed. */
  answerTo(thrown: unknown): CallAnswer {
    const answer = failure(thrown);
    if (SIGNS_OF_DAMAGE.test(answer.code)) this.#found(answer.code);
    return this.#isKnown ? { ...answer, code: DAMAGED } : answer;
  }

  /** Outside of a transaction. */
  enforce(): void {
    if (!this.#isKnown || this.#isEnforced) return;
    this.#isEnforced = true;
    this.#db.pragma("query_only = ON");
  }

  #found(code: string): void {
    if (this.#isKnown) return;
    this.#isKnown = true;
    try {
      if (this.#mark !== null) writeFileSync(this.#mark, `${code}\n`, { mode: 0o600 });
    } catch {
      // The disk may be what is damaged; the process knows.
    }
  }
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
  /** null: in memory. */
  readonly state: OpenState | null;
  readonly damage: Damage;
  readonly marks: ReturnType<typeof marksOf>;
  readonly calls: Calls;
};

function performed(batch: Batch, requests: readonly CallRequest[]): CallAnswer[] {
  const { files, marks, state, damage } = batch;
  try {
    state?.check();
    marks.begin.run();
    const answers = allPerformed(batch, requests) ?? requests.map((request) => performedAlone(batch, request));
    marks.commit.run();
    files.committed();
    return answers;
  } catch (thrown) {
    takeBack(batch);
    return requests.map(() => damage.answerTo(thrown));
  } finally {
    damage.enforce();
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
  const { db, files, tally, rooms, damage } = batch;
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
    return damage.answerTo(thrown);
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
  rooms?.queue.forget();
  rooms?.jobs.forget();
  rooms?.keys.forget();
}

export function failure(thrown: unknown): CallAnswer & { readonly ok: false } {
  const code = thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return { ok: false, code, message: thrown instanceof Error ? thrown.message : "the call failed" };
}
