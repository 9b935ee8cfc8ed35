/** Which statements are let in: a corpus of hostile and of harmless SQL under the settings that should tell them apart. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sqlProgram } from "../../../../adapters/builtin/sqlite/program.ts";
import { SqliteConnection } from "../../../../adapters/engine/sqlite/connection.ts";
import { databaseError } from "../../../../adapters/engine/sqlite/errors.ts";
import type { SqlRules } from "../../../../adapters/guard/sql/rules.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { databaseWorld, SEED, type World } from "./database.ts";

const MORE = `${SEED}
  CREATE TABLE log (line TEXT);
  CREATE TABLE watched (n INTEGER);
  CREATE TRIGGER watch AFTER INSERT ON watched BEGIN INSERT INTO log VALUES ('seen'); END;
  CREATE TABLE parent (id INTEGER PRIMARY KEY);
  CREATE TABLE child (id INTEGER PRIMARY KEY, item INTEGER REFERENCES parent (id));
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, n TEXT);
  CREATE TABLE """odd"" name" (v TEXT);
  CREATE VIRTUAL TABLE notes USING fts5 (body);
  CREATE VIRTUAL TABLE secret_notes USING fts5 (body);
  INSERT INTO secret_notes VALUES ('s3');
  CREATE VIEW deep AS SELECT v FROM leak;
  CREATE VIEW noted AS SELECT body FROM secret_notes;
`;

let world: World;
let path: string;
beforeAll(() => {
  world = databaseWorld();
  path = world.seed("a.db", MORE);
});
afterAll(() => world.end());

/** What a statement ends in under settings; `null`: it was carried out. */
async function verdict(bench: AdapterBench, verb: "query" | "execute", sql: string): Promise<string | null> {
  return bench.call(verb, sql).then(
    () => null,
    (error) => error.code,
  );
}
const cases = (
  settings: JsonObject,
  verb: "query" | "execute",
  table: readonly (readonly [string | null, string])[],
) => {
  let bench: AdapterBench;
  beforeAll(async () => {
    bench = await world.bench({ db_path: path, ...settings });
  });
  it.each(table)("%s: %s", async (expected, sql) => {
    expect(await verdict(bench, verb, sql)).toBe(expected);
  });
};

/** Executes statements as the helper does, in this process, and undoes each of them. */
function executing(rules: Partial<SqlRules>): (sql: string) => string | null {
  const all: SqlRules = { allow_tables: null, allow_ddl: true, allow_virtual: true, trust_triggers: false, ...rules };
  let connection: SqliteConnection;
  beforeAll(() => {
    const own = world.seed(`${randomUUID()}.db`, MORE);
    connection = new SqliteConnection({ path: own, program: "sql", durability: "normal" }, sqlProgram);
  });
  afterAll(() => connection.close());
  beforeEach(() => {
    connection.perform({ kind: "begin", mode: "immediate" }, 0);
  });
  afterEach(() => {
    connection.perform({ kind: "rollback" }, 0);
  });
  return (sql) => {
    const input = { sql, params: null, rules: all, max_rows: 1_000, max_bytes: 1_000_000 };
    try {
      connection.perform({ kind: "call", operation: "execute", input }, 0);
      return null;
    } catch (thrown) {
      return databaseError(thrown).code;
    }
  };
}

const REJECTED = "ADAPTER_SQL_REJECTED";
const BLOCKED = "ADAPTER_TABLE_BLOCKED";
const FAILED = "ADAPTER_SQL_ERROR";

