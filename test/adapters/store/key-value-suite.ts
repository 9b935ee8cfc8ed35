/** What every implementation of `KeyValueStore` must do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KeyValueStore, SetRequest } from "../../../adapters/store/key-value.ts";
import type { Json } from "../../../compiler/json.ts";
import { codeOf, type OpenStoreBench, START, type StoreBench } from "./bench.ts";

const ROOM = { maxEntries: 1_000, maxBytes: 1_000_000 };

export function keyValueSuite(name: string, open: OpenStoreBench): void {
  describe(`key-value store: ${name}`, () => {
    let bench: StoreBench;
    let store: KeyValueStore;
    let spaces = 0;
    beforeAll(async () => {
      bench = await open();
      store = bench.stores.keyValues(bench.path, true);
    });
    afterAll(() => bench.close());

    /** A namespace of its own for a test. */
    function space() {
      spaces += 1;
      const namespace = `n${spaces}`;
      const { call } = bench;
      return {
        namespace,
        set: (key: string, value: Json, more: Partial<SetRequest> = {}) =>
          store.set(
            { namespace, key, value, ttlSeconds: null, ifAbsent: false, ifVersion: null, ...ROOM, ...more },
            call,
          ),
        get: async (key: string) => (await store.get({ namespace, key }, call))?.value,
        incr: (key: string, by: number, idempotency: string, more: { ttlSeconds?: number } = {}) =>
          store.increment(
            { namespace, key, by, ttlSeconds: null, once: { key: idempotency, argsHash: `${by}` }, ...ROOM, ...more },
            call,
          ),
        keys: (prefix = "", limit = 100) => store.keys({ namespace, prefix, limit }, call),
      };
    }

    test.each<[string, Json]>([
      ["null", null],
      ["nested", { a: [1, 2.5, { "ü \u2028": "\ud800" }], ["__proto__"]: 1 }],
      ["false", false],
      ["text", "42"],
    ])("keeps %s as it is", async (_what, value) => {
      const { set, namespace } = space();
      expect(await set("k", value)).toBe(true);
      const entry = await store.get({ namespace, key: "k" }, bench.call);
      expect(JSON.stringify(entry?.value)).toBe(JSON.stringify(value));
      expect(await store.has({ namespace, key: "k" }, bench.call)).toBe(true);
    });

    test("namespaces are apart, and one is cleared alone", async () => {
      const [one, two] = [space(), space()];
      await one.set("k", 1);
      await one.set("l", 1);
      await two.set("k", 2);
      expect(await store.clear(one.namespace, bench.call)).toBe(2);
      expect([await one.get("k"), await two.get("k")]).toEqual([undefined, 2]);
    });

    test("an entry ends with its lifetime, for every method", async () => {
      const { set, get, keys, incr, namespace } = space();
      await set("k", 7, { ttlSeconds: 5 });
      await set("kept", 1);
      bench.advance(4_999);
      expect(await store.get({ namespace, key: "k" }, bench.call)).toMatchObject({ value: 7 });
      bench.advance(1);
      expect(await get("k")).toBeUndefined();
      expect(await store.has({ namespace, key: "k" }, bench.call)).toBe(false);
      expect(await store.delete({ namespace, key: "k" }, bench.call)).toBe(false);
      expect(await keys()).toEqual(["kept"]);
      await set("k", 7, { ttlSeconds: 5 });
      bench.advance(5_000);
      expect(await incr("k", 1, "after expiry")).toBe(1);
      expect(await set("l", 1, { ttlSeconds: 5 })).toBe(true);
      bench.advance(5_000);
      expect(await set("l", 2, { ifAbsent: true })).toBe(true);
      expect(await store.clear(namespace, bench.call)).toBe(3);
      await set("m", 1, { ttlSeconds: 5 });
      bench.advance(5_000);
      expect(await store.clear(namespace, bench.call)).toBe(0);
    });

    test("conditions: absent, and version", async () => {
      const { set, get, namespace } = space();
      const version = async () => (await store.get({ namespace, key: "k" }, bench.call))?.version ?? 0;
      expect(await set("k", 1, { ifVersion: 0 })).toBe(true);
      expect(await set("k", 2, { ifAbsent: true })).toBe(false);
      expect(await get("k")).toBe(1);
      const first = await version();
      await set("k", 3, { ifVersion: first });
      expect(await codeOf(set("k", 4, { ifVersion: first }))).toBe("ADAPTER_CONFLICT");
      expect(await codeOf(set("k", 4, { ifVersion: 0 }))).toBe("ADAPTER_CONFLICT");
      await store.delete({ namespace, key: "k" }, bench.call);
      await set("k", 5);
      expect(await version()).toBeGreaterThan(first + 1);
    });

    test("increments count from 0, keep the lifetime, and one key counts once", async () => {
      const { set, get, incr, namespace } = space();
      const keys = [1, 2, 3].map((n) => `${namespace}-${n}`) as [string, string, string];
      expect(await incr("n", 2, keys[0], { ttlSeconds: 10 })).toBe(2);
      expect(await incr("n", 0.5, keys[1], { ttlSeconds: 1_000 })).toBe(2.5);
      expect(await incr("n", 0.5, keys[1])).toBe(2.5);
      expect(await codeOf(incr("n", 3, keys[1]))).toBe("ADAPTER_CONFLICT");
      bench.advance(10_000);
      expect(await get("n")).toBeUndefined();
      bench.advance(3_600_000);
      expect(await incr("n", 3, keys[1])).toBe(3);
      await set("text", "1");
      expect(await codeOf(incr("text", 1, keys[2]))).toBe("ADAPTER_CONFLICT");
      await set("text", 1.7e308);
      expect(await codeOf(incr("text", 1.7e308, keys[2]))).toBe("ADAPTER_NUMERIC_RANGE");
      // A failed call leaves no trace under its key.
      await set("text", null);
      expect(await incr("text", 1, keys[2])).toBe(1);
    });

    test("keys come in the order of their bytes, by prefix and up to a limit", async () => {
      const { set, keys } = space();
      for (const key of ["b", "a%", "a_", "a", "B", "ä", "a\u{1F600}"]) await set(key, 1);
      expect(await keys()).toEqual(["B", "a", "a%", "a_", "a\u{1F600}", "b", "ä"]);
      expect(await keys("a")).toEqual(["a", "a%", "a_", "a\u{1F600}"]);
      expect(await keys("a_")).toEqual(["a_"]);
      expect(await keys("", 2)).toEqual(["B", "a"]);
    });

    test("above the bound of a namespace the least recently used go", async () => {
      const { set, get, keys } = space();
      const other = space();
      await other.set("stays", 1);
      for (const key of ["z", "y", "x"]) await set(key, 1, { maxEntries: 3 });
      bench.advance(120_000);
      await get("z");
      await set("w", 1, { maxEntries: 3 });
      expect(await keys()).toEqual(["w", "x", "z"]);
      await set("v", 1, { maxEntries: 1 });
      expect(await keys()).toEqual(["v"]);
      expect(await codeOf(set("u", 1, { maxEntries: 0 }))).toBe("ADAPTER_QUOTA");
      expect(await other.get("stays")).toBe(1);
    });

    test("what has expired goes before what is in use", async () => {
      const { set, keys } = space();
      await set("old", 1, { maxEntries: 2 });
      await set("brief", 1, { maxEntries: 2, ttlSeconds: 1 });
      bench.advance(2_000);
      await set("new", 1, { maxEntries: 2 });
      expect(await keys()).toEqual(["new", "old"]);
    });

    test("the bound of bytes holds over all namespaces", async () => {
      const fresh = await open();
      const of = fresh.stores.keyValues(fresh.path, true);
      const write = (namespace: string, size: number) =>
        of.set(
          {
            namespace,
            key: "k",
            value: "v".repeat(size),
            ttlSeconds: null,
            ifAbsent: false,
            ifVersion: null,
            maxEntries: 10,
            maxBytes: 1_000,
          },
          fresh.call,
        );
      const there = (namespace: string) => of.has({ namespace, key: "k" }, fresh.call);
      for (const namespace of ["a", "b", "c"]) await write(namespace, 300);
      expect(await there("a")).toBe(true);
      await write("d", 600);
      expect(await Promise.all(["a", "b", "c", "d"].map(there))).toEqual([false, false, true, true]);
      expect(await codeOf(write("e", 1_000))).toBe("ADAPTER_TOO_LARGE");
      await fresh.close();
    });

    test("expiry times are returned", async () => {
      const { set, namespace } = space();
      await set("k", 1, { ttlSeconds: 10_000_000_000 });
      const entry = await store.get({ namespace, key: "k" }, bench.call);
      expect(entry?.expiresMs).toBeGreaterThan(START);
      expect(new Date(entry?.expiresMs ?? 0).getUTCFullYear()).toBeLessThan(10_000);
    });
  });
}
