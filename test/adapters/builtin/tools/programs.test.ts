/** Tools that are programs: real child processes that are slow, noisy, endless, stubborn or wrong. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolsAdapter } from "../../../../adapters/builtin/tools/definition.ts";
import { createProcessService, type ProcessService } from "../../../../adapters/engine/process/service.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type BenchOptions, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { gone, pidIn, runs } from "./processes.ts";
import { type ScriptFolder, type ScriptName, scriptFolder } from "./scripts.ts";

const ENVIRONMENT = { TOOL_LANG: "C", TOOL_SECRET: "canary" };

let scripts: ScriptFolder;
let processes: ProcessService;
beforeAll(async () => {
  scripts = await scriptFolder();
  processes = createProcessService({ environment: ENVIRONMENT });
});
afterAll(async () => {
  await processes.close();
  await scripts.remove();
});

let files = 0;
function fresh(): string {
  files += 1;
  return join(scripts.path, `file-${files}`);
}

function declared(name: ScriptName, more: JsonObject = {}, ...args: readonly string[]): JsonObject {
  return { kind: "process", argv: scripts.argv(name, ...args), timeout_s: 60, ...more };
}

function open(tool: JsonObject, options: BenchOptions & { readonly service?: ProcessService } = {}) {
  const services = { processes: options.service ?? processes } as BenchOptions["services"] & object;
  return openBench(toolsAdapter, { ...options, services, settings: { tools: { x: tool }, ...options.settings } });
}

describe("a program", () => {
  it("gets its fixed arguments, the call's as JSON, and its folder", async () => {
    verifies("adapter.tools.external");
    const fixed = ["--stdin", "two words", "", "-rf", "$(id); `id` > x"];
    const args: Json[] = ["-x", "--help", "a b", "'\"\n\0", { a: [null] }];
    const bench = await open(declared("echo", { cwd: scripts.path }, ...fixed));
    expect(await bench.call("x", ...args)).toEqual({ args, argv: fixed, cwd: scripts.path });
  });

  it("sees the named variables alone", async () => {
    expect(await (await open(declared("env"))).call("x")).toEqual([]);
    expect(await (await open(declared("env", { env: ["TOOL_LANG", "TOOL_ABSENT"] }))).call("x")).toEqual(["TOOL_LANG"]);
  });

  it.each<readonly [ScriptName, JsonObject, Json]>([
    ["text", { output: "text" }, "plain text"],
    ["silent", { output: "text" }, ""],
    ["number", {}, 12],
    ["noisy", {}, 1],
    ["number", { result_schema: { type: "number" } }, 12],
  ])("%s %j gives its answer", async (name, more, result) => {
    expect(await (await open(declared(name, more))).call("x", "y".repeat(200_000))).toEqual(result);
  });

  it.each<readonly [ScriptName, JsonObject, string]>([
    ["bad_json", {}, "ADAPTER_BAD_DATA"],
    ["silent", {}, "ADAPTER_BAD_DATA"],
    ["binary", { output: "text" }, "ADAPTER_ENCODING"],
    ["number", { result_schema: { type: "string" } }, "ADAPTER_BAD_DATA"],
    ["number", { args_schema: { type: "array", maxItems: 0 } }, "ADAPTER_BAD_ARGS"],
    ["number", { args_schema: { items: { pattern: "(a)\\1" } } }, "ADAPTER_BAD_SETTINGS"],
    ["endless", { max_output_bytes: 100_000 }, "ADAPTER_TOO_LARGE"],
    ["fails", {}, "ADAPTER_TOOL_FAILED"],
    ["number", { cwd: "/nowhere" }, "ADAPTER_NOT_CONFIGURED"],
  ])("%s %j fails with %s", async (name, more, code) => {
    expect(await (await open(declared(name, more))).code("x", 1)).toBe(code);
  });

  it("names the place where a result does not fit, and the bound of what it wrote", async () => {
    const list = { properties: { args: { items: { type: "number" } } } };
    await expect((await open(declared("echo", { result_schema: list }))).call("x", "a")).rejects.toThrow(
      "the tool's result does not fit its result_schema: /args/0 must be number",
    );
    await expect((await open(declared("endless", { max_output_bytes: 100_000 }))).call("x")).rejects.toThrow(
      "the program wrote more than 100000 bytes (max_output_bytes of the tool)",
    );
  });

  it("of which a pattern speaks is not held up by any argument or result", async () => {
    const slow = { type: "string", pattern: "^(a+)+$" };
    const args = await open(declared("echo", { args_schema: { items: slow } }));
    expect(await args.code("x", `${"a".repeat(60)}!`)).toBe("ADAPTER_BAD_ARGS");
    expect(await args.call("x", "aaa")).toMatchObject({ args: ["aaa"] });
    const result_schema = { properties: { args: { items: slow } } };
    const result = await open(declared("echo", { result_schema }));
    expect(await result.code("x", `${"a".repeat(60)}!`)).toBe("ADAPTER_BAD_DATA");
  });

  it("that is not there is not configured", async () => {
    expect(await (await open({ kind: "process", argv: ["/nowhere/tool"] })).code("x")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("tells how it ended, and its words only to the operator", async () => {
    const events: unknown[] = [];
    const bench = await open(declared("fails"), { log: (event, fields) => events.push([event, fields]) });
    const failure = await bench.call("x").catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ data: { exit_code: 3, signal: null }, retryable: false });
    expect(JSON.stringify(failure)).not.toContain("a reason");
    expect(events).toEqual([["tool_stderr", { tool: "x", text: "a reason\n" }]]);
    await expect((await open(declared("killed", { retryable: true }))).call("x")).rejects.toMatchObject({
      data: { exit_code: null, signal: "SIGUSR2" },
      retryable: true,
    });
  });

  it("is started once per call", async () => {
    const file = fresh();
    const bench = await open(declared("count", {}, file));
    expect(await bench.code("x")).toBe("ADAPTER_TOOL_FAILED");
    expect(readFileSync(file, "utf8")).toBe("x");
  });

  it("is not started when the arguments do not fit", async () => {
    const file = fresh();
    const bench = await open(declared("count", { args_schema: { type: "array", maxItems: 0 } }, file));
    expect(await bench.code("x", 1)).toBe("ADAPTER_BAD_ARGS");
    expect(() => readFileSync(file)).toThrow("ENOENT");
  });
});

describe("the end of a program", () => {
  it("comes with its deadline", async () => {
    const file = fresh();
    // The shell starts at once, so it has said where it is long before its time is over.
    const argv = ["/bin/sh", "-c", 'echo $$ > "$0"; exec sleep 1000', file];
    const bench = await open({ kind: "process", argv, timeout_s: 1 });
    const failure = bench.call("x").catch((thrown: unknown) => thrown);
    expect(await failure).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: false, data: { outcome: "unknown" } });
    await gone(await pidIn(file));
  });

  it.each<readonly [JsonObject, boolean]>([
    [{ idempotent: true }, true],
    [{ effect: "io-read" }, true],
    [{ effect: "pure" }, true],
    [{ effect: "io-read", idempotent: false }, false],
    [{ effect: "io-write" }, false],
  ])("at its deadline may be repeated when the tool is declared as %j: %s", async (declares, retryable) => {
    const argv = ["/bin/sh", "-c", "exec sleep 1000"];
    const bench = await open({ kind: "process", argv, timeout_s: 0.05, ...declares });
    for (const call of [bench.call("x"), bench.call("Call", "x"), bench.call("invoke", "x")])
      await expect(call).rejects.toMatchObject({
        code: "ADAPTER_TIMEOUT",
        retryable,
        data: retryable ? null : { outcome: "unknown" },
      });
  });

  it("comes with the run's cancellation, at once for the run", async () => {
    const file = fresh();
    const stop = new AbortController();
    const call = (await open(declared("slow", {}, file))).callUnder(stop.signal, "x");
    const failure = expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    const pid = await pidIn(file);
    stop.abort();
    await failure;
    await gone(pid);
  });

  it("is made when asking did not help", async () => {
    const file = fresh();
    const stop = new AbortController();
    const call = (await open(declared("stubborn", {}, file))).callUnder(stop.signal, "x");
    const failure = expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    const pid = await pidIn(file);
    stop.abort();
    await failure;
    expect(await runs(pid)).toBe(true);
    await gone(pid);
  });

  it("also ends its remaining children", async () => {
    const file = fresh();
    expect(await (await open(declared("orphan", {}, file))).call("x")).toBe(7);
    await gone(await pidIn(file));
  });

  it("does not wait for what left its group", async () => {
    const file = fresh();
    expect(await (await open(declared("runaway", {}, file))).call("x")).toBe(8);
    const pid = await pidIn(file);
    expect(await runs(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("comes with that of the service", async () => {
    const service = createProcessService({ environment: {} });
    const file = fresh();
    const bench = await open(declared("stubborn", {}, file), { service });
    const call = bench.code("x");
    const pid = await pidIn(file);
    await service.close();
    expect(await runs(pid)).toBe(false);
    expect(await call).toBe("ADAPTER_TOOL_FAILED");
    expect(await bench.code("x")).toBe("ADAPTER_BUSY");
  });
});

describe("many programs", () => {
  it("wait for their turn", async () => {
    const service = createProcessService({ environment: {}, most: 2 });
    const bench = await open(declared("number", { timeout_s: 60 }), { service });
    expect(await Promise.all(Array.from({ length: 6 }, () => bench.call("x")))).toEqual([12, 12, 12, 12, 12, 12]);
    await service.close();
  });

  it("are refused when their time is over in the line", async () => {
    const service = createProcessService({ environment: {}, most: 1 });
    const file = fresh();
    const first = (await open(declared("slow", {}, file), { service })).code("x");
    await pidIn(file);
    expect(await (await open(declared("number", { timeout_s: 0.05 }), { service })).code("x")).toBe("ADAPTER_BUSY");
    await service.close();
    expect(await first).toBe("ADAPTER_TOOL_FAILED");
  });
});
