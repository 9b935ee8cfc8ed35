/** What an observer receives: every adapter call once, when it has ended, with its place and its outcome. */
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { CallEvent } from "../../../vm/run.ts";
import { type Run, run, world } from "../../support/world.ts";

const program = (...steps: readonly string[]): string => `L1:\n${steps.map((step) => `  ${step}\n`).join("")}`;

/** The events of a run, without durations, and its answer. */
async function observed(source: string, options: Run = {}) {
  const events: CallEvent[] = [];
  const answer = await run(source, { strict: false, ...options, observer: (event) => events.push(event) });
  return {
    answer,
    events,
    told: events.map(({ adapter, verb, status, code }) => [`${adapter}.${verb}`, status, code]),
  };
}

const failing = {
  Get: () => {
    throw new AdapterError("ADAPTER_BUSY", "busy", { retryAfterMs: 1 });
  },
};

describe("an observer", () => {
  it("receives core, host and adapter calls with values and place", async () => {
    const place = world({ ext: { A: async ([x = null]) => ({ got: x }), B: () => 2 } });
    const { events } = await observed(
      program("R core.ADD 1 2 ->a", "R core.NOW ->t", "R ext.A a ->r", "R ext.B ->b", "R core.SLEEP 5 ->z", "J r"),
      { in: place },
    );
    expect(events.map(({ duration_ms, ...event }) => event)).toMatchObject([
      { adapter: "core", verb: "ADD", args: [1, 2], label: "1", node: "n1", attempt: 1, status: "ok", result: 3 },
      { adapter: "core", verb: "NOW", args: [], node: "n2", status: "ok", result: 1_893_456_000 },
      { adapter: "ext", verb: "A", args: [3], node: "n3", status: "ok", result: { got: 3 }, code: null },
      { adapter: "ext", verb: "B", args: [], node: "n4", status: "ok", result: 2 },
      { adapter: "core", verb: "SLEEP", args: [5], node: "n5", status: "ok", result: null },
    ]);
    expect(events.at(-1)?.duration_ms).toBe(5);
  });

  it("receives the canonical text of a large answer, and of no other", async () => {
    const members = Array.from({ length: 25_000 }, (_, at): [string, number] => [`key${25_000 - at}`, at]);
    const shapes = {
      Members: Object.fromEntries(members),
      Rows: members.map(([name, n]) => ({ n, name })),
      Few: { b: 1, a: 2 },
    };
    const verbs = Object.entries(shapes).map(([name, value]) => [name, async () => value] as const);
    const place = world({ ext: Object.fromEntries(verbs) });
    const { events } = await observed(program("R ext.Members ->a", "R ext.Rows ->b", "R ext.Few ->c", "J 1"), {
      in: place,
    });
    expect(events.map(({ result_text }) => result_text)).toEqual([
      canonicalJson(shapes.Members),
      canonicalJson(shapes.Rows),
      undefined,
    ]);
  });

  it("receives failures with their code, and each attempt", async () => {
    const place = world({ http: failing });
    const { told, events, answer } = await observed(program('R http.Get "u" ->r', "Retry 2 1", "J r"), { in: place });
    expect(answer.ok).toBe(false);
    expect(told).toEqual([1, 2, 3].map(() => ["http.Get", "error", "ADAPTER_BUSY"]));
    expect(events.map(({ attempt, result }) => [attempt, result])).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ]);
    const { told: core } = await observed(program("R core.DIV 1 0 ->a", "J a"));
    expect(core).toEqual([["core.DIV", "error", "RUNTIME_OP_ERROR"]]);
    const { told: host } = await observed(program('R core.SLEEP "soon" ->a', "J a"));
    expect(host).toEqual([["core.SLEEP", "error", "RUNTIME_OP_ERROR"]]);
    const crash = world({
      ext: {
        A: () => {
          throw new TypeError("secret");
        },
      },
    });
    const { told: crashed } = await observed(program("R ext.A ->a", "J a"), { in: crash });
    expect(crashed).toEqual([["ext.A", "error", "RUNTIME_OP_ERROR"]]);
  });

  it("receives calls that the dispatcher refuses before the adapter is called", async () => {
    const { told } = await observed(program("R http.Get ->a", "J a"));
    expect(told).toEqual([["http.Get", "error", "ADAPTER_NOT_CONFIGURED"]]);
  });

  it.each([
    ["an adapter", "R ext.A ->a", "ext.A"],
    ["a core call", "R core.ADD 1 2 ->a", "core.ADD"],
    ["a host call", "R core.NOW ->a", "core.NOW"],
  ])("receives the denial of %s by the gate", async (_what, step, call) => {
    const place = world({ ext: { A: () => 1 } });
    const { told } = await observed(program(step, "J a"), { in: place, allowedAdapters: [] });
    expect(told).toEqual([[call, "denied", "RUNTIME_ADAPTER_NOT_ALLOWED"]]);
  });

  it("receives the call that exceeds max_adapter_calls", async () => {
    const place = world({ ext: { A: () => 1 } });
    const { told } = await observed(program("R ext.A ->a", "R ext.A ->b", "J b"), {
      in: place,
      limits: { max_adapter_calls: 1 },
    });
    expect(told).toEqual([
      ["ext.A", "ok", null],
      ["ext.A", "denied", "RUNTIME_MAX_ADAPTER_CALLS"],
    ]);
  });

  const never = { Never: () => new Promise(() => {}) };
  it.each([
    ["a call that the deadline cuts off", "R ext.Never ->a", "ext.Never", 101],
    ["a wait that cannot end before the deadline", "R core.SLEEP 200 ->a", "core.SLEEP", 0],
  ])("receives %s", async (_what, step, call, ms) => {
    const limits = { max_time_ms: 100 };
    const { told, events, answer } = await observed(program(step, "J a"), { in: world({ ext: never }), limits });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" }, usage: { adapter_calls: 1 } });
    expect(told).toEqual([[call, "error", "RUNTIME_MAX_TIME"]]);
    expect(events[0]?.duration_ms).toBe(ms);
  });

  it.each([
    ["a call", "R ext.Never ->a", "ext.Never"],
    ["a wait", "R core.SLEEP 200 ->a", "core.SLEEP"],
  ])("receives %s that a cancel cuts off", async (_what, step, call) => {
    const controller = new AbortController();
    const place = world({ ext: { ...never, Cancel: () => setImmediate(() => controller.abort("enough")) && null } });
    const { told, answer } = await observed(program("R ext.Cancel ->c", step, "J a"), {
      in: place,
      signal: controller.signal,
    });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_CANCELLED" }, usage: { adapter_calls: 2 } });
    expect(told).toEqual([
      ["ext.Cancel", "ok", null],
      [call, "error", "RUNTIME_CANCELLED"],
    ]);
  });

  it.each([
    ["a call whose answer", "R ext.Answer ->a", "ext.Answer"],
    ["a call whose failure", "R ext.Fail ->a", "ext.Fail"],
    ["a wait whose end", "R core.SLEEP 20 ->a", "core.SLEEP"],
  ])("receives %s comes when the time of the run is over", async (_what, step, call) => {
    const place = world({
      ext: {
        // The thread is held up while the run waits for what comes next.
        Block: () => void place.clock.wait(10, () => place.clock.advance(200)),
        Answer: () => new Promise((resolve) => place.clock.wait(20, () => resolve(1))),
        Fail: () => new Promise((_resolve, reject) => place.clock.wait(20, () => reject(new Error("no")))),
      },
    });
    const { told, events, answer } = await observed(program("R ext.Block ->b", step, "J a"), {
      in: place,
      limits: { max_time_ms: 100 },
    });
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_TIME" }, usage: { adapter_calls: 2 } });
    expect(told).toEqual([
      ["ext.Block", "ok", null],
      [call, "error", "RUNTIME_MAX_TIME"],
    ]);
    expect(events[1]?.duration_ms).toBeGreaterThan(200);
    expect(Object.keys(answer.adapter_p95_ms)).toEqual(["ext", ...(call === "core.SLEEP" ? ["core"] : [])]);
  });

  it("receives replayed calls, and no adapter is called", async () => {
    let asked = 0;
    const place = world({ ext: { A: () => ++asked }, http: failing });
    const source = `${program("R ext.A ->a", "R core.NOW ->t", 'R http.Get "u" ->r', "Err ->L2", "J a")}L2:\n  J 2\n`;
    const recorded = await observed(source, { in: place, record: true });
    const { told, events, answer } = await observed(source, { in: place, replay: recorded.answer.record });
    expect(answer).toMatchObject({ ok: true, out: 2 });
    expect(asked).toBe(1);
    expect(told).toEqual([
      ["ext.A", "replayed", null],
      ["core.NOW", "replayed", null],
      ["http.Get", "replayed", "ADAPTER_BUSY"],
    ]);
    expect(events[0]?.result).toBe(1);
  });

  it("receives calls whose names were computed", async () => {
    const place = world({ ext: { A: () => 1 } });
    const { told } = await observed(
      program('Set a "EXT"', 'Set v "A"', "R $a.$v ->r", 'Set c "core"', "R $c.ADD 1 2 ->s", "R $c.sleep 5 ->z", "J s"),
      {
        in: place,
      },
    );
    expect(told.map(([call, status]) => [String(call).toLowerCase(), status])).toEqual([
      ["ext.a", "ok"],
      ["core.add", "ok"],
      ["core.sleep", "ok"],
    ]);
  });

  it("changes nothing about the run", async () => {
    const source = program("R core.ADD 1 2 ->a", "R ext.A a ->b", "X c uuid", "J [a, b, c]");
    const place = () => world({ ext: { A: async ([x = null]) => x } });
    const plain = await run(source, { strict: false, in: place() });
    const { answer } = await observed(source, { in: place() });
    expect(answer).toEqual(plain);
  });
});
