/** Clients that are slow, rude or gone: bounded in time and bytes, and never at the cost of others. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../../vm/run.ts";
import { verifies } from "../../support/requirements.ts";
import { opened, realClock, replyOf, type Serving, serving } from "../serving.ts";

const HOLD = 'L1:\n  R ext.Hold "a" ->x\n  J x\n';
const OK = { code: "L1:\n  J 1\n" };

async function raw(port: number, text: string): Promise<{ readonly socket: Socket; readonly all: Promise<string> }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  const all = once(socket, "close").then(() => Buffer.concat(chunks).toString("utf8"));
  socket.write(text);
  return { socket, all };
}

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("a client that goes away", () => {
  it("cancels its run and gives its slot back", async () => {
    const request = opened(service.port, "POST", "/run", { "content-type": "application/json" });
    request.on("error", () => undefined);
    request.end(JSON.stringify({ code: HOLD }));
    const { signal } = await service.held();
    expect(service.services.slots.inFlight).toBe(1);
    request.destroy();
    if (!signal.aborted) await once(signal, "abort");
    const failed = await service.logged("run_failed", (event) => event["error"] === "cancelled");
    expect(failed["error_code"]).toBe("RUNTIME_CANCELLED");
    await service.services.slots.idle();
  });

  it("may ask that its run continues", async () => {
    const headers = { "content-type": "application/json", "wf-on-disconnect": "continue" };
    const request = opened(service.port, "POST", "/run", headers);
    request.on("error", () => undefined);
    request.end(JSON.stringify({ code: HOLD }));
    const held = await service.held();
    const already = service.log.filter((event) => event["status"] === 499).length;
    request.destroy();
    await service.logged("http_request", () => service.log.filter((event) => event["status"] === 499).length > already);
    expect(held.signal.aborted).toBe(false);
    held.release("done");
    await service.logged("run_complete");
  });

  it("in the middle of its body leaves nothing open", async () => {
    const { socket, all } = await raw(
      service.port,
      'POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"code":',
    );
    socket.destroy();
    await all;
    await service.logged("run_failed", (event) => String(event["message"]).includes("closed before the body"));
    expect((await service.run(OK)).status).toBe(200);
  });
});

describe("a client that does not say one host", () => {
  it.each([
    ["none", ""],
    ["two", "Host: localhost\r\nhost: elsewhere.example\r\n"],
    ["the same twice", "Host: localhost\r\nHost: localhost\r\n"],
  ])("but %s is refused with a normal error document", async (_how, hosts) => {
    const text = JSON.stringify(OK);
    for (const path of ["/run", "/run?long", "/health", "/nowhere", "/%"]) {
      const head = `POST ${path} HTTP/1.1\r\n${hosts}Content-Type: application/json\r\nContent-Length: ${text.length}`;
      const { all } = await raw(service.port, `${head}\r\nConnection: close\r\n\r\n${text}`);
      const answer = await all;
      expect(answer, path).toMatch(path === "/%" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/\r\nx-trace-id: [0-9a-f]{32}\r\n/);
      expect(answer).toContain(path === "/%" ? '"error":"not_found"' : '"issues":[{"path":"","code":"host"');
    }
  });

  it("needs no Host in HTTP/1.0", async () => {
    const { all } = await raw(service.port, "GET /health HTTP/1.0\r\n\r\n");
    expect(await all).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a client that is slow", () => {
  it("with its body gets 408 after the timeout", async () => {
    const timers: { readonly ms: number; readonly then: () => void }[] = [];
    const clock: Clock = {
      ...realClock,
      wait(ms, then) {
        if (ms !== 30_000) return realClock.wait(ms, then);
        timers.push({ ms, then });
        return () => undefined;
      },
    };
    const patient = await serving({ clock });
    try {
      const request = opened(patient.port, "POST", "/run", {
        "content-type": "application/json",
        "content-length": 100,
      });
      const reply = replyOf(request);
      request.write('{"code":');
      while (timers.length === 0) await patient.call("GET", "/health");
      timers[0]?.then();
      expect(await reply).toMatchObject({
        status: 408,
        body: { error: "request_timeout" },
        headers: { connection: "close" },
      });
    } finally {
      await patient.stop();
    }
  });

  it("with an unwanted body is answered and cut off", async () => {
    const { all } = await raw(
      service.port,
      "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n",
    );
    expect(await all).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/);
  });

  it("with its headers is cut off", async () => {
    expect(service.app.server.headersTimeout).toBe(10_000);
    expect(service.app.server.keepAliveTimeout).toBe(5000);
    expect(service.app.server.maxConnections).toBe(1024);
    service.app.server.headersTimeout = 50;
    try {
      const silent = await raw(service.port, "");
      const { all } = await raw(service.port, "POST /run HTTP/1.1\r\nHost: loc");
      const text = await all;
      expect(text).toMatch(/^HTTP\/1\.1 408 /);
      expect(await silent.all).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(text.split("\r\n\r\n")[1] ?? "")).toMatchObject({ ok: false, error: "request_timeout" });
    } finally {
      service.app.server.headersTimeout = 10_000;
    }
  });
});

describe("a body that is refused while it arrives", () => {
  const MIB = 1024 * 1024;

  /** A sender that looks at nothing before its last byte; what it was answered, and with which fault its connection broke. */
  async function stubborn(port: number, head: string, parts: readonly string[]) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let fault: string | null = null;
    let text = "";
    socket.on("error", ({ message }) => {
      fault = message;
    });
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.write(`${head}\r\nHost: localhost\r\n`);
    await once(socket, "connect");
    for (const part of parts) {
      socket.write(part);
      // The answer is there, and the connection as the service left it.
      while (!text.includes("\r\n\r\n") && fault === null) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end();
    if (!socket.destroyed) await once(socket, "close");
    return { text, fault };
  }

  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const lines = '{"code":"# frame: n\\nL1:\\n  J n\\n"}\n{"n":1}\n';
  const SIZE = `Content-Length: ${8 * MIB}\r\n\r\n`;
  const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  const half = "x".repeat(4 * MIB);

  it.each([
    ["by its length", "POST /run HTTP/1.1", [SIZE, half, half], "payload_too_large"],
    [
      "by what came",
      "POST /run HTTP/1.1",
      [CHUNKED + chunk(half) + chunk("x"), chunk(half), "0\r\n\r\n"],
      "payload_too_large",
    ],
    ["by its path", "POST /nowhere HTTP/1.1", [SIZE, half, half], "not_found"],
    ["by its type", "POST /run HTTP/1.1\r\nContent-Type: text/plain", [SIZE, half, half], "unsupported_media_type"],
    [
      "in a line",
      "POST /batch HTTP/1.1\r\nContent-Type: application/x-ndjson",
      [CHUNKED + chunk(lines) + chunk(half) + chunk("x"), chunk(half), chunk(half), "0\r\n\r\n"],
      "payload_too_large",
    ],
  ] as const)("%s: its sender reads why", async (_, head, parts, error) => {
    const { text, fault } = await stubborn(service.port, head, parts);
    expect(fault).toBeNull();
    // Lines are answered while they come: that they are too large shows only when the headers of the answer are gone.
    if (!head.includes("ndjson")) expect(text).toMatch(/^HTTP\/1\.1 [\s\S]*connection: close/);
    expect(text).toContain(`"error":"${error}"`);
  });

  it("after its answer has started closes the connection at the end of the answer", async () => {
    const head = "POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n";
    const { all } = await raw(service.port, head + CHUNKED + chunk(lines) + chunk(half) + chunk("x"));
    expect(await all).toMatch(/^HTTP\/1\.1 200 [\s\S]*"error":"payload_too_large"[\s\S]*\r\n0\r\n\r\n$/);
  });

  it("drops the requests after it as well", async () => {
    const runs = () => service.log.filter(({ event }) => event === "run_start").length;
    const before = runs();
    const next = JSON.stringify(OK);
    const late = `POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${next.length}\r\n\r\n${next}`;
    const { text } = await stubborn(service.port, "POST /nowhere HTTP/1.1", ["Content-Length: 2\r\n\r\n1", `2${late}`]);
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(runs()).toBe(before);
  });

  it("may take its full time", async () => {
    const timers: { readonly ms: number; readonly then: () => void }[] = [];
    const clock: Clock = {
      ...realClock,
      wait(ms, then) {
        timers.push({ ms, then });
        return () => undefined;
      },
    };
    const patient = await serving({ clock });
    try {
      const { socket, all } = await raw(patient.port, `POST /run HTTP/1.1\r\nHost: localhost\r\n${SIZE}`);
      await once(socket, "data");
      const lingers = () => timers.find(({ ms }) => ms === 5000);
      while (lingers() === undefined) await new Promise((resolve) => setImmediate(resolve));
      lingers()?.then();
      expect(await all).toContain("payload_too_large");
    } finally {
      await patient.stop();
    }
  });
});

