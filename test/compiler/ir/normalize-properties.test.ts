import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { ISSUE_CODES } from "../../../compiler/ir/issues.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
import type { Json } from "../../../compiler/json.ts";
import {
  branch,
  call,
  exampleIr,
  give,
  handler,
  invoke,
  list,
  loop,
  num,
  rawIr,
  request,
  set,
  str,
  variable,
} from "./samples.ts";

const SEEDS: readonly unknown[] = [
  exampleIr(),
  rawIr({
    "1": [
      { ...request("http", "Get", [str("https://a.example")]), err: "n2" },
      handler("3"),
      invoke("2"),
      branch("2", "3"),
    ],
    "2": [set("t", call("now")), loop(list(num(1), variable("x")), "3", "3")],
    "3": [
      { op: "CacheGet", data: { adapter: "cache", verb: "get", args: [str("c"), num(1)], out: "d", fallback: null } },
      give(),
    ],
  }),
  {
    ir_version: "1.0",
    labels: {
      "1": {
        nodes: [
          { id: "n1", op: "R", data: { op: "R", adapter: "core.ADD", target: "1", args: ["x", 2], out: "r" } },
          { id: "n2", op: "If", data: { op: "If", cond: "r > 2", then: "2" } },
        ],
        edges: [{ from: "n1", to: "n2", to_kind: "node", port: "next" }],
      },
      "2": { nodes: [{ id: "n1", data: { op: "J", var: "r" } }], legacy: {} },
    },
    capabilities: { cache: { c: { ttl: 3 } } },
    services: { core: { eps: { "/": { G: { label: "2" } } } } },
  },
];

/** Total: an IR with the right shape, or issues with known codes, in order, at most 100. */
function checkTotal(input: unknown): void {
  const result = normalize(input, builtinCatalog);
  if (result.ok) {
    expect(normalize(result.ir, builtinCatalog)).toEqual({ ok: true, ir: result.ir, warnings: expect.any(Array) });
    expect(canonicalJson(JSON.parse(JSON.stringify(result.ir)) as Json)).toBe(
      canonicalJson(result.ir as unknown as Json),
    );
  } else {
    expect(result.issues.length).toBeGreaterThan(0);
    expect(result.issues.length).toBeLessThanOrEqual(100);
    for (const issue of result.issues) expect(ISSUE_CODES).toContain(issue.code);
  }
}

type Place = { readonly holder: Record<string, unknown>; readonly key: string };

/** Every member of a value, lists included. */
function placesOf(value: unknown): Place[] {
  const places: Place[] = [];
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const holder = next as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      pending.push(holder[key]);
    }
  }
  return places;
}

const word = fc.constantFrom(
  "1",
  "2",
  "n1",
  "n2",
  "next",
  "then",
  "R",
  "J",
  "label",
  "node",
  "__proto__",
  "constructor",
  "Set",
  "str",
  "call",
  "now",
  "",
);
const replacement = fc.oneof(fc.jsonValue(), word, fc.constant(undefined), fc.constant(Number.NaN));

describe("normalise", () => {
  it("is total on any JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), checkTotal), { numRuns: 200 });
  });

  it("is total on anything, functions and strange objects included", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(
        fc.record({ ir_version: fc.constant("1.0"), nodes: anything, edges: anything, labels: anything }),
        checkTotal,
      ),
      { numRuns: 300 },
    );
    fc.assert(fc.property(anything, checkTotal), { numRuns: 200 });
  });

  it("is total on, and idempotent after, changes of valid IR", { timeout: 120_000 }, () => {
    const change = fc.record({ place: fc.nat(), value: replacement, remove: fc.boolean() });
    fc.assert(
      fc.property(
        fc.nat({ max: SEEDS.length - 1 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (seed, changes) => {
          const input: unknown = structuredClone(SEEDS[seed]);
          for (const { place, value, remove } of changes) {
            const places = placesOf(input);
            const chosen = places[place % Math.max(places.length, 1)];
            if (chosen === undefined) continue;
            if (remove) delete chosen.holder[chosen.key];
            else chosen.holder[chosen.key] = value;
          }
          checkTotal(input);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("refuses every single lie in an annotation", () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 5 }),
        fc.constantFrom("effect", "effect_tier", "effect_kinds", "reads", "writes"),
        fc.string(),
        (position, field, lie) => {
          const input = exampleIr();
          const node = input.nodes[position] as unknown as Record<string, unknown>;
          node[field] = field.startsWith("effect") && field !== "effect_kinds" ? `x${lie}` : [`x${lie}`];
          expect(normalize(input, builtinCatalog)).toMatchObject({
            ok: false,
            issues: [{ code: "annotation_mismatch", path: `/nodes/${position}/${field}` }],
          });
        },
      ),
    );
  });

  it("survives hostile objects", () => {
    const cyclic: Record<string, unknown> = { ir_version: "1.0" };
    cyclic["nodes"] = [cyclic];
    let shared: unknown = "x".repeat(100);
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    const throwing = Object.defineProperty({}, "ir_version", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const endless = new Proxy([], { get: (_, key) => (key === "length" ? Number.POSITIVE_INFINITY : 1) });
    const hostile = [
      cyclic,
      shared,
      throwing,
      proxy,
      { ir_version: "1.0", nodes: endless, edges: [] },
      Object.create(null),
      Symbol("a"),
      1n,
      () => 1,
    ];
    for (const input of hostile)
      expect(normalize(input, builtinCatalog)).toMatchObject({ ok: false, status: "invalid_ir" });
  });

  it("takes a large program in one pass", () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({
      id: `n${index + 1}`,
      label: "1",
      op: "Set",
      data: { name: "x", value: { k: "num", v: 1 } },
    }));
    const edges = nodes
      .slice(1)
      .map((node, index) => ({ label: "1", from: `n${index + 1}`, to: node.id, to_kind: "node", port: "next" }));
    expect(normalize({ ir_version: "1.0", nodes, edges }, builtinCatalog)).toMatchObject({ ok: true, warnings: [] });
  });
});
