/**
 * The shape of a program before code is emitted: each label's chain of nodes, where edges lead, and which labels are
 * routines (entered by a call at run time) rather than inlined where they are used. All choices depend on the IR
 * alone, so every code variant makes the same ones.
 */
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { type IrIndex, indexTask } from "../../ir/analysis.ts";
import type { Ir, IrNode, NodeOf, Port } from "../../ir/graph.ts";
import { operandsOf, walkOperands } from "../../ir/operands.ts";

/** Ports that lead to a label. */
export type LabelPort = "then" | "else" | "body" | "after" | "call" | "handler" | "branch";

/** Labels and nodes whose chains are walked in one piece. */
const NODES_OF_A_PIECE = 4000;

/** Computes the layout in pieces. */
export function* layoutOf(ir: Ir): Task<Layout> {
  const index = yield* indexTask(ir);
  yield;
  const chains = new Map<string, readonly IrNode[]>();
  const pieces = new Pieces(NODES_OF_A_PIECE);
  for (const label of index.labelIds) {
    const chain = index.chainOf(label);
    chains.set(label, chain);
    if (pieces.add(1 + chain.length)) yield;
  }
  yield;
  const weights = weightsOf(chains);
  /** Labels with an Err or Retry: in the others nothing is protected. */
  const protecting = new Set<string>();
  for (const { op, label } of ir.nodes) if (op === "Err" || op === "Retry") protecting.add(label);
  yield;
  const routines = yield* routinesOf(index, chains, weights, protecting);
  return new Layout({ index, chains, weights, protecting, routines });
}

type LayoutParts = {
  readonly index: IrIndex;
  readonly chains: ReadonlyMap<string, readonly IrNode[]>;
  readonly weights: ReadonlyMap<string, number>;
  readonly protecting: ReadonlySet<string>;
  readonly routines: ReadonlySet<string>;
};

export class Layout {
  /** Weight of a program from which on no label is inlined. */
  readonly maxWeight: number;
  private readonly index: IrIndex;
  /** Walked once: the emitter asks for a chain at every node. */
  private readonly chains: ReadonlyMap<string, readonly IrNode[]>;
  /** Labels with an Err or Retry: in the others nothing is protected. */
  private readonly protecting: ReadonlySet<string>;
  private readonly weights: ReadonlyMap<string, number>;
  private readonly routines: ReadonlySet<string>;

  constructor({ index, chains, weights, protecting, routines }: LayoutParts) {
    this.index = index;
    this.chains = chains;
    this.weights = weights;
    this.protecting = protecting;
    this.routines = routines;
    let total = 0;
    for (const weight of this.weights.values()) total += weight;
    this.maxWeight = Math.min(4 * total, MAX_COPIED) + 64;
  }

  /** Nodes of a label in the order they run. */
  chain(label: string): readonly IrNode[] {
    return this.chains.get(label) ?? NO_NODES;
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

  /** How much code a label is without what it leads to: its nodes and their operands. */
  weight(label: string): number {
    return this.weights.get(label) ?? 0;
  }

  private protector(label: string, node: string, port: Port): IrNode | null {
    if (!this.protecting.has(label)) return null;
    const edge = this.index.edge(label, node, port);
    return edge === undefined ? null : (this.index.node(label, edge.to) ?? null);
  }
}

const NO_NODES: readonly IrNode[] = [];

/** Labels that are used several times are inlined when they have at most this many nodes, … */
const SMALL_LABEL = 6;
/** … and at most this weight with everything that is inlined into them: copies of copies would multiply. */
const SMALL_TREE = 24;
/** No program grows by more than this weight: what is large already is not copied any further. */
const MAX_COPIED = 500_000;

/** Nodes and operands of each label's chain: what its code is as long as. */
function weightsOf(chains: ReadonlyMap<string, readonly IrNode[]>): Map<string, number> {
  const weights = new Map<string, number>();
  let weight = 0;
  const count = (): void => {
    weight += 1;
  };
  for (const [label, chain] of chains) {
    weight = chain.length;
    for (const node of chain) walkOperands(operandsOf(node.op, node.data), count);
    weights.set(label, weight);
  }
  return weights;
}

function* routinesOf(
  index: IrIndex,
  chains: ReadonlyMap<string, readonly IrNode[]>,
  weights: ReadonlyMap<string, number>,
  protecting: ReadonlySet<string>,
): Task<Set<string>> {
  const { found: routines, calleesFirst } = walkLabels(index);
  yield;
  const uses = new Map<string, number>();
  // A label with Err or Retry keeps an activation record of its own: attempts and handlers belong to it.
  for (const label of protecting) routines.add(label);
  for (const label of chains.keys()) {
    for (const node of index.nodesOf(label)) {
      for (const edge of index.edgesFrom(label, node.id)) {
        if (edge.to_kind !== "label") continue;
        uses.set(edge.to, (uses.get(edge.to) ?? 0) + 1);
        if (edge.port === "handler") routines.add(edge.to);
      }
    }
  }
  yield;
  const trees = new Map<string, number>();
  for (const label of calleesFirst) {
    const tree = (weights.get(label) ?? 0) + inlinedWeight(index, label, routines, trees);
    trees.set(label, tree);
    const small = tree <= SMALL_TREE && (chains.get(label)?.length ?? 0) <= SMALL_LABEL;
    if ((uses.get(label) ?? 0) > 1 && !small) routines.add(label);
  }
  return routines;
}

/** Weight of the labels that are inlined into this one. */
function inlinedWeight(
  index: IrIndex,
  label: string,
  routines: ReadonlySet<string>,
  trees: ReadonlyMap<string, number>,
): number {
  let weight = 0;
  for (const node of index.nodesOf(label)) {
    for (const { to, to_kind } of index.edgesFrom(label, node.id)) {
      if (to_kind === "label" && !routines.has(to)) weight += trees.get(to) ?? 0;
    }
  }
  return weight;
}

type LabelWalk = {
  /** Labels that the walk finds again on its own path. */
  readonly found: Set<string>;
  /** Every label after those it leads to, but for the ones found again. */
  readonly calleesFirst: readonly string[];
};

/**
 * A depth-first walk over the labels. Every cycle of labels holds at least one that the walk finds again on its own path, so
 * what is inlined between them always ends; the other labels of a cycle can be inlined like any.
 */
function walkLabels(index: IrIndex): LabelWalk {
  const found = new Set<string>();
  const calleesFirst: string[] = [];
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
        calleesFirst.push(top.label);
        path.pop();
      } else if (state.get(target) === "open") {
        found.add(target);
      } else if (!state.has(target)) {
        open(target);
      }
    }
  }
  return { found, calleesFirst };
}
