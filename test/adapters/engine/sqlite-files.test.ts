/** Database files of the SQLite service: how they are made, what damages them, a full disk, and several processes at once. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { sqlProgram } from "../../../adapters/builtin/sqlite/program.ts";
import { SqliteConnection } from "../../../adapters/engine/sqlite/connection.ts";
import { createSqliteService } from "../../../adapters/engine/sqlite/service.ts";
import { codeOf, execute, open, query, sqliteWorld } from "./sqlite-world.ts";

const world = sqliteWorld();

describe("files", () => {
  it("are made for their owner alone, folders too", async () => {
    const path = join(world.folder, "deep", "er", "a.db");
    await execute(open(world, path), "CREATE TABLE t (n)");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(join(world.folder, "deep")).mode & 0o777).toBe(0o700);
    expect(statSync(join(world.folder, "deep", "er")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["no database at all", Buffer.from("this is a letter to my aunt, not a database\n".repeat(100))],
    ["a header alone", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(2_000, 0xff)])],
  ])("that are damaged are reported and left as they are: %s", async (_, bytes) => {
    const path = join(world.folder, "bad.db");
    writeFileSync(path, bytes);
    expect(await codeOf(query(open(world, path), "SELECT * FROM sqlite_schema"))).toBe("ADAPTER_BAD_DATA");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("that are damaged in the middle are reported", async () => {
    const path = join(world.folder, "torn.db");
    const db = open(world, path);
    await execute(db, "CREATE TABLE t (a)");
    await execute(
      db,
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3000) SELECT hex(randomblob(20)) FROM n",
    );
    await world.service.close();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 8_192, 40_960);
    writeFileSync(path, bytes);
    world.service = createSqliteService();
    expect(await codeOf(query(open(world, path), "SELECT count(a) AS c FROM t WHERE a > ''"))).toBe("ADAPTER_BAD_DATA");
  });

  it("that cannot be opened are a matter of settings, and can be opened once they are there", async () => {
    const path = join(world.folder, "place");
    mkdirSync(path);
    const db = open(world, path);
    expect(await codeOf(query(db, "SELECT 1"))).toBe("ADAPTER_BAD_SETTINGS");
    rmSync(path, { recursive: true });
    expect(await query(db, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("on a full disk refuse writes and keep what they have", async (context) => {
    const disk = join(world.folder, "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      console.log("skipped: tmpfs cannot be mounted here");
      context.skip();
    }
    try {
      const db = open(world, join(disk, "a.db"));
      await execute(db, "CREATE TABLE t (b BLOB)");
      let kept = 0;
      let code: unknown = null;
      while (code === null && kept < 100) {
        code = await execute(db, "INSERT INTO t VALUES (randomblob(20000))").then(
          () => null,
          (error) => error.code,
        );
        if (code === null) kept += 1;
      }
      expect(code).toBe("ADAPTER_QUOTA");
      expect(kept).toBeGreaterThan(0);
      expect(await query(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: kept }]);
      await world.service.close();
      world.service = createSqliteService();
      expect(await query(open(world, join(disk, "a.db")), "SELECT count(*) AS c FROM t")).toEqual([{ c: kept }]);
    } finally {
      await world.service.close();
      execFileSync("umount", [disk]);
    }
  });

  it("that are new can be opened by many at once", async () => {
    const services = Array.from({ length: 6 }, () => createSqliteService());
    try {
      const opened = services.map((one) =>
        execute(open({ ...world, service: one }), "CREATE TABLE IF NOT EXISTS t (n INTEGER)"),
      );
      expect(await Promise.all(opened.map(codeOf))).toEqual(
        Array(6).fill({ value: { rows_affected: 0, lastrowid: null } }),
      );
    } finally {
      await Promise.all(services.map((one) => one.close()));
    }
  });

  it("that another is about to write to are waited for when they are opened, though SQLite would not", () => {
    const path = join(world.folder, "new.db");
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    const connection = new SqliteConnection({ path, program: "sql", durability: "normal" }, sqlProgram);
    const begin = (busyMs: number): unknown => connection.perform({ kind: "begin", mode: "deferred" }, busyMs);
    const started = performance.now();
    expect(() => begin(200)).toThrow("database is locked");
    expect(performance.now() - started).toBeGreaterThan(150);
    other.exec("ROLLBACK");
    begin(200);
    connection.close();
    other.close();
  });

  it("can be written by two services at once", async () => {
    const other = createSqliteService();
    try {
      const [a, b] = [open(world), open({ ...world, service: other })];
      await execute(a, "CREATE TABLE t (n INTEGER)");
      const writes = Array.from({ length: 60 }, (_, n) => execute(n % 2 === 0 ? a : b, `INSERT INTO t VALUES (${n})`));
      await Promise.all(writes);
      expect(await query(a, "SELECT count(DISTINCT n) AS c FROM t")).toEqual([{ c: 60 }]);
      expect(readdirSync(world.folder)).toContain("a.db-wal");
    } finally {
      await other.close();
    }
  });
});
