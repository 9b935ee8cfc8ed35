/** Values that are written out, read without running anything. */
import type { Expr } from "../../../grammar/python/tree.ts";
import { type Json, setMember } from "../../json.ts";

/** undefined: it is something else than a text, number, bool or None, or a list or dict of such. */
export function literalValue(node: Expr): Json | undefined {
  switch (node.kind) {
    case "Constant":
      if (node.type === "none") return null;
      if (node.type === "str" || node.type === "bool") return node.value as string | boolean;
      return (node.type === "int" || node.type === "float") && Number.isFinite(node.value)
        ? (node.value as number)
        : undefined;
    case "UnaryOp": {
      const value = node.op === "-" ? literalValue(node.operand) : undefined;
      return typeof value === "number" ? -value : undefined;
    }
    case "List":
    case "Tuple": {
      const items = node.elts.map(literalValue);
      return items.includes(undefined) ? undefined : (items as Json[]);
    }
    case "Dict": {
      const members: { [name: string]: Json } = {};
      for (const [at, key] of node.keys.entries()) {
        const name = key === null ? undefined : literalValue(key);
        const value = literalValue(node.values[at] as Expr);
        if (typeof name !== "string" || value === undefined) return undefined;
        setMember(members, name, value);
      }
      return members;
    }
    default:
      return undefined;
  }
}
