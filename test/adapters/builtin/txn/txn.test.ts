/** Transactions of a run on `sqlite`: what they cover, how they end, and that none outlives its run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteAdapter } from "../../../../adapters/builtin/sqlite/definition.ts";
import { txnAdapter } from "../../../../adapters/builtin/txn/definition.ts";
import { defineAdapter } from "../../../../adapters/definition/define.ts";
import { createSqliteService } from "../../../../adapters/engine/sqlite/service.ts";
import type { SqliteService } from "../../../../adapters/engine/sqlite/sqlite.ts";
import type { Transactional } from "../../../../adapters/engine/sqlite/transactional.ts";
import { adapterError } from "../../../../adapters/errors.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, openBench } from "../../../support/adapter-bench.ts";

const COUNT = "SELECT count(*) AS c FROM t";
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

let folder: string;
let path: string;
let service: SqliteService;
let benches: AdapterBench[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "weft-txn-"));
  path = join(folder, "a.db");
  service = createSqliteService();
  benches = [];
  const bench = await open();
  await bench.callOther("sqlite", "execute", "CREATE TABLE t (n INTEGER PRIMARY KEY)");
});
afterEach(async () => {
  for (const bench of benches) await bench.end();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

type Others = NonNullable<Parameters<typeof openBench>[1]>["others"];

/** A run with txn, and with sqlite unless `others` names other adapters. */
async function open(settings: JsonObject = {}, others?: Others): Promise<AdapterBench> {
  const bench = await openBench(txnAdapter, {
    settings,
    services: { sqlite: service },
    others: others ?? [{ definition: sqliteAdapter, settings: { db_path: path, allow_write: true, timeout_s: 5 } }],
  });
  benches.push(bench);
  return bench;
}
const insert = (bench: AdapterBench, n: number) =>
  bench.callOther("sqlite", "execute", "INSERT INTO t VALUES (?)", [n]);
const count = async (bench: AdapterBench) => {
  const [row] = (await bench.callOther("sqlite", "query", COUNT)) as [{ c: number }];
  return row.c;
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error.code,
  );

/** An adapter in the place of db, with a transaction that does nothing, or none at all. */
function dbAdapter(instance: unknown) {
  return defineAdapter({
    apiVersion: 1,
    name: "db",
    version: "1.0.0",
    summary: "A stand-in.",
    support: "core",
    lane: "canonical",
    privilege: "local_state",
    sandboxSafe: false,
    networkFacing: false,
    durable: true,
    maturity: "beta",
    settings: {},
    open: () => {
      if (instance instanceof Error) throw instance;
      return instance;
    },
    verbs: {},
  });
}
function countingDb() {
  const seen: string[] = [];
  let isOpen = false;
  const target: Transactional = {
    get open() {
      return isOpen;
    },
    begin: async (mode, timeoutMs) => {
      isOpen = true;
      seen.push(`begin ${mode} ${timeoutMs}`);
    },
    commit: async () => {
      isOpen = false;
      seen.push("commit");
    },
    rollback: async () => {
      isOpen = false;
      seen.push("rollback");
    },
  };
  return { seen, definition: dbAdapter(target) };
}

describe("a transaction", () => {
  it("is kept by commit, and seen by others only then", async () => {
    const [bench, other] = [await open(), await open()];
    const id = await bench.call("begin", "pay");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await insert(bench, 1);
    expect([await count(bench), await count(other)]).toEqual([1, 0]);
    expect(await bench.call("commit", "pay")).toEqual({ ok: true, name: "pay", at: expect.stringMatching(/Z$/) });
    expect(await count(other)).toBe(1);
    expect(await bench.end()).toEqual([]);
  });

  it("is undone by rollback; the next call is outside of it", async () => {
    const bench = await open();
    await bench.call("begin");
    await insert(bench, 1);
    expect(await bench.call("rollback")).toMatchObject({ ok: true, name: "default" });
    expect(await count(bench)).toBe(0);
    await insert(bench, 2);
    expect(await bench.end()).toEqual([]);
    expect(await count(await open())).toBe(1);
  });

  it("survives a statement that fails", async () => {
    const bench = await open();
    await bench.call("begin", "pay");
    await insert(bench, 1);
    expect(await codeOf(insert(bench, 1))).toBe("ADAPTER_SQL_CONSTRAINT");
    await bench.call("commit", "pay");
    expect(await count(bench)).toBe(1);
  });

  it("is undone when the run ends, with a warning", async () => {
    const bench = await open();
    await bench.call("begin", "pay");
    await insert(bench, 1);
    expect(await bench.end()).toEqual(["transaction_rolled_back: pay was open at the end of the run"]);
    const other = await open();
    expect(await count(other)).toBe(0);
    await insert(other, 1);
  });

  it("is undone when its time is over; calls are refused until rollback", async () => {
    const bench = await open();
    await bench.call("begin", "pay", { timeout_s: 2 });
    await insert(bench, 1);
    await expect
      .poll(() => codeOf(bench.callOther("sqlite", "query", COUNT)), { timeout: 5_000 })
      .toBe("ADAPTER_CONFLICT");
    expect(await codeOf(insert(bench, 2))).toBe("ADAPTER_CONFLICT");
    await bench.call("rollback", "pay");
    expect(await count(bench)).toBe(0);
  });

  it("is undone when a call in it is stopped; commit says so", async () => {
    const bench = await open();
    await bench.call("begin", "pay");
    await insert(bench, 1);
    expect(await codeOf(bench.callOther("sqlite", "query", ENDLESS, null, { timeout_s: 0.2 }))).toBe("ADAPTER_TIMEOUT");
    await expect.poll(() => codeOf(bench.callOther("sqlite", "query", COUNT))).toBe("ADAPTER_CONFLICT");
    expect(await bench.code("commit", "pay")).toBe("ADAPTER_CONFLICT");
    expect(await count(bench)).toBe(0);
    expect(await bench.end()).toEqual([]);
  });
});

