/** The host's HTTP client against servers of our own: what is sent, names and their addresses, redirects. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpHeaders } from "../../../adapters/guard/http/http.ts";
import { verifies } from "../../support/requirements.ts";
import type { WebServer } from "../builtin/http/servers.ts";
import { failure, httpWorld, textOf } from "./http-world.ts";

const { ask, scopeOf, web } = httpWorld();

const REFUSED_HEADERS: readonly HttpHeaders[] = [
  { "X-A": "a\r\nX-Evil: 1" },
  { "X-A": "a\nb" },
  { "X-A": "a\0" },
  { "X-A": " leading" },
  { "X-A": "Ā" },
  { "X-A": ["fine", "a\rb"] },
  { "X A": "1" },
  { "X-A:": "1" },
  { "": "1" },
  { "X-Ä": "1" },
  { "X-A": "1", "x-a": "2" },
  { Host: "1" },
  { "Content-Length": "1" },
  { "Transfer-Encoding": "chunked" },
  { Connection: "close" },
  { "Keep-Alive": "1" },
  { Upgrade: "h2c" },
  { TE: "trailers" },
  { Trailer: "x" },
  { Expect: "100-continue" },
  { "Proxy-Authorization": "Basic x" },
  { "proxy-connection": "close" },
];

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

  it.each(REFUSED_HEADERS.map((headers) => [headers] as const))("with the headers %j is refused", async (headers) => {
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

  it("may run in parallel with a hundred others, on sixteen connections", async () => {
    const server = await web((request, response) => response.end(request.url));
    const scope = scopeOf();
    const urls = Array.from({ length: 100 }, (_, at) => `/${at}`);
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { signal } = new AbortController();
    const answers = await Promise.all(
      urls.map((url) => scope.request({ method: "GET", url: server.base + url, signal })),
    );
    expect(answers.map(textOf)).toEqual(urls);
    expect(server.connections).toBeLessThanOrEqual(16);
    // As many listeners on one signal would be taken for a leak.
    expect(warnings).toEqual([]);
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
    const resolve = () => Promise.reject(new Error("must not be called"));
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

/** Headers of programs that contain keys, under arbitrary names. */
const KEYS = Object.fromEntries(
  [
    "Authorization",
    "Cookie",
    "X-API-Key",
    "Api-Key",
    "X-Auth-Token",
    "X-Amz-Security-Token",
    "Idempotency-Key",
    "X",
  ].map((name) => [name, "canary"]),
);

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

  it("takes only harmless headers to another origin, and does not give the others back later", async () => {
    verifies("adapter.http.redirects");
    const home = await web((request, response) => {
      if (request.url === "/out") response.writeHead(302, { location: `${other.base}/back` }).end();
      else if (request.url === "/within") response.writeHead(302, { location: "/out" }).end();
      else response.end();
    });
    const other = await web((_request, response) => response.writeHead(307, { location: `${home.base}/end` }).end());
    await ask(`${home.base}/within`, {
      headers: { ...KEYS, Accept: "text/plain", "Accept-Language": "de" },
      credentials: { "X-Key": "canary", "User-Agent": "canary" },
    });
    const credentials = { authorization: "canary", cookie: "canary", "x-api-key": "canary", "x-key": "canary" };
    const harmless = { accept: "text/plain", "accept-language": "de" };
    const urls = [...home.requests.slice(0, 2), ...other.requests, ...home.requests.slice(2)];
    expect(urls.map(({ url }) => url)).toEqual(["/within", "/out", "/back", "/end"]);
    for (const seen of urls.slice(0, 2)) expect(seen.headers).toMatchObject({ ...credentials, ...harmless });
    for (const seen of urls.slice(2)) {
      expect(JSON.stringify(seen)).not.toContain("canary");
      expect(seen.headers).toMatchObject(harmless);
    }
  });

  it("takes what a body is to another origin along with the body, and no key", async () => {
    verifies("adapter.http.redirects");
    const other = await web((_request, response) => response.end());
    const home = await web((_request, response) => response.writeHead(307, { location: other.base }).end());
    const headers = { ...KEYS, "content-type": "application/json", "content-language": "en" };
    await ask(home.base, { method: "PUT", headers, body: Buffer.from("{}") });
    expect(other.requests[0]).toMatchObject({
      body: "{}",
      headers: { "content-type": "application/json", "content-language": "en" },
    });
    expect(JSON.stringify(other.requests)).not.toContain("canary");
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
      ask(server.base, {
        scope: { allowHosts, operatorHosts: ["127.0.0.1"] },
        service: { resolve: async () => ["127.0.0.1"] },
      }),
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

  it.each([
    ["UTF-8", Buffer.from("/é?ü").toString("latin1"), "/%C3%A9?%C3%BC"],
    ["Latin-1", "/\xe9", "/%C3%A9"],
  ])("may be written in %s", async (_name, location, asked) => {
    const server = await web((request, response) => {
      if (request.url === "/") response.writeHead(302, { location }).end();
      else response.end(request.url);
    });
    expect(textOf(await ask(server.base))).toBe(asked);
  });

  it("with a body that never ends does not hold up the next request", async () => {
    const server = await web((request, response) => {
      if (request.url === "/end") response.end("end");
      else response.writeHead(302, { location: "/end" }).write("and so on");
    });
    expect(textOf(await ask(server.base))).toBe("end");
  });
});
