/**
 * Steps of the IR, each as one line of text, close to the source it may have come from: for diagrams, differences and traces. The IR
 * holds no source text, so the line is generated from op and data; where the step leads to is shown by its edges, not here.
 */

import { isShown, shownLabel } from "../../grammar/text/written-label.ts";
import type { BranchMode, CallData, IrCondition, IrNode, IrOperand, NodeData, PyData } from "./graph.ts";
import type { NodeShape } from "./operands.ts";

/** `R core.ADD 2 3 ->x`, `If x > 3`, `Set total 0` */
export function stepText(node: IrNode): string {
  const words = wordsOf(node);
  return [node.op, ...words].join(" ");
}

function wordsOf(node: NodeShape): readonly string[] {
  switch (node.op) {
    case "R": {
      const { adapter, verb, args, out } = node.data;
      return [`${targetText(adapter)}.${targetText(verb)}`, ...args.map(operandText), ...outText(out)];
    }
    case "CacheGet": {
      const { fallback } = node.data;
      return [...callWords(node.data), ...(fallback === null ? [] : [operandText(fallback)])];
    }
    case "Tx":
      return [targetText(node.data.verb), ...callWords(node.data)];
    case "CacheSet":
    case "QueuePut":
    case "Enf":
      return callWords(node.data);
    case "J":
      return [operandText(node.data.value)];
    case "Set":
      return [node.data.name, operandText(node.data.value)];
    case "X":
      return [node.data.name, calculation(node.data.value)];
    case "Filt": {
      const { name, list, field, cmp, value } = node.data;
      return [name, operandText(list), field, cmp, operandText(value)];
    }
    case "Sort":
      return [node.data.name, operandText(node.data.list), node.data.field, node.data.order];
    case "If":
      return [conditionText(node.data.cond)];
    case "Loop":
      return [operandText(node.data.list), node.data.item, ...untilText(node.data)];
    case "While":
      return [conditionText(node.data.cond), `limit=${node.data.limit}`, ...untilText(node.data)];
    case "Each": {
      const { out, list, item, limit, mode } = node.data;
      return [out, operandText(list), item, `limit=${limit}`, ...modeText(mode)];
    }
    case "Par":
      return [node.data.out, ...node.data.branches.map((id) => `->${shownLabel(id)}`), ...modeText(node.data.mode)];
    case "Call":
      return [...inputsText(node.data), ...outText(node.data.out)];
    case "Err":
      return [];
    case "Retry":
      return [operandText(node.data.count), operandText(node.data.backoff_ms), node.data.strategy];
    case "Py":
      return pyWords(node.data);
  }
}

function pyWords(data: PyData): readonly string[] {
  switch (data.do) {
    case "set":
    case "set_global":
      return [data.name, "=", operandText(data.value)];
    case "if":
      return ["if", operandText(data.cond)];
    case "next":
      return ["for", data.name, "in", data.iter];
    case "unpack":
      return [
        data.names.map((name, at) => (at === data.star ? `*${name}` : name)).join(", "),
        "=",
        operandText(data.value),
      ];
    case "eval":
      return [operandText(data.value)];
    case "return":
    case "yield":
      return [data.do, operandText(data.value)];
    case "raise":
      return ["raise", operandText(data.value), ...(data.cause === null ? [] : ["from", operandText(data.cause)])];
    case "pass":
      return ["while"];
    case "join":
      return [];
    case "del_global":
      return ["del", data.name];
    default:
      return [data.do, data.name];
  }
}

const callWords = ({ args, out }: CallData): string[] => [...args.map(operandText), ...outText(out)];
const outText = (out: string | null): string[] => (out === null || !isShown(out) ? [] : [`->${out}`]);
const untilText = ({ until }: NodeData["Loop"] | NodeData["While"]): string[] =>
  until === undefined ? [] : [`until=${until}`];
const modeText = (mode: BranchMode): string[] => (mode === "all" ? [] : [mode]);
/** The inputs of a call with variables of its own. */
const inputsText = ({ inputs }: NodeData["Call"]): string[] =>
  inputs === undefined ? [] : [`(${inputs.map(([name, value]) => `${name}=${operandText(value)}`).join(", ")})`];
const targetText = (target: string | IrOperand): string => (typeof target === "string" ? target : operandText(target));

/** The function of an `X` step stands without parentheses. */
function calculation(value: IrOperand): string {
  return value.k === "call" ? callText(value) : operandText(value);
}

function callText({ fn, args }: Extract<IrOperand, { k: "call" }>): string {
  return [fn, ...args.map(operandText)].join(" ");
}

export function operandText(operand: IrOperand): string {
  switch (operand.k) {
    case "str":
      return JSON.stringify(operand.v);
    case "num":
    case "bool":
      return String(operand.v);
    case "null":
      return "null";
    case "var":
      return `$${operand.v}`;
    case "name":
      return operand.v;
    case "path":
      return operand.text ?? operand.root + operand.segments.map(segmentText).join("");
    case "list":
      return `[${operand.items.map(operandText).join(", ")}]`;
    case "map":
      return `{${operand.entries.map(([key, value]) => `${JSON.stringify(key)}: ${operandText(value)}`).join(", ")}}`;
    case "call":
      return `(${callText(operand)})`;
    case "bytes":
      return `b${JSON.stringify(operand.v)}`;
    case "int":
    case "float":
    case "global":
    case "lib":
    case "label":
      return operand.v;
  }
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** `.name`, `[2]`, `["two words"]` */
function segmentText(segment: string): string {
  if (/^[0-9]+$/.test(segment)) return `[${segment}]`;
  return NAME.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}

function conditionText(condition: IrCondition): string {
  switch (condition.c) {
    case "truthy":
      return subjectText(condition.of);
    case "present":
      return `${subjectText(condition.of)}?`;
    case "text_eq":
      return `${subjectText(condition.left)}=${operandText(condition.right)}`;
    case "cmp":
      return `${subjectText(condition.left)} ${condition.op} ${operandText(condition.right)}`;
    case "not":
      return `not ${conditionText(condition.of)}`;
  }
}

/** What a condition asks about is a variable without being marked as one. */
const subjectText = (operand: IrOperand): string => (operand.k === "var" ? operand.v : operandText(operand));
