/**
 * Strings and numbers that are written out where a condition belongs (WF9044): `s == "a" or "b"` is always true, because "b" is. The edit compares
 * again, where the comparison before it says with what.
 */
import type { Operand, Slot, Step } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { isIndented } from "../../../grammar/surface.ts";
import { spanBefore } from "../../../grammar/text/span.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { conditionOf, walkOperands } from "../operand-walk.ts";
import { eachStep, type ProgramView } from "../program-view.ts";

type Call = Operand & { readonly k: "call" };
type Found = Pick<Finding, "suggestion" | "fix"> & { readonly at: Operand };

export function* checkConstantChoices({ program }: ProgramView): Task<Finding[]> {
  const findings: Finding[] = [];
  yield* eachStep(program, ({ id: label_id, module }, { step, node }) => {
    if (step.faulty || node === null) return;
    for (const { at, ...advice } of new Choices(module.file.text).of(step)) {
      const place = { span: at.span, label_id, node_id: node.id };
      findings.push({ code: "WF9044", words: { value: shown(at, module.file.text) }, ...place, ...advice });
    }
  });
  return findings;
}

/** The choices of one step. */
class Choices {
  private readonly source: string;
  /** By the place of the value: lowered, a part of a choice appears twice. */
  private readonly found = new Map<number, Found>();
  /** Choices that are parts of others. */
  private readonly seen = new Set<Operand>();

  constructor(source: string) {
    this.source = source;
  }

  of(step: Step): Iterable<Found> {
    const condition = conditionOf(step);
    if (condition?.c === "truthy") this.asked(condition.of);
    if (condition?.c === "cmp" && condition.op === "==") this.pair(condition.left, condition.right, condition.span);
    if (step.op === "X" && step.first.k === "name") this.call(asCall(step.first, step.args));
    walkOperands(step, (operand) => {
      if (operand.k === "call") this.call(operand);
    });
    return this.found.values();
  }

  private call(call: Call): void {
    const [first, second] = call.args;
    if (isEqual(call) && first !== undefined && second !== undefined) this.pair(first, second, call.span);
    const parts = this.partsOf(call, "or");
    if (parts !== null) this.alternatives(parts);
    else if (isCall(call, "ite") && this.partsOf(call, "and") === null && first !== undefined) this.asked(first);
  }

  /** What is asked for its truth. Elsewhere `a and "b"` gives "b". */
  private asked(operand: Operand): void {
    if (isCall(operand, "not")) for (const one of operand.args) this.asked(one);
    const [first, ...others] = this.partsOf(operand, "and") ?? [];
    if (first === undefined || comparedBy(first) === null) return;
    for (const at of others) if (isTrue(at)) this.note({ at, suggestion: COMPARE, fix: null });
  }

  /** `s == "a" or "b"`; and `"a" or s == "b"`, which says nothing of what is meant. */
  private alternatives(parts: readonly Operand[]): void {
    let comparison: Call | null = null;
    for (const [place, at] of parts.entries()) {
      const next = comparedBy(at);
      if (next !== null) comparison = next;
      else if (isTrue(at) && comparison !== null) this.note(this.alternative(at, comparison));
      else if (at.k === "list" && comparison !== null && isCall(comparison, "contains"))
        this.note({ at, suggestion: "join the lists with +", fix: null });
      else if (at.k === "str" && isTrue(at) && place < parts.length - 1)
        this.note({ at, suggestion: COMPARE, fix: null });
    }
  }

  private alternative(at: Operand, comparison: Call): Found {
    const value = comparison.args.find(({ k }) => k !== "str" && k !== "num");
    if (!isEqual(comparison) || value === undefined)
      return { at, suggestion: isUnequal(comparison) ? `${COMPARE}, joined with and` : COMPARE, fix: null };
    const text = this.source.slice(value.span.start, value.span.end);
    const isOwn = isIndented(this.source);
    const written = isOwn ? `${text} == ${shown(at, this.source)}` : `(eq ${text} ${shown(at, this.source)})`;
    const edit = isOwn
      ? { span: spanBefore(at.span), new_text: `${text} == ` }
      : { span: at.span, new_text: `(eq ${text} ${this.source.slice(at.span.start, at.span.end)})` };
    const suggestion = text.length <= MAX_SHOWN && !text.includes("\n") ? `write ${written}` : COMPARE;
    return { at, suggestion, fix: suggestion === COMPARE ? null : { title: suggestion, edits: [edit] } };
  }

