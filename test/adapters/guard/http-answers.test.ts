/** Answers that the host's HTTP client must cope with: compressed, endless, cut short, broken, slow; and JSON answers. */
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBody } from "../../../adapters/guard/http/body.ts";
import { createHttpService } from "../../../adapters/guard/http/service.ts";
import { verifies } from "../../support/requirements.ts";
import { socketServer, type TestServer } from "../builtin/http/servers.ts";
import { failure, httpWorld, textOf } from "./http-world.ts";

const { ask, opened, raw, scopeOf, web } = httpWorld();

describe("an answer", () => {
  const MEGABYTE = 1024 * 1024;
  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["gzip, br", (text: string) => brotliCompressSync(gzipSync(text))],
    ["GZIP , identity", gzipSync],
    [
      "gzip, gzip, gzip, gzip, gzip",
      (text: string) => Array.from({ length: 5 }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(text)),
    ],
  ])("compressed with %s is decoded", async (coding, compress) => {
    const server = await web((_request, response) =>
      response.writeHead(200, { "content-encoding": coding }).end(compress("hällo")),
    );
    expect(textOf(await ask(server.base))).toBe("hällo");
  });

  it.each([
    ["zlib's format", deflateSync],
    ["bare data", deflateRawSync],
  ])("of %s that comes byte by byte is decoded, and is bounded", async (_, compress) => {
    const text = "hällo ".repeat(20_000);
    const server = await web(async (_request, response) => {
      response.writeHead(200, { "content-encoding": "deflate" });
      const bytes = compress(text);
      for (const one of bytes.subarray(0, 4)) await new Promise((done) => response.write(Buffer.of(one), done));
      response.end(bytes.subarray(4));
    });
    expect(textOf(await ask(server.base))).toBe(text);
    expect(await failure(ask(server.base, { maxResponseBytes: 1000 }))).toMatchObject({ code: "ADAPTER_TOO_LARGE" });
  });

  it.each([
    ["cut deflate data", "deflate", deflateSync("text").subarray(0, 8)],
    ["one byte of deflate", "deflate", Buffer.of(0x78)],
    ["six codings", Array(6).fill("gzip").join(","), "x"],
    ["an unknown coding", "zstd", "x"],
    ["no such data", "gzip", "no gzip"],
    ["cut data", "gzip", gzipSync("text").subarray(0, 12)],
    ["no brotli", "br", Buffer.alloc(64, 0xff)],
  ])("with %s is malformed", async (_name, coding, body) => {
    const server = await web((_request, response) => response.writeHead(200, { "content-encoding": coding }).end(body));
    expect(await failure(ask(server.base))).toMatchObject({ code: "ADAPTER_BAD_DATA", retryable: false });
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("to %s with status %i has no body", async (method, status) => {
    const server = await web((_request, response) => response.writeHead(status, { "content-encoding": "gzip" }).end());
    expect(await ask(server.base, { method })).toMatchObject({ status, body: null });
  });

  it("that is empty in spite of its coding is empty", async () => {
    const server = await web((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end());
    expect((await ask(server.base)).body).toHaveLength(0);
  });

  it.each([
    ["with its length", {}, 100],
    ["without its length", { "transfer-encoding": "chunked" }, 100],
    ["of a bomb", { "content-encoding": "gzip" }, 64 * MEGABYTE],
    ["of a bomb within a bomb", { "content-encoding": "gzip, gzip" }, 64 * MEGABYTE],
  ])("is counted after decoding, %s", async (_name, headers, size) => {
    const codings = "content-encoding" in headers ? headers["content-encoding"].split(", ") : [];
    const body = codings.reduce<Buffer>((inner) => gzipSync(inner), Buffer.alloc(size, "a"));
    const server = await web((_request, response) => response.writeHead(200, headers).end(body));
    const error = await failure(ask(server.base, { maxResponseBytes: 99 }));
    expect(error).toMatchObject({ code: "ADAPTER_TOO_LARGE", retryable: false, data: { max_response_bytes: 99 } });
    if (size === 100) expect((await ask(server.base, { maxResponseBytes: 100 })).body).toHaveLength(100);
  });

  it("that never ends stops at the bound", async () => {
    const server = await web((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(16_384))) if (response.destroyed) return;
        response.once("drain", more);
      };
      more();
    });
    expect((await failure(ask(server.base, { maxResponseBytes: 5_000_000 }))).data).toEqual({
      max_response_bytes: 1_000_000,
    });
    const scope = { allowHosts: ["127.0.0.1"], maxResponseBytes: 3_000_000 };
    expect((await failure(ask(server.base, { scope }))).data).toEqual({ max_response_bytes: 3_000_000 });
  });

  it("that is abandoned is not read", async () => {
    const server = await web((_request, response) => response.writeHead(200).write("and so on"));
    expect(await ask(server.base, { ignoreBody: true })).toMatchObject({ status: 200, body: null });
  });

  it("with too many headers is too large", async () => {
    const server = await raw((socket) => {
      const line = `x-a: ${"a".repeat(1000)}\r\n`;
      socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${line.repeat(70)}\r\n`));
    });
    expect((await failure(ask(server.base))).code).toBe("ADAPTER_TOO_LARGE");
  });

  const OK = "HTTP/1.1 200 OK\r\n";
  it.each([
    ["closed before the first byte", (socket: Socket) => socket.end(), "closed"],
    ["reset before the first byte", (socket: Socket) => socket.resetAndDestroy(), "reset"],
    ["closed within the headers", (socket: Socket) => socket.end(`${OK}content-le`), "closed"],
    ["closed within the body", (socket: Socket) => socket.end(`${OK}content-length: 9\r\n\r\nabc`), "closed"],
    [
      "reset within the body",
      (socket: Socket) =>
        socket.write(`${OK}content-length: 9\r\n\r\nabc`, () => setImmediate(() => socket.resetAndDestroy())),
      "reset",
    ],
    [
      "cut between chunks",
      (socket: Socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`),
      "closed",
    ],
    [
      "cut between chunks of a connection that is closed after it",
      (socket: Socket) => socket.end(`${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`),
      "closed",
    ],
    [
      "cut in its body of a connection that is closed after it",
      (socket: Socket) => socket.end(`${OK}connection: close\r\ncontent-length: 9\r\n\r\nabc`),
      "closed",
    ],
    [
      "closed within a compressed body",
      (socket: Socket) => {
        socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 900\r\n\r\n`);
        socket.end(gzipSync("text"));
      },
      "closed",
    ],
  ])("that is %s fails as transport", async (_name, act, reason) => {
    verifies("adapter.http.no-retries");
    const server = await raw((socket) => socket.once("data", () => act(socket)));
    const error = await failure(ask(server.base));
    // A reset may overtake what was sent before it.
    const reasons = reason === "reset" ? expect.stringMatching(/^(?:reset|closed)$/) : reason;
    expect([error.code, error.retryable, error.data]).toEqual(["ADAPTER_TRANSPORT", true, { reason: reasons }]);
    expect(server.connections).toBe(1);
  });

  it.each([
    "hello\r\n\r\n",
    "HTTP/1.1 99999 X\r\n\r\n",
    `${OK}content-length: x\r\n\r\n`,
    `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    `${OK}connection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
    "HTTP/1.1 000 X\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    `${OK}content-length: 5\r\ncontent-length: 6\r\nconnection: close\r\n\r\nhello!`,
    `${OK}content-length: 5, 5\r\nconnection: close\r\n\r\nhello`,
    `${OK}content-length: 99999999999999999999999\r\n\r\nhello`,
    `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  ])("%j is malformed", async (text) => {
    const server = await raw((socket) => socket.once("data", () => socket.end(text)));
    expect(await failure(ask(server.base))).toMatchObject({ code: "ADAPTER_BAD_DATA", retryable: false });
  });

  it("has headers of 64 KiB, with those of the answers before it", async () => {
    const hint = (size: number) => `HTTP/1.1 103 Early Hints\r\nlink: ${"x".repeat(size)}\r\n\r\n`;
    const few = await raw((socket) =>
      socket.once("data", () => socket.end(`${hint(1_000).repeat(50)}${OK}content-length: 2\r\n\r\nhi`)),
    );
    expect(textOf(await ask(few.base))).toBe("hi");
    const endless = await raw((socket) => {
      const timer = setInterval(() => socket.write(hint(10).repeat(100)), 1);
      socket.once("close", () => clearInterval(timer));
    });
    const error = await failure(ask(endless.base));
    expect([error.code, error.message]).toEqual(["ADAPTER_TOO_LARGE", "the headers of the answer are too large"]);
  });

  it("does not come from a closed port", async () => {
    const server = await socketServer(() => {});
    await server.close();
    expect((await failure(ask(server.base))).data).toEqual({ reason: "refused" });
  });
});

