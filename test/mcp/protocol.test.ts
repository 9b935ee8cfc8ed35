/** The protocol layer: versions, lines that are not messages, cancelling, progress, concurrency, and the end of the input. */
import { describe, expect, it } from "vitest";
import type { CallContext, McpHandlers } from "../../mcp/tool/sdk.ts";
import { readPage } from "../docs/page.ts";
import { verifies } from "../support/requirements.ts";
import { converse, INITIALIZE, type Message } from "./conversation.ts";
import { HELLO, openServer } from "./opened.ts";

/** Handlers whose one tool does what the test says. */
function handlers(callTool: McpHandlers["callTool"]): McpHandlers {
  return {
    info: { name: "test", version: "1" },
    instructions: "",
    listTools: () => [],
    callTool,
    listResources: () => [],
    readResource: async () => ({ mimeType: "text/plain", text: "" }),
  };
}
const started = async () => {
  const { handlers: real } = await openServer();
  return converse(real);
};

describe("the beginning", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("speaks version %s", async (protocolVersion) => {
    verifies("service.mcp-stdio-only", "auth.mcp-none");
    const talk = await started();
    const { result } = await talk.ask("initialize", { ...INITIALIZE.params, protocolVersion });
    expect(result).toMatchObject({
      protocolVersion,
      serverInfo: { name: "weft", version: "1.0.0" },
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: false } },
    });
    expect(Object.keys(result.capabilities)).toEqual(["tools", "resources"]);
    expect(result.instructions).toContain("Programs are Python");
  });

  it("offers the newest version for an unknown one", async () => {
    const talk = await started();
    const { result } = await talk.ask("initialize", { ...INITIALIZE.params, protocolVersion: "1999-01-01" });
    expect(result.protocolVersion).toBe("2025-11-25");
  });

  it("leads a client of 2026-07-28, which has no handshake, back to one that the server has", async () => {
    const { handlers: real } = await openServer();
    const talk = await converse(real);
    const version = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    talk.send({ jsonrpc: "2.0", id: "look", method: "server/discover", params: { _meta: version } });
    // This code alone says to every such client that the server is an older one.
    expect((await talk.answerTo("look")).error?.code).toBe(-32_601);
    const { result } = await talk.ask("initialize", { ...INITIALIZE.params, protocolVersion: "2026-07-28" });
    expect(result.protocolVersion).toBe("2025-11-25");
    expect(readPage("mcp.md").text).toContain("`server/discover` is answered with -32601");
  });

  it.each([
    ["_meta that is not an object", { params: { _meta: 5 } }],
    ["an invalid progress token", { params: { _meta: { progressToken: {} } } }],
    ["a member of its own", { more: 1 }],
  ])("answers a request with %s", async (_what, members) => {
    const talk = await started();
    talk.send({ jsonrpc: "2.0", id: "odd", method: "ping", ...members });
    expect((await talk.answerTo("odd")).error?.code).toBe(-32_602);
    expect((await talk.ask("ping")).result).toEqual({});
  });

  it("answers pings and lists, and nothing that it does not have", async () => {
    const talk = await started();
    expect((await talk.ask("ping")).result).toEqual({});
    expect((await talk.ask("tools/list")).result.tools).toHaveLength(9);
    expect((await talk.ask("resources/list")).result.resources[0]).toEqual({
      uri: "wf://adapter-manifest",
      name: "Adapter manifest",
      description: expect.any(String),
      mimeType: "application/json",
      annotations: { audience: ["assistant"], priority: 0.5 },
    });
    expect((await talk.ask("resources/templates/list")).result).toEqual({ resourceTemplates: [] });
    const none = await talk.ask("tools/call", { name: "wf_list_ecosystem", arguments: null });
    expect(none.result).toMatchObject({ isError: false, structuredContent: { workflow_presets: expect.any(Array) } });
    for (const method of ["prompts/list", "logging/setLevel", "completion/complete", "nonsense", ""])
      expect((await talk.ask(method)).error).toEqual({ code: -32_601, message: "Method not found" });
  });
});

