/** Adapter memory: records and logs, lifetimes, metadata, lists and their filters, permissions, bounds, and where its file is. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryAdapter } from "../../../../adapters/builtin/memory/definition.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type AdapterRuns, adapterRuns } from "../../store/adapter-runs.ts";

let runs: AdapterRuns;
let memory: AdapterBench;
beforeEach(async () => {
  runs = adapterRuns(memoryAdapter);
  memory = await runs.run();
});
afterEach(() => runs.close());

const folder = mkdtempSync(join(tmpdir(), "weft-memory-adapter-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = "2030-01-01T00:00:00.000Z";

/** The ids of a list. */
async function listed(...args: readonly unknown[]): Promise<readonly string[]> {
  const { items } = (await memory.call("list", ...args)) as { items: readonly { record_id: string }[] };
  return items.map((item) => item.record_id);
}

async function payload(...key: readonly string[]): Promise<unknown> {
  const { record } = (await memory.call("get", ...key)) as { record: { payload: unknown } | null };
  return record?.payload;
}

describe("records", () => {
  test("put, get and put again", async () => {
    verifies("adapter.memory.put", "adapter.memory.get");
    expect(await memory.call("put", "workflow", "job.state", "j1", { step: 1 })).toEqual({
      ok: true,
      created: true,
      updated_at: START,
      version: 1,
    });
    runs.advance(60);
    await memory.call("PUT", "workflow", "job.state", "j1", { step: 2 }, 3600, { source: "s", other: [1] });
    expect(await memory.call("get", "workflow", "job.state", "j1")).toEqual({
      found: true,
      record: {
        namespace: "workflow",
        record_kind: "job.state",
        record_id: "j1",
        created_at: START,
        updated_at: "2030-01-01T00:01:00.000Z",
        ttl_seconds: 3600,
        payload: { step: 2 },
        metadata: { source: "s", other: [1] },
        version: 2,
      },
    });
    expect(await memory.call("get", "workflow", "job.state", "zz")).toEqual({ found: false, record: null });
  });

  test("whole numbers become ids; null in an optional place is left out", async () => {
    await memory.call("put", "ops", "k", 7, { v: 1 }, null, null);
    expect(await payload("ops", "k", "7")).toEqual({ v: 1 });
  });

  test("they end with their lifetime, counted from the last write", async () => {
    await memory.call("put", "session", "k", "1", { a: 1 }, 10);
    runs.advance(9);
    expect(await memory.call("patch", "session", "k", "1", { b: 2 })).toEqual({
      ok: true,
      updated_at: "2030-01-01T00:00:09.000Z",
      version: 2,
    });
    runs.advance(9);
    expect(await payload("session", "k", "1")).toEqual({ a: 1, b: 2 });
    expect(await memory.call("count", "session")).toBe(1);
    runs.advance(1);
    expect(await memory.call("get", "session", "k", "1")).toEqual({ found: false, record: null });
    expect(await memory.code("patch", "session", "k", "1", {})).toBe("ADAPTER_NOT_FOUND");
    expect(await memory.call("count", "session", "k")).toBe(0);
    expect(await memory.call("delete", "session", "k", "1")).toEqual({ ok: true, deleted: false });
  });

  test("delete says whether there was one", async () => {
    verifies("adapter.memory.delete");
    await memory.call("put", "ops", "k", "1", {});
    expect(await memory.call("delete", "ops", "k", "1")).toEqual({ ok: true, deleted: true });
    expect(await memory.call("delete", "ops", "k", "1")).toEqual({ ok: true, deleted: false });
  });

  test("prune removes what has expired, in one namespace or in all", async () => {
    verifies("adapter.memory.prune");
    for (const namespace of ["session", "ops", "workflow"]) await memory.call("put", namespace, "k", "1", {}, 10);
    await memory.call("put", "session", "k", "2", {});
    runs.advance(11);
    expect(await memory.call("prune", "ops")).toEqual({ ok: true, pruned: 1 });
    const bound = await runs.run({ allow_namespaces: ["session", "ops"] });
    expect(await bound.call("prune")).toEqual({ ok: true, pruned: 1 });
    expect(await memory.call("prune", "")).toEqual({ ok: true, pruned: 1 });
    expect(await memory.call("prune", null)).toEqual({ ok: true, pruned: 0 });
  });

  test("conditions", async () => {
    expect(await memory.code("put", "ops", "k", "1", {}, { if_version: 1 })).toBe("ADAPTER_CONFLICT");
    await memory.call("put", "ops", "k", "1", {}, { if_absent: true });
    expect(await memory.code("put", "ops", "k", "1", {}, null, null, { if_absent: true })).toBe("ADAPTER_CONFLICT");
    await memory.call("put", "ops", "k", "1", { a: { b: 1, c: 1 } }, null, { source: "s" }, { if_version: 1 });
    expect(await memory.code("patch", "ops", "k", "1", {}, { if_version: 1 })).toBe("ADAPTER_CONFLICT");
    expect(await memory.call("patch", "ops", "k", "1", { a: { c: null } }, { if_version: 2 })).toMatchObject({
      version: 3,
    });
    expect(await payload("ops", "k", "1")).toEqual({ a: { b: 1 } });
  });
});

