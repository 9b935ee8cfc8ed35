/** The job routes over HTTP, in memory and on disk: what they answer, and what happens to the jobs. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { verifies } from "../../support/requirements.ts";
import { opened, type Reply, replyOf } from "../serving.ts";
import {
  eventsIn,
  type JobServing,
  type JobServingOptions,
  servingJobs,
  streamOf,
  temporaryFolder,
} from "./serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const FAIL = { code: 'L1:\n  R ext.Echo 1 ->a\n  R ext.Fail "no" ->x\n  J x\n' };
const SLOW = { code: "L1:\n  R core.SLEEP 60000 ->x\n  J x\n", limits: { max_time_ms: 20 } };
const ABSENT = randomUUID();

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  memory: async () => ({}),
  durable: async () => ({ stateDir: folder.path }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};

const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

describe.each(KINDS)("jobs kept in a %s queue", (kind) => {
  let service: JobServing;
  beforeAll(async () => {
    service = await servingJobs(await PLACES[kind]?.());
  });
  afterAll(() => service.stop());

  /** A job that runs until the test lets it go. */
  const holding = async () => {
    const id = await service.queued(HOLD);
    return { id, held: await service.held() };
  };

  test("a job runs, and its result is the answer of a run", async () => {
    verifies(
      "http.enqueue",
      "http.result",
      "jobs.accepted",
      "jobs.states",
      "jobs.result-body",
      "event.run-and-enqueue",
    );
    const accepted = await service.call("POST", "/enqueue", ADD);
    expect(accepted.status).toBe(202);
    const { job_id: id, trace_id } = accepted.body;
    expect(accepted.body).toMatchObject({ ok: true, id, status: "queued", position: 0, warnings: [] });
    expect(accepted.headers).toMatchObject({ location: `/result/${id}`, "retry-after": "1", "x-trace-id": trace_id });
    const over = await service.over(id);
    expect(over.body).toMatchObject({ job_id: id, status: "succeeded", attempt: 1, label: "L1", trace_id });
    expect(over.body.result).toMatchObject({ ok: true, out: 5, trace_id, label: "L1" });
    expect(Date.parse(over.body.expires_at) - Date.parse(over.body.finished_at)).toBe(86_400_000);
    // The job is the program that was checked.
    expect(over.body.result.stats.checksum).toBe((await service.run(ADD)).body.stats.checksum);
    await service.logged("job_finished", (event) => event["job_id"] === id);
    const events = service.log.filter((event) => event["job_id"] === id).map(({ event }) => event);
    expect(events).toEqual(["job_queued", "job_started", "run_start", "adapter_call", "run_complete", "job_finished"]);
  });

  test.each([
    ["failed", FAIL, { ok: false, error: "adapter_error" }],
    ["timed_out", SLOW, { ok: false, error: "max_time_ms_exceeded" }],
  ])("a run that does not succeed is %s", async (status, program, result) => {
    verifies("jobs.violation-no-harm");
    const over = await service.over(await service.queued(program));
    expect(over.body).toMatchObject({ status, result });
  });

  test("a result is summed up on request", async () => {
    const id = await service.queued(ADD);
    const { result } = (await service.over(id)).body;
    const { body, headers } = await service.call("GET", `/result/${id}?summary=1`);
    expect(body).toMatchObject({
      job_id: id,
      status: "succeeded",
      summary: { task_id: id, status: "ok", result, trace_id: result.trace_id, policy_errors: [], review_hint: null },
    });
    expect(body.result).toBeUndefined();
    expect(headers["etag"]).not.toBe((await service.call("GET", `/result/${id}`)).headers["etag"]);
    expect((await service.call("GET", `/result/${id}?summary=maybe`)).body.error).toBe("invalid_request");
  });

  test.each([
    ["no program", {}, 400, "invalid_request"],
    ["a program that does not compile", { code: "L1:\n  J ghost\n" }, 422, "compile_error"],
    ["a retention that is too short", { ...ADD, keep_s: 5 }, 400, "invalid_request"],
    ["a misspelt member", { ...ADD, retri: true }, 400, "invalid_request"],
    ["a policy that forbids a call", { ...HOLD, policy: { forbidden_adapters: ["ext"] } }, 403, "policy_violation"],
    ["an invalid replay log", { ...ADD, replay_log: { calls: 1 } }, 422, "replay_log_invalid"],
  ])("%s is refused before it is queued", async (_, body, status, error) => {
    verifies("jobs.checked-first");
    const before = (await service.call("GET", "/jobs?limit=200")).body.jobs.length;
    const refused = await service.call("POST", "/enqueue", body);
    expect([refused.status, refused.body.error]).toEqual([status, error]);
    expect((await service.call("GET", "/jobs?limit=200")).body.jobs.length).toBe(before);
  });

  test.each(["nothing", "1234", `${ABSENT}x`, ABSENT, "..%2f", "%00"])("id %s names no job", async (id) => {
    verifies("jobs.unknown");
    const asked: [string, string, object?][] = [
      ["GET", `/result/${id}`],
      ["DELETE", `/result/${id}`],
      ["GET", `/result/${id}/events`],
      ["POST", `/result/${id}/retry`, {}],
    ];
    for (const [method, path, body] of asked) {
      const { status, body: answer } = await service.call(method, path, body);
      expect([status, answer.error], `${method} ${path}`).toEqual([404, "job_not_found"]);
    }
    const long = await service.call("GET", `/result/${"a".repeat(500)}`);
    expect([long.status, long.body.error]).toEqual([404, "job_not_found"]);
  });

  test("a job that runs tells so, and a wait ends with it", async () => {
    const { id, held } = await holding();
    const running = await service.call("GET", `/result/${id}`);
    expect(running.body).toMatchObject({ status: "running", attempt: 1 });
    expect(running.body.result).toBeUndefined();
    expect(running.headers["retry-after"]).toBe("1");
    const tag = String(running.headers["etag"]);
    expect((await service.call("GET", `/result/${id}`, undefined, { "if-none-match": tag })).status).toBe(304);
    expect((await service.call("GET", `/result/${id}?wait=0.01`)).body.status).toBe("running");
    const waiting = service.over(id);
    held.release("done");
    expect((await waiting).body).toMatchObject({ status: "succeeded", result: { out: "done" } });
  });

  test("a parameter that is there twice is refused", async () => {
    const { status, body } = await service.call("GET", `/result/${ABSENT}?wait=1&wait=2`);
    expect([status, body.issues]).toEqual([400, [{ path: "/wait", code: "type", message: "must be given once" }]]);
  });

  test.each(["-1", "61", "x", "1e1", ""])("wait=%s is refused", async (wait) => {
    const { status, body } = await service.call("GET", `/result/${ABSENT}?wait=${wait}`);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
  });

  test.each([
    ["GET", "/jobs?stauts=failed", "; did you mean status?"],
    ["GET", "/jobs?limti=1", "; did you mean limit?"],
    ["GET", `/result/${ABSENT}?sumary=1`, "; did you mean summary?"],
    ["GET", `/result/${ABSENT}?wiat=5`, "; did you mean wait?"],
    ["GET", `/result/${ABSENT}?other=5`, "; the endpoint has wait, until and summary"],
    ["GET", `/result/${ABSENT}/events?last-event-id=4`, "; the endpoint has none"],
    ["DELETE", `/result/${ABSENT}?force=1`, "; the endpoint has none"],
    ["POST", `/result/${ABSENT}/retry?from=failure`, "; the endpoint has none"],
    ["POST", "/enqueue?retry=1", "; the endpoint has none"],
  ])("%s %s is refused, because a misspelt parameter would have no effect", async (method, path, hint) => {
    const before = (await service.call("GET", "/jobs?limit=200")).body.jobs.length;
    const { status, body } = await service.call(method, path, method === "POST" ? { ...ADD } : undefined);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    const name = path.slice(path.indexOf("?") + 1, path.indexOf("="));
    const message = `unknown parameter '${name}'${hint}`;
    expect(body.issues).toEqual([{ path: `/${name}`, code: "unknown_parameter", message }]);
    expect((await service.call("GET", "/jobs?limit=200")).body.jobs.length).toBe(before);
  });

  test("a parameter that is given twice is refused", async () => {
    for (const query of ["status=failed&status=queued", "limit=1&limit=2"])
      expect((await service.call("GET", `/jobs?${query}`)).body.error).toBe("invalid_request");
  });

  test("a queued job is cancelled at once and never starts; its label is reported", async () => {
    const first = await holding();
    const second = await holding();
    const waiting = await service.call("POST", "/enqueue", { ...ADD, limits: { max_steps: 77 } });
    const last = await service.call("POST", "/enqueue", ADD);
    expect([waiting.body.position, last.body.position]).toEqual([0, 1]);
    expect((await service.call("GET", `/result/${last.body.job_id}`)).body).toMatchObject({ position: 1 });
    const cancelled = await service.call("DELETE", `/result/${waiting.body.job_id}`);
    expect([cancelled.status, cancelled.body]).toEqual([200, { job_id: waiting.body.job_id, status: "cancelled" }]);
    const again = (await service.call("POST", `/result/${waiting.body.job_id}/retry`, {})).body.job_id;
    expect((await service.call("DELETE", `/result/${again}`)).body.status).toBe("cancelled");
    first.held.release(1);
    second.held.release(2);
    const { body } = await service.over(waiting.body.job_id);
    const { limits } = (await service.run(ADD)).body;
    const usage = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };
    expect(body).toMatchObject({ status: "cancelled", attempt: 0, result: { ok: false, error: "cancelled", usage } });
    expect(body.result.limits).toEqual({ ...limits, max_steps: 77 });
    expect((await service.over(again)).body.result).toMatchObject({ usage, limits: body.result.limits });
    expect((await service.over(last.body.job_id)).body.status).toBe("succeeded");
    expect((await service.call("DELETE", `/result/${last.body.job_id}`)).body.status).toBe("succeeded");
  });

  test("a running job is asked to end", async () => {
    verifies("jobs.cancel");
    const { id, held } = await holding();
    const cancelled = await service.call("DELETE", `/result/${id}`);
    expect([cancelled.status, cancelled.body]).toEqual([202, { job_id: id, status: "cancelling" }]);
    const over = await service.over(id);
    expect(over.body).toMatchObject({ status: "cancelled", result: { ok: false, error: "cancelled" } });
    expect(held.signal.aborted).toBe(true);
  });

  test("events are sent as they happen, and resumed after the last one seen", async () => {
    const { id, held } = await holding();
    const stream = await streamOf(service.port, id);
    held.release(1);
    const events = eventsIn(await stream.text);
    expect(events.map(({ id: seq, event }) => [seq, event])).toEqual([
      [1, "status"],
      [2, "status"],
      [3, "adapter_call"],
      [4, "status"],
      [5, "end"],
    ]);
    expect(events.map(({ data }) => data.status)).toEqual(["queued", "running", "ok", "succeeded", "succeeded"]);
    expect(events[2]?.data).toMatchObject({ seq: 1, adapter: "ext", verb: "Hold", label_id: "1", node_id: "n1" });
    // In thousandths of a millisecond, as everywhere.
    expect(String(events[2]?.data["duration_ms"])).toMatch(/^[0-9]+(\.[0-9]{1,3})?$/);
    const seen = async (headers = {}) =>
      eventsIn((await service.call("GET", `/result/${id}/events`, undefined, headers)).text).map((event) => event.id);
    expect(await seen()).toEqual([4, 5]);
    expect(await seen({ "last-event-id": "2" })).toEqual([3, 4, 5]);
    expect(await seen({ "last-event-id": "4" })).toEqual([5]);
    expect((await service.call("HEAD", `/result/${id}/events`)).text).toBe("");
  });

  test.each([
    ["GET", "5"],
    ["GET", "6"],
    ["GET", "999999999999999"],
    ["HEAD", "5"],
  ])("%s of a job that has ended, after its end (%s), reports that nothing follows", async (method, after) => {
    const id = await service.queued(HOLD);
    (await service.held()).release(1);
    await service.over(id);
    const reply = await service.call(method, `/result/${id}/events`, undefined, { "last-event-id": after });
    expect([reply.status, reply.text, reply.headers["content-type"]]).toEqual([204, "", undefined]);
  });

  test("a reader with a later event id than a running job waits for it", async () => {
    const { id, held } = await holding();
    const asked = opened(service.port, "GET", `/result/${id}/events`, { "last-event-id": "900" });
    const response = replyOf(asked);
    const begun = once(asked, "response");
    asked.end();
    expect((await begun)[0].statusCode).toBe(200);
    held.release(1);
    expect((await response).text).not.toContain("id: ");
  });

  test("a reader that reconnects like a browser gets every event once and stops", async () => {
    const { id, held } = await holding();
    held.release(1);
    const got: number[] = [];
    const statuses: number[] = [];
    while (statuses.at(-1) !== 204 && statuses.length < 9) {
      const headers = got.length === 0 ? { "last-event-id": "0" } : { "last-event-id": String(got.at(-1)) };
      const { status, text } = await service.call("GET", `/result/${id}/events`, undefined, headers);
      statuses.push(status);
      got.push(...eventsIn(text).map((event) => event.id));
    }
    expect([got, statuses]).toEqual([
      [1, 2, 3, 4, 5],
      [200, 204],
    ]);
  });

  test("a failed job is retried from its start, or from the call that failed", async () => {
    const id = await service.queued({ ...FAIL, record_calls: true });
    expect((await service.call("POST", `/result/${id}/retry`, { from: "end" })).status).toBe(400);
    await service.over(id);
    const made = async (from: string): Promise<string[]> => {
      const before = service.made.length;
      const retried = await service.call("POST", `/result/${id}/retry`, { from });
      expect(retried.body).toMatchObject({ ok: true, status: "queued", retry_of: id });
      const over = await service.over(retried.body.job_id);
      expect(over.body).toMatchObject({ status: "failed", retry_of: id, result: { error: "adapter_error" } });
      return service.made.slice(before);
    };
    expect(await made("start")).toEqual(["Echo", "Fail"]);
    expect(await made("failure")).toEqual(["Fail"]);
  });

  test("a job that is retried from its failure keeps the call ids, and a retry from the start has new ones", async () => {
    const id = await service.queued({ ...FAIL, record_calls: true });
    const { trace_id } = (await service.over(id)).body;
    const failed = service.callIds.at(-1);
    const retried = async (from: string) => {
      const { body } = await service.call("POST", `/result/${id}/retry`, { from });
      expect(body.trace_id).not.toBe(trace_id);
      const queued = await service.logged("job_queued", (event) => event["job_id"] === body.job_id);
      const over = await service.over(body.job_id);
      return { over: over.body, queued, asked: body.trace_id, last: service.callIds.at(-1) };
    };
    const resumed = await retried("failure");
    expect(resumed.last).toBe(failed);
    expect(resumed.over).toMatchObject({ trace_id, result: { trace_id } });
    expect(resumed.queued).toMatchObject({ trace_id, parent_trace_id: resumed.asked });
    const again = await service.call("POST", `/result/${resumed.over.job_id}/retry`, { from: "failure" });
    expect((await service.over(again.body.job_id)).body.trace_id).toBe(trace_id);
    expect(service.callIds.at(-1)).toBe(failed);
    const anew = await retried("start");
    expect(anew.over.trace_id).toBe(anew.asked);
    expect(anew.last).not.toBe(failed);
  });

  test("what cannot be retried says why", async () => {
    const done = await service.queued(ADD);
    await service.over(done);
    const unrecorded = await service.queued(FAIL);
    await service.over(unrecorded);
    const { id, held } = await holding();
    const refusals: [Reply, number, string, string | undefined][] = [
      [await service.call("POST", `/result/${done}/retry`, {}), 422, "job_not_retryable", "succeeded"],
      [
        await service.call("POST", `/result/${unrecorded}/retry`, { from: "failure" }),
        422,
        "job_not_retryable",
        "no_record",
      ],
      [await service.call("POST", `/result/${id}/retry`, {}), 409, "job_not_finished", undefined],
    ];
    for (const [{ status, body }, ...wanted] of refusals)
      expect([status, body.error, body.issues?.[0].code]).toEqual(wanted);
    held.release(1);
    await service.over(id);
    const { failures_by_error } = (await service.call("GET", "/metrics")).body;
    // No program was refused.
    expect(failures_by_error.job_not_retryable).toBeUndefined();
  });

  test("a retry without a body is one from the start", async () => {
    const id = await service.queued(FAIL);
    await service.over(id);
    const path = `/result/${id}/retry`;
    expect((await service.call("POST", path)).body).toMatchObject({ ok: true, status: "queued", retry_of: id });
    const key = { "idempotency-key": `empty-${randomUUID()}` };
    const keyed = await service.call("POST", path, undefined, { ...key, "content-type": "application/json" });
    const again = await service.call("POST", path, {}, key);
    expect([keyed.status, again.body.job_id]).toEqual([202, keyed.body.job_id]);
    // A page could send one like it without asking.
    const crossing = await service.call("POST", path, undefined, { origin: `http://127.0.0.1:${service.port}` });
    expect([crossing.status, crossing.body.error]).toEqual([415, "unsupported_media_type"]);
    const { paths } = (await service.call("GET", "/openapi.json")).body;
    const required = (at: string) => paths[at].post.requestBody.required;
    expect([required("/result/{id}/retry"), required("/enqueue")]).toEqual([false, true]);
  });

  test("a retry that came too early under a key can be sent again", async () => {
    const { id } = await holding();
    const key = { "idempotency-key": randomUUID() };
    const retry = () => service.call("POST", `/result/${id}/retry`, {}, key);
    expect((await retry()).body.error).toBe("job_not_finished");
    await service.call("DELETE", `/result/${id}`);
    await service.over(id);
    const retried = await retry();
    expect([retried.status, retried.body.retry_of]).toEqual([202, id]);
    const spelled = await service.call("POST", `/result/${id.toUpperCase()}/retry`, {}, key);
    expect(spelled.text).toBe(retried.text);
    (await service.held()).release(2);
    await service.over(retried.body.job_id);
  });

  test("null for frames or frame means absent", async () => {
    const { body } = await service.call("POST", "/enqueue", { ...ADD, frames: null });
    expect(body).toMatchObject({ ok: true, job_id: expect.any(String) });
    const many = await service.call("POST", "/enqueue", { ...ADD, frame: null, frames: [{}] });
    expect(many.body).toMatchObject({ ok: true, count: 1 });
    for (const id of [body.job_id, ...many.body.job_ids]) await service.over(id);
  });

  test("a key queues one job for all repeated requests", async () => {
    const key = { "idempotency-key": randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => service.call("POST", "/enqueue", ADD, key)));
    const first = replies.find(({ status, headers }) => status === 202 && headers["idempotent-replayed"] === undefined);
    expect(replies.every(({ status }) => status === 202 || status === 409)).toBe(true);
    const again = await service.call("POST", "/enqueue", ADD, key);
    expect(again.text).toBe(first?.text);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await service.call("POST", "/enqueue", HOLD, key);
    expect([other.status, other.body.error]).toEqual([422, "idempotency_key_reused"]);
  });

  test("jobs are listed newest first, page by page, and by state", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await service.queued(ADD));
    for (const id of ids) await service.over(id);
    const listed: string[] = [];
    let cursor = "";
    while (listed.length < ids.length) {
      const { body } = await service.call("GET", `/jobs?limit=2&status=succeeded,failed${cursor}`);
      expect(body.jobs.length).toBeLessThanOrEqual(2);
      listed.push(...body.jobs.map((job: { job_id: string }) => job.job_id));
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(listed.slice(0, ids.length)).toEqual(ids);
    for (const query of ["limit=0", "limit=201", "status=lost", "cursor=zzz", "limit=x"])
      expect((await service.call("GET", `/jobs?${query}`)).status, query).toBe(400);
  });

  test("metrics and readiness know the queue", async () => {
    expect((await service.call("GET", "/ready")).body).toMatchObject({ status: "ready", queue: kind });
    const first = await holding();
    const second = await holding();
    await service.queued(ADD);
    await expect
      .poll(async () => (await service.call("GET", "/metrics")).body)
      .toMatchObject({ queue_depth: 1, jobs_by_state: { running: 2, queued: 1 } });
    expect((await service.call("GET", "/metrics")).body.oldest_queued_age_ms).toBeGreaterThanOrEqual(0);
    first.held.release(1);
    second.held.release(1);
    await expect.poll(async () => (await service.call("GET", "/metrics")).body.queue_depth).toBe(0);
    expect((await service.call("GET", "/metrics?format=prometheus")).text).toContain("wf_jobs_total");
    expect((await service.call("GET", "/capabilities")).body.features).toEqual(expect.arrayContaining(["jobs"]));
  });
});

