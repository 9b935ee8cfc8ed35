/** How jobs of the SQLite store get to the worker: several with one claim, and none kept from the queue without being run. */
import { afterAll, describe, expect, it } from "vitest";
import type { ClaimedJob } from "../../../service/jobs/job.ts";
import { dispatchFrom, type LineOfJobs } from "../../../service/jobs/sqlite/dispatch.ts";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import type { Dispatch, JobWorker } from "../../../service/state/store.ts";
import { temporaryFolder } from "./serving-jobs.ts";
import { alone, newJob } from "./store-cases.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

type Run = { readonly job: ClaimedJob; over(): void; settled(): void };

/** A worker whose runs are in the hands of the test. */
function workerOf(begun: (run: Run) => void) {
  const cancelled: string[] = [];
  const worker: JobWorker = {
    enter: async () => ({ signal: new AbortController().signal, leave: () => {} }),
    run: (job, slot) => new Promise((resolve) => begun({ job, over: () => slot.leave(), settled: () => resolve() })),
    cancelled: ({ id }) => void cancelled.push(id),
  };
  return { worker, cancelled };
}

/** Timers that go off when the test says so. */
function testTimers() {
  const timers = new Set<{ readonly ms: number; readonly then: () => void }>();
  return {
    wait(ms: number, then: () => void) {
      const timer = { ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Those that were to wait for so long. */
    goOff(ms: number): void {
      for (const timer of [...timers]) if (timer.ms === ms && timers.delete(timer)) timer.then();
    },
  };
}

/** Everything that needs no time has happened. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function stopped(dispatch: Dispatch, runs: readonly Run[]): Promise<void> {
  const done = dispatch.stop();
  for (const { over, settled } of runs) {
    over();
    settled();
  }
  await done;
}

describe("dispatch of jobs to run slots", () => {
  /** A queue whose claims take so long. */
  function lineOf(count: number, claimMs = 5) {
    let now = 0;
    const queue = Array.from({ length: count }, (_, at) => ({ id: `job-${at}` }) as ClaimedJob);
    const asked: number[] = [];
    const queued = new Set<() => void>();
    const timers = testTimers();
    const line: LineOfJobs = {
      async claim(most) {
        asked.push(most);
        // Runs that are under way end meanwhile.
        await turn();
        now += claimMs;
        return queue.splice(0, most);
      },
      release: async () => null,
      onQueued(listener) {
        queued.add(listener);
        return () => void queued.delete(listener);
      },
      onCancelling: () => () => {},
      clock: { now: () => now, wait: timers.wait },
    };
    const pass = (ms: number): void => {
      now += ms;
    };
    const add = (id: string): void => void queue.push({ id } as ClaimedJob);
    const tell = (): void => {
      for (const listener of queued) listener();
    };
    return { line, queue, asked, pass, add, tell, timers };
  }

  it("are claimed as soon as one is queued, and polled for once a second in case a notification is lost", async () => {
    const { line, asked, add, tell, timers } = lineOf(0);
    const runs: Run[] = [];
    const dispatch = dispatchFrom(line, workerOf((run) => runs.push(run)).worker, 2);
    await expect.poll(() => asked.length).toBe(1);
    await turn();
    add("told");
    tell();
    await expect.poll(() => runs.map(({ job }) => job.id)).toEqual(["told"]);
    add("not told");
    await turn();
    expect(runs.length).toBe(1);
    timers.goOff(1000);
    await expect.poll(() => runs.map(({ job }) => job.id)).toEqual(["told", "not told"]);
    await stopped(dispatch, runs);
  });

  it("are claimed together, as many as there are places", async () => {
    const { line, asked } = lineOf(10);
    const runs: Run[] = [];
    const dispatch = dispatchFrom(line, workerOf((run) => runs.push(run)).worker, 3);
    await expect.poll(() => runs.map(({ job }) => job.id)).toEqual(["job-0", "job-1", "job-2"]);
    expect(asked).toEqual([3]);
    // The place is free when the run is over; that its end is on disk is not waited for.
    runs[0]?.over();
    await expect.poll(() => runs.at(-1)?.job.id).toBe("job-3");
    await stopped(dispatch, runs);
  });

  it.each([
    ["by their number", 0, 2 + 1000],
    ["by the time in which they will have begun", 1, 2 + 2 * 50],
  ])("are claimed ahead while runs are shorter than claims, within a bound: %s", async (_, runMs, most) => {
    const { line, asked, queue, pass } = lineOf(4000, 40);
    const { worker } = workerOf(({ over, settled }) => {
      pass(runMs);
      over();
      settled();
    });
    const dispatch = dispatchFrom(line, worker, 2);
    await expect.poll(() => queue.length).toBe(0);
    expect(asked[0]).toBe(2);
    expect(Math.max(...asked)).toBeGreaterThan(10);
    expect(Math.max(...asked)).toBeLessThanOrEqual(most);
    await dispatch.stop();
  });
});

