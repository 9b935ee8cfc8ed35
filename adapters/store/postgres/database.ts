/**
 * The database that all replicas of a service share, as its stores see it: tables that are there, single statements,
 * and transactions that hold named locks. Times are the server's own, so replicas need not agree on theirs. Nothing is
 * connected before it is first used; what fails is tried anew by the next call.
 */
import { createHash } from "node:crypto";
import type { Heard } from "../../engine/postgres/listener.ts";
import type { PostgresDatabase, PostgresService, SessionRules } from "../../engine/postgres/postgres.ts";
import { bounded } from "../../engine/postgres/session.ts";
import type { PostgresAnswer, PostgresSession } from "../../engine/postgres/statement.ts";
import type { RequestLimits } from "../../engine/sqlite/sqlite.ts";
import { systemTimers } from "../../engine/timers.ts";
import { adapterError } from "../../errors.ts";
import { limitsOf, type StoreCall } from "../call.ts";
import { migrate } from "./migrate.ts";
import { adapterMigrations } from "./migrations.ts";
import { Sql, statementOf, whole } from "./sql.ts";

export type DatabaseOptions = {
  /**
   * SQL of the present time, whole milliseconds since 1970. Default: the server's clock; tests have one of their own.
   */
  readonly clock?: () => string;
};
/** What a store needs of the call it serves. */
export type DatabaseCall = Pick<StoreCall, "remainingMs" | "signal">;

/** A lock that is exclusive in all replicas; others wait for it up to two seconds. */
export type Lock = bigint;

export type Transaction = {
  /** The server's clock when the transaction had its locks. Milliseconds since 1970. */
  readonly now: number;
  query(statement: Sql): Promise<PostgresAnswer>;
};

const RULES: SessionRules = {
  readOnly: false,
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 2_000,
  idleInTransactionMs: 10_000,
};
const SERVER_CLOCK = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const POOL = 8;
const MIGRATION_MS = 60_000;
/** For what must be tried although the call's own time is over. */
const CLEAN_UP: RequestLimits = { timeoutMs: 1_000 };

/** The shared database of this URL, over the service's connections. */
export function openSharedDatabase(
  postgres: () => PostgresService,
  url: string,
  options: DatabaseOptions = {},
): SharedDatabase {
  return new SharedDatabase(async () => postgres().open({ url, pool: POOL }), options);
}

export class SharedDatabase {
  readonly #open: () => Promise<PostgresDatabase>;
  readonly #clock: () => string;
  #prepared: Promise<PostgresDatabase> | null = null;
  readonly #subscriptions: { readonly channel: string; readonly heard: Heard }[] = [];
  /** Null until the tables are there. */
  #database: PostgresDatabase | null = null;

  constructor(open: () => Promise<PostgresDatabase>, options: DatabaseOptions = {}) {
    this.#open = open;
    this.#clock = options.clock ?? (() => SERVER_CLOCK);
  }

  /** The time within a statement, in milliseconds since 1970; read once, however many rows it is compared with. */
  get now(): Sql {
    return new Sql([`(SELECT ${this.#clock()})`], []);
  }

  /**
   * Makes sure that the tables are there. Every call does; a service that is to fail at its start rather than at its
   * first call does it there. Rejects as `migrate`.
   */
  async prepare(limits: RequestLimits): Promise<void> {
    await this.#ready(limits);
  }

  /** One statement by itself. */
  async query(statement: Sql, call: DatabaseCall): Promise<PostgresAnswer> {
    return this.#lent(call, (session) => session.query(statementOf(statement), limitsOf(call)));
  }

  /** What `work` does happens as a whole or not at all, while these locks are held. */
  transaction<T>(locks: readonly Lock[], call: DatabaseCall, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#lent(call, async (session) => {
      try {
        const begun = await session.script(beginning(locks, this.#clock()), limitsOf(call));
        const result = await work({
          now: whole(begun.rows[0]?.[0]),
          query: (statement) => session.query(statementOf(statement), limitsOf(call)),
        });
        await session.script("COMMIT", limitsOf(call));
        return result;
      } catch (thrown) {
        if (session.usable) await session.script("ROLLBACK", CLEAN_UP).catch(() => {});
        throw thrown;
      }
    });
  }

  /** Hears notifications, as soon as some call has reached the database. */
  listen(channel: string, heard: Heard): void {
    if (this.#database === null) this.#subscriptions.push({ channel, heard });
    else this.#database.listen(channel, heard);
  }

  async #lent<T>(call: DatabaseCall, use: (session: PostgresSession) => Promise<T>): Promise<T> {
    const database = await this.#ready(limitsOf(call));
    const session = await database.session(RULES, limitsOf(call));
    try {
      return await use(session);
    } finally {
      session.release();
    }
  }

  /** Shared by all who wait for it, so no single call's end may end it. */
  async #ready(limits: RequestLimits): Promise<PostgresDatabase> {
    this.#prepared ??= this.#prepare().catch((thrown) => {
      this.#prepared = null;
      throw thrown;
    });
    const late = () => adapterError("ADAPTER_TIMEOUT", "the database took too long");
    return bounded(this.#prepared, limits, systemTimers, late);
  }

  async #prepare(): Promise<PostgresDatabase> {
    const database = await this.#open();
    await migrate(database, adapterMigrations, { timeoutMs: MIGRATION_MS });
    this.#database = database;
    for (const { channel, heard } of this.#subscriptions.splice(0)) database.listen(channel, heard);
    return database;
  }
}

/** The lock of a thing that these words name. */
export function lockOf(...words: readonly string[]): Lock {
  return createHash("sha256").update(JSON.stringify(words)).digest().readBigInt64BE();
}

/** Locks are taken in one order, so that no two transactions wait for each other's. */
function beginning(locks: readonly Lock[], clock: string): string {
  const sorted = [...locks].sort((a, b) => (a < b ? -1 : 1));
  return [
    // Changes made under a lock must be visible to the next holder.
    "BEGIN ISOLATION LEVEL READ COMMITTED",
    ...sorted.map((lock) => `SELECT pg_advisory_xact_lock(${lock})`),
    `SELECT ${clock}`,
  ].join(";");
}