describe("logs", () => {
  test("append makes the log and adds to it", async () => {
    expect(await memory.call("append", "daily_log", "visits", "d", { n: 1 })).toEqual({
      ok: true,
      updated_at: START,
      entries: 1,
    });
    expect(await memory.call("append", "daily_log", "visits", "d", { n: 2 }, 60, { source: "s" })).toMatchObject({
      entries: 2,
    });
    expect(await payload("daily_log", "visits", "d")).toEqual({ entries: [{ n: 1 }, { n: 2 }] });
    expect(await memory.call("get", "daily_log", "visits", "d", { tail: 1 })).toMatchObject({
      record: { payload: { entries: [{ n: 2 }] }, ttl_seconds: 60, metadata: { source: "s" } },
    });
  });

  test("the lifetime is kept without one, and null takes it away", async () => {
    await memory.call("append", "ops", "k", "log", {}, 60);
    await memory.call("append", "ops", "k", "log", {});
    expect(await memory.call("get", "ops", "k", "log")).toMatchObject({ record: { ttl_seconds: 60 } });
    await memory.call("append", "ops", "k", "log", {}, null);
    expect(await memory.call("get", "ops", "k", "log")).toMatchObject({ record: { ttl_seconds: null } });
  });

  test("one idempotency key adds once", async () => {
    const same = { idempotency_key: "same" };
    await memory.call("append", "ops", "k", "log", { n: 1 }, same);
    expect(await memory.call("append", "ops", "k", "log", { n: 1 }, same)).toMatchObject({ entries: 1 });
    expect(await memory.code("append", "ops", "k", "log", { n: 2 }, same)).toBe("ADAPTER_CONFLICT");
    expect(await payload("ops", "k", "log")).toEqual({ entries: [{ n: 1 }] });
  });

  test("a record that is not a log is refused", async () => {
    await memory.call("put", "workflow", "job.state", "j1", { step: 1 });
    expect(await memory.code("append", "workflow", "job.state", "j1", { t: "a" })).toBe("ADAPTER_CONFLICT");
  });
});

describe("metadata", () => {
  test("may be part of the payload; metadata given separately wins", async () => {
    await memory.call("put", "ops", "k", "1", { a: 1, _metadata: { source: "s", tags: ["x"] } });
    await memory.call("put", "ops", "k", "2", { _metadata: { source: "s", tags: ["x"] } }, null, { source: "t" });
    expect(await memory.call("get", "ops", "k", "1")).toMatchObject({
      record: { payload: { a: 1 }, metadata: { source: "s", tags: ["x"] } },
    });
    expect(await memory.call("get", "ops", "k", "2")).toMatchObject({
      record: { metadata: { source: "t", tags: ["x"] } },
    });
    expect(await memory.code("put", "ops", "k", "3", { _metadata: { confidence: 2 } })).toBe("ADAPTER_BAD_ARGS");
  });

  test.each<[JsonObject, boolean]>([
    [{ confidence: 0 }, true],
    [{ confidence: 1.01 }, false],
    [{ confidence: "1" }, false],
    [{ source: 1 }, false],
    [{ tags: ["a", 1] }, false],
    [{ tags: "a" }, false],
    [{ valid_at: "2030-01-01T00:00:00+02:00" }, true],
    [{ valid_at: "2030-01-01" }, false],
    [{ valid_at: "2030-02-30T00:00:00Z" }, false],
    [{ last_accessed: 5 }, false],
    [{ access_count: -1 }, false],
    [{ access_count: 3, anything: { else: [null] } }, true],
    [JSON.parse('{"__proto__": {"confidence": 5}}'), true],
  ])("%j is valid: %s", async (metadata, valid) => {
    expect(await memory.code("put", "ops", "k", "m", {}, null, metadata)).toBe(valid ? "no error" : "ADAPTER_BAD_ARGS");
    if (!valid) return;
    const { record } = (await memory.call("get", "ops", "k", "m")) as { record: JsonObject };
    expect(JSON.stringify(record["metadata"])).toBe(JSON.stringify(metadata));
  });

  test("touch counts accesses", async () => {
    await memory.call("put", "ops", "k", "1", {});
    runs.advance(1);
    expect(await memory.call("get", "ops", "k", "1", { touch: true })).toMatchObject({
      record: {
        metadata: { last_accessed: "2030-01-01T00:00:01.000Z", access_count: 1 },
        version: 1,
        updated_at: START,
      },
    });
  });
});

