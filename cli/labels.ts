/** The label that a flag names. One that does not exist is a fault of the command line, with the nearest that does. */
import type { Ir } from "../compiler/ir/graph.ts";
import { listed } from "../grammar/english.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { Session } from "./commands/base.ts";
import { CliFault, EXIT } from "./faults.ts";

export function labelId(session: Session, ir: Ir, given: string): string {
  const found = session.host.resolveLabel(ir, given);
  if (found.id !== null) return found.id;
  throw new CliFault(`label '${given}' does not exist${labelHint(ir, found.near)}`, {
    error: "unknown_label",
    exitCode: EXIT.usage,
  });
}

const MOST_NAMED = 12;

/** What may have been meant: the labels near to it, or those there are. */
export function labelHint(ir: Ir, near: readonly string[]): string {
  if (near.length > 0) return `; did you mean ${listed(near.map(writtenLabel), "or")}?`;
  const all = Object.keys(ir.labels).map(writtenLabel);
  const more = all.length > MOST_NAMED ? " …" : "";
  return `; the program has ${all.slice(0, MOST_NAMED).join(" ")}${more}`;
}
