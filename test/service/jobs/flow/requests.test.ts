/** Rules about when jobs begin as callers give them: in requests, deployments, endpoints, schedules and above functions in Python. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "../../serving.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folder = await temporaryFolder();
let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({ stateDir: folder.path });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const CODE = "def main(customer=None, order=None):\n    return customer\n";
const enqueue = (more: object) => service.call("POST", "/enqueue", { code: CODE, ...more });
const deploy = (name: string, body: object) => service.call("PUT", `/programs/${name}`, body);
/** A job that waits a long time, so that the others of its rule wait for it. */
const KEYED = { concurrency: { limit: 1, key: "customer" } };

describe("keys of rules", () => {
  const hugeText = "x".repeat(1_000_000);
  it.each([
    ["missing", {}, "key_missing"],
    ["null", { customer: null }, "key_null"],
    ["an object", { customer: { a: 1 } }, "key_kind"],
    ["a list", { customer: [1] }, "key_kind"],
    ["a million characters", { customer: hugeText }, "key_too_long"],
  ])("are refused when the input is %s", async (_, frame, code) => {
    const { status, body } = await enqueue({ ...KEYED, frame });
    expect([status, body.error, body.issues]).toEqual([
      422,
      "flow_key_invalid",
      [{ path: "/frame/customer", code, message: expect.any(String) }],
    ]);
  });

  it("are data, also where they are named like members that every object has", async () => {
    for (const key of ["__proto__", "constructor", "order.__proto__", "order.toString", "order.length"])
      expect((await enqueue({ rate: { limit: 1, per_s: 1, key }, frame: { order: "text" } })).body).toMatchObject({
        error: "flow_key_invalid",
        issues: [{ code: "key_missing" }],
      });
    const own = { order: { constructor: "a", items: [{ id: 7 }] } };
    for (const key of ["order.constructor", "order.items.0.id", ["order.constructor", "order.items.0.id"]])
      expect((await enqueue({ rate: { limit: 1, per_s: 1, key }, frame: own })).status).toBe(202);
  });

  it("tell a text from a number", async () => {
    const rule = { concurrency: { limit: 1, key: "customer", on_full: "drop" }, delay_s: 3600 };
    const [text, number] = [
      await enqueue({ ...rule, frame: { customer: "1" } }),
      await enqueue({ ...rule, frame: { customer: 1 } }),
    ];
    expect([text.status, number.status]).toEqual([202, 202]);
  });

  it("of a priority must hold a whole number in range", async () => {
    for (const order of [1.5, 101, "5", true])
      expect((await enqueue({ priority: "order", frame: { order } })).body.issues).toEqual([
        { path: "/frame/order", code: "priority", message: expect.any(String) },
      ]);
    expect((await enqueue({ priority: "order", frame: { order: -100 } })).status).toBe(202);
  });
});

