/**
 * Tables in PostgreSQL. Reads run in sessions that may only read; a change is one transaction; between `begin` and its end every call
 * uses the transaction's own connection, each within a savepoint, so that a refused statement costs only itself.
 */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { PostgresDatabase, SessionRules } from "../../engine/postgres/postgres.ts";
import { remaining } from "../../engine/postgres/session.ts";
import type { PostgresAnswer, PostgresSession, PostgresStatement } from "../../engine/postgres/statement.ts";
import type { RequestLimits, TransactionLimits, TransactionMode } from "../../engine/sqlite/sqlite.ts";
import { systemTimers, type Timers } from "../../engine/timers.ts";
import { adapterError } from "../../errors.ts";
import {
  type Change,
  type Changed,
  LostAnswer,
  MAX_ROW_BYTES,
  type Rows,
  type SqlExecutor,
  unexpectedCount,
} from "./executor.ts";
import type { Statement } from "./queries.ts";

const MAX_LOCK_WAIT_MS = 2_000;
const MAX_IDLE_MS = 10_000;
/** For what must be tried although the call's own time is over. */
const CLEAN_UP: RequestLimits = { timeoutMs: 1_000 };

type OpenTransaction = { readonly session: PostgresSession; readonly endsAt: number };

export class PostgresExecutor implements SqlExecutor {
  readonly #database: PostgresDatabase;
  readonly #rules: SessionRules;
  readonly #timers: Timers;
  #transaction: OpenTransaction | null = null;

  constructor(database: PostgresDatabase, statementTimeoutMs: number, timers: Timers = systemTimers) {
    this.#database = database;
    this.#timers = timers;
    this.#rules = {
      readOnly: false,
      statementTimeoutMs,
      lockTimeoutMs: Math.min(MAX_LOCK_WAIT_MS, statementTimeoutMs),
      idleInTransactionMs: MAX_IDLE_MS,
    };
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  async select(statement: Statement, limits: RequestLimits): Promise<Rows> {
    const read = async (session: PostgresSession, left: () => RequestLimits) =>
      (await session.query(textual(statement), left())).rows;
    if (this.#transaction !== null) return this.#inside(this.#transaction, read, limits);
    return this.#lent({ ...this.#rules, readOnly: true }, read, limits);
  }

  async change(change: Change, limits: RequestLimits): Promise<Changed> {
    if (this.#transaction !== null) {
      return this.#inside(this.#transaction, (session, left) => changed(session, change, left), limits);
    }
    return this.#lent(this.#rules, (session, left) => this.#committed(session, change, left), limits);
  }

  async begin(mode: TransactionMode, { lifetimeMs, ...limits }: TransactionLimits): Promise<void> {
    if (this.#transaction !== null) throw adapterError("ADAPTER_CONFLICT", "a transaction is already open");
    const left = remaining(limits, this.#timers);
    const session = await this.#database.session({ ...this.#rules, idleInTransactionMs: lifetimeMs }, left());
    try {
      await session.script(mode === "readonly" ? "BEGIN READ ONLY" : "BEGIN", left());
      this.#transaction = { session, endsAt: this.#timers.now() + lifetimeMs };
    } catch (thrown) {
      session.release();
      throw thrown;
    }
  }

  async commit(limits: RequestLimits): Promise<void> {
    const open = this.#transaction;
    if (open === null) throw adapterError("ADAPTER_CONFLICT", "no transaction is open");
    try {
      this.#checkLive(open);
      await open.session.script("COMMIT", limits);
    } finally {
      this.#transaction = null;
      open.session.release();
    }
  }

  async rollback(): Promise<void> {
    const open = this.#transaction;
    this.#transaction = null;
    if (open === null) return;
    try {
      if (open.session.usable) await open.session.script("ROLLBACK", CLEAN_UP);
    } catch {
      // The connection is dropped, which rolls back as well.
    } finally {
      open.session.release();
    }
  }

  /** Rolls back what is open. The pool is not ours. */
  async close(): Promise<void> {
    await this.rollback();
  }

  async #lent<T>(rules: SessionRules, work: Work<T>, limits: RequestLimits): Promise<T> {
    const left = remaining(limits, this.#timers);
    const session = await this.#database.session(rules, left());
    try {
      return await work(session, left);
    } finally {
      session.release();
    }
  }

  async #inside<T>(open: OpenTransaction, work: Work<T>, limits: RequestLimits): Promise<T> {
    this.#checkLive(open);
    const left = remaining(limits, this.#timers);
    const { session } = open;
    await session.script("SAVEPOINT call", left());
    try {
      const result = await work(session, left);
      await session.script("RELEASE call", left());
      return result;
    } catch (thrown) {
      // Without it the session and its transaction are lost; the next call reports that.
      if (session.usable) await session.script("ROLLBACK TO call; RELEASE call", CLEAN_UP).catch(() => {});
      throw thrown;
    }
  }

  #checkLive({ session, endsAt }: OpenTransaction): void {
    if (session.usable && this.#timers.now() < endsAt) return;
    // Gives the connection up: the transaction ends with it.
    session.release();
    throw adapterError("ADAPTER_CONFLICT", "the transaction was rolled back");
  }

  /** The change as a transaction of its own. */
  async #committed(session: PostgresSession, change: Change, left: () => RequestLimits): Promise<Changed> {
    const { rows } = await session.script("BEGIN; SELECT pg_current_xact_id()::text", left());
    try {
      const done = await changed(session, change, left);
      await this.#commit(session, String(rows[0]?.[0]), done, left());
      return done;
    } catch (thrown) {
      if (session.usable) await session.script("ROLLBACK", CLEAN_UP).catch(() => {});
      throw thrown;
    }
  }

  async #commit(session: PostgresSession, id: string, done: Changed, limits: RequestLimits): Promise<void> {
    try {
      await session.script("COMMIT", limits);
    } catch (thrown) {
      // A server that answered refused; without an answer only the server knows.
      if (session.usable || !(thrown instanceof AdapterError)) throw thrown;
      throw new LostAnswer(thrown, async (later) => ((await this.#wasCommitted(id, later)) ? done : null));
    }
  }

  async #wasCommitted(id: string, limits: RequestLimits): Promise<boolean> {
    const statement = { sql: "SELECT pg_xact_status(cast($1 as xid8))", parameters: [id] };
    const [row] = await this.select(statement, limits);
    if (row?.[0] === "committed") return true;
    if (row?.[0] === "aborted") return false;
    throw adapterError("ADAPTER_BUSY", "an earlier attempt is not finished");
  }
}

type Work<T> = (session: PostgresSession, left: () => RequestLimits) => Promise<T>;

async function changed(session: PostgresSession, change: Change, left: () => RequestLimits): Promise<Changed> {
  const { statement, before, expected } = change;
  const counted = before === null ? 0 : (await session.query(textual(before), left())).rows.length;
  const { rows, affected }: PostgresAnswer = await session.query(textual(statement), left());
  if (expected !== null && affected !== expected) throw unexpectedCount(expected, affected);
  return { rows, affected, before: counted };
}

function textual({ sql, parameters }: Statement): PostgresStatement {
  const texts = parameters.map((value: Json) => (value === null ? null : String(value)));
  return { sql, parameters: texts, maxLength: MAX_ROW_BYTES };
}
