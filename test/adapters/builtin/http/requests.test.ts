/** What programs can send: arguments in all spellings, bodies, the query. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { verifies } from "../../../support/requirements.ts";
import { failure } from "../../guard/http-world.ts";
import { adapterWorld } from "./adapter-world.ts";

const world = adapterWorld();
const { bench, call } = world;

const FORM = "application/x-www-form-urlencoded";
const SENT: readonly (readonly [body: Json, options: JsonObject, type: string | undefined, sent: string])[] = [
  ["raw ü", {}, "text/plain; charset=utf-8", "raw ü"],
  ["", {}, "text/plain; charset=utf-8", ""],
  [{ a: [1, null] }, {}, "application/json", '{"a":[1,null]}'],
  [[1], {}, "application/json", "[1]"],
  [0, {}, "application/json", "0"],
  [false, {}, "application/json", "false"],
  [null, {}, undefined, ""],
  [null, { body_type: "json" }, "application/json", "null"],
  ["text", { body_type: "json" }, "application/json", '"text"'],
  [{ $base64: "aMOk" }, {}, "application/octet-stream", "hä"],
  ["aMOk", { body_type: "base64" }, "application/octet-stream", "hä"],
  [{ $base64: "aA==" }, { body_type: "json" }, "application/json", '{"$base64":"aA=="}'],
  [{ a: "x y&z", b: [1, true, null], c: null }, { body_type: "form" }, FORM, "a=x+y%26z&b=1&b=true"],
  [{}, { body_type: "form" }, FORM, ""],
];

describe("the body of a request", () => {
  it.each(SENT)("%j with %j", async (body, options, type, sent) => {
    verifies("adapter.http.verbs");
    for (const verb of ["Post", "Put", "Patch"]) {
      await call(verb, world.server.base, body, null, options);
      const seen = world.server.requests.at(-1);
      expect([seen?.method, seen?.headers["content-type"], seen?.body]).toEqual([verb.toUpperCase(), type, sent]);
    }
    await call("Delete", world.server.base, { body, ...options });
    expect(world.server.requests.at(-1)).toMatchObject({ method: "DELETE", body: sent });
  });

  it.each([
    [{ $base64: "no base64" }, {}],
    [{ $base64: 1 }, {}],
    [{ $base64: "aA==", more: 1 }, {}],
    [5, { body_type: "text" }],
    ["text", { body_type: "form" }],
    [{ a: { b: 1 } }, { body_type: "form" }],
    ["x", { body_type: "base64" }],
    ["x", { body_type: "xml" }],
    ["x", { body: "y" }],
  ])("%j with %j is refused", async (body, options) => {
    expect((await failure(call("Post", world.server.base, body, null, options))).code).toBe("ADAPTER_BAD_ARGS");
    expect(world.server.requests).toEqual([]);
  });

  it("must be Unicode", async () => {
    expect((await failure(call("Post", world.server.base, "\ud800"))).code).toBe("ADAPTER_ENCODING");
  });

  it("must not exceed the setting", async () => {
    const small = await bench({ max_request_bytes: 3 });
    expect(await small.code("Post", world.server.base, "häh")).toBe("ADAPTER_TOO_LARGE");
    expect(await small.code("Post", world.server.base, "hä")).toBe("no error");
  });
});

describe("arguments", () => {
  const HEADERS = { "X-A": "1" };
  it.each([
    ["Get", [HEADERS], { "x-a": "1" }],
    ["Get", [HEADERS, 3], { "x-a": "1" }],
    ["Get", [HEADERS, 3, { query: { q: 1 } }], { "x-a": "1" }],
    ["Get", [HEADERS, { query: { q: 1 } }], { "x-a": "1" }],
    ["Get", [{ headers: HEADERS, query: { q: 1 } }], { "x-a": "1" }],
    ["Get", [null, { headers: HEADERS }], { "x-a": "1" }],
    ["Get", [null, null, { headers: HEADERS }], { "x-a": "1" }],
    ["Get", [{}, null, null], {}],
    ["Get", [{ "X-A": ["1", "2"] }], { "x-a": "1, 2" }],
    ["Delete", [{ headers: HEADERS, body: "x" }], { "x-a": "1" }],
    ["Post", [null, { headers: HEADERS, timeout_s: 1 }], { "x-a": "1" }],
    ["Post", ["body", HEADERS], { "x-a": "1", "content-type": "text/plain; charset=utf-8" }],
    ["Post", [{ body: "text" }, HEADERS], { "x-a": "1", "content-type": "application/json" }],
    ["Post", ["body", { "Content-Type": "x/y" }], { "content-type": "x/y" }],
    ["Get", [{ "User-Agent": "me" }], { "user-agent": "me" }],
    ["Get", [{ headers: HEADERS }, 3], { "x-a": "1" }],
    ["Post", ["body", { headers: HEADERS, timeout_s: 9 }, 3], { "x-a": "1" }],
    ["Post", ["body", { "Idempotency-Key": "k" }], { "idempotency-key": "k" }],
    ["Get", [{ respons: "of my own" }], { respons: "of my own" }],
    ["Get", [{ respons: "text", "X-A": "1" }], { respons: "text", "x-a": "1" }],
    ["Get", [{ headers: { respons: "text" } }], { respons: "text" }],
  ] as const)("of %s: %j", async (verb, args, headers) => {
    await call(verb, world.server.base, ...args);
    expect(world.server.requests.at(-1)?.headers).toMatchObject(headers);
  });

  it.each([
    ["Get", []],
    ["Get", [1]],
    ["Get", ["{url}", 3]],
    ["Get", ["{url}", { query: "text" }]],
    ["Get", ["{url}", "text"]],
    ["Get", ["{url}", { "X-A": 1 }]],
    ["Get", ["{url}", null, "3"]],
    ["Get", ["{url}", null, 0]],
    ["Get", ["{url}", null, -1, {}]],
    ["Get", ["{url}", null, 1, {}, 1]],
    ["Get", ["{url}", null, { nonsense: 1 }]],
    ["Get", ["{url}", null, { body: "x" }]],
    ["Get", ["{url}", null, { idempotency_key: "x" }]],
    ["Get", ["{url}", null, { timeout_s: "1" }]],
    ["Get", ["{url}", null, { accept_status: [99] }]],
    ["Get", ["{url}", null, { redirect: "maybe" }]],
    ["Get", ["{url}", { "x-a": "1" }, { headers: { "x-b": "1" } }]],
    ["Get", ["{url}", { timeout_s: 1 }, { response: "text" }]],
    ["Get", ["{url}", { timout_s: 2 }]],
    ["Get", ["{url}", { respons: "text" }]],
    ["Get", ["{url}", { respons: "text" }, 3]],
    ["Get", ["{url}", { redirect: "manual", acept_status: "any" }]],
    ["Get", ["{url}", { idempotency_key: "k" }]],
    ["Post", ["{url}", "body", { idempotencykey: "k" }]],
    ["Post", ["{url}", "body", { bodytype: "text" }]],
    ["Post", ["{url}", "body", 3]],
    ["Post", ["{url}", "body", { "x-a": "1" }, 3, 4]],
    ["Get", ["{url}", { "x-a": "a\r\nb: c" }]],
    ["Get", ["{url}", null, { auth: { secret: "A", scheme: "digest" } }]],
    ["Get", ["{url}", null, { auth: { secret: "A", scheme: "header:a b" } }]],
  ])("of %s: %j are refused", async (verb, args) => {
    const given = args.map((arg) => (arg === "{url}" ? world.server.base : arg));
    expect((await failure(call(verb, ...given))).code).toBe("ADAPTER_BAD_ARGS");
    expect(world.server.requests).toEqual([]);
  });

  it.each([
    ["/a", { q: "x y", l: [1, true, "ü"], n: null }, "/a?q=x%20y&l=1&l=true&l=%C3%BC"],
    ["/a?b=c%20d#f", { "&=": "&=#?" }, "/a?b=c%20d&%26%3D=%26%3D%23%3F"],
    ["/a?", { q: 1 }, "/a?q=1"],
    ["/a", {}, "/a"],
    ["/ä ö?ü=ß", undefined, "/%C3%A4%20%C3%B6?%C3%BC=%C3%9F"],
    ["/a", { q: "\ud800" }, "/a?q=%EF%BF%BD"],
  ])("%s with the query %j asks for %s", async (path, query, sent) => {
    await call("Get", world.server.base + path, null, query === undefined ? {} : { query });
    expect(world.server.requests[0]?.url).toBe(sent);
  });

  it.each(["trace", "connect", "request"])("know no verb %s", async (verb) => {
    expect((await failure(call(verb, world.server.base))).code).toBe("ADAPTER_UNKNOWN_VERB");
  });
});
