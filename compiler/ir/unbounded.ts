/**
 * Why a label has no most steps or calls: the nearest cause on a way from it. A cycle of labels, a Loop over a list that only a
 * run knows, or a product beyond exact whole numbers. Callees come first, so a label finds the causes of the labels it leads to
 * ready: one pass, however long the ways are. Says nothing of labels whose bound is known.
 */
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { isCycle } from "./analysis.ts";
import type { IrNode, NodeOf } from "./graph.ts";
import type { IrIndex } from "./ir-index.ts";
import type { LabelBounds } from "./label-bounds.ts";

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
  const most = (id: string | undefined): number | null => (id === undefined ? 0 : (table.get(id)?.[bound] ?? null));
  for (const component of components) {
    const cyclic = isCycle(index, component);
    for (const id of component) {
      if (most(id) !== null) continue;
      const open = index
        .chainOf(id)
        .find((node) => isOpenLoop(node) && most(index.targetOf(id, node.id, "body")) !== 0);
      if (index.label(id)?.python !== undefined) causes.set(id, pythonCause(index, id));
      else if (cyclic) causes.set(id, cycleCause(index, id));
      else if (open !== undefined) causes.set(id, { ...placeOf(open), reason: openLoop(open) });
      else causes.set(id, firstOf(index.successorsOf(id), causes) ?? { ...labelPlace(index, id), reason: TOO_LARGE });
    }
  }
  return causes;
}

const TOO_LARGE = "more than exact whole numbers can say";

/** Why a Loop or Each has no most passes. */
export function openLoop({ op }: IrNode): string {
  return `${op} over a list that only a run knows`;
}

/** A Loop or Each whose list is not a literal. */
export function isOpenLoop(node: IrNode): node is NodeOf<"Loop" | "Each"> {
  return (node.op === "Loop" || node.op === "Each") && node.data.list.k !== "list";
}

/** Of a function of Python, whose loops and calls no bound is known of. */
export function pythonCause(index: IrIndex, id: string): Cause {
  return { ...labelPlace(index, id), reason: "how often statements run and functions are called" };
}

export function cycleCause(index: IrIndex, id: string): Cause {
  return { ...labelPlace(index, id), reason: `${writtenLabel(id)} can lead back to itself` };
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
