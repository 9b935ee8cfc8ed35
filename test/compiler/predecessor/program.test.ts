import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";

type Record_ = Record<string, unknown>;
const chained = (records: readonly Record_[]) => ({
  nodes: records.map((data, index) => ({
    id: `n${index + 1}`,
    op: data["op"],
    effect: "whatever",
    reads: ["lies"],
    writes: [],
    data,
  })),
  edges: records
    .slice(1)
    .map((_, index) => ({ from: `n${index + 1}`, to: `n${index + 2}`, to_kind: "node", port: "next" }))
    .filter((_, index) => !["J", "If", "Loop", "While"].includes(String(records[index]?.["op"]))),
  entry: "n1",
  exits: [],
});
const program = (labels: Record<string, readonly Record_[]>, more: Record_ = {}) => ({
  ir_version: "1.0.0",
  labels: Object.fromEntries(Object.entries(labels).map(([id, records]) => [id, chained(records)])),
  ...more,
});
const normalised = (input: unknown) => {
  const result = normalize(input, builtinCatalog);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result;
};
/** Data of the first node. */
const dataOf = (record: Record_, more: Record_ = {}) =>
  normalised(
    program({ "1": [record, { op: "J", var: "1" }], "2": [{ op: "J", var: "2" }], "3": [{ op: "J", var: "3" }] }, more),
  ).ir.nodes[0]?.data;
const found = (input: unknown) => {
  const result = normalize(input, builtinCatalog);
  return result.ok ? [] : result.issues.map((issue) => `${issue.code} ${issue.path}`);
};

