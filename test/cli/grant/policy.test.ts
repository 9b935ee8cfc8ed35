/** Grants, profiles and policies on the command line: flags, files, exit codes, and that a refused program does nothing. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { EXPOSURE_PROFILES } from "../../../mcp/tool/exposure.ts";
import { PROFILES } from "../../../vm/grant/profiles.ts";
import { verifies } from "../../support/requirements.ts";
import { world } from "../../support/world.ts";
import { type ConsoleResult, documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const GET = 'L1:\n  R http.Get "https://api.example.com" ->r\n  J r\n';
const irText = (source: string): string => JSON.stringify(compile(source, { catalog: builtinCatalog }).ir);
const FILES = {
  "hello.wf": HELLO,
  "get.wf": GET,
  "hello.json": irText(HELLO),
  "get.json": irText(GET),
  "no-http.json": '{"forbidden_adapters": ["HTTP"]}',
  "empty.json": "{}",
  "misspelt.json": '{"forbidden_adapter": ["http"]}',
  "proto.json": '{"__proto__": {"forbidden_adapters": ["http"]}}',
  "grant.json": '{"allowed_adapters": ["core"], "forbidden_effects": ["io"], "limits": {"max_steps": 9}}',
  "mine.json": '{"name": "mine", "adapter_allowlist": ["core"], "runtime_limits": {"max_steps": 3}}',
};

/** A command line in a folder with all files, and a host whose http adapter notes its calls. */
async function at(...argv: string[]): Promise<ConsoleResult & { readonly calls: number }> {
  let calls = 0;
  const get = () => {
    calls += 1;
    return "page";
  };
  const { host } = world({ http: { Get: get } });
  return { ...(await wf(argv, { cwd: folderWith(FILES), host })), calls };
}

describe("a policy that a program violates", () => {
  it.each([
    [["--forbid-adapter", "http"], "forbidden_adapters http, request"],
    [["--forbid-adapter=HTTP"], "forbidden_adapters http, request"],
    [["--forbid-effect", "io-read"], "forbidden_effects io-read, request"],
    [["--forbid-tier", "network"], "forbidden_effect_tiers network, request"],
    [["--forbid-privilege", "local_state,network"], "forbidden_privilege_tiers network, request"],
    [["--forbid-destructive"], "forbidden_destructive, request"],
    [["--policy", "no-http.json"], "forbidden_adapters http, request"],
    [["--grant", "grant.json"], "forbidden_effects io, request"],
    [["--profile", "sandbox_compute_and_store"], "forbidden_adapters http, profile:sandbox_compute_and_store"],
    [["--profile", "local_minimal", "--forbid-effect", "io"], "forbidden_effects io, profile:local_minimal, request"],
  ])("stops run and check with 3: %j", async (flags, rule) => {
    verifies("cli.exit.3", "grant.converted.policy", "profile.loaded-as-server-grant");
    const run = await at("run", "get.wf", ...flags);
    expect([run.code, run.calls, run.stdout]).toEqual([3, 0, ""]);
    expect(run.stderr).toMatch(
      /^error policy_violation {2}[0-9]+ violations?, nothing was executed\nL1 n1 \(line 2\) {2}POLICY_/,
    );
    expect(run.stderr).toContain(`[${rule}]`);
    expect(run.stderr).toMatch(/\nhelp: wf security-report get.wf --grant\n$/);
    const check = await at("check", "get.wf", ...flags);
    expect(check.code).toBe(3);
    expect(check.stderr).toContain(`[${rule}]`);
    expect((await at("run", "hello.wf", ...flags)).code).toBe(0);
  });

  it("is one JSON document with policy_errors", async () => {
    const run = await at("run", "get.json", "--policy", "no-http.json", "--json");
    expect(run.code).toBe(3);
    expect(documentOf(run)).toEqual({
      ok: false,
      trace_id: expect.any(String),
      error: "policy_violation",
      message: "1 violation, nothing was executed",
      policy_errors: [
        {
          code: "POLICY_ADAPTER_FORBIDDEN",
          message: "Adapter 'http' is forbidden by policy",
          data: {
            label_id: "1",
            node_id: "n1",
            adapter: "http",
            verb: "Get",
            lineno: 2,
            rule: { member: "forbidden_adapters", value: "http", source: "request" },
          },
        },
      ],
      limits: { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 },
      usage: { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 },
    });
    const check = await at("check", "get.wf", "hello.wf", "--forbid-adapter", "http", "--json");
    expect(documentOf(check)).toMatchObject({
      ok: false,
      files: [
        { ok: false, error: "policy_violation", policy_errors: [{ code: "POLICY_ADAPTER_FORBIDDEN" }] },
        { ok: true },
      ],
    });
  });

  it("is reported before every other error of the run", async () => {
    const flags = ["--profile", "sandbox_network_restricted", "--enable-adapter", "http", "--forbid-adapter", "http"];
    expect((await at("run", "get.wf", ...flags, "--label", "L9")).code).toBe(3);
  });

  it("runs where nothing is forbidden", async () => {
    expect(await at("run", "get.wf", "--policy", "empty.json")).toMatchObject({ code: 0, stdout: "page\n", calls: 1 });
    expect(await at("run", "get.wf")).toMatchObject({ code: 0, calls: 1 });
  });
});

