/** Jobs in memory: what those that are over hold together is bounded in bytes. */
import { afterEach, describe, expect, it } from "vitest";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { realClock } from "../serving.ts";
import { servingJobs } from "./serving-jobs.ts";
import { alone, newJob } from "./store-cases.ts";
import { takeJobs } from "./taking.ts";

const MEMORY_BYTES = 10_000;
const RULES = { mostResults: 10_000 };
/** With the request of `newJob`, less than a third of the bound and more than a fourth. */
const RESULT = JSON.stringify("é".repeat(1500));

const opened: JobStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function memoryStore(): Promise<JobStore> {
  const store = await openJobStore({
    ...{ stateDir: null, databaseUrl: null, owner: "own", silentMs: 30_000 },
    ...{ memoryBytes: MEMORY_BYTES, clock: realClock },
  });
  opened.push(store);
  return store;
}

/** Ids of jobs that ended with these results, one after the other. */
async function ended(store: JobStore, results: readonly string[]): Promise<string[]> {
  const taker = takeJobs(store, 1);
  const ids: string[] = [];
  for (const result of results) {
    const job = newJob(Date.now());
    await store.enqueue(alone(job), { most: 10, key: null });
    const taken = await taker.next();
    await store.settle(taken.job, "succeeded", result);
    taken.end();
    ids.push(job.id);
  }
  await taker.stop();
  return ids;
}

async function expiredOf(store: JobStore, ids: readonly string[]): Promise<readonly boolean[]> {
  const found = await Promise.all(ids.map((id) => store.find(id)));
  return found.map((job) => job?.status === "expired" && job.result === null);
}

describe("jobs in memory", () => {
  it("drops the oldest results above the byte limit, and reports them with the next sweep", async () => {
    const store = await memoryStore();
    const ids = await ended(store, [RESULT, RESULT, RESULT, RESULT, RESULT]);
    expect(await expiredOf(store, ids)).toEqual([true, true, false, false, false]);
    expect(await store.work(ids[0] ?? "")).toBeNull();
    expect((await store.figures()).jobs_by_state).toEqual({ expired: 2, succeeded: 3 });
    expect((await store.sweep(RULES)).map(({ id, status }) => [id, status])).toEqual(
      ids.slice(0, 2).map((id) => [id, "expired"]),
    );
    expect(await store.sweep(RULES)).toEqual([]);
  });

  it("keeps the newest result of any size until the next one ends", async () => {
    const store = await memoryStore();
    const large = JSON.stringify("x".repeat(2 * MEMORY_BYTES));
    const ids = await ended(store, ["1", large]);
    expect(await expiredOf(store, ids)).toEqual([true, false]);
    const [next = ""] = await ended(store, ["2"]);
    expect(await expiredOf(store, [...ids, next])).toEqual([true, true, false]);
  });

  it("counts the requests that a retry needs, also of jobs that never ran", async () => {
    const store = await memoryStore();
    const jobs = [1, 2, 3, 4].map((at) => newJob(Date.now() + at, { request: `{"asked":${RESULT}}` }));
    for (const job of jobs) {
      await store.enqueue(alone(job), { most: 10, key: null });
      await store.cancel(job.id);
    }
    const ids = jobs.map(({ id }) => id);
    expect(await expiredOf(store, ids)).toEqual([true, false, false, false]);
  });

  it("does not count what was taken back, nor what expired otherwise", async () => {
    const store = await memoryStore();
    const ids = await ended(store, [RESULT, RESULT]);
    const again = newJob(Date.now());
    const options = { most: 10, key: null };
    // One call of the batch fails: all of it is begun anew.
    await Promise.allSettled([again, again].map((job) => store.enqueue(alone(job), options)));
    await store.cancel(again.id);
    expect((await store.sweep({ mostResults: 1 })).map(({ id }) => id)).toEqual(ids);
    const more = await ended(store, [RESULT, RESULT, RESULT]);
    expect(await expiredOf(store, [again.id, ...more])).toEqual([false, false, false, false]);
  });

  it("lets the oldest answers of keys go, and runs such a request again", async () => {
    const store = await memoryStore();
    const keyed = (key: string) => store.keys.claim({ scope: "POST /run", key }, "hash", "trace");
    for (const key of ['"a" b', "c", "d", "e"]) {
      const claim = await keyed(key);
      if (claim.state !== "first") throw new Error(claim.state);
      await claim.finish({ status: 200, headers: {}, body: RESULT });
    }
    expect((await keyed("d")).state).toBe("finished");
    expect((await keyed("e")).state).toBe("finished");
    expect((await keyed('"a" b')).state).toBe("first");
    // A running request has no answer yet, and stays.
    expect((await keyed('"a" b')).state).toBe("running");
  });

  it("counts each answer separately from others of the same route or key", async () => {
    const store = await memoryStore();
    const first = async (route: string, key: string, body: string) => {
      const claim = await store.keys.claim({ scope: `POST ${route}`, key }, "hash", "trace");
      if (claim.state === "first") await claim.finish({ status: 200, headers: {}, body });
      return claim.state;
    };
    const half = JSON.stringify("x".repeat(MEMORY_BYTES / 2));
    await first("/run", "large", half);
    for (const key of ["a", "b"]) await first("/run", key, "{}");
    await first("/enqueue", "large", "{}");
    expect(await first("/run", "large", half)).toBe("finished");
    // What is too much is the oldest, and it alone makes room enough.
    for (const key of ["c", "d"]) await first("/run", key, RESULT);
    expect(await first("/run", "a", "{}")).toBe("finished");
    expect(await first("/enqueue", "large", "{}")).toBe("finished");
    expect(await first("/run", "large", "{}")).toBe("first");
  });

  it("answers 410 for a result that had to go", async () => {
    const service = await servingJobs({ memoryBytes: MEMORY_BYTES });
    const ids: string[] = [];
    for (let at = 0; at < 4; at++) {
      const id = await service.queued({ code: `L1:\n  J ${RESULT}\n` });
      await service.over(id);
      ids.push(id);
    }
    expect((await service.call("GET", `/result/${ids[0]}`)).body).toMatchObject({ error: "job_expired" });
    expect((await service.call("GET", `/result/${ids[3]}`)).text).toContain(RESULT);
    await service.stop();
  });
});

