/** Schedules that replicas share: an alarm of the task queue wakes one of them, a fence lets each due time fire once (K-2). */
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../vm/run.ts";
import { startPostgres } from "../../support/postgres.ts";
import { servingJobs } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

const MINUTE = 60_000;
const CODE = "# frame: _due_at: text\nCr L1 * * * * *\nL1:\n  J _due_at\n";

/** Two replicas on a database of their own. */
async function replicas(clock: Clock) {
  const databaseUrl = (await postgres?.createDatabase()) ?? "";
  const both = await Promise.all([0, 1].map(() => servingJobs({ databaseUrl, clock })));
  onTestFinished(async () => void (await Promise.all(both.map((one) => one.stop()))));
  const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
  const fires = async (id: string) => (await one.call("GET", `/schedules/${id}`)).body.fires;
  const metrics = async (name: string) => {
    const texts = await Promise.all(
      both.map((each) => each.call("GET", "/metrics", undefined, { accept: "text/plain" })),
    );
    return texts.map(({ text }) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0));
  };
  return { databaseUrl, one, other, fires, metrics };
}

describe.skipIf(postgres === null)("schedules in PostgreSQL", () => {
  it("K-2: a task with run_at wakes one replica, and the schedule fires on time, once", {
    timeout: 180_000,
  }, async () => {
    // The replicas never look by themselves once they have started: what fires, a task has fired.
    let offset = 0;
    const clock = {
      ...realClock,
      wall: () => realClock.wall() + offset,
      wait: (ms: number, then: () => void) => (ms === 10_000 ? () => {} : realClock.wait(ms, then)),
    };
    const { databaseUrl, one, fires, metrics } = await replicas(clock);
    // The next minute is not far, so that the test need not wait for it; on a busy machine it is the one after it.
    offset = MINUTE - 6000 - (realClock.wall() % MINUTE);
    const names = ["a", "b", "c"];
    for (const name of names) await one.call("PUT", `/programs/${name}`, { code: CODE });
    const alarms = () =>
      postgres?.query(
        databaseUrl,
        `SELECT extract(epoch FROM run_at - now()) AS in_s FROM graphile_worker.jobs
         WHERE task_identifier = 'weft_fire_schedules' AND key = 'weft_fire_schedules' AND locked_at IS NULL`,
      );
    await expect.poll(async () => (await alarms())?.length, { timeout: 60_000 }).toBe(1);
    for (const name of names) {
      await expect.poll(async () => (await fires(`${name}/L1`)).length, { timeout: 80_000 }).toBe(1);
      const [fire] = await fires(`${name}/L1`);
      expect(fire).toMatchObject({ outcome: "fired" });
      expect(Date.parse(fire.at)).toBeGreaterThanOrEqual(Date.parse(fire.due_at));
      const job = (await one.over(fire.job_id)).body;
      expect(job).toMatchObject({ status: "succeeded", schedule: `${name}/L1`, result: { out: fire.due_at } });
      expect((await one.call("GET", `/jobs?schedule=${name}/L1`)).body.jobs).toHaveLength(1);
    }
    expect((await metrics("wf_schedule_lag_seconds_count")).reduce((sum, count) => sum + count)).toBe(3);
    // The next alarm is set for the next minute.
    await expect
      .poll(async () => Number((await alarms())?.[0]?.["in_s"] ?? 0), { timeout: 60_000 })
      .toBeGreaterThan(20);
  });

  it("K-2: replicas that look at the same moment fire each due time once, whatever the clock does", {
    timeout: 180_000,
  }, async () => {
    let offset = 0;
    const clock = {
      ...realClock,
      wall: () => realClock.wall() + offset,
      // Both look all the time.
      wait: (ms: number, then: () => void) => realClock.wait(ms >= 1000 ? 10 : ms, then),
    };
    const { one, other, fires } = await replicas(clock);
    const hourly = CODE.replace("* * * * *", "0 * * * *");
    await one.call("PUT", "/programs/both", {
      code: hourly,
      schedules: [{ label: "L1", catch_up: "all", overlap: "allow" }],
    });
    const due = new Set<string>();
    for (const hours of [1, 1, -1, 2, -2, 3]) {
      offset += hours * 60 * MINUTE;
      await expect
        .poll(async () => Date.parse((await one.call("GET", "/schedules/both/L1")).body.next_at ?? 0), {
          timeout: 10_000,
        })
        .toBeGreaterThan(clock.wall());
    }
    for (const fire of await fires("both/L1")) {
      expect(fire.outcome).toBe("fired");
      due.add(fire.due_at);
    }
    const { jobs } = (await other.call("GET", "/jobs?schedule=both/L1&limit=100")).body;
    expect(jobs.map((job: { due_at: string }) => job.due_at).sort()).toEqual([...due].sort());
    // Five hours went by, at most one of them twice.
    expect(due.size).toBeGreaterThanOrEqual(4);
  });

  it("K-2: what was due while the database was away fires once it is back", { timeout: 180_000 }, async () => {
    let offset = 0;
    const clock = {
      ...realClock,
      wall: () => realClock.wall() + offset,
      wait: (ms: number, then: () => void) => realClock.wait(ms === 10_000 ? 100 : ms, then),
    };
    const { one, fires } = await replicas(clock);
    const hourly = CODE.replace("* * * * *", "0 * * * *");
    await one.call("PUT", "/programs/away", {
      code: hourly,
      schedules: [{ label: "L1", catch_up: "all", overlap: "allow" }],
    });
    await expect
      .poll(async () => (await one.call("GET", "/schedules/away/L1")).body.next_at, { timeout: 60_000 })
      .not.toBeNull();
    const back = postgres?.restart();
    offset += 60 * MINUTE;
    await back;
    await expect.poll(async () => (await fires("away/L1"))?.length ?? 0, { timeout: 60_000 }).toBe(1);
    expect(await fires("away/L1")).toMatchObject([{ outcome: "fired" }]);
    expect((await one.call("GET", "/jobs?schedule=away/L1")).body.jobs).toHaveLength(1);
  });
});