describe("step records", () => {
  it.each<[string, Record_, unknown]>([
    [
      "a call",
      { op: "R", adapter: "core.ADD", target: "2", args: ["$n"], out: "x" },
      {
        adapter: "core",
        verb: "ADD",
        args: [
          { k: "num", v: 2 },
          { k: "var", v: "n" },
        ],
        out: "x",
      },
    ],
    [
      "a call without arguments",
      { op: "R", adapter: "core.NOW", target: "", args: [], out: "->t" },
      { adapter: "core", verb: "NOW", args: [], out: "t" },
    ],
    [
      "a call with one empty text",
      { op: "R", adapter: "core.ECHO", target: "", args: [], out: "t", raw: ["core.echo", "", "->t"] },
      { adapter: "core", verb: "ECHO", args: [{ k: "str", v: "" }], out: "t" },
    ],
    [
      "a call without arguments, as written",
      { op: "R", adapter: "core.NOW", target: "", args: [], out: "t", raw: ["core.now", "->t"] },
      { adapter: "core", verb: "NOW", args: [], out: "t" },
    ],
    [
      "a verb in the target",
      { op: "R", adapter: "http", target: "GET", args: ["https://a.example"] },
      { adapter: "http", verb: "Get", args: [{ k: "str", v: "https://a.example" }], out: "res" },
    ],
    [
      "literal fields",
      { op: "R", adapter: "core.CONCAT", target: "a", args: ["b", "c"], __literal_fields: ["target", "args.1"] },
      {
        args: [
          { k: "str", v: "a" },
          { k: "name", v: "b" },
          { k: "str", v: "c" },
        ],
      },
    ],
    [
      "JSON values",
      { op: "R", adapter: "http.Post", target: "u", args: [{ a: ["x", null] }] },
      {
        args: [
          { k: "name", v: "u" },
          { k: "map", entries: [["a", { k: "list", items: [{ k: "str", v: "x" }, { k: "null" }] }]] },
        ],
      },
    ],
    [
      "an assignment",
      { op: "Set", name: "a", ref: "b.c" },
      { name: "a", value: { k: "path", root: "b", segments: ["c"], text: "b.c" } },
    ],
    [
      "a function",
      { op: "X", dst: "n", fn: "core.ADD", args: ["a", "1"] },
      {
        name: "n",
        value: {
          k: "call",
          fn: "add",
          args: [
            { k: "name", v: "a" },
            { k: "num", v: 1 },
          ],
        },
      },
    ],
    [
      "a function with a key",
      { op: "X", name: "n", fn: "get", args: ["o", "a[0].b"] },
      {
        value: {
          k: "call",
          fn: "get",
          args: [
            { k: "name", v: "o" },
            { k: "str", v: "a.0.b" },
          ],
        },
      },
    ],
    ["a plain value", { op: "X", name: "n", fn: "other", args: [] }, { name: "n", value: { k: "name", v: "other" } }],
    [
      "a filter",
      { op: "Filter", name: "f", ref: "xs", field: "a", cmp: "=", value: "1" },
      { name: "f", list: { k: "name", v: "xs" }, field: "a", cmp: "==", value: { k: "num", v: 1 } },
    ],
    [
      "a sort",
      { op: "Sort", name: "s", ref: "xs", field: "a", order: "DESC" },
      { name: "s", list: { k: "name", v: "xs" }, field: "a", order: "desc" },
    ],
    [
      "a cache read",
      { op: "CacheGet", name: "c", key: "k", out: "v" },
      {
        adapter: "cache",
        verb: "get",
        args: [
          { k: "str", v: "c" },
          { k: "name", v: "k" },
        ],
        out: "v",
        fallback: null,
      },
    ],
    [
      "a cache write",
      { op: "CacheSet", name: "c", key: "k", value: "v", ttl_s: "60" },
      {
        args: [
          { k: "str", v: "c" },
          { k: "name", v: "k" },
          { k: "name", v: "v" },
          { k: "num", v: 60 },
        ],
        out: null,
      },
    ],
    [
      "a queue",
      { op: "QueuePut", queue: "q", value: "v" },
      {
        adapter: "queue",
        verb: "Put",
        args: [
          { k: "str", v: "q" },
          { k: "name", v: "v" },
        ],
        out: null,
      },
    ],
    [
      "a transaction",
      { op: "Tx", action: "BEGIN", name: "t" },
      { adapter: "txn", verb: "begin", args: [{ k: "str", v: "t" }], out: "_txid" },
    ],
    [
      "a retry",
      { op: "Retry", count: "5", backoff_ms: "", strategy: "exponential" },
      { count: { k: "num", v: 5 }, backoff_ms: { k: "num", v: 0 }, strategy: "exponential" },
    ],
  ])("%s", (_title, record, data) => {
    expect(dataOf(record)).toMatchObject(data as object);
  });

  it("name labels by any spelling, which become edges", () => {
    const input = program({
      "1": [
        { op: "Call", label: "L2", out: "r" },
        { op: "Err", handler: "->L3" },
        { op: "ForEach", ref: "xs", item: "i", body: "2", after: "L3:" },
      ],
      "2": [{ op: "If", cond: "x", then: "->3", else: "L3" }],
      "3": [{ op: "While", cond: "x", body: "4", after: "4", limit: "7" }],
      "4": [{ op: "J" }],
    });
    const { ir } = normalised(input);
    expect(
      ir.edges
        .filter((edge) => edge.to_kind === "label")
        .map((edge) => `${edge.label}.${edge.from} ${edge.port} ${edge.to}`),
    ).toEqual([
      "1.n1 call 2",
      "1.n2 handler 3",
      "1.n3 after 3",
      "1.n3 body 2",
      "2.n1 else 3",
      "2.n1 then 3",
      "3.n1 after 4",
      "3.n1 body 4",
    ]);
    expect(ir.nodes.find((node) => node.op === "While")?.data).toMatchObject({ limit: 7 });
    expect(ir.nodes.at(-1)?.data).toEqual({ value: { k: "var", v: "data" } });
    expect(ir.entry).toBe("1");
  });

  it("give the same IR when normalised again", () => {
    const first = normalised(
      program({
        "1": [
          { op: "R", adapter: "core.ADD", target: "1", args: ["2"], out: "x", lineno: 3 },
          { op: "J", var: "x" },
        ],
      }),
    );
    expect(first.ir.nodes[0]).toMatchObject({ line: 3, effect: "pure", reads: [], writes: ["x"] });
    expect(normalize(first.ir, builtinCatalog)).toEqual({ ok: true, ir: first.ir, warnings: [] });
  });
});

