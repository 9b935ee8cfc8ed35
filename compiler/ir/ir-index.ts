/** Lookup in a normalised IR: nodes by label and id, edges by node and port, the chain of a label. Linear to build. */
import { type Ir, type IrEdge, type IrLabel, type IrNode, nodeNumber, type Port } from "./graph.ts";

/** The parts of an IR that analyses read. */
export type ProgramGraph = Pick<Ir, "entry" | "labels" | "nodes" | "edges">;

export type IrIndex = {
  /** Every label: in order of its first node, labels without nodes last. */
  readonly labelIds: readonly string[];
  label(id: string): IrLabel | undefined;
  node(label: string, id: string): IrNode | undefined;
  /** Nodes of a label by number. */
  nodesOf(label: string): readonly IrNode[];
  /** Nodes that a run of the label can visit in turn: from its entry along `next`. */
  chainOf(label: string): readonly IrNode[];
  edgesFrom(label: string, id: string): readonly IrEdge[];
  edgesTo(label: string, id: string): readonly IrEdge[];
  /** The edge of a port; the first one where a malformed graph has several. */
  edge(label: string, id: string, port: Port): IrEdge | undefined;
  /** Id of the label a port leads to, whether or not that label exists. */
  targetOf(label: string, id: string, port: Port): string | undefined;
  /** Labels that the label's ports lead to, each once, in node order. */
  successorsOf(label: string): readonly string[];
};

type LabelSlot = {
  readonly nodes: IrNode[];
  readonly byId: Map<string, IrNode>;
  readonly out: Map<string, IrEdge[]>;
  readonly into: Map<string, IrEdge[]>;
};

const NO_EDGES: readonly IrEdge[] = [];

export function indexIr(ir: ProgramGraph): IrIndex {
  const slots = new Map<string, LabelSlot>();
  const slotOf = (label: string): LabelSlot => {
    let slot = slots.get(label);
    if (slot === undefined) {
      slot = { nodes: [], byId: new Map(), out: new Map(), into: new Map() };
      slots.set(label, slot);
    }
    return slot;
  };
  for (const node of ir.nodes) {
    const slot = slotOf(node.label);
    slot.nodes.push(node);
    slot.byId.set(node.id, node);
  }
  for (const id of Object.keys(ir.labels)) slotOf(id);
  for (const slot of slots.values()) slot.nodes.sort((a, b) => nodeNumber(a.id) - nodeNumber(b.id));
  for (const edge of ir.edges) {
    const slot = slotOf(edge.label);
    append(slot.out, edge.from, edge);
    if (edge.to_kind === "node") append(slot.into, edge.to, edge);
  }
  const edgesFrom = (label: string, id: string): readonly IrEdge[] => slots.get(label)?.out.get(id) ?? NO_EDGES;
  const edgeOf = (label: string, id: string, port: Port): IrEdge | undefined =>
    edgesFrom(label, id).find((edge) => edge.port === port);
  return {
    labelIds: [...slots.keys()],
    label: (id) => (Object.hasOwn(ir.labels, id) ? ir.labels[id] : undefined),
    node: (label, id) => slots.get(label)?.byId.get(id),
    nodesOf: (label) => slots.get(label)?.nodes ?? [],
    chainOf: (label) => chain(slots.get(label), Object.hasOwn(ir.labels, label) ? ir.labels[label] : undefined),
    edgesFrom,
    edgesTo: (label, id) => slots.get(label)?.into.get(id) ?? NO_EDGES,
    edge: edgeOf,
    targetOf: (label, id, port) => edgeOf(label, id, port)?.to,
    successorsOf: (label) => successors(slots.get(label)),
  };
}

function append(table: Map<string, IrEdge[]>, key: string, edge: IrEdge): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [edge]);
  else list.push(edge);
}

function chain(slot: LabelSlot | undefined, label: IrLabel | undefined): readonly IrNode[] {
  const visited: IrNode[] = [];
  if (slot === undefined) return visited;
  const seen = new Set<string>();
  let id: string | undefined = label === undefined ? slot.nodes[0]?.id : (label.entry ?? undefined);
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const node = slot.byId.get(id);
    if (node === undefined) break;
    visited.push(node);
    id = slot.out.get(id)?.find((edge) => edge.port === "next")?.to;
  }
  return visited;
}

function successors(slot: LabelSlot | undefined): readonly string[] {
  const found = new Set<string>();
  if (slot === undefined) return [];
  for (const node of slot.nodes) {
    for (const edge of slot.out.get(node.id) ?? NO_EDGES) if (edge.to_kind === "label") found.add(edge.to);
  }
  return [...found];
}
