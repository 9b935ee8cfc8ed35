/**
 * The way to the open database. Calls that come while a batch is under way make up the next one, so the busier the service, the more calls
 * share one sync of the disk; and the thread of the server never waits for it. A database in memory has no disk to wait for and is
 * called in place.
 */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { isUnloadable, UNLOADABLE } from "../../../adapters/engine/sqlite/errors.ts";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { faults } from "../../wire/errors.ts";
import type { StoreHealth } from "../store-health.ts";
import {
  type CallAnswer,
  type CallRequest,
  DAMAGED,
  failure,
  type MemoryBounds,
  type OpenDatabase,
  openDatabase,
} from "./batch.ts";
import type { CallInput, CallName, CallOutput } from "./calls.ts";
import type { StateIdentity } from "./state-place.ts";
import type { JobEnd } from "./tables/job-moves.ts";

/** `known`: the files that the thread before had open. */
export type ThreadStart = { readonly stateDir: string; readonly known: StateIdentity | null };
export type ToThread = readonly CallRequest[] | "close";
/** What opening the database told. */
type Opened = Pick<OpenDatabase, "identity" | "isUnclean" | "isDamaged">;
export type FromThread =
  | ({ readonly opened: true } & Opened)
  | { readonly opened: false; readonly code: string; readonly message: string }
  | { readonly answers: readonly CallAnswer[] };

type Pending = {
  readonly request: CallRequest;
  readonly resolve: (output: unknown) => void;
  readonly reject: (cause: Error) => void;
};
/** Ends that go to the database as one call, and those who wait for each. */
type Ends = {
  readonly inputs: JobEnd[];
  readonly waiting: { readonly resolve: (made: boolean) => void; readonly reject: (cause: Error) => void }[];
};
/** Performs one batch. Rejects when the database is gone. */
type Perform = (requests: readonly CallRequest[]) => Promise<readonly CallAnswer[]>;
type Database = Pick<Opened, "isUnclean" | "isDamaged"> & { readonly perform: Perform; close(): Promise<void> };

const RECOVER = "the file is damaged, and nothing more is written to it; stop the service and run wf doctor --recover";
const MAX_IN_BATCH = 1000;
const THREAD_ENDED = "its thread has ended";

export class SqliteLine {
  readonly #database: Database;
  readonly #health: StoreHealth;
  #waiting: Pending[] = [];
  /** Part of what is waiting. */
  #ends: Ends | null = null;
  #busy = false;
  #closed = false;
  #idle: (() => void)[] = [];

  private constructor(database: Database, health: StoreHealth) {
    this.#database = database;
    this.#health = health;
  }

  /** `stateDir` null: in memory, within `bounds`. Throws StartFault. */
  static async open(stateDir: string | null, health: StoreHealth, bounds: MemoryBounds = {}): Promise<SqliteLine> {
    // Told at once, whether or not somebody waits for an answer of it.
    const ended = (): void => void health.failed(THREAD_ENDED);
    const database = stateDir === null ? inMemory(bounds) : await inThread(stateDir, ended);
    if (database.isDamaged) health.damaged(RECOVER);
    return new SqliteLine(database, health);
  }

  /** The process before did not close the database. */
  get isUnclean(): boolean {
    return this.#database.isUnclean;
  }

