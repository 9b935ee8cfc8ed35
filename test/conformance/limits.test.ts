/**
 * The six limits, each at one below, exactly at and one above what a program needs, in every place where a step can stand:
 * straight chain, called label, loop body, handler, last step of the run.
 */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import type { LimitKey, Limits } from "../../vm/run.ts";
import { looksOf } from "../support/looks.ts";
import { verifies } from "../support/requirements.ts";
import { failure, irOf, out, type Run, run, verdict, type World, world } from "../support/world.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

/** Adapters of these tests: ECHO hands back, G fails, WORK lets its first argument pass in milliseconds. */
function place(): World {
  const made = world({
    ext: {
      ECHO: (args) => args[0] ?? null,
      G: () => {
        throw new OperationFailure("boom");
      },
      WORK: ([ms]) => {
        made.clock.advance(typeof ms === "number" ? ms : 0);
        return null;
      },
    },
  });
  return made;
}

type Row = readonly [where: string, need: number, source: string, frame?: JsonObject];
/** A program and how much of the meter it needs. */
type Case = { readonly where: string; readonly need: number; readonly source: string; readonly frame: JsonObject };

function casesOf(...rows: readonly Row[]): Case[] {
  return rows.map(([where, need, source, frame]) => ({ where, need, source, frame: frame ?? {} }));
}

/** Runs the case at need − 1, need and need + 1, with other limits far away. */
async function boundary(key: LimitKey, code: string, { where, need, source, frame }: Case): Promise<void> {
  const at = async (limit: number, trace: boolean) =>
    run(source, { in: place(), limits: { [key]: limit }, trace, frame, strict: false });
  for (const trace of [false, true]) {
    const below = await at(need - 1, trace);
    expect([where, below.ok ? below.out : below.error.code]).toEqual([where, code]);
    for (const limit of [need, need + 1]) {
      const passed = await at(limit, trace);
      expect([where, limit, passed.ok ? "ok" : passed.error]).toEqual([where, limit, "ok"]);
    }
  }
}

/** The bytes of a frame, counted another way than the machine does. */
const bytes = (frame: JsonObject): number => Buffer.byteLength(JSON.stringify(frame), "utf8");

describe("max_steps", () => {
  const cases = casesOf(
    ["straight chain", 3, lines("L1:", "  Set a 1", "  Set b (add a 1)", "  J b")],
    [
      "called label",
      6,
      lines("L1:", "  Call L2 ->r", "  Set b r", "  J b", "L2:", "  Set a 1", "  X a add a 1", "  J a"),
    ],
    ["loop body", 8, lines("L1:", "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", "  Set a i", "  J a", "L3:", "  J a")],
    [
      "while body",
      9,
      lines(
        "L1:",
        "  Set n 2",
        "  While n > 0 ->L2 ->L3",
        "L2:",
        "  X n sub n 1",
        "  Set a n",
        "  J a",
        "L3:",
        "  J n",
      ),
    ],
    [
      "empty while body",
      6,
      lines("L1:", "  Set n 1", "  R ext.ECHO 1", "  Call L4", "  J 1", "L4:", "  If n ->L5", "L5:", "  J 1"),
    ],
    ["branch", 4, lines("L1:", "  Set a 1", "  If a > 0 ->L2 ->L3", "L2:", "  Set b 1", "  J b", "L3:", "  J 0")],
    ["handler", 4, lines("L1:", "  Set a 1", "  R ext.G ->x", "  Err ->L9", "  J x", "L9:", "  Set b 1", "  J b")],
    ["retries", 4, lines("L1:", "  R ext.G ->x", "  Retry 2 0", "  Err ->L9", "  J x", "L9:", "  J _error")],
    ["Err and Retry as steps", 4, lines("L1:", "  Set a 1", "  Retry 1 0", "  Err ->L9", "  J a", "L9:", "  J 9")],
    ["last step without J", 2, lines("L1:", "  Set a 1", "  Set b 2")],
  );

  it.each(cases)("$where: $need", async (one) => {
    verifies("limit.max_steps");
    await boundary("max_steps", "RUNTIME_MAX_STEPS", one);
    const answer = await run(one.source, { in: place(), strict: false, limits: { max_steps: one.need - 1 } });
    expect(answer.usage.steps).toBe(one.need - 1);
    expect((await run(one.source, { in: place(), strict: false })).usage.steps).toBe(one.need);
  });

  it("the step beyond the limit has no effect", async () => {
    verifies("limit.max_steps");
    const made = place();
    const source = lines("L1:", "  Set a 1", "  R ext.WORK 5", "  J a");
    expect(await failure(source, { in: made, limits: { max_steps: 1 } })).toMatchObject({
      code: "RUNTIME_MAX_STEPS",
      label: "1",
      node: "n2",
      line: 3,
    });
    expect(made.clock.now()).toBe(0);
  });

  it("is exact at every step of a long mixed program", async () => {
    verifies("limit.max_steps");
    const source = lines(
      "L1:",
      "  Set t 0",
      "  Loop [1, 2, 3, 4] i ->L2 ->L5",
      "L2:",
      "  X t add t i",
      "  If t > 3 ->L3 ->L4",
      "L3:",
      "  Call L6 ->k",
      "  J k",
      "L4:",
      "  J null",
      "L5:",
      "  J t",
      "L6:",
      "  X q div t 0",
      "  Err ->L7",
      "  J q",
      "L7:",
      "  J _error",
    );
    const ir = irOf(source);
    const total = (await place().host.run({ ir })).usage.steps;
    expect(total).toBeGreaterThan(20);
    for (let limit = 1; limit <= total + 1; limit += 1) {
      const answer = await place().host.run({ ir, limits: { max_steps: limit } });
      expect([limit, answer.ok, answer.usage.steps]).toEqual([limit, limit >= total, Math.min(limit, total)]);
    }
  });
});

