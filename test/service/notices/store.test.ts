/** Notices in both stores: each failed job is noted once, causes are gathered, and what is taken by a process that dies comes again. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewNotice } from "../../../service/notices/notice.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { startPostgres } from "../../support/postgres.ts";
import { replicasOn, type StoreUnderTest, sqlitePlace } from "../jobs/places.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { alone, newJob } from "../jobs/store-cases.ts";
import { takeJobs } from "../jobs/taking.ts";

const postgres = await startPostgres();
const folder = await temporaryFolder();
let folders = 0;
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
});

const HOUR_MS = 3_600_000;
const WINDOW_MS = 300_000;
const FAILED = '{"ok":false,"trace_id":"t","error":"runtime_error","message":"no"}';

const places: readonly (readonly [string, () => Promise<StoreUnderTest>])[] = [
  ["a file", () => sqlitePlace(`${folder.path}/${++folders}`)()],
  ...(postgres === null ? [] : [["PostgreSQL", () => replicasOn(postgres)] as const]),
];

describe.each(places)("T.N: notices in %s", (_name, place) => {
  let world: StoreUnderTest;
  let store: JobStore;
  let ids = 0;
  beforeEach(async () => {
    world = await place();
    store = await world.open("first");
  });
  afterEach(() => store.close());

  async function failed(deployment = "shop"): Promise<string> {
    const taker = takeJobs(store, 1);
    const job = newJob(world.now(), { deployment, version: 1 });
    await store.enqueue(alone(job), { most: 100, key: null });
    const { job: claimed, end } = await taker.next();
    await store.settle(claimed, "failed", FAILED);
    end();
    await taker.stop();
    return job.id;
  }
  const noticeFor = (jobId: string, cause = '{"code":"A"}'): NewNotice => ({
    id: `n${++ids}`,
    target: "ops",
    kind: "failure",
    program: "shop",
    version: 1,
    cause,
    jobId,
  });
  /** Notes everything that is not noted. */
  async function noted(cause?: string): Promise<number> {
    const since = await store.notices.since(true);
    const found = await store.notices.candidates(since ?? 0, 100);
    const considered = found.map(({ key, job }) => ({
      key,
      wait: null,
      laterMs: null,
      notice: noticeFor(job.id, cause),
    }));
    await store.notices.note(considered, WINDOW_MS);
    // A second process that looked at the same time adds nothing.
    await store.notices.note(considered, WINDOW_MS);
    return found.length;
  }
  const taken = async (perHour = 100) =>
    (await store.notices.take({ most: 100, perHour })).map(({ id, count, tries }) => [id, count, tries]);

  it("T.F-9: dead letters are counted by program and reason until they are retried or discarded", async () => {
    const ids = [await failed(), await failed("other"), await failed()];
    const shown = async () =>
      (await store.dead.list(10)).map(({ program, error, count, job }) => [program, error, count, job]).toSorted();
    expect(await shown()).toEqual([
      ["other", "runtime_error", 1, ids[1]],
      ["shop", "runtime_error", 2, ids[2]],
    ]);
    expect((await store.figures()).dead_letters).toBe(3);
    expect(await store.dead.discard(ids[0] ?? "")).toBe(true);
    expect(await store.dead.discard(ids[0] ?? "")).toBe(false);
    const again = newJob(world.now(), { deployment: "other", version: 1, retryOf: ids[1] ?? "" });
    await store.enqueue(alone(again), { most: 100, key: null });
    expect(await store.dead.discard(again.id)).toBe(false);
    expect(await shown()).toEqual([["shop", "runtime_error", 1, ids[2]]]);
    const dead = await store.list({
      statuses: ["failed"],
      isDead: true,
      error: "runtime_error",
      limit: 10,
      after: null,
    });
    expect(dead.map(({ id }) => id)).toEqual([ids[2]]);
  });

  it("T.F-9: a dead letter is looked at once more, and has a notice only if it is one still", async () => {
    const since = (await store.notices.since(true)) ?? 0;
    const kept = await failed();
    const discarded = await failed();
    const laterMs = world.now() + HOUR_MS;
    const first = await store.notices.candidates(since, 100);
    expect(first.map(({ isDead }) => isDead)).toEqual([null, null]);
    await store.notices.note(
      first.map(({ key }) => ({ key, wait: null, laterMs, notice: null })),
      WINDOW_MS,
    );
    await store.dead.discard(discarded);
    expect(await store.notices.candidates(since, 100)).toEqual([]);
    world.advance(HOUR_MS + 1000);
    const later = await store.notices.candidates(since, 100);
    expect(later.map(({ job, isDead }) => [job.id, isDead]).toSorted()).toEqual(
      [
        [kept, true],
        [discarded, false],
      ].toSorted(),
    );
    const considered = later.map(({ key, job }) => ({
      ...{ key, wait: null, laterMs: null, isAgain: true },
      notice: job.id === kept ? noticeFor(kept) : null,
    }));
    await store.notices.note(considered, WINDOW_MS);
    await store.notices.note(considered, WINDOW_MS);
    expect((await store.notices.list(10)).map(({ jobId, count }) => [jobId, count])).toEqual([[kept, 1]]);
    expect(await store.notices.candidates(since, 100)).toEqual([]);
  });

  it("gather what has one cause, and come again in the next window", async () => {
    await store.notices.since(true);
    await failed();
    await failed();
    const last = await failed();
    expect(await noted()).toBe(3);
    expect(await noted()).toBe(0);
    const [notice] = await store.notices.list(10);
    expect(notice).toMatchObject({ count: 3, jobId: last, state: "due", program: "shop", tries: 0 });
    expect(await taken()).toEqual([[notice?.id, 3, 1]]);
    await store.notices.sent(notice?.id ?? "");
    expect((await store.notices.list(10)).map(({ state }) => state)).toEqual(["sent"]);
    await failed();
    await noted();
    // Another cause need not wait.
    await failed();
    await noted('{"code":"B"}');
    expect((await store.notices.take({ most: 9, perHour: 9 })).map(({ cause }) => cause)).toEqual(['{"code":"B"}']);
    world.advance(WINDOW_MS + 1000);
    expect(
      (await store.notices.take({ most: 9, perHour: 9 })).map(({ cause, count }) => [cause, count]),
    ).toContainEqual(['{"code":"A"}', 1]);
  });

  it("that a dead process took are due again, and one that failed at its time", async () => {
    await store.notices.since(true);
    await failed();
    await noted();
    const [[id] = []] = await taken();
    expect(await taken()).toEqual([]);
    world.advance(61_000);
    expect(await taken()).toEqual([[id, 1, 2]]);
    await store.notices.failed(String(id), "notice_timeout", store.now() + 1000);
    expect(await taken()).toEqual([]);
    world.advance(2000);
    expect(await taken()).toEqual([[id, 1, 3]]);
    await store.notices.failed(String(id), "status_500", null);
    world.advance(HOUR_MS);
    expect(await taken()).toEqual([]);
    expect((await store.notices.list(1))[0]).toMatchObject({ state: "failed", code: "status_500", dueMs: null });
  });

  it("are not more than the target gets in an hour; the others come later", async () => {
    await store.notices.since(true);
    for (const code of ["A", "B", "C"]) {
      await failed();
      await noted(`{"code":"${code}"}`);
    }
    const first = await taken(2);
    expect(first).toHaveLength(2);
    for (const [id] of first) await store.notices.sent(String(id));
    expect(await taken(2)).toEqual([]);
    world.advance(HOUR_MS + 1000);
    expect(await taken(2)).toHaveLength(1);
  });

  it("are made of what failed since they are wanted, over restarts, and of nothing before", async () => {
    await failed();
    world.advance(1000);
    const since = await store.notices.since(true);
    world.advance(1000);
    expect(await store.notices.since(true)).toBe(since);
    expect(await noted()).toBe(0);
    await failed();
    expect(await store.notices.since(true)).toBe(since);
    expect(await noted()).toBe(1);
    await failed();
    expect(await store.notices.since(false)).toBeNull();
    world.advance(1000);
    expect(await store.notices.since(true)).toBeGreaterThan(since ?? 0);
    expect(await noted()).toBe(0);
  });
});