  /** Rejects with ServiceFault store_unavailable; with another error for a defect. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(faults.draining());
      this.#wait({ request: { name, input }, resolve: resolve as (output: unknown) => void, reject });
    });
  }

  /** Ends a job. All that end until the next batch do so in one call. `told`: makes the answer of whether it was done. */
  settle<T>(end: JobEnd, told: (made: boolean) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(faults.draining());
      this.#ends ??= this.#gatherEnds();
      this.#ends.inputs.push(end);
      this.#ends.waiting.push({ resolve: (made) => resolve(told(made)), reject });
    });
  }

  /** Performs what is waiting, then ends the database. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#database.close();
  }

  #gatherEnds(): Ends {
    const ends: Ends = { inputs: [], waiting: [] };
    const { inputs, waiting } = ends;
    this.#wait({
      request: { name: "settle", input: inputs },
      resolve(made) {
        for (const [at, { resolve }] of waiting.entries()) resolve((made as readonly boolean[])[at] === true);
      },
      reject: (cause) => {
        const [only] = waiting;
        if (waiting.length === 1) return only?.reject(cause);
        // One of them may be what fails: a result that the disk has no room for.
        waiting.forEach(({ resolve, reject }, at) => {
          this.call("settle", inputs.slice(at, at + 1)).then(([made]) => resolve(made === true), reject);
        });
      },
    });
    return ends;
  }

  #wait(pending: Pending): void {
    this.#waiting.push(pending);
    if (this.#busy) return;
    this.#busy = true;
    // What else this turn asks for goes into the same batch.
    queueMicrotask(() => void this.#work());
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#ends = null;
      const batch = this.#waiting.splice(0, MAX_IN_BATCH);
      try {
        const answers = await this.#database.perform(batch.map(({ request }) => request));
        batch.forEach((pending, at) => {
          this.#conclude(pending, answers[at] as CallAnswer);
        });
      } catch {
        for (const { reject } of batch) reject(this.#health.failed(THREAD_ENDED));
      }
    }
    this.#busy = false;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }

  #conclude({ resolve, reject }: Pending, answer: CallAnswer): void {
    if (answer.ok) resolve(answer.output);
    else if (answer.code === DAMAGED) reject(this.#health.damaged(RECOVER));
    else if (answer.code === "") reject(new Error(answer.message));
    else reject(this.#health.failed(reasonOf(answer.code)));
  }
}

function inMemory(bounds: MemoryBounds): Database {
  const database = openedInMemory(bounds);
  return {
    isUnclean: false,
    isDamaged: false,
    async perform(requests) {
      // Jobs that follow each other do not keep the server from its sockets.
      await setImmediate();
      return database.perform(requests);
    },
    close: async () => database.close(),
  };
}

function openedInMemory(bounds: MemoryBounds): OpenDatabase {
  try {
    return openDatabase(null, bounds);
  } catch (thrown) {
    throw isUnloadable(failure(thrown)) ? new StartFault(UNLOADABLE) : thrown;
  }
}

/** A thread that ends, because it ran out of memory for one, is followed by another at the next batch. `onEnded`: not asked to. */
async function inThread(stateDir: string, onEnded: () => void): Promise<Database> {
  let thread: Thread | null = await startedThread({ stateDir, known: null }, onEnded);
  const { identity: known, isUnclean, isDamaged } = thread.opened;
  return {
    isUnclean,
    isDamaged,
    async perform(requests) {
      if (thread?.ended === true) thread = null;
      thread ??= await startedThread({ stateDir, known }, onEnded);
      return thread.perform(requests);
    },
    close: async () => thread?.close(),
  };
}

type Thread = Omit<Database, "isUnclean" | "isDamaged"> & { readonly ended: boolean; readonly opened: Opened };

/** Rejects with StartFault. */
function startedThread(start: ThreadStart, onEnded: () => void): Promise<Thread> {
  const { stateDir } = start;
  const worker = new Worker(helperPath("job-store"), { workerData: start });
  let ended = false;
  let closing = false;
  let opened: Opened = { identity: null, isUnclean: false, isDamaged: false };
  let asked: { resolve(answers: readonly CallAnswer[]): void; reject(cause: Error): void } | null = null;
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const thread: Thread = {
    get ended() {
      return ended;
    },
    get opened() {
      return opened;
    },
    perform: (requests) =>
      new Promise((resolve, reject) => {
        asked = { resolve, reject };
        worker.postMessage(requests satisfies ToThread);
      }),
    async close() {
      closing = true;
      if (!ended) worker.postMessage("close" satisfies ToThread);
      await exited;
    },
  };
  return new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("message", (message: FromThread) => {
      if ("answers" in message) asked?.resolve(message.answers);
      else if (message.opened) {
        opened = message;
        resolve(thread);
      } else reject(startFault(stateDir, message.code, message.message));
    });
    worker.once("exit", () => {
      ended = true;
      const cause = new Error("the thread has ended");
      asked?.reject(cause);
      reject(cause);
      if (!closing) onEnded();
    });
  });
}

function startFault(stateDir: string, code: string, message: string): Error {
  if (code === "SQLITE_BUSY") return new StartFault(`state directory ${stateDir} is in use by another process`);
  if (code === "NEWER_SCHEMA") return new StartFault(`${message}; state directory ${stateDir}`);
  if (isUnloadable({ code, message })) return new StartFault(UNLOADABLE);
  if (code === "") return new Error(message);
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code))
    return new StartFault(
      `job store ${stateDir}/weft.db cannot be opened: ${reasonOf(code)} (wf doctor --recover makes a new one of what can be read)`,
    );
  return new StartFault(`job store ${stateDir}/weft.db cannot be opened: ${reasonOf(code)} (wf doctor looks into it)`);
}

const REASONS: readonly (readonly [prefix: string, reason: string])[] = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_IOERR_SHMSIZE", "the disk is full"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["SQLITE_CORRUPT", "the file is damaged"],
  ["SQLITE_NOTADB", "the file is not a database"],
  ["SQLITE_READONLY", "the file cannot be written"],
  ["SQLITE_CANTOPEN", "the file cannot be opened"],
  ["SQLITE_IOERR", "the file cannot be read or written"],
  ["STATE_LOST", "the state directory was removed or replaced; restart the service"],
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "a file stands where its folder should be"],
  ["EEXIST", "a file stands where its folder should be"],
  ["EACCES", "its folder may not be made or written"],
  ["EROFS", "its folder may not be made or written"],
];

function reasonOf(code: string): string {
  return REASONS.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "it cannot be read or written";
}
