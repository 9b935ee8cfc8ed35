/** Reading grants and policies: what is folded, what is refused, what is warned of. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { parsePolicy } from "../../compiler/policy/policy.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import { empty, grant, grants, read } from "./grants.ts";

const issuesOf = (value: unknown, origin: "caller" | "operator" = "caller"): string[] => {
  const result = read(value, origin);
  return result.ok ? [] : result.issues.map(({ path, code }) => `${path} ${code}`);
};

describe("reading a grant", () => {
  it("folds names: trimmed, lower case, sorted, each once", () => {
    expect(grant({ allowed_adapters: [" HTTP ", "core", "http"], forbidden_effects: ["IO-Write"] })).toEqual({
      ...empty,
      allowed_adapters: ["core", "http"],
      forbidden_effects: ["io-write"],
    });
    expect(grant({ allowed_adapters: null })).toEqual(empty);
    expect(grant({})).toEqual(empty);
    expect(grant({ allowed_adapters: [] }).allowed_adapters).toEqual([]);
  });

  it("gives the same for any order of keys, and the same again", () => {
    fc.assert(
      fc.property(grants, (one) => {
        expect(grant(one)).toEqual(one);
        expect(JSON.stringify(grant(Object.fromEntries(Object.entries(one).reverse())))).toBe(
          JSON.stringify(grant(one)),
        );
      }),
    );
  });

  it.each<[unknown, string]>([
    [null, " type"],
    [[], " type"],
    ["core", " type"],
    [{ forbiden_adapters: [] }, "/forbiden_adapters unknown_member"],
    [{ allowed_adapters: "core" }, "/allowed_adapters type"],
    [{ allowed_adapters: ["core", 1] }, "/allowed_adapters/1 type"],
    [{ allowed_adapters: ["  "] }, "/allowed_adapters/0 type"],
    [{ forbidden_adapters: null }, "/forbidden_adapters type"],
    [{ forbidden_privilege_tiers: ["root"] }, "/forbidden_privilege_tiers unknown_tier"],
    [{ forbidden_destructive: 1 }, "/forbidden_destructive type"],
    [{ limits: { max_step: 5 } }, "/limits/max_step unknown_member"],
    [{ limits: { max_steps: 1.5 } }, "/limits/max_steps type"],
    [{ limits: { max_steps: "5" } }, "/limits/max_steps type"],
    [{ limits: { max_steps: true } }, "/limits/max_steps type"],
    [{ limits: { max_steps: null } }, "/limits/max_steps type"],
    [{ limits: { max_steps: Number.NaN } }, "/limits/max_steps type"],
    [{ limits: { max_steps: 2 ** 53 } }, "/limits/max_steps type"],
    [{ limits: [] }, "/limits type"],
    [{ adapter_constraints: { http: { allow_host: [] } } }, "/adapter_constraints/http/allow_host unknown_setting"],
    [{ adapter_constraints: { http: { allow_hosts: "a" } } }, "/adapter_constraints/http/allow_hosts type"],
    [{ adapter_constraints: { http: { allow_hosts: ["http://a"] } } }, "/adapter_constraints/http/allow_hosts type"],
    [{ adapter_constraints: { http: { timeout_s: -1 } } }, "/adapter_constraints/http/timeout_s type"],
    [{ adapter_constraints: { http: { allow_secrets: [] } } }, "/adapter_constraints/http/allow_secrets not_yours"],
    [{ adapter_constraints: { fs: { sandbox_root: "data" } } }, "/adapter_constraints/fs/sandbox_root type"],
    [
      { adapter_constraints: { fs: { root: "/a", sandbox_root: "/a" } } },
      "/adapter_constraints/fs/sandbox_root duplicate",
    ],
    [{ adapter_constraints: { HTTP: {}, http: {} } }, "/adapter_constraints/http duplicate"],
    [{ adapter_constraints: { plugin: { x: { $conflict: true } } } }, "/adapter_constraints/plugin/x type"],
    [JSON.parse('{"__proto__": {"allowed_adapters": []}}'), "/__proto__ unknown_member"],
    [JSON.parse('{"constructor": 1}'), "/constructor unknown_member"],
    [JSON.parse('{"limits": {"__proto__": 5}}'), "/limits/__proto__ unknown_member"],
    [JSON.parse('{"adapter_constraints": {"__proto__": {}}}'), "/adapter_constraints/__proto__ unknown_member"],
    [
      JSON.parse('{"adapter_constraints": {"x": {"__proto__": 1}}}'),
      "/adapter_constraints/x/__proto__ unknown_setting",
    ],
    [JSON.parse('{"adapter_constraints": {"x": {"y": {"__proto__": 1}}}}'), "/adapter_constraints/x/y type"],
    [{ allowed_adapters: Array.from({ length: 1001 }, (_, at) => `a${at}`) }, "/allowed_adapters too_large"],
  ])("%j is refused: %s", (value, expected) => {
    expect(issuesOf(value)).toEqual([expected]);
  });

  it("keeps what only an operator may say", () => {
    const value = { adapter_constraints: { http: { allow_secrets: ["k"] }, fs: { root: "/data/" } } };
    const kept = grant(value);
    expect(constraintsOf(kept, "http")).toEqual({ allow_secrets: ["k"] });
    expect(constraintsOf(kept, "fs")).toEqual({ sandbox_root: "/data" });
    expect(constraintsOf(kept, "__proto__")).toEqual({});
    expect(read(value, "caller")).toMatchObject({ ok: false, error: "adapter_config_error" });
  });

  it("drops limits too small to mean anything, with a warning", () => {
    const result = read({ limits: { max_steps: 0, max_depth: -3, max_adapter_calls: 0 } });
    expect(result.ok && result.grant.limits).toEqual({ max_adapter_calls: 0 });
    expect(result.ok && result.warnings.map((one) => one.split(":")[0])).toEqual(["limit_ignored", "limit_ignored"]);
  });

  it("warns of names that nothing has, with the nearest one", () => {
    const result = read({ forbidden_adapters: ["htttp"], forbidden_effects: ["io-wirte", "db_read", "network"] });
    expect(result.ok && result.warnings).toEqual([
      "unknown_adapter_name: no adapter is called 'htttp'; did you mean http?",
      "unknown_effect_name: no step has the effect or tier 'io-wirte'; did you mean io-write?",
    ]);
  });

  it("answers every value, and bounds what it says", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (value) => void read(value, "caller")),
    );
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`k${at}`, 1]));
    expect(issuesOf(many)).toHaveLength(100);
    let deep: unknown = 1;
    for (let at = 0; at < 50_000; at += 1) deep = [deep];
    expect(issuesOf({ adapter_constraints: { plugin: { x: deep } } })).toEqual(["/adapter_constraints/plugin/x type"]);
  });
});

describe("reading a policy", () => {
  const parse = (value: unknown) => parsePolicy(value, builtinCatalog);
  it("keeps what was given and nothing else", () => {
    expect(parse({})).toEqual({ ok: true, policy: {}, warnings: [] });
    expect(parse({ forbidden_adapters: ["HTTP"], forbidden_destructive: false })).toEqual({
      ok: true,
      policy: { forbidden_adapters: ["http"], forbidden_destructive: false },
      warnings: [],
    });
  });

  it.each<[unknown, string, string]>([
    [{ forbidden_adapter: ["http"] }, "/forbidden_adapter", "did you mean forbidden_adapters?"],
    [{ forbidden_efects: [] }, "/forbidden_efects", "did you mean forbidden_effects?"],
    [{ forbidden_privilege_tiers: ["netwrk"] }, "/forbidden_privilege_tiers", "did you mean network?"],
    [{ limits: {} }, "/limits", "unknown policy member 'limits'; known: forbidden_adapters, forbidden_effects, "],
    [{ forbidden_destructive: "yes" }, "/forbidden_destructive", "true or false"],
    [{ forbidden_adapters: "http" }, "/forbidden_adapters", "list of text"],
    [JSON.parse('{"__proto__": {}}'), "/__proto__", "unknown policy member"],
    [null, "", "object"],
  ])("%j is refused", (value, path, message) => {
    const result = parse(value);
    expect(!result.ok && result.issues[0]).toMatchObject({ path, message: expect.stringContaining(message) });
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);
  const sections = (names: readonly string[]) => ({
    adapter_constraints: Object.fromEntries(names.map((one) => [one, {}])),
  });
  it.each<[what: string, read: () => readonly string[], issues: readonly string[]]>([
    ["1000 names in a list", () => issuesOf({ allowed_adapters: many(1000) }), []],
    ["1001 members", () => issuesOf(Object.fromEntries(many(1001).map((one) => [one, 1]))), [" too_large"]],
    ["1000 adapters with settings", () => issuesOf(sections(many(1000))), []],
    ["1001 of them", () => issuesOf(sections(many(1001))), ["/adapter_constraints too_large"]],
    ["a name of 200 characters", () => issuesOf({ allowed_adapters: ["x".repeat(200)] }), []],
    ["a name of 201", () => issuesOf({ allowed_adapters: ["x".repeat(201)] }), ["/allowed_adapters/0 type"]],
    ["an adapter of 200", () => issuesOf(sections(["x".repeat(200)])), []],
    [
      "an adapter name of 201 characters, cut in the message",
      () => issuesOf(sections(["x".repeat(201)])),
      [`/adapter_constraints/${"x".repeat(200)} unknown_member`],
    ],
    [
      "names that objects of the language treat in a way of their own",
      () => issuesOf(sections([" __PROTO__", "Constructor", "prototype "])),
      ["/adapter_constraints/ __PROTO__", "/adapter_constraints/Constructor", "/adapter_constraints/prototype "].map(
        (path) => `${path} unknown_member`,
      ),
    ],
    [
      "more faults than are reported",
      () => issuesOf({ allowed_adapters: Array(300).fill(1) }),
      many(100).map((_, at) => `/allowed_adapters/${at} type`),
    ],
  ])("is bounded: %s", (_what, read, issues) => expect(read()).toEqual(issues));
});
