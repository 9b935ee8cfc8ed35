/** How many copies of its variables a run can hold at the same time: one of its own, and one for each branch that is live. */
import { type IrIndex, isCycle, labelComponents } from "../ir/analysis.ts";

/** Branches that one run has live, nested ones included; more wait. */
const MAX_LIVE_BRANCHES = 256;
const MOST = MAX_LIVE_BRANCHES + 1;

type Lead = { readonly to: string; readonly branches: number };

/** From the labels where runs begin. */
export function framesAtOnce(index: IrIndex, starts: readonly string[]): number {
  const frames = new Map<string, number>();
  for (const component of labelComponents(index)) {
    const leads = component.flatMap((id) => leadsOf(index, id));
    // Branches that lead back to where they began have no bound of their own.
    const isOpen =
      isCycle(index, component) && leads.some(({ to, branches }) => branches > 0 && component.includes(to));
    const most = leads.reduce((held, { to, branches }) => {
      const below = frames.get(to) ?? 0;
      return Math.max(held, branches === 0 ? below : 1 + branches * below);
    }, 1);
    for (const id of component) frames.set(id, isOpen ? MOST : Math.min(most, MOST));
  }
  return starts.reduce((most, id) => Math.max(most, frames.get(id) ?? 1), 1);
}

/** Where a label leads; `branches`: how many run there at once, 0 for a way that the run takes itself. */
function leadsOf(index: IrIndex, id: string): Lead[] {
  const own = index.successorsOf(id).map((to): Lead => ({ to, branches: 0 }));
  const branched = index.nodesOf(id).flatMap((node): Lead[] => {
    const targets = index.edgesFrom(id, node.id).filter(({ port }) => port === "body" || port === "branch");
    if (node.op === "Par") return targets.map(({ to }) => ({ to, branches: node.data.branches.length }));
    if (node.op !== "Each") return [];
    const { list, limit } = node.data;
    const branches = list.k === "list" ? Math.min(limit, list.items.length) : limit;
    return targets.map(({ to }) => ({ to, branches }));
  });
  return [...own, ...branched];
}