describe("rules", () => {
  it.each([
    ["a limit of 0", { concurrency: { limit: 0 } }],
    ["a limit with a fraction", { concurrency: { limit: 1.5 } }],
    ["a rate without a time", { rate: { limit: 1 } }],
    ["a key with a space", { fair: "a b" }],
    ["a key that ends in a dot", { fair: "a." }],
    ["a path of seventeen names", { fair: Array(17).fill("a").join(".") }],
    ["five rules", { concurrency: Array(5).fill({ limit: 1 }) }],
    ["a priority beyond its range", { priority: 101 }],
    ["an unknown member", { concurrency: { limit: 1, scop: "all" } }],
    ["a delay of more than a year", { delay_s: 40_000_000 }],
    ["a time in words", { run_at: "tomorrow" }],
    ["a unique key without its path", { unique: {} }],
    ["a time of 0 for a key", { unique: { key: "a", for_s: 0 } }],
    ["an unknown way", { unique: { key: "a", on_conflict: "skip" } }],
    ["a list of 1", { batch: { max: 1, wait_s: 1 } }],
    ["a list of more than 1000", { batch: { max: 1001, wait_s: 1 } }],
    ["a burst without an end", { debounce: { key: "a", wait_s: 1 } }],
    ["a burst that ends before its pause", { debounce: { key: "a", wait_s: 5, max_s: 1 } }],
    ["a pause of 0", { debounce: { key: "a", wait_s: 0, max_s: 0 } }],
    ["a burst that has a delay", { batch: { max: 2, wait_s: 1 }, delay_s: 5 }],
    ["two rules about others", { batch: { max: 2, wait_s: 1 }, unique: { key: "customer" } }],
    ["two times", { run_at: "2030-01-01T00:00:00Z", delay_s: 5 }],
  ])("are refused with %s, and nothing is queued", async (_, rules) => {
    const { status, body } = await enqueue({ ...rules, frame: { customer: "a" } });
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect((await deploy("refused", { code: CODE, ...rules })).status).toBe(400);
  });

  it("T.F-5: name the time at which a job begins", async () => {
    const { body } = await enqueue({ run_at: "2100-01-01T00:00:00Z" });
    const found = await service.call("GET", `/result/${body.job_id}`);
    expect(found.body).toMatchObject({
      status: "queued",
      held: true,
      held_by: { kind: "time", until: "2100-01-01T00:00:00.000Z" },
    });
    expect((await enqueue({ run_at: "2001-01-01T00:00:00Z" })).status).toBe(202);
  });

  it("T.F-8: end a job that runs for too long", async () => {
    const id = await service.queued({ code: 'L1:\n  R ext.Hold "long" ->x\n  J x\n', timeout_s: 0.05 });
    const { body } = await service.over(id);
    expect(body).toMatchObject({ status: "timed_out", result: { ok: false, error: "timeout_exceeded" } });
  });

  it("T.F-6: answer with the job that has the key, refuse the new one, or replace the old one", async () => {
    const rules = (unique: object) => ({ code: `${CODE}# unique\n`, unique, delay_s: 3600, frame: { customer: "a" } });
    const send = (unique: object) => service.call("POST", "/enqueue", rules(unique));
    const first = await send({ key: "customer" });
    expect(first.status).toBe(202);
    expect(first.body).not.toHaveProperty("existing");
    const again = await send({ key: "customer" });
    expect([again.status, again.body.job_id, again.body.existing]).toEqual([202, first.body.job_id, true]);
    const refused = await send({ key: "customer", on_conflict: "reject" });
    expect([refused.status, refused.body.error, refused.body.job_id]).toEqual([409, "job_exists", first.body.job_id]);
    const next = await send({ key: "customer", on_conflict: "replace" });
    const old = await service.call("GET", `/result/${first.body.job_id}`);
    expect([old.body.status, old.body.result.replaced_by]).toEqual(["cancelled", next.body.job_id]);
  });

  it("T.F-6: of a request for many name the jobs that were there", async () => {
    const rules = { code: `${CODE}# unique\n`, unique: { key: "customer" }, delay_s: 3600 };
    const frames = [{ customer: "b" }, { customer: "c" }];
    const first = await service.call("POST", "/enqueue", { ...rules, frames: frames.slice(0, 1) });
    const { body } = await service.call("POST", "/enqueue", { ...rules, frames });
    expect([body.count, body.existing]).toEqual([2, first.body.job_ids]);
    expect(body.job_ids[0]).toBe(first.body.job_ids[0]);
  });

  it("T.F-7: put the inputs of a burst into one list, as they were written", async () => {
    const code = "@job(batch={'max': 3, 'wait_s': 3600})\ndef total(items: list):\n    return [len(items), items]\n";
    const one = await service.call("POST", "/enqueue", { code, frame: { n: 1 } });
    const many = await service.call("POST", "/enqueue", { code, frames: [{ n: "b" }, {}] });
    expect(many.body.job_ids).toEqual([one.body.job_id, one.body.job_id]);
    const { body } = await service.over(one.body.job_id);
    expect(body.result.out).toEqual([3, [{ n: 1 }, { n: "b" }, {}]]);
    const strict = code.replace("items: list", "items: list[dict[str, int]]").replace("3600", "3599");
    const refused = await service.call("POST", "/enqueue", { code: strict, frame: { n: "b" } });
    expect([refused.body.error, refused.body.issues?.[0].path]).toEqual(["input_invalid", "/frame/n"]);
  });

  it("T.F-7: take bodies of an endpoint as items", async () => {
    const code =
      "@api('/in', mode='job')\n@job(batch={'max': 2, 'wait_s': 3600})\ndef take(items: list):\n    return items\n";
    expect((await deploy("taking", { code })).status).toBe(201);
    const ids: string[] = [];
    for (const n of [1, 2])
      ids.push((await exchange(service.port, "POST", "/app/taking/in", { n, any: ["a"] })).body.job_id);
    expect(ids[0]).toBe(ids[1]);
    const { body } = await service.over(ids[0] ?? "");
    expect(body.result.out).toEqual([1, 2].map((n) => ({ n, any: ["a"] })));
    const { body: document } = await exchange(service.port, "GET", "/app/taking/openapi.json");
    const { schema } = document.paths["/in"].post.requestBody.content["application/json"];
    expect(schema).toMatchObject({ type: "object", properties: {}, additionalProperties: true });
  });

  it("T.F-1: of a request for many jobs drop those that find no place", async () => {
    const rules = { concurrency: { limit: 1, on_full: "drop" }, delay_s: 3600 };
    const many = { code: `${CODE}# many\n`, ...rules, frames: [{}, {}, {}] };
    const { status, body } = await service.call("POST", "/enqueue", many);
    expect([status, body.count, body.job_ids]).toEqual([202, 1, [expect.any(String), null, null]]);
  });

  it("of a deployment, its functions and its endpoints hold together, and a request lifts none", async () => {
    const code = `
from weft import api, job

@job(concurrency={"limit": 1, "key": "customer"}, delay_s=3600)
def main(customer: str):
    return customer

@api("/later", mode="job", priority=5, delay_s=3600, concurrency={"limit": 1, "on_full": "drop"})
def later(customer: str):
    return customer
`;
    expect((await deploy("ruled", { code, priority: 3 })).status).toBe(201);
    const asked = { program: "ruled", frame: { customer: "a" } };
    const ids = [
      await service.queued(asked),
      await service.queued({ ...asked, delay_s: 0, concurrency: { limit: 9 } }),
    ];
    const shown = await Promise.all(ids.map((id) => service.call("GET", `/result/${id}`)));
    expect(shown[0]?.body.held_by.kind).toBe("time");
    expect((await service.over(ids[1] ?? "")).body.status).toBe("succeeded");
    const later = () => exchange(service.port, "POST", "/app/ruled/later", { customer: "b" });
    const made = await later();
    expect(made.status).toBe(202);
    expect((await service.call("GET", `/result/${made.body.job_id}`)).body.held_by.kind).toBe("time");
  });

  it("of an endpoint need jobs", async () => {
    const { status, body } = await deploy("ran", { code: '@api("/a", priority=1)\ndef a():\n    return 1\n' });
    expect([status, body.error]).toEqual([422, "endpoint_invalid"]);
    expect(body.issues[0].message).toMatch(/priority is about jobs: it needs mode "job"/);
  });

  it("above a function are checked when it is deployed", async () => {
    const { status, body } = await deploy("wrong", {
      code: '@job(concurrency={"limit": 0})\ndef a():\n    return 1\n',
    });
    expect([status, body.error]).toEqual([422, "flow_invalid"]);
    expect(body.issues).toEqual([{ path: "", code: "value", message: expect.stringMatching(/^line 2: concurrency/) }]);
  });

  it("of a schedule hold its jobs back", async () => {
    const code = '@cron("0 0 1 1 *", delay_s=3600)\ndef yearly():\n    return 1\n';
    expect((await deploy("yearly", { code })).status).toBe(201);
    const { status, body } = await service.call("POST", "/schedules/yearly/yearly/run", {});
    expect(status).toBe(202);
    expect((await service.call("GET", `/result/${body.job_id}`)).body.held_by.kind).toBe("time");
  });

  it("count the jobs that they hold back", async () => {
    const figures = await service.call("GET", "/metrics", undefined, { accept: "text/plain" });
    expect(figures.text).toMatch(/wf_jobs_held \d/);
  });
});
