/** The security report: what it lists, that it covers what runs really do, and what its least grant promises. */
import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { reachTask } from "../../compiler/policy/reach.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { validatePolicy } from "../../compiler/policy/validate.ts";
import { completed } from "../../grammar/text/task.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { policyOf } from "../../vm/grant/convert.ts";
import { EMPTY_GRANT, FLOOR_GRANT } from "../../vm/grant/grant.ts";
import { mergeGrants } from "../../vm/grant/merge.ts";
import { createHost } from "../../vm/host.ts";
import { fakeClock, fakeFacts, mockAdapters, wrapped } from "../support/mock-adapters.ts";
import { verifies } from "../support/requirements.ts";
import { compileForTest, effectiveLimits, expandFrame, loadRunCases, testCatalog } from "../support/run-case.ts";
import { irOf } from "../support/world.ts";
import { grant } from "./grants.ts";

const WEATHER = `# frame: city
L1:
  R http.Get "https://api.example.com/v1/weather" ->r
  If r.ok ->L2 ->L3
L2:
  R cache.set "weather" city r.body ->done
  J done
L3:
  J "no data"
`;
const reportOf = (ir: Ir) => securityReport(ir, testCatalog);
const loose = (source: string): Ir => irOf(source, { strict: false });

describe("the report", () => {
  it("lists adapters, verbs, tiers and steps of each label", () => {
    verifies("report.labels");
    const { labels } = reportOf(irOf(WEATHER));
    expect(labels["1"]).toEqual({
      adapters: { http: { verbs: ["Get"], privilege_tiers: ["network"] } },
      nodes: [
        {
          node_id: "n1",
          adapter: "http",
          verb: "Get",
          privilege_tier: "network",
          effect: "io",
          effect_tier: "io-read",
          destructive: true,
          network_facing: true,
          sandbox_safe: false,
          dynamic: false,
          known: true,
          lineno: 3,
        },
      ],
      max_privilege: "network",
      reachable: true,
      bounds: { min_steps: 3, max_steps: 4, min_adapter_calls: 1, max_adapter_calls: 2 },
    });
    expect(labels["3"]).toMatchObject({ adapters: {}, nodes: [], max_privilege: "pure", reachable: true });
    expect(Object.keys(labels)).toEqual(["1", "2", "3"]);
  });

  it("sums them over all labels", () => {
    verifies("report.summary");
    expect(reportOf(irOf(WEATHER)).summary).toEqual({
      adapters: {
        cache: { verbs: ["set"], privilege_tiers: ["local_state"] },
        http: { verbs: ["Get"], privilege_tiers: ["network"] },
      },
      privilege_tiers: ["local_state", "network"],
      max_privilege: "network",
      destructive: true,
      network_facing: true,
      effects: ["io"],
      effect_tiers: ["io-read", "io-write"],
      egress: { hosts: ["api.example.com"], dynamic: false },
      files: { paths: [], dynamic: false },
      tables: [],
      tools: [],
      modules: [],
      queues: [],
      signals: [],
      approvers: [],
      programs: [],
      events: [],
      accepts: [],
      models: [],
      environment: [],
      dynamic_targets: [],
      bounds: { min_steps: 3, max_steps: 4, min_adapter_calls: 1, max_adapter_calls: 2 },
      max_depth: 2,
      loops: [],
      waits: [],
      frames_at_once: 1,
      unknown: [],
    });
    expect(reportOf(irOf("L1:\n  J 1\n")).summary).toMatchObject({
      adapters: {},
      privilege_tiers: [],
      max_privilege: "pure",
    });
  });

  it.each([
    ["cache", "get", 'L1:\n  CacheGet "k" ->x "d"\n  J x\n'],
    ["cache", "set", 'L1:\n  CacheSet "k" 1 60\n  J 1\n'],
    ["queue", "Put", 'L1:\n  QueuePut jobs {"a": 1}\n  J 1\n'],
    ["txn", "begin", "L1:\n  Tx begin main\n  J 1\n"],
    ["auth", "enforce", "D P {}\nL1:\n  Enf P\n  J 1\n"],
    ["core", "NOW", "L1:\n  X t (now)\n  J t\n"],
  ])("shows %s.%s of a step that names no adapter", (adapter, verb, source) => {
    verifies("report.statements");
    const { labels, summary } = reportOf(loose(source));
    expect(summary.adapters[adapter]?.verbs.map((one) => one.toUpperCase())).toContain(verb.toUpperCase());
    expect(labels["1"]?.nodes.map((node) => node.adapter)).toContain(adapter);
  });

  it("names what is computed, and unknown adapters as operator_sensitive", () => {
    const { summary, least_privilege_grant: least } = reportOf(
      loose('# frame: u\nL1:\n  R http.Get u ->r\n  Set a "x"\n  R $a.Do 1 ->s\n  R nosuch.knows 1 ->t\n  J t\n'),
    );
    expect(summary.dynamic_targets).toEqual(["L1 n1 http.Get url", "L1 n3 *.Do"]);
    expect(summary.egress.dynamic).toBe(true);
    expect(summary.adapters["nosuch"]).toEqual({ verbs: ["knows"], privilege_tiers: ["operator_sensitive"] });
    expect(least).toMatchObject({
      allowed_adapters: null,
      forbidden_effects: [],
      forbidden_privilege_tiers: [],
      adapter_constraints: {},
    });
  });

  it.each<[what: string, step: string, hosts: readonly string[], dynamic: boolean]>([
    ["a written host", 'R http.Get "https://a.example/x" ->r', ["a.example"], false],
    ["a computed URL", "R http.Get u ->r", [], true],
    ["a computed verb", 'R http.$v "https://a.example/x" ->r', [], true],
    ["an unknown verb", 'R http.Gett "https://a.example/x" ->r', [], true],
    ["an adapter whose calls name no host", 'R email.list "INBOX" ->r', [], true],
    ["a string that is not a URL", 'R http.Get "no url" ->r', [], false],
    ["an adapter of this host alone", 'R cache.get "a" "k" ->r', [], false],
  ])("says where calls may go: %s", (_what, step, hosts, dynamic) => {
    const { summary } = reportOf(loose(`# frame: u, v\nL1:\n  ${step}\n  J r\n`));
    expect(summary.egress).toEqual({ hosts, dynamic });
  });

  it.each<[what: string, source: string, known: boolean]>([
    ["a label that calls itself", "L1:\n  Call L1 ->r\n  J r\n", false],
    ["two labels that call each other", "L1:\n  Call L2 ->r\n  J r\nL2:\n  Call L1 ->r\n  J r\n", false],
    ["labels below one another", "L1:\n  Call L2 ->r\n  J r\nL2:\n  J 1\n", true],
    ["a cycle that no run comes to", "L1:\n  J 1\nL2:\n  Call L2 ->r\n  J r\n", true],
  ])("reports the maximum depth, or why it is unbounded: %s", (_what, source, known) => {
    const { max_depth, unknown } = reportOf(loose(source)).summary;
    const reasons = unknown.filter(({ what }) => what === "depth");
    expect([max_depth !== null, reasons.length]).toEqual(known ? [true, 0] : [false, 1]);
  });

  it("keeps labels with odd names as data", () => {
    const ir = irOf("LtoString:\n  J 1\n", { strict: false });
    const { labels } = reportOf(ir);
    expect(Object.keys(labels)).toEqual(Object.keys(ir.labels));
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });

  it("says which profiles admit the program and why not", () => {
    const terms = {
      name: "p",
      allowed_adapters: ["cache"],
      policy: { forbidden_adapters: ["http"] },
      limits: { max_steps: 2 },
      required_settings: { http: ["allow_hosts"] },
    };
    const { profiles } = securityReport(irOf(WEATHER), testCatalog, {
      profiles: [terms, { ...terms, name: "q", allowed_adapters: null, policy: {}, limits: {} }],
    });
    expect(profiles["p"]).toMatchObject({
      admitted: false,
      policy_errors: [{ code: "POLICY_ADAPTER_FORBIDDEN", data: { rule: { source: "profile:p" } } }],
      not_allowed: ["http"],
      limits_exceeded: [{ limit: "max_steps", needs: 3, granted: 2 }],
      needs: ["http.allow_hosts"],
    });
    expect(profiles["q"]).toMatchObject({ admitted: true, needs: ["http.allow_hosts"] });
  });

  const open = { name: "p", allowed_adapters: null, policy: {}, limits: {}, required_settings: {} };
  it.each<[why: string, terms: object, verdict: object]>([
    ["nothing stands against it", {}, { admitted: true }],
    [
      "of its policy alone",
      { policy: { forbidden_destructive: true } },
      { admitted: false, not_allowed: [], limits_exceeded: [] },
    ],
    [
      "an adapter is not in its list",
      { allowed_adapters: ["http", "cache"] },
      { admitted: false, not_allowed: ["toString"] },
    ],
    ["all are in its list", { allowed_adapters: ["tostring", "http", "cache"] }, { admitted: true, not_allowed: [] }],
    [
      "the least steps are just granted",
      { limits: { max_steps: 3, max_adapter_calls: 2 } },
      { admitted: true, limits_exceeded: [] },
    ],
    [
      "the least calls are not granted",
      { limits: { max_steps: 3, max_adapter_calls: 1 } },
      { admitted: false, limits_exceeded: [{ limit: "max_adapter_calls", needs: 2, granted: 1 }] },
    ],
    [
      "settings are wanted of adapters it does not use",
      { required_settings: { fs: ["sandbox_root"] } },
      { admitted: true, needs: [] },
    ],
  ])("admits or not: %s", (_why, terms, verdict) => {
    const ir = loose(
      'L1:\n  R http.Get "https://a.example" ->r\n  R toString.knows 1 ->s\n  J r\nL2:\n  R cache.get "n" "k" ->r\n  J r\n',
    );
    const { profiles } = securityReport(ir, testCatalog, { profiles: [{ ...open, ...terms }] });
    expect(profiles["p"]).toMatchObject(verdict);
    const unused = securityReport({ ...ir, entry: null }, testCatalog, {
      profiles: [{ ...open, limits: { max_steps: 0 } }],
    });
    expect(unused.profiles["p"]).toMatchObject({ admitted: true, limits_exceeded: [] });
  });
});