describe("query", () => {
  cases({}, "query", [
    [null, "SELECT * FROM secret"],
    [null, "  \n\t-- remark\n /* another ; */ ; SELECT 1;  -- end"],
    [null, "WITH t AS (SELECT id FROM items) SELECT count(*) FROM t"],
    [null, "VALUES (1), (2)"],
    [null, "SELECT value FROM json_each('[1,2]')"],
    [null, "SELECT body, snippet(notes, 0, '<', '>', '…', 3) FROM notes WHERE notes MATCH 'a'"],
    [null, "SELECT upper('a') || printf('%d', abs(-1)) || json_extract('{}', '$.a') || sum(id) OVER () FROM items"],
    [null, "SELECT name FROM sqlite_schema"],
    [null, "pragma table_info(items)"],
    [null, "PRAGMA main.table_xinfo('items');"],
    [null, 'PRAGMA index_list("secret")'],
    [null, "PRAGMA index_info(secret_v)"],
    [null, "PRAGMA foreign_key_list(child)"],
    [null, "PRAGMA table_list"],
    [null, "SELECT 'pragma_database_list' AS text"],
    [null, "/* */ PRAGMA user_version"],
    [FAILED, "SELECT * FROM nowhere"],
    [FAILED, "SELEC 1"],
    [FAILED, ""],
    [FAILED, "-- nothing"],
    [FAILED, "/* never closed"],
    [REJECTED, "SELECT 1; SELECT 2"],
    [REJECTED, "SELECT 1; DROP TABLE items"],
    [REJECTED, "SELECT 1;\0 DROP TABLE items"],
    [REJECTED, "DELETE FROM items"],
    [REJECTED, "INSERT INTO items (n) VALUES ('z') RETURNING id"],
    [REJECTED, "WITH t AS (SELECT 1) DELETE FROM items"],
    [REJECTED, "CREATE TABLE x (y)"],
    [REJECTED, "CREATE TABLE IF NOT EXISTS items (y)"],
    [REJECTED, "BEGIN"],
    [REJECTED, "BEGIN IMMEDIATE"],
    [REJECTED, "COMMIT"],
    [REJECTED, "ROLLBACK"],
    [REJECTED, "SAVEPOINT a"],
    [REJECTED, "RELEASE call"],
    [REJECTED, "ATTACH ':memory:' AS x"],
    [REJECTED, "DETACH main"],
    [REJECTED, "VACUUM"],
    [REJECTED, "EXPLAIN SELECT 1"],
    [REJECTED, "/**/explain query plan SELECT 1"],
    [REJECTED, "EXPLAIN PRAGMA journal_mode = DELETE"],
    [REJECTED, "SELECT load_extension('x')"],
    [REJECTED, "SELECT count(*) FROM items WHERE load_extension('x') IS NULL"],
    [REJECTED, "SELECT fts3_tokenizer('simple')"],
    [REJECTED, "SELECT hex(fts3_tokenizer('simple', x'00'))"],
    [REJECTED, "SELECT rtreecheck('main', 'items')"],
    [FAILED, "SELECT sqlite_rename_table('a','b','c','d','e','f',1)"],
    [FAILED, "SELECT no_such_function(1)"],
    [REJECTED, "PRAGMA journal_mode"],
    [REJECTED, "PRAGMA journal_mode = DELETE"],
    [REJECTED, "PRAGMA writable_schema = ON"],
    [REJECTED, "PRAGMA writable_schema(1)"],
    [REJECTED, "PRAGMA user_version = 7"],
    [REJECTED, "PRAGMA user_version(7)"],
    [REJECTED, "PRAGMA query_only = OFF"],
    [REJECTED, "PRAGMA trusted_schema = ON"],
    [REJECTED, "PRAGMA temp.table_info(items)"],
    [REJECTED, "PRAGMA table_info(items); DROP TABLE items"],
    [REJECTED, "PRAGMA table_info"],
    [REJECTED, "PRAGMA wal_checkpoint(TRUNCATE)"],
    [REJECTED, "-- x\n\uFEFFPRAGMA foreign_keys = OFF"],
    [REJECTED, "SELECT * FROM sqlite_temp_schema"],
    [null, "SELECT * FROM pragma_table_info('items')"],
    [null, "SELECT value AS my_pragma_optimize FROM json_each('[1]')"],
    [REJECTED, "SELECT file FROM pragma_database_list"],
    [REJECTED, "SELECT * FROM json_each('[1]'), \"PRAGMA_Compile_Options\""],
    [REJECTED, "SELECT * FROM pragma_optimize(-1) WHERE 0 = (SELECT count(*) FROM pragma_optimize(65538))"],
    ["ADAPTER_TOO_LARGE", `SELECT '${"x".repeat(70_000)}'`],
  ]);
});

