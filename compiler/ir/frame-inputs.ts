/**
 * The inputs that a program declares: `# frame:` comments and `in:` lines, which the IR keeps as declarations `frame` with the slots
 * `[name, type]`, and `"required"` after them for `name!: type`. An `in:` line adds `"graph"`: only a run that begins at a graph
 * which lists the input needs it. A run that begins at a function of the Python form takes its parameters, and of a script its free names, which are
 * the parameters of its file. The one reading of these declarations, for the checks of frames and for every document about inputs.
 */
import type { InputDeclaration } from "../../grammar/ast.ts";
import type { Ir, IrNode, PyLabel, PyParameter } from "./graph.ts";
import { resolveReference } from "./references.ts";

type Declaring = Pick<Ir, "declarations"> & Partial<Pick<Ir, "labels" | "entry" | "endpoints">>;

export type DeclaredInput = {
  readonly name: string;
  /** Every type that declarations give it, in their order, `any` left out; empty: any value. */
  readonly types: readonly string[];
  /** Which runs need a value: all, those that begin at a graph that lists it, or none. */
  readonly required: "file" | "graph" | null;
};

const REQUIRED = "required";
const OF_GRAPH = "graph";

/** The slots of a declaration `frame`. */
export function inputSlots({ name, type, required }: InputDeclaration): readonly string[] {
  if (required === undefined) return [name, type];
  return required === "graph" ? [name, type, REQUIRED, OF_GRAPH] : [name, type, REQUIRED];
}

/** Every declared input once, in the order of the declarations. */
export function readDeclaredInputs(ir: Declaring): readonly DeclaredInput[] {
  const { labels = {}, declarations } = ir;
  const functions = rootsOf(ir).flatMap((id) => labels[id]?.python ?? []);
  return functions.length === 0 ? inputsOf(declarations) : inputsOfFunctions(functions);
}

/** Declarations of the label where runs begin: those of schedules, jobs and events. */
export const BEGINNINGS: ReadonlySet<string> = new Set(["Cr", "Job", "On"]);

/** Labels where runs begin by themselves: the entry, and those of endpoints, schedules, jobs and events. */
export function rootsOf({ declarations, labels = {}, entry = null, endpoints = [] }: Declaring): readonly string[] {
  const scheduled = declarations.flatMap(({ op, slots }) =>
    BEGINNINGS.has(op) ? [resolveReference(slots[0] ?? "", (id) => Object.hasOwn(labels, id))] : [],
  );
  const all = [...(entry === null ? [] : [entry]), ...endpoints.map(({ label }) => label), ...scheduled];
  return [...new Set(all)].filter((id) => Object.hasOwn(labels, id));
}

/** Whether a run from the label takes every member that it is given, as one with `**others`. */
export function takesAll(ir: Pick<Ir, "labels">, label: string | null): boolean {
  return functionAt(ir, label)?.params.some(({ kind }) => kind === "names") === true;
}

/** Whether a run begins with a function of the Python form or a script: it takes what is declared and nothing else, be it nothing. */
export function isClosed(ir: Pick<Ir, "labels">, label: string | null): boolean {
  return functionAt(ir, label) !== undefined && !takesAll(ir, label);
}

function functionAt({ labels }: Pick<Ir, "labels">, label: string | null): PyLabel | undefined {
  return label === null || !Object.hasOwn(labels, label) ? undefined : labels[label]?.python;
}

const INPUT_KINDS: ReadonlySet<PyParameter["kind"]> = new Set(["position", "any", "name"]);

function inputsOfFunction({ params }: PyLabel): readonly DeclaredInput[] {
  return params.flatMap(({ name, kind, optional, types = [] }): DeclaredInput[] =>
    INPUT_KINDS.has(kind) ? [{ name, types, required: optional ? null : "file" }] : [],
  );
}

/** Of several functions: all inputs that any of them takes. The first is the entry. */
function inputsOfFunctions(functions: readonly PyLabel[]): readonly DeclaredInput[] {
  const inputs = new Map<string, DeclaredInput>();
  for (const [at, one] of functions.entries()) {
    for (const input of inputsOfFunction(one)) {
      const known = inputs.get(input.name);
      const required = input.required !== null && at > 0 ? "graph" : input.required;
      const types = known === undefined ? input.types : anyOf(known.types, input.types);
      inputs.set(input.name, { name: input.name, types, required: known?.required ?? required });
    }
  }
  return [...inputs.values()];
}

/** No types are any value. */
function anyOf(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.length === 0 || b.length === 0 ? [] : [...new Set([...a, ...b])];
}

