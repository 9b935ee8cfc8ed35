/** Everything a surface needs, put together once: places, profile, operator, adapters from outside, secrets in the log. */
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AdapterDefinition,
  anyJson,
  arg,
  defineAdapter,
  setting,
  verbsFor,
  z,
} from "../../adapters/definition/define.ts";
import type { Variables } from "../../adapters/operator/host-config.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { openRuntime, type Runtime, type RuntimeOptions } from "../../adapters/runtime.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { realClock } from "../support/adapter-bench.ts";
import { verifies } from "../support/requirements.ts";
import { configOf, type Folder, folder } from "./folder.ts";
import { program } from "./requests.ts";

type Logged = { readonly event: string; readonly fields: unknown };

function runtime(variables: Variables, options: Partial<RuntimeOptions> = {}): Runtime & { readonly logged: Logged[] } {
  const logged: Logged[] = [];
  const opened = openRuntime({
    config: configOf(variables),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: (event, fields) => logged.push({ event, fields }),
    ...options,
  });
  onTestFinished(() => opened.close());
  return { ...opened, logged };
}

async function run(
  { gateway }: Runtime,
  source: string,
  request: CallerRequest = {},
): Promise<RunAnswer | { readonly refused: unknown }> {
  const admission = gateway.admit(request);
  if (!admission.ok) return { refused: admission };
  const { ir, diagnostics } = gateway.host.compile(source, { strict: false });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  const prepared = await gateway.prepare(ir, admission);
  return prepared.ok ? gateway.run(prepared) : { refused: prepared };
}

function dataFolder(): Folder & { readonly data: string; readonly state: string } {
  const all = folder();
  const path = realpathSync(all.path);
  const [data, state] = [join(path, "data"), join(path, "state")];
  mkdirSync(data);
  mkdirSync(state);
  return { ...all, path, data, state };
}

describe("adapters of this build", () => {
  it("run under a request that enables them, with state kept for the operator", async () => {
    const { state } = dataFolder();
    const place = runtime({ WF_STATE_DIR: state });
    const put = program(
      'R memory.put "ops" "k" "i" {"n": 1} ->m',
      'R cache.set "a" 1 ->none',
      'QueuePut jobs {"a": 1}',
      "J m.ok",
    );
    expect(await run(place, put)).toMatchObject({ ok: true, out: true, warnings: [] });
    for (const name of ["memory.db", "cache.db", "queue.db"]) expect(existsSync(join(state, name))).toBe(true);
    expect(await run(place, program('R cache.get "a" ->a', "J a"))).toMatchObject({ ok: true, out: 1 });
  });

  it("that are not enabled are not there", async () => {
    const answer = await run(runtime({}), program('R fs.read "a" ->r', "J r"));
    expect(answer).toMatchObject({ ok: false, error: { data: { adapter_code: "ADAPTER_NOT_CONFIGURED" } } });
  });

  it("get the data root as their place, or say what is missing", async () => {
    const { data } = dataFolder();
    writeFileSync(join(data, "a.txt"), "here");
    const read = program('R fs.read "a.txt" ->r', "J r");
    const enable = { adapters: { enable: ["fs"] } };
    expect(await run(runtime({ WF_DATA_ROOT: data }), read, enable)).toMatchObject({ ok: true, out: "here" });
    const missing = {
      error: "adapter_config_error",
      issues: [{ path: "/adapters/fs/sandbox_root", code: "required" }],
    };
    const any = { WF_CALLER_PLACES: "any" };
    expect(await run(runtime(any), read, enable)).toMatchObject({ refused: missing });
    // Also where the program does not call it: what was asked for cannot be had.
    const other = program("R core.ADD 1 2 ->r", "J r");
    expect(await run(runtime(any), other, enable)).toMatchObject({ refused: missing });
    expect(await run(runtime({ ...any, WF_ENABLE_ADAPTERS: "fs" }), other)).toMatchObject({ refused: missing });
    // The policy speaks first, and what may not be called at all needs no place.
    const policy = { forbidden_adapters: ["core"] };
    expect(await run(runtime(any), other, { ...enable, policy })).toMatchObject({
      refused: { error: "policy_violation" },
    });
    expect(await run(runtime(any), other, { ...enable, allowed_adapters: ["core"] })).toMatchObject({
      ok: true,
      out: 3,
    });
    expect(await run(runtime({ WF_DATA_ROOT: data }), other, enable)).toMatchObject({ ok: true, out: 3 });
  });
});

