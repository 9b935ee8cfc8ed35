/** The SQLite service with real helper processes: order, deadlines, cancellation, transactions, and what files survive. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HelperLine } from "../../../adapters/engine/helper-line.ts";
import type { SqliteDatabase, SqliteService } from "../../../adapters/engine/sqlite.ts";
import { createSqliteService } from "../../../adapters/engine/sqlite-service.ts";
import { systemTimers, type Timers } from "../../../adapters/engine/timers.ts";
import type { Json } from "../../../compiler/json.ts";

const RULES = { allow_tables: null, allow_ddl: true, allow_virtual: true, trust_triggers: false };
const LIMITS = { rules: RULES, max_rows: 1_000, max_bytes: 1_000_000 };
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n";
const AMPLE = { timeoutMs: 10_000 };

let folder: string;
let service: SqliteService;
/** Helpers of other tests in this process. */
let earlier: ReadonlySet<number>;
beforeEach(() => {
  earlier = new Set(childProcesses());
  folder = mkdtempSync(join(tmpdir(), "weft-sqlite-"));
  service = createSqliteService();
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(path = join(folder, "a.db"), from = service): SqliteDatabase {
  return from.open({ path, program: "sql", durability: "normal" });
}
function query(db: SqliteDatabase, sql: string, limits: Parameters<SqliteDatabase["call"]>[2] = AMPLE): Promise<Json> {
  return db.call("query", { ...LIMITS, sql, params: null }, limits);
}
function execute(db: SqliteDatabase, sql: string, limits = AMPLE): Promise<Json> {
  return db.call("execute", { ...LIMITS, sql, params: null }, limits);
}
/** The code of the failure, or what came instead. */
function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ({ value }),
    (error) => error.code ?? error,
  );
}

/** Ids of the helper processes that this test has started. */
function helpers(): number[] {
  return childProcesses().filter((pid) => !earlier.has(pid));
}

function childProcesses(): number[] {
  if (!existsSync("/proc/self/stat")) {
    const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout.split("\n");
    const ours = listed.map((line) => line.trim().split(/\s+/)).filter(([, parent]) => Number(parent) === process.pid);
    return ours.filter((words) => words.join(" ").includes("sqlite-helper")).map(([pid]) => Number(pid));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sqlite-helper");
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
}

describe("requests", () => {
  it("are answered in order, whoever makes them", async () => {
    const [a, b] = [open(), open()];
    await execute(a, "CREATE TABLE t (n INTEGER)");
    const writes = Array.from({ length: 20 }, (_, n) => execute(n % 2 === 0 ? a : b, `INSERT INTO t VALUES (${n})`));
    const seen = query(b, "SELECT count(*) AS c, max(n) AS m FROM t");
    await Promise.all(writes);
    expect(await seen).toEqual([{ c: 20, m: 19 }]);
    expect(helpers()).toHaveLength(1);
  });

  it("that outlive their deadline are stopped; those behind them fail retryably; the next one is served", async () => {
    const db = open();
    await execute(db, "CREATE TABLE t (n)");
    const endless = codeOf(query(db, ENDLESS, { timeoutMs: 200 }));
    const behind = query(db, "SELECT 1 AS one").catch((error) => error);
    expect(await endless).toBe("ADAPTER_TIMEOUT");
    expect(await behind).toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
    expect(await query(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: 0 }]);
  });

  it("whose time ends while they wait leave the line", async () => {
    const db = open();
    await query(db, "SELECT 1");
    const endless = codeOf(query(db, ENDLESS, { timeoutMs: 600 }));
    expect(await codeOf(query(db, "SELECT 1", { timeoutMs: 50 }))).toBe("ADAPTER_BUSY");
    expect(await endless).toBe("ADAPTER_TIMEOUT");
  });

  it("are given up at once when they are cancelled", async () => {
    const db = open();
    await query(db, "SELECT 1");
    const running = new AbortController();
    const waiting = new AbortController();
    const first = codeOf(query(db, ENDLESS, { timeoutMs: 60_000, signal: running.signal }));
    const second = codeOf(query(db, "SELECT 1", { timeoutMs: 60_000, signal: waiting.signal }));
    waiting.abort();
    expect(await second).toBe("ADAPTER_CANCELLED");
    running.abort();
    expect(await first).toBe("ADAPTER_CANCELLED");
    expect(await codeOf(query(db, "SELECT 1", { timeoutMs: 60_000, signal: AbortSignal.abort() }))).toBe(
      "ADAPTER_CANCELLED",
    );
    // The helper was killed a moment later, or is: either way the next request is served.
    await expect.poll(() => query(db, "SELECT 1 AS one").catch(() => null)).toEqual([{ one: 1 }]);
  });

  it("do not wait for more processes than there may be", async () => {
    const small = createSqliteService({ maxProcesses: 2 });
    try {
      const busy = [1, 2].map((n) => codeOf(query(open(join(folder, `${n}`), small), ENDLESS, { timeoutMs: 1_500 })));
      expect(await codeOf(query(open(join(folder, "3"), small), "SELECT 1"))).toBe("ADAPTER_BUSY");
      await Promise.all(busy);
      for (const n of [4, 5, 6])
        expect(await query(open(join(folder, `${n}`), small), "SELECT 1 AS n")).toHaveLength(1);
    } finally {
      await small.close();
    }
  });

  it("are refused after the handle or the service was closed", async () => {
    const db = open();
    await query(db, "SELECT 1");
    await db.close();
    expect(await codeOf(query(db, "SELECT 1"))).toBe("ADAPTER_UNAVAILABLE");
    const pending = codeOf(query(open(), ENDLESS));
    await service.close();
    expect(await pending).toBe("ADAPTER_UNAVAILABLE");
    expect(await codeOf(query(open(), "SELECT 1"))).toBe("ADAPTER_BUSY");
    expect(helpers()).toEqual([]);
  });
});

