/** The service as a real process, from the built command: start, log, signals, closed pipes. Skipped, with the reason, when it is not built. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { verifies } from "../support/requirements.ts";
import { exchange, type LogEvent } from "./serving.ts";

const BINARY = fileURLToPath(new URL("../../dist/wf.mjs", import.meta.url));
const built = existsSync(BINARY);
if (!built) console.warn("test/service/process.test.ts: skipped, dist/wf.mjs is not built (npm run build)");

const SLEEP = { code: "L1:\n  R core.SLEEP 600000\n  J 1\n" };

type Started = {
  readonly child: ChildProcess;
  readonly port: number;
  readonly events: LogEvent[];
  logged(event: string): Promise<LogEvent>;
  readonly stderr: () => string;
};

/** The processes of a test, and when each has ended and everything it said was read. */
const children = new Map<ChildProcess, Promise<unknown>>();
afterEach(() => {
  for (const child of children.keys()) child.kill("SIGKILL");
  children.clear();
});

function wfServe(argv: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcess {
  const environment = { PATH: process.env["PATH"] ?? "", ...variables };
  const child = spawn(process.execPath, [BINARY, "serve", ...argv], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.set(child, once(child, "close"));
  return child;
}

async function started(
  argv: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = wfServe(["--port", "0", ...argv], variables);
  const events: LogEvent[] = [];
  const watchers = new Set<() => void>();
  createInterface({ input: child.stdout as Readable }).on("line", (line) => {
    events.push(JSON.parse(line));
    for (const watcher of watchers) watcher();
  });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const logged = (name: string): Promise<LogEvent> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.find(({ event }) => event === name);
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      child.once("exit", () => reject(new Error(`the process ended before ${name}: ${stderr}`)));
      watchers.add(look);
      look();
    });
  const start = await logged("server_start");
  return { child, port: Number(start["port"]), events, logged, stderr: () => stderr };
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  await children.get(child);
  return child.exitCode;
}

