/**
 * Pools of threads are branches: `list(pool.map(f, items))` in `with ThreadPoolExecutor(n) as pool:` is `parallel(f, items, limit=n)`. All results are taken
 * at once, because CPython would hand them out one by one, up to the first that failed.
 */
import type { Call, Expr, With } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import { formOf } from "../../names/forms.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, NONE, variable } from "../operands.ts";
import { type Arguments, formArguments } from "./arguments.ts";
import { withVerbAsFunction } from "./verbs.ts";

const OF_POOL: Arguments = [["max_workers", { k: "num", v: 8 }]];
const OF_MAP: Arguments = [
  ["fn", null],
  ["iterable", null],
];
/** What takes all results before it does anything else. */
const TAKERS: ReadonlySet<string> = new Set(["list", "tuple", "sorted"]);

export function lowerPool(f: Lowerer, node: With, pool: Call): void {
  const [item] = node.items;
  const target = item?.target;
  const home = target?.kind === "Name" ? f.scope.home(target.id) : null;
  if (node.items.length > 1 || target?.kind !== "Name" || home === null || home.mixed.has(target.id)) {
    f.refuse(node, "pool_with");
    return;
  }
  const limit = limitOf(f, pool);
  if (limit === null) return;
  const pools = f.names.pools.get(home) ?? new Map<string, IrOperand>();
  f.names.pools.set(home, pools.set(target.id, f.body.keep(limit)));
  f.statements(node.body);
}

function limitOf(f: Lowerer, pool: Call): IrOperand | null {
  const args = formArguments(f, pool, "ThreadPoolExecutor", OF_POOL);
  return args?.[0] ?? null;
}

/** The pool that a call asks to map: the limit of one that has a name, or the call that makes one. */
function poolOf(f: Lowerer, { func }: Call): IrOperand | Call | null {
  if (func.kind !== "Attribute") return null;
  const { value } = func;
  if (value.kind === "Call") return formOf(f.scope, value.func) === "pool" ? value : null;
  if (value.kind !== "Name") return null;
  const home = f.scope.home(value.id);
  return (home === null ? null : f.names.pools.get(home)?.get(value.id)) ?? null;
}

export function isPoolMap(f: Lowerer, node: Call): boolean {
  return poolOf(f, node) !== null;
}

/** Notes that a builtin takes all results of a pool, where its argument is one. */
export function takeAll(f: Lowerer, builtin: string, { args }: Call): void {
  const [only] = args;
  if (TAKERS.has(builtin) && args.length === 1 && only?.kind === "Call") f.names.taken.add(only);
}

export function lowerPoolMap(f: Lowerer, written: Call): IrOperand {
  const pool = poolOf(f, written) as IrOperand | Call;
  const { attr } = written.func as Extract<Expr, { kind: "Attribute" }>;
  if (attr !== "map") return f.refuse(written, "pool_method", { name: attr });
  if (!f.names.taken.has(written)) return f.refuse(written, "pool_untaken");
  const node = withVerbAsFunction(f, written, 1);
  if (node.args.length > OF_MAP.length) return f.refuse(node, "pool_several");
  const [first] = written.args;
  if (first !== undefined) f.names.writes.branch(f.names.scopes, f.scope, first);
  const limit = "k" in pool ? pool : limitOf(f, pool);
  const args = limit === null ? null : formArguments(f, node, "map", OF_MAP);
  if (limit === null || args === null) return NONE;
  const [callee, items] = args as [IrOperand, IrOperand];
  const out = f.body.temporary();
  const listed = call("call", { k: "lib", v: "list" }, items);
  f.body.add({ do: "set", name: out, value: call("fork", callee, listed, limit, { k: "bool", v: false }) });
  return variable(out);
}
