/** Which logs a replay takes, and what it says of the others (docs/replay.md, accepted logs). */
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { ReplayLogInvalid, readReplayLog } from "../../vm/recording/replay-log.ts";
import { verifies } from "../support/requirements.ts";
import { irOf, world } from "../support/world.ts";
import { entry, errorOf, logOf, recordOf, run } from "./running.ts";

const ECHO = "L1:\n  R ext.ECHO 1 ->x\n  J x\n";
const NONE = "L1:\n  R ext.NEXT ->x\n  J x\n";

describe("accepted", () => {
  const call = { adapter: "ext", target: "ECHO", args: [1], result: 2 };

  it.each<[string, Json]>([
    ["a record", logOf([entry("ext", "ECHO", [1], 2)])],
    [
      "a record with more members",
      logOf([{ ...entry("ext", "ECHO", [1], 2), duration_ms: 3 }], { sensitive: true, x: 1 }),
    ],
    ["an object with calls", { calls: [call] }],
    ["a list of calls", [call]],
    ["a list with verb", [{ adapter: "ext", verb: "echo", args: [1], result: 2 }]],
    ["a list with ok", [{ ...call, ok: true }]],
    ["a list with an empty error", [{ ...call, error: null }]],
  ])("%s", async (_title, replay) => {
    verifies("run.replay_log-array", "run.replay_log-object");
    expect(await run(ECHO, { replay })).toMatchObject({ out: 2, replay: { matched: 1, remaining: 0 } });
  });

  it("the calls of a record alone", async () => {
    verifies("run.record_calls-on", "run.replay_log-array");
    const { calls } = await recordOf(ECHO);
    expect(await run(ECHO, { replay: calls })).toMatchObject({ out: 1, replay: { matched: 1, remaining: 0 } });
    expect(await run(ECHO, { replay: { calls } })).toMatchObject({ out: 1, replay: { matched: 1, remaining: 0 } });
  });

  it("leftovers in the short forms, unless they say otherwise", async () => {
    const calls = [call, call];
    expect(await run(ECHO, { replay: calls })).toMatchObject({ out: 2, replay: { matched: 1, remaining: 1 } });
    expect(await run(ECHO, { replay: { calls } })).toMatchObject({ out: 2, replay: { matched: 1, remaining: 1 } });
    const error = await errorOf(ECHO, { replay: { calls, partial: false } });
    expect(error.code).toBe("RUNTIME_REPLAY_LEFTOVER");
  });

  it("an empty text for no arguments, in the short forms only", async () => {
    const none = { adapter: "ext", verb: "NEXT", args: [""], result: 7 };
    expect(await run(NONE, { replay: [none] })).toMatchObject({ out: 7 });
    expect((await errorOf(NONE, { replay: logOf([entry("ext", "NEXT", [""], 7)]) })).data["path"]).toBe("/args/0");
    const clock = [{ adapter: "core", target: "NOW", args: [""], result: 9 }];
    expect(await run("L1:\n  X x now\n  J x\n", { replay: clock })).toMatchObject({ out: 9 });
  });

  it.each<[string, Json, string]>([
    ["with ok false", { ok: false, error: { message: "down", adapter_code: "ADAPTER_BUSY" } }, "ADAPTER_BUSY"],
    ["without ok", { error: { message: "down" } }, "ADAPTER_FAILED"],
    ["as a text", { error: "down" }, "ADAPTER_FAILED"],
  ])("a failure in the short forms %s", async (_title, answer, adapter_code) => {
    const replay = [{ adapter: "ext", verb: "ECHO", args: [1], ...(answer as object) }];
    expect(await errorOf(ECHO, { replay })).toMatchObject({
      code: "RUNTIME_ADAPTER_ERROR",
      message: "down",
      data: { adapter: "ext", verb: "ECHO", adapter_code, retryable: true },
    });
  });

  it("arguments as a hash, with and without its name", async () => {
    const { args: _args, ...call } = entry("ext", "ECHO", [1], 2) as Record<string, Json>;
    // SHA-256 of the text [1]
    const hash = "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22";
    for (const args_hash of [hash, `sha256:${hash}`]) {
      expect(await run(ECHO, { replay: logOf([{ ...call, args_hash }]) })).toMatchObject({ out: 2 });
    }
    const error = await errorOf(ECHO, { replay: logOf([{ ...call, args_hash: "0".repeat(64) }]) });
    expect(error.data).toMatchObject({ path: "/args_hash", expected: { args_hash: `sha256:${"0".repeat(64)}` } });
  });
});

