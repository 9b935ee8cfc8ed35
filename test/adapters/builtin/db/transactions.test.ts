/** A transaction over several calls, as the adapter txn drives it. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dbAdapter } from "../../../../adapters/builtin/db/definition.ts";
import { type DbInstance, openDb } from "../../../../adapters/builtin/db/open.ts";
import type { Settings } from "../../../../adapters/builtin/db/settings.ts";
import { settings as schemas } from "../../../../adapters/builtin/db/settings.ts";
import { createObject, findObjects, removeObjects, updateObjects } from "../../../../adapters/builtin/db/verbs.ts";
import { txnAdapter } from "../../../../adapters/builtin/txn/definition.ts";
import { z } from "../../../../adapters/definition/define.ts";
import type { HostServices } from "../../../../adapters/definition/host-services.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { openBench } from "../../../support/adapter-bench.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { backends, type World } from "./backends.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const behalf = () => ({ signal: new AbortController().signal, remainingMs: () => 5_000 });

describe.each(backends(server))("$name", (backend) => {
  let world: World;
  let settings: Settings;
  let mine: DbInstance;
  let other: DbInstance;
  let calls = 0;
  const opened = () =>
    openDb({
      settings,
      host: { places: { stateDir: null }, ...world.options.services } as HostServices,
      secret: async (name) => world.options.secrets?.[name],
    });
  const request = (instance: DbInstance) => {
    calls += 1;
    const call = { ...behalf(), now: () => Date.now(), log: () => {}, idempotencyKey: `k${calls}` };
    return { settings, store: instance.store, call };
  };
  const names = async (instance: DbInstance) =>
    ((await findObjects(request(instance), "User", "*", {})) as JsonObject[]).map((one) => one["name"]);
  const create = (instance: DbInstance, object: JsonObject) => createObject(request(instance), "User", object);

  beforeEach(async () => {
    world = await backend.open();
    settings = z.strictObject(schemas).parse(world.settings) as Settings;
    mine = await opened();
    other = await opened();
    await create(mine, { id: 1, name: "ann" });
  });
  afterEach(async () => {
    await mine.close();
    await other.close();
    await world.end();
  });

  it("shows others nothing before the commit, and everything after it", async () => {
    await mine.begin("deferred", 30_000, behalf());
    expect(mine.open).toBe(true);
    await create(mine, { id: 2, name: "bob" });
    expect(await names(mine)).toEqual(["ann", "bob"]);
    expect(await names(other)).toEqual(["ann"]);
    await mine.commit(behalf());
    expect(mine.open).toBe(false);
    expect(await names(other)).toEqual(["ann", "bob"]);
  });

  it("answers whether its database does", async () => {
    await mine.store.ping({ timeoutMs: 5_000 });
    const cancelled = { timeoutMs: 5_000, signal: AbortSignal.abort() };
    await expect(mine.store.ping(cancelled)).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
  });

  it("undoes with rollback, and when the run ends", async () => {
    await mine.begin("immediate", 30_000, behalf());
    await updateObjects(request(mine), "User", [{ id: 1, name: "changed" }, undefined], {});
    await mine.rollback();
    expect(mine.open).toBe(false);
    await mine.rollback();
    await mine.begin("deferred", 30_000, behalf());
    await removeObjects(request(mine), "User", 1, {});
    await mine.close();
    expect(await names(other)).toEqual(["ann"]);
  });

  it("continues after a refused call, which has no effect", async () => {
    await mine.begin("deferred", 30_000, behalf());
    await create(mine, { id: 2, name: "bob" });
    await expect(create(mine, { id: 2, name: "cy" })).rejects.toMatchObject({ code: "ADAPTER_SQL_CONSTRAINT" });
    const change = updateObjects(request(mine), "User", ["*", { age: 1 }], { allow_all: true, expected_count: 9 });
    await expect(change).rejects.toMatchObject({ code: "ADAPTER_CONFLICT" });
    await mine.commit(behalf());
    expect(await names(other)).toEqual(["ann", "bob"]);
    expect(await findObjects(request(other), "User", { age: 1 }, {})).toEqual([]);
  });

  it("refuses writes in a transaction that only reads", async () => {
    await mine.begin("readonly", 30_000, behalf());
    expect(await names(mine)).toEqual(["ann"]);
    await expect(create(mine, { id: 2, name: "bob" })).rejects.toMatchObject({ code: "ADAPTER_WRITE_FORBIDDEN" });
    await mine.commit(behalf());
    await create(mine, { id: 2, name: "bob" });
    expect(await names(other)).toEqual(["ann", "bob"]);
  });

  it("has one at a time, and none to commit without begin", async () => {
    await expect(mine.commit(behalf())).rejects.toMatchObject({ code: "ADAPTER_CONFLICT" });
    await mine.begin("deferred", 30_000, behalf());
    await expect(mine.begin("deferred", 30_000, behalf())).rejects.toMatchObject({ code: "ADAPTER_CONFLICT" });
    await create(mine, { id: 2, name: "bob" });
    await mine.commit(behalf());
    expect(await names(other)).toEqual(["ann", "bob"]);
  });

  it("is rolled back when its time is over, and says so until it is ended", async () => {
    await mine.begin("deferred", 1, behalf());
    await expect
      .poll(() => create(mine, { id: 2, name: "bob" }).catch((error: { code: string }) => error.code))
      .toBe("ADAPTER_CONFLICT");
    await expect(names(mine)).rejects.toMatchObject({ code: "ADAPTER_CONFLICT" });
    await expect(mine.commit(behalf())).rejects.toMatchObject({ code: "ADAPTER_CONFLICT" });
    expect(mine.open).toBe(false);
    expect(await names(mine)).toEqual(["ann"]);
  });

  it("is what the adapter txn opens, and undoes at the end of the run", async () => {
    const db = { definition: dbAdapter, settings: world.settings };
    const run = () => openBench(txnAdapter, { ...world.options, others: [db] });
    const first = await run();
    await first.call("begin", "t", { resource: "db" });
    await first.callOther("db", "C", "User", { id: 2, name: "bob" });
    await first.call("commit", "t");
    await first.call("begin", "t");
    await first.callOther("db", "D", "User", 1);
    expect(await first.end()).toEqual([expect.stringContaining("transaction_rolled_back")]);
    expect(await names(other)).toEqual(["ann", "bob"]);
  });

  it("ends a key with the transaction that used it", async () => {
    const keyed = { ...request(mine), call: { ...request(mine).call, idempotencyKey: "same" } };
    await mine.begin("deferred", 30_000, behalf());
    await createObject(keyed, "User", { id: 2, name: "bob" });
    await mine.rollback();
    await createObject(keyed, "User", { id: 2, name: "bob" });
    expect(await names(other)).toEqual(["ann", "bob"]);
  });
});
