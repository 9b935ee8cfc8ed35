/**
 * Fetching a document, against a server of our own: which addresses are refused on which hop, that the connection goes to the checked
 * address, and every way in which an answer can be wrong. The connection is rerouted to the server where the real one would
 * leave for the internet; nothing else is replaced.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { buildConnector } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createDocumentFetcher,
  type FetchedDocument,
  type FetcherDeps,
  type FetchOptions,
} from "../../mcp/documents/fetch.ts";
import { verifies } from "../support/requirements.ts";
import { rerouted } from "./rerouted.ts";

const PUBLIC = "93.184.216.34";
const MEGABYTE = 1024 * 1024;
const LOCAL = { address: "127.0.0.1", family: 4 };
type Connector = NonNullable<FetcherDeps["connector"]>;

let server: Server;
let port: number;
let respond: RequestListener;
let requests: IncomingMessage[];
/** `name → address` of every connection. */
let connections: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  connections = [];
  respond = (_request, response) => response.end("# Hello\n");
});

/** A plain connection to the test server in place of TLS to a checked address. */
const reroute = (): Connector => rerouted(port, (connection) => connections.push(connection));

type Names = Readonly<Record<string, readonly string[]>>;

function fetchIt(
  address: string,
  options: Partial<FetchOptions> & { readonly names?: Names; readonly connector?: Connector } = {},
): Promise<FetchedDocument> {
  const { names = {}, connector = reroute(), ...rest } = options;
  const resolve = async (host: string): Promise<readonly string[]> => names[host] ?? [PUBLIC];
  return createDocumentFetcher({ userAgent: "weft/test", resolve, connector })(address, { allowHosts: null, ...rest });
}

const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer = ""): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