describe("places of callers", () => {
  it.each(["/", "/etc", "..", homedir(), "../state"])("%s is refused with a data root", async (root) => {
    verifies("adapter.caller-paths");
    const { data, state } = dataFolder();
    const place = runtime({ WF_DATA_ROOT: data, WF_STATE_DIR: state });
    const answer = await run(place, program('R fs.list "." ->r', "J r"), {
      adapters: { enable: ["fs"], fs: { root } },
    });
    expect(answer).toMatchObject({ refused: { issues: [{ path: "/adapters/fs/root", code: "place" }] } });
  });

  it("count from the data root, and may not be the service's own files inside it", async () => {
    const { data } = dataFolder();
    const state = join(data, "state");
    mkdirSync(state);
    const place = runtime({ WF_DATA_ROOT: data, WF_STATE_DIR: state });
    const query = program('R sqlite.query "SELECT 1 AS n" ->r', "J r");
    const asked = (db_path: string) => ({ adapters: { enable: ["sqlite"], sqlite: { db_path } } });
    expect(await run(place, query, asked("mine/a.db"))).toMatchObject({ ok: true, out: [{ n: 1 }] });
    expect(existsSync(join(data, "mine/a.db"))).toBe(true);
    for (const path of ["state/queue.db", join(state, "memory.db"), "state/../state/x.db"])
      expect(await run(place, query, asked(path))).toMatchObject({ refused: { issues: [{ code: "place" }] } });
  });

  it.each([{}, { profile: "sandbox_compute_and_store" }])("are bounded below the state directory: %j", (options) => {
    const { state } = dataFolder();
    const place = runtime({ WF_STATE_DIR: state }, options);
    expect(place.places.dataRoot).toBe(join(state, "data"));
    expect(statSync(join(state, "data")).mode & 0o777).toBe(0o700);
    const admission = place.gateway.admit({ adapters: { enable: ["sqlite"], sqlite: { db_path: "/elsewhere/a.db" } } });
    expect(admission).toMatchObject({ settingIssues: [{ path: "/adapters/sqlite/db_path", code: "place" }] });
    const inside = place.gateway.admit({ adapters: { enable: ["sqlite"], sqlite: { db_path: "a.db" } } });
    expect(inside).toMatchObject({ settingIssues: [] });
  });

  it("are bounded by a fresh folder without a state directory, with a warning", () => {
    for (const options of [{}, { profile: "sandbox_compute_and_store" }]) {
      const place = runtime({}, options);
      expect(place.warnings).toEqual([expect.stringMatching(/^data_root_volatile: /)]);
      expect(statSync(String(place.places.dataRoot)).mode & 0o777).toBe(0o700);
      const asked = { adapters: { enable: ["fs"], fs: { sandbox_root: "/etc" } } };
      expect(place.gateway.admit(asked)).toMatchObject({ settingIssues: [{ code: "place" }] });
    }
    expect(runtime({}, { profile: "local_minimal", trustedPlaces: true }).places.dataRoot).toBeNull();
  });

  it.each<readonly [variables: Record<string, string>, options: object, places: string | null]>([
    [{}, {}, "cache.path, fs.sandbox_root, sqlite.db_path and wasm.modules"],
    [{ WF_HOST_ADAPTER_ALLOWLIST: "core,fs,http" }, {}, "fs.sandbox_root"],
    [{ WF_HOST_ADAPTER_DENYLIST: "fs,wasm" }, {}, "cache.path and sqlite.db_path"],
    [{ WF_HOST_ADAPTER_ALLOWLIST: "core,http" }, {}, null],
    [{ WF_CALLER_PLACES: "data-root" }, {}, null],
    [{}, { trustedPlaces: true }, null],
  ])("are logged at the start where the operator frees them: %j %j", (variables, options, places) => {
    const given = { WF_CALLER_PLACES: "any", ...variables };
    const said = runtime(given, options).warnings.filter((one) => one.startsWith("places_unbounded"));
    const sentence = "places_unbounded: with WF_CALLER_PLACES=any callers choose any folder of this machine in";
    expect(said).toEqual(places === null ? [] : [`${sentence} ${places}`]);
  });

  it("are not told where the operator has fixed them", () => {
    const { data, file } = dataFolder();
    const config = { fs: { sandbox_root: data }, wasm: { modules: { a: join(data, "a.wasm") } } };
    const variables = { WF_ADAPTERS_CONFIG: file("adapters.json", JSON.stringify(config)) };
    const free = { ...variables, WF_CALLER_PLACES: "any" };
    expect(runtime(free).warnings.join()).toMatch(/ in cache.path and sqlite.db_path$/);
    expect(runtime({ ...variables, WF_DATA_ROOT: data }).warnings).toEqual([]);
  });

  it("a state directory that is a file stops the start", () => {
    const { file } = folder();
    const config = { WF_STATE_DIR: file("canary", "x") };
    const start = (): unknown => runtime(config, { profile: "local_minimal" });
    expect(start).toThrow(StartFault);
    expect(start).not.toThrow("canary");
  });
});