describe("query under allow_tables", () => {
  cases({ allow_tables: ["Items", "shown", "counted"] }, "query", [
    [null, "SELECT * FROM items"],
    [null, "SELECT * FROM ITEMS i JOIN main.items j ON i.id = j.id"],
    [null, "SELECT n FROM shown"],
    [null, "SELECT 'from secret', \"n\" AS secret FROM items"],
    [null, "WITH secret AS (SELECT 1 AS v) SELECT v FROM secret"],
    [null, "PRAGMA table_info(items)"],
    [BLOCKED, "PRAGMA table_info(secret)"],
    [BLOCKED, "PRAGMA index_info(secret_v)"],
    [REJECTED, "PRAGMA table_list"],
    [BLOCKED, "SELECT * FROM secret"],
    [BLOCKED, 'SELECT * FROM "secret"'],
    [BLOCKED, "SELECT * FROM [secret]"],
    [BLOCKED, "SELECT * FROM `SECRET`"],
    [BLOCKED, "SELECT * FROM 'secret'"],
    [BLOCKED, "SELECT * FROM main.secret"],
    [BLOCKED, "SELECT * FROM/**/secret"],
    [BLOCKED, "SELECT*FROM(secret)"],
    [BLOCKED, "SELECT * FROM items, secret"],
    [BLOCKED, "SELECT * FROM items NATURAL JOIN secret"],
    [BLOCKED, "SELECT * FROM items LEFT JOIN (items i JOIN secret s)"],
    [BLOCKED, "SELECT (SELECT v FROM secret)"],
    [BLOCKED, "SELECT n FROM items WHERE EXISTS (SELECT 1 FROM secret)"],
    [BLOCKED, "SELECT n FROM items ORDER BY (SELECT v FROM secret)"],
    [BLOCKED, "SELECT n FROM items LIMIT (SELECT count(*) FROM secret)"],
    [BLOCKED, "SELECT n FROM items UNION ALL SELECT v FROM secret"],
    [BLOCKED, "SELECT n FROM items EXCEPT SELECT v FROM secret"],
    [BLOCKED, "WITH t AS (SELECT v FROM secret) SELECT * FROM t"],
    [BLOCKED, "WITH RECURSIVE t(v) AS (SELECT v FROM secret UNION SELECT v FROM t) SELECT * FROM t"],
    [BLOCKED, "SELECT max(v) OVER () FROM secret"],
    [BLOCKED, "SELECT count(*) FROM secret"],
    [BLOCKED, "SELECT v FROM secret WHERE v = 's3'"],
    [BLOCKED, "SELECT v FROM secret INDEXED BY secret_v WHERE v > ''"],
    [BLOCKED, "SELECT * FROM leak"],
    [BLOCKED, "SELECT * FROM deep"],
    [BLOCKED, 'SELECT * FROM """odd"" name"'],
    [BLOCKED, "SELECT * FROM sqlite_schema"],
    [BLOCKED, "SELECT * FROM sqlite_master"],
    [BLOCKED, "SELECT * FROM sqlite_sequence"],
    [REJECTED, "SELECT * FROM sqlite_temp_master"],
    [REJECTED, "SELECT * FROM json_each('[1]')"],
    [REJECTED, "SELECT * FROM pragma_table_info('secret')"],
    [REJECTED, "SELECT * FROM dbstat"],
    [REJECTED, "SELECT * FROM secret_notes"],
    [BLOCKED, "SELECT * FROM secret_notes_content"],
  ]);
});

describe("query under allow_tables and allow_virtual", () => {
  cases({ allow_tables: ["items", "notes"], allow_virtual: true }, "query", [
    [null, "SELECT * FROM json_each('[1]'), items"],
    [null, "SELECT * FROM notes"],
    [BLOCKED, "SELECT * FROM secret_notes"],
    [BLOCKED, 'SELECT * FROM notes, "secret_notes"'],
    [BLOCKED, "SELECT * FROM noted"],
    [BLOCKED, "SELECT * FROM pragma_table_info('secret')"],
    [BLOCKED, "SELECT * FROM dbstat"],
    [BLOCKED, "SELECT v FROM json_each('[1]'), secret"],
  ]);
});

describe("query under an empty list", () => {
  cases({ allow_tables: [] }, "query", [
    [null, "SELECT 1"],
    [BLOCKED, "SELECT * FROM items"],
  ]);
});

