/** What the operator decides for http, and what holds for every call: hosts, credentials, repetition, time, the end of a run. */
import { describe, expect, it } from "vitest";
import { httpAdapter } from "../../../../adapters/builtin/http/definition.ts";
import type { HostServices } from "../../../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../../../adapters/definition/link.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { failure } from "../../guard/http-world.ts";
import { adapterWorld, answering } from "./adapter-world.ts";
import { socketServer, webServer } from "./servers.ts";

const world = adapterWorld();
const { bench, call } = world;

describe("a denial", () => {
  it.each([
    [{ allow_hosts: ["localhost"] }, "http://127.0.0.1:{PORT}/", "ADAPTER_HOST_BLOCKED"],
    [{ allow_hosts: [] }, "http://127.0.0.1:{PORT}/", "ADAPTER_HOST_BLOCKED"],
    [{ allow_ports: [443] }, "http://127.0.0.1:{PORT}/", "ADAPTER_HOST_BLOCKED"],
    [{}, "file:///etc/passwd", "ADAPTER_BAD_URL"],
    [{ allow_hosts: ["rebinding.example.com"] }, "http://rebinding.example.com:{PORT}/", "ADAPTER_ADDRESS_BLOCKED"],
  ])("with %j to %s is %s, and no request is sent", async (settings, url, code) => {
    verifies("settings.http.allow_hosts");
    const denied = await bench(settings, { http: { resolve: async () => ["127.0.0.1"] } });
    const error = await failure(denied.call("Get", url.replace("{PORT}", String(world.server.port))));
    expect([error.code, error.retryable]).toEqual([code, false]);
    // Who can change it: the program that reads this cannot.
    if (code === "ADAPTER_ADDRESS_BLOCKED")
      expect(error.message).toContain("the operator's allow_hosts does not name it");
    expect(world.server.connections).toBe(0);
  });

  it("of private addresses is the host's to lift", async () => {
    verifies("adapter.http.public-only");
    for (const [allowPrivate, setting, code] of [
      [false, undefined, "ADAPTER_ADDRESS_BLOCKED"],
      [false, true, "no error"],
      [true, undefined, "no error"],
      [true, false, "ADAPTER_ADDRESS_BLOCKED"],
    ] as const) {
      const http = createHttpService({ allowPrivate });
      const settings: JsonObject = setting === undefined ? {} : { allow_private: setting };
      const made = await openBench(httpAdapter, { settings, services: { http } });
      world.open.push(http, { close: () => made.end() });
      expect(await made.code("Get", world.server.base)).toBe(code);
    }
  });

  it("of reserved addresses is the operator's to lift", async () => {
    // The unspecified address leads to this machine, so nothing outside is asked.
    const url = `http://0.0.0.0:${world.server.port}/`;
    const allow_hosts = ["0.0.0.0"];
    const operatorRules = (adapter: string) => ({
      allowHosts: adapter === "http" ? allow_hosts : [],
      allowPrivate: false,
    });
    const others = { http: { operatorRules: () => ({ allowHosts: [], allowPrivate: true }) } };
    expect(await (await bench({ allow_hosts, allow_private: true }, others)).code("Get", url)).toBe(
      "ADAPTER_ADDRESS_BLOCKED",
    );
    expect(world.server.connections).toBe(0);
    expect(await (await bench({ allow_hosts }, { http: { operatorRules } })).code("Get", url)).toBe("no error");
  });

  it("needs a host with a client to be lifted at all", async () => {
    const none = await openBench(httpAdapter, {});
    expect(await none.code("Get", world.server.base)).toBe("ADAPTER_NOT_CONFIGURED");
  });
});

