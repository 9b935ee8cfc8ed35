/** What the clients make of a server that misbehaves: what is sent again and what is not, streams that are cut, and errors by code. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WeftClient, WeftError } from "../../client.ts";
import { type WebServer, webServer } from "../adapters/builtin/http/servers.ts";
import { PYTHON, python } from "./python.ts";

type Answer = (response: ServerResponse) => void;

let answers: Answer[] = [];
let server: WebServer;
beforeEach(async () => {
  server = await webServer((_request, response) => {
    const [answer] = answers;
    if (answers.length > 1) answers.shift();
    answer?.(response);
  });
});
afterEach(() => server.close());

const json =
  (body: object, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const refused = (error: string, status: number, headers: Record<string, string> = {}): Answer =>
  json(
    { ok: false, trace_id: "t", error, message: "no", issues: [{ path: "/code", code: "c", message: "m" }] },
    status,
    headers,
  );
const dropped: Answer = (response) => void response.destroy();
const text =
  (body: string, more: { readonly status?: number; readonly cut?: true; readonly type?: string } = {}): Answer =>
  (response) => {
    const { status = 200, type = "text/plain", cut } = more;
    response.writeHead(status, { "content-type": type });
    if (cut === undefined) response.end(body);
    else response.write(body, () => setTimeout(() => response.destroy(), 20));
  };
const half: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"ok": tr', () => setTimeout(() => response.destroy(), 20));
};
const hangs: Answer = () => {};
const OK = json({ ok: true, out: 42 });
const line = (index: number): string => `${JSON.stringify({ index, ok: true, out: index })}\n`;
const SUMMARY = `${JSON.stringify({ summary: true, ok: true, count: 3 })}\n`;
const event = (id: number, kind: string): string => `id: ${id}\nevent: ${kind}\ndata: {"status": "running"}\n\n`;

type Outcome = {
  readonly result?: unknown;
  readonly code?: string;
  readonly requests: number;
  readonly waits?: readonly number[];
};
type Case = readonly [what: string, scenario: string, answers: readonly Answer[], outcome: Outcome];

const CASES: readonly Case[] = [
  ["an answer", "run", [OK], { result: 42, requests: 1, waits: [] }],
  [
    "a busy service that says when",
    "run",
    [refused("server_busy", 503, { "retry-after": "2" }), OK],
    { result: 42, requests: 2, waits: [2] },
  ],
  [
    "a busy service that stays busy",
    "run",
    [refused("server_busy", 503)],
    { code: "server_busy", requests: 3, waits: [0.25, 0.5] },
  ],
  ["a defect that passes", "run", [refused("internal_error", 500), OK], { result: 42, requests: 2 }],
  [
    "a defect that stays is asked once more",
    "run",
    [refused("internal_error", 500)],
    { code: "internal_error", requests: 2 },
  ],
  ["a request that is wrong", "run", [refused("invalid_request", 400)], { code: "invalid_request", requests: 1 }],
  ["a connection that breaks before the answer", "run", [dropped, OK], { result: 42, requests: 2 }],
  ["a connection that breaks within the answer", "run", [half, OK], { result: 42, requests: 2 }],
  ["a proxy without a service", "run", [text("<html>", { status: 502 }), OK], { result: 42, requests: 2 }],
  ["a page in place of JSON", "run", [text("<html>")], { code: "bad_answer", requests: 1 }],
  ["a refusal of something else", "run", [text("no", { status: 418 })], { code: "bad_answer", requests: 1 }],
  [
    "what must not be sent twice",
    "remove",
    [dropped, json({ ok: true, name: "x" })],
    { code: "unreachable", requests: 1 },
  ],
  [
    "what must not be sent twice, refused before it began",
    "remove",
    [refused("draining", 503), json({ ok: true, name: "x" })],
    { result: "x", requests: 2 },
  ],
  ["a batch", "batch", [text(line(0) + line(2) + line(1) + SUMMARY)], { result: [0, 2, 1], requests: 1 }],
  ["a batch that is cut off", "batch", [text(line(0), { cut: true })], { result: ["stream_cut", [0]], requests: 1 }],
  [
    "a batch that is cut off within a line",
    "batch",
    [text(`${line(0)}{"ind`)],
    { result: ["stream_cut", [0]], requests: 1 },
  ],
  ["a batch without a last line", "batch", [text(line(0) + line(1))], { result: ["stream_cut", [0, 1]], requests: 1 }],
  [
    "a batch that the service ended",
    "batch",
    [text(`${line(0)}${JSON.stringify({ summary: true, ok: false, error: "draining", message: "m" })}\n`)],
    { result: ["draining", [0]], requests: 1 },
  ],
  [
    "a batch that is cut off, and may be repeated",
    "repeated batch",
    [text(line(1), { cut: true }), dropped, text(line(1) + line(0) + SUMMARY)],
    { result: [1, 2, 0], requests: 3 },
  ],
  [
    "events that are cut off continue after the last",
    "events",
    [
      text(`: hello\n\n${event(1, "status")}${event(2, "progress")}`, { cut: true, type: "text/event-stream" }),
      text(event(3, "end"), { type: "text/event-stream" }),
    ],
    { result: ["status", "progress", "end"], requests: 2 },
  ],
  [
    "events of a job that is over",
    "events",
    [(response) => void response.writeHead(204).end()],
    { result: [], requests: 1 },
  ],
  ["events that never come", "events", [text("", { type: "text/event-stream" })], { code: "stream_cut", requests: 6 }],
];

/** What the TypeScript client does under a name that faults.py knows, too. */
const SCENARIOS: Readonly<Record<string, (weft: WeftClient) => Promise<unknown>>> = {
  run: async (weft) => ((await weft.run({ code: "x" })) as { readonly out: unknown }).out,
  remove: async (weft) => (await weft.removeProgram("x")).name,
  batch: async (weft) => {
    const seen: number[] = [];
    try {
      for await (const { index } of weft.batch({ code: "x" }, FRAMES)) seen.push(index);
    } catch (thrown) {
      if (thrown instanceof WeftError) return [thrown.code, seen];
      throw thrown;
    }
    return seen;
  },
  "repeated batch": async (weft) => {
    const seen: number[] = [];
    for await (const { index } of weft.batch({ code: "x" }, FRAMES, { repeatCut: true })) seen.push(index);
    return seen;
  },
  events: async (weft) => {
    const seen: string[] = [];
    for await (const one of weft.events("x")) seen.push(one.event);
    return seen;
  },
};
const FRAMES = [{ n: 0 }, { n: 1 }, { n: 2 }];

