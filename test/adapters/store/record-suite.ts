/** What every implementation of `RecordStore` must do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AppendRequest, ListRequest, PutRequest, RecordStore } from "../../../adapters/store/record.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { codeOf, type OpenStoreBench, START, type StoreBench } from "./bench.ts";

const BOUNDS = { maxPayloadBytes: 1_000, maxEntries: 5, sweepIntervalMs: 0 };
const OPEN = { after: null, before: null };
const ALL: Omit<ListRequest, "namespace"> = {
  kind: null,
  idPrefix: "",
  created: OPEN,
  updated: OPEN,
  validAt: OPEN,
  accessedSince: null,
  source: null,
  tagsAny: null,
  tagsAll: [],
  includeExpired: false,
  after: null,
  offset: 0,
  limit: 100,
};

export function recordSuite(name: string, open: OpenStoreBench): void {
  describe(`record store: ${name}`, () => {
    let bench: StoreBench;
    let store: RecordStore;
    let spaces = 0;
    beforeAll(async () => {
      bench = await open();
      store = bench.stores.records(bench.path);
    });
    afterAll(() => bench.close());

    /** A namespace of its own for a test; records are of kind `k` unless the id says `kind/id`. */
    function space() {
      spaces += 1;
      const namespace = `n${spaces}`;
      const { call } = bench;
      const keyOf = (written: string) => {
        const [id = "", kind = "k"] = written.split("/").reverse();
        return { namespace, kind, id };
      };
      const append = (id: string, entry: JsonObject, idempotency: string, more: Partial<AppendRequest> = {}) =>
        store.append(
          {
            ...keyOf(id),
            ...BOUNDS,
            entry,
            ttlSeconds: undefined,
            newTtlSeconds: null,
            metadata: null,
            once: { key: `${namespace} ${idempotency}`, argsHash: JSON.stringify(entry) },
            ...more,
          },
          call,
        );
      return {
        namespace,
        append,
        put: (id: string, payload: JsonObject, more: Partial<PutRequest> = {}) =>
          store.put(
            {
              ...keyOf(id),
              ...BOUNDS,
              payload,
              ttlSeconds: null,
              metadata: null,
              ifAbsent: false,
              ifVersion: null,
              ...more,
            },
            call,
          ),
        get: (id: string, tail: number | null = null) => store.get({ ...keyOf(id), tail, touch: false }, call),
        touch: (id: string) => store.get({ ...keyOf(id), tail: null, touch: true }, call),
        patch: (id: string, patch: JsonObject, ifVersion: number | null = null) =>
          store.patch({ ...keyOf(id), ...BOUNDS, patch, ifVersion }, call),
        delete: (id: string) => store.delete(keyOf(id), call),
        count: (kind: string | null = null) => store.count({ namespace, kind }, call),
        list: async (more: Partial<ListRequest> = {}) => {
          const page = await store.list({ ...ALL, namespace, ...more }, call);
          return [...page.items.map((item) => `${item.kind}/${item.id}`), ...(page.more ? ["…"] : [])];
        },
      };
    }

    test("put creates, then writes over; creation time stays, versions count", async () => {
      const { put, get, namespace } = space();
      const first = await put("a", { step: 1, ["__proto__"]: { x: 1 } }, { metadata: { source: "s" } });
      expect(first).toMatchObject({ created: true, version: 1 });
      bench.advance(1_000);
      const second = await put("a", { step: 2, ["__proto__"]: { x: 2 } }, { ttlSeconds: 60 });
      expect(second).toMatchObject({ created: false, version: 2, updatedMs: first.updatedMs + 1_000 });
      const found = await get("a");
      expect(JSON.stringify(found?.payload)).toBe('{"step":2,"__proto__":{"x":2}}');
      expect(found).toMatchObject({
        namespace,
        kind: "k",
        id: "a",
        createdMs: first.updatedMs,
        updatedMs: second.updatedMs,
        ttlSeconds: 60,
        metadata: null,
        version: 2,
      });
      expect(await get("missing")).toBeNull();
    });

    test("an expired record is absent for every method but prune and includeExpired", async () => {
      const { put, get, touch, patch, list, count, append, namespace } = space();
      await put("a", { x: 1 }, { ttlSeconds: 10 });
      await put("b", { x: 1 });
      bench.advance(9_999);
      expect(await count()).toBe(2);
      bench.advance(1);
      expect([await get("a"), await touch("a"), await patch("a", { x: 2 })]).toEqual([null, null, null]);
      expect([await list(), await count()]).toEqual([["k/b"], 1]);
      expect(await list({ includeExpired: true })).toEqual(["k/a", "k/b"]);
      expect(await append("a", { e: 1 }, "over")).toMatchObject({ entries: 1 });
      expect(await store.prune([namespace], bench.call)).toBe(0);
    });

    test("put over an expired record creates; its lifetime counts from the last write", async () => {
      const { put, get, delete: remove } = space();
      await put("a", { entries: [1, 2] }, { ttlSeconds: 10 });
      bench.advance(8_000);
      await put("a", { entries: [1, 2] }, { ttlSeconds: 10 });
      bench.advance(8_000);
      expect(await get("a")).toMatchObject({ version: 2 });
      bench.advance(2_000);
      expect(await remove("a")).toBe(false);
      await put("a", { entries: [1, 2] }, { ttlSeconds: 10 });
      bench.advance(10_000);
      expect(await put("a", { y: 1 })).toMatchObject({ created: true, version: 1 });
      expect((await get("a"))?.payload).toEqual({ y: 1 });
    });

    test("prune removes expired records of the named namespaces and counts them", async () => {
      const [one, two] = [space(), space()];
      for (const of of [one, two]) {
        for (const id of ["a", "b"]) await of.put(id, { entries: [1] }, { ttlSeconds: 1 });
        await of.put("kept", {});
      }
      bench.advance(1_000);
      expect(await store.prune([one.namespace, "unknown"], bench.call)).toBe(2);
      expect(await store.prune([one.namespace], bench.call)).toBe(0);
      expect(await one.list({ includeExpired: true })).toEqual(["k/kept"]);
      expect(await store.prune(null, bench.call)).toBeGreaterThanOrEqual(2);
    });

    test("a write sweeps along when the interval is over", async () => {
      const fresh = await open();
      const of = fresh.stores.records(fresh.path);
      const key = { namespace: "n", kind: "k" };
      const put = (id: string) =>
        of.put(
          {
            ...key,
            id,
            ...BOUNDS,
            sweepIntervalMs: 60_000,
            payload: {},
            ttlSeconds: 1,
            metadata: null,
            ifAbsent: false,
            ifVersion: null,
          },
          fresh.call,
        );
      const there = async () =>
        (await of.list({ ...ALL, namespace: "n", includeExpired: true }, fresh.call)).items.map((item) => item.id);
      await put("a");
      fresh.advance(59_999);
      await put("b");
      expect(await there()).toEqual(["a", "b"]);
      fresh.advance(1);
      await put("c");
      expect(await there()).toEqual(["b", "c"]);
      await fresh.close();
    });

    test("conditions: absent, and version", async () => {
      const { put, patch } = space();
      expect(await codeOf(put("a", {}, { ifVersion: 1 }))).toBe("ADAPTER_CONFLICT");
      expect(await put("a", {}, { ifAbsent: true })).toMatchObject({ created: true });
      expect(await codeOf(put("a", {}, { ifAbsent: true }))).toBe("ADAPTER_CONFLICT");
      expect(await put("a", {}, { ifVersion: 1 })).toMatchObject({ version: 2 });
      expect(await codeOf(put("a", {}, { ifVersion: 1 }))).toBe("ADAPTER_CONFLICT");
      expect(await codeOf(patch("a", {}, 1))).toBe("ADAPTER_CONFLICT");
      expect(await patch("a", { x: 1 }, 2)).toMatchObject({ version: 3 });
    });

    test("a log grows by appending, and what was put as entries is one", async () => {
      const { put, get, append } = space();
      expect(await append("log", { n: 1 }, "1")).toMatchObject({ entries: 1 });
      bench.advance(500);
      expect(await append("log", { n: 2 }, "2")).toMatchObject({ entries: 2 });
      expect(await get("log")).toMatchObject({ payload: { entries: [{ n: 1 }, { n: 2 }] }, version: 2 });
      await put("made", { before: 1, entries: ["x"], after: 2 });
      await append("made", { n: 2 }, "3");
      expect(JSON.stringify((await get("made"))?.payload)).toBe('{"before":1,"entries":["x",{"n":2}],"after":2}');
      await put("made", { entries: [] });
      expect((await get("made"))?.payload).toEqual({ entries: [] });
      await put("none", { entries: "text" });
      expect(await codeOf(append("none", {}, "4"))).toBe("ADAPTER_CONFLICT");
    });

    test.each<[number | null, number[]]>([
      [null, [1, 2, 3]],
      [2, [2, 3]],
      [9, [1, 2, 3]],
      [0, []],
    ])("the last %s entries", async (tail, expected) => {
      const { put, get } = space();
      await put("log", { entries: [1, 2, 3] });
      expect((await get("log", tail))?.payload).toEqual({ entries: expected });
    });

    test("one key appends once; the same key for another entry is refused", async () => {
      const { append, get } = space();
      const first = await append("log", { n: 1 }, "same");
      bench.advance(1_000);
      expect(await append("log", { n: 1 }, "same")).toEqual(first);
      expect(await codeOf(append("log", { n: 2 }, "same"))).toBe("ADAPTER_CONFLICT");
      expect((await get("log"))?.payload).toEqual({ entries: [{ n: 1 }] });
    });

    test("appending keeps the lifetime, sets it, or takes it away", async () => {
      const { append, get } = space();
      await append("log", {}, "1", { newTtlSeconds: 20 });
      await append("log", {}, "2", { newTtlSeconds: 99, metadata: { source: "s" } });
      expect(await get("log")).toMatchObject({ ttlSeconds: 20, metadata: { source: "s" } });
      await append("log", {}, "3", { ttlSeconds: 30 });
      expect(await get("log")).toMatchObject({ ttlSeconds: 30, metadata: { source: "s" } });
      await append("log", {}, "4", { ttlSeconds: null });
      expect(await get("log")).toMatchObject({ ttlSeconds: null });
    });

    test("bounds: size of payload and entry, number of entries; what is refused changes nothing", async () => {
      const { put, append, patch, get } = space();
      const large = { text: "ü".repeat(500) };
      expect(await codeOf(put("a", large))).toBe("ADAPTER_TOO_LARGE");
      expect(await codeOf(put("a", { entries: [large] }))).toBe("ADAPTER_TOO_LARGE");
      expect(await codeOf(put("a", { entries: [1, 2, 3, 4, 5, 6] }))).toBe("ADAPTER_QUOTA");
      expect(await codeOf(append("a", large, "1"))).toBe("ADAPTER_TOO_LARGE");
      expect(await get("a")).toBeNull();
      await put("a", { entries: [1, 2, 3, 4] });
      await append("a", {}, "2");
      expect(await codeOf(append("a", {}, "3"))).toBe("ADAPTER_QUOTA");
      await expect(append("a", {}, "4")).rejects.toThrow("the log may hold 5 entries (memory.max_entries)");
      expect(await codeOf(patch("a", large))).toBe("ADAPTER_TOO_LARGE");
      expect(await get("a")).toMatchObject({ version: 2, payload: { entries: [1, 2, 3, 4, {}] } });
    });

    test.each<[before: JsonObject, patch: JsonObject, after: JsonObject]>([
      [
        { a: 1, b: { c: 2, d: 3 } },
        { b: { c: null, e: [null] }, f: null },
        { a: 1, b: { d: 3, e: [null] } },
      ],
      [{ a: [1] }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
      [{ entries: [1, 2], a: 1 }, { a: 2 }, { entries: [1, 2], a: 2 }],
      [{ entries: [1, 2] }, { entries: [3] }, { entries: [3] }],
      [{ entries: [1, 2], a: 1 }, { entries: null }, { a: 1 }],
      [{ a: 1 }, JSON.parse('{"__proto__": {"x": 1}}'), JSON.parse('{"a": 1, "__proto__": {"x": 1}}')],
    ])("merge patch %#", async (before, patch, after) => {
      const { put, get, patch: change } = space();
      await put("a", before, { ttlSeconds: 50, metadata: { source: "s" } });
      expect(await change("a", patch)).toMatchObject({ version: 2 });
      const found = await get("a");
      expect(JSON.stringify(found?.payload)).toBe(JSON.stringify(after));
      expect(found).toMatchObject({ ttlSeconds: 50, metadata: { source: "s" } });
    });

    test("touching marks the time and counts, without a new version", async () => {
      const { put, touch, get } = space();
      const { updatedMs } = await put("a", {}, { metadata: { other: 1 } });
      bench.advance(60_000);
      await touch("a");
      const touched = await touch("a");
      const last = new Date(updatedMs + 60_000).toISOString();
      expect(touched?.metadata).toEqual({ other: 1, last_accessed: last, access_count: 2 });
      expect(await get("a")).toEqual(touched);
      expect(touched).toMatchObject({ version: 1, updatedMs });
    });

    test("lists by kind and id in the order of their bytes, page by page", async () => {
      const { put, list } = space();
      for (const id of ["p/c", "f/a1", "f/B2", "f/a%", "f/ä"]) await put(id, {});
      expect(await list()).toEqual(["f/B2", "f/a%", "f/a1", "f/ä", "p/c"]);
      expect(await list({ kind: "f" })).toEqual(["f/B2", "f/a%", "f/a1", "f/ä"]);
      expect(await list({ idPrefix: "a" })).toEqual(["f/a%", "f/a1"]);
      expect(await list({ kind: "f", idPrefix: "a%" })).toEqual(["f/a%"]);
      expect(await list({ limit: 2, offset: 1 })).toEqual(["f/a%", "f/a1", "…"]);
      expect(await list({ limit: 2, after: { kind: "f", id: "a1" } })).toEqual(["f/ä", "p/c"]);
      expect(await list({ after: { kind: "p", id: "c" } })).toEqual([]);
      expect(await space().list()).toEqual([]);
    });

    test("filters by time and metadata", async () => {
      const { put, list, touch } = space();
      const started = (
        await put("a", {}, { metadata: { source: "s", tags: ["x"], valid_at: "2030-06-01T12:00:00+02:00" } })
      ).updatedMs;
      bench.advance(1_000);
      await put("b", {}, { metadata: { source: "t", tags: ["x", "y"], valid_at: "2030-06-01T10:00:00.001Z" } });
      bench.advance(1_000);
      await put("c", {});
      await put("a", {}, { metadata: { source: "s", tags: ["x"], valid_at: "2030-06-01T12:00:00+02:00" } });
      await touch("b");
      const valid = Date.parse("2030-06-01T10:00:00Z");
      const cases: readonly (readonly [Partial<ListRequest>, string])[] = [
        [{ created: { after: started + 1, before: null } }, "b c"],
        [{ created: { after: null, before: started + 1_000 } }, "a"],
        [{ updated: { after: started + 2_000, before: null } }, "a c"],
        [{ updated: { after: started + 1_000, before: started + 2_000 } }, "b"],
        [{ validAt: { after: valid, before: null } }, "a b"],
        [{ validAt: { after: null, before: valid + 1 } }, "a"],
        [{ accessedSince: started }, "b"],
        [{ accessedSince: started + 2_001 }, ""],
        [{ source: "s" }, "a"],
        [{ tagsAny: ["y", "z"] }, "b"],
        [{ tagsAny: [] }, ""],
        [{ tagsAll: ["x"] }, "a b"],
        [{ tagsAll: ["x", "y"], source: "s" }, ""],
        [{ tagsAll: ["x"], limit: 1, offset: 1 }, "b"],
      ];
      for (const [filter, expected] of cases) {
        expect((await list(filter)).map((item) => item.slice(2)).join(" "), JSON.stringify(filter)).toBe(expected);
      }
    });

    test("times start where the clock does", async () => {
      const { put } = space();
      expect((await put("a", {})).updatedMs).toBeGreaterThanOrEqual(START);
    });
  });
}
