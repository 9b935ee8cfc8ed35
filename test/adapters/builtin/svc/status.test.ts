/** What each kind of probe finds, on real servers, certificates, processes and files of this machine. */
import { createSocket, type Socket } from "node:dgram";
import { rm, utimes, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { verifies } from "../../../support/requirements.ts";
import { socketServer, webServer } from "../http/servers.ts";
import { probing, type SvcWorld, svcWorld } from "./world.ts";

let world: SvcWorld;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  world = await svcWorld();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => world.close());

async function closing<T extends { close(): Promise<void> }>(server: Promise<T>): Promise<T> {
  const started = await server;
  open.push(started);
  return started;
}

async function statusOf(web: JsonObject): Promise<object> {
  const bench = await world.open(web);
  const status = await bench.call("status", "web");
  await bench.end();
  return status as object;
}

/** The answer of a service with one probe. */
function one(kind: string, status: string, error: string | null, latency = 0) {
  const ok = status === "up" || status === "degraded";
  const checked_at = new Date(world.clock.wall() - latency).toISOString();
  return { ok, status, latency_ms: latency, error, checked_at, probes: [{ kind, ok, latency_ms: latency, error }] };
}

describe("http", () => {
  const SLOW_MS = 800;
  const web = () =>
    closing(
      webServer((request, response) => {
        const [, kind] = (request.url ?? "").split("/");
        if (kind === "hang") return;
        if (kind === "slow") world.clock.advance(SLOW_MS);
        if (kind === "away") response.writeHead(302, { location: "http://192.0.2.1/" }).end();
        else response.writeHead(kind === "broken" ? 500 : 200).end("all is well");
      }),
    );

  it.each<readonly [path: string, facts: JsonObject, status: string, error: string | null]>([
    ["/", {}, "up", null],
    ["/", { expect_body: "is well" }, "up", null],
    ["/", { expect_body: "is not" }, "down", "body"],
    ["/broken", {}, "down", "status_500"],
    ["/broken", { expect_status: [200, 500] }, "up", null],
    ["/slow", {}, "degraded", "slow"],
    ["/hang", { timeout_ms: 100 }, "down", "timeout"],
    ["/away", {}, "down", "host_blocked"],
  ])("%s %j: %s %s", async (path, facts, status, error) => {
    verifies("adapter.svc.health");
    const { base } = await web();
    expect(await statusOf(probing("http", { url: base + path, ...facts }))).toEqual(
      one("http", status, error, error === "slow" ? SLOW_MS : 0),
    );
  });

  it("without an answer is down", async () => {
    const gone = await webServer(() => {});
    await gone.close();
    expect(await statusOf(probing("http", { url: gone.base }))).toEqual(one("http", "down", "refused"));
  });
});

describe("tcp", () => {
  it("is up when somebody takes the connection", async () => {
    const server = await closing(socketServer((socket) => socket.destroy()));
    const facts = { host: "127.0.0.1", port: server.port };
    expect(await statusOf(probing("tcp", facts))).toEqual(one("tcp", "up", null));
    await server.close();
    expect(await statusOf(probing("tcp", facts))).toEqual(one("tcp", "down", "refused"));
    open.pop();
  });
});

describe("tls", () => {
  /** Of the certificate of the tests. */
  const END = Date.UTC(2126, 9, 28, 17, 10, 1);
  const DAY = 86_400_000;

  it.each<readonly [leftMs: number, status: string, error: string | null]>([
    [15 * DAY, "up", null],
    [DAY, "degraded", "certificate_expires"],
    [-1, "down", "certificate_expired"],
  ])("%i ms before its end: %s", async (left, status, error) => {
    const server = await closing(webServer(() => {}, "https"));
    const now = world.clock.wall();
    world.clock.advance(END - left - now);
    const found = await statusOf(probing("tls", { host: "127.0.0.1", port: server.port }));
    expect(found).toEqual(one("tls", status, error));
    world.clock.advance(now - world.clock.wall());
  });

  it("is down where the server has none", async () => {
    const plain = await closing(webServer((_request, response) => response.end()));
    const silent = await closing(socketServer(() => {}));
    const facts = { host: "127.0.0.1", timeout_ms: 100 };
    expect(await statusOf(probing("tls", { ...facts, port: plain.port }))).toMatchObject({ status: "down" });
    expect(await statusOf(probing("tls", { ...facts, port: silent.port }))).toEqual(one("tls", "down", "timeout"));
  });
});