describe("those who wait", () => {
  let service: JobServing;
  beforeAll(async () => {
    service = await servingJobs({
      variables: { WF_MAX_WAITERS: "1", WF_JOBS_LIST: "0" },
      times: { keepAliveMs: 20, progressMs: 0 },
    });
  });
  afterAll(() => service.stop());

  test("are limited; others are answered at once", async () => {
    const id = await service.queued(HOLD);
    const held = await service.held();
    const first = service.call("GET", `/result/${id}?wait=60`);
    await expect
      .poll(async () => (await service.call("GET", `/result/${id}?wait=0.5`)).body.status, { interval: 1 })
      .toBe("running");
    held.release(1);
    expect((await first).body.status).toBe("succeeded");
  });

  test("get keep-alive comments on a silent stream, and the usage of the run", async () => {
    const id = await service.queued({ code: 'L1:\n  R core.SLEEP 1\n  R ext.Hold "one" ->x\n  J x\n' });
    const held = await service.held();
    const stream = await streamOf(service.port, id);
    await new Promise((resolve) => setTimeout(resolve, 60));
    held.release(1);
    const text = await stream.text;
    expect(text).toContain(": keep-alive\n\n");
    const progress = eventsIn(text).filter(({ event }) => event === "progress");
    expect(progress[0]?.data.usage).toMatchObject({ adapter_calls: expect.any(Number) });
  });

  test("get no list when it is disabled", async () => {
    expect((await service.call("GET", "/jobs")).body.error).toBe("not_found");
  });
});

test("a job waits while requests hold every slot, and releases its slot at the end", async () => {
  const service = await servingJobs({ variables: { WF_MAX_CONCURRENT_RUNS: "1" } });
  try {
    const running = service.run(HOLD);
    const held = await service.held();
    const ids = [await service.queued(ADD), await service.queued(ADD)];
    expect((await service.call("GET", `/result/${ids[0]}`)).body).toMatchObject({ status: "queued" });
    held.release(1);
    expect((await running).body).toMatchObject({ ok: true, out: 1 });
    for (const id of ids) expect((await service.over(id)).body.status).toBe("succeeded");
    expect((await service.run(ADD)).body).toMatchObject({ ok: true, out: 5 });
  } finally {
    await service.stop();
  }
});
