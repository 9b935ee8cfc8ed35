/**
 * PostgreSQL databases, as the rest of the adapters see them: one pool of connections per database and process, shared by all runs, and
 * sessions lent from it. Values travel as PostgreSQL's own text, so no number loses digits here. A statement that outlives its
 * deadline is cancelled over a second connection and its own one is dropped. Knows no tables.
 */
import type { Client, ClientConfig, CustomTypesConfig, Pool, PoolClient, QueryArrayConfig, QueryArrayResult } from "pg";
import { adapterError } from "../errors.ts";
import { postgresError } from "./postgres-errors.ts";
import type { RequestLimits } from "./sqlite.ts";
import { systemTimers, type Timers } from "./timers.ts";

export type PostgresPlace = {
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

export type PostgresStatement = { readonly sql: string; readonly parameters: readonly (string | null)[] };
/** Values in PostgreSQL's text form; null is NULL. `affected`: rows that were returned, inserted, changed or deleted. */
export type PostgresAnswer = { readonly rows: readonly (readonly (string | null)[])[]; readonly affected: number };

/** One connection, lent. */
export interface PostgresSession {
  /** Rejects with AdapterError. After TIMEOUT, CANCELLED and TRANSPORT the session is lost. */
  query(statement: PostgresStatement, limits: RequestLimits): Promise<PostgresAnswer>;
  /** Statements without parameters in one message; the answer is the last one's. */
  script(sql: string, limits: RequestLimits): Promise<PostgresAnswer>;
  /** False when the session is lost, and with it whatever was not committed. */
  readonly usable: boolean;
  /** Gives the connection back. One with an open transaction, or with a lost session, is dropped instead. */
  release(): void;
}

export interface PostgresDatabase {
  /** Rejects with ADAPTER_BUSY when no connection gets free, ADAPTER_TRANSPORT when none can be made. */
  session(rules: SessionRules, limits: RequestLimits): Promise<PostgresSession>;
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
const MOST_WAIT_MS = 2_000;
const CONNECT_MS = 10_000;
const CANCEL_MS = 2_000;

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
    const data = { package: "pg", install: "npm install pg" };
    throw adapterError("ADAPTER_NOT_CONFIGURED", "PostgreSQL needs the package pg", { data, cause });
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

  constructor(pool: Pool, newClient: () => Client, timers: Timers) {
    this.#pool = pool;
    this.#newClient = newClient;
    this.#timers = timers;
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
    await this.#pool.end();
  }

  async #connection(limits: RequestLimits): Promise<PoolClient> {
    const connecting = this.#pool.connect();
    const most = Math.min(MOST_WAIT_MS, limits.timeoutMs / 2);
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

type Answer = QueryArrayResult<(string | null)[]>;
type SessionHost = {
  readonly timers: Timers;
  cancel(processId: number): Promise<void>;
  ended(): void;
};

class LentSession implements PostgresSession {
  readonly #client: PoolClient;
  readonly #host: SessionHost;
  #state: "open" | "lost" | "ended" = "open";
  readonly #lose = () => {
    if (this.#state === "open") this.#state = "lost";
  };

  constructor(client: PoolClient, host: SessionHost) {
    this.#client = client;
    this.#host = host;
    // Without a listener a connection that breaks between two statements would end the process.
    client.on("error", this.#lose);
  }

  async query({ sql, parameters }: PostgresStatement, limits: RequestLimits): Promise<PostgresAnswer> {
    return this.#run(limits, { text: sql, values: [...parameters], rowMode: "array" });
  }

  async script(sql: string, limits: RequestLimits): Promise<PostgresAnswer> {
    return this.#run(limits, { text: sql, rowMode: "array" });
  }

  get usable(): boolean {
    return this.#state === "open";
  }

  release(): void {
    if (this.#state === "ended") return;
    const drop = this.#state === "lost" || this.#client.getTransactionStatus() !== "I";
    this.#state = "ended";
    this.#giveBack(drop);
  }

  /** Ends the connection, whatever it works on: the server is told first, and until then it stays lent. */
  drop(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    const processId = processOf(this.#client);
    const told = processId === null ? Promise.resolve() : this.#host.cancel(processId);
    void told.then(() => this.#giveBack(true));
  }

  async #run(limits: RequestLimits, query: QueryArrayConfig): Promise<PostgresAnswer> {
    if (this.#state !== "open") {
      throw adapterError("ADAPTER_TRANSPORT", "the connection to the database was lost", {
        data: { reason: "closed" },
      });
    }
    let working = true;
    // Several statements are answered by a list, which the driver's types do not know.
    const work: Promise<Answer | readonly Answer[]> = this.#client.query<(string | null)[]>(query).finally(() => {
      working = false;
    });
    const late = () => adapterError("ADAPTER_TIMEOUT", "the database took too long");
    try {
      const answers = [await bounded(work, limits, this.#host.timers, late)].flat();
      const last = answers.at(-1);
      return { rows: last?.rows ?? [], affected: last?.rowCount ?? 0 };
    } catch (thrown) {
      const error = postgresError(thrown);
      if (working) {
        // Nobody waits for it any more.
        work.catch(() => {});
        this.drop();
      } else if (error.code === "ADAPTER_TRANSPORT") this.#lose();
      throw error;
    }
  }

  #giveBack(drop: boolean): void {
    this.#client.removeListener("error", this.#lose);
    this.#host.ended();
    this.#client.release(drop);
  }
}

/** The limits of one call that makes several requests: what is left of them at each. */
export function remaining(limits: RequestLimits, timers: Timers = systemTimers): () => RequestLimits {
  const endsAt = timers.now() + limits.timeoutMs;
  return () => ({ ...limits, timeoutMs: Math.max(0, endsAt - timers.now()) });
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

/** Id of the server process behind a connection; the driver has it without a type. */
function processOf(client: object): number | null {
  return "processID" in client && typeof client.processID === "number" ? client.processID : null;
}

/** `work`, or a rejection as soon as its time is over (`late`) or the signal fires. Its own failures become AdapterErrors. */
function bounded<T>(work: Promise<T>, limits: RequestLimits, timers: Timers, late: () => Error): Promise<T> {
  const { signal, timeoutMs } = limits;
  return new Promise((resolve, reject) => {
    const onAbort = () => fail(adapterError("ADAPTER_CANCELLED", "the call was cancelled"));
    const settle = () => {
      stopTimer();
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
    };
    const stopTimer = timeoutMs === Number.POSITIVE_INFINITY ? () => {} : timers.after(timeoutMs, () => fail(late()));
    signal?.addEventListener("abort", onAbort, { once: true });
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown) => fail(postgresError(thrown)),
    );
    if (signal?.aborted) onAbort();
  });
}
