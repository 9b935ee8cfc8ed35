/** The service and its store when something fails: a full disk, a database that goes away, a clock that jumps, a signal. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openJobStore } from "../../../../service/jobs/open-store.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { realClock } from "../../serving.ts";
import { eventsIn, type JobServing, servingJobs, streamOf, temporaryFolder } from "../serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const echo = (text: string) => ({ code: "L1:\n  R ext.Echo text ->x\n  J 1\n", frame: { text } });

const folder = await temporaryFolder();
const services: JobServing[] = [];
const serve = async (options: Parameters<typeof servingJobs>[0]): Promise<JobServing> => {
  const service = await servingJobs(options);
  services.push(service);
  return service;
};
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => folder.remove());

/** A file system of 2 MiB; null where none can be mounted, and the reason is printed. */
function smallDisk(path: string): { unmount(): void } | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path], { stdio: "pipe" });
    return { unmount: () => execFileSync("umount", [path]) };
  } catch (thrown) {
    console.warn(
      `skipped: no small disk can be mounted: ${thrown instanceof Error ? thrown.message.split("\n")[0] : ""}`,
    );
    return null;
  }
}

describe("a full disk", () => {
  it("refuses jobs, loses none, ends those that run, and continues when space is free again", async ({ skip }) => {
    const stateDir = join(folder.path, "small");
    await mkdir(stateDir);
    const disk = smallDisk(stateDir);
    if (disk === null) return skip();
    try {
      const service = await servingJobs({ stateDir, times: { probeMs: 20 } });
      const kept: string[] = [await service.queued(HOLD)];
      const held = await service.held();
      const filler = join(stateDir, "filler");
      await writeFile(filler, Buffer.alloc(4 * 1024 * 1024)).catch(() => {});
      let refused = 0;
      for (let at = 0; at < 40; at++) {
        const reply = await service.call("POST", "/enqueue", echo("x".repeat(100_000)));
        if (reply.status === 202) kept.push(reply.body.job_id);
        else {
          expect([reply.status, reply.body.error, reply.headers["retry-after"]]).toEqual([
            503,
            "store_unavailable",
            "5",
          ]);
          refused += 1;
        }
      }
      expect(refused).toBeGreaterThan(0);
      await service.logged("store_unavailable");
      await service.services.readiness.check();
      expect((await service.call("GET", "/ready")).body).toMatchObject({ status: "degraded" });
      expect((await service.run(ADD)).body.out).toBe(5);
      held.release("still");
      await rm(filler);
      await service.logged("store_recovered");
      for (const id of kept) expect((await service.over(id)).body.status).toBe("succeeded");
      expect((await service.over(kept[0] ?? "")).body.result.out).toBe("still");
      kept.push(await service.queued(ADD));
      await service.stop();
      const db = new Database(join(stateDir, "weft.db"), { readonly: true });
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      const ids = db.prepare("SELECT id FROM jobs").pluck().all() as string[];
      db.close();
      expect(ids).toEqual(expect.arrayContaining(kept));
    } finally {
      disk.unmount();
    }
  });
});

