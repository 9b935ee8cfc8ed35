/** Tools of a real MCP server over standard input and output. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolsAdapter } from "../../../../adapters/builtin/tools/definition.ts";
import { schemaHash } from "../../../../adapters/builtin/tools/mcp-tool.ts";
import { createProcessService, type ProcessService } from "../../../../adapters/engine/process/service.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type BenchOptions, openBench } from "../../../support/adapter-bench.ts";
import { gone, pidIn } from "./processes.ts";
import { type ScriptFolder, scriptFolder } from "./scripts.ts";

const PIN = schemaHash({ type: "object", properties: { text: { type: "string" } } });

let scripts: ScriptFolder;
let processes: ProcessService;
beforeAll(async () => {
  scripts = await scriptFolder();
  processes = createProcessService({ environment: {} });
});
afterAll(async () => {
  await processes.close();
  await scripts.remove();
});

function open(tool: string, more: JsonObject = {}, log?: BenchOptions["log"]) {
  const argv = scripts.argv("mcp", join(scripts.path, tool));
  const declared = { kind: "mcp", argv, tool, schema_sha256: PIN, timeout_s: 60, ...more };
  const services = { processes } as BenchOptions["services"] & object;
  return openBench(toolsAdapter, {
    settings: { tools: { x: declared } },
    services,
    ...(log === undefined ? {} : { log }),
  });
}

describe("a tool of an MCP server", () => {
  it.each<readonly [string, readonly Json[], Json]>([
    ["upper", [{ text: "abc" }], "ABC"],
    ["upper", [], ""],
    ["structured", [{ text: "abc" }], { length: 3 }],
    ["typed", [{ text: "aaa" }], { text: "aaa" }],
  ])("%s %j answers", async (tool, args, result) => {
    expect(await (await open(tool)).call("x", ...args)).toEqual(result);
  });

  it.each<readonly [string, readonly Json[], JsonObject, string]>([
    ["fails", [], {}, "ADAPTER_TOOL_FAILED"],
    ["crash", [], {}, "ADAPTER_TOOL_FAILED"],
    ["missing", [], {}, "ADAPTER_TOOL_FAILED"],
    ["typed", [{ text: "b" }], {}, "ADAPTER_TOOL_FAILED"],
    // The schema that a server gives for its own answers must not block the caller.
    ["typed", [{ text: `${"a".repeat(60)}!` }], {}, "ADAPTER_TOOL_FAILED"],
    ["doubling", [{ text: "a" }], {}, "ADAPTER_TOOL_FAILED"],
    ["elsewhere", [{ text: "a" }], {}, "ADAPTER_TOOL_FAILED"],
    ["noise", [], {}, "ADAPTER_BAD_DATA"],
    ["big", [], { max_output_bytes: 100_000 }, "ADAPTER_TOO_LARGE"],
    ["upper", ["text"], {}, "ADAPTER_BAD_ARGS"],
    ["upper", [{}, {}], {}, "ADAPTER_BAD_ARGS"],
  ])("%s %j %j fails with %s", async (tool, args, more, code) => {
    expect(await (await open(tool, more)).code("x", ...args)).toBe(code);
  });

  it("that is another than the pinned one is refused, with the hash that it has", async () => {
    const bench = await open("upper", { schema_sha256: "0".repeat(64) });
    await expect(bench.call("x", {})).rejects.toMatchObject({
      code: "ADAPTER_TOOL_FAILED",
      data: { reason: "schema_changed", schema_sha256: PIN },
    });
  });

  it("ends with the run", async () => {
    const stop = new AbortController();
    const call = (await open("slow")).callUnder(stop.signal, "x");
    const failure = expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    const pid = await pidIn(join(scripts.path, "slow"));
    stop.abort();
    await failure;
    await gone(pid);
  });

  it("that does not start is not configured", async () => {
    const bench = await open("upper", { argv: ["/nowhere/server"] });
    expect(await bench.code("x")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("tells its words to the operator", async () => {
    const events: unknown[] = [];
    await (await open("upper", {}, (event, fields) => events.push([event, fields]))).call("x");
    expect(events).toEqual([["tool_stderr", { tool: "x", text: "started\n" }]]);
  });
});
