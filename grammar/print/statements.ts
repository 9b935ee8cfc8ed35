/**
 * Prints one statement in its canonical form: canonical op words, references and
 * results in one spelling, one blank between slots. It knows nothing of the lines around.
 */
import type {
  BrokenStep,
  CommentLine,
  Condition,
  DeclarationLine,
  IncludeLine,
  Name,
  NodeRef,
  Operand,
  Ref,
  Slot,
  Step,
} from "../ast.ts";
import { findOp, type Slot as OpSlot } from "../ops.ts";
import { joinLines, skipBlanks } from "../text/source.ts";
import { placeComments, StatementWriter, slotText } from "./operands.ts";

/** A printed statement: comments that must stand above it, then its lines. */
type Printed = { readonly above: readonly CommentLine[]; readonly lines: readonly string[] };

export const STEP_INDENT = "  ";

// ---- slot lines ----

export function printDeclaration(text: string, line: DeclarationLine, labels: ReadonlySet<string>): string {
  const slots = line.slots.map((slot, index) =>
    line.op === "E" && index === 2 && !line.too_short && !slot.quoted
      ? endpointTarget(slot, labels)
      : slotText(text, slot),
  );
  // What `arch.Svc` lacks is a warning, what `Svc` lacks an error.
  return [line.too_short ? line.word.text : line.op, ...slots].join(" ");
}

function endpointTarget(slot: Slot, labels: ReadonlySet<string>): string {
  const bare = slot.text.startsWith("->") ? slot.text.slice(2) : slot.text;
  const label = bare.endsWith(":") ? bare.slice(0, -1) : bare;
  return label === "" ? slot.text : `->${canonicalLabel(label, labels)}`;
}

export function printInclude(text: string, line: IncludeLine): string {
  const slots = line.slots.map((slot, index) => (line.path !== null && index === 1 ? "as" : slotText(text, slot)));
  return ["include", ...slots].join(" ");
}

// ---- steps ----

export function printStep(
  text: string,
  step: Step,
  comments: readonly CommentLine[],
  labels: ReadonlySet<string>,
): Printed {
  const isKept = hasMisplacedArrow(text, step);
  const places = placeComments(isKept ? [] : operandsOf(step), comments);
  const writer = new StatementWriter(text, STEP_INDENT, places);
  if (step.op === "broken") writer.add(step.broken_op).add(brokenText(text, step, comments));
  else if (isKept) writer.add(step.op).word(joinLines(text, step.word.span.end, step.span.end, comments));
  else new StepPrinter(text, writer, labels).print(step);
  return { above: places.above, lines: writer.finish() };
}

/**
 * An arrow before a condition, or before what Retry protects. What stands after it was read as it would not be in its own place, so moving the arrow
 * to the end would make another program of a faulty one. Such a step keeps its text, on one line.
 */
function hasMisplacedArrow(text: string, step: Step): boolean {
  if (step.op !== "If" && step.op !== "While" && step.op !== "Retry") return false;
  return text.startsWith("->", skipBlanks(text, step.word.span.end, step.span.end));
}

/** What follows the op word of a broken step. A condition is not one of its slots, so such a step keeps its text, on one line. */
function brokenText(text: string, step: BrokenStep, comments: readonly CommentLine[]): string {
  const hasCondition = step.broken_op === "If" || step.broken_op === "While";
  const slots = hasCondition
    ? [joinLines(text, step.word.span.end, step.span.end, comments)]
    : step.slots.map((slot) => slotText(text, slot));
  // The `as` before an item is not a slot. Before an item of that name it stays: without it, the name would be taken for it.
  if (step.broken_op === "Loop" && slots[1] === "as" && slots[2]?.startsWith("->") === false) slots.splice(1, 0, "as");
  return slots.map((slot) => (slot === "" ? "" : ` ${slot}`)).join("");
}

/**
 * The label a reference prints: with its `L`, unless it is qualified, or with it would name another of the program's `labels`. A colon
 * that belongs to it stands before the one that is dropped.
 */