describe("declarations", () => {
  const capabilities = {
    allow: ["http"],
    cache: { c: { key: "k", ttl: 60, default: "none" } },
    queue: { q: { max: 5, retry: 2 } },
    txn: { t: { adapter: "sqlite", mode: "readonly" } },
    policy: { p: { constraints: { auth: "1", role: "admin" } } },
  };
  const more = {
    capabilities,
    services: {
      core: {
        mode: "web",
        path: "/api",
        eps: { "/orders": { G: { label_id: "2", return_var: "->rows" } }, "/x": { method: "P", tgt: "->L3" } },
      },
      tool_surface: { a: 1 },
    },
    crons: [{ label: "L3", expr: "0 2 * * *" }],
    types: { Order: { fields: { id: "I", note: "S?" } } },
    runtime_policy: { a: 1 },
  };

  it("keep their meaning", () => {
    const { ir, warnings } = normalised(program({ "1": [{ op: "J" }], "2": [{ op: "J" }], "3": [{ op: "J" }] }, more));
    expect(ir.declarations.map(({ op, slots }) => [op, ...slots].join(" "))).toEqual([
      "S core web /api",
      "D Order id:I note:S?",
      "Q q 5 2",
      "C c k 60 none",
      "Pol p auth=1 role=admin",
      "Txn t sqlite readonly",
      "Cr 3 0 2 * * *",
    ]);
    expect(ir.endpoints.map(({ method, path, label, returns }) => [method, path, label, returns])).toEqual([
      ["GET", "/orders", "2", "rows"],
      ["POST", "/x", "3", null],
    ]);
    expect(warnings).toEqual(["field_ignored: /capabilities/allow"]);
  });

  it("of labels that its compiler derived are left out in silence, others are named", () => {
    const input = program({ "1": [{ op: "J" }] });
    Object.assign(input.labels["1"] ?? {}, { slots: [], emit_edges: [], effect_summary: {}, id_hash: "a", note: "b" });
    expect(normalised(input).warnings).toEqual(["field_ignored: /labels/1/note"]);
  });

  it("reach the steps that use them", () => {
    expect(dataOf({ op: "CacheGet", name: "c", key: "k" }, more)).toMatchObject({
      out: "data",
      fallback: { k: "str", v: "none" },
    });
    expect(dataOf({ op: "CacheSet", name: "c", key: "k", value: "v" }, more)).toMatchObject({
      args: [{}, {}, {}, { k: "num", v: 60 }],
    });
    expect(dataOf({ op: "Tx", action: "begin", name: "t" }, more)).toMatchObject({
      args: [
        { v: "t" },
        {
          k: "map",
          entries: [
            ["resource", { v: "sqlite" }],
            ["mode", { v: "readonly" }],
          ],
        },
      ],
    });
    expect(dataOf({ op: "Enf", policy: "p" }, more)).toMatchObject({
      args: [
        { v: "p" },
        {
          entries: [
            ["auth", { k: "str", v: "1" }],
            ["role", { k: "str", v: "admin" }],
          ],
        },
        {},
      ],
    });
  });
});

