/** /app/{program}: endpoints of deployments answer as their OpenAPI document says. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange, type Reply } from "../serving.ts";

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({
    variables: {
      WF_SECRET_OLD_KEY: "whsec_b2xkLXNlY3JldC1vZi0yNC1ieXRlcyEh",
      WF_SECRET_NEW_KEY: "whsec_bmV3LXNlY3JldC1vZi0yNC1ieXRlcyEh",
      WF_SECRET_PLAIN: "plain-secret",
    },
  });
});
afterAll(() => service.stop());

const longIds = (...ends: readonly [string, string]): [string, string] => {
  const [one, other] = ends.map((end) => `{"id": "${"x".repeat(300)}${end}"}`);
  return [one ?? "", other ?? ""];
};

let names = 0;
async function deployed(body: object): Promise<string> {
  const name = `app-${++names}`;
  const { status, text } = await service.call("PUT", `/programs/${name}`, body);
  if (status !== 201) throw new Error(text);
  return name;
}
const app = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  exchange(service.port, method, `/app/${path}`, body, headers);

const GIVEN = `# frame: id: text
# frame: n: number
# frame: note: text
# frame: rows: list
E /orders/{id} G ->L_get
E /orders P ->L_post
E /orders/last G ->L_last
L_get:
  J {"id": id, "n": n}
L_post:
  J {"n": n, "note": note, "rows": rows}
L_last:
  J "last"
`;

describe("an endpoint", () => {
  let name: string;
  beforeAll(async () => {
    name = await deployed({ code: GIVEN, frame: { note: "default", id: "none", n: 0, rows: [] } });
  });

  it.each([
    ["path and query", "GET", "orders/7?n=2", undefined, { id: "7", n: 2 }],
    ["an escaped path", "GET", "orders/a%2Fb%20c", undefined, { id: "a/b c", n: 0 }],
    ["a literal before a parameter", "GET", "orders/last", undefined, "last"],
    ["members of the body, and defaults below them", "POST", "orders", { n: 3 }, { n: 3, note: "default", rows: [] }],
    ["the query where there is a body, below it", "POST", "orders?note=q&n=9", { n: 4 }, { n: 4, note: "q", rows: [] }],
    ["no body at all", "POST", "orders", undefined, { n: 0, note: "default", rows: [] }],
    [
      "undeclared members, which it leaves alone",
      "POST",
      "orders",
      { n: 1, x: 2 },
      { n: 1, note: "default", rows: [] },
    ],
  ])("takes its inputs from %s (E-1, E-2)", async (_what, method, path, body, out) => {
    const reply = await app(method, `${name}/${path}`, body);
    expect([reply.status, reply.body]).toEqual([200, out]);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers["x-trace-id"]).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ["a path that is not there", "GET", "nothing", 404, "not_found"],
    ["a path below one", "GET", "orders/7/x", 404, "not_found"],
    ["an empty parameter", "GET", "orders/", 404, "not_found"],
    ["a path that cannot be decoded", "GET", "orders/%zz", 404, "not_found"],
    ["another method", "DELETE", "orders/7", 405, "method_not_allowed"],
    ["a head of what has no GET", "HEAD", "orders", 405, undefined],
  ])("answers %s as the rest of the service does (E-5)", async (_what, method, path, status, error) => {
    const reply = await app(method, `${name}/${path}`);
    expect([reply.status, reply.body?.error]).toEqual([status, error]);
    if (error === "method_not_allowed") expect(reply.headers.allow).toBe("GET, HEAD");
  });

  it.each([
    ["a text", '"x"', "application/json", 400, "invalid_request"],
    ["a list", "[1]", "application/json", 400, "invalid_request"],
    ["half a document", '{"n":', "application/json", 400, "invalid_json"],
    ["a form", "n=1", "application/x-www-form-urlencoded", 415, "unsupported_media_type"],
    [
      "a body that nests too deeply",
      `${"[".repeat(600)}${"]".repeat(600)}`,
      "application/json",
      400,
      "invalid_request",
    ],
    ["a body with __proto__", '{"__proto__":1}', "application/json", 400, "invalid_request"],
  ])("refuses %s (E-5, E-6)", async (_what, body, type, status, error) => {
    const reply = await app("POST", `${name}/orders`, body, { "content-type": type });
    expect([reply.status, reply.body.error]).toEqual([status, error]);
  });

  it.each(["HEAD", "DELETE"])("says which methods it has to %s (E-6)", async (method) => {
    const reply = await app(method, `${name}/orders`);
    expect([reply.status, reply.headers.allow]).toEqual([405, "POST"]);
  });

  it("T.W: answers OPTIONS with the methods of the path", async () => {
    const [post, get, none] = [
      await app("OPTIONS", `${name}/orders`),
      await app("OPTIONS", `${name}/orders/7`),
      await app("OPTIONS", `${name}/x`),
    ];
    expect([post.status, post.headers.allow, post.text]).toEqual([204, "OPTIONS, POST", ""]);
    expect([get.status, get.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(none.status).toBe(404);
  });

  it("refuses another origin and a name that is not its own (E-5)", async () => {
    expect((await app("POST", `${name}/orders`, {}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await app("GET", `${name}/orders/1`, undefined, { host: "evil.example" })).status).toBe(403);
  });

  it("answers once for an Idempotency-Key (E-5)", async () => {
    const held = await deployed({ code: "E /hold P ->L1\nL1:\n  R ext.Echo 1 ->x\n  J x\n" });
    const before = service.made.length;
    const headers = { "idempotency-key": "k1" };
    const first = await app("POST", `${held}/hold`, {}, headers);
    const again = await app("POST", `${held}/hold`, {}, headers);
    expect([first.body, again.body, again.headers["idempotent-replayed"]]).toEqual([1, 1, "true"]);
    expect(service.made.length).toBe(before + 1);
  });

  it("is cancelled when its caller goes away (E-5)", async () => {
    const held = await deployed({ code: 'E /hold P ->L1\nL1:\n  R ext.Hold "gone" ->x\n  J x\n' });
    const { opened } = await import("../serving.ts");
    const request = opened(service.port, "POST", `/app/${held}/hold`, { "content-length": 0 });
    request.on("error", () => {});
    request.end();
    const call = await service.held();
    const aborted = new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    request.destroy();
    await aborted;
  });

  it("names program, version and endpoint in the log (E-5)", async () => {
    await app("GET", `${name}/orders/last`);
    const event = await service.logged("run_complete", (one) => one["endpoint"] === "GET /orders/last");
    expect(event).toMatchObject({ program: name, version: 1 });
  });

  it("answers a run that fails as POST /run with Prefer: failure-status (E-2)", async () => {
    const failing = await deployed({ code: 'E /fail P ->L1\nL1:\n  R ext.Fail "no" ->x\n  J x\n' });
    const reply = await app("POST", `${failing}/fail`, {});
    expect([reply.status, reply.body.ok, reply.body.error]).toEqual([422, false, "adapter_error"]);
  });

  it("is answered by the new version as soon as it is current, and by none of a disabled deployment", async () => {
    const moving = await deployed({ code: "E /v G ->L1\nL1:\n  J 1\n" });
    expect((await app("GET", `${moving}/v`)).body).toBe(1);
    await service.call("PUT", `/programs/${moving}`, { code: "E /v G ->L1\nL1:\n  J 2\n" });
    expect((await app("GET", `${moving}/v`)).body).toBe(2);
    await service.call("POST", `/programs/${moving}/rollback`, { version: 1 });
    expect((await app("GET", `${moving}/v`)).body).toBe(1);
    await service.call("PATCH", `/programs/${moving}`, { enabled: false });
    const disabled = await app("GET", `${moving}/v`);
    expect([disabled.status, disabled.body.error]).toEqual([503, "program_disabled"]);
    await service.call("DELETE", `/programs/${moving}`);
    expect((await app("GET", `${moving}/v`)).body.error).toBe("program_not_found");
  });

  it("gets the body that is not an object in the input named body, and the request itself where it is declared (E-1)", async () => {
    const raw = await deployed({
      code: '# frame: body: any\n# frame: _request: map\nE /raw/{x} P ->L1\nL1:\n  J {"b": body, "r": _request}\n',
      endpoints: { "/raw/{x}": { headers: ["X-Kind"] } },
    });
    const reply = await app("POST", `${raw}/raw/1?a=1&a=2&b=x`, "[1,2]", {
      "content-type": "application/json",
      "x-kind": "k",
      "x-other": "o",
    });
    expect(reply.body).toEqual({
      b: [1, 2],
      r: { method: "POST", path: "/raw/1", query: { a: ["1", "2"], b: "x" }, headers: { "x-kind": "k" } },
    });
    const spoofed = await app("POST", `${raw}/raw/1?_request=x`, { _request: { method: "spoofed" } });
    expect(spoofed.body.r.method).toBe("POST");
  });

  it("queues a job in mode job, which names the deployment (E-2)", async () => {
    const own = { endpoints: { "POST /orders": { mode: "job" } }, frame: { note: "default", rows: [] } };
    const jobs = await deployed({ code: GIVEN, ...own });
    const accepted = await app("POST", `${jobs}/orders`, { n: 5 });
    expect([accepted.status, accepted.body.status]).toEqual([202, "queued"]);
    const over = await service.over(accepted.body.job_id);
    expect(over.body).toMatchObject({ program: jobs, version: 1, result: { out: { n: 5 } } });
  });
});

describe("types of an endpoint", () => {
  const TYPED = `# frame: n: number
# frame: on: boolean
# frame: ids: A[I]
# frame: order: Order
D Order id:I total:F note:S?
E /types P ->L1
E /orders P ->L2 ->order Order
E /many P ->L3 ->x A[Order]
L1:
  J {"n": n, "on": on, "ids": ids}
L2:
  J order
L3:
  Set x [order]
  J x
`;
  let name: string;
  beforeAll(async () => {
    name = await deployed({ code: TYPED });
  });
  const ORDER = { id: 1, total: 2.5 };

  it.each([
    ["types?n=2&on=true&ids=1&ids=2", {}, { n: 2, on: true, ids: [1, 2] }],
    ["types?n=2&on=false&ids=7", {}, { n: 2, on: false, ids: [7] }],
    ["types?n=2&on=false&ids=[1,2]", {}, { n: 2, on: false, ids: [1, 2] }],
    ["types", { n: 2, on: true, ids: [] }, { n: 2, on: true, ids: [] }],
  ])("are those of its inputs, wherever they stand: %s (E-1)", async (path, body, out) => {
    const reply = await app("POST", `${name}/${path}`, body);
    expect([reply.status, reply.body]).toEqual([200, out]);
  });

  it.each([
    ["types?n=x&on=true&ids=1", {}, "/n"],
    ["types?n=1&on=yes&ids=1", {}, "/on"],
    ["types", { n: "1", on: true, ids: [] }, "/n"],
    ["types", { n: 1, on: true, ids: [1, "2"] }, "/ids/1"],
    ["orders", { order: { id: "1", total: 2 } }, "/order/id"],
    ["orders", { order: { id: 1 } }, "/order/total"],
  ])("are enforced: %s %j (E-1)", async (path, body, place) => {
    const reply = await app("POST", `${name}/${path}`, body);
    expect([reply.status, reply.body.error, reply.body.issues[0].path]).toEqual([422, "input_invalid", place]);
  });

  it("are those of its result, or the answer is 500 and the log has the place (E-2)", async () => {
    expect((await app("POST", `${name}/orders`, { order: ORDER })).body).toEqual(ORDER);
    expect((await app("POST", `${name}/many`, { order: ORDER })).body).toEqual([ORDER]);
    const loose = await deployed({ code: TYPED.replace("# frame: order: Order", "# frame: order"), strict: false });
    const wrong = await app("POST", `${loose}/orders`, { order: { id: "x", total: 1 } });
    expect([wrong.status, wrong.body.error]).toEqual([500, "response_type"]);
    const event = await service.logged("response_type", (one) => one["trace_id"] === wrong.body.trace_id);
    expect(event).toMatchObject({ path: "/id", program: loose });
    const many = await app("POST", `${loose}/many`, { order: { id: 1 } });
    expect(many.body.error).toBe("response_type");
  });
});

describe("the OpenAPI document of a program", () => {
  it("says which inputs go where, and where the paths begin", async () => {
    const name = await deployed({ code: GIVEN, endpoints: { "/orders": { mode: "job" } } });
    const { status, body } = await app("GET", `${name}/openapi.json`);
    expect([status, body.openapi, body.servers]).toEqual([200, "3.1.0", [{ url: `/app/${name}` }]]);
    expect(Object.keys(body.paths)).toEqual(["/orders/{id}", "/orders", "/orders/last"]);
    const { get } = body.paths["/orders/{id}"];
    expect(get.parameters.map((one: { in: string; name: string }) => `${one.in} ${one.name}`)).toEqual([
      "path id",
      "query n",
    ]);
    const { post } = body.paths["/orders"];
    expect(Object.keys(post.requestBody.content["application/json"].schema.properties)).toEqual(["n", "note", "rows"]);
    expect(Object.keys(post.responses)).toEqual(["200", "202", "default"]);
  });

  it("is answered for 10,000 endpoints, each of which answers", async () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `E /e${at}/{id} G ->L1`);
    const name = await deployed({ code: `# frame: id: text\n${lines.join("\n")}\nL1:\n  J id\n` });
    const { body } = await app("GET", `${name}/openapi.json`);
    expect(Object.keys(body.paths).length).toBe(10_000);
    for (const at of [0, 5000, 9999]) expect((await app("GET", `${name}/e${at}/x${at}`)).body).toBe(`x${at}`);
    expect((await app("GET", `${name}/e10000/x`)).status).toBe(404);
  }, 60_000);
});

describe("signed deliveries", () => {
  const BODY = '{"n": 1,  "event": {"id": "e1"}}';
  const now = (): number => Math.floor(Date.now() / 1000);
  const mac = (key: string | Buffer, text: string, encoding: "hex" | "base64" = "hex"): string =>
    createHmac("sha256", key).update(text, "utf8").digest(encoding);
  const standard = (key: string, { id = "m1", at = now(), body = BODY } = {}) => ({
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${mac(Buffer.from(key), `${id}.${at}.${body}`, "base64")}`,
  });
  const github = (key: string) => ({
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${mac(key, BODY)}`,
  });
  const plain = (key: string, at: number) => ({
    "content-type": "application/json",
    "x-time": String(at),
    "x-sign": `v0=${mac(key, `${at}.${BODY}`, "base64")}`,
  });
  const CODE = "# frame: n: number\nE /s P ->L1\nE /g P ->L1\nE /h P ->L1\nL1:\n  J n\n";
  let name: string;
  beforeAll(async () => {
    name = await deployed({
      code: CODE,
      endpoints: {
        "/s": { verify: { kind: "standard", secrets: ["OLD_KEY", "NEW_KEY"] } },
        "/g": { verify: { kind: "github", secrets: "PLAIN" } },
        "/h": {
          verify: {
            kind: "hmac",
            secrets: ["PLAIN"],
            header: "X-Sign",
            prefix: "v0=",
            encoding: "base64",
            timestamp_header: "X-Time",
          },
        },
      },
    });
  });

  it.each([
    ["Standard Webhooks with the old secret", "s", () => standard("old-secret-of-24-bytes!!")],
    ["Standard Webhooks with the new secret", "s", () => standard("new-secret-of-24-bytes!!")],
    ["a clock that is 290 s slow", "s", () => standard("new-secret-of-24-bytes!!", { at: now() - 290 })],
    ["GitHub's header", "g", () => github("plain-secret")],
    ["a header of its own", "h", () => plain("plain-secret", now())],
  ])("are accepted with %s (E-3)", async (_what, path, headers) => {
    const reply = await app("POST", `${name}/${path}`, BODY, headers());
    expect([reply.status, reply.body]).toEqual([200, 1]);
  });

  it.each([
    ["no signature", "s", () => ({ "content-type": "application/json" }), "header_missing"],
    ["another secret", "s", () => standard("wrong"), "mismatch"],
    [
      "a clock that is 310 s slow",
      "s",
      () => standard("new-secret-of-24-bytes!!", { at: now() - 310 }),
      "timestamp_off",
    ],
    [
      "a clock that is 310 s ahead",
      "s",
      () => standard("new-secret-of-24-bytes!!", { at: now() + 310 }),
      "timestamp_off",
    ],
    [
      "an invalid time",
      "s",
      () => ({ ...standard("new-secret-of-24-bytes!!"), "webhook-timestamp": "soon" }),
      "timestamp_format",
    ],
    [
      "another version of signatures",
      "s",
      () => ({ ...standard("new-secret-of-24-bytes!!"), "webhook-signature": "v2,x" }),
      "header_format",
    ],
    ["the signature of another body", "s", () => standard("new-secret-of-24-bytes!!", { body: "{}" }), "mismatch"],
    ["a GitHub header of another key", "g", () => github("other"), "mismatch"],
    ["a header without its prefix", "h", () => ({ ...plain("plain-secret", now()), "x-sign": "abc" }), "header_format"],
    [
      "a signature that is not of its encoding",
      "h",
      () => ({ ...plain("plain-secret", now()), "x-sign": "v0=?" }),
      "mismatch",
    ],
  ])("are refused with %s, and the caller is not told why (E-3)", async (_what, path, headers, reason) => {
    const reply = await app("POST", `${name}/${path}`, BODY, headers());
    expect([reply.status, Object.keys(reply.body).sort()]).toEqual([401, ["error", "message", "ok", "trace_id"]]);
    expect(reply.body.message).toBe("the signature is not valid");
    const event = await service.logged("signature_invalid", (one) => one["trace_id"] === reply.body.trace_id);
    expect(event).toMatchObject({ reason, program: name });
  });

  it.each([
    ["UTF-8", Buffer.from("mé1")],
    ["other bytes", Buffer.from([0x6d, 0xe9, 0xff])],
  ])("are accepted with an id of %s, whose bytes are signed (E-3)", async (_what, id) => {
    const signed = Buffer.concat([id, Buffer.from(`.${now()}.${BODY}`)]);
    const signature = createHmac("sha256", Buffer.from("new-secret-of-24-bytes!!")).update(signed).digest("base64");
    const headers = { ...standard("new-secret-of-24-bytes!!"), "webhook-id": id.toString("latin1") };
    // Node writes headers as UTF-8 when they leave together with a text.
    const body = Buffer.from(BODY);
    const reply = await app("POST", `${name}/s`, body, { ...headers, "webhook-signature": `v1,${signature}` });
    expect([reply.status, reply.body]).toEqual([200, 1]);
  });

  it("are verified before anything of them is read (E-3)", async () => {
    const reply = await app("POST", `${name}/s`, "not json", { "content-type": "application/json" });
    expect(reply.status).toBe(401);
  });

  it("that come again are queued once, however often (E-4)", async () => {
    const once = await deployed({
      code: "# frame: n: number\nE /a P ->L1\nE /b P ->L1\nL1:\n  J n\n",
      endpoints: { "/a": { mode: "job", dedupe: "webhook-id" }, "/b": { mode: "job", dedupe: "/event/id" } },
    });
    const headers = { "content-type": "application/json", "webhook-id": "d1" };
    const replies: Awaited<ReturnType<typeof app>>[] = [];
    // A thousand, as many at a time as may run.
    for (let at = 0; at < 10; at++)
      replies.push(...(await Promise.all(Array.from({ length: 100 }, () => app("POST", `${once}/a`, BODY, headers)))));
    const later = await app("POST", `${once}/a`, BODY, headers);
    const first = replies.filter(({ status }) => status === 202);
    expect([replies.length, first.length]).toEqual([1000, 1]);
    expect((await service.call("GET", `/jobs?program=${once}`)).body.jobs).toHaveLength(1);
    const id = first[0]?.body.job_id;
    for (const { status, body } of replies.filter((one) => one.status !== 202))
      expect(status === 409 ? body.error : body.job_id).toBe(status === 409 ? "idempotency_in_progress" : id);
    expect([later.status, later.body]).toMatchObject([200, { job_id: id, duplicate: true }]);
    const other = await app("POST", `${once}/a`, BODY, { ...headers, "webhook-id": "d2" });
    expect(other.status).toBe(202);
    expect((await app("POST", `${once}/b`, BODY, headers)).status).toBe(202);
    expect((await app("POST", `${once}/b`, BODY, headers)).status).toBe(200);
    const without = await app("POST", `${once}/b`, "{}", headers);
    expect([without.status, without.body.issues[0].path]).toEqual([400, "/event/id"]);
  });

  it.each([
    ["whole numbers beyond 2^53", '{"id": 9007199254740993}', '{"id": 9007199254740992}'],
    ["more digits than a double holds", '{"id": 0.10000000000000000001}', '{"id": 0.1}'],
    ["texts with a zero character", '{"id": "\\u0000"}', '{"id": "\\u0000a"}'],
    ["halves of a surrogate pair", '{"id": "\\ud800"}', '{"id": "\\ud801"}'],
    ["halves of a surrogate pair in long texts", ...longIds("\\ud800", "\\ud801")],
    ["the end of a long text", ...longIds("a", "b")],
    ["two spellings of one letter", '{"id": "\u00e9"}', '{"id": "e\u0301"}'],
  ])("are different deliveries with ids that differ in %s (E-4)", async (_what, one, other) => {
    const program = await deployed({
      code: "# frame: id: any\nE /a P ->L1\nL1:\n  J id\n",
      endpoints: { "/a": { mode: "job", dedupe: "/id" } },
    });
    const headers = { "content-type": "application/json" };
    const statuses: number[] = [];
    for (const body of [one, other, one]) statuses.push((await app("POST", `${program}/a`, body, headers)).status);
    expect(statuses).toEqual([202, 202, 200]);
  });

  it("are refused with dedupe where they are not queued, when they are deployed", async () => {
    const { status, body } = await service.call("PUT", "/programs/refused", {
      code: CODE,
      endpoints: { "/s": { dedupe: "x-id" } },
    });
    expect([status, body.issues[0].code]).toEqual([422, "dedupe"]);
  });
});
