/** Notifications of PostgreSQL over a connection that is half open: nothing says that it is lost, and nothing comes through it. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createPostgresService } from "../../../adapters/engine/postgres/postgres.ts";
import type { Timers } from "../../../adapters/engine/timers.ts";
import { startPostgres } from "../../support/postgres.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

const SOCKET = ".s.PGSQL.5432";

/** Timers that fire when the test says so. */
function handTimers() {
  const waiting = new Map<object, { readonly ms: number; readonly then: () => void }>();
  const timers: Timers = {
    now: () => 0,
    after(ms, then) {
      const key = {};
      waiting.set(key, { ms, then });
      return () => void waiting.delete(key);
    },
  };
  /** Fires the timer of this length, once there is one. */
  const fire = async (ms: number): Promise<void> => {
    const known = () => [...waiting].find(([, timer]) => timer.ms === ms);
    await expect.poll(known).toBeDefined();
    const [key, { then }] = known() as [object, { readonly ms: number; readonly then: () => void }];
    waiting.delete(key);
    then();
  };
  return { timers, fire };
}

/** A way to the server whose connections can go dead: what is sent is lost, and no side hears of it. */
async function proxied() {
  const url = (await postgres?.createDatabase()) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "weft-proxy-"));
  const pairs: (readonly [Socket, Socket])[] = [];
  const proxy = createServer((client) => {
    const server = connect(join(postgres?.socketFolder ?? "", SOCKET));
    pairs.push([client, server]);
    for (const one of [client, server]) one.on("error", () => {});
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, SOCKET), resolve));
  onTestFinished(async () => {
    for (const pair of pairs) for (const one of pair) one.destroy();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    direct: url,
    url: url.replace(encodeURIComponent(postgres?.socketFolder ?? "-"), encodeURIComponent(folder)),
    deaden(): void {
      for (const [client, server] of pairs) {
        client.unpipe(server).resume();
        server.unpipe(client).resume();
      }
    },
  };
}

it.skipIf(postgres === null)("come through another connection when the one that listens is half open", async () => {
  const way = await proxied();
  const { timers, fire } = handTimers();
  const service = createPostgresService({ timers });
  onTestFinished(() => service.close());
  const heard: (string | null)[] = [];
  const database = await service.open({ url: way.url, pool: 1 });
  database.listen("weft_test", (payload) => heard.push(payload));
  await expect.poll(() => heard).toEqual([null]);
  // It is asked now and then, and answers.
  await fire(10_000);
  await postgres?.query(way.direct, "SELECT pg_notify('weft_test', 'one')");
  await expect.poll(() => heard).toEqual([null, "one"]);
  way.deaden();
  await fire(10_000);
  await fire(5_000);
  await fire(100);
  await expect.poll(() => heard).toEqual([null, "one", null]);
  await postgres?.query(way.direct, "SELECT pg_notify('weft_test', 'two')");
  await expect.poll(() => heard).toEqual([null, "one", null, "two"]);
});
