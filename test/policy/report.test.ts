/** The security report: what it lists, that it covers what runs really do, and what its least grant promises. */
import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { validatePolicy } from "../../compiler/policy/validate.ts";
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
      environment: [],
      dynamic_targets: [],
      bounds: { min_steps: 3, max_steps: 4, min_adapter_calls: 1, max_adapter_calls: 2 },
      max_depth: 2,
      loops: [],
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
      loose('# frame: u\nL1:\n  R http.Get u ->r\n  Set a "x"\n  R $a.Do 1 ->s\n  R nobody.knows 1 ->t\n  J t\n'),
    );
    expect(summary.dynamic_targets).toEqual(["L1 n1 http.Get url", "L1 n3 *.Do"]);
    expect(summary.egress.dynamic).toBe(true);
    expect(summary.adapters["nobody"]).toEqual({ verbs: ["knows"], privilege_tiers: ["operator_sensitive"] });
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
    ["a verb that nobody knows", 'R http.Gett "https://a.example/x" ->r', [], true],
    ["an adapter whose calls name no host", 'R email.list "INBOX" ->r', [], true],
    ["a text that is no URL", 'R http.Get "no url" ->r', [], false],
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
  ])("knows a greatest depth, or says why there is none: %s", (_what, source, known) => {
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

  it("keeps its lists beside a computed verb of another adapter", () => {
    const source = '# frame: v\nL1:\n  R http.Get "https://api.example.com" ->r\n  R cache.$v "a" "b" ->s\n  J r\n';
    const { summary, least_privilege_grant: least } = reportOf(loose(source));
    expect(summary.dynamic_targets).toEqual(["L1 n2 cache.*"]);
    expect(least).toMatchObject({ adapter_constraints: { http: { allow_hosts: ["api.example.com"] } } });
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
