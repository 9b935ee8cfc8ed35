/**
 * Where labels and variables of a file stand: definitions, writes and reads, from the syntax tree. Go to definition, references and
 * rename all follow this one list. It knows nothing of the protocol.
 */
import { type FunctionSignature, findFunction, findLoneFunction } from "../../compiler/functions.ts";
import type { Condition, Name, Operand, Ref, Slot, SourceFile, Step } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";

export type Occurrence = {
  readonly kind: "label" | "variable";
  /** Of a label: its id without `L`. */
  readonly name: string;
  /** The name alone, without arrow, `$` or colon. */
  readonly span: Span;
  readonly role: "definition" | "use";
  /** What tells apart variables of one name; absent in the opcode form, where a name is one variable. */
  readonly home?: object;
};

export function isSame(a: Occurrence, b: Occurrence): boolean {
  return a.kind === b.kind && a.name === b.name && a.home === b.home;
}

export function occurrencesOf(file: SourceFile): readonly Occurrence[] {
  const found = new Collector(file.text);
  for (const { name, span } of file.inputs) found.within("variable", name, span, "definition");
  for (const line of file.lines) {
    if (line.kind === "label") {
      found.within("label", line.id, line.word.span, "definition");
      for (const step of line.steps) found.step(step);
    }
    if (line.kind === "step") found.step(line.step);
    if (line.kind === "declaration" && line.op === "E") found.labelWord(line.slots[2]);
    if (line.kind === "declaration" && (line.op === "Cr" || line.op === "Tst")) found.labelWord(line.slots[0]);
  }
  return found.occurrences;
}

/** What stands at an offset. */
export function occurrenceAt(all: readonly Occurrence[], offset: number): Occurrence | null {
  return all.find(({ span }) => offset >= span.start && offset <= span.end) ?? null;
}

class Collector {
  readonly occurrences: Occurrence[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The name inside a longer piece: the last place where it stands. */
  within(kind: Occurrence["kind"], name: string, span: Span, role: Occurrence["role"]): void {
    const at = this.text.slice(span.start, span.end).lastIndexOf(name);
    if (at === -1 || name === "" || span.line !== span.end_line) return;
    const place = { start: span.start + at, end: span.start + at + name.length, column: span.column + at };
    this.occurrences.push({ kind, name, role, span: { ...span, ...place, end_column: place.column + name.length } });
  }

  labelWord(slot: Slot | undefined): void {
    if (slot === undefined) return;
    this.label(slot.text.replace(/^->/, "").replace(/:$/, ""), slot.span);
  }

  private label(written: string, span: Span): void {
    this.within("label", written.startsWith("L") && written !== "L" ? written.slice(1) : written, span, "use");
  }

  private ref(ref: Ref | null): void {
    if (ref !== null) this.label(ref.text, ref.span);
  }

  private written(name: Name | null): void {
    if (name !== null) this.within("variable", name.name, name.span, "definition");
  }

  private operand(operand: Operand | null): void {
    if (operand === null) return;
    switch (operand.k) {
      case "var":
      case "name":
        this.within("variable", operand.v, operand.span, "use");
        break;
      case "path": {
        const skipped = this.text.charAt(operand.span.start) === "$" ? 1 : 0;
        const end = operand.span.start + skipped + operand.root.length;
        const span = { ...operand.span, end, end_line: operand.span.line };
        this.within("variable", operand.root, span, "use");
        break;
      }
      case "list":
        for (const item of operand.items) this.operand(item);
        break;
      case "map":
        for (const { value } of operand.entries) this.operand(value);
        break;
      case "call":
        for (const argument of operand.args) this.operand(argument);
        break;
      default:
    }
  }

  private condition(condition: Condition): void {
    if (condition.c === "not") this.condition(condition.of);
    else if (condition.c === "truthy" || condition.c === "present") this.operand(condition.of);
    else {
      this.operand(condition.left);
      this.operand(condition.right);
    }
  }

  step(step: Step): void {
    switch (step.op) {
      case "R":
        for (const argument of step.args) this.operand(argument);
        this.written(step.out);
        break;
      case "J":
        this.operand(step.value);
        break;
      case "If":
        this.condition(step.cond);
        this.ref(step.then);
        this.ref(step.else);
        break;
      case "Err":
        this.ref(step.handler);
        break;
      case "Retry":
        this.operand(step.count);
        this.operand(step.backoff_ms);
        break;
      case "Call":
        this.ref(step.label);
        for (const { value } of step.inputs ?? []) this.operand(value);
        this.written(step.out);
        break;
      case "Set":
        this.operand(step.value);
        this.written(step.name);
        break;
      case "X":
        if (step.first.k !== "name" || namedFunction(step.first.v, step.args.length) === undefined) {
          this.operand(step.first);
        }
        for (const argument of step.args) this.operand(argument);
        this.written(step.name);
        break;
      case "Filt":
        this.operand(step.list);
        this.operand(step.value);
        this.written(step.name);
        break;
      case "Sort":
        this.operand(step.list);
        this.written(step.name);
        break;
      case "Loop":
        this.operand(step.list);
        this.written(step.item);
        this.ref(step.body);
        this.ref(step.after);
        break;
      case "While":
        this.condition(step.cond);
        this.ref(step.body);
        this.ref(step.after);
        break;
      case "Each":
        this.operand(step.list);
        this.written(step.item);
        this.ref(step.body);
        this.written(step.name);
        break;
      case "Par":
        for (const body of step.bodies) this.ref(body);
        this.written(step.name);
        break;
      case "CacheGet":
        this.operand(step.key);
        this.operand(step.fallback);
        this.written(step.out);
        break;
      case "CacheSet":
        this.operand(step.key);
        this.operand(step.value);
        break;
      case "QueuePut":
        this.operand(step.value);
        this.written(step.out);
        break;
      default:
    }
  }
}

/** The function that the first word of an `X` names. */
function namedFunction(word: string, args: number): FunctionSignature | undefined {
  return args === 0 ? findLoneFunction(word) : findFunction(word);
}
