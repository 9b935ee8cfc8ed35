/** The statements of the contract about the IR: its shape, its checksum, and IR that comes from outside. */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { verifies } from "../support/requirements.ts";
import { catalog, irOf, type Verbs, world } from "../support/world.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

/** As IR arrives from outside: parsed JSON. */
const sent = (ir: unknown): unknown => JSON.parse(JSON.stringify(ir));

function accepted(input: unknown): { ir: Ir; warnings: readonly string[] } {
  const result = normalize(sent(input), catalog);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.issues)}`);
  return result;
}

function refused(input: unknown): { status: string; codes: string[] } {
  const result = normalize(sent(input), catalog);
  return result.ok
    ? { status: "accepted", codes: [] }
    : { status: result.status, codes: result.issues.map((issue) => issue.code) };
}

const PROGRAM = lines(
  "S demo api /demo",
  "# frame: amount: number",
  "L1:",
  '  R ext.ECHO {"rate": 2} ->page',
  "  Err ->L_down",
  "  Retry 2 0",
  "  Set due (mul amount page.rate)",
  "  If due > 100 ->L_big ->L_loop",
  "L_big:",
  '  J {"due": due}',
  "L_loop:",
  "  Loop [1, 2] i ->L_add ->L_end",
  "L_add:",
  "  X due add due 2",
  "  J due",
  "L_end:",
  "  While due < 20 ->L_add2 ->L_out limit=50",
  "L_add2:",
  "  Call L_add ->r",
  "  J r",
  "L_out:",
  "  J [due, $r]",
  "L_down:",
  '  J "down"',
);
const EXT: Verbs = { ECHO: (args) => args[0] };

/** Results of an IR for three frames. */
async function results(ir: Ir): Promise<unknown[]> {
  const { host } = world({ ext: EXT });
  const answers = [];
  for (const amount of [60, 1, 9]) answers.push(await host.run({ ir, frame: { amount } }));
  return answers.map((answer) => (answer.ok ? answer.out : answer.error));
}

describe("compiled IR", () => {
  const ir = irOf(PROGRAM);

  it("carries ir_version as a string", () => {
    verifies("ir.ir_version");
    expect(ir.ir_version).toBe("1.0");
    expect(refused({ ...ir, ir_version: 1 }).status).not.toBe("accepted");
    expect(refused({ ...ir, ir_version: "2.0" }).status).toBe("unsupported_ir_version");
  });

  it("carries nodes as an array", () => {
    verifies("ir.nodes");
    expect(Array.isArray(ir.nodes)).toBe(true);
    expect(ir.nodes.map((node) => node.op).join(" ")).toBe("R Err Retry Set If J Loop X J While Call J J J");
    expect(refused({ ir_version: "1.0", nodes: {}, edges: [] }).status).toBe("invalid_ir");
  });

  it("carries edges as an array", () => {
    verifies("ir.edges");
    expect(Array.isArray(ir.edges)).toBe(true);
    expect(new Set(ir.edges.map((edge) => edge.port))).toEqual(
      new Set(["next", "err", "retry", "handler", "then", "else", "body", "after", "call"]),
    );
    expect(refused({ ir_version: "1.0", nodes: ir.nodes, edges: "none" }).status).toBe("invalid_ir");
  });

  it("has exactly the canonical members", () => {
    verifies("ir.canonical-shape");
    expect(Object.keys(ir).sort()).toEqual([
      "checksum",
      "declarations",
      "edges",
      "endpoints",
      "entry",
      "execution_requirements",
      "ir_version",
      "labels",
      "nodes",
    ]);
    expect(ir.entry).toBe("1");
    expect(ir.labels["_big"]).toEqual({ entry: "n1", exits: ["n1"] });
    const withEndpoint = irOf(lines("E /x G ->L1 ->v", "L1:", "  Set v 1", "  J v"));
    expect(withEndpoint.endpoints).toMatchObject([{ method: "GET", path: "/x", label: "1", returns: "v" }]);
  });

  it("has nodes with all fields and ids n1 to nK per label", () => {
    verifies("ir.node-fields");
    const fields = ["data", "effect", "effect_kinds", "effect_tier", "id", "label", "line", "op", "reads", "writes"];
    for (const node of ir.nodes) expect(Object.keys(node).sort()).toEqual(fields);
    for (const label of Object.keys(ir.labels)) {
      const ids = ir.nodes.filter((node) => node.label === label).map((node) => node.id);
      expect(ids).toEqual(ids.map((_, index) => `n${index + 1}`));
    }
    expect(ir.nodes[3]).toMatchObject({
      op: "Set",
      effect: "pure",
      effect_tier: "pure",
      reads: ["amount", "page"],
      writes: ["due"],
      line: 7,
    });
    expect(ir.nodes[0]).toMatchObject({
      op: "R",
      effect: "io",
      writes: ["page"],
      data: { adapter: "ext", out: "page" },
    });
  });

  it("has edges with label, from, to, to_kind and port", () => {
    verifies("ir.edge-fields");
    for (const edge of ir.edges) {
      expect(Object.keys(edge).sort()).toEqual(["from", "label", "port", "to", "to_kind"]);
      const target =
        edge.to_kind === "node"
          ? ir.nodes.some((node) => node.label === edge.label && node.id === edge.to)
          : Object.hasOwn(ir.labels, edge.to);
      expect([edge, target]).toEqual([edge, true]);
    }
    expect(ir.edges).toContainEqual({ label: "1", from: "n5", to: "_big", to_kind: "label", port: "then" });
  });

  it("keeps declarations as op, slots and line", () => {
    verifies("language.declarations.preserved");
    const source = lines(
      "S app api /a",
      "Q mail 5",
      'Desc app "long text" here',
      "D Order id:I total:F",
      "# frame: n: number",
      "L1:",
      "  J n",
      "",
    );
    expect(irOf(source).declarations).toEqual([
      { op: "S", slots: ["app", "api", "/a"], line: 1 },
      { op: "Q", slots: ["mail", "5"], line: 2 },
      { op: "Desc", slots: ["app", "long text", "here"], line: 3 },
      { op: "D", slots: ["Order", "id:I", "total:F"], line: 4 },
      { op: "frame", slots: ["n", "number"], line: 5 },
    ]);
  });

  it("advises isolation, resources and a policy fragment, and runs without the advice", async () => {
    verifies("ir.execution_requirements");
    const advice = irOf(lines("L1:", '  R http.Get "https://api.example.com/x" ->p', "  J p")).execution_requirements;
    expect(advice).toMatchObject({
      isolation_level: "process",
      required_capabilities: ["http"],
      network: { required: true, hosts: ["api.example.com"], dynamic: false },
      resource_profile: "small",
      ephemeral: true,
      sandbox_policy_fragment: { allowed_adapters: ["http"], forbidden_privilege_tiers: ["operator_sensitive"] },
    });
    expect(advice.sandbox_policy_fragment.limits).toEqual(advice.suggested_limits);
    const { execution_requirements: _advice, ...rest } = ir;
    expect(await results(accepted(rest).ir)).toEqual(await results(ir));
    const false_advice = { ...ir, execution_requirements: { ...ir.execution_requirements, ephemeral: false } };
    expect(await results(accepted(false_advice).ir)).toEqual(await results(ir));
  });

  it("turns the step forms into adapter calls", async () => {
    verifies("ir.lowered-steps");
    const source = lines(
      "C c key 60",
      "Q q",
      "Txn t",
      "Pol p role=admin",
      "# frame: _role",
      "L1:",
      '  CacheSet c "k" 5',
      '  CacheGet c "k" ->v',
      "  QueuePut q v ->id",
      "  Tx begin t",
      "  Enf p",
      "  J [v, id, _txid]",
    );
    const calls: string[] = [];
    const note = (name: string, result: unknown) => () => {
      calls.push(name);
      return result;
    };
    const place = () =>
      world({
        cache: { get: note("cache.get", 5), set: note("cache.set", null) },
        queue: { Put: note("queue.Put", "msg-1") },
        txn: {
          begin: note("txn.begin", "tx-t"),
          commit: note("txn.commit", null),
          rollback: note("txn.rollback", null),
        },
      });
    const ir = irOf(source);
    expect(
      ir.nodes.slice(0, 5).map(({ op, data }) => [op, "adapter" in data ? `${data.adapter}.${data.verb}` : ""]),
    ).toEqual([
      ["CacheSet", "cache.set"],
      ["CacheGet", "cache.get"],
      ["QueuePut", "queue.Put"],
      ["Tx", "txn.begin"],
      ["Enf", "auth.enforce"],
    ]);
    const frame = { _role: "admin" };
    expect(await place().host.run({ ir, frame })).toMatchObject({
      ok: true,
      out: [5, "msg-1", "tx-t"],
      usage: { adapter_calls: 4 },
    });
    expect(calls).toEqual(["cache.set", "cache.get", "queue.Put", "txn.begin"]);
    expect(await place().host.run({ ir, frame, limits: { max_adapter_calls: 3 } })).toMatchObject({
      error: { code: "RUNTIME_MAX_ADAPTER_CALLS", node: "n4" },
    });
    const allowed = ["cache", "queue", "txn", "auth"];
    for (const [index, missing] of ["cache", "queue", "txn", "auth"].entries()) {
      const rest = allowed.filter((name) => name !== missing);
      const answer = await place().host.run({ ir, frame, allowedAdapters: rest });
      expect(answer).toMatchObject({
        error: { code: "RUNTIME_ADAPTER_NOT_ALLOWED", node: ["n1", "n3", "n4", "n5"][index] },
      });
    }
    expect(await place().host.run({ ir })).toMatchObject({ error: { message: "POLICY_VIOLATION[p]: role mismatch" } });
  });
});

describe("the checksum", () => {
  it("is of the meaning: comments, blank lines and line numbers do not change it, an operand does", () => {
    verifies("ir.checksum");
    const ir = irOf(PROGRAM);
    expect(ir.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(irOf(`# note\n\n${PROGRAM.replaceAll("\n", "\n\n")}`).checksum).toBe(ir.checksum);
    expect(irOf(PROGRAM.replace("Loop [1, 2] i", "ForEach [ 1,2 ] as i")).checksum).toBe(ir.checksum);
    expect(irOf(PROGRAM.replace("Loop [1, 2]", "Loop [1, 3]")).checksum).not.toBe(ir.checksum);
    expect(irOf(PROGRAM.replace("limit=50", "limit=51")).checksum).not.toBe(ir.checksum);
    expect(irOf(PROGRAM.replaceAll("due", "sum")).checksum).not.toBe(ir.checksum);
    const spec = lines(
      "S demo api /demo",
      "# frame: amount: number",
      "L1:",
      '  R http.GET "https://api.example.com/rates" ->page',
      "  Err ->L_down",
      "  Set due (mul amount page.body.rate)",
      "  If due > 100 ->L_big",
      "L_big:",
      '  J {"due": due}',
      "L_down:",
      '  J "down"',
    );
    expect(irOf(spec).checksum).toBe("sha256:a6304c99d97fd90e05f0837b36c55337cdb79ae7bd4f5e5818ecf0ac09860d7e");
  });
});

