/** Durable jobs of services on one PostgreSQL database: one replica queues, another wakes, a third continues. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../service/jobs/postgres/database.ts";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import { StoreHealth } from "../../../../service/jobs/store-health.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { type JobServing, type JobServingOptions, servingJobs } from "../serving-jobs.ts";
import { alone, newJob } from "../store-cases.ts";

const postgres = await startPostgres();
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => postgres?.stop());

const database = async (): Promise<string> => (await postgres?.createDatabase()) ?? "";

async function served(databaseUrl: string, options: JobServingOptions = {}): Promise<JobServing> {
  const service = await servingJobs({ databaseUrl, ...options });
  services.push(service);
  return service;
}

const EXT = { adapters: { enable: ["ext"] } };
const TWO_CALLS = 'L1:\n  R ext.Echo "a" ->x\n  R ext.Hold x ->y\n  R ext.Echo y ->z\n  J z\n';
const WAITS = 'L1:\n  R signal.wait "go" {"timeout": "3d"} ->one\n  R ext.Echo "after" ->b\n  J one.data\n';

describe.skipIf(postgres === null)("durable jobs on PostgreSQL", { timeout: 60_000 }, () => {
  it("are woken by a signal that another replica was sent, and say what they wait for everywhere", async () => {
    const url = await database();
    const first = await served(url);
    const second = await served(url);
    const id = await first.queued({ code: WAITS, ...EXT });
    await second.until(id, "waiting");
    const waits = await second.call("GET", `/result/${id}/waits`);
    expect(waits.body.waits).toMatchObject([{ kind: "signal", names: ["go"], ended_at: null }]);
    const sent = await second.call("POST", `/result/${id}/signals/go`, { data: { n: 1 } });
    expect(sent.body).toMatchObject({ delivered: "now", jobs: 1 });
    const { body } = await first.over(id);
    expect(body).toMatchObject({ status: "succeeded", durable: true, attempt: 1, resumes: 1 });
    expect(body.result.out).toEqual({ n: 1 });
    expect([...first.made, ...second.made]).toEqual(["Echo"]);
    const journal = await second.call("GET", `/result/${id}/journal`);
    const kinds = journal.body.records.map(({ kind }: { readonly kind: string }) => kind);
    expect(kinds).toEqual(["start", "wait", "woken", "resume", "call"]);
  });

  it("wake when their time comes", async () => {
    const service = await served(await database());
    const id = await service.queued({ code: "L1:\n  R timer.sleep 0.3 ->t\n  J t.at\n" });
    const { body } = await service.over(id);
    expect(body).toMatchObject({ status: "succeeded", attempt: 1, resumes: 1 });
    expect(body.result.usage.parked_ms).toBeGreaterThan(100);
  });

  it("continue in another replica when theirs is asked to stop, and nothing is made again", async () => {
    const url = await database();
    const first = await served(url, { variables: { WF_DRAIN_MS: "200" } });
    const id = await first.queued({ code: TWO_CALLS, durable: true, ...EXT });
    const held = await first.held();
    const drained = first.drain();
    held.release("b");
    await drained;
    services.pop();
    const second = await served(url);
    const { body } = await second.over(id);
    expect(body).toMatchObject({ status: "succeeded", attempt: 2, resumes: 1, result: { out: "b" } });
    expect([first.made, second.made]).toEqual([["Echo", "Hold"], ["Echo"]]);
  });

  it("are cancelled by any replica, while they run and while they wait", async () => {
    const url = await database();
    const first = await served(url);
    const waiting = await first.queued({ code: WAITS, ...EXT });
    await first.until(waiting, "waiting");
    const running = await first.queued({ code: TWO_CALLS, durable: true, ...EXT });
    await first.held();
    const second = await served(url);
    expect((await second.call("DELETE", `/result/${waiting}`)).body.status).toBe("cancelled");
    expect((await second.call("DELETE", `/result/${running}`)).status).toBe(202);
    expect((await second.over(running)).body.status).toBe("cancelled");
    const late = await second.call("POST", `/result/${waiting}/signals/go`, {});
    expect(late.body.error).toBe("signal_not_wanted");
  });

  it("do not stay locked by a replica that is stopped within a transaction", async () => {
    const shared = await openDatabase(await database(), new StoreHealth());
    const [row] = await shared.query("SHOW idle_in_transaction_session_timeout");
    await shared.close();
    expect(row).toEqual({ idle_in_transaction_session_timeout: "10s" });
  });

  it("are refused next to a replica that knows none", async () => {
    const url = await database();
    const now = Date.now;
    const store = await openPostgresStore({ url, owner: "new", version: "1", clock: realClock, now, silentMs: 30_000 });
    try {
      await postgres?.query(url, "INSERT INTO weft.replicas (id, version) VALUES ('old', '1.0.0')");
      const durable = { durable: { lifetimeMs: 60_000 } };
      await expect(store.enqueue(alone(newJob(now(), durable)), { most: 10, key: null })).rejects.toMatchObject({
        error: "store_unavailable",
      });
      expect(await store.enqueue(alone(newJob(now())), { most: 10, key: null })).toMatchObject({ state: "queued" });
    } finally {
      await store.close();
    }
  });

  it("are warned of where the database confirms what it may lose", async () => {
    const url = await database();
    const [{ name } = { name: "" }] = (await postgres?.query(url, "SELECT current_database() AS name")) ?? [];
    await postgres?.query(url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
    const now = Date.now;
    const store = await openPostgresStore({ url, owner: "own", version: "1", clock: realClock, now, silentMs: 30_000 });
    expect(store.warnings).toEqual([expect.stringMatching(/^commits_may_be_lost: /)]);
    await store.close();
  });
});
