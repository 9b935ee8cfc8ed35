/**
 * Statements that only the indented form has, for steps of the opcode form: `x = f(a, b)` for `X x f a b`. Whether they mean the same is
 * not known here: the programs are compared.
 */
import type { Operand, Step } from "../../grammar/ast.ts";
import { quoteText } from "../../grammar/text/quote.ts";
import { conditionText, operandText, pathText, type RefText, stepText } from "./step-text.ts";

/** How a step is written, the best first. */
export const STYLES = ["brackets", "spaces", "step"] as const;
export type Style = (typeof STYLES)[number];

export function statementText(step: Exclude<Step, { op: "broken" }>, style: Style, refText: RefText): string {
  const written = style === "step" ? null : statementOf(step, style, refText);
  return written ?? stepText(step, refText);
}

function statementOf(step: Step, style: Style, refText: RefText): string | null {
  switch (step.op) {
    case "J":
      return step.value === null ? null : `out ${valueText(step.value, style)}`;
    case "Set":
      return `${step.name.name} = ${valueText(step.value, style)}`;
    case "X":
      return `${step.name.name} = ${valueText(functionValue(step), style)}`;
    case "R":
      return callText(step, style);
    case "Call":
      return `${step.out === null || step.out.name === "_call_result" ? "" : `${step.out.name} = `}call ${refText(step.label)}`;
    case "Each": {
      const options = [step.limit === null ? "" : `limit ${step.limit}`, step.mode?.text === "settle" ? "settle" : ""];
      const head = `${step.name.name} = call ${refText(step.body)} for ${step.item.name} in ${valueText(step.list, style)}`;
      return [head, ...options].filter((word) => word !== "").join(" ");
    }
    case "Par":
      return `${step.name.name} = call ${step.bodies.map(refText).join(", ")}${step.mode?.text === "settle" ? " settle" : ""}`;
    default:
      return null;
  }
}

/** The line that opens the block of an If, a Loop or a While, without its colon. */
export function headText(step: Step, style: Style): string {
  if (step.op === "Loop") return `for ${step.item.name} in ${valueText(step.list, style)}`;
  if (step.op === "If") return `if ${conditionText(step.cond)}`;
  if (step.op !== "While") return "";
  return `while ${conditionText(step.cond)}${step.limit === null ? "" : ` limit ${step.limit}`}`;
}

function functionValue({ first, args }: Step & { op: "X" }): Operand {
  if (args.length === 0 || (first.k !== "name" && first.k !== "word")) return first;
  const fn = { text: first.v, span: first.span, quoted: false };
  return { k: "call", fn, args, infix: false, span: first.span };
}

/** `y = a.V(x)`; those of core, and calls of nothing, have no brackets. */
function callText({ adapter, verb, args, out }: Step & { op: "R" }, style: Style): string | null {
  if (out === null || adapter.text.startsWith("$")) return null;
  const target = `${adapter.text}.${verb.text}`;
  const hasBrackets = style === "brackets" && adapter.text !== "core" && args.length > 0;
  const written = hasBrackets
    ? `${target}(${args.map((one) => innerText(one, style)).join(", ")})`
    : [target, ...args.map((one) => innerText(one, style))].join(" ");
  return `${out.name} = ${written}`;
}

/** A name alone is null when it is absent, as a variable is. */
function valueText(value: Operand, style: Style): string {
  if (value.k === "var") return value.v;
  return value.k === "path" && value.text === null ? pathText(value) : innerText(value, style);
}

function innerText(value: Operand, style: Style): string {
  switch (value.k) {
    case "str":
    case "word":
      return quoteText(value.v);
    case "list":
      return spread(
        "[",
        value.items.map((item) => innerText(item, style)),
        "]",
        value.multiline,
      );
    case "map": {
      const entries = value.entries.map((entry) => `${quoteText(entry.key.text)}: ${innerText(entry.value, style)}`);
      return spread("{", entries, "}", value.multiline);
    }
    case "call":
      return style === "brackets" && !value.infix
        ? `${value.fn.text}(${value.args.map((one) => innerText(one, style)).join(", ")})`
        : operandText(value);
    default:
      return operandText(value);
  }
}

/** What stood in several lines does so again. */
function spread(open: string, parts: readonly string[], close: string, isMultiline: boolean): string {
  if (!isMultiline || parts.length === 0) return open + parts.join(", ") + close;
  const lines = parts.map((part) => `\n  ${part.replaceAll("\n", "\n  ")}`);
  return `${open}${lines.join(",")}\n${close}`;
}
