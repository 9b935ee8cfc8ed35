import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import { ISSUE_CODES } from "../../../compiler/ir/issues.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";
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
  type RawIr,
  rawIr,
  request,
  retry,
  set,
  str,
  variable,
} from "./samples.ts";

type Draft = RawIr & Record<string, unknown>;
const issuesOf = (input: unknown) => {
  const result = normalize(input, builtinCatalog);
  return result.ok ? [] : result.issues;
};
const found = (input: unknown) => issuesOf(input).map((issue) => `${issue.code} ${issue.path}`);
const warnings = (input: unknown) => {
  const result = normalize(input, builtinCatalog);
  return result.ok ? result.warnings : ["refused", ...result.issues.map((issue) => issue.message)];
};
const nested = (levels: number) => {
  let operand: unknown = num(1);
  for (let level = 0; level < levels; level += 1) operand = list(operand);
  return operand;
};
/** A valid program with one change. */
const changed = (
  change: (draft: Draft) => void,
  program = { "1": [set(), branch("2", "3")], "2": [give()], "3": [give()] },
): Draft => {
  const draft: Draft = rawIr(program);
  change(draft);
  return draft;
};
const withNode = (member: string, value: unknown) =>
  changed((draft) => Object.assign(draft.nodes[0] ?? {}, { [member]: value }));
const withValue = (value: unknown) =>
  changed((draft) => Object.assign(draft.nodes[0] ?? {}, { data: { name: "x", value } }));
const withEdge = (edge: Record<string, unknown>) =>
  changed((draft) => draft.edges.push({ label: "1", from: "n1", to: "n2", to_kind: "node", port: "next", ...edge }));

describe("normalised IR", () => {
  it("is equal to what the compiler made", () => {
    const example = exampleIr();
    expect(normalize(example, builtinCatalog)).toEqual({ ok: true, ir: example, warnings: [] });
  });

  it("is filled in from version, nodes and edges alone", () => {
    const example = exampleIr();
    const least = {
      ir_version: "1",
      nodes: example.nodes.map(({ id, label, op, data }) => ({ id, label, op, data })),
      edges: example.edges,
    };
    const result = normalize(least, builtinCatalog);
    expect(result).toMatchObject({ ok: true, ir: { entry: "1", labels: example.labels, edges: example.edges } });
    if (result.ok) {
      expect(result.ir.nodes).toEqual(example.nodes.map(({ line: _line, ...node }) => node));
      expect(normalize(result.ir, builtinCatalog)).toEqual({ ...result, warnings: [] });
    }
  });

  it("does not depend on the order of nodes, edges and members", () => {
    const example = exampleIr();
    const result = normalize(
      { ...example, nodes: [...example.nodes].reverse(), edges: [...example.edges].reverse() },
      builtinCatalog,
    );
    expect(result).toMatchObject({ ok: true, ir: { checksum: example.checksum } });
  });

  it.each(["1", "1.0", "1.0.0", "1.7"])("accepts version %s as 1.0", (version) => {
    expect(
      normalize(
        changed((draft) => Object.assign(draft, { ir_version: version })),
        builtinCatalog,
      ),
    ).toMatchObject({ ok: true, ir: { ir_version: "1.0" } });
  });

  it("folds adapters, verbs and functions to their canonical spelling", () => {
    const input = rawIr({
      "1": [request("HTTP", "GET"), request("ghost", "Do"), set("x", call("core.ADD", num(1))), give()],
    });
    const result = normalize(input, builtinCatalog);
    expect(result.ok && result.ir.nodes.map((node) => node.data)).toMatchObject([
      { adapter: "http", verb: "Get" },
      { adapter: "ghost", verb: "Do" },
      { value: { fn: "add" } },
      {},
    ]);
  });

  it("takes the default entry of the language where none is given", () => {
    const entryOf = (input: unknown) => {
      const result = normalize(input, builtinCatalog);
      return result.ok ? result.ir.entry : result.issues;
    };
    expect(entryOf(rawIr({ _anon: [give()], b: [give()] }))).toBe("b");
    expect(entryOf(rawIr({ _anon: [give()] }))).toBe("_anon");
    expect(entryOf({ ...rawIr({ b: [give()] }), entry: null })).toBe(null);
    const included = rawIr({ "m/x": [give()], main: [give()] });
    Object.assign(included.nodes[0] ?? {}, { file: "m.wf" });
    expect(entryOf(included)).toBe("main");
  });

  it("keeps keys such as __proto__ of map operands as data", () => {
    const map = {
      k: "map",
      entries: [
        ["__proto__", num(1)],
        ["constructor", num(2)],
      ],
    };
    const result = normalize(withValue(map), builtinCatalog);
    expect(result.ok && result.ir.nodes[0]?.data).toEqual({ name: "x", value: map });
  });

  it("keeps the empty words of a program that was compiled non-strict", () => {
    const source = 'L1:\n  X v "" 1\n  Filt r [] k "" 1\n  Tx "" t\n  J (concat v r)\n';
    const { ir } = compile(source, { strict: false, catalog: builtinCatalog });
    const result = normalize(JSON.parse(JSON.stringify(ir)), builtinCatalog);
    expect(result.ok ? result.ir : result.issues).toEqual(ir);
  });

  it("ignores foreign requirements and recomputes them", () => {
    const example = exampleIr();
    const result = normalize(
      { ...example, execution_requirements: { isolation_level: "none", required_capabilities: ["svc"] } },
      builtinCatalog,
    );
    expect(result).toMatchObject({
      ok: true,
      ir: { execution_requirements: example.execution_requirements },
      warnings: [],
    });
  });

  it("warns of ignored members and of nodes that nothing reaches", () => {
    expect(warnings(changed((draft) => Object.assign(draft, { extra: 1, legacy: {} })))).toEqual([
      "field_ignored: /extra",
      "legacy_ignored",
    ]);
    expect(warnings(withNode("colour", "red"))).toEqual(["field_ignored: /nodes/0/colour"]);
    expect(warnings(rawIr({ "1": [give(), set()] }))).toEqual(["orphan_node: n2 of label '1' is never reached"]);
    expect(warnings(rawIr({ "1": [{ ...branch("2"), err: "n2" }, handler("2")], "2": [give()] }))).toEqual([]);
  });
});