describe("max_depth", () => {
  const cases = casesOf(
    [
      "straight chain of calls",
      3,
      lines("L1:", "  Call L2 ->r", "  J r", "L2:", "  Call L3 ->r", "  J r", "L3:", "  J 1"),
    ],
    ["called label, twice", 2, lines("L1:", "  Call L2 ->a", "  Call L2 ->b", "  J b", "L2:", "  J 1")],
    [
      "loop body",
      3,
      lines("L1:", "  Loop [1, 2] i ->L2 ->L4", "L2:", "  Call L3 ->r", "  J r", "L3:", "  J i", "L4:", "  J 0"),
    ],
    ["after-label of an empty loop", 2, lines("L1:", "  Loop [] i ->L2 ->L3", "L2:", "  J i", "L3:", "  J 0")],
    ["branches", 4, lines("L1:", "  If true ->L2", "L2:", "  If true ->L3", "L3:", "  If true ->L4", "L4:", "  J 1")],
    [
      "handler",
      3,
      lines("L1:", "  Call L2 ->r", "  J r", "L2:", "  R ext.G ->x", "  Err ->L9", "  J x", "L9:", "  J 9"),
    ],
    ["last step of the run", 2, lines("L1:", "  Set a 1", "  If a ->L2", "L2:", "  Set b 1")],
    [
      "recursion",
      43,
      lines(
        "# frame: n",
        "L1:",
        "  Call L2 ->r",
        "  J r",
        "L2:",
        "  If n ->L3 ->L4",
        "L3:",
        "  X n sub n 1",
        "  Call L2 ->r",
        "  J r",
        "L4:",
        "  J n",
      ),
      { n: 20 },
    ],
  );

  it.each(cases)("$where: $need", async (one) => {
    verifies("limit.max_depth");
    await boundary("max_depth", "RUNTIME_MAX_DEPTH", one);
    const need = await run(one.source, { in: place(), strict: false, frame: one.frame });
    expect(need.usage.depth).toBe(one.need);
  });
});

