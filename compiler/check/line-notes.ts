/**
 * What changed its meaning since the predecessor and is seen in the order of lines, in declarations and in label names
 * (docs/migration.md). Knows nothing of operands; those are in `notes.ts`.
 */
import type { DeclarationLine, Line } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { ANONYMOUS_LABEL } from "../ir/graph.ts";
import type { LoweredProgram, Module } from "../lower/lowered.ts";

/** `how` completes "differs from the predecessor". */
export type CompatNote = { readonly span: Span; readonly how: string; readonly label_id?: string };

export function lineNotes(program: LoweredProgram): CompatNote[] {
  return [
    ...program.modules.flatMap((module) => [...orderNotes(module), ...declarationNotes(module)]),
    ...entryNotes(program),
    ...program.labels.flatMap(({ id, module, span }): CompatNote[] => {
      if (id === ANONYMOUS_LABEL && program.entry === ANONYMOUS_LABEL)
        return [{ span, label_id: id, how: "steps without a label are run, they were not" }];
      const own = id.slice(module.prefix.length);
      return own.startsWith("L")
        ? [{ span, label_id: id, how: `label '${writtenLabel(id)}' can be reached, it could not` }]
        : [];
    }),
  ];
}

/** Appendix A 15: without an endpoint and a label 1, the labels of included files came first. WF9027 reports the others. */
function entryNotes({ entry, endpoints, labels, modules }: LoweredProgram): CompatNote[] {
  const first = labels.find(({ id }) => id === entry);
  if (first === undefined || first.id === ANONYMOUS_LABEL || first.module.prefix !== "") return [];
  if (endpoints.length > 0 || labels.some(({ id }) => id === "1")) return [];
  const lines = modules.find(({ prefix }) => prefix === "")?.file.lines ?? [];
  const opening = lines.find(({ kind }) => kind === "include" || kind === "label");
  if (opening?.kind !== "include" || labels.every(({ module }) => module.prefix === "")) return [];
  return [{ span: first.span, label_id: first.id, how: "runs start here, they started in an included file" }];
}

/** Lines inside a label that ended it there: what followed was dropped, up to the next label. */
function orderNotes({ file, prefix }: Module): CompatNote[] {
  const notes: CompatNote[] = [];
  let label: string | null = null;
  let ended_by: Line | null = null;
  for (const line of file.lines) {
    if (line.kind === "label") {
      label = prefix + line.id;
      ended_by = null;
    } else if (label !== null && line.kind === "step" && ended_by !== null) {
      const { span } = wordOf(ended_by);
      notes.push({
        span,
        label_id: label,
        how: `the steps below belong to label '${writtenLabel(label)}', they were dropped`,
      });
      ended_by = null;
    } else if (label !== null && line.kind === "include") {
      notes.push({ span: line.word.span, how: "the include is read, it was ignored" });
    } else if (label !== null && line.kind !== "step") ended_by = line;
  }
  return notes;
}

function wordOf(line: Line) {
  return line.kind === "step" ? line.step.word : line.word;
}

function declarationNotes({ file, prefix }: Module): CompatNote[] {
  const notes: CompatNote[] = [];
  let endpoints = false;
  for (const line of file.lines) {
    if (line.kind !== "declaration" || line.too_short) continue;
    const how = prefix === "" ? ownNote(line, endpoints) : "it counts for the whole program, it was lost";
    if (how !== null) notes.push({ span: line.word.span, how });
    endpoints ||= line.op === "E";
  }
  return notes;
}

function ownNote({ op, slots }: DeclarationLine, endpoints: boolean): string | null {
  if (op === "C") return "lifetime and default count, they were not used";
  if (op === "Ver") return "it is information, it replaced the version of the IR";
  // Endpoints were kept with the service of this name.
  return op === "S" && slots[0]?.text === "core" && endpoints ? "the endpoints above stay, they were erased" : null;
}
