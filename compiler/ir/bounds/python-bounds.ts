/**
 * What is known before a run of labels that are functions of Python: which functions each can run, the least and most steps and adapter
 * calls, and why a most is missing. Nodes of such a label form a graph with ways back: a node on one has no most visits. A function that
 * is called by its name runs once per call; one that is handed on as a value may run any number of times.
 */
import type { Json } from "../../json.ts";
import type { IrNode } from "../graph.ts";
import type { IrIndex } from "../ir-index.ts";
import { componentsOf } from "./components.ts";

export type PythonLabel = {
  /** Functions that it can run, each once: called by their names, or handed on. */
  readonly runs: readonly string[];
  /** A function is handed to what may run it below others, so how deep it runs is not known. */
  readonly deepens: boolean;
  /** By node id: functions called by their names, once for each place. */
  readonly called: ReadonlyMap<string, readonly string[]>;
  /** By node id: functions handed on. */
  readonly handed: ReadonlyMap<string, readonly string[]>;
  /** Ids of nodes on a way back. */
  readonly looped: ReadonlySet<string>;
  /** Components of its nodes, those that come after first. */
  readonly components: readonly (readonly string[])[];
};

const known = new WeakMap<IrIndex, ReadonlyMap<string, PythonLabel>>();

/** Only labels of Python are in it. */
export function pythonLabels(index: IrIndex): ReadonlyMap<string, PythonLabel> {
  let found = known.get(index);
  if (found === undefined) {
    const globals = functionsOfGlobals(index);
    found = new Map(
      index.labelIds
        .filter((id) => index.label(id)?.python !== undefined)
        .map((id) => [id, readLabel(id, index, globals)]),
    );
    known.set(index, found);
  }
  return found;
}

/** Labels that are run at the beginning of a run that starts at the label: its file, and the files that one imports. */
export function filesOf(id: string, index: IrIndex): readonly string[] {
  const imports = importsOf(index);
  const found = new Set<string>();
  const pending = [imports.get(id) ?? filesIn(id, index)];
  for (let files = pending.pop(); files !== undefined; files = pending.pop()) {
    for (const next of files) {
      if (found.has(next) || next === id) continue;
      found.add(next);
      pending.push(imports.get(next) ?? []);
    }
  }
  return [...found];
}

function filesIn(id: string, index: IrIndex): readonly string[] {
  return index.successorsOf(id).filter((next) => index.label(next)?.python?.kind === "module");
}

const imported = new WeakMap<IrIndex, ReadonlyMap<string, readonly string[]>>();

/** By file, the files that it imports: a file leads to all of its functions, so it is looked through once. */
function importsOf(index: IrIndex): ReadonlyMap<string, readonly string[]> {
  let files = imported.get(index);
  if (files === undefined) {
    const modules = index.labelIds.filter((id) => index.label(id)?.python?.kind === "module");
    files = new Map(modules.map((id) => [id, filesIn(id, index)]));
    imported.set(index, files);
  }
  return files;
}

/** Labels of functions by the global names that files give them; of a name that stands for something else none. */
function functionsOfGlobals(index: IrIndex): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const id of index.labelIds) {
    for (const node of index.nodesOf(id)) {
      if (node.op !== "Py" || node.data.do !== "set_global") continue;
      const made = definedBy(node);
      found.set(node.data.name, [...(found.get(node.data.name) ?? []), ...(made === null ? [] : [made.label])]);
    }
  }
  return found;
}

/** `def name` at the top of a file. */
function definedBy(node: IrNode): { readonly name: string; readonly label: string } | null {
  if (node.op !== "Py" || node.data.do !== "set_global") return null;
  const { name, value } = node.data;
  if (value.k !== "call" || value.fn !== "py.function") return null;
  const [first] = value.args;
  return first?.k === "label" ? { name, label: first.v } : null;
}

