/** Starting, stopping and restarting with real programs: what is granted, how often it runs, and what is remembered. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServices } from "../../../../adapters/services.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { NO_PLACES } from "../../../support/adapter-bench.ts";
import { type SvcWorld, svcWorld } from "./world.ts";

let world: SvcWorld;
let runs: JsonObject;
beforeAll(async () => {
  world = await svcWorld();
  runs = { argv: [await world.script("run", 'echo "$#:$*" >>"$LOG"'), "-x", "two words", "", "$(id); `id`"] };
});
beforeEach(async () => {
  // Past every pause of the tests before.
  world.clock.advance(3_600_000);
  await world.logged();
});
afterAll(() => world.close());

/** Options of a call that differs from earlier ones. */
function fresh(options: JsonObject = {}): JsonObject {
  return { idempotency_key: crypto.randomUUID(), ...options };
}

const done = (action: string) => ({ ok: true, action, exit_code: 0, duration_ms: 0 });

describe("an action", () => {
  it.each(["start", "stop", "restart"])("%s runs its program as it is declared", async (action) => {
    const bench = await world.open({ actions: { [action]: runs } });
    expect(await bench.call(action, "web", fresh({ reason: "nightly" }))).toEqual(done(action));
    expect(await world.logged()).toEqual(["4:-x two words  $(id); `id`"]);
  });

  it.each(["start", "stop", "restart"])("%s of a unit is systemd's", async (action) => {
    await world.script("systemctl", 'echo "$@" >>"$LOG"');
    const bench = await world.open({ actions: { [action]: { systemd: "web.service" } } });
    expect(await bench.call(action, "web", fresh())).toEqual(done(action));
    expect(await world.logged()).toEqual([`${action} -- web.service`]);
  });

  it("that fails is reported by its exit code", async () => {
    const fails = await world.script("fails", "echo a reason >&2; exit 3");
    const events: object[] = [];
    const log = (event: string, fields: object = {}) => void events.push({ event, ...fields });
    const bench = await world.open({ actions: { start: { argv: [fails] } } }, { log });
    expect(await bench.call("start", "web", fresh({ wait_s: 60 }))).toEqual({
      ...done("start"),
      ok: false,
      exit_code: 3,
    });
    expect(events).toEqual([
      { event: "svc_action", service: "web", action: "start", exit_code: 3, stderr: "a reason\n" },
    ]);
  });

  it("may say as much as it likes", async () => {
    const noisy = await world.script("noisy", "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2");
    const bench = await world.open({ actions: { start: { argv: [noisy] } } });
    expect(await bench.call("start", "web", fresh())).toEqual(done("start"));
  });

  it.each<readonly [what: string, settings: JsonObject, verb: string, name: string]>([
    ["an unknown service", {}, "start", "other"],
    ["another action", {}, "stop", "web"],
    ["a service that is not on the list", { allow_services: ["other"] }, "start", "web"],
    ["any action without permission", { allow_actions: false }, "start", "web"],
    ["a name of every object", {}, "start", "constructor"],
  ])("%s is not granted", async (_what, settings, verb, name) => {
    const bench = await world.bench({ services: { web: { actions: { start: runs } } }, ...settings });
    expect(await bench.code(verb, name)).toBe("ADAPTER_NOT_ALLOWED");
    expect(await world.logged()).toEqual([]);
  });

  it.each([{ argv: ["true"] }, { argv: [] }, { systemd: "-x" }, { systemd: "a b" }, { shell: "true" }, "true"])(
    "%j is not a declaration",
    async (declared) => {
      const opened = world.open({ actions: { start: declared } });
      await expect(opened).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
    },
  );

  it("is not taken in a dry run", async () => {
    const bench = await world.open({ actions: { start: runs } }, { dryRun: true });
    expect(await bench.call("start", "web", fresh())).toEqual({ dry_run: true });
    expect(await world.logged()).toEqual([]);
  });
});

