/** Transactions of a handle: what they cover, how they end, and what is left when their process is lost. */
import { describe, expect, it } from "vitest";
import type { SqliteDatabase } from "../../../adapters/engine/sqlite/sqlite.ts";
import { AMPLE, codeOf, ENDLESS, execute, helpers, open, query, sqliteWorld } from "./sqlite-world.ts";

const world = sqliteWorld();

describe("transactions", () => {
  const LIFE = { ...AMPLE, lifetimeMs: 60_000 };

  async function withTable(path?: string): Promise<SqliteDatabase> {
    const db = open(world, path);
    await execute(db, "CREATE TABLE t (n INTEGER PRIMARY KEY)");
    return db;
  }
  const COUNT = "SELECT count(*) AS c FROM t";

  it.each(["a file", ":memory:"])("of %s are kept by commit and undone by rollback", async (place) => {
    const db = await withTable(place === ":memory:" ? place : undefined);
    await db.begin("deferred", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    await db.rollback();
    expect(await query(db, COUNT)).toEqual([{ c: 0 }]);
    await db.begin("immediate", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    expect(await codeOf(execute(db, "INSERT INTO t VALUES (2), (1)"))).toBe("ADAPTER_SQL_CONSTRAINT");
    await db.commit(AMPLE);
    expect(db.inTransaction).toBe(false);
    expect(await query(db, COUNT)).toEqual([{ c: 1 }]);
    expect(await codeOf(db.commit(AMPLE))).toBe("ADAPTER_CONFLICT");
    await db.rollback();
  });

  it("are not seen from outside before their commit, and do not hold up readers", async () => {
    const [db, outside] = [await withTable(), open(world)];
    await db.begin("immediate", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    expect(await query(db, COUNT)).toEqual([{ c: 1 }]);
    expect(await query(outside, COUNT)).toEqual([{ c: 0 }]);
    expect(await codeOf(execute(outside, "INSERT INTO t VALUES (2)", { timeoutMs: 1_000 }))).toBe("ADAPTER_BUSY");
    await db.commit(AMPLE);
    expect(await query(outside, COUNT)).toEqual([{ c: 1 }]);
    await execute(outside, "INSERT INTO t VALUES (2)");
  });

  it.each(["a file", ":memory:"])("of %s that only read refuse writes, and only while they are open", async (place) => {
    const db = await withTable(place === ":memory:" ? place : undefined);
    await db.begin("readonly", LIFE);
    expect(await query(db, COUNT)).toEqual([{ c: 0 }]);
    expect(await codeOf(execute(db, "INSERT INTO t VALUES (1)"))).toBe("ADAPTER_WRITE_FORBIDDEN");
    await db.commit(AMPLE);
    await execute(db, "INSERT INTO t VALUES (1)");
  });

  it("cannot be opened twice, and fail to open while another holds the lock", async () => {
    const [db, other] = [await withTable(), open(world)];
    await db.begin("immediate", LIFE);
    expect(await codeOf(db.begin("immediate", LIFE))).toBe("ADAPTER_CONFLICT");
    expect(await codeOf(other.begin("immediate", { timeoutMs: 1_500, lifetimeMs: 1_000 }))).toBe("ADAPTER_BUSY");
    expect(other.inTransaction).toBe(false);
  });

  it("that lose their process are over: nothing is written outside of them by mistake", async () => {
    const db = await withTable();
    await db.begin("immediate", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    expect(await codeOf(query(db, ENDLESS, { timeoutMs: 200 }))).toBe("ADAPTER_TIMEOUT");
    expect(await codeOf(execute(db, "INSERT INTO t VALUES (2)"))).toBe("ADAPTER_CONFLICT");
    expect(await codeOf(db.commit(AMPLE))).toBe("ADAPTER_CONFLICT");
    expect(await query(db, COUNT)).toEqual([{ c: 0 }]);
  });

  it.each(["a file", ":memory:"])("of %s are rolled back when their time is over", async (place) => {
    const db = await withTable(place === ":memory:" ? place : undefined);
    await db.begin("immediate", { ...AMPLE, lifetimeMs: 50 });
    await expect.poll(() => codeOf(query(db, COUNT))).toBe("ADAPTER_CONFLICT");
    await db.rollback();
    expect(await query(db, COUNT)).toEqual([{ c: 0 }]);
    await execute(db, "INSERT INTO t VALUES (1)");
  });

  it("end with their handle", async () => {
    const [db, other] = [await withTable(), open(world)];
    await db.begin("immediate", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    await db.close();
    await execute(other, "INSERT INTO t VALUES (2)");
    expect(await query(other, COUNT)).toEqual([{ c: 1 }]);
  });

  it("whose commit is never answered say that the outcome is unknown", async () => {
    const db = await withTable();
    await db.begin("immediate", LIFE);
    await execute(db, "INSERT INTO t VALUES (1)");
    const pids = helpers();
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    const commit = db.commit(AMPLE).then(
      () => null,
      (error) => error,
    );
    for (const pid of pids) process.kill(pid, "SIGKILL");
    expect(await commit).toMatchObject({
      code: "ADAPTER_TRANSPORT",
      retryable: false,
      data: { outcome: "unknown" },
    });
  });
});