const request = (members: object): string => JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping", ...members });
const ABUSE: readonly (readonly [string, string | Buffer, number, number | null])[] = [
  ["no JSON", "{oops", -32_700, null],
  ["half a message", '{"jsonrpc":"2.0",', -32_700, null],
  ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), -32_700, null],
  ["a batch", `[${request({})}]`, -32_600, null],
  ["a number", "7", -32_600, null],
  ["null", "null", -32_600, null],
  ["another version", request({ jsonrpc: "1.0" }), -32_600, 7],
  ["a method that is not a string", request({ method: 3 }), -32_600, 7],
  ["no method", '{"jsonrpc":"2.0","id":7}', -32_600, 7],
  ["an id that is null", request({ id: null }), -32_600, null],
  ["an id that is an object", request({ id: {} }), -32_600, null],
  ["an id with a fraction", request({ id: 1.5 }), -32_600, null],
  ["params that are a list", request({ params: [1] }), -32_602, 7],
  ["params that are text", request({ params: "x" }), -32_602, 7],
  ["a call without name", request({ method: "tools/call", params: {} }), -32_602, 7],
  [
    "a call with a list of arguments",
    request({ method: "tools/call", params: { name: "wf_run", arguments: [] } }),
    -32_602,
    7,
  ],
  ["a call without params", request({ method: "tools/call" }), -32_602, 7],
  ["an unknown tool", request({ method: "tools/call", params: { name: "wf_x" } }), -32_602, 7],
  ["a beginning without version", request({ method: "initialize", params: {} }), -32_602, 7],
  ["a resource without uri", request({ method: "resources/read", params: {} }), -32_602, 7],
  ["an unknown resource", request({ method: "resources/read", params: { uri: "file:///etc/passwd" } }), -32_002, 7],
];

describe("an invalid line", () => {
  it.each(ABUSE)("%s is answered, and the session continues", async (_name, line, code, id) => {
    const talk = await started();
    talk.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
    const answer = await talk.nth(0);
    expect([answer.error?.code, answer.id]).toEqual([code, id]);
    expect((await talk.ask("ping")).result).toEqual({});
    expect(talk.messages).toHaveLength(2);
  });

  it.each(["", "   ", "\r", '{"jsonrpc":"2.0","id":9,"result":{}}', '{"jsonrpc":"2.0","method":"notifications/x"}'])(
    "%j is answered by nothing",
    async (line) => {
      const talk = await started();
      talk.write(`${line}\n`);
      await talk.ask("ping");
      expect(talk.messages).toHaveLength(1);
    },
  );

  it("that is longer than allowed is skipped, however it arrives", async () => {
    const talk = await started();
    const piece = Buffer.alloc(64 * 1024, 0x78);
    for (let bytes = 0; bytes < 9 * 1024 * 1024; bytes += piece.length) talk.write(piece);
    const answer = await talk.nth(0);
    expect(answer).toMatchObject({ id: null, error: { code: -32_600 } });
    talk.write(`"}\n${request({ id: 8 })}\n`);
    expect((await talk.answerTo(8)).result).toEqual({});
    expect(talk.messages).toHaveLength(2);
  });

  it("of exactly the allowed length is read", async () => {
    const talk = await converse(
      handlers(async () => ({ payload: {}, isError: false })),
      1024,
    );
    talk.write(`${request({}).padEnd(1024)}\n`);
    expect((await talk.answerTo(7)).result).toEqual({});
    talk.write(`${request({ id: 8 }).padEnd(1025)}\n`);
    expect((await talk.answerTo(null)).error?.code).toBe(-32_600);
  });

  it("comes in pieces, or many at once", async () => {
    const talk = await started();
    for (const byte of Buffer.from(`${request({ id: "ü" })}\r\n`)) talk.write(Buffer.from([byte]));
    expect((await talk.answerTo("ü")).result).toEqual({});
    talk.write(Array.from({ length: 100 }, (_, id) => `${request({ id: id + 100 })}\n`).join(""));
    await talk.answerTo(199);
    expect(talk.messages).toHaveLength(101);
  });

  it("ten thousand notifications do no harm", async () => {
    const talk = await started();
    talk.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}\n'.repeat(10_000));
    expect((await talk.ask("ping")).result).toEqual({});
    expect(talk.messages).toHaveLength(1);
  });
});

