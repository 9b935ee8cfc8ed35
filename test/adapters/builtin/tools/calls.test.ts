/** What all kinds of tools have in common: who may call them, their arguments and results, functions and modules. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolsAdapter } from "../../../../adapters/builtin/tools/definition.ts";
import type { FunctionTools } from "../../../../adapters/definition/function-tools.ts";
import { adapterError } from "../../../../adapters/errors.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type BenchOptions, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type ScriptFolder, scriptFolder } from "./scripts.ts";

let scripts: ScriptFolder;
beforeAll(async () => {
  scripts = await scriptFolder();
});
afterAll(() => scripts.remove());

const runs = { inner: 0 };
const TWO_NUMBERS = { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], minItems: 2, maxItems: 2 };
const FUNCTIONS: FunctionTools = {
  add: { summary: "adds", effect: "pure", argsSchema: TWO_NUMBERS, run: ([a, b]) => Number(a) + Number(b) },
  dbl: { run: ([a]) => 2 * Number(a) },
  boom: {
    retryable: true,
    run() {
      throw new Error("canary");
    },
  },
  inner: {
    run() {
      runs.inner += 1;
      throw new TypeError("canary");
    },
  },
  later: { run: async () => "done" },
  endless: { timeoutMs: 20, run: () => new Promise(() => {}) },
  coded: {
    run() {
      throw adapterError("ADAPTER_RATE_LIMITED", "later", { retryAfterMs: 5 });
    },
  },
  odd: { resultSchema: { type: "number" }, run: () => "text" },
  nonempty: { argsSchema: { items: { minLength: 1 } }, run: () => 1 },
  page: { resultSchema: { not: { const: "" } }, run: ([size]) => "x".repeat(Number(size)) },
  cyclic: {
    resultSchema: { type: "object", additionalProperties: { $ref: "#" } },
    run() {
      const own: Record<string, unknown> = {};
      own["own"] = own;
      return own as JsonObject;
    },
  },
  elsewhere: { argsSchema: { items: { $dynamicRef: "#" } }, run: () => (runs.inner += 1) },
  broken: { argsSchema: { type: "nonsense" }, run: () => 1 },
};

function open(settings: JsonObject = {}, more: Readonly<Record<string, unknown>> = {}) {
  const services = { tools: FUNCTIONS, ...more } as BenchOptions["services"] & object;
  return openBench(toolsAdapter, { settings, services });
}

describe("a dry run", () => {
  const DRY = { dry_run: true };
  const declared = {
    reader: { kind: "builtin", name: "sum" },
    add: { kind: "builtin", name: "sum" },
    unwritten: { kind: "process", argv: ["/nonexistent"] },
    writer: { kind: "process", argv: ["/nonexistent"], effect: "io-write" },
    echo: { kind: "process", argv: ["/nonexistent"] },
  };
  const dry = (settings: JsonObject = {}, functions: FunctionTools = FUNCTIONS) =>
    openBench(toolsAdapter, {
      settings: { tools: declared, ...settings },
      services: { tools: functions },
      dryRun: true,
    });

  it.each<readonly [string, string, readonly Json[], Json]>([
    ["a built-in tool", "sum", [2, 3], 5],
    ["another name for one", "reader", [2, 3], 5],
    ["a function that is declared pure", "add", [2, 3], 5],
    ["a function that is declared nothing", "dbl", [2], DRY],
    ["a tool that is declared nothing", "unwritten", [], DRY],
    ["a tool that writes", "writer", [], DRY],
    ["a tool that hides a built-in one", "echo", [1], DRY],
    ["an undeclared tool", "nothing", [], DRY],
    ["a name of every object", "constructor", [], DRY],
  ])("%s: %s", async (_, name, args, expected) => {
    const bench = await dry();
    expect(await bench.call("Call", name, ...args)).toEqual(expected);
    expect(await bench.call("invoke", name, ...args)).toEqual(expected);
    expect(await bench.call(name, ...args)).toEqual(expected);
  });

  it.each([["pure"], ["io-read"]])("starts what is declared %s, and only what may be called", async (effect) => {
    const tools = { x: { kind: "module", file: scripts.file("module"), effect } };
    expect(await (await dry({ tools })).call("x", 2, 3)).toBe(5);
    expect(await (await dry({ tools, allow_tools: [] })).code("x", 2, 3)).toBe("ADAPTER_TOOL_BLOCKED");
  });

  it("says that nothing was written only when something would have been", async () => {
    const bench = await dry();
    await bench.call("Call", "sum", 1);
    expect(await bench.end()).toEqual([]);
    const other = await dry();
    await other.call("Call", "writer");
    expect(await other.end()).toEqual([expect.stringMatching(/^dry_run: /)]);
  });
});

describe("a call", () => {
  it.each<readonly [string, readonly Json[], Json]>([
    ["echo", [[1, { a: null }]], [1, { a: null }]],
    ["echo", [], null],
    ["echo", [1, 2], [1, 2]],
    ["sum", [2, 3.5], 5.5],
    ["sum", [], 0],
    ["join", ["-", ["a", 1, true]], "a-1-true"],
    ["add", [2, 3], 5],
    ["dbl", [4], 8],
    ["later", [], "done"],
  ])("%s %j gives %j, by its name and by Call and invoke", async (name, args, result) => {
    verifies("adapter.tools.external");
    const bench = await open();
    expect(await bench.call(name, ...args)).toEqual(result);
    expect(await bench.call("CALL", name, ...args)).toEqual(result);
    expect(await bench.call("invoke", name, ...args)).toEqual(result);
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["sum", [1, "2"], "ADAPTER_BAD_ARGS"],
    ["join", ["-"], "ADAPTER_BAD_ARGS"],
    ["add", [2], "ADAPTER_BAD_ARGS"],
    ["add", [2, 3, 4], "ADAPTER_BAD_ARGS"],
    ["boom", [], "ADAPTER_TOOL_FAILED"],
    ["coded", [], "ADAPTER_RATE_LIMITED"],
    ["endless", [], "ADAPTER_TIMEOUT"],
    ["odd", [], "ADAPTER_BAD_DATA"],
    ["broken", [], "ADAPTER_BAD_SETTINGS"],
    ["SUM", [1], "ADAPTER_TOOL_UNKNOWN"],
    ["ghost", [], "ADAPTER_TOOL_UNKNOWN"],
    ["__proto__", [], "ADAPTER_TOOL_UNKNOWN"],
    ["constructor", [], "ADAPTER_TOOL_UNKNOWN"],
  ])("%s %j fails with %s", async (name, args, code) => {
    expect(await (await open()).code(name, ...args)).toBe(code);
  });

  it("refuses arguments and results that would take too long to compare", async () => {
    const bench = await open();
    expect(await bench.call("nonempty", "x".repeat(1_000_000))).toBe(1);
    expect(await bench.code("nonempty", "x".repeat(11_000_000))).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.code("page", 11_000_000)).toBe("ADAPTER_TOO_LARGE");
    expect(await bench.code("cyclic")).toBe("ADAPTER_TOO_LARGE");
  });

  it("starts nothing with a schema that refers to more than its own definitions", async () => {
    const before = runs.inner;
    expect(await (await open()).code("elsewhere", 1)).toBe("ADAPTER_BAD_SETTINGS");
    expect(runs.inner).toBe(before);
  });

  it("says what is wrong with the arguments without their values", async () => {
    await expect((await open()).call("add", 1, "canary")).rejects.toMatchObject({
      message: "argument /1: expected number, got string",
      data: { issues: [{ path: "/1", expected: "number", got: "string" }] },
    });
  });

  it("says how many arguments fit", async () => {
    await expect((await open()).call("add", 1, 2, 3)).rejects.toMatchObject({
      message: "the arguments: expected not to have more than 2 items, got list",
    });
  });

  it("that fails is made once, and its words stay inside", async () => {
    const bench = await open();
    const failure = await bench.call("inner", "s").catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: "ADAPTER_TOOL_FAILED", retryable: false });
    expect((failure as Error).message).not.toContain("canary");
    expect(runs.inner).toBe(1);
    await expect(bench.call("boom")).rejects.toMatchObject({ retryable: true });
  });
});

describe("allow_tools", () => {
  it("is asked before anything else", async () => {
    verifies("settings.tools.allow_tools");
    const bench = await open({ allow_tools: ["add", "ghost"] });
    expect(await bench.call("add", 2, 3)).toBe(5);
    expect(await bench.code("dbl", 4)).toBe("ADAPTER_TOOL_BLOCKED");
    expect(await bench.code("unknown")).toBe("ADAPTER_TOOL_BLOCKED");
    expect(await bench.code("ghost")).toBe("ADAPTER_TOOL_UNKNOWN");
    expect(await (await open({ allow_tools: [] })).code("echo")).toBe("ADAPTER_TOOL_BLOCKED");
  });

  it("is what list tells", async () => {
    expect(await (await open({ allow_tools: ["dbl", "add"] })).call("list")).toEqual([
      { name: "add", summary: "adds", effect: "pure", args_schema: TWO_NUMBERS },
      { name: "dbl", summary: "", effect: "io-write", args_schema: null },
    ]);
    expect(await (await open({ allow_tools: [] })).call("list")).toEqual([]);
  });
});

describe("a declaration", () => {
  it.each<readonly [string, JsonObject]>([
    ["of no kind", { argv: ["/bin/true"] }],
    ["with a relative program", { kind: "process", argv: ["true"] }],
    ["without a program", { kind: "process", argv: [] }],
    ["with an unknown member", { kind: "process", argv: ["/bin/true"], shell: true }],
    ["of an MCP tool without a pin", { kind: "mcp", argv: ["/bin/true"], tool: "x" }],
    ["of a file address", { kind: "http", url: "file:///etc/passwd" }],
    ["with too much time", { kind: "process", argv: ["/bin/true"], timeout_s: 301 }],
  ])("%s is refused", async (_, declared) => {
    await expect(open({ tools: { x: declared } })).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });

  it("can give a built-in tool another name", async () => {
    expect(await (await open({ tools: { total: { kind: "builtin", name: "sum" } } })).call("total", 1, 2)).toBe(3);
  });
});

describe("a module", () => {
  const declared = (more: JsonObject = {}) => ({ x: { kind: "module", file: scripts.file("module"), ...more } });

  it("offers its default export, or another one", async () => {
    expect(await (await open({ tools: declared() })).call("x", 2, 3)).toBe(5);
    expect(await (await open({ tools: declared({ export: "boom" }) })).code("x")).toBe("ADAPTER_TOOL_FAILED");
  });

  it.each([
    ["exports nothing of the name", { export: "other" }],
    ["exports something else", { export: "nothing" }],
    ["is not there", { file: "/nowhere/module.mjs" }],
    ["is not the pinned one", { sha256: "0".repeat(64) }],
  ])("that %s is not configured", async (_, more) => {
    expect(await (await open({ tools: declared(more) })).code("x")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("with the pinned content is loaded", async () => {
    const sha256 = createHash("sha256")
      .update(readFileSync(scripts.file("module")))
      .digest("hex");
    expect(await (await open({ tools: declared({ sha256 }) })).call("x", 2, 3)).toBe(5);
  });
});

describe("an HTTP tool", () => {
  it("needs the service of the host", async () => {
    const bench = await open({ tools: { x: { kind: "http", url: "http://127.0.0.1/" } } });
    await expect(bench.call("x")).rejects.toMatchObject({
      code: "ADAPTER_NOT_CONFIGURED",
      message: "HTTP tools need the http service of the host",
      data: { service: "http" },
    });
  });

  it("sends its arguments and takes the answer", async () => {
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      response.writeHead(request.url === "/ok" ? 200 : 500, { "content-type": "application/json" });
      response.end(JSON.stringify({ method: request.method, sent: JSON.parse(text) }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tools = { ok: { kind: "http", url: `${base}/ok`, method: "PUT" }, bad: { kind: "http", url: `${base}/bad` } };
    const http = createHttpService();
    try {
      const bench = await open({ tools }, { http });
      expect(await bench.call("ok", 1, "a")).toEqual({ method: "PUT", sent: { args: [1, "a"] } });
      await expect(bench.call("bad")).rejects.toMatchObject({ code: "ADAPTER_TOOL_FAILED", data: { status: 500 } });
    } finally {
      await http.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
