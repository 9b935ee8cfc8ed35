/**
 * What can stand in a branch (docs/language.md, branches): a transaction cannot, because it would end before the others do; and branches
 * that make no call gain nothing.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import { CALL_OPS, type IrNode } from "../ir/graph.ts";
import type { LoweredLabel, LoweredStep } from "../lower/lowered.ts";
import type { ProgramView } from "./program-view.ts";

export function isFork({ step }: LoweredStep): boolean {
  return step.op === "Each" || step.op === "Par";
}

export function checkBranches(view: ProgramView): Finding[] {
  const findings: Finding[] = [];
  const told = new Set<LoweredStep>();
  for (const label of view.program.labels) {
    for (const lowered of label.steps) {
      if (!isFork(lowered) || lowered.node === null) continue;
      const reached = labelsFrom(
        view,
        lowered.targets.flatMap(({ id, exists }) => (exists ? [id] : [])),
      );
      for (const inner of reached) {
        for (const step of inner.steps) {
          if (!isTransaction(step.node) || told.has(step)) continue;
          told.add(step);
          findings.push(transactionFinding(inner, step, lowered));
        }
      }
      const calls = reached.some(({ steps }) => steps.some(({ node }) => node === null || callsOutside(node)));
      if (!calls && lowered.step.op === "Each") findings.push(hint(label, lowered));
    }
  }
  return findings;
}

/** Labels that only branches run: what they set stays in them. */
export function branchLabels(view: ProgramView): ReadonlySet<string> {
  const inBranches = new Set<string>();
  const elsewhere: string[] = [];
  for (const label of view.program.labels) {
    for (const lowered of label.steps) {
      const targets = lowered.targets.flatMap(({ id, exists }) => (exists ? [id] : []));
      if (isFork(lowered)) for (const { id } of labelsFrom(view, targets)) inBranches.add(id);
    }
  }
  for (const { id } of view.program.labels) if (!view.targetedAt.has(id)) elsewhere.push(id);
  if (inBranches.size > 0) for (const { id } of labelsFrom(view, elsewhere, true)) inBranches.delete(id);
  return inBranches;
}

/** `starts` and the labels that they run; without those of branches, when asked for. */
export function labelsFrom(
  view: ProgramView,
  starts: readonly string[],
  skipsBranches = false,
): readonly LoweredLabel[] {
  const found = new Map<string, LoweredLabel>();
  const waiting = [...starts];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const label = view.program.labels[view.labelIndex.get(id) ?? -1];
    if (label === undefined || found.has(id)) continue;
    found.set(id, label);
    for (const lowered of label.steps) {
      if (skipsBranches && isFork(lowered)) continue;
      for (const target of lowered.targets) if (target.exists) waiting.push(target.id);
    }
  }
  return [...found.values()];
}

function isTransaction(node: IrNode | null): boolean {
  return node !== null && (node.op === "Tx" || (node.op === "R" && node.data.adapter === "txn"));
}

/** Whether a branch may wait for what the node does. */
function callsOutside(node: IrNode): boolean {
  if (node.op === "R") return node.data.adapter !== "core" || node.data.verb === "SLEEP";
  return CALL_OPS.has(node.op) || node.op === "Retry";
}

function transactionFinding(label: LoweredLabel, { step, node }: LoweredStep, fork: LoweredStep): Finding {
  return {
    code: "WF5020",
    span: step.word.span,
    label_id: label.id,
    node_id: node?.id ?? null,
    words: { op: fork.step.op },
    related: [{ message: "a branch of this step runs it", span: fork.step.word.span }],
  };
}

function hint(label: LoweredLabel, { step, node }: LoweredStep): Finding {
  return { code: "WF9040", span: step.word.span, label_id: label.id, node_id: node?.id ?? null };
}
