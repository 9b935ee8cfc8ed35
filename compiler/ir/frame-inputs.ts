/**
 * The inputs that a program declares: `# frame:` comments and `in:` lines, which the IR keeps as declarations `frame` with the slots
 * `[name, type]`, and `"required"` after them for `name!: type`. An `in:` line adds `"graph"`: only a run that begins at a graph
 * which lists the input needs it. The one reading of these declarations, for the checks of frames and for every document about inputs.
 */
import type { InputDeclaration } from "../../grammar/ast.ts";
import type { Ir, IrNode } from "./graph.ts";

type Declaring = Pick<Ir, "declarations">;

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
export function readDeclaredInputs({ declarations }: Declaring): readonly DeclaredInput[] {
  return inputsOf(declarations);
}

/**
 * The same for runs that begin at a label: of an input that an `in:` line of the label lists, the types of other graphs say nothing. Two
 * endpoints of one file may well mean different things by one name.
 */
export function inputsByRun(
  ir: Pick<Ir, "declarations" | "nodes">,
): (label: string | null) => readonly DeclaredInput[] {
  const inputs = inputsOf(ir.declarations);
  const listings = listingsIn(ir.nodes);
  return (label) => {
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

/** Their names, in order. */
export function declaredInputs({ declarations }: Declaring): string[] {
  return declarations.flatMap(({ op, slots }) => (op === "frame" ? slots.slice(0, 1) : []));
}

/** Names of the inputs that `frame` has no value for, of a run that begins at a label: those of other graphs are set by their calls. */
export function inputsNotGiven(ir: Pick<Ir, "declarations" | "nodes">, entry: string, frame: object): string[] {
  const listed = inputsListed(ir.nodes.filter(({ label }) => label === entry));
  return readDeclaredInputs(ir).flatMap(({ name, required }) =>
    Object.hasOwn(frame, name) || (required === "graph" && !listed.has(name)) ? [] : [name],
  );
}