describe("refusals", () => {
  const labelOf = (nodes: unknown, edges: unknown = []) => ({ ir_version: "1.0", labels: { "1": { nodes, edges } } });

  it("name the place in the input", () => {
    expect(found(labelOf([{ id: "n1", op: "R", data: { op: "J" } }]))).toEqual(["schema /labels/1/nodes/0/data/op"]);
    expect(found(labelOf([{ id: "n1", op: "Jump", data: {} }]))).toEqual(["unknown_op /labels/1/nodes/0/op"]);
    expect(found(labelOf([{ id: "n1", op: "J" }]))).toEqual(["schema /labels/1/nodes/0/data"]);
    expect(found(labelOf([{ id: "n1", op: "If", data: { cond: "a b", then: "1" } }]))).toEqual([
      "schema /labels/1/nodes/0/data/cond",
    ]);
    expect(found(labelOf([{ id: "n1", op: "Call", data: { label: "9" } }]))).toEqual([
      "missing_label /labels/1/nodes/0/data/label/to",
    ]);
    expect(
      found({
        ir_version: "1.0",
        labels: {
          "1": {
            nodes: [
              { id: "n1", data: { op: "Set", name: "a", ref: "1" } },
              { id: "n2", data: { op: "J" } },
            ],
          },
        },
      }),
    ).toEqual(["schema /labels/1/edges"]);
  });

  it("let no rule pass that is not declared", () => {
    const enforcing = (more: Record_) =>
      program(
        {
          "1": [
            { op: "Enf", policy: "p" },
            { op: "J", var: "1" },
          ],
        },
        more,
      );
    expect(found(enforcing({}))).toEqual(["schema /labels/1/nodes/0/data/policy"]);
    expect(found(enforcing({ capabilities: { policy: { q: { role: "admin" } } } }))).toHaveLength(1);
    expect(found(enforcing({ capabilities: { policy: { p: {} } } }))).toEqual([]);
    expect(found(program({ "1": [{ op: "Enf", name: "p" }, { op: "J" }] }))).toEqual([
      "schema /labels/1/nodes/0/data/name",
    ]);
  });

  it("let no understated call pass", () => {
    const node = (tier: string) =>
      labelOf([
        { id: "n1", op: "R", effect_tier: tier, data: { op: "R", adapter: "http.Post", target: "u", args: [] } },
      ]);
    expect(found(node("io-read"))).toEqual(["annotation_mismatch /labels/1/nodes/0/effect_tier"]);
    expect(found(node("io-write"))).toEqual([]);
    expect(found(node("network"))).toEqual([]);
  });

  it("never run a legacy block", () => {
    const input = { ir_version: "1.0", labels: { "1": { legacy: { steps: [{ op: "J", var: "x" }] } } } };
    expect(found(input)).toEqual(["nothing_to_run /nodes"]);
    const withLegacy = { ...program({ "1": [{ op: "J" }] }) };
    Object.assign(withLegacy.labels["1"] ?? {}, { legacy: { steps: [] } });
    expect(normalised(withLegacy).warnings).toEqual(["legacy_ignored"]);
  });

  it("drop edges that only an analysis drew", () => {
    const input = program({ "1": [{ op: "Call", label: "2" }, { op: "J" }], "2": [{ op: "J" }] });
    input.labels["1"]?.edges.push({
      from: "n1",
      to: "1",
      to_kind: "label",
      port: "call",
      analysis_only: true,
    } as never);
    expect(normalised(input).ir.edges.find((edge) => edge.port === "call")?.to).toBe("2");
  });
});

it("steps chained below a J, which nothing ever ran, are kept out of the flow", () => {
  const label = chained([
    { op: "J", var: "1" },
    { op: "Set", name: "a", ref: "2" },
    { op: "J", var: "a" },
  ]);
  const edges = [
    { from: "n1", to: "n2", to_kind: "node", port: "next" },
    { from: "n2", to: "n3", to_kind: "node", port: "next" },
  ];
  const { ir, warnings } = normalised({ ir_version: "1.0.0", labels: { "1": { ...label, edges } } });
  expect(ir.edges.map(({ from, to }) => [from, to])).toEqual([["n2", "n3"]]);
  expect(warnings.filter((warning) => warning.startsWith("orphan_node"))).not.toEqual([]);
});
