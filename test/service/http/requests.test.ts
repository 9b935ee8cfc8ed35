/** Requests that are refused: every fault in the one shape, all problems at once, and nothing run. */
import type { OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { exchange, opened, type Reply, replyOf, type Serving, serving } from "../serving.ts";

const OK = { code: "L1:\n  J 1\n" };
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

let service: Serving;
beforeAll(async () => {
  service = await serving({ variables: { WF_MAX_BODY_BYTES: String(4 * 1024 * 1024) } });
});
afterAll(() => service.stop());

describe("a body", () => {
  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["two values", "{} {}"],
    ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["a word", "nul"],
  ])("that is %s is invalid_json", async (_what, body) => {
    verifies("errors.invalid-json", "errors.one-shape");
    const reply = await service.call("POST", "/run", body);
    expect(reply).toMatchObject({ status: 400, body: { ok: false, error: "invalid_json" } });
    expect(Object.keys(reply.body)).toEqual(["ok", "trace_id", "error", "message"]);
  });

  it.each(["[]", "null", "1", '"text"'])("that is %s is not an object", async (body) => {
    expect(await service.call("POST", "/run", body)).toMatchObject({
      status: 400,
      body: { error: "invalid_request", issues: [{ path: "", code: "type" }] },
    });
  });

  it("gets all its problems at once, with paths and near names, without values", async () => {
    verifies("errors.wrong-types", "run.one-of");
    const reply = await service.run({
      code: 5,
      ir: [],
      stric: true,
      label: "",
      frame: "secretvalue",
      limits: { max_stepz: 1, max_depth: "secretvalue" },
      policy: { forbiden_adapters: ["http"], forbidden_privilege_tiers: ["netwrk"] },
      allowed_adapters: "core",
      trace: "yes",
      trace_options: { max_event: 1, max_value_bytes: 9000 },
    });
    expect(reply.status).toBe(400);
    const { issues, message } = reply.body;
    expect(message).toBe(`${issues.length} problems in the request body`);
    const said = Object.fromEntries(issues.map((issue: { path: string; code: string }) => [issue.path, issue.code]));
    expect(said).toEqual({
      "": "exclusive",
      "/code": "type",
      "/ir": "type",
      "/stric": "unknown_member",
      "/label": "range",
      "/frame": "type",
      "/trace": "type",
      "/trace_options/max_event": "unknown_member",
      "/trace_options/max_value_bytes": "range",
      "/limits/max_stepz": "unknown_member",
      "/limits/max_depth": "type",
      "/policy/forbiden_adapters": "unknown_member",
      "/policy/forbidden_privilege_tiers": "unknown_tier",
      "/allowed_adapters": "type",
    });
    const texts = issues.map((issue: { message: string }) => issue.message).join("\n");
    expect(texts).toContain("did you mean strict?");
    expect(texts).toContain("did you mean max_steps?");
    expect(texts).toContain("did you mean forbidden_adapters?");
    expect(reply.text).not.toContain("secretvalue");
  });

  it.each([
    ["neither", {}],
    ["both", { ...OK, ir: {} }],
    ["neither, as nulls", { code: null, ir: null }],
  ])("has exactly one of code, ir and program: %s is refused", async (_what, body) => {
    verifies("run.rule-1");
    const reply = await service.run(body);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(reply.body.issues).toContainEqual({
      path: "",
      code: "exclusive",
      message: "give exactly one of code, ir and program",
    });
  });

  it.each([
    ["a blank program", { code: " \n" }, "/code"],
    ["a fraction for a limit", { ...OK, limits: { max_steps: 1.5 } }, "/limits/max_steps"],
    ["a policy that is a list", { ...OK, policy: [] }, "/policy"],
  ])("with %s is refused", async (_what, body, path) => {
    verifies("run.policy", "grant.limits-integer");
    const reply = await service.run(body);
    expect(reply.status).toBe(400);
    expect(reply.body.issues[0].path).toBe(path);
  });

  it.each([
    ['{"code":"L1:\\n J 1","frame":{"__proto__":{"a":1}}}', "/frame/__proto__"],
    ['{"code":"L1:\\n J 1","frame":{"a":[{"__proto__":1}]}}', "/frame/a/0/__proto__"],
    ['{"ir":{"constructor":{}}}', "/ir/constructor"],
    ['{"code":"L1:\\n J 1","adapters":{"http":{"prototype":1}}}', "/adapters/http/prototype"],
  ])("must not have a member of an object's machinery: %s", async (body, path) => {
    const reply = await service.call("POST", "/run", body);
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toContainEqual({ path, code: "forbidden_member", message: expect.any(String) });
  });

  it("must not contain numbers beyond the range of doubles", async () => {
    const reply = await service.call("POST", "/run", '{"code":"L1:\\n J 1","frame":{"a":1e999}}');
    expect(reply).toMatchObject({ status: 400, body: { issues: [{ path: "/frame/a", code: "bad_number" }] } });
  });

  it.each([
    [510, 200],
    [512, 400],
    [500_000, 400],
  ])("nested %d deep in its frame answers %d", async (depth, status) => {
    const reply = await service.call("POST", "/run", `{"code":"L1:\\n J 1","frame":${nested(depth)}}`);
    expect(reply.status).toBe(status);
    if (status === 400) expect(reply.body.issues[0].code).toBe("too_deep");
  });

  it("above the limit is refused by its length, and while it streams", async () => {
    verifies("errors.body-size");
    const large = JSON.stringify({ ...OK, frame: { text: "x".repeat(5 * 1024 * 1024) } });
    const declared = await service.call("POST", "/run", large);
    expect(declared).toMatchObject({ status: 413, body: { error: "payload_too_large" } });
    const streamed = await service.call("POST", "/run", large, { "transfer-encoding": "chunked" });
    expect(streamed).toMatchObject({ status: 413, headers: { connection: "close" } });
    expect((await service.run(OK)).status).toBe(200);
  });

  it.each([
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/json; charset=latin1" }, 415],
    [{ "content-type": "application/json", "content-encoding": "gzip" }, 415],
    [{ "content-type": "no type at all" }, 415],
    [{ "content-type": "application/json; charset=UTF-8" }, 200],
    [{ "content-type": "application/vnd.acme+json" }, 200],
  ])("of the type %j answers %d", async (headers, status) => {
    expect((await service.run(OK, headers)).status).toBe(status);
  });

  it("with the default type of curl -d gets the header to send", async () => {
    const reply = await service.run(OK, { "content-type": "application/x-www-form-urlencoded" });
    expect(reply).toMatchObject({ status: 415, body: { error: "unsupported_media_type" } });
    expect(reply.body.message).toContain("curl -H 'content-type: application/json'");
  });

  it("needs no type, unless it comes from a page", async () => {
    const text = JSON.stringify(OK);
    const bare = async (headers: OutgoingHttpHeaders): Promise<Reply> => {
      const request = opened(service.port, "POST", "/run", { ...headers, "content-length": text.length });
      const reply = replyOf(request);
      request.end(text);
      return reply;
    };
    expect((await bare({})).status).toBe(200);
    expect((await bare({ origin: `http://127.0.0.1:${service.port}` })).status).toBe(415);
  });
});