describe("the pause", () => {
  it("holds for all runs, and ends", async () => {
    const service = { actions: { restart: runs, start: runs }, cooldown_s: 60 };
    expect(await (await world.open(service)).call("restart", "web", fresh())).toEqual(done("restart"));
    world.clock.advance(20_000);
    const second = await world.open(service);
    await expect(second.call("restart", "web", fresh())).rejects.toMatchObject({
      code: "ADAPTER_RATE_LIMITED",
      retryable: true,
      retryAfterMs: 40_000,
    });
    expect(await second.call("start", "web", fresh())).toEqual(done("start"));
    world.clock.advance(40_000);
    expect(await second.call("restart", "web", fresh())).toEqual(done("restart"));
    expect(await world.logged()).toHaveLength(3);
  });

  it("holds for another process on the same state directory", async () => {
    const service = { actions: { restart: runs } };
    await (await world.open(service)).call("restart", "web", fresh());
    const places = { ...NO_PLACES, stateDir: world.folder };
    const other = createServices({ places, environment: {} });
    expect(await (await world.open(service, { services: other.services })).code("restart", "web", fresh())).toBe(
      "ADAPTER_RATE_LIMITED",
    );
    await other.close();
  });

  it("can be none", async () => {
    const bench = await world.open({ actions: { restart: runs }, cooldown_s: 0 });
    await bench.call("restart", "web", fresh());
    expect(await bench.call("restart", "web", fresh())).toEqual(done("restart"));
  });
});

describe("a key", () => {
  it("runs once, and gives the first answer again", async () => {
    const service = { actions: { restart: runs, stop: runs }, cooldown_s: 0 };
    const key = { idempotency_key: "once" };
    const first = await (await world.open(service)).call("restart", "web", key);
    world.clock.advance(1_000);
    const bench = await world.open(service);
    expect(await bench.call("restart", "web", { ...key, reason: "again" })).toEqual(first);
    expect(await bench.call("stop", "web", key)).toEqual(done("stop"));
    expect(await world.logged()).toHaveLength(2);
  });

  it("belongs to one service", async () => {
    const one = { actions: { restart: runs } };
    const bench = await world.bench({ services: { web: one, db: one } });
    await bench.call("restart", "web", { idempotency_key: "named" });
    expect(await bench.code("restart", "db", { idempotency_key: "named" })).toBe("ADAPTER_CONFLICT");
  });

  it("is free again when nothing could be started", async () => {
    const key = { idempotency_key: "absent" };
    const absent = await world.open({ actions: { restart: { argv: ["/nowhere/run"] } } });
    expect(await absent.code("restart", "web", key)).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await world.open({ actions: { restart: runs } })).call("restart", "web", key)).toEqual(
      done("restart"),
    );
  });

  it("is free again when the pause held it back", async () => {
    const bench = await world.open({ actions: { restart: runs } });
    await bench.call("restart", "web", fresh());
    expect(await bench.code("restart", "web", { idempotency_key: "held" })).toBe("ADAPTER_RATE_LIMITED");
    world.clock.advance(60_000);
    expect(await bench.call("restart", "web", { idempotency_key: "held" })).toEqual(done("restart"));
  });

  it("whose restart did not end in time is not used for a second one", async () => {
    const slow = await world.script("slow", 'echo begun >>"$LOG"; exec sleep 30');
    const bench = await world.open({ actions: { restart: { argv: [slow] }, start: { argv: [slow] } }, cooldown_s: 0 });
    const key = { idempotency_key: "slow", timeout_s: 1 };
    await expect(bench.call("restart", "web", key)).rejects.toMatchObject({ code: "ADAPTER_TIMEOUT", retryable: true });
    await expect(bench.call("restart", "web", key)).rejects.toMatchObject({
      code: "ADAPTER_CONFLICT",
      data: { outcome: "unknown" },
    });
    expect(await world.logged()).toEqual(["begun"]);
    expect(await bench.code("start", "web", key)).toBe("ADAPTER_TIMEOUT");
    expect(await bench.code("start", "web", key)).toBe("ADAPTER_TIMEOUT");
    expect(await world.logged()).toEqual(["begun", "begun"]);
  });
});

describe("wait_s", () => {
  it("waits until the service is up, or down", async () => {
    const path = join(world.folder, "waited.pid");
    const starts = await world.script("starts", `echo ${process.pid} >'${path}'`);
    const stops = await world.script("stops", `rm '${path}'`);
    const service = {
      probes: [{ process: { pid_file: path } }],
      actions: { start: { argv: [starts] }, stop: { argv: [stops] } },
    };
    const bench = await world.open(service);
    expect(await bench.call("start", "web", fresh({ wait_s: 5 }))).toEqual(done("start"));
    expect(await bench.call("stop", "web", fresh({ wait_s: 5 }))).toEqual(done("stop"));
  });

  it("is not ok when the service does not come", async () => {
    const path = join(world.folder, "stays.pid");
    await writeFile(path, String(process.pid));
    const bench = await world.open({ probes: [{ process: { pid_file: path } }], actions: { stop: runs } });
    expect(await bench.call("stop", "web", fresh({ wait_s: 0.1 }))).toEqual({ ...done("stop"), ok: false });
    await rm(path);
  });
});
