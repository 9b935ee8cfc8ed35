/**
 * A file of the Python form as labels (python.md § 1). What stands at its top is a label that runs first in every run; the entry is the function
 * `main`, else the first function. A file that only has statements is a script: the names that it reads and never sets are its inputs.
 */
import type { FunctionDef, Module, Place, Stmt } from "../../grammar/python/tree.ts";
import type { AdapterCatalog } from "../catalog.ts";
import type { IrDeclaration, IrEdge, IrEndpoint, IrLabel, IrNode } from "../ir/graph.ts";
import { checkAnswers } from "./answers/check.ts";
import { Annotations, type Unknown } from "./doors/annotations.ts";
import { doorsOf, type Marked, markedFunctions, type WrittenExpression } from "./doors/decorators.ts";
import { docstringOf } from "./doors/docstrings.ts";
import { firstAction, isMainGuard, nearOutput, script } from "./doors/script.ts";
import type { PythonFiles } from "./imports/files.ts";
import { MODULE_LABEL, type PythonFile, topLabel } from "./imports/python-file.ts";
import { importable } from "./lowering/forms/imports.ts";
import { type File, FunctionLowerer, finish, type Root } from "./lowering/functions.ts";
import { formOf } from "./names/forms.ts";
import { Names } from "./names/names.ts";
import type { Scopes } from "./names/scope-walk.ts";
import type { Scope } from "./names/scopes.ts";
import { SharedWrites } from "./names/shared-writes.ts";
import type { Refusal } from "./refusal.ts";

export type LoweredProgram = {
  readonly entry: string;
  readonly labels: { readonly [id: string]: IrLabel };
  readonly nodes: readonly IrNode[];
  readonly edges: readonly IrEdge[];
  readonly endpoints: readonly IrEndpoint[];
  readonly declarations: readonly IrDeclaration[];
  /** By file, where there are any. */
  readonly refusals: readonly { readonly of: PythonFile; readonly refusals: readonly Refusal[] }[];
  /** Of the events that start jobs. */
  readonly expressions: readonly WrittenExpression[];
  /** Annotations that name no type. */
  readonly unknown: readonly Unknown[];
};

export function lowerProgram(files: PythonFiles, catalog: AdapterCatalog): LoweredProgram {
  const { main } = files;
  const { module, scopes } = main;
  const entry = entryOf(module);
  const marked = markedFunctions(module, scopes.module);
  const annotations = new Annotations(main, files.others);
  const inputs = entry === null ? new Map<string, Place>() : null;
  const writes = new SharedWrites();
  const labels = { labels: new Map(), labelOf: new Map(), nodes: [], edges: [], annotations };
  const names = new Names(main, catalog, inputs, writes);
  const file: File = { of: main, names, roots: rootsOf(entry, marked, annotations), refusals: [], ...labels };
  refuseForm(file, module, entry, marked);
  file.labels.set(MODULE_LABEL, { entry: null, exits: [] });
  const f = new FunctionLowerer(file, MODULE_LABEL, scopes.module);
  if (entry === null) script(f, module.body);
  else f.statements(module.body.filter((node) => !isMainGuard(node) && !runsEntry(node, scopes.module, entry.name)));
  const params = [...(inputs ?? [])].map(([name]) => ({ name, kind: "name", optional: false }) as const);
  finish(file, f, { kind: "module", name: "<module>", params, doc: docstringOf(module.body) });
  if (inputs !== null) refuseMisspelt(file, scopes, inputs);
  const others = files.others.map((of) => {
    const other: File = { of, names: new Names(of, catalog, null, writes), roots: NO_ROOTS, refusals: [], ...labels };
    lowerImported(other, files.mayRepeat);
    return other;
  });
  const labelOf = (node: FunctionDef): string => file.labelOf.get(node) ?? node.name;
  const refuse = (refusal: Refusal): void => {
    file.refusals.push(refusal);
  };
  const { endpoints, declared, expressions } = doorsOf(marked, { module, annotations, labelOf, refuse });
  const roots = new Set(entry === null ? [] : [entry.name]);
  for (const one of [file, ...others]) {
    const { of, names: own, refusals } = one;
    for (const { at, name } of writes.found(of.scopes.module))
      refusals.push({ at, row: "branch_write", words: { name } });
    if (own.callsAdapters || hasGenerators(of.scopes))
      refusals.push(...checkAnswers(of.module, own, one === file ? roots : null));
  }
  return {
    entry: entry === null ? MODULE_LABEL : labelOf(entry),
    labels: Object.fromEntries(file.labels),
    nodes: inOrder(file, ({ label }) => label, file.nodes),
    edges: inOrder(file, ({ label }) => label, file.edges),
    endpoints,
    declarations: [...annotations.records(), ...declared],
    expressions,
    refusals: [file, ...others].flatMap(({ of, refusals }) => (refusals.length === 0 ? [] : [{ of, refusals }])),
    unknown: annotations.unknown,
  };
}

