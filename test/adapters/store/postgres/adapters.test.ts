/** With WF_DATABASE_URL adapters answer what they answer without it, and services share what they store. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyHostConfig } from "../../../../adapters/operator/host-config.ts";
import { openRuntime, type Runtime } from "../../../../adapters/runtime.ts";
import { localStoresOf, storesOf } from "../../../../adapters/store/stores.ts";
import type { Json } from "../../../../compiler/json.ts";
import { realClock } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { callAt, START } from "../bench.ts";
import { replica } from "./bench.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

describe.skipIf(server === null)("adapters over PostgreSQL", () => {
  const { createDatabase, query } = server as TestPostgres;
  let url: string;
  let services: readonly [Runtime, Runtime];
  beforeAll(async () => {
    url = await createDatabase();
    services = [service(url), service(url)];
  });
  afterAll(() => Promise.all(services.map((one) => one.close())));

  function service(databaseUrl: string): Runtime {
    return openRuntime({
      config: { ...emptyHostConfig(), databaseUrl },
      clock: realClock,
      uuid: () => crypto.randomUUID(),
      log: () => {},
    });
  }

  async function run(
    { gateway }: Runtime,
    source: string,
  ): Promise<{ readonly out: Json; readonly warnings: unknown }> {
    const allowed = ["core", "memory", "cache", "queue", "agent"];
    const admission = gateway.admit({ allowed_adapters: allowed, adapters: { enable: allowed } });
    if (!admission.ok) throw new Error(JSON.stringify(admission));
    const { ir, diagnostics } = gateway.host.compile(source, { strict: false });
    if (ir === null) throw new Error(JSON.stringify(diagnostics));
    const prepared = await gateway.prepare(ir, admission);
    if (!prepared.ok) throw new Error(JSON.stringify(prepared));
    const answer = await gateway.run(prepared);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return { out: answer.out, warnings: answer.warnings };
  }

  const documented = ["memory", "cache", "queue"].flatMap((name) => {
    const page = readFileSync(new URL(`../../../../docs/adapters/${name}.md`, import.meta.url), "utf8");
    const programs = [...page.matchAll(/^```python\n# gives: ([^\n]+)\n(.*?)^```$/gms)];
    return programs.map(([, gives = "", source = ""]) => [name, gives, source] as const);
  });
  test.each(documented)("a program of the page of %s gives %s", async (_name, gives, source) => {
    const { out, warnings } = await run(services[0], source);
    expect(out).toEqual(JSON.parse(gives));
    // Nothing ends with the service, so nothing warns of it.
    expect(JSON.stringify(warnings ?? [])).not.toContain("not_durable");
  });

  test("what one service stores another finds", async () => {
    const [here, there] = services;
    await run(
      here,
      `L1:
  R memory.put "ops" "k" "shared" {"step": 1} null {"tags": ["eu"]} ->m
  R cache.set "shared" "k" [1, 2] ->none
  R queue.Put "shared" "job" ->p
  R agent.send_task {"task_id": "shared-1"} ->t
  J null
`,
    );
    const { out } = await run(
      there,
      `L1:
  R memory.list "ops" "k" null null {"tags_all": ["eu"]} ->l
  R cache.get "shared" "k" ->c
  R queue.len "shared" ->n
  J {"ids": l.items, "cached": c, "ready": n.ready}
`,
    );
    expect(out).toMatchObject({ ids: [{ record_id: "shared" }], cached: [1, 2], ready: 1 });
    expect(await query(url, "SELECT task_id FROM weft.agent_tasks")).toEqual([{ task_id: "shared-1" }]);
  });

  test("what concerns one machine alone stays on it", async () => {
    const sqlite = inProcessSqlite();
    const other = replica(url);
    const host = { sqlite, sharedDatabase: other.database };
    const call = callAt({ now: START });
    const place = { namespace: "here", key: "k" };
    const entry = { ...place, value: 1, ttlSeconds: null, ifAbsent: false, ifVersion: null };
    // Their bounds would otherwise push out what replicas share.
    const room = { maxEntries: 1, maxBytes: 100 };
    const before = await query(url, "SELECT count(*) FROM weft.cache_entries");
    await localStoresOf(host)
      .keyValues(null, true)
      .set({ ...entry, ...room }, call);
    expect(await localStoresOf(host).keyValues(null, true).has(place, call)).toBe(true);
    expect(await storesOf(host).keyValues(null, true).has(place, call)).toBe(false);
    expect(await query(url, "SELECT count(*) FROM weft.cache_entries")).toEqual(before);
    await Promise.all([sqlite.close(), other.close()]);
  });

  test("a service prepares its tables at its start, or says why it cannot", async () => {
    const own = await createDatabase();
    const first = service(own);
    await first.prepareStores();
    await query(own, "INSERT INTO weft.migrations(name, step) VALUES ('adapters', 1000)");
    const older = service(own);
    await expect(older.prepareStores()).rejects.toThrow(/ADAPTER_NOT_CONFIGURED/);
    const unreachable = service(own.replace(/host=[^&]+/, "host=%2Fnowhere"));
    await expect(unreachable.prepareStores()).rejects.toThrow(/ADAPTER_TRANSPORT/);
    await Promise.all([first, older, unreachable].map((one) => one.close()));
  });
});