describe("issues", () => {
  const cases: [string, unknown, string[]][] = [
    ["no object", 7, ["schema "]],
    ["a list", [], ["schema "]],
    ["IR of the predecessor without labels", { ir_version: "1.0", services: {}, types: {} }, ["schema /labels"]],
    ["IR of the predecessor with labels that are empty", { ir_version: "1.0", labels: {} }, ["schema /labels"]],
    ["steps of the predecessor outside of labels", { steps: [{ op: "J", var: "x" }] }, ["schema /labels"]],
    ["nothing but an object", {}, ["schema /edges", "schema /ir_version", "schema /nodes"]],
    [
      "a version of the wrong type",
      changed((draft) => Object.assign(draft, { ir_version: 1 })),
      ["schema /ir_version"],
    ],
    ["a malformed version", changed((draft) => Object.assign(draft, { ir_version: "one" })), ["schema /ir_version"]],
    ["another major", { ir_version: "2.0", nodes: [], edges: [] }, ["unsupported_ir_version /ir_version"]],
    ["labels that are not an object", changed((draft) => Object.assign(draft, { labels: [] })), ["schema /labels"]],
    ["an entry of the wrong type", changed((draft) => Object.assign(draft, { entry: 1 })), ["schema /entry"]],
    ["a function", { ir_version: "1.0", nodes: () => 1, edges: [] }, ["schema /nodes"]],
    ["a hole in a list", { ir_version: "1.0", nodes: new Array(1), edges: [] }, ["schema /nodes/0"]],
    ["infinity", withValue({ k: "num", v: Number.POSITIVE_INFINITY }), ["bad_number /nodes/0/data/value/v"]],
    [
      "a forbidden member",
      JSON.parse('{"ir_version":"1.0","nodes":[],"edges":[],"labels":{"__proto__":{}}}'),
      ["forbidden_member /labels/__proto__"],
    ],
    [
      "a forbidden label id",
      changed((draft) => Object.assign(draft.nodes[1] ?? {}, { label: "constructor" })),
      ["forbidden_member /nodes/1/label", "missing_node"],
    ],
    ["deep nesting", withValue(nested(300)), ["too_large"]],
    ["a long text", withValue(str("x".repeat(1024 * 1024 + 1))), ["too_large /nodes/0/data/value/v"]],
    [
      "much JSON",
      changed((draft) => Object.assign(draft, { extra: Array(9).fill("x".repeat(1000 * 1000)) })),
      ["too_large "],
    ],
    ["a long name", withNode("data", { name: "x".repeat(257), value: num(1) }), ["too_large /nodes/0/data/name"]],
    [
      "a long label id",
      changed((draft) => Object.assign(draft, { labels: { ["x".repeat(300)]: {} } })),
      ["too_large", "missing_label"],
    ],
    ["a node that is not an object", changed((draft) => draft.nodes.push(null as never)), ["schema /nodes/4"]],
    ["a missing data", withNode("data", undefined), ["schema /nodes/0/data"]],
    ["a missing member", withNode("data", { name: "x" }), ["schema /nodes/0/data/value"]],
    [
      "a further member of data",
      withNode("data", { name: "x", value: num(1), out: "y" }),
      ["unknown_member /nodes/0/data/out"],
    ],
    ["a further member of an operand", withValue({ k: "num", v: 1, w: 2 }), ["unknown_member /nodes/0/data/value/w"]],
    [
      "a further member of an edge",
      withEdge({ from: "n2", port: "then", to: "2", to_kind: "label", analysis_only: true }),
      ["duplicate_edge", "unknown_member /edges/3/analysis_only"],
    ],
    ["an unknown op", withNode("op", "Jump"), ["missing_node", "unknown_op /nodes/0/op"]],
    ["an op from the prototype", withNode("op", "toString"), ["missing_node", "unknown_op /nodes/0/op"]],
    ["an unknown operand kind", withValue({ k: "regex", v: "a" }), ["unknown_kind /nodes/0/data/value/k"]],
    [
      "an unknown condition",
      changed((draft) => Object.assign(draft.nodes[1] ?? {}, { data: { cond: { c: "maybe" } } })),
      ["unknown_kind /nodes/1/data/cond/c"],
    ],
    [
      "a double negation",
      changed((draft) =>
        Object.assign(draft.nodes[1] ?? {}, {
          data: { cond: { c: "not", of: { c: "not", of: { c: "truthy", of: num(1) } } } },
        }),
      ),
      ["schema /nodes/1/data/cond/of"],
    ],
    ["an unknown port", withEdge({ port: "goto" }), ["unknown_port /edges/3/port"]],
    ["a bad node id", withNode("id", "n0"), ["bad_id /nodes/0/id", "missing_node"]],
    ["a bad label id", withNode("label", "a b"), ["bad_id /nodes/0/label", "missing_node"]],
    ["a bad name", withNode("data", { name: "1x", value: num(1) }), ["bad_name /nodes/0/data/name"]],
    ["a bad variable", withValue(variable("a.b")), ["bad_name /nodes/0/data/value/v"]],
    [
      "a repeated key",
      withValue({
        k: "map",
        entries: [
          ["a", num(1)],
          ["a", num(2)],
        ],
      }),
      ["schema /nodes/0/data/value/entries/1/0"],
    ],
    ["an empty path", withValue({ k: "path", root: "a", segments: [] }), ["schema /nodes/0/data/value/segments"]],
    ["a bad line", withNode("line", 0), ["bad_number /nodes/0/line"]],
    [
      "a bad limit",
      changed((draft) =>
        Object.assign(draft.nodes[1] ?? {}, { op: "While", data: { cond: { c: "truthy", of: num(1) }, limit: 1.5 } }),
      ),
      ["bad_number /nodes/1/data/limit", "missing_edge", "port_not_allowed"],
    ],
    ["a node twice", changed((draft) => draft.nodes.push({ ...draft.nodes[0] })), ["duplicate_node /nodes/4/id"]],
    [
      "a label that labels lacks",
      changed((draft) => Object.assign(draft, { labels: { "1": {}, "2": {} } })),
      ["missing_label /nodes/3/label"],
    ],
    [
      "an edge to a missing label",
      withEdge({ from: "n2", port: "else", to: "9", to_kind: "label" }),
      ["duplicate_edge", "missing_label /edges/3/to"],
    ],
    ["an entry that is missing", changed((draft) => Object.assign(draft, { entry: "9" })), ["missing_label /entry"]],
    [
      "an endpoint to nowhere",
      changed((draft) => Object.assign(draft, { endpoints: [{ method: "GET", path: "/", label: "9" }] })),
      ["missing_label /endpoints/0/label"],
    ],
    ["an edge to a missing node", withEdge({ to: "n9", port: "err" }), ["missing_node /edges/3/to"]],
    [
      "a label entered at a missing node",
      changed((draft) => Object.assign(draft, { labels: { "1": { entry: "n7" }, "2": {}, "3": {} } })),
      ["missing_node /labels/1/entry"],
    ],
    [
      "a port of another op",
      withEdge({ from: "n1", port: "then", to: "2", to_kind: "label" }),
      ["port_not_allowed /edges/3/port"],
    ],
    ["a next out of a branch", withEdge({ from: "n2", to: "n1" }), ["port_not_allowed /edges/3/port", "next_cycle"]],
    ["an err edge to no Err", withEdge({ port: "err" }), ["port_not_allowed /edges/3/port"]],
    [
      "a label port to a node",
      withEdge({ from: "n2", to: "n1", port: "else" }),
      ["duplicate_edge", "port_not_allowed /edges/3/port"],
    ],
    ["a missing handler", rawIr({ "1": [{ ...handler("1"), to: {} }, give()] }), ["missing_edge /nodes/0"]],
    [
      "a loop without after",
      rawIr({ "1": [{ ...loop(variable("x"), "1", "1"), to: { body: "1" } }] }),
      ["missing_edge /nodes/0"],
    ],
    ["a call without label", rawIr({ "1": [{ ...invoke("1"), to: {} }, give()] }), ["missing_edge /nodes/0"]],
    ["two next edges", withEdge({}), ["duplicate_edge /edges/3"]],
    [
      "a next cycle",
      changed(
        (draft) =>
          draft.edges.push(
            { label: "4", from: "n1", to: "n2", to_kind: "node", port: "next" },
            { label: "4", from: "n2", to: "n1", to_kind: "node", port: "next" },
          ),
        { "1": [give()], "4": [set(), { ...set(), op: "Set" }] } as never,
      ),
      ["duplicate_edge", "next_cycle /edges/2"],
    ],
    ["a lying effect", withNode("effect", "io"), ["annotation_mismatch /nodes/0/effect"]],
    ["lying reads", withNode("reads", ["y"]), ["annotation_mismatch /nodes/0/reads"]],
    [
      "lying exits",
      changed((draft) => Object.assign(draft, { labels: { "1": { exits: ["n1"] }, "2": {}, "3": {} } })),
      ["annotation_mismatch /labels/1/exits"],
    ],
    [
      "a lying label entry",
      changed((draft) => Object.assign(draft, { labels: { "1": { entry: "n2" }, "2": {}, "3": {} } })),
      ["annotation_mismatch /labels/1/entry"],
    ],
    ["another checksum", { ...exampleIr(), checksum: `sha256:${"0".repeat(64)}` }, ["checksum_mismatch /checksum"]],
    ["a checksum of the wrong type", { ...exampleIr(), checksum: 1 }, ["schema /checksum"]],
    [
      "a nested host function",
      withValue(call("add", call("now"))),
      ["nested_host_function /nodes/0/data/value/args/0"],
    ],
    [
      "a host function as an argument",
      rawIr({ "1": [request("http", "Get", [call("UUID")]), give()] }),
      ["nested_host_function /nodes/0/data/args/0"],
    ],
    ["no nodes", { ir_version: "1.0", nodes: [], edges: [] }, ["nothing_to_run /nodes"]],
    [
      "an empty entry",
      changed((draft) => Object.assign(draft, { entry: "9", labels: { "1": {}, "2": {}, "3": {}, "9": {} } })),
      ["nothing_to_run /entry"],
    ],
    [
      "a computed cache step",
      rawIr({
        "1": [
          { op: "CacheGet", data: { adapter: "fs", verb: "get", args: [str("c"), num(1)], out: "d", fallback: null } },
          give(),
        ],
      }),
      ["schema /nodes/0/data/adapter"],
    ],
    [
      "too few arguments",
      rawIr({ "1": [{ op: "Enf", data: { adapter: "auth", verb: "enforce", args: [str("p")], out: null } }, give()] }),
      ["schema /nodes/0/data/args"],
    ],
    [
      "an odd order",
      rawIr({ "1": [{ op: "Sort", data: { name: "x", list: list(), field: "f", order: "up" } }, give()] }),
      ["schema /nodes/0/data/order"],
    ],
    [
      "a declaration without slots",
      changed((draft) => Object.assign(draft, { declarations: [{ op: "S" }] })),
      ["schema /declarations/0/slots"],
    ],
    [
      "a record that contradicts its edge",
      {
        ir_version: "1.0",
        labels: {
          "1": {
            nodes: [{ id: "n1", op: "Call", data: { op: "Call", label: "2" } }],
            edges: [{ from: "n1", to: "1", to_kind: "label", port: "call" }],
          },
          "2": { nodes: [] },
        },
      },
      ["data_edge_mismatch /labels/1/nodes/0/data/label"],
    ],
  ];

  it.each(cases)("%s", (_title, input, expected) => {
    const codes = found(input);
    for (const one of expected)
      expect(
        codes.some((code) => code === one || code.split(" ")[0] === one),
        `${one} in ${codes.join(", ")}`,
      ).toBe(true);
    const wanted = new Set(expected.map((one) => one.split(" ")[0]));
    expect(codes.filter((code) => !wanted.has(code.split(" ")[0]))).toEqual([]);
  });

  it("are tested code by code", () => {
    const produced = new Set(cases.flatMap(([, input]) => issuesOf(input).map((issue) => issue.code)));
    expect([...produced].sort()).toEqual([...ISSUE_CODES].sort());
  });

  it("are at most 100, ordered by path, with label and node", () => {
    const nodes = Array.from({ length: 300 }, (_, index) => ({
      id: `n${index + 1}`,
      label: "1",
      op: "Set",
      data: { name: "1", value: num(1) },
    }));
    const issues = issuesOf({ ir_version: "1.0", nodes: nodes.reverse(), edges: [] });
    expect(issues).toHaveLength(100);
    expect(issues.map((issue) => issue.path)).toEqual(
      Array.from({ length: 100 }, (_, index) => `/nodes/${index}/data/name`),
    );
    expect(issues[0]).toMatchObject({ code: "bad_name", label_id: "1", node_id: "n300" });
  });

  it("never quote values", () => {
    for (const issue of issuesOf(withValue({ k: "num", v: "SECRET" })))
      expect(JSON.stringify(issue)).not.toContain("SECRET");
  });
});

