/**
 * AST operand → IR operand by slot class (docs/language.md, values and operands), and conditions. Every variable that is
 * read on the way is noted with its place for the check "defined before use". Knows function names, but no labels,
 * adapters or declarations.
 */
import type { Condition, Operand } from "../../grammar/ast.ts";
import { calledBy } from "../../grammar/foreign/marks.ts";
import type { Span } from "../../grammar/text/span.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { COMPARISON_FUNCTIONS, type FunctionSignature, findFunction, isComparator, isHostCall } from "../functions.ts";
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
  /** For suggestions: what is called like a function may be an adapter. */
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
      if (slot === "operand" || slot === "lenient") reportMark(operand.v, slot, operand.span, context);
      return textOperand(operand.v);
    case "str":
      return textOperand(operand.v);
    case "num":
      return numberOperand(operand.v);
    case "bool":
      return { k: "bool", v: operand.v };
    case "null":
      return { k: "null" };
    case "var":
      lowerVariable(operand.v, operand.span, slot, context);
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

const ASKED = /^\$?([\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}\p{Nd}_]+)*)\?$/u;

/** What a word means elsewhere, and how that is written here. */
type Meant = { readonly mark: string; readonly written: string; readonly why: string };

/** WF9030. Next to the comparator of a condition only plain numbers are reported; other words are reported with the condition. */
function reportMark(word: string, slot: "operand" | "lenient", span: Span, context: OperandContext): void {
  const meant = writtenNumber(word) ?? (slot === "lenient" ? null : (askedName(word) ?? writtenRange(word)));
  if (meant === null) {
    if (slot === "operand") reportCalled(word, span, context);
    return;
  }
  const { mark, written, why } = meant;
  context.report("WF9030", span, {
    words: { mark, word },
    suggestion: `write ${written}${why}; quote it if it is text`,
    fix: { title: `write ${written}`, edits: [{ span, new_text: written }] },
  });
}

/** `x?` asks whether x is set in conditions only. */
function askedName(word: string): Meant | null {
  const [, name] = ASKED.exec(word) ?? [];
  return name === undefined ? null : { mark: "?", written: `(ne $${name} null)`, why: " to ask whether it is set" };
}

const GROUPED = /^-?[0-9]+(?:(_)[0-9]+)+(?:\.[0-9]+)?$|^-?[0-9]{1,3}(?:(,)[0-9]{3})+(?:\.[0-9]+)?$/;
const RADIX = /^0([xXoObB])[0-9a-fA-F]+$/;
const SPAN = /^(-?[0-9]{1,9})\.\.\.?(-?[0-9]{1,9})$/;

/** `1_000`, `1,000` and `0xff` are numbers elsewhere. */
function writtenNumber(word: string): Meant | null {
  const [grouped, underscore, comma] = GROUPED.exec(word) ?? [];
  if (grouped !== undefined)
    return { mark: underscore ?? comma ?? "", written: word.replaceAll(/[_,]/g, ""), why: " if it is a number" };
  const [radix, letter] = RADIX.exec(word) ?? [];
  if (radix === undefined || !Number.isSafeInteger(Number(word))) return null;
  return { mark: `0${letter}`, written: String(Number(word)), why: " if it is a number" };
}

/** `1..5` */
function writtenRange(word: string): Meant | null {
  const [range, first, last] = SPAN.exec(word) ?? [];
  if (range === undefined) return null;
  return { mark: "..", written: `(range ${first} ${Number(last) + 1})`, why: " for all numbers from first to last" };
}

/** WF9030: `len(rows)` is a text, and surely meant as a call where a function has that name. */
function reportCalled(word: string, span: Span, context: OperandContext): void {
  const called = calledBy(word, span, context.source);
  if (called === null || findFunction(called.name) === undefined) return;
  const written = `(${[called.name, ...(called.args ?? ["…"])].join(" ")})`;
  context.report("WF9030", called.span, {
    words: { mark: "(", word },
    suggestion: `write ${written} to call the function; quote it if it is text`,
    fix: called.args === null ? null : { title: `write ${written}`, edits: [{ span: called.span, new_text: written }] },
    covers: called.span,
  });
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
  const signature = resolveFunction(name, span, args, context);
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

/** In the indented form a name alone is a variable without its `$`. */
function lowerVariable(name: string, span: Span, slot: SlotReading, context: OperandContext): void {
  const isMarked = context.source.charAt(span.start) === "$";
  noteRead(context, name, isMarked ? "var" : "name", slot, span, isMarked ? `$${name}` : name);
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
