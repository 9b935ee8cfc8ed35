/** POST /run: what a program gives, what the request chooses, and the shape of the answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { type Serving, serving } from "../serving.ts";

const ADD = "S app api /api\nL1:\nR core.ADD 2 3 ->x\nJ x\n";
const DOUBLE = "# frame: a: number\nL1:\n  R core.MUL a 2 ->x\n  J x\n";
const NO_STEPS = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("a successful run", () => {
  it("answers 200 with the contract's eight members first, then the rest in order", async () => {
    verifies("http.run.200", "run.code", "service.compile-then-execute", "versioning.response");
    verifies("response.ok", "response.label", "response.out", "response.duration_ms", "response.adapter_p95_ms");
    verifies("response.runtime_version", "response.ir_version");
    const { status, body, headers, text } = await service.run({ code: ADD });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      "ok",
      "trace_id",
      "label",
      "out",
      "runtime_version",
      "ir_version",
      "duration_ms",
      "adapter_p95_ms",
      "usage",
      "limits",
      "stats",
      "warnings",
    ]);
    expect(body).toMatchObject({ ok: true, label: "L1", out: 5, ir_version: "1.0", warnings: [] });
    expect(body.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(headers["x-trace-id"]).toBe(body.trace_id);
    expect(body.usage).toEqual({ ...NO_STEPS, steps: 2, depth: 1, adapter_calls: 1, time_ms: body.usage.time_ms });
    expect(body.limits).toEqual({
      max_steps: 500_000,
      max_depth: 500,
      max_adapter_calls: 50_000,
      max_time_ms: 900_000,
    });
    expect(Object.keys(body.adapter_p95_ms)).toEqual(["core"]);
    expect(text.endsWith("}\n")).toBe(true);
    const { runtime_version } = (await service.call("GET", "/capabilities")).body;
    expect(body.runtime_version).toBe(runtime_version);
    expect((await service.run({ code: "L1:\n  J null\n" })).body).toMatchObject({
      ok: true,
      out: null,
      adapter_p95_ms: {},
    });
  });

  it("has the headers of every answer and none that identify the server", async () => {
    const { headers } = await service.run({ code: ADD });
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
    });
    expect(headers["server"]).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("compiles the same code once", async () => {
    verifies("run.rule-2");
    const code = "L1:\n  X y add 40 2\n  J y\n";
    expect((await service.run({ code })).body.stats.cache_hit).toBe(false);
    const again = await service.run({ code });
    expect(again.body).toMatchObject({ out: 42, stats: { cache_hit: true } });
  });

  it("runs IR without compiling, and warns that strict has no effect on it", async () => {
    verifies("run.ir", "run.rule-3", "service.accepts-source-or-ir");
    const compiled = service.services.gateway.host.compile(DOUBLE);
    const before = (await service.call("GET", "/metrics")).body;
    const { body } = await service.run({ ir: compiled.ir, frame: { a: 4 }, strict: true });
    expect(body).toMatchObject({ ok: true, out: 8, warnings: ["strict_ignored: strict has no effect on IR"] });
    const after = (await service.call("GET", "/metrics")).body;
    expect(after.compile_cache_misses).toBe(before.compile_cache_misses);
  });

  it.each([
    [undefined, "L1", 1],
    ["L2", "L2", 2],
    ["2", "L2", 2],
    ["->L2", "L2", 2],
  ])("begins at label %s", async (label, written, out) => {
    verifies("run.label-default");
    const { body } = await service.run({ code: "L1:\n  J 1\nL2:\n  J 2\n", label, strict: false });
    expect(body).toMatchObject({ ok: true, label: written, out });
  });

  it("accepts any frame, even names that no program can read", async () => {
    verifies("run.frame-default", "run.frame-keys");
    const frame = { a: 1, constructor: 2, "not a name": [null, { deep: "\ud800" }], toString: {} };
    expect((await service.run({ code: DOUBLE, frame })).body).toMatchObject({ ok: true, out: 2 });
    expect((await service.run({ code: "L1:\n  J 1\n" })).body.out).toBe(1);
  });

  it("takes null for an absent member", async () => {
    const nothing = {
      ir: null,
      label: null,
      frame: null,
      limits: null,
      policy: null,
      adapters: null,
      replay_log: null,
    };
    const { body } = await service.run({ code: ADD, ...nothing, allowed_adapters: null, trace: null });
    expect(body).toMatchObject({ ok: true, out: 5 });
  });

  it("uses names of the frame as inputs only to avoid errors in strict mode", async () => {
    verifies("run.strict-default");
    const code = "L1:\n  X y add a 1\n  J y\n";
    expect((await service.run({ code, frame: { a: 1 } })).body.out).toBe(2);
    expect(await service.run({ code })).toMatchObject({ status: 422, body: { error: "compile_error" } });
    expect((await service.run({ code, strict: false })).status).toBe(200);
  });

  it("ignores the members of the predecessor with a warning", async () => {
    const { body } = await service.run({ code: ADD, execution_mode: "graph-preferred", step_fallback: true });
    expect(body.warnings).toEqual([
      "legacy_field_ignored: execution_mode has no meaning here",
      "legacy_field_ignored: step_fallback has no meaning here",
    ]);
  });
});

describe("options of a request", () => {
  it("a trace", async () => {
    verifies("run.trace-on", "run.trace-off");
    const { body } = await service.run({ code: DOUBLE, frame: { a: 21 }, trace: true });
    expect(body.trace.map((event: { kind: string }) => event.kind)).toEqual(["step", "step", "end"]);
    expect((await service.run({ code: DOUBLE, frame: { a: 21 }, trace: false })).body.trace).toBeUndefined();
    const short = await service.run({ code: DOUBLE, frame: { a: 21 }, trace: true, trace_options: { max_events: 1 } });
    expect(short.body.trace.at(-1)).toMatchObject({ kind: "end", dropped: 1 });
  });

  it("a record, which replays to the same result without a call", async () => {
    verifies("run.record_calls-on", "run.record_calls-off", "run.replay_log-object", "run.replay_log-array");
    const code = 'L1:\n  R ext.Echo "hello" ->x\n  J x\n';
    const recorded = (await service.run({ code, record_calls: true })).body;
    expect(recorded.record).toMatchObject({ format: "weft-record", sensitive: true, complete: true });
    expect(recorded.adapter_calls).toEqual(recorded.record.calls);
    const calls = service.made.length;
    for (const log of [recorded.record, recorded.adapter_calls, { calls: recorded.adapter_calls }]) {
      const { body } = await service.run({ code, replay_log: log, replay_artifact_id: "a-1" });
      expect(body).toMatchObject({ out: "hello", replay: { matched: 1, remaining: 0 }, replay_artifact_id: "a-1" });
    }
    expect(service.made.length).toBe(calls);
    expect((await service.run({ code })).body.record).toBeUndefined();
  });

  it("a replay that differs is a failed run", async () => {
    const replay_log = [{ adapter: "ext", verb: "Echo", args: ["other"], result: 1 }];
    const { status, body } = await service.run({ code: 'L1:\n  R ext.Echo "hello" ->x\n  J x\n', replay_log });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: false, error: "replay_mismatch" });
    const exhausted = await service.run({ code: 'L1:\n  R ext.Echo "hello" ->x\n  J x\n', replay_log: [] });
    expect(exhausted.body.error).toBe("replay_exhausted");
  });
});

describe("a program that was started and failed", () => {
  it.each([
    ["runtime_error", { code: "L1:\n  X y div 1 0\n  J y\n" }, "RUNTIME_OP_ERROR"],
    [
      "max_steps_exceeded",
      { code: "L1:\n  X a add 1 1\n  X b add 1 1\n  J b\n", limits: { max_steps: 2 } },
      "RUNTIME_MAX_STEPS",
    ],
    [
      "max_adapter_calls_exceeded",
      { code: "L1:\n  R core.ADD 1 2 ->x\n  J x\n", limits: { max_adapter_calls: 0 } },
      "RUNTIME_MAX_ADAPTER_CALLS",
    ],
    [
      "max_depth_exceeded",
      { code: "L1:\n  Call ->L2 ->x\n  J x\nL2:\n  J 1\n", limits: { max_depth: 1 } },
      "RUNTIME_MAX_DEPTH",
    ],
    [
      "max_frame_bytes_exceeded",
      {
        code: 'L1:\n  Set x "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"\n  J x\n',
        limits: { max_frame_bytes: 20 },
      },
      "RUNTIME_MAX_FRAME_BYTES",
    ],
    [
      "max_loop_iters_exceeded",
      { code: "L1:\n  X xs range 0 5\n  Loop xs i ->L2 ->L3\nL2:\n  J i\nL3:\n  J 1\n", limits: { max_loop_iters: 2 } },
      "RUNTIME_MAX_LOOP_ITERS",
    ],
    [
      "max_time_ms_exceeded",
      { code: "L1:\n  R core.SLEEP 60000\n  J 1\n", limits: { max_time_ms: 5 } },
      "RUNTIME_MAX_TIME",
    ],
    ["adapter_error", { code: 'L1:\n  R ext.Fail "away" ->x\n  J x\n' }, "RUNTIME_ADAPTER_ERROR"],
    [
      "adapter_not_allowed",
      { code: "L1:\n  R core.ADD 1 2 ->x\n  J x\n", allowed_adapters: [] },
      "RUNTIME_ADAPTER_NOT_ALLOWED",
    ],
  ] as const)("answers 200 with error %s", async (error, request, code) => {
    verifies("errors.failed-run-200", "errors.zero-calls", "errors.adapter-not-allowed", "grant.converted.limits");
    const { status, body } = await service.run(request);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: false, error, label: "L1", runtime_version: "1.0.0", error_structured: { code } });
    expect(Object.keys(body).slice(0, 5)).toEqual(["ok", "trace_id", "error", "message", "error_structured"]);
    expect(body.usage).toBeDefined();
    expect(body.limits).toBeDefined();
  });

  it("says whose limit it was, and where", async () => {
    const code = "L1:\n  X a add 1 1\n  X b add 1 1\n  J b\n";
    const { body } = await service.run({ code, limits: { max_steps: 2 } });
    expect(body.message).toBe("max_steps exceeded (limit 2) at L1, line 4");
    expect(body.error_structured).toMatchObject({
      label: "1",
      node: "n3",
      op: "J",
      line: 4,
      stack: ["1"],
      data: { meter: "max_steps", limit: 2, used: 2, source: "request" },
    });
  });

  it("can have a failure status", async () => {
    const prefer = { prefer: "failure-status" };
    const failed = await service.run({ code: "L1:\n  X y div 1 0\n  J y\n" }, prefer);
    expect(failed).toMatchObject({ status: 422, headers: { "preference-applied": "failure-status" } });
    expect(failed.body.error).toBe("runtime_error");
    const parameter = { prefer: "respond-async, Failure-Status; wait=1" };
    expect((await service.run({ code: "L1:\n  X y div 1 0\n  J y\n" }, parameter)).status).toBe(422);
    const late = await service.run({ code: "L1:\n  R core.SLEEP 60000\n  J 1\n", limits: { max_time_ms: 5 } }, prefer);
    expect(late.status).toBe(504);
    expect((await service.run({ code: ADD }, prefer)).status).toBe(200);
  });

  it("reports what failed, where, and its data", async () => {
    const { body } = await service.run({ code: "L1:\n  X y div 1 0\n  J y\n" });
    expect(Object.keys(body.error_structured)).toEqual(
      "code message label node op line step_index stack data".split(" "),
    );
  });

  it("does not disclose the value that an adapter crashed with", async () => {
    const { body, text } = await service.run({ code: 'L1:\n  R ext.Crash "innermost" ->x\n  J x\n' });
    expect(body.error).toBe("runtime_error");
    expect(text).not.toContain("innermost");
  });

  it("does not send a result that is too large", async () => {
    const small = await serving({ variables: { WF_MAX_RESULT_BYTES: "1024" } });
    try {
      const { body } = await small.run({ code: "L1:\n  X xs range 0 5000\n  J xs\n" });
      expect(body).toMatchObject({ ok: false, error: "runtime_error" });
      expect(body.error_structured.data.reason).toBe("result_too_large");
    } finally {
      await small.stop();
    }
  });
});

describe("limits", () => {
  it("that are not positive count as not given", async () => {
    verifies("run.limits-default");
    const { body } = await service.run({ code: "L1:\n J 1\n", limits: { max_steps: 0, max_adapter_calls: -1 } });
    expect(body).toMatchObject({ ok: true, out: 1, limits: { max_steps: 500_000, max_adapter_calls: 50_000 } });
    expect(body.warnings.map((warning: string) => warning.split(" ").slice(0, 2).join(" "))).toEqual([
      "limit_ignored: max_steps",
      "limit_ignored: max_adapter_calls",
    ]);
  });

  it("of a caller never widen those of the server", async () => {
    verifies("run.rule-6", "grant.merge.never-widen");
    const { body } = await service.run({ code: ADD, limits: { max_steps: 10 ** 9, max_depth: 7, max_loop_iters: 3 } });
    expect(body.limits).toEqual({
      max_steps: 500_000,
      max_depth: 7,
      max_adapter_calls: 50_000,
      max_time_ms: 900_000,
      max_loop_iters: 3,
    });
  });
});
