/** Idempotency-Key on POST /run: one run for each key, whatever happens to the answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryIdempotencyStore } from "../../service/idempotency.ts";
import { verifies } from "../support/requirements.ts";
import { exchange, type Serving, serving } from "./serving.ts";

const ECHO = 'L1:\n  R ext.Echo "hello" ->x\n  J x\n';
const HOLD = 'L1:\n  R ext.Hold "a" ->x\n  J x\n';

let service: Serving;
beforeAll(async () => {
  service = await serving();
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

  it.each(["/run?again", "/%72un", "http://localhost/run", "/run#again"])("is the same at %s", async (path) => {
    const key = { "idempotency-key": `at ${path}` };
    const first = await service.run({ code: ECHO }, key);
    const calls = service.made.length;
    const again = await exchange(service.port, "POST", path, { code: ECHO }, key);
    expect(again.text).toBe(first.text);
    expect(service.made.length).toBe(calls);
  });

  it("with another body is refused", async () => {
    const key = { "idempotency-key": "k-2" };
    await service.run({ code: ECHO }, key);
    expect(await service.run({ code: ECHO, trace: true }, key)).toMatchObject({
      status: 422,
      body: { error: "idempotency_key_reused" },
    });
  });

  it("while the first request runs is told to wait", async () => {
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

    const small = await serving({ variables: { WF_MAX_CONCURRENT_RUNS: "1", WF_RUN_WAITING_MAX: "0" } });
    try {
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

describe("the store in memory", () => {
  it("forgets after a day, never what still runs, and one of many claims is first", async () => {
    let now = 0;
    const store = createMemoryIdempotencyStore({ now: () => now });
    const of = { scope: "POST /run", key: "a" };
    const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim(of, "h", "t")));
    expect(claims.map(({ state }) => state)).toEqual(["first", "running", "running", "running", "running"]);
    now = 25 * 3600_000;
    expect((await store.claim(of, "h", "t")).state).toBe("running");
    const [first] = claims;
    if (first?.state !== "first") throw new Error("the first claim is first");
    await first.finish({ status: 200, headers: {}, body: "{}" });
    expect((await store.claim({ ...of, scope: "POST /enqueue" }, "h", "t")).state).toBe("first");
    now += 25 * 3600_000;
    expect((await store.claim(of, "h", "t")).state).toBe("first");
  });
});
