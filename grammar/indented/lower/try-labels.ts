/**
 * `try` and `except` → labels. The block is a label that is called, so that a failure in it goes to the other block and the graph continues after
 * both. A statement that leaves the graph or the pass of a loop in either block sets a flag, which is checked after the call.
 */
import type { Step } from "../../ast.ts";
import { leavesPass } from "../names.ts";
import type { TryStatement } from "../program.ts";
import { type Context, checkFlag, type LabelWriter, type OpenLabel, type Pass, raise } from "./loop-labels.ts";
import * as step from "./steps.ts";

export function lowerTry(
  writer: LabelWriter,
  statement: TryStatement,
  guards: readonly Step[],
  into: OpenLabel,
  context: Context,
  cont: string,
): void {
  const { word, block, handler } = statement;
  const place = step.placeAt(word);
  const hasOut = writer.outs.in(statement);
  const flag = hasOut ? raise(writer, context, word, into) : context.flag;
  const pass = innerPass(writer, statement, context);
  if (pass?.skip != null) into.steps.push(step.setStep(place, step.nameAt(pass.skip, word), step.truth(false, word)));
  const [whole, tried, caught] = [writer.id("try"), writer.id("try"), writer.id("except")];
  into.steps.push(step.callStep(statement, step.blockRef(whole, word), step.nameAt("_", word)), ...guards);
  const outer = writer.open(whole, word);
  outer.steps.push(
    step.callStep(place, step.blockRef(tried, word), step.nameAt("_", word)),
    step.errStep(place, caught),
    step.returnStep(place),
  );
  const inner: Context = { next: null, flag, pass };
  writer.block(block, writer.open(tried, word), inner);
  writer.block(handler.block, writer.open(caught, handler.word), inner);
  let end = into;
  if (pass?.skip != null) {
    const goesOn = writer.id("cont");
    end.steps.push(step.ifStep(place, step.isNotTrue(step.variable(pass.skip, word)), goesOn, null));
    end = writer.open(goesOn, word);
  }
  if (hasOut) checkFlag(writer, flag ?? "", end, cont, context);
  else end.steps.push(step.goStep(place, cont));
}

/** The loop around, for the blocks of a `try` that leave its pass. */
function innerPass(writer: LabelWriter, { block, handler }: TryStatement, { pass }: Context): Pass | null {
  if (pass === null) return null;
  const leaves = [block, handler.block].some((one) => leavesPass(one, "break") || leavesPass(one, "continue"));
  if (!leaves) return pass;
  return { ...pass, skip: pass.skip ?? `_continue${writer.names.nextHidden()}` };
}
