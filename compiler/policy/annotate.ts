/**
 * The derived members of a node (docs/ir.md, nodes): effect, effect tier, effect kinds, reads and writes. The only place that
 * derives them, for compiled and for supplied IR alike; effects come from `policy/capabilities-of.ts` and nowhere else.
 */
import type { AdapterCatalog } from "../catalog.ts";
import type { Effect, EffectTier, IrNode, NodeData, NodeOp } from "../ir/graph.ts";
import { type NodeShape, operandReads, operandsOf, sortedNames } from "../ir/operands.ts";
import { capabilitiesOf } from "./capabilities-of.ts";

export type Annotations = {
  readonly effect: Effect;
  readonly effect_tier: EffectTier;
  readonly effect_kinds: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
};

const EFFECTS: readonly Effect[] = ["pure", "meta", "io"];
const TIERS: readonly EffectTier[] = ["pure", "control", "io-read", "io-write"];

const PYTHON: Annotations = { effect: "pure", effect_tier: "pure", effect_kinds: [], reads: [], writes: [] };

/** Rank of an effect tier, weakest 0; -1 for an unknown word. */
export function tierRank(tier: string): number {
  return (TIERS as readonly string[]).indexOf(tier);
}

export function annotate(op: NodeOp, data: NodeData[NodeOp], catalog: AdapterCatalog): Annotations {
  // What a step of a Python function touches is in its calls, and its variables are those of its function.
  if (op === "Py") return PYTHON;
  const operands = operandsOf(op, data);
  const facts = capabilitiesOf(op, data, catalog, operands);
  const reads = operandReads(operands);
  const writes = writesOf(op, data);
  const [own] = facts;
  // Nearly always: only host functions among the operands add to what a node is.
  if (own !== undefined && facts.length === 1) {
    const { effect, effect_tier, effect_kinds } = own;
    return { effect, effect_tier, effect_kinds: sortedNames(effect_kinds), reads, writes };
  }
  let effect = 0;
  let tier = 0;
  for (const fact of facts) {
    effect = Math.max(effect, EFFECTS.indexOf(fact.effect));
    tier = Math.max(tier, TIERS.indexOf(fact.effect_tier));
  }
  return {
    effect: EFFECTS[effect] ?? "io",
    effect_tier: TIERS[tier] ?? "io-write",
    effect_kinds: sortedNames(facts.flatMap((fact) => fact.effect_kinds)),
    reads,
    writes,
  };
}

/** Where a node stands; null where that is not known. */
export type NodePlace = {
  readonly id: string;
  readonly label: string;
  readonly line: number | null;
  readonly file: string | null;
};

/** The node with its members in the order of docs/ir.md (nodes). */
export function annotatedNode(place: NodePlace, { op, data }: NodeShape, derived: Annotations): IrNode {
  const { id, label, line, file } = place;
  const { effect, effect_tier, effect_kinds, reads, writes } = derived;
  // op and data come from one shape; the members lose that they belong together.
  if (line !== null && file === null) {
    return { id, label, op, effect, effect_tier, effect_kinds, reads, writes, line, data } as IrNode;
  }
  const head = { id, label, op, effect, effect_tier, effect_kinds, reads, writes };
  const node: typeof head & { line?: number; file?: string; data?: NodeShape["data"] } = head;
  if (line !== null) node.line = line;
  if (file !== null) node.file = file;
  node.data = data;
  return node as IrNode;
}

/** Variables the node sets when it succeeds, sorted. */
function writesOf(op: NodeOp, data: NodeData[NodeOp]): readonly string[] {
  // op and data belong together by the caller's type; the pair is what narrows.
  const node = { op, data } as NodeShape;
  switch (node.op) {
    case "R":
    case "CacheGet":
    case "CacheSet":
    case "QueuePut":
    case "Tx":
    case "Enf":
      return node.data.out === null ? [] : [node.data.out];
    case "Call":
      return node.data.inputs === undefined ? sortedNames([node.data.out, "_call_result"]) : [node.data.out];
    case "Set":
    case "X":
    case "Filt":
    case "Sort":
      return [node.data.name];
    case "Loop":
      return sortedNames([node.data.item, "_loop_last", ...untilOf(node.data)]);
    case "While":
      return sortedNames(["_while_last", ...untilOf(node.data)]);
    case "Err":
      return ["_error", "_error_info"];
    case "Each":
    case "Par":
      return [node.data.out];
    case "J":
    case "If":
    case "Retry":
    case "Py":
      return [];
  }
}

function untilOf({ until }: { readonly until?: string }): readonly string[] {
  return until === undefined ? [] : [until];
}
