/**
 * Limits that a program is advised to take (docs/ir.md, suggested limits): the contract's recommended columns, and more where the program itself
 * shows that a figure is too small for it. What only a run knows (loops over lists that come in, answers of adapters) raises nothing.
 */
import { utf8Length } from "../../grammar/source.ts";
import { type IrIndex, labelDepths } from "../ir/analysis.ts";
import type { ExecutionRequirements, IrNode, IrOperand, LimitSet } from "../ir/graph.ts";
import type { LabelBounds } from "../ir/label-bounds.ts";

/** Conservative, standard, permissive. */
const RECOMMENDED: Readonly<Record<ExecutionRequirements["resource_profile"], LimitSet>> = {
  small: {
    max_steps: 500,
    max_depth: 10,
    max_adapter_calls: 50,
    max_time_ms: 5000,
    max_frame_bytes: 65536,
    max_loop_iters: 100,
  },
  standard: {
    max_steps: 5000,
    max_depth: 50,
    max_adapter_calls: 500,
    max_time_ms: 30000,
    max_frame_bytes: 1048576,
    max_loop_iters: 1000,
  },
  large: {
    max_steps: 50000,
    max_depth: 200,
    max_adapter_calls: 5000,
    max_time_ms: 300000,
    max_frame_bytes: 10485760,
    max_loop_iters: 10000,
  },
};

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
      if (node.op === "Loop" && node.data.list.k === "list") looped = Math.max(looped, node.data.list.items.length);
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
