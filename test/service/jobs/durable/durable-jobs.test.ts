/** Durable jobs over HTTP: what is accepted, how they end, and how they continue in the next process. */
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

async function served(options: JobServingOptions): Promise<JobServing> {
  const service = await servingJobs(options);
  services.push(service);
  return service;
}

const EXT = { adapters: { enable: ["ext"] } };
const TWO_CALLS = 'L1:\n  R ext.Echo "a" ->x\n  R ext.Hold x ->y\n  R ext.Echo y ->z\n  J z\n';

describe("a durable job", () => {
  it("ends like any other, and says what it is", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', durable: true, ...EXT });
    const { body } = await service.over(id);
    expect(body).toMatchObject({ status: "succeeded", durable: true, resumes: 0, attempt: 1 });
    expect(body.result).toMatchObject({ ok: true, out: "a", usage: { adapter_calls: 1, parked_ms: 0, resumes: 0 } });
  });

  it("continues in the next process where its journal ends (R-4)", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir, variables: { WF_DRAIN_MS: "200" } });
    const id = await first.queued({ code: TWO_CALLS, durable: true, ...EXT });
    const held = await first.held();
    expect(first.made).toEqual(["Echo", "Hold"]);
    const drained = first.drain();
    held.release("b");
    await drained;
    services.pop();
    const second = await served({ stateDir });
    const { body } = await second.over(id);
    // What had its answer is not made again.
    expect(second.made).toEqual(["Echo"]);
    expect(body).toMatchObject({ status: "succeeded", attempt: 2, resumes: 1 });
    expect(body.result).toMatchObject({ out: "b", usage: { adapter_calls: 3, resumes: 1 } });
    expect(await second.logged("job_resumed")).toMatchObject({ why: "stop", job_id: id });
  });

  it("is cancelled while it runs and while it waits in line", async () => {
    const service = await served({ stateDir: await inFolder(), variables: { WF_QUEUE_WORKERS: "1" } });
    const running = await service.queued({ code: TWO_CALLS, durable: true, ...EXT });
    await service.held();
    const queued = await service.queued({ code: "L1:\n  J 1\n", durable: true });
    const cancelled = await service.call("DELETE", `/result/${queued}`);
    expect(cancelled.body.status, cancelled.text).toBe("cancelled");
    expect((await service.call("DELETE", `/result/${running}`)).status).toBe(202);
    expect((await service.over(running)).body.status).toBe("cancelled");
  });

  it("ends when its lifetime is over, also in the middle of its run", async () => {
    const stateDir = await inFolder();
    const real = (await import("../../serving.ts")).realClock;
    // An hour is over when the test says so.
    const hours: (() => void)[] = [];
    const clock = {
      ...real,
      wait: (ms: number, then: () => void) => {
        if (ms < 1_000_000) return real.wait(ms, then);
        hours.push(then);
        return () => {};
      },
    };
    const service = await served({ stateDir, clock });
    const id = await service.queued({ code: TWO_CALLS, durable: true, lifetime_s: 3600, ...EXT });
    await service.held();
    for (const over of hours) over();
    const { body } = await service.over(id);
    expect(body).toMatchObject({ status: "timed_out", error: "lifetime_exceeded" });
  });

  it.each([
    [{ durable: true, retry: true }, "/retry"],
    [{ durable: true, replay_log: [] }, "/replay_log"],
    [{ durable: true, replay_artifact_id: "a" }, "/replay_artifact_id"],
    [{ durable: true, on_unknown: "retry" }, "/on_unknown"],
    [{ durable: true, on_unknown: { "http.Post": "retry" } }, "/on_unknown"],
    [{ durable: true, on_unknown: "no" }, "/on_unknown"],
    [{ durable: true, lifetime_s: 1 }, "/lifetime_s"],
    [{ durable: "yes" }, "/durable"],
  ])("refuses %j (D-1)", async (members, path) => {
    const service = await served({ stateDir: await inFolder() });
    const { status, body } = await service.call("POST", "/enqueue", { code: "L1:\n  J 1\n", ...members });
    expect(status).toBe(400);
    expect(body.issues[0].path).toBe(path);
  });

  it.each([
    ["without a state directory (D-2)", { stateDir: null }, "WF_STATE_DIR"],
    ["with runs in worker threads", { variables: { WF_ISOLATION: "worker", WF_WORKER_THREADS: "1" } }, "WF_ISOLATION"],
  ])("is refused %s", async (_name, options: JobServingOptions, word) => {
    const stateDir = options.stateDir === null ? null : await inFolder();
    const service = await served({ ...options, stateDir });
    const { status, body } = await service.call("POST", "/enqueue", { code: "L1:\n  J 1\n", durable: true });
    expect({ status, error: body.error, path: body.issues?.[0].path }).toEqual({
      status: 422,
      error: "not_durable",
      path: "/durable",
    });
    expect(body.message).toContain(word);
  });

  it("is what a deployment says, unless the request says otherwise", async () => {
    const service = await served({ stateDir: await inFolder() });
    const members = { durable: true, lifetime_s: 600, on_unknown: { "http.Post": "ask", "*": "fail" } };
    const deployed = await service.call("PUT", "/programs/known", { code: "L1:\n  J 1\n", ...members });
    expect(deployed.status, deployed.text).toBeLessThan(300);
    const id = await service.queued({ program: "known" });
    const job = (await service.over(id)).body;
    expect(job).toMatchObject({ status: "succeeded", durable: true });
    const own = await service.queued({ program: "known", durable: false });
    expect((await service.over(own)).body.durable).toBeUndefined();
  });

  it("is every job where the operator says so, and otherwise only those that ask", async () => {
    const service = await served({ stateDir: await inFolder(), variables: { WF_JOBS_DURABLE: "on" } });
    expect((await service.over(await service.queued({ code: "L1:\n  J 1\n" }))).body.durable).toBe(true);
    const started = await service.queued({ code: "L1:\n  J 1\n", retry: true });
    expect((await service.over(started)).body.durable).toBeUndefined();
    const other = await served({ stateDir: await inFolder() });
    expect((await other.over(await other.queued({ code: "L1:\n  J 1\n" }))).body.durable).toBeUndefined();
  });

  it("fails when its journal is full, and no handler catches it", async () => {
    const variables = { WF_DURABLE_JOURNAL_MAX_BYTES: "65536" };
    const service = await served({ stateDir: await inFolder(), variables });
    const code = 'L1:\n  X s repeat "x" 40000\n  R ext.Echo s ->a\n  R ext.Echo s ->b\n  Err ->L2\n  J 1\nL2:\n  J 2\n';
    const { body } = await service.over(await service.queued({ code, durable: true, ...EXT }));
    expect(body).toMatchObject({ status: "failed", error: "journal_full" });
  });
});
