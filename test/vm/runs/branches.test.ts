/**
 * Branches of one run (docs/language.md, branches): values in order, limits on how many are live, failures, turns at adapters that take one
 * call at a time, call ids, and what a limit or a cancellation does to calls that are under way.
 */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import type { CallContext } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { createHost, type Host, type HostRunRequest, type RunAnswer } from "../../../vm/host.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

type Call = { readonly arg: Json; readonly callId: string; readonly attempt: number };

/** A host whose adapters `apart` (branches may call it at the same time) and `alone` answer after as many milliseconds as they get. */
function world() {
  const clock = fakeClock();
  const calls: Call[] = [];
  const aborted: Json[] = [];
  let live = 0;
  let most = 0;
  const answer = ([arg = null, ms = 1]: readonly Json[], context: CallContext): unknown => {
    calls.push({ arg, callId: context.callId, attempt: context.attempt });
    live += 1;
    most = Math.max(most, live);
    context.signal.addEventListener("abort", () => aborted.push(arg));
    return new Promise((resolve) =>
      clock.wait(Number(ms), () => {
        live -= 1;
        resolve(arg);
      }),
    );
  };
  let failures = 0;
  const fail = ([times = 1]: readonly Json[]): unknown => {
    failures += 1;
    if (failures > Number(times)) return failures;
    throw new AdapterError("ADAPTER_BUSY", "busy");
  };
  const verbs = { SAY: answer, FAIL: fail };
  const adapters = new Map([
    ...mockAdapters(clock),
    ["apart", plainAdapter("apart", verbs, { concurrent: true })] as const,
    ["alone", plainAdapter("alone", verbs)] as const,
  ]);
  const host = createHost({ clock, adapters, facts: fakeFacts(), catalog: testCatalog, traceId: () => "t" });
  return { clock, host, calls, aborted, most: () => most };
}

function irOf(source: string, names: readonly string[] = ["xs"]): Ir {
  return compileForTest(source, false, names);
}

function run(host: Host, source: string, more: Partial<HostRunRequest> = {}): Promise<RunAnswer> {
  return host.run({ ir: irOf(source), ...more });
}

const DELAYS =
  "L1:\n  Each ys [[1, 30], [2, 10], [3, 20]] x ->L_b limit=3\n  J ys\nL_b:\n  R apart.SAY x[0] x[1] ->r\n  J r\n";
const many = (limit: string, verb = "apart.SAY"): string =>
  `L1:\n  Each ys (range 12) x ->L_b${limit}\n  J ys\nL_b:\n  R ${verb} x 5 ->r\n  J r\n`;

describe("values", () => {
  it("stand in the order of the elements, in whatever order they are answered (B-3)", async () => {
    const { host, calls } = world();
    expect(await run(host, DELAYS)).toMatchObject({
      ok: true,
      out: [1, 2, 3],
      usage: { time_ms: 30, adapter_calls: 3 },
    });
    expect(calls.map(({ arg }) => arg)).toEqual([1, 2, 3]);
  });

  it.each([
    ["text", '"abc"'],
    ["null", "null"],
    ["an object", '{"a": 1}'],
  ])("do not exist for %s (B-1)", async (_title, list) => {
    const { host } = world();
    const source = `L1:\n  Each ys ${list} x ->L_b\n  J ys\nL_b:\n  J x\n`;
    expect(await run(host, source)).toMatchObject({ ok: true, out: [], usage: { steps: 2, depth: 1 } });
  });

  it("of variables that a branch sets are gone at its end (B-2)", async () => {
    const { host } = world();
    const source =
      'L1:\n  Set xs [1]\n  Set o {"k": 1}\n  Each ys [5, 6] x ->L_b\n  J [xs, o, ys, $x, $new]\n' +
      'L_b:\n  X xs push xs x\n  X o put o "k" x\n  Set new 1\n  J xs\n';
    const out = [
      [1],
      { k: 1 },
      [
        [1, 5],
        [1, 6],
      ],
      null,
      null,
    ];
    expect(await run(host, source)).toMatchObject({ ok: true, out });
  });

  it("of ten thousand branches cost few bytes more than the list", async () => {
    const { host } = world();
    const xs = Array.from({ length: 10_000 }, (_, at) => at);
    const source = "L1:\n  Each ys xs x ->L_b limit=64\n  J (sum ys)\nL_b:\n  X y mul x 2\n  J y\n";
    const limits = { max_frame_bytes: 150_000, max_loop_iters: 10_000 };
    const answer = await host.run({ ir: irOf(source), frame: { xs }, limits });
    expect(answer).toMatchObject({ ok: true, out: 99_990_000, usage: { steps: 20_002, loop_iters: 10_000 } });
  });

  it("count for max_frame_bytes as soon as they are there", async () => {
    const { host } = world();
    const source = 'L1:\n  Each ys (range 1000) x ->L_b\n  J 1\nL_b:\n  J (join "" (range 100))\n';
    const answer = await run(host, source, { limits: { max_frame_bytes: 10_000 } });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_FRAME_BYTES", label: "1", node: "n1", op: "Each", data: { variable: "ys" } },
    });
    expect(answer.usage.steps).toBeLessThan(100);
  });
});

