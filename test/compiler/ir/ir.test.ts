import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { type AdapterEntry, createCatalog, type VerbEntry } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import { canonicalJson, canonicalTask } from "../../../compiler/ir/canonical.ts";
import { checksumOf } from "../../../compiler/ir/checksum.ts";
import type { NodeData, NodeOp } from "../../../compiler/ir/graph.ts";
import { resolveReference } from "../../../compiler/ir/references.ts";
import type { Json } from "../../../compiler/json.ts";
import { annotate } from "../../../compiler/policy/annotate.ts";
import { capabilitiesOf } from "../../../compiler/policy/capabilities-of.ts";
import { completed } from "../../../grammar/text/task.ts";
import {
  branch,
  call,
  during,
  exampleIr,
  handler,
  loop,
  num,
  retry,
  type SampleStep,
  set,
  str,
  variable,
} from "./samples.ts";

const annotated = (step: SampleStep) => annotate(step.op, step.data as NodeData[NodeOp], builtinCatalog);
const facts = (step: SampleStep) => capabilitiesOf(step.op, step.data as NodeData[NodeOp], builtinCatalog);
const r = (adapter: unknown, verb: unknown, ...args: unknown[]): SampleStep => ({
  op: "R",
  data: { adapter, verb, args, out: "o" },
});

