/**
 * Plugins as a host knows them: named by its operator alone, raised and never lowered, in the catalog of every surface, and not enabled
 * by being there.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHostConfig } from "../../../adapters/operator/host-config.ts";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { type HostAdapters, openAdapters } from "../../../adapters/plugins/open.ts";
import { openRuntime } from "../../../adapters/runtime.ts";
import { builtinAdapters } from "../../../compiler/catalog/builtin.ts";
import { createCatalog, findAdapter } from "../../../compiler/catalog.ts";
import { FLOOR_GRANT } from "../../../vm/grant/grant.ts";
import { wf } from "../../cli/console.ts";
import { openServer } from "../../mcp/opened.ts";
import { serving } from "../../service/serving.ts";
import { realClock } from "../../support/adapter-bench.ts";
import { verifies } from "../../support/requirements.ts";
import { folderWith, pluginModule, WEATHER } from "./plugin-files.ts";

const PROGRAM = 'L1:\n  R weather.current "Oslo" ->w\n  J w.degrees\n';

function configOf(variables: Readonly<Record<string, string>>) {
  const read = readHostConfig(variables);
  if (!read.ok) throw new Error(read.message);
  return read.config;
}

async function opened(folder: string, variables: Readonly<Record<string, string>>): Promise<HostAdapters> {
  const adapters = await openAdapters(configOf(variables), { folder, log: () => {} });
  onTestFinished(() => adapters.close());
  return adapters;
}

/** A folder with the plugin and an operator file with these members. */
function operatorFolder(document: object, files: Readonly<Record<string, string>> = {}): string {
  return folderWith({ "plugins/weather.mjs": WEATHER, "adapters.json": JSON.stringify(document), ...files });
}

describe("the operator", () => {
  it("names plugins by variable and file, with paths from the folder and from the file", async () => {
    const other = pluginModule(`export default weather({ name: "other" }, { examples: [] });`);
    const folder = folderWith({
      "here/a.mjs": WEATHER,
      "there/adapters.json": JSON.stringify({ plugins: ["./b.mjs"] }),
      "there/b.mjs": other,
    });
    const variables = { WF_ADAPTERS: "./a.mjs", WF_ADAPTERS_CONFIG: join(folder, "there/adapters.json") };
    const { plugins, entries } = await opened(join(folder, "here"), variables);
    expect(plugins.map(({ definition, origin }) => [definition.name, origin])).toEqual([
      ["weather", "./a.mjs"],
      ["other", "./b.mjs"],
    ]);
    expect(entries.map(({ name }) => name)).toEqual([...builtinAdapters.map(({ name }) => name), "weather", "other"]);
  });

  it.each([
    [
      "the same plugin twice",
      { WF_ADAPTERS: "./plugins/weather.mjs,./plugins/again.mjs" },
      {},
      "its name weather is that of the plugin ./plugins/weather.mjs",
    ],
    ["plugins as a text", {}, { plugins: "./plugins/weather.mjs" }, "expected a list of plugins"],
    ["a plugin as a number", {}, { plugins: [1] }, "/plugins/0: expected a module"],
    ["one of two that is broken", { WF_ADAPTERS: "./plugins/weather.mjs,./none.mjs" }, {}, "plugin ./none.mjs"],
    ["facts of an unknown adapter", {}, { nosuch: { $meta: { destructive: true } } }, "/nosuch/$meta: unknown adapter"],
    ["invalid facts", {}, { http: { $meta: { tier: 7 } } }, "/http/$meta: expected privilege_tier"],
    [
      "facts of a wrong type",
      { WF_ADAPTERS: "./plugins/weather.mjs" },
      { weather: { $meta: { privilege_tier: "canary" } } },
      "/weather/$meta: expected privilege_tier",
    ],
  ])("cannot name %s", async (_title, variables, document, message) => {
    const folder = operatorFolder(document, { "plugins/again.mjs": `${WEATHER}\n` });
    const given = { ...variables, WF_ADAPTERS_CONFIG: join(folder, "adapters.json") };
    const opening = opened(folder, given);
    await expect(opening).rejects.toBeInstanceOf(StartFault);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow("canary");
  });

  it("raises facts of any adapter, and lowers none", async () => {
    const folder = operatorFolder({
      plugins: ["./plugins/weather.mjs"],
      weather: { $meta: { privilege_tier: "operator_sensitive", destructive: true, durable: true } },
      cache: { $meta: { privilege_tier: "pure", sandbox_safe: false } },
      http: { $meta: { network_facing: false, sandbox_safe: true } },
    });
    const { entries, warnings } = await opened(folder, { WF_ADAPTERS_CONFIG: join(folder, "adapters.json") });
    const catalog = createCatalog(entries);
    expect(findAdapter(catalog, "weather")).toMatchObject({
      privilege_tier: "operator_sensitive",
      destructive: true,
      durable: true,
      verbs: [{ name: "current", destructive: true }],
    });
    expect(findAdapter(catalog, "cache")).toMatchObject({ privilege_tier: "local_state", sandbox_safe: false });
    expect(findAdapter(catalog, "http")).toMatchObject({ network_facing: true, sandbox_safe: false });
    expect(warnings.map((one) => /^meta_not_lowered: (\S+)/.exec(one)?.[1])).toEqual([
      "cache.$meta.privilege_tier",
      "http.$meta.network_facing",
      "http.$meta.sandbox_safe",
    ]);
  });

  it("is warned about facts that a plugin does not declare", async () => {
    const text = pluginModule("export default weather({ sandboxSafe: undefined });");
    const { warnings } = await opened(folderWith({ "w.mjs": text }), { WF_ADAPTERS: "./w.mjs" });
    expect(warnings).toEqual(["plugin_facts_missing: weather does not declare /sandboxSafe; the worst is assumed"]);
  });

  it("cannot be left without plugins by a host that does not load them", () => {
    const options = { clock: realClock, uuid: () => crypto.randomUUID(), log: () => {} };
    expect(() => openRuntime({ ...options, config: configOf({ WF_ADAPTERS: "./w.mjs" }) })).toThrow(StartFault);
  });
});

