/** The reference interpreter on hand-written IR: routing, limits, error objects, trace. */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Outcome } from "../../vm/run.ts";
import { call, constant, handIr, step, variable } from "../support/hand-ir.ts";
import { countOpen, fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { interpret, type ReferenceRequest } from "../support/reference/interpreter.ts";

function run(ir: Ir, request: Partial<ReferenceRequest> = {}): Promise<Outcome> {
  const clock = fakeClock();
  return interpret(ir, { adapters: mockAdapters(clock), clock, facts: fakeFacts(), finalFrame: true, ...request });
}

function ext(verb: string, args: Parameters<typeof constant>[0][], out = "x") {
  return step("R", { adapter: "ext", verb, args: args.map(constant), out });
}

const set = (name: string, value: Parameters<typeof constant>[0]) => step("Set", { name, value: constant(value) });
const result = (name: string) => step("J", { value: variable(name) });
const retry = (count: number, backoff: number, protects: number, strategy: "fixed" | "exponential" = "fixed") =>
  step("Retry", { count: constant(count), backoff_ms: constant(backoff), strategy }, {}, protects);
const err = (handler: string, protects?: number) => step("Err", {}, { handler }, protects);

function errorOf(outcome: Outcome) {
  if (outcome.ok) throw new Error(`no failure: ${JSON.stringify(outcome)}`);
  return outcome.error;
}

describe("steps and labels", () => {
  it("runs a chain and hands back the result of J", async () => {
    const outcome = await run(handIr({ "1": [set("a", [1, { b: 2 }]), result("a")] }));
    expect(outcome).toMatchObject({ ok: true, out: [1, { b: 2 }], usage: { steps: 2, depth: 1, adapter_calls: 0 } });
  });

  it("stores a callee's null in the destination and in _call_result", async () => {
    const outcome = await run(
      handIr({ "1": [set("r", 1), step("Call", { out: "r" }, { call: "2" })], "2": [set("q", 1)] }),
    );
    expect(outcome.frame).toEqual({ r: null, q: 1, _call_result: null });
  });

  it("gives the item variable its former state back, unset included", async () => {
    const loop = step("Loop", { list: constant([1, 2]), item: "it" }, { body: "2", after: "3" });
    const labels = { "1": [loop], "2": [result("it")], "3": [step("J", { value: { k: "name", v: "it" } })] };
    expect(await run(handIr(labels))).toMatchObject({
      out: "it",
      frame: { _loop_last: 2 },
      usage: { loop_iters: 2, depth: 2 },
    });
    expect(await run(handIr(labels), { frame: { it: "old" } })).toMatchObject({ out: "old" });
  });
});

describe("limits", () => {
  it("stops before step N + 1 and names the node that could not proceed", async () => {
    const outcome = await run(handIr({ "1": [set("a", 1), set("b", 2), result("a")] }), { limits: { max_steps: 1 } });
    expect(errorOf(outcome)).toMatchObject({
      code: "RUNTIME_MAX_STEPS",
      message: "max_steps exceeded (limit 1)",
      label: "1",
      node: "n2",
      op: "Set",
      line: 2,
      step_index: 1,
      stack: ["1"],
      data: { cause_type: "limit", retryable: false, meter: "max_steps", limit: 1, used: 1 },
    });
    expect(outcome.frame).toEqual({ a: 1 });
  });

  it("gives a depth error to the label that could not be entered", async () => {
    const ir = handIr({
      "1": [step("Call", { out: "r" }, { call: "2" })],
      "2": [step("Call", { out: "r" }, { call: "3" })],
      "3": [],
    });
    expect(errorOf(await run(ir, { limits: { max_depth: 2 } }))).toMatchObject({
      code: "RUNTIME_MAX_DEPTH",
      label: "3",
      node: null,
      op: "CALL",
      line: 2,
      step_index: 0,
      stack: ["1", "2", "3"],
      data: { meter: "max_depth", limit: 2, used: 2, from: { label: "2", node: "n1", op: "Call" } },
    });
  });

  it("ends unbounded recursion at the ceiling", async () => {
    const outcome = await run(handIr({ "1": [step("Call", { out: "r" }, { call: "1" })] }));
    expect(errorOf(outcome)).toMatchObject({ code: "RUNTIME_MAX_DEPTH", data: { limit: 10_000 } });
    expect(outcome.usage.depth).toBe(10_000);
  });

  it.each([
    [16, { ok: true }],
    [
      15,
      {
        ok: false,
        error: { code: "RUNTIME_MAX_FRAME_BYTES", node: "n2", data: { used: 16, limit: 15, variable: "s" } },
      },
    ],
  ])("tests frame bytes after every write (%d)", async (limit, expected) => {
    const outcome = await run(handIr({ "1": [set("a", 1), set("s", "é")] }), { limits: { max_frame_bytes: limit } });
    expect(outcome).toMatchObject(expected);
    expect(outcome.usage.frame_bytes).toBe(limit === 16 ? 16 : 7);
  });

  it("tests the initial frame before the first step", async () => {
    const outcome = await run(handIr({ "1": [set("a", 1)] }), { frame: { a: 1 }, limits: { max_frame_bytes: 6 } });
    expect(errorOf(outcome)).toMatchObject({ code: "RUNTIME_MAX_FRAME_BYTES", label: "1", node: null, stack: ["1"] });
    expect(outcome.usage).toMatchObject({ steps: 0, frame_bytes: 6 });
  });

  it("counts one step for an iteration whose body is empty", async () => {
    const loop = step("While", { cond: { c: "truthy", of: constant(true) }, limit: 100 }, { body: "2", after: "2" });
    const outcome = await run(handIr({ "1": [loop], "2": [] }), { limits: { max_steps: 4 } });
    expect(errorOf(outcome)).toMatchObject({ code: "RUNTIME_MAX_STEPS", label: "1", node: "n1" });
    expect(outcome.usage).toMatchObject({ steps: 4, loop_iters: 4 });
  });

  it("says whose bound a While broke", async () => {
    const loop = step("While", { cond: { c: "truthy", of: constant(true) }, limit: 3 }, { body: "2", after: "2" });
    const ir = handIr({ "1": [loop], "2": [set("a", 1)] });
    expect(errorOf(await run(ir))).toMatchObject({
      code: "RUNTIME_WHILE_LIMIT",
      data: { limit: 3, limit_source: "program" },
    });
    expect(errorOf(await run(ir, { limits: { max_loop_iters: 2 } })).data).toMatchObject({
      limit: 2,
      limit_source: "max_loop_iters",
      meter: "max_loop_iters",
    });
  });
});

describe("failures", () => {
  it("sends a failure in a callee to the Retry of the Call, then to its handler", async () => {
    const ir = handIr({
      "1": [step("Call", { out: "r" }, { call: "2" }), retry(2, 0, 1), err("9", 1), result("r")],
      "2": [ext("OP", [9, 1])],
      "9": [step("J", { value: { k: "path", root: "_error_info", segments: ["label"] } })],
    });
    const outcome = await run(ir, { trace: true });
    expect(outcome).toMatchObject({ ok: true, out: "2", usage: { steps: 7, adapter_calls: 3, depth: 2 } });
    expect(outcome.frame?.["_error"]).toBe("flaky 3");
    expect(
      outcome.trace?.map((event) => [event.kind, event["label"], event["attempt"] ?? event["handler"] ?? null]),
    ).toEqual([
      ["error", "2", null],
      ["error", "1", null],
      ["retry", "1", 1],
      ["error", "2", null],
      ["error", "1", null],
      ["retry", "1", 2],
      ["error", "2", null],
      ["error", "1", "9"],
      ["step", "9", null],
      ["end", undefined, null],
    ]);
  });

  it("lets a failing handler continue at the node that entered the failed label", async () => {
    const ir = handIr({
      "1": [step("Call", { out: "r" }, { call: "2" }), err("8", 1), result("r")],
      "2": [ext("G", ["first"]), err("9", 1)],
      "9": [ext("G", ["second"])],
      "8": [result("_error")],
    });
    expect(await run(ir)).toMatchObject({ ok: true, out: "second" });
  });

  it("refuses a handler that is already active", async () => {
    const ir = handIr({ "1": [step("Call", { out: "r" }, { call: "2" })], "2": [ext("G", ["x"]), err("1", 1)] });
    expect(errorOf(await run(ir))).toMatchObject({
      code: "RUNTIME_ERR_HANDLER_RECURSION",
      label: "2",
      data: { handler: "1" },
    });
  });

  it("uses the last Err visited for later steps, an own Err first", async () => {
    const ir = (own: boolean) =>
      handIr({
        "1": [err("8"), ext("G", ["x"]), ...(own ? [err("9", 2)] : [])],
        "8": [set("by", 8)],
        "9": [set("by", 9)],
      });
    expect((await run(ir(false))).frame?.["by"]).toBe(8);
    expect((await run(ir(true))).frame?.["by"]).toBe(9);
  });

  it("puts the kept item state back before a Loop is repeated, and only then", async () => {
    const loop = step("Loop", { list: constant([1, 2]), item: "it" }, { body: "2", after: "3" });
    const body = [ext("OP", [1, "v"]), result("it")];
    const repeated = await run(handIr({ "1": [loop, retry(1, 0, 1)], "2": body, "3": [result("it")] }), {
      frame: { it: "old" },
    });
    expect(repeated).toMatchObject({ ok: true, out: "old" });
    const failed = await run(handIr({ "1": [loop], "2": body, "3": [] }), { frame: { it: "old" } });
    expect(failed.frame?.["it"]).toBe(1);
  });

  it("waits between attempts, longer when the failure asks for it", async () => {
    const clock = fakeClock();
    const adapters = mockAdapters(clock);
    const ir = handIr({ "1": [ext("WAITS", [250]), retry(3, 100, 1, "exponential")] });
    const outcome = await interpret(ir, { adapters, clock, facts: fakeFacts(), trace: true });
    expect(errorOf(outcome).data).toMatchObject({
      adapter_code: "ADAPTER_BUSY",
      retry_after_ms: 250,
      details: { n: 1 },
    });
    expect(outcome.usage.time_ms).toBe(250 + 250 + 400);
    expect(outcome.trace?.filter((event) => event.kind === "retry").map((event) => event["delay_ms"])).toEqual([
      250, 250, 400,
    ]);
  });

  it("ends at once when a delay would pass the deadline", async () => {
    const ir = handIr({ "1": [ext("WAITS", [250]), retry(3, 0, 1)] });
    const outcome = await run(ir, { limits: { max_time_ms: 300 } });
    expect(errorOf(outcome)).toMatchObject({
      code: "RUNTIME_MAX_TIME",
      node: "n1",
      step_index: 1,
      data: { limit: 300, used: 250 },
    });
    expect(outcome.usage.steps).toBe(2);
  });

  it("does not repeat a failure that is not retryable", async () => {
    const ir = handIr({ "1": [step("R", { adapter: "nosuch", verb: "X", args: [], out: "x" }), retry(3, 0, 1)] });
    const outcome = await run(ir);
    expect(errorOf(outcome).data).toMatchObject({ adapter_code: "ADAPTER_NOT_CONFIGURED", retryable: false });
    expect(outcome.usage).toMatchObject({ steps: 1, adapter_calls: 1 });
  });
});

describe("calls", () => {
  it("counts a refused call, and the refusal is fatal", async () => {
    const outcome = await run(handIr({ "1": [ext("ECHO", [1]), err("2", 1)], "2": [] }), { allowedAdapters: ["core"] });
    expect(errorOf(outcome)).toMatchObject({
      code: "RUNTIME_ADAPTER_NOT_ALLOWED",
      data: { adapter: "ext", verb: "ECHO", retryable: false },
    });
    expect(outcome.usage.adapter_calls).toBe(1);
  });

  it("hides what a crashing adapter threw", async () => {
    expect(errorOf(await run(handIr({ "1": [ext("CRASH", [])] })))).toMatchObject({
      code: "RUNTIME_OP_ERROR",
      message: "adapter ext failed",
      data: { cause_type: "adapter_crash", retryable: true },
    });
  });

  it("races a call against the deadline and closes the adapter", async () => {
    const clock = fakeClock();
    const counted = countOpen(mockAdapters(clock));
    const ir = handIr({ "1": [ext("NEVER", [])] });
    const outcome = await interpret(ir, {
      adapters: counted.adapters,
      clock,
      facts: fakeFacts(),
      limits: { max_time_ms: 50 },
    });
    expect(errorOf(outcome).code).toBe("RUNTIME_MAX_TIME");
    expect(counted.open()).toBe(0);
  });

  it("ends a waiting call when the run is cancelled", async () => {
    const cancel = new AbortController();
    const pending = run(handIr({ "1": [ext("NEVER", [])] }), { signal: cancel.signal });
    cancel.abort("enough");
    expect(errorOf(await pending)).toMatchObject({ code: "RUNTIME_CANCELLED", data: { reason: "enough" } });
  });

  it("offers one call id for all attempts of a visit", async () => {
    const ir = handIr({
      "1": [ext("CALLID", []), step("Call", { out: "y" }, { call: "2" }), result("y")],
      "2": [ext("CALLID", []), result("x")],
    });
    expect(await run(ir)).toMatchObject({ out: ["reference/2/n1/1", 1] });
  });

  it("answers auth.enforce itself, uncounted", async () => {
    const enforce = (role: string) =>
      step("Enf", {
        adapter: "auth",
        verb: "enforce",
        out: null,
        args: [constant("P"), constant({ role: "admin" }), constant({ auth_present: null, role })],
      });
    expect(await run(handIr({ "1": [enforce("admin")] }))).toMatchObject({ ok: true, usage: { adapter_calls: 0 } });
    expect(errorOf(await run(handIr({ "1": [enforce("guest")] })))).toMatchObject({
      code: "RUNTIME_ADAPTER_ERROR",
      message: "POLICY_VIOLATION[P]: role mismatch",
      data: { adapter_code: "ADAPTER_POLICY_VIOLATION", retryable: false },
    });
  });

  it("gates host functions in X form, without counting them", async () => {
    const ir = handIr({ "1": [step("X", { name: "t", value: call("now") }), result("t")] });
    expect(await run(ir, { limits: { max_adapter_calls: 0 } })).toMatchObject({ ok: true, out: 1_700_000_001 });
    expect(errorOf(await run(ir, { allowedAdapters: ["ext"] })).code).toBe("RUNTIME_ADAPTER_NOT_ALLOWED");
  });

  it("turns cache keys into text and takes the fallback for null", async () => {
    const ir = handIr({
      "1": [
        step("CacheSet", {
          adapter: "cache",
          verb: "set",
          args: [constant("c"), constant(1), constant("v"), constant(0)],
          out: null,
        }),
        step("CacheGet", {
          adapter: "cache",
          verb: "get",
          args: [constant("c"), constant("1")],
          out: "a",
          fallback: null,
        }),
        step("CacheGet", {
          adapter: "cache",
          verb: "get",
          args: [constant("c"), constant("2")],
          out: "b",
          fallback: constant(7),
        }),
      ],
    });
    expect((await run(ir)).frame).toEqual({ a: "v", b: 7 });
  });
});

describe("loading", () => {
  it.each<[string, Partial<Ir>]>([
    ["RUNTIME_UNSUPPORTED_IR_VERSION", { ir_version: "2.0" }],
    ["RUNTIME_UNKNOWN_LABEL", { entry: "7" }],
    ["RUNTIME_UNKNOWN_LABEL", { edges: [{ label: "1", from: "n1", to: "7", to_kind: "label", port: "call" }] }],
    ["RUNTIME_GRAPH_AMBIGUOUS_NEXT", { edges: [{ label: "1", from: "n1", to: "n1", to_kind: "node", port: "next" }] }],
  ])("refuses before the first step: %s", async (code, broken) => {
    const outcome = await run({ ...handIr({ "1": [set("a", 1)] }), ...broken });
    expect(errorOf(outcome)).toMatchObject({ code, step_index: 0, stack: [] });
    expect(outcome.usage).toMatchObject({ steps: 0, depth: 0 });
  });
});
