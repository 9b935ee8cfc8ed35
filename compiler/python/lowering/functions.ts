/** One label for each function: its parameters, variables and steps. */
import type {
  Arguments,
  ClassDef,
  Expr,
  FunctionDef,
  GeneratorExp,
  Lambda,
  Place,
  Stmt,
} from "../../../grammar/python/tree.ts";
import type { IrEdge, IrLabel, IrNode, IrOperand, PyLabel, PyParameter } from "../../ir/graph.ts";
import type { Annotations } from "../doors/annotations.ts";
import { type PythonFile, prefixOf, topLabel } from "../imports/python-file.ts";
import type { Names } from "../names/names.ts";
import { FIRST_ITERABLE, type Scope } from "../names/scopes.ts";
import type { Refusal } from "../refusal.ts";
import { SAID_BEFORE } from "../refusals.ts";
import { Body } from "./body.ts";
import { lowerGenerator } from "./comprehensions.ts";
import { lowerCondition, lowerExpression, lowerExpressions } from "./expressions.ts";
import type { Lowerer, Ways } from "./lowerer.ts";
import { NONE } from "./operands.ts";
import { lowerAssign, lowerStatements } from "./statements.ts";

/** What is known of a function where runs begin: the types of its parameters, and what it is for. */
export type Root = { readonly types: ReadonlyMap<string, readonly string[]>; readonly doc: string | null };

/** All labels of a file as they are made. Those of labels, nodes and edges are the same for all files of a program. */
export type File = {
  readonly of: PythonFile;
  readonly names: Names;
  readonly roots: ReadonlyMap<object, Root>;
  readonly labels: Map<string, IrLabel>;
  /** Labels of functions. */
  readonly labelOf: Map<object, string>;
  readonly nodes: IrNode[][];
  readonly edges: IrEdge[][];
  readonly refusals: Refusal[];
  readonly annotations: Annotations;
};

/** Expressions nested deeper than this are refused: no author writes them, and they would take the stack. */
const MOST_NESTED = 400;

export class FunctionLowerer implements Lowerer {
  readonly body: Body;
  readonly names: Names;
  scope: Scope;
  private readonly file: File;
  /** The `__qualname__` of the function; null: the top of a file. */
  private readonly qualified: string | null;
  private depth = 0;

  constructor(file: File, label: string, scope: Scope, qualified: string | null = null) {
    this.file = file;
    this.qualified = qualified;
    this.names = file.names;
    this.scope = scope;
    this.body = new Body(label, scope, file.names.catalog, file.of.path);
  }

  expr(node: Expr): IrOperand {
    if (this.depth >= MOST_NESTED) return this.refuse(node, "nested_too_deeply");
    this.depth += 1;
    const value = lowerExpression(this, node);
    this.depth -= 1;
    return value;
  }

  isRecord(node: ClassDef): boolean {
    return this.file.annotations.isRecord(node);
  }

  exprs(nodes: readonly Expr[]): IrOperand[] {
    return lowerExpressions(this, nodes);
  }

  condition(node: Expr): Ways {
    return lowerCondition(this, node);
  }

  statements(nodes: readonly Stmt[]): void {
    lowerStatements(this, nodes);
  }

  assign(target: Expr, value: IrOperand): void {
    lowerAssign(this, target, value);
  }

  refuse(at: Place, row: string, words: Readonly<Record<string, string>> = {}): IrOperand {
    if (row !== SAID_BEFORE) this.file.refusals.push({ at, row, words });
    return NONE;
  }

