/** The endpoints about the service itself, and who may call them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Variables } from "../../adapters/operator/host-config.ts";
import { ERRORS } from "../../service/wire/errors.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { verifies } from "../support/requirements.ts";
import { exchange, type Serving, serving } from "./serving.ts";

const OK = { code: "L1:\n  J 1\n" };

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("GET /capabilities", () => {
  it("lists the nineteen adapters in the contract's order with the contract's fields, then the extensions", async () => {
    verifies(
      "http.capabilities",
      "capabilities.nineteen",
      "capabilities.schema_version",
      "capabilities.runtime_version",
    );
    verifies("capabilities.policy_support", "capabilities.adapters", "versioning.capabilities");
    const { body } = await service.call("GET", "/capabilities");
    expect(body).toMatchObject({ schema_version: "1.0", runtime_version: RUNTIME_VERSION, policy_support: true });
    expect(Object.keys(body.adapters).slice(0, 23)).toEqual(
      "core http db sqlite fs tools wasm cache queue txn auth memory agent svc extras videomon email calendar social timer signal approval llm".split(
        " ",
      ),
    );
    expect(body.adapters.core.verbs).toEqual(expect.arrayContaining(["ADD", "SUB", "MUL", "CONCAT", "NOW"]));
    expect(body.adapters.core.verb_effects).toMatchObject({ ADD: "pure", ENV: "io-read" });
    expect(body.adapters.core).toMatchObject({ available: true, enabled_by_default: true, allowed: true });
    expect(body.adapters.http.settings.allow_hosts).toEqual({ type: "list", kind: "intersect" });
    expect(body).toMatchObject({
      profile: null,
      ir_versions: ["1.0", "1.1"],
      tier: expect.stringMatching(/^(generated|closures|none)$/),
      limits: { max_steps: 500_000 },
    });
  });

  it("has an entity tag", async () => {
    const first = await service.call("GET", "/capabilities");
    const etag = String(first.headers.etag);
    const again = await service.call("GET", "/capabilities", undefined, { "if-none-match": `"other", ${etag}` });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect((await service.call("GET", "/capabilities", undefined, { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("the probes", () => {
  it("say ok and ready", async () => {
    verifies("http.health", "http.ready");
    expect((await service.call("GET", "/health")).body).toEqual({ status: "ok", uptime_s: expect.any(Number) });
    expect((await service.call("GET", "/ready")).body).toEqual({ status: "ready", queue: "memory", workers: 0 });
  });

  it("say what is wrong", async () => {
    verifies("http.ready.503");
    const draining = await serving();
    draining.services.readiness.drain();
    const ready = await draining.call("GET", "/ready");
    expect(ready).toMatchObject({ status: 503, body: { status: "draining" }, headers: { "retry-after": "1" } });
    expect((await draining.call("GET", "/health")).status).toBe(200);
    const refused = await draining.run(OK);
    expect(refused).toMatchObject({ status: 503, body: { error: "draining", retry_after_s: 5 } });
    expect(refused.headers).toMatchObject({ "retry-after": "5", connection: "close" });
    expect((await draining.call("POST", "/batch", { ...OK, frames: [] })).body.error).toBe("draining");
    await draining.stop();
  });
});

describe("GET /metrics", () => {
  it("counts runs, failures, rejections, calls and cache results", async () => {
    verifies("http.metrics", "metrics.names");
    const counted = await serving();
    try {
      await counted.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n' });
      await counted.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n' });
      await counted.run({ code: "L1:\n  X y div 1 0\n  J y\n" });
      await counted.run({ code: "L1:\n J ghost\n" });
      await counted.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', policy: { forbidden_adapters: ["ext"] } });
      await counted.run({ code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', allowed_adapters: ["core"] });
      const { body } = await counted.call("GET", "/metrics");
      expect(body).toMatchObject({
        runs_total: 6,
        runs_ok_total: 2,
        failures_total: 4,
        adapter_calls_total: 3,
        adapter_counts: { ext: 3 },
        compile_cache_hits: 3,
        compile_cache_misses: 3,
        compile_errors_total: 1,
        queue_depth: 0,
        runs_in_flight: 0,
        adapter_capability_blocks_total: 1,
        adapter_capability_blocks_by_adapter: { ext: 1 },
        policy_rejections_total: { POLICY_ADAPTER_FORBIDDEN: 1 },
        failures_by_error: { runtime_error: 1, compile_error: 1, policy_violation: 1, adapter_not_allowed: 1 },
        http_requests_total: { "POST /run 200": 4, "POST /run 422": 1, "POST /run 403": 1 },
      });
    } finally {
      await counted.stop();
    }
  });

  it("returns Prometheus text when the client accepts text", async () => {
    verifies("metrics.prometheus");
    await service.run(OK);
    for (const [path, accept] of [
      ["/metrics", "text/plain;version=0.0.4, application/json;q=0.5"],
      ["/metrics", "application/openmetrics-text"],
      ["/metrics?format=prometheus", "application/json"],
    ] as const) {
      const { text, headers } = await service.call("GET", path, undefined, { accept });
      expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(text).toMatch(/^wf_runs_total\{outcome="ok"\} [1-9]/m);
      expect(text).toMatch(/^wf_build_info\{version="/m);
    }
    for (const [path, accept] of [
      ["/metrics", "application/json, text/plain"],
      ["/metrics", "*/*"],
      ["/metrics", "text/plain;q=0"],
      ["/metrics?format=json", "text/plain"],
    ] as const)
      expect((await service.call("GET", path, undefined, { accept })).body.runs_total).toBeGreaterThan(0);
    expect(await service.call("GET", "/metrics?format=xml")).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
  });

  it("has no series named by a program", async () => {
    await service.run({ code: 'L1:\n  R nosuch.VERBAL "a" ->x\n  J x\n', strict: false });
    await exchange(service.port, "GET", "/made/up/path");
    const { text } = await service.call("GET", "/metrics?format=prometheus");
    expect(text).not.toMatch(/nosuch|VERBAL|made/i);
    expect(text).toContain('route="*"');
  });
});

