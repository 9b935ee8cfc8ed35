/**
 * Notes for programs written for the predecessor (language reference, appendix A): the constructs that are read without a
 * complaint and mean something else here. Only with the option `compat_notes`; only what one step shows by itself.
 */
import type { Operand, Step } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { conditionOf, walkOperands } from "./operand-walk.ts";
import type { ProgramView } from "./program-view.ts";

const LITERAL = /^(?:true|false|null|-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/;

export function compatNotes(view: ProgramView): Finding[] {
  const variables = new Set(view.program.inputs.keys());
  for (const { steps } of view.program.labels) {
    for (const { step } of steps) for (const name of step.writes) variables.add(name);
  }
  const findings: Finding[] = [];
  for (const { id, steps } of view.program.labels) {
    for (const { step, node } of steps) {
      if (step.faulty) continue;
      const place = { code: "WF9021", label_id: id, node_id: node?.id ?? null, severity: "hint" } as const;
      for (const note of notesOf(step, variables))
        findings.push({ ...place, span: note.span, words: { how: note.how } });
    }
  }
  return findings;
}

type Note = { readonly span: Operand["span"]; readonly how: string };

function notesOf(step: Step, variables: ReadonlySet<string>): Note[] {
  const notes: Note[] = [];
  walkOperands(step, (operand) => {
    if (operand.k !== "str") return;
    if (LITERAL.test(operand.v)) notes.push({ span: operand.span, how: "quoted text stays text, it was a constant" });
    else if (variables.has(operand.v)) {
      notes.push({ span: operand.span, how: "quoted text stays text, it was the variable" });
    }
  });
  if (step.op === "R" && step.args.length === 0) {
    notes.push({ span: step.word.span, how: "no argument is passed, it was one empty text" });
  }
  const condition = conditionOf(step);
  if (condition?.c === "present") {
    notes.push({ span: condition.span, how: "the question mark asks for presence, it was always true" });
  } else if (condition?.c === "truthy" && condition.of.k === "name") {
    notes.push({ span: condition.span, how: "an absent name is false, it was true" });
  }
  return notes;
}
