/** Web servers, certificates and a container engine, all of them on this machine. */
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { extrasAdapter } from "../../../../adapters/builtin/extras/definition.ts";
import { createServices } from "../../../../adapters/services.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { socketServer, type TestServer, type WebServer, webServer } from "../http/servers.ts";
import { type ExtrasWorld, extrasWorld } from "./world.ts";

let world: ExtrasWorld;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  world = await extrasWorld();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => world.close());

async function web(respond: RequestListener, scheme?: "http" | "https"): Promise<WebServer> {
  const server = await webServer(respond, scheme);
  open.push(server);
  return server;
}
async function sockets(...args: Parameters<typeof socketServer>): Promise<TestServer> {
  const server = await socketServer(...args);
  open.push(server);
  return server;
}

const LOCAL = { allow_hosts: ["127.0.0.1", "localhost"] };

it.each([
  ["http_status", "http://127.0.0.1:1/"],
  ["http_status", "http://169.254.169.254/"],
  ["tls_expiry", "127.0.0.1"],
])("%s %s is refused when only the caller names the address", async (verb, target) => {
  const { services, close } = createServices({
    places: NO_PLACES,
    environment: {},
    http: { operatorRules: () => ({ allowHosts: [], allowPrivate: false }) },
  });
  const settings = { allow_hosts: ["127.0.0.1", "169.254.169.254"] };
  const bench = await openBench(extrasAdapter, { services, settings });
  expect(await bench.code(verb, target)).toBe("ADAPTER_ADDRESS_BLOCKED");
  await bench.end();
  await close();
});

