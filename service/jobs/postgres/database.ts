/**
 * Connections to the database that replicas share: a bounded pool whose statements end in time, transactions, and what a failure means.
 * Loaded only when WF_DATABASE_URL is set.
 */
import type { CustomTypesConfig, Pool, PoolClient, QueryResultRow } from "pg";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { installCommand, POSTGRES_PACKAGES } from "../../../adapters/packages.ts";
import { faults } from "../../wire/errors.ts";
import type { StoreHealth } from "../store-health.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 3000;
/** A hundred thousand jobs are queued by one statement, and who queues others meanwhile waits for it. */
const STATEMENT_MS = 10_000;
/** A server that is there has ended a statement by then, and said so: longer without an answer is silence. */
const ANSWER_MS = STATEMENT_MS + 1000;
/** A process that is stopped within a transaction holds its locks no longer than this: others could not take over its jobs. */
const IDLE_MS = 10_000;
/** Of a transaction that waited for another one, which waited for it. */
const MAX_TRIES = 3;
const INT8 = 20;
const DAMAGED = "the database found damaged data; repair it or restore a backup, then restart the service";
const UNREACHABLE = "the database cannot be reached";

export type Row = QueryResultRow;

/** Runs one statement; within a transaction, or in one of its own. */
export interface Statements {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export class Database implements Statements {
  readonly pool: Pool;
  readonly #health: StoreHealth;
  readonly #connected: ReadonlySet<PoolClient>;
  #closed = false;
  /** True after an answer was overdue. The next query waits for one; others fail at once meanwhile instead of waiting as well. */
  #silent = false;
  #asking = false;

  /** `connected`: the connections of the pool. */
  constructor(pool: Pool, health: StoreHealth, connected: ReadonlySet<PoolClient> = new Set()) {
    this.pool = pool;
    this.#health = health;
    this.#connected = connected;
  }

  query(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.use((client) => run(client, sql, values));
  }

