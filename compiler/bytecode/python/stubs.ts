/**
 * The adapter calls of Python functions as a program of the opcode form: a label for each function, in it each call with variables in place of its operands.
 * The machine makes the calls of a Python program by these, so that the dispatcher, journal and policy have one kind of call.
 */
import type { Ir, IrEdge, IrLabel, IrNode } from "../../ir/graph.ts";

/** Variables of the stubs: arguments by position, and the answer. */
export const STUB_ANSWER = "$r";
export function stubArgument(at: number): string {
  return `$a${at}`;
}

/** null: the program has no Python function. */
export function stubsOf(ir: Ir): Ir | null {
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
  return { ...ir, labels, nodes, edges, declarations: [], endpoints: [] };
}