/** The same value with its members in another order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item as Json)]),
  );
}

describe("canonical JSON", () => {
  it.each([
    ['{"10":1,"9":2}', '{"9":2,"10":1}'],
    ['[{"a":1,"b":[{"c":1,"d":2}]}]', '[{"a":1,"b":[{"d":2,"c":1}]}]'],
    ['[0,"\\ud800",null,{"":[]}]', '[-0,"\\ud800",null,{"":[]}]'],
  ])("is %s", (canonical, written) => {
    expect(canonicalJson(JSON.parse(written))).toBe(canonical);
    expect(canonicalJson(JSON.parse(canonical))).toBe(canonical);
  });
});

describe("canonical JSON", () => {
  it("has the form of RFC 8785", () => {
    expect(canonicalJson({ b: [1, -0, 1e21, 0.1], a: { "\u20ac": '\n\u001f"\\/é', "": null }, A: true })).toBe(
      '{"A":true,"a":{"":null,"€":"\\n\\u001f\\"\\\\/é"},"b":[1,0,1e+21,0.1]}',
    );
    expect(canonicalJson({ "\u{1f600}": 1, "\ufb33": 2 })).toBe('{"\u{1f600}":1,"\ufb33":2}');
    expect(canonicalJson([])).toBe("[]");
    expect(canonicalJson({})).toBe("{}");
  });

  it("parses back to an equal value and does not depend on member order", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        const text = canonicalJson(json);
        expect(JSON.parse(text)).toEqual(json);
        expect(canonicalJson(shuffled(json))).toBe(text);
        const large = { many: Array.from({ length: 150 }, () => shuffled(json)), one: json };
        expect(completed(canonicalTask(large))).toBe(canonicalJson(large));
      }),
    );
  });

  it("takes values far deeper than any program value", () => {
    let value: Json = 1;
    for (let depth = 0; depth < 512; depth += 1) value = [value];
    expect(canonicalJson(value)).toHaveLength(1 + 2 * 512);
  });
});

describe("checksum", () => {
  it("is the one printed in the reference for the worked example", () => {
    expect(checksumOf(exampleIr())).toBe("sha256:a6304c99d97fd90e05f0837b36c55337cdb79ae7bd4f5e5818ecf0ac09860d7e");
  });

  it("does not depend on lines, annotations, member order or array order", () => {
    const given = exampleIr();
    const nodes = given.nodes.map((node) => ({
      ...(shuffled(node as unknown as Json) as object),
      line: 99,
      effect: "io",
      file: "other.wf",
    }));
    const other = { ...given, nodes: nodes.reverse(), edges: [...given.edges].reverse() } as unknown as typeof given;
    expect(checksumOf(other)).toBe(given.checksum);
    const commented = { ...given, declarations: [...given.declarations, { op: "Desc", slots: ["x"], line: 9 }] };
    expect(checksumOf(commented)).toBe(given.checksum);
  });

  it("does not depend on the order of endpoints, and of edges of several labels", () => {
    const labels = "L1:\n  J 1\nL2:\n  Set x 1\n  If x > 0 ->L1 ->L3\nL3:\n  Set y 2\n  J y\n";
    const { ir } = compile(`E / G ->L2\nE / P ->L1\nE /a G ->L1\n${labels}`, { catalog: builtinCatalog });
    if (ir === null) throw new Error("does not compile");
    expect([ir.endpoints.length, new Set(ir.edges.map((edge) => edge.label)).size]).toEqual([3, 2]);
    const orders = (list: readonly unknown[]) => list.map((_, at) => [...list.slice(at), ...list.slice(0, at)]);
    const turned = [
      ...orders(ir.endpoints).flatMap((endpoints) => [
        { ...ir, endpoints },
        { ...ir, endpoints: [...endpoints].reverse() },
      ]),
      ...orders(ir.edges).map((edges) => ({ ...ir, edges })),
    ] as (typeof ir)[];
    expect(new Set(turned.map(checksumOf))).toEqual(new Set([ir.checksum]));
  });

  it("changes with whatever can change a run", () => {
    const changes: ((given: ReturnType<typeof exampleIr>) => unknown)[] = [
      (given) => ({ ...given, entry: "_big" }),
      (given) => ({ ...given, edges: given.edges.slice(1) }),
      (given) => ({ ...given, declarations: [] }),
      (given) => ({ ...given, labels: { ...given.labels, more: { entry: null, exits: [] } } }),
      (given) => ({ ...given, endpoints: [{ method: "GET", path: "/", label: "1", returns: null }] }),
      (given) => JSON.parse(JSON.stringify(given).replace('"v":100', '"v":101')),
      (given) => JSON.parse(JSON.stringify(given).replace('"v":"down"', '"v":"up"')),
    ];
    const sums = changes.map((change) => checksumOf(change(exampleIr()) as ReturnType<typeof exampleIr>));
    expect(new Set([...sums, exampleIr().checksum]).size).toBe(changes.length + 1);
  });
});

describe("annotations", () => {
  it("are those of the worked example", () => {
    for (const node of exampleIr().nodes) {
      const { effect, effect_tier, effect_kinds, reads, writes } = node;
      expect(annotate(node.op, node.data, builtinCatalog)).toEqual({
        effect,
        effect_tier,
        effect_kinds,
        reads,
        writes,
      });
    }
  });

  it.each([
    ["known verb", r("cache", "set"), "io", "io-write", ["cache_write"]],
    ["verb in another case", r("HTTP", "GET"), "io", "io-read", ["http"]],
    ["pure verb", r("core", "add"), "pure", "pure", ["compute"]],
    ["control verb", r("core", "SLEEP"), "meta", "control", ["control"]],
    ["unknown verb", r("cache", "steal"), "io", "io-write", ["cache_read", "cache_write"]],
    ["unknown verb of a pure adapter", r("wasm", "RUN"), "io", "pure", ["compute"]],
    ["unknown adapter", r("ghost", "x"), "io", "io-write", ["unknown"]],
    ["computed adapter", r(variable("a"), "x"), "io", "io-write", ["unknown"]],
    ["computed verb", r("fs", variable("v")), "io", "io-write", ["fs"]],
    ["assignment", set(), "pure", "pure", ["compute"]],
    ["host function", set("t", call("now")), "pure", "pure", ["compute"]],
    ["environment", set("t", call("ENV", str("A"))), "io", "io-read", ["compute"]],
    [
      "wait",
      { op: "X", data: { name: "t", value: call("sleep", num(1)) } } as SampleStep,
      "meta",
      "control",
      ["compute", "control"],
    ],
    ["label call", { op: "Call", data: { out: "a" } } as SampleStep, "meta", "control", ["call"]],
    ["If", branch("2"), "meta", "control", ["control"]],
    ["Loop", loop(variable("l"), "2", "3"), "meta", "control", ["control"]],
    ["While", during(3, "2", "3"), "meta", "control", ["control"]],
    ["Err", handler("2"), "meta", "control", ["control"]],
    ["Retry", retry(), "meta", "control", ["control"]],
  ])("%s", (_title, step, effect, tier, kinds) => {
    expect(annotated(step)).toMatchObject({ effect, effect_tier: tier, effect_kinds: kinds });
  });

  it("list reads anywhere in data and writes of every op", () => {
    const value = {
      k: "map",
      entries: [["k", call("get", { k: "name", v: "b" }, { k: "path", root: "a", segments: ["x"] })]],
    };
    expect(annotated({ op: "Set", data: { name: "z", value } })).toMatchObject({ reads: ["a", "b"], writes: ["z"] });
    expect(annotated(r(variable("ad"), variable("ve"), variable("b"))).reads).toEqual(["ad", "b", "ve"]);
    expect(annotated({ op: "Loop", data: { list: variable("l"), item: "i" } })).toMatchObject({
      reads: ["l"],
      writes: ["_loop_last", "i"],
    });
    expect(annotated({ op: "Call", data: { out: "_call_result" } }).writes).toEqual(["_call_result"]);
    expect(annotated({ op: "Err", data: {} }).writes).toEqual(["_error", "_error_info"]);
    const cond = { c: "not", of: { c: "cmp", op: "<", left: variable("p"), right: variable("q") } };
    expect(annotated({ op: "While", data: { cond, limit: 1 } })).toMatchObject({
      reads: ["p", "q"],
      writes: ["_while_last"],
    });
  });
});

describe("facts of a node", () => {
  it("come from catalog and arguments", () => {
    expect(facts(r("http", "GET", str("https://API.Example.com:8443/a")))).toMatchObject([
      {
        adapter: "http",
        verb: "Get",
        privilege_tier: "network",
        destructive: true,
        network_facing: true,
        known: true,
        dynamic: false,
        literals: { hosts: ["api.example.com"] },
      },
    ]);
    expect(facts(r("fs", "copy", str("a"), variable("b")))).toMatchObject([
      { literals: { paths: ["a"] }, dynamic_roles: ["path"] },
    ]);
    expect(facts(r("queue", "put", str("jobs"), num(1)))).toMatchObject([{ literals: { queues: ["jobs"] } }]);
    expect(facts(r("http", "Get", str("not a url")))).toMatchObject([{ literals: { hosts: [] }, dynamic_roles: [] }]);
  });

  it("are worst case for what is unknown or computed", () => {
    expect(facts(r("ghost", "x"))).toMatchObject([
      {
        privilege_tier: "operator_sensitive",
        destructive: true,
        network_facing: true,
        sandbox_safe: false,
        known: false,
        dynamic: false,
      },
    ]);
    expect(facts(r(variable("a"), "x"))).toMatchObject([
      { adapter: null, dynamic: true, privilege_tier: "operator_sensitive" },
    ]);
    expect(facts(r("fs", variable("v")))).toMatchObject([
      { adapter: "fs", verb: null, dynamic: true, effect_tier: "io-write" },
    ]);
  });

  it("are those of the strongest verb, whichever comes first, and of the adapter where it lists none", () => {
    const cache = builtinCatalog.adapter("cache") as AdapterEntry;
    const known = cache.verbs[0] as VerbEntry;
    const [pure, reading, writing] = [
      { ...known, name: "a", kind: "z_pure", effect_tier: "pure" },
      { ...known, name: "b", kind: "m_read", effect_tier: "io-read" },
      { ...known, name: "c", kind: "a_write", effect_tier: "io-write" },
    ] as const;
    const worst = (verbs: readonly VerbEntry[], effect_default: AdapterEntry["effect_default"] = "io") => {
      const catalog = createCatalog([{ ...cache, verbs, effect_default }]);
      const [found] = capabilitiesOf("R", r("cache", "ghost").data as NodeData["R"], catalog);
      return [found?.effect, found?.effect_tier, found?.effect_kind, found?.effect_kinds];
    };
    const all = ["io", "io-write", "a_write", ["a_write", "m_read", "z_pure"]];
    for (const verbs of [
      [pure, reading, writing],
      [writing, reading, pure],
      [reading, writing, pure],
    ])
      expect(worst(verbs)).toEqual(all);
    expect(worst([pure, reading])).toEqual(["io", "io-read", "m_read", ["m_read", "z_pure"]]);
    expect(worst([])).toEqual(["io", "io-write", "unknown", ["unknown"]]);
    expect(worst([], "pure")).toEqual(["io", "pure", "compute", ["compute"]]);
  });

  it("know nothing against steps that call no adapter, and everything against a computed one", () => {
    const harmless = { adapter: null, verb: null, privilege_tier: "pure", destructive: false, network_facing: false };
    for (const step of [set(), branch("2"), retry()])
      expect(facts(step)).toMatchObject([
        { ...harmless, sandbox_safe: true, known: true, listed: true, dynamic: false },
      ]);
    const unlisted = { known: false, listed: false };
    expect(facts(r("ghost", "x"))).toMatchObject([{ ...unlisted, verb: "x", dynamic: false }]);
    expect(facts(r("ghost", variable("v")))).toMatchObject([{ ...unlisted, verb: null, dynamic: true }]);
    expect(facts(r(variable("a"), variable("v")))).toMatchObject([{ ...unlisted, verb: null, dynamic: true }]);
    expect(facts(r("cache", "ghost"))).toMatchObject([{ known: false, listed: true, dynamic: false }]);
  });

  it.each<[string, SampleStep, object]>([
    ["a folder that is left out is the root", r("fs", "list"), { literals: { paths: ["."] }, dynamic_roles: [] }],
    ["a folder that is given", r("fs", "list", str("a")), { literals: { paths: ["a"] }, dynamic_roles: [] }],
    ["a folder that is computed", r("fs", "list", variable("p")), { literals: { paths: [] }, dynamic_roles: ["path"] }],
    ["a path that is left out and may not", r("fs", "read"), { literals: { paths: [] }, dynamic_roles: [] }],
    [
      "a host, in lower case",
      r("extras", "tls_expiry", str("A.Example")),
      { literals: { hosts: ["a.example"] }, names_host: true },
    ],
    ["a number that is a name", r("queue", "put", num(7), num(1)), { literals: { queues: ["7"] }, dynamic_roles: [] }],
    [
      "a URL without a host",
      r("http", "get", str("data:text/plain,x")),
      { literals: { hosts: [] }, dynamic_roles: [] },
    ],
    [
      "a verb without places",
      r("core", "add", num(1), num(2)),
      { dynamic_roles: [], names_host: false, names_path: false },
    ],
  ])("name places: %s", (_title, step, expected) => expect(facts(step)).toMatchObject([expected]));

  it("name each host function as a call of core", () => {
    expect(facts(set("t", call("iso_ts")))).toMatchObject([
      { adapter: null },
      { adapter: "core", verb: "ISO_TS", effect_tier: "pure" },
    ]);
    expect(facts(set("t", call("iso_ts", num(1))))).toHaveLength(1);
    expect(facts(set("t", call("env", str("HOME"))))).toMatchObject([
      {},
      { verb: "ENV", effect_tier: "io-read", literals: { env: ["HOME"] } },
    ]);
  });
});

describe("label references", () => {
  it("means one label by any spelling", () => {
    const exists = (id: string) => ["2", "LATE", "ate", "chk/ENTRY"].includes(id);
    expect(["->L2", "L2", "2", "->2", "L2:", "-> L2"].map((word) => resolveReference(word, exists))).toEqual(
      Array(6).fill("2"),
    );
    expect(resolveReference("->LLATE", exists)).toBe("LATE");
    expect(resolveReference("Lchk/ENTRY", exists)).toBe("chk/ENTRY");
    expect(resolveReference("L9", exists)).toBe("9");
    expect(resolveReference("LATE", (id) => id === "LATE")).toBe("LATE");
  });
});
