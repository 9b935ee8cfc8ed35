/** Idempotency-Key on POST /run: one run for each key, whatever happens to the answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOnce } from "../../../service/run/answer-once.ts";
import { verifies } from "../../support/requirements.ts";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";
import { keysInMemory } from "./keys-in-memory.ts";

const ECHO = 'L1:\n  R ext.Echo "hello" ->x\n  J x\n';
const HOLD = 'L1:\n  R ext.Hold "a" ->x\n  J x\n';

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

describe("the same key", () => {
  it("with the same body gives the stored answer, byte for byte, and runs nothing", async () => {
    verifies("http.idempotency");
    const key = { "idempotency-key": "order 17" };
    const first = await service.run({ code: ECHO, frame: { a: 1, b: 2 } }, key);
    const calls = service.made.length;
    const again = await service.run({ frame: { b: 2, a: 1 }, code: ECHO }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers).toMatchObject({ "idempotent-replayed": "true", "x-trace-id": first.body.trace_id });
    expect(service.made.length).toBe(calls);
  });

  it.each(["/%72un", "http://127.0.0.1:PORT/run"])("is the same at %s", async (path) => {
    const key = { "idempotency-key": `at ${path}` };
    const first = await service.run({ code: ECHO }, key);
    const calls = service.made.length;
    const target = path.replace("PORT", String(service.port));
    const again = await exchange(service.port, "POST", target, { code: ECHO }, key);
    expect(again.text).toBe(first.text);
    expect(service.made.length).toBe(calls);
  });

  it.each(["/run?again", "/run#again", "http://elsewhere/run"])(
    "runs nothing at %s, which is refused",
    async (path) => {
      const calls = service.made.length;
      const refused = await exchange(service.port, "POST", path, { code: ECHO }, { "idempotency-key": `at ${path}` });
      expect(refused).toMatchObject({ status: 400, body: { error: "invalid_request" } });
      expect(service.made.length).toBe(calls);
    },
  );

  it("with another body is refused", async () => {
    const key = { "idempotency-key": "k-2" };
    await service.run({ code: ECHO }, key);
    expect(await service.run({ code: ECHO, trace: true }, key)).toMatchObject({
      status: 422,
      body: { error: "idempotency_key_reused" },
    });
  });

  it("while the first request runs gets a Retry-After", async () => {
    const key = { "idempotency-key": "k-3" };
    const first = service.run({ code: HOLD }, key);
    const held = await service.held();
    const second = await service.run({ code: HOLD }, key);
    expect(second).toMatchObject({
      status: 409,
      body: { error: "idempotency_in_progress" },
      headers: { "retry-after": "1" },
    });
    held.release(1);
    expect((await first).body.out).toBe(1);
    expect((await service.run({ code: HOLD }, key)).body.out).toBe(1);
  });

  it("repeats refusals too, but not those of a busy service", async () => {
    const refused = await service.run({ code: "L1:\n J ghost\n" }, { "idempotency-key": "k-4" });
    const again = await service.run({ code: "L1:\n J ghost\n" }, { "idempotency-key": "k-4" });
    expect(again).toMatchObject({ status: 422, text: refused.text, headers: { "idempotent-replayed": "true" } });

    const small = await servingJobs({ variables: { WF_MAX_CONCURRENT_RUNS: "1", WF_RUN_WAITING_MAX: "0" } });
    try {
      // The queue looks for jobs at its start, with the one place that there is.
      await expect.poll(async () => (await small.run({ code: ECHO })).status).toBe(200);
      const running = small.run({ code: HOLD });
      const held = await small.held();
      expect((await small.run({ code: ECHO }, { "idempotency-key": "k-5" })).status).toBe(503);
      held.release(1);
      await running;
      expect((await small.run({ code: ECHO }, { "idempotency-key": "k-5" })).body.out).toBe("hello");
    } finally {
      await small.stop();
    }
  });

  it.each(["", "x".repeat(256), "caf\u00e9"])("must be printable: %j", async (key) => {
    const reply = await service.run({ code: ECHO }, { "idempotency-key": key });
    expect(reply).toMatchObject({
      status: 400,
      body: { error: "invalid_request", issues: [{ code: "idempotency_key" }] },
    });
  });
});

describe("answering once", () => {
  const request = { method: "POST", path: "/run", key: "a", bodyHash: async () => "sha256:0", traceId: "t" };
  const answering = async (status: number): Promise<number> => {
    const store = keysInMemory();
    let made = 0;
    const make = async () => {
      made += 1;
      return { status, headers: {}, body: String(made) };
    };
    const first = await answerOnce(store, (fetch) => fetch(), request, make);
    const again = await answerOnce(store, (fetch) => fetch(), request, make);
    expect([first.body, again.body]).toEqual(["1", String(made)]);
    return made;
  };

  it.each([200, 202, 400, 403, 404, 422, 504])("keeps an answer of %i", async (status) => {
    expect(await answering(status)).toBe(1);
  });

  it.each([408, 409, 429, 500, 502, 503])(
    "does not keep an answer of %i, because its cause is outside the request",
    async (status) => {
      expect(await answering(status)).toBe(2);
    },
  );

  it("repeats the request after a defect", async () => {
    const store = keysInMemory();
    const broken = answerOnce(
      store,
      (fetch) => fetch(),
      request,
      () => Promise.reject(new Error("a defect")),
    );
    await expect(broken).rejects.toThrow("a defect");
    const answer = await answerOnce(
      store,
      (fetch) => fetch(),
      request,
      async () => ({ status: 200, headers: {}, body: "1" }),
    );
    expect(answer).toEqual({ status: 200, headers: {}, body: "1" });
  });
});
