/** Adapter cache: arguments in all their forms, lifetimes, conditions, permissions, bounds, and where its file is. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { cacheAdapter } from "../../../../adapters/builtin/cache/definition.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type AdapterRuns, adapterRuns } from "../../store/adapter-runs.ts";

let runs: AdapterRuns;
let cache: AdapterBench;
beforeEach(async () => {
  runs = adapterRuns(cacheAdapter);
  cache = await runs.run();
});
afterEach(() => runs.close());

const folder = mkdtempSync(join(tmpdir(), "weft-cache-adapter-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("set and get", () => {
  test("values by key, by namespace and key", async () => {
    verifies("adapter.cache.local");
    expect(await cache.call("get", "k")).toBeNull();
    expect(await cache.call("set", "k", { a: [1] })).toBeNull();
    expect(await cache.call("GET", "k")).toEqual({ a: [1] });
    expect(await cache.call("get", "default", "k")).toEqual({ a: [1] });
    expect(await cache.call("get", "other", "k")).toBeNull();
  });

  test("an object of options in the place of the value is refused, and nothing is stored", async () => {
    expect(await cache.code("set", "k", "v", { ttl_s: 60 })).toBe("ADAPTER_BAD_ARGS");
    expect(await cache.call("get", "k", "v")).toBeNull();
  });

  test.each<[what: string, args: readonly unknown[], namespace: string, key: string, value: unknown, lives: boolean]>([
    ["key, value", ["k", 5], "default", "k", 5, true],
    ["key, null", ["k", null], "default", "k", null, true],
    ["key, text", ["k", "v"], "default", "k", "v", true],
    ["key, object", ["k", { ttl_s: 5 }], "default", "k", { ttl_s: 5 }, true],
    ["number as key", [5, "v"], "default", "5", "v", true],
    ["text second: namespace, key, value", ["n", "k", 5], "n", "k", 5, true],
    ["text second: namespace, key, text", ["n", "k", "v"], "n", "k", "v", true],
    ["text second: namespace, key, null", ["n", "k", null], "n", "k", null, true],
    ["text second: namespace, key, object", ["n", "k", { a: true }], "n", "k", { a: true }, true],
    ["an object of options, with options after it", ["n", "k", { ttl_s: 60 }, {}], "n", "k", { ttl_s: 60 }, true],
    ["no text second, whole number third: key, value, lifetime", ["k", { a: 1 }, 5], "default", "k", { a: 1 }, false],
    ["no text second, 0 third: namespace, key, value", ["n", 7, 0], "n", "7", 0, true],
    ["no text second, fraction third: namespace, key, value", ["n", 7, 1.5], "n", "7", 1.5, true],
    ["four: namespace, key, value, lifetime", ["n", "k", 1, 5], "n", "k", 1, false],
    ["four, lifetime 0", ["n", "k", 1, 0], "n", "k", 1, true],
    ["four, value null", ["n", "k", null, 5], "n", "k", null, false],
    ["lifetime as option", ["n", "k", 1, null, { ttl_s: 5 }], "n", "k", 1, false],
    ["options in place of the lifetime", ["n", "k", 1, { ttl_s: 5 }], "n", "k", 1, false],
  ])("set: %s", async (_what, args, namespace, key, value, lives) => {
    expect(await cache.call("set", ...args)).toBeNull();
    expect(await cache.call("get", namespace, key, { meta: true })).toMatchObject({ found: true, value });
    runs.advance(5);
    expect(await cache.call("has", namespace, key)).toBe(lives);
  });

  test("a stored null reads like a miss, and is one only for has and meta", async () => {
    verifies("runtime.cache-null");
    await cache.call("set", "k", null);
    expect(await cache.call("get", "k", { default: "d" })).toBeNull();
    expect(await cache.call("get", "missing", { default: "d" })).toBe("d");
    expect(await cache.call("has", "k")).toBe(true);
    expect(await cache.call("get", "missing", { meta: true, default: 1 })).toEqual({
      found: false,
      value: 1,
      expires_at: null,
      version: null,
    });
    await cache.call("setex", "brief", 1, 60);
    expect(await cache.call("get", "brief", { meta: true })).toEqual({
      found: true,
      value: 1,
      expires_at: "2030-01-01T00:01:00.000Z",
      version: 2,
    });
  });

  test("conditions: if_absent answers whether it wrote, if_version refuses", async () => {
    expect(await cache.call("set", "n", "k", 1, 0, { if_absent: true })).toBe(true);
    expect(await cache.call("set", "n", "k", 2, 0, { if_absent: true })).toBe(false);
    const { version } = (await cache.call("get", "n", "k", { meta: true })) as { version: number };
    await cache.call("set", "n", "k", 3, 0, { if_version: version });
    expect(await cache.code("set", "n", "k", 4, 0, { if_version: version })).toBe("ADAPTER_CONFLICT");
    expect(await cache.call("get", "n", "k")).toBe(3);
  });
});

test("entries outlive a run, and end with their lifetime", async () => {
  verifies("state.tier2-cache");
  await cache.call("set", "n", "kept", 1);
  await cache.call("setex", "brief", 2, 5, { namespace: "n" });
  await cache.end();
  const next = await runs.run();
  expect([await next.call("get", "n", "kept"), await next.call("get", "n", "brief")]).toEqual([1, 2]);
  runs.advance(6);
  expect([await next.call("get", "n", "kept"), await next.call("get", "n", "brief")]).toEqual([1, null]);
});

test("incr, delete, keys and clear", async () => {
  expect(await cache.call("incr", "n", "visits", { ttl_s: 10 })).toBe(1);
  expect(await cache.call("incr", "n", "visits", { by: 4 })).toBe(5);
  expect(await cache.call("incr", "n", "visits", { by: -1, idempotency_key: "x" })).toBe(4);
  expect(await cache.call("incr", "n", "visits", { by: -1, idempotency_key: "x" })).toBe(4);
  expect(await cache.code("incr", "n", "visits", { by: 9, idempotency_key: "x" })).toBe("ADAPTER_CONFLICT");
  await cache.call("set", "n", "vip", "no number");
  expect(await cache.code("incr", "n", "vip")).toBe("ADAPTER_CONFLICT");
  expect(await cache.call("keys", "n")).toEqual(["vip", "visits"]);
  expect(await cache.call("keys", "n", { prefix: "vis", limit: 1 })).toEqual(["visits"]);
  expect(await cache.call("delete", "n", "vip")).toBe(true);
  expect(await cache.call("delete", "n", "vip")).toBe(false);
  expect(await cache.call("clear", "n")).toBe(1);
  expect(await cache.call("incr", "visits")).toBe(1);
});

test.each<[verb: string, args: readonly unknown[]]>([
  ["get", []],
  ["get", [""]],
  ["get", [1.5]],
  ["get", [{}]],
  ["get", ["a\u0000b"]],
  ["get", ["\ud800"]],
  ["get", ["x".repeat(513)]],
  ["get", ["ü".repeat(257)]],
  ["get", ["n", "k", "more"]],
  ["get", ["k", { other: 1 }]],
  ["set", ["k"]],
  ["set", ["n", { a: 1 }, "v"]],
  ["set", ["n", "", 1]],
  ["set", ["n", "k", 1, -1]],
  ["set", ["n", "k", 1, 1.5]],
  ["set", ["n", "k", 1, "5"]],
  ["set", ["n", "k", 1, 1e300]],
  ["setex", ["k", 1]],
  ["incr", ["k", { by: "1" }]],
  ["incr", ["k", { by: null }]],
  ["keys", []],
  ["keys", ["n", { limit: 0 }]],
  ["clear", []],
])("%s %j is ADAPTER_BAD_ARGS", async (verb, args) => {
  expect(await cache.code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
});

test.each(["x".repeat(512), "a b/c:%_'\"\\;--", "../..", "__proto__", "ü\u{1F600}"])("a key may be %j", async (key) => {
  await cache.call("set", key, key, key);
  expect(await cache.call("get", key, key)).toBe(key);
  expect(await cache.call("keys", key)).toEqual([key]);
});

describe("settings", () => {
  test("allow_namespaces", async () => {
    const bound = await runs.run({ allow_namespaces: ["mine"] });
    await bound.call("set", "mine", "k", 1);
    for (const [verb, ...args] of [
      ["get", "k"],
      ["get", "yours", "k"],
      ["set", "yours", "k", 1],
      ["setex", "k", 1, 1],
      ["has", "k"],
      ["incr", "yours", "k"],
      ["delete", "k"],
      ["clear", "yours"],
      ["keys", "yours"],
    ] as const) {
      expect(await bound.code(verb, ...args), verb).toBe("ADAPTER_NOT_ALLOWED");
    }
    const none = await runs.run({ allow_namespaces: [] });
    expect(await none.code("get", "mine", "k")).toBe("ADAPTER_NOT_ALLOWED");
  });

  test("allow_write", async () => {
    await cache.call("set", "n", "k", 1);
    const reader = await runs.run({ allow_write: false });
    expect(await reader.call("get", "n", "k")).toBe(1);
    for (const [verb, ...args] of [
      ["set", "n", "k", 2],
      ["setex", "k", 1, 1],
      ["incr", "n", "k"],
      ["delete", "n", "k"],
      ["clear", "n"],
    ] as const) {
      expect(await reader.code(verb, ...args), verb).toBe("ADAPTER_WRITE_FORBIDDEN");
    }
  });

  test("bounds: bytes of a value, entries of a namespace, bytes of all", async () => {
    const bound = await runs.run({ max_value_bytes: 10, max_entries: 2 });
    expect(await bound.code("set", "k", "123456789")).toBe("ADAPTER_TOO_LARGE");
    for (const key of ["c", "b", "a"]) await bound.call("set", "n", key, 1);
    expect(await bound.call("keys", "n")).toEqual(["a", "b"]);
    const tiny = await runs.run({ max_bytes: 100 });
    expect(await tiny.code("set", "k", "x".repeat(100))).toBe("ADAPTER_TOO_LARGE");
  });
});

describe("where the file is", () => {
  test("setting path, else the cache's place, else the state directory", async () => {
    const places = { stateDir: join(folder, "state"), cachePath: join(folder, "named", "c.db") };
    const placed = adapterRuns(cacheAdapter, places);
    await (await placed.run({ path: join(folder, "own.db") })).call("set", "k", 1);
    expect(existsSync(join(folder, "own.db"))).toBe(true);
    await (await placed.run()).call("set", "k", 1);
    expect(existsSync(places.cachePath)).toBe(true);
    await placed.close();
    const unplaced = adapterRuns(cacheAdapter, { stateDir: places.stateDir });
    await (await unplaced.run()).call("set", "k", 1);
    expect(existsSync(join(places.stateDir, "cache.db"))).toBe(true);
    await unplaced.close();
  });

  test("a path in the data root that leads out of it is refused", async () => {
    const dataRoot = join(folder, "data");
    mkdirSync(join(folder, "outside"));
    mkdirSync(dataRoot);
    symlinkSync(join(folder, "outside"), join(dataRoot, "link"));
    const placed = adapterRuns(cacheAdapter, { dataRoot });
    const out = await placed.run({ path: join(dataRoot, "link", "deeper", "c.db") });
    expect(await out.code("get", "k")).toBe("ADAPTER_BAD_SETTINGS");
    const inside = await placed.run({ path: join(dataRoot, "c.db") });
    expect(await inside.call("get", "k")).toBeNull();
    await placed.close();
  });

  test("a damaged file is moved aside and told to the operator", async () => {
    const path = join(folder, "damaged.db");
    writeFileSync(path, "x".repeat(5_000));
    const placed = adapterRuns(cacheAdapter);
    const run = await placed.run({ path });
    expect(await run.call("set", "n", "k", 1)).toBeNull();
    expect(await run.call("get", "n", "k")).toBe(1);
    expect(placed.logged).toEqual(["cache_file_damaged"]);
    await placed.close();
  });

  test("a damaged file that may be somebody else's stays where it is", async () => {
    const path = join(folder, "report.txt");
    const text = "not a cache ".repeat(500);
    writeFileSync(path, text);
    const placed = adapterRuns(cacheAdapter);
    expect(await (await placed.run({ path })).code("set", "n", "k", 1)).toBe("ADAPTER_BAD_DATA");
    expect(readFileSync(path, "utf8")).toBe(text);
    await placed.close();
  });

  test("on_error: a store that cannot be reached fails, or reads as missing", async () => {
    const path = join(folder, "is-a-folder");
    mkdirSync(path);
    expect(await (await runs.run({ path })).code("get", "k")).not.toBe("no error");
    const missing = await runs.run({ path, on_error: "miss" });
    expect(await missing.call("get", "k", { default: 1 })).toBe(1);
    expect(await missing.call("has", "k")).toBe(false);
    expect(await missing.call("keys", "n")).toEqual([]);
    expect(await missing.code("set", "k", 1)).not.toBe("no error");
  });
});