describe("how many are live (B-4)", () => {
  it.each([
    ["", 8],
    [" limit=1", 1],
    [" limit=5", 5],
    [" limit=64", 12],
  ])("with '%s' at most %i", async (limit, expected) => {
    const { host, most } = world();
    expect(await run(host, many(limit))).toMatchObject({ ok: true, out: Array.from({ length: 12 }, (_, at) => at) });
    expect(most()).toBe(expected);
  });

  it("is bounded for nested ones together, and none waits for ever", async () => {
    const { host, most } = world();
    const source =
      "L1:\n  Each ys (range 40) x ->L_mid limit=40\n  J ys\n" +
      "L_mid:\n  Each zs (range 10) y ->L_in limit=10\n  J (len zs)\n" +
      "L_in:\n  Each ws [1, 2] z ->L_call\n  J ws\n" +
      "L_call:\n  R apart.SAY z 3 ->r\n  J r\n";
    const answer = await run(host, source);
    expect(answer).toMatchObject({ ok: true, out: Array.from({ length: 40 }, () => 10) });
    expect(most()).toBeLessThanOrEqual(256);
  });

  it("and no deeper than 32", async () => {
    const { host } = world();
    const source = "L1:\n  Each ys [1] x ->L1\n  J ys\n";
    expect(await run(host, source)).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_OP_ERROR", message: "branches are nested more than 32 deep" },
    });
  });
});

describe("adapters that take one call at a time (B-11)", () => {
  it("are called by one branch after the other", async () => {
    const { host, most, calls } = world();
    expect(await run(host, many("", "alone.SAY"))).toMatchObject({ ok: true, usage: { time_ms: 60 } });
    expect(most()).toBe(1);
    expect(calls.map(({ arg }) => arg)).toEqual(Array.from({ length: 12 }, (_, at) => at));
  });

  it("do not keep branches from calling another one", async () => {
    const { host, most } = world();
    const source =
      "L1:\n  Par ys ->L_a ->L_b ->L_c\n  J ys\nL_a:\n  R alone.SAY 1 9 ->r\n  J r\nL_b:\n  R apart.SAY 2 9 ->r\n  J r\nL_c:\n  R alone.SAY 3 9 ->r\n  J r\n";
    expect(await run(host, source)).toMatchObject({ ok: true, out: [1, 2, 3], usage: { time_ms: 18 } });
    expect(most()).toBe(2);
  });
});

describe("failures (B-5, B-6)", () => {
  const source = (tail: string, mode = ""): string =>
    `L1:\n  Each ys [1, 0, 2, 0] x ->L_b${mode}\n${tail}L_b:\n  R apart.SAY x (mul x 10) ->r\n  X y div 10 x\n  J y\nL_h:\n  J [_error, _error_info.label]\n`;

  it("come after all branches have ended, and are that of the first element", async () => {
    const { host, calls } = world();
    const answer = await run(host, source("  J ys\n"));
    const error = { code: "RUNTIME_OP_ERROR", label: "_b", node: "n2", stack: ["1", "_b"] };
    expect(answer).toMatchObject({ ok: false, error: { ...error, data: { branch: 1, branches_failed: 2 } } });
    expect(calls.length).toBe(4);
  });

  it("are caught where the branches were begun", async () => {
    const { host } = world();
    expect(await run(host, source("  Err ->L_h\n  J ys\n"))).toMatchObject({
      ok: true,
      out: ["division by zero", "_b"],
    });
  });

  it("are values with settle", async () => {
    const { host } = world();
    const answer = await run(host, source("  J ys\n", " settle"));
    const failed = { ok: false, error: { message: "division by zero", label: "_b", node: "n2" } };
    expect(answer).toMatchObject({ ok: true, out: [{ ok: true, value: 10 }, failed, { ok: true, value: 5 }, failed] });
  });

  it("are tried again with all branches, under the same call ids", async () => {
    const { host, calls } = world();
    const answer = await run(
      host,
      "L1:\n  Each ys [1, 2] x ->L_b\n  Retry 2\n  J ys\nL_b:\n  R apart.SAY x ->r\n  R apart.FAIL 2 ->f\n  J r\n",
    );
    expect(answer).toMatchObject({ ok: true, out: [1, 2] });
    const ids = ["t/1/n1/1#0:_b/n1/1", "t/1/n1/1#1:_b/n1/1"];
    expect(calls.map(({ callId }) => callId)).toEqual([...ids, ...ids]);
  });

  it("of a transaction in a branch are its own (B-10)", async () => {
    const { host } = world();
    const answer = await run(host, "L1:\n  Par ys ->L_b settle\n  J ys[0].error.message\nL_b:\n  Tx begin t\n  J 1\n");
    expect(answer).toMatchObject({ ok: true, out: "a branch can neither begin nor end a transaction" });
  });
});

