/** Calls: of values, of methods, and of adapters, which are steps of their own (python-effects.md K-1 to K-3). */
import type { Call, Expr, Keyword } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { type AdapterEntry, findAdapter, findVerb, type Parameter } from "../../catalog.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { PRELUDE_VERBS } from "../library/prelude.ts";
import { formOf } from "../names/forms.ts";
import { lowerParallel } from "./forms/branches.ts";
import { hostCallOf, lowerHostCall } from "./host-calls.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, NONE, text, variable } from "./operands.ts";
import { showsNoOrder } from "./unordered.ts";

export function lowerCall(f: Lowerer, node: Call): IrOperand {
  f.names.called.add(node.func);
  if (formOf(f.scope, node.func) === "parallel") return lowerParallel(f, node);
  const adapter = f.names.adapterOf(f.scope, node);
  if (adapter !== null) return adapterCall(f, node, adapter.entry, adapter.verb);
  const meaning = f.names.meaning(f.scope, node.func);
  const verb = meaning?.kind === "lib" ? PRELUDE_VERBS.get(meaning.name) : undefined;
  const core = verb === undefined ? undefined : findAdapter(f.names.catalog, "core");
  if (core !== undefined) return adapterCall(f, node, core, verb as string);
  const host = hostCallOf(meaning, node.func, (outer) => f.names.meaning(f.scope, outer));
  if (host !== null) return lowerHostCall(f, node, host);
  const walk = meaning?.kind === "lib" ? showsNoOrder(f, meaning.name, node) : null;
  if (walk !== null) f.names.unordered.add(walk);
  if (node.func.kind === "Attribute" && meaning === null) return methodCall(f, node, node.func.value, node.func.attr);
  return valueCall(f, node);
}

function isSpread({ args, keywords }: Call): boolean {
  return args.some(({ kind }) => kind === "Starred") || keywords.some(({ arg }) => arg === null);
}

function valueCall(f: Lowerer, node: Call): IrOperand {
  if (isSpread(node)) {
    const callee = spread(f, node, [node.func]);
    return call("call_spread", ...callee);
  }
  const values = f.exprs([node.func, ...node.args, ...node.keywords.map(({ value }) => value)]);
  const [callee, ...args] = values as [IrOperand, ...IrOperand[]];
  return node.keywords.length === 0
    ? call("call", callee, ...args)
    : call("call_named", names(node.keywords), callee, ...args);
}

function methodCall(f: Lowerer, node: Call, receiver: Expr, name: string): IrOperand {
  if (name.startsWith("__")) return f.refuse(node.func, "dunder", { name });
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
  const values = f.exprs([
    ...first,
    ...args.map((arg) => (arg.kind === "Starred" ? arg.value : arg)),
    ...keywords.map(({ value }) => value),
  ]);
  const heads = values.splice(0, first.length);
  const positional = args.map((arg) => {
    const value = values.shift() as IrOperand;
    return arg.kind === "Starred" ? call("star", value) : value;
  });
  const named = keywords.flatMap(({ arg }) => {
    const value = values.shift() as IrOperand;
    return arg === null ? [call("star", value)] : [text(arg), value];
  });
  return [...heads, call("list_of", ...positional), call("names_of", ...named)];
}

/** Second names of options, as models write them (K-2). */
const ALSO_CALLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: { json: "body", timeout: "timeout_s", params: "query" },
  llm: { messages: "prompt" },
  memory: { ttl: "ttl_seconds" },
  queue: { delay: "delay_s", ttl: "ttl_s" },
  cache: { ttl: "ttl_s" },
  email: { from_: "from" },
};

function adapterCall(f: Lowerer, node: Call, entry: AdapterEntry, written: string): IrOperand {
  const verb = findVerb(entry, written);
  const full = `${entry.name}.${verb?.name ?? written}`;
  if (verb === undefined && !entry.open_verbs) {
    const near =
      nearest(
        written,
        entry.verbs.map(({ name }) => name),
      ) ?? "";
    return f.refuse(node.func, near === "" ? "unknown_verb" : "unknown_verb_near", { name: full, near });
  }
  if (isSpread(node)) return f.refuse(node, "adapter_spread", { name: full });
  if (f.scope.host.kind === "module" && f.names.inputs === null)
    return f.refuse(node, "adapter_at_top", { name: full });
  const values = f.exprs([...node.args, ...node.keywords.map(({ value }) => value)]);
  const args = bound(f, node, entry, full, verb?.parameters ?? null, values);
  if (args === null) return NONE;
  const out = f.body.temporary();
  f.body.call({ adapter: entry.name, verb: verb?.name ?? written, args, out });
  return variable(out);
}

/** The arguments in the order of the signature, so that the spelling of a call never matters; null: refused. */
function bound(
  f: Lowerer,
  node: Call,
  entry: AdapterEntry,
  full: string,
  parameters: readonly Parameter[] | null,
  values: readonly IrOperand[],
): IrOperand[] | null {
  const { args, keywords } = node;
  const refuse = (at: Keyword | Call, row: string, words: Readonly<Record<string, string>> = {}): null => {
    f.refuse(at, row, { name: full, ...words });
    return null;
  };
  if (parameters === null) return keywords.length === 0 ? [...values] : refuse(node, "adapter_keywords");
  const takesOptions = parameters.at(-1)?.name === "options";
  const own = takesOptions ? parameters.slice(0, -1) : parameters;
  const isOpen = parameters.some(({ repeat }) => repeat);
  if (!isOpen && args.length > parameters.length)
    return refuse(node, "too_many_arguments", { n: String(parameters.length) });
  const bound: (IrOperand | undefined)[] = values.slice(0, args.length);
  const options: [string, IrOperand][] = [];
  for (const [at, keyword] of keywords.entries()) {
    const value = values[args.length + at] as IrOperand;
    const written = keyword.arg as string;
    const name = ALSO_CALLED[entry.name]?.[written] ?? written;
    const place = own.findIndex((parameter) => parameter.name === name);
    if (place >= 0) {
      if (bound[place] !== undefined) return refuse(keyword, "argument_twice", { argument: written });
      bound[place] = value;
    } else if (takesOptions && name !== "options") {
      options.push([name, value]);
    } else {
      const near =
        nearest(
          written,
          own.map((parameter) => parameter.name),
        ) ?? "";
      return refuse(keyword, near === "" ? "unknown_argument" : "unknown_argument_near", { argument: written, near });
    }
  }
  if (options.length > 0) {
    if (bound[own.length] !== undefined) return refuse(node, "options_twice");
    bound[own.length] = { k: "map", entries: options };
  }
  const missing = own.find(({ optional, repeat }, at) => !optional && !repeat && bound[at] === undefined);
  if (missing !== undefined) return refuse(node, "missing_argument", { argument: missing.name });
  return Array.from(bound, (value) => value ?? NONE);
}