describe("dns", () => {
  it("asks the server that is named", async () => {
    const server = await nameServer();
    const facts = { server: `127.0.0.1:${server.port}`, timeout_ms: 500 };
    expect(await statusOf(probing("dns", { ...facts, name: "there.test" }))).toEqual(one("dns", "up", null));
    expect(await statusOf(probing("dns", { ...facts, name: "none.test" }))).toEqual(one("dns", "down", "dns"));
    const silent = { ...facts, name: "silent.test", timeout_ms: 100 };
    expect(await statusOf(probing("dns", silent))).toEqual(one("dns", "down", "timeout"));
    await server.close();
  });
});

describe("systemd", () => {
  it.each<readonly [body: string, status: string, error: string | null]>([
    ["echo ActiveState=active; echo SubState=running; echo MainPID=12", "up", null],
    ["echo ActiveState=activating", "degraded", "activating"],
    ["echo ActiveState=failed", "down", "failed"],
    ["echo ActiveState=inactive", "down", "inactive"],
    ["echo nothing", "unknown", "systemd"],
    ["echo ActiveState=active; exit 1", "unknown", "systemd"],
    ["sleep 30", "down", "timeout"],
  ])("%s: %s", async (body, status, error) => {
    await world.script("systemctl", body);
    const facts = { unit: "web.service", timeout_ms: body.startsWith("sleep") ? 200 : 10_000 };
    expect(await statusOf(probing("systemd", facts))).toEqual(one("systemd", status, error));
  });

  it("is asked for the unit alone, without a shell and without secrets", async () => {
    await world.script(
      "systemctl",
      'for one in "$@"; do echo "$one" >>"$LOG"; done; env >>"$LOG"; echo ActiveState=active',
    );
    await world.logged();
    await statusOf(probing("systemd", { unit: "web@1.service" }));
    const lines = await world.logged();
    expect(lines.slice(0, 4)).toEqual(["show", "--property=ActiveState,SubState,MainPID", "--", "web@1.service"]);
    expect(lines.join()).not.toContain("canary");
  });

  it.each(["-H other", "a b", "a;b", "", "$(id)"])("a unit %j is refused", async (unit) => {
    await expect(world.open(probing("systemd", { unit }))).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });
});

describe("process and heartbeat", () => {
  it.each<readonly [text: string | null, status: string, error: string | null]>([
    [`${process.pid}\n`, "up", null],
    ["1", "up", null],
    ["2147483646", "down", "not_running"],
    ["-1", "down", "not_running"],
    ["0", "down", "not_running"],
    ["none", "down", "not_running"],
    ["", "down", "not_running"],
    [null, "down", "no_pid_file"],
  ])("pid file %j: %s", async (text, status, error) => {
    const path = join(world.folder, "web.pid");
    if (text === null) await rm(path);
    else await writeFile(path, text);
    expect(await statusOf(probing("process", { pid_file: path }))).toEqual(one("process", status, error));
  });

  it.each<readonly [ageS: number | null, status: string, error: string | null]>([
    [0, "up", null],
    [59, "up", null],
    [61, "down", "stale"],
    // From before the clock was set back.
    [-61, "down", "stale"],
    [null, "down", "no_heartbeat"],
  ])("heartbeat %i s ago: %s", async (age, status, error) => {
    const path = join(world.folder, "beat");
    await writeFile(path, "");
    const at = world.clock.wall() / 1000 - (age ?? 0);
    await utimes(path, at, at);
    if (age === null) await rm(path);
    expect(await statusOf(probing("heartbeat", { file: path, max_age_s: 60 }))).toEqual(
      one("heartbeat", status, error),
    );
  });
});