describe("lists", () => {
  beforeEach(async () => {
    await memory.call("put", "long_term", "fact", "a1", { x: 1 }, null, { tags: ["t1"], source: "s" });
    runs.advance(1);
    await memory.call("put", "long_term", "fact", "B2", { x: 2 }, 100, {
      tags: ["t1", "t2"],
      valid_at: "2030-06-01T02:00:00+02:00",
    });
    runs.advance(1);
    await memory.call("put", "long_term", "pref", "c_3", { x: 3 });
  });

  test("items in order, without payloads", async () => {
    verifies("adapter.memory.list");
    expect(await memory.call("list", "long_term")).toEqual({
      items: [
        {
          record_kind: "fact",
          record_id: "B2",
          created_at: "2030-01-01T00:00:01.000Z",
          updated_at: "2030-01-01T00:00:01.000Z",
          ttl_seconds: 100,
        },
        { record_kind: "fact", record_id: "a1", created_at: START, updated_at: START, ttl_seconds: null },
        {
          record_kind: "pref",
          record_id: "c_3",
          created_at: "2030-01-01T00:00:02.000Z",
          updated_at: "2030-01-01T00:00:02.000Z",
          ttl_seconds: null,
        },
      ],
      next_cursor: null,
    });
  });

  test.each<[args: readonly unknown[], expected: string]>([
    [["fact"], "B2 a1"],
    [["fact", "a"], "a1"],
    [["fact", "A"], ""],
    [[null, "c_"], "c_3"],
    [[null, "c%"], ""],
    [[null, null, "2030-01-01T00:00:01Z"], "B2 c_3"],
    [[null, null, "2030-01-01T01:00:01+01:00"], "B2 c_3"],
    [[null, null, "2030-01-01T00:00:01Z", { updated_after: "2030-01-01T00:00:02Z" }], "c_3"],
    [[null, null, null, { tags_all: ["t1", "t2"] }], "B2"],
    [[null, null, null, { tags_any: ["t2", "t9"] }], "B2"],
    [[null, null, null, { source: "s" }], "a1"],
    [[null, null, null, { created_before: "2030-01-01T00:00:01Z" }], "a1"],
    [[null, null, null, { valid_at_after: "2030-06-01T00:00:00Z", valid_at_before: "2030-06-01T00:00:01Z" }], "B2"],
    [[null, null, null, { limit: 1, offset: 1 }], "a1"],
    [[null, null, null, { limit: null, tags_all: null }], "B2 a1 c_3"],
    [["", ""], "B2 a1 c_3"],
  ])("list %j", async (args, expected) => {
    expect((await listed("long_term", ...args)).join(" ")).toBe(expected);
  });

  test("since_last_accessed sees touched records", async () => {
    await memory.call("get", "long_term", "fact", "a1", { touch: true });
    const since = (time: string) => listed("long_term", null, null, null, { since_last_accessed: time });
    expect([await since("2030-01-01T00:00:02Z"), await since("2030-01-01T00:00:03Z")]).toEqual([["a1"], []]);
  });

  test("a cursor continues after the last page", async () => {
    const filters = { limit: 2 };
    const first = (await memory.call("list", "long_term", null, null, null, filters)) as { next_cursor: string };
    const rest = await listed("long_term", null, null, null, filters, { cursor: first.next_cursor });
    expect(rest).toEqual(["c_3"]);
    const both = { limit: 2, offset: 1 };
    expect(await memory.code("list", "long_term", null, null, null, both, { cursor: first.next_cursor })).toBe(
      "ADAPTER_BAD_ARGS",
    );
    expect(await memory.code("list", "long_term", { cursor: "no cursor" })).toBe("ADAPTER_BAD_ARGS");
  });

  test("include_expired", async () => {
    runs.advance(100);
    expect(await listed("long_term", "fact")).toEqual(["a1"]);
    expect(await listed("long_term", "fact", { include_expired: true })).toEqual(["B2", "a1"]);
  });
});

