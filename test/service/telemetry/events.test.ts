/** The log: which events a request makes, what stands in them, and what never does. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { type LogEvent, opened, type Serving, serving } from "../serving.ts";

const CANARY = "c4n4ry-7f3a9b2e5d8c1f6a";
const HASH = /^sha256:[0-9a-f]{64}$/;

let service: Serving;
beforeAll(async () => {
  service = await serving({
    variables: { WF_EXPOSE_ENV: "TOWN_KEY", TOWN_KEY: `town-${CANARY}`, WF_SECRET_API: `secret-${CANARY}` },
  });
});
afterAll(() => service.stop());

function eventsOf(traceId: string): LogEvent[] {
  return service.log.filter((event) => event["trace_id"] === traceId && event.event !== "http_request");
}

describe("a run", () => {
  it("makes run_start, adapter_call for each call, and run_complete", async () => {
    verifies("event.run_start.when", "event.run_start.fields", "event.run_complete");
    verifies("event.adapter_call.when", "event.adapter_call.fields");
    const code = 'L1:\n  R ext.Echo "a" ->x\n  R core.CONCAT x "b" ->y\n  J y\n';
    const { body } = await service.run({ code }, { "x-request-id": "r-1" });
    const [start, first, second, complete, ...rest] = eventsOf(body.trace_id);
    expect(rest).toEqual([]);
    expect(Object.keys(start ?? {})).toEqual([
      "level",
      "event",
      "ts",
      "trace_id",
      "schema_version",
      "limits_summary",
      "policy_present",
      "label",
      "ir_checksum",
      "source_sha256",
      "allowed_adapters",
      "replay",
      "request_id",
    ]);
    expect(start).toMatchObject({ event: "run_start", policy_present: false, request_id: "r-1", label: "L1" });
    expect(start?.["ts"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(first).toMatchObject({
      event: "adapter_call",
      adapter: "ext",
      verb: "Echo",
      status: "ok",
      seq: 1,
      label_id: "1",
      node_id: "n1",
      attempt: 1,
      arg_count: 1,
      duration_ms: expect.any(Number),
    });
    expect(second).toMatchObject({ adapter: "core", verb: "CONCAT", seq: 2 });
    for (const call of [first, second]) {
      expect(call?.["result_hash"]).toMatch(HASH);
      expect(call?.["args_hash"]).toMatch(HASH);
    }
    expect(complete).toMatchObject({ event: "run_complete", label: "L1", steps: 3, adapter_calls: 2 });
  });

  it("that fails ends with run_failed, with its place and no value", async () => {
    verifies("event.run_failed", "event.run_failed.fields");
    const code = `L1:\n  R ext.Fail "token=${CANARY}" ->x\n  J x\n`;
    const { body } = await service.run({ code });
    const events = eventsOf(body.trace_id);
    expect(events.map(({ event }) => event)).toEqual(["run_start", "adapter_call", "run_failed"]);
    expect(events[1]).toMatchObject({ status: "error", result_hash: null, error_code: "ADAPTER_UNAVAILABLE" });
    expect(events[2]).toMatchObject({
      ok: false,
      error: "adapter_error",
      error_code: "RUNTIME_ADAPTER_ERROR",
      label_id: "1",
      node_id: "n1",
      line: 2,
      adapter_calls: 1,
    });
    expect(JSON.stringify(events)).not.toContain(CANARY);
    expect(body.message).not.toContain(CANARY);
  });

  it.each([
    ["that is denied", { allowed_adapters: ["core"] }, "denied", "RUNTIME_ADAPTER_NOT_ALLOWED"],
    [
      "that is replayed",
      { replay_log: [{ adapter: "ext", verb: "Echo", args: ["a"], result: "b" }] },
      "replayed",
      undefined,
    ],
  ])("with a call %s says so", async (_what, request, status, code) => {
    const { body } = await service.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', ...request });
    const call = eventsOf(body.trace_id).find(({ event }) => event === "adapter_call");
    expect(call).toMatchObject({ status });
    expect(call?.["error_code"]).toBe(code);
  });

  it("with a call that its deadline cuts off logs the call and counts it", async () => {
    verifies("event.adapter_call.when");
    const calls = async (): Promise<number> => (await service.call("GET", "/metrics")).body.adapter_calls_total;
    const before = await calls();
    const { body } = await service.run({
      code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n',
      limits: { max_time_ms: 20 },
    });
    expect(body).toMatchObject({ error: "max_time_ms_exceeded", usage: { adapter_calls: 1 } });
    const events = eventsOf(body.trace_id);
    expect(events.map(({ event }) => event)).toEqual(["run_start", "adapter_call", "run_failed"]);
    expect(events[1]).toMatchObject({ status: "error", result_hash: null, error_code: "RUNTIME_MAX_TIME" });
    expect(await calls()).toBe(before + 1);
  });

  it("that never starts has only run_failed", async () => {
    for (const request of [{ code: "L1:\n J ghost\n" }, { code: 5 }, { code: "L1:\n J 1\n", label: "x9" }]) {
      const { body } = await service.run(request);
      expect(eventsOf(body.trace_id).map(({ event, error }) => [event, error])).toEqual([["run_failed", body.error]]);
    }
  });

  it("has equal hashes exactly for equal values", async () => {
    verifies("event.adapter_call.hash-only");
    const hashOf = async (value: unknown): Promise<unknown> => {
      const { body } = await service.run({
        code: "# frame: v: any\nL1:\n  R ext.Echo v ->x\n  J x\n",
        frame: { v: value },
      });
      return eventsOf(body.trace_id).find(({ event }) => event === "adapter_call")?.["result_hash"];
    };
    expect(await hashOf({ a: 1, b: [2] })).toBe(await hashOf({ b: [2], a: 1 }));
    expect(await hashOf({ a: 1 })).not.toBe(await hashOf({ a: "1" }));
  });

  it("can have keyed hashes", async () => {
    const keyed = await serving({ variables: { WF_AUDIT_HASH_KEY: "0123456789abcdef" } });
    try {
      await keyed.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n' });
      expect((await keyed.logged("adapter_call"))["result_hash"]).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    } finally {
      await keyed.stop();
    }
  });
});

describe("the lines about the calls of one run", () => {
  const CALLS = 300;
  const LOOP = `L1:\n  Set n 0\n  While (lt n ${CALLS}) ->L2 ->L3 limit=${CALLS}\nL2:\n  R core.ADD n 1 ->n\n  J n\nL3:\n  J n\n`;
  const FAILS = LOOP.replace("  J n\nL3:\n  J n", "  J n\nL3:\n  X n idiv 1 0\n  J n");
  const BOUND = 16 * 1024;

  it.each([
    ["a run", "/run", { code: LOOP }, "run_complete"],
    ["a run that fails", "/run", { code: FAILS }, "run_failed"],
    ["the frames of a batch together", "/batch", { code: LOOP, frames: [{}, {}] }, "run_complete"],
  ])("end at their bound, and the last line of %s says how many calls have none", async (_, path, request, last) => {
    const bounded = await serving({ variables: { WF_RUN_LOG_MAX_BYTES: String(BOUND) } });
    try {
      await bounded.call("POST", path, request);
      const end = await bounded.logged(last);
      const lines = bounded.lines.filter((line) => line.includes('"adapter_call"'));
      const bytes = lines.join("").length;
      expect(bytes).toBeGreaterThanOrEqual(BOUND);
      expect(bytes).toBeLessThan(BOUND + 1024);
      expect(Number(end["adapter_calls"])).toBe(path === "/batch" ? 2 * CALLS : CALLS);
      expect(end["adapter_calls_unlogged"]).toBe(Number(end["adapter_calls"]) - lines.length);
      expect((await bounded.call("GET", "/metrics")).body.adapter_calls_total).toBe(end["adapter_calls"]);
    } finally {
      await bounded.stop();
    }
  });

  it("are all there where they fit", async () => {
    const { body } = await service.run({ code: LOOP });
    const events = eventsOf(body.trace_id);
    expect(events.filter(({ event }) => event === "adapter_call")).toHaveLength(CALLS);
    expect(events.at(-1)).not.toHaveProperty("adapter_calls_unlogged");
  });
});

describe("a planted secret", () => {
  it("is in no event, no figure and no error, wherever it was", async () => {
    verifies("auth.no-secrets-in-events", "auth.secrets-from-host");
    const requests = [
      { code: `L1:\n  R ext.Echo "${CANARY}" ->x\n  J x\n`, trace: true },
      { code: `# frame: v: text\nL1:\n  R ext.Fail v ->x\n  J x\n`, frame: { v: `password: ${CANARY}` } },
      { code: 'L1:\n  R core.ENV "TOWN_KEY" ->x\n  R ext.Fail x ->y\n  J y\n' },
      { code: `L1:\n  J "${CANARY}\n` },
      { code: "L1:\n J 1\n", frame: CANARY, label: CANARY, limits: { max_steps: CANARY } },
      { code: "L1:\n J 1\n", policy: { forbidden_effects: CANARY } },
      { code: `L1:\n  X y div "${CANARY}" 0\n  J y\n` },
    ];
    const headers = { authorization: `Bearer ${CANARY}`, cookie: `session=${CANARY}`, "x-request-id": "r-2" };
    for (const request of requests) {
      const { body, text } = await service.run(request, headers);
      if (body.ok === false && body.error !== "compile_error") expect(text).not.toContain(CANARY);
    }
    await service.call("GET", `/nowhere?key=${CANARY}`, undefined, headers);
    expect(service.lines.join("")).not.toContain(CANARY);
    expect((await service.call("GET", "/metrics")).text).not.toContain(CANARY);
    expect((await service.call("GET", "/metrics?format=prometheus")).text).not.toContain(CANARY);
  });
});

describe("http_request", () => {
  const DOUBLE = "# frame: a: number\nL1:\n  X b mul a 2\n  J b\n";
  const FRAMES = Array.from({ length: 3000 }, () => ({ a: 21 }));

  it.each([
    ["a document", "POST", "/batch", { code: DOUBLE, frames: [{ a: 1 }] }, {}],
    [
      "lines, sent as they are made",
      "POST",
      "/batch",
      { code: DOUBLE, frames: FRAMES },
      { accept: "application/x-ndjson" },
    ],
    ["a refusal", "POST", "/batch", {}, {}],
    ["the head of a document, which has no body", "HEAD", "/capabilities", undefined, {}],
  ])("counts the bytes of the body of an answer: %s", async (_, method, path, body, headers) => {
    const { text, headers: answered } = await service.call(method, path, body, headers);
    const seen = await service.logged("http_request", (event) => event["trace_id"] === answered["x-trace-id"]);
    expect(seen["bytes_out"]).toBe(Buffer.byteLength(text));
  });

  it.each([
    ["/run", "application/json", '{"code":"L1:\\n  J \\"é\\"\\n"}', 200],
    ["/batch", "application/x-ndjson", '{"code":"L1:\\n  J 1\\n"}\n{}\n{}\n', 200],
    ["/run", "application/json", "x", 400],
    ["/nowhere", "application/json", "unread", 404],
  ] as const)("counts what was read of a body that comes in pieces: %s %s %j", async (path, type, body, status) => {
    const request = opened(service.port, "POST", path, { "content-type": type, "transfer-encoding": "chunked" });
    request.write(body.slice(0, 3));
    request.end(body.slice(3));
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    answer.resume();
    const traceId = answer.headers["x-trace-id"];
    const seen = await service.logged("http_request", (event) => event["trace_id"] === traceId);
    expect(seen).toMatchObject({ status, bytes_in: path === "/nowhere" ? 0 : Buffer.byteLength(body) });
  });
});