describe("max_adapter_calls", () => {
  const cases = casesOf(
    ["straight chain", 3, lines("L1:", "  R ext.ECHO 1 ->a", "  R core.ADD a 1 ->b", "  R ext.ECHO b ->c", "  J c")],
    [
      "called label",
      2,
      lines("L1:", "  Call L2 ->a", "  Call L2 ->b", "  J b", "L2:", "  R core.ADD 1 1 ->x", "  J x"),
    ],
    [
      "loop body",
      4,
      lines(
        "L1:",
        "  R ext.ECHO 0 ->a",
        "  Loop [1, 2, 3] i ->L2 ->L3",
        "L2:",
        "  R ext.ECHO i ->a",
        "  J a",
        "L3:",
        "  J a",
      ),
    ],
    ["handler", 2, lines("L1:", "  R ext.G ->x", "  Err ->L9", "  J x", "L9:", "  R ext.ECHO 9 ->y", "  J y")],
    ["retries", 3, lines("L1:", "  R ext.G ->x", "  Retry 2 0", "  Err ->L9", "  J x", "L9:", "  J 9")],
    ["last step of the run", 2, lines("L1:", "  R ext.ECHO 1 ->a", "  R ext.ECHO 2 ->b")],
  );

  it.each(cases)("$where: $need", async (one) => {
    verifies("limit.max_adapter_calls");
    await boundary("max_adapter_calls", "RUNTIME_MAX_ADAPTER_CALLS", one);
    expect((await run(one.source, { in: place(), strict: false })).usage.adapter_calls).toBe(one.need);
  });

  it("the call beyond the limit is not dispatched", async () => {
    verifies("limit.max_adapter_calls");
    const made = place();
    const source = lines("L1:", "  R ext.WORK 5", "  R ext.WORK 5", "  J 1");
    expect(await verdict(source, { in: made, limits: { max_adapter_calls: 1 } })).toBe("RUNTIME_MAX_ADAPTER_CALLS");
    expect(made.clock.now()).toBe(5);
  });

  it("0 refuses the first call, of core too, and leaves functions alone", async () => {
    verifies("errors.zero-calls");
    const limits = { max_adapter_calls: 0 };
    for (const call of ["ext.ECHO 1", "core.ADD 1 2"]) {
      const failed = await run(lines("L1:", `  R ${call} ->a`, "  J a"), { in: place(), limits });
      expect(failed).toMatchObject({
        ok: false,
        error: { code: "RUNTIME_MAX_ADAPTER_CALLS", node: "n1" },
        usage: { adapter_calls: 0 },
      });
    }
    expect(await out(lines("L1:", "  X a add 1 2", "  J (mul a 2)"), { limits })).toBe(6);
  });
});

describe("max_time_ms", () => {
  const cases = casesOf(
    ["straight chain", 30, lines("L1:", "  R ext.WORK 10", "  R ext.WORK 20", "  J 1")],
    ["called label", 20, lines("L1:", "  Call L2 ->r", "  J r", "L2:", "  R ext.WORK 20", "  J 1")],
    ["loop body", 30, lines("L1:", "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", "  R ext.WORK 10", "  J 1", "L3:", "  J 1")],
    ["handler", 12, lines("L1:", "  R ext.G ->x", "  Err ->L9", "  J x", "L9:", "  R ext.WORK 12", "  J 1")],
    ["last step of the run", 25, lines("L1:", "  Set a 1", "  R ext.WORK 25")],
    ["a wait", 40, lines("L1:", "  R core.SLEEP 40", "  J 1")],
    ["backoff", 40, lines("L1:", "  R ext.G ->x", "  Retry 2 20", "  Err ->L9", "  J x", "L9:", "  J 9")],
  );

  it.each(cases)("$where: $need ms", async (one) => {
    verifies("limit.max_time_ms");
    await boundary("max_time_ms", "RUNTIME_MAX_TIME", one);
    expect((await run(one.source, { in: place(), strict: false })).usage.time_ms).toBe(one.need);
  });

  it("ends a call that never answers", async () => {
    verifies("limit.max_time_ms");
    const stuck = world({ ext: { HANG: () => new Promise(() => undefined) } });
    const answer = await run(lines("L1:", "  R ext.HANG ->x", "  Err ->L9", "  J x", "L9:", "  J 9"), {
      in: stuck,
      limits: { max_time_ms: 50 },
    });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" } });
  });

  it("is the only thing that ends a run because of the clock", async () => {
    verifies("limit.no-global-timeout");
    const day = 86_400_000;
    const source = lines("L1:", `  R ext.WORK ${day}`, `  R core.SLEEP ${day}`, "  J 1");
    expect(await run(source, { in: place() })).toMatchObject({ ok: true, usage: { time_ms: 2 * day } });
  });
});

