/**
 * Constant folding: pure calls over constants are computed while code is emitted. What would fail is left to fail at run time, and
 * large results are left to be built there, so that steps, calls and sizes of a run stay what the program says.
 */
import { isHostCall } from "../functions.ts";
import type { IrOperand } from "../ir/graph.ts";
import { type Json, setMember } from "../json.ts";

/** The value of a pure call over constants; undefined when it fails or is better computed by the run. */
export type Fold = (fn: string, args: readonly Json[]) => Json | undefined;

export const noFolding: Fold = () => undefined;

/** The operand's value as a constant, undefined when it depends on variables or is not folded. */
export function constantOf(operand: IrOperand, fold: Fold): Json | undefined {
  switch (operand.k) {
    case "str":
    case "num":
    case "bool":
      return operand.v;
    case "null":
      return null;
    case "list": {
      const items: Json[] = [];
      for (const item of operand.items) {
        const value = constantOf(item, fold);
        if (value === undefined) return undefined;
        items.push(value);
      }
      return items;
    }
    case "map": {
      const object: { [key: string]: Json } = {};
      for (const [key, entry] of operand.entries) {
        const value = constantOf(entry, fold);
        if (value === undefined) return undefined;
        setMember(object, key, value);
      }
      return object;
    }
    case "call": {
      if (isHostCall(operand.fn, operand.args.length)) return undefined;
      const args: Json[] = [];
      for (const arg of operand.args) {
        const value = constantOf(arg, fold);
        if (value === undefined) return undefined;
        args.push(value);
      }
      return fold(operand.fn, args);
    }
    default:
      return undefined;
  }
}
