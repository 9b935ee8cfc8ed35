/**
 * PostgreSQL databases, as the rest of the adapters see them: one pool of connections per database and process, shared by all runs, and
 * sessions lent from it. Values travel as PostgreSQL's own text, so no number loses digits here. A statement that outlives its
 * deadline is cancelled over a second connection and its own one is dropped. Knows no tables.
 */
import type { Client, ClientConfig, CustomTypesConfig, Pool, PoolClient } from "pg";
import { adapterError } from "../../errors.ts";
import { packageMissing } from "../../packages.ts";
import type { RequestLimits } from "../sqlite/sqlite.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { awaited, type Heard, Listener } from "./listener.ts";
import { bounded, LentSession, remaining } from "./session.ts";
import type { PostgresSession } from "./statement.ts";

type PostgresPlace = {
  /** `postgres://…`; holds a password, so it is never shown. */
  readonly url: string;
  /** Most connections; of several users of one URL the first decides. */
  readonly pool: number;
};

/** What the server enforces in a session. Milliseconds. */
export type SessionRules = {
  readonly readOnly: boolean;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleInTransactionMs: number;
};

export interface PostgresDatabase {
  /** Rejects with ADAPTER_BUSY when no connection gets free, ADAPTER_TRANSPORT when none can be made. */
  session(rules: SessionRules, limits: RequestLimits): Promise<PostgresSession>;
  /** Hears what is sent on a channel (a-z and _) until the returned function is called; never rejects or throws. */
  listen(channel: string, heard: Heard): () => void;
}

export interface PostgresService {
  /** Rejects with ADAPTER_NOT_CONFIGURED when the package is missing or the URL cannot be read. */
  open(place: PostgresPlace): Promise<PostgresDatabase>;
  /** Ends all connections, those in use included. */
  close(): Promise<void>;
}

type Driver = typeof import("pg");
export type PostgresOptions = { readonly timers?: Timers; readonly load?: () => Promise<Driver> };

/** A call waits at most half of its time for a connection, so that it can still say why it failed. */
const MAX_WAIT_MS = 2_000;
const CONNECT_MS = 10_000;
const CANCEL_MS = 2_000;
const CLOSE_MS = CANCEL_MS + 1_000;

const AS_TEXT: CustomTypesConfig = { getTypeParser: () => (text: string) => text };
/** One form for times, bytes and numbers, whatever database and role say. */
const FORMS = "SET TimeZone='UTC';SET DateStyle='ISO';SET bytea_output='hex';SET extra_float_digits=1";

export function createPostgresService(options: PostgresOptions = {}): PostgresService {
  const load = options.load ?? (() => import("pg"));
  const timers = options.timers ?? systemTimers;
  const databases = new Map<string, PooledDatabase>();
  return {
    async open({ url, pool }) {
      const driver = await loadedDriver(load);
      const known = databases.get(url) ?? pooled(driver, { url, pool }, timers);
      databases.set(url, known);
      return known;
    },
    async close() {
      const open = [...databases.values()];
      databases.clear();
      await Promise.all(open.map((database) => database.close()));
    },
  };
}

async function loadedDriver(load: () => Promise<Driver>): Promise<Driver> {
  try {
    return await load();
  } catch (cause) {
    throw packageMissing("PostgreSQL", "pg", cause);
  }
}

function pooled(driver: Driver, place: PostgresPlace, timers: Timers): PooledDatabase {
  const config: ClientConfig = { connectionString: place.url, application_name: "weft", types: AS_TEXT };
  const newClient = () => new driver.Client({ ...config, connectionTimeoutMillis: CANCEL_MS });
  try {
    // A pool reads its URL no earlier than at its first connection.
    newClient();
  } catch (cause) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the URL of the database cannot be read", { cause });
  }
  const pool = new driver.Pool({
    ...config,
    max: place.pool,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  });
  // A client that dies while idle leaves the pool by itself.
  pool.on("error", () => {});
  return new PooledDatabase(pool, newClient, timers);
}

class PooledDatabase implements PostgresDatabase {
  readonly #pool: Pool;
  readonly #newClient: () => Client;
  readonly #timers: Timers;
  /** The rules that are in force in a connection, as the text that set them. */
  readonly #rules = new WeakMap<PoolClient, string>();
  readonly #lent = new Set<LentSession>();
  readonly #connected = new Set<PoolClient>();
  readonly #listener: Listener;

  constructor(pool: Pool, newClient: () => Client, timers: Timers) {
    this.#pool = pool;
    this.#newClient = newClient;
    this.#timers = timers;
    this.#listener = new Listener(newClient, timers);
    pool.on("connect", (client) => this.#connected.add(client));
    pool.on("remove", (client) => this.#connected.delete(client));
  }

  listen(channel: string, heard: Heard): () => void {
    return this.#listener.listen(channel, heard);
  }

  async session(rules: SessionRules, limits: RequestLimits): Promise<PostgresSession> {
    const left = remaining(limits, this.#timers);
    const client = await this.#connection(limits);
    const session = new LentSession(client, {
      timers: this.#timers,
      cancel: (processId) => this.#cancel(processId),
      ended: () => this.#lent.delete(session),
    });
    this.#lent.add(session);
    const text = settingsText(rules);
    if (this.#rules.get(client) === text) return session;
    try {
      this.#rules.delete(client);
      await session.script(text, left());
      this.#rules.set(client, text);
      return session;
    } catch (thrown) {
      session.release();
      throw thrown;
    }
  }

  async close(): Promise<void> {
    for (const session of this.#lent) session.drop();
    for (const client of this.#connected) awaited(client);
    // Do not wait for a server that does not answer. Lent connections return when the server confirmed the cancel, or did not react.
    const cut = this.#timers.after(CLOSE_MS, () => {
      for (const { connection } of this.#connected) connection.stream.destroy();
    });
    await Promise.all([this.#listener.close(), this.#pool.end()]);
    cut();
  }

  async #connection(limits: RequestLimits): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    const most = Math.min(MAX_WAIT_MS, limits.timeoutMs / 2);
    const late = () =>
      this.#pool.waitingCount > 0
        ? adapterError("ADAPTER_BUSY", "no connection to the database was free in time")
        : adapterError("ADAPTER_TRANSPORT", "the database did not answer in time", { data: { reason: "timeout" } });
    try {
      return await bounded(connecting, { ...limits, timeoutMs: most }, this.#timers, late);
    } catch (thrown) {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw thrown;
    }
  }

  /** Ends the statement that a server process works on. What fails here is left to the server's own timeouts. */
  async #cancel(processId: number): Promise<void> {
    const client = this.#newClient();
    client.on("error", () => {});
    const giveUp = this.#timers.after(CANCEL_MS, () => client.connection.stream.destroy());
    try {
      await client.connect();
      await client.query("SELECT pg_cancel_backend($1)", [processId]);
      await client.end();
    } catch {
      client.connection.stream.destroy();
    } finally {
      giveUp();
    }
  }
}

function settingsText({ readOnly, statementTimeoutMs, lockTimeoutMs, idleInTransactionMs }: SessionRules): string {
  return [
    FORMS,
    `SET statement_timeout=${Math.ceil(statementTimeoutMs)}`,
    `SET lock_timeout=${Math.ceil(lockTimeoutMs)}`,
    `SET idle_in_transaction_session_timeout=${Math.ceil(idleInTransactionMs)}`,
    `SET default_transaction_read_only=${readOnly ? "on" : "off"}`,
  ].join(";");
}