  /** `s == ("a" or "b")` */
  private pair(value: Operand, choice: Operand, span: Operand["span"]): void {
    const parts = this.partsOf(choice, "or");
    const [at] = parts ?? [];
    if (parts === null || at === undefined || !parts.every(isTrue)) return;
    if (!isIndented(this.source)) {
      this.note({ at, suggestion: "write (contains list value)", fix: null });
      return;
    }
    const text = this.source.slice(value.span.start, value.span.end);
    const list = parts.map((one) => this.source.slice(one.span.start, one.span.end)).join(", ");
    const suggestion = `write ${text} in [${list}]`;
    const isShort = suggestion.length <= 2 * MAX_SHOWN;
    // From the value to the bracket around the choice.
    const close = this.source.indexOf(")", parts.at(-1)?.span.end);
    const isWhole = span.end === close + 1;
    const edits = [{ span, new_text: `${text} in [${list}]` }];
    this.note({ at, suggestion, fix: isShort && isWhole ? { title: suggestion, edits } : null });
  }

  /** The parts of a choice in written order, those of choices in it included; null for anything else. */
  private partsOf(operand: Operand, word: "or" | "and"): readonly Operand[] | null {
    if (operand.k !== "call" || this.seen.has(operand)) return null;
    const parts = this.pairOf(operand, word);
    if (parts === null) return null;
    return parts.flatMap((part) => {
      const inner = this.partsOf(part, word);
      if (inner !== null) this.seen.add(part);
      return inner ?? [part];
    });
  }

  /** A choice whose value is used is lowered to `ite`: `a or b` to `(ite a a b)`. */
  private pairOf({ fn, args }: Call, word: "or" | "and"): readonly Operand[] | null {
    const name = findFunction(fn.text)?.name;
    if (name === word) return args;
    if (name !== "ite" || this.source.slice(fn.span.start, fn.span.end) !== word) return null;
    const [, then, otherwise] = args;
    if (then === undefined || otherwise === undefined) return null;
    return word === "or" ? [then, otherwise] : [otherwise, then];
  }

  private note(found: Found): void {
    const { start } = found.at.span;
    if (!this.found.has(start)) this.found.set(start, found);
  }
}

const COMPARE = "a string or number alone is true: compare it with something";
const MAX_SHOWN = 60;

function shown({ span }: Operand, source: string): string {
  const text = source.slice(span.start, span.end);
  return text.length <= MAX_SHOWN && !text.includes("\n") ? text : "…";
}

function asCall({ v, span }: { readonly v: string; readonly span: Slot["span"] }, args: readonly Operand[]): Call {
  return { k: "call", fn: { text: v, span, quoted: false }, args, infix: false, span };
}

function isCall(operand: Operand, name: string): operand is Call {
  return operand.k === "call" && findFunction(operand.fn.text)?.name === name;
}

function isEqual(operand: Operand): operand is Call {
  return (operand.k === "call" && operand.infix && operand.fn.text === "==") || isCall(operand, "eq");
}

function isUnequal(operand: Operand): operand is Call {
  return (operand.k === "call" && operand.infix && operand.fn.text === "!=") || isCall(operand, "ne");
}

/** The comparison that a part of a choice is. */
function comparedBy(operand: Operand): Call | null {
  return isEqual(operand) || isUnequal(operand) || isCall(operand, "contains") ? operand : null;
}

function isTrue(operand: Operand): boolean {
  return (operand.k === "str" && operand.v !== "") || (operand.k === "num" && operand.v !== 0);
}
