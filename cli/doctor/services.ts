/** Checks of what wf talks to: the port of the service, worker threads, the shared database, and the MCP server, which is asked once. */
import { once } from "node:events";
import { createServer } from "node:net";
import { PassThrough } from "node:stream";
import { Worker } from "node:worker_threads";
import type { PostgresDatabase, SessionRules } from "../../adapters/engine/postgres/postgres.ts";
import { adapterMigrations } from "../../adapters/store/postgres/migrations.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { type Check, codeOf, type Finding, fail, fine, warn } from "./check.ts";

const ANSWER_MS = 10_000;

export const portCheck: Check = {
  name: "port",
  async look({ session }) {
    const { readServiceStart } = await import("../../service/main.ts");
    const { host, port } = readServiceStart(session.io.environment).config;
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, "listening");
      return fine(`${port} is free`);
    } catch (cause) {
      const code = codeOf(cause);
      if (code === "EADDRINUSE")
        return warn(
          `${port} is taken, by a running service or another program`,
          "choose another port with wf serve --port N",
        );
      return fail(`${port} cannot be opened (${code})`, "change WF_PORT or WF_HOST");
    } finally {
      server.close();
    }
  },
};

export const threadsCheck: Check = {
  name: "threads",
  async look() {
    const program = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage(1);";
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    try {
      await once(worker, "message", { signal: AbortSignal.timeout(ANSWER_MS) });
      return fine("start");
    } catch (cause) {
      return fail(
        `do not start (${codeOf(cause)})`,
        "allow more threads or memory, or set WF_WORKER_THREADS=0 until then",
      );
    } finally {
      await worker.terminate();
    }
  },
};

const READING: SessionRules = {
  readOnly: true,
  statementTimeoutMs: ANSWER_MS,
  lockTimeoutMs: ANSWER_MS,
  idleInTransactionMs: ANSWER_MS,
};

export const databaseCheck: Check = {
  name: "database",
  async look({ session }) {
    const url = session.environment.host.databaseUrl;
    if (url === null) return fine("not used: WF_DATABASE_URL is not set");
    const { createPostgresService } = await import("../../adapters/engine/postgres/postgres.ts");
    const connections = createPostgresService();
    try {
      const database = await connections.open({ url, pool: 1 });
      return await tablesOf(database);
    } catch (cause) {
      if (!(cause instanceof AdapterError)) throw cause;
      return fail(`${cause.message} (${cause.code})`, "check WF_DATABASE_URL, and that the server is running");
    } finally {
      await connections.close();
    }
  },
};

/** Reads how far the tables are, and makes none. */
async function tablesOf(database: PostgresDatabase): Promise<Finding> {
  const session = await database.session(READING, { timeoutMs: ANSWER_MS });
  try {
    const ask = async (sql: string) =>
      (await session.query({ sql, parameters: [] }, { timeoutMs: ANSWER_MS })).rows[0]?.[0];
    if ((await ask("SELECT to_regclass('weft.migrations') IS NOT NULL")) !== "t")
      return fine("reachable; the first use creates the tables");
    const step = Number(await ask("SELECT coalesce(max(step), 0) FROM weft.migrations WHERE name = 'adapters'"));
    const { name, steps } = adapterMigrations;
    if (step > steps.length)
      return fail("the tables were migrated by a newer version", "use that version, or another database");
    return fine(`reachable, tables of ${name} at step ${step} of ${steps.length}`);
  } finally {
    session.release();
  }
}

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "wf doctor", version: "1" } },
};

export const mcpCheck: Check = {
  name: "mcp",
  async look({ session }) {
    const { serveMcp } = await import("../../mcp/main.ts");
    const [input, output] = [new PassThrough(), new PassThrough()];
    const complaints: string[] = [];
    const { clock, uuid, environment } = session.io;
    const ended = serveMcp({
      // The database has a check of its own, which makes no tables.
      variables: { ...environment, WF_DATABASE_URL: undefined },
      clock,
      uuid,
      complain: (text) => complaints.push(text),
      input,
      output,
      onSignal: () => () => undefined,
      leave: () => undefined,
    }).then((code) => (code === 0 ? null : "it does not start"));
    const answered = once(output, "data", { signal: AbortSignal.timeout(ANSWER_MS) });
    input.write(`${JSON.stringify(HELLO)}\n`);
    try {
      const first: unknown = await Promise.race([answered.then(([chunk]) => String(chunk)), ended]);
      const answer = String(first);
      if (answer.includes('"serverInfo"')) return fine("answers its greeting");
      return fail(
        complaints
          .find((text) => text.startsWith("wf mcp: "))
          ?.slice(8)
          .trim() ?? "no greeting",
        FIX_MCP,
      );
    } catch {
      return fail("no answer", FIX_MCP);
    } finally {
      input.end();
      await ended;
    }
  },
};

const FIX_MCP = "run wf mcp --list to see the error";