describe("the least grant", () => {
  it("is what the program needs and no more", () => {
    const least = reportOf(irOf(WEATHER)).least_privilege_grant;
    expect(least).toEqual({
      ...EMPTY_GRANT,
      allowed_adapters: ["cache", "http"],
      forbidden_privilege_tiers: ["operator_sensitive"],
      limits: { max_steps: 4, max_depth: 2, max_adapter_calls: 2 },
      adapter_constraints: { http: { allow_hosts: ["api.example.com"] } },
    });
    const get = reportOf(irOf('L1:\n  R http.Get "https://api.example.com" ->r\n  J r\n')).least_privilege_grant;
    expect(get).toMatchObject({
      forbidden_effects: ["io-write"],
      forbidden_privilege_tiers: ["local_state", "operator_sensitive"],
    });
    expect(reportOf(irOf("L1:\n  J 1\n")).least_privilege_grant).toMatchObject({
      allowed_adapters: [],
      forbidden_destructive: true,
    });
  });

  it("keeps its lists next to a computed verb of another adapter", () => {
    const source = '# frame: v\nL1:\n  R http.Get "https://api.example.com" ->r\n  R cache.$v "a" "b" ->s\n  J r\n';
    const { summary, least_privilege_grant: least } = reportOf(loose(source));
    expect(summary.dynamic_targets).toEqual(["L1 n2 cache.*"]);
    expect(least).toMatchObject({
      allowed_adapters: ["cache", "http"],
      forbidden_destructive: false,
      adapter_constraints: { http: { allow_hosts: ["api.example.com"] } },
    });
  });

  const A = 'R http.Get "https://a.example" ->r';
  const B = 'R http.Get "https://b.example" ->r';
  it.each<[what: string, steps: readonly string[], constraints: object]>([
    ["the targets of all steps, each once", [B, A, B], { http: { allow_hosts: ["a.example", "b.example"] } }],
    ["no hosts where one is computed", [A, "R http.Get u ->r"], {}],
    ["no hosts where a verb is computed", [A, 'R http.$v "https://b.example" ->r'], {}],
    ["no hosts for an unknown verb", [A, 'R http.Gett "https://b.example" ->r'], {}],
    ["nothing where an adapter is computed", [A, 'R $v.Get "https://b.example" ->r'], {}],
    ["nothing, and forbids nothing, where a verb of what destroys nothing is computed", ["R core.$v 1 ->r"], {}],
    ["nothing of an adapter without literals", ["R http.Get u ->r"], {}],
    ["nothing of an unknown adapter", ['R nosuch.knows "a" ->r'], {}],
    ["nothing of places that no list admits", ['R fs.read "a.txt" ->r'], {}],
    [
      "one list next to a computed place of another adapter",
      [A, "R tools.call u ->r"],
      { http: { allow_hosts: ["a.example"] } },
    ],
    [
      "the lists of several adapters, and the variables that are read",
      [A, 'X r (env "HOME")', 'R core.ENV "USER" ->r'],
      { core: { allow_env: ["HOME", "USER"] }, http: { allow_hosts: ["a.example"] } },
    ],
    ["no variables where one is computed", ['X r (env "HOME")', "X r (env u)"], {}],
  ])("grants %s, and admits the program", (_what, steps, constraints) => {
    const ir = loose(`# frame: u, v\nL1:\n${steps.map((step) => `  ${step}\n`).join("")}  J r\n`);
    const least = reportOf(ir).least_privilege_grant;
    expect(least.adapter_constraints).toEqual(constraints);
    expect(Object.keys(least.adapter_constraints)).toEqual(Object.keys(constraints));
    const merged = mergeGrants(grant(JSON.parse(JSON.stringify(least))), FLOOR_GRANT);
    expect(validatePolicy(ir, policyOf(merged), testCatalog).errors).toEqual([]);
  });

  it.each<[what: string, source: string, limits: object]>([
    ["one step", "L1:\n  J 1\n", { max_steps: 1, max_depth: 1, max_adapter_calls: 0 }],
    ["calls", `L1:\n  ${A}\n  Call L2 ->s\n  J r\nL2:\n  J 1\n`, { max_steps: 4, max_depth: 2, max_adapter_calls: 1 }],
    ["a loop that calls", `# frame: u\nL1:\n  Loop u i ->L2 ->L3\nL2:\n  ${A}\nL3:\n  J 1\n`, { max_depth: 2 }],
    ["recursion without calls", "# frame: u\nL1:\n  If u ->L1 ->L2\nL2:\n  J 1\n", { max_adapter_calls: 0 }],
    ["no entry", "E /a G ->Lx\nLx:\n  J 1\n", { max_steps: 1, max_depth: 1, max_adapter_calls: 0 }],
  ])("has a limit where there is a most: %s", (_what, source, limits) => {
    expect(reportOf(loose(source)).least_privilege_grant.limits).toEqual(limits);
  });

  it("has no limits where no run begins, and lists adapters as grants write them", () => {
    const ir = { ...loose("L1:\n  R NoSuch.knows 1 ->r\n  J r\n"), entry: null };
    const { limits, allowed_adapters } = reportOf(ir).least_privilege_grant;
    expect([limits, allowed_adapters]).toEqual([{}, ["nosuch"]]);
  });

  it("is a valid grant that admits every program of the cases, with runs inside its limits", async () => {
    verifies("report.covers-observed");
    let calls = 0;
    for (const one of loadRunCases()) {
      const frame = expandFrame(one.frame);
      const ir = compileForTest(one.source, one.strict, Object.keys(frame));
      const { summary, least_privilege_grant: least, labels } = reportOf(ir);
      const read = grant(JSON.parse(JSON.stringify(least)));
      expect(validatePolicy(ir, policyOf(mergeGrants(read, FLOOR_GRANT)), testCatalog).errors).toEqual([]);
      if (one.name.includes("20000")) continue;
      const seen: string[] = [];
      const clock = fakeClock();
      const host = createHost({
        clock,
        facts: fakeFacts(),
        catalog: testCatalog,
        adapters: observed(mockAdapters(clock), seen),
        traceId: () => "t",
      });
      const answer = await host.run({
        ir,
        frame,
        limits: effectiveLimits(one.limits),
        ...(one.label === undefined ? {} : { label: one.label }),
      });
      calls += seen.length;
      for (const call of seen) expect([one.name, covered(summary.adapters, call)]).toEqual([one.name, true]);
      const most = labels[answer.label]?.bounds;
      if (most?.max_steps != null) expect(answer.usage.steps).toBeLessThanOrEqual(most.max_steps);
      if (most?.max_adapter_calls != null)
        expect(answer.usage.adapter_calls).toBeLessThanOrEqual(most.max_adapter_calls);
    }
    expect(calls).toBeGreaterThan(20);
  });

  it("names only settings that the adapters have", () => {
    for (const [adapter, known] of builtinSettings) {
      expect(builtinCatalog.adapter(adapter)).toBeDefined();
      for (const setting of [...Object.values(known.admits), ...Object.values(known.aliases)])
        expect(known.settings[setting]).toBeDefined();
    }
    expect(builtinSettings.size).toBe(builtinAdapters.length);
  });
});