// Starting a process takes its time on a machine that is busy.
describe.skipIf(!built)("wf serve", { timeout: 60_000 }, () => {
  it("serves on a free port, logs only JSON, and ends with 0 on SIGTERM", async () => {
    verifies("service.sidecar", "http.sigterm", "event.stdout");
    const service = await started([], {
      WF_STRICT_MODE: "1",
      WF_TYPO: "x",
      WF_HOST_ADAPTER_DENYLIST: "sqlit",
    });
    const reply = await exchange(service.port, "POST", "/run", { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" });
    expect(reply).toMatchObject({ status: 200, body: { ok: true, out: 5 } });
    await service.logged("run_complete");
    service.child.kill("SIGTERM");
    expect(await exitOf(service.child)).toBe(0);
    expect(service.events.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        "server_start",
        "run_start",
        "adapter_call",
        "run_complete",
        "server_drain",
        "server_stop",
      ]),
    );
    expect(service.events.find(({ event }) => event === "server_start")).toMatchObject({
      grant: { forbidden_effects: [], forbidden_effect_tiers: [], forbidden_destructive: false },
    });
    const warnings = service.events
      .filter(({ event }) => event === "start_warning")
      .map(({ message }) => String(message));
    expect(warnings.join("\n")).toMatch(/WF_TYPO is not a variable of this service/);
    expect(warnings.join("\n")).toMatch(/^unknown_adapter_name: .*'sqlit'.*WF_HOST_ADAPTER_DENYLIST/m);
    expect(warnings.join("\n")).toMatch(/WF_STRICT_MODE belongs to the MCP server/);
    const facts = `listening on http://127.0.0.1:${service.port}  profile none  queue memory`;
    const said = warnings.map((warning) => `wf serve: warning ${warning}\n`);
    const page = `console http://127.0.0.1:${service.port}/ui  read only`;
    expect(service.stderr()).toBe(`${said.join("")}weft ${RUNTIME_VERSION} ${facts}\n${page}\n`);
  });

  it("says how to fix SQLite after an upgrade of Node.js, with and without a state folder", async () => {
    const refusing = `process.dlopen = () => { throw Object.assign(new Error("made for another Node"), { code: "ERR_DLOPEN_FAILED" }); };`;
    const upgraded = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refusing)}` };
    const folder = mkdtempSync(join(tmpdir(), "weft-upgraded-"));
    try {
      for (const variables of [upgraded, { ...upgraded, WF_STATE_DIR: folder }]) {
        const child = wfServe(["--port", "0"], variables);
        let stderr = "";
        child.stderr?.on("data", (chunk) => {
          stderr += String(chunk);
        });
        expect(await exitOf(child)).toBe(2);
        expect(stderr).toMatch(
          /^wf serve: SQLite cannot be loaded by this version of Node\.js \(v\S+\); rebuild it: npm rebuild better-sqlite3\n$/,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("cancels runs that exceed the drain time", async () => {
    const hasty = await started([], { WF_DRAIN_MS: "50" });
    const lost = exchange(hasty.port, "POST", "/run", SLEEP);
    await hasty.logged("run_start");
    hasty.child.kill("SIGTERM");
    expect((await lost).body).toMatchObject({ ok: false, error: "cancelled" });
    expect(await exitOf(hasty.child)).toBe(0);
  });

  it("bounds its log while the reader is stopped, reports dropped lines, and still ends", async () => {
    const child = wfServe(["--port", "0"], { WF_LOG_LEVEL: "info", WF_RUN_LOG_MAX_BYTES: "1073741824" });
    const output = child.stdout as Readable;
    let text = "";
    const port = await new Promise<number>((resolve) => {
      const look = (chunk: unknown): void => {
        text += String(chunk);
        const found = /"event":"server_start".*"port":([0-9]+)/.exec(text)?.[1];
        if (found === undefined) return;
        output.off("data", look).pause();
        resolve(Number(found));
      };
      output.on("data", look);
    });
    const calls = 45_000;
    const code = `L1:\n  Set n 0\n  While (core.lt n ${calls}) ->L2 ->L3 limit=${calls}\nL2:\n  R core.ADD n 1 ->n\n  J n\nL3:\n  J n\n`;
    for (let runs = 0; runs < 2; runs++)
      expect((await exchange(port, "POST", "/run", { code })).body).toMatchObject({ out: calls });
    const { dropped_logs_total: dropped } = (await exchange(port, "GET", "/metrics")).body;
    expect(dropped).toBeGreaterThan(1000);
    const told = new Promise<LogEvent>((resolve) =>
      createInterface({ input: output }).on("line", (line) => {
        if (line.includes('"logs_dropped"')) resolve(JSON.parse(line));
      }),
    );
    expect(await told).toMatchObject({ level: "warn", event: "logs_dropped" });
    expect(Number((await told)["dropped_logs"])).toBeGreaterThanOrEqual(dropped);
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  });

  it("bounds the bytes of slow large bodies, and answers probes meanwhile", async () => {
    const MIB = 1024 * 1024;
    const service = await started([], { WF_MAX_BODIES_BYTES: String(32 * MIB) });
    let refused = 0;
    const body = "x".repeat(3.9 * MIB);
    const senders = Array.from({ length: 80 }, () => {
      const socket = connect(service.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("data", (chunk) => {
        if (String(chunk).startsWith("HTTP/1.1 503 ")) refused += 1;
      });
      socket.write(`POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${4 * MIB}\r\n\r\n`);
      socket.write(body);
      return socket;
    });
    // Eight fit; what others send is not held.
    while (refused < 72) expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
    expect(refused).toBe(72);
    for (const socket of senders) socket.destroy();
  });

  it("ends at once on a second signal", async () => {
    const patient = await started();
    exchange(patient.port, "POST", "/run", SLEEP).catch(() => undefined);
    await patient.logged("run_start");
    patient.child.kill("SIGTERM");
    await patient.logged("server_drain");
    patient.child.kill("SIGINT");
    expect(await exitOf(patient.child)).toBe(130);
  });

  it("continues when the reader of its log is gone", async () => {
    const service = await started();
    service.child.stdout?.destroy();
    for (let run = 0; run < 5; run++) {
      const { body } = await exchange(service.port, "POST", "/run", { code: "L1:\n  J 1\n" });
      expect(body.out).toBe(1);
    }
    service.child.kill("SIGTERM");
    expect(await exitOf(service.child)).toBe(0);
    expect(service.stderr().match(/the log cannot be written \(EPIPE\)/g)?.length).toBe(1);
  });

  it("loads the profile of its flags and variables", async () => {
    verifies("env.WF_SECURITY_PROFILE");
    const service = await started(["--profile", "local_minimal"], { WF_SECURITY_PROFILE: "operator_full" });
    expect((await exchange(service.port, "GET", "/capabilities")).body.profile).toBe("local_minimal");
  });

  it.each([
    [["--profile", "sandbx"], {}, /unknown security profile "sandbx"/],
    [["--port", "99999"], {}, /option --port must be a whole number from 0 to 65535/],
    [[], { WF_DRAIN_MS: "soon", WF_PORT: "0" }, /WF_DRAIN_MS must be a whole number/],
    [[], { NODE_OPTIONS: "--disallow-code-generation-from-strings" }, /start without that flag, and with WF_TIER=off/],
  ] as const)("does not start with %j %j, and says why in one line", async (argv, variables, message) => {
    const child = wfServe(argv, variables);
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });
    expect(await exitOf(child)).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n").length).toBe(1);
  });

  it("does not start on a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const child = wfServe(["--port", String(port)]);
    expect(await exitOf(child)).toBe(2);
    taken.close();
  });

  it("listens on 127.0.0.1:8770 by default", async () => {
    verifies("service.runner-port");
    const { readServiceStart } = await import("../../service/config.ts");
    expect(readServiceStart({}).config).toMatchObject({ host: "127.0.0.1", port: 8770 });
  });
});
