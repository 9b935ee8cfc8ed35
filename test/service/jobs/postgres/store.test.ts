/** The PostgreSQL store against a real server: what every store does, and what several replicas do together. */
import { afterAll, describe, expect, it } from "vitest";
import { StartFault } from "../../../../adapters/operator/start-fault.ts";
import { jobMigrations } from "../../../../service/jobs/postgres/schema.ts";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import { programMigrations } from "../../../../service/state/postgres/deployments-schema.ts";
import { scheduleMigrations } from "../../../../service/state/postgres/schedules-schema.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { realClock } from "../../serving.ts";
import { replicasOn, SILENT_MS } from "../places.ts";
import { alone, newJob, storeCases } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

const BEAT_MS = SILENT_MS / 6;
const replicas = () => replicasOn(postgres);

describe.skipIf(postgres === null)("PostgreSQL", () => {
  storeCases("as a store", replicas);

  it("keeps results for their full time, even if the clock of a replica is wrong", async () => {
    verifies("env.WF_DATABASE_URL");
    const url = (await postgres?.createDatabase()) ?? "";
    const open = (owner: string, aheadMs: number): Promise<JobStore> =>
      openPostgresStore({
        url,
        owner,
        version: "1",
        clock: realClock,
        now: () => Date.now() + aheadMs,
        silentMs: 30_000,
      });
    const DAYS_MS = 30 * 24 * 3_600_000;
    const one = await open("one", 0);
    const others = [await open("fast", DAYS_MS), await open("slow", -DAYS_MS)];
    try {
      const job = newJob(one.now());
      await one.enqueue(alone(job), { most: 10, key: null });
      const taker = takeJobs(one, 1);
      const { job: claimed, end } = await taker.next();
      await one.settle(claimed, "succeeded", "{}");
      end();
      await taker.stop();
      for (const other of others) {
        expect(Math.abs(other.now() - one.now())).toBeLessThan(60_000);
        expect(await other.sweep({ mostResults: 10 })).toEqual([]);
      }
      expect(await one.result(job.id)).toBe("{}");
    } finally {
      await Promise.all([one, ...others].map((store) => store.close()));
    }
  });

  it("runs each job on one of several replicas", async () => {
    const world = await replicas();
    const stores = [await world.open("a"), await world.open("b"), await world.open("c")];
    const started: string[] = [];
    const takers = stores.map((store) => {
      const taker = takeJobs(store, 3);
      const work = async (): Promise<void> => {
        for (;;) {
          const { job, end } = await taker.next();
          started.push(job.id);
          await store.settle(job, "succeeded", "{}");
          end();
        }
      };
      void work();
      return taker;
    });
    const jobs = Array.from({ length: 60 }, () => newJob(world.now()));
    await Promise.all(jobs.map((job, at) => stores[at % 3]?.enqueue(alone(job), { most: 1000, key: null })));
    await expect
      .poll(async () => (await stores[0]?.figures())?.jobs_by_state, { timeout: 15_000 })
      .toEqual({ succeeded: 60 });
    expect([...started].sort()).toEqual(jobs.map(({ id }) => id).sort());
    await Promise.all(takers.map((taker) => taker.stop()));
    await world.closeAll();
  });

  it("tells every replica of a change, and an owner that it is to stop", async () => {
    const world = await replicas();
    const [owner, other] = [await world.open("owner"), await world.open("other")];
    const taker = takeJobs(owner, 1);
    const job = newJob(world.now());
    await other.enqueue(alone(job), { most: 10, key: null });
    const taken = await taker.next();
    const asked = new Promise<string>((resolve) => owner.signals.onCancelling(resolve));
    expect(await other.cancel(job.id)).toMatchObject({ job: { status: "cancelling" } });
    expect(await asked).toBe(job.id);
    const changed = new Promise<void>((resolve) => other.signals.listen(job.id, () => resolve()));
    await owner.settle(taken.job, "cancelled", "{}");
    await changed;
    expect(await other.find(job.id)).toMatchObject({ status: "cancelled" });
    taken.end();
    await taker.stop();
    await world.closeAll();
  });

  it("takes over jobs in time, and a replica that was only slow finds its job gone", async () => {
    verifies("jobs.takeover");
    const world = await replicas();
    const slow = await world.open("slow");
    const other = await world.open("other");
    const taker = takeJobs(slow, 1);
    const job = newJob(world.now());
    await slow.enqueue(alone(job), { most: 10, key: null });
    const taken = await taker.next();
    await world.kill(slow);
    const begun = performance.now();
    await expect
      .poll(async () => [...(await other.recover())].map(({ id, status }) => [id, status]), {
        interval: 50,
        timeout: 5000,
      })
      .toEqual([[job.id, "interrupted"]]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(SILENT_MS - BEAT_MS);
    expect(await slow.settle(taken.job, "succeeded", "{}")).toBeNull();
    expect(await other.find(job.id)).toMatchObject({ status: "interrupted" });
    taken.end();
    await taker.stop();
    await world.closeAll();
  });

  it("queues one job under a key whose first request is still under way on a replica that was only slow", async () => {
    verifies("jobs.takeover");
    const world = await replicas();
    const [slow, other] = [await world.open("slow"), await world.open("other")];
    const key = { scope: "POST /enqueue", key: "once" };
    const claim = await slow.keys.claim(key, "h", "of-the-slow");
    await world.kill(slow);
    await expect
      .poll(
        async () => {
          await other.recover();
          return (await other.keys.claim(key, "h", "of-the-other")).state;
        },
        { interval: 50, timeout: 5000 },
      )
      .toBe("first");
    const late = newJob(world.now());
    const queued = (store: JobStore, job: typeof late, traceId: string) =>
      store.enqueue(alone(job), { most: 10, key: { ...key, traceId } });
    expect(await queued(slow, late, "of-the-slow")).toEqual({ state: "key_lost" });
    expect(await slow.find(late.id)).toBeNull();
    // What the slow one still says of the key is heard no more.
    if (claim.state === "first") await claim.release();
    if (claim.state === "first") await claim.finish({ status: 422, headers: {}, body: "refused" });
    const job = newJob(world.now());
    expect(await queued(other, job, "of-the-other")).toEqual({ state: "queued", position: 0 });
    expect(await slow.keys.claim(key, "h", "repeated")).toMatchObject({
      state: "finished",
      answer: { status: 202, traceId: "of-the-other", headers: { location: `/result/${job.id}` } },
    });
    await world.closeAll();
  });

  it("rejoins under another name after it was declared dead", async () => {
    const world = await replicas();
    const store = await world.open("lazarus");
    const taker = takeJobs(store, 1);
    const first = newJob(world.now());
    await store.enqueue(alone(first), { most: 10, key: null });
    const taken = await taker.next();
    expect(taken.job.owner).toBe("lazarus");
    const told = new Promise<string>((resolve) => store.signals.onCancelling(resolve));
    await world.query("DELETE FROM weft.replicas");
    expect(await told).toBe(first.id);
    // No other replica has the job yet: its run was cancelled, and the job was not.
    expect(await store.settle(taken.job, "cancelled", "{}")).toBeNull();
    await expect.poll(async () => (await store.recover()).map(({ id }) => id)).toEqual([first.id]);
    expect(await store.settle(taken.job, "succeeded", "{}")).toBeNull();
    taken.end();
    const second = newJob(world.now());
    await store.enqueue(alone(second), { most: 10, key: null });
    expect((await taker.next()).job.owner).toBe("lazarus.2");
    await taker.stop();
    await world.closeAll();
  });

  it("is created completely by several replicas that start at once on an empty database", async () => {
    for (let round = 0; round < 4; round++) {
      const world = await replicas();
      const stores = await Promise.all(["a", "b", "c"].map((owner) => world.open(owner)));
      expect(await world.query("SELECT name, step FROM weft.migrations ORDER BY name, step")).toEqual(
        [jobMigrations, programMigrations, scheduleMigrations].flatMap(({ name, steps }) =>
          steps.map((_, at) => ({ name, step: at + 1 })),
        ),
      );
      const job = newJob(world.now());
      await stores[0]?.enqueue(alone(job), { most: 10, key: null });
      const taker = takeJobs(stores[2] as JobStore, 1);
      expect((await taker.next()).job.id).toBe(job.id);
      await taker.stop();
      await world.closeAll();
    }
  });

  it("opens a database of an earlier version, and runs the jobs that wait there", async () => {
    const world = await replicas();
    const earlier = await world.open("earlier");
    const [waiting, further] = [newJob(world.now()), newJob(world.now(), { tracestate: "a=1" })];
    await earlier.enqueue(alone(waiting), { most: 10, key: null });
    await earlier.close();
    await world.query(`ALTER TABLE weft.jobs DROP COLUMN tracestate, DROP COLUMN deployment, DROP COLUMN version, DROP COLUMN name,
       DROP COLUMN tags, DROP COLUMN schedule, DROP COLUMN due_ms, DROP COLUMN error, DROP COLUMN place, DROP COLUMN durable,
       DROP COLUMN why, DROP COLUMN resumes, DROP COLUMN stuck, DROP COLUMN ends_ms, DROP COLUMN parked_ms,
       DROP COLUMN parked_at, DROP COLUMN first_signal, DROP COLUMN last_seq, DROP COLUMN noticed,
       DROP COLUMN rank, DROP COLUMN flow, DROP COLUMN held, DROP COLUMN handled, DROP COLUMN parent,
       DROP COLUMN keeps`);
    await world.query(`ALTER TABLE weft.replicas DROP COLUMN journals;
      DROP TABLE weft.job_journal, weft.job_snapshots, weft.job_values, weft.waits, weft.signals, weft.signal_reads,
        weft.approvals, weft.tokens, weft.job_search, weft.notices, weft.notice_since, weft.flow_gates, weft.flow_jobs,
        weft.flow_turns, weft.families, weft.job_rounds, weft.job_states, weft.events, weft.event_starts, weft.event_subscriptions`);
    await world.query("DELETE FROM weft.migrations WHERE name = 'jobs' AND step >= 3");
    const later = await world.open("later");
    await later.enqueue(alone(further), { most: 10, key: null });
    const taker = takeJobs(later, 1);
    const first = await taker.next();
    expect([first.job.id, first.job.tracestate]).toEqual([waiting.id, null]);
    await later.settle(first.job, "succeeded", "{}");
    first.end();
    const second = await taker.next();
    expect([second.job.id, second.job.tracestate]).toEqual([further.id, "a=1"]);
    second.end();
    await taker.stop();
    await world.closeAll();
  });

  it("gives a queued job a task when its own was lost", async () => {
    const world = await replicas();
    const store = await world.open("mender");
    const job = newJob(world.now());
    await store.enqueue(alone(job), { most: 10, key: null });
    await world.query("SELECT graphile_worker.remove_job(id) FROM weft.jobs");
    const taker = takeJobs(store, 1);
    await store.recover();
    expect((await taker.next()).job.id).toBe(job.id);
    await taker.stop();
    await world.closeAll();
  });

  it("keeps no job waiting, and none before those that came first, when the clock of the database is set back", async () => {
    const world = await replicas();
    const store = await world.open("before");
    const [first, second] = [newJob(world.now()), newJob(world.now() + 1)];
    const taker = takeJobs(store, 1, false);
    for (const job of [first, second]) await store.enqueue(alone(job), { most: 10, key: null });
    // Whatever was queued may run at any time since long ago.
    expect(
      await world.query("SELECT max(run_at) < now() - interval '1 year' AS ago FROM graphile_worker.jobs"),
    ).toEqual([{ ago: true }]);
    // One that is put back has its place again.
    await world.query(`UPDATE weft.jobs SET retry = true WHERE id = '${first.id}'`);
    const taken = await taker.begin();
    expect(taken.job.id).toBe(first.id);
    await taker.pause();
    expect(await store.interrupt(taken.job, null)).toMatchObject({ status: "queued" });
    taken.end();
    const again = await taker.begin();
    expect([again.job.id, again.job.attempt]).toEqual([first.id, 2]);
    await store.settle(again.job, "succeeded", "{}");
    again.end();
    await taker.stop();
    // As if these jobs had been queued by a clock that was an hour ahead.
    await world.query("UPDATE weft.jobs SET queued_ms = queued_ms + 3600000");
    const later = await world.open("after");
    expect(later.now()).toBeGreaterThan(world.now() + 3_500_000);
    await world.closeAll();
  });

  it("does not start with newer tables, nor without a database", async () => {
    const world = await replicas();
    const store = await world.open("old");
    await world.query("INSERT INTO weft.migrations(name, step) VALUES ('jobs', 1000)");
    await expect(world.open("older")).rejects.toThrow(StartFault);
    await store.close();
    const nowhere = { url: "postgres://someone@127.0.0.1:9/none", owner: "x", version: "1", clock: realClock };
    await expect(openPostgresStore({ ...nowhere, now: Date.now, silentMs: SILENT_MS })).rejects.toThrow(
      /WF_DATABASE_URL/,
    );
  });

  it("does not start without a connection for the tables of the task queue, and says so", async () => {
    const url = new URL((await postgres?.createDatabase()) ?? "");
    const { href } = url;
    await postgres?.query(
      href,
      `CREATE ROLE one LOGIN CONNECTION LIMIT 1; GRANT ALL ON DATABASE ${url.pathname.slice(1)} TO one`,
    );
    url.username = "one";
    const options = { url: url.href, owner: "x", version: "1", clock: realClock, now: Date.now, silentMs: SILENT_MS };
    await expect(openPostgresStore(options)).rejects.toThrow(
      new StartFault("the database of WF_DATABASE_URL cannot be used: the database has no connection left"),
    );
  });
});