describe("execute", () => {
  const execute = executing({});
  it.each([
    [null, "INSERT INTO items (n) VALUES ('z')"],
    [null, "INSERT INTO watched VALUES (1)"],
    [null, "WITH t AS (SELECT 'q' AS n) INSERT INTO items (n) SELECT n FROM t"],
    [null, "UPDATE items SET n = 'q' RETURNING id"],
    [null, "REPLACE INTO items (id, n) VALUES (1, 'q')"],
    [null, "DELETE FROM items"],
    [null, "INSERT INTO notes VALUES ('hello')"],
    [null, "CREATE TABLE x AS SELECT * FROM items"],
    [null, "CREATE UNIQUE INDEX i ON items (n)"],
    [null, "CREATE VIEW w AS SELECT 1"],
    [null, "CREATE TRIGGER tr AFTER DELETE ON items BEGIN DELETE FROM log; END"],
    [null, "CREATE VIRTUAL TABLE more USING fts5 (body)"],
    [null, "ALTER TABLE items ADD COLUMN extra TEXT DEFAULT 'q'"],
    [null, "ALTER TABLE items RENAME TO things"],
    [null, "ALTER TABLE items RENAME COLUMN n TO m"],
    [null, "ALTER TABLE items DROP COLUMN b"],
    [null, "CREATE TABLE IF NOT EXISTS items (other)"],
    [null, "CREATE INDEX IF NOT EXISTS secret_v ON items (n)"],
    [null, "DROP TABLE IF EXISTS nowhere"],
    [null, "DROP TABLE secret"],
    [null, "DROP TABLE notes"],
    [null, "DROP VIEW leak"],
    [null, "DROP INDEX secret_v"],
    [null, "DROP TRIGGER watch"],
    [null, "REINDEX secret"],
    [REJECTED, "SELECT 1"],
    [REJECTED, "PRAGMA user_version"],
    [REJECTED, "PRAGMA journal_mode = DELETE"],
    [REJECTED, "PRAGMA writable_schema = ON"],
    [REJECTED, "PRAGMA foreign_keys = OFF"],
    [REJECTED, "DELETE FROM items; DELETE FROM secret"],
    [REJECTED, "BEGIN"],
    [REJECTED, "COMMIT"],
    [REJECTED, "END"],
    [REJECTED, "ROLLBACK TO call"],
    [REJECTED, "RELEASE call"],
    [REJECTED, "VACUUM"],
    [REJECTED, "ATTACH DATABASE 'x.db' AS x"],
    [REJECTED, "CREATE TEMP TABLE x (y)"],
    [REJECTED, "CREATE TEMPORARY VIEW x AS SELECT 1"],
    [REJECTED, "CREATE TABLE temp.x (y)"],
    [REJECTED, "CREATE TEMP TRIGGER x AFTER INSERT ON items BEGIN SELECT 1; END"],
    [REJECTED, "CREATE TEMP TABLE x AS SELECT * FROM secret"],
    [REJECTED, "INSERT INTO items (n) VALUES (load_extension('x'))"],
    [REJECTED, "EXPLAIN DELETE FROM items"],
    [REJECTED, "ANALYZE"],
    [FAILED, "UPDATE sqlite_schema SET sql = 'x'"],
    [FAILED, "DELETE FROM sqlite_master"],
    [FAILED, "DROP TABLE sqlite_schema"],
    [FAILED, "CREATE TABLE sqlite_mine (x)"],
    [FAILED, "INSERT INTO secret_notes_data VALUES (1, x'00')"],
    [FAILED, "DROP TABLE secret_notes_data"],
  ])("%s: %s", (expected, sql) => {
    expect(execute(sql)).toBe(expected);
  });

  it("writes no file besides the database", async () => {
    const bench = await world.bench({ db_path: path, allow_write: true });
    const target = join(world.folder, "copy.db");
    expect(await bench.code("execute", `VACUUM INTO '${target}'`)).toBe(REJECTED);
    expect(await bench.code("execute", `ATTACH '${target}' AS c`)).toBe(REJECTED);
    expect(await bench.code("execute", "ATTACH ? AS c", [target])).toBe(REJECTED);
    expect(existsSync(target)).toBe(false);
  });
});

