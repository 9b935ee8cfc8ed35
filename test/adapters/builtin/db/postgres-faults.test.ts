/** Failures between the adapter and PostgreSQL, provoked: each has its code, and none leaves anything open. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dbAdapter } from "../../../../adapters/builtin/db/definition.ts";
import { txnAdapter } from "../../../../adapters/builtin/txn/definition.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, openBench } from "../../../support/adapter-bench.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { postgresTables, type World, world as worldOf } from "./backends.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const SLOW: JsonObject = { Slow: { table: "slow", columns: { id: "integer" } } };
/** For what another process does; the usual second is short on a busy machine. */
const PATIENT = { timeout: 10_000 };

describe.skipIf(server === null)("PostgreSQL", () => {
  let world: World;
  let url: string;
  /** Connections of the tests' own, ended after each. */
  const clients: pg.Client[] = [];

  beforeEach(async () => {
    if (server === null) return;
    world = await postgresTables(server, { pool: 2 });
    url = world.url ?? "";
    await sql(`INSERT INTO users(name, age) VALUES ('ann', 1), ('bob', 2);
      CREATE VIEW slow AS SELECT 1 AS id FROM pg_sleep(30)`);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end().catch(() => {})));
    await world.end();
  });

  const sql = async (text: string) => (await server?.query(url, text)) ?? [];
  async function client(): Promise<pg.Client> {
    const made = new pg.Client({ connectionString: url });
    made.on("error", () => {});
    clients.push(made);
    await made.connect();
    return made;
  }
  /** Server processes that work for us, by what they do. */
  const busy = async (what: string) => {
    const rows = await sql(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'weft' AND datname = current_database() AND ${what}`,
    );
    return rows.map((row) => Number(row["pid"]));
  };
  const waiting = () => busy("wait_event_type = 'Lock'");
  const asleep = () => busy("wait_event = 'PgSleep'");
  const connections = () => busy("true");

  it("is BUSY when no connection is free", async () => {
    const bench = await world.run({ entities: SLOW, statement_timeout_ms: 30_000, timeout_s: 30 });
    const cancel = new AbortController();
    const held = [1, 2].map(() => bench.callUnder(cancel.signal, "F", "Slow"));
    await expect.poll(asleep, PATIENT).toHaveLength(2);
    const starved = bench.call("F", "Slow", null, { timeout_s: 0.4 });
    await expect(starved).rejects.toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
    cancel.abort();
    await Promise.allSettled(held);
    await expect.poll(asleep, PATIENT).toHaveLength(0);
    await bench.end();
    const after = await world.run();
    expect(await after.call("G", "User", 1)).toMatchObject({ name: "ann" });
    await after.end();
  });

  it("is BUSY when a lock is not free", async () => {
    const holder = await client();
    await holder.query("BEGIN; UPDATE users SET age = 5 WHERE id = 1");
    const bench = await world.run({ timeout_s: 30 });
    await expect(bench.call("U", "User", { id: 1, age: 6 })).rejects.toMatchObject({
      code: "ADAPTER_BUSY",
      retryable: true,
      data: { sqlstate: "55P03" },
    });
    await bench.end();
  });

  it("is TIMEOUT when a statement takes longer than the operator allows", async () => {
    const bench = await world.run({ entities: SLOW, statement_timeout_ms: 50 });
    await expect(bench.call("F", "Slow")).rejects.toMatchObject({
      code: "ADAPTER_TIMEOUT",
      retryable: true,
      data: { sqlstate: "57014" },
    });
    await bench.end();
  });

  it("ends the server's work when the call's time is over or the run is cancelled", async () => {
    const bench = await world.run({ entities: SLOW });
    await expect(bench.call("F", "Slow", null, { timeout_s: 0.2 })).rejects.toMatchObject({ code: "ADAPTER_TIMEOUT" });
    await expect.poll(asleep, PATIENT).toHaveLength(0);
    const cancel = new AbortController();
    const call = bench.callUnder(cancel.signal, "F", "Slow");
    await expect.poll(asleep, PATIENT).toHaveLength(1);
    cancel.abort();
    await expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    await expect.poll(asleep, PATIENT).toHaveLength(0);
    await expect.poll(connections, PATIENT).toHaveLength(0);
    await bench.end();
  });

  it("creates once when an attempt ran out of time before it", async () => {
    const holder = await client();
    await holder.query("BEGIN; LOCK TABLE users");
    const bench = await world.run();
    const create = (more: JsonObject) => bench.call("C", "User", { name: "cy" }, { idempotency_key: "k", ...more });
    await expect(create({ timeout_s: 0.3 })).rejects.toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: true });
    await holder.query("ROLLBACK");
    expect(await create({})).toMatchObject({ name: "cy" });
    expect(await bench.call("F", "User", { name: "cy" })).toHaveLength(1);
    await bench.end();
  });

  it("reports TRANSPORT when the server process is killed, and no BUSY afterwards", async () => {
    const holder = await client();
    await holder.query("BEGIN; LOCK TABLE users");
    const bench = await world.run();
    const read = bench.call("G", "User", 1);
    const change = bench.call("U", "User", { id: 1, age: 6 });
    await expect.poll(waiting, PATIENT).toHaveLength(2);
    const fate = Promise.allSettled([read, change]);
    for (const pid of await waiting()) await sql(`SELECT pg_terminate_backend(${pid})`);
    const [ofRead, ofChange] = await fate;
    expect(ofRead).toMatchObject({ reason: { code: "ADAPTER_TRANSPORT", retryable: true } });
    expect(ofChange).toMatchObject({
      reason: { code: "ADAPTER_TRANSPORT", retryable: false, data: { outcome: "unknown" } },
    });
    await holder.query("ROLLBACK");
    expect(await bench.call("G", "User", 1)).toMatchObject({ age: 1 });
    await bench.end();
  });

  it("ends what is under way when the service ends", async () => {
    const bench = await world.run({ entities: SLOW });
    const call = Promise.allSettled([bench.call("F", "Slow")]);
    await expect.poll(asleep, PATIENT).toHaveLength(1);
    await world.postgres.close();
    expect(await call).toMatchObject([{ reason: { code: expect.stringMatching(/TIMEOUT|TRANSPORT/) } }]);
    await expect.poll(connections, PATIENT).toHaveLength(0);
    await bench.end();
  });

  it("replaces connections that died while idle", async () => {
    const bench = await world.run();
    await bench.call("G", "User", 1);
    for (const pid of await connections()) await sql(`SELECT pg_terminate_backend(${pid})`);
    await expect.poll(connections, PATIENT).toHaveLength(0);
    expect(await bench.call("G", "User", 1)).toMatchObject({ name: "ann" });
    await bench.end();
  });

  it("is BUSY for one of two transactions that wait for each other", async () => {
    const holder = await client();
    const runs = [await world.run({ timeout_s: 30 }), await world.run({ timeout_s: 30 })] as const;
    // Each update locks both rows, one in either order: the trigger takes the second one.
    await sql(`CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_lock_shared(7);
        PERFORM pg_advisory_unlock_shared(7);
        UPDATE pets SET kind = NEW.name WHERE tag = 3 - NEW.id;
        RETURN NEW;
      END $$;
      CREATE TRIGGER other BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION other();
      CREATE FUNCTION back() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM 1 FROM users WHERE id = NEW.tag FOR UPDATE;
        RETURN NEW;
      END $$;
      CREATE TRIGGER back BEFORE UPDATE ON pets FOR EACH ROW EXECUTE FUNCTION back();
      INSERT INTO pets VALUES (1, 1, 'cat'), (2, 2, 'dog')`);
    await holder.query("SELECT pg_advisory_lock(7)");
    const pair = Promise.allSettled([
      runs[0].call("U", "User", { id: 1, name: "x" }),
      runs[1].call("U", "User", { id: 2, name: "y" }),
    ]);
    await expect.poll(waiting, PATIENT).toHaveLength(2);
    await holder.query("SELECT pg_advisory_unlock(7)");
    const failed = (await pair).filter((one) => one.status === "rejected");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ reason: { code: "ADAPTER_BUSY", retryable: true, data: { sqlstate: "40P01" } } });
    await Promise.all(runs.map((run) => run.end()));
  });

  it("lets F and G only read, even from a view with side effects", async () => {
    await sql(`CREATE FUNCTION writes() RETURNS bigint LANGUAGE sql AS
        $$ INSERT INTO users(name) VALUES ('sneaked in') RETURNING id $$;
      CREATE VIEW sneaky AS SELECT writes() AS id`);
    const bench = await world.run({ entities: { Sneaky: { table: "sneaky", columns: { id: "integer" } } } });
    const calls: readonly (readonly [string, ...unknown[]])[] = [
      ["F", "Sneaky"],
      ["G", "Sneaky", 3],
    ];
    for (const call of calls) {
      await expect(bench.call(...call)).rejects.toMatchObject({ code: "ADAPTER_WRITE_FORBIDDEN", retryable: false });
    }
    expect(await sql("SELECT name FROM users ORDER BY id")).toEqual([{ name: "ann" }, { name: "bob" }]);
    await bench.end();
  });

  it("keeps decimals that no double holds, and takes the operator's schema", async () => {
    await sql(`CREATE SCHEMA app; CREATE TABLE app.users(id bigint PRIMARY KEY, score numeric, plain timestamp, f float8);
      INSERT INTO app.users VALUES (1, 12345678901234567890.125, '2024-01-01 10:00:00.123456', 'NaN'),
        (2, 0.10, '2024-01-01 10:00', 0.1)`);
    const columns = { id: "integer", score: "number", plain: "timestamp", f: "number" };
    const bench = await world.run({ schema: "app", entities: { User: { table: "users", columns } } });
    expect(await bench.call("F", "User")).toEqual([
      { id: 1, score: "12345678901234567890.125", plain: "2024-01-01T10:00:00.123456Z", f: null },
      { id: 2, score: 0.1, plain: "2024-01-01T10:00:00.000Z", f: 0.1 },
    ]);
    expect(await bench.call("F", "User", { score: "12345678901234567890.125" })).toHaveLength(1);
    expect(await bench.call("U", "User", { id: 2, score: "0.30000000000000000001" })).toBe(1);
    expect(await bench.call("G", "User", 2)).toMatchObject({ score: "0.30000000000000000001" });
    await bench.end();
  });

  it("hands out types without a name here as text", async () => {
    await sql(`CREATE TYPE mood AS ENUM ('sad', 'glad');
      CREATE TABLE things(id uuid PRIMARY KEY DEFAULT gen_random_uuid(), mood mood)`);
    const columns = { id: "text", mood: "text" };
    const bench = await world.run({ entities: { Thing: { table: "things", columns } } });
    const { id } = (await bench.call("C", "Thing", { mood: "sad" })) as JsonObject;
    expect(await bench.call("G", "Thing", id)).toEqual({ id, mood: "sad" });
    const filter = { id: { in: [id], prefix: String(id).slice(0, 4), gte: id }, mood: { lt: "t" } };
    expect(await bench.call("F", "Thing", filter, { order_by: ["-mood", "id"] })).toEqual([{ id, mood: "sad" }]);
    const refused = await bench.call("C", "Thing", { mood: "else" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "ADAPTER_SQL_ERROR",
      message: "the database refused a value: invalid input value for enum mood",
    });
    await bench.end();
  });

  it("hands out the server's sentence without the values in it", async () => {
    const bench = await world.run();
    const failure = await bench.call("C", "User", { name: "ann" }).catch((error: unknown) => error);
    const { message, data } = failure as { message: string; data: JsonObject };
    expect(message).toMatch(/: duplicate key value violates unique constraint "\w+"$/);
    expect(JSON.stringify([message, data])).not.toMatch(/ann|insert|key \(/i);
    await bench.end();
  });

  describe("through a connection that is cut", () => {
    let folder: string;
    let proxy: Server;
    let bench: AdapterBench;
    let cut: World;
    /** Set by a test: what the client says is looked at before it is passed on. */
    let onRequest: (chunk: Buffer, sockets: readonly Socket[]) => boolean;

    beforeEach(async () => {
      onRequest = () => true;
      folder = await mkdtemp(join(tmpdir(), "weft-cut-"));
      proxy = createServer((near) => {
        const far = connect(join(server?.socketFolder ?? "", ".s.PGSQL.5432"));
        for (const socket of [near, far]) socket.on("error", () => {});
        near.on("data", (chunk: Buffer) => {
          if (onRequest(chunk, [near, far])) far.write(chunk);
        });
        far.on("data", (chunk: Buffer) => near.write(chunk));
        near.on("close", () => far.destroy());
        far.on("close", () => near.destroy());
      });
      await new Promise<void>((resolve) => proxy.listen(join(folder, ".s.PGSQL.5432"), resolve));
      const through = new URL(url);
      through.searchParams.set("host", folder);
      cut = worldOf(world.settings, { url: through.href });
      bench = await cut.run();
    });
    afterEach(async () => {
      await bench.end();
      await cut.end();
      await new Promise((resolve) => proxy.close(resolve));
      await rm(folder, { recursive: true });
    });

    const create = (object: JsonObject) => bench.call("C", "User", object, { idempotency_key: "k" });
    const count = async (name: string) => (await bench.call("F", "User", { name })) as readonly unknown[];

    it("creates once although the answer to the commit was lost", async () => {
      onRequest = (chunk, [near, far]) => {
        if (!chunk.includes("COMMIT")) return true;
        onRequest = () => true;
        // The server commits; its answer never arrives.
        far?.removeAllListeners("data");
        far?.once("data", () => near?.destroy());
        return true;
      };
      await expect(create({ name: "cy" })).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
      expect(await create({ name: "cy" })).toMatchObject({ id: 3, name: "cy" });
      expect(await count("cy")).toHaveLength(1);
    });

    it("creates although the commit was lost", async () => {
      onRequest = (chunk, sockets) => {
        if (!chunk.includes("COMMIT")) return true;
        onRequest = () => true;
        for (const socket of sockets) socket.destroy();
        return false;
      };
      await expect(create({ name: "cy" })).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
      await expect.poll(() => busy("state LIKE 'idle in transaction%'"), PATIENT).toHaveLength(0);
      expect(await create({ name: "cy" })).toMatchObject({ name: "cy" });
      expect(await count("cy")).toHaveLength(1);
    });

    it("leaves open what became of a transaction whose commit got no answer", async () => {
      const run = await openBench(txnAdapter, {
        ...cut.options,
        others: [{ definition: dbAdapter, settings: cut.settings }],
      });
      await run.call("begin", "t", { resource: "db" });
      await run.callOther("db", "U", "User", { id: 1, age: 77 });
      onRequest = (_, [near]) => {
        near?.destroy();
        return false;
      };
      await expect(run.call("commit", "t")).rejects.toMatchObject({
        code: "ADAPTER_TRANSPORT",
        retryable: false,
        data: { outcome: "unknown" },
      });
      onRequest = () => true;
      expect(await run.callOther("db", "G", "User", 1)).toMatchObject({ age: 1 });
      await run.end();
    });

    it("is TRANSPORT when the connection is cut before the answer", async () => {
      onRequest = (chunk, [near]) => {
        if (chunk.includes("users")) near?.destroy();
        return true;
      };
      await expect(bench.call("G", "User", 1)).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
      onRequest = () => true;
      expect(await bench.call("G", "User", 1)).toMatchObject({ name: "ann" });
    });
  });

  it.each<[why: string, url: (url: URL) => string, code: string]>([
    ["no server listens", (at) => changed(at, "host", "/nonexistent"), "ADAPTER_TRANSPORT"],
    ["the database does not exist", (at) => Object.assign(at, { pathname: "/nosuch" }).href, "ADAPTER_NOT_CONFIGURED"],
    ["the account does not exist", (at) => Object.assign(at, { username: "nosuch" }).href, "ADAPTER_NOT_CONFIGURED"],
    ["the URL is invalid", () => "postgres://[canary", "ADAPTER_NOT_CONFIGURED"],
  ])("says so when %s", async (_, urlFor, code) => {
    const secret = urlFor(new URL(url));
    const bench = await openBench(dbAdapter, {
      ...world.options,
      settings: world.settings,
      secrets: { DB_URL: secret },
    });
    const failure = await bench.call("F", "User").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(JSON.stringify(failure)).not.toMatch(/canary|nosuch|nonexistent/);
    await bench.end();
  });
});

function changed(url: URL, parameter: string, value: string): string {
  url.searchParams.set(parameter, value);
  return url.href;
}