const NO_ROOTS: ReadonlyMap<object, Root> = new Map();

/** What stands at the top of a file that others import is a label that runs at the first import. */
function lowerImported(file: File, mayRepeat: boolean): void {
  const { of } = file;
  const { body } = of.module;
  const label = topLabel(of);
  file.labels.set(label, { entry: null, exits: [] });
  const f = new FunctionLowerer(file, label, of.scopes.module);
  importable(f, of, () => f.statements(body.filter((node) => !isMainGuard(node))), mayRepeat);
  finish(file, f, { kind: "module", name: "<module>", params: [], doc: null });
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

/** `asyncio.run(main())` at the bottom: the run calls the entry itself (python-effects.md K-10). */
function runsEntry(node: Stmt, scope: Scope, entry: string): boolean {
  if (node.kind !== "Expr" || node.value.kind !== "Call" || formOf(scope, node.value.func) !== "run") return false;
  const [called] = node.value.args;
  return called?.kind === "Call" && called.func.kind === "Name" && called.func.id === entry;
}

/** null: the file is a script (amendment 13). Of several functions of one name, the last one has it. */
function entryOf({ body }: Module): FunctionDef | null {
  const functions = body.filter((node): node is FunctionDef => node.kind === "FunctionDef");
  const main = functions.findLast(({ name }) => name === "main");
  if (main !== undefined) return main;
  const [first] = functions;
  if (first === undefined || firstAction(body) !== null) return null;
  return functions.findLast(({ name }) => name === first.name) ?? first;
}

/** What a file cannot be: a script with endpoints, or a function `main` with statements around it. */
function refuseForm(file: File, { body }: Module, entry: FunctionDef | null, marked: readonly Marked[]): void {
  const action = firstAction(
    entry === null ? body : body.filter((node) => !runsEntry(node, file.names.scopes.module, entry.name)),
  );
  if (entry !== null && action !== null) file.refusals.push({ at: action, row: "statement_beside_main", words: {} });
  const counts = new Map<string, number>();
  for (const one of body) if (one.kind === "FunctionDef") counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
  for (const { node, marks } of marked) {
    const [mark] = marks;
    if (mark === undefined) continue;
    const words = { name: mark.name, function: node.name };
    if (entry === null) file.refusals.push({ at: mark.decorator, row: "decorator_in_script", words });
    if ((counts.get(node.name) ?? 0) > 1) file.refusals.push({ at: mark.decorator, row: "decorator_name", words });
  }
  for (const { args, name } of new Set([...(entry === null ? [] : [entry]), ...marked.map(({ node }) => node)])) {
    const { vararg } = args;
    if (vararg !== null)
      file.refusals.push({ at: vararg, row: "input_star", words: { name: vararg.arg, function: name } });
  }
}

/** Inputs times names: with more the work would grow with the square of the program, and such a program is made by a machine. */
const MOST_COMPARED = 500_000;

function refuseMisspelt(file: File, { module }: Scopes, inputs: ReadonlyMap<string, Place>): void {
  if (inputs.size * module.bound.size > MOST_COMPARED) return;
  for (const [name, at] of inputs) {
    const near = nearOutput(name, module.bound);
    if (near !== null) file.refusals.push({ at, row: "input_near", words: { name, near } });
  }
}

/** What is known of the functions where runs begin. */
function rootsOf(
  entry: FunctionDef | null,
  marked: readonly Marked[],
  annotations: Annotations,
): ReadonlyMap<object, Root> {
  const functions = new Set([...(entry === null ? [] : [entry]), ...marked.map(({ node }) => node)]);
  return new Map(
    [...functions].map((node) => [node, { types: typesOf(node, annotations), doc: docstringOf(node.body) }]),
  );
}

/** By parameter. One whose default is None takes null, whatever its annotation says. */
function typesOf({ args }: FunctionDef, annotations: Annotations): ReadonlyMap<string, readonly string[]> {
  const { posonlyargs, args: plain, defaults, kwonlyargs, kw_defaults } = args;
  const positional = [...posonlyargs, ...plain];
  const without = positional.length - defaults.length;
  const all = [
    ...positional.map((arg, at) => ({ arg, value: defaults[at - without] ?? null })),
    ...kwonlyargs.map((arg, at) => ({ arg, value: kw_defaults[at] ?? null })),
  ];
  return new Map(
    all.map(({ arg, value }) => {
      const orNone = value?.kind === "Constant" && value.type === "none";
      return [arg.arg, annotations.typesOf(arg.annotation, orNone)];
    }),
  );
}

function hasGenerators({ of }: Scopes): boolean {
  return [...of.values()].some(({ kind, isGenerator }) => kind === "function" && isGenerator);
}