describe("execute under allow_tables", () => {
  const execute = executing({
    allow_tables: ["items", "watched", "counted", "child", "mine", "shown"],
    allow_virtual: false,
  });
  it.each([
    [null, "INSERT INTO items (n) VALUES ('z')"],
    [null, "INSERT INTO counted (n) VALUES ('z')"],
    [null, "UPDATE items SET n = (SELECT max(n) FROM items)"],
    [null, "CREATE TABLE mine (a)"],
    [null, "CREATE TABLE mine AS SELECT * FROM items"],
    [null, "CREATE TABLE mine (a INTEGER PRIMARY KEY AUTOINCREMENT)"],
    [null, "CREATE INDEX any_name ON items (n)"],
    [null, "CREATE VIEW mine AS SELECT n FROM items"],
    [null, "ALTER TABLE items ADD COLUMN extra"],
    [null, "ALTER TABLE counted RENAME TO mine"],
    [null, "DROP TABLE watched"],
    [BLOCKED, "INSERT INTO secret VALUES (1)"],
    [BLOCKED, "INSERT INTO items (n) SELECT v FROM secret"],
    [BLOCKED, "UPDATE items SET n = v FROM secret"],
    [BLOCKED, "DELETE FROM items WHERE n IN (SELECT v FROM secret)"],
    [BLOCKED, "INSERT INTO items (n) VALUES ('a') RETURNING (SELECT v FROM secret)"],
    [BLOCKED, "INSERT INTO items (id) VALUES (1) ON CONFLICT DO UPDATE SET n = (SELECT v FROM secret)"],
    [BLOCKED, "DELETE FROM secret"],
    [BLOCKED, "INSERT INTO watched VALUES (1)"],
    [BLOCKED, "INSERT INTO child (item) VALUES (1)"],
    [BLOCKED, "UPDATE sqlite_sequence SET seq = 0"],
    [BLOCKED, "DROP TABLE secret"],
    [BLOCKED, "DROP INDEX secret_v"],
    [BLOCKED, "DROP VIEW leak"],
    [BLOCKED, "ALTER TABLE secret RENAME TO mine"],
    [BLOCKED, "ALTER TABLE items RENAME TO other"],
    [BLOCKED, 'CREATE VIEW mine AS SELECT v FROM """odd"" name"'],
    [BLOCKED, 'CREATE VIEW mine AS SELECT v FROM `"odd" name`'],
    [BLOCKED, "ALTER TABLE secret ADD COLUMN x"],
    [BLOCKED, "CREATE TABLE other (a)"],
    [BLOCKED, "CREATE TABLE mine AS SELECT * FROM secret"],
    [BLOCKED, "CREATE TABLE mine AS SELECT * FROM sqlite_schema"],
    [BLOCKED, "CREATE INDEX i ON secret (v, v)"],
    [BLOCKED, "CREATE VIEW other AS SELECT 1"],
    [BLOCKED, "CREATE VIEW mine AS SELECT v FROM secret"],
    [BLOCKED, "CREATE TRIGGER tr AFTER INSERT ON items BEGIN DELETE FROM secret; END"],
    [BLOCKED, "CREATE TRIGGER tr AFTER INSERT ON secret BEGIN SELECT 1; END"],
    [REJECTED, "CREATE VIRTUAL TABLE mine USING fts5 (a, content=secret)"],
    [REJECTED, "CREATE TABLE mine AS SELECT * FROM sqlite_temp_schema"],
  ])("%s: %s", (expected, sql) => {
    expect(execute(sql)).toBe(expected);
  });
});

describe("settings", () => {
  it("writing has to be allowed", async () => {
    const bench = await world.bench({ db_path: path });
    expect(await bench.code("execute", "DELETE FROM items")).toBe("ADAPTER_WRITE_FORBIDDEN");
    expect(await bench.code("batch", [["DELETE FROM items"]])).toBe("ADAPTER_WRITE_FORBIDDEN");
  });

  it("changes of the schema can be refused alone", async () => {
    const bench = await world.bench({ db_path: path, allow_write: true, allow_ddl: false });
    expect(await verdict(bench, "execute", "CREATE TABLE zz (a)")).toBe(REJECTED);
    expect(await verdict(bench, "execute", "DROP TABLE items")).toBe(REJECTED);
    expect(await verdict(bench, "execute", "INSERT INTO log VALUES ('x')")).toBe(null);
  });

  it("virtual tables can be refused alone", async () => {
    const bench = await world.bench({ db_path: path, allow_virtual: false });
    expect(await verdict(bench, "query", "SELECT * FROM json_each('[1]')")).toBe(REJECTED);
    expect(await verdict(bench, "query", "SELECT bm25(notes) FROM notes")).toBe(REJECTED);
    expect(await verdict(bench, "query", "SELECT 1")).toBe(null);
  });

  it("tables that triggers touch can be left unchecked", async () => {
    const settings = { db_path: path, allow_write: true, allow_tables: ["watched"] };
    const strict = await world.bench(settings);
    expect(await verdict(strict, "execute", "INSERT INTO watched VALUES (1)")).toBe(BLOCKED);
    const trusting = await world.bench({ ...settings, trust_triggers: true });
    expect(await verdict(trusting, "execute", "INSERT INTO watched VALUES (1)")).toBe(null);
    expect(await verdict(trusting, "execute", "INSERT INTO log VALUES (1)")).toBe(BLOCKED);
  });

  it("messages and details hold no SQL and no values, and names only of what is not there", async () => {
    const bench = await world.bench({ db_path: path, allow_tables: ["items"] });
    for (const [sql, said] of [
      ["SELECT v FROM secret", "touches a table that is not allowed"],
      ["SELECT nosuch FROM items WHERE n = 'canary'", "no such column: nosuch"],
      ["SELECT 'canary' FROM nowhere", "no such table: nowhere"],
      ['SELECT n FROM items WHERE n = "canary"', "no such column"],
      ["CANARY", "syntax error at character 1"],
    ] as const) {
      const error = await bench.call("query", sql).catch((thrown) => thrown);
      expect(error.message).toContain(said);
      expect(JSON.stringify([error.code, error.message, error.data])).not.toMatch(/canary|secret|items/i);
    }
  });
});