describe("the TypeScript client", () => {
  it.each(CASES)("meets %s", async (_what, scenario, given, { requests, ...expected }) => {
    answers = [...given];
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => void waits.push(ms / 1000);
    const weft = new WeftClient({ server: server.base, sleep, random: () => 1, retries: 2 });
    const found = await SCENARIOS[scenario]?.(weft).then(
      (result) => ({ result, waits }),
      (thrown: unknown) => {
        if (!(thrown instanceof WeftError)) throw thrown;
        return { code: thrown.code, waits };
      },
    );
    expect(found).toMatchObject(expected);
    expect(server.requests).toHaveLength(requests);
    checkRequests();
  });

  it("gives the places that are wrong, and the trace", async () => {
    answers = [refused("invalid_request", 400)];
    const thrown = await new WeftClient({ server: server.base }).run({ code: "x" }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ status: 400, traceId: "t", issues: [{ path: "/code" }] });
  });

  it("ends at once when its caller gives up, and closes the connection", async () => {
    let closed = false;
    answers = [(response) => void response.on("close", () => (closed = true))];
    const controller = new AbortController();
    const asked = new WeftClient({ server: server.base }).run({ code: "x" }, { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await expect.poll(() => closed).toBe(true);
  });

  it("gives up on an answer that does not begin in time", async () => {
    answers = [hangs];
    const weft = new WeftClient({ server: server.base, timeoutMs: 30, retries: 0 });
    await expect(weft.run({ code: "x" })).rejects.toMatchObject({ code: "unreachable" });
  });

  it("says that nothing answers", async () => {
    const { base } = server;
    await server.close();
    const weft = new WeftClient({ server: base, sleep: async () => {} });
    await expect(weft.run({ code: "x" })).rejects.toMatchObject({ code: "unreachable", status: null });
    expect(() => new WeftClient({ server: "ftp://x.example" })).toThrow(TypeError);
  });
});

describe.skipIf(!PYTHON)("the Python client", () => {
  it.each(CASES)("meets %s", async (_what, scenario, given, { requests, ...expected }) => {
    answers = [...given];
    expect(await python("faults.py", scenario, server.base)).toMatchObject(expected);
    expect(server.requests).toHaveLength(requests);
    checkRequests();
  });

  it.each(["cancelled", "cancelled task"])("ends at once when its caller gives up (%s)", async (scenario) => {
    answers = [hangs];
    expect(await python("faults.py", scenario, server.base)).toMatchObject({ result: "cancelled" });
    await expect.poll(() => server.open).toBe(0);
  });
});

/** All requests of a run have one key; a repeated batch asks for what is missing; events continue after the last one. */
function checkRequests(): void {
  const seen = server.requests;
  const keys = seen.filter(({ url }) => url === "/run").map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(keys.length === 0 ? 0 : 1);
  const frames = seen.filter(({ url }) => url === "/batch").map(({ body }) => JSON.parse(body).frames);
  if (frames.length === 3) expect(frames).toEqual([FRAMES, [{ n: 0 }, { n: 2 }], [{ n: 0 }, { n: 2 }]]);
  const last = seen.filter(({ url }) => url.endsWith("/events")).map(({ headers }) => headers["last-event-id"]);
  if (last.length === 2) expect(last).toEqual([undefined, "2"]);
}
