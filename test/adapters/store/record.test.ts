/** Memory records: the suite of all implementations, files of the earlier layout, and many records. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { createSqliteService } from "../../../adapters/engine/sqlite/service.ts";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { callAt, codeOf, IMPLEMENTATIONS, START } from "./bench.ts";
import { recordSuite } from "./record-suite.ts";

for (const [name, open] of IMPLEMENTATIONS) recordSuite(name, open);

const folder = mkdtempSync(join(tmpdir(), "weft-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = callAt({ now: START }, 60_000);
const key = { namespace: "ops", kind: "k" };

/** A file of the earlier layout with these rows. */
function earlierFile(name: string, rows: readonly (readonly unknown[])[]): string {
  const path = join(folder, name);
  const db = new Database(path);
  db.exec(`CREATE TABLE memory_records(id INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT, record_kind TEXT,
    record_id TEXT, created_at TEXT, updated_at TEXT, ttl_seconds INTEGER, payload_json TEXT);
    CREATE INDEX idx_memory_updated ON memory_records(namespace, updated_at)`);
  const insert = db.prepare(
    "INSERT INTO memory_records(namespace, record_kind, record_id, created_at, updated_at, ttl_seconds, payload_json) VALUES (?,?,?,?,?,?,?)",
  );
  for (const row of rows) insert.run(...row);
  db.close();
  return path;
}

describe("a file of the earlier layout", () => {
  const rows = [
    ["ops", "k", "a", "2029-01-01T00:00:00Z", "2029-06-01T00:00:00Z", null, '{"n": "newest"}'],
    ["ops", "k", "a", "2029-01-01T00:00:00Z", "2029-06-01T01:00:00+02:00", null, '{"n": "older"}'],
    ["ops", "k", "log", "2029-01-01T00:00:00Z", "2029-12-31T23:59:00Z", 3600, '{"entries": [{"e": 1}, {"e": 2}]}'],
    ["ops", "k", "gone", "2029-01-01T00:00:00Z", "2029-01-01T00:00:00Z", 60, "{}"],
  ];

  test("is brought to the present one; the newest row of each key wins and a copy is kept", async () => {
    const path = earlierFile("earlier.db", rows);
    const services = [createSqliteService(), createSqliteService()];
    // Two processes find it at once.
    const stores = services.map((service) => createSqliteStores(service).records(path));
    const found = await Promise.all(
      stores.map((store) => store.get({ ...key, id: "a", tail: null, touch: false }, call)),
    );
    expect(found.map((record) => record?.payload)).toEqual([{ n: "newest" }, { n: "newest" }]);
    const [store] = stores as [(typeof stores)[0]];
    expect(await store.get({ ...key, id: "log", tail: 1, touch: false }, call)).toMatchObject({
      payload: { entries: [{ e: 2 }] },
      createdMs: Date.UTC(2029, 0, 1),
      ttlSeconds: 3600,
      version: 1,
    });
    expect(await store.count({ namespace: "ops", kind: null }, call)).toBe(2);
    expect(await store.prune(null, call)).toBe(1);
    await Promise.all(services.map((service) => service.close()));
    expect(readdirSync(folder).filter((name) => name.includes(".bak"))).toEqual(["earlier.db.bak"]);
    const copy = new Database(`${path}.bak`, { readonly: true });
    expect(copy.prepare("SELECT count(*) AS n FROM memory_records").get()).toEqual({ n: rows.length });
    copy.close();
  });

  test.each(["America/New_York", "Asia/Kolkata"])("has times without a zone in UTC, also in %s", async (zone) => {
    const before = process.env["TZ"];
    process.env["TZ"] = zone;
    try {
      const path = earlierFile(`${zone.replace("/", "-")}.db`, [
        ["ops", "k", "a", "2029-01-01T00:00:00", "2029-06-01 00:00:00.5", null, "{}"],
      ]);
      const service = inProcessSqlite();
      const store = createSqliteStores(service).records(path);
      expect(await store.get({ ...key, id: "a", tail: null, touch: false }, call)).toMatchObject({
        createdMs: Date.UTC(2029, 0, 1),
        updatedMs: Date.UTC(2029, 5, 1, 0, 0, 0, 500),
      });
      await service.close();
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  test("with a row that is not valid is left as it is", async () => {
    const path = earlierFile("broken.db", [
      ...rows,
      ["ops", "k", "z", "2029-01-01T00:00:00Z", "2029-01-01T00:00:00Z", null, "[1]"],
    ]);
    const service = inProcessSqlite();
    const store = createSqliteStores(service).records(path);
    expect(await codeOf(store.count({ namespace: "ops", kind: null }, call))).toBe("ADAPTER_BAD_DATA");
    await service.close();
    expect(existsSync(`${path}.bak`)).toBe(false);
    const db = new Database(path, { readonly: true });
    expect(db.prepare("SELECT count(*) AS n FROM memory_records").get()).toEqual({ n: rows.length + 1 });
    db.close();
  });
});

test("a file of a newer layout is refused", async () => {
  const path = join(folder, "newer.db");
  const db = new Database(path);
  db.exec("PRAGMA user_version = 3; CREATE TABLE other(x)");
  db.close();
  const service = inProcessSqlite();
  const store = createSqliteStores(service).records(path);
  expect(await codeOf(store.count({ namespace: "ops", kind: null }, call))).toBe("ADAPTER_BAD_DATA");
  await service.close();
});

test("a page of a hundred thousand records reads that page alone", async () => {
  const path = join(folder, "many.db");
  const service = inProcessSqlite();
  const store = createSqliteStores(service).records(path);
  await store.count({ namespace: "ops", kind: null }, call);
  const db = new Database(path);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO memory_records(namespace, record_kind, record_id, created_ms, updated_ms, payload_json, metadata_json, version)
    SELECT 'ops', 'k', printf('%06d', i), ${START}, ${START}, '{}', '{"tags": ["t' || (i % 1000) || '"]}', 1 FROM n`);
  db.close();
  const all = { after: null, before: null };
  const request = {
    namespace: "ops",
    kind: null,
    idPrefix: "",
    created: all,
    updated: all,
    validAt: all,
    accessedSince: null,
  };
  const rest = { source: null, tagsAny: null, includeExpired: false, after: { kind: "k", id: "050000" }, offset: 0 };
  const page = await store.list({ ...request, ...rest, tagsAll: [], limit: 1_000 }, call);
  expect([page.items[0]?.id, page.items.length, page.more]).toEqual(["050001", 1_000, true]);
  const tagged = await store.list({ ...request, ...rest, tagsAll: ["t7"], limit: 1_000 }, call);
  expect([tagged.items[0]?.id, tagged.items.length, tagged.more]).toEqual(["050007", 50, false]);
  await service.close();
});
