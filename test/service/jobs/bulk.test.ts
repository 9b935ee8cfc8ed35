/** Many jobs with one request: one program, checked once, and a job for each frame, all of them or none. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { exchange } from "../serving.ts";
import { endServices, isBuilt, serveProcess } from "./faults/serve-process.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const CODE = "# frame: n: number\nL1:\n  X m mul n 7\n  J m\n";
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const MAX_FRAMES = 50;

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  endServices();
  await folder.remove();
  await postgres?.stop();
});

const PLACES: Readonly<Record<string, (name: string) => Promise<JobServingOptions>>> = {
  memory: async () => ({}),
  durable: async (name) => ({ stateDir: `${folder.path}/${name}` }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

const framesOf = (count: number): readonly object[] => Array.from({ length: count }, (_, n) => ({ n }));

describe.each(KINDS)("many jobs in a %s queue", (kind) => {
  let service: JobServing;
  beforeAll(async () => {
    const variables = { WF_QUEUE_MAX: "60", WF_BATCH_MAX_FRAMES: String(MAX_FRAMES), WF_QUEUE_WORKERS: "1" };
    service = await servingJobs({ variables, ...(await PLACES[kind]?.("first")) });
  });
  afterAll(() => service.stop());

  const enqueue = (body: object, headers?: Readonly<Record<string, string>>) =>
    service.call("POST", "/enqueue", body, headers);
  const known = async (): Promise<number> => (await service.call("GET", "/jobs?limit=200")).body.jobs.length;

  test("each frame is a job of its own, in the order of the frames", async () => {
    // Jobs that begin are prepared too.
    const first = await service.queued(HOLD);
    const held = await service.held();
    const prepare = vi.spyOn(service.services.gateway, "prepare");
    const { status, body, headers } = await enqueue({ code: CODE, frames: framesOf(20), keep_s: 60, retry: true });
    expect(prepare).toHaveBeenCalledTimes(1);
    prepare.mockRestore();
    held.release(null);
    await service.over(first);
    expect(status).toBe(202);
    expect(headers["location"]).toBeUndefined();
    const { job_ids: ids, ...rest } = body;
    expect(rest).toEqual({
      ok: true,
      count: 20,
      status: "queued",
      trace_id: headers["x-trace-id"],
      position: 0,
      queued_at: expect.any(String),
      warnings: [],
    });
    expect([...ids].sort()).toEqual(ids);
    const over = await Promise.all(ids.map((id: string) => service.over(id)));
    expect(over.map(({ body: job }) => job.result.out)).toEqual(ids.map((_: string, n: number) => 7 * n));
    const traces = over.map(({ body: job }) => job.trace_id);
    expect(new Set([...traces, body.trace_id]).size).toBe(21);
    for (const { body: job } of over) {
      expect(job).toMatchObject({ status: "succeeded", queued_at: body.queued_at, result: { trace_id: job.trace_id } });
      expect(Date.parse(job.expires_at) - Date.parse(job.finished_at)).toBe(60_000);
    }
    const queued = service.log.filter(({ event, parent_trace_id }) => {
      return event === "job_queued" && parent_trace_id === body.trace_id;
    });
    expect(queued.map(({ job_id, trace_id }) => [job_id, trace_id])).toEqual(
      ids.map((id: string, at: number) => [id, traces[at]]),
    );
    const listed = (await service.call("GET", "/jobs?limit=20")).body.jobs;
    expect(listed.map((job: { job_id: string }) => job.job_id)).toEqual([...ids].reverse());
  });

  test.each([
    ["no frames", { code: CODE, frames: [] }, "invalid_request", "/frames"],
    ["more frames than may be", { code: CODE, frames: framesOf(MAX_FRAMES + 1) }, "invalid_request", "/frames"],
    ["a frame that is not an object", { code: CODE, frames: [{ n: 1 }, 2] }, "invalid_request", "/frames/1"],
    ["frames that are not a list", { code: CODE, frames: { n: 1 } }, "invalid_request", "/frames"],
    ["frame and frames", { code: CODE, frames: [{ n: 1 }], frame: { n: 1 } }, "invalid_request", ""],
    ["a log to replay", { code: CODE, frames: [{ n: 1 }], replay_log: [] }, "invalid_request", "/replay_log"],
    [
      "a name that no frame has",
      { code: "L1:\n  X m mul ghost 7\n  J m\n", frames: [{ n: 1 }] },
      "compile_error",
      null,
    ],
    [
      "a policy that forbids",
      { ...HOLD, frames: [{}], policy: { forbidden_adapters: ["ext"] } },
      "policy_violation",
      null,
    ],
  ])("%s: nothing is queued", async (_, body, error, path) => {
    const before = await known();
    const refused = await enqueue(body);
    expect([refused.body.error, refused.body.issues?.[0]?.path ?? null], refused.text).toEqual([error, path]);
    expect(await known()).toBe(before);
  });

  test("a bulk request that exceeds the limit is refused as a whole, and a single queued job can be cancelled", async () => {
    const first = await service.queued(HOLD);
    const held = await service.held();
    const { body } = await enqueue({ ...HOLD, frames: framesOf(31) });
    expect(body).toMatchObject({ count: 31, position: 0 });
    const before = await known();
    const refused = await enqueue({ code: CODE, frames: framesOf(30) });
    expect([refused.status, refused.body.error, refused.headers["retry-after"]]).toEqual([503, "queue_full", "1"]);
    expect(await known()).toBe(before);
    const [next, cancelled, ...others] = body.job_ids;
    expect((await service.call("DELETE", `/result/${cancelled}`)).body).toEqual({
      job_id: cancelled,
      status: "cancelled",
    });
    for (const id of others) await service.call("DELETE", `/result/${id}`);
    held.release(1);
    (await service.held()).release(2);
    expect((await service.over(first)).body.result.out).toBe(1);
    expect((await service.over(next)).body.result.out).toBe(2);
    expect((await service.over(cancelled)).body).toMatchObject({ status: "cancelled", attempt: 0 });
  });

  test("more frames than the queue can ever hold are refused as not retryable", async () => {
    const service = await servingJobs({ variables: { WF_QUEUE_MAX: "4" }, ...(await PLACES[kind]?.("small")) });
    onTestFinished(() => service.stop());
    const bulk = (count: number) => service.call("POST", "/enqueue", { ...HOLD, frames: framesOf(count) });
    const never = await bulk(5);
    expect([never.status, never.headers["retry-after"], never.body]).toEqual([
      503,
      undefined,
      {
        ok: false,
        trace_id: expect.any(String),
        error: "queue_full",
        message: "the request asks for 5 jobs, and at most 4 jobs can wait: send fewer frames at a time",
        issues: [{ path: "/frames", code: "range", message: "at most 4 jobs can wait" }],
      },
    ]);
    expect((await service.call("GET", "/jobs")).body.jobs).toEqual([]);
    const running = await service.queued(HOLD);
    const held = await service.held();
    const other = await service.queued(HOLD);
    const second = await service.held();
    const { body: waiting } = await bulk(3);
    const later = await bulk(2);
    expect([later.status, later.headers["retry-after"], later.body.message]).toEqual([
      503,
      "1",
      "the queue has no room for 2 jobs: at most 4 jobs can wait",
    ]);
    const last = await service.queued(HOLD);
    const one = await service.call("POST", "/enqueue", HOLD);
    expect([one.body.message, one.body.retry_after_s]).toEqual(["the queue is full: at most 4 jobs can wait", 1]);
    for (const id of [...waiting.job_ids, last]) await service.call("DELETE", `/result/${id}`);
    held.release(1);
    second.release(1);
    for (const id of [running, other]) await service.over(id);
  });

  test("a request that is repeated under its key gets the same jobs", async () => {
    const body = { code: CODE, frames: framesOf(3) };
    const key = { "idempotency-key": "many" };
    const before = await known();
    const [first, again] = [await enqueue(body, key), await enqueue(body, key)];
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([202, 202, "true"]);
    expect(again.text).toBe(first.text);
    expect(await known()).toBe(before + 3);
    expect((await enqueue({ ...body, frames: framesOf(4) }, key)).body.error).toBe("idempotency_key_reused");
  });

  test("a single job is retried with its own frame", async () => {
    const code = "L1:\n  R ext.Fail n ->x\n  J x\n";
    const { body } = await enqueue({ code, frames: [{ n: "a" }, { n: "b" }], record_calls: true });
    const [, second] = body.job_ids;
    expect((await service.over(second)).body.status).toBe("failed");
    const calls = service.made.length;
    const again = await service.call("POST", `/result/${second}/retry`, {});
    expect(again.body).toMatchObject({ retry_of: second, status: "queued" });
    expect((await service.over(again.body.job_id)).body).toMatchObject({
      status: "failed",
      retry_of: second,
      result: { adapter_calls: [{ args: ["b"] }] },
    });
    expect(service.made.length).toBe(calls + 1);
  });
});

describe.skipIf(!isBuilt)("many jobs of a service that is killed", () => {
  test("are there afterwards, and end", { timeout: 60_000 }, async () => {
    const variables = { WF_STATE_DIR: `${folder.path}/killed` };
    const first = await serveProcess(variables);
    const frames = framesOf(800);
    const { status, body } = await exchange(first.port, "POST", "/enqueue", { code: CODE, frames, retry: true });
    await first.end("SIGKILL");
    expect([status, body.job_ids.length]).toEqual([202, 800]);
    const second = await serveProcess(variables);
    const over = await Promise.all(
      body.job_ids.map((id: string) => exchange(second.port, "GET", `/result/${id}?wait=20`)),
    );
    expect(over.map((reply) => reply.body.result?.out)).toEqual(frames.map((_, n) => 7 * n));
    expect(await second.end("SIGTERM")).toBe(0);
  });
});
