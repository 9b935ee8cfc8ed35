/**
 * Inputs that every run from a label reads as text where the caller leaves them out: a bare word in the opcode form is the text of its name
 * then, and a plausible result may come of it (`len orders` is 6). Only reads that nothing stands before are counted: branches, called labels
 * and what a step has set by then may avoid them.
 */
import type { IrCondition, IrNode, IrOperand } from "./graph.ts";
import { operandsOf, walkOperands } from "./operands.ts";

/** `chain`: the nodes of the label in their order. */
export function inputsReadAsText(chain: Iterable<IrNode>, inputs: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const unset = new Set(inputs);
  for (const node of chain) {
    if (unset.size === 0) break;
    // `x?` asks whether there is a value.
    const operands = asksForPresence(node) ? [] : operandsOf(node.op, node.data);
    walkOperands(operands, (operand) => {
      const name = bareName(operand);
      if (name !== null && unset.has(name)) found.add(name);
    });
    if (endsCertainty(node)) break;
    for (const name of node.writes) unset.delete(name);
  }
  return found;
}

function bareName(operand: IrOperand): string | null {
  if (operand.k === "name") return operand.v;
  return operand.k === "path" && operand.text !== undefined ? operand.root : null;
}

function asksForPresence({ op, data }: IrNode): boolean {
  if (op !== "If" && op !== "While") return false;
  let condition = (data as { readonly cond: IrCondition }).cond;
  while (condition.c === "not") condition = condition.of;
  return condition.c === "present";
}

/** What follows runs in other labels, or after one that may have set anything. */
function endsCertainty(node: IrNode): boolean {
  return ["J", "If", "Loop", "While"].includes(node.op) || (node.op === "Call" && node.data.inputs === undefined);
}
