/**
 * Pure questions about a normalised IR (docs/ir.md): lookup, successors by port, reachable labels, cycles of labels and
 * bounds on steps and adapter calls. All linear in nodes and edges, none recursive. Changes nothing, knows no adapter's facts.
 */
import { completed, type Task } from "../../grammar/text/task.ts";
import type { IrIndex } from "./ir-index.ts";
import { type BoundsOptions, boundsOfLabels, type LabelBounds } from "./label-bounds.ts";

export { type IrIndex, indexIr, indexTask } from "./ir-index.ts";
export type { BoundsOptions, LabelBounds } from "./label-bounds.ts";

/** Existing labels that a run entered at one of `starts` can run, `starts` included, through any label port. */
export function reachableLabels(index: IrIndex, starts: Iterable<string>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...starts];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id) || index.label(id) === undefined) continue;
    reached.add(id);
    for (const next of index.successorsOf(id)) pending.push(next);
  }
  return reached;
}

/**
 * Strongly connected components of the labels over all label ports, callees before callers (Tarjan's order). A component
 * of one label counts as a cycle only when the label leads to itself: see `isCycle`.
 */
export function labelComponents(index: IrIndex): readonly (readonly string[])[] {
  const components: string[][] = [];
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const onStack = new Set<string>();
  type Visit = { readonly id: string; readonly next: readonly string[]; position: number };
  const begin = (id: string): Visit => {
    order.set(id, order.size);
    low.set(id, order.size - 1);
    open.push(id);
    onStack.add(id);
    return { id, next: index.successorsOf(id), position: 0 };
  };
  const lower = (id: string, value: number | undefined): void => {
    low.set(id, Math.min(low.get(id) ?? 0, value ?? 0));
  };
  for (const root of index.labelIds) {
    if (order.has(root)) continue;
    const visits: Visit[] = [begin(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const next = visit.next[visit.position];
      visit.position += 1;
      if (next === undefined) {
        visits.pop();
        const parent = visits.at(-1);
        if (parent !== undefined) lower(parent.id, low.get(visit.id));
        if (low.get(visit.id) === order.get(visit.id)) components.push(closeComponent(visit.id, open, onStack));
      } else if (index.label(next) === undefined) {
        // A target that a non-strict compile left unresolved: leads nowhere.
      } else if (!order.has(next)) {
        visits.push(begin(next));
      } else if (onStack.has(next)) {
        lower(visit.id, order.get(next));
      }
    }
  }
  return components;
}

function closeComponent(root: string, open: string[], onStack: Set<string>): string[] {
  const component: string[] = [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    onStack.delete(id);
    component.push(id);
    if (id === root) break;
  }
  return component.reverse();
}

/** Whether the labels of a component can run again from within themselves. */
export function isCycle(index: IrIndex, component: readonly string[]): boolean {
  const only = component[0];
  return component.length > 1 || (only !== undefined && index.successorsOf(only).includes(only));
}

/** Groups of labels that lead back to themselves. */
export function callCycles(index: IrIndex): readonly (readonly string[])[] {
  return labelComponents(index).filter((component) => isCycle(index, component));
}

/** Labels inside each other below a label, itself included. */
export type LabelDepth = {
  /** On the longest way that runs through no cycle twice. */
  readonly longest: number;
  /** In any run; null when labels lead back to themselves. */
  readonly most: number | null;
};

export function labelDepths(index: IrIndex): ReadonlyMap<string, LabelDepth> {
  const depths = new Map<string, LabelDepth>();
  for (const component of labelComponents(index)) {
    let longest = 0;
    // Functions of Python are called through names, which say nothing of what they stand for in a run.
    const isOpen = isCycle(index, component) || component.some((id) => index.label(id)?.python !== undefined);
    let most: number | null = isOpen ? null : 0;
    for (const id of component) {
      for (const next of index.successorsOf(id)) {
        // Labels of the component itself have none yet.
        const below = depths.get(next);
        if (below === undefined) continue;
        longest = Math.max(longest, below.longest);
        most = most === null || below.most === null ? null : Math.max(most, below.most);
      }
    }
    const depth = { longest: longest + component.length, most: most === null ? null : most + 1 };
    for (const id of component) depths.set(id, depth);
  }
  return depths;
}

/** Least and most steps and adapter calls of a run entered at each label; null = unbounded. */
export function bounds(index: IrIndex, options: BoundsOptions = {}): ReadonlyMap<string, LabelBounds> {
  return completed(boundsTask(index, options));
}

/** The same in pieces. */
export function* boundsTask(index: IrIndex, options: BoundsOptions = {}): Task<ReadonlyMap<string, LabelBounds>> {
  const components = labelComponents(index).map((labels) => ({ labels, cyclic: isCycle(index, labels) }));
  yield;
  return yield* boundsOfLabels(index, components, options);
}