describe("queued jobs in memory", () => {
  const frame = (name: string) => ({ name, text: "x".repeat(40_000) });
  const code = "L1:\n  R ext.Hold name ->r\n  J r\n";
  const body = (name: string) => ({ code, strict: false, frame: frame(name) });

  it("are bounded in bytes: what does not fit is refused, and fits once others have begun", async () => {
    const service = await servingJobs({ queueBytes: 100_000, variables: { WF_QUEUE_WORKERS: "1" } });
    try {
      const first = await service.queued(body("a"));
      const held = await service.held();
      await service.queued(body("b"));
      const third = await service.queued(body("c"));
      const refused = await service.call("POST", "/enqueue", body("d"));
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" }, body: { error: "queue_full" } });
      expect(refused.body.message).toContain("100000 bytes");
      expect((await service.call("DELETE", `/result/${third}`)).status).toBe(200);
      await service.queued(body("e"));
      held.release(1);
      await service.over(first);
      await service.held();
      await service.queued(body("f"));
    } finally {
      await service.stop();
    }
  });

  it("that are too large for the queue are refused for good", async () => {
    const service = await servingJobs({ queueBytes: 30_000 });
    try {
      const refused = await service.call("POST", "/enqueue", body("a"));
      expect(refused).toMatchObject({ status: 503, body: { error: "queue_full", issues: [{ code: "range" }] } });
      expect(refused.headers["retry-after"]).toBe(undefined);
    } finally {
      await service.stop();
    }
  });

  it("make the service not ready when they take nearly all their memory", async () => {
    const service = await servingJobs({ queueBytes: 90_000, variables: { WF_QUEUE_WORKERS: "1" } });
    try {
      await service.queued(body("a"));
      await service.held();
      await service.services.readiness.check();
      expect((await service.call("GET", "/ready")).status).toBe(200);
      await service.queued(body("b"));
      await service.queued(body("c"));
      await service.services.readiness.check();
      expect((await service.call("GET", "/ready")).body).toMatchObject({
        status: "degraded",
        reason: "queued jobs take nearly all their memory",
      });
    } finally {
      await service.stop();
    }
  });
});
