/**
 * Steps of the syntax tree as text, made from what they hold and not from where they were read: a step of the indented form stands nowhere as it is.
 * Steps have the words of the opcode form, which both forms read. It knows nothing of lines and comments.
 */
import type { Condition, Operand, Ref, Slot, Step } from "../../grammar/ast.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { quoteText } from "../../grammar/text/quote.ts";

/** How a reference to a label is written. */
export type RefText = (ref: Ref) => string;

export function stepText(step: Exclude<Step, { op: "broken" }>, refText: RefText): string {
  const words = [step.op, ...slotsOf(step, refText)];
  const isGiven = step.op === "Call" && step.out?.name === "_call_result";
  if ("out" in step && step.out !== null && !isGiven) words.push(`->${step.out.name}`);
  return words.filter((word) => word !== "").join(" ");
}

function slotsOf(step: Exclude<Step, { op: "broken" }>, refText: RefText): readonly string[] {
  switch (step.op) {
    case "R":
      return [targetText(step.adapter, step.verb), ...step.args.map(operandText)];
    case "J":
      return step.value === null ? [] : [operandText(step.value)];
    case "If":
      return [conditionText(step.cond), refText(step.then), step.else === null ? "" : refText(step.else)];
    case "Err":
      return [protectedText(step), step.handler === null ? "" : refText(step.handler)];
    case "Retry":
      return [protectedText(step), ...optional(step.count), ...optional(step.backoff_ms), optionalSlot(step.strategy)];
    case "Call":
      return [refText(step.label)];
    case "Set":
      return [step.name.name, operandText(step.value)];
    case "X":
      return [step.name.name, ...functionWords(step)];
    case "Filt":
      return [
        step.name.name,
        operandText(step.list),
        slotText(step.field),
        comparatorText(step.cmp),
        operandText(step.value),
      ];
    case "Sort":
      return [step.name.name, operandText(step.list), slotText(step.field), optionalSlot(step.order)];
    case "Loop":
      return [operandText(step.list), step.item.name, refText(step.body), refText(step.after)];
    case "While":
      return [conditionText(step.cond), refText(step.body), refText(step.after), limitText(step.limit)];
    case "Each":
      return [
        ...[step.name.name, operandText(step.list), step.item.name, refText(step.body)],
        ...[limitText(step.limit), optionalSlot(step.mode)],
      ];
    case "Par":
      return [step.name.name, ...step.bodies.map(refText), optionalSlot(step.mode)];
    case "CacheGet":
      return [slotText(step.cache), operandText(step.key), ...optional(step.fallback)];
    case "CacheSet":
      return [slotText(step.cache), operandText(step.key), operandText(step.value), optionalSlot(step.ttl_s)];
    case "QueuePut":
      return [slotText(step.queue), operandText(step.value)];
    case "Tx":
      return [slotText(step.action), slotText(step.name)];
    case "Enf":
      return [slotText(step.policy)];
  }
}

function targetText(adapter: Slot, verb: Slot): string {
  return `${adapter.text}${adapter.text.includes(".") ? " " : "."}${verb.text}`;
}

function protectedText({ protects }: Step & { op: "Err" | "Retry" }): string {
  return protects === null ? "" : `@n${protects.number}`;
}

function optional(operand: Operand | null): readonly string[] {
  return operand === null ? [] : [operandText(operand)];
}

function optionalSlot(slot: Slot | null): string {
  return slot === null ? "" : slotText(slot);
}

/** A word may have a text joined to it: `limit="a b"`. */
export function slotText({ text, quoted }: Slot): string {
  if (quoted) return quoteText(text);
  if (!/[\s"'#]/.test(text)) return text;
  const joint = text.indexOf("=") + 1;
  return text.slice(0, joint) + quoteText(text.slice(joint));
}

function comparatorText(slot: Slot): string {
  return !slot.quoted && slot.text === "=" ? "==" : slotText(slot);
}

function limitText(limit: number | null): string {
  return limit === null ? "" : `limit=${limit}`;
}

/** `X n f a b`: where the call is the whole value its brackets go. */
function functionWords({ first, args }: Step & { op: "X" }): readonly string[] {
  if (first.k === "call" && !first.infix && first.args.length > 0 && args.length === 0)
    return [first.fn.text, ...first.args.map(operandText)];
  return [first.k === "word" ? first.v : operandText(first), ...args.map(operandText)];
}

// ---- operands and conditions ----

export function operandText(operand: Operand): string {
  switch (operand.k) {
    case "str":
    case "word":
      return quoteText(operand.v);
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
      return operand.text ?? `$${pathText(operand)}`;
    case "list":
      return `[${operand.items.map(operandText).join(", ")}]`;
    case "map":
      return `{${operand.entries.map(({ key, value }) => `${quoteText(key.text)}: ${operandText(value)}`).join(", ")}}`;
    case "call":
      return callText(operand);
  }
}

function callText({ fn, args, infix }: Operand & { k: "call" }): string {
  const [left, right] = args;
  if (infix && left !== undefined && right !== undefined)
    return `(${operandText(left)} ${fn.text} ${operandText(right)})`;
  return `(${[fn.text, ...args.map(operandText)].join(" ")})`;
}

/** Without the mark of a variable. */
export function pathText({ root, segments }: Operand & { k: "path" }): string {
  const parts = segments.map((one) =>
    isName(one) ? `.${one}` : /^[0-9]+$/.test(one) ? `[${one}]` : `[${quoteText(one)}]`,
  );
  return root + parts.join("");
}

export function conditionText(condition: Condition): string {
  switch (condition.c) {
    case "truthy":
      return operandText(condition.of);
    case "present":
      return `${operandText(condition.of)}?`;
    case "not":
      return `not ${conditionText(condition.of)}`;
    case "cmp":
      return `${operandText(condition.left)} ${condition.op} ${operandText(condition.right)}`;
    case "text_eq":
      return `${operandText(condition.left)} = ${operandText(condition.right)}`;
  }
}
