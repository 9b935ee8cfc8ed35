/**
 * Comprehensions are loops of the function around them, with variables of their own. A generator expression is a function that gives its values one by one; its first
 * iterable is evaluated where it stands, as in CPython.
 */
import type { Comprehension, DictComp, Expr, GeneratorExp, ListComp, SetComp } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { FIRST_ITERABLE } from "../names/scopes.ts";
import type { End } from "./body.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, variable } from "./operands.ts";
import { outcomeOf, partsTaken, warnOfSet } from "./unordered.ts";

export function lowerComprehension(f: Lowerer, node: ListComp | SetComp | DictComp | GeneratorExp): IrOperand {
  if (node.generators.some(({ isAsync }) => isAsync)) return f.refuse(node, "async_comprehension");
  if (node.kind === "SetComp" && outcomeOf(f, node) !== null) f.names.unordered.add(node);
  const { iter } = node.generators[0] as Comprehension;
  if (!f.names.unordered.has(node)) warnOfSet(f, iter);
  const values = f.expr(iter);
  const first = f.body.keep(call("iter", f.names.unordered.has(node) ? alike(node as SetComp, values) : values));
  if (node.kind === "GeneratorExp") {
    const label = f.inner(node);
    f.body.uses(label);
    return call("generator", f.names.bareFunction(f, node, label), first);
  }
  const { body } = f;
  const result = body.temporary();
  const kind = node.kind === "ListComp" ? "list" : node.kind === "SetComp" ? "set" : "dict";
  body.add({ do: "set", name: result, value: call(kind) });
  const around = f.scope;
  f.scope = f.names.scopeOf(node);
  f.names.freshCells(f);
  loops(f, node.generators, first, () => {
    const values = node.kind === "DictComp" ? f.exprs([node.key, node.value]) : [f.expr(node.elt)];
    const fn = kind === "list" ? "list_append" : kind === "set" ? "set_add" : "dict_set";
    body.add({ do: "eval", value: call(fn, variable(result), ...values) });
  });
  f.scope = around;
  return variable(result);
}

/** The members of a set in any order, when they are alike. */
function alike(node: SetComp | ListComp | GeneratorExp, values: IrOperand): IrOperand {
  const parts = partsTaken(node);
  return parts === 0 ? call("unordered", values) : call("unordered", values, { k: "num", v: parts });
}

/** The loops of a generator expression, in its own function. */
export function lowerGenerator(f: Lowerer, { generators, elt }: GeneratorExp): void {
  loops(f, generators, variable(FIRST_ITERABLE), () => f.body.add({ do: "yield", value: f.expr(elt) }));
}

function loops(
  f: Lowerer,
  generators: readonly Comprehension[],
  first: IrOperand,
  innermost: () => void,
  at = 0,
): void {
  const { body } = f;
  const { target, iter, ifs } = generators[at] as Comprehension;
  const iterator = at === 0 ? (first as { readonly v: string }).v : body.temporary();
  if (at > 0) body.add({ do: "set", name: iterator, value: call("iter", f.expr(iter)) });
  const own = target.kind === "Name" ? f.names.plainLocal(f, target) : null;
  const name = own ?? body.temporary();
  const head = body.add({ do: "next", iter: iterator, name });
  body.take();
  body.open([{ from: head, port: "body" }]);
  if (own === null) f.assign(target, variable(name));
  const skipped: End[] = [];
  for (const test of ifs as readonly Expr[]) {
    const { yes, no } = f.condition(test);
    skipped.push(...no);
    body.open(yes);
  }
  if (at + 1 < generators.length) loops(f, generators, first, innermost, at + 1);
  else innermost();
  body.open(skipped);
  body.lead(head);
  body.open([{ from: head, port: "after" }]);
}
