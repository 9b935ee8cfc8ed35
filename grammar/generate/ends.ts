/** What the texts of an expression may begin and end with. Kinds of beginnings and ends belong to the caller. */
import type { Expression, Production } from "./expression.ts";

/** `empty`: the expression may have no text at all. */
export type Ends<First, Last> = {
  readonly first: ReadonlySet<First>;
  readonly last: ReadonlySet<Last>;
  readonly empty: boolean;
};

/** Computes the ends of any expression over `rules`. `ofLeaf` knows those of what is neither a rule nor made of parts. */
export function endsOver<First, Last>(
  rules: readonly Production[],
  ofLeaf: (leaf: Expression) => Ends<First, Last>,
): (one: Expression) => Ends<First, Last> {
  const nothing: Ends<First, Last> = { first: new Set(), last: new Set(), empty: false };
  const known = new Map<string, Ends<First, Last>>();

  const ends = (one: Expression): Ends<First, Last> => {
    switch (one.is) {
      case "rule":
        return known.get(one.name) ?? nothing;
      case "optional":
        return { ...ends(one.of), empty: true };
      case "repeat": {
        const inner = ends(one.of);
        return { ...inner, empty: inner.empty || one.least === 0 };
      }
      case "choice": {
        const all = one.of.map(ends);
        return {
          first: united(all.map(({ first }) => first)),
          last: united(all.map(({ last }) => last)),
          empty: all.some(({ empty }) => empty),
        };
      }
      case "sequence": {
        const all = one.of.map(ends);
        const begin = all.findIndex(({ empty }) => !empty);
        const end = all.findLastIndex(({ empty }) => !empty);
        return {
          first: united(all.slice(0, begin === -1 ? all.length : begin + 1).map(({ first }) => first)),
          last: united(all.slice(Math.max(end, 0)).map(({ last }) => last)),
          empty: begin === -1,
        };
      }
      default:
        return ofLeaf(one);
    }
  };

  // The sets only grow, until no rule adds to another.
  for (let changed = true; changed; ) {
    changed = false;
    for (const { name, body } of rules) {
      const before = known.get(name) ?? nothing;
      const found = ends(body);
      const grew = found.first.size > before.first.size || found.last.size > before.last.size;
      if (!grew && found.empty === before.empty) continue;
      known.set(name, found);
      changed = true;
    }
  }
  return ends;
}

export function united<T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  return new Set(sets.flatMap((one) => [...one]));
}
