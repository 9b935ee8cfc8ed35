/** Where runs of a program can start. */
import { type ProgramView, resolveLabel } from "../program-view.ts";

/** The labels, also those that nothing names, because a request may. */
export function entryLabels({ program, ...view }: ProgramView): readonly string[] {
  const entries = new Set<string>();
  if (program.entry !== null) entries.add(program.entry);
  for (const { target } of program.endpoints) if (target?.exists) entries.add(target.id);
  for (const { line, module } of program.declarations) {
    const slot = line.op === "Cr" || line.op === "Tst" ? line.slots[0] : undefined;
    const id = slot === undefined ? null : resolveLabel({ program, ...view }, slot.text, module);
    if (id !== null) entries.add(id);
  }
  for (const { id } of program.labels) if (!view.targetedAt.has(id)) entries.add(id);
  return [...entries];
}
