/** What the PostgreSQL store asks of its database: a line that many join at once, claims whose answer is lost, and how often it asks. */
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";
import { seeStatements } from "./seen-statements.ts";

const postgres = await startPostgres();
const stores: JobStore[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) await store.close();
});
afterAll(() => postgres?.stop());

const SILENT_MS = 300;

async function replicas(...owners: readonly string[]) {
  const url = (await postgres?.createDatabase()) ?? "";
  const opened = await Promise.all(
    owners.map((owner) =>
      openPostgresStore({ url, owner, version: "1", clock: realClock, now: Date.now, silentMs: SILENT_MS }),
    ),
  );
  stores.push(...opened);
  return { url, opened, first: opened[0] as JobStore };
}

/** Breaks the connection at the statement that makes the first claim, or commits it. `made`: the database did its part. Resolves then. */
function breakFirstClaim(made: boolean): Promise<void> {
  const inTransaction = new WeakSet<object>();
  const claiming = new WeakSet<object>();
  let broken = false;
  return new Promise((resolve) => {
    seeStatements(async (sql, pass, client) => {
      if (sql.startsWith("BEGIN")) inTransaction.add(client);
      if (/UPDATE weft\.jobs j SET status/.test(sql)) claiming.add(client);
      const ends = claiming.has(client) && (sql === "COMMIT" || !inTransaction.has(client));
      if (sql === "COMMIT") inTransaction.delete(client);
      if (broken || !ends) return pass();
      broken = true;
      if (made) await pass();
      resolve();
      throw new Error("Connection terminated unexpectedly");
    });
  });
}

async function taskGivenUp(url: string): Promise<void> {
  const locks = () => postgres?.query(url, "SELECT locked_at FROM graphile_worker.jobs");
  await expect.poll(locks).toEqual([{ locked_at: null }]);
}

describe.skipIf(postgres === null)("PostgreSQL", () => {
  it.each([
    ["is short", 7, 60],
    ["is as long as connections can be many", 104, 150],
  ])(
    "never queues more jobs than it may, on however many replicas at once, when the line %s",
    async (_, most, asked) => {
      const { opened, first } = await replicas("a", "b", "c");
      const answers = await Promise.all(
        Array.from({ length: asked }, (_, at) =>
          opened[at % 3]?.enqueue(alone(newJob(Date.now())), { most, key: null }),
        ),
      );
      expect(answers.filter((answer) => answer?.state === "queued").length).toBe(most);
      expect((await first.figures()).queue_depth).toBe(most);
      // Near the bound one is queued after the other, and each has a place of its own.
      const places = answers.flatMap((answer) => (answer?.state === "queued" ? [answer.position] : []));
      expect(places.sort((x, y) => x - y).slice(-7)).toEqual(Array.from({ length: 7 }, (_, at) => most - 7 + at));
    },
  );

  it("runs a job whose claim was made and never answered", async () => {
    const { first, url } = await replicas("a");
    const broken = breakFirstClaim(true);
    const job = newJob(Date.now());
    await first.enqueue(alone(job), { most: 10, key: null });
    const taker = takeJobs(first, 1);
    await broken;
    expect((await first.find(job.id))?.status).toBe("running");
    await taskGivenUp(url);
    await first.recover();
    const taken = await taker.next();
    expect(taken.job).toMatchObject({ id: job.id, attempt: 1 });
    expect(await first.settle(taken.job, "succeeded", "{}")).toMatchObject({ status: "succeeded" });
    taken.end();
    await taker.stop();
  });

  it("does not take a job for its own before the claim is made", async () => {
    const { first, url } = await replicas("a");
    const broken = breakFirstClaim(false);
    const given: string[] = [];
    first.signals.onCancelling((id) => given.push(id));
    const job = newJob(Date.now());
    await first.enqueue(alone(job), { most: 10, key: null });
    const taker = takeJobs(first, 1);
    await broken;
    await taskGivenUp(url);
    // Declared dead, it gives up what it runs.
    await postgres?.query(url, "DELETE FROM weft.replicas");
    await expect.poll(() => postgres?.query(url, "SELECT id FROM weft.replicas")).toEqual([{ id: "a.2" }]);
    expect(given).toEqual([]);
    await first.recover();
    expect((await taker.next()).job).toMatchObject({ id: job.id, owner: "a.2" });
    await taker.stop();
  });

  it("keeps the events of all who write to a job at the same moment, one after the other", async () => {
    const { first } = await replicas("a");
    const taker = takeJobs(first, 1);
    const queued = newJob(Date.now());
    await first.enqueue(alone(queued), { most: 10, key: null });
    const { job, end } = await taker.next();
    const told = Array.from({ length: 8 }, (_, at) => ({ kind: "adapter_call", data: `${at}` }) as const);
    await Promise.all([first.cancel(job.id), ...told.map((event) => first.addEvents(job, [event]))]);
    await first.settle(job, "succeeded", "{}");
    const events = await first.events(job.id, 0);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 5 + told.length }, (_, at) => at + 1));
    expect(events.map(({ data }) => data)).toEqual(expect.arrayContaining(told.map(({ data }) => data)));
    end();
    await taker.stop();
  });

  it("sends only a few queries per job", async () => {
    const { first } = await replicas("a");
    const taker = takeJobs(first, 1);
    const asked: string[] = [];
    seeStatements((sql, pass) => {
      if (!sql.includes("weft.replicas")) asked.push(sql);
      return pass();
    });
    const JOBS = 20;
    for (let at = 0; at < JOBS; at++) {
      await first.enqueue(alone(newJob(Date.now())), { most: 1000, key: null });
      const { job, end } = await taker.next();
      await first.settle(job, "succeeded", "{}");
      end();
    }
    await taker.stop();
    expect(asked.length / JOBS).toBeLessThanOrEqual(10);
  });
});