describe("IR from outside", () => {
  const ir = irOf(PROGRAM);

  it("that came from the compiler runs with the same result as its source", async () => {
    verifies("ir.round-trip");
    const { ir: back, warnings } = accepted(ir);
    expect(warnings).toEqual([]);
    expect(sent(back)).toEqual(sent(ir));
    expect(await results(back)).toEqual([{ due: 120 }, [20, 20], [22, null]]);
    expect(await results(back)).toEqual(await results(ir));
  });

  it("may be reduced to ir_version, nodes and edges", async () => {
    verifies("ir.three-fields");
    const { ir_version, nodes, edges } = ir;
    expect(await results(accepted({ ir_version, nodes, edges }).ir)).toEqual(await results(ir));
  });

  it("may have the predecessor's shape; legacy steps are ignored with a warning", async () => {
    verifies("ir.predecessor-shape");
    const old = {
      ir_version: "1.0",
      labels: {
        "1": {
          nodes: [
            { id: "n1", op: "R", data: { op: "R", adapter: "core.ADD", target: "2", args: ["3"], out: "x" } },
            { id: "n2", op: "If", data: { op: "If", cond: "x=5", then: "2", else: "3" } },
          ],
          edges: [
            { from: "n1", to: "n2", to_kind: "node", port: "next" },
            { from: "n2", to: "2", to_kind: "label", port: "then" },
            { from: "n2", to: "3", to_kind: "label", port: "else" },
          ],
          entry: "n1",
          legacy: { steps: [{ op: "J", var: "wrong" }] },
        },
        "2": { nodes: [{ id: "n1", op: "J", data: { op: "J", var: "x" } }], edges: [], entry: "n1" },
        "3": { nodes: [{ id: "n1", op: "J", data: { op: "J", var: "null" } }], edges: [], entry: "n1" },
      },
    };
    const { ir: converted, warnings } = accepted(old);
    expect(await world().host.run({ ir: converted })).toMatchObject({ ok: true, out: 5 });
    expect(warnings.join(" ")).toContain("legacy");
  });

  it("has its annotations recomputed and is refused when they disagree", () => {
    verifies("ir.annotations-recomputed");
    const change = (index: number, member: object) => ({
      ...ir,
      checksum: undefined,
      nodes: ir.nodes.map((node, k) => (k === index ? { ...node, ...member } : node)),
    });
    const wrong = [
      { effect: "io" },
      { effect_tier: "io-write" },
      { effect_kinds: ["http"] },
      { reads: ["secret"] },
      { writes: [] },
    ];
    for (const member of wrong) {
      const answer = refused(change(3, member));
      expect([member, answer]).toEqual([member, { status: "invalid_ir", codes: ["annotation_mismatch"] }]);
    }
    const http = irOf(lines("L1:", '  R http.Get "https://a.example/" ->p', "  J p"));
    const lying = {
      ...http,
      checksum: undefined,
      nodes: http.nodes.map((node) => (node.op === "R" ? { ...node, effect_tier: "pure" } : node)),
    };
    expect(refused(lying)).toMatchObject({ status: "invalid_ir", codes: ["annotation_mismatch"] });
    expect(accepted({ ...lying, nodes: http.nodes.map(({ effect_tier: _tier, ...node }) => node) }).ir.nodes).toEqual(
      http.nodes,
    );
  });

  it("without a label that can run is refused", () => {
    verifies("ir.nothing-to-run");
    expect(refused({ ir_version: "1.0", nodes: [], edges: [] })).toEqual({
      status: "invalid_ir",
      codes: ["nothing_to_run"],
    });
    expect(
      refused({ ir_version: "1.0", entry: "1", labels: { "1": { entry: null, exits: [] } }, nodes: [], edges: [] }),
    ).toEqual({ status: "invalid_ir", codes: ["nothing_to_run"] });
  });
});