describe("a service", () => {
  const beat = { heartbeat: { file: "/nowhere/beat", max_age_s: 1 } };
  const alive = { process: { pid_file: "" } };
  beforeAll(async () => {
    alive.process.pid_file = join(world.folder, "alive.pid");
    await writeFile(alive.process.pid_file, String(process.pid));
  });

  it("that does not answer within timeout_s is down", async () => {
    const silent = await closing(socketServer(() => {}));
    const bench = await world.open(probing("tls", { host: "127.0.0.1", port: silent.port, timeout_ms: 60_000 }));
    expect(await bench.call("status", "web", { timeout_s: 0.3 })).toEqual(one("tls", "down", "timeout"));
  });

  it("is as its worst probe says", async () => {
    expect(await statusOf({ probes: [alive, beat] })).toMatchObject({
      ok: false,
      status: "down",
      error: "no_heartbeat",
      probes: [
        { kind: "process", ok: true },
        { kind: "heartbeat", ok: false },
      ],
    });
  });

  it("without probes is unknown", async () => {
    const checked_at = new Date(world.clock.wall()).toISOString();
    const unknown = { ok: false, status: "unknown", latency_ms: null, error: null, checked_at, probes: [] };
    expect(await statusOf({})).toEqual(unknown);
  });

  it("is also a verb", async () => {
    const bench = await world.open({ probes: [alive] });
    expect(await bench.call("web")).toMatchObject({ ok: true, status: "up" });
    expect(await bench.code("other")).toBe("ADAPTER_NOT_FOUND");
  });

  it("is remembered for max_age_s within a run", async () => {
    const bench = await world.open({ probes: [alive] });
    const first = await bench.call("status", "web");
    world.clock.advance(5_000);
    expect(await bench.call("status", "web", { max_age_s: 10 })).toEqual(first);
    const second = await bench.call("status", "web", { max_age_s: 5 });
    expect(second).not.toEqual(first);
    world.clock.advance(-3_600_000);
    expect(await bench.call("status", "web", { max_age_s: 10 })).not.toEqual(second);
    world.clock.advance(3_600_000);
  });

  it("that cannot be asked about is an error", async () => {
    const broken = await world.open(probing("process", { pid_file: world.folder }));
    expect(await broken.code("status", "web")).toBe("ADAPTER_NOT_A_FILE");
    const without = await world.open(probing("http", { url: "http://127.0.0.1/" }), { services: {} });
    expect(await without.code("status", "web")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it.each(["constructor", "__proto__", "toString", "", "Web"])("named %j is not there", async (name) => {
    expect(await (await world.open({})).code("status", name)).toBe("ADAPTER_NOT_FOUND");
  });

  it("is listed with what may be done", async () => {
    const services = {
      web: { probes: [alive, beat], actions: { restart: { systemd: "web.service" }, start: { argv: ["/bin/true"] } } },
      db: {},
    };
    const bench = await world.bench({ services });
    expect(await bench.call("list")).toEqual([
      { name: "db", probes: [], actions: [] },
      { name: "web", probes: ["process", "heartbeat"], actions: ["start", "restart"] },
    ]);
    const narrow = await world.bench({ services, allow_services: ["web", "none"], allow_actions: false });
    expect(await narrow.call("list")).toEqual([{ name: "web", probes: ["process", "heartbeat"], actions: [] }]);
    expect(await narrow.code("status", "db")).toBe("ADAPTER_NOT_FOUND");
  });
});

describe("wait", () => {
  it("ends when the service is as wanted", async () => {
    const path = join(world.folder, "wait.pid");
    const bench = await world.open(probing("process", { pid_file: path }));
    expect(await bench.call("wait", "web", { status: "down" })).toMatchObject({ status: "down" });
    const up = bench.call("wait", "web");
    await writeFile(path, String(process.pid));
    expect(await up).toMatchObject({ ok: true, status: "up" });
  });

  it("fails when it is not in time", async () => {
    const bench = await world.open(probing("process", { pid_file: "/nowhere/pid" }));
    expect(await bench.code("wait", "web", { timeout_s: 0.1 })).toBe("ADAPTER_TIMEOUT");
    expect(await bench.code("wait", "none", { timeout_s: 0.1 })).toBe("ADAPTER_NOT_FOUND");
  });

  it("ends with its run", async () => {
    const bench = await world.open(probing("process", { pid_file: "/nowhere/pid" }));
    const abort = new AbortController();
    const waiting = bench.callUnder(abort.signal, "wait", "web");
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
  });
});

/** Knows there.test, says that none.test does not exist, and keeps quiet otherwise. */
async function nameServer(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const socket: Socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const asked = query.toString("latin1");
    if (asked.includes("silent")) return;
    const found = asked.includes("there");
    const head = Buffer.from(query.subarray(0, 12));
    // Answer, recursion available; 3: no such name. Counts: one question, one answer or none, nothing else.
    head.writeUInt16BE(found ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(found ? 1 : 0, 6);
    head.writeUInt16BE(0, 10);
    const end = query.indexOf(0, 12) + 5;
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    const answer = found ? [head, query.subarray(12, end), record] : [head, query.subarray(12, end)];
    socket.send(Buffer.concat(answer), from.port, from.address);
  });
  await new Promise<void>((ready) => socket.bind(0, "127.0.0.1", ready));
  const { port } = socket.address() as AddressInfo;
  return { port, close: () => new Promise((done) => socket.close(() => done())) };
}
