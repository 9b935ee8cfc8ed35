/**
 * Async functions are plain ones (python.md § 4), whose calls begin only where CPython begins them: under `await` and `asyncio.run` at once, and under
 * `await asyncio.gather(…)` as branches (amendment 9).
 */
import type { Assign, Await, Call, Expr, FunctionDef } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import { appendedTo, formOf } from "../../names/forms.ts";
import { sleeping } from "../host-calls.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, NONE, variable } from "../operands.ts";

/** gather has no bound; branches do. */
const MOST_AT_ONCE = { k: "num", v: 64 } as const;

/** Refuses an async function that is more than a plain one would be; true: it is refused. */
export function refusesAsync(f: Lowerer, node: FunctionDef): boolean {
  const row = f.names.scopeOf(node).isGenerator
    ? "async_generator"
    : f.scope.mixed.has(node.name)
      ? "async_rebound"
      : null;
  if (row !== null) f.refuse(node, row, { name: node.name });
  return row !== null;
}

export function lowerAwait(f: Lowerer, { value }: Await): IrOperand {
  if (value.kind !== "Call") return f.refuse(value, "await");
  const form = formOf(f.scope, value.func);
  if (form === "gather") return lowerGather(f, value);
  if (form === "pause") return lowerPause(f, value);
  const isVerb = f.names.adapterOf(f.scope, value) !== null;
  if (!isVerb && !f.names.isAsync(f.scope, value.func)) return f.refuse(value, "await");
  f.names.awaited.add(value);
  return f.expr(value);
}

/** `await asyncio.sleep(s)` is `time.sleep(s)`; a time below zero is zero. */
function lowerPause(f: Lowerer, node: Call): IrOperand {
  if (node.args.length !== 1 || node.keywords.length > 0 || node.args[0]?.kind === "Starred")
    return f.refuse(node, "pause_argument");
  f.names.called.add(node.func);
  const [seconds] = f.exprs(node.args) as [IrOperand];
  return sleeping(f, call("call", { k: "lib", v: "max" }, { k: "num", v: 0 }, seconds));
}

/** `asyncio.run(main())` */
export function lowerRun(f: Lowerer, node: Call): IrOperand {
  const [only] = node.args;
  const isPlain = node.args.length === 1 && node.keywords.length === 0 && only?.kind === "Call";
  if (!isPlain || !f.names.isAsync(f.scope, only.func)) return f.refuse(node, "run_argument");
  f.names.awaited.add(only);
  return f.expr(only);
}

function lowerGather(f: Lowerer, node: Call): IrOperand {
  const [keyword] = node.keywords;
  if (keyword !== undefined) return f.refuse(keyword, "gather_settles");
  const fault = node.args.find((arg) => !defers(f, arg));
  if (fault !== undefined) return f.refuse(fault, "gather_argument");
  const { start, end, line } = node;
  const works = f.body.keep(f.expr({ kind: "List", elts: node.args, start, end, line } as Expr));
  const out = f.body.temporary();
  f.body.add({ do: "set", name: out, value: call("fork", works, NONE, MOST_AT_ONCE, { k: "bool", v: false }) });
  return variable(out);
}

/** Marks the calls of async functions in an argument of gather; false: it has others. */
function defers(f: Lowerer, node: Expr): boolean {
  if (node.kind !== "Starred") return defersCall(f, node);
  if (node.value.kind !== "Name") return defersElements(f, node.value);
  const { id } = node.value;
  return isGathered(f, id) && f.names.gathered.get(f.scope)?.get(id) === loopOf(f);
}

function defersCall(f: Lowerer, node: Expr): boolean {
  if (node.kind !== "Call" || !f.names.isAsync(f.scope, node.func)) return false;
  f.names.deferred.add(node);
  f.names.writes.branch(f.names.scopes, f.scope, node.func);
  return true;
}

function defersElements(f: Lowerer, node: Expr): boolean {
  if (node.kind === "List" || node.kind === "Tuple") return node.elts.every((one) => defersCall(f, one));
  return (node.kind === "ListComp" || node.kind === "GeneratorExp") && defersCall(f, node.elt);
}

/** `tasks.append(f(x))` where `tasks` began as such a list: the call begins with the others, its arguments are read here. */
export function deferAppended(f: Lowerer, node: Call): void {
  const list = appendedTo(node);
  if (list !== null && isGathered(f, list) && f.names.gathered.get(f.scope)?.has(list) === true)
    for (const arg of node.args) if (!defersCall(f, arg)) f.refuse(arg, "gather_argument");
}

/** `tasks = [f(x) for x in xs]` where nothing reads `tasks` but `gather(*tasks)`, and `tasks.append(f(x))`. */
export function deferList(f: Lowerer, { targets, value }: Assign): void {
  const [target] = targets;
  if (targets.length !== 1 || target?.kind !== "Name" || !isGathered(f, target.id) || !defersElements(f, value)) return;
  const lists = f.names.gathered.get(f.scope) ?? new Map<string, object | null>();
  f.names.gathered.set(f.scope, lists.set(target.id, loopOf(f)));
}

function isGathered({ scope }: Lowerer, name: string): boolean {
  const appends = scope.appended.get(name) ?? 0;
  const isOwn = scope.home(name) === scope && !scope.cells.has(scope.own(name));
  return isOwn && scope.gathered.has(name) && scope.times.get(name) === 1 + appends && !scope.mixed.has(name);
}

/** The loop around what is lowered now: a list that is gathered in each pass has to be made in each. */
function loopOf({ body }: Lowerer): object | null {
  return body.around.findLast(({ kind }) => kind === "loop") ?? null;
}
