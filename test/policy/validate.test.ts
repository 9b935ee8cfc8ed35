/** The policy check: every rule on every way a program can call, and that what is unknown fails closed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { type AdapterEntry, createCatalog, type VerbEntry } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { type Policy, parsePolicy } from "../../compiler/policy/policy.ts";
import { POLICY_CODES, validatePolicy } from "../../compiler/policy/validate.ts";
import { verifies } from "../support/requirements.ts";
import { irOf } from "../support/world.ts";

function policyOf(value: object): Policy {
  const result = parsePolicy(value, builtinCatalog);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.policy;
}
const check = (ir: Ir, policy: object) => validatePolicy(ir, policyOf(policy), builtinCatalog);
const codes = (source: string, policy: object): string[] =>
  check(irOf(source, { strict: false }), policy).errors.map(
    (one) => `${one.data.label_id} ${one.data.node_id} ${one.code}`,
  );

const GET = 'L1:\n  R http.Get "https://api.example.com" ->r\n  J r\n';
const ADD = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const SET = 'L1:\n  R cache.set "n" "k" 1 ->x\n  J x\n';
const DYNAMIC = 'L1:\n  Set a "http"\n  R $a.Get "https://x.example" ->r\n  J r\n';
const UNKNOWN = "L1:\n  R nosuch.knows 1 ->r\n  J r\n";

describe("rules", () => {
  it.each([
    [{}, GET, []],
    [{ forbidden_adapters: ["http"] }, GET, ["1 n1 POLICY_ADAPTER_FORBIDDEN"]],
    [{ forbidden_adapters: ["http"] }, ADD, []],
    [{ forbidden_effects: ["io-write"] }, SET, ["1 n1 POLICY_EFFECT_FORBIDDEN"]],
    [{ forbidden_effects: ["io-write"] }, GET, []],
    [{ forbidden_effect_tiers: ["network"] }, GET, ["1 n1 POLICY_TIER_FORBIDDEN"]],
    [{ forbidden_effect_tiers: ["network"] }, SET, []],
    [{ forbidden_privilege_tiers: ["network"] }, GET, ["1 n1 POLICY_PRIVILEGE_TIER_FORBIDDEN"]],
    [{ forbidden_privilege_tiers: ["local_state"] }, GET, []],
    [{ forbidden_privilege_tiers: ["pure"] }, ADD, ["1 n1 POLICY_PRIVILEGE_TIER_FORBIDDEN"]],
    [{ forbidden_destructive: true }, 'L1:\n  R fs.read "a" ->x\n  J x\n', ["1 n1 POLICY_DESTRUCTIVE_FORBIDDEN"]],
    [{ forbidden_destructive: true }, ADD, []],
    [{ forbidden_destructive: false }, SET, []],
    // The step and the function that it uses are both pure: one finding of a kind for each step.
    [
      { forbidden_effects: ["pure"] },
      "L1:\n  X t now\n  J t\n",
      ["1 n1 POLICY_EFFECT_FORBIDDEN", "1 n2 POLICY_EFFECT_FORBIDDEN"],
    ],
  ])("%j", (policy, source, expected) => {
    verifies("policy.empty", "policy.optional-fields", "policy.forbidden_adapters", "policy.forbidden_effects");
    verifies("policy.forbidden_effect_tiers", "policy.forbidden_privilege_tiers", "policy.forbidden_destructive-true");
    verifies("policy.forbidden_destructive-false");
    expect(codes(source, policy)).toEqual(expected);
  });

  it("name the step, the adapter, the rule and whose it is", () => {
    verifies("policy.violation.code", "policy.violation.message", "policy.violation.data");
    const ir = irOf(GET);
    const policy = policyOf({ forbidden_adapters: ["HTTP"] });
    expect(validatePolicy(ir, policy, builtinCatalog, () => ["server", "request"])).toEqual({
      ok: false,
      errors: [
        {
          code: "POLICY_ADAPTER_FORBIDDEN",
          message: "Adapter 'http' is forbidden by policy",
          data: {
            label_id: "1",
            node_id: "n1",
            adapter: "http",
            verb: "Get",
            lineno: 2,
            rule: { member: "forbidden_adapters", value: "http", source: "server", sources: ["server", "request"] },
          },
        },
      ],
      warnings: [],
    });
  });

  const lineless = (ir: Ir): Ir => ({ ...ir, nodes: ir.nodes.map(({ line: _line, ...node }) => node) as Ir["nodes"] });
  const included = (ir: Ir): Ir => ({
    ...ir,
    nodes: ir.nodes.map((node) => ({ ...node, file: "m.wf" })) as Ir["nodes"],
  });
  const effects = { member: "forbidden_effects", value: "io", source: "request" };
  const destructive = { member: "forbidden_destructive", value: true, source: "request" };
  const computed = { label_id: "1", node_id: "n2", verb: "Get", lineno: 3 };
  const get = { label_id: "1", node_id: "n1", adapter: "http", verb: "Get", lineno: 2 };
  const ofCache = { member: "forbidden_adapters", value: "cache", source: "request" };
  const forCache = { label_id: "1", node_id: "n1", adapter: "cache", lineno: 3, rule: ofCache };
  it.each<[string, Ir, object, object[]]>([
    [
      "of several words that match, the first",
      irOf(GET),
      { forbidden_effects: ["network", "io"], forbidden_effect_tiers: ["network", "io-read"] },
      [
        { ...get, effect: "io", matched: ["io", "network"], rule: effects },
        {
          ...get,
          effect_tier: "io-read",
          matched: ["io-read", "network"],
          rule: { ...effects, member: "forbidden_effect_tiers", value: "io-read" },
        },
      ],
    ],
    [
      "a tier",
      irOf(GET),
      { forbidden_privilege_tiers: ["network"] },
      [
        {
          ...get,
          privilege_tier: "network",
          rule: { ...effects, member: "forbidden_privilege_tiers", value: "network" },
        },
      ],
    ],
    ["what is destructive", irOf(GET), { forbidden_destructive: true }, [{ ...get, rule: destructive }]],
    [
      "a computed adapter, which has no name",
      looseIr(DYNAMIC),
      { forbidden_destructive: true },
      [{ ...computed, rule: destructive }],
    ],
    [
      "a computed adapter under a list",
      looseIr(DYNAMIC),
      { forbidden_adapters: ["ftp", "email"] },
      [{ ...computed, rule: { member: "forbidden_adapters", value: "email", source: "request" } }],
    ],
    [
      "a computed verb",
      looseIr('# frame: v\nL1:\n  R cache.$v "n" ->x\n  J x\n'),
      { forbidden_adapters: ["cache"] },
      [forCache, forCache],
    ],
    [
      "a step of an included file",
      included(irOf(SET)),
      { forbidden_effects: ["io"] },
      [
        {
          label_id: "1",
          node_id: "n1",
          adapter: "cache",
          verb: "set",
          effect: "io",
          matched: ["io"],
          lineno: 2,
          file: "m.wf",
          rule: effects,
        },
      ],
    ],
    [
      "a step without a line",
      lineless(irOf(SET)),
      { forbidden_effects: ["io"] },
      [{ label_id: "1", node_id: "n1", adapter: "cache", verb: "set", effect: "io", matched: ["io"], rule: effects }],
    ],
  ])("tell all that is known, and no more: %s", (_title, ir, policy, expected) => {
    expect(check(ir, policy).errors.map(({ data }) => data)).toStrictEqual(expected);
  });

  it("are the request's where no side sets them", () => {
    const [found] = validatePolicy(
      irOf(GET),
      policyOf({ forbidden_adapters: ["http"] }),
      builtinCatalog,
      () => [],
    ).errors;
    expect(found?.data.rule).toEqual({ member: "forbidden_adapters", value: "http", source: "request" });
  });

  it("match kinds of plugins whatever their case", () => {
    const verb = { ...(builtinCatalog.adapter("cache")?.verbs[0] as VerbEntry), name: "send", kind: "Pigeon" };
    const post = { ...(builtinCatalog.adapter("cache") as AdapterEntry), name: "post", verbs: [verb] };
    const catalog = createCatalog([...builtinAdapters, post]);
    const ir = looseIr("L1:\n  R post.send 1 ->x\n  J x\n");
    for (const list of ["forbidden_effects", "forbidden_effect_tiers"]) {
      const read = parsePolicy({ [list]: ["pigeon"] }, catalog);
      expect(read).toMatchObject({ ok: true, warnings: [] });
      expect(read.ok && validatePolicy(ir, read.policy, catalog).errors).toHaveLength(1);
    }
  });

  it("each have a code, a title and a fix", () => {
    const text = Object.values(POLICY_CODES).flatMap(({ title, fix }) => [title, fix]);
    expect(text.every((one) => one.length > 10)).toBe(true);
    expect(Object.keys(POLICY_CODES)).toHaveLength(6);
  });

  it("match effect, tier, kind, privilege tier and the word network in both effect members", () => {
    verifies("policy.lenient-match");
    for (const word of ["io", "io-read", "http", "network"]) {
      expect(codes(GET, { forbidden_effects: [word] })).toEqual(["1 n1 POLICY_EFFECT_FORBIDDEN"]);
      expect(codes(GET, { forbidden_effect_tiers: [word] })).toEqual(["1 n1 POLICY_TIER_FORBIDDEN"]);
    }
    expect(codes(SET, { forbidden_effects: ["local_state"] })).toEqual(["1 n1 POLICY_EFFECT_FORBIDDEN"]);
    // Of the services, some are network-facing without belonging to that tier.
    expect(codes('L1:\n  R svc.status "web" ->x\n  J x\n', { forbidden_effects: ["network"] })).toHaveLength(1);
    const [found] = check(irOf(GET), { forbidden_effects: ["network", "io", "io-write"] }).errors;
    expect(found?.data).toMatchObject({ effect: "io", matched: ["io", "network"] });
  });

  it("match adapters whatever their case", () => {
    verifies("policy.case");
    for (const written of ["http", "HTTP", "Http"]) {
      for (const rule of ["http", "HTTP", " hTTp "])
        expect(codes(GET.replace("http.", `${written}.`), { forbidden_adapters: [rule] })).toHaveLength(1);
    }
    expect(codes(UNKNOWN.replace("nosuch", "NoSuch"), { forbidden_adapters: ["nosuch"] })).toHaveLength(1);
  });

  it.each([
    ["CacheGet", "cache", 'L1:\n  CacheGet "k" ->x "d"\n  J x\n'],
    ["CacheSet", "cache", 'L1:\n  CacheSet "k" 1 60\n  J 1\n'],
    ["QueuePut", "queue", 'L1:\n  QueuePut jobs {"a": 1}\n  J 1\n'],
    ["Tx", "txn", "L1:\n  Tx begin main\n  J 1\n"],
    ["Enf", "auth", "D P {}\nL1:\n  Enf P\n  J 1\n"],
    ["host function", "core", "L1:\n  X t (now)\n  J t\n"],
    [
      "in a handler",
      "http",
      'L1:\n  X a (div 1 0)\n  Err ->L2\n  J a\nL2:\n  R http.Get "https://x.example" ->r\n  J r\n',
    ],
    ["under Retry", "http", 'L1:\n  R http.Get "https://x.example" ->r\n  Retry 3 1\n  J r\n'],
    ["in a loop", "http", 'L1:\n  Loop [1] i ->L2\n  J 1\nL2:\n  R http.Get "https://x.example" ->r\n  J r\n'],
    ["unreachable", "http", 'L1:\n  J 1\nL9:\n  R http.Get "https://x.example" ->r\n  J r\n'],
  ])("see %s", (_name, adapter, source) => {
    verifies("policy.statements");
    const ir = looseIr(source);
    expect(check(ir, { forbidden_adapters: [adapter] }).errors.map((one) => one.code)).toEqual([
      "POLICY_ADAPTER_FORBIDDEN",
    ]);
    expect(check(ir, { forbidden_adapters: ["social"] }).ok).toBe(true);
  });

  it("are all reported, in order of labels, once for each code and step", () => {
    verifies("policy.all-violations");
    const source = `${GET}L0:\n  R cache.set "n" "k" 1 ->x\n  J x\n`;
    expect(
      codes(source, {
        forbidden_adapters: ["http", "cache"],
        forbidden_effects: ["io", "network"],
        forbidden_effect_tiers: ["io-read"],
        forbidden_privilege_tiers: ["network", "local_state"],
        forbidden_destructive: true,
      }),
    ).toEqual([
      "0 n1 POLICY_ADAPTER_FORBIDDEN",
      "0 n1 POLICY_EFFECT_FORBIDDEN",
      "0 n1 POLICY_PRIVILEGE_TIER_FORBIDDEN",
      "0 n1 POLICY_DESTRUCTIVE_FORBIDDEN",
      "1 n1 POLICY_ADAPTER_FORBIDDEN",
      "1 n1 POLICY_EFFECT_FORBIDDEN",
      "1 n1 POLICY_TIER_FORBIDDEN",
      "1 n1 POLICY_PRIVILEGE_TIER_FORBIDDEN",
      "1 n1 POLICY_DESTRUCTIVE_FORBIDDEN",
    ]);
  });
});

const RULES: readonly [object, boolean][] = [
  [{ forbidden_adapters: ["fs"] }, false],
  [{ forbidden_effects: ["io-write"] }, true],
  [{ forbidden_effects: ["io-read"] }, true],
  [{ forbidden_effects: ["network"] }, true],
  [{ forbidden_effect_tiers: ["io"] }, true],
  [{ forbidden_privilege_tiers: ["operator_sensitive"] }, true],
  [{ forbidden_destructive: true }, true],
];

describe("what is not known", () => {
  it("counts as operator_sensitive, destructive and network-facing", () => {
    verifies("policy.unknown-adapter");
    for (const [policy, refused] of RULES)
      expect([policy, check(looseIr(UNKNOWN), policy).ok]).toEqual([policy, !refused]);
    expect(codes(UNKNOWN, { forbidden_adapters: ["nosuch"] })).toEqual(["1 n1 POLICY_ADAPTER_FORBIDDEN"]);
    expect(codes(UNKNOWN, {})).toEqual([]);
  });

  it("and is computed violates any rule", () => {
    const ir = looseIr(DYNAMIC);
    for (const [policy] of RULES)
      expect(check(ir, policy).errors.map((one) => one.code)).toContain("POLICY_DYNAMIC_ADAPTER");
    expect(check(ir, { forbidden_privilege_tiers: ["local_state"] }).ok).toBe(false);
    expect(check(ir, {}).ok).toBe(true);
    expect(check(ir, { forbidden_destructive: false }).ok).toBe(true);
  });

  it("assumes the worst of an adapter for an unknown verb", () => {
    const source = "L1:\n  R cache.frobnicate 1 ->x\n  J x\n";
    expect(codes(source, { forbidden_effects: ["io-write"] })).toHaveLength(1);
    expect(codes(source, { forbidden_effects: ["cache_write"] })).toHaveLength(1);
  });
});

describe("IR that lies", () => {
  it("cannot pass: false annotations are refused, and the check does not read them", () => {
    verifies("policy.lying-ir");
    const policy = policyOf({ forbidden_effects: ["io-write"] });
    const ir = irOf(SET);
    for (const [member, lie] of [
      ["effect", "pure"],
      ["effect_tier", "pure"],
      ["effect_kinds", ["compute"]],
      ["writes", []],
    ] as const) {
      const lying = { ...ir, nodes: ir.nodes.map((node) => ({ ...node, [member]: lie })) } as Ir;
      expect(validatePolicy(lying, policy, builtinCatalog).ok).toBe(false);
      const read = normalize(JSON.parse(JSON.stringify(lying)), builtinCatalog);
      expect(read.ok).toBe(false);
    }
    // Without annotations they are computed.
    const bare = { ...ir, nodes: ir.nodes.map(({ id, label, op, data }) => ({ id, label, op, data })) };
    const read = normalize(JSON.parse(JSON.stringify({ ...bare, checksum: undefined })), builtinCatalog);
    expect(read.ok && validatePolicy(read.ir, policy, builtinCatalog).ok).toBe(false);
  });
});

describe("properties", () => {
  const words = (...all: string[]) => fc.uniqueArray(fc.constantFrom(...all));
  const policies = fc.record(
    {
      forbidden_adapters: words("core", "http", "cache", "nosuch"),
      forbidden_effects: words("io", "io-read", "io-write", "pure", "network", "cache_write"),
      forbidden_effect_tiers: words("io-read", "control", "local_state"),
      forbidden_privilege_tiers: words("pure", "local_state", "network", "operator_sensitive"),
      forbidden_destructive: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const programs = [GET, ADD, SET, DYNAMIC, UNKNOWN].map(looseIr);

  it("another rule never removes a violation", () => {
    fc.assert(
      fc.property(policies, policies, fc.constantFrom(...programs), (one, other, ir) => {
        const both = Object.fromEntries(
          Object.keys({ ...one, ...other }).map((key) => {
            const [a, b] = [one, other].map((side) => (side as Record<string, unknown>)[key]);
            return [
              key,
              key === "forbidden_destructive"
                ? a === true || b === true
                : [...((a as string[]) ?? []), ...((b as string[]) ?? [])],
            ];
          }),
        );
        const places = (policy: object) =>
          check(ir, policy).errors.map((found) => `${found.data.node_id} ${found.code}`);
        expect(places(both)).toEqual(expect.arrayContaining(places(one)));
      }),
      { numRuns: 300 },
    );
  });

  it("every adapter of the catalog is refused under each rule that its facts meet", () => {
    for (const name of builtinCatalog.names()) {
      const entry = builtinCatalog.adapter(name);
      for (const verb of entry?.verbs ?? []) {
        const ir = looseIr(`L1:\n  R ${name}.${verb.name} "a" "b" "c" ->x\n  J x\n`);
        expect(check(ir, { forbidden_adapters: [name] }).ok).toBe(false);
        expect(check(ir, { forbidden_privilege_tiers: [entry?.privilege_tier] }).ok).toBe(false);
        expect(check(ir, { forbidden_effects: [verb.effect_tier] }).ok).toBe(false);
        expect(check(ir, { forbidden_effect_tiers: [verb.kind] }).ok).toBe(false);
        expect(check(ir, { forbidden_destructive: true }).ok).toBe(entry?.destructive === false);
        expect(check(ir, { forbidden_effects: ["network"] }).ok).toBe(
          entry?.network_facing === false && entry.privilege_tier !== "network",
        );
      }
    }
  });
});

function looseIr(source: string): Ir {
  return irOf(source, { strict: false });
}