function covered(adapters: Readonly<Record<string, { readonly verbs: readonly string[] }>>, call: string): boolean {
  const [adapter = "", verb = ""] = call.split(" ");
  const verbs = (adapters[adapter] ?? adapters["*"])?.verbs ?? [];
  return verbs.includes("*") || verbs.some((one) => one.toLowerCase() === verb.toLowerCase());
}

/** The same adapters; every call is noted as `adapter verb`. */
function observed(adapters: ReadonlyMap<string, Adapter>, seen: string[]): ReadonlyMap<string, Adapter> {
  return new Map(
    [...adapters].map(([name, adapter]) => [
      name,
      wrapped(adapter, (verb, _args, make) => {
        seen.push(`${name} ${verb.name}`);
        return make();
      }),
    ]),
  );
}

describe("branches", () => {
  it("say how many run at once", () => {
    const source =
      "L1:\n  Each a [1, 2, 3] x ->L_b limit=2\n  Each b a x ->L_b\n  Par c ->L_b ->L_b\n  J c\nL_b:\n  R core.ADD 1 2 ->r\n  J r\n";
    const { summary } = securityReport(irOf(source), builtinCatalog);
    expect(summary.loops).toMatchObject([
      { op: "Each", node_id: "n1", max_iterations: 3, branches_at_once: 2 },
      { op: "Each", node_id: "n2", max_iterations: null, branches_at_once: 8 },
      { op: "Par", node_id: "n3", max_iterations: 2, branches_at_once: 2 },
    ]);
    expect(summary.bounds).toMatchObject({ max_steps: null, min_steps: 4 + 6 + 4, min_adapter_calls: 5 });
    expect(summary.max_depth).toBe(2);
  });
});

it("amendment 39: what one look at each step tells is not what the report says", () => {
  for (const one of loadRunCases()) {
    const ir = compileForTest(one.source, one.strict, Object.keys(expandFrame(one.frame)));
    const { adapters, events, unknown } = reportOf(ir).summary;
    const reach = completed(reachTask(ir, testCatalog));
    expect({ adapters: reach.adapters, events: reach.emits.names }).toEqual({ adapters, events });
    if (reach.emits.computed) expect(unknown.map(({ what }) => what)).toContain("adapters");
  }
});
