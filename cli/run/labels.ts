/** The label that a flag names. One that does not exist is a fault of the command line, with the nearest that does. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { missingLabelHint } from "../../vm/words/missing-label.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export function labelId(session: Session, ir: Ir, given: string): string {
  const found = session.host.resolveLabel(ir, given);
  if (found.id !== null) return found.id;
  throw new CliFault(`label '${given}' does not exist${missingLabelHint(ir, found.near)}`, {
    error: "unknown_label",
    exitCode: EXIT.usage,
  });
}