describe("max_frame_bytes", () => {
  const text = "0123456789";
  const cases = casesOf(
    ["straight chain", bytes({ a: text, b: [1, 2.5] }), lines("L1:", `  Set a "${text}"`, "  Set b [1, 2.5]", "  J 1")],
    [
      "called label",
      bytes({ a: 1, b: text, _call_result: null, r: null }),
      lines("L1:", "  Set a 1", "  Call L2 ->r", "  J r", "L2:", `  Set b "${text}"`, "  J null"),
    ],
    [
      "loop body",
      bytes({ a: "xxx", i: 3, _loop_last: "xxx" }),
      lines("L1:", '  Set a ""', "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", '  X a concat a "x"', "  J a", "L3:", "  J 1"),
    ],
    [
      "handler",
      bytes({ _error: "boom", _error_info: info(), b: text }),
      lines("L1:", "  R ext.G ->x", "  Err ->L9", "  J x", "L9:", `  Set b "${text}"`, "  J b"),
    ],
    ["initial frame", bytes({ given: { é: "😀" } }), lines("L1:", "  J 1"), { given: { é: "😀" } }],
    ["last step of the run", bytes({ a: text + text }), lines("L1:", `  X a concat "${text}" "${text}"`)],
    [
      "numbers",
      bytes({ a: 0.1, b: 1e21, c: -5 }),
      lines("L1:", "  Set a 0.1", "  Set b 1e21", "  X c sub 0 5", "  J c"),
    ],
    [
      "growing list",
      bytes({ xs: ["é", { k: null }], n: 2 }),
      lines("L1:", '  X xs push [] "é"', '  X xs push xs {"k": null}', "  X n len xs", "  J n"),
    ],
  );

  function info(): JsonObject {
    const place = {
      code: "RUNTIME_OP_ERROR",
      message: "boom",
      label: "1",
      node: "n1",
      op: "R",
      line: 2,
      step_index: 0,
    };
    return { ...place, adapter: null, verb: null, adapter_code: null, retryable: true, details: null };
  }

  it.each(cases)("$where: $need bytes", async (one) => {
    verifies("limit.max_frame_bytes");
    await boundary("max_frame_bytes", "RUNTIME_MAX_FRAME_BYTES", one);
  });

  it("counts the UTF-8 bytes of the compact JSON of all variables, on the initial frame and after every write", async () => {
    verifies("limit.frame-bytes.exact");
    const texts = ['quote " and \\', "tab\tline\n", "\u0001", "é", "😀", "\ud800", "/<>&\u2028", "", "x".repeat(300)];
    for (const value of [...texts, 0, -0.5, 1e-7, 123456789012, true, null, [], {}, [[1], { "k\n": "v" }]]) {
      const frame = { s: value };
      const source = lines("# frame: s", "L1:", "  Set copy s", "  J 1");
      const size = bytes({ s: value, copy: value });
      const answer = await run(source, { frame, limits: { max_frame_bytes: size } });
      expect([value, answer.ok, answer.usage.frame_bytes]).toEqual([value, true, size]);
      expect(await failure(source, { frame, limits: { max_frame_bytes: size - 1 } })).toMatchObject({
        code: "RUNTIME_MAX_FRAME_BYTES",
        data: { used: size, limit: size - 1, variable: "copy" },
      });
      const tight = await verdict(source, { frame, limits: { max_frame_bytes: bytes(frame) - 1 } });
      expect([value, tight]).toEqual([value, "RUNTIME_MAX_FRAME_BYTES"]);
    }
    expect((await run(lines("L1:", "  J 1"), { limits: { max_frame_bytes: 2 } })).usage.frame_bytes).toBe(2);
    expect(await verdict(lines("L1:", "  J 1"), { limits: { max_frame_bytes: 1 } })).toBe("RUNTIME_MAX_FRAME_BYTES");
  });

  it("no later step sees the write that broke the limit", async () => {
    verifies("limit.frame-bytes.exact");
    const made = place();
    const source = lines("L1:", '  Set a "0123456789"', "  R ext.WORK 5", "  J a");
    expect(await verdict(source, { in: made, limits: { max_frame_bytes: 10 } })).toBe("RUNTIME_MAX_FRAME_BYTES");
    expect(made.clock.now()).toBe(0);
  });
});