describe("GET /openapi.json", () => {
  it("lists the request headers", async () => {
    const { paths } = (await service.call("GET", "/openapi.json")).body;
    const headersOf = (operation: {
      readonly parameters?: readonly { readonly in: string; readonly name: string }[];
    }) => (operation.parameters ?? []).filter((one) => one.in === "header").map(({ name }) => name);
    expect(headersOf(paths["/run"].post)).toEqual(["idempotency-key", "prefer", "wf-on-disconnect"]);
    expect(headersOf(paths["/capabilities"].get)).toEqual(["if-none-match"]);
    expect(headersOf(paths["/batch"].post)).toEqual([]);
  });

  it("has every endpoint, every status, and named schemas", async () => {
    const { body } = await service.call("GET", "/openapi.json");
    expect(body).toMatchObject({ openapi: "3.1.0", security: [] });
    const { endpoints } = (await service.call("GET", "/")).body;
    for (const { method, path } of endpoints) {
      const operation = body.paths[path][method.toLowerCase()];
      expect(operation.operationId, path).toMatch(/^[a-z][A-Za-z]+$/);
      expect(Object.keys(operation.responses)).toContain("200");
    }
    expect(Object.keys(body.components.schemas)).toEqual(
      expect.arrayContaining([
        "RunRequest",
        "RunSuccess",
        "ErrorBody",
        "Capabilities",
        "Policy",
        "Violation",
        "Limits",
        "Usage",
      ]),
    );
    expect(body.components.schemas.ErrorBody.properties.error.enum).toEqual(Object.keys(ERRORS));
    expect(Object.keys(body.paths["/run"].post.responses).map(Number)).toEqual([
      200, 400, 403, 404, 408, 409, 413, 415, 422, 429, 431, 499, 500, 503, 504,
    ]);
  });
});

describe("GET /", () => {
  it("names the endpoints", async () => {
    const { body } = await service.call("GET", "/");
    expect(body).toMatchObject({ name: "weft", runtime_version: RUNTIME_VERSION });
    expect(body.endpoints).toContainEqual({ method: "POST", path: "/run" });
  });
});

describe("a page of another site", () => {
  it.each([
    [{ origin: "https://evil.example" }, 403, "forbidden_origin"],
    [{ origin: "null" }, 403, "forbidden_origin"],
    [{ host: "evil.example" }, 403, "forbidden_host"],
    [{ host: "evil.example:8770", origin: "http://evil.example:8770" }, 403, "forbidden_host"],
    [{ host: "localhost:8770", origin: "http://localhost:8770" }, 200, undefined],
    [{ host: "[::1]:8770" }, 200, undefined],
    [{ host: "weft.internal" }, 200, undefined],
    [{ origin: "https://app.example" }, 200, undefined],
  ])("with %j gets %d", async (headers, status, error) => {
    verifies("http.origin-host");
    const guarded = await serving({
      variables: { WF_ALLOWED_ORIGINS: "https://app.example", WF_ALLOWED_HOSTS: "weft.internal" },
    });
    try {
      const reply = await guarded.run(OK, headers);
      expect(reply.status).toBe(status);
      expect(reply.body.error).toBe(error);
      expect(guarded.log.some(({ event }) => event === "run_start")).toBe(status === 200);
    } finally {
      await guarded.stop();
    }
  });

  it("may use any host name when the service is not bound to loopback", async () => {
    const open = await serving({ variables: { WF_HOST: "0.0.0.0" } });
    try {
      expect((await open.run(OK, { host: "weft.example" })).status).toBe(200);
      expect((await open.run(OK, { host: "weft.example", origin: "https://other.example" })).status).toBe(403);
    } finally {
      await open.stop();
    }
  });
});

