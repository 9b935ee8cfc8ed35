/**
 * A handle on one database and its transaction. Files are served by the process that all handles share; an open transaction has a process
 * of its own, so that neither waits for the other's lock nor dies of the other's deadline. A database in memory is one
 * process, which its handle owns.
 */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import type { Timers } from "../timers.ts";
import type { HelperLine } from "./request-queue.ts";
import type { RequestLimits, SqliteDatabase, TransactionLimits, TransactionMode } from "./sqlite.ts";

export type HandleDeps = {
  readonly timers: Timers;
  /** The line that all handles of the file share; null: the database is in memory. */
  readonly shared: (() => HelperLine) | null;
  /** A line of this handle alone. */
  own(lost: () => void): HelperLine;
};

type Transaction = { readonly line: HelperLine; lost: boolean; stopClock: () => void };

/** Rolling back takes no time of the caller's; this bounds a database in memory that does not answer. */
const ROLLBACK_MS = 5_000;

export class SqliteHandle implements SqliteDatabase {
  readonly #deps: HandleDeps;
  readonly #memory: HelperLine | null;
  #transaction: Transaction | null = null;
  #closed = false;

  constructor(deps: HandleDeps) {
    this.#deps = deps;
    this.#memory = deps.shared === null ? deps.own(() => this.#lose()) : null;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  async call(operation: string, input: Json, limits: RequestLimits): Promise<Json> {
    return this.#line().submit({ kind: "call", operation, input }, limits);
  }

  async begin(mode: TransactionMode, limits: TransactionLimits): Promise<void> {
    if (this.#transaction !== null) throw adapterError("ADAPTER_CONFLICT", "a transaction is open");
    this.#refuseClosed();
    const transaction: Transaction = {
      line: this.#memory ?? this.#deps.own(() => this.#lose()),
      lost: false,
      stopClock: () => {},
    };
    this.#transaction = transaction;
    try {
      await transaction.line.submit({ kind: "begin", mode }, limits);
    } catch (thrown) {
      await this.rollback();
      throw thrown;
    }
    transaction.stopClock = this.#deps.timers.after(limits.lifetimeMs, () => void this.#expire(transaction));
  }

  async commit(limits: RequestLimits): Promise<void> {
    const transaction = this.#transaction;
    if (transaction === null) throw adapterError("ADAPTER_CONFLICT", "no transaction is open");
    try {
      if (transaction.lost) throw lostTransaction();
      await transaction.line.submit({ kind: "commit" }, limits);
    } catch (thrown) {
      throw commitFailure(thrown);
    } finally {
      await this.#release(transaction, false);
    }
  }

  async rollback(): Promise<void> {
    if (this.#transaction !== null) await this.#release(this.#transaction, true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.rollback();
    await this.#memory?.end();
  }

  #line(): HelperLine {
    this.#refuseClosed();
    if (this.#transaction?.lost) throw lostTransaction();
    return this.#transaction?.line ?? this.#memory ?? (this.#deps.shared as () => HelperLine)();
  }

  #refuseClosed(): void {
    if (this.#closed) throw adapterError("ADAPTER_UNAVAILABLE", "the database was closed");
  }

  #lose(): void {
    if (this.#transaction !== null) this.#transaction.lost = true;
  }

  async #expire(transaction: Transaction): Promise<void> {
    transaction.lost = true;
    await this.#undo(transaction);
  }

  async #release(transaction: Transaction, undo: boolean): Promise<void> {
    if (this.#transaction === transaction) this.#transaction = null;
    transaction.stopClock();
    if (undo || transaction.line !== this.#memory) await this.#undo(transaction);
  }

  /** A process that ends rolls back its transaction; that of a database in memory needs an explicit rollback. */
  async #undo({ line }: Transaction): Promise<void> {
    if (line !== this.#memory) return line.end();
    // What was lost with its process needs no rollback, so a failure here leaves nothing open.
    await line.submit({ kind: "rollback" }, { timeoutMs: ROLLBACK_MS }).catch(() => {});
  }
}

function lostTransaction(): AdapterError {
  return adapterError("ADAPTER_CONFLICT", "the transaction was lost and rolled back; end it with rollback");
}

/** When the answer is lost, it is unknown whether the changes were made. */
function commitFailure(thrown: unknown): unknown {
  if (!(thrown instanceof AdapterError)) return thrown;
  if (thrown.code !== "ADAPTER_TIMEOUT" && thrown.code !== "ADAPTER_TRANSPORT") return thrown;
  return adapterError("ADAPTER_TRANSPORT", "the answer to the commit was lost", {
    retryable: false,
    data: { outcome: "unknown" },
    cause: thrown,
  });
}