describe("credentials of the operator", () => {
  const secrets = { KEY: "canary-secret", PAIR: "user:canary-secret", BROKEN: "canary\r\nX-Evil: 1" };
  const settings = { allow_secrets: ["KEY", "PAIR", "BROKEN", "MISSING"] };

  it.each([
    [{ secret: "KEY" }, "authorization", "Bearer canary-secret"],
    [{ secret: "KEY", scheme: "bearer" }, "authorization", "Bearer canary-secret"],
    [{ secret: "PAIR", scheme: "basic" }, "authorization", `Basic ${Buffer.from(secrets.PAIR).toString("base64")}`],
    [{ secret: "KEY", scheme: "header:X-Api-Key" }, "x-api-key", "canary-secret"],
  ])("%j", async (auth, header, value) => {
    const lines: string[] = [];
    const log = (event: string, fields?: object): void => void lines.push(event + JSON.stringify(fields ?? {}));
    world.respond = answering(401, {});
    const error = await failure((await bench(settings, { secrets, log })).call("Get", world.server.base, { auth }));
    expect(world.server.requests[0]?.headers[header]).toBe(value);
    expect(error.code).toBe("ADAPTER_HTTP_STATUS");
    const shown = JSON.stringify([error.message, error.data, lines]);
    for (const text of ["canary", value]) expect(shown).not.toContain(text);
  });

  it.each([
    [{ secret: "OTHER" }, {}, "ADAPTER_NOT_ALLOWED"],
    [{ secret: "MISSING" }, {}, "ADAPTER_NOT_CONFIGURED"],
    [{ secret: "BROKEN" }, {}, "ADAPTER_BAD_ARGS"],
    [{ secret: "KEY", scheme: "header:Host" }, {}, "ADAPTER_BAD_ARGS"],
    [{ secret: "KEY" }, { Authorization: "mine" }, "ADAPTER_BAD_ARGS"],
  ])("%j next to %j: %s", async (auth, headers, code) => {
    const error = await failure((await bench(settings, { secrets })).call("Get", world.server.base, headers, { auth }));
    expect([error.code, JSON.stringify([error.message, error.data]).includes("canary")]).toEqual([code, false]);
    expect(world.server.requests).toEqual([]);
  });

  it("stay at the origin they were meant for", async () => {
    verifies("adapter.http.redirects");
    const other = await webServer((_request, response) => response.end());
    world.open.push(other);
    world.respond = (_request, response) => void response.writeHead(302, { location: other.base }).end();
    const made = await bench(settings, { secrets });
    for (const scheme of ["bearer", "basic", "header:X-Api-Key"])
      await made.call("Get", world.server.base, { cookie: "canary" }, { auth: { secret: "KEY", scheme } });
    expect(other.requests).toHaveLength(3);
    expect(JSON.stringify(other.requests)).not.toContain("canary");
  });

  it("may not be named by programs unless the operator says so", async () => {
    expect(await (await bench({}, { secrets })).code("Get", world.server.base, { auth: { secret: "KEY" } })).toBe(
      "ADAPTER_NOT_ALLOWED",
    );
  });
});

describe("a key against repetition", () => {
  it.each([
    ["order-7", "order-7"],
    ["a b%20", "a b%20"],
    [true, /^[0-9a-f-]{36}\/1\/n1\/1$/],
  ])("%s is sent", async (key, sent) => {
    await call("Post", world.server.base, {}, { idempotency_key: key });
    expect(world.server.requests[0]?.headers["idempotency-key"]).toEqual(expect.stringMatching(sent));
  });

  it("that cannot be sent is refused", async () => {
    const error = await failure(call("Post", world.server.base, {}, { idempotency_key: "a\r\nb: c" }));
    expect([error.code, world.server.requests.length]).toEqual(["ADAPTER_BAD_ARGS", 0]);
  });

  it("makes a lost answer worth another try", async () => {
    verifies("adapter.http.no-retries");
    const raw = await socketServer((socket) => socket.once("data", () => socket.destroy()));
    world.open.push(raw);
    const made = await bench();
    const lost = { code: "ADAPTER_TRANSPORT", retryable: false, data: { reason: "closed", outcome: "unknown" } };
    await expect(made.call("Post", raw.base, {})).rejects.toMatchObject(lost);
    await expect(made.call("Patch", raw.base, {})).rejects.toMatchObject(lost);
    const keyed = { retryable: true, data: { reason: "closed" } };
    await expect(made.call("Post", raw.base, {}, { idempotency_key: true })).rejects.toMatchObject(keyed);
    await expect(made.call("Put", raw.base, {})).rejects.toMatchObject(keyed);
    await expect(made.call("Get", raw.base)).rejects.toMatchObject(keyed);
    expect(raw.connections).toBe(5);
  });
});

