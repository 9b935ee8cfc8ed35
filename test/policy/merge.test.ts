/** The merge of grants: every kind of member, the algebra, and that no side gets wider. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import type { Json } from "../../compiler/json.ts";
import { admits, allowlistOf, limitsOf, policyOf } from "../../vm/grant/convert.ts";
import { explainGrant } from "../../vm/grant/explain.ts";
import { CONFLICT, FLOOR_GRANT, type Grant, isConflict } from "../../vm/grant/grant.ts";
import { conflictsOf, droppedAdapters, mergeGrants } from "../../vm/grant/merge.ts";
import { meetSettings } from "../../vm/grant/setting-values.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { verifies } from "../support/requirements.ts";
import { empty, grant, grants, read } from "./grants.ts";

const FORBIDDEN = [
  "forbidden_adapters",
  "forbidden_effects",
  "forbidden_effect_tiers",
  "forbidden_privilege_tiers",
] as const;

/** A module of the operator's whose content is fixed. */
const PINNED = { file: "/w/m", sha256: "aa" };

describe("merging", () => {
  it.each([
    [["core", "http"], ["http", "fs"], ["http"]],
    [["core"], ["http"], []],
    [[], ["core"], []],
    [null, ["core"], ["core"]],
    [["core"], null, ["core"]],
    [null, null, null],
    [undefined, ["core"], ["core"]],
  ])("allowed %j and %j gives %j", (a, b, expected) => {
    verifies("grant.merge.allowed-intersection", "grant.merge.allowed-null", "grant.converted.allowlist");
    const merged = mergeGrants(grant({ allowed_adapters: a }), grant({ allowed_adapters: b }));
    expect(merged.allowed_adapters).toEqual(expected);
    expect(allowlistOf(merged)).toEqual(expected);
  });

  it("unites each of the forbidden lists, and ORs forbidden_destructive", () => {
    verifies("grant.merge.forbidden_adapters-union", "grant.merge.forbidden_effects-union");
    verifies(
      "grant.merge.forbidden_effect_tiers-union",
      "grant.merge.forbidden_privilege_tiers-union",
      "grant.destructive",
    );
    for (const list of FORBIDDEN) {
      const [a, b] = list === "forbidden_privilege_tiers" ? ["network", "local_state"] : ["zeta", "alpha"];
      const merged = mergeGrants(grant({ [list]: [a] }), grant({ [list]: [b, a] }));
      expect(merged).toEqual({ ...empty, [list]: [a, b].sort() });
      expect(policyOf(merged)).toEqual({ [list]: [a, b].sort() });
    }
    for (const [a, b] of [
      [true, false],
      [false, true],
      [true, true],
    ])
      expect(
        mergeGrants(grant({ forbidden_destructive: a }), grant({ forbidden_destructive: b })).forbidden_destructive,
      ).toBe(true);
    expect(policyOf(empty)).toEqual({});
  });

  it("takes the smaller limit, or the one that is there", () => {
    verifies("grant.merge.limits-min");
    for (const key of LIMIT_KEYS) {
      expect(limitsOf(mergeGrants(grant({ limits: { [key]: 5 } }), grant({ limits: { [key]: 7 } })))).toEqual({
        [key]: 5,
      });
      expect(limitsOf(mergeGrants(grant({ limits: { [key]: 5 } }), empty))).toEqual({ [key]: 5 });
    }
    expect(limitsOf(mergeGrants(FLOOR_GRANT, grant({ limits: { max_adapter_calls: 0 } }))).max_adapter_calls).toBe(0);
  });

  it.each<[string, string, unknown, unknown, unknown]>([
    ["sqlite", "allow_tables", ["Users", "logs"], ["users", "x"], ["users"]],
    ["tools", "allow_tools", ["a", "b"], ["B", "b"], ["b"]],
    ["tools", "allow_tools", ["a"], ["b"], []],
    ["fs", "allow_extensions", ["TXT", ".md"], [".txt"], [".txt"]],
    ["http", "allow_ports", [80, 443], [443, 8080], [443]],
    ["http", "allow_hosts", ["*.example.com"], ["example.com", "a.example.com"], ["a.example.com"]],
    ["http", "timeout_s", 5, 2.5, 2.5],
    ["http", "allow_private", true, false, false],
    ["http", "allow_private", true, true, true],
    ["fs", "sandbox_root", "/data", "/data/a/", "/data/a"],
    ["fs", "sandbox_root", "/data/a/..", "/data", "/data"],
    ["fs", "sandbox_root", "/data", "/database", CONFLICT],
    ["sqlite", "db_path", ":memory:", "/data/x.db", CONFLICT],
    // A name of one side alone would be more than the other side admits.
    ["wasm", "modules", { m: "/w", n: "/w/n" }, { m: "/w/m" }, { m: "/w/m" }],
    ["wasm", "modules", { m: "/w/a", n: "/w/n" }, { m: "/w/b", o: "/w/o" }, { m: CONFLICT }],
    ["wasm", "modules", {}, { m: "/w/m" }, {}],
    ["wasm", "modules", { m: PINNED }, { m: "/w/m" }, { m: PINNED }],
    ["wasm", "modules", { m: PINNED }, { m: PINNED }, { m: PINNED }],
    ["wasm", "modules", { m: PINNED }, { m: { ...PINNED, sha256: "bb" } }, { m: CONFLICT }],
    // A folder is not a wider form of a pinned file: the hash is of this file alone.
    ["wasm", "modules", { m: PINNED }, { m: "/w" }, { m: CONFLICT }],
    ["memory", "db_path", "/a", "/a/b", CONFLICT],
    ["memory", "db_path", "/a", "/a", "/a"],
    ["plugin", "list", ["a", 1], [1, "b"], [1]],
    ["plugin", "number", 3, 4, 3],
    ["plugin", "switch", true, false, false],
    ["plugin", "text", "a", "a", "a"],
    ["plugin", "text", "a", "b", CONFLICT],
    ["plugin", "mixed", 1, [1], CONFLICT],
  ])("%s.%s: %j and %j gives %j", (adapter, setting, a, b, expected) => {
    verifies("grant.merge.constraints-lists", "grant.merge.constraints-numbers", "grant.merge.constraints-booleans");
    const side = (value: unknown): Grant => grant({ adapter_constraints: { [adapter]: { [setting]: value } } });
    const merged = mergeGrants(side(a), side(b));
    expect(merged.adapter_constraints).toEqual({ [adapter]: { [setting]: expected } });
    expect(mergeGrants(side(b), side(a))).toEqual(merged);
    expect(conflictsOf(merged, adapter)).toEqual(JSON.stringify(expected).includes("$conflict") ? [setting] : []);
    // One side only: kept.
    expect(mergeGrants(side(a), empty).adapter_constraints).toEqual(side(a).adapter_constraints);
  });

  it("lets a conflict absorb everything", () => {
    const values: Json[] = [1, true, "x", [], {}, CONFLICT];
    for (const value of values) {
      for (const kind of ["min", "and", "within", "intersect", "server"] as const) {
        expect(isConflict(meetSettings(CONFLICT, value, { kind }))).toBe(true);
        expect(isConflict(meetSettings(value, CONFLICT, { kind }))).toBe(true);
      }
      expect(isConflict(meetSettings(CONFLICT, value, undefined))).toBe(true);
    }
  });

  it("drops what the server does not grant, with a warning and no error", () => {
    verifies("grant.merge.dropped-silently");
    const server = grant({ allowed_adapters: ["core", "cache"] });
    const caller = grant({ allowed_adapters: ["core", "http"] });
    expect(mergeGrants(server, caller).allowed_adapters).toEqual(["core"]);
    expect(droppedAdapters(server, caller)).toEqual([expect.stringMatching(/^adapter_not_granted: .*'http'/)]);
    expect(droppedAdapters(server, empty)).toEqual([]);
    expect(droppedAdapters(empty, caller)).toEqual([]);
  });

  it("is commutative, associative and idempotent, and the empty grant is its identity", () => {
    verifies("grant.merge.algebra");
    fc.assert(
      fc.property(grants, grants, grants, (a, b, c) => {
        expect(mergeGrants(a, b)).toEqual(mergeGrants(b, a));
        expect(mergeGrants(a, mergeGrants(b, c))).toEqual(mergeGrants(mergeGrants(a, b), c));
        expect(mergeGrants(a, a)).toEqual(a);
        expect(mergeGrants(a, empty)).toEqual(a);
      }),
      { numRuns: 300 },
    );
  });

  it("permits nothing that either side forbids", () => {
    verifies("grant.merge.restrictive");
    fc.assert(
      fc.property(grants, grants, (a, b) => {
        expectBelow(mergeGrants(a, b), a);
        expectBelow(mergeGrants(a, b), b);
      }),
      { numRuns: 300 },
    );
  });

  it("gives no caller more than the server grants, whatever the request looks like", () => {
    verifies("grant.merge.never-widen");
    const odd = fc.oneof(
      fc.constantFrom<unknown>(0, -1, 1e9, 2 ** 53, "9", true, null, 1.5, [], [[]], {}, "core", ["core", "http", "db"]),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const shape = fc.record(
      {
        allowed_adapters: odd,
        forbidden_adapters: odd,
        forbidden_destructive: odd,
        limits: fc.oneof(odd, fc.dictionary(fc.constantFrom(...LIMIT_KEYS), odd)),
        adapter_constraints: fc.oneof(
          odd,
          fc.record({ http: fc.record({ timeout_s: odd, allow_hosts: odd, allow_private: odd, allow_secrets: odd }) }),
        ),
      },
      { requiredKeys: [] },
    );
    let valid = 0;
    fc.assert(
      fc.property(
        grants,
        fc.oneof(
          shape,
          odd,
          grants,
          fc.record({ limits: fc.dictionary(fc.constantFrom(...LIMIT_KEYS), fc.constantFrom(0, -1, 5, 1e9)) }),
        ),
        (server, request) => {
          const caller = read(request, "caller");
          if (!caller.ok) return;
          valid += 1;
          expectBelow(mergeGrants(server, caller.grant), server);
        },
      ),
      { numRuns: 1000 },
    );
    expect(valid).toBeGreaterThan(50);
  });
});

describe("explaining", () => {
  const sides = [
    {
      source: "profile:p",
      grant: grant({ forbidden_adapters: ["http"], allowed_adapters: ["core"], limits: { max_steps: 5 } }),
    },
    {
      source: "request",
      grant: grant({ forbidden_adapters: ["http", "fs"], forbidden_destructive: true, limits: { max_steps: 9 } }),
    },
  ];
  it("names every side that forbids, the server's first, and changes nothing", () => {
    const explained = explainGrant(sides);
    expect(explained.rule("forbidden_adapters", "http")).toEqual(["profile:p", "request"]);
    expect(explained.rule("forbidden_adapters", "fs")).toEqual(["request"]);
    expect(explained.rule("forbidden_destructive", true)).toEqual(["request"]);
    expect(explained.rule("forbidden_effects", "io")).toEqual([]);
    expect(explained.allowlist("http")).toEqual(["profile:p"]);
    expect(explained.limit("max_steps")).toEqual(["profile:p"]);
  });
});

describe("the gate", () => {
  it("passes what is listed and not forbidden, and unknown adapters only when they are listed", () => {
    expect(admits(empty, "HTTP", builtinCatalog)).toBe(true);
    expect(admits(empty, "nosuch", builtinCatalog)).toBe(false);
    expect(admits(grant({ allowed_adapters: ["nosuch"] }), "nosuch", builtinCatalog)).toBe(true);
    expect(admits(grant({ allowed_adapters: [] }), "core", builtinCatalog)).toBe(false);
    expect(admits(grant({ allowed_adapters: ["http"], forbidden_adapters: ["http"] }), "http", builtinCatalog)).toBe(
      false,
    );
  });
});

/** In every dimension no wider. */
function expectBelow(lower: Grant, upper: Grant): void {
  if (upper.allowed_adapters !== null) {
    expect(lower.allowed_adapters).not.toBeNull();
    for (const name of lower.allowed_adapters ?? []) expect(upper.allowed_adapters).toContain(name);
  }
  for (const list of FORBIDDEN) for (const name of upper[list]) expect(lower[list]).toContain(name);
  if (upper.forbidden_destructive) expect(lower.forbidden_destructive).toBe(true);
  for (const key of LIMIT_KEYS) {
    const most = upper.limits[key];
    if (most !== undefined) expect(lower.limits[key]).toBeLessThanOrEqual(most);
  }
  for (const [adapter, settings] of Object.entries(upper.adapter_constraints)) {
    for (const [name, value] of Object.entries(settings)) {
      const got = lower.adapter_constraints[adapter]?.[name];
      if (got === undefined) throw new Error(`${adapter}.${name} was lost`);
      // Below means: merging with it changes nothing any more.
      expect(meetSettings(got, value, builtinSettings.get(adapter)?.settings[name])).toEqual(got);
    }
  }
}
