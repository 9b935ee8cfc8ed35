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
  Operand,
  Ref,
  Slot,
  Step,
} from "../ast.ts";
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
    for (const slot of step.extra) this.slot(slot);
    if ("out" in step && step.out !== null) this.writer.word(`->${step.out.name}`);
  }

  private operand(operand: Operand | null): void {
    if (operand === null) return;
    this.writer.add(" ");
    this.writer.operand(operand, STEP_INDENT);
  }

  private condition(condition: Condition): void {
    this.writer.add(" ");
    this.writer.condition(condition, STEP_INDENT);
  }

  private slot(slot: Slot | null): void {
    if (slot !== null) this.writer.word(slotText(this.text, slot));
  }

  private arrow(ref: Ref | null): void {
    if (ref !== null) this.writer.word(`->${canonicalLabel(ref.text, this.labels)}`);
  }

  private slots(step: Exclude<Step, { op: "broken" }>): void {
    switch (step.op) {
      case "R":
        this.target(step.adapter, step.verb);
        for (const argument of step.args) this.operand(argument);
        return;
      case "J":
        this.operand(step.value);
        return;
      case "If":
        this.condition(step.cond);
        this.arrow(step.then);
        this.arrow(step.else);
        return;
      case "Err":
      case "Retry":
        if (step.protects !== null) this.writer.word(`@n${step.protects.number}`);
        this.protection(step);
        return;
      case "Call":
        this.writer.word(canonicalLabel(step.label.text, this.labels));
        return;
      case "Loop":
        this.operand(step.list);
        this.writer.word(step.item.name);
        this.arrow(step.body);
        this.arrow(step.after);
        return;
      case "While":
        this.condition(step.cond);
        this.arrow(step.body);
        this.arrow(step.after);
        this.slot(step.limit_slot);
        return;
      case "Each":
        this.writer.word(step.name.name);
        this.operand(step.list);
        this.writer.word(step.item.name);
        this.arrow(step.body);
        this.slot(step.limit_slot);
        this.slot(step.mode);
        return;
      case "Par":
        this.writer.word(step.name.name);
        for (const body of step.bodies) this.arrow(body);
        this.slot(step.mode);
        return;
      case "Set":
      case "X":
      case "Filt":
      case "Sort":
        this.assignment(step);
        return;
      default:
        this.renamedCall(step);
    }
  }

  private target(adapter: Slot, verb: Slot): void {
    // `R core. ADD` would be another adapter when joined.
    this.writer.word(adapter.text.includes(".") ? `${adapter.text} ${verb.text}` : `${adapter.text}.${verb.text}`);
  }

  private protection(step: Step & { op: "Err" | "Retry" }): void {
    if (step.op === "Err") {
      this.arrow(step.handler);
      return;
    }
    this.operand(step.count);
    this.operand(step.backoff_ms);
    this.slot(step.strategy);
  }

  private assignment(step: Step & { op: "Set" | "X" | "Filt" | "Sort" }): void {
    this.writer.word(step.name.name);
    if (step.op === "Set") this.operand(step.value);
    else if (step.op === "X") this.functionCall(step);
    else {
      this.operand(step.list);
      this.slot(step.field);
      if (step.op === "Sort") this.slot(step.order);
      else {
        if (!step.cmp.quoted && step.cmp.text === "=") this.writer.word("==");
        else this.slot(step.cmp);
        this.operand(step.value);
      }
    }
  }

  /** `X n (f a b)` loses its brackets; `X n (f)` keeps them, because `X n f` may be a plain assignment. */
  private functionCall(step: Step & { op: "X" }): void {
    const { first } = step;
    const bare = first.k === "call" && !first.infix && first.args.length > 0 && step.extra.length === 0;
    if (bare) {
      this.writer.word(first.fn.text);
      for (const argument of first.args) this.operand(argument);
    } else this.operand(first);
    for (const argument of step.args) this.operand(argument);
  }

  private renamedCall(step: Step & { op: "CacheGet" | "CacheSet" | "QueuePut" | "Tx" | "Enf" }): void {
    switch (step.op) {
      case "CacheGet":
        this.slot(step.cache);
        this.operand(step.key);
        this.operand(step.fallback);
        return;
      case "CacheSet":
        this.slot(step.cache);
        this.operand(step.key);
        this.operand(step.value);
        this.slot(step.ttl_s);
        return;
      case "QueuePut":
        this.slot(step.queue);
        this.operand(step.value);
        return;
      case "Tx":
        this.slot(step.action);
        this.slot(step.name);
        return;
      case "Enf":
        this.slot(step.policy);
    }
  }
}

// ---- operands of a step, in the order of their places ----

function operandsOf(step: Step): readonly Operand[] {
  switch (step.op) {
    case "R":
      return step.args;
    case "J":
      return step.value === null ? [] : [step.value];
    case "If":
    case "While":
      return conditionOperands(step.cond);
    case "Retry":
      return [step.count, step.backoff_ms].filter((operand) => operand !== null);
    case "Set":
      return [step.value];
    case "X":
      return [step.first, ...step.args];
    case "Filt":
      return [step.list, step.value];
    case "Sort":
    case "Loop":
    case "Each":
      return [step.list];
    case "CacheGet":
      return step.fallback === null ? [step.key] : [step.key, step.fallback];
    case "CacheSet":
      return [step.key, step.value];
    case "QueuePut":
      return [step.value];
    default:
      return [];
  }
}

function conditionOperands(condition: Condition): readonly Operand[] {
  if (condition.c === "not") return conditionOperands(condition.of);
  return condition.c === "truthy" || condition.c === "present" ? [condition.of] : [condition.left, condition.right];
}
