/** What a record holds (docs/replay.md, what is recorded). */
import { describe, expect, it } from "vitest";
import { createHost } from "../../vm/host.ts";
import { Recorder } from "../../vm/recording/record.ts";
import { verifies } from "../support/requirements.ts";
import { catalog, irOf, run as runOnHost, testClock, world } from "../support/world.ts";
import { adapters, callsOf, callText, recordOf, run } from "./running.ts";

const lines = async (source: string, asked = {}) => (await callsOf(source, asked)).map(callText);

describe("what is recorded", () => {
  it.each([
    ["R ext.ECHO 1 ->x", ["ext.ECHO [1] = 1"]],
    ["R ext.echo 1", ["ext.ECHO [1] = 1"]],
    ["R ext.LATER 1 ->x", ["ext.LATER [1] = 1"]],
    ["R ext.NEXT ->x", ["ext.NEXT [] = 1"]],
    ["R core.ADD 2 3 ->x", ["core.ADD [2,3] = 5"]],
    ["R core.now ->x", ["core.NOW [] = 1700000001"]],
    ["X x now", ["core.NOW [] = 1700000001"]],
    ["X x iso", ['core.ISO [] = "2023-11-14T22:13:21Z"']],
    ["X x iso_ts", ['core.ISO_TS [] = "2023-11-14T22:13:21Z"']],
    ["X x uuid", ['core.UUID [] = "00000000-0000-4000-8000-000000000001"']],
    ['X x env "WEFT_TOWN"', ['core.ENV ["WEFT_TOWN"] = "Lund"']],
    ["X x sleep 3", ["core.SLEEP [3] = null"]],
    ["Set x (now)", ["core.NOW [] = 1700000001"]],
    ["CacheSet c k 1", ['cache.SET ["c","k",1,0] = null']],
    ["CacheGet c k ->x 7", ['cache.GET ["c","k"] = null']],
    ["QueuePut q 1 ->x", ['queue.PUT ["q",1] = "msg-1"']],
    ["Tx begin t", ['txn.BEGIN ["t"] = "tx-t"']],
    ["X x add 2 3", []],
    ["Set x (add 2 3)", []],
    ["X x iso_ts 0", []],
    ["Set x 1", []],
  ])("%s", async (step, calls) => {
    verifies("run.record_calls-on", "replay.core-recorded");
    expect(await lines(`L1:\n  ${step}\n  J 1\n`)).toEqual(calls);
  });

  it("leaves Enf out", async () => {
    const source = "Pol P auth=no\nL1:\n  Enf P\n  R ext.ECHO 1\n  J 1\n";
    expect(await lines(source)).toEqual(["ext.ECHO [1] = 1"]);
  });

  it.each([
    ['R ext.G "no" ->x', 'ext.G ["no"] ! no'],
    ["R ext.P ->x", "ext.P [] ! denied"],
    ["R ext.CRASH ->x", "ext.CRASH [] ! adapter ext failed"],
    ["R ext.ODD ->x", "ext.ODD [] ! the answer holds a number that is not finite, which is not a JSON value"],
    ["R ext.MISSING ->x", "ext.MISSING [] ! adapter ext has no verb MISSING"],
    ["R nosuch.GET ->x", "nosuch.GET [] ! adapter nosuch is not configured"],
    ["R core.DIV 1 0 ->x", "core.DIV [1,0] ! division by zero"],
    ["R core.NOPE ->x", "core.NOPE [] ! unknown core function NOPE"],
    ['X x sleep "soon"', 'core.SLEEP ["soon"] ! not a number: string'],
  ])("an ordinary failure: %s", async (step, call) => {
    verifies("replay.failures-recorded");
    const log = await recordOf(`L1:\n  ${step}\n  J 1\n`);
    expect(log.calls.map(callText)).toEqual([call]);
    expect(log.complete).toBe(false);
  });

  it("has the place, the attempt and the whole failure", async () => {
    const source =
      "L1:\n  Call L2\n  J 1\nL2:\n  R ext.WAITS 7 ->x\n  Retry @n1 1\n  Err @n1 ->L3\n  J 1\nL3:\n  J 2\n";
    const error = {
      message: "busy",
      adapter_code: "ADAPTER_BUSY",
      retryable: true,
      retry_after_ms: 7,
      details: { n: 1 },
    };
    const call = { label_id: "2", node_id: "n1", adapter: "ext", verb: "WAITS", args: [7], ok: false, error };
    const log = await recordOf(source);
    expect(log).toMatchObject({ format: "weft-record", version: 1, label: "1", complete: true });
    expect(log.program_checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(log.calls).toEqual([
      { seq: 0, attempt: 1, ...call },
      { seq: 1, attempt: 2, ...call },
    ]);
  });

  it("says the code of a failed operation", async () => {
    const [call] = await callsOf('L1:\n  R ext.G "no" ->x\n  J 1\n');
    expect(call?.error).toEqual({
      code: "RUNTIME_OP_ERROR",
      message: "no",
      cause_type: "value_error",
      retryable: true,
      retry_after_ms: null,
      details: null,
    });
  });

  it.each([
    ["refused by the allowlist", { allowedAdapters: ["core"] }],
    ["refused by the counter", { limits: { max_adapter_calls: 0 } }],
    ["cut off by the deadline", { limits: { max_time_ms: 5 } }],
  ])("leaves out a call %s", async (_title, asked) => {
    expect(await lines("L1:\n  R ext.SLOW 50 1 ->x\n  J 1\n", asked)).toEqual([]);
  });

  it("leaves out a sleep that cannot end in time", async () => {
    expect(await lines("L1:\n  X x sleep 50\n  J 1\n", { limits: { max_time_ms: 5 } })).toEqual([]);
  });

  it("keeps a call whose result broke the frame limit", async () => {
    const asked = { limits: { max_frame_bytes: 20 } };
    expect(await lines('L1:\n  R ext.ECHO "a long text, too long" ->x\n  J 1\n', asked)).toHaveLength(1);
  });

  it("holds copies, and texts as they are", async () => {
    verifies("replay.copies");
    const source = [
      "L1:",
      '  Set o {"token": "secret-1", "password": [1]}',
      "  R ext.ECHO o ->x",
      "  R ext.LATER o ->y",
      '  X o put o "token" "changed"',
      '  X x put x "token" "changed"',
      "  J x",
    ].join("\n");
    const held = '{"token":"secret-1","password":[1]}';
    expect(await lines(`${source}\n`)).toEqual([`ext.ECHO [${held}] = ${held}`, `ext.LATER [${held}] = ${held}`]);
  });

  it("holds every key as data", async () => {
    const frame = JSON.parse('{"o": {"__proto__": {"x": 1}, "constructor": 2}}');
    const log = await recordOf("L1:\n  R ext.ECHO o ->x\n  J x\n", { frame });
    expect(JSON.stringify(log.calls[0]?.args)).toBe('[{"__proto__":{"x":1},"constructor":2}]');
    expect(await run("L1:\n  R ext.ECHO o ->x\n  J x\n", { frame, replay: log })).toMatchObject({ ok: true });
  });

  it("has a hash for values that take no end to be written", async () => {
    const row = Array.from({ length: 40 }, () => "v").join(", ");
    const source = `L1:\n  X w range 100000\n  Set v [w, w, w]\n  R core.LEN [${row}] ->a\n  J a\n`;
    const log = await recordOf(source);
    expect(log.calls[0]).toMatchObject({ args_hash: expect.stringMatching(/^sha256:/), result: 40 });
    expect(await run(source, { replay: log })).toMatchObject({ ok: true, replay: { matched: 1, remaining: 0 } });
  });

  it("has a hash for values that nest too deeply to be written", async () => {
    const source =
      "L1:\n  Set n 0\n  While n < 600 ->L2 ->L3\nL2:\n  Set x [$x]\n  X n add n 1\nL3:\n  R core.LEN x ->a\n  R core.ARR x ->y\n  J a\n";
    const asked = { limits: { max_steps: 5000 } };
    const log = await recordOf(source, asked);
    expect(log.calls[0]).toMatchObject({ args_hash: expect.stringMatching(/^sha256:/), result: 1 });
    expect(log.calls[1]).toMatchObject({ result_hash: expect.stringMatching(/^sha256:/) });
    expect(await run(source, { ...asked, replay: log })).toMatchObject({
      ok: true,
      replay: { matched: 2, remaining: 0 },
    });
  });
});

describe("an answer", () => {
  it("has no record unless it was asked for", async () => {
    verifies("run.record_calls-off");
    const answer = await run("L1:\n  R ext.ECHO 1 ->x\n  J x\n");
    expect(Object.keys(answer)).not.toContain("record");
    expect(Object.keys(answer)).not.toContain("replay");
    expect(Object.keys(await run("L1:\n  J 1\n", { record: false }))).not.toContain("record");
  });

  it("has one for a run that failed, that was cut off, and that never began", async () => {
    const failed = await run("L1:\n  R ext.ECHO 1 ->x\n  R ext.P\n  J x\n", { record: true });
    expect(failed).toMatchObject({ ok: false, record: { complete: false, calls: [{ ok: true }, { ok: false }] } });
    const cut = await run("L1:\n  R ext.ECHO 1 ->x\n  J x\n", { record: true, limits: { max_steps: 1 } });
    expect(cut).toMatchObject({ ok: false, record: { complete: false, calls: [{ ok: true }] } });
    const ir = { ...irOf("L1:\n  J 1\n"), ir_version: "2.0" };
    const refused = await world().host.run({ ir, record: true, replay: [] });
    expect(refused).toMatchObject({
      error: { code: "RUNTIME_UNSUPPORTED_IR_VERSION" },
      record: { complete: false, calls: [] },
      replay: { matched: 0, remaining: 0 },
    });
  });

  it("stays the same with and without a record", async () => {
    const source = "L1:\n  R ext.OP 1 5 ->x\n  Retry @n1 2 10\n  X t uuid\n  J [x, t]\n";
    const { record: _record, ...recorded } = await run(source, { record: true });
    expect(recorded).toEqual(await run(source));
  });
});

describe("hash-only verbs", () => {
  const source = 'L1:\n  R ext.LOGIN "ann" "pa55" ->x\n  J x\n';
  const deps = { adapters: adapters({ ext: { LOGIN: () => "in" } }) };

  it("are recorded without their arguments and replayed by hash", async () => {
    const host = createHost({
      ...deps,
      catalog,
      clock: testClock(),
      facts: { uuid: () => "u", env: () => undefined },
      traceId: () => "t",
      hashOnly: (adapter, verb) => adapter === "ext" && verb === "LOGIN",
    });
    const first = await host.run({ ir: irOf(source), record: true });
    expect(JSON.stringify(first.record)).not.toContain("pa55");
    expect(first.record?.calls[0]?.args_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await host.run({ ir: irOf(source), replay: first.record })).toMatchObject({ ok: true, out: "in" });
    const other = irOf(source.replace("pa55", "pa56"));
    const answer = await host.run({ ir: other, replay: first.record });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_REPLAY_MISMATCH", data: { path: "/args_hash" } },
    });
    expect(JSON.stringify(answer)).not.toContain("pa56");
  });
});