const deep = (): Json => {
  let value: Json = 0;
  for (let i = 0; i < 600; i++) value = [value];
  return value;
};

describe("refused", () => {
  const good = entry("ext", "ECHO", [1], 2);
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const failing = (error: unknown) => ({ ...without("result"), ok: false, error });
  const badError = { message: "m", adapter_code: "A", retryable: true, retry_after_ms: null, details: null };

  it.each<[string, unknown, string, string]>([
    ["a text", "[]", "", "must be a record, an object with calls, or a list of calls"],
    ["null", null, "", "must be a record, an object with calls, or a list of calls"],
    ["a number", 1, "", "must be a record, an object with calls, or a list of calls"],
    ["an object without calls", {}, "/calls", "must be a list of calls"],
    ["calls that are not a list", { calls: {} }, "/calls", "must be a list of calls"],
    ["inherited calls", Object.create({ calls: [] }), "/calls", "must be a list of calls"],
    ["another format", { format: "other", calls: [] }, "/format", 'must be "weft-record"'],
    ["another version", { format: "weft-record", version: 3, calls: [] }, "/version", "must be 1 or 2"],
    ["partial that is not a boolean", { calls: [], partial: 1 }, "/partial", "must be true or false"],
    ["a checksum that is not a string", { calls: [], program_checksum: 1 }, "/program_checksum", "must be a text"],
    ["a call that is not an object", [1], "/0", "must be an object"],
    ["no adapter", logOf([without("adapter")]), "/calls/0/adapter", "must be a text"],
    ["no verb", logOf([good, without("verb")]), "/calls/1/verb", "must be a text"],
    ["target in a record", logOf([{ ...without("verb"), target: "ECHO" }]), "/calls/0/verb", "must be a text"],
    ["no args", [without("args")], "/0/args", "must be a list"],
    ["args that are not a list", [{ ...good, args: 1 }], "/0/args", "must be a list"],
    ["an invalid hash", [{ ...without("args"), args_hash: "x" }], "/0/args_hash", "must be a SHA-256 in hex"],
    ["no ok", logOf([without("ok")]), "/calls/0/ok", "must be true or false"],
    ["no result", logOf([without("result")]), "/calls/0/result", "is missing"],
    ["a failure without error", logOf([{ ...without("result"), ok: false }]), "/calls/0/error", "must be an object"],
    ["an error without message", logOf([failing({}) as Json]), "/calls/0/error/message", "must be a text"],
    [
      "an error without adapter_code",
      logOf([failing({ message: "m" }) as Json]),
      "/calls/0/error/adapter_code",
      "is missing",
    ],
    [
      "an error of a fatal code",
      [failing({ message: "m", code: "RUNTIME_MAX_STEPS" })],
      "/0/error/code",
      "must be RUNTIME_OP_ERROR or RUNTIME_ADAPTER_ERROR",
    ],
    [
      "retryable that is not a boolean",
      [failing({ ...badError, retryable: "yes" })],
      "/0/error/retryable",
      "must be true or false",
    ],
    [
      "a wait that is not a number",
      [failing({ ...badError, retry_after_ms: "1" })],
      "/0/error/retry_after_ms",
      "must be a number of milliseconds or null",
    ],
    ["a number out of range", [{ ...good, result: Number.POSITIVE_INFINITY }], "/0/result", "number out of range"],
    ["a value nested too deeply", [{ ...good, args: [0, deep()] }], "/0/args/1", "value nested too deeply"],
    [
      "a hashed result of a real call",
      [{ ...without("result"), result_hash: "0".repeat(64) }],
      "/0/result_hash",
      "only results of pure core calls may be hashed",
    ],
  ])("%s", async (_title, log, path, expected) => {
    expect(() => readReplayLog(log)).toThrow(expect.objectContaining({ name: "ReplayLogInvalid", path, expected }));
    await expect(world().host.run({ ir: irOf("L1:\n  J 1\n"), replay: log })).rejects.toBeInstanceOf(ReplayLogInvalid);
  });

  it("says where and what in one sentence", () => {
    expect(() => readReplayLog([1])).toThrow("replay log /0: must be an object");
    expect(() => readReplayLog(1)).toThrow("replay log: must be a record, an object with calls, or a list of calls");
  });
});
