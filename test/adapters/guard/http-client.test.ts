/**
 * The host's HTTP client against servers of our own: connections to checked addresses only, redirects, TLS, what breaks on the way,
 * bounds on size and time.
 */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createHttpService, type HttpServiceOptions } from "../../../adapters/engine/http-service.ts";
import type { HttpRequest, HttpResponse, HttpScopeOptions } from "../../../adapters/guard/http.ts";
import { AdapterError } from "../../../vm/errors.ts";
import { verifies } from "../../support/requirements.ts";
import { AUTHORITY } from "../http/certificates.ts";
import { oldTlsServer, socketServer, type TestServer, type WebServer, webServer } from "../http/servers.ts";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function opened<T extends { close(): Promise<unknown> }>(one: T): T {
  open.push(one);
  return one;
}

const web = async (...args: Parameters<typeof webServer>): Promise<WebServer> => opened(await webServer(...args));
const raw = async (onSocket: (socket: Socket) => void): Promise<TestServer> => opened(await socketServer(onSocket));

function scopeOf(options: HttpScopeOptions = {}, service: HttpServiceOptions = {}) {
  return opened(createHttpService(service)).scope({ allowHosts: ["127.0.0.1"], ...options });
}

type Ask = Partial<HttpRequest> & { readonly scope?: HttpScopeOptions; readonly service?: HttpServiceOptions };

function ask(url: string, { scope, service, ...request }: Ask = {}): Promise<HttpResponse> {
  return scopeOf(scope, service).request({ method: "GET", url, signal: AbortSignal.timeout(10_000), ...request });
}

async function failure(work: Promise<unknown>): Promise<AdapterError> {
  const thrown: unknown = await work.then(
    () => new Error("no failure"),
    (error: unknown) => error,
  );
  if (thrown instanceof AdapterError) return thrown;
  throw thrown;
}

const textOf = (response: HttpResponse): string | undefined => response.body?.toString();

