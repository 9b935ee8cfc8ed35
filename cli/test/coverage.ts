/** How much of the tested programs the tests went through: labels entered, and ways taken between steps and labels. */
import { edgeKey, stepKey, type Visits } from "../../compiler/diagram/model.ts";
import type { Ir, IrEdge } from "../../compiler/ir/graph.ts";
import { type IrIndex, indexIr } from "../../compiler/ir/ir-index.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { table } from "../output/terminal/table.ts";
import type { Trace } from "../trace/trace-events.ts";
import { countVisits } from "../trace/visits.ts";

export type ProgramCoverage = {
  readonly path: string;
  readonly labels: readonly { readonly label: string; readonly entered: boolean }[];
  readonly edges: readonly {
    readonly label: string;
    readonly node: string;
    readonly port: string;
    readonly to: string;
    readonly line: number | null;
    readonly taken: number;
  }[];
};

export type Covered = { readonly path: string; readonly ir: Ir; readonly traces: readonly Trace[] };

/** Cases of one program may have compiled it differently (other inputs, loose mode), but its graph is the same. */
export function coverageOf({ path, ir, traces }: Covered): ProgramCoverage {
  const visits = countVisits(traces, ir);
  const index = indexIr(ir);
  const labels = index.labelIds.map((id) => ({
    label: writtenLabel(id),
    entered: index.nodesOf(id).some((node) => visits.steps.has(stepKey(id, node.id))),
  }));
  const handled = handlersOf(ir, visits);
  const edges = ir.edges
    .filter((edge) => (ir.labels[edge.label]?.python === undefined ? counts(edge) : isWay(edge, index, handled)))
    .map((edge) => ({
      label: writtenLabel(edge.label),
      node: edge.from,
      port: edge.port,
      to: edge.to_kind === "label" ? writtenLabel(edge.to) : edge.to,
      line: index.node(edge.label, edge.from)?.line ?? null,
      taken: handled.get(edge) ?? takenOf(edge, visits),
    }));
  return { path, labels, edges };
}

/** Edges from a step to the next are left out, because they involve no decision. */
const counts = ({ port }: IrEdge): boolean => port !== "next";

/** In a Python function: no call, which is a way of its own only in the opcode form, and nothing that the program does not say. */
function isWay(edge: IrEdge, index: IrIndex, handled: ReadonlyMap<IrEdge, number>): boolean {
  const { port, to_kind } = edge;
  if (!counts(edge) || to_kind === "label" || (port === "err" && !handled.has(edge))) return false;
  return !onlyRaisesAgain(index, edge);
}

/** All steps of a Python function that lead to one handler are one way, whichever of them fails: its first edge, and how often it was taken. */
function handlersOf(ir: Ir, visits: Visits): ReadonlyMap<IrEdge, number> {
  const first = new Map<string, IrEdge>();
  const taken = new Map<IrEdge, number>();
  for (const edge of ir.edges) {
    if (edge.port !== "err" || ir.labels[edge.label]?.python === undefined) continue;
    const key = stepKey(edge.label, edge.to);
    const known = first.get(key) ?? edge;
    first.set(key, known);
    taken.set(known, (taken.get(known) ?? 0) + takenOf(edge, visits));
  }
  return taken;
}

/** Whether an edge leads to what the compiler adds around handlers: the exception continues at the next one. */
function onlyRaisesAgain(index: IrIndex, { label, to }: IrEdge): boolean {
  for (let at: string | undefined = to; at !== undefined; at = index.targetOf(label, at, "next")) {
    const node = index.node(label, at);
    if (node?.op !== "Py") return false;
    const { data } = node;
    if (data.do === "reraise") return true;
    const forgets = data.do === "del" || (data.do === "set" && data.value.k === "null");
    if (data.do !== "catch" && !forgets) return false;
  }
  return false;
}

function takenOf({ label, from, port }: IrEdge, { edges }: Visits): number {
  return edges.get(edgeKey(label, from, port)) ?? 0;
}

type Totals = { readonly taken: number; readonly total: number };

export function totalsOf(programs: readonly ProgramCoverage[]): { readonly labels: Totals; readonly edges: Totals } {
  const labels = programs.flatMap((program) => program.labels);
  const edges = programs.flatMap((program) => program.edges);
  return {
    labels: { taken: labels.filter(({ entered }) => entered).length, total: labels.length },
    edges: { taken: edges.filter(({ taken }) => taken > 0).length, total: edges.length },
  };
}

/** One row for each program, and below it what no test went through. */
export function coverageTable(programs: readonly ProgramCoverage[], width: number): string {
  const rows = programs.flatMap((program) => {
    const { labels, edges } = totalsOf([program]);
    const missed = [
      ...program.labels.filter(({ entered }) => !entered).map(({ label }) => `${label} never entered`),
      ...program.edges
        .filter(({ taken }) => taken === 0)
        .map(
          ({ label, node, port, to, line }) =>
            `${label} ${node}${line === null ? "" : ` (line ${line})`} ${port} → ${to}`,
        ),
    ];
    const head = [program.path, `${labels.taken}/${labels.total}`, `${edges.taken}/${edges.total}`, missed[0] ?? ""];
    return [head, ...missed.slice(1).map((text) => ["", "", "", text])];
  });
  return `${table([["program", "labels", "edges", "not covered"], ...rows], width).join("\n")}\n`;
}
