/** Expressions that the text alone tells to be sets. */
import type { BinOp, Expr } from "../../../grammar/python/tree.ts";

export function isWrittenSet(value: Expr): boolean {
  switch (value.kind) {
    case "Set":
    case "SetComp":
      return true;
    case "Call":
      return value.func.kind === "Name" && value.func.id === "set";
    case "BinOp":
      return isSetOperation(value, isWrittenSet);
    default:
      return false;
  }
}

const SET_OPERATORS: ReadonlySet<string> = new Set(["|", "&", "-", "^"]);

/** Whether an operator gives a set, because one of its sides is one, or `keys()` or `items()` of a dict. */
export function isSetOperation({ op, left, right }: BinOp, isSet: (side: Expr) => boolean): boolean {
  const isSide = (side: Expr): boolean => isSet(side) || isKeys(side);
  return SET_OPERATORS.has(op) && (isSide(left) || isSide(right));
}

function isKeys(node: Expr): boolean {
  return (
    node.kind === "Call" &&
    node.args.length === 0 &&
    node.func.kind === "Attribute" &&
    (node.func.attr === "keys" || node.func.attr === "items")
  );
}