describe("a loaded plugin", () => {
  const host = async (variables: Readonly<Record<string, string>> = {}, profile: string | null = null) => {
    const folder = operatorFolder({});
    const given = { WF_ADAPTERS: "./plugins/weather.mjs", ...variables };
    const runtime = openRuntime({
      config: configOf(given),
      adapters: await opened(folder, given),
      clock: realClock,
      uuid: () => crypto.randomUUID(),
      log: () => {},
      profile,
      floor: FLOOR_GRANT,
    });
    onTestFinished(() => runtime.close());
    return runtime;
  };

  const run = async (runtime: Awaited<ReturnType<typeof host>>, request = {}) => {
    const { gateway } = runtime;
    const { ir } = gateway.host.compile(PROGRAM, { strict: true });
    const admission = gateway.admit(request);
    if (ir === null || !admission.ok) throw new Error("no program, or refused");
    const prepared = await gateway.prepare(ir, admission);
    return prepared.ok ? gateway.run(prepared) : prepared;
  };

  it("is not enabled by being loaded", async () => {
    verifies("service.only-allowed-adapters");
    const runtime = await host();
    const answer = await run(runtime);
    expect(answer).toMatchObject({ ok: false, error: { data: { adapter_code: "ADAPTER_NOT_CONFIGURED" } } });
    expect(await run(runtime, { adapters: { enable: ["weather"] } })).toMatchObject({ ok: true, out: 3 });
  });

  it.each([
    ["the operator's list", { WF_ENABLE_ADAPTERS: "weather" }],
    ["the list in any letter case", { WF_ENABLE_ADAPTERS: "Weather" }],
  ])("is enabled by %s", async (_title, variables) => {
    expect(await run(await host(variables))).toMatchObject({ ok: true, out: 3 });
  });

  it("is not admitted by a profile with a list", async () => {
    const runtime = await host({ WF_ENABLE_ADAPTERS: "weather" }, "sandbox_compute_and_store");
    const answer = await run(runtime);
    expect(answer).toMatchObject({ ok: false });
    expect(JSON.stringify(answer)).toMatch(/NOT_ALLOWED|POLICY_/);
  });

  it("is bound by its facts: a policy that forbids its tier forbids it", async () => {
    const answer = await run(await host({ WF_ENABLE_ADAPTERS: "weather" }), {
      policy: { forbidden_privilege_tiers: ["network"] },
    });
    expect(answer).toMatchObject({ ok: false, error: "policy_violation" });
  });

  it("has settings that callers can only tighten, and some that are not theirs", async () => {
    const runtime = await host({ WF_ENABLE_ADAPTERS: "weather" });
    const tight = await run(runtime, { adapters: { weather: { allow_cities: ["Rome"] } } });
    expect(tight).toMatchObject({ ok: false, error: { data: { adapter_code: "ADAPTER_NOT_ALLOWED" } } });
    expect(await run(runtime, { adapters: { weather: { base_url: "http://a" } } })).toMatchObject({
      ok: false,
      issues: [{ path: "/adapters/weather/base_url", code: "not_yours" }],
    });
    expect(await run(runtime, { adapters: { weather: { allow_city: [] } } })).toMatchObject({
      ok: false,
      issues: [{ code: "unknown_setting" }],
    });
  });
});

