/**
 * Walking the operands of a node, whatever its op: the one place that knows which members of `data` hold operands. It
 * judges nothing; annotations, facts and validation decide what an operand means.
 */
import type { IrCondition, IrOperand, NodeData, NodeOp } from "./graph.ts";

/** A node's op and data, so that a switch over `op` narrows `data`. */
export type NodeShape = { readonly [O in NodeOp]: { readonly op: O; readonly data: NodeData[O] } }[NodeOp];

/** The operands that stand directly in `data`, in reading order. */
export function operandsOf(op: NodeOp, data: NodeData[NodeOp]): readonly IrOperand[] {
  // op and data belong together by the caller's type; the pair is what narrows.
  const node = { op, data } as NodeShape;
  switch (node.op) {
    case "R":
    case "CacheSet":
    case "QueuePut":
    case "Tx":
    case "Enf":
      return [...targetOperands(node.data.adapter, node.data.verb), ...node.data.args];
    case "CacheGet": {
      const fallback = node.data.fallback;
      const target = targetOperands(node.data.adapter, node.data.verb);
      return fallback === null ? [...target, ...node.data.args] : [...target, ...node.data.args, fallback];
    }
    case "J":
    case "Set":
    case "X":
      return [node.data.value];
    case "Filt":
      return [node.data.list, node.data.value];
    case "Sort":
    case "Loop":
      return [node.data.list];
    case "If":
    case "While":
      return conditionOperands(node.data.cond);
    case "Retry":
      return [node.data.count, node.data.backoff_ms];
    case "Call":
    case "Err":
      return [];
  }
}

function targetOperands(adapter: string | IrOperand, verb: string | IrOperand): readonly IrOperand[] {
  const operands: IrOperand[] = [];
  if (typeof adapter !== "string") operands.push(adapter);
  if (typeof verb !== "string") operands.push(verb);
  return operands;
}

/** The operands of a condition, left to right. */
export function conditionOperands(condition: IrCondition): readonly IrOperand[] {
  let inner = condition;
  while (inner.c === "not") inner = inner.of;
  return inner.c === "truthy" || inner.c === "present" ? [inner.of] : [inner.left, inner.right];
}

/** Visits every operand below and including `roots`, parents first, left to right. Uses no recursion. */
export function walkOperands(roots: readonly IrOperand[], visit: (operand: IrOperand, nested: boolean) => void): void {
  const stack: { readonly operand: IrOperand; readonly nested: boolean }[] = [];
  const pushAll = (operands: readonly IrOperand[], nested: boolean): void => {
    for (let index = operands.length - 1; index >= 0; index -= 1) {
      const operand = operands[index];
      if (operand !== undefined) stack.push({ operand, nested });
    }
  };
  pushAll(roots, false);
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    visit(item.operand, item.nested);
    pushAll(childrenOf(item.operand), true);
  }
}

function childrenOf(operand: IrOperand): readonly IrOperand[] {
  if (operand.k === "list") return operand.items;
  if (operand.k === "map") return operand.entries.map(([, value]) => value);
  return operand.k === "call" ? operand.args : [];
}

/** Names that reading these operands looks up, sorted, each once. */
export function operandReads(roots: readonly IrOperand[]): string[] {
  const names = new Set<string>();
  walkOperands(roots, (operand) => {
    if (operand.k === "var" || operand.k === "name") names.add(operand.v);
    else if (operand.k === "path") names.add(operand.root);
  });
  return [...names].sort();
}
