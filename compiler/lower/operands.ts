/**
 * AST operand → IR operand by slot class (docs/language.md, values and operands), and conditions. Every variable that is
 * read on the way is noted with its place for the check "defined before use". Knows function names, but no labels,
 * adapters or declarations.
 */
import type { Condition, Operand } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { COMPARISON_FUNCTIONS, type FunctionSignature, isComparator, isHostCall } from "../functions.ts";
import type { IrCondition, IrOperand } from "../ir/graph.ts";
import type { FindingSink } from "./findings.ts";
import type { Read } from "./lowered.ts";
import { resolveFunction } from "./names/function-names.ts";

/** How a slot reads the same characters; `subject` is the left or only side of a condition, where unset means null. */
export type SlotReading = "operand" | "key" | "lenient" | "subject" | "word";

export type OperandContext = FindingSink & {
  /** Text of the file that the operands stand in. */
  readonly source: string;
  readonly reads: Read[];
  readonly catalog: AdapterCatalog;
};

/** The IR constant of a text. */
export function textOperand(text: string): IrOperand {
  return { k: "str", v: text };
}

/** The IR constant of a number; −0 is written 0. */
export function numberOperand(value: number): IrOperand {
  return { k: "num", v: value === 0 ? 0 : value };
}

export function lowerOperand(operand: Operand, slot: SlotReading, context: OperandContext): IrOperand {
  switch (operand.k) {
    case "word":
    case "str":
      return textOperand(operand.v);
    case "num":
      return numberOperand(operand.v);
    case "bool":
      return { k: "bool", v: operand.v };
    case "null":
      return { k: "null" };
    case "var":
      noteRead(context, operand.v, "var", slot, operand.span, `$${operand.v}`);
      return { k: "var", v: operand.v };
    case "name":
      return lowerName(operand.v, operand.span, slot, context);
    case "path":
      return lowerPath(operand, slot, context);
    case "list":
      return { k: "list", items: operand.items.map((item) => lowerOperand(item, elementSlot(slot), context)) };
    case "map":
      return lowerMap(operand, context);
    case "call":
      return lowerNestedCall(operand, context);
  }
}

/** The whole value of Set or X: the one place in an operand where a host function may be called. */
export function lowerWholeValue(operand: Operand, context: OperandContext): IrOperand {
  if (operand.k !== "call" || operand.infix) return lowerOperand(operand, "operand", context);
  return lowerCall(operand.fn.text, operand.fn.span, operand.args, "whole", context);
}

/** A call of the function that `name` means; unknown ones are kept as written (WF5004). */
export function lowerCall(
  name: string,
  span: Span,
  args: readonly Operand[],
  place: "whole" | "nested",
  context: OperandContext,
): IrOperand {
  const signature = resolveFunction(name, span, args.length, context);
  if (place === "nested" && signature !== undefined && isHostCall(signature.name, args.length)) {
    context.report("WF5005", span, { words: { fn: signature.name } });
  }
  return {
    k: "call",
    fn: signature?.name ?? name,
    args: args.map((argument, index) => lowerOperand(argument, argumentSlot(signature, index), context)),
  };
}

export function lowerCondition(condition: Condition, context: OperandContext): IrCondition {
  switch (condition.c) {
    case "truthy":
      if (condition.of.k === "call" && condition.of.infix) return bracketedComparison(condition.of, context);
      return { c: "truthy", of: lowerOperand(condition.of, "subject", context) };
    case "present":
      return { c: "present", of: lowerOperand(condition.of, "subject", context) };
    case "text_eq":
      return {
        c: "text_eq",
        left: lowerOperand(condition.left, "subject", context),
        right: lowerOperand(condition.right, "lenient", context),
      };
    case "cmp":
      return {
        c: "cmp",
        op: condition.op,
        left: lowerOperand(condition.left, "subject", context),
        right: lowerOperand(condition.right, "lenient", context),
      };
    case "not": {
      const inner = lowerCondition(condition.of, context);
      return inner.c === "not" ? inner.of : { c: "not", of: inner };
    }
  }
}

function noteRead(
  context: OperandContext,
  name: string,
  form: Read["form"],
  slot: SlotReading,
  span: Span,
  text: string,
): void {
  context.reads.push({ name, span, form, slot: slot === "word" ? "operand" : slot, text });
}

function lowerName(name: string, span: Span, slot: SlotReading, context: OperandContext): IrOperand {
  if (slot === "word") return textOperand(name);
  noteRead(context, name, "name", slot, span, name);
  return slot === "subject" ? { k: "var", v: name } : { k: "name", v: name };
}

function lowerPath(operand: Operand & { k: "path" }, slot: SlotReading, context: OperandContext): IrOperand {
  const { root, segments, text, span } = operand;
  if (text === null) {
    noteRead(context, root, "var_path", slot, span, context.source.slice(span.start, span.end));
    return { k: "path", root, segments };
  }
  if (slot === "word") return textOperand(text);
  if (slot === "key") return textOperand([root, ...segments].join("."));
  noteRead(context, root, "path", slot, span, text);
  return slot === "subject" ? { k: "path", root, segments } : { k: "path", root, segments, text };
}

/** A repeated key keeps its last value, as if the earlier pairs had not been written. */
function lowerMap(operand: Operand & { k: "map" }, context: OperandContext): IrOperand {
  const values = new Map<string, IrOperand>();
  for (const entry of operand.entries) {
    const value = lowerOperand(entry.value, "operand", context);
    values.delete(entry.key.text);
    values.set(entry.key.text, value);
  }
  return { k: "map", entries: [...values] };
}

function lowerNestedCall(operand: Operand & { k: "call" }, context: OperandContext): IrOperand {
  if (!operand.infix) return lowerCall(operand.fn.text, operand.fn.span, operand.args, "nested", context);
  const word = operand.fn.text;
  return {
    k: "call",
    fn: isComparator(word) ? COMPARISON_FUNCTIONS[word] : word,
    args: operand.args.map((side) => lowerOperand(side, "operand", context)),
  };
}

/** `If (a < b)` means what `If a < b` means. */
function bracketedComparison(operand: Operand & { k: "call" }, context: OperandContext): IrCondition {
  const [left, right] = operand.args;
  const op = operand.fn.text;
  if (left === undefined || right === undefined || !isComparator(op)) {
    return { c: "truthy", of: lowerNestedCall(operand, context) };
  }
  return { c: "cmp", op, left: lowerOperand(left, "subject", context), right: lowerOperand(right, "lenient", context) };
}

/** Elements of a list are read like the list's own slot, but nothing inside a literal is a subject or a word. */
function elementSlot(slot: SlotReading): SlotReading {
  return slot === "key" || slot === "lenient" ? slot : "operand";
}

function argumentSlot(signature: FunctionSignature | undefined, index: number): SlotReading {
  const parameters = signature?.parameters ?? [];
  const parameter = parameters[index] ?? parameters.findLast((candidate) => candidate.repeat);
  return parameter?.class ?? "operand";
}
