/** Files of stores when the clock of the machine is set back by hours: what was to happen in a minute happens in a minute. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SqliteService } from "../../../adapters/engine/sqlite/sqlite.ts";
import type { KeyValueStore } from "../../../adapters/store/key-value.ts";
import type { PutMessage, QueueStore } from "../../../adapters/store/queue.ts";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { callAt, codeOf, START } from "./bench.ts";

const HOURS_MS = 5 * 3_600_000;
const MINUTE_MS = 60_000;
const queue = "q";

let folder: string;
let service: SqliteService;
const clock = { now: START };
const call = callAt(clock, 600_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-clock-"));
  service = inProcessSqlite();
  clock.now = START;
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function messages(): {
  readonly store: QueueStore;
  put(id: string, more?: Partial<PutMessage>): Promise<string>;
  taken(lease?: string): Promise<readonly string[]>;
} {
  const store = createSqliteStores(service).queues(join(folder, "queue.db"));
  return {
    store,
    put: (id, more = {}) => {
      const plain = { queue, id, payload: id, priority: 0, delayMs: 0, ttlMs: null, dedupe: null, maxDepth: 100 };
      return store.put({ ...plain, once: { key: id, argsHash: id }, ...more }, call);
    },
    taken: async (lease = "l") => {
      const request = { queue, max: 100, leaseMs: MINUTE_MS, lease, waitMs: 0 };
      return (await store.take(request, call)).map(({ id }) => id);
    },
  };
}

it("a message that is ready stays ready", async () => {
  const { put, taken } = messages();
  await put("a");
  clock.now -= HOURS_MS;
  await put("b");
  expect(await taken()).toEqual(["a", "b"]);
});

it("a delay, a lease and a lifetime end when they were to", async () => {
  const { put, taken, store } = messages();
  await put("leased");
  expect(await taken()).toEqual(["leased"]);
  await put("delayed", { delayMs: MINUTE_MS });
  await put("short-lived", { delayMs: MINUTE_MS, ttlMs: MINUTE_MS });
  clock.now -= HOURS_MS;
  expect(await taken("2")).toEqual([]);
  await store.acknowledge({ queue, id: "leased", lease: "l" }, call);
  clock.now += MINUTE_MS;
  expect(await taken("3")).toEqual(["delayed"]);
  clock.now += MINUTE_MS;
  expect(await taken("4")).toEqual(["delayed"]);
});

it("a clock that leaps ahead and is set right again keeps nothing waiting", async () => {
  const { put, taken } = messages();
  await put("early");
  clock.now += HOURS_MS;
  await put("late", { delayMs: MINUTE_MS });
  clock.now -= HOURS_MS;
  expect(await taken("1")).toEqual(["early"]);
  clock.now += MINUTE_MS;
  expect(await taken("2")).toEqual(["early", "late"]);
});

it("a key that makes a message single is forgotten in time", async () => {
  const { put } = messages();
  const dedupe = { key: "k", windowMs: MINUTE_MS };
  await put("a", { dedupe });
  clock.now -= HOURS_MS;
  expect(await put("b", { dedupe })).toBe("a");
  clock.now += MINUTE_MS;
  expect(await put("c", { dedupe })).toBe("c");
});

it("a call that has looked at the clock a while ago moves nothing", async () => {
  const { put, taken } = messages();
  await put("a", { delayMs: MINUTE_MS });
  clock.now -= 200_000;
  await put("b");
  clock.now += 200_000;
  expect(await taken()).toEqual(["b"]);
});

it("an entry of the cache lives as long as it was to", async () => {
  const store: KeyValueStore = createSqliteStores(service).keyValues(join(folder, "cache.db"), true);
  const entry = { namespace: "n", value: 1, ifAbsent: false, ifVersion: null, maxEntries: 2, maxBytes: 1_000_000 };
  await store.set({ ...entry, key: "pause", ttlSeconds: 60 }, call);
  await store.set({ ...entry, key: "kept", ttlSeconds: null }, call);
  clock.now -= HOURS_MS;
  expect(await store.set({ ...entry, key: "pause", ttlSeconds: 60, ifAbsent: true }, call)).toBe(false);
  clock.now += MINUTE_MS;
  expect(await store.set({ ...entry, key: "pause", ttlSeconds: 60, ifAbsent: true }, call)).toBe(true);
  // What was used before the clock was set back is not taken for what was used last.
  await store.set({ ...entry, key: "new", ttlSeconds: null }, call);
  expect(await store.keys({ namespace: "n", prefix: "", limit: 10 }, call)).toEqual(["new", "pause"]);
  expect(await codeOf(store.has({ namespace: "n", key: "kept" }, call))).toBe("no error");
});