describe("a request", () => {
  it("is sent once, with the headers of the client and of the caller", async () => {
    verifies("adapter.http.no-retries");
    const server = await web((_request, response) => response.writeHead(503, { "x-a": ["1", "2"] }).end("no"));
    const response = await ask(`${server.base}/a?b#c`, { headers: { "X-B": ["1", "2"], Accept: "text/csv" } });
    expect(response).toMatchObject({ status: 503, url: `${server.base}/a?b`, redirects: 0, unfollowed: false });
    expect([textOf(response), response.headers.get("x-a")]).toEqual(["no", ["1", "2"]]);
    expect(server.requests).toHaveLength(1);
    const { host, connection, ...sent } = server.requests[0]?.headers ?? {};
    expect([host, connection]).toEqual([`127.0.0.1:${server.port}`, "keep-alive"]);
    expect(sent).toEqual({
      accept: "text/csv",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": expect.stringMatching(/^weft\/\d/),
      "x-b": "1, 2",
    });
  });

  it.each(["POST", "PUT", "PATCH"])("of %s without a body has length 0", async (method) => {
    const server = await web((_request, response) => response.end());
    await ask(server.base, { method });
    expect(server.requests[0]).toMatchObject({ method, body: "", headers: { "content-length": "0" } });
  });

  it("of an unusual size is refused before anything is sent", async () => {
    const server = await web((_request, response) => response.end());
    const body = Buffer.alloc(1_000_001);
    const error = await failure(ask(server.base, { method: "POST", body }));
    expect([error.code, error.data]).toEqual(["ADAPTER_TOO_LARGE", { max_request_bytes: 1_000_000 }]);
    await ask(server.base, { method: "POST", body: body.subarray(1) });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [{ "X-A": "a\r\nX-Evil: 1" }],
    [{ "X-A": "a\nb" }],
    [{ "X-A": "a\0" }],
    [{ "X-A": " leading" }],
    [{ "X-A": "Ā" }],
    [{ "X-A": ["fine", "a\rb"] }],
    [{ "X A": "1" }],
    [{ "X-A:": "1" }],
    [{ "": "1" }],
    [{ "X-Ä": "1" }],
    [{ "X-A": "1", "x-a": "2" }],
    ...[
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "Keep-Alive",
      "Upgrade",
      "TE",
      "Trailer",
      "Expect",
    ].map((name) => [{ [name]: "1" }] as const),
    [{ "Proxy-Authorization": "Basic x" }],
    [{ "proxy-connection": "close" }],
  ])("with the headers %j is refused", async (headers) => {
    const server = await web((_request, response) => response.end());
    const error = await failure(ask(server.base, { headers }));
    expect(error).toMatchObject({ code: "ADAPTER_BAD_ARGS", data: { issues: [{ path: "/headers" }] } });
    expect(error.message).not.toContain("Evil");
    expect(server.connections).toBe(0);
  });

  it("does not follow variables that name a proxy", async () => {
    const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    const before = names.map((name) => [name, process.env[name]] as const);
    const proxy = await web((_request, response) => response.end("proxied"));
    const server = await web((_request, response) => response.end("direct"));
    try {
      for (const name of names) process.env[name] = proxy.base;
      expect(textOf(await ask(server.base))).toBe("direct");
      expect(proxy.connections).toBe(0);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it("shares connections within its scope, and with no other scope", async () => {
    const server = await web((_request, response) => response.end("x"));
    const [first, second] = [scopeOf(), scopeOf()];
    const request = { method: "GET", url: server.base, signal: AbortSignal.timeout(10_000) };
    for (const scope of [first, first, first]) {
      await scope.request(request);
      // The library frees a connection in the next turn.
      await new Promise(setImmediate);
    }
    expect(server.connections).toBe(1);
    await second.request(request);
    expect(server.connections).toBe(2);
  });

  it("may have a hundred others beside it, on sixteen connections", async () => {
    const server = await web((request, response) => response.end(request.url));
    const scope = scopeOf();
    const urls = Array.from({ length: 100 }, (_, at) => `/${at}`);
    const answers = await Promise.all(
      urls.map((url) => scope.request({ method: "GET", url: server.base + url, signal: AbortSignal.timeout(10_000) })),
    );
    expect(answers.map(textOf)).toEqual(urls);
    expect(server.connections).toBeLessThanOrEqual(16);
  });
});

describe("names", () => {
  it("are looked up once, and the connection goes to an address that passed", async () => {
    verifies("adapter.http.public-only");
    const server = await web((request, response) => response.end(request.headers.host));
    const asked: string[] = [];
    const resolve = async (host: string): Promise<readonly string[]> => {
      asked.push(host);
      return ["169.254.169.254", "127.0.0.1", "::ffff:169.254.169.254"];
    };
    const scope = { allowHosts: ["server.test"] };
    const response = await ask(`http://server.test:${server.port}/`, { scope, service: { resolve } });
    expect(textOf(response)).toBe(`server.test:${server.port}`);
    expect(asked).toEqual(["server.test"]);
  });

  it("that lead inside after they led outside are refused", async () => {
    verifies("adapter.http.public-only");
    const server = await web((_request, response) => response.end());
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    const resolve = async (): Promise<readonly string[]> => answers.shift() ?? [];
    const scope = scopeOf({ allowHosts: ["rebinding.example.com"] }, { resolve });
    const signal = AbortSignal.timeout(10_000);
    expect(await scope.addressesOf("rebinding.example.com", server.port, signal)).toEqual(["93.184.216.34"]);
    const url = `http://rebinding.example.com:${server.port}/`;
    const error = await failure(scope.request({ method: "GET", url, signal }));
    expect(error).toMatchObject({ code: "ADAPTER_ADDRESS_BLOCKED", retryable: false });
    expect(error.message).not.toMatch(/rebinding|127/);
    expect(server.connections).toBe(0);
  });

  it.each([
    [async () => [], "ADAPTER_TRANSPORT"],
    [() => Promise.reject(Object.assign(new Error("canary"), { code: "ENOTFOUND" })), "ADAPTER_TRANSPORT"],
    [async () => ["fe80::1%lo"], "ADAPTER_ADDRESS_BLOCKED"],
    [async () => ["10.0.0.1", "192.168.0.1"], "ADAPTER_ADDRESS_BLOCKED"],
  ] as const)("without a usable address fail (%#)", async (resolve, code) => {
    const error = await failure(
      ask("http://some.example.com/", { scope: { allowHosts: undefined }, service: { resolve } }),
    );
    expect([error.code, error.message.includes("canary")]).toEqual([code, false]);
    if (code === "ADAPTER_TRANSPORT") expect(error).toMatchObject({ retryable: true, data: { reason: "dns" } });
  });

  it("are not needed where an address stands, and other protocols are held to the same rules", async () => {
    const resolve = () => Promise.reject(new Error("nobody asks"));
    const scope = scopeOf({ allowHosts: ["127.0.0.1", "[::1]"] }, { resolve });
    const signal = AbortSignal.timeout(10_000);
    expect(await scope.addressesOf("127.0.0.1", 5432, signal)).toEqual(["127.0.0.1"]);
    expect(await scope.addressesOf("::1", 5432, signal)).toEqual(["::1"]);
    for (const [host, code] of [
      ["10.0.0.1", "ADAPTER_HOST_BLOCKED"],
      ["a b", "ADAPTER_BAD_URL"],
    ] as const)
      expect((await failure(scope.addressesOf(host, 1, signal))).code).toBe(code);
  });
});

describe("a redirect", () => {
  /** Redirects `/<status>` to `/end` of `target`, which is the server itself unless told otherwise. */
  const redirecting = (target?: () => string): Promise<WebServer> =>
    web((request, response) => {
      const status = Number((request.url ?? "").slice(1));
      if (status >= 300) response.writeHead(status, { location: `${target?.() ?? ""}/end` }).end("moved");
      else response.end("end");
    });

  const bodiless = { method: "GET", body: "" };
  it.each([
    ["GET", 301, bodiless],
    ["GET", 302, bodiless],
    ["GET", 303, bodiless],
    ["GET", 307, bodiless],
    ["GET", 308, bodiless],
    ["OPTIONS", 302, { method: "OPTIONS" }],
    ["HEAD", 302, { method: "HEAD" }],
    ["HEAD", 303, { method: "HEAD" }],
    ["PUT", 301, { method: "PUT", body: "data" }],
    ["PUT", 302, { method: "PUT", body: "data" }],
    ["PUT", 303, bodiless],
    ["PUT", 307, { method: "PUT", body: "data" }],
    ["DELETE", 308, { method: "DELETE", body: "data" }],
    ["POST", 303, bodiless],
    ["PATCH", 303, bodiless],
    ["POST", 301, null],
    ["POST", 302, null],
    ["POST", 307, null],
    ["PATCH", 308, null],
  ])("of %s by %i", async (method, status, second) => {
    verifies("adapter.http.redirects");
    const server = await redirecting();
    const body = ["GET", "HEAD", "OPTIONS"].includes(method) ? null : Buffer.from("data");
    const response = await ask(`${server.base}/${status}`, { method, body, headers: { "content-type": "text/plain" } });
    if (second === null) {
      expect(response).toMatchObject({ status, unfollowed: true, redirects: 0 });
      expect(server.requests).toHaveLength(1);
      return;
    }
    expect(response).toMatchObject({ status: 200, unfollowed: false, redirects: 1, url: `${server.base}/end` });
    expect(server.requests[1]).toMatchObject(second);
    const typed = server.requests[1]?.headers["content-type"];
    expect(typed).toBe(second.method !== method ? undefined : "text/plain");
  });

  it.each(["POST", "PATCH"])("of %s is repeated where the caller says so", async (method) => {
    const server = await redirecting();
    for (const status of [301, 302, 307, 308]) {
      const body = Buffer.from("data");
      expect((await ask(`${server.base}/${status}`, { method, body, redirect: "follow" })).redirects).toBe(1);
      expect(server.requests.at(-1)).toMatchObject({ method, url: "/end", body: "data" });
    }
  });

  it.each([
    ["manual", false],
    ["error", true],
  ] as const)("is an answer where the caller says %s", async (redirect, unfollowed) => {
    const server = await redirecting();
    const response = await ask(`${server.base}/302`, { redirect });
    expect([response.status, response.unfollowed, textOf(response)]).toEqual([302, unfollowed, "moved"]);
    expect(server.requests).toHaveLength(1);
  });

  it("takes no credentials to another origin, and does not give them back later", async () => {
    verifies("adapter.http.redirects");
    const home = await web((request, response) => {
      if (request.url === "/out") response.writeHead(302, { location: `${other.base}/back` }).end();
      else if (request.url === "/within") response.writeHead(302, { location: "/out" }).end();
      else response.end();
    });
    const other = await web((_request, response) => response.writeHead(307, { location: `${home.base}/end` }).end());
    await ask(`${home.base}/within`, {
      headers: { Authorization: "canary", Cookie: "canary", "X-Other": "kept" },
      credentials: { "X-Key": "canary" },
    });
    const credentials = { authorization: "canary", cookie: "canary", "x-key": "canary" };
    const urls = [...home.requests.slice(0, 2), ...other.requests, ...home.requests.slice(2)];
    expect(urls.map(({ url }) => url)).toEqual(["/within", "/out", "/back", "/end"]);
    for (const seen of urls.slice(0, 2)) expect(seen.headers).toMatchObject({ ...credentials, "x-other": "kept" });
    for (const seen of urls.slice(2)) {
      expect(JSON.stringify(seen)).not.toContain("canary");
      expect(seen.headers["x-other"]).toBe("kept");
    }
  });

  it.each([
    ["http://localhost:{PORT}/", "ADAPTER_HOST_BLOCKED"],
    ["http://169.254.169.254/latest/", "ADAPTER_ADDRESS_BLOCKED"],
    ["http://2852039166/", "ADAPTER_ADDRESS_BLOCKED"],
    ["http://rebinding.example.com:{PORT}/", "ADAPTER_ADDRESS_BLOCKED"],
    ["file:///etc/passwd", "ADAPTER_BAD_URL"],
    ["http://user:secret@127.0.0.1:{PORT}/", "ADAPTER_BAD_URL"],
    ["http://[", "ADAPTER_BAD_URL"],
    ["//localhost/", "ADAPTER_HOST_BLOCKED"],
  ])("to %s ends with %s", async (location, code) => {
    verifies("adapter.http.redirects", "adapter.http.public-only");
    const server: WebServer = await web((_request, response) =>
      response.writeHead(302, { location: location.replace("{PORT}", String(server.port)) }).end(),
    );
    const allowHosts = ["127.0.0.1", "169.254.169.254", "rebinding.example.com"];
    const error = await failure(
      ask(server.base, { scope: { allowHosts }, service: { resolve: async () => ["127.0.0.1"] } }),
    );
    expect([error.code, error.retryable]).toEqual([code, false]);
    expect(error.message).not.toMatch(/secret|169|passwd/);
    expect(server.connections).toBe(1);
  });

  it("without a place to go is an answer", async () => {
    const server = await web((_request, response) => response.writeHead(302).end("where"));
    expect(await ask(server.base)).toMatchObject({ status: 302, redirects: 0, unfollowed: false });
  });

  it.each([
    [5, undefined, 5],
    [2, undefined, 2],
    [5, 1, 1],
    [1, 5, 1],
    [5, 0, 0],
  ])("is followed at most as often as scope (%i) and caller (%s) say", async (maxRedirects, asked, most) => {
    const server = await web((_request, response) => response.writeHead(302, { location: "/loop" }).end());
    const error = await failure(
      ask(server.base, { scope: { allowHosts: ["127.0.0.1"], maxRedirects }, maxRedirects: asked }),
    );
    expect([error.code, error.data]).toEqual(["ADAPTER_TOO_MANY_REDIRECTS", { max_redirects: most }]);
    expect(server.requests).toHaveLength(most + 1);
  });

  it("with a body that never ends does not hold up the next request", async () => {
    const server = await web((request, response) => {
      if (request.url === "/end") response.end("end");
      else response.writeHead(302, { location: "/end" }).write("and so on");
    });
    expect(textOf(await ask(server.base))).toBe("end");
  });
});

describe("an answer", () => {
  const MEGABYTE = 1024 * 1024;
  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
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
  ])("is counted after decoding, %s", async (_name, headers, size) => {
    const whole = Buffer.alloc(size, "a");
    const body = "content-encoding" in headers ? gzipSync(whole) : whole;
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

  it("that nobody wants is not read", async () => {
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
  ])("%j is malformed", async (text) => {
    const server = await raw((socket) => socket.once("data", () => socket.end(text)));
    expect(await failure(ask(server.base))).toMatchObject({ code: "ADAPTER_BAD_DATA", retryable: false });
  });

  it("does not come from a port where nobody listens", async () => {
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

  it.each([
    ["an answer that does not come", silent],
    ["headers that do not end", slowHeaders],
    ["a body that does not end", slowBody],
  ])("ends %s", async (_name, start) => {
    const server = await start();
    const error = await failure(ask(server.base, { signal: AbortSignal.timeout(50) }));
    expect(error).toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: true });
  });

  it("ends a lookup that does not end", async () => {
    const resolve = (): Promise<readonly string[]> => new Promise(() => {});
    const asked = { scope: { allowHosts: undefined }, service: { resolve }, signal: AbortSignal.timeout(50) };
    expect((await failure(ask("http://example.com/", asked))).code).toBe("ADAPTER_TIMEOUT");
  });

  it.each([
    ["before the answer", silent],
    ["within the body", slowBody],
  ])("is over when the caller cancels %s, and the connection with it", async (_name, start) => {
    const server = await start();
    const cancelled = new AbortController();
    const request = { method: "GET", url: server.base, signal: cancelled.signal };
    const asking = failure(scopeOf().request(request));
    while (server.connections === 0) await new Promise(setImmediate);
    cancelled.abort();
    expect(await asking).toMatchObject({ code: "ADAPTER_CANCELLED", retryable: false });
    while (server.open > 0) await new Promise(setImmediate);
  });

  it("is not spent on a request that is cancelled already", async () => {
    const server = await silent();
    expect((await failure(ask(server.base, { signal: AbortSignal.abort() }))).code).toBe("ADAPTER_CANCELLED");
    expect(server.connections).toBe(0);
  });
});

describe("TLS", () => {
  let folder: string;
  let caFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-tls-"));
    caFile = join(folder, "ca.pem");
    await writeFile(caFile, AUTHORITY);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
  const names = { allowHosts: ["server.test", "other.test", "127.0.0.1"] };

  it("is spoken with the name, whose certificate is checked", async () => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const url = `https://server.test:${server.port}/`;
    expect(textOf(await ask(url, { scope: { ...names, caFile }, service: { resolve } }))).toBe("secret");
    expect(textOf(await ask(server.base, { scope: { ...names, caFile } }))).toBe("secret");
  });

  it.each([
    ["an authority that nobody trusts", "server.test", false],
    ["another name", "other.test", true],
  ])("fails with %s", async (_name, host, trusted) => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const scope = { ...names, ...(trusted ? { caFile } : {}) };
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const error = await failure(ask(`https://${host}:${server.port}/`, { scope, service: { resolve } }));
      expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "tls" }]);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
    expect(server.requests).toEqual([]);
  });

  it("fails below version 1.2, and with what is no TLS", async () => {
    const old = opened(await oldTlsServer("TLSv1.1"));
    const plain = await raw((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    for (const { port } of [old, plain]) {
      const error = await failure(ask(`https://127.0.0.1:${port}/`, { scope: { ...names, caFile } }));
      expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "tls" }]);
    }
  });

  it("is not left by a redirect", async () => {
    const plain = await web((_request, response) => response.end());
    const server = await web((_request, response) => response.writeHead(302, { location: plain.base }).end(), "https");
    expect((await failure(ask(server.base, { scope: { ...names, caFile } }))).code).toBe("ADAPTER_BAD_URL");
    expect(plain.connections).toBe(0);
  });

  it("needs a file that can be read", async () => {
    const error = await failure(ask("https://127.0.0.1/", { scope: { ...names, caFile: join(folder, "canary") } }));
    expect([error.code, error.message.includes("canary")]).toEqual(["ADAPTER_BAD_SETTINGS", false]);
  });

  it("goes through the proxy of the operator as a tunnel, plain requests as a whole", async () => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end("plain");
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const tunnel = connect(server.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        tunnel.pipe(socket).pipe(tunnel);
      });
      tunnel.on("error", () => socket.destroy());
      socket.on("error", () => tunnel.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    opened({ close: async () => proxy.close() && proxy.closeAllConnections() });
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const unasked = () => Promise.reject(new Error("the proxy resolves"));
    const through = { scope: { ...names, allowHosts: undefined, caFile, proxyUrl }, service: { resolve: unasked } };
    const named = { ...through, scope: { ...through.scope, allowHosts: ["server.test"] } };
    expect(textOf(await ask(`https://server.test:${server.port}/`, named))).toBe("secret");
    expect(textOf(await ask("http://some.example.com/a?b", through))).toBe("plain");
    expect((await failure(ask("http://localhost/", through))).code).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect((await failure(ask("http://10.0.0.1/", through))).code).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(seen).toEqual([`CONNECT server.test:${server.port}`, "GET http://some.example.com/a?b"]);
  });
});

describe("JSON of the operator's servers", () => {
  const signal = AbortSignal.timeout(10_000);
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
    for (const scope of [probe.scope({ allowHosts: ["127.0.0.1"] }), probe.scope({ allowHosts: ["127.0.0.1"] })])
      closed.push(scope.request({ method: "GET", url: server.base, signal: AbortSignal.timeout(10_000) }));
    await Promise.all(closed);
    expect(server.open).toBe(2);
    await probe.close();
    while (server.open > 0) await new Promise(setImmediate);
  });
});
