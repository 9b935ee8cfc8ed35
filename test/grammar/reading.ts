/** Short ways to look at what the parser made of a text, for table-driven tests. */
import type { Condition, Operand, SourceFile, Step } from "../../grammar/ast.ts";
import { parse } from "../../grammar/parse.ts";

/** `WF1002 3:10` for every finding, in order. */
export function found(text: string): string[] {
  return parse(text).findings.map(({ code, span }) => `${code} ${span?.line}:${span?.column}`);
}

/** `WF1002 3:10-3:11` for every finding, in order. */
export function foundSpans(text: string): string[] {
  return parse(text).findings.map(
    ({ code, span: s }) => `${code} ${s?.line}:${s?.column}-${s?.end_line}:${s?.end_column}`,
  );
}

export function stepsOf(file: SourceFile): Step[] {
  return file.lines.flatMap((line) => (line.kind === "label" ? line.steps : line.kind === "step" ? [line.step] : []));
}

/** The only step of `L1:` with this text below. */
export function stepOf(text: string): Step {
  const [step] = stepsOf(parse(`L1:\n${text}`));
  if (step === undefined) throw new Error(`no step in ${text}`);
  return step;
}

export function operandOf(text: string): string {
  const step = stepOf(`J ${text}`);
  if (step.op !== "J" || step.value === null) throw new Error(`no operand in ${text}`);
  return show(step.value);
}

export function conditionOf(text: string): string {
  const step = stepOf(`If ${text} ->L2`);
  if (step.op !== "If") throw new Error(`no condition in ${text}`);
  return showCondition(step.cond);
}

/** An operand as `kind:value`, nested as in programs. */
function show(operand: Operand): string {
  switch (operand.k) {
    case "null":
      return "null";
    case "path":
      return `path:${operand.text === null ? "$" : ""}${[operand.root, ...operand.segments].join("|")}`;
    case "list":
      return `[${operand.items.map(show).join(" ")}]`;
    case "map":
      return `{${operand.entries.map(({ key, value }) => `${key.quoted ? JSON.stringify(key.text) : key.text}=${show(value)}`).join(" ")}}`;
    case "call":
      return `(${[operand.fn.text, ...operand.args.map(show)].join(" ")})`;
    default:
      return `${operand.k}:${String(operand.v)}`;
  }
}

function showCondition(condition: Condition): string {
  switch (condition.c) {
    case "not":
      return `not ${showCondition(condition.of)}`;
    case "truthy":
      return show(condition.of);
    case "present":
      return `${show(condition.of)} is set`;
    case "text_eq":
      return `${show(condition.left)} = ${show(condition.right)}`;
    case "cmp":
      return `${show(condition.left)} ${condition.op} ${show(condition.right)}`;
  }
}
