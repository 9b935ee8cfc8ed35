import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { bounds, indexIr } from "../../../compiler/ir/analysis.ts";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
import type { Json } from "../../../compiler/json.ts";

type RunCase = {
  name: string;
  source: string;
  strict?: boolean;
  label?: string;
  frame?: Record<string, unknown>;
  expect: { out?: unknown };
  steps?: number;
  adapter_calls?: number;
};
const cases: RunCase[] = JSON.parse(readFileSync(new URL("../../cases/run.json", import.meta.url), "utf8"));
const compiled = (source: string, strict = true, inputs: readonly string[] = []) =>
  compile(source, { strict, inputs, catalog: builtinCatalog });

const EVERY_OP = `
S demo api /demo
E /orders G ->L1 ->r
C rates pair 300 1.0
Q mail 50 2
Txn pay sqlite readonly
Pol admins auth=1 role=admin
# frame: n: number, xs: list
L1:
  R http.GET "https://api.example.com/x" {"a": [1, n, (add n 1)]} ->page
  Retry 3 200 exponential
  Err ->L_down
  CacheGet rates "eur" ->rate
  CacheSet rates "eur" 2
  QueuePut mail page.body ->id
  Tx begin pay
  Tx commit pay
  Enf admins
  X t now
  Set u $t
  X s get page a.b[0]
  Filt big xs n > 3
  Sort big big n desc
  Call L_sub ->r
  If not (and r (n >= 2)) ->L_loop ->L_end
L_sub:
  J n
L_loop:
  Loop xs i ->L_sub ->L_while
L_while:
  While n < 3 ->L_sub ->L_end limit=5
L_end:
  J {"r": r, "t": t}
L_down:
  J $_error_info.code
`;

describe("IR of the compiler", () => {
  it("passes normalisation unchanged, with every op", () => {
    const { ir, diagnostics } = compiled(EVERY_OP);
    expect(diagnostics.filter((finding) => finding.severity === "error")).toEqual([]);
    expect(new Set(ir?.nodes.map((node) => node.op)).size).toBe(17);
    expect(normalize(ir, builtinCatalog)).toEqual({ ok: true, ir, warnings: [] });
    expect(normalize(JSON.parse(canonicalJson(ir as unknown as Json)), builtinCatalog)).toEqual({
      ok: true,
      ir,
      warnings: [],
    });
  });

  it("passes for every shared program whose targets exist", () => {
    let passed = 0;
    for (const { name, source, strict, frame } of cases) {
      const { ir } = compiled(source, strict ?? true, Object.keys(frame ?? {}));
      if (ir === null) continue;
      const resolved = ir.edges.every((edge) => edge.to_kind === "node" || Object.hasOwn(ir.labels, edge.to));
      if (!resolved || ir.entry === null || ir.labels[ir.entry]?.entry === null) continue;
      const result = normalize(ir, builtinCatalog);
      expect(result, name).toMatchObject({ ok: true });
      if (result.ok) expect(result.ir, name).toEqual(ir);
      passed += 1;
    }
    expect(passed).toBeGreaterThan(cases.length / 2);
  });

  it("has bounds that hold for what the shared programs really use", () => {
    let compared = 0;
    for (const { name, source, strict, label, frame, expect: outcome, steps, adapter_calls: calls } of cases) {
      const { ir } = compiled(source, strict ?? true, Object.keys(frame ?? {}));
      if (ir === null || ir.entry === null || label !== undefined) continue;
      const found = bounds(indexIr(ir)).get(ir.entry);
      expect(found, name).toBeDefined();
      if (found === undefined || steps === undefined) continue;
      expect(found.max_steps ?? steps, name).toBeGreaterThanOrEqual(steps);
      if (calls !== undefined) expect(found.max_adapter_calls ?? calls, name).toBeGreaterThanOrEqual(calls);
      // A run that ends by an error may stop before any lower bound.
      if (!Object.hasOwn(outcome, "out")) continue;
      expect(found.min_steps, name).toBeLessThanOrEqual(steps);
      if (calls !== undefined) expect(found.min_adapter_calls, name).toBeLessThanOrEqual(calls);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it("has a checksum that layout, comments and aliases do not change, and operands do", () => {
    const sum = (source: string) => compiled(source).ir?.checksum;
    const plain = 'L1:\n  Set xs [1, 2]\n  Loop xs i ->L2 ->L3\nL2:\n  J i\nL3:\n  J "done"\n';
    const other = '# about\n\nL1: Set   xs [1,2]   ForEach xs i L2 L3\n\nL2: J i # each\nL3: J "done"';
    expect(sum(plain)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(sum(other)).toBe(sum(plain));
    expect(sum(plain.replace("[1, 2]", "[1, 3]"))).not.toBe(sum(plain));
    expect(sum(plain.replaceAll("xs", "ys"))).not.toBe(sum(plain));
  });
});

/** What stands in every place of a program that can hold a name. */
const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "x".repeat(256),
  "x".repeat(257),
  "a\ufeffb",
  "a\u2028b",
  "a\u000bb",
];
const PLACES: readonly ((name: string) => string)[] = [
  (name) => `L1:\n  Call L${name} ->r\n  J r\nL${name}:\n  J 1\n`,
  (name) => `L1:\n  Set ${name} 1\n  J $${name}\n`,
  (name) => `L1:\n  J ${name}\n`,
  (name) => `L1:\n  Set a {}\n  J a.${name}.b\n`,
  (name) => `L1:\n  J {"${name}": 1}\n`,
  (name) => `L1:\n  R ${name}.${name} 1 ->a\n  J a\n`,
  (name) => `L1:\n  X a ${name} 1\n  J a\n`,
  (name) => `L1:\n  Filt a [] ${name} ${name} 1\n  Sort b a ${name} ${name}\n  J b\n`,
  (name) => `L1:\n  Tx ${name} ${name}\n  CacheGet ${name} ${name} ->a\n  QueuePut ${name} 1\n  Enf ${name}\n  J a\n`,
  (name) => `L1:\n  Loop [1] ${name} ->L2 ->L2\nL2:\n  J 1\n`,
];

it.each(NAMES.map((name) => [JSON.stringify(name).slice(0, 20), name]))(
  "what compiles with the name %s comes back equal",
  (_title, name) => {
    for (const place of PLACES) {
      for (const strict of [true, false]) {
        const { ir } = compiled(place(name), strict);
        // Of what is left of a faulty program in loose mode there may be nothing to run.
        if (ir === null || ir.entry === null || ir.labels[ir.entry]?.entry === null) continue;
        expect(normalize(JSON.parse(JSON.stringify(ir)), builtinCatalog), place(name)).toEqual({
          ok: true,
          ir,
          warnings: [],
        });
      }
    }
  },
);

it.each(["__proto__", "constructor", "prototype"])("a label called %s is an error in both modes", (name) => {
  for (const strict of [true, false]) {
    const { ir, diagnostics } = compiled(`L1:\n  J 1\nL${name}:\n  J 2\n`, strict);
    expect(ir).toBeNull();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toContainEqual(["WF2006", "error"]);
  }
});
