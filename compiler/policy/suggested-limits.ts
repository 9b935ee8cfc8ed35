/**
 * Limits that a program is advised to take (docs/ir.md, suggested limits): the contract's recommended columns, and more where the program itself
 * shows that a figure is too small for it. What only a run knows (loops over lists that come in, answers of adapters) raises nothing.
 */
import { utf8Length } from "../../grammar/text/source.ts";
import { type IrIndex, labelDepths } from "../ir/analysis.ts";
import type { LabelBounds } from "../ir/bounds/label-bounds.ts";
import type { ExecutionRequirements, IrNode, IrOperand, LimitSet } from "../ir/graph.ts";

/** The recommended limits, by how much a program needs: conservative, standard and permissive ones. */
export const RECOMMENDED: Readonly<Record<ExecutionRequirements["resource_profile"], LimitSet>> = {
  small: limitSet(500, 10, 50, 5000, 65_536, 100),
  standard: limitSet(5000, 50, 500, 30_000, 1_048_576, 1000),
  large: limitSet(50_000, 200, 5000, 300_000, 10_485_760, 10_000),
};

function limitSet(steps: number, depth: number, calls: number, ms: number, bytes: number, loops: number): LimitSet {
  return {
    max_steps: steps,
    max_depth: depth,
    max_adapter_calls: calls,
    max_time_ms: ms,
    max_frame_bytes: bytes,
    max_loop_iters: loops,
  };
}

/** A figure below what is needed becomes twice that: a run has more to it than what can be read off its program. */
export function suggestedLimits(profile: keyof typeof RECOMMENDED, needed: LimitSet): LimitSet {
  const figures = RECOMMENDED[profile];
  const raised = (limit: keyof LimitSet): number =>
    needed[limit] > figures[limit] ? Math.min(2 * needed[limit], Number.MAX_SAFE_INTEGER) : figures[limit];
  return {
    max_steps: raised("max_steps"),
    max_depth: raised("max_depth"),
    max_adapter_calls: raised("max_adapter_calls"),
    max_time_ms: raised("max_time_ms"),
    max_frame_bytes: raised("max_frame_bytes"),
    max_loop_iters: raised("max_loop_iters"),
  };
}

/**
 * Of a run from one of `entries`: the least steps and calls, the labels that stand inside each other on the longest way without
 * recursion, the longest literal that is slept, stored or looped over by a label of `used`.
 */
export function neededBy(
  index: IrIndex,
  entries: readonly string[],
  used: ReadonlySet<string>,
  found: readonly LabelBounds[],
): LimitSet {
  const depths = labelDepths(index);
  const largest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
  let slept = 0;
  let stored = 0;
  let looped = 0;
  for (const id of used) {
    for (const node of index.chainOf(id)) {
      slept = Math.max(slept, sleepOf(node));
      if (node.op === "Set" || node.op === "X") stored = Math.max(stored, constantBytes(node.data.value));
      if ((node.op === "Loop" || node.op === "Each") && node.data.list.k === "list")
        looped = Math.max(looped, node.data.list.items.length);
    }
  }
  return {
    max_steps: largest(found.map(({ min_steps }) => min_steps)),
    max_depth: largest(entries.map((id) => depths.get(id)?.longest ?? 0)),
    max_adapter_calls: largest(found.map(({ min_adapter_calls }) => min_adapter_calls)),
    max_time_ms: slept,
    max_frame_bytes: stored,
    max_loop_iters: looped,
  };
}

function sleepOf(node: IrNode): number {
  if (node.op !== "R" || node.data.adapter !== "core" || node.data.verb !== "SLEEP") return 0;
  const [ms] = node.data.args;
  return ms?.k === "num" ? Math.ceil(ms.v) : 0;
}

/** Of a value that stands in the program; what is computed counts nothing. */
function constantBytes(operand: IrOperand): number {
  switch (operand.k) {
    case "str":
      return textBytes(operand.v);
    case "list":
      return operand.items.reduce((sum, item) => sum + 1 + constantBytes(item), 1);
    case "map":
      return operand.entries.reduce((sum, [key, value]) => sum + 2 + textBytes(key) + constantBytes(value), 1);
    case "num":
    case "bool":
    case "null":
      return 1;
    default:
      return 0;
  }
}

/** With its quotes. */
function textBytes(text: string): number {
  return utf8Length(text, 0, text.length) + 2;
}
