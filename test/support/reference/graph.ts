/**
 * Look-ups in a program's graph: nodes, edges by port, where labels begin.
 */
import type { Ir, IrEdge, IrNode, Port } from "../../../compiler/ir/graph.ts";

export class Graph {
  readonly #nodes = new Map<string, IrNode>();
  readonly #edges = new Map<string, IrEdge>();
  readonly #entries = new Map<string, string | null>();

  constructor(ir: Ir) {
    for (const [id, label] of Object.entries(ir.labels)) this.#entries.set(id, label.entry);
    for (const node of ir.nodes) this.#nodes.set(`${node.label}\n${node.id}`, node);
    for (const edge of ir.edges) {
      const key = `${edge.label}\n${edge.from}\n${edge.port}`;
      if (!this.#edges.has(key)) this.#edges.set(key, edge);
    }
  }

  hasLabel(label: string): boolean {
    return this.#entries.has(label);
  }

  /** First node of a label; null when it has none. */
  entryOf(label: string): string | null {
    return this.#entries.get(label) ?? null;
  }

  node(label: string, id: string): IrNode {
    const node = this.#nodes.get(`${label}\n${id}`);
    if (node === undefined) throw new Error(`no node ${id} in label ${label}`);
    return node;
  }

  edge(node: IrNode, port: Port): IrEdge | undefined {
    return this.#edges.get(`${node.label}\n${node.id}\n${port}`);
  }
}