describe("the command line", () => {
  const run = (argv: string[], cwd: string, environment: Readonly<Record<string, string>> = {}) =>
    wf(argv, { cwd, environment, clock: realClock });

  it("runs a verb of a plugin with its settings", async () => {
    verifies("service.effects-through-adapters");
    const cwd = operatorFolder({ plugins: ["./plugins/weather.mjs"] }, { "w.wf": PROGRAM });
    const flags = ["--adapters-config", "adapters.json"];
    const enabled = await run(["run", "w.wf", ...flags, "--enable-adapter", "weather"], cwd);
    expect(enabled).toMatchObject({ code: 0, stdout: "3\n" });
    const refused = await run(["run", "w.wf", ...flags, "--set", 'weather.allow_cities=["Rome"]'], cwd);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("the city is not on the list");
    const forgotten = await run(["run", "w.wf", ...flags], cwd);
    expect(forgotten.stderr).toContain("add --enable-adapter weather");
  });

  it("knows it in every command that reads programs, by variable too", async () => {
    const environment = { WF_ADAPTERS: "./plugins/weather.mjs" };
    const wrong = PROGRAM.replace("current", "curent");
    const cwd = operatorFolder({}, { "w.wf": PROGRAM, "wrong.wf": wrong });
    expect(await run(["check", "w.wf"], cwd, environment)).toMatchObject({ code: 0 });
    const refused = await run(["check", "wrong.wf"], cwd, environment);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain("current");
    expect((await run(["check", "w.wf"], cwd)).code).toBe(1);
    const listed = await run(["capabilities", "--json"], cwd, environment);
    expect(JSON.parse(listed.stdout).adapters.weather).toMatchObject({ privilege_tier: "network", verbs: ["current"] });
  });

  it("looks from the folder of --cwd", async () => {
    const folder = operatorFolder({}, { "w.wf": PROGRAM });
    const environment = { WF_ADAPTERS: "./plugins/weather.mjs" };
    const result = await run(["run", "w.wf", "--cwd", folder, "--enable-adapter", "weather"], "/", environment);
    expect(result).toMatchObject({ code: 0, stdout: "3\n" });
  });

  it("ends with 2 for a plugin that cannot be loaded, and says why", async () => {
    const cwd = folderWith({ "w.wf": PROGRAM, "p.mjs": "throw new Error('no luck')" });
    const result = await run(["run", "w.wf"], cwd, { WF_ADAPTERS: "./p.mjs" });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("plugin ./p.mjs: cannot be imported: Error: no luck");
    // What reads no programs works on.
    expect(await run(["explain", "WF4001"], cwd, { WF_ADAPTERS: "./p.mjs" })).toMatchObject({ code: 0 });
  });

  it("runs one in its own process and leaves no process", async () => {
    const document = { plugins: [{ module: "./plugins/weather.mjs", isolation: "process" }] };
    const cwd = operatorFolder(document, { "w.wf": PROGRAM });
    const argv = ["run", "w.wf", "--adapters-config", "adapters.json", "--enable-adapter", "weather"];
    expect(await run(argv, cwd)).toMatchObject({ code: 0, stdout: "3\n" });
  });
});

describe("a server", () => {
  it("of MCP shows and runs it", async () => {
    const folder = operatorFolder({ enable: ["weather"], plugins: ["./plugins/weather.mjs"] });
    const profile = { name: "mine", description: "d", adapter_allowlist: ["core", "weather"] };
    const variables = {
      WF_ADAPTERS_CONFIG: join(folder, "adapters.json"),
      WF_MCP_PROFILE: join(folderWith({ "mine.json": JSON.stringify(profile) }), "mine.json"),
    };
    const server = await openServer({ variables });
    onTestFinished(() => server.close());
    expect((await server.call("wf_run", { code: PROGRAM })).payload).toMatchObject({ ok: true, out: 3 });
    const { payload } = await server.call("wf_capabilities", { adapter: "weather" });
    expect(payload.adapters.weather).toMatchObject({
      available: true,
      allowed: true,
      settings: { allow_cities: { type: "list", kind: "intersect" }, base_url: { kind: "server" } },
      verb_effects: { current: "io-read" },
    });
    const manifest = await server.handlers.readResource("wf://adapter-manifest");
    expect(JSON.stringify(manifest)).toContain("Weather now");
  });

  it("of HTTP shows and runs it", async () => {
    const folder = operatorFolder({});
    const variables = { WF_ADAPTERS: "./plugins/weather.mjs" };
    const served = await serving({ variables, adapters: await opened(folder, variables) });
    onTestFinished(() => served.stop());
    const { body } = await served.call("GET", "/capabilities");
    expect(Object.keys(body.adapters).indexOf("weather")).toBeGreaterThanOrEqual(builtinAdapters.length);
    expect(body.adapters.weather).toMatchObject({ available: true, enabled_by_default: false, allowed: true });
    const refused = await served.run({ code: PROGRAM });
    expect(refused.body).toMatchObject({ ok: false });
    const enabled = await served.run({ code: PROGRAM, adapters: { enable: ["weather"] } });
    expect(enabled.body).toMatchObject({ ok: true, out: 3 });
    const foreign = { enable: ["weather"], weather: { base_url: "http://a" } };
    expect((await served.run({ code: PROGRAM, adapters: foreign })).status).toBe(422);
  });
});

it("the start log names plugin, version and hash", async () => {
  const { startFacts } = await import("../../../adapters/plugins/open.ts");
  const { plugins } = await opened(operatorFolder({}), { WF_ADAPTERS: "./plugins/weather.mjs" });
  expect(plugins.map(startFacts)).toEqual([
    {
      adapter: "weather",
      version: "1.2.0",
      origin: "./plugins/weather.mjs",
      sha256: createHash("sha256").update(WEATHER).digest("hex"),
      isolation: "in_process",
    },
  ]);
});