describe("time", () => {
  const silent = (): Promise<TestServer> => raw(() => {});
  const slowHeaders = (): Promise<TestServer> => raw((socket) => socket.write("HTTP/1.1 200 OK\r\nx-a: "));
  const slowBody = (): Promise<TestServer> =>
    raw((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"));

  /** A byte at a time, for ever: no single wait is long. */
  const drip = (start: string) => (): Promise<TestServer> =>
    raw((socket) => {
      socket.write(start);
      const timer = setInterval(() => socket.write("a"), 5);
      socket.once("close", () => clearInterval(timer));
    });

  it.each([
    ["an answer that does not come", silent],
    ["headers that do not end", slowHeaders],
    ["a body that has no end", slowBody],
    ["headers that come drop by drop", drip("HTTP/1.1 200 OK\r\nx-a: ")],
    ["a body that comes drop by drop", drip("HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n")],
  ])("ends %s", async (_name, start) => {
    const server = await start();
    const error = await failure(ask(server.base, { signal: AbortSignal.timeout(50) }));
    expect(error).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: true });
  });

  it("ends a lookup that has no end", async () => {
    const resolve = (): Promise<readonly string[]> => new Promise(() => {});
    const asked = { scope: { allowHosts: undefined }, service: { resolve }, signal: AbortSignal.timeout(50) };
    expect((await failure(ask("http://example.com/", asked))).code).toBe("ADAPTER_TIMEOUT");
  });

  it.each([
    ["before the answer", ""],
    ["within the headers", "HTTP/1.1 200 OK\r\nx-a: "],
    ["within the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"],
  ])("is over when the caller cancels %s, and the connection with it", async (_name, answer) => {
    let asked = (): void => {};
    const received = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await raw((socket) => socket.once("data", () => socket.write(answer, () => asked())));
    const cancelled = new AbortController();
    const request = { method: "GET", url: server.base, signal: cancelled.signal };
    const asking = failure(scopeOf().request(request));
    await received;
    cancelled.abort();
    expect(await asking).toMatchObject({ code: "ADAPTER_CANCELLED", retryable: false });
    while (server.open > 0) await new Promise(setImmediate);
  });

  it("ends decoding that gives nothing and would take hours", async () => {
    const times = (bytes: Buffer, count: number): Buffer => Buffer.alloc(bytes.length * count, bytes);
    const nothing = gzipSync(times(gzipSync(""), 100_000));
    const bomb = gzipSync(gzipSync(times(nothing, 4_000)));
    const cancelled = new AbortController();
    const body = Readable.from([bomb], { objectMode: false });
    const bounds = { maxBytes: 1, signal: cancelled.signal };
    const reading = readBody(body, ["gzip, gzip, gzip, gzip"], bounds);
    // All of it is with the decoders then, and what happens to the connection is nothing to them.
    await new Promise((resolve) => body.once("end", resolve));
    cancelled.abort();
    await expect(reading).rejects.toThrow("aborted");
  });

  it("is not spent on a request that is cancelled already", async () => {
    const server = await silent();
    expect((await failure(ask(server.base, { signal: AbortSignal.abort() }))).code).toBe("ADAPTER_CANCELLED");
    expect(server.connections).toBe(0);
  });
});

