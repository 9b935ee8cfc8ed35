/**
 * The lines of a file, as the parser reads them: each is put into its place, with what can be said of one line alone and of where
 * it stands. One instance serves one file.
 */
import type { LabelLine, Line, Slot, Step } from "../ast.ts";
import { unexpected } from "../operands/operands.ts";
import type { Token } from "../operands/tokens.ts";
import { findOp, type Op } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { PlacementChecks } from "../steps/placement.ts";
import { readDeclaration, readInclude, reportNoEffect, reportUnknown, unknownLine } from "../steps/slot-lines.ts";
import { isLabelWord, lexSlots } from "../steps/slots.ts";
import { type Span, spanAfter, spanOver, spanUpTo } from "../text/span.ts";
import type { Junk } from "./step-parser.ts";

export class LineBuilder {
  readonly lines: Line[] = [];
  /** How many statements there are so far. */
  statements = 0;
  private readonly reporter: Reporter;
  private readonly placement: PlacementChecks;
  private hasInterface = false;

  constructor(reporter: Reporter) {
    this.reporter = reporter;
    this.placement = new PlacementChecks(reporter);
  }

  finish(): readonly Line[] {
    this.placement.finish();
    return this.lines;
  }

  private push(line: Line): void {
    this.lines.push(line);
    this.placement.see(line);
  }

  addStep(step: Step): void {
    this.statements++;
    this.push({ kind: "step", step, span: step.span });
  }

  addWords(head: Token, words: readonly Token[]): void {
    this.statements++;
    const word = slotOf(head);
    const op = word.quoted ? undefined : findOp(word.text);
    const slots = words.map(slotOf);
    if (op?.kind === "include") this.push(readInclude(word, slots, this.reporter));
    else if (op?.kind === "declaration") this.addDeclaration(op, word, slots);
    else {
      reportUnknown(word, this.reporter);
      this.push(unknownLine(word, slots));
    }
  }

  private addDeclaration(op: Op, word: Slot, slots: readonly Slot[]): void {
    if (op.name === "U") this.hasInterface = true;
    if (op.name === "T" && !this.hasInterface) reportNoEffect("T", word.span, this.reporter, "put it below its U line");
    this.push(readDeclaration(op, word, slots, this.reporter));
  }

  /** A label and what stands after it: the steps up to the first words that start none are its own. */
  addLabel({ span: wordSpan, image, value: id }: Token, items: readonly (Step | Junk)[]): void {
    const word: Slot = { span: wordSpan, text: image, quoted: false };
    const firstJunk = items.findIndex((item) => "junk" in item);
    const own = firstJunk === -1 ? items.length : firstJunk;
    const steps = items.slice(0, own).filter(isStep);
    const label: LabelLine = {
      kind: "label",
      id,
      word,
      steps,
      span: spanOver(wordSpan, steps.at(-1)?.span ?? wordSpan),
    };
    this.push(label);
    for (const item of items.slice(own)) {
      if (isStep(item)) this.push({ kind: "step", step: item, span: item.span });
      else this.addJunk(item);
    }
    this.statements += items.length + 1;
    this.reportInline(word, items.filter(isStep));
  }

  /** Words on a label line that start no step: an unknown line of their own, so that steps after still count. */
  private addJunk({ first, span }: Junk): void {
    const { image } = first;
    const bare = /^[\p{L}_]/u.test(image) && findOp(image) === undefined && !isLabelWord(image);
    const [word, ...slots] = bare && span.line === span.end_line ? this.slotsOf(span) : [];
    if (word === undefined) {
      unexpected(this.reporter, span, image.slice(0, 100));
      return;
    }
    reportUnknown(word, this.reporter);
    this.push({ kind: "unknown", word, slots, span });
  }

  /** The words of a span. Its errors are known already and belong to no step. */
  private slotsOf({ line, start, end }: Span): Slot[] {
    const errors = this.reporter.lexicalErrors;
    this.reporter.lexicalErrors = [];
    const slots = lexSlots(this.reporter, line - 1, start, end);
    this.reporter.lexicalErrors = errors;
    return slots;
  }

  private reportInline(word: Slot, steps: readonly Step[]): void {
    if (steps.length === 0) return;
    let before: Span = word.span;
    const edits = steps.map((step) => {
      const gap = spanUpTo(spanAfter(before), step.span);
      before = step.span;
      return { span: gap, new_text: "\n  " };
    });
    this.reporter.report({ code: "WF9002", span: word.span, fix: { title: "write one step per line", edits } });
  }
}

function isStep(item: Step | Junk): item is Step {
  return !("junk" in item);
}

function slotOf({ span, value, type }: Token): Slot {
  return { span, text: value, quoted: type === "Text" };
}