describe("limits, allowlist and policy", () => {
  it("each restrict on their own, and all together", async () => {
    verifies("service.three-restrictions", "grant.converted.limits", "grant.converted.allowlist");
    const errorOf = async (...flags: string[]) => {
      const { code, calls, ...result } = await at("run", "get.wf", "--json", ...flags);
      return [code, calls, documentOf({ code, ...result })["error"]];
    };
    expect(await errorOf("--max-steps", "1")).toEqual([1, 1, "max_steps_exceeded"]);
    expect(await errorOf("--allow-adapter", "core")).toEqual([1, 0, "adapter_not_allowed"]);
    expect(await errorOf("--forbid-adapter", "http")).toEqual([3, 0, "policy_violation"]);
    expect(await errorOf("--max-steps", "1", "--allow-adapter", "core", "--forbid-adapter", "http")).toEqual([
      3,
      0,
      "policy_violation",
    ]);
    expect(await errorOf("--max-adapter-calls", "0", "--allow-adapter", "core")).toEqual([
      1,
      0,
      "max_adapter_calls_exceeded",
    ]);
  });

  it("flags only tighten a profile, and replace the floor without one", async () => {
    const limits = async (...flags: string[]) => documentOf(await at("run", "hello.wf", "--json", ...flags))["limits"];
    expect(await limits("--profile", "local_minimal", "--max-steps", "9000", "--max-depth", "3")).toMatchObject({
      max_steps: 500,
      max_depth: 3,
    });
    expect(await limits("--max-steps", "9000000")).toMatchObject({ max_steps: 9_000_000 });
    expect(await limits("--grant", "grant.json", "--max-steps", "100")).toMatchObject({ max_steps: 9 });
    expect(await limits("--profile", "./mine.json")).toEqual({
      max_steps: 3,
      max_depth: 500,
      max_adapter_calls: 50_000,
      max_time_ms: 900_000,
    });
  });

  it("an adapter that the profile does not list is dropped with a warning, not an error", async () => {
    const run = await at("run", "hello.wf", "--profile", "local_minimal", "--allow", "core,http", "--json");
    expect(run.code).toBe(0);
    expect(documentOf(run)["warnings"]).toEqual([expect.stringMatching(/^adapter_not_granted: .*'http'/)]);
  });

  it("a block of requirements in the IR changes neither grant, verdict nor result", async () => {
    verifies("ir.execution_requirements.no-effect");
    const plain = JSON.parse(FILES["get.json"]);
    const { execution_requirements: _dropped, ...bare } = plain;
    const wide = {
      ...bare,
      execution_requirements: { sandbox_policy_fragment: { allowed_adapters: ["http"], limits: { max_steps: 1e9 } } },
    };
    for (const flags of [["--profile", "local_minimal"], ["--max-steps", "1"], []]) {
      const seen = [];
      for (const ir of [plain, bare, wide]) {
        const { host } = world({ http: { Get: () => "page" } });
        const result = await wf(["run", "-", "--json", ...flags], { stdin: JSON.stringify(ir), host });
        const { error, out, limits, policy_errors } = documentOf(result);
        seen.push(JSON.stringify([result.code, error, out, limits, policy_errors]));
      }
      expect(new Set(seen).size).toBe(1);
    }
  });

  it("settings that a profile demands must be there for adapters that are enabled", async () => {
    const flags = ["--profile", "sandbox_network_restricted", "--enable-adapter", "http"];
    const missing = await at("run", "get.wf", "--json", ...flags);
    expect(missing.code).toBe(2);
    expect(documentOf(missing)).toMatchObject({
      error: "adapter_config_error",
      issues: [{ path: "/adapters/http/allow_hosts", code: "required_by_profile" }],
    });
    expect(missing.calls).toBe(0);
    const cwd = folderWith({
      ...FILES,
      "g.json": '{"adapter_constraints": {"http": {"allow_hosts": ["api.example.com"]}}}',
    });
    const { host } = world({ http: { Get: () => "page" } });
    expect((await wf(["run", "get.wf", ...flags, "--grant", "g.json"], { cwd, host })).code).toBe(0);
  });
});

