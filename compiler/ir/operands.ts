/**
 * Walking the operands of a node, whatever its op: the one place that knows which members of `data` hold operands. It
 * judges nothing; annotations, facts and validation decide what an operand means.
 */
import type { IrCondition, IrOperand, NodeData, NodeOp, PyData } from "./graph.ts";

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
    case "Enf": {
      const target = targetOperands(node.data.adapter, node.data.verb);
      return target.length === 0 ? node.data.args : [...target, ...node.data.args];
    }
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
    case "Each":
      return [node.data.list];
    case "If":
    case "While":
      return conditionOperands(node.data.cond);
    case "Retry":
      return [node.data.count, node.data.backoff_ms];
    case "Call":
      return node.data.inputs === undefined ? [] : node.data.inputs.map(([, value]) => value);
    case "Py":
      return pyOperands(node.data);
    case "Par":
    case "Err":
      return [];
  }
}

function pyOperands(data: PyData): readonly IrOperand[] {
  if (data.do === "if") return [data.cond];
  if (data.do === "raise") return data.cause === null ? [data.value] : [data.value, data.cause];
  return "value" in data ? [data.value] : [];
}

function targetOperands(adapter: string | IrOperand, verb: string | IrOperand): readonly IrOperand[] {
  const operands: IrOperand[] = [];
  if (typeof adapter !== "string") operands.push(adapter);
  if (typeof verb !== "string") operands.push(verb);
  return operands;
}

/** The operands of a condition, left to right. */
function conditionOperands(condition: IrCondition): readonly IrOperand[] {
  let inner = condition;
  while (inner.c === "not") inner = inner.of;
  return inner.c === "truthy" || inner.c === "present" ? [inner.of] : [inner.left, inner.right];
}

/** Visits every operand below and including `roots`, parents first, left to right. Uses no recursion. */
export function walkOperands(roots: readonly IrOperand[], visit: (operand: IrOperand, nested: boolean) => void): void {
  for (const root of roots) {
    visit(root, false);
    // Most operands are words, or calls with words: they need no stack.
    if (isLeaf(root)) continue;
    if (root.k === "call" && root.args.every(isLeaf)) for (const argument of root.args) visit(argument, true);
    else walkBelow(root, visit);
  }
}

function isLeaf({ k }: IrOperand): boolean {
  return k !== "list" && k !== "map" && k !== "call";
}

function walkBelow(root: IrOperand, visit: (operand: IrOperand, nested: boolean) => void): void {
  const stack: IrOperand[] = [];
  pushChildren(root, stack);
  for (let operand = stack.pop(); operand !== undefined; operand = stack.pop()) {
    visit(operand, true);
    pushChildren(operand, stack);
  }
}

/** The last one first, so that the first one is taken next. */
function pushChildren(operand: IrOperand, stack: IrOperand[]): void {
  if (operand.k === "map") {
    const { entries } = operand;
    for (let at = entries.length - 1; at >= 0; at--) stack.push((entries[at] as (typeof entries)[number])[1]);
  } else if (operand.k === "list" || operand.k === "call") {
    const children = operand.k === "list" ? operand.items : operand.args;
    for (let at = children.length - 1; at >= 0; at--) stack.push(children[at] as IrOperand);
  }
}

/** Names that reading these operands looks up, sorted, each once. */
export function operandReads(roots: readonly IrOperand[]): readonly string[] {
  let names: string[] | null = null;
  walkOperands(roots, (operand) => {
    const name = operand.k === "var" || operand.k === "name" ? operand.v : operand.k === "path" ? operand.root : null;
    if (name === null) return;
    // A list of one takes less room than one that has grown.
    if (names === null) names = [name];
    else names.push(name);
  });
  return names === null ? NO_NAMES : sortedNames(names);
}

const NO_NAMES: readonly string[] = [];

/** Each name once, by code units; the list itself where it is in order. Nodes have few names, and most have one or none. */
export function sortedNames(names: readonly string[]): readonly string[] {
  if (names.length < 2) return names;
  if (names.length > 2) return [...new Set(names)].sort();
  const [first, second] = names as readonly [string, string];
  if (first === second) return [first];
  return first < second ? names : [second, first];
}