describe("a client above its rate", () => {
  it("gets a Retry-After header", async () => {
    const limited = await serving({ variables: { WF_RATE_LIMIT: "2/60s" } });
    try {
      expect((await limited.run(OK)).status).toBe(200);
      expect((await limited.run(OK)).status).toBe(200);
      const refused = await limited.run(OK);
      expect(refused).toMatchObject({ status: 429, body: { error: "rate_limited" } });
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      expect((await limited.call("GET", "/health")).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });

  const statuses = async (variables: Variables, forwarded: (at: number) => string | undefined) => {
    const limited = await serving({ variables: { WF_RATE_LIMIT: "2/60s", ...variables } });
    try {
      const each: number[] = [];
      for (let at = 0; at < 4; at++) {
        const list = forwarded(at);
        each.push((await limited.run(OK, list === undefined ? {} : { "x-forwarded-for": list })).status);
      }
      return each;
    } finally {
      await limited.stop();
    }
  };

  it.each<readonly [string, Variables, (at: number) => string | undefined]>([
    ["what it writes itself, without a proxy", {}, (at) => `192.0.2.${at}`],
    ["an address before the one its proxy adds", { WF_TRUST_PROXY: "1" }, (at) => `192.0.2.${at}, 203.0.113.7`],
    ["one before those of two proxies", { WF_TRUST_PROXY: "2" }, (at) => `192.0.2.${at}, 203.0.113.7, 10.0.0.1`],
    ["nothing that is an address", { WF_TRUST_PROXY: "yes" }, (at) => (at % 2 === 0 ? undefined : " , ")],
  ])("is not taken for another client by %s", async (_how, variables, forwarded) => {
    expect(await statuses(variables, forwarded)).toEqual([200, 200, 429, 429]);
  });

  it("is identified by what the outermost trusted proxy has added", async () => {
    expect(await statuses({ WF_TRUST_PROXY: "1" }, (at) => `192.0.2.1, 203.0.113.${at}`)).toEqual([200, 200, 200, 200]);
    expect(await statuses({ WF_TRUST_PROXY: "2" }, (at) => `203.0.113.${at}, 10.0.0.1`)).toEqual([200, 200, 200, 200]);
  });
});

describe("the entries of the capabilities document", () => {
  // biome-ignore lint/suspicious/noExplicitAny: an entry is looked at member by member
  let adapters: Record<string, any>;
  beforeAll(async () => {
    adapters = (await service.call("GET", "/capabilities")).body.adapters;
  });

  it("have the contract's fields with its values", () => {
    verifies(
      "capabilities.entry.support_tier",
      "capabilities.entry.verbs",
      "capabilities.entry.effect_default",
      "capabilities.entry.recommended_lane",
      "capabilities.entry.privilege_tier",
      "capabilities.entry.destructive",
      "capabilities.entry.network_facing",
      "capabilities.entry.sandbox_safe",
    );
    for (const [name, entry] of Object.entries(adapters)) {
      expect(["core", "compatibility", "extension_ecosystem"], name).toContain(entry.support_tier);
      expect(["pure", "io"], name).toContain(entry.effect_default);
      expect(["canonical", "noncanonical"], name).toContain(entry.recommended_lane);
      expect(["pure", "local_state", "network", "operator_sensitive"], name).toContain(entry.privilege_tier);
      for (const flag of ["destructive", "network_facing", "sandbox_safe"]) expect(typeof entry[flag]).toBe("boolean");
      expect(entry.verbs.length, name).toBeGreaterThan(0);
      expect(Object.keys(entry.verb_effects), name).toEqual(entry.verbs);
    }
  });

  it.each([
    ["core", "core", "pure", verifies("capabilities.core")],
    ["http", "core", "io", verifies("capabilities.http")],
    ["db", "core", "io", verifies("capabilities.db")],
    ["sqlite", "core", "io", verifies("capabilities.sqlite")],
    ["fs", "core", "io", verifies("capabilities.fs")],
    ["tools", "core", "io", verifies("capabilities.tools")],
    ["wasm", "core", "pure", verifies("capabilities.wasm")],
    ["cache", "core", "io", verifies("capabilities.cache")],
    ["queue", "core", "io", verifies("capabilities.queue")],
    ["txn", "core", "io", verifies("capabilities.txn")],
    ["auth", "core", "io", verifies("capabilities.auth")],
    ["memory", "extension_ecosystem", "io", verifies("capabilities.memory")],
    ["agent", "extension_ecosystem", "io", verifies("capabilities.agent")],
    ["svc", "extension_ecosystem", "io", verifies("capabilities.svc")],
    ["extras", "extension_ecosystem", "io", verifies("capabilities.extras")],
    ["videomon", "extension_ecosystem", "io", verifies("capabilities.videomon")],
    ["email", "extension_ecosystem", "io", verifies("capabilities.email")],
    ["calendar", "extension_ecosystem", "io", verifies("capabilities.calendar")],
    ["social", "extension_ecosystem", "io", verifies("capabilities.social")],
  ] as const)("say that %s is %s and %s", (name, support_tier, effect_default, _cited) => {
    expect(adapters[name]).toMatchObject({ support_tier, effect_default });
    if (name === "agent") expect(adapters[name].recommended_lane).toBe("noncanonical");
    if (name === "http") expect(adapters[name].verbs).toEqual(expect.arrayContaining(["Get", "Post", "Put", "Delete"]));
  });
});
