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
  for (const { op, reads, writes } of nodes) {
    if (op === "Set") for (const name of writes) if (reads.includes(name)) names.add(name);
  }
  return names;
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
