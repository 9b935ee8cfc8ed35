/**
 * The linked program → IR: places are dropped, the rest is put in the order of docs/ir.md (top level). Decides nothing.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { inputSlots } from "../ir/frame-inputs.ts";
import {
  type Ir,
  type IrDeclaration,
  type IrEdge,
  type IrEndpoint,
  type IrLabel,
  type IrNode,
  irVersionOf,
  nodeNumber,
} from "../ir/graph.ts";
import { setMember } from "../json.ts";
import { measured } from "../policy/measured.ts";
import type { UnmeasuredIr } from "../policy/requirements.ts";
import type { LoweredEndpoint, LoweredLabel, LoweredProgram, Module } from "./lowered.ts";

export function assembleIr(program: LoweredProgram, catalog: AdapterCatalog): Ir {
  const nodes: IrNode[] = [];
  const labels = labelTable(program.labels, nodes);
  const parts: UnmeasuredIr = {
    ir_version: irVersionOf(nodes),
    entry: program.entry,
    labels,
    nodes,
    edges: sortedEdges(program),
    endpoints: program.endpoints.flatMap(endpointOf),
    declarations: declarationsOf(program),
  };
  return measured(parts, catalog);
}

/** The labels; their nodes are added to `nodes`. */
function labelTable(labels: readonly LoweredLabel[], nodes: IrNode[]): Ir["labels"] {
  const table: Record<string, IrLabel> = {};
  for (const label of labels) {
    let entry: string | null = null;
    const exits: string[] = [];
    for (const { node } of label.steps) {
      if (node === null) continue;
      nodes.push(node);
      entry ??= node.id;
      if (node.op === "J") exits.push(node.id);
    }
    setMember<IrLabel>(table, label.id, { entry, exits });
  }
  return table;
}

/** By label order, number of `from`, port. Edges come label by label already; those of one label by kind. */
function sortedEdges(program: LoweredProgram): readonly IrEdge[] {
  const sorted: IrEdge[] = [];
  /** Of one label, by number of `from`. */
  let byNode: (IrEdge[] | undefined)[] = [];
  let label: string | undefined;
  const flush = (): void => {
    for (const edges of byNode) {
      if (edges === undefined) continue;
      if (edges.length > 1) edges.sort((a, b) => (a.port < b.port ? -1 : 1));
      for (const edge of edges) sorted.push(edge);
    }
    byNode = [];
  };
  for (const edge of program.edges) {
    if (edge.label !== label) flush();
    label = edge.label;
    const from = nodeNumber(edge.from);
    const known = byNode[from];
    if (known === undefined) byNode[from] = [edge];
    else known.push(edge);
  }
  flush();
  return sorted;
}

function endpointOf(endpoint: LoweredEndpoint): readonly IrEndpoint[] {
  if (endpoint.target === null) return [];
  const { method, path, returns, type, description, line, module, target } = endpoint;
  return [{ method, path, label: target.id, returns, type, description, line: line.span.line, ...fileOf(module) }];
}

/** Main file first; inside a file declarations and frame inputs by place. */
function declarationsOf(program: LoweredProgram): readonly IrDeclaration[] {
  const none = program.declarations.length === 0 && program.inputs.size === 0;
  if (none) return [];
  const byModule = new Map<Module, { start: number; declaration: IrDeclaration }[]>(
    program.modules.map((module) => [
      module,
      module.file.inputs.map((input) => ({
        start: input.span.start,
        declaration: { op: "frame", slots: inputSlots(input), line: input.span.line, ...fileOf(module) },
      })),
    ]),
  );
  for (const { line, module } of program.declarations) {
    const slots = line.slots.map((slot) => slot.text);
    byModule.get(module)?.push({
      start: line.span.start,
      declaration: { op: line.op, slots, line: line.span.line, ...fileOf(module) },
    });
  }
  return [...byModule.values()].flatMap((entries) =>
    entries.sort((a, b) => a.start - b.start).map((entry) => entry.declaration),
  );
}

function fileOf(module: Module): { readonly file?: string } {
  return module.file.file === null ? {} : { file: module.file.file };
}