describe("a call", () => {
  it("returns its payload twice, and the trace id next to it", async () => {
    const talk = await started();
    const { result } = await talk.ask("tools/call", { name: "wf_run", arguments: { code: HELLO } });
    expect(result.structuredContent.out).toBe(5);
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
    expect(result._meta).toEqual({ trace_id: result.structuredContent.trace_id });
    expect(result.isError).toBe(false);
  });

  it("that is cancelled is not answered; cancelling twice, late or for nothing does no harm", async () => {
    const signals: AbortSignal[] = [];
    const talk = await converse(
      handlers((_name, _args, { signal }) => {
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }),
    );
    const cancel = (requestId: unknown) =>
      talk.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    talk.send({ jsonrpc: "2.0", id: 41, method: "tools/call", params: { name: "x" } });
    await talk.ask("ping");
    expect(signals[0]?.aborted).toBe(false);
    for (const id of [41, 41, 99, "41", null, {}]) cancel(id);
    await talk.ask("ping");
    expect(signals[0]?.aborted).toBe(true);
    cancel(41);
    await talk.ask("ping");
    expect(talk.messages.filter(({ id }) => id === 41)).toEqual([]);
    expect(talk.messages).toHaveLength(3);
  });

  it("reports progress only on request", async () => {
    const tell = async (_name: string, _args: object, { progress }: CallContext) => {
      progress?.({ progress: 1, total: 2, message: "half" });
      return { payload: { asked: progress !== null }, isError: false };
    };
    const talk = await converse(handlers(tell));
    const silent = await talk.ask("tools/call", { name: "x" });
    expect(silent.result.structuredContent).toEqual({ asked: false });
    const told = await talk.ask("tools/call", { name: "x", _meta: { progressToken: "p" } });
    expect(told.result.structuredContent).toEqual({ asked: true });
    expect(talk.messages.filter(({ method }) => method === "notifications/progress")).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "p", progress: 1, total: 2, message: "half" },
      },
    ]);
  });
});

describe("many calls", () => {
  it("run eight at once, sixty-four wait, and one more is refused as retryable", async () => {
    const opened = await openServer();
    const args = { code: "L1:\n  R core.SLEEP 200000 ->x\n  J x\n" };
    const controllers = Array.from({ length: 72 }, () => new AbortController());
    const calls = controllers.map(({ signal }) => opened.call("wf_run", args, { signal }));
    const { payload, isError } = await opened.call("wf_run", args);
    expect([isError, payload.error]).toEqual([true, "server_busy"]);
    for (const controller of controllers.toReversed()) controller.abort();
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    expect((await opened.call("wf_run", { code: HELLO })).payload.out).toBe(5);
  });

  it("continue while others wait, in any order", async () => {
    const opened = await openServer({ variables: { WF_MCP_MAX_CONCURRENCY: "2" } });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => opened.call("wf_run", { code: `L1:\n  X m add ${n} 1\n  J m\n` })),
    );
    expect(results.map(({ payload }) => payload.out)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it("do not block pings while they compute", async () => {
    const { handlers: real } = await openServer();
    const talk = await converse(real);
    const code = "L1:\n  While true ->L2 ->L3 limit=1000000000\nL2:\n  Set x 1\n  J null\nL3:\n  J x\n";
    for (let id = 1000; id < 1008; id++)
      talk.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wf_run", arguments: { code } } });
    let pings = 0;
    const running = (): boolean => !talk.messages.some(({ id }) => typeof id === "number" && id >= 1000);
    while (running()) {
      await talk.ask("ping");
      pings += 1;
    }
    expect(pings).toBeGreaterThan(10);
    await talk.answerTo(1007);
  });
});

describe("the end of the input", () => {
  it("is noticed, also in the middle of a line, and ends what runs", async () => {
    let aborted = false;
    const talk = await converse(
      handlers(
        (_name, _args, { signal }) =>
          new Promise((_, reject) =>
            signal.addEventListener("abort", () => {
              aborted = true;
              reject(signal.reason);
            }),
          ),
      ),
    );
    talk.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
    await talk.ask("ping");
    talk.write('{"jsonrpc":"2.0","id":2,');
    talk.end();
    await talk.server.ended;
    await talk.server.close();
    expect(aborted).toBe(true);
    await talk.server.idle();
    expect(talk.messages.filter(({ id }: Message) => id === 2)).toEqual([]);
  });

  it("lets answers under way go out first", async () => {
    const { handlers: real } = await openServer();
    const talk = await converse(real);
    talk.send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "wf_run", arguments: { code: HELLO } } });
    talk.end();
    await talk.server.ended;
    await talk.server.idle();
    expect((await talk.answerTo(5)).result.structuredContent.out).toBe(5);
  });
});
