/** The rules of a replay, each with its error (docs/replay.md, rules). */
import { describe, expect, it } from "vitest";
import { surfaceWord } from "../../vm/errors/error-codes.ts";
import { verifies } from "../support/requirements.ts";
import { irOf, run as runOnHost, world } from "../support/world.ts";
import { adapters, entry, errorOf, logOf, recordOf, run } from "./running.ts";

const ECHO = "L1:\n  R ext.ECHO 1 ->x\n  J x\n";
const TWO = "L1:\n  R ext.ECHO 1 ->x\n  R ext.RUN 2 ->y\n  J [x, y]\n";

describe("a replay", () => {
  it("takes every answer from the log and makes no call", async () => {
    verifies("replay.no-effects", "run.replay_log-object");
    const never = () => {
      throw new Error("a live call");
    };
    const live = adapters({
      ext: { ECHO: never },
      cache: { SET: never, GET: never },
      queue: { PUT: never },
      txn: { BEGIN: never },
    });
    const source =
      "L1:\n  R ext.ECHO 1 ->a\n  CacheSet c k 1\n  CacheGet c k ->b\n  QueuePut q 1 ->q\n  Tx begin t\n  J [a, b, q, _txid]\n";
    const calls = [
      entry("ext", "ECHO", [1], "logged"),
      entry("cache", "SET", ["c", "k", 1, 0], null),
      entry("cache", "GET", ["c", "k"], 5),
      entry("queue", "PUT", ["q", 1], "m"),
      entry("txn", "BEGIN", ["t"], { txn_id: 9 }),
    ];
    expect(await run(source, { replay: logOf(calls), adapters: live })).toMatchObject({
      out: ["logged", 5, "m", 9],
      usage: { adapter_calls: 5 },
      replay: { matched: 5, remaining: 0 },
    });
  });

  it("needs no adapter", async () => {
    expect(
      await run("L1:\n  R nosuch.GET 1 ->x\n  J x\n", { replay: logOf([entry("nosuch", "GET", [1], 2)]) }),
    ).toMatchObject({
      out: 2,
    });
  });

  it("answers host functions in both forms", async () => {
    const source = 'L1:\n  X a uuid\n  R core.NOW ->b\n  X c env "HOME"\n  J [a, b, c]\n';
    const calls = [entry("core", "UUID", [], "u-1"), entry("core", "NOW", [], 7), entry("core", "ENV", ["HOME"], "/")];
    expect(await run(source, { replay: logOf(calls) })).toMatchObject({ out: ["u-1", 7, "/"] });
  });

  it("waits for nothing", async () => {
    const source = "L1:\n  X x sleep 5000\n  R ext.WAITS 90 ->x\n  Retry @n2 2 50\n  J x\n";
    const busy = { message: "busy", adapter_code: "ADAPTER_BUSY", retryable: true, retry_after_ms: 90, details: null };
    const { result: _none, ...failed } = entry("ext", "WAITS", [90], null) as Record<string, never>;
    const calls = [
      entry("core", "SLEEP", [5000], null),
      { ...failed, ok: false, error: busy },
      entry("ext", "WAITS", [90], 4),
    ];
    expect(await run(source, { replay: logOf(calls) })).toMatchObject({ out: 4, usage: { time_ms: 0 } });
  });

  it("replays failures so that Retry and Err act as live", async () => {
    verifies("replay.failures-recorded");
    const source =
      "L1:\n  R ext.OP 2 5 ->x\n  Retry @n1 1\n  Err @n1 ->L2\n  J x\nL2:\n  R ext.P ->y\n  Err @n1 ->L3\nL3:\n  J $_error_info\n";
    const live = await run(source);
    const log = await recordOf(source);
    expect(log.calls.map(({ attempt, error }) => [attempt, error?.message])).toEqual([
      [1, "flaky 1"],
      [2, "flaky 2"],
      [1, "denied"],
    ]);
    const again = await run(source, { replay: log });
    expect(again).toMatchObject({ ok: true, out: live.ok ? live.out : null, replay: { matched: 3, remaining: 0 } });
    expect(JSON.stringify(again.ok && again.out)).toBe(JSON.stringify(live.ok && live.out));
  });

  it("gives a run that failed its own error again", async () => {
    const source = "L1:\n  R ext.CRASH ->x\n  J x\n";
    expect(await errorOf(source, { replay: await recordOf(source) })).toEqual(await errorOf(source, {}));
  });

  it("records the same log again", async () => {
    const source = "L1:\n  R ext.OP 1 5 ->x\n  Retry @n1 1\n  X u uuid\n  R core.ADD x 1 ->y\n  J y\n";
    const log = await recordOf(source);
    expect(await run(source, { replay: log, record: true })).toMatchObject({ record: log });
  });

  it("gives values of its own to the program", async () => {
    const log = { calls: [{ adapter: "ext", verb: "ECHO", args: [1], result: { a: [1] } }] };
    const before = JSON.stringify(log);
    const source = 'L1:\n  R ext.ECHO 1 ->x\n  X x put x "a[0]" 2\n  X x put x "b" 3\n  J x\n';
    expect((await run(source, { replay: log })).ok).toBe(true);
    expect(JSON.stringify(log)).toBe(before);
  });
});