describe("modes", () => {
  it.each(["readwrite", "deferred", "immediate"])("%s lets write", async (mode) => {
    const bench = await open();
    await bench.call("begin", "pay", { mode });
    await insert(bench, 1);
    await bench.call("commit", "pay");
    expect(await count(bench)).toBe(1);
  });

  it("readonly refuses writes and sees one state throughout", async () => {
    const [bench, other] = [await open(), await open()];
    await bench.call("begin", "look", { mode: "readonly" });
    expect(await count(bench)).toBe(0);
    await insert(other, 1);
    expect(await count(bench)).toBe(0);
    expect(await codeOf(insert(bench, 2))).toBe("ADAPTER_WRITE_FORBIDDEN");
    await bench.call("commit", "look");
    expect(await count(bench)).toBe(1);
  });

  it("immediate is busy while another run holds the lock", async () => {
    const [bench, other] = [await open(), await open()];
    await bench.call("begin", "a", { mode: "immediate" });
    const error = await other.call("begin", "b", { mode: "immediate", timeout_s: 2 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "ADAPTER_BUSY", retryable: true });
    await bench.call("rollback", "a");
    await other.call("begin", "b", { mode: "immediate" });
  });

  it("others are refused", async () => {
    const bench = await open();
    expect(await bench.code("begin", "a", { mode: "serializable" })).toBe("ADAPTER_BAD_ARGS");
    expect(await bench.code("begin", "")).toBe("ADAPTER_BAD_ARGS");
    expect(await bench.code("begin", "x".repeat(129))).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("names and resources", () => {
  it("a name is opened once and ended once; a resource has one transaction", async () => {
    const bench = await open();
    expect(await bench.code("commit", "pay")).toBe("ADAPTER_CONFLICT");
    expect(await bench.code("rollback", "pay")).toBe("ADAPTER_CONFLICT");
    await bench.call("begin", "pay");
    expect(await bench.code("begin", "pay")).toBe("ADAPTER_CONFLICT");
    expect(await bench.code("begin", "other")).toBe("ADAPTER_CONFLICT");
    expect(await bench.code("commit")).toBe("ADAPTER_CONFLICT");
    await bench.call("commit", "pay");
    expect(await bench.code("commit", "pay")).toBe("ADAPTER_CONFLICT");
    await bench.call("begin", "pay");
    await bench.call("rollback", "pay");
  });

  it("a failed begin leaves the name free", async () => {
    const [bench, other] = [await open(), await open()];
    await bench.call("begin", "a", { mode: "immediate" });
    expect(await other.code("begin", "b", { mode: "immediate", timeout_s: 2 })).toBe("ADAPTER_BUSY");
    await bench.call("rollback", "a");
    await other.call("begin", "b");
    await other.call("rollback", "b");
    expect(await other.end()).toEqual([]);
  });

  it("without a database there is nothing to begin on", async () => {
    expect(await (await open({}, [])).code("begin")).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await open({}, [])).code("begin", "a", { resource: "sqlite" })).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await open()).code("begin", "a", { resource: "db" })).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await open({}, [{ definition: dbAdapter(undefined) }])).code("begin")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("with both databases one has to be named, and each has its own transaction", async () => {
    const db = countingDb();
    const sqlite = { definition: sqliteAdapter, settings: { db_path: path, allow_write: true } };
    const bench = await open({ timeout_s: 20 }, [sqlite, { definition: db.definition }]);
    expect(await bench.code("begin", "pay")).toBe("ADAPTER_BAD_ARGS");
    await bench.call("begin", "pay", { resource: "db", mode: "immediate" });
    await bench.call("begin", "note", { resource: "sqlite", timeout_s: 100 });
    await insert(bench, 1);
    await bench.call("commit", "pay");
    await bench.call("begin", "again", { resource: "db", timeout_s: 2 });
    expect(await bench.end()).toEqual([
      "transaction_rolled_back: note was open at the end of the run",
      "transaction_rolled_back: again was open at the end of the run",
    ]);
    expect(db.seen).toEqual(["begin immediate 20000", "commit", "begin deferred 2000", "rollback"]);
    expect(await count(await open())).toBe(0);
  });

  it("a db that is enabled and not set up does not count; one that fails otherwise does", async () => {
    const sqlite = { definition: sqliteAdapter, settings: { db_path: path, allow_write: true } };
    const absent = dbAdapter(adapterError("ADAPTER_NOT_CONFIGURED", "no section"));
    const bench = await open({}, [sqlite, { definition: absent }]);
    await bench.call("begin", "pay");
    const broken = dbAdapter(adapterError("ADAPTER_BAD_SETTINGS", "broken"));
    expect(await (await open({}, [{ definition: broken }])).code("begin")).toBe("ADAPTER_BAD_SETTINGS");
  });
});
