/** Short forms for operands of the IR. */
import type { IrOperand } from "../../ir/graph.ts";

export const NONE: IrOperand = { k: "null" };
export function call(fn: string, ...args: readonly IrOperand[]): IrOperand {
  return { k: "call", fn: `py.${fn}`, args };
}
export function text(v: string): IrOperand {
  return { k: "str", v };
}
export function variable(v: string): IrOperand {
  return { k: "var", v };
}
