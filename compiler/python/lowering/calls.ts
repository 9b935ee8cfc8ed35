/** Calls: of values, of methods, and of adapters, which are steps of their own (`adapter-calls.ts`). */
import type { Attribute, Call, Expr, Keyword, Name } from "../../../grammar/python/tree.ts";
import { findAdapter, findVerb } from "../../catalog.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { isMethodName } from "../library/known.ts";
import { PRELUDE_VERBS } from "../library/prelude.ts";
import { formOf } from "../names/forms.ts";
import { lowerAdapterCall } from "./adapter-calls.ts";
import { lowerParallel } from "./forms/branches.ts";
import { type Entry, entryOf, lastStarBeforeSteps, lowerSpread } from "./forms/displays.ts";
import { deferAppended, lowerRun } from "./forms/gathering.ts";
import { checkPattern } from "./forms/patterns.ts";
import { isPoolMap, lowerPoolMap, takeAll } from "./forms/pools.ts";
import { lowerCast, takesTypes } from "./forms/typing.ts";
import { withVerbAsFunction } from "./forms/verbs.ts";
import { hostCallOf, lowerHostCall } from "./host-calls.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, text } from "./operands.ts";
import { showsNoOrder, warnOfOrder, warnOfSet } from "./unordered.ts";

export function lowerCall(f: Lowerer, node: Call): IrOperand {
  f.names.called.add(node.func);
  const form = formOf(f.scope, node.func);
  if (form === "parallel") return lowerParallel(f, node);
  if (form === "run") return lowerRun(f, node);
  if (form === "gather" || form === "pause") return f.refuse(node, `${form}_unawaited`);
  if (form === "pool") return f.refuse(node, "pool_value");
  if (isPoolMap(f, node)) return lowerPoolMap(f, node);
  deferAppended(f, node);
  if (f.names.isAsync(f.scope, node.func) && !f.names.awaited.has(node) && !f.names.deferred.has(node))
    return f.refuse(node, "async_call", { name: (node.func as Name).id });
  const adapter = f.names.adapterOf(f.scope, node);
  if (adapter !== null) return lowerAdapterCall(f, node, adapter.entry, adapter.verb);
  const meaning = f.names.meaning(f.scope, node.func);
  const verb = meaning?.kind === "lib" ? PRELUDE_VERBS.get(meaning.name) : undefined;
  const core = verb === undefined ? undefined : findAdapter(f.names.catalog, "core");
  if (core !== undefined) return lowerAdapterCall(f, node, core, verb as string);
  if (meaning?.kind === "typing" && meaning.name === "typing.cast") return lowerCast(f, node);
  const host = hostCallOf(meaning, node, (outer) => f.names.meaning(f.scope, outer));
  if (host !== null) return lowerHostCall(f, node, host);
  const walk = meaning?.kind === "lib" ? showsNoOrder(f, meaning.name, node) : null;
  if (walk !== null) f.names.unordered.add(walk);
  if (meaning?.kind === "lib") {
    takeAll(f, meaning.name, node);
    checkPattern(f, meaning.name, node);
    if (meaning.name === "object") return f.refuse(node, "object_made");
    const most = FEWER_THAN_CPYTHON.get(meaning.name);
    if (most !== undefined && node.args.length + node.keywords.length > most)
      return f.refuse(node, "too_many_arguments", { name: meaning.name, n: String(most) });
    warnOfOrder(f, meaning.name, node);
    if (meaning.name === "isinstance") takesTypes(f, node.args[1]);
    if (meaning.name === "map" && !isSpread(node))
      return valueCall(f, withVerbAsFunction(f, node, node.args.length - 1));
  }
  if (node.func.kind === "Attribute" && hidesAdapter(f, node.func))
    return f.refuse(node.func, "hidden_adapter", { name: (node.func.value as Name).id });
  if (node.func.kind === "Attribute" && meaning === null) return methodCall(f, node, node.func.value, node.func.attr);
  return valueCall(f, node);
}

/** `email.send(…)` where the function has a variable `email`: no value of Python has such a method (K-6). */
function hidesAdapter(f: Lowerer, { value, attr }: Attribute): boolean {
  if (value.kind !== "Name") return false;
  const { kind } = f.scope.find(value.id);
  if (kind === "outside" || kind === "import") return false;
  const entry = findAdapter(f.names.catalog, value.id);
  return entry !== undefined && findVerb(entry, attr) !== undefined && !isMethodName(attr);
}