describe("an invalid request", () => {
  it("with too many headers gets 431", async () => {
    const { all } = await raw(
      service.port,
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`,
    );
    const text = await all;
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('"error":"header_fields_too_large"');
    expect(text).toMatch(/x-trace-id: [0-9a-f]{32}/);
  });

  it("of another protocol gets 400", async () => {
    const { all } = await raw(service.port, "HELO mail.example.com\r\n\r\n");
    expect(await all).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":"invalid_request"/);
  });

  it("with two lengths is refused", async () => {
    const { all } = await raw(
      service.port,
      "POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    );
    expect(await all).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("a client that behaves", () => {
  it("keeps its connection", async () => {
    const body = JSON.stringify(OK);
    const request = `POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { socket, all } = await raw(service.port, request);
    await once(socket, "data");
    socket.write(request);
    await once(socket, "data");
    socket.end();
    expect((await all).match(/^HTTP\/1\.1 200 /gm)?.length).toBe(2);
    expect(await all).not.toMatch(/connection: close/i);
  });

  it("is answered on one connection for as many requests as it sends", async () => {
    const socket = connect(service.port, "127.0.0.1");
    const requests = 1500;
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requests));
    const answers = () => text.match(/^HTTP\/1\.1 [0-9]+ [\s\S]*?\r\n\r\n\{.*\}$/gm) ?? [];
    while (answers().length < requests) await once(socket, "data");
    expect(answers().filter((answer) => !answer.startsWith("HTTP/1.1 200 "))).toEqual([]);
    expect(text).not.toMatch(/connection: close/i);
    socket.destroy();
  });

  it("keeps its connection after a batch of lines that are answered while they come", async () => {
    const part = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const head = "POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n";
    const begun = `${head}Transfer-Encoding: chunked\r\n\r\n${part(`${JSON.stringify(OK)}\n{}\n`)}`;
    const { socket, all } = await raw(service.port, begun);
    let seen = "";
    socket.on("data", (chunk) => {
      seen += String(chunk);
    });
    const until = async (mark: RegExp) => {
      while (!mark.test(seen)) await once(socket, "data");
    };
    await until(/"index":0/);
    socket.write(`${part("{}\n")}0\r\n\r\n`);
    await until(/"summary":true[\s\S]*\r\n0\r\n\r\n$/);
    socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await until(/HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 /);
    socket.end();
    expect(await all).not.toMatch(/connection: close/i);
  });
});