describe("gate, counters and limits in a replay", () => {
  it.each([
    ["the allowlist", { allowedAdapters: ["core"] }, "RUNTIME_ADAPTER_NOT_ALLOWED"],
    ["max_adapter_calls", { limits: { max_adapter_calls: 1 } }, "RUNTIME_MAX_ADAPTER_CALLS"],
    ["max_frame_bytes", { limits: { max_frame_bytes: 12 } }, "RUNTIME_MAX_FRAME_BYTES"],
    ["max_steps", { limits: { max_steps: 2 } }, "RUNTIME_MAX_STEPS"],
  ])("%s", async (_title, asked, code) => {
    verifies("replay.gate");
    expect((await errorOf(TWO, { replay: await recordOf(TWO), ...asked })).code).toBe(code);
  });

  it("a sleep that cannot end in time", async () => {
    const log = logOf([entry("core", "SLEEP", [50], null)]);
    const asked = { replay: log, limits: { max_time_ms: 5 } };
    expect((await errorOf("L1:\n  X x sleep 50\n  J 1\n", asked)).code).toBe("RUNTIME_MAX_TIME");
  });

  it("an error of the run's own keeps its place before leftovers", async () => {
    const answer = await run("L1:\n  R ext.ECHO 1 ->x\n  X y div 1 0\n  J 1\n", {
      replay: logOf([entry("ext", "ECHO", [1], 1), entry("ext", "ECHO", [2], 2)]),
    });
    expect(answer).toMatchObject({ error: { code: "RUNTIME_OP_ERROR" }, replay: { matched: 1, remaining: 1 } });
  });
});