describe("JSON of the operator's servers", () => {
  const { signal } = new AbortController();
  const allowHosts = ["127.0.0.1"];

  it("goes out and comes back", async () => {
    const server = await web((request, response) => response.end(JSON.stringify({ got: request.method })));
    const http = opened(createHttpService());
    expect(await http.getJson(server.base, { signal, allowHosts })).toEqual({ status: 200, body: { got: "GET" } });
    await http.postForm(server.base, { token: "a b&c" }, { signal, allowHosts, headers: { authorization: "Basic x" } });
    await http.sendJson("PUT", server.base, { a: [1] }, { signal, allowHosts });
    expect(server.requests.map(({ headers, body }) => [headers["content-type"], headers.authorization, body])).toEqual([
      [undefined, undefined, ""],
      ["application/x-www-form-urlencoded", "Basic x", "token=a+b%26c"],
      ["application/json", undefined, '{"a":[1]}'],
    ]);
  });

  it("is null where an error page comes instead", async () => {
    const server = await web((_request, response) => response.writeHead(502).end("<html>"));
    const http = opened(createHttpService());
    expect(await http.getJson(server.base, { signal, allowHosts })).toEqual({ status: 502, body: null });
  });

  it("is nothing else, and comes from nowhere else", async () => {
    const server = await web((_request, response) => response.end("<html>"));
    const http = opened(createHttpService());
    expect((await failure(http.getJson(server.base, { signal, allowHosts }))).code).toBe("ADAPTER_BAD_DATA");
    expect((await failure(http.getJson(server.base, { signal, allowHosts: ["localhost"] }))).code).toBe(
      "ADAPTER_HOST_BLOCKED",
    );
  });
});

describe("a service that is closed", () => {
  it("has closed the connections of all its scopes", async () => {
    const server = await web((_request, response) => response.end("x"));
    const closed: Promise<unknown>[] = [];
    const probe = createHttpService();
    const here = { operatorHosts: ["127.0.0.1"] };
    for (const scope of [probe.scope(here), probe.scope(here)])
      closed.push(scope.request({ method: "GET", url: server.base, signal: AbortSignal.timeout(10_000) }));
    await Promise.all(closed);
    expect(server.open).toBe(2);
    await probe.close();
    while (server.open > 0) await new Promise(setImmediate);
  });

  it("has given up a handshake that never ends", async () => {
    let greeted = (): void => {};
    const greeting = new Promise<void>((resolve) => {
      greeted = resolve;
    });
    const server = await raw((socket) => socket.on("data", () => greeted()));
    const cancelled = new AbortController();
    const probe = createHttpService();
    const url = `https://127.0.0.1:${server.port}/`;
    const asked = probe
      .scope({ operatorHosts: ["127.0.0.1"] })
      .request({ method: "GET", url, signal: cancelled.signal });
    await greeting;
    cancelled.abort();
    expect((await failure(asked)).code).toBe("ADAPTER_CANCELLED");
    const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const before = sockets();
    await probe.close();
    for (let turns = 0; turns < 100 && sockets() === before; turns++) await new Promise(setImmediate);
    expect(sockets()).toBeLessThan(before);
  });
});
