/** Values that are written out, read without running anything. */
import type { Expr } from "../../../grammar/python/tree.ts";
import type { Json } from "../../json.ts";

/** A value as JSON reads it, and its text, which says more of numbers and of the order of members. */
export type Literal = { readonly value: Json; readonly text: string };

/** undefined: it is something else than a text, number, bool or None, or a list or dict of such. */
export function literalOf(node: Expr): Literal | undefined {
  const text = literalText(node);
  return text === undefined ? undefined : { value: JSON.parse(text) as Json, text };
}

/** Whether who has the value alone would take a float for an int, lose digits or change the order of members. */
export function saysMore(value: Json, text: string): boolean {
  return /\de[-+]?\d/.test(text) || JSON.stringify(value) !== text;
}

function literalText(node: Expr): string | undefined {
  switch (node.kind) {
    case "Constant": {
      const { type, value } = node;
      if (type === "int") return String(value);
      if (type === "float") return Number.isFinite(value) ? floatText(value as number) : undefined;
      return type === "none" || type === "str" || type === "bool" ? JSON.stringify(value) : undefined;
    }
    case "UnaryOp": {
      const { operand } = node;
      if (node.op !== "-" || operand.kind !== "Constant" || (operand.type !== "int" && operand.type !== "float"))
        return undefined;
      const text = literalText(operand);
      return text === undefined || text === "0" ? text : `-${text}`;
    }
    case "List":
    case "Tuple": {
      const items = node.elts.map(literalText);
      return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
    }
    case "Dict": {
      const members = new Map<string, string>();
      for (const [at, key] of node.keys.entries()) {
        const name = key?.kind === "Constant" && key.type === "str" ? (key.value as string) : undefined;
        const value = literalText(node.values[at] as Expr);
        if (name === undefined || value === undefined) return undefined;
        members.set(name, value);
      }
      return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
    }
    default:
      return undefined;
  }
}

/** As Python's json module writes it, as far as a reader can tell. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? "-0" : JSON.stringify(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
