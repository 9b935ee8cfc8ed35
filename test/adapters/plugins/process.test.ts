/** Plugins in processes of their own: in three forms that do their work, and in every form that does not. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { readPluginEntries } from "../../../adapters/plugins/entries.ts";
import { loadPlugin } from "../../../adapters/plugins/load.ts";
import { MAX_LINE_BYTES } from "../../../adapters/plugins/process/lines.ts";
import { openBench } from "../../support/adapter-bench.ts";
import { folderWith, pluginModule, WEATHER } from "./plugin-files.ts";
import { isAlive, load, odd, scripted, until } from "./process-plugins.ts";

const python = ((): string | null => {
  try {
    return execFileSync("python3", ["--version"], { encoding: "utf8" });
  } catch {
    return null;
  }
})();

describe.each([
  ["a JavaScript module", () => folderWith({ "w.mjs": WEATHER }), { module: "./w.mjs", isolation: "process" }, null],
  [
    "a program in Python",
    () => {
      const folder = folderWith({});
      copyFileSync(join(import.meta.dirname, "weather.py"), join(folder, "weather.py"));
      return folder;
    },
    { command: ["python3", "weather.py"] },
    python === null ? "python3 is not installed on this machine" : null,
  ],
])("%s in its own process", (_title, folder, entry, missing) => {
  it.skipIf(missing !== null)(missing ?? "answers calls under its settings", async () => {
    const { plugin } = await load(entry, folder());
    expect(plugin).toMatchObject({ isolation: "process", version: "1.2.0", assumed: [] });
    expect(plugin.sha256).toMatch(/^[0-9a-f]{64}$/);
    const bench = await openBench(plugin.definition, { settings: { allow_cities: ["Oslo"] } });
    expect(await bench.call("current", "Oslo")).toEqual({ city: "Oslo", degrees: 3, units: "si" });
    expect(await bench.call("CURRENT", "Oslo", { units: "us" })).toEqual({ city: "Oslo", degrees: 3, units: "us" });
    await expect(bench.call("current", "Rome")).rejects.toMatchObject({
      code: "ADAPTER_NOT_ALLOWED",
      retryable: false,
    });
    await expect(bench.call("current")).rejects.toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    await expect(bench.call("current", "")).rejects.toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    await expect(bench.call("current", "Oslo", { units: "k" })).rejects.toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    await bench.end();
  });
});

it.skipIf(python === null)("the plugin of docs/plugins.md works", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/plugins.md"), "utf8");
  const program = /```python[^\n]*\n([\s\S]*?)```/.exec(page)?.[1];
  const { plugin } = await load({ command: ["python3", "dice.py"] }, folderWith({ "dice.py": program ?? "" }));
  const bench = await openBench(plugin.definition);
  expect(await bench.call("throw", 3)).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
  await expect(bench.call("throw", 11)).rejects.toMatchObject({ code: "ADAPTER_NOT_ALLOWED" });
  await expect(bench.call("throw", 0)).rejects.toMatchObject({ code: "ADAPTER_BAD_ARGS" });
  await bench.end();
});

describe("a process plugin", () => {
  it("has no environment but PATH, LANG and what its entry lists", async () => {
    const folder = folderWith({ "odd.mjs": scripted("{ call: (m) => answer(m, Object.keys(process.env).sort()) }") });
    const environment = { LANG: "C.UTF-8", WF_SECRET_X: "secret", HOME: "/root", ODD_MODE: "1", OTHER: "2" };
    const entry = { command: [process.execPath, "odd.mjs"], env: ["ODD_MODE"] };
    const { plugin } = await load(entry, folder, { environment });
    const bench = await openBench(plugin.definition);
    expect(await bench.call("go")).toEqual(["LANG", "ODD_MODE", "PATH"]);
    await bench.end();
  });

  it("gets only the secrets that it declares, and shows none of them", async () => {
    const { plugin, logged } = await odd(`{
      open: (m) => { globalThis.secrets = m.secrets; answer(m); },
      call: (m) => {
        send({ type: "log", level: "warn", event: "used " + secrets.ODD_KEY, fields: { key: secrets.ODD_KEY, n: 1 } });
        process.stderr.write("key " + secrets.ODD_KEY + "\\n");
        send({ id: m.id, error: { code: "ADAPTER_FAILED", message: "no " + secrets.ODD_KEY, data: { at: [secrets.ODD_KEY, Object.keys(secrets)], [secrets.ODD_KEY]: 1 } } });
      },
    }`);
    const bench = await openBench(plugin.definition, { secrets: { ODD_KEY: "canary-4711", OTHER: "never" } });
    const thrown = await bench.call("go").catch((cause: unknown) => cause);
    expect(thrown).toMatchObject({
      code: "ADAPTER_FAILED",
      message: "no [secret]",
      data: { at: ["[secret]", ["ODD_KEY"]], "[secret]": 1 },
    });
    await until(() => logged.some(({ event }) => event === "plugin_stderr"));
    expect(JSON.stringify(logged)).not.toContain("canary-4711");
    expect(logged).toContainEqual({
      event: "plugin_log",
      fields: {
        plugin: expect.any(String),
        level: "warn",
        said: "used [secret]",
        field_key: "[secret]",
        field_n: 1,
      },
    });
    await bench.end();
  });

  it("is not asked as long as what it works with is not configured", async () => {
    const base_url = 'z.string().optional().meta({ merge: "server", configures: true })';
    const module = pluginModule(`export default weather({ settings: { base_url: ${base_url} } });`);
    const { plugin } = await load({ module: "./w.mjs", isolation: "process" }, folderWith({ "w.mjs": module }));
    const bare = await openBench(plugin.definition);
    expect(await bare.code("current", "Oslo")).toBe("ADAPTER_NOT_CONFIGURED");
    const given = await openBench(plugin.definition, { settings: { base_url: "https://weather.example" } });
    expect(await given.call("current", "Oslo")).toMatchObject({ city: "Oslo" });
    await bare.end();
    await given.end();
  });

  it("is opened once per run and closed at its end", async () => {
    const { plugin } = await odd(`{
      open: (m) => { process.seen = [...(process.seen ?? []), "open " + m.instance]; answer(m); },
      close: (m) => { process.seen.push("close " + m.instance); answer(m); },
      call: (m) => answer(m, process.seen),
    }`);
    const first = await openBench(plugin.definition);
    await first.call("go");
    expect(await first.call("go")).toEqual(["open 1"]);
    await first.end();
    const second = await openBench(plugin.definition);
    expect(await second.call("go")).toEqual(["open 1", "close 1", "open 2"]);
    await second.end();
  });

  it.each([
    ["ADAPTER_UNAVAILABLE", true],
    ["ADAPTER_NOT_FOUND", false],
    ["ADAPTER_ODD_TIRED", true],
  ])("an error %s that does not say so is retryable: %s", async (code, retryable) => {
    const { plugin } = await odd(`{ call: ({ id }) => send({ id, error: { code: "${code}", message: "no" } }) }`);
    const bench = await openBench(plugin.definition);
    await expect(bench.call("go")).rejects.toMatchObject({ code, retryable });
    await bench.end();
  });

  it("fails with its own codes, times and data", async () => {
    const { plugin } = await odd(
      `{ call: ({ id }) => send({ id, error: { code: "ADAPTER_ODD_TIRED", message: "tired", retryable: true, retry_after_ms: 250, data: { a: 1 } } }) }`,
    );
    const bench = await openBench(plugin.definition);
    await expect(bench.call("go")).rejects.toMatchObject({
      code: "ADAPTER_ODD_TIRED",
      message: "tired",
      retryable: true,
      retryAfterMs: 250,
      data: { a: 1 },
    });
    await bench.end();
  });
});

describe("a process plugin stops the start", () => {
  it.each([
    ["cannot be started", { command: ["./none"] }, "", "cannot be started"],
    ["ends at once", null, "process.exit(3)", "the process of the plugin ended"],
    [
      "prints something else",
      null,
      `console.log("hello"); setInterval(() => {}, 1000)`,
      "the process of the plugin ended",
    ],
    ["says nothing", null, "setInterval(() => {}, 1000)", "the plugin does not answer"],
    ["tells no object", null, `${scripted("{ spec: (m) => answer(m, 7) }")}`, "its spec is not valid"],
    [
      "has a schema that is not understood",
      null,
      scripted(`{ spec: (m) => { SPEC.verbs.go.result = { type: "none" }; answer(m, SPEC); } }`),
      "a schema that is not understood: /verbs/go/result",
    ],
    [
      "has a schema that refers to itself alone",
      null,
      scripted(`{ spec: (m) => { SPEC.verbs.go.args[0].schema = { $ref: "#" }; answer(m, SPEC); } }`),
      "a schema that is not understood: /verbs/go/args/what: it refers to itself without end",
    ],
    [
      "has a pattern that cannot be had",
      null,
      scripted(
        `{ spec: (m) => { SPEC.verbs.go.args[0].schema = { type: "string", pattern: "(a)\\\\1" }; answer(m, SPEC); } }`,
      ),
      "a schema that is not understood: /verbs/go/args/what: it refers back to what a group has matched",
    ],
    [
      "is of another version",
      null,
      scripted("{ spec: (m) => { SPEC.api_version = 3; answer(m, SPEC); } }"),
      "is written for apiVersion 3; this build knows apiVersion 1",
    ],
    [
      "declares what is not valid",
      null,
      scripted("{ spec: (m) => { SPEC.network_facing = false; answer(m, SPEC); } }"),
      "/networkFacing is false",
    ],
  ])("that %s", async (_title, entry, text, message) => {
    const folder = folderWith({ "odd.mjs": text });
    const loading = load(entry ?? { command: [process.execPath, "odd.mjs"] }, folder, {
      timeoutMs: text.startsWith("setInterval") ? 1000 : 15_000,
    });
    const thrown: unknown = await loading.catch((cause: unknown) => cause);
    expect(thrown).toBeInstanceOf(StartFault);
    expect(thrown).toHaveProperty("message", expect.stringContaining(message));
  });

  it("that is a module with a fault, whose reason is in the log", async () => {
    const folder = folderWith({ "w.mjs": pluginModule(`throw new Error("no luck");`) });
    const [entry] = readPluginEntries([{ module: "./w.mjs", isolation: "process" }], "WF_ADAPTERS");
    const logged: string[] = [];
    const deps = {
      baseFolder: folder,
      environment: {},
      log: (...said: unknown[]) => logged.push(JSON.stringify(said)),
    };
    if (entry === undefined) throw new Error("no entry");
    await expect(loadPlugin(entry, deps)).rejects.toThrow("does not tell its definition");
    expect(logged.join("\n")).toContain("no luck");
  });
});

describe("a process plugin that breaks the rules", () => {
  it.each([
    ["prints no JSON", `process.stdout.write("printed\\n")`, "a line is not a JSON object"],
    ["prints JSON that is not a message", `send([1])`, "a line is not a JSON object"],
    ["answers without a request", `send({ id: 999, result: 1 })`, "a message is neither an answer nor of a known type"],
    [
      "prints a line without end",
      `process.stdout.write("x".repeat(${MAX_LINE_BYTES + 1}))`,
      "a line is longer than 8 MiB",
    ],
    [
      "logs what nests without end",
      `process.stdout.write('{"type":"log","event":' + "[".repeat(100_000) + "]".repeat(100_000) + "}\\n")`,
      "a line is nested too deeply",
    ],
    [
      "fails with data that nests without end",
      `process.stdout.write('{"id":' + m.id + ',"error":{"code":"ADAPTER_FAILED","message":"","data":' + "[".repeat(100_000) + "]".repeat(100_000) + "}}\\n")`,
      "a line is nested too deeply",
    ],
    ["dies", `process.kill(process.pid, "SIGKILL")`, null],
  ])("because it %s fails its calls, and is started again after a pause", async (_title, deed, fault) => {
    const { plugin, logged } = await odd(
      `{ call: (m) => { if (m.args[0] === "bad") { ${deed}; } else answer(m, process.pid); } }`,
    );
    const bench = await openBench(plugin.definition);
    const pid = Number(await bench.call("go"));
    await expect(bench.call("go", "bad")).rejects.toMatchObject({
      code: "ADAPTER_TRANSPORT",
      retryable: true,
      message: `the process of the plugin ended${fault === null ? "" : `: ${fault}`}`,
    });
    expect(logged).toContainEqual({
      event: "plugin_process_ended",
      fields: { plugin: expect.any(String), fault },
    });
    await until(() => !isAlive(pid));
    // The same instance of the run continues in the next process.
    const paused: unknown = await bench.call("go").catch((cause: unknown) => cause);
    if (typeof paused !== "number") expect(paused).toMatchObject({ code: "ADAPTER_UNAVAILABLE", retryable: true });
    let next: unknown = paused;
    while (typeof next !== "number") next = await bench.call("go").catch(() => null);
    expect(next).not.toBe(pid);
    await bench.end();
  });

  it("fails every call that is under way", async () => {
    const { plugin } = await odd(`{ call: (m) => { if (m.args[0] === "bad") process.exit(1); } }`);
    const bench = await openBench(plugin.definition);
    const slow = bench.call("go", "slow");
    const bad = bench.call("go", "bad");
    await expect(slow).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT" });
    await expect(bad).rejects.toMatchObject({ code: "ADAPTER_TRANSPORT" });
    await bench.end();
  });

  it.each([
    ["without a code", `"no"`, "the plugin failed without a code"],
    ["with a code of others", `{ code: "ADAPTER_OTHER_TIRED" }`, "the plugin failed with a code that is not its own"],
    ["with an unknown code", `{ code: "ADAPTER_TIRED" }`, "the plugin failed with a code that is not its own"],
    ["with one of runs", `{ code: "RUNTIME_CANCELLED" }`, "the plugin failed without a code"],
    ["as if it was cancelled", `{ code: "ADAPTER_CANCELLED" }`, "the plugin failed with a code that is not its own"],
  ])("because it fails %s reports the reason", async (_title, error, message) => {
    const { plugin } = await odd(`{ call: ({ id }) => send({ id, error: ${error} }) }`);
    const bench = await openBench(plugin.definition);
    await expect(bench.call("go")).rejects.toMatchObject({ code: "ADAPTER_FAILED", retryable: false, message });
    await bench.end();
  });

  it("because it ignores that its call was cancelled is killed", async () => {
    const { plugin, logged } = await odd(`{ call: () => { process.stderr.write("pid " + process.pid + "\\n"); } }`);
    const bench = await openBench(plugin.definition);
    const abort = new AbortController();
    const call = bench.callUnder(abort.signal, "go");
    await until(() => logged.some(({ event }) => event === "plugin_stderr"));
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    await until(() => logged.some(({ event }) => event === "plugin_process_ended"));
    expect(logged.at(-1)?.fields).toMatchObject({ fault: "a cancelled call is not answered within 1 s" });
    const said = logged.find(({ event }) => event === "plugin_stderr")?.fields["text"];
    const pid = Number(String(said).replace("pid ", ""));
    await until(() => !isAlive(pid));
    await bench.end();
  });

  it("and one that heeds it lives on", async () => {
    const { plugin, logged } = await odd(`{
      call: (m) => {
        if (m.args[0] === "slow") send({ type: "log", level: "info", event: "waits" });
        else answer(m, process.pid);
      },
      cancel: ({ id }) => send({ id, error: { code: "ADAPTER_CANCELLED", message: "cancelled" } }),
    }`);
    const bench = await openBench(plugin.definition);
    const pid = await bench.call("go");
    const abort = new AbortController();
    const call = bench.callUnder(abort.signal, "go", "slow");
    await until(() => logged.some(({ event }) => event === "plugin_log"));
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    expect(await bench.call("go")).toBe(pid);
    await bench.end();
  });

  it("gets no message that is larger than a line", async () => {
    const { plugin } = await odd("{}");
    const bench = await openBench(plugin.definition);
    await expect(bench.call("go", "x".repeat(MAX_LINE_BYTES))).rejects.toMatchObject({ code: "ADAPTER_TOO_LARGE" });
    expect(await bench.call("go", "small")).toEqual(["small"]);
    await bench.end();
  });

  it("and floods the log is heard a hundred lines", async () => {
    const { plugin, logged } = await odd(
      `{ call: (m) => { for (let i = 0; i < 1000; i++) send({ type: "log", level: "info", event: "e" + i }); answer(m); } }`,
    );
    const bench = await openBench(plugin.definition);
    await bench.call("go");
    expect(logged.filter(({ event }) => event === "plugin_log")).toHaveLength(100);
    await bench.end();
  });

  it("is started again for a run that continues after another host has closed it", async () => {
    const { plugin } = await odd("{ call: (m) => answer(m, process.pid) }");
    const bench = await openBench(plugin.definition);
    const pid = await bench.call("go");
    await plugin.close();
    expect(await bench.call("go")).not.toBe(pid);
    await bench.end();
  });

  it("is not started again for a run that only ends", async () => {
    const { plugin, logged } = await odd(
      `{ close: (m) => { send({ type: "log", level: "info", event: "closes" }); answer(m); } }`,
    );
    const bench = await openBench(plugin.definition);
    await bench.call("go");
    await plugin.close();
    await bench.end();
    expect(logged).toEqual([]);
  });

  it("is ended with everything it started", async () => {
    const { plugin } = await odd(`{
      call: async (m) => {
        const { spawn } = await import("node:child_process");
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
        answer(m, [process.pid, child.pid]);
      },
    }`);
    const bench = await openBench(plugin.definition);
    const pids = (await bench.call("go")) as number[];
    await bench.end();
    await plugin.close();
    await until(() => pids.every((pid) => !isAlive(pid)));
  });
});