describe("http_status", () => {
  it.each([
    [200, true],
    [204, true],
    [304, true],
    [404, false],
    [500, false],
  ])("%i", async (status, ok) => {
    verifies("adapter.extras.probes");
    const server = await web((_request, response) => {
      world.clock.advance(12);
      response.writeHead(status).end();
    });
    const bench = await world.open(LOCAL);
    expect(await bench.call("http_status", `${server.base}/x`)).toEqual({ ok, status, latency_ms: 12, error: null });
    expect(await bench.call("http_status", server.base, { method: "GET" })).toMatchObject({ ok, status });
    expect(server.requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
    await bench.end();
  });

  it("follows redirects only to allowed hosts", async () => {
    const server = await web((request, response) => {
      const to = { "/here": "/end", "/away": "http://198.51.100.1/", "/loop": "/loop" }[request.url ?? ""];
      response.writeHead(to === undefined ? 200 : 302, to === undefined ? {} : { location: to }).end();
    });
    const bench = await world.open(LOCAL);
    expect(await bench.call("http_status", `${server.base}/here`)).toMatchObject({ ok: true, status: 200 });
    const loop = { ok: false, status: null, error: "ADAPTER_TOO_MANY_REDIRECTS" };
    expect(await bench.call("http_status", `${server.base}/loop`)).toMatchObject(loop);
    expect(await bench.code("http_status", `${server.base}/away`)).toBe("ADAPTER_HOST_BLOCKED");
    await bench.end();
  });

  it("tells an outage as a finding", async () => {
    const gone = await webServer(() => {});
    await gone.close();
    const silent = await sockets(() => {});
    const cut = await sockets((socket) => socket.destroy());
    const noise = await sockets((socket) => socket.end("hello\r\n\r\n"));
    const bench = await world.open(LOCAL);
    const found = (url: string, options: JsonObject = {}) => bench.call("http_status", url, options);
    const outage = (error: string) => ({ ok: false, status: null, latency_ms: 0, error });
    expect(await found(gone.base)).toEqual(outage("ADAPTER_TRANSPORT"));
    expect(await found(cut.base)).toEqual(outage("ADAPTER_TRANSPORT"));
    expect(await found(noise.base)).toEqual(outage("ADAPTER_BAD_DATA"));
    expect(await found(silent.base, { timeout_s: 0.2 })).toEqual(outage("ADAPTER_TIMEOUT"));
    await bench.end();
  });

  it.each([
    ["http://127.0.0.1/", {}, "ADAPTER_ADDRESS_BLOCKED"],
    ["http://169.254.169.254/", {}, "ADAPTER_ADDRESS_BLOCKED"],
    ["http://example.com/", LOCAL, "ADAPTER_HOST_BLOCKED"],
    ["http://example.com/", { allow_hosts: [] }, "ADAPTER_HOST_BLOCKED"],
    ["file:///etc/passwd", {}, "ADAPTER_BAD_URL"],
    ["nothing", {}, "ADAPTER_BAD_URL"],
  ])("%s %j is refused with %s", async (url, settings: JsonObject, code) => {
    const bench = await world.open(settings);
    expect(await bench.code("http_status", url)).toBe(code);
  });

  it("is 1 or 0 with compat", async () => {
    const server = await web((request, response) => response.writeHead(request.url === "/ok" ? 200 : 500).end());
    const bench = await world.open({ ...LOCAL, compat: true });
    expect(await bench.call("http_status", `${server.base}/ok`)).toBe(1);
    expect(await bench.call("http_status", `${server.base}/no`)).toBe(0);
    await bench.end();
  });
});

describe("tls_expiry", () => {
  /** Of the certificate of the tests. */
  const END = Date.UTC(2126, 9, 28, 17, 10, 1);

  it("is reported for every signer of the certificate", async () => {
    const server = await web(() => {}, "https");
    const bench = await world.open(LOCAL);
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(await bench.call("tls_expiry", host, server.port)).toEqual({
        valid_to: new Date(END).toISOString(),
        days_left: Math.floor((END - world.clock.wall()) / 86_400_000),
      });
    }
  });

  it("is negative when it is over", async () => {
    const server = await web(() => {}, "https");
    const bench = await world.open(LOCAL);
    const now = world.clock.wall();
    world.clock.advance(END + 3_600_000 - now);
    expect(await bench.call("tls_expiry", "127.0.0.1", server.port)).toMatchObject({ days_left: -1 });
    world.clock.advance(now - world.clock.wall());
  });

  it("fails without TLS or without permission", async () => {
    const plain = await web((_request, response) => response.end());
    const silent = await sockets(() => {});
    const bench = await world.open({ ...LOCAL, timeout_s: 0.3 });
    expect(await bench.code("tls_expiry", "127.0.0.1", plain.port)).toBe("ADAPTER_TRANSPORT");
    expect(await bench.code("tls_expiry", "127.0.0.1", silent.port)).toBe("ADAPTER_TIMEOUT");
    expect(await bench.code("tls_expiry", "192.0.2.1")).toBe("ADAPTER_HOST_BLOCKED");
    expect(await (await world.open()).code("tls_expiry", "127.0.0.1", plain.port)).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect(await bench.code("tls_expiry", "127.0.0.1", 0)).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("containers", () => {
  const ENGINE: Readonly<Record<string, readonly [number, string]>> = {
    "/images/registry.example:5000/app:1/json": [200, '{"Id":"sha256:ab"}'],
    "/images/broken/json": [200, "{nope"],
    "/images/odd/json": [200, "{}"],
    "/containers/web/json": [
      200,
      JSON.stringify({
        RestartCount: 2,
        State: { Status: "running", StartedAt: "2030-01-15T10:00:00.123456789Z", Health: { Status: "healthy" } },
      }),
    ],
    "/containers/made/json": [200, '{"State":{"Status":"created","StartedAt":"0001-01-01T00:00:00Z"}}'],
    "/containers/odd/json": [200, '{"State":"running"}'],
    "/containers/sick/json": [500, '{"message":"secret words"}'],
  };
  const seen: string[] = [];
  let settings: JsonObject;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const path = join(world.folder, "engine.sock");
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const [status, body] = ENGINE[request.url ?? ""] ?? [404, '{"message":"no such thing"}'];
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((ready) => server.listen(path, ready));
    stop = () => new Promise((done) => server.close(() => done()));
    settings = { allow_containers: true, container_socket: path };
  });
  afterAll(() => stop());

  it("says whether there is an image", async () => {
    const bench = await world.open(settings);
    const image = "registry.example:5000/app:1";
    expect(await bench.call("container_image_exists", image)).toEqual({ exists: true, id: "sha256:ab" });
    expect(await bench.call("docker_image_exists", "none")).toEqual({ exists: false, id: null });
    const compat = await world.open({ ...settings, compat: true });
    expect(await compat.call("container_image_exists", image)).toBe(1);
    expect(await compat.call("DOCKER_IMAGE_EXISTS", "none")).toBe(0);
  });

  it("says how a container is", async () => {
    const bench = await world.open(settings);
    expect(await bench.call("container_status", "web")).toEqual({
      state: "running",
      health: "healthy",
      started_at: "2030-01-15T10:00:00.123Z",
      restarts: 2,
    });
    const made = { state: "created", health: null, started_at: null, restarts: 0 };
    expect(await bench.call("container_status", "made")).toEqual(made);
  });

  it.each([
    ["container_status", "none", "ADAPTER_NOT_FOUND"],
    ["container_status", "odd", "ADAPTER_BAD_DATA"],
    ["container_status", "sick", "ADAPTER_FAILED"],
    ["container_image_exists", "broken", "ADAPTER_BAD_DATA"],
    ["container_image_exists", "odd", "ADAPTER_BAD_DATA"],
    ["container_image_exists", "../containers/web", "ADAPTER_BAD_ARGS"],
    ["container_image_exists", "a/../../x", "ADAPTER_BAD_ARGS"],
    ["container_image_exists", "a?b", "ADAPTER_BAD_ARGS"],
    ["container_status", "a/b", "ADAPTER_BAD_ARGS"],
    ["container_status", "a\r\nb", "ADAPTER_BAD_ARGS"],
    ["container_status", "a%2fb", "ADAPTER_BAD_ARGS"],
  ])("%s %j: %s", async (verb, name, code) => {
    expect(await (await world.open(settings)).code(verb, name)).toBe(code);
  });

  it("asks nothing without permission, and nothing that changes anything", async () => {
    const before = seen.length;
    const socket = { container_socket: settings["container_socket"] ?? null };
    expect(await (await world.open(socket)).code("container_status", "web")).toBe("ADAPTER_NOT_ALLOWED");
    expect(await (await world.open()).code("container_image_exists", "a")).toBe("ADAPTER_NOT_ALLOWED");
    expect(seen).toHaveLength(before);
    expect(seen.every((request) => request.startsWith("GET "))).toBe(true);
  });

  it("needs a socket", async () => {
    const allowed = { allow_containers: true };
    expect(await (await world.open(allowed)).code("container_status", "web")).toBe("ADAPTER_NOT_CONFIGURED");
    const none = await world.open({ ...allowed, container_socket: join(world.folder, "none.sock") });
    expect(await none.code("container_status", "web")).toBe("ADAPTER_NOT_CONFIGURED");
  });
});
