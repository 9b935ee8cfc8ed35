/** What every job store does, told through its interface alone. Each store's test file runs them. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  isTerminal,
  JOB_STATUSES,
  type JobEvent,
  type JobOutcome,
  type JobStatus,
  MOVES,
  type Submission,
  type SubmittedJob,
} from "../../../service/jobs/job.ts";
import { jobId } from "../../../service/jobs/job-id.ts";
import { ROWS_A_ROUND } from "../../../service/jobs/retention/retention.ts";
import type { EnqueueOptions, JobStore } from "../../../service/state/store.ts";
import { ABOUT_NOTHING } from "../../../service/wire/about.ts";
import { NO_USAGE } from "../../../vm/run.ts";
import type { StoreUnderTest } from "./places.ts";
import { type TakenJob, takeJobs } from "./taking.ts";

const ENDS: readonly JobOutcome[] = ["succeeded", "failed", "timed_out", "cancelled", "rejected"];
const OPTIONS: EnqueueOptions = { most: 1000, key: null };

export type NewJob = Omit<Submission, "bulk" | "jobs"> & Pick<SubmittedJob, "id" | "frame">;

export function newJob(now: number, changes: Partial<NewJob> = {}): NewJob {
  return {
    id: jobId(changes.queuedMs ?? now, randomBytes(16).toString("hex")),
    traceId: randomBytes(16).toString("hex"),
    frame: "{}",
    traceparent: null,
    tracestate: null,
    label: "L1",
    request: '{"asked":{}}',
    program: '{"nodes":[]}',
    checksum: "sha256:a",
    retry: false,
    keepMs: 60_000,
    queuedMs: now,
    retryOf: null,
    about: ABOUT_NOTHING,
    deployment: null,
    version: null,
    warnings: [],
    ...changes,
  };
}

const progress = (steps: number): JobEvent => ({
  kind: "progress",
  data: JSON.stringify({ usage: { ...NO_USAGE, steps } }),
});

export function alone({ id, frame, ...shared }: NewJob): Submission {
  return { ...shared, bulk: false, jobs: [{ id, traceId: shared.traceId, frame }] };
}

/** Jobs of one request. */
export function together(jobs: readonly NewJob[]): Submission {
  const [first = newJob(0)] = jobs;
  return { ...alone(first), traceId: "of-the-request", bulk: true, jobs: jobs.flatMap((job) => alone(job).jobs) };
}

