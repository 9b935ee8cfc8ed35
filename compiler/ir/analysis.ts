/**
 * Pure questions about a normalised IR (docs/ir.md): lookup, successors by port, reachable labels, cycles of labels and
 * bounds on steps and adapter calls. All linear in nodes and edges, none recursive. Changes nothing, knows no adapter's facts.
 */
import { componentsOf } from "./bounds/components.ts";
import { type BoundsOptions, boundsOfLabels, type LabelBounds } from "./bounds/label-bounds.ts";
import { pythonLabels } from "./bounds/python-bounds.ts";
import type { IrIndex } from "./ir-index.ts";

export type { BoundsOptions, LabelBounds } from "./bounds/label-bounds.ts";
export { type IrIndex, indexIr, indexTask } from "./ir-index.ts";

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

/** Labels that a label can run. Of a function of Python those that it calls or hands on, without the file, which runs before it. */
function calleesOf(index: IrIndex, id: string): readonly string[] {
  return pythonLabels(index).get(id)?.runs ?? index.successorsOf(id);
}

/**
 * Strongly connected components of the labels over all label ports, callees before callers (Tarjan's order). A component
 * of one label counts as a cycle only when the label leads to itself: see `isCycle`.
 */
export function labelComponents(index: IrIndex): readonly (readonly string[])[] {
  return componentsOf(index.labelIds, (id) => calleesOf(index, id));
}

/** Whether the labels of a component can run again from within themselves. */
export function isCycle(index: IrIndex, component: readonly string[]): boolean {
  const only = component[0];
  return component.length > 1 || (only !== undefined && calleesOf(index, only).includes(only));
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
    const deepens = component.some((id) => pythonLabels(index).get(id)?.deepens === true);
    let most: number | null = deepens || isCycle(index, component) ? null : 0;
    for (const id of component) {
      for (const next of calleesOf(index, id)) {
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
  const components = labelComponents(index).map((labels) => ({ labels, cyclic: isCycle(index, labels) }));
  return boundsOfLabels(index, components, options);
}