describe("helper processes", () => {
  it("end after a minute without requests, and the next request starts one", async () => {
    const due: { ms: number; then: () => void; off: boolean }[] = [];
    const timers: Timers = {
      now: systemTimers.now,
      after: (ms, then) => {
        const timer = { ms, then, off: false };
        due.push(timer);
        return () => {
          timer.off = true;
        };
      },
    };
    const own = createSqliteService({ timers });
    try {
      const db = open(join(folder, "idle.db"), own);
      await execute(db, "CREATE TABLE t (n)");
      const idle = due.filter(({ ms, off }) => ms === 60_000 && !off);
      expect(idle).toHaveLength(1);
      idle[0]?.then();
      await expect.poll(helpers).toEqual([]);
      expect(await query(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: 0 }]);
    } finally {
      await own.close();
    }
  });

  it("that are killed fail the request that ran, and lose nothing that was answered", async () => {
    const db = open();
    await execute(db, "CREATE TABLE t (n INTEGER)");
    let answered = 0;
    let failure: unknown = null;
    for (let n = 0; failure === null && n < 2_000; n += 1) {
      const write = execute(db, `INSERT INTO t VALUES (${n})`);
      if (n === 40) for (const pid of helpers()) process.kill(pid, "SIGKILL");
      await write.then(
        () => {
          answered += 1;
        },
        (error) => {
          failure = error;
        },
      );
    }
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT" });
    const [{ c }] = (await query(db, "SELECT count(*) AS c FROM t")) as [{ c: number }];
    expect(c - answered).toBeGreaterThanOrEqual(0);
    expect(c - answered).toBeLessThanOrEqual(1);
    expect(await query(db, "SELECT count(DISTINCT n) AS c FROM t")).toEqual([{ c }]);
  });

  it("end with a process that was killed, even in the middle of a query", async () => {
    const script = join(folder, "parent.mjs");
    const helper = new URL("../../../node_modules/.cache/weft/sqlite-helper.mjs", import.meta.url).pathname;
    writeFileSync(
      script,
      `import { fork } from "node:child_process";
       const child = fork(${JSON.stringify(helper)}, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
       child.send({ start: { path: ${JSON.stringify(join(folder, "o.db"))}, program: "sql", durability: "normal" } });
       child.on("message", () => {
         child.send({ id: 1, busyMs: 0, action: { kind: "call", operation: "query", input: ${JSON.stringify({ ...LIMITS, sql: ENDLESS, params: null })} } });
         console.log(child.pid);
         setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);
       });`,
    );
    const parent = spawnSync(process.execPath, [script], { encoding: "utf8" });
    const pid = Number(parent.stdout);
    expect(pid).toBeGreaterThan(0);
    const alive = () => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    await expect.poll(alive, { timeout: 8_000 }).toBe(false);
  });
});

