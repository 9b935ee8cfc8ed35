/**
 * Structure of labels (docs/diagnostics.md, structure): every label that something names must have steps and an end, no step may
 * stand where nothing reaches it, and an endpoint's result must be what its label returns.
 */
import type { Operand } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { LoweredEndpoint, LoweredLabel, LoweredStep } from "../lower/lowered.ts";
import { firstTerminal, opOf, type ProgramView, TERMINAL_OPS } from "./program-view.ts";

export function checkStructure(view: ProgramView): Finding[] {
  const findings: Finding[] = [];
  for (const label of view.program.labels) {
    const end = labelEnd(view, label);
    if (end !== null) findings.push(end);
    const unreachable = firstUnreachable(label);
    if (unreachable !== null) findings.push(unreachable);
  }
  for (const endpoint of view.program.endpoints) {
    const mismatch = endpointResult(view, endpoint);
    if (mismatch !== null) findings.push(mismatch);
  }
  return findings;
}

function labelEnd(view: ProgramView, label: LoweredLabel): Finding | null {
  const targetedAt = view.targetedAt.get(label.id);
  if (targetedAt === undefined) return null;
  const place = { span: label.span, label_id: label.id, words: { id: writtenLabel(label.id) } };
  const related = [{ message: "used here", span: targetedAt }];
  if (label.steps.length === 0) return { code: "WF2010", ...place, related };
  // A J or If that could not be read counts: its own finding says enough.
  const ends = label.steps.some(({ step }) => TERMINAL_OPS.has(opOf(step)));
  return ends ? null : { code: "WF2011", ...place, related };
}

function firstUnreachable(label: LoweredLabel): Finding | null {
  const last = firstTerminal(label);
  const terminal = label.steps[last]?.step;
  if (terminal === undefined) return null;
  let directlyBelow = terminal.op !== "J";
  for (const lowered of label.steps.slice(last + 1)) {
    const protector = lowered.step.op === "Err" || lowered.step.op === "Retry";
    if (protector && (directlyBelow || namesStep(lowered))) continue;
    directlyBelow = false;
    if (lowered.node === null) continue; // it has a finding of its own
    return {
      code: "WF2009",
      span: lowered.step.word.span,
      label_id: label.id,
      node_id: lowered.node?.id ?? null,
      words: { op: terminal.op, label: writtenLabel(label.id) },
      ...unreachableAdvice(terminal.op, protector),
      related: [{ message: `${terminal.op} ends the label here`, span: terminal.word.span }],
    };
  }
  return null;
}

function unreachableAdvice(op: string, protector: boolean): { readonly suggestion?: string } {
  if (protector) return { suggestion: "put it directly under the step it protects" };
  if (op === "J") return {};
  const call = `put the ${op} in a label of its own and Call it`;
  return { suggestion: `move them above ${op}, or into a label of their own, or ${call}` };
}

/** A node that does not exist is WF3002; the line itself is not misplaced. */
function namesStep({ step }: LoweredStep): boolean {
  return (step.op === "Err" || step.op === "Retry") && step.protects !== null;
}

/** `->rows` of an endpoint must be the operand of every J of its label. */
function endpointResult(view: ProgramView, endpoint: LoweredEndpoint): Finding | null {
  const { returns, target, line } = endpoint;
  if (returns === null || target === null || !target.exists) return null;
  const label = view.program.labels[view.labelIndex.get(target.id) ?? -1];
  for (const { step } of label?.steps ?? []) {
    if (step.op !== "J" || step.faulty || isVariable(step.value, returns)) continue;
    const text = label?.module.file.text ?? "";
    const b = step.value === null ? "data" : text.slice(step.value.span.start, step.value.span.end);
    const slot = line.slots[3];
    return {
      code: "WF3006",
      span: slot?.text.startsWith("->") ? slot.span : line.word.span,
      label_id: target.id,
      words: { a: returns, b, id: writtenLabel(target.id) },
      related: [{ message: "returned here", span: (step.value ?? step.word).span }],
    };
  }
  return null;
}

function isVariable(operand: Operand | null, name: string): boolean {
  if (operand === null) return name === "data";
  return (operand.k === "name" || operand.k === "var") && operand.v === name;
}
