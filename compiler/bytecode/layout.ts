/**
 * The shape of a program before code is emitted: each label's chain of nodes, where edges lead, and which labels are
 * routines (entered by a call at run time) rather than inlined where they are used. All choices depend on the IR
 * alone, so every code variant makes the same ones.
 */
import { type IrIndex, indexIr } from "../ir/analysis.ts";
import type { Ir, IrNode, NodeOf, Port } from "../ir/graph.ts";

/** Ports that lead to a label. */
export type LabelPort = "then" | "else" | "body" | "after" | "call" | "handler";

export class Layout {
  /** Upper bound of node places one program may have after inlining. */
  readonly maxSites: number;
  private readonly index: IrIndex;
  /** Walked once: the emitter asks for a chain at every node. */
  private readonly chains = new Map<string, readonly IrNode[]>();
  private readonly routines: ReadonlySet<string>;

  constructor(ir: Ir) {
    this.index = indexIr(ir);
    this.routines = routinesOf(this.index);
    this.maxSites = 4 * ir.nodes.length + 64;
  }

  /** Nodes of a label in the order they run. */
  chain(label: string): readonly IrNode[] {
    const known = this.chains.get(label);
    if (known !== undefined) return known;
    const chain = this.index.chainOf(label);
    this.chains.set(label, chain);
    return chain;
  }

  target(label: string, node: string, port: LabelPort): string | null {
    return this.index.targetOf(label, node, port) ?? null;
  }

  /** The Retry that protects a node. */
  retryOf(label: string, node: string): NodeOf<"Retry"> | null {
    const retry = this.protector(label, node, "retry");
    return retry?.op === "Retry" ? retry : null;
  }

  /** Label of the handler that protects a node by an edge of its own. */
  handlerOf(label: string, node: string): string | null {
    const err = this.protector(label, node, "err");
    return err === null ? null : this.target(label, err.id, "handler");
  }

  isRoutine(label: string): boolean {
    return this.routines.has(label);
  }

  private protector(label: string, node: string, port: Port): IrNode | null {
    const edge = this.index.edge(label, node, port);
    return edge === undefined ? null : (this.index.node(label, edge.to) ?? null);
  }
}

/** Labels of at most this many nodes are inlined at every use. */
const SMALL_LABEL = 6;

function routinesOf(index: IrIndex): Set<string> {
  const routines = loopedBackTo(index);
  const uses = new Map<string, number>();
  for (const label of index.labelIds) {
    for (const node of index.nodesOf(label)) {
      // A label with Err or Retry keeps an activation record of its own: attempts and handlers belong to it.
      if (node.op === "Err" || node.op === "Retry") routines.add(label);
      for (const edge of index.edgesFrom(label, node.id)) {
        if (edge.to_kind !== "label") continue;
        uses.set(edge.to, (uses.get(edge.to) ?? 0) + 1);
        if (edge.port === "handler") routines.add(edge.to);
      }
    }
  }
  for (const [label, count] of uses) {
    if (count > 1 && index.chainOf(label).length > SMALL_LABEL) routines.add(label);
  }
  return routines;
}

/**
 * Labels that a depth-first walk finds again on its own path. Every cycle of labels holds at least one, so what is inlined
 * between them always ends; the other labels of a cycle can be inlined like any.
 */
function loopedBackTo(index: IrIndex): Set<string> {
  const found = new Set<string>();
  const state = new Map<string, "open" | "done">();
  for (const root of index.labelIds) {
    if (state.has(root)) continue;
    const path: { readonly label: string; readonly targets: readonly string[]; at: number }[] = [];
    const open = (label: string): void => {
      state.set(label, "open");
      path.push({ label, targets: index.successorsOf(label), at: 0 });
    };
    open(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = top.targets[top.at++];
      if (target === undefined) {
        state.set(top.label, "done");
        path.pop();
      } else if (state.get(target) === "open") {
        found.add(target);
      } else if (!state.has(target)) {
        open(target);
      }
    }
  }
  return found;
}
