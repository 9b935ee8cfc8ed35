/**
 * A verb of an adapter where something calls it at once for every item (python-effects.md K-8): `map(http.Get, urls)` is
 * `map(lambda url: http.Get(url), urls)`. Elsewhere a verb is not a value.
 */
import type { Arg, Call, Expr, Lambda, Name } from "../../../../grammar/python/tree.ts";
import { Scope } from "../../names/scopes.ts";
import type { Lowerer } from "../lowerer.ts";

/** The call with a function in place of the verb that is its first argument. `items`: how many arguments the function gets. */
export function withVerbAsFunction(f: Lowerer, node: Call, items: number): Call {
  const [first, ...rest] = node.args;
  if (first === undefined || items < 1 || f.names.adapterOf(f.scope, { func: first }) === null) return node;
  return { ...node, args: [functionOf(f, first, items), ...rest] };
}

function functionOf(f: Lowerer, verb: Expr, items: number): Lambda {
  const { start, end, line } = verb;
  const place = { start, end, line };
  // Names that no program can write, so that they hide nothing.
  const params = Array.from({ length: items }, (_, at) => `item.${at + 1}`);
  const posonlyargs = params.map((arg): Arg => ({ ...place, kind: "Arg", arg, annotation: null }));
  const args = params.map((id): Name => ({ ...place, kind: "Name", id }));
  const node: Lambda = {
    ...place,
    kind: "Lambda",
    args: { posonlyargs, args: [], vararg: null, kwonlyargs: [], kw_defaults: [], kwarg: null, defaults: [] },
    body: { ...place, kind: "Call", func: verb, args, keywords: [] },
  };
  const scope = new Scope("function", f.scope);
  for (const name of params) {
    scope.bound.add(name);
    scope.params.add(name);
  }
  f.names.added.set(node, scope);
  return node;
}
