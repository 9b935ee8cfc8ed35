/** The SQLite service with real helper processes: order, deadlines, cancellation, and the life of the processes. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LostAnswer } from "../../../adapters/builtin/db/executor.ts";
import { SqliteExecutor } from "../../../adapters/builtin/db/sqlite-executor.ts";
import { SqliteInstance } from "../../../adapters/builtin/sqlite/instance.ts";
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { HelperLine } from "../../../adapters/engine/sqlite/request-queue.ts";
import { createSqliteService, defaultSqliteProcesses } from "../../../adapters/engine/sqlite/service.ts";
import { systemTimers, type Timers } from "../../../adapters/engine/timers.ts";
import { listenerWarnings } from "../../support/listener-warnings.ts";
import { AMPLE, codeOf, ENDLESS, execute, helpers, LIMITS, open, query, sqliteWorld } from "./sqlite-world.ts";

const world = sqliteWorld();

describe("requests", () => {
  it("of all callers are answered in order", async () => {
    const [a, b] = [open(world), open(world)];
    await execute(a, "CREATE TABLE t (n INTEGER)");
    const writes = Array.from({ length: 20 }, (_, n) => execute(n % 2 === 0 ? a : b, `INSERT INTO t VALUES (${n})`));
    const seen = query(b, "SELECT count(*) AS c, max(n) AS m FROM t");
    await Promise.all(writes);
    expect(await seen).toEqual([{ c: 20, m: 19 }]);
    expect(helpers()).toHaveLength(1);
  });

  it("that exceed their deadline are stopped; those that have not begun are served by the next process", async () => {
    const db = open(world);
    await execute(db, "CREATE TABLE t (n)");
    const endless = codeOf(query(db, ENDLESS, { timeoutMs: 200 }));
    const queued = [query(db, "SELECT 1 AS one"), query(db, "SELECT 2 AS two")];
    expect(await endless).toBe("ADAPTER_TIMEOUT");
    expect(await Promise.all(queued)).toEqual([[{ one: 1 }], [{ two: 2 }]]);
    expect(await query(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: 0 }]);
  });

  it("that take too much memory end their process, and are not to be repeated; the next one is served", async () => {
    const db = open(world);
    await query(db, "SELECT 1");
    const [before] = helpers();
    const columns = Array.from({ length: 20 }, (_, n) => `zeroblob(${400_000_000 + n}) || 1 AS c${n}`);
    const lengths = columns.map((_, n) => `length(c${n})`).join(" + ");
    const greedy = `SELECT ${lengths} AS n FROM (SELECT ${columns.join(", ")} LIMIT 1)`;
    const failure = await query(db, greedy, { timeoutMs: 60_000 }).catch((error) => error);
    expect(failure).toMatchObject({ code: "ADAPTER_TOO_LARGE", retryable: false });
    expect(await query(db, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(helpers()).not.toContain(before);
  });

  it("fill a database in memory up to a bound", async () => {
    const db = open(world, ":memory:");
    await execute(db, "CREATE TABLE t (b)");
    const insert = "INSERT INTO t VALUES (zeroblob(100000000))";
    for (const _ of [1, 2]) await execute(db, insert);
    const failure = await execute(db, insert).catch((error) => error);
    expect(failure).toMatchObject({ code: "ADAPTER_QUOTA", message: "the database in memory is full" });
    expect(await query(db, "SELECT count(*) AS c FROM t")).toEqual([{ c: 2 }]);
    await execute(db, "DELETE FROM t WHERE rowid = 1");
    await execute(db, insert);
    await db.close();
  });

  it("whose time ends while they wait leave the line", async () => {
    const db = open(world);
    await query(db, "SELECT 1");
    const endless = codeOf(query(db, ENDLESS, { timeoutMs: 600 }));
    expect(await codeOf(query(db, "SELECT 1", { timeoutMs: 50 }))).toBe("ADAPTER_BUSY");
    expect(await endless).toBe("ADAPTER_TIMEOUT");
  });

  it("are given up at once when they are cancelled", async () => {
    const db = open(world);
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
      const busy = [1, 2].map((n) =>
        codeOf(query(open({ ...world, service: small }, join(world.folder, `${n}`)), ENDLESS, { timeoutMs: 1_500 })),
      );
      expect(await codeOf(query(open({ ...world, service: small }, join(world.folder, "3")), "SELECT 1"))).toBe(
        "ADAPTER_BUSY",
      );
      await Promise.all(busy);
      for (const n of [4, 5, 6])
        expect(
          await query(open({ ...world, service: small }, join(world.folder, `${n}`)), "SELECT 1 AS n"),
        ).toHaveLength(1);
    } finally {
      await small.close();
    }
  });

  it.each([
    [512, 8],
    [2_048, 9],
    [8_192, 37],
    [65_536, 64],
  ])("of %i MiB of memory, a quarter is kept for processes: %i of them", (mebibytes, processes) => {
    expect(defaultSqliteProcesses(mebibytes * 1024 * 1024)).toBe(processes);
  });

  it("are refused after the handle or the service was closed", async () => {
    const db = open(world);
    await query(db, "SELECT 1");
    await db.close();
    expect(await codeOf(query(db, "SELECT 1"))).toBe("ADAPTER_UNAVAILABLE");
    const pending = codeOf(query(open(world), ENDLESS));
    await world.service.close();
    expect(await pending).toBe("ADAPTER_UNAVAILABLE");
    expect(await codeOf(query(open(world), "SELECT 1"))).toBe("ADAPTER_BUSY");
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
      const db = open({ ...world, service: own });
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
    const db = open(world);
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

  it("that write and are ended for their memory say that the outcome is unknown, except within a transaction", async () => {
    const db = open(world);
    await execute(db, "CREATE TABLE t (n INTEGER)");
    const ctx = { signal: new AbortController().signal, remainingMs: () => AMPLE.timeoutMs };
    const insert = { sql: "INSERT INTO t VALUES (1)", params: null };
    const sql = new SqliteInstance(db, LIMITS);
    /** As their watch ends processes. */
    const ended = async (call: () => Promise<unknown>): Promise<unknown> => {
      const pids = helpers();
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      const failed = call().catch((error) => error);
      for (const signal of ["SIGABRT", "SIGCONT"]) for (const pid of pids) process.kill(pid, signal);
      return failed;
    };
    const unknown = { code: "ADAPTER_TOO_LARGE", retryable: false, data: { outcome: "unknown" } };
    expect(await ended(() => sql.execute(insert, ctx))).toMatchObject(unknown);
    await query(db, "SELECT 1");
    expect(await ended(() => sql.batch([insert], ctx))).toMatchObject(unknown);
    await query(db, "SELECT 1");
    const change = { statement: { sql: insert.sql, parameters: [] }, before: null, expected: null };
    const lost = await ended(() => new SqliteExecutor(db).change(change, AMPLE));
    expect(lost).toMatchObject(unknown);
    expect(lost).toBeInstanceOf(LostAnswer);
    await sql.begin("immediate", AMPLE.timeoutMs, ctx);
    const within = await ended(() => sql.execute(insert, ctx));
    expect(within).toMatchObject({ code: "ADAPTER_TOO_LARGE", data: null });
    await sql.rollback();
  });

  it("end with a process that was killed, even in the middle of a query", async () => {
    const script = join(world.folder, "parent.mjs");
    const helper = new URL("../../../node_modules/.cache/weft/sqlite-helper.mjs", import.meta.url).pathname;
    writeFileSync(
      script,
      `import { fork } from "node:child_process";
       const child = fork(${JSON.stringify(helper)}, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
       child.send({ start: { path: ${JSON.stringify(join(world.folder, "o.db"))}, program: "sql", durability: "normal" } });
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

describe("the start of a helper", () => {
  /** Time that passes when the test says so. */
  function handTimers() {
    const due = new Set<{ readonly at: number; readonly then: () => void }>();
    let now = 0;
    const timers: Timers = {
      now: () => now,
      after(ms, then) {
        const timer = { at: now + ms, then };
        due.add(timer);
        return () => due.delete(timer);
      },
    };
    const advance = (ms: number): void => {
      now += ms;
      for (const timer of [...due]) if (timer.at <= now && due.delete(timer)) timer.then();
    };
    return { timers, advance };
  }
  const sum = { kind: "call", operation: "query", input: { ...LIMITS, sql: "SELECT 1 AS one", params: null } } as const;

  function lineOf(helper: string, timers: Timers, lost?: () => void): HelperLine {
    const place = { path: join(world.folder, "a.db"), program: "sql", durability: "normal" } as const;
    return new HelperLine(place, { helper, timers, idleMs: null, admit: () => true, ...(lost && { lost }) });
  }

  it("takes no time of the requests that wait for it, and extends those of their callers by what it takes", async () => {
    const { timers, advance } = handTimers();
    const line = lineOf(helperPath("sqlite-helper"), timers);
    const extended: number[] = [];
    const limits = { timeoutMs: 100, extend: (ms: number) => void extended.push(ms) };
    const answers = [line.submit(sum, limits), line.submit(sum, limits)];
    advance(3000);
    expect(extended).toEqual([10_000, 10_000]);
    expect(await Promise.all(answers)).toEqual([{ rows: [{ one: 1 }] }, { rows: [{ one: 1 }] }]);
    expect(extended).toEqual([10_000, 10_000, -7000, -7000]);
    expect(await line.submit(sum, limits)).toEqual({ rows: [{ one: 1 }] });
    expect(extended).toHaveLength(4);
    await line.end();
  });

  it("has a bound of its own", async () => {
    const helper = join(world.folder, "helper.mjs");
    writeFileSync(helper, "setInterval(() => {}, 1000);");
    const { timers, advance } = handTimers();
    const line = lineOf(helper, timers);
    const waiting = [line.submit(sum, AMPLE), line.submit(sum, { timeoutMs: 1 })].map(codeOf);
    advance(9999);
    advance(1);
    expect(await Promise.all(waiting)).toEqual(["ADAPTER_FAILED", "ADAPTER_FAILED"]);
    await line.end();
    expect(helpers()).toEqual([]);
  });

  it("is not repeated for requests that belong to what was lost with the process", async () => {
    let lost = 0;
    const line = lineOf(helperPath("sqlite-helper"), systemTimers, () => {
      lost += 1;
    });
    await line.submit({ kind: "begin", mode: "immediate" }, AMPLE);
    const endless = { kind: "call", operation: "query", input: { ...LIMITS, sql: ENDLESS, params: null } } as const;
    const late = codeOf(line.submit(endless, { timeoutMs: 200 }));
    const waiting = codeOf(line.submit(sum, AMPLE));
    expect([await late, await waiting, lost]).toEqual(["ADAPTER_TIMEOUT", "ADAPTER_BUSY", 1]);
    await line.end();
  });
});

describe("a helper that cannot run", () => {
  it("fails the requests that wait for it, and is tried again by the next", async () => {
    const helper = join(world.folder, "helper.mjs");
    writeFileSync(helper, "process.exit(1);");
    const place = { path: ":memory:", program: "sql", durability: "normal" } as const;
    const line = new HelperLine(place, { helper, timers: systemTimers, idleMs: null, admit: () => true });
    const call = () => codeOf(line.submit({ kind: "call", operation: "query", input: null }, AMPLE));
    expect(await Promise.all([call(), call()])).toEqual(["ADAPTER_FAILED", "ADAPTER_FAILED"]);
    expect(await call()).toBe("ADAPTER_FAILED");
    await line.end();
  });

  it("leaves signals that were meant for its parent to its parent", async () => {
    const db = open(world);
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
    const [a, b] = [open(world, ":memory:"), open(world, ":memory:")];
    await execute(a, "CREATE TABLE t (n)");
    expect(await query(a, "SELECT count(*) AS c FROM t")).toEqual([{ c: 0 }]);
    expect(await codeOf(query(b, "SELECT * FROM t"))).toBe("ADAPTER_SQL_ERROR");
    await Promise.all([a.close(), b.close()]);
    expect(helpers()).toEqual([]);
  });
});

describe("many helper processes that start at once", () => {
  it("add no listener each to the process that starts them (D2.Q-8)", async () => {
    const many = createSqliteService({ maxProcesses: 12 });
    const before = process.listenerCount("exit");
    const warnings = await listenerWarnings(async () => {
      const places = Array.from({ length: 12 }, (_, n) => join(world.folder, `${n}.db`));
      await Promise.all(places.map((path) => query(open({ ...world, service: many }, path), "SELECT 1")));
      expect(helpers()).toHaveLength(12);
      expect(process.listenerCount("exit") - before).toBeLessThanOrEqual(1);
      await many.close();
    });
    expect(warnings).toEqual([]);
  });
});
