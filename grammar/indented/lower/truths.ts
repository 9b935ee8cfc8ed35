/** Which expressions are true or false whatever their parts are, and how long the code of `a or b` is where its value is used. */
import { type Expression, partsOf } from "../tree.ts";

/** Maximum number of calls and operands of an expression with repeated parts. */
const MAX_REPEATED = 500;

/** Functions whose value is true or false. */
const TRUTHS: ReadonlySet<string> = new Set([
  "contains",
  "startswith",
  "endswith",
  "bool",
  "any",
  "all",
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
]);

/** Whether the value is true or false, whatever its parts are. */
export function isTruth(expression: Expression): boolean {
  switch (expression.e) {
    case "compare":
    case "not":
    case "present":
      return true;
    case "and":
    case "or":
      return expression.of.every(isTruth);
    case "call":
      return TRUTHS.has(expression.fn.text);
    default:
      return expression.e === "operand" && expression.of.k === "bool";
  }
}

/** How many calls and operands an expression is lowered to. In `a or b`, `a` appears twice: for its value and for its truth. */
function costOf(expression: Expression): number {
  const parts = partsOf(expression).map(costOf);
  const twice = (expression.e === "and" || expression.e === "or") && !expression.of.every(isTruth);
  const last = parts.at(-1) ?? 0;
  const all = parts.reduce((sum, one) => sum + one, 1);
  return twice ? 2 * all - last : all;
}

export function isSimple({ e }: Expression): boolean {
  return e !== "and" && e !== "or" && e !== "not";
}

/** Whether an expression is refused because its repeated parts make it too long. */
export function isLong(expression: Expression): boolean {
  return costOf(expression) > MAX_REPEATED;
}