describe("what ends the run (B-7)", () => {
  const waiting =
    "L1:\n  Each ys [1, 2, 3] x ->L_b\n  Err ->L_h\n  J ys\nL_b:\n  R apart.SAY x 1000 ->r\n  J r\nL_h:\n  J 1\n";

  it("is the deadline: calls under way are given up", async () => {
    const { host, aborted } = world();
    const answer = await run(host, waiting, { limits: { max_time_ms: 50 } });
    const inside = { branch: "1/n1/1#0", label: "_b", node: "n1", op: "R" };
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_TIME", label: "1", node: "n1", op: "Each", stack: ["1"], data: { inside } },
    });
    expect([...aborted].sort()).toEqual([1, 2, 3]);
  });

  it("is a cancellation", async () => {
    const { host, clock, aborted } = world();
    const controller = new AbortController();
    clock.wait(20, () => controller.abort("enough"));
    const answer = await run(host, waiting, { signal: controller.signal });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_CANCELLED", node: "n1", data: { reason: "enough" } },
    });
    expect([...aborted].sort()).toEqual([1, 2, 3]);
  });

  it("is a limit that the branches reach together (B-8)", async () => {
    const { host } = world();
    const answer = await run(host, many(""), { limits: { max_adapter_calls: 5 } });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_ADAPTER_CALLS", label: "1", node: "n1", data: { inside: { branch: "1/n1/1#5" } } },
      usage: { adapter_calls: 5 },
    });
  });

  it("is never beyond max_steps, whatever the number of branches", async () => {
    const { host } = world();
    const source = many(" limit=64");
    const { usage } = await run(host, source);
    for (let max_steps = 1; max_steps < usage.steps; max_steps++) {
      const answer = await run(host, source, { limits: { max_steps } });
      expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_STEPS" }, usage: { steps: max_steps } });
    }
    expect(await run(host, source, { limits: { max_steps: usage.steps } })).toMatchObject({ ok: true });
  });

  it("is an adapter that is not allowed", async () => {
    const { host } = world();
    const answer = await run(host, many(""), { allowedAdapters: ["core"] });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_ADAPTER_NOT_ALLOWED", op: "Each" } });
  });
});

describe("record, replay and trace", () => {
  it("have calls and events in the order of the elements, with the name of their branch", async () => {
    const { host } = world();
    const answer = await run(host, DELAYS, { record: true, trace: true });
    expect(answer.record).toMatchObject({ version: 2, complete: true });
    expect(answer.record?.calls.map(({ branch, args }) => [branch, args?.[0]])).toEqual([
      ["1/n1/1#0", 1],
      ["1/n1/1#1", 2],
      ["1/n1/1#2", 3],
    ]);
    expect(answer.trace?.map(({ in_branch, op }) => [in_branch, op])).toEqual([
      ...[0, 1, 2].flatMap((at) => [
        [`1/n1/1#${at}`, "R"],
        [`1/n1/1#${at}`, "J"],
      ]),
      [undefined, "Each"],
      [undefined, "J"],
      [undefined, undefined],
    ]);
  });

  it("are as before in a program without branches", async () => {
    const { host } = world();
    const answer = await run(host, "L1:\n  R apart.SAY 1 ->r\n  J r\n", { record: true });
    expect(answer.record).toMatchObject({ version: 1 });
    expect(answer.record?.calls[0]).not.toHaveProperty("branch");
  });

  it("replay to the same, without any call", async () => {
    const first = await run(world().host, DELAYS, { record: true });
    const { host, calls } = world();
    const answer = await run(host, DELAYS, { replay: first.record, record: true });
    expect(answer).toMatchObject({ ok: true, out: [1, 2, 3], replay: { matched: 3, remaining: 0 } });
    expect(answer.record).toEqual(first.record);
    expect(calls).toEqual([]);
  });

  it("continue in every branch after the end of its log", async () => {
    const first = await run(world().host, DELAYS, { record: true });
    const log = { ...first.record, calls: first.record?.calls.filter(({ seq }) => seq !== 1), partial: true };
    const { host, calls } = world();
    const answer = await run(host, DELAYS, { replay: log, replayContinues: true });
    expect(answer).toMatchObject({ ok: true, out: [1, 2, 3] });
    expect(calls).toEqual([{ arg: 2, callId: "t/1/n1/1#1:_b/n1/1", attempt: 1 }]);
  });

  it("name nested branches one after the other", async () => {
    const { host, calls } = world();
    const source =
      "L1:\n  Par ys ->L_a ->L_b\n  J ys\nL_a:\n  J 1\nL_b:\n  Each zs [7] z ->L_c\n  J zs\nL_c:\n  R apart.SAY z ->r\n  J r\n";
    expect(await run(host, source)).toMatchObject({ ok: true, out: [1, [7]] });
    expect(calls[0]?.callId).toBe("t/1/n1/1#1>_b/n1/1#0:_c/n1/1");
  });
});

describe("a run that ends synchronously", () => {
  it("may have branches that wait for nothing", () => {
    const { host } = world();
    const ir = irOf("L1:\n  Each ys [1, 2] x ->L_b\n  J ys\nL_b:\n  J (add x 1)\n");
    expect(host.runSync({ ir })).toMatchObject({ ok: true, out: [2, 3] });
  });
});