describe("a document", () => {
  it("comes as text, asked for without cookies or credentials, from the checked address", async () => {
    const fetched = await fetchIt("https://docs.example.com/a.md?x=1#part");
    expect(fetched).toEqual({ ok: true, markdown: "# Hello\n", source_url: "https://docs.example.com/a.md?x=1" });
    expect(connections).toEqual([`docs.example.com → ${PUBLIC}`]);
    const { method, url, headers } = requests[0] as IncomingMessage;
    expect([method, url, headers.host, headers["user-agent"]]).toEqual([
      "GET",
      "/a.md?x=1",
      "docs.example.com",
      "weft/test",
    ]);
    expect(Object.keys(headers).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const)("may be compressed with %s", async (coding, compress) => {
    respond = answering(
      200,
      { "content-encoding": coding, "content-type": "text/markdown; charset=utf-8" },
      compress("# é"),
    );
    expect(await fetchIt("https://example.com/")).toMatchObject({ ok: true, markdown: "# é" });
  });

  it("loses its byte order mark and reports its progress", async () => {
    const seen: number[] = [];
    respond = answering(200, {}, "\uFEFFtext");
    expect(await fetchIt("https://example.com/", { onBytes: (bytes) => seen.push(bytes) })).toMatchObject({
      markdown: "text",
    });
    expect(seen.at(-1)).toBe(7);
  });

  it("of a file page on github.com comes from the host of raw files", async () => {
    const fetched = await fetchIt("https://github.com/some/repo/blob/main/docs/A%20b.md?plain=1");
    expect(fetched).toMatchObject({ source_url: "https://raw.githubusercontent.com/some/repo/main/docs/A%20b.md" });
    expect(await fetchIt("https://github.com/some/repo")).toMatchObject({ source_url: "https://github.com/some/repo" });
  });

  it("of exactly 1 MiB is not too large", async () => {
    respond = answering(200, {}, "a".repeat(MEGABYTE));
    expect(await fetchIt("https://example.com/")).toMatchObject({ ok: true });
  });
});

const REFUSED_ADDRESSES: readonly (readonly [string, string])[] = [
  ["not an address", "invalid_request"],
  ["", "invalid_request"],
  ["https://", "invalid_request"],
  ["http://example.com/", "fetch_blocked"],
  ["file:///etc/passwd", "fetch_blocked"],
  ["data:text/plain,hi", "fetch_blocked"],
  ["ftp://example.com/", "fetch_blocked"],
  ["https://user@example.com/", "fetch_blocked"],
  ["https://user:secret@example.com/", "fetch_blocked"],
  ["https://example.com:8443/", "fetch_blocked"],
  ["https://127.0.0.1/", "fetch_blocked"],
  ["https://127.1/", "fetch_blocked"],
  ["https://0x7f.1/", "fetch_blocked"],
  ["https://2130706433/", "fetch_blocked"],
  ["https://169.254.169.254/latest/meta-data", "fetch_blocked"],
  ["https://[::1]/", "fetch_blocked"],
  ["https://[::ffff:127.0.0.1]/", "fetch_blocked"],
  ["https://[::ffff:8.8.8.8]/", "fetch_blocked"],
  ["https://[64:ff9b::7f00:1]/", "fetch_blocked"],
  ["https://[fe80::1]/", "fetch_blocked"],
  ["https://[fd00::1]/", "fetch_blocked"],
  ["https://inside.example.com/", "fetch_blocked"],
  ["https://both.example.com/", "fetch_blocked"],
  ["https://nothing.example.com/", "fetch_failed"],
];

const NAMES: Names = {
  "inside.example.com": ["10.1.2.3"],
  "both.example.com": [PUBLIC, "127.0.0.1"],
  "nothing.example.com": [],
};

describe("an address", () => {
  it.each(REFUSED_ADDRESSES)("%s is refused with %s before anything is sent", async (address, error) => {
    verifies("import.guarded");
    expect(await fetchIt(address, { names: NAMES })).toMatchObject({ ok: false, error, status: null });
    expect(connections).toEqual([]);
  });

  it.each(REFUSED_ADDRESSES.filter(([, error]) => error === "fetch_blocked"))(
    "%s is refused after a redirect too",
    async (address) => {
      verifies("import.guarded");
      respond = answering(302, { location: address });
      expect(await fetchIt("https://example.com/", { names: NAMES })).toMatchObject({ error: "fetch_blocked" });
      expect(connections).toEqual([`example.com → ${PUBLIC}`]);
    },
  );

  it("is never echoed with its password", async () => {
    const refusal = await fetchIt("https://user:secret@example.com/");
    expect(JSON.stringify(refusal)).not.toContain("secret");
  });

  it.each([
    [["docs.example.com"], "https://docs.example.com/", true],
    [[" DOCS.example.com. "], "https://docs.EXAMPLE.com./", true],
    [["example.com"], "https://docs.example.com/", false],
    [["docs.example.com"], "https://example.com/", false],
    [["*.example.com"], "https://docs.example.com/", false],
    [["raw.githubusercontent.com"], "https://github.com/a/b/blob/main/c.md", true],
    [["github.com"], "https://github.com/a/b/blob/main/c.md", false],
    [[], "https://example.com/", false],
  ])("with the hosts %j: %s", async (allowHosts, address, ok) => {
    const fetched = await fetchIt(address, { allowHosts });
    expect(fetched.ok ? true : fetched.error).toBe(ok ? true : "fetch_blocked");
  });
});

describe("the connection", () => {
  it("goes to an address of the first lookup, even if a second one would differ", async () => {
    let lookups = 0;
    const resolve = async (): Promise<readonly string[]> => {
      lookups += 1;
      return lookups === 1 ? [PUBLIC] : ["127.0.0.1"];
    };
    const fetcher = createDocumentFetcher({ userAgent: "weft/test", resolve, connector: reroute() });
    expect(await fetcher("https://rebinding.example.com/", { allowHosts: null })).toMatchObject({ ok: true });
    expect([lookups, connections]).toEqual([1, [`rebinding.example.com → ${PUBLIC}`]]);
    expect(await fetcher("https://rebinding.example.com/", { allowHosts: null })).toMatchObject({
      error: "fetch_blocked",
    });
  });

  it("that is refused is reported as such", async () => {
    const connector: Connector = () => (_options, callback) =>
      callback(Object.assign(new Error("no"), { code: "ECONNREFUSED" }), null);
    expect(await fetchIt("https://down.example.com/", { connector })).toMatchObject({
      error: "fetch_failed",
      message: "the connection failed (refused)",
    });
  });

  it("speaks TLS with the name of the host, not its address", async () => {
    const hello = await new Promise<Buffer>((seen) => {
      const listener = createTcpServer((socket) => {
        socket.once("data", (data) => {
          socket.destroy();
          listener.close();
          seen(data);
        });
      });
      listener.listen(0, "127.0.0.1", () => {
        const local = String((listener.address() as AddressInfo).port);
        const connector: Connector = (options) => {
          const tls = buildConnector({ ...options, lookup: (_host, _all, found) => found(null, [LOCAL]) });
          return (to, callback) => tls({ ...to, port: local }, callback);
        };
        void fetchIt("https://named.example.com/", { connector });
      });
    });
    expect(hello[0]).toBe(0x16);
    expect(hello.includes("named.example.com")).toBe(true);
  });
});

describe("redirects", () => {
  const chain =
    (length: number): RequestListener =>
    (request, response) => {
      const step = Number((request.url ?? "/0").slice(1));
      if (step >= length) response.end("end");
      else response.writeHead([301, 302, 303, 307, 308][step % 5] ?? 302, { location: `/${step + 1}` }).end("moved");
    };

  it.each([
    [3, { ok: true, markdown: "end", source_url: "https://example.com/3" }],
    [4, { ok: false, error: "too_many_redirects" }],
  ])("%i of them", async (length, expected) => {
    verifies("import.guarded");
    respond = chain(length);
    expect(await fetchIt("https://example.com/0")).toMatchObject(expected);
    expect(requests).toHaveLength(4);
  });

  it("are checked against the hosts again", async () => {
    respond = (request, response) => {
      if (request.headers.host === "a.example.com")
        response.writeHead(302, { location: "https://b.example.com/" }).end();
      else response.end("b");
    };
    const names = { "a.example.com": [PUBLIC], "b.example.com": ["93.184.216.35"] };
    expect(await fetchIt("https://a.example.com/", { names, allowHosts: ["a.example.com"] })).toMatchObject({
      error: "fetch_blocked",
    });
    expect(await fetchIt("https://a.example.com/", { names })).toMatchObject({ markdown: "b" });
    expect(connections.at(-1)).toBe("b.example.com → 93.184.216.35");
  });

  it("without a place to go are failures", async () => {
    respond = answering(302, {});
    expect(await fetchIt("https://example.com/")).toMatchObject({ error: "fetch_failed", status: 302 });
  });
});

const WRONG_ANSWERS: readonly (readonly [string, RequestListener, string])[] = [
  ["404", answering(404, {}), "fetch_failed"],
  ["204", answering(204, {}), "fetch_failed"],
  ["500", answering(500, {}), "fetch_failed"],
  ["an image", answering(200, { "content-type": "image/png" }), "not_text"],
  ["JSON", answering(200, { "content-type": "application/json" }), "not_text"],
  ["a type that starts like text", answering(200, { "content-type": "textual/plain" }), "not_text"],
  ["invalid UTF-8", answering(200, {}, Buffer.from([0x23, 0xc3, 0x28])), "not_utf8"],
  ["half a code point", answering(200, {}, Buffer.from("é").subarray(0, 1)), "not_utf8"],
  ["a NUL", answering(200, {}, "a\0b"), "not_text"],
  ["more than 1 MiB", answering(200, {}, "a".repeat(MEGABYTE + 1)), "too_large"],
  [
    "a small body that grows",
    answering(200, { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(64 * MEGABYTE))),
    "too_large",
  ],
  ["damaged compression", answering(200, { "content-encoding": "gzip" }, "no gzip"), "fetch_failed"],
  ["cut compression", answering(200, { "content-encoding": "gzip" }, gzipSync("text").subarray(0, 12)), "fetch_failed"],
  ["an unknown coding", answering(200, { "content-encoding": "zstd" }, "x"), "fetch_failed"],
  [
    "a body that stops",
    (_request, response) => response.writeHead(200, { "content-length": "9" }).write("a", () => response.destroy()),
    "fetch_failed",
  ],
  ["no HTTP at all", (request) => request.socket.end("hello\r\n\r\n"), "fetch_failed"],
  ["nothing", (request) => request.socket.destroy(), "fetch_failed"],
];

describe("an answer", () => {
  it.each(WRONG_ANSWERS)("%s is refused", async (_name, listener, error) => {
    respond = listener;
    const fetched = await fetchIt("https://example.com/");
    expect(fetched).toMatchObject({ ok: false, error, message: expect.stringMatching(/^[a-z0-9 ()_A-Z.-]+$/) });
  });

  it.each([
    ["application/octet-stream", true],
    ["text/html", true],
    ["TEXT/X-Markdown ; charset=utf-8", true],
  ])("of type %s is taken", async (type, ok) => {
    respond = answering(200, { "content-type": type }, "x");
    expect((await fetchIt("https://example.com/")).ok).toBe(ok);
  });
});

describe("time", () => {
  it("ends an answer that does not come", async () => {
    verifies("import.guarded");
    respond = () => {};
    expect(await fetchIt("https://example.com/", { timeoutMs: 50 })).toMatchObject({ error: "fetch_timeout" });
  });

  it("ends an answer that never ends", async () => {
    respond = (_request, response) => void response.write("drip");
    expect(await fetchIt("https://example.com/", { timeoutMs: 100 })).toMatchObject({ error: "fetch_timeout" });
  });

  it("ends a lookup that never ends", async () => {
    const resolve = (): Promise<readonly string[]> => new Promise(() => {});
    const fetcher = createDocumentFetcher({ userAgent: "weft/test", resolve, connector: reroute() });
    const fetched = await fetcher("https://example.com/", { allowHosts: null, timeoutMs: 50 });
    expect(fetched).toMatchObject({ error: "fetch_timeout" });
  });

  it("is the caller's: an abort rejects with its reason", async () => {
    const abort = new AbortController();
    respond = () => abort.abort(new Error("cancelled by the caller"));
    await expect(fetchIt("https://example.com/", { signal: abort.signal })).rejects.toThrow("cancelled by the caller");
    await expect(fetchIt("https://example.com/", { signal: abort.signal })).rejects.toThrow("cancelled by the caller");
    expect(connections).toHaveLength(1);
  });
});
