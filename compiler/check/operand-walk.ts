/**
 * All operands of a step in written order, those inside lists, maps and nested calls included. The checks that judge
 * operands by their spelling use it; nesting is bounded by the parser (64 brackets).
 */
import type { Condition, Operand, Step } from "../../grammar/ast.ts";

export function walkOperands(step: Step, visit: (operand: Operand) => void): void {
  if (step.op === "X") walk(step.first, visit);
  for (const operand of operandsOf(step)) walk(operand, visit);
}

/** The condition of an If or While without its `not`, null for other steps. */
export function conditionOf(step: Step): Exclude<Condition, { c: "not" }> | null {
  if (step.op !== "If" && step.op !== "While") return null;
  let condition = step.cond;
  while (condition.c === "not") condition = condition.of;
  return condition;
}

function walk(operand: Operand, visit: (operand: Operand) => void): void {
  visit(operand);
  if (operand.k === "list") for (const item of operand.items) walk(item, visit);
  else if (operand.k === "map") for (const entry of operand.entries) walk(entry.value, visit);
  else if (operand.k === "call") for (const argument of operand.args) walk(argument, visit);
}

/** Those of X after its first one. */
function operandsOf(step: Step): readonly Operand[] {
  switch (step.op) {
    case "R":
    case "X":
      return step.args;
    case "J":
      return present(step.value);
    case "If":
    case "While":
      return conditionOperands(step);
    case "Retry":
      return present(step.count, step.backoff_ms);
    case "Set":
    case "QueuePut":
      return [step.value];
    case "Filt":
      return [step.list, step.value];
    case "Sort":
    case "Loop":
    case "Each":
      return [step.list];
    case "CacheGet":
      return present(step.key, step.fallback);
    case "CacheSet":
      return [step.key, step.value];
    case "Call":
      return step.inputs?.map(({ value }) => value) ?? [];
    case "Par":
    case "Err":
    case "Tx":
    case "Enf":
    case "broken":
      return [];
  }
}

function conditionOperands(step: Step): readonly Operand[] {
  const condition = conditionOf(step);
  if (condition === null) return [];
  return "of" in condition ? [condition.of] : [condition.left, condition.right];
}

function present(...operands: readonly (Operand | null)[]): readonly Operand[] {
  return operands.filter((operand) => operand !== null);
}
