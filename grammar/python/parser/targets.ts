/** What can be assigned to, deleted, or bound by `for` and `with`, as the compiler of CPython sees it. */
import type { FaultName } from "../faults.ts";
import { Refusal } from "../refusal.ts";
import type { Expr } from "../tree.ts";

/** What an expression is called in "cannot assign to …". */
const CALLED: Readonly<Partial<Record<Expr["kind"], string>>> = {
  Call: "a function call",
  Lambda: "a lambda",
  BoolOp: "an expression",
  BinOp: "an expression",
  UnaryOp: "an expression",
  GeneratorExp: "a generator expression",
  Yield: "a yield expression",
  YieldFrom: "a yield expression",
  Await: "an await expression",
  ListComp: "a list comprehension",
  SetComp: "a set comprehension",
  DictComp: "a dict comprehension",
  Dict: "a dict literal",
  Set: "a set display",
  JoinedStr: "an f-string",
  Compare: "a comparison",
  IfExp: "a conditional expression",
  NamedExpr: "a named expression",
  List: "a list",
  Tuple: "a tuple",
  Starred: "a starred expression",
};

function nameOfKind(expression: Expr): string {
  if (expression.kind !== "Constant") return CALLED[expression.kind] ?? "this expression";
  const { type, value } = expression;
  if (type === "bool") return value === true ? "True" : "False";
  return type === "none" ? "None" : type === "ellipsis" ? "an ellipsis" : "a literal";
}

function refuse(fault: FaultName, target: Expr): never {
  throw new Refusal(fault, target, { words: { what: nameOfKind(target) } });
}

/** Targets of `=`, `for`, `with` and comprehensions. */
export function checkTarget(target: Expr, isInList = false): void {
  switch (target.kind) {
    case "Name":
    case "Attribute":
    case "Subscript":
      return;
    case "Starred":
      if (!isInList) throw new Refusal("target_star_alone", target);
      if (target.value.kind === "Starred") refuse("target", target.value);
      checkTarget(target.value);
      return;
    case "List":
    case "Tuple":
      checkElements(target.elts);
      return;
    default:
      refuse("target", target);
  }
}

/** The byte of CPython that counts the targets before the one with a star. */
const MAX_BEFORE_STAR = 255;

function checkElements(elements: readonly Expr[]): void {
  let star = -1;
  elements.forEach((element, index) => {
    if (element.kind === "Starred") {
      if (star >= 0) throw new Refusal("target_two_stars", element);
      if (index > MAX_BEFORE_STAR) throw new Refusal("target_too_many", element);
      star = index;
    }
    checkTarget(element, true);
  });
}

/** Targets of `+=` and of annotations. */
export function checkSingle(fault: "target_augmented" | "target_annotated", target: Expr): void {
  const { kind } = target;
  if (kind !== "Name" && kind !== "Attribute" && kind !== "Subscript") refuse(fault, target);
}

export function checkDeleted(target: Expr): void {
  switch (target.kind) {
    case "Name":
    case "Attribute":
    case "Subscript":
      return;
    case "List":
    case "Tuple":
      for (const element of target.elts) checkDeleted(element);
      return;
    default:
      refuse("target_deleted", target);
  }
}