  inner(node: Expr | Stmt): string {
    const scope = this.names.scopeOf(node);
    const name = node.kind === "FunctionDef" ? node.name : node.kind === "Lambda" ? "<lambda>" : "<genexpr>";
    const written = node.kind === "FunctionDef" ? node.name : node.kind === "Lambda" ? "lambda" : "generator";
    const { label: own } = this.body;
    const outer = own === topLabel(this.file.of) ? prefixOf(this.file.of) : `${own}.`;
    const label = freeLabel(this.file, `${outer}${written}`);
    this.file.labelOf.set(node, label);
    const isOfFile = this.qualified === null || (node.kind === "FunctionDef" && this.scope.host.globals.has(name));
    const qualified = isOfFile ? name : `${this.qualified}.<locals>.${name}`;
    lowerFunction(this.file, label, qualified, scope, node as FunctionDef | Lambda | GeneratorExp);
    return label;
  }
}

/** An IR names no label with more than 256 characters, and functions that stand in each other have the names of all of them. */
const MAX_LABEL = 240;

function freeLabel({ labels, of }: File, written: string): string {
  const wanted = written.slice(0, MAX_LABEL);
  if (!labels.has(wanted) && wanted !== topLabel(of)) return wanted;
  for (let n = 2; ; n++) if (!labels.has(`${wanted}_${n}`)) return `${wanted}_${n}`;
}

function lowerFunction(
  file: File,
  label: string,
  name: string,
  scope: Scope,
  node: FunctionDef | Lambda | GeneratorExp,
): void {
  // Its place among the labels is that of its definition.
  file.labels.set(label, { entry: null, exits: [] });
  const f = new FunctionLowerer(file, label, scope, name);
  f.body.at(node.line);
  if (node.kind === "Lambda") {
    f.body.add({ do: "return", value: f.expr(node.body) });
  } else if (node.kind === "GeneratorExp") {
    lowerGenerator(f, node);
  } else {
    f.statements(node.body);
  }
  const root = file.roots.get(node);
  const params = node.kind === "GeneratorExp" ? FIRST : parameters(node.args, root);
  const doc = root?.doc ?? null;
  finish(file, f, { kind: scope.isGenerator ? "generator" : "function", name, params, doc });
}

const FIRST: readonly PyParameter[] = [{ name: FIRST_ITERABLE, kind: "position", optional: false }];

function parameters(args: Arguments, root: Root | undefined): PyParameter[] {
  const { posonlyargs, args: plain, defaults, vararg, kwonlyargs, kw_defaults, kwarg } = args;
  const required = posonlyargs.length + plain.length - defaults.length;
  const found: PyParameter[] = [];
  for (const { arg } of posonlyargs) found.push({ name: arg, kind: "position", optional: found.length >= required });
  for (const { arg } of plain) found.push({ name: arg, kind: "any", optional: found.length >= required });
  if (vararg !== null) found.push({ name: vararg.arg, kind: "rest", optional: true });
  for (const [at, { arg }] of kwonlyargs.entries())
    found.push({ name: arg, kind: "name", optional: kw_defaults[at] !== null });
  if (kwarg !== null) found.push({ name: kwarg.arg, kind: "names", optional: true });
  if (root === undefined) return found;
  return found.map((parameter) => {
    const types = root.types.get(parameter.name) ?? [];
    return types.length === 0 ? parameter : { ...parameter, types };
  });
}

/** Puts a label that is complete into the file. Its end gives None. */
export function finish(
  file: File,
  f: FunctionLowerer,
  { kind, name, params, doc }: Pick<PyLabel, "kind" | "name" | "params"> & { readonly doc: string | null },
): void {
  const { body } = f;
  if (body.isReached) body.add({ do: "return", value: NONE });
  const { scope, label, nodes, loops } = body;
  // A run that begins here runs the file first, and reaches by its globals what the file defines: a report must not miss any of it.
  if (file.of.path === null && kind !== "module" && !label.includes(".")) body.uses(topLabel(file.of), 1);
  const exits = nodes.flatMap(({ id, op, data }) => (op === "Py" && data.do === "return" ? [id] : []));
  const own = { kind, name, params, cells: [...scope.cells], free: scope.free, loops };
  const python: PyLabel = doc === null ? own : { ...own, doc };
  file.labels.set(label, { entry: "n1", exits, python });
  file.nodes.push(nodes);
  file.edges.push(body.finishedEdges());
}