describe("a program", () => {
  it("that does not compile gets the places of its errors", async () => {
    verifies("errors.compile");
    const reply = await service.run({ code: "L1:\n J ghost\n" });
    expect(reply).toMatchObject({
      status: 422,
      body: { ok: false, error: "compile_error", message: "1 error in the program" },
    });
    expect(reply.body.diagnostics[0]).toMatchObject({
      code: "WF4001",
      severity: "error",
      line: 2,
      column: 4,
      label_id: "1",
    });
    expect(Object.keys(reply.body.diagnostics[0]).slice(0, 6)).toEqual([
      "code",
      "name",
      "severity",
      "message",
      "line",
      "column",
    ]);
  });

  it("may not include files", async () => {
    verifies("language.includes-off");
    const reply = await service.run({ code: 'include "other.wf" as o\nL1:\n  J 1\n' });
    expect(reply.status).toBe(422);
    expect(reply.body.diagnostics.map((one: { name: string }) => one.name)).toContain("include_disabled");
  });

  it("whose entry does not exist gets the nearest label", async () => {
    verifies("language.unknown-entry");
    const reply = await service.run({ ...OK, label: "L11" });
    expect(reply).toMatchObject({
      status: 422,
      body: { error: "unknown_label", issues: [{ path: "/label", code: "unknown_label" }] },
    });
    expect(reply.body.message).toBe("the requested label does not exist; did you mean L1?");
  });

  it("whose entry does not exist gets the existing labels, up to a maximum", async () => {
    const lines = Array.from({ length: 23 }, (_, at) => `L_step${at}:\n  J ${at}\n`);
    const far = await service.run({ code: lines.join(""), label: "nowhere" });
    expect(far.body.message).toMatch(
      /^the requested label does not exist; the program has L_step0, .*L_step19 and 3 more$/,
    );
    const near = await service.run({ code: `L_first:\n  J 1\nL_${"x".repeat(99)}:\n  J 2\n`, label: "L_frist" });
    expect(near.body.issues).toEqual([
      {
        path: "/label",
        code: "unknown_label",
        message: `the requested label does not exist; did you mean L_first? The program has L_first and L_${"x".repeat(58)}…`,
      },
    ]);
    const python = await service.run({ code: "def main():\n    return 2\n", label: "nowhere" });
    expect(python.body.message).toBe("the requested label does not exist; the program has main");
  });

  it("as IR is checked like one", async () => {
    verifies("errors.ir-version");
    const { ir } = service.services.gateway.host.compile(OK.code);
    expect(await service.run({ ir: { ...ir, ir_version: "2.0" } })).toMatchObject({
      status: 422,
      body: { error: "unsupported_ir_version" },
    });
    const broken = await service.run({ ir: { ir_version: "1.0", nodes: [{}], edges: [] } });
    expect(broken).toMatchObject({ status: 422, body: { error: "invalid_ir" } });
    expect(broken.body.issues[0].path).toMatch(/^\/ir\/nodes\/0/);
    const empty = await service.run({ ir: { ir_version: "1.0", nodes: [], edges: [] } });
    expect(empty).toMatchObject({ status: 422, body: { error: "invalid_ir" } });
  });

  it("with an invalid replay log does not run", async () => {
    const calls = service.made.length;
    const reply = await service.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', replay_log: [{ adapter: 5 }] });
    expect(reply).toMatchObject({ status: 422, body: { error: "replay_log_invalid" } });
    expect(reply.body.issues[0].path).toBe("/replay_log/0/adapter");
    expect(service.made.length).toBe(calls);
  });

  it("with settings that the operator does not allow is refused", async () => {
    const reply = await service.run({ ...OK, adapters: { enable: ["htp"] } });
    expect(reply).toMatchObject({ status: 422, body: { error: "adapter_config_error" } });
    expect(reply.body.issues[0]).toMatchObject({ path: "/adapters/enable/0", code: "unknown_adapter" });
    // The sentence alone says where.
    expect(reply.body.message).toMatch(/^\/adapters\/enable\/0: no adapter is called 'htp'/);
  });

  it("that names a missing label is at fault, not the request", async () => {
    const reply = await service.run({ code: "L1:\n  If 1 ->L_sampel ->L1\nL_sample:\n  J 1\n", strict: false });
    const place = "unknown label L_sampel at L1, line 2";
    expect(reply).toMatchObject({ status: 422, body: { error: "unknown_label", issues: [{ path: "/code" }] } });
    expect(reply.body.message).toBe(`${place}; did you mean L_sample?`);
    expect(reply.body.issues[0].message).toBe(`${place}; did you mean L_sample? The program has L1 and L_sample`);
    expect((await service.run({ ...OK, label: "L7" })).body.issues).toMatchObject([{ path: "/label" }]);
  });

  it("gets the admitted values of a member", async () => {
    const reply = await service.call("POST", "/batch", { ...OK, frames: [], on_error: "halt", order: "random" });
    expect(reply.body.issues).toEqual([
      { path: "/on_error", code: "format", message: "must be continue or stop" },
      { path: "/order", code: "format", message: "must be completion or input" },
    ]);
    const { body } = await service.call("GET", "/metrics?format=xml");
    expect(body.issues).toEqual([{ path: "/format", code: "format", message: "must be json or prometheus" }]);
  });
});