export function storeCases(name: string, place: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let world: StoreUnderTest;
    let store: JobStore;
    beforeAll(async () => {
      world = await place();
      store = await world.open("first");
    });
    afterAll(() => store.close());

    const queue = async (changes: Partial<NewJob> = {}, options = OPTIONS) => {
      const job = newJob(world.now(), changes);
      return { job, answer: await store.enqueue(alone(job), options) };
    };
    /** A job that runs, and the worker that runs it. */
    const running = async (changes: Partial<NewJob> = {}) => {
      const taker = takeJobs(store, 1);
      const { job } = await queue(changes);
      const taken = await taker.next();
      expect(taken.job.id).toBe(job.id);
      return { ...taken, stop: taker.stop };
    };
    const statusOf = async (id: string) => (await store.find(id))?.status ?? null;

    it("keeps what it is given until the job is claimed, with a place in line", async () => {
      const hostile = '{"asked":{"frame":{"\\u0000":"\\ud800 \u2028 \u00e9"}}}';
      const frame = '{"__proto__":{"a":1},"é":[]}';
      const { job, answer } = await queue({
        ...{ request: hostile, frame, retry: true },
        ...{ traceparent: "00-1-2-01", tracestate: "a=1,b=2" },
      });
      const second = await queue();
      expect([answer, second.answer]).toEqual([
        { state: "queued", position: 0 },
        { state: "queued", position: 1 },
      ]);
      expect(await store.find(second.job.id)).toMatchObject({
        status: "queued",
        position: 1,
        attempt: 0,
        result: null,
      });
      const taker = takeJobs(store, 1);
      const { job: claimed, end } = await taker.next();
      expect(claimed).toMatchObject({
        id: job.id,
        status: "running",
        attempt: 1,
        request: hostile,
        frame,
        program: job.program,
      });
      expect(claimed).toMatchObject({ traceId: job.traceId, traceparent: "00-1-2-01", retry: true });
      expect([claimed.tracestate, (await store.work(job.id))?.tracestate]).toEqual(["a=1,b=2", "a=1,b=2"]);
      expect((await store.work(second.job.id))?.tracestate).toBeNull();
      await store.settle(claimed, "succeeded", '{"ok":true}');
      end();
      const next = await taker.next();
      expect(next.job.id).toBe(second.job.id);
      await store.settle(next.job, "failed", "{}");
      next.end();
      await taker.stop();
    });

    it.each(ENDS)("settles a job once: %s", async (outcome) => {
      const { job, end, stop } = await running();
      const result = JSON.stringify({ text: "x".repeat(100), nul: "\u0000" });
      expect(await store.settle(job, outcome, result)).toMatchObject({ status: outcome });
      expect(await store.settle(job, "succeeded", "{}")).toBeNull();
      expect(await store.interrupt(job, null)).toBeNull();
      const found = await store.find(job.id);
      expect(found).toMatchObject({ status: outcome, result, isResultLarge: false, position: null });
      expect(found?.expiresMs).toBe((found?.finishedMs ?? 0) + 60_000);
      end();
      await stop();
    });

    it("keeps large results whole", async () => {
      const { job, end, stop } = await running();
      const result = JSON.stringify("\u00e9".repeat(1_500_000));
      await store.settle(job, "succeeded", result);
      // A request for the job alone must not wait for its result, nor hold it.
      expect(await store.find(job.id)).toMatchObject({ status: "succeeded", result: null, isResultLarge: true });
      expect(await store.result(job.id)).toBe(result);
      expect(await store.result(newJob(world.now()).id)).toBeNull();
      end();
      await stop();
    });

    it("cancels: a queued job at once, a running one through its owner, an ended one not at all", async () => {
      const { job: queued } = await queue();
      expect(await store.cancel(queued.id)).toMatchObject({ moved: true, job: { status: "cancelled" } });
      expect((await store.find(queued.id))?.result).toContain("cancelled");
      const { job, end, stop } = await running();
      const asked = new Promise<string>((resolve) => store.signals.onCancelling(resolve));
      expect(await store.cancel(job.id)).toMatchObject({ moved: true, job: { status: "cancelling" } });
      expect(await asked).toBe(job.id);
      expect(await store.cancelling([job.id, queued.id])).toEqual([job.id]);
      expect(await store.cancel(job.id)).toMatchObject({ moved: false, job: { status: "cancelling" } });
      // A run that had ended by itself keeps its result.
      expect(await store.settle(job, "succeeded", '{"ok":true}')).toMatchObject({ status: "succeeded" });
      expect(await store.cancel(job.id)).toMatchObject({ moved: false, job: { status: "succeeded" } });
      expect(await store.cancel(newJob(world.now()).id)).toBeNull();
      end();
      await stop();
    });

    it("refuses jobs beyond its bound and takes them again when there is room", async () => {
      const { job } = await queue();
      expect((await queue({}, { most: 1, key: null })).answer).toEqual({ state: "full" });
      await store.cancel(job.id);
      const { job: next, answer } = await queue({}, { most: 1, key: null });
      expect(answer.state).toBe("queued");
      await store.cancel(next.id);
    });

    it("queues the jobs of a request together, in their order, or none of them", async () => {
      const jobs = Array.from({ length: 5 }, (_, at) => newJob(world.now(), { frame: `{"at":${at}}` }));
      const ids = jobs.map(({ id }) => id).sort();
      const submission = together(jobs.map((job, at) => ({ ...job, id: ids[at] ?? "" })));
      const { job: first } = await queue({ queuedMs: world.now() - 10 });
      expect(await store.enqueue(submission, { most: 5, key: null })).toEqual({ state: "full" });
      expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => null));
      const key = { scope: "POST /enqueue", key: `bulk-${Math.random()}` };
      await store.keys.claim(key, "h", "of-the-request");
      expect(await store.enqueue(submission, { most: 6, key: { ...key, traceId: "of-the-request" } })).toEqual({
        state: "queued",
        position: 1,
      });
      const again = await store.keys.claim(key, "h", "another");
      expect(JSON.parse((again.state === "finished" ? again.answer.body : null) ?? "null")).toMatchObject({
        count: 5,
        job_ids: ids,
        position: 1,
        trace_id: "of-the-request",
      });
      expect((await store.list({ statuses: ["queued"], limit: 5, after: null })).map(({ id }) => id)).toEqual(
        [...ids].reverse(),
      );
      expect((await store.find(ids[2] ?? ""))?.position).toBe(3);
      // One of them is cancelled, and the others are not.
      expect(await store.cancel(ids[2] ?? "")).toMatchObject({ moved: true });
      await store.cancel(first.id);
      const taker = takeJobs(store, 1);
      for (const at of [0, 1, 3, 4]) {
        const { job, end } = await taker.next();
        expect(job).toMatchObject({ id: ids[at], frame: `{"at":${at}}`, attempt: 1 });
        expect(job.traceId).toBe(submission.jobs[at]?.traceId);
        await store.settle(job, "succeeded", `{"at":${at}}`);
        end();
      }
      await taker.stop();
      expect(await Promise.all(ids.map(async (id) => (await store.find(id))?.result ?? null))).toEqual([
        '{"at":0}',
        '{"at":1}',
        expect.stringContaining("cancelled"),
        '{"at":3}',
        '{"at":4}',
      ]);
    });

    it("tells the events of a job in order, the last thousand of them", async () => {
      const { job, end, stop } = await running();
      const events = (count: number) =>
        Array.from({ length: count }, (_, at) => ({ kind: "adapter_call", data: `{"at":${at}}` }) as const);
      await store.addEvents(job, events(3));
      const first = await store.events(job.id, 0);
      expect(first.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
        "1 status",
        "2 status",
        "3 adapter_call",
        "4 adapter_call",
        "5 adapter_call",
      ]);
      await store.addEvents(job, events(1100));
      await store.settle(job, "succeeded", "{}");
      await store.addEvents(job, events(1));
      const kept = await store.events(job.id, 0);
      expect([kept.length <= 1002, kept.length >= 1000, kept.at(-1)?.kind]).toEqual([true, true, "end"]);
      expect((await store.events(job.id, kept.at(-2)?.seq ?? 0)).map(({ kind }) => kind)).toEqual(["end"]);
      end();
      await stop();
    });

    it("lists jobs newest first, by state and from a place", async () => {
      const made: NewJob[] = [];
      for (let at = 0; at < 4; at++) made.unshift((await queue({ queuedMs: world.now() + 1000 + (at >> 1) })).job);
      const order = [...made].sort((a, b) => b.queuedMs - a.queuedMs || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
      const all = await store.list({ statuses: ["queued"], limit: 3, after: null });
      expect(all.map(({ id }) => id)).toEqual(order.slice(0, 3));
      const last = all.at(-1);
      const before = { queuedMs: last?.queuedMs ?? 0, id: last?.id ?? "" };
      expect((await store.list({ statuses: ["queued"], limit: 3, after: before })).map(({ id }) => id)).toEqual(
        order.slice(3),
      );
      for (const { id } of made) await store.cancel(id);
    });

    it("T.S-3: finds jobs by their inputs and by the first line of their message, until they expire", async () => {
      const inputs = (value: string) => [{ at: 0, member: "order.id", value }];
      const about = { deployment: "shop", version: 1 };
      const failed = (message: string): string =>
        JSON.stringify({ ok: false, trace_id: "t", error: "runtime_error", message, usage: NO_USAGE });
      const first = await running({ ...about, search: inputs("17") });
      await store.settle(first.job, "failed", failed('KeyError: "a\u00e9\\" of\nsecond line'));
      first.end();
      await first.stop();
      const second = await running({ ...about, search: inputs("x".repeat(128)) });
      await store.settle(second.job, "succeeded", '{"ok":true,"message":"KeyError"}');
      second.end();
      await second.stop();
      const again = await queue({ ...about, retryOf: first.job.id });
      const found = async (filter: object): Promise<readonly string[]> => {
        const listing = { statuses: JOB_STATUSES, limit: 50, after: null, ...filter };
        return (await store.list(listing)).map(({ id }) => id);
      };
      const search = (member: string, value: string) => ({ search: { member, value } });
      // A retry has the inputs of its job.
      expect(await found(search("order.id", "17"))).toEqual([again.job.id, first.job.id]);
      expect(await found(search("order.id", "x".repeat(200)))).toEqual([second.job.id]);
      expect(await found(search("order", "17"))).toEqual([]);
      for (const message of ["KeyError", '"a\u00e9', '\\" of'])
        expect([message, await found({ message })]).toEqual([message, [first.job.id]]);
      for (const message of ["second", "%", "keyerror", "usage"]) expect(await found({ message })).toEqual([]);
      const { finishedMs } = (await store.find(first.job.id)) ?? { finishedMs: 0 };
      expect(await found({ ...search("order.id", "17"), endedBefore: (finishedMs ?? 0) + 1 })).toEqual([first.job.id]);
      expect(await found({ ...search("order.id", "17"), endedBefore: finishedMs })).toEqual([]);
      await store.cancel(again.job.id);
      world.advance(61_000);
      await store.sweep({ mostResults: 1000 });
      expect(await found(search("order.id", "17"))).toEqual([]);
    });

    it("T.S-4: counts the jobs of a time by program and state, also when their results are gone", async () => {
      const from = world.now() + 100 * 3_600_000;
      world.advance(from - world.now());
      const about = { deployment: "counted", version: 1, keepMs: 1000 };
      for (const [outcome, result] of [
        ["succeeded", "{}"],
        ["failed", '{"ok":false,"trace_id":"t","error":"runtime_error"}'],
        ["timed_out", '{"ok":false,"trace_id":"t","error":"max_time_ms_exceeded"}'],
        ["succeeded", "{}"],
      ] as const) {
        const { job, end, stop } = await running(about);
        world.advance(20);
        await store.settle(job, outcome, result);
        end();
        await stop();
      }
      const { job: waiting } = await queue({ deployment: null });
      const listing = { statuses: ["queued"], deployment: null, limit: 50, after: null } as const;
      expect((await store.list(listing)).map(({ id }) => id)).toContain(waiting.id);
      expect((await store.list({ ...listing, deployment: "counted" })).length).toBe(0);
      const counted = async () =>
        (await store.stats(from, world.now() + 60_000))
          .map(({ program, status, count, runningMs }) => [
            program,
            status,
            count,
            runningMs >= 20 * count || runningMs,
          ])
          .sort((a, b) => String(a).localeCompare(String(b)));
      const wanted = [
        [null, "queued", 1, 0],
        ["counted", "failed", 1, true],
        ["counted", "succeeded", 2, true],
        ["counted", "timed_out", 1, true],
      ];
      expect(await counted()).toEqual(wanted);
      expect(await store.stats(from - 1000, from)).toEqual([]);
      world.advance(2000);
      await store.sweep({ mostResults: 10_000 });
      expect(await counted()).toEqual(wanted);
      await store.cancel(waiting.id);
    });

    it("notes the first line of the message of a job that failed, and nothing of others or unknown ones", async () => {
      const failing = await running();
      const result = `{"ok":false,"trace_id":"t","error":"runtime_error","message":"no \\"way\\"\\nat L1","error_structured":{}}`;
      await store.settle(failing.job, "failed", result);
      failing.end();
      await failing.stop();
      const { job: queued } = await queue();
      const notes = await store.notes([failing.job.id, queued.id, "01980c1e-0000-7000-8000-000000000000"]);
      expect([...notes].sort((a, b) => a.id.localeCompare(b.id))).toEqual([
        { id: failing.job.id, message: 'no \\"way\\"', kind: null, names: null },
        { id: queued.id, message: null, kind: null, names: null },
      ]);
      await store.cancel(queued.id);
    });

    it("releases, requeues or interrupts a job by its state and attempts", async () => {
      const once = await running();
      expect(await store.interrupt(once.job, null)).toMatchObject({ status: "interrupted" });
      expect((await store.find(once.job.id))?.result).toContain('"error":"interrupted"');
      once.end();
      await once.stop();
      const request = '{"asked":{},"limits":{"max_steps":9}}';
      const told = await running({ request });
      // A known usage replaces the last reported one; a process that died has none.
      const known = { limits: { max_steps: 7 }, usage: { ...NO_USAGE, steps: 5 } };
      await store.addEvents(told.job, [progress(2), progress(3), { kind: "adapter_call", data: "{}" }]);
      await store.interrupt(told.job, known);
      expect(JSON.parse((await store.find(told.job.id))?.result ?? "")).toMatchObject(known);
      told.end();
      await told.stop();
      const dead = await running({ request });
      await store.addEvents(dead.job, [progress(2), progress(3), { kind: "adapter_call", data: "{}" }]);
      await store.interrupt(dead.job, null);
      expect(JSON.parse((await store.find(dead.job.id))?.result ?? "")).toMatchObject({
        limits: { max_steps: 9 },
        usage: { ...NO_USAGE, steps: 3 },
      });
      dead.end();
      await dead.stop();
      const cancelled = await running({ retry: true });
      await store.cancel(cancelled.job.id);
      expect(await store.interrupt(cancelled.job, null)).toMatchObject({ status: "cancelled" });
      cancelled.end();
      await cancelled.stop();
      const { job } = await queue({ retry: true, request });
      for (const [attempt, status] of [
        [1, "queued"],
        [2, "queued"],
        [3, "interrupted"],
      ] as const) {
        const taker = takeJobs(store, 1);
        const taken = await taker.next();
        expect(taken.job).toMatchObject({ id: job.id, attempt });
        if (attempt < 3) await store.addEvents(taken.job, [progress(attempt)]);
        expect(await store.interrupt(taken.job, null)).toMatchObject({ status });
        taken.end();
        await taker.stop();
      }
      // What earlier attempts used is not what the last one did.
      const given = JSON.parse((await store.find(job.id))?.result ?? "");
      expect(given).toMatchObject({ limits: { max_steps: 9 }, usage: NO_USAGE });
    });

    it("answers a key once, for all who ask, and with the answer of the job that was queued under it", async () => {
      const key = { scope: "POST /enqueue", key: `k-${Math.random()}` };
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.keys.claim(key, "h", "trace")));
      expect(claims.map(({ state }) => state).sort()).toEqual(["first", "running", "running", "running", "running"]);
      expect(await store.keys.claim(key, "other", "trace")).toEqual({ state: "other_body" });
      const { job } = await queue({ warnings: ["w"] }, { most: 1000, key: { ...key, traceId: "trace" } });
      const again = await store.keys.claim(key, "h", "trace");
      const { answer } = again.state === "finished" ? again : { answer: null };
      expect(answer).toMatchObject({ status: 202, traceId: "trace", headers: { location: `/result/${job.id}` } });
      expect(JSON.parse(answer?.body ?? "")).toMatchObject({ job_id: job.id, position: 0, warnings: ["w"] });
      await store.cancel(job.id);
      const other = { ...key, scope: "POST /run" };
      const first = await store.keys.claim(other, "h", "t");
      if (first.state === "first") await first.release();
      const next = await store.keys.claim(other, "h", "t");
      expect(await store.keys.body(other)).toBeNull();
      const body = "\u00e9".repeat(1_500_000);
      if (next.state === "first") await next.finish({ status: 200, headers: {}, body });
      expect(await store.keys.claim(other, "h", "t")).toMatchObject({ state: "finished", answer: { body: null } });
      expect(await store.keys.body(other)).toBe(body);
    });

    it("moves jobs and keys of a process that died, and leaves those of the living", async () => {
      const dead = await world.open("dead");
      const own = dead === store ? store : dead;
      const key = { scope: "POST /run", key: `dead-${Math.random()}` };
      const queueing = { scope: "POST /enqueue", key: key.key };
      for (const one of [key, queueing])
        expect((await own.keys.claim(one, "h", "trace-of-the-dead")).state).toBe("first");
      const taker = takeJobs(own, 2);
      const jobs = [newJob(world.now()), newJob(world.now(), { retry: true })];
      for (const job of jobs) await own.enqueue(alone(job), OPTIONS);
      const taken: TakenJob[] = [await taker.next(), await taker.next()];
      await world.kill(own);
      const next = own === store ? await world.open("heir") : store;
      store = next;
      await expect
        .poll(async () => {
          await store.recover();
          return Promise.all(jobs.map(({ id }) => statusOf(id)));
        })
        .toEqual(["interrupted", "queued"]);
      expect(await store.keys.claim(key, "h", "t")).toMatchObject({
        state: "finished",
        answer: { status: 200, traceId: "trace-of-the-dead", body: expect.stringContaining("interrupted") },
      });
      // No job was queued under it, so it may be.
      expect((await store.keys.claim(queueing, "h", "t")).state).toBe("first");
      await store.cancel(jobs[1]?.id ?? "");
      for (const { end } of taken) end();
      await taker.stop();
    });

    it("expires results and then ids after their time, but never a waiting job", async () => {
      const { job, end, stop } = await running({ keepMs: 1000 });
      await store.settle(job, "succeeded", "{}");
      end();
      await stop();
      const { job: waiting } = await queue({ keepMs: 1 });
      expect((await store.sweep({ mostResults: 10_000 })).map(({ id }) => id)).not.toContain(job.id);
      world.advance(2000);
      expect((await store.sweep({ mostResults: 10_000 })).map(({ id }) => id)).toContain(job.id);
      expect(await store.find(job.id)).toMatchObject({ status: "expired", result: null });
      expect(await store.work(job.id)).toBeNull();
      expect(await store.events(job.id, 0)).toEqual([]);
      world.advance(8 * 24 * 3_600_000);
      await store.sweep({ mostResults: 10_000 });
      expect(await store.find(job.id)).toBeNull();
      expect(await statusOf(waiting.id)).toBe("queued");
      // Its program was last used a week ago, by this job only.
      expect(await store.work(waiting.id)).toMatchObject({ program: waiting.program });
      await store.cancel(waiting.id);
    });

    it("keeps a result for as long as asked, the id seven days longer, and an answer under a key for a day", async () => {
      const MINUTE = 60_000;
      const DAY = 24 * 60 * MINUTE;
      const { job, end, stop } = await running({ keepMs: 5 * MINUTE });
      await store.settle(job, "succeeded", "{}");
      end();
      await stop();
      const key = { scope: "POST /run", key: `day-${Math.random()}` };
      const claim = await store.keys.claim(key, "h", "t");
      if (claim.state !== "first") throw new Error("a key of its own");
      await claim.finish({ status: 200, headers: {}, body: "{}" });
      const later = async (ms: number) => {
        world.advance(ms);
        await store.sweep({ mostResults: 10_000 });
        return { job: await statusOf(job.id), key: (await store.keys.claim(key, "h", "t")).state };
      };
      expect(await later(4 * MINUTE)).toEqual({ job: "succeeded", key: "finished" });
      expect(await later(2 * MINUTE)).toEqual({ job: "expired", key: "finished" });
      expect(await later(DAY - 7 * MINUTE)).toEqual({ job: "expired", key: "finished" });
      expect(await later(2 * MINUTE)).toEqual({ job: "expired", key: "first" });
      expect(await later(6 * DAY + 3 * MINUTE)).toEqual({ job: "expired", key: "running" });
      expect(await later(3 * MINUTE)).toEqual({ job: null, key: "running" });
    });

    it("keeps a result for as long as the state says that the job ended in (T.S-6)", async () => {
      const MINUTE = 60_000;
      const keeps = { succeeded: MINUTE, cancelled: 3 * MINUTE };
      const good = await running({ keepMs: 2 * MINUTE, keeps });
      await store.settle(good.job, "succeeded", "{}");
      good.end();
      await good.stop();
      const bad = await running({ keepMs: 2 * MINUTE, keeps });
      await store.settle(bad.job, "failed", "{}");
      bad.end();
      await bad.stop();
      const { job: gone } = await queue({ keepMs: 2 * MINUTE, keeps });
      await store.cancel(gone.id);
      const left: string[] = [];
      for (let minute = 1; minute <= 3; minute++) {
        world.advance(MINUTE + 1000);
        await store.sweep({ mostResults: 10_000 });
        const states = await Promise.all([good.job.id, bad.job.id, gone.id].map(statusOf));
        left.push(states.map((state) => (state === "expired" ? "-" : "+")).join(""));
      }
      expect(left).toEqual(["-++", "--+", "---"]);
    });

    it("says which jobs a round of retention would expire, and expires no others than are named", async () => {
      await store.sweep({ mostResults: 0 });
      const ids: string[] = [];
      for (let at = 0; at < 3; at++) {
        world.advance(10);
        const { job } = await queue({ keepMs: at === 2 ? 3_600_000 : 1000 });
        await store.cancel(job.id);
        ids.push(job.id);
      }
      world.advance(2000);
      const { job: open } = await queue();
      const rules = { mostResults: 10_000 };
      expect([...(await store.due(rules))].sort()).toEqual(ids.slice(0, 2).sort());
      expect([...(await store.due({ mostResults: 0 }))].sort()).toEqual([...ids].sort());
      const only = [ids[1] as string, open.id, "01980c1e-7a50-7c3e-9d7e-000000000000"];
      expect((await store.sweep({ ...rules, only })).map(({ id }) => id)).toEqual([ids[1]]);
      expect(await store.sweep({ ...rules, only: [] })).toEqual([]);
      expect([await statusOf(ids[0] as string), await statusOf(open.id)]).toEqual(["cancelled", "queued"]);
      await store.cancel(open.id);
    });

    it("keeps no more results than it may, and expires the oldest first", async () => {
      await store.sweep({ mostResults: 0 });
      const ids: string[] = [];
      for (let at = 0; at < 4; at++) {
        world.advance(10);
        const { job } = await queue();
        await store.cancel(job.id);
        ids.push(job.id);
      }
      const expired = await store.sweep({ mostResults: 2 });
      expect(expired.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
      expect(expired.length).toBeLessThan(ROWS_A_ROUND);
    });

    it("counts its jobs", async () => {
      const { job } = await queue();
      world.advance(1500);
      const { queue_depth, jobs_by_state, oldest_queued_age_ms } = await store.figures();
      expect([queue_depth, jobs_by_state["queued"]]).toEqual([1, 1]);
      expect(oldest_queued_age_ms).toBeGreaterThanOrEqual(1500);
      await store.cancel(job.id);
      expect(await store.figures()).toMatchObject({ queue_depth: 0, oldest_queued_age_ms: null });
    });

    it("never makes a move outside the table, in any order of events", {
      timeout: 60_000,
    }, async () => {
      const action = fc.constantFrom("claim", "cancel", "interrupt", "late", ...ENDS);
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 8 }), fc.boolean(), async (actions, retry) => {
          const taker = takeJobs(store, 1, false);
          const { job } = await queue({ retry });
          let taken: TakenJob | null = null;
          let before: JobStatus = "queued";
          for (const act of actions) {
            const claimable = before === "queued" && taken === null;
            if (act === "claim" && claimable) taken = await taker.begin();
            else if (act === "cancel") await store.cancel(job.id);
            else if (act === "interrupt" && taken !== null) await store.interrupt(taken.job, null);
            else if (act === "late" && taken !== null)
              await store.settle({ ...taken.job, attempt: taken.job.attempt + 1 }, "failed", "{}");
            else if (act !== "claim" && act !== "interrupt" && act !== "late" && taken !== null)
              await store.settle(taken.job, act, "{}");
            const after = (await statusOf(job.id)) ?? "expired";
            expect(after === before || MOVES[before].includes(after), `${act}: ${before} to ${after}`).toBe(true);
            if (act === "late") expect(after).toBe(before);
            if (taken !== null && after !== "running" && after !== "cancelling") {
              taken.end();
              taken = null;
              await taker.pause();
            }
            before = after;
          }
          if (!isTerminal(before)) {
            await store.cancel(job.id);
            if (taken !== null) await store.settle(taken.job, "cancelled", "{}");
          }
          taken?.end();
          await taker.stop();
        }),
        { numRuns: world.sequences },
      );
    });
  });
}
