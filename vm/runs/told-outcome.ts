/** The outcome of a machine that is at its end, with the operand that a failure is due to. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Machine } from "../machine/machine.ts";
import { outcomeOf } from "../machine/outcome.ts";
import { variable } from "../machine/retry.ts";
import type { Outcome } from "../run.ts";
import { withOperand } from "./failing-operand.ts";

export function toldOutcome(m: Machine, ir: Ir, finalFrame: boolean, now?: number): Outcome {
  if (m.error !== null) m.error = withOperand(m.error, ir, (name) => variable(m, name));
  return outcomeOf(m, finalFrame, now);
}