describe("max_loop_iters", () => {
  const loop = (n: number, ...rest: string[]) =>
    lines(...rest, `  Loop (range ${n}) i ->L2 ->L3`, "L2:", "  J i", "L3:", "  J 1");
  const cases = casesOf(
    ["straight chain", 3, loop(3, "L1:")],
    ["called label", 4, loop(4, "L1:", "  Call L5 ->r", "  J r", "L5:")],
    [
      "loop body",
      3,
      lines("L1:", "  Loop [1, 2] o ->L5 ->L3", "L5:", "  Loop [1, 2, 3] i ->L2 ->L3", "L2:", "  J i", "L3:", "  J 1"),
    ],
    [
      "handler",
      2,
      lines(
        "L1:",
        "  R ext.G ->x",
        "  Err ->L9",
        "  J x",
        "L9:",
        "  Loop [1, 2] i ->L2 ->L3",
        "L2:",
        "  J i",
        "L3:",
        "  J 1",
      ),
    ],
    ["last step of the run", 5, loop(5, "L1:", "  Set a 1")],
  );

  it.each(cases)("$where: $need", async (one) => {
    verifies("limit.max_loop_iters");
    await boundary("max_loop_iters", "RUNTIME_MAX_LOOP_ITERS", one);
    expect((await run(one.source, { in: place(), strict: false })).usage.loop_iters).toBe(one.need);
  });

  it("holds for While bodies too", async () => {
    verifies("limit.max_loop_iters");
    const source = lines(
      "L1:",
      "  Set n 3",
      "  While n ->L2 ->L3 limit=100",
      "L2:",
      "  X n sub n 1",
      "  J n",
      "L3:",
      "  J n",
    );
    await boundary("max_loop_iters", "RUNTIME_WHILE_LIMIT", { where: "while", need: 3, source, frame: {} });
    const failed = await failure(source, { limits: { max_loop_iters: 2 } });
    expect(failed).toMatchObject({ code: "RUNTIME_WHILE_LIMIT", data: { limit: 2, limit_source: "max_loop_iters" } });
  });
});