describe("a helper that cannot run", () => {
  it("fails the requests that wait for it, and is tried again by the next", async () => {
    const helper = join(folder, "helper.mjs");
    writeFileSync(helper, "process.exit(1);");
    const place = { path: ":memory:", program: "sql", durability: "normal" } as const;
    const line = new HelperLine(place, { helper, timers: systemTimers, idleMs: null, admit: () => true });
    const call = () => codeOf(line.submit({ kind: "call", operation: "query", input: null }, AMPLE));
    expect(await Promise.all([call(), call()])).toEqual(["ADAPTER_FAILED", "ADAPTER_FAILED"]);
    expect(await call()).toBe("ADAPTER_FAILED");
    await line.end();
  });

  it("leaves signals that were meant for its parent to its parent", async () => {
    const db = open();
    await query(db, "SELECT 1");
    for (const pid of helpers()) {
      process.kill(pid, "SIGINT");
      process.kill(pid, "SIGTERM");
    }
    expect(await query(db, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(helpers()).toHaveLength(1);
  });
});

describe("databases in memory", () => {
  it("belong to their handle", async () => {
    const [a, b] = [open(":memory:"), open(":memory:")];
    await execute(a, "CREATE TABLE t (n)");
    expect(await query(a, "SELECT count(*) AS c FROM t")).toEqual([{ c: 0 }]);
    expect(await codeOf(query(b, "SELECT * FROM t"))).toBe("ADAPTER_SQL_ERROR");
    await Promise.all([a.close(), b.close()]);
    expect(helpers()).toEqual([]);
  });
});

describe("files", () => {
  it("are made for their owner alone, folders too", async () => {
    const path = join(folder, "deep", "er", "a.db");
    await execute(open(path), "CREATE TABLE t (n)");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "deep")).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "deep", "er")).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["no database at all", Buffer.from("this is a letter to my aunt, not a database\n".repeat(100))],
    ["a header alone", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(2_000, 0xff)])],
  ])("that are damaged are reported and left as they are: %s", async (_, bytes) => {
    const path = join(folder, "bad.db");
    writeFileSync(path, bytes);
    expect(await codeOf(query(open(path), "SELECT * FROM sqlite_schema"))).toBe("ADAPTER_BAD_DATA");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("that are damaged in the middle are reported", async () => {
    const path = join(folder, "torn.db");
    const db = open(path);
    await execute(db, "CREATE TABLE t (a)");
    await execute(
      db,
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT 3000) SELECT hex(randomblob(20)) FROM n",
    );
    await service.close();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 8_192, 40_960);
    writeFileSync(path, bytes);
    service = createSqliteService();
    expect(await codeOf(query(open(path), "SELECT count(a) AS c FROM t WHERE a > ''"))).toBe("ADAPTER_BAD_DATA");
  });

  it("that cannot be opened are a matter of settings, and can be opened once they are there", async () => {
    const path = join(folder, "place");
    mkdirSync(path);
    const db = open(path);
    expect(await codeOf(query(db, "SELECT 1"))).toBe("ADAPTER_BAD_SETTINGS");
    rmSync(path, { recursive: true });
    expect(await query(db, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("on a full disk refuse writes and keep what they have", async (context) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      console.log("skipped: tmpfs cannot be mounted here");
      context.skip();
    }
    try {
      const db = open(join(disk, "a.db"));
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
      await service.close();
      service = createSqliteService();
      expect(await query(open(join(disk, "a.db")), "SELECT count(*) AS c FROM t")).toEqual([{ c: kept }]);
    } finally {
      await service.close();
      execFileSync("umount", [disk]);
    }
  });

  it("that are new can be opened by many at once", async () => {
    const services = Array.from({ length: 6 }, () => createSqliteService());
    try {
      const opened = services.map((one) => execute(open(undefined, one), "CREATE TABLE IF NOT EXISTS t (n INTEGER)"));
      expect(await Promise.all(opened.map(codeOf))).toEqual(
        Array(6).fill({ value: { rows_affected: 0, lastrowid: null } }),
      );
    } finally {
      await Promise.all(services.map((one) => one.close()));
    }
  });

  it("can be written by two services at once", async () => {
    const other = createSqliteService();
    try {
      const [a, b] = [open(), open(undefined, other)];
      await execute(a, "CREATE TABLE t (n INTEGER)");
      const writes = Array.from({ length: 60 }, (_, n) => execute(n % 2 === 0 ? a : b, `INSERT INTO t VALUES (${n})`));
      await Promise.all(writes);
      expect(await query(a, "SELECT count(DISTINCT n) AS c FROM t")).toEqual([{ c: 60 }]);
      expect(readdirSync(folder)).toContain("a.db-wal");
    } finally {
      await other.close();
    }
  });
});

describe("transactions", () => {
  const LIFE = { ...AMPLE, lifetimeMs: 60_000 };

  async function withTable(path?: string): Promise<SqliteDatabase> {
    const db = open(path);
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
    const [db, outside] = [await withTable(), open()];
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
    const [db, other] = [await withTable(), open()];
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
    const [db, other] = [await withTable(), open()];
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
