/**
 * Reading operands and conditions straight from the IR (docs/language.md, values and operands). Recursion follows the nesting of the
 * program text, which the compiler bounds. Host functions never get here.
 */
import { COMPARISON_FUNCTIONS } from "../../../compiler/functions.ts";
import type { IrCondition, IrOperand } from "../../../compiler/ir/graph.ts";
import { type Json, setMember } from "../../../compiler/json.ts";
import { unknownFunctionFailure } from "../../../vm/errors/fatal-failures.ts";
import { functionOf } from "../../../vm/functions/table.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { walk } from "../../../vm/values/paths.ts";
import { textOf } from "../../../vm/values/text.ts";
import { truthy } from "../../../vm/values/values.ts";
import type { Frame } from "./frame.ts";

export function readOperand(operand: IrOperand, frame: Frame): Json {
  switch (operand.k) {
    case "str":
    case "num":
    case "bool":
      return operand.v;
    case "null":
      return null;
    case "var":
      return frame.get(operand.v) ?? null;
    case "name": {
      const value = frame.get(operand.v);
      return value === undefined ? operand.v : value;
    }
    case "path": {
      const root = frame.get(operand.root);
      return root === undefined ? (operand.text ?? null) : walk(root, operand.segments, unmetered);
    }
    case "list":
      return operand.items.map((item) => readOperand(item, frame));
    case "map": {
      const object: { [key: string]: Json } = {};
      for (const [key, member] of operand.entries) setMember(object, key, readOperand(member, frame));
      return object;
    }
    case "int":
    case "float":
    case "bytes":
    case "global":
    case "lib":
    case "label":
      throw new Error("an operand of Python among the steps of the opcode form");
    case "call": {
      const value = lazyValue(operand, frame);
      if (value !== undefined) return value;
      const args = operand.args.map((arg) => readOperand(arg, frame));
      return callFunction(operand.fn, args);
    }
  }
}

/** `and`, `or` and `ite` read only what they need; undefined for other functions, and for too few arguments. */
function lazyValue(
  { fn, args: [first, second, third] }: IrOperand & { readonly k: "call" },
  frame: Frame,
): Json | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (fn === "and" || fn === "or") {
    const isFirst = truthy(readOperand(first, frame));
    return isFirst === (fn === "or") ? isFirst : truthy(readOperand(second, frame));
  }
  if (fn !== "ite") return undefined;
  const chosen = truthy(readOperand(first, frame)) ? second : third;
  return chosen === undefined ? null : readOperand(chosen, frame);
}

function callFunction(name: string, args: readonly Json[]): Json {
  const pure = functionOf(name, "call");
  if (pure === undefined) throw unknownFunctionFailure(name);
  return pure(args, unmetered);
}

export function conditionHolds(condition: IrCondition, frame: Frame): boolean {
  switch (condition.c) {
    case "truthy":
      return truthy(readOperand(condition.of, frame));
    case "present":
      // Whether a variable is set: its own name does not stand in for it.
      return (condition.of.k === "name" ? frame.get(condition.of.v) : readOperand(condition.of, frame)) != null;
    case "text_eq": {
      const left = readOperand(condition.left, frame);
      const right = readOperand(condition.right, frame);
      return textOf(left) === textOf(right);
    }
    case "cmp": {
      const left = readOperand(condition.left, frame);
      const right = readOperand(condition.right, frame);
      return callFunction(COMPARISON_FUNCTIONS[condition.op], [left, right]) === true;
    }
    case "not":
      return !conditionHolds(condition.of, frame);
  }
}
