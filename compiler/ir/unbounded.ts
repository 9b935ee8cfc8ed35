/**
 * Why a label has no most steps or calls: the nearest cause on a way from it. A cycle of labels, a Loop over a list that only a
 * run knows, or a product beyond exact whole numbers. Callees come first, so a label finds the causes of the labels it leads to
 * ready: one pass, however long the ways are. Says nothing of labels whose bound is known.
 */
import { shownLabel } from "../../grammar/text/written-label.ts";
import { isCycle } from "./analysis.ts";
import type { LabelBounds } from "./bounds/label-bounds.ts";
import { filesOf, loopOf, type PythonLabel, pythonLabels } from "./bounds/python-bounds.ts";
import { CALL_OPS, type IrNode, type NodeOf } from "./graph.ts";
import type { IrIndex } from "./ir-index.ts";

export type Place = {
  readonly label: string;
  readonly node_id: string | null;
  readonly line?: number;
  readonly file?: string;
};
export type Cause = Place & { readonly reason: string };
export type BoundName = "max_steps" | "max_adapter_calls";

/** `components` in the order of `labelComponents`. */
export function unboundedCauses(
  index: IrIndex,
  components: readonly (readonly string[])[],
  table: ReadonlyMap<string, LabelBounds>,
  bound: BoundName,
): ReadonlyMap<string, Cause> {
  const causes = new Map<string, Cause>();
  const python = pythonLabels(index);
  const most = (id: string | undefined): number | null => (id === undefined ? 0 : (table.get(id)?.[bound] ?? null));
  for (const component of components) {
    const cyclic = isCycle(index, component);
    for (const id of component) {
      if (most(id) !== null) continue;
      const function_ = python.get(id);
      if (function_ !== undefined) {
        const cause = cyclic ? cycleCause(index, id) : functionCause(id, index, function_, bound, most);
        const further = cause ?? firstOf(function_.runs, causes);
        if (further !== undefined) causes.set(id, further);
        continue;
      }
      const open = index
        .chainOf(id)
        .find((node) => isOpenLoop(node) && most(index.targetOf(id, node.id, "body")) !== 0);
      if (cyclic) causes.set(id, cycleCause(index, id));
      else if (open !== undefined) causes.set(id, { ...placeOf(open), reason: openLoop(open) });
      else causes.set(id, firstOf(index.successorsOf(id), causes) ?? { ...labelPlace(index, id), reason: TOO_LARGE });
    }
  }
  for (const id of python.keys())
    if (most(id) === null && !causes.has(id))
      causes.set(id, firstOf(filesOf(id, index), causes) ?? { ...labelPlace(index, id), reason: TOO_LARGE });
  return causes;
}

/** Why a function of Python has no most by itself: a loop, or a function that it hands on. */
function functionCause(
  id: string,
  index: IrIndex,
  { looped, called, handed }: PythonLabel,
  bound: BoundName,
  most: (id: string) => number | null,
): Cause | null {
  const counts = (node: IrNode): boolean =>
    bound === "max_steps" || CALL_OPS.has(node.op) || (called.get(node.id) ?? []).some((one) => most(one) !== 0);
  const nodes = index.nodesOf(id);
  const loop = nodes.find((node) => looped.has(node.id) && loopOf(node) !== null);
  if (loop !== undefined && nodes.some((node) => looped.has(node.id) && counts(node)))
    return { ...placeOf(loop), reason: OPEN_PASSES };
  const given = nodes.find((node) =>
    (handed.get(node.id) ?? []).some((one) => bound === "max_steps" || most(one) !== 0),
  );
  return given === undefined ? null : { ...placeOf(given), reason: HANDED_ON };
}

/** Why a loop of Python has no most passes. */
export const OPEN_PASSES = "a loop whose passes only a run knows";
/** Why a function that is a value has no most runs, and no known depth. */
export const HANDED_ON = "a function that is handed on may run any number of times";

const TOO_LARGE = "more than exact whole numbers can say";

/** Why a Loop or Each has no most passes. */
export function openLoop({ op }: IrNode): string {
  return `${op} over a list that only a run knows`;
}

/** A Loop or Each whose list is not a literal. */
export function isOpenLoop(node: IrNode): node is NodeOf<"Loop" | "Each"> {
  return (node.op === "Loop" || node.op === "Each") && node.data.list.k !== "list";
}

export function cycleCause(index: IrIndex, id: string): Cause {
  return {
    ...labelPlace(index, id),
    reason: `${index.label(id)?.python === undefined ? shownLabel(id) : id} can lead back to itself`,
  };
}

export function placeOf(node: IrNode): Place {
  return {
    label: node.label,
    node_id: node.id,
    ...(node.line === undefined ? {} : { line: node.line }),
    ...(node.file === undefined ? {} : { file: node.file }),
  };
}

function labelPlace(index: IrIndex, id: string): Place {
  const first = index.nodesOf(id)[0];
  return first === undefined ? { label: id, node_id: null } : { ...placeOf(first), node_id: null };
}

function firstOf(ids: readonly string[], causes: ReadonlyMap<string, Cause>): Cause | undefined {
  for (const id of ids) {
    const cause = causes.get(id);
    if (cause !== undefined) return cause;
  }
  return undefined;
}