function canonicalLabel(label: string, labels: ReadonlySet<string>): string {
  const isComplete = label.startsWith("L") || label.includes("/");
  const named = `L${label}`;
  const written = isComplete || (label !== "" && labels.has(named) && !labels.has(label)) ? label : named;
  return written.endsWith(":") ? `${written}:` : written;
}

class StepPrinter {
  private readonly text: string;
  private readonly writer: StatementWriter;
  private readonly labels: ReadonlySet<string>;

  constructor(text: string, writer: StatementWriter, labels: ReadonlySet<string>) {
    this.text = text;
    this.writer = writer;
    this.labels = labels;
  }

  print(step: Exclude<Step, { op: "broken" }>): void {
    this.writer.add(step.op);
    this.slots(step);
    for (const slot of step.extra) this.writer.word(slotText(this.text, slot));
    if ("out" in step && step.out !== null) this.writer.word(`->${step.out.name}`);
  }

  private operand(operand: Operand): void {
    this.writer.add(" ");
    this.writer.operand(operand, STEP_INDENT);
  }

  private condition(condition: Condition): void {
    this.writer.add(" ");
    this.writer.condition(condition, STEP_INDENT);
  }

  /** The slots of the op's row, in order. The result is printed last. */
  private slots(step: Exclude<Step, { op: "broken" }>): void {
    for (const slot of findOp(step.op)?.slots ?? []) {
      if (step.op === "R" && slot.class === "call") this.target(step.adapter, step.verb);
      else if (step.op === "X" && slot.class === "fn") this.functionCall(step);
      else if (step.op === "Filt" && slot.class === "cmp" && !step.cmp.quoted && step.cmp.text === "=")
        this.writer.word("==");
      else for (const part of partsOf(step, slot)) this.part(part, step.op !== "Call");
    }
  }

  private part(part: Part, hasArrow: boolean): void {
    if ("c" in part) this.condition(part);
    else if ("k" in part) this.operand(part);
    else if ("arrow" in part) this.writer.word((hasArrow ? "->" : "") + canonicalLabel(part.text, this.labels));
    else if ("quoted" in part) this.writer.word(slotText(this.text, part));
    else this.writer.word("number" in part ? `@n${part.number}` : part.name);
  }

  private target(adapter: Slot, verb: Slot): void {
    // `R core. ADD` would be another adapter when joined.
    this.writer.word(adapter.text.includes(".") ? `${adapter.text} ${verb.text}` : `${adapter.text}.${verb.text}`);
  }

  /** `X n (f a b)` loses its brackets; `X n (f)` keeps them, because `X n f` may be a plain assignment. */
  private functionCall({ first, extra }: Step & { op: "X" }): void {
    const bare = first.k === "call" && !first.infix && first.args.length > 0 && extra.length === 0;
    if (bare) {
      this.writer.word(first.fn.text);
      for (const argument of first.args) this.operand(argument);
    } else this.operand(first);
  }
}

/** What a slot of the op table is in the syntax tree. */
type Part = Operand | Condition | Ref | Slot | Name | NodeRef;

/** Members of steps that have other names than their slots. */
const MEMBERS: Readonly<Record<string, string>> = { dst: "name", fn: "first", limit: "limit_slot", node: "protects" };

/** What a step has in a slot; nothing in the slot of its result. */
function partsOf(step: Step, { name, class: slotClass }: OpSlot): readonly Part[] {
  const member = (step as unknown as Readonly<Record<string, Part | readonly Part[] | null>>)[MEMBERS[name] ?? name];
  return slotClass === "out" || member == null ? [] : [member].flat();
}

/** The operands of a step, in the order of their places. */
function operandsOf(step: Step): readonly Operand[] {
  const parts = (findOp(step.op)?.slots ?? []).flatMap((slot) => partsOf(step, slot));
  return parts.flatMap((part) => ("c" in part ? conditionOperands(part) : "k" in part ? [part] : []));
}

function conditionOperands(condition: Condition): readonly Operand[] {
  if (condition.c === "not") return conditionOperands(condition.of);
  return condition.c === "truthy" || condition.c === "present" ? [condition.of] : [condition.left, condition.right];
}