/**
 * The same for runs that begin at a label: of an input that an `in:` line of the label lists, the types of other graphs say nothing. Two
 * endpoints of one file may well mean different things by one name.
 */
export function inputsByRun(
  ir: Pick<Ir, "declarations" | "nodes" | "labels">,
): (label: string | null) => readonly DeclaredInput[] {
  const inputs = inputsOf(ir.declarations);
  const listings = listingsIn(ir.nodes);
  return (label) => {
    const called = functionAt(ir, label);
    if (called !== undefined) return inputsOfFunction(called);
    const own = label === null ? undefined : listings.byLabel.get(label);
    if (own === undefined || listings.byLabel.size === 1) return inputs;
    return inputs.map((input) => {
      const lines = own.get(input.name);
      const all = listings.linesOf.get(input.name);
      if (lines === undefined || all === undefined || all.size === lines.size) return input;
      const said = ir.declarations.filter(
        ({ slots, line }) => slots[0] === input.name && (lines.has(line) || !all.has(line)),
      );
      return { ...input, types: inputsOf(said)[0]?.types ?? [] };
    });
  };
}

type Listings = {
  /** By label the inputs that its `in:` lines list, with the lines. */
  readonly byLabel: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<number>>>;
  /** By name the lines of all graphs that list it. */
  readonly linesOf: ReadonlyMap<string, ReadonlySet<number>>;
};

function listingsIn(nodes: readonly IrNode[]): Listings {
  const byLabel = new Map<string, Map<string, Set<number>>>();
  const linesOf = new Map<string, Set<number>>();
  for (const node of nodes) {
    const { label, line } = node;
    if (line === undefined) continue;
    for (const name of listedBy(node)) {
      const names = byLabel.get(label) ?? new Map<string, Set<number>>();
      byLabel.set(label, names.set(name, (names.get(name) ?? new Set()).add(line)));
      linesOf.set(name, (linesOf.get(name) ?? new Set()).add(line));
    }
  }
  return { byLabel, linesOf };
}

function inputsOf(declarations: Ir["declarations"]): readonly DeclaredInput[] {
  const inputs = new Map<string, DeclaredInput>();
  for (const { op, slots } of declarations) {
    const [name, type = "any", mark, scope] = slots;
    if (op !== "frame" || name === undefined) continue;
    const known = inputs.get(name);
    const required = mark !== REQUIRED ? null : scope === OF_GRAPH ? "graph" : "file";
    const types = known?.types ?? [];
    inputs.set(name, {
      name,
      types: type === "any" || types.includes(type) ? types : [...types, type],
      required: known?.required === "file" ? "file" : (required ?? known?.required ?? null),
    });
  }
  return [...inputs.values()];
}

/** Names of the inputs without which no run from a label begins. `nodes`: those of the label. */
export function requiredInputs(declared: readonly DeclaredInput[], nodes: Iterable<IrNode>): ReadonlySet<string> {
  const needed = declared.filter(({ required }) => required !== null);
  if (needed.length === 0) return NO_NAMES;
  const listed = inputsListed(nodes);
  return new Set(needed.flatMap(({ name, required }) => (required === "file" || listed.has(name) ? [name] : [])));
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Inputs that an `in:` line of a graph lists: the graph begins by setting each to itself. */
function inputsListed(nodes: Iterable<IrNode>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) for (const name of listedBy(node)) names.add(name);
  return names;
}

function listedBy({ op, reads, writes }: IrNode): readonly string[] {
  return op === "Set" ? writes.filter((name) => reads.includes(name)) : [];
}

/** Names of declared inputs, in order. */
export function declaredInputs({ declarations }: Declaring): string[] {
  return declarations.flatMap(({ op, slots }) => (op === "frame" ? slots.slice(0, 1) : []));
}

/** Names of the inputs that `frame` has no value for, of a run that begins at a label: those of other graphs are set by their calls. */
export function inputsNotGiven(
  ir: Pick<Ir, "declarations" | "nodes" | "labels">,
  entry: string,
  frame: object,
): string[] {
  const called = functionAt(ir, entry);
  if (called !== undefined)
    return inputsOfFunction(called).flatMap(({ name }) => (Object.hasOwn(frame, name) ? [] : [name]));
  const listed = inputsListed(ir.nodes.filter(({ label }) => label === entry));
  return readDeclaredInputs(ir).flatMap(({ name, required }) =>
    Object.hasOwn(frame, name) || (required === "graph" && !listed.has(name)) ? [] : [name],
  );
}