  /**
   * Commits what `act` did, unless it throws. `first`: a statement without values, sent together with the beginning. When the database ends the
   * transaction because it and another one waited for each other, `act` is called again.
   */
  transaction<T>(act: (statements: Statements) => Promise<T>, first = ""): Promise<T> {
    return this.use(async (client) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await committed(client, act, first);
        } catch (thrown) {
          if (!isDeadlock(thrown) || tries === MAX_TRIES) throw thrown;
        }
      }
    });
  }

  /** Rejects with ServiceFault store_unavailable when the database does not do its part, draining when it is closed. */
  async use<T>(act: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw faults.draining();
    if (this.#silent && this.#asking) throw this.#health.failed(UNREACHABLE);
    const findsOut = this.#silent;
    if (findsOut) this.#asking = true;
    let client: PoolClient | null = null;
    let broken = false;
    try {
      client = await this.pool.connect();
      const result = await act(client);
      this.#silent = false;
      return result;
    } catch (thrown) {
      this.#silent = isSilence(thrown);
      const reason = thrown instanceof LostCommit ? thrown.reason : reasonOf(thrown);
      if (reason === null) throw thrown;
      // Its answer may still come and would be taken for that of another query.
      broken = true;
      if (reason === DAMAGED) throw this.#health.damaged(reason);
      throw this.#health.failed(reason, thrown instanceof LostCommit);
    } finally {
      if (findsOut) this.#asking = false;
      client?.release(broken);
    }
  }

  /** What is under way comes to its end; on a silent server that takes long. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.pool.end();
  }

  /** Ends what is under way. */
  cut(): void {
    for (const { connection } of this.#connected) connection.stream.destroy();
  }
}

async function committed<T>(
  client: PoolClient,
  act: (statements: Statements) => Promise<T>,
  first: string,
): Promise<T> {
  const statements: Statements = { query: (sql, values = []) => run(client, sql, values) };
  let result: T;
  try {
    await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; ${first}`);
    result = await act(statements);
  } catch (thrown) {
    // A transaction that fails with its connection ends with it; a rollback would wait as long again for an answer.
    if (reasonOf(thrown) === null || isDeadlock(thrown)) await client.query("ROLLBACK");
    throw thrown;
  }
  await client.query("COMMIT").catch((thrown: unknown) => {
    const reason = reasonOf(thrown);
    throw reason === null ? thrown : new LostCommit(reason, thrown);
  });
  return result;
}

function isDeadlock(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "40P01";
}

/** The end of a transaction without an answer: only the database knows whether it was kept. */
class LostCommit extends Error {
  readonly reason: string;
  constructor(reason: string, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** The driver waited in vain, for an answer or for a connection to be made: a server that is merely gone says so. */
function isSilence(thrown: unknown): boolean {
  if (thrown instanceof LostCommit) return isSilence(thrown.cause);
  return thrown instanceof Error && /^Query read timeout|due to connection timeout/.test(thrown.message);
}

/** Names of statements, by their text: there are some thirty. */
const names = new Map<string, string>();

/** A statement with a name is read and planned once on each connection; for most of ours that takes longer than to run them. */
async function run(client: PoolClient, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  const name = names.get(text) ?? `weft_${names.size}`;
  names.set(text, name);
  try {
    return (await client.query({ name, text, values: [...values] })).rows;
  } catch (thrown) {
    throw isUnstorable(thrown) ? faults.invalidRequest([{ path: "", code: "format", message: UNSTORABLE }]) : thrown;
  }
}

const UNSTORABLE = "has a text with a zero byte or half a character, which the database does not keep";

/** A text of a request that no door refused. */
function isUnstorable(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && (thrown.code === "22021" || thrown.code === "22P05");
}

/** Throws StartFault when the package is missing or the URL cannot be read. */
export async function openDatabase(url: string, health: StoreHealth): Promise<Database> {
  const { default: driver } = await import("pg").catch(() => {
    throw new StartFault(`WF_DATABASE_URL needs further packages: ${installCommand(POSTGRES_PACKAGES)}`);
  });
  const types: CustomTypesConfig = {
    // Counts and milliseconds stay far below 2^53.
    getTypeParser: (oid: number, format?: "text" | "binary") =>
      oid === INT8 ? (text: string) => Number(text) : driver.types.getTypeParser(oid, format as "text"),
  };
  let pool: Pool;
  try {
    pool = new driver.Pool({
      connectionString: url,
      application_name: "weft",
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
      idle_in_transaction_session_timeout: IDLE_MS,
      types,
    });
  } catch {
    throw new StartFault("environment variable WF_DATABASE_URL cannot be read");
  }
  // A connection that is lost while idle leaves the pool by itself.
  pool.on("error", () => {});
  const connected = new Set<PoolClient>();
  pool.on("connect", (client) => {
    client.on("error", () => {});
    connected.add(client);
  });
  pool.on("remove", (client) => connected.delete(client));
  return new Database(pool, health, connected);
}

const STATES: readonly (readonly [prefix: string, reason: string])[] = [
  ["53100", "the disk of the database is full"],
  ["53300", "the database has no connection left"],
  ["53", "the database is short of resources"],
  ["57P", "the database is shutting down or starting"],
  ["57014", "the database did not answer in time"],
  ["25P04", "the database did not answer in time"],
  ["25P03", "the connection to the database was lost"],
  // A proxy gave the connection another session, without the statements that were prepared.
  ["26000", "the connection to the database was lost"],
  // A replica of a later version has changed a table, and statements that were prepared before it cannot be used any more.
  ["0A000", "the tables of the database have changed"],
  ["08", "the connection to the database was lost"],
  ["40", "the database is busy"],
  ["55P03", "the database is busy"],
  ["25006", "the database can only be read"],
  ["28", "the database refuses this user"],
  ["3D", "the database does not exist"],
  ["58", "the system of the database failed"],
  ["XX001", DAMAGED],
  ["XX002", DAMAGED],
  ["XX", "the database failed"],
];

/** Codes of Node's sockets and of its look-ups of names, and of OpenSSL. Those of PostgreSQL never begin so. */
const OF_CONNECTION = /^(E[A-Z]+$|EAI_|ERR_(SOCKET|STREAM|SSL|TLS)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** Why the database cannot answer; null when the query was wrong, or the database did not fail. */
export function reasonOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  if (OF_CONNECTION.test(code)) return UNREACHABLE;
  if (code !== "") return STATES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? null;
  return /timeout|terminated|connection|not queryable/i.test(thrown.message) ? UNREACHABLE : null;
}
