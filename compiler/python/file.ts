/**
 * A file of the Python form as labels (python.md § 1). What stands at its top is a label that runs first in every run; the entry is the function
 * `main`, else the first function. A file that only has statements is a script: the names that it reads and never sets are its inputs.
 */
import type { Call, Expr, FunctionDef, Module, Stmt } from "../../grammar/python/tree.ts";
import type { AdapterCatalog } from "../catalog.ts";
import type { IrDeclaration, IrEdge, IrLabel, IrNode } from "../ir/graph.ts";
import { type File, FunctionLowerer, finish, MODULE_LABEL, type Refusal } from "./lowering/functions.ts";
import { call, NONE } from "./lowering/operands.ts";
import { inputTypeOf } from "./names/annotations.ts";
import { Names } from "./names/names.ts";
import { scopesOf } from "./names/scope-walk.ts";

export type LoweredFile = {
  readonly entry: string;
  readonly labels: { readonly [id: string]: IrLabel };
  readonly nodes: readonly IrNode[];
  readonly edges: readonly IrEdge[];
  readonly declarations: readonly IrDeclaration[];
  readonly refusals: readonly Refusal[];
};

export function lowerFile(module: Module, catalog: AdapterCatalog): LoweredFile {
  const scopes = scopesOf(module);
  const entry = entryOf(module);
  const inputs = entry === null ? new Set<string>() : null;
  const file: File = {
    names: new Names(scopes, catalog, inputs),
    labels: new Map(),
    nodes: [],
    edges: [],
    refusals: [],
  };
  file.labels.set(MODULE_LABEL, { entry: null, exits: [] });
  const f = new FunctionLowerer(file, MODULE_LABEL, scopes.module);
  if (entry === null) script(f, module.body);
  else f.statements(module.body.filter((node) => !isMainGuard(node)));
  finish(file, f, { kind: "module", name: "<module>", params: [] });
  return {
    entry: entry?.name ?? MODULE_LABEL,
    labels: Object.fromEntries(file.labels),
    nodes: inOrder(file, ({ label }) => label, file.nodes),
    edges: inOrder(file, ({ label }) => label, file.edges),
    declarations: entry === null ? [...(inputs as Set<string>)].map(scriptInput) : entryInputs(entry),
    refusals: file.refusals,
  };
}

/** Labels are finished inside out, and stand in the order of the source. */
function inOrder<T>({ labels }: File, labelOf: (item: T) => string, groups: readonly T[][]): T[] {
  const byLabel = new Map<string, T[]>();
  for (const group of groups) {
    const [first] = group;
    if (first !== undefined) byLabel.set(labelOf(first), group);
  }
  return [...labels.keys()].flatMap((label) => byLabel.get(label) ?? []);
}

/** null: the file is a script (amendment 13). */
function entryOf({ body }: Module): FunctionDef | null {
  const functions = body.filter((node): node is FunctionDef => node.kind === "FunctionDef");
  const main = functions.find(({ name }) => name === "main");
  if (main !== undefined) return main;
  const own = new Set(functions.map(({ name }) => name));
  const acts = body.some((node) => !isMainGuard(node) && isAction(node, own));
  return acts ? null : (functions[0] ?? null);
}

/** Statements at the top that make a file a script. */
function isAction(node: Stmt, functions: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "Expr":
      return node.value.kind !== "Constant";
    case "For":
    case "While":
    case "If":
    case "Try":
    case "With":
    case "Match":
      return true;
    case "Assign":
      return callsOwn(node.value, functions);
    default:
      return false;
  }
}

function callsOwn(node: Expr, functions: ReadonlySet<string>): boolean {
  return node.kind === "Call" && node.func.kind === "Name" && functions.has(node.func.id);
}

/** `if __name__ == "__main__":` */
function isMainGuard(node: Stmt): boolean {
  if (node.kind !== "If" || node.test.kind !== "Compare") return false;
  const { left, comparators } = node.test;
  return [left, ...comparators].some((side) => side.kind === "Name" && side.id === "__name__");
}

/** The value of a script: its last line if that is an expression, else its variable `result`, else None (amendment 12). */
function script(f: FunctionLowerer, nodes: readonly Stmt[]): void {
  const body = nodes.filter((node) => !isMainGuard(node));
  const last = body.at(-1);
  if (last?.kind !== "Expr") {
    f.statements(body);
    if (f.body.isReached && f.names.scopes.module.bound.has("result"))
      f.body.add({ do: "return", value: { k: "call", fn: "py.global_or_none", args: [{ k: "str", v: "result" }] } });
    return;
  }
  f.statements(body.slice(0, -1));
  f.body.statement(last.line);
  const { value: node } = last;
  const printed = printedValue(node);
  if (printed === null) {
    const value = f.expr(node);
    f.body.add({ do: isPrint(node) ? "eval" : "return", value });
    if (isPrint(node)) f.body.add({ do: "return", value: NONE });
  } else {
    const value = f.body.keep(f.expr(printed));
    f.body.add({ do: "eval", value: call("call", { k: "lib", v: "print" }, value) });
    f.body.add({ do: "return", value });
  }
  f.body.take();
}

function isPrint(node: Expr): node is Call {
  return node.kind === "Call" && node.func.kind === "Name" && node.func.id === "print";
}

/** `print(x)` as the last line: x; null: it is something else. */
function printedValue(node: Expr): Expr | null {
  if (!isPrint(node)) return null;
  const [only] = node.args;
  return node.args.length === 1 && node.keywords.length === 0 && only?.kind !== "Starred" ? (only as Expr) : null;
}

function scriptInput(name: string): IrDeclaration {
  return { op: "frame", slots: [name, "any", "required"], line: 1 };
}

function entryInputs({ args, line }: FunctionDef): IrDeclaration[] {
  const { posonlyargs, args: plain, defaults, kwonlyargs, kw_defaults } = args;
  const positional = [...posonlyargs, ...plain];
  const required = positional.length - defaults.length;
  const all = [
    ...positional.map((arg, at) => ({ arg, isRequired: at < required })),
    ...kwonlyargs.map((arg, at) => ({ arg, isRequired: kw_defaults[at] === null })),
  ];
  return all.map(({ arg, isRequired }) => ({
    op: "frame",
    slots: [arg.arg, inputTypeOf(arg.annotation), ...(isRequired ? ["required"] : [])],
    line,
  }));
}
