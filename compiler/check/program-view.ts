/**
 * What all checks ask of a linked program, computed once: labels by id, who targets a label, where a label's flow ends,
 * which nodes are protected. Pure look-up tables; no check lives here.
 */
import type { Step } from "../../grammar/ast.ts";
import type { Span } from "../../grammar/text/span.ts";
import { nodeNumber } from "../ir/graph.ts";
import type { LoweredLabel, LoweredProgram, LoweredStep, Module, Target } from "../lower/lowered.ts";

export type ProgramView = {
  readonly program: LoweredProgram;
  /** Position of a label in `program.labels`. */
  readonly labelIndex: ReadonlyMap<string, number>;
  /** Labels that an endpoint, If, Err, Call, Loop or While names, with the first reference. */
  readonly targetedAt: ReadonlyMap<string, Span>;
  /** The step that became the node `node_id` of `label`. */
  readonly stepOfNode: (label: LoweredLabel, node_id: string) => LoweredStep | undefined;
};

export const TERMINAL_OPS: ReadonlySet<string> = new Set(["J", "If", "Loop", "While"]);

export function viewProgram(program: LoweredProgram): ProgramView {
  const labelIndex = new Map<string, number>();
  for (const [index, label] of program.labels.entries()) {
    if (!labelIndex.has(label.id)) labelIndex.set(label.id, index);
  }
  const targetedAt = new Map<string, Span>();
  const note = (target: Target | null): void => {
    if (target?.exists && !targetedAt.has(target.id)) targetedAt.set(target.id, target.ref.span);
  };
  for (const endpoint of program.endpoints) note(endpoint.target);
  for (const label of program.labels) {
    for (const { targets } of label.steps) for (const target of targets) note(target);
  }
  return { program, labelIndex, targetedAt, stepOfNode: createNodeLookup() };
}

function createNodeLookup(): ProgramView["stepOfNode"] {
  const tables = new Map<LoweredLabel, ReadonlyMap<string, LoweredStep>>();
  return (label, node_id) => {
    // Nodes are numbered in step order, so the number is the place unless a broken step came before.
    const guess = label.steps[nodeNumber(node_id) - 1];
    if (guess?.node?.id === node_id) return guess;
    let table = tables.get(label);
    if (table === undefined) {
      table = new Map(label.steps.flatMap((step) => (step.node === null ? [] : [[step.node.id, step]])));
      tables.set(label, table);
    }
    return table.get(node_id);
  };
}

/** The op of a step, also of one that is too broken to have its slots. */
export function opOf(step: Step): string {
  return step.op === "broken" ? step.broken_op : step.op;
}

/** Index of the first step that ends the label's flow; -1 when none does. Steps without a node end nothing. */
export function firstTerminal(label: LoweredLabel): number {
  return label.steps.findIndex(({ step, node }) => node !== null && TERMINAL_OPS.has(step.op));
}

/** The label that a reference text means inside `module` (docs/language.md, labels), or null. */
export function resolveLabel(view: ProgramView, text: string, module: Module): string | null {
  const bare = text.startsWith("->") ? text.slice(2) : text;
  const word = bare.endsWith(":") ? bare.slice(0, -1) : bare;
  const spellings = word.startsWith("L") ? [word.slice(1), word] : [word];
  const candidates =
    module.prefix === "" ? spellings : [...spellings.map((spelling) => module.prefix + spelling), ...spellings];
  return candidates.find((id) => id !== "" && view.labelIndex.has(id)) ?? null;
}