describe("a call that is not the recorded one", () => {
  it.each([
    [
      "adapter",
      entry("fs", "ECHO", [1], 1),
      "/adapter",
      "recorded call 0 was fs.ECHO (1 argument); the program now asks for ext.ECHO (1 argument)",
    ],
    [
      "verb",
      entry("ext", "RUN", [1], 1),
      "/verb",
      "recorded call 0 was ext.RUN (1 argument); the program now asks for ext.ECHO (1 argument)",
    ],
    [
      "number of arguments",
      entry("ext", "ECHO", [1, 2], 1),
      "/args/1",
      "recorded call 0 was ext.ECHO (2 arguments); the program now asks for ext.ECHO (1 argument)",
    ],
    [
      "argument",
      entry("ext", "ECHO", [2], 1),
      "/args/0",
      "recorded call 0, ext.ECHO, had other arguments (at /args/0)",
    ],
    [
      "type of argument",
      entry("ext", "ECHO", ["1"], 1),
      "/args/0",
      "recorded call 0, ext.ECHO, had other arguments (at /args/0)",
    ],
    [
      "true for 1",
      entry("ext", "ECHO", [true], 1),
      "/args/0",
      "recorded call 0, ext.ECHO, had other arguments (at /args/0)",
    ],
  ])("%s", async (_title, logged, path, message) => {
    verifies("replay.mismatch");
    const error = await errorOf(ECHO, { replay: logOf([logged]) });
    expect(error).toMatchObject({ code: "RUNTIME_REPLAY_MISMATCH", message, label: "1", node: "n1", op: "R", line: 2 });
    expect(error.data).toEqual({
      cause_type: "replay",
      retryable: false,
      index: 0,
      expected: { adapter: logged["adapter"], verb: logged["verb"], args: logged["args"] },
      got: { adapter: "ext", verb: "ECHO", args: [1] },
      label: "1",
      node: "n1",
      path,
    });
  });

  it.each([
    ['{"a": {"b": [1, 2]}}', { a: { b: [1, 3] } }, "/args/0/a/b/1"],
    ['{"a": 1, "b": 2}', { a: 1 }, "/args/0/b"],
    ['{"a": 1}', { a: 1, b: 2 }, "/args/0/b"],
    ['{"a/b": {"c~d": 1}}', { "a/b": { "c~d": 2 } }, "/args/0/a~1b/c~0d"],
    ["[1, [2]]", [1, []], "/args/0/1/0"],
    ["{}", [], "/args/0"],
  ])("points at the first difference: %s", async (written, logged, path) => {
    const source = `L1:\n  R ext.ECHO ${written} ->x\n  J x\n`;
    expect((await errorOf(source, { replay: logOf([entry("ext", "ECHO", [logged], 1)]) })).data["path"]).toBe(path);
  });

  it("takes no account of key order, letter case of names, and places", async () => {
    const call = { ...entry("EXT", "echo", [{ b: 2, a: 1 }], 1), label_id: "9", node_id: "n9", attempt: 3, seq: 17 };
    const source = 'L1:\n  R ext.Echo {"a": 1, "b": 2} ->x\n  J x\n';
    expect(await run(source, { replay: logOf([call]) })).toMatchObject({ out: 1 });
  });

  /** Whatever fails in L2, neither Retry nor Err of its caller or of itself may act on it. */
  const guarded = (step: string) =>
    `L1:\n  Call L2 ->x\n  Retry @n1 3\n  Err @n1 ->L3\n  J x\nL2:\n  ${step}\n  Retry @n1 3\n  Err @n1 ->L3\n  J x\nL3:\n  J caught\n`;

  it.each<[string, string, Parameters<typeof errorOf>[1], string]>([
    ["a mismatch", "R ext.ECHO 1 ->x", { replay: logOf([entry("ext", "ECHO", [2], 1)]) }, "RUNTIME_REPLAY_MISMATCH"],
    ["an exhausted log", "R ext.ECHO 1 ->x", { replay: logOf([]) }, "RUNTIME_REPLAY_EXHAUSTED"],
    ["a limit", "R ext.ECHO 1 ->x", { limits: { max_adapter_calls: 0 } }, "RUNTIME_MAX_ADAPTER_CALLS"],
    ["a denial", "R ext.ECHO 1 ->x", { allowedAdapters: [] }, "RUNTIME_ADAPTER_NOT_ALLOWED"],
    ["a program error", "X x wobble 1", {}, "RUNTIME_X_UNKNOWN_FN"],
  ])("is fatal like every error of its class: %s", async (_title, step, asked, code) => {
    verifies("runtime.fatal-errors");
    const answer = await run(guarded(step), asked);
    expect(answer).toMatchObject({ ok: false, error: { code, label: "2", node: "n1" }, usage: { steps: 2 } });
  });

  it("is fatal like a cancellation", async () => {
    verifies("runtime.fatal-errors");
    const controller = new AbortController();
    const hang = (): Promise<never> => {
      controller.abort("stop");
      return new Promise(() => {});
    };
    const request = { strict: false, in: world({ ext: { HANG: hang } }), signal: controller.signal };
    const answer = await runOnHost(guarded("R ext.HANG ->x"), request);
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_CANCELLED" }, usage: { steps: 2 } });
  });

  it("shows the words of surfaces", () => {
    const words = ["RUNTIME_REPLAY_MISMATCH", "RUNTIME_REPLAY_EXHAUSTED", "RUNTIME_REPLAY_LEFTOVER"] as const;
    expect(words.map((code) => surfaceWord(code, {}))).toEqual([
      "replay_mismatch",
      "replay_exhausted",
      "replay_leftover",
    ]);
  });
});