/** Functions that take more in CPython: `type(name, bases, members)` makes a class, and `deepcopy(x, memo)` remembers copies. */
const FEWER_THAN_CPYTHON: ReadonlyMap<string, number> = new Map([
  ["type", 1],
  ["copy.deepcopy", 1],
]);

function isSpread({ args, keywords }: Call): boolean {
  return args.some(({ kind }) => kind === "Starred") || keywords.some(({ arg }) => arg === null);
}

function valueCall(f: Lowerer, node: Call): IrOperand {
  if (f.names.deferred.has(node)) return deferredCall(f, node);
  if (isSpread(node)) {
    const callee = spread(f, node, [node.func]);
    return call("call_spread", ...callee);
  }
  const values = f.exprs([node.func, ...node.args, ...node.keywords.map(({ value }) => value)]);
  const [callee, ...given] = values as [IrOperand, ...IrOperand[]];
  const args = f.names.unordered.has(node) ? given.map((value) => call("unordered", value)) : given;
  return node.keywords.length === 0
    ? call("call", callee, ...args)
    : call("call_named", names(node.keywords), callee, ...args);
}

/** The call of an async function with its arguments, which begins later. */
function deferredCall(f: Lowerer, node: Call): IrOperand {
  const partial: IrOperand = { k: "lib", v: "functools.partial" };
  if (isSpread(node)) {
    const [callee, positional, named] = spread(f, node, [node.func]) as [IrOperand, IrOperand, IrOperand];
    return call("call_spread", partial, call("list_of", callee, call("star", positional)), named);
  }
  const values = f.exprs([node.func, ...node.args, ...node.keywords.map(({ value }) => value)]);
  return node.keywords.length === 0
    ? call("call", partial, ...values)
    : call("call_named", names(node.keywords), partial, ...values);
}

function methodCall(f: Lowerer, node: Call, receiver: Expr, name: string): IrOperand {
  if (name.startsWith("__")) return f.refuse(node.func, "dunder", { name });
  // Only times have a method of this name.
  if (name === "dst") {
    f.expr(receiver);
    return f.refuse(node.func, "member_instead", {
      module: "a time",
      name,
      instead: "compare utcoffset() of two times",
    });
  }
  f.names.writes.called(f.scope, receiver, name, node);
  const [first] = node.args;
  if (name === "join" && first !== undefined) warnOfSet(f, first);
  // Arguments that take steps of their own run before the call, but the method is looked up before them.
  if ([...node.args, ...node.keywords].some((one) => f.names.makesSteps(one.kind === "Keyword" ? one.value : one)))
    return valueCall(f, node);
  if (isSpread(node)) return call("method_spread", text(name), ...spread(f, node, [receiver]));
  const values = f.exprs([receiver, ...node.args, ...node.keywords.map(({ value }) => value)]);
  return node.keywords.length === 0
    ? call("method", text(name), ...values)
    : call("method_named", text(name), names(node.keywords), ...values);
}

function names(keywords: readonly Keyword[]): IrOperand {
  return { k: "list", items: keywords.map(({ arg }) => text(arg as string)) };
}

/** What is called, a list of all positional arguments, a dict of all named ones; evaluated in this order wherever they are written. */
function spread(f: Lowerer, { args, keywords }: Call, first: readonly Expr[]): IrOperand[] {
  const positional = args.map(entryOf);
  const named = keywords.map(
    ({ arg, value }): Entry =>
      arg === null ? { isStar: true, nodes: [value] } : { isStar: false, nodes: [value], name: text(arg) },
  );
  if (lastStarBeforeSteps(f, [...positional, ...named]) >= 0) {
    const heads = f.exprs(first).map((value) => f.body.keep(value));
    return [...heads, f.body.keep(lowerSpread(f, "list_of", positional)), lowerSpread(f, "names_of", named)];
  }
  const values = f.exprs([...first, ...[...positional, ...named].flatMap(({ nodes }) => nodes)]);
  const heads = values.splice(0, first.length);
  const taken = ({ isStar, name }: Entry): IrOperand[] => {
    const value = values.shift() as IrOperand;
    return isStar ? [call("star", value)] : name === undefined ? [value] : [name, value];
  };
  return [...heads, call("list_of", ...positional.flatMap(taken)), call("names_of", ...named.flatMap(taken))];
}
