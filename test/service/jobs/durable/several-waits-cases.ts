/** What every store does for jobs of which several branches wait. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DurableJobs } from "../../../../service/jobs/durable/durable-store.ts";
import type { NewSignal } from "../../../../service/jobs/durable/waits.ts";
import type { ClaimedJob } from "../../../../service/jobs/job.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import type { StoreUnderTest } from "../places.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";
import { HOUR_MS, OPTIONS, signalSpec, waiting } from "./durable-cases.ts";

export function severalWaitsCases(name: string, place: () => Promise<StoreUnderTest>): void {
  describe(name, { timeout: 60_000 }, () => {
    let world: StoreUnderTest;
    let store: JobStore;
    let durable: DurableJobs;
    beforeAll(async () => {
      world = await place();
      store = await world.open("first");
      if (store.durable === null) throw new Error("a store without journals");
      durable = store.durable;
    });
    afterAll(() => store.close());

    /** The next job in line, claimed; its place to run is free again. */
    const claim = async (): Promise<ClaimedJob> => {
      const taker = takeJobs(store, 1);
      const { job, end } = await taker.next();
      end();
      await taker.stop();
      return job;
    };
    const running = async (): Promise<ClaimedJob> => {
      await store.enqueue(alone(newJob(world.now(), { durable: { lifetimeMs: 9 * HOUR_MS } })), OPTIONS);
      return claim();
    };
    const statusOf = async (id: string) => (await store.find(id))?.status ?? null;
    const kindsOf = async (id: string) => ((await durable.page(id, 0, 1000)) ?? []).map(({ kind }) => kind);
    const signalTo = (target: NewSignal["target"], name: string, more: Partial<NewSignal> = {}) =>
      durable.send({ id: `s-${Math.random()}`, name, target, data: "null", expiresMs: world.now() + HOUR_MS, ...more });
    const done = async (job: ClaimedJob) => expect(await store.settle(job, "succeeded", "{}")).not.toBeNull();

    it("waits for several things at once, and wakes the job with each", async () => {
      const job = await running();
      const [one, two] = [waiting(1, signalSpec(["x"])), waiting(2, signalSpec(["y"], "several"))];
      const time = waiting(3, { kind: "timer", until: world.now() + HOUR_MS / 2, span: HOUR_MS / 2 });
      const all = [one, two, time];
      const records = all.flatMap((each) => each.records);
      const waits = all.map(({ wait }) => wait);
      const openOf = async () =>
        (await durable.waits(job.id)).flatMap(({ wait, endedMs }) => (endedMs === null ? [wait] : [])).sort();
      const journal = durable.journal(job);
      // Others of its branches still run.
      expect(await journal.park?.(records, waits, false)).toEqual({ state: "waits" });
      expect([await statusOf(job.id), await openOf()]).toEqual(["running", ["w-1", "w-2", "w-3"]]);
      const began = (await durable.waits(job.id)).map(({ beganMs }) => beganMs);
      expect(await signalTo({ job: job.id }, "x", { data: "1" })).toMatchObject({ woken: [] });
      const first = await journal.park?.([], waits, false);
      expect(first).toMatchObject({ state: "woken", woken: [{ wait: "w-1", seq: 4, result: { data: 1 } }] });
      expect(await journal.park?.([], waits, false)).toEqual(first);
      expect(await openOf()).toEqual(["w-2", "w-3"]);
      world.advance(1);
      expect(await journal.park?.([], [two.wait, time.wait], true)).toEqual({ state: "parked" });
      expect((await durable.waits(job.id)).map(({ beganMs }) => beganMs)).toEqual(began);
      const sent = await signalTo({ key: "several" }, "y", { data: "2" });
      expect(sent).toMatchObject({ woken: [{ id: job.id, status: "queued" }] });
      // The time comes while it is in line: it is found when the job parks again, and wakes nothing before.
      world.advance(HOUR_MS);
      expect([await statusOf(job.id), await openOf()]).toEqual(["queued", ["w-3"]]);
      const again = await claim();
      const parked = await durable.journal(again).park?.([], [time.wait], true);
      expect(parked).toMatchObject({ state: "woken", woken: [{ wait: "w-3", seq: 6 }] });
      expect(await kindsOf(job.id)).toEqual(["wait", "wait", "wait", "woken", "woken", "woken"]);
      const last = waiting(7, signalSpec(["z"]));
      expect(await durable.journal(again).park?.(last.records, [last.wait], false)).toEqual({ state: "waits" });
      await done(again);
      durable.ended(again);
      await expect.poll(openOf).toEqual([]);
    });

    it("takes a person's word on one call while another wait has put the job in line", async () => {
      const job = await running();
      const asked = waiting(1, { kind: "outcome", of: 1, until: null });
      const heard = waiting(2, signalSpec(["x"]));
      const records = [...asked.records, ...heard.records];
      await durable.journal(job).park?.(records, [asked.wait, heard.wait], true);
      await signalTo({ job: job.id }, "x");
      const said = { of: 1, decision: "fail", by: null, result: null } as const;
      expect(await durable.decide(job.id, said)).toMatchObject({ status: "queued" });
      expect(await durable.decide(job.id, said)).toBeNull();
      expect(await kindsOf(job.id)).toEqual(["wait", "wait", "woken", "decision"]);
      await done(await claim());
    });
  });
}