describe("time", () => {
  it.each([
    [{ timeout_s: 0.05 }, []],
    [{ timeout_s: 0.05 }, [null, 60]],
    [{ timeout_s: 60 }, [null, 0.05]],
    [{}, [null, 0.05]],
    [{}, [{ timeout_s: 0.05 }]],
    [{}, [null, 60, { timeout_s: 0.05 }]],
    [{}, [null, 0.05, { timeout_s: 60 }]],
  ])("with %j and %j is over soon", async (settings, args) => {
    verifies("settings.http.timeout_s");
    world.respond = () => {};
    const error = await failure((await bench(settings)).call("Get", world.server.base, ...args));
    expect([error.code, error.retryable]).toEqual(["ADAPTER_TIMEOUT", true]);
  });

  it("may be longer than the default where the program says so, up to the ceiling", async () => {
    const deps = {
      services: { places: NO_PLACES } as HostServices,
      secret: async () => undefined,
      log() {},
      now: () => 0,
    };
    const linked = linkAdapter(httpAdapter, {}, deps);
    if (!linked.ok) throw new Error("the settings are valid");
    const { adapter } = linked;
    const timeout = (...args: Json[]) => adapter.verb("get")?.bind(["http://example.com/", ...args]).timeoutMs;
    expect([timeout(), timeout(null, 30), timeout(null, 1000)]).toEqual([5_000, 30_000, 120_000]);
  });

  it("is given back within 50 ms when the run is cancelled", async () => {
    world.respond = (_request, response) => void response.writeHead(200).write("and so on");
    const made = await bench();
    const cancelled = new AbortController();
    const called = failure(made.callUnder(cancelled.signal, "Get", world.server.base));
    while (world.server.requests.length === 0) await new Promise(setImmediate);
    cancelled.abort();
    expect((await called).code).toBe("ADAPTER_CANCELLED");
    while (world.server.open > 0) await new Promise(setImmediate);
  });
});

describe("the run", () => {
  const TRACE = "0123456789abcdef0123456789abcdef";
  it.each([
    [true, TRACE, `00-${TRACE}-`],
    [true, `${TRACE}.7`, `00-${TRACE}-`],
    [true, "my-trace", undefined],
    [false, TRACE, undefined],
  ])("is named to servers only where the operator wants it (%s, %s)", async (propagateTrace, traceId, parent) => {
    const made = await bench({}, { http: { propagateTrace }, traceId });
    await made.call("Get", world.server.base);
    await made.call("Get", world.server.base);
    const [first, second] = world.server.requests.map(({ headers }) => headers["traceparent"]);
    expect(typeof first === "string" ? first.slice(0, 36) : first).toBe(parent);
    if (parent !== undefined) expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    if (parent !== undefined) expect(second).not.toBe(first);
  });

  it("ends its connections", async () => {
    const made = await bench();
    await made.call("Get", world.server.base);
    expect(world.server.open).toBe(1);
    await made.end();
    while (world.server.open > 0) await new Promise(setImmediate);
  });

  it("does nothing in a dry run but read", async () => {
    const dry = await bench({}, { dryRun: true });
    expect(await dry.call("Post", world.server.base, {})).toEqual({ dry_run: true });
    expect(await dry.call("Get", world.server.base)).toMatchObject({ ok: true });
    expect(world.server.requests.map(({ method }) => method)).toEqual(["GET"]);
  });
});
