/** Annotations of the entry as types of inputs (python.md F-3); what is not known is any value. */
import type { Expr } from "../../../grammar/python/tree.ts";

const TYPES: Readonly<Record<string, string>> = {
  str: "text",
  int: "integer",
  float: "number",
  bool: "boolean",
  list: "list",
  dict: "map",
  List: "list",
  Dict: "map",
};

export function inputTypeOf(node: Expr | null): string {
  if (node === null) return "any";
  const type = typeOf(node);
  return type === null ? "any" : type;
}

/** null: any value. */
function typeOf(node: Expr): string | null {
  switch (node.kind) {
    case "Name":
      return Object.hasOwn(TYPES, node.id) ? (TYPES[node.id] as string) : null;
    case "Attribute":
      return Object.hasOwn(TYPES, node.attr) ? (TYPES[node.attr] as string) : null;
    case "Subscript": {
      const head = node.value.kind === "Name" ? node.value.id : node.value.kind === "Attribute" ? node.value.attr : "";
      if (head === "Optional") return orNone(typeOf(node.slice));
      if (head === "list" || head === "List") {
        const item = typeOf(node.slice);
        return item === null ? "list" : `A[${item}]`;
      }
      return head === "dict" || head === "Dict" ? "map" : null;
    }
    case "BinOp": {
      if (node.op !== "|") return null;
      if (isNone(node.right)) return orNone(typeOf(node.left));
      return isNone(node.left) ? orNone(typeOf(node.right)) : null;
    }
    default:
      return null;
  }
}

function orNone(type: string | null): string | null {
  return type === null || type.endsWith("?") ? type : `${type}?`;
}

function isNone(node: Expr): boolean {
  return node.kind === "Constant" && node.type === "none";
}
