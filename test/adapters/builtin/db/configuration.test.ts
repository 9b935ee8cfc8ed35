/** Where entities are kept, by the operator's section; and what documents without declared members can do. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dbAdapter } from "../../../../adapters/builtin/db/definition.ts";
import { postgresDialect, sqliteDialect } from "../../../../adapters/builtin/db/dialects.ts";
import { loadQueries } from "../../../../adapters/builtin/db/queries.ts";
import { createPostgresService } from "../../../../adapters/engine/postgres/postgres.ts";
import { createSqliteService } from "../../../../adapters/engine/sqlite/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, openBench } from "../../../support/adapter-bench.ts";

const sqlite = createSqliteService();
afterAll(() => sqlite.close());

const open = (settings: JsonObject, services = {}): Promise<AdapterBench> =>
  openBench(dbAdapter, { settings, services: { sqlite, ...services }, secrets: {} });

const USER: JsonObject = { User: { columns: { id: "integer" } } };

describe("the operator's section", () => {
  it.each<[settings: JsonObject, code: string]>([
    [{}, "ADAPTER_NOT_CONFIGURED"],
    [{ entities: USER }, "ADAPTER_NOT_CONFIGURED"],
    [{ url_secret: "NO_SUCH_SECRET", entities: USER }, "ADAPTER_NOT_CONFIGURED"],
    [{ url_secret: "DB_URL", path: "/x/y.db", entities: USER }, "ADAPTER_BAD_SETTINGS"],
    [{ url_secret: "DB_URL", store: "documents" }, "ADAPTER_BAD_SETTINGS"],
    [{ path: ":memory:", entities: { User: {} } }, "ADAPTER_BAD_SETTINGS"],
    [{ path: ":memory:", entities: { User: { columns: { name: "text" } } } }, "ADAPTER_BAD_SETTINGS"],
    [{ path: ":memory:", entities: { "a b": { columns: { id: "integer" } } } }, "ADAPTER_BAD_SETTINGS"],
  ])("%j: %s", async (settings, code) => {
    const bench = await open(settings);
    await expect(bench.call("F", "User")).rejects.toMatchObject({ code, retryable: false });
    await bench.end();
  });

  it.each<JsonObject>([
    { entities: { User: { table: "users; DROP TABLE users" } } },
    { entities: { User: { table: "a.b" } } },
    { entities: { User: { columns: { 'x" --': "text" } } } },
    { entities: { User: { columns: { x: "varchar" } } } },
    { entities: { User: { ops: ["X"] } } },
    { entities: { User: { unknown: 1 } } },
    { entities: { User: { max_limit: 0 } } },
    { schema: "a.b" },
    { path: "app.db" },
    { pool: 0 },
    { store: "elsewhere" },
  ])("refuses %j before the run", async (settings) => {
    await expect(open({ path: ":memory:", ...settings })).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });

  it("names the package that is missing", async () => {
    const missing = () => Promise.reject(new Error("Cannot find package"));
    const service = createPostgresService({ load: missing });
    const expected = (name: string) => ({ code: "ADAPTER_NOT_CONFIGURED", data: { package: name } });
    await expect(service.open({ url: "postgres://x", pool: 1 })).rejects.toMatchObject(expected("pg"));
    for (const dialect of [sqliteDialect, postgresDialect]) {
      await expect(loadQueries(dialect, undefined, missing)).rejects.toMatchObject(expected("kysely"));
    }
  });
});

describe("documents", () => {
  let bench: AdapterBench;
  const settings = { path: ":memory:", store: "documents", entities: { "*": {}, Fixed: { id: "key" } } };
  beforeEach(async () => {
    bench = await open(settings);
  });
  afterEach(async () => {
    await bench.end();
  });

  it("in memory belong to one run", async () => {
    await bench.call("C", "Any", { a: 1 });
    const other = await open(settings);
    expect(await other.call("F", "Any")).toEqual([]);
    await other.end();
  });

  it("keep any members, and the order of ids by entity", async () => {
    const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c", "a b\\"": [1, {"$base64": "x"}]}');
    expect(await bench.call("C", "Any", hostile)).toEqual({ id: 1, ...Object.fromEntries(Object.entries(hostile)) });
    const [found] = (await bench.call("F", "Any", { constructor: "c" })) as JsonObject[];
    expect(JSON.stringify(found)).toBe(`{"id":1,${JSON.stringify(hostile).slice(1)}`);
    expect(await bench.call("C", "Other", {})).toEqual({ id: 1 });
    expect(await bench.call("C", "Fixed", { id: "free", key: 5 })).toEqual({ key: 5, id: "free" });
    expect(await bench.call("C", "Fixed", {})).toEqual({ key: 6 });
  });

  it("compare values of one type only, and sort types apart", async () => {
    for (const v of [3, "3", true, null, "b", -1, false, [0], "a"]) await bench.call("C", "Any", { v });
    const values = async (...args: readonly unknown[]) =>
      ((await bench.call("F", "Any", ...args)) as JsonObject[]).map(({ v }) => v);
    expect(await values({ v: 3 })).toEqual([3]);
    expect(await values({ v: { gt: 0 } })).toEqual([3]);
    expect(await values({ v: { lte: "a" } })).toEqual(["3", "a"]);
    expect(await values({ v: { prefix: "3" } })).toEqual(["3"]);
    expect(await values(null, { order_by: ["v"] })).toEqual([null, false, true, -1, 3, "3", "a", "b", [0]]);
    expect(await values(null, { order_by: ["-v"], limit: 2 })).toEqual([[0], "b"]);
    expect(await bench.code("F", "Any", { v: { eq: [0] } })).toBe("ADAPTER_BAD_ARGS");
  });

  it("hand out members that are not there as null when they are asked for", async () => {
    await bench.call("C", "Any", { a: 1 });
    expect(await bench.call("F", "Any", "*", { fields: ["a", "b"] })).toEqual([{ a: 1, b: null }]);
    expect(await bench.call("U", "Any", { b: null }, { a: null })).toBe(1);
    expect(await bench.call("G", "Any", 1)).toEqual({ id: 1, a: null });
  });

  it("order times with more and fewer digits", async () => {
    const typed = await open({ ...settings, entities: { Event: { columns: { id: "integer", at: "timestamp" } } } });
    for (const at of ["00.123456Z", "00.123Z", "00Z", "00.1234Z"]) {
      await typed.call("C", "Event", { at: `2024-01-01T00:00:${at}` });
    }
    const ids = ((await typed.call("F", "Event", null, { order_by: ["at"] })) as JsonObject[]).map(({ id }) => id);
    expect(ids).toEqual([3, 2, 4, 1]);
    expect(await typed.call("F", "Event", { at: { gt: "2024-01-01T00:00:00.123Z" } })).toHaveLength(2);
    await typed.end();
  });

  it.each<unknown>([1.5, "x", true, 2 ** 53, "9007199254740993"])("refuse %j as an id", async (id) => {
    expect(await bench.code("C", "Any", { id })).toBe("ADAPTER_BAD_ARGS");
  });

  it("refuse an id that is there", async () => {
    await bench.call("C", "Any", { id: 5 });
    await expect(bench.call("C", "Any", { id: 5 })).rejects.toMatchObject({
      code: "ADAPTER_SQL_CONSTRAINT",
      data: { kind: "unique" },
    });
  });
});

describe("one file and many users", () => {
  let folder: string;
  let path: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-db-"));
    path = join(folder, "app.db");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("gives every object of a sequence its own id", async () => {
    const settings = { path, store: "documents", entities: { User: {} } };
    const runs = await Promise.all([1, 2, 3].map(() => open(settings)));
    const made = await Promise.all(
      runs.flatMap((run, r) =>
        Array.from({ length: 10 }, (_, i) => run.call("C", "User", { r, i }, { idempotency_key: `${r}/${i}` })),
      ),
    );
    expect(new Set(made.map((one) => (one as JsonObject)["id"])).size).toBe(30);
    for (const run of runs) await run.end();
  });

  it("is BUSY while another process writes", async () => {
    const settings = { path, store: "documents", entities: { User: {} } };
    const run = await open(settings);
    await run.call("F", "User");
    const writer = new Database(path);
    writer.exec("BEGIN IMMEDIATE");
    await expect(run.call("C", "User", {}, { timeout_s: 0.5 })).rejects.toMatchObject({
      code: "ADAPTER_BUSY",
      retryable: true,
    });
    writer.exec("ROLLBACK");
    writer.close();
    await run.end();
  });
});
