/**
 * Which step each Err and Retry protects (docs/language.md, failures), and the edges that say so. Works on
 * the nodes of one label; knows nothing of handlers' labels.
 */
import type { ErrStep, RetryStep, Step } from "../../grammar/ast.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { IrEdge, NodeOp } from "../ir/graph.ts";
import type { FindingSink } from "./findings.ts";

export type ProtectableNode = { readonly id: string; readonly op: NodeOp; readonly step: Step };

export type Protection = {
  /** Node of an Err or Retry → the node it protects. */
  readonly protects: ReadonlyMap<string, string>;
  readonly edges: readonly IrEdge[];
};

const NO_PROTECTION: Protection = { protects: new Map(), edges: [] };

/** `nodes` are all nodes of the label, n1 first. */
export function protectNodes(
  label: string,
  nodes: readonly ProtectableNode[],
  sinkOf: (node_id: string) => FindingSink,
): Protection {
  if (!nodes.some(({ step }) => step.op === "Err" || step.op === "Retry")) return NO_PROTECTION;
  const protects = new Map<string, string>();
  const edges: IrEdge[] = [];
  /** `err n1` → the node that already protects n1 that way. */
  const taken = new Map<string, ProtectableNode>();
  let nearestAbove: ProtectableNode | null = null;
  for (const [index, node] of nodes.entries()) {
    if (node.step.op !== "Err" && node.step.op !== "Retry") {
      if (node.op !== "J") nearestAbove = node;
      continue;
    }
    const sink = sinkOf(node.id);
    const target = targetOf(node.step, index, nodes, nearestAbove, label, sink);
    if (target === null) continue;
    protects.set(node.id, target.id);
    const port = node.step.op === "Err" ? "err" : "retry";
    const first = taken.get(`${port} ${target.id}`);
    if (first === undefined) {
      taken.set(`${port} ${target.id}`, node);
      edges.push({ label, from: target.id, to: node.id, to_kind: "node", port });
    } else {
      sink.report("WF9023", node.step.word.span, {
        words: { op: node.step.op, node: target.id, n: String(first.step.word.span.line) },
        related: [{ message: "this one counts", span: first.step.word.span }],
      });
    }
  }
  return { protects, edges };
}

function targetOf(
  step: ErrStep | RetryStep,
  index: number,
  nodes: readonly ProtectableNode[],
  nearestAbove: ProtectableNode | null,
  label: string,
  sink: FindingSink,
): ProtectableNode | null {
  if (step.protects === null) {
    if (nearestAbove === null && step.op === "Retry") sink.report("WF9024", step.word.span);
    return nearestAbove;
  }
  const { number, span } = step.protects;
  const named = number <= index ? nodes[number - 1] : undefined;
  if (named === undefined || named.op === "Err" || named.op === "Retry") {
    sink.report("WF3002", span, { words: { node: `n${number}`, label: writtenLabel(label), k: String(nodes.length) } });
    return null;
  }
  return named;
}
