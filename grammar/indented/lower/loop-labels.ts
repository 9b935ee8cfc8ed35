/**
 * `for` and `while` → labels. A loop without `out` is a Loop or While. With one inside, `out` raises a hidden flag
 * and ends the pass; the loop then ends without running the block again, and the label after it checks the flag. The flag is
 * false whenever a statement of the program runs, so graphs that call each other can share the frame (docs/adr/0009-the-indented-form.md).
 */
import type { Slot, Step } from "../../ast.ts";
import { leavesPass, type Outs } from "../names.ts";
import type { Block, ForStatement, WhileStatement } from "../program.ts";
import type { GraphNames } from "./graph-names.ts";
import * as step from "./steps.ts";

export type OpenLabel = { readonly id: string; readonly word: Slot; readonly steps: Step[] };

export type BlockKind = "then" | "else" | "body" | "cont" | "test" | "try" | "except";

/** What surrounds a block. */
export type Context = {
  /** The label at which its end continues; null: it ends with null. */
  readonly next: string | null;
  /** The flag that `out` raises; null: `out` ends the graph itself. */
  readonly flag: string | null;
  /** The innermost loop around the block; null outside of loops. */
  readonly pass: Pass | null;
};

/** How `break` and `continue` leave the pass of a loop. */
export type Pass = {
  /** The variable that ends the loop. */
  readonly until: string;
  /** Inside a `try`, whose end is not that of the pass: the variable that ends it; null elsewhere. */
  readonly skip: string | null;
};

/** Makes the labels of one graph. */
export interface LabelWriter {
  readonly names: GraphNames;
  readonly outs: Outs;
  id(kind: BlockKind): string;
  open(id: string, word: Slot): OpenLabel;
  /** True when some path reaches the end of the block. */
  block(block: Block, label: OpenLabel, context: Context): boolean;
}

export function lowerFor(
  writer: LabelWriter,
  statement: ForStatement,
  guards: readonly Step[],
  into: OpenLabel,
  context: Context,
  cont: string,
): void {
  const { word, list, item, block } = statement;
  const body = writer.id("body");
  const { until, pass } = passOf(writer, block);
  if (!writer.outs.in(statement)) {
    into.steps.push(step.loopStep(statement, list, item, { body, after: cont, until }), ...guards);
    writer.block(block, writer.open(body, word), { next: null, flag: null, pass });
    return;
  }
  const flag = raise(writer, context, word, into);
  const check = writer.id("test");
  into.steps.push(step.loopStep(statement, list, item, { body, after: check, until }), ...guards);
  // The elements after the one that ended the graph are skipped: one step each.
  const run = writer.id("body");
  const isLowered = step.isNotTrue(step.variable(flag, word));
  writer.open(body, word).steps.push(step.ifStep(step.placeAt(word), isLowered, run, null));
  writer.block(block, writer.open(run, word), { next: null, flag, pass });
  checkFlag(writer, flag, writer.open(check, word), cont, context);
}

export function lowerWhile(
  writer: LabelWriter,
  statement: WhileStatement,
  guards: readonly Step[],
  into: OpenLabel,
  context: Context,
  cont: string,
): void {
  const { word, cond, block } = statement;
  const body = writer.id("body");
  const { until, pass: inner } = passOf(writer, block);
  if (!writer.outs.in(statement)) {
    into.steps.push(step.whileStep(statement, cond, { body, after: cont, until }, statement), ...guards);
    writer.block(block, writer.open(body, word), { next: null, flag: null, pass: inner });
    return;
  }
  // The condition is not evaluated again after `out`, because its value may have changed.
  const place = step.placeAt(word);
  const going = step.nameAt(`_while${writer.names.nextHidden()}`, word);
  const isGoing = step.isTrue(step.variable(going.name, word));
  const [start, pass, again, test, check] = [
    writer.id("then"),
    writer.id("body"),
    writer.id("test"),
    writer.id("test"),
    writer.id("test"),
  ];
  into.steps.push(step.ifStep(statement, cond, start, cont), ...guards);
  const first = writer.open(start, word);
  const flag = raise(writer, context, word, first);
  const goesOn = step.setStep(place, going, step.truth(true, word));
  first.steps.push(goesOn, step.whileStep(place, isGoing, { body: pass, after: check, until }, statement));
  // A loop of one pass, so that also a handler that ends the block comes back here.
  const once = { k: "list", items: [step.truth(true, word)], multiline: false, span: word.span } as const;
  writer.open(pass, word).steps.push(step.loopStep(place, once, going, { body, after: again, until: null }));
  writer.block(block, writer.open(body, word), { next: null, flag, pass: inner });
  const stops = step.setStep(place, going, step.truth(false, word));
  const isLowered = step.isNotTrue(step.variable(flag, word));
  const ending = writer.open(again, word);
  ending.steps.push(stops);
  // The condition is not evaluated again after `break` either.
  if (until !== null) {
    const check = writer.id("test");
    ending.steps.push(step.ifStep(place, step.isNotTrue(step.variable(until, word)), check, null));
    writer.open(check, word).steps.push(step.ifStep(place, isLowered, test, null));
  } else ending.steps.push(step.ifStep(place, isLowered, test, null));
  const yes = writer.id("then");
  writer.open(test, word).steps.push(step.ifStep(place, cond, yes, null));
  writer.open(yes, word).steps.push(goesOn, step.returnStep(place));
  checkFlag(writer, flag, writer.open(check, word), cont, context);
}

/** The variable that ends a loop, where its block does so. */
function passOf(writer: LabelWriter, block: Block): { readonly until: string | null; readonly pass: Pass } {
  if (!leavesPass(block, "break")) return { until: null, pass: { until: "", skip: null } };
  const until = `_break${writer.names.nextHidden()}`;
  return { until, pass: { until, skip: null } };
}

/** Returns the flag of the outermost loop. It is set to false before the loop, because the frame may contain a variable of that name. */
export function raise(writer: LabelWriter, { flag }: Context, word: Slot, into: OpenLabel): string {
  if (flag !== null) return flag;
  const name = flagName(writer);
  into.steps.push(step.setStep(step.placeAt(word), step.nameAt(name, word), step.truth(false, word)));
  return name;
}

export function flagName(writer: LabelWriter): string {
  return `_out${writer.names.nextHidden()}`;
}

/** After a loop: when the flag is set, ends the graph or the pass of the loop around it. */
export function checkFlag(writer: LabelWriter, flag: string, into: OpenLabel, cont: string, context: Context): void {
  const { word } = into;
  const place = step.placeAt(word);
  const raised = step.variable(flag, word);
  if (context.flag !== null) {
    into.steps.push(step.ifStep(place, step.isNotTrue(raised), cont, null));
    return;
  }
  const end = writer.id("then");
  into.steps.push(step.ifStep(place, step.isTrue(raised), end, cont));
  const lowered = step.setStep(place, step.nameAt(flag, word), step.truth(false, word));
  writer.open(end, word).steps.push(lowered, step.returnStep(place, step.variable(valueName(flag), word)));
}

export function valueName(flag: string): string {
  return `${flag}_value`;
}