function readLabel(id: string, index: IrIndex, globals: ReadonlyMap<string, readonly string[]>): PythonLabel {
  const nodes = index.nodesOf(id);
  const called = new Map<string, readonly string[]>();
  const handed = new Map<string, readonly string[]>();
  let deepens = false;
  for (const node of nodes) {
    const uses = new Uses(globals, index);
    const definition = definedBy(node);
    uses.look(node.data as unknown as Json, false);
    if (uses.called.length > 0) called.set(node.id, uses.called);
    const others = definition === null ? uses.handed : uses.handed.filter((one) => one !== definition.label);
    if (others.length > 0) handed.set(node.id, others);
    // Ways to labels that its operands do not name: branches, other files.
    const further = index
      .edgesFrom(id, node.id)
      .filter(({ to, to_kind }) => to_kind === "label" && index.label(to)?.python?.kind !== "module")
      .map(({ to }) => to)
      .filter((to) => to !== definition?.label && !uses.called.includes(to) && !uses.handed.includes(to));
    if (further.length > 0) handed.set(node.id, [...others, ...further]);
    deepens ||= further.length > 0 || (definition === null && uses.deepens);
  }
  const next = (node: string): string[] =>
    index
      .edgesFrom(id, node)
      .filter(({ to_kind }) => to_kind === "node")
      .map(({ to }) => to);
  const components = componentsOf(
    nodes.map((node) => node.id),
    next,
  );
  const looped = new Set(
    components.filter((one) => one.length > 1 || next(one[0] as string).includes(one[0] as string)).flat(),
  );
  return {
    runs: [...new Set([...called.values(), ...handed.values()].flat())],
    deepens,
    called,
    handed,
    looped,
    components,
  };
}

/** What begins a pass of a loop; null: nothing. */
export function loopOf(node: IrNode): "For" | "While" | null {
  if (node.op !== "Py") return null;
  return node.data.do === "next" ? "For" : node.data.do === "pass" ? "While" : null;
}

/** Callees by the function of the machine that calls, with the place of what is called. */
const CALLEE: Readonly<Record<string, number>> = { "py.call": 0, "py.call_named": 1, "py.call_spread": 0 };

/** Functions of the file in the operands of one node. */
class Uses {
  readonly called: string[] = [];
  readonly handed: string[] = [];
  deepens = false;
  private readonly globals: ReadonlyMap<string, readonly string[]>;
  private readonly index: IrIndex;

  constructor(globals: ReadonlyMap<string, readonly string[]>, index: IrIndex) {
    this.globals = globals;
    this.index = index;
  }

  /** `native`: a function of the library is given the value, and runs it one level below. */
  look(value: Json, native: boolean): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) this.look(one, native);
      return;
    }
    const { k, v, fn, args } = value as { readonly [name: string]: Json };
    // The top of a file, which runs once in a run.
    if (k === "label" && this.index.label(String(v))?.python?.kind === "module") return;
    if (k === "global" || k === "label") this.hand(k === "label" ? [String(v)] : this.named(String(v)), native);
    else if (k === "call" && Array.isArray(args)) this.call(String(fn), args, native);
    else for (const one of Object.values(value)) this.look(one, native);
  }

  private call(fn: string, args: readonly Json[], native: boolean): void {
    const at = CALLEE[fn];
    const callee = at === undefined ? undefined : (args[at] as { readonly k?: Json; readonly v?: Json } | undefined);
    const functions = callee?.k === "global" ? this.named(String(callee.v)) : [];
    if (functions.length > 0) this.called.push(...functions);
    const given = callee === undefined ? native : callee.k === "lib";
    args.forEach((one, place) => {
      if (place !== at || functions.length === 0) this.look(one, given);
    });
  }

  private named(name: string): readonly string[] {
    // A name that nothing in sight sets may stand for any function.
    return this.globals.get(name) ?? [...this.globals.values()].flat();
  }

  private hand(labels: readonly string[], native: boolean): void {
    this.handed.push(...labels);
    // A generator runs where its values are taken, and counts no depth.
    if (!native && labels.some((id) => this.index.label(id)?.python?.kind !== "generator")) this.deepens = true;
  }
}