describe("the ceiling of a log", () => {
  it("ends the log, and says how much is missing", () => {
    const recorder = new Recorder(() => false, 300);
    for (let i = 0; i < 5; i++) {
      recorder.begin({ adapter: "ext", verb: "a", args: [i], pure: false, label: "1", node: "n1", attempt: 1 });
      recorder.end({ ok: true, result: i });
    }
    const log = recorder.log("sha256:0", "1", true);
    expect(log.calls.length).toBeGreaterThan(0);
    expect(log).toMatchObject({ complete: false, dropped: 5 - log.calls.length });
  });
});

describe("private arguments", () => {
  it("are in a record only as their hash, by what the catalog says of the verb", async () => {
    const source = 'L1:\n  R auth.Validate "canary-token" ->v\n  J v\n';
    const live = adapters({ auth: { Validate: () => true } });
    const { record } = await runOnHost(source, { in: world({}), adapters: live, record: true, strict: false });
    expect(record?.calls).toMatchObject([
      { adapter: "auth", verb: "VALIDATE", args_hash: expect.stringMatching(/^sha256:/) },
    ]);
    expect(JSON.stringify(record)).not.toContain("canary-token");
    const replayed = await runOnHost(source, { in: world({}), replay: record, strict: false });
    expect(replayed).toMatchObject({ ok: true, out: true });
  });
});
