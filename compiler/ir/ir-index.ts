/** Lookup in a normalised IR: nodes by label and id, edges by node and port, the chain of a label. Linear to build. */
import { completed, type Task } from "../../grammar/text/task.ts";
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

const NO_EDGES: readonly IrEdge[] = [];
const NO_NODES: readonly IrNode[] = [];

export function indexIr(ir: ProgramGraph): IrIndex {
  return completed(indexTask(ir));
}

/** The same in pieces. */
export function* indexTask(ir: ProgramGraph): Task<IrIndex> {
  const index = new GraphIndex(ir);
  yield* index.fill();
  return index;
}

class GraphIndex implements IrIndex {
  labelIds: readonly string[] = [];
  private readonly ir: ProgramGraph;
  private readonly slots = new Map<string, LabelSlot>();
  /** Edges by the node they lead to; made when asked for. */
  private readonly into = new Map<string, Map<string, IrEdge[]>>();

  constructor(ir: ProgramGraph) {
    this.ir = ir;
  }

  *fill(): Task<void> {
    const { nodes, labels, edges } = this.ir;
    for (const node of nodes) this.slotOf(node.label).nodes.push(node);
    yield;
    for (const id of Object.keys(labels)) this.slotOf(id);
    for (const slot of this.slots.values()) slot.order();
    yield;
    for (const edge of edges) this.slotOf(edge.label).add(edge);
    this.labelIds = [...this.slots.keys()];
  }

  private slotOf(label: string): LabelSlot {
    let slot = this.slots.get(label);
    if (slot === undefined) {
      slot = new LabelSlot();
      this.slots.set(label, slot);
    }
    return slot;
  }

  label(id: string): IrLabel | undefined {
    return Object.hasOwn(this.ir.labels, id) ? this.ir.labels[id] : undefined;
  }

  node(label: string, id: string): IrNode | undefined {
    return this.slots.get(label)?.node(id);
  }

  nodesOf(label: string): readonly IrNode[] {
    return this.slots.get(label)?.nodes ?? NO_NODES;
  }

  chainOf(label: string): readonly IrNode[] {
    const slot = this.slots.get(label);
    return slot === undefined ? NO_NODES : slot.chain(this.label(label));
  }

  edgesFrom(label: string, id: string): readonly IrEdge[] {
    return this.slots.get(label)?.edgesFrom(id) ?? NO_EDGES;
  }

  edgesTo(label: string, id: string): readonly IrEdge[] {
    let edges = this.into.get(label);
    if (edges === undefined) {
      edges = new Map();
      this.into.set(label, edges);
      for (const edge of this.ir.edges) {
        if (edge.to_kind !== "node" || edge.label !== label) continue;
        const known = edges.get(edge.to);
        if (known === undefined) edges.set(edge.to, [edge]);
        else known.push(edge);
      }
    }
    return edges.get(id) ?? NO_EDGES;
  }

  edge(label: string, id: string, port: Port): IrEdge | undefined {
    for (const edge of this.edgesFrom(label, id)) if (edge.port === port) return edge;
    return undefined;
  }

  targetOf(label: string, id: string, port: Port): string | undefined {
    return this.edge(label, id, port)?.to;
  }

  successorsOf(label: string): readonly string[] {
    return this.slots.get(label)?.successors() ?? [];
  }
}

/** The nodes of a label by number, and next to each its edges. */
class LabelSlot {
  readonly nodes: IrNode[] = [];
  private readonly out: (IrEdge[] | undefined)[] = [];
  /** Edges from where the label has no node: a malformed graph. */
  private readonly stray: IrEdge[] = [];
  /** Where nodes are not numbered from one on. */
  private positions: Map<string, number> | null = null;

  /** Sorts the nodes, which come in order nearly always. */
  order(): void {
    let last = 0;
    for (const { id } of this.nodes) {
      const number = nodeNumber(id);
      if (!(number >= last)) {
        this.nodes.sort((a, b) => nodeNumber(a.id) - nodeNumber(b.id));
        return;
      }
      last = number;
    }
  }

  add(edge: IrEdge): void {
    const at = this.position(edge.from);
    const known = at === undefined ? this.stray : this.out[at];
    if (known !== undefined) known.push(edge);
    else if (at !== undefined) this.out[at] = [edge];
  }

  private position(id: string): number | undefined {
    const guess = nodeNumber(id) - 1;
    if (this.nodes[guess]?.id === id) return guess;
    this.positions ??= new Map(this.nodes.map((node, at) => [node.id, at]));
    return this.positions.get(id);
  }

  node(id: string): IrNode | undefined {
    const at = this.position(id);
    return at === undefined ? undefined : this.nodes[at];
  }

  edgesFrom(id: string): readonly IrEdge[] {
    const at = this.position(id);
    return at === undefined ? this.stray.filter((edge) => edge.from === id) : (this.out[at] ?? NO_EDGES);
  }

  chain(label: IrLabel | undefined): readonly IrNode[] {
    const { nodes } = this;
    const entry = label === undefined ? nodes[0]?.id : label.entry;
    const visited = new Set<IrNode>();
    let node = entry == null ? undefined : this.node(entry);
    while (node !== undefined && !visited.has(node)) {
      visited.add(node);
      node = this.next(node);
    }
    return [...visited];
  }

  private next({ id }: IrNode): IrNode | undefined {
    for (const edge of this.edgesFrom(id)) if (edge.port === "next") return this.node(edge.to);
    return undefined;
  }

  successors(): readonly string[] {
    const found: string[] = [];
    for (const edges of this.out) {
      if (edges === undefined) continue;
      for (const edge of edges) if (edge.to_kind === "label") found.push(edge.to);
    }
    return found.length < 2 ? found : [...new Set(found)];
  }
}
