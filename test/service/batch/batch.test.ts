/** POST /batch: one program, many frames, as a document and as lines. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { opened, replyOf, type Serving, serving } from "../serving.ts";

const DOUBLE = "# frame: a: number\nL1:\n  R core.MUL a 2 ->x\n  J x\n";
const HOLD = "# frame: a: any\nL1:\n  R ext.Hold a ->x\n  J x\n";
const NDJSON = { "content-type": "application/x-ndjson" };
// biome-ignore lint/suspicious/noExplicitAny: lines have several shapes
const linesOf = (text: string): any[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const stream = (head: object, frames: readonly (object | string)[]): string =>
  [head, ...frames].map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("a batch as one document", () => {
  it("answers in the order of its frames", async () => {
    const frames = Array.from({ length: 50 }, (_, a) => ({ a }));
    const { status, body } = await service.call("POST", "/batch", { code: DOUBLE, frames });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["ok", "trace_id", "count", "succeeded", "failed", "results"]);
    expect(body).toMatchObject({ ok: true, count: 50, succeeded: 50, failed: 0 });
    expect(body.results.map((line: { index: number; out: number }) => [line.index, line.out])).toEqual(
      frames.map(({ a }) => [a, 2 * a]),
    );
    expect(Object.keys(body.results[0])).toEqual(["index", "ok", "out", "usage", "duration_ms"]);
    const events = service.log.filter((event) => event["trace_id"] === body.trace_id).map(({ event }) => event);
    expect(events.filter((event) => event === "adapter_call").length).toBe(50);
    expect(events.filter((event) => event !== "adapter_call")).toEqual(["run_start", "run_complete", "http_request"]);
  });

  it("continues after a frame that fails, unless on_error is stop", async () => {
    const code = "# frame: a: number\nL1:\n  X y div 10 a\n  J y\n";
    const frames = [{ a: 1 }, { a: 0 }, { a: 2 }];
    const all = (await service.call("POST", "/batch", { code, frames, concurrency: 1 })).body;
    expect(all).toMatchObject({ ok: false, count: 3, succeeded: 2, failed: 1 });
    expect(all.results[1]).toMatchObject({
      index: 1,
      ok: false,
      error: "runtime_error",
      error_structured: { line: 3 },
    });
    const some = (await service.call("POST", "/batch", { code, frames, concurrency: 1, on_error: "stop" })).body;
    expect(some).toMatchObject({ ok: false, count: 2, succeeded: 1, failed: 1 });
  });

  it("has limits for each frame", async () => {
    const body = {
      code: DOUBLE,
      frames: [{ a: 1 }, { a: 2 }, { a: 3 }],
      limits: { max_adapter_calls: 1, max_steps: 2 },
    };
    expect((await service.call("POST", "/batch", body)).body).toMatchObject({ ok: true, count: 3 });
  });

  it.each([
    [{ code: DOUBLE }, 400, "invalid_request"],
    [{ code: DOUBLE, frames: [1] }, 400, "invalid_request"],
    [{ code: DOUBLE, frames: [], replay_log: [] }, 400, "invalid_request"],
    [{ code: DOUBLE, frames: [], concurrency: 0 }, 400, "invalid_request"],
    [{ code: "L1:\n J ghost\n", frames: [{ a: 1 }] }, 422, "compile_error"],
    [{ code: DOUBLE, frames: [{ a: 1 }], policy: { forbidden_adapters: ["core"] } }, 403, "policy_violation"],
  ])("that is wrong is refused before anything runs: %j", async (body, status, error) => {
    expect(await service.call("POST", "/batch", body)).toMatchObject({ status, body: { ok: false, error } });
  });

  it("has no idempotency key, and a bound for its frames", async () => {
    const body = { code: DOUBLE, frames: [{ a: 1 }] };
    expect((await service.call("POST", "/batch", body, { "idempotency-key": "k" })).status).toBe(400);
    const small = await serving({ variables: { WF_BATCH_MAX_FRAMES: "2" } });
    try {
      const reply = await small.call("POST", "/batch", { code: DOUBLE, frames: [{ a: 1 }, { a: 2 }, { a: 3 }] });
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: "/frames", code: "range" }] } });
    } finally {
      await small.stop();
    }
  });
});

describe("the frames of a batch", () => {
  const inFlight = async (): Promise<number> => (await service.call("GET", "/metrics")).body.runs_in_flight;

  it("run in parallel while they wait, up to the requested number", async () => {
    const frames = Array.from({ length: 8 }, (_, at) => ({ a: `at once ${at}` }));
    const reply = service.call("POST", "/batch", { code: HOLD, frames, concurrency: 3 });
    const held = [await service.held(), await service.held(), await service.held()];
    for (let over = 0; over < 5; over++) {
      expect(await inFlight()).toBe(3);
      held.shift()?.release(over);
      held.push(await service.held());
    }
    for (const [at, one] of held.entries()) one.release(5 + at);
    expect((await reply).body.results.map(({ out }: { readonly out: number }) => out)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it("take one run slot when they do not wait", async () => {
    const entered = vi.spyOn(service.services.slots, "tryEnter");
    const frames = Array.from({ length: 50 }, (_, a) => ({ a }));
    expect((await service.call("POST", "/batch", { code: DOUBLE, frames })).body.succeeded).toBe(50);
    expect(entered).toHaveBeenCalledTimes(1);
    entered.mockRestore();
  });
});

describe("a batch line by line", () => {
  it("accepts any variable that a frame may contain, and still refuses errors that no frame can fix", async () => {
    const undeclared = "L1:\n  R core.ADD a 3 ->x\n  J x\n";
    const reply = await service.call("POST", "/batch", stream({ code: undeclared }, [{ a: 1 }, { a: 2 }]), NDJSON);
    expect(linesOf(reply.text).map(({ out }) => out)).toEqual(expect.arrayContaining([4, 5]));
    const faulty = await service.call("POST", "/batch", stream({ code: "L1:\n  J a\n  Nope\n" }, [{ a: 1 }]), NDJSON);
    expect(faulty.status).toBe(422);
    expect(faulty.text).toContain("WF2001");
    expect(faulty.text).not.toContain("WF4001");
  });

  it("answers each line, says which are broken, and sums up", async () => {
    const text = stream({ code: DOUBLE, order: "input" }, [{ a: 1 }, "{broken", "", '{"__proto__":1}', { a: 2 }]);
    const reply = await service.call("POST", "/batch", text, NDJSON);
    expect(reply.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
    const lines = linesOf(reply.text);
    expect(lines.map(({ index, ok, out, error }) => [index, ok, out ?? error])).toEqual([
      [0, true, 2],
      [1, false, "invalid_json"],
      [2, false, "invalid_json"],
      [3, true, 4],
      [undefined, false, undefined],
    ]);
    expect(lines.at(-1)).toMatchObject({
      summary: true,
      count: 4,
      succeeded: 2,
      failed: 2,
      adapter_p95_ms: { core: expect.any(Number) },
    });
  });

  it.each([
    "application/x-ndjson;q=0, application/json",
    "application/x-ndjson;q=0.5, application/json",
    "application/json, application/x-ndjson",
  ])("is not chosen when Accept refuses it or prefers JSON: %s", async (accept) => {
    const body = { code: "L1:\n  J 1\n", frames: [{}] };
    expect((await service.call("POST", "/batch", body, { accept })).body).toMatchObject({ ok: true, count: 1 });
  });

  it("is chosen for a document by Accept", async () => {
    const body = { code: DOUBLE, frames: [{ a: 1 }] };
    const reply = await service.call("POST", "/batch", body, { accept: "application/x-ndjson" });
    expect(linesOf(reply.text)).toMatchObject([
      { index: 0, out: 2 },
      { summary: true, ok: true },
    ]);
  });

  it("answers while the request is sent, and reads only as far as it can answer", async () => {
    const request = opened(service.port, "POST", "/batch", NDJSON);
    const reply = replyOf(request);
    request.write(`${JSON.stringify({ code: HOLD, concurrency: 2 })}\n{"a":"first"}\n{"a":"second"}\n{"a":"third"}\n`);
    const [first, second] = [await service.held(), await service.held()];
    expect([first.name, second.name].sort()).toEqual(["first", "second"]);
    second.release(2);
    const third = await service.held();
    expect(third.name).toBe("third");
    first.release(1);
    third.release(3);
    request.end();
    const lines = linesOf((await reply).text);
    expect(
      lines
        .map(({ out }) => out)
        .slice(0, 3)
        .sort(),
    ).toEqual([1, 2, 3]);
    expect(lines[0].out).toBe(2);
  });

  it("ends with its reason when a line is too long", async () => {
    const small = await serving({ variables: { WF_MAX_BODY_BYTES: "2048" } });
    try {
      const text = stream({ code: DOUBLE }, [{ a: 1 }, { a: "x".repeat(5000) }, { a: 2 }]);
      const lines = linesOf((await small.call("POST", "/batch", text, NDJSON)).text);
      expect(lines.at(-1)).toMatchObject({ summary: true, ok: false, count: 1, error: "payload_too_large" });
    } finally {
      await small.stop();
    }
  });

  it("with an invalid first line is refused like any request", async () => {
    for (const [text, status] of [
      ["", 400],
      ["{", 400],
      [stream({ code: 'L1:\n J "open\n' }, [{ a: 1 }]), 422],
      [stream({ code: DOUBLE, frames: [] }, []), 400],
    ] as const)
      expect((await service.call("POST", "/batch", text, NDJSON)).status).toBe(status);
  });

  it("is cancelled when its client goes away", async () => {
    const request = opened(service.port, "POST", "/batch", NDJSON);
    request.on("error", () => undefined);
    request.write(`${JSON.stringify({ code: HOLD })}\n{"a":"left"}\n`);
    const held = await service.held();
    request.destroy();
    if (!held.signal.aborted) await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
    await service.services.slots.idle();
    expect(service.services.slots.inFlight).toBe(0);
  });

  it("logs no defect when its client disconnects before the first line", async () => {
    const own = await serving();
    const headers = { "content-type": "application/json", accept: "application/x-ndjson" };
    const request = opened(own.port, "POST", "/batch", headers);
    request.on("error", () => undefined);
    request.end(JSON.stringify({ code: HOLD, frames: [{ a: "left" }] }));
    await own.held();
    request.destroy();
    expect(await own.logged("http_request", ({ route }) => route === "/batch")).toMatchObject({ status: 499 });
    // Its run has one end event and no other.
    expect(await own.logged("run_failed")).toMatchObject({ error: "cancelled" });
    await own.stop();
    expect(own.log.filter(({ event }) => event === "defect" || event === "run_failed")).toHaveLength(1);
  });

  it("that the service cancels reports it", async () => {
    const leaving = await serving({ variables: { WF_DRAIN_MS: "1" } });
    const answers = [
      leaving.call("POST", "/batch", { code: HOLD, frames: [{ a: "x" }, { a: "y" }], concurrency: 1 }),
      leaving.call("POST", "/batch", stream({ code: HOLD, concurrency: 1 }, [{ a: "x" }, { a: "y" }]), NDJSON),
    ];
    await leaving.held();
    await leaving.held();
    await leaving.drain();
    const [document, lines] = await Promise.all(answers);
    expect(document?.body).toMatchObject({ ok: false, count: 1, failed: 1, error: "cancelled" });
    expect(linesOf(lines?.text ?? "").at(-1)).toMatchObject({ summary: true, ok: false, count: 1, error: "cancelled" });
    expect(leaving.services.slots.inFlight).toBe(0);
  });

  it("that the service cancels reports it also while its sender is silent", async () => {
    const leaving = await serving({ variables: { WF_DRAIN_MS: "1" } });
    const request = opened(leaving.port, "POST", "/batch", NDJSON);
    const answered = replyOf(request);
    request.write(`${stream({ code: DOUBLE }, [{ a: 1 }])}`);
    // Its first frame is over, and the next one is waited for.
    await leaving.logged("run_start");
    const drained = leaving.drain();
    expect(linesOf((await answered).text).at(-1)).toMatchObject({ summary: true, ok: false, error: "cancelled" });
    expect(leaving.services.slots.inFlight).toBe(0);
    request.destroy();
    await drained;
  });

  it("ends at the first failure also while its sender is silent", async () => {
    const request = opened(service.port, "POST", "/batch", NDJSON);
    request.on("error", () => undefined);
    const answered = replyOf(request);
    const code = "# frame: a: any\nL1:\n  R ext.Hold a ->x\n  X y div 1 x\n  J y\n";
    request.write(`${stream({ code, on_error: "stop", concurrency: 2 }, [{ a: "first" }])}\n`);
    // Its frame is under way, and a second lane waits for the next one.
    const held = await service.held();
    await new Promise(setImmediate);
    held.release(0);
    const lines = linesOf((await answered).text);
    expect(lines.map(({ ok }) => ok)).toEqual([false, false]);
    expect(lines.at(-1)).toMatchObject({ summary: true, count: 1, failed: 1 });
    request.destroy();
    await service.services.slots.idle();
  });

  it("keeps the order of a long input, in little memory", async () => {
    const frames = Array.from({ length: 5000 }, (_, a) => ({ a }));
    const reply = await service.call(
      "POST",
      "/batch",
      stream({ code: "# frame: a: number\nL1:\n  J a\n", order: "input" }, frames),
      NDJSON,
    );
    const lines = linesOf(reply.text);
    expect(lines.slice(0, -1).every(({ index, out }, at) => index === at && out === at)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ count: 5000, succeeded: 5000 });
  });
});
