/**
 * The calls that a program could make, in the order in which it would come to them: label by label from its entry, each once, into every
 * label that a step leads to before the next step. Read from the IR; nothing runs.
 */

import type { AdapterCatalog } from "../../../compiler/catalog.ts";
import { type IrIndex, indexIr } from "../../../compiler/ir/analysis.ts";
import { CALL_OPS, type Ir, type IrNode } from "../../../compiler/ir/graph.ts";
import { operandsOf } from "../../../compiler/ir/operands.ts";
import { operandText } from "../../../compiler/ir/step-text.ts";
import { capabilitiesOf, type NodeFacts } from "../../../compiler/policy/capabilities-of.ts";

export type PossibleCall = {
  readonly label: string;
  readonly node_id: string;
  readonly line: number | null;
  /** null: only a run knows. */
  readonly adapter: string | null;
  readonly verb: string | null;
  /** As they are written: literals as JSON, everything else by name. */
  readonly args: readonly string[];
  readonly effect_tier: string;
  readonly privilege_tier: string;
  readonly destructive: boolean;
};

/** `entry`: id of a label. Pure functions of core touch nothing and are left out. */
export function possibleCalls(ir: Ir, catalog: AdapterCatalog, entry: string): PossibleCall[] {
  return stepsFrom(indexIr(ir), entry).flatMap((node) =>
    capabilitiesOf(node.op, node.data, catalog)
      .filter((facts) => (facts.adapter !== null || facts.dynamic) && facts.effect !== "pure")
      .map((facts) => possibleCall(node, facts)),
  );
}

function possibleCall(node: IrNode, facts: NodeFacts): PossibleCall {
  const { adapter, verb, effect_tier, privilege_tier, destructive } = facts;
  return {
    label: node.label,
    node_id: node.id,
    line: node.line ?? null,
    adapter,
    verb,
    // Of a host function among operands the step shows no arguments of its own.
    args: CALL_OPS.has(node.op) ? operandsOf(node.op, node.data).map(operandText) : [],
    effect_tier,
    privilege_tier,
    destructive,
  };
}

type Visit = { readonly nodes: readonly IrNode[]; at: number; readonly waiting: string[] };

/** Without recursion: labels may lead into each other as deep as they like. */
function stepsFrom(index: IrIndex, entry: string): IrNode[] {
  const steps: IrNode[] = [];
  const seen = new Set([entry]);
  const visits: Visit[] = [{ nodes: index.chainOf(entry), at: 0, waiting: [] }];
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const next = visit.waiting.shift();
    if (next !== undefined) {
      if (seen.has(next)) continue;
      seen.add(next);
      visits.push({ nodes: index.chainOf(next), at: 0, waiting: [] });
      continue;
    }
    const node = visit.nodes[visit.at];
    visit.at += 1;
    if (node === undefined) {
      visits.pop();
      continue;
    }
    steps.push(node);
    visit.waiting.push(...ledTo(index, node));
  }
  return steps;
}

/** The branch of a true condition comes before the other, and a loop's body before what follows the loop. */
function ledTo(index: IrIndex, { label, id }: IrNode): string[] {
  const edges = index.edgesFrom(label, id).filter(({ to_kind }) => to_kind === "label");
  const isFirst = ({ port }: (typeof edges)[number]): boolean => port === "then" || port === "body";
  return [...edges.filter(isFirst), ...edges.filter((edge) => !isFirst(edge))].map(({ to }) => to);
}