describe("a path", () => {
  it("that is unknown answers 404, a method that is unknown 405 with those it has", async () => {
    verifies("errors.unknown-path", "versioning.paths");
    expect(await service.call("GET", "/nowhere")).toMatchObject({
      status: 404,
      body: { ok: false, error: "not_found" },
    });
    expect((await service.call("POST", "/v1/run", OK)).status).toBe(404);
    const wrong = await service.call("GET", "/run");
    expect(wrong).toMatchObject({ status: 405, headers: { allow: "POST" }, body: { error: "method_not_allowed" } });
    expect((await service.call("OPTIONS", "/run")).headers["access-control-allow-origin"]).toBeUndefined();
    expect((await exchange(service.port, "DELETE", "/health")).headers.allow).toBe("GET, HEAD");
    // Whatever the framework makes of the method or the type.
    expect((await exchange(service.port, "QUERY", "/health")).body.error).toBe("method_not_allowed");
    const untyped = await exchange(service.port, "PUT", "/run", "{}", { "content-type": "none" });
    expect(untyped).toMatchObject({ status: 405, body: { error: "method_not_allowed" } });
    expect((await exchange(service.port, "QUERY", "/nowhere")).body.error).toBe("not_found");
    expect((await exchange(service.port, "GET", "/%E0%A4%A")).status).toBe(404);
  });

  it.each([
    ["GET", "/"],
    ["HEAD", "/health"],
    ["GET", "/health"],
    ["GET", "/ready"],
    ["GET", "/capabilities"],
    ["GET", "/openapi.json"],
  ])("%s %s, which has none, ignores parameters", async (method, path) => {
    expect((await service.call(method, `${path}?__proto__=1&utm_source=a`)).status).toBe(200);
  });

  it.each([
    ["GET", "/metrics?format=json"],
    ["POST", "/run"],
    ["POST", "/batch"],
  ])("%s %s refuses parameters that it does not have", async (method, path) => {
    const body = method === "POST" ? OK : undefined;
    const reply = await service.call(method, `${path}${path.includes("?") ? "&" : "?"}__proto__=1&utm_source=a`, body);
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([
      {
        path: "/__proto__",
        code: "unknown_parameter",
        message: expect.stringContaining("'__proto__'; the endpoint has "),
      },
      {
        path: "/utm_source",
        code: "unknown_parameter",
        message: expect.stringContaining("'utm_source'; the endpoint has "),
      },
    ]);
    expect((await service.call("GET", "/metrics?fromat=prometheus")).body.issues[0].message).toBe(
      "unknown parameter 'fromat'; did you mean format?",
    );
    expect((await service.call("GET", "/nowhere?a=1")).status).toBe(404);
    expect((await service.call("DELETE", "/run?a=1")).status).toBe(405);
  });

  it("answers HEAD wherever it answers GET", async () => {
    const head = await exchange(service.port, "HEAD", "/capabilities");
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(Number(head.headers["content-length"])).toBeGreaterThan(1000);
  });
});