describe("a log that ends too early or too late", () => {
  it("exhausted", async () => {
    verifies("replay.exhausted");
    const error = await errorOf(TWO, { replay: logOf([entry("ext", "ECHO", [1], 1)]) });
    expect(error).toMatchObject({ code: "RUNTIME_REPLAY_EXHAUSTED", label: "1", node: "n2", line: 3 });
    expect(error.message).toBe("the log ends after 1 call; the program now asks for ext.RUN");
    expect(error.data).toEqual({
      cause_type: "replay",
      retryable: false,
      index: 1,
      got: { adapter: "ext", verb: "RUN", args: [2] },
      label: "1",
      node: "n2",
    });
  });

  it("leftover", async () => {
    verifies("replay.leftovers");
    const calls = [entry("ext", "ECHO", [1], 1), entry("ext", "RUN", [2], 2), entry("ext", "RUN", [3], 3)];
    const answer = await run(ECHO, { replay: logOf(calls), record: true });
    expect(answer).toMatchObject({ ok: false, replay: { matched: 1, remaining: 2 }, record: { complete: false } });
    expect(!answer.ok && answer.error).toEqual({
      code: "RUNTIME_REPLAY_LEFTOVER",
      message: "2 recorded calls were not made; the first is ext.RUN",
      label: "1",
      node: null,
      op: null,
      line: null,
      step_index: null,
      stack: ["1"],
      data: {
        cause_type: "replay",
        retryable: false,
        remaining: 2,
        index: 1,
        expected: { adapter: "ext", verb: "RUN", args: [2] },
      },
    });
  });

  it("leftovers of a partial log are only reported", async () => {
    verifies("replay.leftovers");
    const calls = [entry("ext", "ECHO", [1], 1), entry("ext", "RUN", [2], 2)];
    const asked = { replay: logOf(calls, { partial: true }) };
    expect(await run(ECHO, asked)).toMatchObject({ ok: true, out: 1, replay: { matched: 1, remaining: 1 } });
  });
});

describe("pure core calls", () => {
  const SUM = "L1:\n  R core.ADD 2 3 ->x\n  R ext.ECHO x ->y\n  J y\n";

  it("are computed and compared", async () => {
    verifies("replay.core-recorded");
    const right = logOf([entry("core", "ADD", [2, 3], 5), entry("ext", "ECHO", [5], 1)]);
    expect(await run(SUM, { replay: right })).toMatchObject({ out: 1, replay: { matched: 2, remaining: 0 } });
    const wrong = logOf([entry("core", "ADD", [2, 3], 6), entry("ext", "ECHO", [6], 1)]);
    const error = await errorOf(SUM, { replay: wrong });
    expect(error).toMatchObject({
      code: "RUNTIME_REPLAY_MISMATCH",
      message: "recorded call 0, core.ADD, had another result (at /result)",
      data: {
        index: 0,
        path: "/result",
        expected: { adapter: "core", verb: "ADD", args: [2, 3], ok: true, result: 6 },
        got: { adapter: "core", verb: "ADD", args: [2, 3], ok: true, result: 5 },
      },
    });
  });

  it("are compared when they fail", async () => {
    const source = "L1:\n  R core.DIV 1 n ->x\n  Err @n1 ->L2\n  J x\nL2:\n  J caught\n";
    const log = await recordOf(source, { frame: { n: 0 } });
    expect(await run(source, { frame: { n: 0 }, replay: log })).toMatchObject({ out: "caught" });
    const { error: _error, ...call } = log.calls[0] ?? { error: null };
    const succeeded = { ...log, calls: [{ ...call, ok: true, result: 1 }] };
    expect((await errorOf(source, { frame: { n: 0 }, replay: succeeded })).data["path"]).toBe("/ok");
    const otherwise = { ...log, calls: [{ ...log.calls[0], error: { ...log.calls[0]?.error, message: "no" } }] };
    expect((await errorOf(source, { frame: { n: 0 }, replay: otherwise })).data["path"]).toBe("/error/message");
  });

  it("are not expected by a log that has none of them", async () => {
    const log = logOf([entry("ext", "ECHO", [5], 1)]);
    expect(await run(SUM, { replay: log })).toMatchObject({ out: 1, replay: { matched: 1, remaining: 0 } });
  });

  it("are expected by a log that has one of them", async () => {
    const source = "L1:\n  R core.ADD 2 3 ->x\n  R core.ADD 3 4 ->y\n  J y\n";
    const error = await errorOf(source, { replay: logOf([entry("core", "ADD", [2, 3], 5)]) });
    expect(error).toMatchObject({ code: "RUNTIME_REPLAY_EXHAUSTED", data: { index: 1 } });
  });
});

describe("the program's checksum", () => {
  it("gives a warning when it is another, and no error", async () => {
    const ir = irOf("L1:\n  J 1\n");
    const answer = await world().host.run({ ir, replay: logOf([]) });
    expect(answer).toMatchObject({
      ok: true,
      warnings: ["replay_checksum_differs: the log was recorded with another version of the program"],
    });
    for (const replay of [logOf([], { program_checksum: ir.checksum }), [], { calls: [] }]) {
      expect(await world().host.run({ ir, replay })).toMatchObject({ ok: true, warnings: [] });
    }
  });
});