describe("all limits", () => {
  const program = lines(
    "L1:",
    "  Set n 600",
    "  R ext.ECHO 1",
    "  While n ->L2 ->L3",
    "L2:",
    "  X n sub n 1",
    "  J n",
    "L3:",
    '  J "end"',
  );

  it("count a value of zero or less as not set, max_adapter_calls 0 aside", async () => {
    verifies("limit.non-positive-unset");
    const limits: Limits = { max_steps: 0, max_depth: -1, max_time_ms: 0, max_frame_bytes: -5, max_loop_iters: 0 };
    const answer = await run(program, { in: place(), limits });
    expect(answer).toMatchObject({ ok: true, out: "end", limits: {} });
    expect(await verdict(program, { in: place(), limits: { max_adapter_calls: 0 } })).toBe("RUNTIME_MAX_ADAPTER_CALLS");
    expect(await verdict(program, { in: place(), limits: { max_adapter_calls: -1 } })).toBe("end");
  });

  it("mention in warnings what counts as not given", async () => {
    verifies("limit.caller-non-positive");
    const answer = await run(program, { in: place(), limits: { max_steps: 0, max_adapter_calls: -2, max_depth: 5 } });
    expect(answer.limits).toEqual({ max_depth: 5 });
    expect(answer.warnings.filter((warning) => /max_steps|max_adapter_calls/.test(warning))).toHaveLength(2);
    expect(answer.warnings.filter((warning) => warning.includes("max_depth"))).toEqual([]);
  });

  it("are absent by default: no recommended set applies unless chosen", async () => {
    verifies("limit.recommended.not-default");
    const answer = await run(program, { in: place() });
    expect(answer.limits).toEqual({});
    expect(answer.usage.steps).toBeGreaterThan(500);
    expect(answer.usage.loop_iters).toBe(600);
  });

  it("come back with usage for all six meters, in failed answers too", async () => {
    verifies("response.usage");
    const limits: Limits = {
      max_steps: 5000,
      max_depth: 5,
      max_adapter_calls: 5,
      max_time_ms: 5000,
      max_frame_bytes: 5000,
      max_loop_iters: 600,
    };
    const keys = ["adapter_calls", "depth", "frame_bytes", "loop_iters", "steps", "time_ms"];
    const usage = { steps: 1805, depth: 2, adapter_calls: 1, time_ms: 0, loop_iters: 600 };
    const good = await run(program, { in: place(), limits });
    expect(good).toMatchObject({ ok: true, limits });
    expect(Object.keys(good.usage).sort()).toEqual(keys);
    for (const key of Object.keys(limits)) {
      const tight: Run = { in: place(), limits: { ...limits, [key]: key === "max_time_ms" ? 3 : 1 } };
      const source =
        key === "max_time_ms"
          ? program.replace("ECHO 1", "WORK 9")
          : key === "max_adapter_calls"
            ? program.replace("J n", "R ext.ECHO n\n  J n")
            : program;
      const failed = await run(source, tight);
      expect([key, failed.ok, Object.keys(failed.usage).sort()]).toEqual([key, false, keys]);
      expect(failed.limits).toEqual(tight.limits);
    }
    expect(good.usage.steps).toBe(3 + 600 * 2 + 1);
    expect(good.usage).toMatchObject({ depth: usage.depth, adapter_calls: 1, time_ms: 0, loop_iters: 600 });
  });

  it("stop one operation before it builds something huge", async () => {
    verifies("runtime.result-too-large");
    for (const step of ["R core.RANGE 1000000000 ->a", "X a range 0 1e15", "X a range 10000001"]) {
      const source = lines("L1:", `  ${step}`, "  J 1");
      expect(await failure(source)).toMatchObject({ code: "RUNTIME_OP_ERROR", data: { cause_type: "too_large" } });
      // An element that is built is a unit of work.
      expect((await looksOf(source)).units).toBeLessThan(1000);
    }
    const doubling = lines(
      "L1:",
      '  Set s "0123456789abcdef"',
      "  Set i 0",
      "  While i < 40 ->L2 ->L3",
      "L2:",
      "  X s concat s s",
      "  X i add i 1",
      "  J null",
      "L3:",
      "  J (len s)",
    );
    expect(await verdict(doubling)).toMatch(/^RUNTIME_(OP_ERROR|MAX_FRAME_BYTES)$/);
  });
});

describe("recommended sets", () => {
  const suggested = (source: string) => irOf(source).execution_requirements.suggested_limits;

  it("conservative is what a small program is advised to take", () => {
    verifies("limit.recommended.conservative");
    expect(suggested(lines("L1:", "  R ext.ECHO 1 ->a", "  J a"))).toEqual({
      max_steps: 500,
      max_depth: 10,
      max_adapter_calls: 50,
      max_time_ms: 5000,
      max_frame_bytes: 65_536,
      max_loop_iters: 100,
    });
  });

  it("standard is for bounded loops", () => {
    verifies("limit.recommended.standard");
    expect(suggested(lines("L1:", "  Loop [1, 2] i ->L2 ->L3", "L2:", "  J i", "L3:", "  J 1"))).toEqual({
      max_steps: 5000,
      max_depth: 50,
      max_adapter_calls: 500,
      max_time_ms: 30_000,
      max_frame_bytes: 1_048_576,
      max_loop_iters: 1000,
    });
  });

  it("permissive is for programs without a bound", () => {
    verifies("limit.recommended.permissive");
    expect(
      suggested(lines("# frame: n", "L1:", "  If n ->L2 ->L3", "L2:", "  Call L1 ->r", "  J r", "L3:", "  J 1")),
    ).toEqual({
      max_steps: 50_000,
      max_depth: 200,
      max_adapter_calls: 5000,
      max_time_ms: 300_000,
      max_frame_bytes: 10_485_760,
      max_loop_iters: 10_000,
    });
  });
});