describe("variables that core.ENV sees", () => {
  const variables = { WF_EXPOSE_ENV: "TOWN,STREET", TOWN: "Lund", STREET: "Main", HOME: "/root" };
  const seen = async (place: Runtime, request: CallerRequest = {}): Promise<unknown> => {
    const steps = ["TOWN", "STREET", "HOME"].map((name, at) => `X v${at} env "${name}" null`);
    const answer = await run(place, program(...steps, "J [v0, v1, v2]"), request);
    return "refused" in answer ? answer.refused : answer.ok ? answer.out : answer.error;
  };

  it("are those exposed, narrowed by operator and caller", async () => {
    verifies("adapter.core.env");
    const file = folder().file("adapters.json", { core: { allow_env: ["TOWN", "HOME"] } });
    expect(await seen(runtime(variables))).toEqual(["Lund", "Main", null]);
    expect(await seen(runtime({ ...variables, WF_ADAPTERS_CONFIG: file }))).toEqual(["Lund", null, null]);
    const asked = (allow_env: readonly string[]) => ({ adapters: { core: { allow_env } } });
    expect(await seen(runtime(variables), asked(["STREET", "HOME"]))).toEqual([null, "Main", null]);
    expect(await seen(runtime(variables), asked([]))).toEqual([null, null, null]);
  });
});

const settings = { allow_words: setting.list(), key_name: setting.operator(z.string().default("API_KEY")) };
const verb = verbsFor<typeof settings>();
const weather: AdapterDefinition = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "weather",
  version: "1.0.0",
  summary: "s",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "local_state",
  sandboxSafe: false,
  networkFacing: false,
  durable: false,
  maturity: "beta",
  settings,
  verbs: {
    say: verb({
      summary: "s",
      effect: "io-read",
      kind: "tool",
      determinism: "external",
      args: z.tuple([arg("word", z.string())]),
      result: anyJson(),
      run: async ({ args: [word], settings, ctx }) => {
        ctx.log("said", { key: `key ${await ctx.secret(settings.key_name)}`, n: 1 });
        if (word === "crash") throw new TypeError(`crash with ${await ctx.secret(settings.key_name)}`);
        return { word, allowed: settings.allow_words ?? null };
      },
    }),
  },
});

describe("an adapter from outside", () => {
  const variables = { WF_SECRET_API_KEY: "canary-7d1" };

  it("is known to compiler, merge and runs by its definition alone", async () => {
    const place = runtime(variables, { definitions: [weather], enable: ["weather"] });
    expect(place.catalog.adapter("weather")?.verbs.map(({ name }) => name)).toEqual(["say"]);
    expect(place.gateway.host.compile("L1:\n  R weather.shout 1 ->r\n  J r\n").ok).toBe(false);
    const source = program('R weather.say "hi" ->r', "J r");
    expect(await run(place, source, { adapters: { weather: { allow_words: ["b", "a"] } } })).toMatchObject({
      ok: true,
      out: { word: "hi", allowed: ["a", "b"] },
    });
    expect(await run(place, source, { adapters: { weather: { key_name: "OTHER" } } })).toMatchObject({
      refused: { issues: [{ path: "/adapters/weather/key_name", code: "not_yours" }] },
    });
    expect(await run(place, source, { adapters: { weather: { word: 1 } } })).toMatchObject({
      refused: { issues: [{ path: "/adapters/weather/word", code: "unknown_setting" }] },
    });
  });

  it("leaves no secret in the log or in answers, crashes included", async () => {
    const place = runtime(variables, { definitions: [weather], enable: ["weather"] });
    const answer = await run(place, program('R weather.say "crash" ->r', "J r"));
    expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_OP_ERROR", message: "adapter weather failed" } });
    expect(place.logged).toEqual([
      { event: "said", fields: { key: "key [secret]", n: 1 } },
      { event: "adapter_crashed", fields: { adapter: "weather", verb: "say", error: "TypeError" } },
    ]);
    expect(JSON.stringify([answer, place.logged])).not.toContain("canary");
  });

  it("whose definition breaks the rules is refused before it is opened", async () => {
    const weak = { ...weather, privilege: "pure" } as const;
    const place = runtime({}, { definitions: [weak], enable: ["weather"] });
    expect(await run(place, program('R weather.say "hi" ->r', "J r"))).toMatchObject({
      refused: {
        error: "adapter_config_error",
        issues: [{ path: "/adapters/weather", code: "definition", message: expect.stringContaining("/privilege") }],
      },
    });
  });

  it("may stand in for a built-in one", async () => {
    const place = runtime({}, { definitions: [{ ...weather, name: "cache" }] });
    expect(await run(place, program('R cache.say "hi" ->r', "J r.word"))).toMatchObject({ ok: true, out: "hi" });
  });
});

describe("an unknown profile", () => {
  it("stops the start with the names that are known", () => {
    expect(() => runtime({}, { profile: "sandbox" })).toThrow(/sandbox.*known:.*local_minimal/);
  });
});
