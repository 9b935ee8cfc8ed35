/** What rules do to jobs, on either store: told through its interface alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type FlowAsked, flowOf, jobFlow } from "../../../../service/jobs/flow/flow-of.ts";
import { gatheredText } from "../../../../service/jobs/flow/gathered-text.ts";
import type { FlowMembers } from "../../../../service/jobs/flow/members.ts";
import type { Job } from "../../../../service/jobs/job.ts";
import { jobId } from "../../../../service/jobs/job-id.ts";
import type { Enqueued, JobStore } from "../../../../service/state/store.ts";
import type { StoreUnderTest } from "../places.ts";
import { alone, newJob, together } from "../store-cases.ts";
import { type TakenJob, takeJobs } from "../taking.ts";

const AGE_MS = 60_000;

export function flowCases(name: string, place: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let world: StoreUnderTest;
    let store: JobStore;
    let stop = async (): Promise<void> => {};
    const ended: Job[] = [];
    let programs = 0;
    let jobs = 0;
    let last: Enqueued | null = null;
    beforeAll(async () => {
      world = await place();
      store = await world.open("first");
      stop = store.watchFlow((some) => ended.push(...some));
    });
    afterAll(async () => {
      await stop();
      await store.close();
    });

    /** Of jobs that are queued in the same millisecond the first goes first. */
    const nextId = (now: number): string => {
      jobs += 1;
      // Digits after the nineteenth are not part of an id.
      return jobId(now, jobs.toString(16).padStart(19, "0"));
    };
    const rulesOf = (rules: FlowMembers): FlowAsked => {
      programs += 1;
      return flowOf({ program: `p${programs}`, layers: [rules], runAtMs: null, ageMs: AGE_MS }) as FlowAsked;
    };
    /** Queues jobs of one program under its rules, in order; the ids of those that there are. */
    const program = (rules: FlowMembers) => {
      programs += 1;
      const name = `p${programs}`;
      const asked = (more: FlowMembers): FlowAsked =>
        flowOf({ program: name, layers: [rules, more], runAtMs: null, ageMs: AGE_MS }) as FlowAsked;
      return async (frame: JsonObject = {}, more: FlowMembers = {}): Promise<string | null> => {
        const now = store.now();
        const isList = rules.batch != null;
        const job = newJob(now, { id: nextId(now), ...(isList ? { frame: gatheredText(JSON.stringify(frame)) } : {}) });
        const flow = jobFlow(asked(more), frame, now);
        const answer = await store.enqueue({ ...alone(job), flow: [flow] }, { most: 1000, key: null });
        last = answer;
        if (answer.state !== "queued") return null;
        expect(answer.ids).toEqual([answer.there?.[0]?.id ?? job.id]);
        return answer.ids?.[0] ?? null;
      };
    };
    /** Runs jobs to their end, one after the other; their ids in the order in which they began. */
    const order = async (count: number): Promise<readonly string[]> => {
      const taker = takeJobs(store, 1);
      const begun: string[] = [];
      while (begun.length < count) {
        const taken = await taker.next();
        begun.push(taken.job.id);
        await over(taken);
      }
      await taker.stop();
      return begun;
    };
    const over = async ({ job, end }: TakenJob): Promise<void> => {
      await store.settle(job, "succeeded", '{"ok":true}');
      end();
    };
    const held = async (id: string | null) => (await store.find(id ?? ""))?.heldBy ?? null;

    it("T.F-1: runs no more jobs of a key than its limit, and the next one as soon as one is over", async () => {
      const queue = program({ concurrency: { limit: 2, key: "customer" } });
      const ids: (string | null)[] = [];
      for (let at = 0; at < 4; at++) ids.push(await queue({ customer: "a" }));
      const other = await queue({ customer: "b" });
      expect(await Promise.all(ids.map(held))).toEqual([
        null,
        null,
        ...Array(2).fill({ kind: "concurrency", until: null }),
      ]);
      const taker = takeJobs(store, 10);
      const taken = [await taker.next(), await taker.next(), await taker.next()];
      expect(taken.map(({ job }) => job.id).sort()).toEqual([ids[0], ids[1], other].sort());
      await over(taken.find(({ job }) => job.id === ids[0]) as TakenJob);
      const next = await taker.next();
      expect(next.job.id).toBe(ids[2]);
      await store.cancel(ids[3] ?? "");
      for (const one of [...taken.filter(({ job }) => job.id !== ids[0]), next]) await over(one);
      await taker.stop();
      expect((await store.find(ids[3] ?? ""))?.status).toBe("cancelled");
    });

    it("T.F-1: lets a job pass several rules at once, and counts those of all programs together", async () => {
      const rule = { limit: 1, scope: "all", key: `shared${programs}` } as const;
      const frame = { [`shared${programs}`]: 1, one: 1 };
      const first = program({ concurrency: [rule, { limit: 5, key: "one" }] });
      const second = program({ concurrency: rule });
      const ids = [await first(frame), await first(frame), await second(frame)];
      expect(await Promise.all(ids.map(held))).toMatchObject([null, { kind: "concurrency" }, { kind: "concurrency" }]);
      expect(await order(3)).toEqual(ids);
    });

    it("T.F-1: drops a job that finds no place, or ends those that wait for it", async () => {
      const dropping = program({ concurrency: { limit: 1, on_full: "drop" } });
      const kept = await dropping();
      expect(await dropping()).toBeNull();
      const replacing = program({ concurrency: { limit: 1, on_full: "replace_waiting" } });
      const ids = [await replacing(), await replacing(), await replacing()];
      expect((await store.find(ids[1] ?? ""))?.status).toBe("cancelled");
      expect(ended.map(({ id }) => id)).toContain(ids[1]);
      expect((await order(3)).toSorted()).toEqual([kept, ids[0], ids[2]].toSorted());
    });

    it("T.F-2: gives out tokens as they come back, in order", async () => {
      const queue = program({ rate: { limit: 2, per_s: 1 } });
      const ids: (string | null)[] = [];
      const began = store.now();
      for (let at = 0; at < 5; at++) ids.push(await queue());
      expect(await Promise.all(ids.map(held))).toEqual([null, null, ...Array(3).fill({ kind: "rate", until: null })]);
      expect(await order(5)).toEqual(ids);
      expect(store.now() - began).toBeGreaterThanOrEqual(1400);
    });

    it("T.F-3: begins jobs of a higher priority first, and lets none wait for ever", async () => {
      const queue = program({});
      const low = await queue({}, { priority: -1 });
      const high = await queue({}, { priority: 5 });
      world.advance(7 * AGE_MS);
      const late = await queue({}, { priority: 5 });
      expect(await order(3)).toEqual([high, low, late]);
    });

    it("T.F-4: takes turns among the values of a key, whatever their priority", async () => {
      const queue = program({ fair: "customer" });
      const a: (string | null)[] = [];
      for (let at = 0; at < 3; at++) a.push(await queue({ customer: "a" }, { priority: 10 }));
      const b = [await queue({ customer: "b" }), await queue({ customer: "b" })];
      expect(await order(5)).toEqual([a[0], b[0], a[1], b[1], a[2]]);
    });

    it("T.F-4: takes turns where jobs wait for a place as well", async () => {
      const queue = program({ fair: "customer", concurrency: { limit: 1 } });
      const a: (string | null)[] = [];
      for (let at = 0; at < 3; at++) a.push(await queue({ customer: "a" }));
      const b = await queue({ customer: "b" });
      expect(await order(4)).toEqual([a[0], b, a[1], a[2]]);
    });

    it("T.F-5: begins no job before its time", async () => {
      const queue = program({});
      const later = await queue({}, { delay_s: 3600 });
      expect(await held(later)).toEqual({ kind: "time", until: expect.any(Number) });
      const now = await queue({}, { delay_s: 0.2 });
      expect(await order(1)).toEqual([now]);
      await store.cancel(later ?? "");
    });

    it("T.F-8: ends a job that was not begun in time, and no other", async () => {
      const queue = program({ concurrency: { limit: 1 } });
      const first = await queue({}, { start_by_s: 0.2 });
      const taker = takeJobs(store, 1);
      const taken = await taker.next();
      const late = await queue({}, { start_by_s: 0.2 });
      for (let looks = 0; looks < 500 && (await store.find(late ?? ""))?.status === "queued"; looks++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await store.find(late ?? "")).toMatchObject({ status: "timed_out", error: "expired" });
      expect((await store.find(first ?? ""))?.status).toBe("running");
      await over(taken);
      await taker.stop();
    });

    it("T.F-6: answers with the job that has the key, while it is queued or runs", async () => {
      const queue = program({ unique: { key: "order" } });
      const first = await queue({ order: 1 });
      expect(await queue({ order: 1 })).toBe(first);
      const other = await queue({ order: 2 });
      const taker = takeJobs(store, 2);
      const taken = [await taker.next(), await taker.next()];
      expect(await queue({ order: 1 })).toBe(first);
      for (const one of taken) await over(one);
      await taker.stop();
      const next = await queue({ order: 1 });
      expect([first, other]).not.toContain(next);
      expect(await order(1)).toEqual([next]);
    });

    it("T.F-6: keeps a key for its time after the end of its job, and forgets it then", async () => {
      const queue = program({ unique: { key: "order", for_s: 3600 } });
      const first = await queue({ order: 1 });
      expect(await order(1)).toEqual([first]);
      await store.sweep({ mostResults: 10_000 });
      expect(await queue({ order: 1 })).toBe(first);
      world.advance(3600_000);
      const next = await queue({ order: 1 });
      expect(next).not.toBe(first);
      expect(await order(1)).toEqual([next]);
    });

    it("T.F-6: refuses a job whose key is taken, and names the other", async () => {
      const queue = program({ unique: { key: "order", on_conflict: "reject" } });
      const first = await queue({ order: 1 });
      expect(await queue({ order: 1 })).toBeNull();
      expect(last).toEqual({ state: "taken", by: first });
      await store.cancel(first ?? "");
      const next = await queue({ order: 1 });
      expect(await order(1)).toEqual([next]);
    });

    it("T.F-6: replaces a job that is queued, and one that runs when it has ended", async () => {
      const queue = program({ unique: { key: "order", on_conflict: "replace" } });
      const first = await queue({ order: 1 });
      const second = await queue({ order: 1 });
      expect(ended.map(({ id }) => id)).toContain(first);
      const { result } = (await store.find(first ?? "")) ?? {};
      expect(JSON.parse(result ?? "{}")).toMatchObject({ error: "cancelled", replaced_by: second });
      const taker = takeJobs(store, 2);
      const running = await taker.next();
      expect(running.job.id).toBe(second);
      const third = await queue({ order: 1 });
      expect((await store.find(second ?? ""))?.status).toBe("cancelling");
      expect(await held(third)).toEqual({ kind: "unique", until: null });
      await store.settle(running.job, "cancelled", '{"ok":false}');
      running.end();
      const next = await taker.next();
      expect(next.job.id).toBe(third);
      await over(next);
      await taker.stop();
    });

    it("T.F-6: of one request queues one job for each key", async () => {
      const many = async (on_conflict: "return" | "reject" | "replace") => {
        const now = store.now();
        const asked = rulesOf({ unique: { key: "order", on_conflict } });
        const three = [1, 2, 3].map(() => newJob(now, { id: nextId(now) }));
        const flow = [1, 1, 2].map((one) => jobFlow(asked, { order: one }, now));
        const answer = await store.enqueue({ ...together(three), flow }, { most: 1000, key: null });
        const ids = answer.state === "queued" ? (answer.ids ?? []) : [];
        const real = [...new Set(ids)].flatMap((id) => id ?? []);
        expect((await order(real.length)).toSorted()).toEqual(real.toSorted());
        return ids.map((id) => (id === null ? null : three.findIndex((job) => job.id === id)));
      };
      expect(await many("return")).toEqual([0, 0, 2]);
      expect(await many("reject")).toEqual([0, null, 2]);
      expect(await many("replace")).toEqual([null, 1, 2]);
    });

    it("T.F-7: of a burst runs the last job, after a pause or when the first has waited for long enough", async () => {
      const queue = program({ debounce: { key: "order", wait_s: 0.2, max_s: 3600 } });
      const ids = [await queue({ order: 1 }), await queue({ order: 1 }), await queue({ order: 1 })];
      const other = await queue({ order: 2 });
      expect(await held(ids[2] ?? "")).toEqual({ kind: "time", until: expect.any(Number) });
      expect((await order(2)).toSorted()).toEqual([ids[2], other].toSorted());
      for (const [at, id] of ids.slice(0, 2).entries()) {
        const found = await store.find(id ?? "");
        expect(found?.status).toBe("cancelled");
        expect(JSON.parse(found?.result ?? "{}").replaced_by).toBe(ids[at + 1]);
      }
      const bounded = program({ debounce: { key: "order", wait_s: 3600, max_s: 3600 } });
      const first = await bounded({ order: 1 });
      const deadline = (await held(first))?.until;
      const second = await bounded({ order: 1 });
      expect((await held(second))?.until).toBe(deadline);
      await store.cancel(second ?? "");
    });

    it("T.F-7: runs one job with the inputs of a burst, at once when the list is full", async () => {
      const queue = program({ batch: { max: 3, wait_s: 3600, key: "order" } });
      const ids: (string | null)[] = [];
      for (const n of [1, 2, 3, 4]) ids.push(await queue({ order: 1, n }));
      expect(ids[0]).toBe(ids[1]);
      expect(ids[0]).toBe(ids[2]);
      expect(ids[3]).not.toBe(ids[0]);
      const taker = takeJobs(store, 1);
      const taken = await taker.next();
      expect([taken.job.id, JSON.parse(taken.job.frame ?? "")]).toEqual([
        ids[0],
        { items: [1, 2, 3].map((n) => ({ order: 1, n })) },
      ]);
      await over(taken);
      await taker.stop();
      expect((await store.find(ids[3] ?? ""))?.status).toBe("queued");
      await store.cancel(ids[3] ?? "");
      expect(await queue({ order: 1, n: 5 })).not.toBe(ids[3]);
    });

    it("T.F-7: begins another list where one would be too large, and of one request fills several", async () => {
      const queue = program({ batch: { max: 100, wait_s: 3600 } });
      const text = "x".repeat(700_000);
      const large = [await queue({ text }), await queue({ text }), await queue({ n: 1 })];
      expect(new Set(large).size).toBe(2);
      expect(large[2]).toBe(large[1]);
      const taker = takeJobs(store, 1);
      const first = await taker.next();
      expect(first.job.id).toBe(large[0]);
      await over(first);
      await taker.stop();
      const now = store.now();
      const asked = rulesOf({ batch: { max: 2, wait_s: 3600 } });
      const five = [1, 2, 3, 4, 5].map((n) => newJob(now, { id: nextId(now), frame: gatheredText(`{"n":${n}.0}`) }));
      const flow = five.map(() => jobFlow(asked, {}, now));
      const answer = await store.enqueue({ ...together(five), flow }, { most: 1000, key: null });
      const ids = answer.state === "queued" ? (answer.ids ?? []) : [];
      expect(ids.map((id) => five.findIndex((job) => job.id === id))).toEqual([0, 0, 2, 2, 4]);
      expect((await store.work(ids[2] ?? ""))?.frame).toBe('{"items":[{"n":3.0},{"n":4.0}]}');
      expect((await order(2)).toSorted()).toEqual([ids[0], ids[2]].toSorted());
      await store.cancel(ids[4] ?? "");
    });

    it("keeps the places of jobs that run when their process dies, and gives back those of jobs that are over", async () => {
      const queue = program({ concurrency: { limit: 1 } });
      const ids = [await queue(), await queue()];
      const taker = takeJobs(store, 1);
      const first = await taker.next();
      await stop();
      await store.settle(first.job, "failed", '{"ok":false}');
      first.end();
      await taker.stop();
      expect(await held(ids[1] ?? "")).toMatchObject({ kind: "concurrency" });
      stop = store.watchFlow((some) => ended.push(...some));
      expect(await order(1)).toEqual([ids[1]]);
    });

    it("forgets rules of which no job is left", async () => {
      await store.sweep({ mostResults: 10_000 });
      await store.sweep({ mostResults: 10_000 });
    });
  });
}