describe("wf policy-validate", () => {
  it("reports violations of an IR and ends with 3, 0 without any", async () => {
    verifies("cli.policy-validator", "cli.exit.3");
    const refused = await at("policy-validate", "--ir", "get.json", "--policy", "no-http.json");
    expect(refused).toMatchObject({
      code: 3,
      stdout: "L1 n1 (line 2)  POLICY_ADAPTER_FORBIDDEN  Adapter 'http' is forbidden by policy\n",
      calls: 0,
    });
    expect(
      documentOf(await at("policy-validate", "--ir", "get.json", "--policy", "no-http.json", "--json")),
    ).toMatchObject({
      ok: false,
      errors: [{ code: "POLICY_ADAPTER_FORBIDDEN" }],
      warnings: [],
    });
    expect(documentOf(await at("policy-validate", "--ir", "hello.json", "--policy", "no-http.json", "--json"))).toEqual(
      { ok: true, errors: [], warnings: [] },
    );
    expect((await at("policy-validate", "get.wf", "--profile", "local_minimal")).code).toBe(3);
    expect((await at("policy-validate", "hello.wf", "--grant", "grant.json")).code).toBe(0);
    // An allowlist forbids nothing beforehand, so that it refuses is only told.
    expect(documentOf(await at("policy-validate", "get.wf", "--profile", "./mine.json", "--json"))).toEqual({
      ok: true,
      errors: [],
      warnings: ["adapter_not_allowed: L1 n1 calls http.Get, which is outside the effective allowlist"],
    });
  });

  it.each<[string[], number]>([
    [["--policy", "no-http.json"], 2],
    [["--ir", "get.json"], 2],
    [["--ir", "missing.json", "--policy", "no-http.json"], 2],
    [["--ir", "get.json", "--policy", "missing.json"], 2],
    [["--ir", "get.json", "--policy", "misspelt.json"], 2],
    [["--ir", "get.json", "--policy", "proto.json"], 2],
    [["--ir", "get.json", "--policy", "hello.wf"], 2],
    [["--ir", "get.json", "hello.wf", "--policy", "no-http.json"], 2],
    [["--ir", "get.json", "--profile", "nosuch"], 2],
    [["--ir", "empty.json", "--policy", "no-http.json"], 1],
    [["--ir", "get.wf", "--policy", "no-http.json"], 1],
  ])("%j ends with %d", async (flags, code) => {
    const result = await at("policy-validate", ...flags, "--json");
    expect([result.code, documentOf(result)["ok"]]).toEqual([code, false]);
  });

  it("refuses IR with false annotations", async () => {
    const lying = FILES["get.json"].replace('"io-read"', '"pure"');
    expect(lying).not.toBe(FILES["get.json"]);
    const cwd = folderWith({ ...FILES, "lie.json": lying });
    const result = await wf(["policy-validate", "--ir", "lie.json", "--policy", "no-http.json", "--json"], { cwd });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({ error: "invalid_ir", issues: [{ code: "annotation_mismatch" }] });
  });
});

describe("files and names that are wrong", () => {
  it.each<[string[], string]>([
    [["--policy", "misspelt.json"], "did you mean forbidden_adapters?"],
    [["--policy", "proto.json"], "unknown policy member '__proto__'"],
    [["--grant", "misspelt.json"], "did you mean forbidden_adapters?"],
    [["--grant", "hello.wf"], "is not JSON at line 1, column 1"],
    [["--profile", "sandbx"], "known: automation_team, consumer_secure_default, local_minimal"],
    [["--profile", "grant.json"], "not a valid profile"],
    [["--profile", "constructor"], "unknown security profile"],
    [["--forbid-adapter", "htpp"], "unknown adapter 'htpp'"],
    [["--forbid-privilege", "netwrk"], "did you mean network?"],
  ])("%j end run and check with 2", async (flags, message) => {
    for (const command of ["run", "check"]) {
      const result = await at(command, "hello.wf", ...flags);
      expect([result.code, result.calls]).toEqual([2, 0]);
      expect(result.stderr).toContain(message);
    }
  });

  it("an effect that nothing has is a warning", async () => {
    const run = await at("run", "hello.wf", "--forbid-effect", "io-wirte");
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("unknown_effect_name");
  });
});