describe("an error", () => {
  it("is a problem document for those who ask for one", async () => {
    const reply = await service.run({}, { accept: "application/problem+json" });
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.body).toMatchObject({
      ok: false,
      error: "invalid_request",
      type: "about:blank#invalid_request",
      title: "The request is not valid",
      status: 400,
      detail: reply.body.message,
      instance: `urn:trace:${reply.body.trace_id}`,
    });
  });

  it("caused by a defect discloses only its trace id", async () => {
    verifies("errors.no-internals");
    const broken = await serving();
    try {
      Object.assign(broken.services.gateway, {
        admit: () => {
          throw new TypeError("at /home/secret/place.ts");
        },
      });
      const reply = await broken.run(OK);
      expect(reply.status).toBe(500);
      expect(Object.keys(reply.body)).toEqual(["ok", "trace_id", "error", "message"]);
      expect(reply.text).not.toMatch(/secret|TypeError|WF_/);
      expect(await broken.logged("defect")).toMatchObject({ level: "error", trace_id: reply.body.trace_id });
      expect(broken.lines.join("")).not.toContain("/home/");
    } finally {
      await broken.stop();
    }
  });

  it.each([
    [{ enable: ["fs"] }, 'R fs.read "a.txt" ->x', "ADAPTER_NOT_FOUND"],
    [{ enable: ["fs"], fs: { sandbox_root: "files" } }, 'R fs.read "a.txt" ->x', "ADAPTER_NOT_FOUND"],
    [{ enable: ["fs"], fs: { sandbox_root: "/etc" } }, 'R fs.read "passwd" ->x', "/adapters/fs/sandbox_root: "],
    [{}, 'R queue.Put "orders" 1 ->x', "queue_not_durable: "],
  ])("names no variable of the environment: %j", async (adapters, step, said) => {
    verifies("errors.no-internals");
    const reply = await service.run({ code: `L1:\n  ${step}\n  J x\n`, adapters });
    expect(reply.text).toContain(said);
    expect(reply.text).not.toContain("WF_");
  });
});

describe("ids", () => {
  it("of the caller are echoed when they are plain", async () => {
    const given = await service.run(OK, { "x-request-id": "job-7.a_B" });
    expect(given.headers["x-request-id"]).toBe("job-7.a_B");
    expect((await service.run(OK, { "x-request-id": "no good\tid" })).headers["x-request-id"]).toBeUndefined();
  });

  it("of the caller's trace are logged, and the run has its own", async () => {
    verifies("response.trace_id");
    const parent = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${parent}-00f067aa0ba902b7-01` };
    const { body } = await service.run(OK, headers);
    const other = (await service.run(OK, headers)).body;
    expect(new Set([parent, body.trace_id, other.trace_id]).size).toBe(3);
    const start = await service.logged("run_start", (event) => event["trace_id"] === body.trace_id);
    expect(start["parent_trace_id"]).toBe(parent);
  });
});
