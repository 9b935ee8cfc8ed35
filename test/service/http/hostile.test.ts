/** Requests made to cost the service more than they cost their sender: time of its thread, memory, or the shape of its answers. */
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { exchange, type Serving, serving } from "../serving.ts";

/** Other work may have the machine. */
const PATIENCE = { timeout: 20_000 };
const OK = { code: "L1:\n  J 1\n" };
const CODE = JSON.stringify(OK.code);
const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join();

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

async function rawAnswer(text: string): Promise<string> {
  const socket = connect(service.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await vi.waitFor(() => expect(answer).toContain("\r\n\r\n"), PATIENCE);
  socket.destroy();
  return answer;
}

describe("a body with very many problems", { timeout: 30_000 }, () => {
  it.each([
    ["members", "/run", `{"code":${CODE},${many(200_000, (at) => `"k${at}":0`)}}`],
    ["members of its options", "/run", `{"code":${CODE},"trace_options":{${many(200_000, (at) => `"k${at}":0`)}}}`],
    ["frames", "/batch", `{"code":${CODE},"frames":[${many(100_000, () => "0")}]}`],
  ])("gets a hundred of them: %s", async (_what, path, body) => {
    const { status, body: answer } = await service.call("POST", path, body);
    expect([status, answer.error, answer.issues.length]).toEqual([400, "invalid_request", 100]);
  });

  it("is refused for too many frames without checking each", async () => {
    const { status, body } = await service.call(
      "POST",
      "/batch",
      `{"code":${CODE},"frames":[${many(500_000, () => "0")}]}`,
    );
    expect(status).toBe(400);
    expect(body.issues).toEqual([{ path: "/frames", code: "range", message: "must have at most 100000 frames" }]);
  });

  // Pointers of every place would be copies of the long name: minutes and gigabytes.
  it("is not slower for a long name with many members", async () => {
    const long = "a".repeat(1_500_000);
    const frame = `{"constructor":1,"${long}":[${many(200_000, () => "[]")}]}`;
    expect((await service.call("POST", "/run", `{"code":${CODE},"frame":${frame}}`)).body.out).toBe(1);
    const ir = `{"ir_version":"1.0","labels":{"${long}":{"nodes":[${many(100_000, () => "{}")}]}}}`;
    const refused = await service.call("POST", "/run", `{"ir":${ir}}`);
    expect(refused).toMatchObject({ status: 422, body: { error: "invalid_ir" } });
    expect(refused.text.length).toBeLessThan(2000);
  });
});

describe("a batch of large results", () => {
  const LARGE = `L1:\n  Set s "0123456789abcdef"\n${"  R core.CONCAT s s ->s\n".repeat(18)}  J s\n`;

  it("ends as a document when they are too large together", async () => {
    const small = await serving({ variables: { WF_MAX_RESULT_BYTES: "1024" } });
    try {
      const frames = Array.from({ length: 100 }, () => ({}));
      const { body } = await small.call("POST", "/batch", { code: `L1:\n  J "${"x".repeat(500)}"\n`, frames });
      expect(body).toMatchObject({ ok: false, error: "runtime_error" });
      expect(body.message).toMatch(/together are larger than 4096 bytes; ask for application\/x-ndjson/);
      expect(body.count).toBeLessThan(20);
      expect(body.results).toHaveLength(body.count);
    } finally {
      await small.stop();
    }
  });

  it("ends as a document when all requests in progress are too large together", async () => {
    const small = await serving({ variables: { WF_MAX_RESULT_BYTES: "1024" } });
    const code = `# frame: last: any\nL1:\n  If last ->L2 ->L3\nL2:\n  R ext.Hold "last" ->x\n  J x\nL3:\n  J "${"x".repeat(990)}"\n`;
    const frames = [{}, {}, {}, { last: 1 }].map(({ last = 0 }) => ({ last }));
    try {
      const begun = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const answered = small.call("POST", "/batch", { code, frames, concurrency: 1 });
          return { answered, held: await small.held() };
        }),
      );
      const more = frames.slice(0, 3);
      const { body } = await small.call("POST", "/batch", { code, frames: more, concurrency: 1 });
      expect(body).toMatchObject({ ok: false, error: "server_busy" });
      expect(body.message).toMatch(/together larger than 16384 bytes; ask for application\/x-ndjson, or come later/);
      for (const { held } of begun) held.release("done");
      for (const { answered } of begun) expect((await answered).body).toMatchObject({ ok: true, count: 4 });
      const again = small.call("POST", "/batch", { code, frames, concurrency: 1 });
      (await small.held()).release("done");
      expect((await again).body.ok).toBe(true);
    } finally {
      await small.stop();
    }
  });

  it("in input order runs no further ahead than their size allows", async () => {
    const code = `# frame: first: any\nL1:\n  If first ->L2 ->L3\nL2:\n  R ext.Hold "first" ->x\n  J x\nL3:\n  R ext.Echo 1 ->n\n${LARGE.slice(4)}`;
    const frames = [{ first: true }, ...Array.from({ length: 10 }, () => ({ first: false }))];
    const before = service.made.length;
    const echoes = (): number => service.made.slice(before).filter((name) => name === "Echo").length;
    const headers = { accept: "application/x-ndjson" };
    const answered = exchange(
      service.port,
      "POST",
      "/batch",
      { code, frames, order: "input", concurrency: 2 },
      headers,
    );
    const held = await service.held();
    await vi.waitFor(() => expect(echoes()).toBeGreaterThanOrEqual(4), PATIENCE);
    for (let probe = 0; probe < 20; probe++) await service.call("GET", "/health");
    expect(echoes()).toBeLessThan(8);
    held.release("done");
    const lines = (await answered).text.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).index).slice(0, -1)).toEqual(frames.map((_, at) => at));
  }, 30_000);

  it("whose reader reads nothing is disconnected", async () => {
    const accepted: Socket[] = [];
    service.app.server.once("connection", (socket: Socket) => accepted.push(socket));
    const body = JSON.stringify({ code: LARGE, frames: Array.from({ length: 50 }, () => ({})), concurrency: 2 });
    const reader = connect(service.port, "127.0.0.1");
    reader.pause();
    reader.on("error", () => undefined);
    reader.write(
      `POST /batch HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // Some of it is unsent now and then before the service has to wait for its reader.
    await vi.waitFor(() => {
      expect(accepted[0]?.writableLength).toBeGreaterThan(0);
      expect(accepted[0]?.timeout).toBe(30_000);
    }, PATIENCE);
    const socket = accepted[0];
    expect(socket?.writableLength).toBeLessThan(16 * 1024 * 1024);
    socket?.emit("timeout");
    await service.services.slots.idle();
    expect(socket?.destroyed).toBe(true);
  }, 30_000);
});

describe("answers that are not read", () => {
  it("keep new work away, and no probe", async () => {
    const gone: (() => void)[] = [];
    const untaken = {
      writableLength: 300 * 1024 * 1024,
      closed: false,
      once: (_: string, then: () => void) => gone.push(then),
    };
    service.services.unsent.watch(untaken as never);
    expect(await service.run(OK)).toMatchObject({ status: 503, body: { error: "server_busy", retry_after_s: 1 } });
    expect((await service.call("GET", "/health")).status).toBe(200);
    for (const then of gone) then();
    expect((await service.run(OK)).status).toBe(200);
  });

  it("drop a large response of a run that began before, but keep it under its key", async () => {
    const code = `L1:\n  Set s "0123456789abcdef"\n${"  X s concat s s\n".repeat(13)}  R ext.Hold "x" ->x\n  J s\n`;
    const key = { "idempotency-key": "dropped" };
    const runs = [service.run({ code }), service.run({ code }, key)];
    const held = [await service.held(), await service.held()];
    const gone: (() => void)[] = [];
    const untaken = { writableLength: 2 ** 40, closed: false, once: (_: string, then: () => void) => gone.push(then) };
    service.services.unsent.watch(untaken as never);
    for (const one of held) one.release("done");
    for (const { status, body } of await Promise.all(runs))
      expect([status, body.error]).toEqual([503, "answer_dropped"]);
    for (const then of gone) then();
    const { status, body } = await service.run({ code }, key);
    expect(status).toBe(200);
    expect(body.out).toHaveLength(16 * 2 ** 13);
  });
});

describe("what the protocol allows", { timeout: 30_000 }, () => {
  it("keeps the connection of a request without a body", async () => {
    expect(await rawAnswer("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/Connection: keep-alive/);
  });

  it("gets the service's error document for any Expect header, and its log event for any path", async () => {
    const answer = await rawAnswer(
      'POST /run HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nContent-Length: 23\r\n\r\n{"code":"L1:\\n  J 1\\n"}',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*x-trace-id/);
    expect(await rawAnswer("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^HTTP\/1\.1 404 /);
    await service.logged("http_request", (event) => event["status"] === 404);
  });

  it("cannot inject a log line", async () => {
    const code = "L1:\n  R ht\u2028t\u009bp.Get 1 ->r\n  J r\n";
    const { body } = await service.run({ code, strict: false });
    expect(body.error).toBe("adapter_not_allowed");
    const line = service.lines.find((one) => one.includes(body.trace_id) && one.includes("run_failed")) ?? "";
    expect(line).toContain("ht\\u2028t\\u009bp");
    expect(JSON.parse(line).message).toContain("ht\u2028t\u009bp");
  });
});
