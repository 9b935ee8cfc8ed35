/** A replica that comes back after it was declared dead. */
import { afterAll, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../../service/jobs/postgres/database.ts";
import { Replica } from "../../../../service/jobs/postgres/replica.ts";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import { StoreHealth } from "../../../../service/jobs/store-health.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

it.skipIf(postgres === null)(
  "takes a job under its new name, though no beat has found out yet that it needs one",
  async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const silentMs = 30_000;
    let ahead = 0;
    // Its beats are stopped with it.
    const clock = {
      ...realClock,
      now: () => realClock.now() + ahead,
      wait: (ms: number, then: () => void) => (ms === silentMs / 6 ? () => {} : realClock.wait(ms, then)),
    };
    const store = await openPostgresStore({ url, owner: "one", now: Date.now, version: "1", clock, silentMs });
    onTestFinished(() => store.close());
    const taker = takeJobs(store, 1);
    onTestFinished(() => taker.stop());
    ahead = 2 * silentMs;
    await postgres?.query(url, "DELETE FROM weft.replicas");
    await store.enqueue(alone(newJob(store.now())), { most: 10, key: null });
    const { job, end } = await taker.next();
    expect(job.owner).toBe("one.2");
    expect(await postgres?.query(url, "SELECT id FROM weft.replicas")).toEqual([{ id: "one.2" }]);
    // It belongs to a replica that lives.
    expect(await store.recover()).toEqual([]);
    await store.settle(job, "succeeded", "{}");
    end();
  },
);

it.skipIf(postgres === null)("joins under its new name again when the answer to that was lost", async () => {
  const url = (await postgres?.createDatabase()) ?? "";
  const rules = { version: "1", clock: realClock, silentMs: 30_000 };
  const store = await openPostgresStore({ url, owner: "other", now: Date.now, ...rules });
  onTestFinished(() => store.close());
  const health = new StoreHealth();
  const database = await openDatabase(url, health);
  onTestFinished(() => database.close());
  let beat = (): void => {};
  const clock = {
    ...realClock,
    wait(_ms: number, then: () => void) {
      beat = then;
      return () => {};
    },
  };
  const replica = new Replica(database, clock, 30_000, "one", "1");
  await replica.join();
  await postgres?.query(url, "DELETE FROM weft.replicas WHERE id = 'one'");

  const query = database.query.bind(database);
  database.query = async (sql, values) => {
    const rows = await query(sql, values);
    if (!sql.startsWith("INSERT")) return rows;
    database.query = query;
    throw health.failed("the connection was lost");
  };
  const known = () => postgres?.query(url, "SELECT id, beat::integer FROM weft.replicas WHERE id <> 'other'");
  let last = beat;
  const beats = async (): Promise<void> => {
    last = beat;
    beat();
    await expect.poll(() => beat !== last).toBe(true);
  };
  await beats();
  expect(await known()).toEqual([{ id: "one.2", beat: 0 }]);
  expect(replica.id).toBe("one");
  await beats();
  expect(replica.id).toBe("one.2");
  await beats();
  expect(await known()).toEqual([{ id: "one.2", beat: 1 }]);
});
