/** Writes small programs as IR by hand, for tests of the interpreter that must not depend on the compiler. */
import type { Ir, IrEdge, IrNode, IrOperand, NodeData, NodeOp, Port } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";

export type HandStep = {
  readonly op: string;
  readonly data: unknown;
  /** Label ports. */
  readonly to?: Readonly<Partial<Record<Port, string>>>;
  /** The step (from 1) that an Err or Retry protects. */
  readonly protects?: number;
};

export function step<O extends NodeOp>(op: O, data: NodeData[O], to: HandStep["to"] = {}, protects?: number): HandStep {
  return { op, data, to, ...(protects === undefined ? {} : { protects }) };
}

/** An operand of a plain value. */
export function constant(value: Json): IrOperand {
  if (value === null) return { k: "null" };
  if (typeof value === "string") return { k: "str", v: value };
  if (typeof value === "number") return { k: "num", v: value };
  if (typeof value === "boolean") return { k: "bool", v: value };
  if (Array.isArray(value)) return { k: "list", items: (value as readonly Json[]).map(constant) };
  return { k: "map", entries: Object.entries(value).map(([key, member]) => [key, constant(member)]) };
}

export function variable(name: string): IrOperand {
  return { k: "var", v: name };
}

export function call(fn: string, ...args: readonly IrOperand[]): IrOperand {
  return { k: "call", fn, args };
}

/** Lines count from 1 over all steps, labels in the given order; the first label is the entry. */
export function handIr(labels: { readonly [id: string]: readonly HandStep[] }): Ir {
  const nodes: IrNode[] = [];
  const edges: IrEdge[] = [];
  for (const [label, steps] of Object.entries(labels)) {
    steps.forEach((one, index) => {
      const id = `n${index + 1}`;
      const place = { label, from: id };
      nodes.push({
        id,
        label,
        line: nodes.length + 1,
        op: one.op,
        data: one.data,
        effect: "io",
        effect_tier: "io-write",
        effect_kinds: [],
        reads: [],
        writes: [],
      } as unknown as IrNode);
      for (const [port, to] of Object.entries(one.to ?? {}))
        edges.push({ ...place, to, to_kind: "label", port: port as Port });
      const ends = ["J", "If", "Loop", "While"].includes(one.op);
      if (!ends && index + 1 < steps.length)
        edges.push({ ...place, to: `n${index + 2}`, to_kind: "node", port: "next" });
      if (one.protects !== undefined) {
        edges.push({
          label,
          from: `n${one.protects}`,
          to: id,
          to_kind: "node",
          port: one.op === "Err" ? "err" : "retry",
        });
      }
    });
  }
  const ids = Object.keys(labels);
  return {
    ir_version: "1.0",
    entry: ids[0] ?? null,
    labels: Object.fromEntries(
      ids.map((id) => [id, { entry: (labels[id]?.length ?? 0) > 0 ? "n1" : null, exits: [] }]),
    ),
    nodes,
    edges,
    endpoints: [],
    declarations: [],
    checksum: "",
  } as unknown as Ir;
}
