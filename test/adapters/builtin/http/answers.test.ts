/** What programs get of answers: the envelope, bodies of all types, and which statuses are errors. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { realClock } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { failure } from "../../guard/http-world.ts";
import { type Answer, adapterWorld, answering } from "./adapter-world.ts";
import { socketServer } from "./servers.ts";

const world = adapterWorld();
const { bench, call } = world;

describe("the envelope", () => {
  it("tells everything of an answer", async () => {
    verifies("adapter.http.verbs");
    world.respond = answering(
      200,
      { "Content-Type": "application/json", "Set-Cookie": "a=1", "X-A": ["1", "2"] },
      '{"a": [1]}',
    );
    const url = `${world.server.base}/a?b=c#d`;
    expect(await call("Get", url)).toEqual({
      ok: true,
      status: 200,
      status_code: 200,
      error: null,
      body: { a: [1] },
      headers: {
        "content-type": "application/json",
        "set-cookie": ["a=1"],
        "x-a": ["1", "2"],
        date: expect.any(String),
        connection: "keep-alive",
        "keep-alive": expect.any(String),
        "transfer-encoding": "chunked",
      },
      url,
      final_url: `${world.server.base}/a?b=c`,
      redirects: 0,
      elapsed_ms: expect.any(Number),
    });
  });

  it("names the address after redirects", async () => {
    world.respond = (request, response) =>
      void (request.url === "/a" ? response.writeHead(302, { location: "/b" }) : response).end();
    expect(await call("get", `${world.server.base}/a`)).toMatchObject({
      url: `${world.server.base}/a`,
      final_url: `${world.server.base}/b`,
      redirects: 1,
    });
  });

  it.each([
    ["Head", 200],
    ["Get", 204],
    ["Get", 304],
    ["Delete", 204],
  ])("of %s with status %i has no body", async (verb, status) => {
    world.respond = answering(status, { "content-type": "application/json" });
    expect(await call(verb, world.server.base)).toMatchObject({ ok: status < 300, status, body: null });
  });

  it("holds names of headers as they are", async () => {
    world.respond = answering(200, { ["__proto__x"]: "1", constructor: "2" });
    const raw = await socketServer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n__proto__: 1\r\ncontent-length: 0\r\n\r\n")),
    );
    world.open.push(raw);
    const { headers } = await call("Get", raw.base);
    expect(JSON.stringify(headers)).toContain('"__proto__":"1"');
    expect((await call("Get", world.server.base)).headers).toMatchObject({ constructor: "2" });
  });
});

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const LATIN = Buffer.from("café", "latin1");
const BODIES: readonly (readonly [
  type: string | undefined,
  sent: string | Buffer,
  mode: string,
  expected: JsonObject,
])[] = [
  ["application/json", "[1]", "auto", { body: [1] }],
  ["Application/JSON; charset=utf-8", '\uFEFF{"ü":1}', "auto", { body: { ü: 1 } }],
  ["application/problem+json", '{"x":1}', "auto", { body: { x: 1 } }],
  ["model/gltf+json", '{"x":1}', "auto", { body: { x: 1 } }],
  ["application/json", "{nope", "auto", { body: "{nope", parse_error: true }],
  ["application/json", "", "auto", { body: "", parse_error: true }],
  ["application/json", "[1e999]", "auto", { body: "[1e999]", parse_error: true }],
  ["application/json", `[${"9".repeat(400)}]`, "auto", { body: `[${"9".repeat(400)}]`, parse_error: true }],
  ["application/json", '["1e999"]', "auto", { body: ["1e999"] }],
  ["application/json", '{"__proto__":{"a":1}}', "text", { body: '{"__proto__":{"a":1}}' }],
  ["application/json", Buffer.from([0x22, 0xff, 0x22]), "auto", { body: "\uFFFD", lossy: true }],
  ["application/jsonp", "x", "auto", { body: { $base64: "eA==" } }],
  ["text/plain", "häh", "auto", { body: "häh" }],
  ["text/plain; charset=iso-8859-1", LATIN, "auto", { body: "café" }],
  ['text/plain; Charset="ISO-8859-1"', LATIN, "auto", { body: "café" }],
  ["text/plain; charset=windows-1252", Buffer.from([0x80, 0x93, 0x99, 0x94]), "auto", { body: "€“™”" }],
  ["text/plain; charset=utf-16le", Buffer.from("hé", "utf16le"), "auto", { body: "hé" }],
  ["text/plain; charset=shift_jis", Buffer.from([0x93, 0xfa]), "auto", { body: "日" }],
  ["text/plain", LATIN, "auto", { body: "caf\uFFFD", lossy: true }],
  ["text/plain", Buffer.from([0x61, 0xe2, 0x82]), "auto", { body: "a\uFFFD", lossy: true }],
  ["text/plain; charset=nonsense", LATIN, "auto", { body: "caf\uFFFD", lossy: true }],
  ["text/html", "<p>", "auto", { body: "<p>" }],
  ["application/xml", "<a/>", "auto", { body: "<a/>" }],
  [
    "application/xml",
    latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'),
    "auto",
    { body: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>' },
  ],
  [
    "application/atom+xml",
    latin("\n<?xml version='1.0' encoding='latin1'?><a>é</a>"),
    "auto",
    { body: "\n<?xml version='1.0' encoding='latin1'?><a>é</a>" },
  ],
  [
    "application/xml; charset=utf-8",
    latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'),
    "auto",
    { body: '<?xml version="1.0" encoding="ISO-8859-1"?><a>\uFFFD</a>', lossy: true },
  ],
  [
    "application/xml",
    '<?xml version="1.0" encoding="UTF-16"?><a>é</a>',
    "auto",
    { body: '<?xml version="1.0" encoding="UTF-16"?><a>é</a>' },
  ],
  [
    "application/xml",
    Buffer.from('<?xml version="1.0"?><a>é</a>', "utf16le"),
    "auto",
    { body: '<?xml version="1.0"?><a>é</a>' },
  ],
  [
    "text/html",
    latin('<html><meta charset="windows-1252">é'),
    "auto",
    { body: '<html><meta charset="windows-1252">é' },
  ],
  [
    "text/html",
    latin('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">é'),
    "auto",
    { body: '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">é' },
  ],
  [
    "text/plain",
    latin('<meta charset="windows-1252">é'),
    "auto",
    { body: '<meta charset="windows-1252">\uFFFD', lossy: true },
  ],
  [
    "text/plain; charset=utf-8",
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("é", "utf16le")]),
    "auto",
    { body: "é" },
  ],
  ["image/svg+xml", "<svg/>", "auto", { body: "<svg/>" }],
  ["application/x-www-form-urlencoded", "a=b", "auto", { body: "a=b" }],
  ["image/png", Buffer.from([1, 255]), "auto", { body: { $base64: "Af8=" } }],
  ["application/octet-stream", "text", "auto", { body: { $base64: "dGV4dA==" } }],
  [undefined, "plain", "auto", { body: "plain" }],
  [undefined, "", "auto", { body: "" }],
  [undefined, Buffer.from([255]), "auto", { body: { $base64: "/w==" } }],
  ["text/plain", "[1]", "json", { body: [1] }],
  ["text/plain", "x", "json", { body: "x", parse_error: true }],
  ["application/json", "[12345678901234567890]", "text", { body: "[12345678901234567890]" }],
  ["text/plain", "x", "base64", { body: { $base64: "eA==" } }],
  ["text/plain", "x", "none", { body: null }],
];

describe("the body of an answer", () => {
  it.each(BODIES)("of type %s with %j read as %s", async (type, sent, mode, expected) => {
    world.respond = answering(200, type === undefined ? {} : { "content-type": type }, sent);
    const answer = await call("Get", world.server.base, null, { response: mode });
    const { body, parse_error, lossy } = answer;
    expect({
      body,
      ...(parse_error === undefined ? {} : { parse_error }),
      ...(lossy === undefined ? {} : { lossy }),
    }).toEqual(expected);
  });

  it("may have members of any name", async () => {
    world.respond = answering(200, { "content-type": "application/json" }, '{"__proto__":{"a":1}}');
    expect(JSON.stringify((await call("Get", world.server.base)).body)).toBe('{"__proto__":{"a":1}}');
  });

  it("is as large as the settings allow, whatever its form", async () => {
    world.respond = answering(200, { "content-type": "image/png" }, Buffer.alloc(3_000_000));
    const large = await bench({ max_response_bytes: 3_000_000 });
    expect(await large.call("Get", world.server.base)).toMatchObject({ ok: true });
    const error = await failure(large.call("Get", world.server.base, { max_response_bytes: 2_999_999 }));
    expect([error.code, error.retryable]).toEqual(["ADAPTER_TOO_LARGE", false]);
  });
});

describe("a status", () => {
  it.each([200, 201, 204, 299, 304])("%i is a result", async (status) => {
    verifies("adapter.http.status");
    world.respond = answering(status, {});
    expect(await call("Get", world.server.base)).toMatchObject({
      ok: status !== 304,
      status,
      status_code: status,
      error: null,
    });
  });

  it.each([400, 401, 404, 409, 410, 418, 501, 505, 300, 305, 408, 425, 429, 500, 502, 503, 504])(
    "%i is an error",
    async (status) => {
      verifies("adapter.http.status");
      world.respond = answering(status, { "content-type": "application/json" }, '{"why":1}');
      const error = await failure(call("Get", world.server.base));
      expect(error).toMatchObject({
        code: "ADAPTER_HTTP_STATUS",
        retryable: [408, 425, 429, 500, 502, 503, 504].includes(status),
        retryAfterMs: null,
        data: { ok: false, status, body: { why: 1 }, url: world.server.base },
      });
      expect(error.message).toBe(`the server answered ${status}`);
    },
  );

  it.each([
    [404, [404], true],
    [404, "any", true],
    [500, [404, 500], true],
    [404, [500], false],
    [404, [], false],
  ])("%i with accept_status %j is a result: %s", async (status, accepted, result) => {
    verifies("adapter.http.status");
    world.respond = answering(status, {}, "x");
    const called = call("Get", world.server.base, { accept_status: accepted });
    if (result) expect(await called).toMatchObject({ ok: false, status, body: "x" });
    else expect((await failure(called)).code).toBe("ADAPTER_HTTP_STATUS");
  });

  it.each([
    ["2", 2_000],
    ["0", 0],
    ["Thu, 15 Jan 2026 08:00:30 GMT", 30_000],
    ["Thu, 15 Jan 2026 07:00:00 GMT", 0],
    ["soon", null],
    ["-1", null],
    ["1e9", null],
    ["1.5", 1_500],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
  ])("with Retry-After %s asks to wait %s ms", async (value, wait) => {
    world.respond = answering(503, { "retry-after": value });
    const clock = { ...realClock, wall: () => Date.parse("2026-01-15T08:00:00Z") };
    const error = await failure((await bench({}, { clock })).call("Get", world.server.base));
    expect(error.retryAfterMs).toBe(wait);
  });

  it.each([
    ["text", "text/plain", "ü\u0001".repeat(100_000)],
    ["JSON", "application/json", JSON.stringify(Array(40_000).fill("ab"))],
    ["bytes", "image/png", Buffer.alloc(100_000)],
  ])("with a long body of %s carries its beginning", async (_name, type, body) => {
    world.respond = answering(500, { "content-type": type, "x-long": "a".repeat(9_000), "x-a": "1" }, body);
    const error = await failure(call("Get", `${world.server.base}/?${"a".repeat(5_000)}`));
    const data = error.data as Answer;
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(65_536);
    expect(Buffer.byteLength(JSON.stringify(data.body))).toBeGreaterThan(40_000);
    expect(data).toMatchObject({ body_truncated: true, headers: { "x-a": "1" } });
    expect(data.headers).not.toHaveProperty("x-long");
  });

  it.each([
    ["Get", "manual", 302, "result"],
    ["Post", "manual", 307, "result"],
    ["Get", "error", 302, "ADAPTER_HTTP_STATUS"],
    ["Post", undefined, 302, "ADAPTER_HTTP_STATUS"],
    ["Post", "follow", 302, "result"],
    ["Post", undefined, 303, "result"],
  ])("of a redirect of %s with %s", async (verb, redirect, status, expected) => {
    verifies("adapter.http.redirects");
    world.respond = (request, response) =>
      void (request.url === "/" ? response.writeHead(status, { location: "/end" }) : response).end();
    const options = redirect === undefined ? {} : { redirect };
    const called =
      verb === "Get" ? call(verb, world.server.base, null, options) : call(verb, world.server.base, "x", null, options);
    if (expected !== "result") expect((await failure(called)).code).toBe(expected);
    else expect(await called).toMatchObject({ status: redirect === "manual" ? status : 200 });
  });
});
