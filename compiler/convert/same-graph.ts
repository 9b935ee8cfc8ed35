/**
 * Whether two programs are one graph: the same steps, in labels that may have other names. Lines, and what is computed from all the rest, do not
 * count. It knows nothing of how programs are written.
 */
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { canonicalJson } from "../ir/canonical.ts";
import { compareText } from "../ir/checksum.ts";
import type { Ir, IrDeclaration, IrNode } from "../ir/graph.ts";
import type { Json, JsonObject } from "../json.ts";

/** A step that has no equal, or null for the program itself; `what` says which part of it differs. */
export type Difference = { readonly label: string; readonly at: number; readonly what: string } | null;

export type Comparison = { readonly same: boolean; readonly differences: readonly Difference[] };

/** Steps that are compared in one piece. */
const STEPS_OF_A_PIECE = 200;

/** In pieces. `labelOf`: the name in `after` of a label of `before`. `faulty`: lines of `after` with a finding that `before` has not. */
export function* compareGraphs(
  before: Ir,
  after: Ir,
  labelOf: (label: string) => string,
  faulty: ReadonlySet<number> = new Set(),
): Task<Comparison> {
  const pieces = new Pieces(STEPS_OF_A_PIECE);
  const differences: Difference[] = [];
  // `_error_info.op` says which one failed.
  const seesOps = before.nodes.some(({ reads }) => reads.includes("_error_info"));
  const nodes = nodesByLabel(after);
  const edges = edgesByNode(after, (label) => label);
  yield;
  const edgesBefore = edgesByNode(before, labelOf);
  yield;
  for (const [label, own] of nodesByLabel(before)) {
    const renamed = labelOf(label);
    const other = nodes.get(renamed) ?? [];
    /** Variables that earlier steps of the label have set. */
    const known = new Set<string>();
    for (let at = 0; at < Math.max(own.length, other.length); at++) {
      const [a, b] = [own[at], other[at]];
      const what =
        a === undefined || b === undefined
          ? "number of steps"
          : meaningOf(a, labelOf, known) !== meaningOf(b, (id) => id, known) || (seesOps && a.op !== b.op)
            ? "meaning"
            : edgesBefore.get(`${renamed}\0${a.id}`) !== edges.get(`${renamed}\0${b.id}`)
              ? "what follows"
              : b.file === undefined && faulty.has(b.line ?? 0)
                ? "reading"
                : null;
      if (what !== null) differences.push({ label, at, what });
      for (const name of a?.writes ?? []) known.add(name);
      if (pieces.add()) yield;
    }
  }
  if (wholeOf(before, labelOf) !== wholeOf(unnamed(after, before), (label) => label)) differences.push(null);
  return { same: differences.length === 0, differences };
}

function nodesByLabel({ nodes }: Ir): ReadonlyMap<string, readonly IrNode[]> {
  const found = new Map<string, IrNode[]>();
  for (const node of nodes) {
    const own = found.get(node.label);
    if (own === undefined) found.set(node.label, [node]);
    else own.push(node);
  }
  return found;
}

/**
 * X and Set store a value; which of them is written changes nothing. A name that an earlier step of the label has set is its variable, whether it is
 * written as one or not: an absent one would be text.
 */
function meaningOf({ id, op, data }: IrNode, labelOf: (label: string) => string, known: ReadonlySet<string>): string {
  const written = "branches" in data ? { ...data, branches: data.branches.map(labelOf) } : data;
  return canonicalJson([id, op === "X" ? "Set" : op, asVariables(written as unknown as Json, known)]);
}

function asVariables(value: Json, known: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((one: Json) => asVariables(one, known));
  if (typeof value !== "object" || value === null) return value;
  const { k, v, root, segments } = value as JsonObject;
  if (k === "name" && typeof v === "string" && known.has(v)) return { k: "var", v };
  if (k === "path" && typeof root === "string" && known.has(root)) return { k, root, segments: segments ?? [] };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asVariables(one as Json, known)]));
}

function edgesByNode({ edges }: Ir, labelOf: (label: string) => string): ReadonlyMap<string, string> {
  const found = new Map<string, string[]>();
  for (const { label, from, to, to_kind, port } of edges) {
    const place = `${labelOf(label)}\0${from}`;
    const own = found.get(place) ?? [];
    own.push(`${port} ${to_kind} ${to_kind === "label" ? labelOf(to) : to}`);
    found.set(place, own);
  }
  return new Map([...found].map(([place, own]) => [place, own.sort().join("\n")]));
}

/** The indented form names a service that the file does not: after its first graph. */
function unnamed(after: Ir, before: Ir): Ir {
  if (before.declarations.some(({ op }) => op === "S")) return after;
  const declarations = after.declarations.filter(
    ({ op, slots }) => op !== "S" || slots.length !== 3 || slots[1] !== "core" || slots[2] !== "noop",
  );
  return { ...after, declarations };
}

/** Entry, labels, endpoints and declarations. */
function wholeOf(ir: Ir, labelOf: (label: string) => string): string {
  const { entry, endpoints, declarations } = ir;
  return canonicalJson({
    entry: entry === null ? null : labelOf(entry),
    labels: Object.keys(ir.labels).map(labelOf).sort(),
    endpoints: endpoints.map(({ line: _line, ...one }) => ({ ...one, label: labelOf(one.label) })),
    // Those of one kind in their order: an earlier one goes before a later one.
    declarations: withoutRepeats(
      declarations
        .map(({ line: _line, ...one }) => ({ ...one, slots: slotsOf(one, labelOf) }))
        .sort((a, b) => compareText(a.op, b.op)),
    ),
  } as unknown as Json);
}

/** Graphs may declare the same input. */
function withoutRepeats(declarations: readonly Written[]): readonly Written[] {
  const inputs = new Set<string>();
  return declarations.filter(({ op, slots }) => {
    const input = slots.join("\0");
    if (op !== "frame") return true;
    const isNew = !inputs.has(input);
    inputs.add(input);
    return isNew;
  });
}

type Written = Omit<IrDeclaration, "line">;

function slotsOf({ op, slots }: Written, labelOf: (label: string) => string): readonly string[] {
  return op === "Cr" || op === "Tst" ? slots.map((slot, at) => (at === 0 ? labelOf(bareLabel(slot)) : slot)) : slots;
}

/** `->L_x:` → `_x` */
function bareLabel(written: string): string {
  const bare = written.replace(/^->/, "").replace(/:$/, "");
  return bare.startsWith("L") ? bare.slice(1) : bare;
}
