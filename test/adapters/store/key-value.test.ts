/** Cache entries: the suite of all implementations, several processes at once, and files that are damaged. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { createSqliteService } from "../../../adapters/engine/sqlite/service.ts";
import { createSqliteStores } from "../../../adapters/store/sqlite/stores.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { callAt, codeOf, IMPLEMENTATIONS, START } from "./bench.ts";
import { keyValueSuite } from "./key-value-suite.ts";

for (const [name, open] of IMPLEMENTATIONS) keyValueSuite(name, open);

const folder = mkdtempSync(join(tmpdir(), "weft-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROOM = { maxEntries: 100, maxBytes: 1_000_000 };

test("two processes count a thousand times each, and every number is given once", async () => {
  const path = join(folder, "counter.db");
  const place = { namespace: "n", key: "k" };
  const services = [createSqliteService(), createSqliteService()];
  const call = callAt({ now: START });
  const counts = services.map(async (service, at) => {
    const store = createSqliteStores(service).keyValues(path, true);
    const numbers: number[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      const once = { key: `${at}-${n}`, argsHash: "1" };
      numbers.push(await store.increment({ ...place, ...ROOM, by: 1, ttlSeconds: null, once }, callAt({ now: START })));
    }
    return numbers;
  });
  const numbers = (await Promise.all(counts)).flat();
  expect(new Set(numbers).size).toBe(2_000);
  const [service] = services as [(typeof services)[0]];
  expect((await createSqliteStores(service).keyValues(path, true).get(place, call))?.value).toBe(2_000);
  await Promise.all(services.map((one) => one.close()));
});

test("a file that is not a database is moved aside, and a new one is created", async () => {
  const path = join(folder, "text.db");
  writeFileSync(path, "not a database at all, but long enough to have a header of a hundred bytes".repeat(20));
  const service = createSqliteService();
  const logged: string[] = [];
  const call = { ...callAt({ now: START }), log: (event: string) => logged.push(event) };
  const store = createSqliteStores(service).keyValues(path, true);
  const place = { namespace: "n", key: "k" };
  const set = { ...place, ...ROOM, value: 1, ttlSeconds: null, ifAbsent: false, ifVersion: null };
  // Both meet the damage at once; the file is moved once.
  expect(await Promise.all([store.set(set, call), store.has({ ...place, key: "other" }, call)])).toEqual([true, false]);
  expect((await store.get(place, call))?.value).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith("text.db.corrupt-"))).toEqual([
    "text.db.corrupt-20300101T000000.000Z",
  ]);
  expect(logged).toEqual(["cache_file_damaged"]);
  await service.close();
});

test("a value that is damaged in the file is ADAPTER_BAD_DATA", async () => {
  const path = join(folder, "value.db");
  const service = inProcessSqlite();
  const store = createSqliteStores(service).keyValues(path, true);
  const call = callAt({ now: START });
  const place = { namespace: "n", key: "k" };
  await store.set({ ...place, ...ROOM, value: "text", ttlSeconds: null, ifAbsent: false, ifVersion: null }, call);
  const db = new Database(path);
  db.exec("UPDATE cache SET v = substr(v, 1, 3)");
  db.close();
  expect(await codeOf(store.get(place, call))).toBe("ADAPTER_BAD_DATA");
  const once = { key: "once", argsHash: "-" };
  expect(await codeOf(store.increment({ ...place, ...ROOM, by: 1, ttlSeconds: null, once }, call))).toBe(
    "ADAPTER_BAD_DATA",
  );
  expect(existsSync(path)).toBe(true);
  await service.close();
});
