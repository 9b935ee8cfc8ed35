/**
 * Tables in schema `weft`: created once by the first service, moved forward, and left alone by services that are too old
 * for them.
 */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createPostgresService } from "../../../../adapters/engine/postgres/postgres.ts";
import { type Migrations, migrate } from "../../../../adapters/store/postgres/migrate.ts";
import { adapterMigrations } from "../../../../adapters/store/postgres/migrations.ts";
import { startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { codeOf } from "../bench.ts";
import { callOf, replica } from "./bench.ts";

const server = await startPostgres();
const service = createPostgresService();
afterAll(async () => {
  await service.close();
  await server?.stop();
});

describe.skipIf(server === null)("migrations", () => {
  const { createDatabase, query } = server as TestPostgres;
  let url: string;
  beforeEach(async () => {
    url = await createDatabase();
  });

  const moved = async (migrations: Migrations, at = url) =>
    migrate(await service.open({ url: at, pool: 8 }), migrations, { timeoutMs: 30_000 });
  const steps = () => query(url, "SELECT name, step FROM weft.migrations ORDER BY name, step");
  const one = { name: "part", steps: ["CREATE TABLE weft.first(x integer)"] };
  const two = {
    name: "part",
    steps: [...one.steps, "ALTER TABLE weft.first ADD y integer; INSERT INTO weft.first VALUES (1, 2)"],
  };

  test("any number of replicas may start at once", async () => {
    const replicas = Array.from({ length: 6 }, () => replica(url));
    await Promise.all(replicas.map(({ database }) => database.prepare({ timeoutMs: 30_000 })));
    expect(await steps()).toEqual(adapterMigrations.steps.map((_, at) => ({ name: "adapters", step: at + 1 })));
    await Promise.all(replicas.map((each) => each.close()));
  });

  test("only steps that are due are taken, whichever part is first", async () => {
    await moved(one);
    await Promise.all([moved(two), moved(two), moved({ name: "other", steps: ["CREATE TABLE weft.other()"] })]);
    await moved(two);
    expect(await query(url, "SELECT * FROM weft.first")).toEqual([{ x: 1, y: 2 }]);
    expect(await steps()).toEqual([
      { name: "other", step: 1 },
      { name: "part", step: 1 },
      { name: "part", step: 2 },
    ]);
  });

  test("a step that fails leaves nothing of itself or of those before it", async () => {
    await moved(one);
    const broken = { name: "part", steps: [...two.steps, "CREATE TABLE weft.first()"] };
    expect(await codeOf(moved(broken))).toBe("ADAPTER_SQL_ERROR");
    expect(await steps()).toEqual([{ name: "part", step: 1 }]);
    expect(await query(url, "SELECT * FROM weft.first")).toEqual([]);
    await moved(two);
  });

  test("a service that is older than the tables refuses, with everything it would store", async () => {
    const { database, stores, close } = replica(url);
    await database.prepare({ timeoutMs: 30_000 });
    await query(url, "INSERT INTO weft.migrations(name, step) VALUES ('adapters', 1000)");
    const older = replica(url);
    expect(await codeOf(older.database.prepare({ timeoutMs: 30_000 }))).toBe("ADAPTER_NOT_CONFIGURED");
    const place = { namespace: "n", key: "k" };
    expect(await codeOf(older.stores.keyValues(null, true).has(place, callOf()))).toBe("ADAPTER_NOT_CONFIGURED");
    // Running replicas continue, so that replicas can be replaced one after the other.
    expect(await stores.keyValues(null, true).has(place, callOf())).toBe(false);
    await Promise.all([older.close(), close()]);
  });

  test("an account that may only use the tables serves when there is nothing to do", async () => {
    await moved(one);
    await moved(adapterMigrations);
    await query(
      url,
      `CREATE ROLE guest LOGIN; GRANT USAGE ON SCHEMA weft TO guest;
       GRANT USAGE ON SEQUENCE weft.cache_versions TO guest;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA weft TO guest`,
    );
    const asGuest = url.replace("postgres@", "guest@");
    await moved(one, asGuest);
    expect(await codeOf(moved(two, asGuest))).toBe("ADAPTER_NOT_ALLOWED");
    const guest = replica(asGuest);
    const once = { key: "k", argsHash: "-" };
    const counter = { namespace: "n", key: "k", by: 1, ttlSeconds: null, maxEntries: 10, maxBytes: 1_000, once };
    expect(await guest.stores.keyValues(null, true).increment(counter, callOf())).toBe(1);
    const key = { namespace: "ops", kind: "log", id: "l", maxPayloadBytes: 100, maxEntries: 10, sweepIntervalMs: 1 };
    const entry = { entry: {}, ttlSeconds: null, newTtlSeconds: null, metadata: null, once };
    expect(await guest.stores.records(null).append({ ...key, ...entry }, callOf())).toMatchObject({ entries: 1 });
    const message = {
      queue: "q",
      id: "m",
      payload: 1,
      priority: 0,
      delayMs: 0,
      ttlMs: null,
      dedupe: null,
      maxDepth: 9,
    };
    await guest.stores.queues(null).put({ ...message, once }, callOf());
    const take = { queue: "q", max: 1, leaseMs: 1_000, lease: "l", waitMs: 0 };
    expect(await guest.stores.queues(null).take(take, callOf())).toMatchObject([{ id: "m" }]);
    await guest.close();
    await query(url, "DROP OWNED BY guest; DROP ROLE guest");
  });

  test("a database that does not hold UTF-8 is refused", async () => {
    await query(url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    expect(await codeOf(moved(one, url.replace(/test_\d+/, "latin")))).toBe("ADAPTER_NOT_CONFIGURED");
  });

  test("what failed at first is tried anew by the next call", async () => {
    const late = url.replace(/test_(\d+)/, "late_$1");
    const { stores, close } = replica(late);
    const has = () => stores.keyValues(null, true).has({ namespace: "n", key: "k" }, callOf());
    expect(await codeOf(has())).toBe("ADAPTER_NOT_CONFIGURED");
    await query(url, `CREATE DATABASE ${/late_\d+/.exec(late)?.[0]}`);
    expect(await has()).toBe(false);
    await close();
  });
});
