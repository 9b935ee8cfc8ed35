/** Strongly connected components of any graph of ids (Tarjan), those that come after first. Linear, and not recursive. */
type Visit = { readonly id: string; readonly next: readonly string[]; position: number };

/** `next` may name ids that are not among `ids`: they lead nowhere. */
export function componentsOf(
  ids: readonly string[],
  next: (id: string) => readonly string[],
): readonly (readonly string[])[] {
  const members = new Set(ids);
  const components: string[][] = [];
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const onStack = new Set<string>();
  const begin = (id: string): Visit => {
    order.set(id, order.size);
    low.set(id, order.size - 1);
    open.push(id);
    onStack.add(id);
    return { id, next: next(id), position: 0 };
  };
  const lower = (id: string, value: number | undefined): void => {
    low.set(id, Math.min(low.get(id) ?? 0, value ?? 0));
  };
  for (const root of ids) {
    if (order.has(root)) continue;
    const visits: Visit[] = [begin(root)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const target = visit.next[visit.position];
      visit.position += 1;
      if (target === undefined) {
        visits.pop();
        const parent = visits.at(-1);
        if (parent !== undefined) lower(parent.id, low.get(visit.id));
        if (low.get(visit.id) === order.get(visit.id)) components.push(closeComponent(visit.id, open, onStack));
      } else if (!members.has(target)) {
        // A target that a non-strict compile left unresolved: leads nowhere.
      } else if (!order.has(target)) {
        visits.push(begin(target));
      } else if (onStack.has(target)) {
        lower(visit.id, order.get(target));
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