describe("wf security-report", () => {
  it("shows tiers, places and who admits the program", async () => {
    const { stdout, code } = await at("security-report", "get.wf");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Security report\nPrivilege tiers in use: network\n- http: verbs=\[Get\] tiers=\[network\] {2}destructive, network\n/,
    );
    expect(stdout).toContain(
      "Egress: api.example.com     Files: none     Environment: none\nBounds: steps 2, calls 1, depth 1\n",
    );
    expect(stdout).toMatch(/\n {2}sandbox_network_restricted {2}yes {2}needs http.allow_hosts\n/);
    expect((await at("security-report", "hello.wf")).stdout).toContain("Privilege tiers in use: pure");
    expect(Object.keys(documentOf(await at("security-report", "get.wf", "--json")))).toEqual([
      "schema_version",
      "labels",
      "summary",
      "least_privilege_grant",
      "profiles",
    ]);
  });

  it("aligns the lines of all labels, and gives the reason of a profile's refusal once", async () => {
    const cwd = folderWith({
      "two.wf":
        'L1:\n  R http.Get "https://api.example.com" ->r\n  Call L2\n  J r\nL2:\n  R cache.set "a" "b" 1 ->z\n  J z\n',
    });
    const { stdout } = await wf(["security-report", "two.wf"], { cwd });
    expect(stdout).toContain(
      "\nL1\n  http: verbs=[Get] tiers=[network]       line 2\nL2\n  cache: verbs=[set] tiers=[local_state]  line 6\n\n",
    );
    expect(stdout).toMatch(/local_minimal +no +cache and http not allowed; effect io; tiers network, local_state\n/);
    expect(stdout).toMatch(/sandbox_compute_and_store +no +http forbidden; tier network\n/);
  });

  it("says first that wf check refuses the program", async () => {
    const cwd = folderWith({ "unset.wf": "L1:\n  R core.ADD 2 amount ->x\n  J x\n" });
    const told =
      /^warning wf check refuses this program \(1 error\); the report tells what a non-strict run of it can touch\n/;
    for (const flags of [[], ["--json"], ["--grant"]]) {
      const report = await wf(["security-report", "unset.wf", ...flags], { cwd });
      expect(report.code).toBe(0);
      expect(report.stderr).toMatch(told);
      expect(report.stdout).not.toBe("");
    }
    expect((await wf(["check", "unset.wf"], { cwd })).code).toBe(1);
    expect(await wf(["security-report", "unset.wf", "--strict"], { cwd })).toMatchObject({ code: 1, stdout: "" });
    expect((await at("security-report", "get.wf")).stderr).toBe("");
    expect((await at("security-report", "get.json")).stderr).toBe("");
  });

  it("prints a grant and a policy under which the program runs, and ends with 3 for a profile that refuses", async () => {
    const least = await at("security-report", "get.wf", "--grant");
    const policy = await at("security-report", "get.wf", "--policy");
    const cwd = folderWith({ ...FILES, "least.json": least.stdout, "policy.json": policy.stdout });
    const { host } = world({ http: { Get: () => "page" } });
    const run = await wf(["run", "get.wf", "--grant", "least.json", "--policy", "policy.json"], { cwd, host });
    expect(run).toMatchObject({ code: 0, stdout: "page\n" });
    expect((await wf(["run", "hello.wf", "--grant", "least.json"], { cwd, host })).code).toBe(1);
    expect((await at("security-report", "get.wf", "--profile", "local_minimal")).code).toBe(3);
    expect((await at("security-report", "get.wf", "--profile", "operator_full")).code).toBe(0);
    expect((await at("security-report", "get.wf", "--grant", "--policy")).code).toBe(2);
  });
});