describe("jobs that were claimed ahead and get no slot", () => {
  const QUEUED = 300;
  const SHORT = 150;

  /** Short runs, then two that do not end, followed by jobs that are claimed already. */
  async function behindLongRuns(stateDir: string) {
    const timers = testTimers();
    const clock = { now: () => performance.now(), wall: () => 1_000_000, wait: timers.wait };
    const store = await openSqliteStore({ stateDir, owner: "own", now: () => 1_000_000, clock });
    const jobs = Array.from({ length: QUEUED }, (_, at) => newJob(at));
    await Promise.all(jobs.map((job) => store.enqueue(alone(job), { most: QUEUED, key: null })));
    const runs: Run[] = [];
    let begun = 0;
    const { worker, cancelled } = workerOf((run) => {
      begun += 1;
      if (begun > SHORT) return void runs.push(run);
      void store.settle(run.job, "succeeded", "{}").then(run.settled);
      run.over();
    });
    const dispatch = store.dispatch(worker, 2);
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(2);
    const ids = async (status: "queued" | "running") =>
      (await store.list({ statuses: [status], limit: QUEUED, after: null })).map(({ id }) => id);
    const ready = async () => {
      const own = new Set(runs.map(({ job }) => job.id));
      return (await ids("running")).filter((id) => !own.has(id));
    };
    return { store, timers, dispatch, runs, cancelled, ids, ready };
  }

  it("go back into the queue as if they had not been claimed", async () => {
    const { store, timers, dispatch, runs, ids, ready } = await behindLongRuns(`${folder.path}/released`);
    const claimed = await ready();
    expect(claimed.length).toBeGreaterThan(0);
    timers.goOff(100);
    await expect.poll(ready).toEqual([]);
    expect(await ids("queued")).toEqual(expect.arrayContaining(claimed));
    for (const id of claimed) expect(await store.find(id)).toMatchObject({ attempt: 0, startedMs: null, result: null });
    expect((await store.figures()).queue_depth).toBe(QUEUED - SHORT - 2);
    await stopped(dispatch, runs);
    await store.close();
  });

  it("are released when no further job may start", async () => {
    const { store, dispatch, runs, ids, ready } = await behindLongRuns(`${folder.path}/stopped`);
    expect((await ready()).length).toBeGreaterThan(0);
    await stopped(dispatch, runs);
    expect((await ids("queued")).length).toBe(QUEUED - SHORT - 2);
    await store.close();
  });

  it("end when they are cancelled, and never run", async () => {
    const { store, dispatch, runs, cancelled, ready } = await behindLongRuns(`${folder.path}/cancelled`);
    const [id = ""] = await ready();
    expect((await store.cancel(id))?.job.status).toBe("cancelling");
    await expect.poll(async () => (await store.find(id))?.status).toBe("cancelled");
    expect(JSON.parse((await store.find(id))?.result ?? "null")).toMatchObject({ ok: false, error: "cancelled" });
    await stopped(dispatch, runs);
    expect(cancelled).toEqual([id]);
    expect(runs.length).toBe(2);
    await store.close();
  });
});
