/** What goes into statements and what comes out of them: parameters, rows, results of changes, and the bounds on all of it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteAdapter } from "../../../../adapters/builtin/sqlite/definition.ts";
import { createSqliteService } from "../../../../adapters/engine/sqlite/service.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { databaseWorld, type World } from "./database.ts";

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000000) SELECT count(*) FROM n";

let world: World;
/** On a database in memory, without any setting. */
let bench: AdapterBench;
beforeAll(async () => {
  world = databaseWorld();
  bench = await world.bench();
});
afterAll(() => world.end());

describe("parameters", () => {
  it.each<[sql: string, params: unknown, row: unknown]>([
    ["SELECT ? AS a, ? AS b", [1, "x"], { a: 1, b: "x" }],
    ["SELECT ?2 AS a, ?1 AS b", [1, 2], { a: 2, b: 1 }],
    ["SELECT :a AS a, @b AS b, $c AS c", { a: 1, b: 2, c: 3 }, { a: 1, b: 2, c: 3 }],
    ["SELECT ? AS a", [null], { a: null }],
    ["SELECT ? AS a, typeof(?) AS t", [true, false], { a: 1, t: "integer" }],
    ["SELECT typeof(?) AS i, typeof(?) AS r", [7, 7.5], { i: "integer", r: "real" }],
    ["SELECT 7 / ? AS a", [2], { a: 3 }],
    ["SELECT ? AS a", [-9007199254740991], { a: -9007199254740991 }],
    ["SELECT typeof(?) AS t, ? AS v", [1e300, 1e300], { t: "real", v: 1e300 }],
    [
      "SELECT ? AS a, typeof(?) AS t",
      [{ $base64: "AAEC/w==" }, { $base64: "" }],
      { a: { $base64: "AAEC/w==" }, t: "blob" },
    ],
    ["SELECT ? AS a", ["'; DROP TABLE items; --"], { a: "'; DROP TABLE items; --" }],
    ["SELECT ? AS a", ["\0 and 🙂"], { a: "\0 and 🙂" }],
    ["SELECT ? AS a, '?1''?2' AS b /* ?3 */", [5], { a: 5, b: "?1'?2" }],
    ["SELECT ?2 AS a, '?' AS b, ?1 AS c", [5, 6], { a: 6, b: "?", c: 5 }],
    ["SELECT 1 AS a", [], { a: 1 }],
    ["SELECT 1 AS a", null, { a: 1 }],
  ])("%s", async (sql, params, row) => {
    expect(await bench.call("query", sql, params)).toEqual([row]);
  });

  it.each<[sql: string, params: unknown]>([
    ["SELECT ?", []],
    ["SELECT ?", null],
    ["SELECT ?", [1, 2]],
    ["SELECT 1", [1]],
    ["SELECT ?2", [1]],
    ["SELECT :a", { b: 1 }],
    ["SELECT :a", [1]],
    ["SELECT :constructor", {}],
    ["SELECT ?", [[1]]],
    ["SELECT ?", [{ a: 1 }]],
    ["SELECT ?", [{ $base64: "not base64!" }]],
    ["SELECT ?", [{ $base64: "AA==", more: 1 }]],
    ["SELECT ?", "x"],
    ["SELECT ?", ["\ud800"]],
    ["SELECT :a", { a: "\ud800" }],
    // As who gives options in the place of parameters does.
    ["SELECT 1", { max_rows: 1 }],
  ])("that do not fit are refused: %s", async (sql, params) => {
    expect(await bench.code("query", sql, params)).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("rows", () => {
  it.each<[sql: string, rows: unknown]>([
    ["SELECT 9007199254740991 AS a, 9007199254740992 AS b", [{ a: 9007199254740991, b: "9007199254740992" }]],
    ["SELECT -9223372036854775808 AS a", [{ a: "-9223372036854775808" }]],
    ["SELECT 0.1 AS a, 9e999 AS b, -9e999 AS c, 2.0 AS d", [{ a: 0.1, b: null, c: null, d: 2 }]],
    ["SELECT x'00ff' AS a, NULL AS b", [{ a: { $base64: "AP8=" }, b: null }]],
    ["SELECT 1 AS a, 2 AS a, 3 AS a", [{ a: 1, a_2: 2, a_3: 3 }]],
    ["SELECT 1 AS a, 2 AS a, 3 AS a_2", [{ a: 1, a_3: 2, a_2: 3 }]],
    ["SELECT 1 AS ''", [{ "": 1 }]],
    ["SELECT 1 WHERE 0", []],
    ["VALUES (1)", [{ column1: 1 }]],
  ])("%s", async (sql, rows) => {
    expect(await bench.call("query", sql)).toEqual(rows);
  });

  it("keep a column of any name", async () => {
    const [row] = (await bench.call("query", "SELECT 1 AS __proto__, 2 AS constructor")) as object[];
    expect(Object.entries(row ?? {})).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
  });

  it("are as many as allowed, or the call fails and says how many there were", async () => {
    const many = (count: number) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i FROM n`;
    const bench = await world.bench({ max_rows: 10 });
    expect(await bench.call("query", many(10))).toHaveLength(10);
    const error = await bench.call("query", many(11)).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "ADAPTER_TOO_LARGE", data: { rows_read: 10 }, retryable: false });
    expect(error.message).toBe("the statement gives more than 10 rows (sqlite.max_rows)");
    const large = await bench.call("query", "SELECT zeroblob(20000000) AS b").catch((thrown) => thrown);
    expect(large).toMatchObject({
      code: "ADAPTER_TOO_LARGE",
      message: expect.stringMatching(/^the statement gives more than \d+ bytes$/),
    });
    expect(await bench.code("query", many(6), null, { max_rows: 5 })).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.call("query", many(5), null, { max_rows: 50 })).toHaveLength(5);
    expect(await bench.code("query", many(11), null, { max_rows: 50 })).toBe("ADAPTER_TOO_LARGE");
    const unset = await world.bench();
    expect(await unset.call("query", many(1_000))).toHaveLength(1_000);
    expect(await unset.code("query", many(1_001))).toBe("ADAPTER_TOO_LARGE");
  });

  it("must not exceed the maximum answer", async () => {
    expect(await bench.code("query", "SELECT zeroblob(20000000) AS b")).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.code("query", "SELECT zeroblob(2000000000) AS b")).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.call("query", "SELECT 1 AS a")).toEqual([{ a: 1 }]);
  });
});

describe("changes", () => {
  it("say how many rows they touched and which rowid they gave", async () => {
    const bench = await world.bench({ allow_write: true });
    const run = (sql: string, params?: unknown) => bench.call("execute", sql, params);
    expect(await run("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE)")).toEqual({
      rows_affected: 0,
      lastrowid: null,
    });
    expect(await run("INSERT INTO t (n) VALUES ('a'), ('b')")).toEqual({ rows_affected: 2, lastrowid: 2 });
    expect(await run("INSERT INTO t (id, n) VALUES (9223372036854775807, 'c')")).toEqual({
      rows_affected: 1,
      lastrowid: "9223372036854775807",
    });
    expect(await run("UPDATE t SET n = n || '!'")).toEqual({ rows_affected: 3, lastrowid: null });
    expect(await run("INSERT OR IGNORE INTO t (n) VALUES ('a!')")).toEqual({ rows_affected: 0, lastrowid: null });
    expect(await run("INSERT INTO t (id, n) VALUES (?, ?) RETURNING id, n", [5, "e"])).toEqual({
      rows_affected: 1,
      lastrowid: 5,
      rows: [{ id: 5, n: "e" }],
    });
    expect(await run("DELETE FROM t WHERE id < 3 RETURNING id")).toEqual({
      rows_affected: 2,
      lastrowid: null,
      rows: [{ id: 1 }, { id: 2 }],
    });
    expect(await run("DELETE FROM t")).toEqual({ rows_affected: 2, lastrowid: null });
    expect(await run("DROP TABLE t")).toEqual({ rows_affected: 0, lastrowid: null });
  });

  it.each([
    ["unique", "INSERT INTO t VALUES (1, 'a', 1, NULL)", "UNIQUE constraint failed: t.id"],
    ["not_null", "INSERT INTO t VALUES (2, NULL, 1, NULL)", "NOT NULL constraint failed: t.n"],
    ["check", "INSERT INTO t VALUES (2, 'b', -1, NULL)", "CHECK constraint failed"],
    ["foreign_key", "INSERT INTO t VALUES (2, 'b', 1, 99)", "FOREIGN KEY constraint failed"],
  ])("that break a constraint say which kind: %s", async (kind, sql, sentence) => {
    const path = world.seed(
      `${kind}.db`,
      `CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL, c INTEGER CHECK (c > 0), r INTEGER REFERENCES t (id));
       INSERT INTO t VALUES (1, 'a', 1, NULL);`,
    );
    const bench = await world.bench({ db_path: path, allow_write: true });
    const error = await bench.call("execute", sql).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "ADAPTER_SQL_CONSTRAINT", retryable: false, data: { kind } });
    expect(error.message).toBe(`a constraint of the table was violated: ${sentence}`);
  });

  it("that give too many rows are undone", async () => {
    const bench = await world.bench({ allow_write: true, max_rows: 2, db_path: world.seed("undone.db") });
    await bench.call("execute", "INSERT INTO items (n) VALUES ('z')");
    expect(await bench.code("execute", "DELETE FROM items RETURNING id")).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.call("query", "SELECT count(*) AS c FROM items")).toEqual([{ c: 3 }]);
  });

  it("in a batch are made all or none", async () => {
    const bench = await world.bench({ allow_write: true, db_path: world.seed("batch.db") });
    expect(
      await bench.call("batch", [
        ["CREATE TABLE t (n)"],
        ["INSERT INTO t VALUES (?), (?)", [1, 2]],
        ["UPDATE t SET n = :n RETURNING n", { n: 3 }],
        ["DELETE FROM t", null],
      ]),
    ).toEqual([
      { rows_affected: 0, lastrowid: null },
      { rows_affected: 2, lastrowid: 2 },
      { rows_affected: 2, lastrowid: null, rows: [{ n: 3 }, { n: 3 }] },
      { rows_affected: 2, lastrowid: null },
    ]);
    const error = await bench
      .call("batch", [["DELETE FROM items"], ["INSERT INTO secret VALUES (1)"], ["INSERT INTO nowhere VALUES (1)"]])
      .catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: "ADAPTER_SQL_ERROR",
      message: "the database refused the statement: no such table: nowhere",
      data: { index: 2 },
    });
    expect(await bench.call("query", "SELECT count(*) AS c FROM items")).toEqual([{ c: 2 }]);
    expect(await bench.call("batch", [])).toEqual([]);
    expect(await bench.code("batch", Array(101).fill(["DELETE FROM items"]))).toBe("ADAPTER_BAD_ARGS");
    expect(await bench.code("batch", [["DELETE FROM items", [], 1]])).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("faults", () => {
  it("a query that takes too long is stopped, and the next one is answered", async () => {
    const bench = await world.bench({ db_path: world.seed("slow.db") });
    await bench.call("query", "SELECT 1");
    const error = await bench.call("query", ENDLESS, null, { timeout_s: 0.2 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: true });
    await expect
      .poll(() => bench.call("query", "SELECT count(*) AS c FROM items").catch(() => null))
      .toEqual([{ c: 2 }]);
  });

  it("a write that takes too long may not be repeated blindly", async () => {
    const bench = await world.bench({ db_path: world.seed("slow-write.db"), allow_write: true, timeout_s: 0.3 });
    await bench.call("query", "SELECT 1").catch(() => {});
    const error = await bench.call("execute", `INSERT INTO items (n) ${ENDLESS}`).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: false, data: { outcome: "unknown" } });
    const after = await world.bench({ db_path: join(world.folder, "slow-write.db") });
    await expect
      .poll(() => after.call("query", "SELECT count(*) AS c FROM items").catch(() => null))
      .toEqual([{ c: 2 }]);
  });

  it("a lock that another process holds makes the call busy, and it succeeds when the lock is gone", async () => {
    const path = world.seed("locked.db");
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import Database from "better-sqlite3";
         const db = new Database(process.argv[1]);
         db.pragma("journal_mode = WAL");
         db.exec("BEGIN IMMEDIATE; INSERT INTO items (n) VALUES ('theirs')");
         console.log("locked");
         process.stdin.once("data", () => { db.exec("COMMIT"); console.log("free"); });
         process.stdin.once("end", () => process.exit());`,
        path,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    try {
      await once(holder.stdout, "data");
      const bench = await world.bench({ db_path: path, allow_write: true, timeout_s: 2 });
      const error = await bench.call("execute", "INSERT INTO items (n) VALUES ('ours')").catch((thrown) => thrown);
      expect(error).toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
      expect(await bench.call("query", "SELECT count(*) AS c FROM items")).toEqual([{ c: 2 }]);
      holder.stdin.write("go\n");
      await once(holder.stdout, "data");
      await bench.call("execute", "INSERT INTO items (n) VALUES ('ours')");
      expect(await bench.call("query", "SELECT count(*) AS c FROM items")).toEqual([{ c: 4 }]);
    } finally {
      holder.stdin.end();
      await once(holder, "exit");
    }
  });

  it("a database in memory goes with its run", async () => {
    const [one, other] = [await world.bench({ allow_write: true }), await world.bench({ allow_write: true })];
    await one.call("execute", "CREATE TABLE t (n)");
    expect(await other.code("query", "SELECT * FROM t")).toBe("ADAPTER_SQL_ERROR");
  });
});

describe("db_path", () => {
  it("stays out of the host's own files, whatever links there are", async () => {
    const [data, state] = [join(world.folder, "data"), join(world.folder, "state")];
    mkdirSync(data);
    mkdirSync(state);
    symlinkSync(state, join(data, "way"));
    const places = { ...NO_PLACES, dataRoot: data, stateDir: state, memoryDb: join(world.folder, "memory.db") };
    const service = createSqliteService();
    const code = async (db_path: string) => {
      const bench = await openBench(sqliteAdapter, { settings: { db_path }, services: { sqlite: service, places } });
      const found = await bench.code("query", "SELECT 1");
      await bench.end();
      return found;
    };
    try {
      expect(await code(join(data, "fine.db"))).toBe("no error");
      expect(await code(join(data, "way", "jobs.db"))).toBe("ADAPTER_BAD_SETTINGS");
      expect(await code(join(state, "jobs.db"))).toBe("ADAPTER_BAD_SETTINGS");
      expect(await code(join(world.folder, "memory.db"))).toBe("ADAPTER_BAD_SETTINGS");
      expect(await code("relative.db")).toBe("ADAPTER_BAD_SETTINGS");
      expect(await code(data)).toBe("ADAPTER_BAD_SETTINGS");
    } finally {
      await service.close();
    }
  });
});
