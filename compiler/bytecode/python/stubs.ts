/**
 * The adapter calls of Python functions as a program of the opcode form: a label for each function, in it each call with variables in place of its operands.
 * The machine makes the calls of a Python program by these, so that the dispatcher, journal and policy have one kind of call.
 */
import type { Ir, IrEdge, IrLabel, IrNode, NodeOf } from "../../ir/graph.ts";

/** Beyond the number of any node. */
const FIRST_CALL = 1_000_000_000;
const CALL: Omit<NodeOf<"Call">, "id" | "label"> = {
  op: "Call",
  effect: "meta",
  effect_tier: "control",
  effect_kinds: [],
  reads: [],
  writes: [],
  data: { out: "$r" },
};

/** Variables of the stubs: arguments by position, and the answer. */
export const STUB_ANSWER = "$r";
export function stubArgument(at: number): string {
  return `$a${at}`;
}

/**
 * Runs of it would begin at `entry`. The entry calls all other labels, because only labels that it leads to get code; nothing ever runs it as a
 * whole. null: the program has no Python function.
 */
export function stubsOf(ir: Ir, entry: string): Ir | null {
  const python = Object.keys(ir.labels).filter((id) => ir.labels[id]?.python !== undefined);
  if (python.length === 0) return null;
  const nodes: IrNode[] = [];
  const edges: IrEdge[] = [];
  const labels: Record<string, IrLabel> = {};
  const last = new Map<string, string>();
  let most = 0;
  for (const node of ir.nodes) {
    if (node.op !== "R") continue;
    const args = node.data.args.map((_, at) => ({ k: "var", v: stubArgument(at) }) as const);
    most = Math.max(most, args.length);
    const before = last.get(node.label);
    if (before !== undefined)
      edges.push({ label: node.label, from: before, to: node.id, to_kind: "node", port: "next" });
    else labels[node.label] = { entry: node.id, exits: [] };
    last.set(node.label, node.id);
    const reads = args.map(({ v }) => v);
    nodes.push({ ...node, reads, writes: [STUB_ANSWER], data: { ...node.data, args, out: STUB_ANSWER } });
  }
  for (const id of python) labels[id] ??= { entry: null, exits: [] };
  let number = FIRST_CALL;
  for (const id of last.keys()) {
    if (id === entry) continue;
    const call = { ...CALL, id: `n${number++}`, label: entry } as IrNode;
    const before = last.get(entry);
    if (before === undefined) labels[entry] = { entry: call.id, exits: [] };
    else edges.push({ label: entry, from: before, to: call.id, to_kind: "node", port: "next" });
    edges.push({ label: entry, from: call.id, to: id, to_kind: "label", port: "call" });
    last.set(entry, call.id);
    nodes.push(call);
  }
  return {
    ir_version: ir.ir_version,
    entry: ir.entry,
    labels,
    nodes,
    edges,
    declarations: [],
    endpoints: [],
    // Computed when they are read, which nearly no run does.
    get execution_requirements() {
      return ir.execution_requirements;
    },
    get checksum() {
      return ir.checksum;
    },
  };
}