describe("the state directory", () => {
  it("belongs to one process, and is free for the next when that process is gone", async () => {
    const stateDir = join(folder.path, "locked");
    const options = { stateDir, databaseUrl: null, clock: realClock, silentMs: 30_000 };
    const first = await openJobStore({ ...options, owner: "a" });
    await expect(openJobStore({ ...options, owner: "b" })).rejects.toThrow(/in use by another process/);
    await first.close();
    await (await openJobStore({ ...options, owner: "c" })).close();
  });

  it("is reported when it cannot be created", async () => {
    const file = join(folder.path, "file");
    await writeFile(file, "");
    for (const stateDir of [file, join(file, "below")]) {
      const opened = openJobStore({ stateDir, databaseUrl: null, clock: realClock, silentMs: 30_000, owner: "a" });
      await expect(opened).rejects.toThrow(`${stateDir}/weft.db cannot be opened: a file stands where its folder`);
    }
  });

  it.each([
    [
      "no database",
      async (path: string) => writeFile(path, "no database at all".repeat(100)),
      /weft\.db cannot be opened: the file is not a database \(wf doctor/,
    ],
    [
      "a newer database",
      async (path: string) => {
        const db = new Database(path);
        db.pragma("user_version = 1000");
        db.close();
      },
      /newer version/,
    ],
  ])("with %s stops the start", async (name, spoil, message) => {
    const stateDir = join(folder.path, `spoiled ${name}`);
    await mkdir(stateDir);
    await spoil(join(stateDir, "weft.db"));
    const options = { stateDir, databaseUrl: null, clock: realClock, owner: "a", silentMs: 30_000 };
    await expect(openJobStore(options)).rejects.toThrow(message);
  });

  it("keeps large results in files, and removes files left by a crash", async () => {
    const stateDir = join(folder.path, "large");
    const service = await servingJobs({ stateDir });
    const code = "L1:\n  J text\n";
    const id = await service.queued({ code, frame: { text: "y".repeat(1_500_000) } });
    expect((await service.over(id)).body.result.out.length).toBe(1_500_000);
    await service.stop();
    const results = join(stateDir, "results");
    expect(await readdir(results)).toEqual([`${id}.json`]);
    await writeFile(join(results, "half.json.tmp"), "{");
    await writeFile(join(results, "orphan.json"), "{}");
    const again = await serve({ stateDir });
    expect(await readdir(results)).toEqual([`${id}.json`]);
    expect((await again.over(id)).body.result.out.length).toBe(1_500_000);
  });
});

describe("an Idempotency-Key", () => {
  it("gets the same answer after a restart", async () => {
    const stateDir = join(folder.path, "keys");
    const key = { "idempotency-key": "k" };
    const first = await servingJobs({ stateDir });
    const [run, job] = [await first.run(ADD, key), await first.call("POST", "/enqueue", ADD, key)];
    await first.stop();
    const second = await serve({ stateDir });
    expect((await second.run(ADD, key)).text).toBe(run.text);
    expect((await second.call("POST", "/enqueue", ADD, key)).text).toBe(job.text);
    expect((await second.run(HOLD, key)).body.error).toBe("idempotency_key_reused");
  });
});

describe("the end of the service", () => {
  it("leaves queued jobs queued, interrupts those that still run, and requeues those that may be repeated", async () => {
    const stateDir = join(folder.path, "drained");
    const first = await servingJobs({ stateDir, variables: { WF_DRAIN_MS: "50", WF_QUEUE_WORKERS: "2" } });
    const once = await first.queued(HOLD);
    await first.held();
    const again = await first.queued({ ...HOLD, retry: true });
    await first.held();
    const waiting = await first.queued(ADD);
    const stream = await streamOf(first.port, once);
    const longPoll = first.call("GET", `/result/${waiting}?wait=30`);
    await first.drain();
    expect((await longPoll).body.status).toBe("queued");
    expect(eventsIn(await stream.text).at(-1)?.event).toBe("status");
    const second = await serve({ stateDir });
    expect((await second.over(once)).body).toMatchObject({
      status: "interrupted",
      result: { error: "interrupted", limits: { max_steps: 500_000 }, usage: { steps: 1, adapter_calls: 1 } },
    });
    expect((await second.over(waiting)).body).toMatchObject({ status: "succeeded" });
    (await second.held()).release("done");
    expect((await second.over(again)).body).toMatchObject({ status: "succeeded", attempt: 2, result: { out: "done" } });
  });

  it("counts the queued jobs that memory loses", async () => {
    const service = await servingJobs({ variables: { WF_DRAIN_MS: "0" } });
    for (let at = 0; at < 3; at++) await service.queued(HOLD);
    await expect.poll(async () => (await service.call("GET", "/metrics")).body.queue_depth).toBe(1);
    await service.drain();
    expect(await service.logged("server_drain")).toMatchObject({ jobs_lost: 1 });
  });
});

describe("between queue and start", () => {
  it("a tightened grant rejects the job before it runs", async () => {
    const stateDir = join(folder.path, "tightened");
    const first = await servingJobs({ stateDir, variables: { WF_DRAIN_MS: "0", WF_QUEUE_WORKERS: "1" } });
    await first.queued(HOLD);
    const id = await first.queued(echo("x"));
    await first.drain();
    const second = await serve({ stateDir, variables: { WF_HOST_ADAPTER_DENYLIST: "ext" } });
    const over = await second.over(id);
    expect(over.body).toMatchObject({ status: "rejected", result: { ok: false, error: "policy_violation" } });
    expect(second.made).toEqual([]);
    expect(await second.logged("job_rejected")).toMatchObject({ job_id: id });
  });
});

const HOUR_MS = 3_600_000;

/** A clock whose time of day the test moves. */
function jumpingClock() {
  let ahead = 0;
  return {
    clock: { ...realClock, wall: () => realClock.wall() + ahead },
    jump(ms: number): void {
      ahead += ms;
    },
  };
}

describe("a clock that jumps", () => {
  it.each([HOUR_MS, -HOUR_MS])("by %i ms expires nothing early, and ends no run", async (ms) => {
    const { clock, jump } = jumpingClock();
    const service = await serve({ clock, times: { sweepMs: 10 } });
    const id = await service.queued({ ...ADD, keep_s: 60 });
    const before = (await service.over(id)).body;
    const running = await service.queued({ ...HOLD, limits: { max_time_ms: 60_000 } });
    const held = await service.held();
    jump(ms);
    const later = await service.queued(ADD);
    const { queued_at } = (await service.over(later)).body;
    expect(Math.abs(Date.parse(queued_at) - Date.parse(before.queued_at))).toBeLessThan(HOUR_MS / 2);
    // Sweeps pass meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await service.call("GET", `/result/${id}`)).body.status).toBe("succeeded");
    held.release("done");
    expect((await service.over(running)).body).toMatchObject({ status: "succeeded", result: { out: "done" } });
    // The order of the queue is that of its requests.
    const listed = (await service.call("GET", "/jobs")).body.jobs.map((job: { job_id: string }) => job.job_id);
    expect(listed).toEqual([later, running, id]);
  });

  // A lag above a day was ignored, and froze every timer of the store (D2.Q-5).
  it.each([-HOUR_MS, -48 * HOUR_MS])(
    "by %i ms between two processes: the second one continues where the times of the jobs end",
    async (ms) => {
      const stateDir = join(folder.path, `between ${ms}`);
      const first = await servingJobs({ stateDir });
      const done = await first.queued(ADD);
      const before = (await first.over(done)).body;
      await first.stop();
      const { clock, jump } = jumpingClock();
      jump(ms);
      const second = await serve({ stateDir, clock, variables: { WF_RESULT_MAX: "1" }, times: { sweepMs: 10 } });
      const next = await second.queued(ADD);
      const after = (await second.over(next)).body;
      expect(Date.parse(after.queued_at)).toBeGreaterThanOrEqual(Date.parse(before.finished_at));
      // It is the newer one: listed first, and kept where there is room for one result.
      await expect.poll(async () => (await second.call("GET", `/result/${done}`)).status).toBe(410);
      expect((await second.call("GET", `/result/${next}`)).body.status).toBe("succeeded");
      const listed = (await second.call("GET", "/jobs")).body.jobs.map((job: { job_id: string }) => job.job_id);
      expect(listed).toEqual([next, done]);
    },
  );
});

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(postgres === null)("PostgreSQL", () => {
  it("answers, cancels and tells events on every replica", async () => {
    verifies("env.WF_DATABASE_URL");
    const databaseUrl = (await postgres?.createDatabase()) ?? "";
    const one = await serve({ databaseUrl });
    const id = await one.queued(HOLD);
    const held = await one.held();
    const other = await serve({ databaseUrl });
    const waiting = other.over(id);
    const stream = await streamOf(other.port, id);
    expect((await other.call("DELETE", `/result/${id}`)).body).toEqual({ job_id: id, status: "cancelling" });
    expect((await waiting).body).toMatchObject({ status: "cancelled" });
    expect(held.signal.aborted).toBe(true);
    const events = eventsIn(await stream.text).map(({ event, data }) => `${event} ${data.status}`);
    expect(events).toEqual([
      "status queued",
      "status running",
      "status cancelling",
      "adapter_call error",
      "status cancelled",
      "end cancelled",
    ]);
  });

  it("does not declare a replica dead because its clock jumps", async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? "";
    const clocks = [jumpingClock(), jumpingClock()];
    const silentMs = 600;
    const [one, other] = [
      await serve({ databaseUrl, silentMs, ...clocks[0] }),
      await serve({ databaseUrl, silentMs, ...clocks[1] }),
    ];
    const id = await one.queued(HOLD);
    const held = await Promise.race([one.held(), other.held()]);
    clocks[0]?.jump(HOUR_MS);
    clocks[1]?.jump(-HOUR_MS);
    await new Promise((resolve) => setTimeout(resolve, 2 * silentMs));
    held.release("mine");
    expect((await other.over(id)).body).toMatchObject({ status: "succeeded", attempt: 1, result: { out: "mine" } });
  });

  it("may restart under load: nothing acknowledged is lost, nothing ends twice", { timeout: 60_000 }, async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? "";
    const service = await serve({ databaseUrl, times: { probeMs: 50, recoverMs: 300 } });
    const held = await service.queued(HOLD);
    const hold = await service.held();
    const kept: string[] = [];
    let refused = 0;
    let stop = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!stop) {
        const reply = await service.call("POST", "/enqueue", ADD);
        if (reply.status === 202) kept.push(reply.body.job_id);
        else {
          expect(reply.body.error).toBe("store_unavailable");
          refused += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    });
    await expect.poll(() => kept.length, { timeout: 20_000 }).toBeGreaterThan(20);
    const before = kept.length;
    await postgres?.restart();
    await expect.poll(() => kept.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
    stop = true;
    await Promise.all(load);
    expect((await service.run(ADD)).body.out).toBe(5);
    hold.release("kept");
    for (const id of kept) expect((await service.over(id)).body.status, id).toBe("succeeded");
    expect((await service.over(held)).body).toMatchObject({ status: "succeeded", result: { out: "kept" } });
    const finished = service.log.filter(({ event }) => event === "job_finished").map((event) => event["job_id"]);
    expect(new Set(finished).size).toBe(finished.length);
    if (refused > 0) await service.logged("store_recovered");
  });
});