describe("many runs", () => {
  it("that wait do not keep a probe waiting, and all succeed", async () => {
    const runs = Array.from({ length: 200 }, (_, index) => service.run({ code: HOLD, frame: { index } }));
    const held = await Promise.all(runs.map(() => service.held()));
    expect(service.services.slots.inFlight).toBe(200);
    const [health, metrics] = await Promise.all([service.call("GET", "/health"), service.call("GET", "/metrics")]);
    expect(health.status).toBe(200);
    expect(metrics.body.runs_in_flight).toBe(200);
    for (const one of held) one.release("done");
    expect(new Set((await Promise.all(runs)).map(({ body }) => body.out))).toEqual(new Set(["done"]));
  });

  it("that never end do not keep a probe waiting", async () => {
    const code = "L1:\n  Set n 0\n  While true ->L2 ->L3 limit=1000000000\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n";
    const endless = Array.from({ length: 8 }, () =>
      service.run({ code, limits: { max_time_ms: 400, max_steps: 500_000 } }),
    );
    for (let probe = 0; probe < 5; probe++) expect((await service.call("GET", "/health")).status).toBe(200);
    for (const { body } of await Promise.all(endless))
      expect(["max_time_ms_exceeded", "max_steps_exceeded"]).toContain(body.error);
  });

  it.each([
    [
      "searches a list for each element of another",
      "  X s range 1000000 3000000\n  Filt x o p in s\n",
      { o: Array.from({ length: 20_000 }, (_, p) => ({ p })) },
    ],
    [
      "sorts a long list again and again",
      "  X r range 300000\n  X a sort (reverse r)\n  X b sort (reverse a)\n  X c unique (reverse b)\n  X d sort (reverse c)\n  X e sort (reverse d)\n  X f sort (reverse e)\n  X g sort (reverse f)\n",
      {},
    ],
  ])("one operation that %s does not keep a probe waiting", async (_title, steps, frame) => {
    let over = false;
    const run = service.run({ code: `L1:\n${steps}  J 1\n`, frame, limits: { max_time_ms: 300 } }).then((answer) => {
      over = true;
      return answer;
    });
    let probes = 0;
    for (; !over && probes < 1000; probes++) expect((await service.call("GET", "/health")).status).toBe(200);
    expect(probes).toBeGreaterThan(1);
    expect((await run).body).toMatchObject({ error: "max_time_ms_exceeded" });
  });

  it("a large source that is compiled does not keep a probe waiting", async () => {
    const code = `L1:\n${Array.from({ length: 20_000 }, (_, i) => `  X a${i % 50} add ${i} 1\n`).join("")}  J a1\n`;
    let over = false;
    const run = service.run({ code }).then((answer) => {
      over = true;
      return answer;
    });
    let probes = 0;
    for (; !over && probes < 1000; probes++) expect((await service.call("GET", "/health")).status).toBe(200);
    expect(probes).toBeGreaterThan(3);
    expect((await run).body).toMatchObject({ ok: true });
  });

  it("beyond the slots wait in a short queue, and further ones are refused", async () => {
    const small = await serving({
      variables: { WF_MAX_CONCURRENT_RUNS: "2", WF_RUN_WAITING_MAX: "1", WF_RUN_WAIT_MS: "60000" },
    });
    try {
      const first = [small.run({ code: HOLD }), small.run({ code: HOLD })];
      const held = [await small.held(), await small.held()];
      const third = small.run({ code: HOLD });
      // The third is in line when a fourth is refused.
      let fourth = await small.run({ code: HOLD, limits: { max_time_ms: 1 } });
      while (fourth.status !== 503) fourth = await small.run({ code: HOLD, limits: { max_time_ms: 1 } });
      expect(fourth).toMatchObject({
        body: { error: "server_busy", retry_after_s: 1 },
        headers: { "retry-after": "1" },
      });
      for (const one of held) one.release(1);
      (await small.held()).release(3);
      expect((await Promise.all([...first, third])).map(({ body }) => body.out)).toEqual([1, 1, 3]);
    } finally {
      await small.stop();
    }
  });

  it("that waited too long are refused", async () => {
    const small = await serving({
      variables: { WF_MAX_CONCURRENT_RUNS: "1", WF_RUN_WAITING_MAX: "5", WF_RUN_WAIT_MS: "1" },
    });
    try {
      const first = small.run({ code: HOLD });
      const held = await small.held();
      expect(await small.run(OK)).toMatchObject({ status: 503, body: { error: "server_busy" } });
      held.release(1);
      expect((await first).body.out).toBe(1);
    } finally {
      await small.stop();
    }
  });
});

describe("draining", () => {
  it("lets runs end, refuses new ones, and cancels what is left", async () => {
    verifies("http.sigterm");
    const leaving = await serving({ variables: { WF_DRAIN_MS: "60000" } });
    const running = leaving.run({ code: HOLD });
    const held = await leaving.held();
    const stopped = leaving.drain();
    expect((await leaving.call("GET", "/ready")).body.status).toBe("draining");
    expect((await leaving.run(OK)).body.error).toBe("draining");
    held.release("last");
    expect((await running).body.out).toBe("last");
    await stopped;

    const hasty = await serving({ variables: { WF_DRAIN_MS: "1" } });
    const lost = hasty.run({ code: HOLD });
    await hasty.held();
    await hasty.drain();
    expect((await lost).body).toMatchObject({ ok: false, error: "cancelled" });
    expect(await hasty.logged("run_failed")).toMatchObject({ error: "cancelled" });
  });
});
