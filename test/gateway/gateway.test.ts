/** From request to run: what is decided in which order, and that nothing acts before the policy verdict. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPEN_SERVER } from "../../vm/admission/admit.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import { EMPTY_GRANT, FLOOR_GRANT } from "../../vm/grant/grant.ts";
import { fillGrant, findProfile, PROFILES, type Profile } from "../../vm/grant/profiles.ts";
import { grant } from "../policy/grants.ts";
import { verifies } from "../support/requirements.ts";
import { admitted, irs, prepared, program, requests, type TestGateway, testGateway } from "./requests.ts";

const HTTP = program('R http.Get "https://a.example/" ->r', "J r");

function profile(name: string): Profile {
  const found = findProfile(name, PROFILES);
  if (found === undefined) throw new Error(name);
  return found;
}
const under = (name: string, enabled: readonly string[] = ["core"]) =>
  testGateway({
    sides: [{ source: `profile:${name}`, grant: fillGrant(profile(name), FLOOR_GRANT) }],
    profile: profile(name),
    enabled,
  });

describe("the policy verdict", () => {
  it.each<[string, CallerRequest["adapters"]]>([
    ["valid settings", { enable: ["http"], http: { allow_hosts: ["a.example"] } }],
    ["faulty settings", { enable: ["http"], http: { allow_hosts: 7 } }],
    ["a setting of the operator", { enable: ["http"], http: { allow_secrets: ["A"] } }],
    ["an unknown adapter to enable", { enable: ["htp"] }],
    ["nothing enabled", {}],
  ])("comes before everything else: with %s a violation is the answer", async (_what, adapters) => {
    verifies("run.rule-4", "run.rule-4.first");
    const bench = testGateway();
    const answer = await bench.run(HTTP, { policy: { forbidden_adapters: ["http"] }, adapters });
    expect(answer).toMatchObject({
      refused: {
        error: "policy_violation",
        policy_errors: [{ code: "POLICY_ADAPTER_FORBIDDEN", data: { adapter: "http", rule: { source: "request" } } }],
      },
    });
    expect(bench.linked).toEqual([]);
    expect(bench.called).toEqual([]);
  });

  it("names every side that forbids, the server's first", async () => {
    const sides = [
      { source: "default", grant: FLOOR_GRANT },
      { source: "server", grant: grant({ forbidden_adapters: ["http"] }) },
    ];
    const answer = await prepared(testGateway({ sides }), HTTP, { policy: { forbidden_adapters: ["http"] } });
    expect(answer).toMatchObject({
      policy_errors: [{ data: { rule: { source: "server", sources: ["server", "request"] } } }],
    });
  });

  it("is that of the server's grant alone when the request has no policy", async () => {
    verifies("run.rule-5");
    const server = {
      sides: [{ source: "server", grant: grant({ forbidden_effects: ["io-write"] }) }],
      enabled: ["fs", "http"],
    };
    const write = program('R fs.write "a" "x" ->r', "J r");
    for (const request of [{}, { policy: null }, { policy: {} }]) {
      expect(await testGateway(server).run(write, request)).toMatchObject({ refused: { error: "policy_violation" } });
      expect(await testGateway(server).run(HTTP, request)).toMatchObject({ ok: true });
    }
  });
});

describe("settings", () => {
  it("of an enabled adapter are reported after the verdict, and nothing is opened", async () => {
    const bench = testGateway();
    const answer = await bench.run(HTTP, { adapters: { enable: ["http"], http: { allow_hosts: 7, timeout_s: "x" } } });
    expect(answer).toMatchObject({
      refused: {
        error: "adapter_config_error",
        issues: [{ path: "/adapters/http/allow_hosts", code: "type" }, { path: "/adapters/http/timeout_s" }],
      },
    });
    expect(bench.linked).toEqual([]);
  });

  it("that a profile requires must be given by a side", async () => {
    verifies("profile.sandbox_network_restricted.settings");
    const name = "sandbox_network_restricted";
    const refusal = await under(name).run(HTTP, { adapters: { enable: ["http"] } });
    expect(refusal).toMatchObject({
      refused: { issues: [{ path: "/adapters/http/allow_hosts", code: "required_by_profile" }] },
    });
    const given = { enable: ["http"], http: { allow_hosts: ["a.example"] } };
    expect(await under(name).run(HTTP, { adapters: given })).toMatchObject({ ok: true });
    for (const [adapter, setting, value] of [
      ["tools", "allow_tools", ["sum"]],
      ["fs", "sandbox_root", "/data"],
    ] as const) {
      const source = adapter === "tools" ? program("R tools.sum 1 ->r", "J r") : program('R fs.list "." ->r', "J r");
      expect(await under(name, [adapter]).run(source)).toMatchObject({ refused: { error: "adapter_config_error" } });
      const settings = { [adapter]: { [setting]: value } };
      expect(await under(name, [adapter]).run(source, { adapters: settings })).toMatchObject({ ok: true });
    }
  });

  it("that a profile needs are not asked of adapters that are outside its list or not enabled", async () => {
    const bench = under("sandbox_network_restricted");
    expect(await bench.run(program("J 1"))).toMatchObject({ ok: true, out: 1 });
    expect(admitted(bench, { allowed_adapters: ["core"], adapters: { enable: ["http"] } }).settingIssues).toEqual([]);
  });

  it("whose sides exclude each other are a conflict when the adapter is enabled, and harmless otherwise", async () => {
    const server = {
      sides: [{ source: "server", grant: grant({ adapter_constraints: { fs: { sandbox_root: "/a" } } }) }],
    };
    const asked = { fs: { sandbox_root: "/b" } };
    const read = program('R fs.list "." ->r', "J r");
    expect(await testGateway(server).run(read, { adapters: { ...asked, enable: ["fs"] } })).toMatchObject({
      refused: { issues: [{ path: "/adapters/fs/sandbox_root", code: "conflict" }] },
    });
    const harmless = await testGateway(server).run(program("J 1"), { adapters: asked });
    expect(harmless).toMatchObject({ ok: true, warnings: [expect.stringMatching(/^settings_without_enable: .*'fs'/)] });
  });

  it("reach the adapter as both sides left them", async () => {
    const side = { source: "server", grant: grant({ adapter_constraints: { http: { timeout_s: 5 } } }) };
    const bench = testGateway({ sides: [side] });
    await bench.run(HTTP, { adapters: { enable: ["http"], http: { timeout_s: 9, allow_hosts: ["A.Example"] } } });
    expect(bench.linked).toEqual([{ name: "http", constraints: { allow_hosts: ["a.example"], timeout_s: 5 } }]);
  });
});

describe("which adapters a run has", () => {
  it("are the enabled, allowed and used ones", async () => {
    const bench = testGateway({ enabled: ["core", "cache", "fs", "http"] });
    expect(await bench.run(HTTP)).toMatchObject({ ok: true, out: ["https://a.example/"], warnings: [] });
    expect(bench.linked.map(({ name }) => name)).toEqual(["http"]);
    expect(bench.called).toEqual(["http.Get"]);
  });

  it("are all enabled ones when names are computed", async () => {
    const bench = testGateway({ enabled: ["core", "cache", "fs"] });
    await bench.run(program('Set a "cache"', "R $a.get 1 ->r", "J r"));
    expect(bench.linked.map(({ name }) => name)).toEqual(["cache", "core", "fs"]);
    expect(bench.called).toEqual(["cache.get"]);
  });

  it("enabling is not allowing: a denied call is fatal and no adapter is linked", async () => {
    verifies("auth.by-grant");
    const bench = testGateway({ enabled: ["http"] });
    const answer = await bench.run(HTTP, { allowed_adapters: ["core"] });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_ADAPTER_NOT_ALLOWED" },
      warnings: [expect.stringMatching(/^adapter_not_allowed: L1 n1 calls http.Get/)],
    });
    expect(bench.linked).toEqual([]);
  });

  it("allowing is not enabling: the call fails, and the answer says what to ask for", async () => {
    const answer = await testGateway().run(HTTP, { allowed_adapters: ["http", "core"] });
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: "RUNTIME_ADAPTER_ERROR",
        data: {
          adapter_code: "ADAPTER_NOT_CONFIGURED",
          suggested_adapters: { enable: ["http"], http: { allow_hosts: ["a.example"] } },
        },
      },
      warnings: [expect.stringMatching(/^adapter_not_enabled: .*'http'/)],
    });
  });

  it("adapters outside the server's list are dropped with a warning", () => {
    const server = { sides: [{ source: "server", grant: grant({ allowed_adapters: ["core", "cache"] }) }] };
    const { allowed, warnings } = admitted(testGateway(server), { allowed_adapters: ["cache", "http"] });
    expect(allowed).toEqual(["cache"]);
    expect(warnings).toEqual([expect.stringMatching(/^adapter_not_granted: .*'http'/)]);
  });

  it("a transaction opens on a database that the program need not call besides", async () => {
    const bench = testGateway({ enabled: ["txn", "sqlite", "db"] });
    await bench.run(program("Tx begin a", "J 1"));
    expect(bench.linked.map(({ name }) => name).sort()).toEqual(["db", "sqlite", "txn"]);
  });
});

describe("warnings before a run", () => {
  it.each<[string, string, CallerRequest["adapters"], string]>([
    ["a host", HTTP, { http: { allow_hosts: ["b.example"] } }, "http.Get outside http.allow_hosts"],
    [
      "a table",
      program("R db.G User 1 ->r", "J r"),
      { db: { allow_entities: ["Order"] } },
      "db.G outside db.allow_entities",
    ],
    ["a tool", program('R tools.Call "rm" ->r', "J r"), { tools: { allow_tools: [] } }, "outside tools.allow_tools"],
    [
      "a module",
      program('R wasm.CALL "m" "f" ->r', "J r"),
      { wasm: { module_allowlist: ["n"] } },
      "wasm.module_allowlist",
    ],
    [
      "a queue",
      program("QueuePut jobs 1", "J 1"),
      { queue: { allow_queues: ["other"] } },
      "outside queue.allow_queues",
    ],
    [
      "an extension",
      program('R fs.read "a.csv" ->r', "J r"),
      { fs: { allow_extensions: [".txt"] } },
      "fs.allow_extensions",
    ],
    ["a variable", program('X v env "HOME"', "J v"), { core: { allow_env: ["TOWN"] } }, "outside core.allow_env"],
  ])("name %s that a setting would refuse, without its value", async (_what, source, adapters, expected) => {
    const answer = await prepared(testGateway(), source, { adapters });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const said = answer.warnings.filter((one) => one.startsWith("setting_would_refuse: L1 n1"));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(expected);
  });

  it("name the line of a function of Python", async () => {
    const source = 'def main():\n    return fs.read("a.csv")\n';
    const answer = await prepared(testGateway(), source, { adapters: { fs: { allow_extensions: [".txt"] } } });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    expect(answer.warnings).toContain("setting_would_refuse: main line 2 uses fs.read outside fs.allow_extensions");
  });

  it.each([
    ['read "a.csv"', true],
    ['read "notes"', true],
    ['readlines "a.CSV"', true],
    ['write "a.csv" "x"', true],
    ['copy "a.txt" "b.csv"', true],
    ['move "a.txt" "b.csv"', true],
    ['delete "a.csv"', true],
    ['stat "a.csv" {"sha256": true}', true],
    ['stat "notes" {"sha256": true}', true],
    ['read "sub.csv/a.TXT"', false],
    ['read "a.txt/"', false],
    ['move "sub" "other"', false],
    ['delete "sub" {"recursive": true}', false],
    ['stat "a.csv"', false],
    ['stat "a.csv" {"sha256": false}', false],
    ['exists "a.csv"', false],
    ['list "v1.2"', false],
    ['list "v1.2" {"details": true}', false],
    ['glob "*.csv"', false],
    ['mkdir "v1.2"', false],
  ])("fs.%s outside the extensions in force: %s", async (call, refused) => {
    const adapters = { fs: { allow_extensions: [".txt"], allow_delete: true } };
    const answer = await prepared(testGateway(), program(`R fs.${call} ->r`, "J r"), { adapters });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const said = answer.warnings.filter((one) => one.startsWith("setting_would_refuse"));
    expect(said).toEqual(refused ? [expect.stringContaining("outside fs.allow_extensions")] : []);
  });

  it("say nothing of what is admitted, or only known at run time", async () => {
    const admittedHost = { http: { allow_hosts: ["*.example"] } };
    const frame = program("# frame: u", "R http.Get u ->r", "J r");
    const calls = (url: string): string => program(`R http.Get "${url}" ->r`, "J r");
    for (const [source, adapters] of [
      [HTTP, admittedHost],
      [calls("http://127.0.0.1:8080/x"), { http: { allow_hosts: ["127.0.0.1:8080"] } }],
      [calls("https://[2001:db8::1]/"), { http: { allow_hosts: ["[2001:db8::]/32"] } }],
      [frame, { http: { allow_hosts: [] } }],
    ] as const) {
      const answer = await prepared(testGateway({ enabled: ["http"] }), source, { adapters });
      expect(answer).toMatchObject({ ok: true, warnings: [] });
    }
  });

  it("about missing adapters are left out for a replay, which makes no calls, unless it continues after its log", async () => {
    const plan = await prepared(testGateway({ enabled: ["http"] }), HTTP);
    const bench = testGateway();
    const bare = await prepared(bench, HTTP);
    if (!plan.ok || !bare.ok) throw new Error("both are prepared");
    const { record: replay } = await bench.gateway.run(plan, { record: true });
    const absent = expect.stringMatching(/^adapter_not_enabled: .*'http'/);
    expect(await bench.gateway.run(bare, { replay })).toMatchObject({ ok: true, warnings: [] });
    expect(await bench.gateway.run(bare, { replay, replayContinues: true })).toMatchObject({ warnings: [absent] });
    expect(await bench.gateway.run(bare)).toMatchObject({ ok: false, warnings: [absent] });
  });
});

describe("the environment", () => {
  it("that core.ENV sees is what grant and request name", async () => {
    const bench = testGateway();
    const seen = async (adapters: CallerRequest["adapters"]) => {
      const answer = await bench.run(program('X v env "HOME" "none"', "J v"), { adapters });
      return "refused" in answer ? answer : answer.ok && answer.out;
    };
    expect(await seen({})).toBe("none");
    expect(await seen({ core: { allow_env: "HOME" } })).toMatchObject({ refused: { error: "adapter_config_error" } });
  });
});

describe("a variable that core.ENV has no value for", () => {
  const warned = async (...steps: string[]) => {
    const answer = await testGateway().run(program(...steps, "J v"), {});
    return "refused" in answer ? answer : answer.warnings;
  };
  const HIDDEN =
    "variable_hidden: the environment has no value for 'DRY_RUN': it is not set, or WF_EXPOSE_ENV does not name it";

  it.each([
    ["a function", 'X v env "DRY_RUN" "none"'],
    ["a call", 'R core.ENV "DRY_RUN" ->v'],
  ])("is reported before the run: %s", async (_, step) => {
    expect(await warned(step)).toEqual([HIDDEN]);
  });

  it("is reported once, and only where its name is written", async () => {
    expect(await warned('X a env "DRY_RUN"', 'X v env "DRY_RUN"')).toEqual([HIDDEN]);
    expect(await warned("Set name 1", "X v env (str name)")).toEqual([]);
  });
});

describe("limits", () => {
  it("of server and request are those of the run", async () => {
    const server = { sides: [{ source: "server", grant: grant({ limits: { max_steps: 10, max_depth: 3 } }) }] };
    const answer = await testGateway(server).run(program("J 1"), { limits: { max_steps: 99, max_depth: 2 } });
    expect(answer).toMatchObject({ ok: true, limits: { max_steps: 10, max_depth: 2 } });
  });

  it("tell whose they are when they are reached", async () => {
    const server = { sides: [{ source: "profile:p", grant: grant({ limits: { max_steps: 5 } }) }] };
    const loop = `${program("R core.ADD 1 1 ->a", "Call L1 ->b", "J b")}`;
    expect(await testGateway(server).run(loop)).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_STEPS", data: { source: "profile:p" } },
    });
    expect(await testGateway(server).run(loop, { limits: { max_steps: 2 } })).toMatchObject({
      error: { data: { source: "request" } },
    });
  });

  it("invalid requests are refused first", async () => {
    const bench = testGateway();
    expect(
      await bench.run(HTTP, { limits: { max_steps: "9" }, policy: { forbidden_adapters: ["http"] } }),
    ).toMatchObject({
      refused: { error: "invalid_request", issues: [{ path: "/limits/max_steps" }] },
    });
  });
});

describe("what is remembered", () => {
  it("is one admission per request, and one plan per program and admission", async () => {
    const bench = testGateway({ enabled: ["http"] });
    const request = (): CallerRequest => ({ limits: { max_steps: 9 } });
    const first = admitted(bench, request());
    expect(admitted(bench, request())).toBe(first);
    expect(admitted(bench, { limits: { max_steps: 8 } })).not.toBe(first);
    const plan = await bench.gateway.prepare(irs.http, first);
    expect(await bench.gateway.prepare(irs.http, first)).toBe(plan);
    expect(bench.linked).toHaveLength(1);
  });

  it("is invisible: each request gets what a fresh gateway would return", () => {
    const grantOf = ({ gateway }: TestGateway, request: CallerRequest) => {
      const admission = gateway.admit(request);
      return admission.ok ? { ...admission, explanation: null } : admission;
    };
    const members = fc.constantFrom<CallerRequest>(
      {},
      { allowed_adapters: ["core"] },
      { allowed_adapters: [] },
      { policy: { forbidden_adapters: ["http"] } },
      { limits: { max_steps: 1 } },
      { limits: { max_steps: 2 } },
      { adapters: { enable: ["http"] } },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(members, requests), { minLength: 2, maxLength: 6 }), (asked) => {
        const shared = testGateway();
        for (const request of asked) expect(grantOf(shared, request)).toEqual(grantOf(testGateway(), request));
      }),
    );
  });

  it("does not grow with what callers send", () => {
    const bench = testGateway();
    const long = { allowed_adapters: Array.from({ length: 900 }, (_, n) => `adapter_number_${n}`) };
    expect(admitted(bench, long)).not.toBe(admitted(bench, long));
    expect(admitted(bench, long)).toEqual(expect.objectContaining({ ok: true }));
  });
});

it("an open server grants the floor and nothing else", async () => {
  verifies("profile.no-effect-unselected");
  const bench = testGateway();
  expect(bench.gateway.server).toEqual(OPEN_SERVER);
  expect(bench.gateway.grant).toEqual({ ...EMPTY_GRANT, limits: FLOOR_GRANT.limits });
  expect(await bench.run(program("R core.ADD 1 2 ->a", "J a"))).toMatchObject({ ok: true, out: 3, warnings: [] });
});