test.each<[verb: string, args: readonly unknown[]]>([
  ["put", ["intel", "k", "1", {}]],
  ["put", ["workflow", "", "1", {}]],
  ["put", ["workflow", 5, "1", {}]],
  ["put", ["workflow", "k", "", {}]],
  ["put", ["workflow", "k", "x".repeat(513), {}]],
  ["put", ["workflow", "k", "a\u0000", {}]],
  ["put", ["workflow", "k", "1", [1]]],
  ["put", ["workflow", "k", "1", "text"]],
  ["put", ["workflow", "k", "1", null]],
  ["put", ["workflow", "k", "1"]],
  ["put", ["workflow", "k", "1", {}, "60"]],
  ["put", ["workflow", "k", "1", {}, 0]],
  ["put", ["workflow", "k", "1", {}, 1.5]],
  ["put", ["workflow", "k", "1", {}, null, "meta"]],
  ["put", ["workflow", "k", "1", {}, null, {}, { if_version: 0 }]],
  ["get", ["workflow", "k"]],
  ["get", ["workflow", "k", "1", { tail: -1 }]],
  ["append", ["workflow", "k", "1", [1]]],
  ["append", ["workflow", "k", "1", {}, 0]],
  ["list", []],
  ["list", ["long_term", null, null, null, { bogus: 1 }]],
  ["list", ["long_term", null, null, null, { limit: 1001 }]],
  ["list", ["long_term", null, null, "yesterday"]],
  ["prune", ["intel"]],
  ["count", ["intel"]],
  ["patch", ["workflow", "k", "1", null]],
])("%s %j is ADAPTER_BAD_ARGS", async (verb, args) => {
  expect(await memory.code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
});

describe("settings", () => {
  test("allow_namespaces and allow_write", async () => {
    const bound = await runs.run({ allow_namespaces: ["ops"], allow_write: false });
    expect(await bound.call("count", "ops")).toBe(0);
    expect(await bound.code("count", "session")).toBe("ADAPTER_NOT_ALLOWED");
    for (const [verb, ...args] of [
      ["put", "ops", "k", "1", {}],
      ["append", "ops", "k", "1", {}],
      ["patch", "ops", "k", "1", {}],
      ["delete", "ops", "k", "1"],
      ["get", "ops", "k", "1", { touch: true }],
      ["prune"],
    ] as const) {
      expect(await bound.code(verb, ...args), verb).toBe("ADAPTER_WRITE_FORBIDDEN");
    }
  });

  test("extra namespaces and default lifetimes", async () => {
    const run = await runs.run({ extra_namespaces: ["intel"], default_ttl_s: { intel: 5 } });
    await run.call("put", "intel", "k", "1", {});
    await run.call("put", "intel", "k", "2", {}, 60);
    await run.call("append", "intel", "k", "3", {});
    runs.advance(5);
    expect(await run.call("count", "intel")).toBe(1);
  });

  test("bounds: bytes of a payload, entries of a log", async () => {
    const run = await runs.run({ max_payload_bytes: 20, max_entries: 1 });
    expect(await run.code("put", "ops", "k", "1", { text: "0123456789" })).toBe("ADAPTER_TOO_LARGE");
    expect(await run.code("append", "ops", "k", "1", { text: "0123456789" })).toBe("ADAPTER_TOO_LARGE");
    await run.call("append", "ops", "k", "1", {});
    expect(await run.code("append", "ops", "k", "1", {})).toBe("ADAPTER_QUOTA");
  });

  test("sweep_interval_s removes expired records along with writes", async () => {
    const run = await runs.run({ sweep_interval_s: 60 });
    await run.call("put", "ops", "k", "1", {}, 1);
    runs.advance(60);
    await run.call("put", "ops", "k", "2", {});
    expect(await run.call("prune")).toEqual({ ok: true, pruned: 0 });
  });
});

describe("where the file is", () => {
  test("setting db_path, else the memory's place, else the state directory; records outlive the service", async () => {
    verifies("state.tier3-durable");
    const places = { stateDir: join(folder, "state"), memoryDb: join(folder, "named.sqlite3") };
    for (const [settings, given, path] of [
      [{ db_path: join(folder, "own.db") }, places, join(folder, "own.db")],
      [{}, places, places.memoryDb],
      [{}, { stateDir: places.stateDir }, join(places.stateDir, "memory.db")],
    ] as const) {
      const before = adapterRuns(memoryAdapter, given);
      const run = await before.run(settings);
      await run.call("put", "ops", "k", "1", { kept: path.length });
      expect(await run.end()).toEqual([]);
      await before.close();
      expect(existsSync(path)).toBe(true);
      const after = adapterRuns(memoryAdapter, given);
      expect(await (await after.run(settings)).call("get", "ops", "k", "1")).toMatchObject({ found: true });
      await after.close();
    }
  });

  test("without any place the service's memory holds them, with a warning", async () => {
    await memory.call("put", "ops", "k", "1", {});
    expect(await memory.end()).toEqual([expect.stringContaining("memory_not_durable")]);
    expect(await (await runs.run()).call("count", "ops")).toBe(1);
  });
});
