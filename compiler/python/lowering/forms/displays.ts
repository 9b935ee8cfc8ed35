/** Displays of lists, tuples, sets and dicts, and the arguments of calls with stars. */
import type { Dict, Expr } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import type { Lowerer } from "../lowerer.ts";
import { call } from "../operands.ts";

/** `x`, `*x`, `k: x`, `**x` or `name=x`. */
export type Entry = {
  readonly isStar: boolean;
  readonly nodes: readonly Expr[];
  /** The name of a named argument. */
  readonly name?: IrOperand;
};

export function elements(f: Lowerer, kind: "list" | "tuple" | "set", nodes: readonly Expr[]): IrOperand {
  const entries = nodes.map(entryOf);
  return entries.some(({ isStar }) => isStar) ? lowerSpread(f, `${kind}_of`, entries) : call(kind, ...f.exprs(nodes));
}

export function entryOf(node: Expr): Entry {
  return node.kind === "Starred" ? { isStar: true, nodes: [node.value] } : { isStar: false, nodes: [node] };
}

export function dict(f: Lowerer, { keys, values }: Dict): IrOperand {
  const entries = values.map((value, at): Entry => {
    const key = keys[at] ?? null;
    return key === null ? { isStar: true, nodes: [value] } : { isStar: false, nodes: [key, value] };
  });
  if (keys.includes(null)) return lowerSpread(f, "dict_of", entries);
  return call("dict", ...f.exprs(entries.flatMap(({ nodes }) => nodes)));
}

/**
 * What stands after a star as `py.star`, which the display takes apart. A star is taken apart when it is reached, so the display is made in parts where a
 * step comes after one: nothing is called when the value of a star before it cannot be taken apart.
 */
export function lowerSpread(f: Lowerer, display: string, entries: readonly Entry[]): IrOperand {
  const cut = lastStarBeforeSteps(f, entries);
  const made = cut < 0 ? [] : [call("star", f.body.keep(lowerSpread(f, partOf(display), entries.slice(0, cut + 1))))];
  const rest = entries.slice(cut + 1);
  const values = f.exprs(rest.flatMap(({ nodes }) => nodes));
  const parts = rest.flatMap(({ isStar, nodes, name }) => {
    const own = values.splice(0, nodes.length);
    if (isStar) return own.map((value) => call("star", value));
    return name === undefined ? own : [name, ...own];
  });
  return call(display, ...made, ...parts);
}

function partOf(display: string): string {
  return display === "tuple_of" ? "list_of" : display;
}

export function lastStarBeforeSteps(f: Lowerer, entries: readonly Entry[]): number {
  const steps = entries.findLastIndex(({ nodes }) => nodes.some((node) => f.names.makesSteps(node)));
  return entries.slice(0, Math.max(0, steps)).findLastIndex(({ isStar }) => isStar);
}
