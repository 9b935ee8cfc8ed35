/** What annotations are made of, where the run has it too: types that isinstance and patterns take, and `cast`. */
import type { Call, Expr } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import type { Lowerer } from "../lowerer.ts";

/** Notes where the types stand in `isinstance(x, (list, Mapping))`. */
export function takesTypes(f: Lowerer, node: Expr | undefined): void {
  if (node?.kind === "Name" || node?.kind === "Attribute") f.names.tested.add(node);
  if (node?.kind === "Tuple") for (const one of node.elts) takesTypes(f, one);
  if (node?.kind === "BinOp") for (const side of [node.left, node.right]) takesTypes(f, side);
}

/** `cast(list[int], value)` is its value. */
export function lowerCast(f: Lowerer, node: Call): IrOperand {
  const [type, value] = node.args;
  const isForm = type !== undefined && value !== undefined && node.args.length + node.keywords.length === 2;
  if (!isForm || !isType(f, type)) return f.refuse(node, "typing_value", { name: "cast" });
  return f.expr(value);
}

const TYPES: ReadonlySet<string> = new Set(
  "str int float bool list dict tuple set frozenset bytes type object".split(" "),
);

export function isTypeName(f: Lowerer, node: Expr): boolean {
  if (node.kind === "Constant") return node.type === "none";
  const meaning = f.names.meaning(f.scope, node);
  return meaning?.kind === "lib" && TYPES.has(meaning.name);
}

/** `dict[str, Any]`, as the name of a type or an argument of cast. */
export function isTypeAlias(f: Lowerer, value: Expr): boolean {
  switch (value.kind) {
    case "Name":
    case "Attribute":
      return f.names.meaning(f.scope, value)?.kind === "typing";
    case "Call":
      return isTypeAlias(f, value.func);
    case "Subscript":
      return isTypeAlias(f, value.value) || isTypeName(f, value.value);
    case "BinOp":
      return value.op === "|" && [value.left, value.right].every((side) => isTypeAlias(f, side) || isTypeName(f, side));
    default:
      return false;
  }
}

/** An expression that does nothing: a type, a text of one, or a name of a type of the file. */
function isType(f: Lowerer, node: Expr): boolean {
  if (node.kind === "Call") return false;
  if (node.kind === "Constant") return node.type === "str" || node.type === "none";
  if (node.kind === "Name" && f.scope.find(node.id).kind === "global") {
    // A class of the file may not be there yet.
    if (!f.names.typeAliases.has(node.id)) f.body.keep(f.expr(node));
    return true;
  }
  return isTypeName(f, node) || isTypeAlias(f, node);
}