describe("wf profiles and wf capabilities", () => {
  it("show the profiles of the operator's file next to the five built-in ones", async () => {
    const cwd = folderWith({
      "hello.wf": HELLO,
      "profiles.json": JSON.stringify({
        profiles: [{ name: "mine", description: "My\x1b own", adapter_allowlist: [] }],
      }),
    });
    const options = { cwd, environment: { WF_PROFILES_FILE: "profiles.json" } };
    expect((await wf(["profiles"], options)).stdout).toMatch(/\nmine +My\\x1b own\n\n/);
    expect(documentOf(await wf(["profiles", "--json"], options)).profiles).toContainEqual(
      expect.objectContaining({ name: "mine" }),
    );
    expect((await wf(["profiles", "--explain", "hello.wf"], options)).stdout).toMatch(
      /\nmine +no +core not allowed\n$/,
    );
    expect((await wf(["security-report", "hello.wf"], options)).stdout).toMatch(/\n {2}mine +no +core not allowed\n/);
    const asked = await wf(["security-report", "hello.wf", "--profile", "mine"], options);
    expect(asked).toMatchObject({ code: 3, stdout: (await wf(["security-report", "hello.wf"], options)).stdout });
  });

  it("show the five profiles, and the four exposure profiles of the MCP server", async () => {
    const list = await at("profiles");
    const [security = "", exposure = ""] = list.stdout.trim().split("\n\n");
    const firstWords = (text: string) => text.split("\n").map((line) => line.split(" ")[0]);
    expect(firstWords(security)).toEqual(PROFILES.map((one) => one.name));
    expect(firstWords(exposure)).toEqual(["exposure", ...Object.keys(EXPOSURE_PROFILES)]);
    expect(exposure).toMatch(/\nvalidate_only +2 tools, 0 resources\n/);
    expect(documentOf(await at("profiles", "--json"))).toMatchObject({
      schema_version: "1.0",
      profiles: PROFILES.map(({ name }) => ({ name })),
      exposure_profiles: JSON.parse(JSON.stringify(EXPOSURE_PROFILES)),
    });
    expect((await at("profiles", "validate_only")).stdout).toMatch(/\n {2}tools +wf_validate wf_compile\n/);
    expect(documentOf(await at("profiles", "validate_only", "--json"))).toEqual({
      name: "validate_only",
      tools: ["wf_validate", "wf_compile"],
      resources: [],
    });
    expect(await at("profiles", "validat_only")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown profile "validat_only"; did you mean validate_only?'),
    });
    expect(await at("profiles", "__proto__")).toMatchObject({ code: 2, stdout: "" });
    expect((await at("profiles", "local_minimal")).stdout).toContain("max_steps             500\n");
    expect((await at("profiles", "local_minmal")).code).toBe(2);
    expect((await at("profiles", "--limits")).stdout).toContain("max_depth          10            50         200");
    expect((await at("profiles", "--explain", "get.wf")).stdout).toMatch(/^local_minimal +no +http not allowed/);
    expect((await at("profiles", "local_minimal", "--limits")).code).toBe(2);
    const three =
      'L1:\n  R fs.exists "a" ->a\n  R http.Get "https://a.example" ->b\n  R sqlite.Query "SELECT 1" ->c\n  J [a, b, c]\n';
    const cwd = folderWith({ "three.wf": three });
    expect((await wf(["profiles", "--explain", "three.wf"], { cwd })).stdout).toContain(
      "fs, http and sqlite not allowed",
    );
  });

  it("show the adapters in the contract's fields", async () => {
    const document = documentOf(await wf(["capabilities", "--json"]));
    expect(document).toMatchObject({
      schema_version: "1.0",
      policy_support: true,
      adapters: { http: { privilege_tier: "network", destructive: true } },
    });
    expect(Object.keys(document["adapters"] as object)).toEqual(builtinCatalog.names());
    const table = await wf(["adapters"]);
    expect(table.stdout.split("\n")[0]).toMatch(/^adapter +tier +privilege +effect +destr +net +verbs$/);
    const sandbox = await wf(["capabilities", "--profile", "local_minimal"]);
    expect(sandbox.stdout.trim().split("\n")).toHaveLength(2);
    expect((await wf(["capabilities", "--adapter", "htpp"])).code).toBe(2);
  });

  it("shows the adapters that are named, and the nearest name for one that is not known", async () => {
    const both = documentOf(await wf(["capabilities", "http", "FS", "--json"]));
    expect(Object.keys(both["adapters"] as object).sort()).toEqual(["fs", "http"]);
    expect(await wf(["capabilities", "http"])).toEqual(await wf(["capabilities", "--adapter", "http"]));
    const unknown = await wf(["capabilities", "http", "sqlit"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/^unknown adapter 'sqlit'; did you mean sqlite\?$/m);
  });
});

describe("wf explain", () => {
  it("knows the codes of the policy", async () => {
    const { code, stdout } = await wf(["explain", "POLICY_ADAPTER_FORBIDDEN"]);
    expect(code).toBe(0);
    expect(stdout).toContain("policy_violation");
  });
});