describe("facts that depend on the operator", () => {
  const foreign = (adapter: string, annotations: Record<string, unknown>) =>
    changed((draft) => Object.assign(draft.nodes[0] ?? {}, annotations), {
      "1": [request(adapter, "Do"), give()],
    } as never);

  it.each(["tools", "ghost"])("only an understated tier of %s is a mismatch", (adapter) => {
    const plugin = { effect: "pure", effect_tier: "io-write", effect_kinds: ["http"] };
    expect(found(foreign(adapter, plugin))).toEqual([]);
    expect(found(foreign(adapter, { ...plugin, effect_tier: "io-read" }))).toEqual([
      "annotation_mismatch /nodes/0/effect_tier",
    ]);
    expect(found(foreign(adapter, { ...plugin, reads: ["x"] }))).toEqual(["annotation_mismatch /nodes/0/reads"]);
  });

  it("every difference counts for the built-in ones", () => {
    expect(found(foreign("fs", { effect_kinds: ["http"] }))).toEqual(["annotation_mismatch /nodes/0/effect_kinds"]);
  });

  it("uses the host's catalog", () => {
    const raised = createCatalog(
      builtinAdapters.map((entry) =>
        entry.name === "db" ? { ...entry, privilege_tier: "network", network_facing: true } : entry,
      ),
    );
    const result = normalize(rawIr({ "1": [request("db", "F", [str("User")]), give()] }), raised);
    expect(result).toMatchObject({ ok: true, ir: { execution_requirements: { isolation_level: "process" } } });
  });
});

describe("the retry step", () => {
  it("protects by its edge", () => {
    const result = normalize(rawIr({ "1": [{ ...set(), retry: "n2" }, retry(), give()] }), builtinCatalog);
    expect(result).toMatchObject({ ok: true, warnings: [] });
  });
});
